//! 1,000 tasks of eight verdict files each, watched and aggregated: how long it takes from the last write of a task to its
//! decision, while reviewers write at a pace that leaves air, and all at once. The floor is looking at one task that is
//! complete, in the same run. Run by `cargo xtask bench`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use jury::drivers::task::{self, Watching};
use jury::model::{Role, TaskId};
use jury::store::Reports;
use jury_testkit::repo::TempFolder;

const TASKS: usize = 1_000;
const ROLES: [&str; 8] =
    ["qa", "quality", "correctness", "maintainability", "testing", "ts-strict", "cli-readiness", "security"];

fn verdict(nth: usize) -> String {
    match nth % 8 {
        0 => "verdict: warn\nconfidence: med\nadvisory: src/auth.ts:42 consider extracting role-check helper\n".to_owned(),
        1 => "verdict: fail\nconfidence: high\nblocker: src/handler.ts:88 SQL string-concat with user input\n\
              blocker: src/handler.ts:120 duplicate of util/parseQuery (LCI hit)\nadvisory: a nit\nevidence: ./evidence.md\n"
            .to_owned(),
        _ => "verdict: pass\nconfidence: high\n".to_owned(),
    }
}

/// Writes the files of every task, the last of each at its time, and returns when that was.
fn write_all(reports: &Path, tasks: &[TaskId], pace: Duration) -> BTreeMap<TaskId, Instant> {
    let start = Instant::now();
    let mut written = BTreeMap::new();
    for (nth, task) in tasks.iter().enumerate() {
        let due = start + pace * u32::try_from(nth).expect("there are few tasks");
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        for (at, role) in ROLES.iter().enumerate() {
            fs::write(reports.join(task.as_str()).join(format!("{role}.md")), verdict(nth + at))
                .expect("the folder is ours");
        }
        written.insert(task.clone(), Instant::now());
    }
    written
}

/// Watches all tasks while they are written, and returns the time from the last write to the decision of each, sorted.
fn latencies(pace: Duration) -> Vec<Duration> {
    let folder = TempFolder::new();
    let reports = Reports::make(&folder.path().join(".dartai")).expect("the folder is ours");
    let roles: Vec<Role> = ROLES.iter().map(|role| Role::new(role).expect("a role")).collect();
    let tasks: Vec<TaskId> = (0..TASKS).map(|nth| TaskId::new(&format!("T-{nth:04}")).expect("an id")).collect();
    for task in &tasks {
        task::start(&reports, task, &roles, &[]).expect("the folder is ours");
    }
    let mut decided: BTreeMap<TaskId, Instant> = BTreeMap::new();
    let path = reports.path();
    let watching =
        Watching { task: None, expect: Vec::new(), timeout: Duration::from_secs(300), linger: Duration::ZERO };
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            // The watcher is given the time to be there.
            std::thread::sleep(Duration::from_secs(2));
            write_all(&path, &tasks, pace)
        });
        let standings = task::watch(&reports, &watching, |standing| {
            if standing.is_complete() && !standing.has_gaps() {
                decided.insert(standing.task.clone(), Instant::now());
            }
        });
        assert_eq!(standings.expect("the folder is ours").len(), TASKS);
        writer.join().expect("the writer wrote")
    });
    assert_eq!(decided.len(), TASKS, "every task is decided");
    let mut latencies: Vec<Duration> =
        written.iter().map(|(task, last)| decided[task].saturating_duration_since(*last)).collect();
    latencies.sort();
    latencies
}

/// Returns the median time of a look at a task that is complete.
fn floor() -> Duration {
    let folder = TempFolder::new();
    let reports = Reports::make(&folder.path().join(".dartai")).expect("the folder is ours");
    let roles: Vec<Role> = ROLES.iter().map(|role| Role::new(role).expect("a role")).collect();
    let task = TaskId::new("T-1").expect("an id");
    task::start(&reports, &task, &roles, &[]).expect("the folder is ours");
    write_all(&reports.path(), std::slice::from_ref(&task), Duration::ZERO);
    let mut times: Vec<Duration> = (0..1_000)
        .map(|_| {
            let start = Instant::now();
            let standing = task::look(Some(&reports), &task, &[]).expect("the folder is ours");
            assert!(standing.is_complete());
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

#[allow(clippy::print_stdout)]
fn main() {
    let floor = floor();
    println!("task: {TASKS} tasks of {} verdict files, from the last write to the decision", ROLES.len());
    println!("  a look at one task that is complete  {floor:>9.2?} (the floor)");
    for (what, pace) in [("100 tasks a second", Duration::from_millis(10)), ("all at once", Duration::ZERO)] {
        let latencies = latencies(pace);
        let at = |percent: usize| latencies[(latencies.len() * percent / 100).min(latencies.len() - 1)];
        let ratio = at(50).as_secs_f64() / floor.as_secs_f64();
        println!("  {what:<36} p50 {:>9.2?} ({ratio:.1} × the floor)  p99 {:>9.2?}", at(50), at(99));
    }
}
