//! Waiting for the reviewers of a task, or of all tasks, and writing the summary of each that has everything.
//!
//! In: the reports dir. Out: how each task stands, as often as that changes. The end of a run is the durable signal: `run`
//! writes it down, and it is a file like any other. File events say where to look; because they can be lost, everything is
//! looked at again at an interval as well (001, "Prefer parse-on-completion over event polling").

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::decide::{SUMMARY, TaskStatus};
use super::files::{look, write_summary};
use super::inventory::OURS;
use crate::model::{Role, TaskId};
use crate::process::LONGEST;
use crate::store::{Reports, StoreError};

/// The interval of full checks, with or without events.
pub const INTERVAL: Duration = Duration::from_secs(1);
/// The same where there are no events.
const INTERVAL_WITHOUT_EVENTS: Duration = Duration::from_millis(200);
/// How long an unreliable file may stay unchanged before it counts as complete.
const SETTLED: Duration = Duration::from_secs(2);

/// The tasks to wait for.
#[derive(Clone, Debug)]
pub struct Watching {
    /// The task; all tasks if there is none.
    pub task: Option<TaskId>,
    /// The roles that have to report in addition to those that were started.
    pub expect: Vec<Role>,
    /// How long to wait for the last.
    pub timeout: Duration,
    /// How long to go on after all have reported, for late writes.
    pub linger: Duration,
}

/// Watches until all expected roles have reported, or the time is over. `see` is called with every change of a task. When this
/// returns the status of each task, sorted, their summaries are written.
pub fn watch(
    reports: &Reports,
    watching: &Watching,
    mut see: impl FnMut(&TaskStatus),
) -> Result<Vec<TaskStatus>, StoreError> {
    std::thread::scope(|scope| {
        // To make a summary outlive a power cut takes longer than to decide, and no other decision waits for it.
        let (summaries, to_write) = channel::<TaskStatus>();
        let writer = scope.spawn(move || to_write.iter().try_for_each(|task| write_summary(reports, &task).map(drop)));
        let watched = follow(reports, watching, &mut see, &summaries);
        drop(summaries);
        let written = writer.join().expect("writing a summary does not panic");
        watched.and_then(|watched| written.map(|()| watched))
    })
}

fn follow(
    reports: &Reports,
    watching: &Watching,
    see: &mut impl FnMut(&TaskStatus),
    summaries: &Sender<TaskStatus>,
) -> Result<Vec<TaskStatus>, StoreError> {
    let (sender, events) = channel();
    // Events name files by paths that are absolute.
    let root = reports.path().canonicalize().unwrap_or_else(|_| reports.path());
    // Watching starts before the first look, so that nothing falls in between.
    let watcher = watcher(&root, sender);
    let interval = if watcher.is_some() { INTERVAL } else { INTERVAL_WITHOUT_EVENTS };
    let deadline = Instant::now() + watching.timeout.min(LONGEST);
    let linger = watching.linger.min(LONGEST);
    let mut seen: BTreeMap<TaskId, Seen> = BTreeMap::new();
    let mut look_at = Look::All;
    let mut next_full_look = Instant::now();
    loop {
        if matches!(look_at, Look::All) {
            next_full_look = Instant::now() + interval;
        }
        for task in look_at.tasks(reports, watching)? {
            let standing = look(Some(reports), &task, &watching.expect)?;
            if seen.get(&task).is_none_or(|seen| seen.standing != standing) {
                see(&standing);
                seen.insert(task, Seen { standing, since: Instant::now(), is_summed_up: false });
            }
        }
        let now = Instant::now();
        let is_over = now >= deadline;
        let mut is_writable = true;
        for seen in seen.values_mut().filter(|seen| !seen.is_summed_up && (is_over || seen.is_decided(now))) {
            seen.is_summed_up = true;
            is_writable &= summaries.send(seen.standing.clone()).is_ok();
        }
        let is_done = !seen.is_empty() && seen.values().all(|seen| seen.is_decided(now));
        let since = seen.values().map(|seen| seen.since).max().unwrap_or(now);
        if is_over || !is_writable || (is_done && now >= since + linger) {
            return Ok(seen.into_values().map(|seen| seen.standing).collect());
        }
        let mut wake = deadline.min(next_full_look);
        if is_done {
            wake = wake.min(since + linger);
        }
        look_at = Look::after(&events, wake, &root);
        // Under any load, tasks without events are checked, too.
        if Instant::now() >= next_full_look {
            look_at = Look::All;
        }
    }
}

/// How a task stood when it was last looked at.
struct Seen {
    standing: TaskStatus,
    since: Instant,
    is_summed_up: bool,
}

impl Seen {
    /// Tells whether nothing more is to be waited for. A document that is not understood may be half written.
    fn is_decided(&self, now: Instant) -> bool {
        self.standing.is_complete() && (!self.standing.has_gaps() || now >= self.since + SETTLED)
    }
}

/// Where to look.
enum Look {
    All,
    At(BTreeSet<TaskId>),
}

impl Look {
    fn tasks(self, reports: &Reports, watching: &Watching) -> Result<Vec<TaskId>, StoreError> {
        Ok(match (&watching.task, self) {
            (Some(task), Self::All) => vec![task.clone()],
            (None, Self::All) => reports.tasks()?,
            (only, Self::At(tasks)) => {
                tasks.into_iter().filter(|task| only.as_ref().is_none_or(|only| only == task)).collect()
            }
        })
    }

    /// Waits for something to happen, and takes everything that has happened by then.
    fn after(events: &Receiver<notify::Result<Event>>, wake: Instant, root: &Path) -> Self {
        let mut tasks = BTreeSet::new();
        loop {
            let left = wake.saturating_duration_since(Instant::now());
            let event = if tasks.is_empty() { events.recv_timeout(left) } else { taken(events) };
            match event {
                Ok(Ok(event)) if event.need_rescan() => return Self::All,
                Ok(Ok(event)) if is_telling(&event.kind) => {
                    tasks.extend(event.paths.iter().filter_map(|path| task_of(root, path)));
                }
                Ok(Ok(_)) => {}
                Ok(Err(_)) => return Self::All,
                Err(RecvTimeoutError::Timeout) if tasks.is_empty() => return Self::All,
                Err(RecvTimeoutError::Timeout) => return Self::At(tasks),
                // Without a watcher there is only the interval.
                Err(RecvTimeoutError::Disconnected) if tasks.is_empty() => {
                    std::thread::sleep(left);
                    return Self::All;
                }
                Err(RecvTimeoutError::Disconnected) => return Self::At(tasks),
            }
        }
    }
}

/// Takes an event that is there already.
fn taken(events: &Receiver<notify::Result<Event>>) -> Result<notify::Result<Event>, RecvTimeoutError> {
    events.recv_timeout(Duration::ZERO)
}

/// Tells whether an event can mean that a file says something else. To read one, as this program does, is none.
fn is_telling(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if *access != AccessKind::Close(AccessMode::Write))
}

/// Returns the task that a path belongs to, unless the file decides nothing: the summary, a lock, or a temporary file
/// without its final name.
fn task_of(reports: &Path, path: &Path) -> Option<TaskId> {
    let name = path.file_name()?.to_string_lossy();
    if name == SUMMARY || (name.starts_with(OURS) && !name.ends_with(".json")) {
        return None;
    }
    let task = path.strip_prefix(reports).ok()?.components().next()?;
    TaskId::new(task.as_os_str().to_str()?).ok()
}

fn watcher(path: &Path, sender: Sender<notify::Result<Event>>) -> Option<RecommendedWatcher> {
    let mut watcher = RecommendedWatcher::new(sender, Config::default().with_follow_symlinks(false)).ok()?;
    watcher.watch(path, RecursiveMode::Recursive).ok()?;
    Some(watcher)
}
