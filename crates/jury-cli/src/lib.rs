//! The command line of Jury: arguments in, text and an exit code out.
//!
//! `commands/` has one file per command, `render/` one per thing that is shown. Deliberately not here: reading, writing
//! or judging any format, which is the library `jury`; and the name of any format, which is a row of its table.

mod ask;
mod commands;
mod doctor;
mod error;
mod help;
mod hook;
mod ids;
mod init;
mod input;
mod interrupt;
mod mcp;
pub mod plugin;
mod render;
mod streams;
mod tree;
mod workplace;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};
use jury_wire::ExitCode;

use commands::Command;
use streams::{Color, Streams};

fn examples() -> String {
    let convert = format!("jury convert --to {} report.json", help::some_format());
    help::after_help(
        &[
            ("jury demo", "Play the demo in a throw-away repository"),
            ("jury init", "Set up the agents and git hooks of this repository"),
            ("jury review", "Review this branch"),
            ("jury next", "Print the next step"),
            ("jury gate", "Check whether this tree may merge"),
            ("jury check review.json", "Check a file against its format"),
            ("reviewer | jury check -", "Check the output of a program"),
            (&convert, "Convert to another format and list the losses"),
            ("jury formats", "List the formats"),
        ],
        &[
            (ExitCode::Clear, "clear: nothing blocks"),
            (ExitCode::Blocked, "blocked by findings, deviations or losses"),
            (ExitCode::Usage, "invalid command line or configuration"),
            (ExitCode::Aborted, "aborted: a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "incomplete: part of the change was not reviewed"),
            (ExitCode::Refused, "the state on disk was refused: tampered, newer, damaged or locked"),
        ],
    )
}

/// The verdict engine for code review.
#[derive(Parser)]
#[command(name = "jury", version, after_help = examples(), arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    /// Colour mode; `auto` is on for terminals unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 900)]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

/// Runs the command line that starts with the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> std::process::ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let code = match parse(&arguments) {
        Ok(Arguments { color, command }) => {
            // Help and the version start no program, and need no thread that ends one.
            interrupt::heed();
            let mut streams = Streams::new(color);
            let outcome = command.run(&mut streams);
            streams.end(outcome)
        }
        Err(error) => {
            let mut streams = Streams::new(Color::asked_for(&arguments));
            let outcome = answer(&error, &mut streams);
            streams.end(Ok(outcome))
        }
    };
    jury::process::end_escaped();
    std::process::ExitCode::from(code.code())
}

/// Parses the command line. An argument that is quoted in an error may be a foreign file name, so
/// the error is that of the same command line made inert.
fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(arguments).map_err(|error| {
        let inert = arguments.iter().map(|argument| render::inert::line(&argument.to_string_lossy()));
        let inert: Vec<String> = inert.collect();
        if arguments.iter().zip(&inert).all(|(argument, inert)| argument == inert.as_str()) {
            return error;
        }
        Arguments::try_parse_from(inert).err().unwrap_or_else(|| clap::Error::new(error.kind()))
    })
}

/// Parses a command line of our own making, without the global options.
fn command_of(words: &[&str]) -> Result<Command, error::Error> {
    let parsed = Arguments::try_parse_from(words).map(|arguments| arguments.command);
    parsed.map_err(|error| error::Error::Words(error.to_string()))
}

/// Prints clap's message: help, the version, or a usage error.
fn answer(error: &clap::Error, streams: &mut Streams) -> ExitCode {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        streams.remark(&text);
        return ExitCode::Usage;
    }
    streams.show(&text);
    ExitCode::Clear
}

/// Tells whether a command line is one that the program understands; else says why not.
pub fn understands(words: &[&str]) -> Result<(), String> {
    Arguments::try_parse_from(words).map(|_| ()).map_err(|error| error.to_string())
}

/// Returns the command line as clap describes it, for man pages and completions.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Returns the MCP tools as clients see them, each with the name of the published schema of its results, for the reference.
pub fn mcp_tools() -> Vec<(serde_json::Value, &'static str)> {
    mcp::described_tools()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
