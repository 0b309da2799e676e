//! Signals to the binary while it runs programs of others (DESIGN §11): everybody goes with it, nothing is left behind, and the
//! state is what it was.

use std::fs;
use std::process::{Child, Command};

use jury_testkit::patience::{FOR_EVER, comes_to_be};

use crate::desk::{CLEAN, Desk, ended, is_alive, number_in, outlives, signal, tool};

/// Does not go when asked, and has a child, and one that has left its group.
const STUBBORN: &str = "trap \"\" TERM INT HUP; sleep 3600 & echo $! > @OUT@/child; \
    setsid sh -c \"echo \\$\\$ > @OUT@/escaped; exec sleep 3600\" & echo $$ > @OUT@/self; sleep 3600";

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
        signal(child.id(), name);
        let (ended, said) = ended(child);
        assert_eq!(ended, Some(code), "{what}: {said}");
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

/// The first gives programs half a second to go by themselves; the second does not. A program that needs most of that tells them apart,
/// unless the machine is so loaded that it comes too late or too early, so one of a few attempts is enough.
#[test]
fn a_second_interrupt_ends_at_once() {
    const ATTEMPTS: usize = 10;
    let goes_slowly = format!(
        "trap \"touch @OUT@/asked; sleep 0.35; touch @OUT@/went; exit 0\" TERM; echo $$ > @OUT@/self; sleep {FOR_EVER} & wait"
    );
    let has_gone = |interrupts: usize| {
        let desk = Desk::with(&tool("lint", &goes_slowly, ""));
        let child = desk.start(&["review", "--trust"]);
        let program = number_in(&desk.out("self"));
        for nth in 0..interrupts {
            assert!(nth == 0 || comes_to_be(|| desk.out("asked").exists()), "it was not asked to go");
            signal(child.id(), "INT");
        }
        assert_eq!(ended(child).0, Some(130));
        assert!(!outlives(program), "a process was left behind");
        desk.out("went").exists()
    };
    assert!((0..ATTEMPTS).any(|_| has_gone(1)), "the first interrupt leaves no time to go");
    assert!((0..ATTEMPTS).any(|_| !has_gone(2)), "the second interrupt waits like the first");
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
                &format!("echo $$ > @OUT@/{number}; echo $$ > @OUT@/self; sleep {FOR_EVER}; {CLEAN}"),
                "",
            )
        })
        .collect();
    let desk = Desk::with(&format!("[policy]\nparallel = 2\n{many}"));
    let child = desk.start(&["review", "--trust"]);
    number_in(&desk.out("self"));
    signal(child.id(), "TERM");
    assert_eq!(ended(child).0, Some(143));
    // A program that was killed between opening its file and writing to it leaves an empty one.
    let started: Vec<String> =
        (0..20).filter_map(|number| fs::read_to_string(desk.out(&number.to_string())).ok()).collect();
    assert!((1..=2).contains(&started.len()), "{started:?}");
    assert!(started.iter().filter_map(|number| number.trim().parse().ok()).all(|process| !is_alive(process)));
    assert_eq!((desk.left_behind(), desk.state()), (Vec::new(), Vec::new()));
}
