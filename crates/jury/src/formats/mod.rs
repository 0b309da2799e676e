//! Every contract, both directions: bytes ↔ report, with each deviation and its place.
//!
//! In: a document of unknown worth. Out: the report *and* the rejects; and the way back, canonical. One
//! file per format, one row in [`FORMATS`]. Deliberately not here: repairs (`intake`), and any decision.

mod checkstyle;
mod claude_security;
mod code_review;
mod codex_review;
mod codex_verdict;
mod convert;
mod eslint;
mod fence;
mod findings_json;
mod gate_words;
mod gitlab_code_quality;
mod json;
mod key_lines;
mod legacy_report;
mod prose;
mod rdjson;
mod rdjsonl;
mod reading;
mod review_json;
mod review_md;
mod sarif;
mod verdict_kdl;
mod verdict_lines;
mod verdict_pointer;
mod verdict_yaml;
mod vocabulary;

pub use code_review::document as verdict_file;
pub use convert::{Conversion, ConvertError, convert};
pub(crate) use findings_json::stamp as settled_conflict;
pub use findings_json::{returns, stated};
pub use reading::{Reading, Rejected};
pub use review_md::page;
pub use vocabulary::confidence_word;

use jury_wire::Reason;

use crate::model::Report;
use crate::syntax::{Deviation, Limits, Source, Span};

/// A format: how it is known, recognised, read and written.
pub struct Format {
    /// The id on the command line, in files and in the documentation.
    pub id: &'static str,
    /// The contract it comes from.
    pub seed: &'static str,
    /// Its description in one line.
    pub what: &'static str,
    /// The usual ending of its files, without the dot.
    pub extension: &'static str,
    /// Whether it can say that a reviewer was skipped or missing.
    states_attendance: bool,
    /// Tells whether a document looks like it, conforming or not.
    recognises: fn(&Source<'_>) -> bool,
    read: fn(&Source<'_>, &Limits) -> Reading,
    write: Option<fn(&Report) -> Written>,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// A document that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// For each finding of the document in order, the index of the claim it states, or [`Written::NO_CLAIM`].
    pub kept: Vec<usize>,
}

impl Written {
    /// Stands in `kept` for a finding without a single claim, for example “12 more blockers”. No claim has this index.
    pub const NO_CLAIM: usize = usize::MAX;
}

/// Every format, in the order in which a document is tried against them (DESIGN §6). Formats with a list of findings and
/// a key of their own stand before `findings-json`, which is recognised by that list alone.
pub static FORMATS: &[&Format] = &[
    &verdict_pointer::FORMAT,
    &code_review::FORMAT,
    &codex_review::FORMAT,
    &codex_verdict::FORMAT,
    &claude_security::FORMAT,
    &review_json::FORMAT,
    &sarif::FORMAT,
    &findings_json::FORMAT,
    &rdjson::FORMAT,
    &rdjsonl::FORMAT,
    &eslint::FORMAT,
    &gitlab_code_quality::FORMAT,
    &checkstyle::FORMAT,
    &review_md::FORMAT,
    &verdict_yaml::FORMAT,
    &verdict_lines::FORMAT,
    &legacy_report::FORMAT,
    &verdict_kdl::FORMAT,
];

/// Returns the format of an id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.id == id)
}

impl Format {
    /// Tells whether the format can be written.
    pub fn is_writable(&self) -> bool {
        self.write.is_some()
    }

    /// Reads a document as this format.
    pub fn read(&self, bytes: &[u8], limits: &Limits) -> Reading {
        match Source::new(bytes, limits) {
            Ok(source) => self.read_source(&source, limits),
            Err(deviation) => Reading::unreadable(deviation),
        }
    }

    /// Reads a document whose text was taken before.
    pub fn read_source(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        match whole_document_deviation(source) {
            Some(deviation) => Reading::unreadable(deviation),
            None => (self.read)(source, limits),
        }
    }

    /// Writes a report as this format, if it can be written.
    pub fn write(&self, report: &Report) -> Option<Written> {
        self.write.map(|write| write(report))
    }
}

/// Reads a document as the first format that it looks like.
pub fn read(bytes: &[u8], limits: &Limits) -> (Option<&'static Format>, Reading) {
    match Source::new(bytes, limits) {
        Ok(source) => read_source(&source, limits),
        Err(deviation) => (None, Reading::unreadable(deviation)),
    }
}

/// Reads a document whose text was taken before as the first format that it looks like.
pub fn read_source(source: &Source<'_>, limits: &Limits) -> (Option<&'static Format>, Reading) {
    match FORMATS.iter().copied().find(|format| (format.recognises)(source)) {
        Some(format) => (Some(format), format.read_source(source, limits)),
        None => {
            let deviation = whole_document_deviation(source).unwrap_or_else(|| {
                let message = "no known format matches";
                Deviation::new(Reason::UnrecognisedFormat, Span::at(0), message)
            });
            (None, Reading::unreadable(deviation))
        }
    }
}

/// The deviation that makes a document unreadable in every format.
fn whole_document_deviation(source: &Source<'_>) -> Option<Deviation> {
    if source.text().trim().is_empty() {
        return Some(Deviation::new(Reason::EmptyDocument, Span::at(0), "the document is empty"));
    }
    let mark = '\u{feff}';
    source.text().starts_with(mark).then(|| {
        let message = "the document starts with a byte order mark";
        Deviation::new(Reason::ByteOrderMark, Span::new(0, mark.len_utf8()), message)
    })
}
