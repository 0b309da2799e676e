//! `verdict-pointer`: a reviewer's stdout when its verdict is in a file (001, "Stdout contract").
//!
//! The reason of a `fail` or `warn` is read as a claim, so that a pointer that is converted never turns green. Of many
//! claims the pointer names the first and counts the rest; the file has them all.

use jury_wire::Reason;

use super::gate_words::{self, Item, List, Statement};
use super::key_lines::{KeyLine, KeyLines, key_line};
use super::reading::{Claims, Reading};
use super::{Format, Written, prose, vocabulary};
use crate::model::{Claim, Confidence, Domain, Facts, GateVerdict, RepoPath, Report, Severity, Stated, Title};
use crate::syntax::{Limits, Reader, Source, Span};

pub(super) const FORMAT: Format = Format {
    id: "verdict-pointer",
    seed: "001",
    what: "the few lines on standard output that point to a verdict file",
    extension: "txt",
    states_attendance: false,
    recognises: |source| source.text().starts_with("verdict-file:"),
    read,
    write: Some(write),
};

/// 001: "its stdout body MUST be ≤5 lines".
const MOST_LINES: usize = 5;
const KEYS: [&str; 4] = ["verdict-file", "verdict", "confidence", "advisory"];

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let lines = lines(&mut reader);
    // The seed fixes the first two lines and leaves open in which order the optional ones follow.
    lines.check_order(&mut reader, &[&["verdict-file"], &["verdict"], &["confidence", "advisory"]]);
    let file = lines.only("verdict-file").and_then(|line| {
        let path = gate_words::plain_path(&mut reader, line.value_span, line.value)?;
        let path = reader.expect(Reason::BadPath, line.value_span, RepoPath::new(path));
        path.map(|path| path.to_string())
    });
    let confidence =
        lines.only("confidence").and_then(|line| gate_words::confidence(&mut reader, line.value_span, line.value));
    let mut claims = Claims::default();
    let verdict = lines.only("verdict").and_then(|line| verdict(&mut reader, line, confidence, &mut claims));
    let severity = List::Advisories.severity(verdict);
    for (position, line) in lines.iter().filter(|line| line.key == "advisory").enumerate() {
        claims.read_one(&mut reader, line.value_span, |reader| {
            if position > 0 {
                reader.deviate(Reason::UnexpectedLine, line.span, "expected at most one advisory");
                return None;
            }
            gate_words::claim(reader, line.value_span, line.value, severity, confidence)
        });
    }
    let header = verdict.map(|verdict| Report {
        stated: Some(Stated::Gate(verdict)),
        confidence,
        facts: Facts { verdict_file: file, ..Facts::default() },
        ..Report::default()
    });
    claims.end(reader, header)
}

/// Takes the text apart and notes lines that the contract does not have, or has only once.
fn lines<'a>(reader: &mut Reader<'_, 'a>) -> KeyLines<'a> {
    let source = reader.source;
    let count = source.text().trim_end().lines().count();
    let mut lines = Vec::new();
    for (span, line) in source.lines().take(count) {
        match key_line(&KEYS, span, line) {
            Some(line) => lines.push(line),
            None => reader.deviate(Reason::UnexpectedLine, span, "expected a line of the contract"),
        }
    }
    if let Some((line, _)) = source.lines().take(count).nth(MOST_LINES) {
        reader.deviate(Reason::TooManyLines, line, format!("{count} lines, at most {MOST_LINES} are allowed"));
    }
    let place = |nth| source.lines().nth(nth).map_or(Span::at(source.text().len()), |(span, _)| span);
    let lines = KeyLines::new(reader, lines, &["verdict-file", "verdict", "confidence"]);
    lines.expect(reader, "verdict-file", place(0), "verdict-file: <path>");
    lines.expect(reader, "verdict", place(1), "verdict: <pass|fail|warn> (<reason>)");
    lines
}

/// Reads `<pass|fail|warn> (<reason>)`. A `fail` or `warn` without a reason says too little to be relied upon.
fn verdict(
    reader: &mut Reader<'_, '_>,
    line: &KeyLine<'_>,
    confidence: Option<Confidence>,
    claims: &mut Claims,
) -> Option<GateVerdict> {
    let end = line.value.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(line.value.len());
    let (word, rest) = line.value.split_at(end);
    let start = line.value_span.start;
    let verdict = gate_words::verdict(reader, Span::new(start, start + word.len()), word);
    let rest = rest.trim();
    let span = Span::new(line.value_span.end - rest.len(), line.value_span.end);
    // The last parenthesis closes, so a reason may have some of its own.
    let reason = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    let Some(reason) = reason.or(rest.is_empty().then_some("")) else {
        reader.deviate(Reason::FixedLine, span, "expected the reason in parentheses and nothing else");
        return None;
    };
    let severity = match (verdict?, reason.is_empty()) {
        (GateVerdict::Pass, true) => return verdict,
        (verdict, true) => {
            let message = format!("a {verdict} gives its reason in parentheses");
            reader.deviate(Reason::ReasonRequired, line.span, message);
            return None;
        }
        (GateVerdict::Fail, false) => Severity::Blocker,
        (GateVerdict::Warn, false) => Severity::Medium,
        (GateVerdict::Pass, false) => {
            reader.deviate(Reason::FixedLine, span, "a pass has no reason");
            Severity::Low
        }
    };
    claims.read_one(reader, span, |reader| {
        let reason = gate_words::line(reader, span, reason);
        let title = reader.expect(Reason::Blank, span, Title::new(&reason))?;
        Some(Claim { confidence, ..Claim::new(title, severity) })
    });
    verdict
}

fn write(report: &Report) -> Written {
    let Statement { verdict, confidence, blockers, mut advisories } = Statement::of(report);
    let reason = match verdict {
        GateVerdict::Pass => None,
        GateVerdict::Fail => blockers.first().cloned().map(|item| counting(List::Blockers, item, blockers.len() - 1)),
        GateVerdict::Warn => Some(warning(&mut advisories)),
    };
    let headline = advisories.first().cloned().map(|item| counting(List::Advisories, item, advisories.len() - 1));
    let mut text = format!("verdict-file: {}\n", verdict_file(report));
    text.push_str(&format!("verdict: {verdict} ({})\n", reason.as_ref().map_or("", |item| item.title.as_str())));
    if let Some(confidence) = confidence {
        text.push_str(&format!("confidence: {}\n", vocabulary::confidence_word(confidence)));
    }
    if let Some(item) = &headline {
        text.push_str(&format!("advisory: {}\n", prose::with_reference(item.location, &item.title)));
    }
    let kept = [reason, headline].into_iter().flatten().map(|item| item.claim_index).collect();
    Written { text, kept }
}

/// Takes the advisory out that is the reason of a `warn`: the first Medium one, which is why it is one.
fn warning<'r>(advisories: &mut Vec<Item<'r>>) -> Item<'r> {
    let position = advisories.iter().position(|item| item.severity == Severity::Medium).unwrap_or(0);
    if advisories.is_empty() {
        return Item::summary("see the verdict file".to_owned(), Severity::Medium);
    }
    advisories.remove(position)
}

/// Adds to an item how many of its list are not shown.
fn counting(list: List, item: Item<'_>, left_out: usize) -> Item<'_> {
    let title = match gate_words::more(list, left_out) {
        Some(more) => format!("{}; {more}", item.title),
        None => item.title,
    };
    Item { title, ..item }
}

/// Returns the path of the verdict file; one that is not known is where the seed's layout puts it.
fn verdict_file(report: &Report) -> String {
    let is_sayable =
        |path: &&String| RepoPath::new(path).is_ok() && prose::is_plain(path) && path.trim() == path.as_str();
    report.facts.verdict_file.as_ref().filter(is_sayable).cloned().unwrap_or_else(|| {
        let task = component(report.facts.task_id.as_deref(), "task");
        let reviewer = component(report.sole_reviewer().map(Domain::as_str), "review");
        format!(".dartai/reports/{task}/{reviewer}.md")
    })
}

/// Makes a name safe as one component of a path.
fn component(name: Option<&str>, fallback: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name: String = name.unwrap_or(fallback).chars().map(|c| if is_safe(c) { c } else { '-' }).take(100).collect();
    if name.chars().all(|c| c == '.') { fallback.to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(verdict: GateVerdict, claims: &[(&str, Severity)]) -> (String, Vec<usize>) {
        let claim = |title, severity| Box::new(Claim::new(Title::new(title).unwrap(), severity));
        let claims = claims.iter().map(|(title, severity)| claim(title, *severity)).collect();
        let report = Report { stated: Some(Stated::Gate(verdict)), claims, ..Report::default() };
        let Written { text, kept } = write(&report);
        let reading = FORMAT.read(text.as_bytes(), &Limits::default());
        assert!(reading.is_conforming(), "{:?}\n{text}", reading.deviations);
        assert_eq!(reading.understood(), kept.len());
        (text.replace("verdict-file: .dartai/reports/task/review.md\n", ""), kept)
    }

    #[test]
    fn the_first_of_each_list_is_named_and_the_rest_counted() {
        use Severity::{High, Low, Medium};
        let check = |verdict, claims: &[(&str, Severity)], text: &str, kept: &[usize]| {
            assert_eq!(written(verdict, claims), (text.to_owned(), kept.to_vec()));
        };
        check(GateVerdict::Pass, &[], "verdict: pass ()\n", &[]);
        let claims = [("nit", Low), ("eval()", High), ("b", High), ("c", High)];
        check(GateVerdict::Fail, &claims, "verdict: fail (eval(); 2 more blockers)\nadvisory: nit\n", &[1, 0]);
        let claims = [("nit", Low), ("slow", Medium), ("../x:3 y", Medium)];
        check(GateVerdict::Warn, &claims, "verdict: warn (slow)\nadvisory: nit; 1 more advisory\n", &[1, 0]);
        check(GateVerdict::Warn, &[], "verdict: warn (see the verdict file)\n", &[Written::NO_CLAIM]);
        let text = "verdict: pass ()\nadvisory: note — ../x:3 y\n";
        check(GateVerdict::Pass, &[("../x:3 y", Low)], text, &[0]);
    }

    #[test]
    fn an_unknown_file_is_where_the_layout_puts_it() {
        let path = |file: Option<&str>, task: Option<&str>| {
            let facts =
                Facts { verdict_file: file.map(str::to_owned), task_id: task.map(str::to_owned), ..Facts::default() };
            verdict_file(&Report { facts, ..Report::default() })
        };
        assert_eq!(path(Some("r/qa.md"), None), "r/qa.md");
        assert_eq!(path(None, Some("T-17/é ")), ".dartai/reports/T-17---/review.md");
        for file in ["../qa.md", "/qa.md", "a\nb", " a", "a\u{2028}b", ""] {
            assert_eq!(path(Some(file), Some("..")), ".dartai/reports/task/review.md");
        }
    }
}
