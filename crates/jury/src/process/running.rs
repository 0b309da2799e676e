//! The running programs: every program that was started and not reaped, and every folder to remove; and the end of all of it.
//!
//! The one state that a process has as a whole, for a signal comes to all of it. A program is started and written down, or
//! reaped and struck out, in one step, so that ending all can neither miss one nor hit another. Deliberately not here: when to.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::{GRACE, escaped, scratch_dir};

/// The variable that marks a program and its children.
pub(super) const MARK: &str = "JURY_RUN";
/// The interval of checks whether all have gone.
const INTERVAL: Duration = Duration::from_millis(5);

/// Looks whether a program has ended, and neither waits for it nor reaps it.
const LOOK: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT).union(WaitIdOptions::NOHANG);

pub(super) struct Everything {
    pub(super) groups: Vec<Pid>,
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) runs: u64,
    is_over: bool,
}

static EVERYTHING: Mutex<Everything> =
    Mutex::new(Everything { groups: Vec::new(), folders: BTreeSet::new(), runs: 0, is_over: false });

/// Returns all that is running, locked.
pub(super) fn everything() -> MutexGuard<'static, Everything> {
    // A thread that panicked has left a list that is still true.
    EVERYTHING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Called before anything is added.
static BEFORE_FIRST: Mutex<Option<fn()>> = Mutex::new(None);

/// Has a function called before the first program is started: for a command that seldom starts any, and then has signals to heed.
pub fn before_first(prepare: fn()) {
    *BEFORE_FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(prepare);
}

/// Returns all that is running, to add to it. Blocks for ever once all is over.
pub(super) fn everything_to_add_to() -> MutexGuard<'static, Everything> {
    // Locked for as long as it takes, so that no other thread starts a program meanwhile.
    if let Some(prepare) = BEFORE_FIRST.lock().unwrap_or_else(PoisonError::into_inner).take() {
        prepare();
    }
    let everything = everything();
    if everything.is_over {
        drop(everything);
        stay();
    }
    everything
}

/// Returns the mark of a run, below those of the runs that this process is itself part of.
pub(super) fn mark() -> String {
    let mut everything = everything();
    everything.runs += 1;
    let own = format!("{}-{}", std::process::id(), everything.runs);
    std::env::var(MARK).map(|outer| format!("{outer}:{own}")).unwrap_or(own)
}

/// Starts a program.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let mut everything = everything_to_add_to();
    let child = command.spawn()?;
    everything.groups.push(Pid::from_child(&child));
    Ok(child)
}

/// Waits for a program and reaps it.
pub(super) fn reap(child: &mut Child) -> io::Result<ExitStatus> {
    let program = Pid::from_child(child);
    super::wait_for_exit(program);
    let mut everything = everything();
    let status = child.wait();
    everything.groups.retain(|group| *group != program);
    status
}

/// Ends every program that this process has started, with their children, and removes their folders. A thread that waits for
/// one of them waits for ever, and nothing more is started: all that is left to do is to exit.
pub fn end_all() {
    end(Signal::TERM);
    wait_for_all();
    kill_all();
    let folders = everything().folders.clone();
    folders.iter().for_each(|path| scratch_dir::remove(path));
    // A thread that was about to write a file there may have made the folder anew, and does so no more.
    thread::sleep(2 * INTERVAL);
    folders.iter().filter(|path| path.exists()).for_each(|path| scratch_dir::remove(path));
}

/// Kills every program that this process has started, at once.
pub fn kill_all() {
    end(Signal::KILL);
    // A process that escaped from a program is our child only once that has ended.
    wait_for_all();
    escaped::end_escaped();
}

fn end(signal: Signal) {
    let mut everything = everything();
    everything.is_over = true;
    everything.groups.iter().for_each(|group| _ = kill_process_group(*group, signal));
}

/// Waits a moment for every program to end.
fn wait_for_all() {
    let deadline = Instant::now() + GRACE;
    let is_running = |program: &Pid| matches!(waitid(WaitId::Pid(*program), LOOK), Ok(None));
    while Instant::now() < deadline && everything().groups.iter().any(is_running) {
        thread::sleep(INTERVAL);
    }
}

/// Stops a thread whose program was ended by a signal: nothing that is interrupted is judged.
pub(crate) fn stay_if_all_is_over() {
    drop(everything_to_add_to());
}

fn stay() -> ! {
    loop {
        thread::park();
    }
}
