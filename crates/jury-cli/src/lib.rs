//! The command line of Jury: arguments in, text and an exit code out.
//!
//! `commands/` has one file per command, `render/` one per thing that is shown. Deliberately not here: reading, writing
//! or judging any format, which is the library `jury`; and the name of any format, which is a row of its table.

mod ask;
mod commands;
mod doctor;
mod error;
mod folder_tree;
mod help;
mod hook;
mod ids;
mod init;
mod input;
mod intent;
mod interrupt;
mod mcp;
pub mod plugin;
mod render;
mod streams;
mod workplace;

use std::ffi::OsString;

use clap::{Args as _, CommandFactory, FromArgMatches as _, Parser};
use jury::process;
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
            (ExitCode::Waiting, "waiting: only a person can decide what is left"),
        ],
    )
}

/// The verdict engine for code review.
#[derive(Parser)]
#[command(name = "jury", version, after_help = examples(), arg_required_else_help = true, max_term_width = help::WIDEST)]
struct Arguments {
    #[command(flatten)]
    global: GlobalArguments,
    #[command(subcommand)]
    command: Command,
}

/// The options of every command.
#[derive(clap::Args)]
struct GlobalArguments {
    /// Colour mode; `auto` is on for terminals unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 900)]
    color: Color,
}

/// Runs the command line that starts with the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> std::process::ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let code = match parse(&arguments) {
        Ok(Arguments { global: GlobalArguments { color }, command }) => {
            // Without a program there is nothing to end: help, the version and short looks need no thread for signals.
            if command.only_looks() {
                process::before_first(interrupt::heed)
            } else {
                interrupt::heed()
            }
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
    process::end_escaped();
    std::process::ExitCode::from(code.code())
}

/// Parses the command line. An argument that is quoted in an error may be a foreign file name, so
/// the error is that of the same command line made inert.
fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    if let Some(parsed) = parse_frequent(arguments) {
        return parsed;
    }
    parse_any(arguments).map_err(|error| {
        let inert = arguments.iter().map(|argument| render::inert::line(&argument.to_string_lossy()));
        let inert: Vec<String> = inert.collect();
        if arguments.iter().zip(&inert).all(|(argument, inert)| argument == inert.as_str()) {
            return error;
        }
        parse_any(inert).err().unwrap_or_else(|| clap::Error::new(error.kind()))
    })
}

/// Parses any command line.
fn parse_any(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Arguments, clap::Error> {
    let mut matches = command().try_get_matches_from(arguments)?;
    Arguments::from_arg_matches_mut(&mut matches)
}

/// Parses the version, or a command that runs at every stop or edit of an agent, without the description of all other commands: to build
/// that takes a fifth of the time of `jury gate`. `None` is left to the full parser, as is every error and every help.
fn parse_frequent(arguments: &[OsString]) -> Option<Result<Arguments, clap::Error>> {
    let command = clap::Command::new("jury");
    let name = arguments.get(1)?.to_str()?;
    if name == "--version" && arguments.len() == 2 {
        return command.version(env!("CARGO_PKG_VERSION")).try_get_matches_from(arguments).err().map(Err);
    }
    let command = GlobalArguments::augment_args(command).subcommand(commands::frequent(name)?);
    let mut matches = command.try_get_matches_from(arguments).ok()?;
    Arguments::from_arg_matches_mut(&mut matches).ok().map(Ok)
}

/// Parses a command line of our own making, without the global options.
fn command_of(words: &[&str]) -> Result<Command, error::Error> {
    let parsed = parse_any(words).map(|arguments| arguments.command);
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
    parse_any(words).map(|_| ()).map_err(|error| error.to_string())
}

/// Returns the command line as clap describes it, for man pages and completions.
pub fn command() -> clap::Command {
    let command = Arguments::command();
    let template = help::in_groups(&command, commands::GROUPS);
    command.help_template(template)
}

/// Returns the MCP tools as clients see them, each with the name of the published schema of its results, for the reference.
pub fn mcp_tools() -> Vec<(serde_json::Value, &'static str)> {
    mcp::described_tools()
}

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    /// Describes a command, without its place among the others.
    fn described(command: &clap::Command) -> String {
        let text = format!("{command:?}");
        let mut parts = text.split("disp_ord: ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + part.split_once(',').map_or(part, |(_, rest)| rest))
    }

    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = commands::GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let all = super::command();
        let mut names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(grouped, names);
    }

    /// Returns the end of every page of the help, with the name of its command.
    fn page_ends(command: &clap::Command) -> Vec<(String, String)> {
        let end = command.get_after_help().map(|end| (command.get_name().to_owned(), end.to_string()));
        end.into_iter().chain(command.get_subcommands().flat_map(page_ends)).collect()
    }

    #[test]
    fn every_page_fits_and_lists_its_exit_codes_in_order() {
        let pages = page_ends(&super::command());
        assert!(pages.len() > commands::GROUPS.len());
        for (name, page) in pages {
            let widest = page.lines().map(|line| line.chars().count()).max().unwrap_or_default();
            assert!(widest <= help::WIDEST || page.contains("\n      "), "{name}: {widest} columns");
            let codes = page.split_once("Exit codes:").map_or("", |(_, codes)| codes).lines();
            let codes: Vec<&str> = codes.filter_map(|line| line.split_whitespace().next()).collect();
            assert!(codes.is_sorted(), "{name}: {codes:?}");
        }
    }

    #[test]
    fn frequent_commands_are_parsed_as_by_the_full_parser() {
        for line in [
            &["jury", "gate"][..],
            &["jury", "gate", "--base", "main", "--format", "json", "--color", "never"],
            &["jury", "status", "-C", "/tmp"],
            &["jury", "next", "--color=always"],
            &["jury", "hook", "claude", "post-edit"],
        ] {
            let line = words(line);
            let short = parse_frequent(&line).expect("it is a frequent command").expect("it is valid");
            let full = parse_any(&line).expect("it is valid");
            assert_eq!(discriminant(&short.command), discriminant(&full.command), "{line:?}");
            assert_eq!(short.global.color, full.global.color, "{line:?}");
        }
        let all = super::command();
        for name in all.get_subcommands().map(clap::Command::get_name) {
            let Some(short) = commands::frequent(name) else { continue };
            let full = all.find_subcommand(name).expect("it is one of them");
            assert_eq!(described(&short), described(full), "{name}");
        }
    }

    #[test]
    fn errors_and_help_are_those_of_the_full_parser() {
        for line in [
            &["jury"][..],
            &["jury", "gate", "--help"],
            &["jury", "gate", "--bogus"],
            &["jury", "show"],
            &["jury", "help"],
        ] {
            assert!(parse_frequent(&words(line)).is_none(), "{line:?}");
        }
        let said = |error: Option<clap::Error>| error.map(|error| error.to_string());
        let line = words(&["jury", "--version"]);
        let short = parse_frequent(&line).and_then(Result::err);
        assert_eq!(said(short), said(parse_any(&line).err()));
    }
}
