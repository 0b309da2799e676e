//! `rdjsonl`: the reviewdog Diagnostic Format as JSON Lines, one `Diagnostic` each. A line that is not JSON is
//! rejected, and the others stand.
//!
//! The format has no way to say that nothing was found: a document of no lines is no answer. So a report without
//! findings cannot be said in it, and `convert` withholds the empty text.

use jury_wire::Reason;

use super::rdjson::{self, Defaults};
use super::reading::{Claims, Reading};
use super::{Format, Written, json};
use crate::model::Report;
use crate::syntax::{Limits, Reader, Source, json as syntax};

pub(super) const FORMAT: Format = Format {
    id: "rdjsonl",
    seed: "reviewdog",
    what: "the reviewdog Diagnostic Format, one `Diagnostic` per line",
    extension: "jsonl",
    states_attendance: false,
    recognises: |source| json::has_every_key(source, &["message", "location"]),
    read,
    write: Some(write),
};

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let mut claims = Claims::default();
    let is_blank = |line: &str| line.trim().is_empty();
    // Blank lines say nothing, so one remark is enough, however many there are.
    if let Some((span, _)) = source.lines().find(|(_, line)| is_blank(line)) {
        reader.deviate(Reason::UnexpectedLine, span, "expected a JSON object, found a blank line");
    }
    for (span, _) in source.lines().filter(|(_, line)| !is_blank(line)) {
        claims.read_one(&mut reader, span, |reader| match syntax::parse_line(source, span, limits) {
            Ok(node) => rdjson::diagnostic(reader, &node, &Defaults::default()),
            Err(deviation) => {
                reader.deviations.push(deviation);
                None
            }
        });
    }
    // A text of which no line was understood is not in this format.
    let header = (!claims.understood().is_empty()).then(Report::default);
    claims.end(reader, header)
}

fn write(report: &Report) -> Written {
    let (kept, lines): (Vec<usize>, Vec<String>) =
        rdjson::diagnostics(report, None).map(|(index, diagnostic)| (index, json::to_line(&diagnostic))).unzip();
    Written { text: lines.concat(), kept }
}
