//! One program, in a process group of its own, within limits of time and output; none of its processes is left afterwards.
//!
//! In: a command, its input, and the writable paths. Out: its output, and how it ended. The group is killed
//! as a whole at every end of the program; a process that keeps a pipe open cannot hold this up (FAULTS 14 and 15). Every program
//! is started through here. Deliberately not here: the meaning of the output, and signal handlers, which a binary installs.

#[cfg_attr(not(target_os = "linux"), path = "unconfined.rs")]
mod confine;
mod escaped;
mod running;
mod scratch_dir;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

pub use confine::unconfined;
pub use escaped::{answer_for_all, end_escaped};
pub(crate) use running::stay_if_all_is_over;
pub use running::{before_first, end_all, kill_all};
pub(crate) use scratch_dir::ScratchDir;

/// How long a program that has to go may take to do so itself.
const GRACE: Duration = Duration::from_millis(500);
/// How long the rest of the output may take once the program is gone.
const REST: Duration = Duration::from_secs(1);
/// The longest wait for anything: clocks cannot add up every number that a user may write.
pub(crate) const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// How much of the end of standard error is kept, in bytes.
const LAST_WORDS: usize = 2_048;

/// How much a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How long it may run.
    pub time: Duration,
    /// How many bytes it may print.
    pub output: usize,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal.
    Killed(i32),
    /// It did not, in the time that it had.
    TimedOut(Duration),
    /// It printed more than it may.
    Flooded(usize),
    /// It ended, but a process that it left behind keeps its output open, so that the output may be incomplete.
    HeldOpen,
    /// It could not be started.
    NotStarted(String),
}

/// The result of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How it ended.
    pub(crate) how: How,
    /// Its standard output, up to the limit.
    pub(crate) printed: Vec<u8>,
    /// The last line of its standard error.
    pub(crate) last_words: String,
    /// The end of its standard error.
    pub(crate) complained: String,
    /// Why it could write elsewhere than it may, if it was to be kept from that and could not be.
    pub(crate) unconfined: Option<String>,
}

impl Ended {
    /// Describes the failure, to follow the name of the program; `None` if it ended with one of the good codes.
    pub(crate) fn trouble(&self, good: &[i32]) -> Option<String> {
        let what = match &self.how {
            How::Exited(code) if good.contains(code) => return None,
            How::Exited(code) => format!("ended with exit code {code}"),
            How::Killed(signal) => format!("was killed by signal {signal}"),
            How::TimedOut(limit) => format!("took longer than {limit:?}"),
            How::Flooded(limit) => format!("printed more than {limit} bytes"),
            How::HeldOpen => "left a process behind that keeps its output open".to_owned(),
            How::NotStarted(why) => format!("could not be started: {why}"),
        };
        Some(if self.last_words.is_empty() { what } else { format!("{what}: {}", self.last_words) })
    }
}

enum Event {
    Flooded,
    Exited,
    Printed(Vec<u8>),
    Complained(Vec<u8>),
}

/// Runs a program to its end, or ends it. Its input is a file, which needs no writer. With `writable`, it
/// can write only there, as far as the system can hold it to that.
pub(crate) fn run(command: &mut Command, given: Option<File>, bounds: Bounds, writable: Option<&[PathBuf]>) -> Ended {
    let given = given.map_or_else(Stdio::null, Stdio::from);
    command.stdin(given).stdout(Stdio::piped()).stderr(Stdio::piped());
    follow(command, bounds, writable)
}

/// Runs a program as [`run`] does; its output on either stream goes to standard error as it comes, and is not caught.
pub(crate) fn run_openly(command: &mut Command, time: Duration) -> Ended {
    command.stdin(Stdio::null()).stdout(io::stderr()).stderr(Stdio::inherit());
    follow(command, Bounds { time, output: 0 }, None)
}

/// Runs a program as [`run`] does, in the group of this process and so with its terminal, where the program may ask for a passphrase or
/// a touch. Without a person there, its standard error is caught.
pub(crate) fn run_attended(command: &mut Command, bounds: Bounds, is_attended: bool) -> Ended {
    let complaints = if is_attended { Stdio::inherit() } else { Stdio::piped() };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(complaints);
    let mark = running::mark();
    command.env(running::MARK, &mark);
    let ended = match running::start(command) {
        Ok(child) => Running::new(child, bounds).follow(bounds, &mark),
        Err(error) => Ended::of(How::NotStarted(error.to_string())),
    };
    stay_if_all_is_over();
    ended
}

fn follow(command: &mut Command, bounds: Bounds, writable: Option<&[PathBuf]>) -> Ended {
    let mark = running::mark();
    command.process_group(0).env(running::MARK, &mark);
    let (started, unconfined) = match writable {
        Some(writable) => confine::start(command, writable),
        None => (running::start(command), None),
    };
    let ended = match started {
        Ok(child) => Running::new(child, bounds).follow(bounds, &mark),
        Err(error) => Ended::of(How::NotStarted(error.to_string())),
    };
    stay_if_all_is_over();
    Ended { unconfined, ..ended }
}

impl Ended {
    fn of(how: How) -> Self {
        Self { how, printed: Vec::new(), last_words: String::new(), complained: String::new(), unconfined: None }
    }
}

/// A program that is running.
struct Running {
    child: Child,
    group: Pid,
    events: Receiver<Event>,
    printed: Option<Vec<u8>>,
    complained: Option<Vec<u8>>,
    has_exited: bool,
    is_flooding: bool,
}

impl Running {
    fn new(mut child: Child, bounds: Bounds) -> Self {
        let group = Pid::from_child(&child);
        let (sender, events) = channel();
        // Output that is not caught is not waited for.
        let printed = child.stdout.is_none().then(Vec::new);
        let complained = child.stderr.is_none().then(Vec::new);
        if let Some(out) = child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || print_up_to(out, bounds.output, &sender));
        }
        if let Some(err) = child.stderr.take() {
            let sender = sender.clone();
            thread::spawn(move || _ = sender.send(Event::Complained(last_bytes(err))));
        }
        thread::spawn(move || {
            wait_for_exit(group);
            _ = sender.send(Event::Exited);
        });
        Self { child, group, events, printed, complained, has_exited: false, is_flooding: false }
    }

    fn follow(mut self, bounds: Bounds, mark: &str) -> Ended {
        self.wait(bounds.time.min(LONGEST), |running| running.has_exited || running.is_flooding);
        let is_late = !self.has_exited && !self.is_flooding;
        if self.has_exited {
            // Processes that it leaves behind have a moment to come to their own end.
            self.wait(REST, |running| running.printed.is_some());
        } else {
            // A program that is asked may end its own helpers, some of which may have left the group.
            self.signal(Signal::TERM);
            self.wait(GRACE, |running| running.has_exited);
        }
        let is_held = self.printed.is_none();
        self.signal(Signal::KILL);
        let status = running::reap(&mut self.child);
        escaped::end_those_of(self.group, mark);
        self.wait(REST, |running| running.printed.is_some() && running.complained.is_some());
        let how = match status {
            _ if self.is_flooding => How::Flooded(bounds.output),
            _ if is_late => How::TimedOut(bounds.time),
            _ if is_held => How::HeldOpen,
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => How::Exited(code),
                (None, signal) => How::Killed(signal.unwrap_or_default()),
            },
            Err(error) => How::NotStarted(error.to_string()),
        };
        let complained = self.complained.unwrap_or_default();
        let last_words = last_line(&complained);
        let complained = String::from_utf8_lossy(&complained).into_owned();
        Ended { printed: self.printed.unwrap_or_default(), last_words, complained, ..Ended::of(how) }
    }

    /// Signals the program and its group. A program in the group of this process has none of its own; it is not reaped yet, so its
    /// number is its own.
    fn signal(&self, signal: Signal) {
        if kill_process_group(self.group, signal).is_err() {
            _ = kill_process(self.group, signal);
        }
    }

    /// Takes in events until it is enough or too late.
    fn wait(&mut self, time: Duration, is_enough: fn(&Self) -> bool) {
        let deadline = Instant::now() + time;
        while !is_enough(self) {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Flooded) => self.is_flooding = true,
                Ok(Event::Exited) => self.has_exited = true,
                Ok(Event::Printed(bytes)) => self.printed = Some(bytes),
                Ok(Event::Complained(bytes)) => self.complained = Some(bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

/// Waits until a program has ended. It is not reaped: until its group is killed, no other process can have its number.
fn wait_for_exit(program: Pid) {
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(program), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
    {
    }
}

/// Reads up to a limit, and says so when there is more. Then reading stops, and the writer has to wait or go.
fn print_up_to(out: impl Read, most: usize, sender: &Sender<Event>) {
    let mut bytes = Vec::new();
    // Output that cannot be read to its end counts as far as it was read; how the program ended says the rest.
    _ = out.take((most as u64).saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() > most {
        bytes.truncate(most);
        _ = sender.send(Event::Flooded);
    }
    _ = sender.send(Event::Printed(bytes));
}

/// Reads to the end and keeps only the last bytes.
fn last_bytes(mut err: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; 8_192];
    while let Ok(length @ 1..) = err.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    kept
}

/// Returns the last line that says something. Of JSON on many lines that is its message, and not the bracket at its end; of a stack trace, the
/// line above it that names the error.
fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = || text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let is_json = lines().next() == Some("}");
    let message = lines().find(|line| is_json && line.starts_with("\"message\""));
    message.or_else(|| above_trace(&text)).or_else(|| lines().next()).unwrap_or_default().chars().take(200).collect()
}

/// Returns the error above the lines of a stack trace (`at …`).
fn above_trace(text: &str) -> Option<&str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_frame = |line: &&str| line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ");
    let above = &lines[..lines.iter().position(is_frame)?];
    let names_error = |line: &&&str| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        line.contains(':') && (name.ends_with("Error") || name.ends_with("Exception"))
    };
    above.iter().rfind(names_error).or(above.last()).map(|line| line.trim())
}
