//! Standard output and standard error: the only way out of the program.
//!
//! In: styled text that is already inert, and documents. Out: bytes; colour where a terminal takes it or the user asks
//! for it (`NO_COLOR` holds). A reader that goes away ends the writing, not the command.

use std::ffi::OsString;
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Stderr, Stdout, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use jury_wire::ExitCode;

use crate::error::Error;
use crate::render::{self, inert};

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Finds the wish in a command line that clap refuses or answers itself, so that help and errors keep to it.
    pub(crate) fn asked_for(arguments: &[OsString]) -> Self {
        let arguments: Vec<&str> = arguments
            .iter()
            .take_while(|argument| *argument != "--")
            .filter_map(|argument| argument.to_str())
            .collect();
        let after_option = arguments.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
        let with_equals = arguments.iter().filter_map(|argument| argument.strip_prefix("--color="));
        after_option.chain(with_equals).find_map(|word| Self::from_str(word, false).ok()).unwrap_or(Self::Auto)
    }

    fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }
}

/// Asks the terminal how wide it is. Colour on another output is for a terminal later, of the width `COLUMNS`.
fn columns(color: Color) -> Option<usize> {
    if io::stdout().is_terminal() {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        return Some(usize::from(size.ws_col)).filter(|columns| *columns > 0);
    }
    std::env::var("COLUMNS").ok().filter(|_| color == Color::Always).and_then(|columns| columns.parse().ok())
}

/// The two streams of the program.
pub(crate) struct Streams {
    out: AutoStream<Stdout>,
    err: AutoStream<Stderr>,
    /// How wide the terminal is on which standard output is looked at, if it is one.
    columns: Option<usize>,
    /// The first failure on standard output. Nothing is written after it.
    failure: Option<io::Error>,
}

impl Streams {
    /// Takes the streams of the process.
    pub(crate) fn new(color: Color) -> Self {
        Self {
            out: AutoStream::new(io::stdout(), color.choice()),
            err: AutoStream::new(io::stderr(), color.choice()),
            columns: columns(color),
            failure: None,
        }
    }

    /// Writes styled text to standard output, in lines that fit on the terminal.
    pub(crate) fn show(&mut self, styled: &str) {
        if self.failure.is_none() {
            let fitting = self.columns.map(|columns| render::wrapped(styled, columns));
            let styled = fitting.as_deref().unwrap_or(styled);
            // A stream that takes the styles out as it goes makes one call of the system for every line.
            let written = match self.out.current_choice() {
                ColorChoice::Never => self.out.as_inner().write_all(strip_str(styled).to_string().as_bytes()),
                _ => self.out.write_all(styled.as_bytes()),
            };
            self.failure = written.err();
        }
    }

    /// Writes JSON of our own to standard output.
    pub(crate) fn json(&mut self, text: &str) {
        if self.failure.is_none() {
            let text = inert::json(text);
            let mut out = self.out.as_inner();
            self.failure = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).err();
        }
    }

    /// Writes a document to standard output, byte for byte. On a terminal nobody takes the bytes, and a person looks: so
    /// there it is made inert.
    pub(crate) fn document(&mut self, text: &str) {
        if self.failure.is_none() {
            let text = if self.out.is_terminal() { inert::lines(text) } else { text.into() };
            self.failure = self.out.as_inner().write_all(text.as_bytes()).err();
        }
    }

    /// Writes a result into a file that the user named, instead of standard output; styles are for terminals only.
    pub(crate) fn write_file(&self, path: &Path, styled: &str) -> Result<(), Error> {
        let plain = strip_str(styled).to_string();
        std::fs::write(path, plain)
            .map_err(|source| Error::Output { path: inert::line(&path.to_string_lossy()), source })
    }

    /// Asks the user at the terminal. Without a terminal, the answer is no.
    pub(crate) fn is_agreed(&mut self, question: &str) -> bool {
        if !io::stdin().is_terminal() {
            return false;
        }
        self.show(&format!("{question} [y/N] "));
        let mut answer = String::new();
        let has_answer = io::stdin().lock().read_line(&mut answer).is_ok();
        has_answer && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
    }

    /// Tells whether standard error is a terminal.
    pub(crate) fn can_animate(&self) -> bool {
        self.err.is_terminal()
    }

    /// Writes styled text to standard error. A failure cannot be reported.
    pub(crate) fn remark(&mut self, styled: &str) {
        _ = self.err.write_all(styled.as_bytes());
    }

    /// Ends the output and says how the program ends. A closed pipe changes nothing; output that is lost for any other
    /// reason never passes for success.
    pub(crate) fn end(mut self, outcome: Result<ExitCode, Error>) -> ExitCode {
        let failure = self.failure.take().or_else(|| self.out.flush().err());
        let lost = failure.filter(|error| error.kind() != ErrorKind::BrokenPipe).map(Error::Write);
        let outcome = lost.map_or(outcome, Err);
        outcome.unwrap_or_else(|error| {
            self.remark(&render::error(&error));
            error.exit_code()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_for_colour_is_found_in_any_command_line() {
        let asked = |line: &str| Color::asked_for(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("jury check --color never --help"), Color::Never);
        assert_eq!(asked("jury --color=always chek"), Color::Always);
        assert_eq!(asked("jury check -- --color=always"), Color::Auto);
        assert_eq!(asked("jury --color sometimes"), Color::Auto);
        assert_eq!(asked("jury --color"), Color::Auto);
    }
}
