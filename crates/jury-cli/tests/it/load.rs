//! Row 30, and row 15 again: two hundred reviewers, eight at a time, and reviewers that flood. No descriptor, process or memory
//! grows with their number.

use std::fs;
use std::process::Child;
use std::time::Duration;

use crate::desk::{CLEAN, Desk, ended, tool};

/// The most of each that was seen while a process ran.
#[derive(Debug, Default)]
struct Most {
    descriptors: Vec<usize>,
    children: usize,
    zombies: usize,
    kilobytes: usize,
}

fn watch(child: &mut Child) -> Most {
    let mut most = Most::default();
    let process = child.id();
    while child.try_wait().expect("it is our child").is_none() {
        most.descriptors.push(fs::read_dir(format!("/proc/{process}/fd")).map_or(0, |entries| entries.count()));
        let states = states_of_children(process);
        most.children = most.children.max(states.len());
        most.zombies = most.zombies.max(states.iter().filter(|state| **state == 'Z').count());
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most.kilobytes = most.kilobytes.max(peak.unwrap_or_default());
        std::thread::sleep(Duration::from_millis(3));
    }
    most
}

fn states_of_children(process: u32) -> Vec<char> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let state = |child: &str| {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).ok()?;
        stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next())
    };
    lists.flat_map(|list| list.split_whitespace().filter_map(state).collect::<Vec<_>>()).collect()
}

/// Counts the processes of this machine in whose environment a variable starts like this.
fn processes_with(variable: &str) -> usize {
    let environments = fs::read_dir("/proc")
        .expect("this is Linux")
        .flatten()
        .filter_map(|entry| fs::read(entry.path().join("environ")).ok());
    environments.filter(|all| all.split(|byte| *byte == 0).any(|one| one.starts_with(variable.as_bytes()))).count()
}

#[test]
fn two_hundred_reviewers_leave_no_process_and_no_descriptor() {
    const REVIEWERS: usize = 200;
    const PARALLEL: usize = 8;
    // Every tenth leaves somebody behind in another session, every seventh fails.
    let script = |number: usize| {
        let leaves = if number.is_multiple_of(10) { "setsid sleep 600 >/dev/null 2>&1 &" } else { "" };
        let ends = if number.is_multiple_of(7) { "exit 9" } else { CLEAN };
        format!("echo $$ > @OUT@/{number}; {leaves} {ends}")
    };
    let many: String = (0..REVIEWERS).map(|number| tool(&format!("lint-{number}"), &script(number), "")).collect();
    let desk = Desk::with(&format!("[policy]\nparallel = {PARALLEL}\n{many}"));
    let mut child = desk.start(&["review", "--trust", "--format", "json", "--output", "/dev/null"]);
    let most = watch(&mut child);
    let (code, said) = ended(child);
    assert_eq!(code, Some(4), "{said}");
    assert_eq!((0..REVIEWERS).filter(|number| desk.out(&number.to_string()).exists()).count(), REVIEWERS);
    assert_eq!(processes_with(&format!("TMPDIR={}", desk.tmp().display())), 0, "a process is left");
    assert!(desk.left_behind().is_empty());
    assert!(most.descriptors.len() > 20, "it was looked at often enough: {}", most.descriptors.len());
    let peak = |part: &[usize]| part.iter().copied().max().unwrap_or_default();
    let (early, late) = most.descriptors.split_at(most.descriptors.len() / 2);
    // A run has four at most: two pipes, what it is given, and one on its way.
    assert!(peak(late) <= peak(early).max(20) + 2 * PARALLEL, "{} then {}", peak(early), peak(late));
    assert!(peak(late) <= 20 + 6 * PARALLEL, "{}", peak(late));
    assert!(most.children <= 3 * PARALLEL && most.zombies <= 2 * PARALLEL, "{} {}", most.children, most.zombies);
    assert!(most.kilobytes < 400 << 10, "{} kB", most.kilobytes);
}

#[test]
fn whoever_floods_is_cut_off_and_takes_no_memory() {
    for (what, script) in [
        ("two gigabytes", "head -c 2000000000 /dev/zero"),
        ("one long line", "head -c 500000000 /dev/zero | tr \"\\\\0\" x"),
        ("both streams", "head -c 500000000 /dev/zero >&2 & head -c 500000000 /dev/zero; wait"),
        ("NULs in what is otherwise good", "printf \"<checkstyle>\\\\000</checkstyle>\""),
    ] {
        let desk = Desk::with(&tool("lint", script, "timeout = \"60s\""));
        let mut child = desk.start(&["review", "--trust", "--format", "json", "--output", "/dev/null"]);
        let most = watch(&mut child);
        let (code, said) = ended(child);
        assert_eq!(code, Some(4), "{what}: {said}");
        assert!(most.kilobytes < 400 << 10, "{what}: {} kB", most.kilobytes);
        assert_eq!(desk.run(&["gate"]).0, Some(4), "{what}");
    }
}
