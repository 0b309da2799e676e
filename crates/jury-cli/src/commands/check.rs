//! `jury check`: what a document is, whether it conforms, and every point in which it does not.

use jury::formats::{Format, confidence_word};
use jury::intake::{self, Intake};
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
            ("jury check --format json *.json", "For programs; `jury schema check-output` describes it"),
        ],
        &[
            (ExitCode::Clear, "every file conforms"),
            (ExitCode::Blocked, "a file does not conform"),
            (ExitCode::Usage, "the command was not understood, or a file could not be read"),
        ],
    )
}

/// Say what files are and where they break their contract
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
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
    let Arguments { from, format, files } = arguments;
    Input::check_stdin_once(&files)?;
    let mut standings = Standings::default();
    let mut output = wire::Output { files: Vec::new() };
    for input in &files {
        let read = input.read(from);
        standings.add(&read);
        if let Err(error) = &read {
            streams.remark(&render::error(error));
        }
        match format {
            OutputFormat::Json => output.files.push(entry(input, &read, from)),
            OutputFormat::Text => read.iter().for_each(|document| {
                let taken = taken(document, from);
                streams.show(&text(document, taken.as_ref(), standings.is_first()));
            }),
        }
    }
    match format {
        OutputFormat::Json => {
            let json = serde_json::to_string_pretty(&output).expect("strings, numbers and lists are always JSON");
            streams.json(&json);
        }
        OutputFormat::Text if files.len() > 1 => streams.show(&format!("\n{}", standings.total())),
        OutputFormat::Text => {}
    }
    Ok(standings.exit_code())
}

/// How many files stand how.
#[derive(Default)]
struct Standings {
    conforming: usize,
    deviating: usize,
    unreadable: usize,
}

impl Standings {
    fn add(&mut self, read: &Result<Document, Error>) {
        match read {
            Ok(document) if document.reading.is_conforming() => self.conforming += 1,
            Ok(_) => self.deviating += 1,
            Err(_) => self.unreadable += 1,
        }
    }

    fn is_first(&self) -> bool {
        self.conforming + self.deviating + self.unreadable == 1
    }

    fn total(&self) -> String {
        render::total(self.conforming, self.deviating, self.unreadable)
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            Self { unreadable: 1.., .. } => ExitCode::Usage,
            Self { deviating: 1.., .. } => ExitCode::Blocked,
            _ => ExitCode::Clear,
        }
    }
}

/// Makes of a file that does not conform what can be made of it.
fn taken(document: &Document, from: Option<&'static Format>) -> Option<Intake> {
    (!document.reading.is_conforming()).then(|| intake::take(&document.bytes, from, &Limits::default()))
}

/// Shows one file. What is said at length stands apart from the lines of the files before it.
fn text(document: &Document, taken: Option<&Intake>, is_first: bool) -> String {
    let deviations = render::deviations(document, Weight::Error);
    let gap = if deviations.is_empty() || is_first { "" } else { "\n" };
    let taken = taken.map(render::taken).unwrap_or_default();
    format!("{gap}{deviations}{}{taken}", render::summary(document))
}

/// Every file has its entry: one that could not be read is not left out, so that a list of conforming entries means that
/// all conform.
fn entry(input: &Input, read: &Result<Document, Error>, from: Option<&'static Format>) -> wire::File {
    let path = input.path();
    match read {
        Ok(document) => {
            let taken = taken(document, from).map(|intake| wire_taken(&intake, &path, &document.bytes));
            wire::File { taken, ..understood(path, document) }
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
        verdict: None,
        confidence: None,
        findings: 0,
        rejected: 0,
        deviations: vec![deviation],
        notes: Vec::new(),
        taken: None,
    }
}
