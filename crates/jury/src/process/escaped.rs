//! Processes that leave the group of a program with `setsid` and a second fork, and are ended all the same (FAULTS 14).
//!
//! A process that is the subreaper inherits these orphans. They are recognised by their group or by the mark of the run in their
//! environment; an orphan that has lost both is ended when nothing runs any more. Linux only: elsewhere, there are only groups.

use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpgid, getrlimit, kill_process, setrlimit, waitpid,
};
#[cfg(target_os = "linux")]
use rustix::process::{getpid, set_child_subreaper};

use super::running::{self, MARK};

/// The time limit for ending escaped processes.
const PATIENCE: Duration = Duration::from_secs(2);

/// The children that were there when this process became the subreaper: those of the program before `exec`.
static OTHERS: OnceLock<Vec<Pid>> = OnceLock::new();

/// Makes this process answer for all that its programs start, even if they are long gone; and lets none of them dump its memory.
/// For a binary that starts programs in no other way than this module.
pub fn answer_for_all() {
    #[cfg(target_os = "linux")]
    if set_child_subreaper(Some(getpid())).is_ok() {
        OTHERS.get_or_init(children);
    }
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    // Where even this is forbidden, nothing is lost but disk space.
    _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum });
}

/// Ends all processes that escaped from any run. For when nothing runs any more.
pub fn end_escaped() {
    let is_alone = OTHERS.get().is_some_and(Vec::is_empty);
    let own = format!("{}-", std::process::id());
    end(|orphan| is_alone || has_mark(orphan, |mark| mark.starts_with(&own)));
}

/// Ends all processes that escaped from one run.
pub(super) fn end_those_of(group: Pid, mark: &str) {
    let own = mark.rsplit(':').next().unwrap_or(mark);
    end(|orphan| getpgid(Some(orphan)) == Ok(group) || has_mark(orphan, |mark| mark == own));
}

fn end(is_meant: impl Fn(Pid) -> bool) {
    let Some(others) = OTHERS.get().filter(|_| running::everything().runs > 0) else { return };
    let deadline = Instant::now() + PATIENCE;
    // The end of one process may pass its children to us, so it is over when none is found.
    while Instant::now() < deadline && !is_nobody_left(others, &is_meant) {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Kills the matching processes, reaps the ended ones, and tells whether there were none of either.
fn is_nobody_left(others: &[Pid], is_meant: &impl Fn(Pid) -> bool) -> bool {
    // No process is started or reaped meanwhile, so a child that is none of the programs is an orphan, and its number is its own.
    let everything = running::everything();
    let mut is_nobody = true;
    let is_orphan = |child: &Pid| !everything.groups.contains(child) && !others.contains(child);
    for orphan in children().into_iter().filter(is_orphan) {
        if matches!(waitpid(Some(orphan), WaitOptions::NOHANG), Ok(Some(_))) {
            is_nobody = false;
        } else if is_meant(orphan) {
            _ = kill_process(orphan, Signal::KILL);
            is_nobody = false;
        }
    }
    is_nobody
}

/// Lists the children of this process.
fn children() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(pid).collect::<Vec<_>>()).collect()
}

fn pid(word: &str) -> Option<Pid> {
    word.parse().ok().and_then(Pid::from_raw)
}

/// Tells whether one of the marks of a process matches.
fn has_mark(process: Pid, is_such: impl Fn(&str) -> bool) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let environment = String::from_utf8_lossy(&environment);
    let marks = environment.split('\0').filter_map(|variable| variable.strip_prefix(MARK)?.strip_prefix('='));
    marks.flat_map(|marks| marks.split(':')).any(is_such)
}
