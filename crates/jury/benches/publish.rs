//! Planning 1,000 findings against 1,000 threads: the CPU time of one plan, for a state in which everything is said, and for one in which
//! every text differs. Run by `cargo xtask bench`.

use std::collections::BTreeSet;

use jury::model::{Outcome, Severity, Status};
use jury::publish::{Action, Anchor, Comment, Finding, ForgeState, Hangs, Key, Publication, Spot, Thread, plan};
use jury_testkit::clock;

const FINDINGS: u32 = 1_000;
/// The most that a plan may take, in milliseconds of one core.
const MOST: u128 = 50;
const TURNS: u32 = 20;

fn finding(number: u32) -> Finding {
    let spot = Spot { new: number, old: None };
    let path = format!("src/file{}.ts", number % 50);
    Finding {
        key: Key {
            fingerprint: format!("{:032x}", u128::from(number) * 7919),
            id: format!("security-3213ecb0-{number}"),
        },
        severity: if number.is_multiple_of(3) { Severity::Blocker } else { Severity::Medium },
        status: Status::Open,
        is_settled: false,
        title: format!("Command injection: shell command built from `folder{number}`"),
        why: Some("Whoever chooses the folder runs commands on the server, with its rights. ".repeat(4)),
        fix: Some("Run the program without a shell.".to_owned()),
        domain: "security".to_owned(),
        rule: Some("js-command-injection".to_owned()),
        path: Some(path.clone()),
        lines: Some((number, number)),
        anchor: Anchor::Lines { path, old_path: None, start: spot, end: spot },
        suggestion: None,
    }
}

fn publication(findings: Vec<Finding>) -> Publication {
    Publication {
        head: "c".repeat(40),
        tree: "7".repeat(40),
        review_id: "a3f8c12b".to_owned(),
        verdict: "FAIL".to_owned(),
        outcome: Outcome::Blocked,
        owed: Vec::new(),
        unseen: Vec::new(),
        findings,
        new: Vec::new(),
        decided: Vec::new(),
        cost: None,
        report: None,
        attestation: None,
        run_link: None,
        now: "2026-02-16T10:00:00Z".to_owned(),
    }
}

/// A forge on which all of them have a thread: only so many begin at once.
fn state(findings: &[Finding]) -> ForgeState {
    let mut state = ForgeState::default();
    for some in findings.chunks(100) {
        for action in plan(&publication(some.to_vec()), &ForgeState::default(), &BTreeSet::new()).actions {
            let Action::Open(new) = action else { continue };
            for (number, new) in new.into_iter().enumerate() {
                let Some((path, Some(line))) = new.anchor.place() else { continue };
                let id = format!("{}-{number}", state.threads.len());
                let comments = vec![Comment { id: id.clone(), is_ours: true, body: new.body.clone() }];
                let at = Hangs::Line(path.to_owned(), line);
                state.threads.push(Thread { id, at, is_resolved: false, is_resolved_by_us: false, comments });
            }
        }
    }
    state
}

#[allow(clippy::print_stdout)]
fn main() {
    let findings: Vec<Finding> = (1..=FINDINGS).map(finding).collect();
    let state = state(&findings);
    let mut changed = findings.clone();
    changed.iter_mut().for_each(|it| it.why = Some("Another reason.".to_owned()));
    for (name, findings, writes) in [("all said", findings, 0), ("all edited", changed, FINDINGS as usize)] {
        let wanted = publication(findings);
        let ((), spent) = clock::cpu_time(|| {
            for _ in 0..TURNS {
                let made = plan(&wanted, &state, &BTreeSet::new());
                assert_eq!((state.threads.len(), made.actions.len()), (FINDINGS as usize, writes), "{name}");
            }
        });
        let spent = spent.as_millis() / u128::from(TURNS);
        println!("publish: {FINDINGS} findings against {FINDINGS} threads, {name}: {spent} ms of CPU");
        assert!(spent < MOST, "{name}: {spent} ms, at most {MOST}");
    }
}
