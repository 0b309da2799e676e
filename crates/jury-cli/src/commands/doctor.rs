//! `jury doctor`: checks of the installation, hooks, trust and services, and a self-test of the gate. Changes nothing.

use jury_wire::ExitCode;
use jury_wire::v1::surface;

use super::OutputFormat;
use super::demo::Throwaway;
use crate::doctor::{self, Seen};
use crate::error::Error;
use crate::render::{inert, painted, style};
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury doctor", "Check everything and print the remedies"),
            ("jury doctor --format json", "The same as JSON"),
        ],
        &[
            (ExitCode::Clear, "all is well"),
            (ExitCode::Blocked, "something needs a repair; each line has the remedy"),
            (ExitCode::Usage, "invalid command line"),
        ],
    )
}

/// Check the installation, hooks, trust and state, and run a self-test
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    format: OutputFormat,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let mut seen = doctor::look(&arguments.place);
    seen.push(("self-test", self_test()));
    let is_well = seen.iter().all(|(_, seen)| !seen.is_to_mend());
    match arguments.format {
        OutputFormat::Text => streams.show(&text(&seen, is_well)),
        OutputFormat::Json => streams.json(&render::pretty(&wire(&seen, is_well))),
    }
    Ok(if is_well { ExitCode::Clear } else { ExitCode::Blocked })
}

/// Plants faults in a throw-away repository and looks whether the gate closes.
fn self_test() -> Seen {
    let planted = Throwaway::new().and_then(|repository| doctor::gate_after_review(&repository.root));
    match planted {
        Ok(jury::model::Outcome::Blocked) => Seen::well("planted defects were found, and the gate closed"),
        Ok(outcome) => Seen::mend(
            format!("the gate is {outcome} with planted defects, expected blocked"),
            "do not rely on this binary; reinstall it",
        ),
        Err(error) => Seen::mend(format!("it failed: {error}"), "run `jury demo` to see the failing step"),
    }
}

fn text(seen: &[(&'static str, Seen)], is_well: bool) -> String {
    let mut text = String::new();
    let mut last = "";
    for (check, seen) in seen {
        let name = if *check == last { "" } else { check };
        last = check;
        let sign = match seen {
            Seen::Well(_) => painted(style::GOOD, "✓"),
            Seen::Note(..) => painted(style::STRONG, "·"),
            Seen::Mend(..) => painted(style::BAD, "✗"),
        };
        text.push_str(&format!("{sign} {name:<11} {}\n", inert::line(seen.what())));
        let help = seen.help().into_iter().flat_map(str::lines);
        text.extend(help.map(|line| format!("  {:<11} {} {}\n", "", painted(style::GOOD, "→"), inert::line(line))));
    }
    let number = seen.iter().filter(|(_, seen)| seen.is_to_mend()).count();
    text.push_str(&match is_well {
        true => format!("\n{}\n", painted(style::GOOD, "all is well")),
        false => format!("\n{}\n", painted(style::BAD, &format!("{number} to fix"))),
    });
    text
}

fn wire(seen: &[(&'static str, Seen)], well: bool) -> surface::Doctor {
    let check = |(check, seen): &(&'static str, Seen)| surface::DoctorCheck {
        check: (*check).to_owned(),
        state: match seen {
            Seen::Well(_) => "well",
            Seen::Note(..) => "note",
            Seen::Mend(..) => "mend",
        }
        .to_owned(),
        what: seen.what().to_owned(),
        help: seen.help().map(str::to_owned),
    };
    surface::Doctor { well, checks: seen.iter().map(check).collect() }
}
