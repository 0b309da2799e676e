//! The result of a review or verification in; its output in a format out, for people or programs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use jury::formats;
use jury::model::Report;
use jury::record::Verification;
use jury::report;
use jury::saving::markdown;
use jury_wire::v1::code_review::ReviewVerdict;

use crate::error::Error;
use crate::render;
use crate::streams::Streams;

/// How the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    Text,
    Json,
    Markdown,
    Sarif,
    /// GitHub Actions annotations
    Github,
    /// GitLab Code Quality
    Gitlab,
    Junit,
    Rdjson,
}

/// A result to print.
pub(super) struct Shown<'a> {
    /// The verdict file.
    pub(super) file: &'a ReviewVerdict,
    /// The same as a report; its claims begin with the findings of the file, in order.
    pub(super) report: &'a Report,
    /// The ids of the findings that state a gap.
    pub(super) gaps: &'a BTreeSet<String>,
    /// The last verification, if there was one.
    pub(super) verification: Option<&'a Verification>,
}

/// Prints a result in a format, to a file or to standard output.
pub(super) fn print(
    streams: &mut Streams,
    format: Output,
    output: Option<PathBuf>,
    shown: &Shown<'_>,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    let text = if format == Output::Text { text() } else { document(format, shown) };
    match (output, format) {
        (Some(path), _) => streams.write_file(&path, &text)?,
        (None, Output::Text) => streams.show(&text),
        (None, _) => streams.document(&text),
    }
    Ok(())
}

/// Writes a result for programs.
pub(super) fn document(format: Output, shown: &Shown<'_>) -> String {
    let Shown { file, report, gaps, verification } = *shown;
    match format {
        Output::Text | Output::Json => serde_json::to_string_pretty(file).expect("a verdict is always JSON") + "\n",
        Output::Markdown => markdown(report, file, verification),
        Output::Sarif => written(report, "sarif"),
        Output::Github => report::github(report, &headline(file)),
        Output::Gitlab => written(report, "gitlab-code-quality"),
        Output::Junit => {
            // A claim beyond the findings of the file says that the tree was not reviewed.
            let is_gap = |index: &usize| file.findings.get(*index).is_none_or(|finding| gaps.contains(&finding.id));
            let gaps = (0..report.claims.len()).filter(is_gap).collect();
            report::junit(report, &file.target, &gaps)
        }
        Output::Rdjson => written(report, "rdjson"),
    }
}

/// Returns the decision in one line, for a log.
fn headline(file: &ReviewVerdict) -> String {
    format!("Jury: {}, {} (review {})", file.verdict, render::tally(&file.summary), file.review_id)
}

fn written(report: &Report, id: &str) -> String {
    let format = formats::by_id(id).and_then(|format| format.write(report));
    format.expect("all of them are formats that can be written").text
}
