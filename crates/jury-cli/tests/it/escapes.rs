//! Row 14 of the faults, through the real binary: reviewers that end badly, do not end, or leave somebody behind. The run is
//! closed though they do not end by themselves, and nobody is left.

use jury_testkit::patience::FOR_EVER;

use crate::desk::{CLEAN, Desk, ended, is_alive, number_in, outlives, signal, tool};

/// Leaves the group and the session, and is an orphan when it has done so; `$1` goes before the shell that does it.
fn escape(through: &str) -> String {
    format!(
        "{through} setsid sh -c \"(sh -c \\\"echo \\\\$\\\\$ > @OUT@/escaped; exec sleep {FOR_EVER}\\\" >/dev/null 2>&1 &)\" >/dev/null 2>&1; \
        while ! test -s @OUT@/escaped; do sleep 0.02; done"
    )
}

#[test]
fn a_reviewer_that_does_not_end_well_is_a_gap_within_its_limit() {
    for (what, script, said) in [
        ("killed", format!("{CLEAN}; kill -9 $$"), "signal 9"),
        ("crashed", format!("{CLEAN}; kill -SEGV $$"), "signal 11"),
        // What the system does to whoever takes all memory.
        ("out of memory", format!("{CLEAN}; sh -c \"kill -9 \\$PPID\"; sleep {FOR_EVER}"), "signal 9"),
        ("late", format!("{CLEAN}; sleep {FOR_EVER}"), "took longer than 1s"),
        (
            "ignores TERM",
            format!("trap \"\" TERM; {CLEAN}; sleep {FOR_EVER} & echo $! > @OUT@/left; while :; do sleep 1; done"),
            "took longer than 1s",
        ),
        ("stopped", format!("{CLEAN}; echo $$ > @OUT@/left; kill -STOP $$"), "took longer than 1s"),
        ("holds the output", format!("{CLEAN}; sleep {FOR_EVER} & echo $! > @OUT@/left"), "keeps its output open"),
        (
            "holds it from another session",
            format!(
                "{CLEAN}; setsid sh -c \"echo \\$\\$ > @OUT@/left; exec sleep {FOR_EVER}\" & while ! test -s @OUT@/left; do sleep 0.02; done"
            ),
            "keeps its output open",
        ),
    ] {
        let desk = Desk::with(&tool("lint", &script, "timeout = \"1s\""));
        let (code, printed) = desk.run(&["review", "--trust"]);
        assert_eq!(code, Some(4), "{what}: {printed}");
        assert!(printed.contains(said), "{what}: {printed}");
        if desk.out("left").exists() {
            assert!(!outlives(number_in(&desk.out("left"))), "{what}: somebody was left behind");
        }
        assert!(desk.left_behind().is_empty(), "{what}");
        assert_eq!(desk.run(&["gate"]).0, Some(4), "{what}");
    }
}

#[test]
fn whoever_forks_twice_and_leaves_the_session_is_ended_too() {
    // The second has nothing left by which it could be told whose it was.
    for through in ["", "env -i PATH=\"$PATH\""] {
        let desk = Desk::with(&tool("lint", &format!("{}; {CLEAN}", escape(through)), ""));
        let (code, printed) = desk.run(&["review", "--trust"]);
        assert_eq!(code, Some(0), "{through}: {printed}");
        assert!(!outlives(number_in(&desk.out("escaped"))), "{through}: somebody escaped");
    }
}

/// A shell that becomes Jury had children of its own, which nobody asked Jury to end.
#[test]
fn whoever_was_there_before_is_left_alone() {
    let desk = Desk::with(&tool("lint", &format!("{}; {CLEAN}", escape("")), ""));
    let mut command = std::process::Command::new("sh");
    let before = desk.out("before");
    command.args([
        "-c",
        "sleep 60 >/dev/null 2>&1 & echo $! > $1; exec \"$0\" review --trust",
        env!("CARGO_BIN_EXE_jury"),
    ]);
    command.arg(&before);
    desk.surround(&mut command);
    let (code, printed) = ended(command.spawn().unwrap());
    assert_eq!(code, Some(0), "{printed}");
    let before = number_in(&before);
    assert!(is_alive(before), "somebody else's child was ended");
    signal(before, "KILL");
    assert!(!outlives(number_in(&desk.out("escaped"))), "somebody escaped");
}

/// One reviewer leaves somebody behind; another one has a helper of its own kind, which nobody may touch before it has ended.
#[test]
fn a_run_ends_only_those_who_escaped_from_it() {
    let leaves = tool("leaves", &format!("{}; {CLEAN}", escape("")), "");
    let helped = "setsid sh -c \"(sh -c \\\"echo \\\\$\\\\$ > @OUT@/helper; while ! test -e @OUT@/asked; do sleep 0.02; done; \
        sleep 0.3; echo done > @OUT@/answer\\\" >/dev/null 2>&1 &)\" >/dev/null 2>&1; \
        while ! test -s @OUT@/escaped; do sleep 0.02; done; e=$(cat @OUT@/escaped); while test -d /proc/$e; do sleep 0.02; done; \
        touch @OUT@/asked; while ! test -s @OUT@/answer; do sleep 0.02; done";
    let helped = tool("helped", &format!("{helped}; {CLEAN}"), "timeout = \"5m\"");
    let desk = Desk::with(&format!("[policy]\nparallel = 2\n{leaves}{helped}"));
    let (code, printed) = desk.run(&["review", "--trust"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(!outlives(number_in(&desk.out("helper"))));
}
