//! Signals to the binary while it runs programs of others (DESIGN §11): everybody goes with it, nothing is left behind, and the
//! state is what it was.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::desk::{CLEAN, Desk, ended, is_alive, number_in, outlives, signal, tool};

/// Does not go when asked, and has a child, and one that has left its group.
const STUBBORN: &str = "trap \"\" TERM INT HUP; sleep 600 & echo $! > @OUT@/child; \
    setsid sh -c \"echo \\$\\$ > @OUT@/escaped; exec sleep 600\" & echo $$ > @OUT@/self; sleep 600";

fn stubborn() -> Desk {
    let script = format!("test -e @OUT@/go || {{ {CLEAN}; exit 0; }}; {STUBBORN}");
    Desk::with(&tool("lint", &script, ""))
}

/// Waits until all three of a stubborn program run.
fn everybody(desk: &Desk) -> [u32; 3] {
    ["child", "escaped", "self"].map(|name| number_in(&desk.out(name)))
}

fn assert_gone(desk: &Desk, everybody: [u32; 3], what: &str) {
    for process in everybody {
        assert!(!outlives(process), "{what}: a process was left behind");
    }
    assert!(desk.left_behind().is_empty(), "{what}: a private copy was left behind");
}

#[test]
fn whoever_is_interrupted_takes_everybody_along_and_leaves_the_state() {
    for (arguments, name, code) in [
        // What was answered before would be taken for the answer.
        (&["review", "--trust", "--fresh"][..], "INT", 130),
        (&["review", "--trust", "--fresh"], "TERM", 143),
        (&["review", "--trust", "--fresh"], "HUP", 143),
        (&["verify", "--trust"], "INT", 130),
    ] {
        let what = format!("{arguments:?} {name}");
        let desk = stubborn();
        assert_eq!(desk.run(&["review", "--trust"]).0, Some(0), "{what}");
        let before = desk.state();
        assert!(!before.is_empty());
        std::fs::write(desk.out("go"), "").unwrap();
        if arguments[0] == "verify" {
            desk.repo.write("src/two.ts", "console.log(2);\nexport const two = 3;\n");
        }
        let child = desk.start(arguments);
        let everybody = everybody(&desk);
        let start = Instant::now();
        signal(child.id(), name);
        let (ended, said) = ended(child);
        assert_eq!(ended, Some(code), "{what}: {said}");
        assert!(start.elapsed() < Duration::from_secs(8), "{what}: {:?}", start.elapsed());
        assert_gone(&desk, everybody, &what);
        assert!(desk.state() == before, "{what}: the state is another one");
        assert!(said.contains("interrupted"), "{what}: {said}");
    }
}

#[test]
fn a_fixer_and_a_reviewer_of_a_task_go_as_well() {
    let desk = Desk::with("");
    desk.repo.write(
        "src/bad.ts",
        "import { exec } from \"child_process\";\nexport const run = (a: string) => exec(\"ls \" + a);\n",
    );
    desk.repo.commit("Bad");
    let script = STUBBORN;
    let start = |arguments: &[&str]| -> Child { desk.start(&[arguments, &["--", "sh", "-c", script]].concat()) };
    assert_eq!(desk.run(&["task", "start", "T-1", "--expect", "qa"]).0, Some(0));
    for (arguments, name, code) in [(&["loop"][..], "INT", 130), (&["task", "run", "T-1", "--role", "qa"], "TERM", 143)]
    {
        let child = start(arguments);
        let everybody = everybody(&desk);
        signal(child.id(), name);
        let (ended, said) = ended(child);
        assert_eq!(ended, Some(code), "{arguments:?}: {said}");
        assert_gone(&desk, everybody, &format!("{arguments:?}"));
        ["child", "escaped", "self"].iter().for_each(|name| std::fs::remove_file(desk.out(name)).unwrap());
    }
    // Who began and did not end has not reported.
    assert_eq!(desk.run(&["task", "gate", "T-1"]).0, Some(4));
}

/// The first gives programs half a second to go by themselves; whoever is in a hurry does not wait for that. A loaded machine may
/// take as long for other reasons, so one of a few attempts is enough.
#[test]
fn a_second_interrupt_ends_at_once() {
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let desk = stubborn();
        std::fs::write(desk.out("go"), "").unwrap();
        let child = desk.start(&["review", "--trust"]);
        let everybody = everybody(&desk);
        let start = Instant::now();
        signal(child.id(), "INT");
        std::thread::sleep(Duration::from_millis(50));
        signal(child.id(), "INT");
        assert_eq!(ended(child).0, Some(130));
        shortest = shortest.min(start.elapsed());
        assert!(everybody.into_iter().all(|process| !outlives(process)), "a process was left behind");
        if shortest < Duration::from_millis(450) {
            return;
        }
    }
    panic!("{shortest:?}");
}

#[test]
fn a_signal_that_is_to_be_ignored_is() {
    let desk = Desk::with(&tool("lint", &format!("echo $$ > @OUT@/self; sleep 1; {CLEAN}"), ""));
    let mut command = Command::new("sh");
    command.args(["-c", "trap \"\" HUP; exec \"$0\" review --trust", env!("CARGO_BIN_EXE_jury")]);
    desk.surround(&mut command);
    let child = command.spawn().unwrap();
    number_in(&desk.out("self"));
    signal(child.id(), "HUP");
    let (code, said) = ended(child);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("PASS"), "{said}");
}

#[test]
fn nothing_that_waits_in_the_queue_is_started_any_more() {
    let many: String = (0..20)
        .map(|number| {
            tool(
                &format!("lint-{number}"),
                &format!("echo $$ > @OUT@/{number}; echo $$ > @OUT@/self; sleep 600; {CLEAN}"),
                "",
            )
        })
        .collect();
    let desk = Desk::with(&format!("[policy]\nparallel = 2\n{many}"));
    let child = desk.start(&["review", "--trust"]);
    number_in(&desk.out("self"));
    signal(child.id(), "TERM");
    assert_eq!(ended(child).0, Some(143));
    let started: Vec<u32> = (0..20)
        .map(|number| desk.out(&number.to_string()))
        .filter(|path| path.exists())
        .map(|path| number_in(&path))
        .collect();
    assert!((1..=2).contains(&started.len()), "{started:?}");
    assert!(started.into_iter().all(|process| !is_alive(process)));
    assert_eq!((desk.left_behind(), desk.state()), (Vec::new(), Vec::new()));
}
