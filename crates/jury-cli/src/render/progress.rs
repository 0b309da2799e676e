//! Progress of a review: who runs, for how long, and who waits. Only on a terminal, on standard error.
//!
//! In: events, and the time at which each is told. Out: a line for each reviewer of the team's own that has ended, one for all specialists
//! together, and below them one line about those that run, which is drawn anew.

use std::io::Write;
use std::time::{Duration, Instant};

use jury::model::{Domain, ReviewerKind};
use jury::panel::Progress as Event;
use jury::record::{NoAnswer, Run};

use super::style::{BAD, FAINT, GOOD};
use super::{count, inert, painted};

/// The longest line about those that run, in characters: it must not wrap, or it could not be drawn anew.
const LONGEST: usize = 76;

/// Tells of a review as it goes on.
pub(crate) struct Progress {
    is_shown: bool,
    err: anstream::Stderr,
    start: Instant,
    board: Board,
    /// The line about those that run, as it is drawn.
    drawn: Option<String>,
}

impl Progress {
    /// Starts, shown or not.
    pub(crate) fn new(is_shown: bool) -> Self {
        Self { is_shown, err: anstream::stderr(), start: Instant::now(), board: Board::default(), drawn: None }
    }

    /// Tells of one event.
    pub(crate) fn tell(&mut self, event: Event<'_>) {
        if !self.is_shown {
            return;
        }
        let now = self.start.elapsed();
        let line = match event {
            Event::Started { scope, reviewers } => {
                let files = count(scope.files.len(), "file", "files");
                let what = format!("reviewing {} ({files})", inert::line(&scope.target));
                Some(painted(FAINT, &format!("{what}{}", self.board.start(&reviewers))))
            }
            Event::Began(name) => {
                self.board.begin(name, now);
                None
            }
            Event::Ended(run) => self.board.end(run, now),
            Event::Waiting => None,
        };
        let running = self.board.running(now);
        self.draw(line.as_deref(), running.as_deref());
    }

    /// Ends, with a line between this and the result.
    pub(crate) fn end(&mut self) {
        if self.is_shown {
            self.draw(Some(""), None);
        }
    }

    /// Writes a line that stays, and below it the one that does not.
    fn draw(&mut self, line: Option<&str>, running: Option<&str>) {
        if line.is_none() && running == self.drawn.as_deref() {
            return;
        }
        let mut text = String::new();
        if let Some(drawn) = &self.drawn {
            // Blanks, for a terminal that takes no escapes.
            text.push_str(&format!("\r{}\r", " ".repeat(drawn.chars().count())));
        }
        text.extend(line.iter().map(|line| format!("{line}\n")));
        text.extend(running.map(|running| painted(FAINT, running)));
        self.drawn = running.map(str::to_owned);
        // If standard error is closed, there is no place to report it.
        _ = self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush());
    }
}

/// The state of the reviewers.
#[derive(Default)]
struct Board {
    /// How many specialists have not ended, and those that have.
    specialists_left: usize,
    specialists: Vec<(String, bool)>,
    /// The team's own that were not asked yet.
    waiting: Vec<Domain>,
    /// Those that run, each with when it began.
    running: Vec<(Domain, Duration)>,
}

impl Board {
    /// Takes the reviewers in, and names those of the team's own.
    fn start(&mut self, reviewers: &[(Domain, ReviewerKind)]) -> String {
        let is_own = |it: &&(Domain, ReviewerKind)| it.1 != ReviewerKind::BuiltIn;
        self.waiting = reviewers.iter().filter(is_own).map(|(name, _)| name.clone()).collect();
        self.specialists_left = reviewers.len() - self.waiting.len();
        match self.waiting.as_slice() {
            [] => String::new(),
            own => format!(" with {}", grouped(own)),
        }
    }

    fn begin(&mut self, name: &Domain, now: Duration) {
        // A second question, and one to a stand-in, waited for nothing.
        if let Some(at) = self.waiting.iter().position(|waiting| waiting == name) {
            self.waiting.remove(at);
        }
        self.running.push((name.clone(), now));
    }

    /// Returns the line about a reviewer that has ended; for the specialists, with the last of them.
    fn end(&mut self, run: &Run, now: Duration) -> Option<String> {
        let name = inert::line(run.reviewer.as_str());
        let has_failed = run.failure().is_some();
        if run.kind == ReviewerKind::BuiltIn {
            self.specialists_left = self.specialists_left.saturating_sub(1);
            self.specialists.push((name, has_failed));
            return (self.specialists_left == 0).then(|| self.specialists());
        }
        let began = self.running.iter().position(|(running, _)| *running == run.reviewer);
        let began = began.map(|at| self.running.remove(at).1);
        let (style, mark) = match &run.result {
            Ok(_) => (GOOD, "✓"),
            Err(NoAnswer::Skipped(_)) => (FAINT, "–"),
            Err(NoAnswer::Failed { .. }) => (BAD, "✗"),
        };
        let took = began.map(|began| now.saturating_sub(began)).filter(|took| took.as_secs() > 0);
        let how = match (run.is_cached, run.is_again, run.skipped(), took) {
            (true, ..) => " (kept)".to_owned(),
            (_, _, Some(_), _) => " (not asked)".to_owned(),
            (false, true, ..) => " (asked again)".to_owned(),
            (false, false, None, Some(took)) => format!(" {}", told(took)),
            (false, false, None, None) => String::new(),
        };
        Some(format!("{} {name}{}", painted(style, mark), painted(FAINT, &how)))
    }

    fn specialists(&mut self) -> String {
        self.specialists.sort();
        let names = |has_failed: bool| -> Vec<&str> {
            self.specialists.iter().filter(|it| it.1 == has_failed).map(|it| it.0.as_str()).collect()
        };
        let failed = names(true);
        let failed =
            if failed.is_empty() { String::new() } else { format!("  {} {}", painted(BAD, "✗"), failed.join(", ")) };
        format!("{} {}{failed}", painted(GOOD, "✓"), names(false).join(", "))
    }

    /// Says who runs, for how long, and who waits.
    fn running(&self, now: Duration) -> Option<String> {
        if self.running.is_empty() {
            return None;
        }
        let one = |(name, began): &(Domain, Duration)| {
            format!("{} {}", inert::line(name.as_str()), told(now.saturating_sub(*began)))
        };
        let running: Vec<String> = self.running.iter().map(one).collect();
        let waiting = match self.waiting.as_slice() {
            [] => String::new(),
            waiting => format!("; waiting: {}", grouped(waiting)),
        };
        let line = format!("running: {}{waiting}", running.join(", "));
        let is_long = line.chars().count() > LONGEST;
        Some(if is_long { line.chars().take(LONGEST - 1).chain(['…']).collect() } else { line })
    }
}

/// Names reviewers; one that was given the change in parts, once with their number.
fn grouped(names: &[Domain]) -> String {
    let mut groups: Vec<(&Domain, usize)> = Vec::new();
    for name in names {
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, number)) => *number += 1,
            None => groups.push((name, 1)),
        }
    }
    let one = |(name, number): &(&Domain, usize)| {
        let name = inert::line(name.as_str());
        if *number > 1 { format!("{name} ({number} parts)") } else { name }
    };
    groups.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn told(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Domain {
        Domain::new(text).unwrap()
    }

    #[test]
    fn who_runs_and_who_waits_is_told_with_the_time() {
        let mut board = Board::default();
        let own = ["eslint", "qa", "qa", "tests"];
        let mut all: Vec<_> = own.iter().map(|it| (name(it), ReviewerKind::Agent)).collect();
        all.push((name("security"), ReviewerKind::BuiltIn));
        assert_eq!(board.start(&all), " with eslint, qa (2 parts), tests");
        let seconds = Duration::from_secs;
        assert_eq!(board.running(seconds(0)), None);
        board.begin(&name("eslint"), seconds(0));
        board.begin(&name("qa"), seconds(2));
        assert_eq!(board.running(seconds(70)).unwrap(), "running: eslint 1 min 10 s, qa 1 min 8 s; waiting: qa, tests");
        board.begin(&name("qa"), seconds(70));
        board.begin(&name("tests"), seconds(70));
        board.begin(&name("another-one-with-a-long-name"), seconds(70));
        let line = board.running(seconds(70)).unwrap();
        assert!(line.chars().count() == LONGEST && line.ends_with('…'), "{line}");
    }
}
