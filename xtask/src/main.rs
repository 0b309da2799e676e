//! The one entry point for contributors; CI runs `cargo xtask test`.
//!
//! In: a command. Out: its output, and an exit code that is 0 only if every step passed. Deliberately not here:
//! anything the product needs; nothing depends on this crate.

mod bench;
mod corpus;
mod crude;
mod dependencies;
mod eval;
mod features;
mod fuzz;
mod generate;
mod hosts;
mod record;
mod replay;
mod spelling;
mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;

/// Everything a contributor runs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Runs everything CI checks: format, spelling, dependencies, lints, tests, documentation, generated files.
    Test,
    /// Runs the tests with the long campaigns (damages, kills, writers) at full size; `test` runs a tenth of them.
    Campaign,
    /// Writes the generated files: schemas, reference pages, man pages, shell completions.
    Generate {
        /// Write nothing; fail if a file is stale.
        #[arg(long)]
        check: bool,
    },
    /// Runs the demo and draws it: docs/demo.svg, the picture of the README.
    Record,
    /// Measures readers and writers, merging, scopes, the commands and the specialists, against a floor in the same run.
    Bench {
        /// The one to run; all of them if absent.
        #[arg(value_parser = bench::names())]
        name: Option<String>,
    },
    /// Runs intake over a folder of real outputs and compares it with a cruder count.
    Corpus {
        /// The folder, or one file.
        folder: PathBuf,
        /// Also prints a line for every file.
        #[arg(long)]
        files: bool,
        /// Also prints a line for every file in which the two counts differ.
        #[arg(long)]
        differing: bool,
        /// A folder in which the reviewers saw the tree, so that absolute paths below it are files.
        #[arg(long, value_name = "DIR")]
        root: Vec<String>,
        /// Also prints every claim, reject and gap.
        #[arg(long)]
        claims: bool,
    },
    /// Measures precision and recall of the specialists on a truth set.
    Eval(eval::Options),
    /// Installs agent hosts with npm, and runs them with Jury against a model of our own on this machine.
    ///
    /// Not part of `test`: it downloads some hundred megabytes into target/hosts.
    Hosts {
        /// The hosts to run; all that npm has if absent.
        #[arg(value_parser = hosts::names())]
        names: Vec<String>,
    },
    /// Judges the last merged changes of a git history one by one, and counts why gates would have been closed.
    Replay(replay::Options),
    /// Fuzzes the readers, one after the other, or one of them.
    Fuzz {
        /// A format id; all of them if absent.
        format: Option<String>,
        /// How long each reader is fuzzed.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
}

/// An error message for a contributor.
type Failure = String;

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Test => test::run(),
        Task::Campaign => test::campaign(),
        Task::Generate { check } => generate::run(check),
        Task::Record => record::run(),
        Task::Bench { name } => bench::run(name.as_deref()),
        Task::Corpus { folder, files, differing, root, claims } => {
            corpus::run(&folder, &root, corpus::Show { files, differing, claims })
        }
        Task::Eval(options) => eval::run(&options),
        Task::Hosts { names } => hosts::run(&names),
        Task::Replay(options) => replay::run(&options),
        Task::Fuzz { format, seconds } => fuzz::run(format.as_deref(), seconds),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&format!("\nxtask: {failure}"));
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the workspace.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the workspace").to_path_buf()
}

/// Runs cargo in the workspace and fails if it does.
fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    cargo_with(arguments, |command| command)
}

/// Runs cargo in the workspace, with changes to the command.
fn cargo_with(arguments: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    let status = change(&mut command).status().map_err(|error| format!("cargo does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`cargo {}` failed", arguments.join(" "))) }
}

/// Prints a line of a result.
#[allow(clippy::print_stdout)]
fn print(line: &str) {
    println!("{line}");
}

/// Prints a line for a contributor.
#[allow(clippy::print_stderr)]
fn say(line: &str) {
    eprintln!("{line}");
}
