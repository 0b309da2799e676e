//! Records of version 1 in; the same as version 2 out. The only place that reads facts from the sentences of old records.

use jury_wire::v1::findings::Artifact;
use jury_wire::v1::record as wire;

use crate::model::{FindingId, GapKind, ReviewerKind};

/// How the gap of a file that a reviewer could not look at was worded.
const NOT_LOOKED_AT: &str = " was not looked at: ";
/// How the note on a file with a syntax error was worded.
const SYNTAX_ERROR: &str = " has a syntax error at line ";
/// How the change of a renamed file was worded.
const RENAMED_FROM: &str = "renamed from ";
/// How the title of a finding that states a gap began.
const INCOMPLETE: &str = "Review incomplete: ";

/// Turns a record of version 1 into one of version 2.
pub(super) fn upgrade(record: &mut wire::Record) {
    record.version = wire::VERSION;
    record.report_path = record.report_path.take().filter(|path| !path.is_empty());
    for file in &mut record.scope.files {
        if let Some(from) = file.change.strip_prefix(RENAMED_FROM) {
            file.from = Some(from.to_owned());
            file.change = "renamed".to_owned();
        }
    }
    for run in &mut record.runs {
        run.broken = broken_files(run);
    }
    take_unseen(record);
    if let Some(verification) = &mut record.verification {
        for checked in &mut verification.checked {
            checked.at = checked.place.take().as_deref().and_then(file_line);
        }
        for new in &mut verification.new {
            new.at = new.place.take().as_deref().and_then(file_line);
        }
    }
    let findings = record.decision.iter().flat_map(|decision| &decision.findings);
    let gaps =
        findings.filter(|finding| finding.title.starts_with(INCOMPLETE) && finding.file == FindingId::WHOLE_REPOSITORY);
    record.gap_ids = gaps.map(|finding| finding.id.clone()).collect();
}

/// Moves the reasons of unseen files from the gaps of the record to the runs that they are about.
fn take_unseen(record: &mut wire::Record) {
    for run in &mut record.runs {
        for path in std::mem::take(&mut run.unseen) {
            let is_its = |gap: &wire::Gap| {
                gap.reviewer == run.reviewer
                    && gap.kind == GapKind::UncoveredHunk.token()
                    && gap.what.split_once(NOT_LOOKED_AT).is_some_and(|(of, _)| of == path)
            };
            let Some(index) = record.gaps.iter().position(is_its) else { continue };
            let gap = record.gaps.remove(index);
            let why = gap.what.split_once(NOT_LOOKED_AT).map(|(_, why)| why.to_owned()).unwrap_or_default();
            run.unseen_files.push(wire::UnseenFile { path, why });
        }
    }
}

/// Returns the files that the notes of a built-in reviewer name as having a syntax error.
fn broken_files(run: &wire::Run) -> Vec<String> {
    if run.kind != ReviewerKind::BuiltIn.token() {
        return Vec::new();
    }
    let document = run.output.as_deref().and_then(|text| serde_json::from_str::<Artifact>(text).ok());
    let notes = document.map(|document| document.residual_risks).unwrap_or_default();
    notes.iter().filter_map(|note| note.split_once(SYNTAX_ERROR)).map(|(path, _)| path.to_owned()).collect()
}

/// Reads `file:line`, or a file alone; `None` if it is empty.
fn file_line(text: &str) -> Option<wire::FileLine> {
    if text.is_empty() {
        return None;
    }
    let numbered = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = numbered.map_or((text, None), |(file, line)| (file, Some(line)));
    Some(wire::FileLine { file: file.to_owned(), line })
}
