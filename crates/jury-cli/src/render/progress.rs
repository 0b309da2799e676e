//! Progress of a review: running and finished reviewers. Only on a terminal, on standard error.

use std::io::Write;

use jury::panel::Progress as Event;
use jury::record::NoAnswer;

use super::style::{BAD, FAINT, GOOD};
use super::{count, inert, painted};

/// Tells of a review as it goes on.
pub(crate) struct Progress {
    is_shown: bool,
    err: anstream::Stderr,
}

impl Progress {
    /// Starts, shown or not.
    pub(crate) fn new(is_shown: bool) -> Self {
        Self { is_shown, err: anstream::stderr() }
    }

    /// Tells of one event.
    pub(crate) fn tell(&mut self, event: Event<'_>) {
        let line = match event {
            Event::Started { scope, reviewers } => {
                let files = count(scope.files.len(), "file", "files");
                let who: Vec<String> = reviewers.iter().map(|reviewer| inert::line(reviewer.as_str())).collect();
                painted(FAINT, &format!("reviewing {} ({files}): {}", inert::line(&scope.target), who.join(", ")))
            }
            Event::Ended(run) => {
                let (style, mark) = match &run.result {
                    Ok(_) => (GOOD, "✓"),
                    Err(NoAnswer::Skipped(_)) => (FAINT, "–"),
                    Err(NoAnswer::Failed { .. }) => (BAD, "✗"),
                };
                let how = match (run.is_cached, run.is_again) {
                    (true, _) => " (kept)",
                    (false, true) => " (asked again)",
                    (false, false) => "",
                };
                format!("{} {}{}", painted(style, mark), inert::line(run.reviewer.as_str()), painted(FAINT, how))
            }
        };
        self.say(&line);
    }

    /// Ends, with a line between this and the result.
    pub(crate) fn end(&mut self) {
        self.say("");
    }

    fn say(&mut self, line: &str) {
        if self.is_shown {
            // If standard error is closed, there is no place to report it.
            _ = writeln!(self.err, "{line}");
        }
    }
}
