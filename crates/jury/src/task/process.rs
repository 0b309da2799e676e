//! One program, in a process group of its own, within limits of time and output.
//!
//! In: a command. Out: what it printed, if that was caught, and how it ended. The group is killed as a whole, whatever becomes of the program;
//! nobody who keeps a pipe open can hold this up (FAULTS 14 and 15). Deliberately not here: what was printed means.

use std::io::Read;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How long a program that has to go may take to do so itself.
const GRACE: Duration = Duration::from_millis(500);
/// How long the rest of the output may take once the group is gone.
const REST: Duration = Duration::from_secs(1);
/// The longest time that is waited for anything: clocks cannot add up whatever a user may write.
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
    /// It ended, but somebody outside its group keeps its output open.
    HeldOpen,
    /// It could not be started.
    NotStarted(String),
}

/// What came of a program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// How it ended.
    pub(crate) how: How,
    /// What it printed on standard output, up to the limit.
    pub(super) printed: Vec<u8>,
    /// The last line of its standard error.
    pub(super) last_words: String,
}

impl Ended {
    /// Says what went wrong, after the name of whoever it was; `None` if nothing did.
    pub(crate) fn trouble(&self) -> Option<String> {
        let what = match &self.how {
            How::Exited(0) => return None,
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

/// Runs a program to its end, or ends it.
pub(super) fn run(command: &mut Command, bounds: Bounds) -> Ended {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    spawned(command, bounds)
}

/// Runs a program as [`run`] does; what it prints on either stream goes to standard error as it comes, and is not caught.
pub(crate) fn run_openly(command: &mut Command, time: Duration) -> Ended {
    command.stdin(Stdio::null()).stdout(std::io::stderr()).stderr(Stdio::inherit()).process_group(0);
    spawned(command, Bounds { time, output: 0 })
}

fn spawned(command: &mut Command, bounds: Bounds) -> Ended {
    match command.spawn() {
        Ok(child) => Running::follow(child, bounds),
        Err(error) => Ended { how: How::NotStarted(error.to_string()), printed: Vec::new(), last_words: String::new() },
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
    fn follow(mut child: Child, bounds: Bounds) -> Ended {
        let group = Pid::from_child(&child);
        let (sender, events) = channel();
        // What is not caught is not waited for.
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
            // The program is looked at and not reaped: until the group is killed, nobody else can have its number.
            while let Err(rustix::io::Errno::INTR) =
                waitid(WaitId::Pid(group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            {}
            _ = sender.send(Event::Exited);
        });
        let mut running = Self { child, group, events, printed, complained, has_exited: false, is_flooding: false };
        running.wait(Instant::now() + bounds.time.min(LONGEST), |running| running.has_exited || running.is_flooding);
        let is_late = !running.has_exited && !running.is_flooding;
        if !running.has_exited {
            // A program that is asked may end its own helpers, some of which may have left the group.
            _ = kill_process_group(group, Signal::TERM);
            running.wait(Instant::now() + GRACE, |running| running.has_exited);
        }
        running.end(bounds, is_late)
    }

    /// Takes in what happens until it is enough or too late.
    fn wait(&mut self, deadline: Instant, is_enough: fn(&Self) -> bool) {
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

    /// Kills whatever is left of the group, and collects what was printed.
    fn end(mut self, bounds: Bounds, is_late: bool) -> Ended {
        _ = kill_process_group(self.group, Signal::KILL);
        let status = self.child.wait();
        self.wait(Instant::now() + REST, |running| running.printed.is_some() && running.complained.is_some());
        let how = match status {
            _ if self.is_flooding => How::Flooded(bounds.output),
            _ if is_late => How::TimedOut(bounds.time),
            _ if self.printed.is_none() || self.complained.is_none() => How::HeldOpen,
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => How::Exited(code),
                (None, signal) => How::Killed(signal.unwrap_or_default()),
            },
            Err(error) => How::NotStarted(error.to_string()),
        };
        let last_words = self.complained.map(|bytes| last_line(&bytes)).unwrap_or_default();
        Ended { how, printed: self.printed.unwrap_or_default(), last_words }
    }
}

/// Reads up to a limit, and says so when there is more. Then nobody reads on, and whoever writes has to wait or go.
fn print_up_to(out: impl Read, most: usize, sender: &Sender<Event>) {
    let mut bytes = Vec::new();
    // What cannot be read to its end counts as far as it was read; how the program ended says the rest.
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

/// Returns the last line that says something.
fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { time: Duration::from_secs(20), output: 1 << 20 };

    fn shell(script: &str, bounds: Bounds) -> (Ended, Duration) {
        let start = Instant::now();
        (run(Command::new("sh").args(["-c", script]), bounds), start.elapsed())
    }

    /// Tells whether a process of that number outlives its kill, which the system may take a moment for.
    fn outlives(pid: &[u8]) -> bool {
        let stat = format!("/proc/{}/stat", String::from_utf8_lossy(pid).trim());
        let is_alive = || std::fs::read_to_string(&stat).is_ok_and(|status| !status.contains(") Z "));
        let start = Instant::now();
        while is_alive() && start.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(pid.trim_ascii().iter().all(u8::is_ascii_digit) && !pid.is_empty(), "the number was printed");
        is_alive()
    }

    #[test]
    fn how_a_program_ends_is_told() {
        let (ended, _) = shell("echo out; echo err >&2; echo; echo last >&2", BOUNDS);
        assert_eq!((ended.how.clone(), ended.printed.as_slice()), (How::Exited(0), b"out\n\n".as_slice()));
        assert_eq!(ended.trouble(), None);
        let (ended, _) = shell("echo why >&2; exit 3", BOUNDS);
        assert_eq!(ended.trouble().unwrap(), "ended with exit code 3: why");
        assert_eq!(shell("kill -9 $$", BOUNDS).0.how, How::Killed(9));
        let missing = run(&mut Command::new("/no/such/program"), BOUNDS);
        assert!(matches!(missing.how, How::NotStarted(_)), "{missing:?}");
    }

    #[test]
    fn whoever_takes_too_long_goes_with_all_of_its_group() {
        let short = Bounds { time: Duration::from_millis(200), ..BOUNDS };
        let (ended, took) = shell("trap '' TERM; sleep 600 & echo $!; wait; sleep 600", short);
        assert!(matches!(ended.how, How::TimedOut(_)), "{ended:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        assert!(!outlives(&ended.printed), "a child outlived its group");
    }

    #[test]
    fn a_child_left_behind_in_the_group_is_killed_with_it() {
        let (ended, took) = shell("sleep 600 & echo $!", BOUNDS);
        assert_eq!(ended.how, How::Exited(0));
        assert!(took < Duration::from_secs(5), "{took:?}");
        assert!(!outlives(&ended.printed), "a child outlived its group");
    }

    #[test]
    fn nobody_who_left_the_group_can_hold_it_up() {
        let (ended, took) = shell("setsid sleep 8 & sleep 0.5; echo started", BOUNDS);
        assert_eq!(ended.how, How::HeldOpen);
        assert!(took < Duration::from_secs(5), "{took:?}");
    }

    #[test]
    fn whoever_runs_openly_is_held_to_the_time_all_the_same() {
        let start = Instant::now();
        let run = |script: &str, time| run_openly(Command::new("sh").args(["-c", script]), time).how;
        assert_eq!(run("exit 4", BOUNDS.time), How::Exited(4));
        assert_eq!(run("setsid sleep 8 & exit 0", BOUNDS.time), How::Exited(0));
        assert!(matches!(run("trap '' TERM; sleep 600 & wait; sleep 600", GRACE), How::TimedOut(_)));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn a_flood_is_cut_off_on_either_stream() {
        let bounds = Bounds { output: 1_000, ..BOUNDS };
        let (ended, took) = shell("yes", bounds);
        assert_eq!((ended.how, ended.printed.len()), (How::Flooded(1_000), 1_000));
        assert!(took < Duration::from_secs(5), "{took:?}");
        let (ended, _) = shell("head -c 3000000 /dev/zero >&2; echo done", bounds);
        assert_eq!((ended.how, ended.printed.as_slice()), (How::Exited(0), b"done\n".as_slice()));
    }
}
