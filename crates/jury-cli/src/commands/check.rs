//! `jury check`: what a document is, whether it conforms, every point in which it does not, and what of that can be repaired.

use jury::formats::{Format, confidence_word};
use jury::intake::{self, Intake, Standing};
use jury::syntax::{Deviation, Limits};
use jury_wire::v1::check as wire;
use jury_wire::{ExitCode, Reason};

use super::OutputFormat;
use crate::error::Error;
use crate::input::{Document, Input};
use crate::render::{self, Places, Weight};
use crate::streams::Streams;
use crate::{help, ids};

fn examples() -> String {
    let from = format!("jury check --from {} out.txt", help::some_format());
    help::after_help(
        &[
            ("jury check review.json", "The format is found by looking"),
            (&from, "The format is given"),
            ("reviewer | jury check -", "Standard input"),
            ("jury check --strict review.json", "Nothing is repaired"),
            ("jury check --format json *.json", "For programs; `jury schema check-output` describes it"),
        ],
        &[
            (ExitCode::Clear, "every file conforms, or all of it was understood with repairs that leave no doubt"),
            (ExitCode::Blocked, "something was not understood or contradicts itself; with --strict, any deviation"),
            (ExitCode::Usage, "the command was not understood, or a file could not be read"),
        ],
    )
}

/// Say what files are, where they break their contract, and what of that can be repaired
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Refuse every repair: accept only what conforms in every point
    #[arg(long)]
    strict: bool,
    /// Read the files as this format instead of finding it by looking (`jury formats` lists them)
    #[arg(long, value_name = "ID", value_parser = ids::readable(), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Who the output is for: people or programs
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// The files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Input>,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { strict, from, format, files } = arguments;
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
                checked.iter().for_each(|checked| streams.show(&text(checked, standings.is_first())));
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

/// A file that was read, and what came of it.
struct Checked {
    document: Document,
    /// What can be made of it if it does not conform.
    taken: Option<Intake>,
    standing: Standing,
    is_accepted: bool,
}

impl Checked {
    fn new(document: Document, from: Option<&'static Format>, strict: bool) -> Self {
        let is_conforming = document.reading.is_conforming();
        let taken = (!is_conforming).then(|| intake::take(&document.bytes, from, &Limits::default()));
        let standing = taken
            .as_ref()
            .map_or(Standing::Conforming, |taken| intake::standing(document.format, &document.reading, taken));
        let is_accepted = match standing {
            Standing::Conforming => true,
            Standing::Repaired => !strict,
            Standing::Incomplete | Standing::Unreliable(_) => false,
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
            Ok(Checked { standing: Standing::Conforming, .. }) => &mut counts.conforming,
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

/// Shows one file. What is said at length stands apart from the lines of the files before it.
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
    let mut places = Places::new(bytes);
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
