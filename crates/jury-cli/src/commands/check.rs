//! `jury check`: the format of a document, every deviation from it, and the possible repairs.

use jury::formats::{Format, confidence_word};
use jury::intake::{self, Intake, Reliability};
use jury::syntax::{Deviation, Limits};
use jury_wire::v1::check as wire;
use jury_wire::{ExitCode, Reason};

use super::OutputFormat;
use crate::error::Error;
use crate::input::{Document, Input};
use crate::render::{self, Positions, Weight};
use crate::streams::Streams;
use crate::{help, ids};

fn examples() -> String {
    let from = format!("jury check --from {} out.txt", help::some_format());
    help::after_help(
        &[
            ("jury check review.json", "Detect the format"),
            (&from, "Set the format"),
            ("reviewer | jury check -", "Read standard input"),
            ("jury check --strict review.json", "Refuse repairs"),
            ("jury check --explain review.md", "Show how each part was read"),
            ("jury check --format json *.json", "JSON; see `jury schema check-output`"),
        ],
        &[
            (ExitCode::Clear, "every file conforms or was repaired"),
            (ExitCode::Blocked, "a file is unreadable in part or contradicts itself; with --strict, any deviation"),
            (ExitCode::Usage, "invalid command line, or a file cannot be read"),
        ],
    )
}

/// Check files against their format and report every deviation and repair
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Refuse repairs; accept conforming files only
    #[arg(long)]
    strict: bool,
    /// Show the document with the fate of each part in the margin: claim, no claim, or unread
    #[arg(long, conflicts_with = "format")]
    explain: bool,
    /// Input format instead of detection (see `jury formats`)
    #[arg(long, value_name = "ID", value_parser = ids::readable(), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Files to check; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { strict, explain, from, format, files } = arguments;
    Input::check_stdin_once(&files)?;
    let mut standings = Standings::default();
    let mut output = wire::Output { files: Vec::new() };
    for input in &files {
        let checked = input.read(from, jury_rules::mask).map(|document| Checked::new(document, from, strict));
        standings.add(&checked);
        if let Err(error) = &checked {
            streams.remark(&render::error(error));
        }
        match format {
            OutputFormat::Json => output.files.push(entry(input, &checked)),
            OutputFormat::Text => {
                if let Ok(checked) = &checked {
                    if explain {
                        streams.show(&render::margin(checked.taken.as_ref(), &checked.document.bytes));
                    }
                    streams.show(&text(checked, standings.is_first()));
                }
            }
        }
    }
    match format {
        OutputFormat::Json => {
            let json = serde_json::to_string_pretty(&output).expect("strings, numbers and lists are always JSON");
            streams.json(&json);
        }
        OutputFormat::Text if files.len() > 1 => streams.show(&format!("\n{}", render::total(&standings.counts))),
        OutputFormat::Text => {}
    }
    Ok(standings.exit_code())
}

/// A file and its reading.
struct Checked {
    document: Document,
    /// The repaired document, if it does not conform.
    taken: Option<Intake>,
    standing: Reliability,
    is_accepted: bool,
}

impl Checked {
    fn new(document: Document, from: Option<&'static Format>, strict: bool) -> Self {
        let is_conforming = document.reading.is_conforming();
        let taken = (!is_conforming).then(|| intake::take(&document.bytes, from, &Limits::default()));
        let standing = taken
            .as_ref()
            .map_or(Reliability::Conforming, |taken| intake::reliability(document.format, &document.reading, taken));
        let is_accepted = match standing {
            Reliability::Conforming => true,
            Reliability::Repaired => !strict,
            Reliability::Incomplete | Reliability::Unreliable(_) => false,
        };
        Self { document, taken, standing, is_accepted }
    }
}

/// How many files stand how.
#[derive(Default)]
struct Standings {
    counts: render::Counts,
}

impl Standings {
    fn add(&mut self, checked: &Result<Checked, Error>) {
        let counts = &mut self.counts;
        let count = match checked {
            Ok(Checked { standing: Reliability::Conforming, .. }) => &mut counts.conforming,
            Ok(Checked { is_accepted: true, .. }) => &mut counts.repaired,
            Ok(_) => &mut counts.refused,
            Err(_) => &mut counts.unreadable,
        };
        *count += 1;
    }

    fn is_first(&self) -> bool {
        self.counts.all() == 1
    }

    fn exit_code(&self) -> ExitCode {
        match self.counts {
            render::Counts { unreadable: 1.., .. } => ExitCode::Usage,
            render::Counts { refused: 1.., .. } => ExitCode::Blocked,
            _ => ExitCode::Clear,
        }
    }
}

/// Shows one file. Long output is set apart from the lines of earlier files.
fn text(checked: &Checked, is_first: bool) -> String {
    let Checked { document, taken, standing, is_accepted } = checked;
    let weight = if *is_accepted { Weight::Warning } else { Weight::Error };
    let deviations = render::deviations(document, weight);
    let gap = if deviations.is_empty() || is_first { "" } else { "\n" };
    let summary = render::summary(document, taken.as_ref().filter(|_| *is_accepted));
    let taken = taken.as_ref().map(|taken| render::taken(taken, *standing, &document.bytes)).unwrap_or_default();
    format!("{gap}{deviations}{summary}{taken}")
}

/// Every file has its entry: one that could not be read is not left out, so that a list of accepted entries means that
/// all are accepted.
fn entry(input: &Input, checked: &Result<Checked, Error>) -> wire::File {
    let path = input.path();
    match checked {
        Ok(Checked { document, taken, is_accepted, .. }) => {
            let taken = taken.as_ref().map(|intake| wire_taken(intake, &path, &document.bytes));
            wire::File { taken, accepted: *is_accepted, ..understood(path, document) }
        }
        Err(error) => unreadable(path, error),
    }
}

fn wire_taken(intake: &Intake, path: &str, bytes: &[u8]) -> wire::Taken {
    let source = render::Named { path: path.to_owned(), bytes };
    wire::Taken {
        dialect: intake.dialect.id().to_owned(),
        envelopes: intake.envelopes.iter().map(ToString::to_string).collect(),
        present: intake.present,
        findings: intake.understood(),
        rejected: render::rejected(intake, &source),
        repairs: render::repairs(intake, &source),
        gaps: placed(bytes, &intake.gaps),
    }
}

fn understood(path: String, Document { bytes, format, reading, .. }: &Document) -> wire::File {
    let report = reading.report.as_ref();
    let confidence = report.and_then(|report| report.confidence);
    wire::File {
        path,
        format: format.map(|format| format.id.to_owned()),
        conforming: reading.is_conforming(),
        accepted: reading.is_conforming(),
        verdict: report.and_then(|report| report.stated).map(|stated| stated.to_string()),
        confidence: confidence.map(|confidence| confidence_word(confidence).to_owned()),
        findings: reading.understood(),
        rejected: reading.rejected.len(),
        deviations: placed(bytes, &reading.deviations),
        notes: placed(bytes, &reading.notes),
        taken: None,
    }
}

fn placed(bytes: &[u8], deviations: &[Deviation]) -> Vec<wire::Deviation> {
    let mut places = Positions::new(bytes);
    let placed = deviations.iter().map(|deviation| {
        let position = places.at(deviation.span.start);
        wire::Deviation {
            code: deviation.reason.code().to_owned(),
            line: position.line,
            column: position.column,
            message: deviation.message.clone(),
            help: deviation.reason.help().to_owned(),
        }
    });
    placed.collect()
}

fn unreadable(path: String, error: &Error) -> wire::File {
    let reason = Reason::UnreadableFile;
    let source = std::error::Error::source(error).map(ToString::to_string);
    let deviation = wire::Deviation {
        code: reason.code().to_owned(),
        line: 1,
        column: 1,
        message: source.unwrap_or_else(|| error.to_string()),
        help: error.hint().unwrap_or(reason.help()).to_owned(),
    };
    wire::File {
        path,
        format: None,
        conforming: false,
        accepted: false,
        verdict: None,
        confidence: None,
        findings: 0,
        rejected: 0,
        deviations: vec![deviation],
        notes: Vec::new(),
        taken: None,
    }
}
