use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::anchor::Spot;
use super::super::body::{Suggestion, longest};
use super::super::state::{Comment, Thread};
use super::super::{Abilities, Key};
use super::*;
use crate::model::{Outcome, Severity, Status};

/// A forge in memory: applies what is planned, as a well-behaved one does.
pub(crate) fn apply(state: &mut ForgeState, action: &Action) {
    let ours = |id: String, body: &str| Comment { id, is_ours: true, body: body.to_owned() };
    let number = state.comments.len() + state.threads.iter().map(|it| it.comments.len()).sum::<usize>() + 1;
    let thread = |state: &mut ForgeState, id: &str| state.threads.iter().position(|it| it.id == id).unwrap();
    match action {
        Action::Discard { draft } => state.drafts.retain(|it| it != draft),
        Action::Open(new) => {
            for (index, new) in new.iter().enumerate() {
                let at = match new.anchor.place() {
                    Some((path, Some(line))) => Hangs::Line(path.to_owned(), line),
                    Some((path, None)) => Hangs::File(path.to_owned()),
                    None => panic!("nowhere: {new:?}"),
                };
                let body = if matches!(at, Hangs::Line(..)) { &new.body } else { &new.plain };
                let id = format!("t{}", number + index);
                let comments = vec![ours(format!("c{}", number + index), body)];
                state.threads.push(Thread { id, at, is_resolved: false, is_resolved_by_us: false, comments });
            }
        }
        Action::Edit { thread: id, comment, body } => {
            let at = thread(state, id);
            let found = state.threads[at].comments.iter_mut().find(|it| it.id == *comment).unwrap();
            assert!(found.is_ours, "only our own comments are edited");
            found.body = body.clone();
        }
        Action::Reply { thread: id, body, .. } => {
            let at = thread(state, id);
            state.threads[at].comments.push(ours(format!("c{number}"), body));
        }
        Action::Resolve { thread: id, .. } => {
            let at = thread(state, id);
            (state.threads[at].is_resolved, state.threads[at].is_resolved_by_us) = (true, true);
        }
        Action::Unresolve { thread: id, .. } => {
            let at = thread(state, id);
            (state.threads[at].is_resolved, state.threads[at].is_resolved_by_us) = (false, false);
        }
        Action::Summarise { comment, body } => match comment {
            Some(id) => state.comments.iter_mut().find(|it| it.id == *id).unwrap().body = body.clone(),
            None => state.comments.push(ours(format!("c{number}"), body)),
        },
        Action::Set(signal) => state.signal = Some((signal.state == SignalState::Success, signal.title.clone())),
    }
}

fn all(plan: Plan) -> Vec<Action> {
    plan.actions.into_iter().chain(plan.last).collect()
}

/// Plans and applies until nothing is left, at most so many writes.
fn publish(wanted: &Publication, state: &mut ForgeState, mut most: usize) -> Vec<Action> {
    let mut done = Vec::new();
    for _ in 0..4 {
        let plan = plan(wanted, state, &BTreeSet::new());
        let now = if plan.actions.is_empty() { plan.last } else { plan.actions };
        if now.is_empty() {
            break;
        }
        for action in now {
            if most == 0 {
                return done;
            }
            most -= 1;
            apply(state, &action);
            done.push(action);
        }
    }
    done
}

fn finding(number: u32, status: Status) -> Finding {
    let spot = Spot { new: number, old: None };
    let (path, old_path) = ("src/a.ts".to_owned(), None);
    Finding {
        key: Key { fingerprint: format!("{number:032x}"), id: format!("security-3213ecb0-{number}") },
        severity: if number.is_multiple_of(3) { Severity::Blocker } else { Severity::High },
        status,
        is_settled: false,
        title: format!("Defect {number}"),
        why: Some("It hurts.".to_owned()),
        fix: Some("Mend it.".to_owned()),
        domain: "security".to_owned(),
        rule: Some("js-eval".to_owned()),
        path: Some(path.clone()),
        lines: Some((number, number)),
        anchor: Anchor::Lines { path, old_path, start: spot, end: spot },
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

fn words(actions: &[Action]) -> Vec<&'static str> {
    let word = |action: &Action| match action {
        Action::Discard { .. } => "discard",
        Action::Open(_) => "open",
        Action::Edit { .. } => "edit",
        Action::Reply { .. } => "reply",
        Action::Resolve { .. } => "resolve",
        Action::Unresolve { .. } => "unresolve",
        Action::Summarise { .. } => "summarise",
        Action::Set(_) => "set",
    };
    actions.iter().map(word).collect()
}

#[test]
fn every_row_of_the_lifecycle() {
    let mut state = ForgeState::default();
    let mut wanted = publication(vec![finding(3, Status::Open)]);
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["open", "summarise", "set"]);
    assert_eq!(publish(&wanted, &mut state, 99), [], "said already");
    wanted.findings[0].why = Some("It hurts a lot.".to_owned());
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["edit"]);
    state.threads[0].at = Hangs::Outdated;
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["reply"]);
    assert_eq!(publish(&wanted, &mut state, 99), [], "one reply");
    wanted.findings[0].lines = Some((9, 9));
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["edit", "summarise"], "the reply goes along");
    state.threads[0].is_resolved = true;
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["summarise"], "left to the person, and counted");
    assert_eq!(plan(&wanted, &state, &BTreeSet::new()).resolved_by_people, 1);
    wanted.findings[0].status = Status::Reopened;
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["unresolve", "reply", "edit", "summarise"]);
    state.threads[0].is_resolved = true;
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["summarise"], "said once, then left to the person");
    state.threads[0].is_resolved = false;
    wanted.findings[0].status = Status::Verified;
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["reply", "resolve", "summarise", "set"]);
    assert!(state.threads[0].is_resolved_by_us);
    assert_eq!(publish(&wanted, &mut state, 99), []);
    wanted.findings[0].status = Status::Open;
    assert_eq!(words(&publish(&wanted, &mut state, 99))[..2], ["unresolve", "reply"], "it is back");
    wanted.findings.clear();
    let before = state.threads.clone();
    assert_eq!(words(&publish(&wanted, &mut state, 99)), ["summarise", "set"]);
    assert_eq!(state.threads, before, "absent is not fixed");
}

#[test]
fn a_marker_counts_in_our_own_comments_only() {
    let wanted = publication(vec![finding(3, Status::Verified)]);
    let mut state = ForgeState::default();
    publish(&publication(vec![finding(3, Status::Open)]), &mut state, 99);
    let mut forged = state.clone();
    forged.threads[0].comments[0].is_ours = false;
    forged.comments[0].is_ours = false;
    let actions = all(plan(&wanted, &forged, &BTreeSet::new()));
    assert_eq!(words(&actions), ["summarise", "set"]);
    assert!(matches!(&actions[0], Action::Summarise { comment: None, .. }));
    let mut told = state;
    let forged = Comment { id: "x".to_owned(), is_ours: false, body: Kind::Verified.line(&wanted.findings[0].key) };
    told.threads[0].comments.push(forged);
    assert_eq!(words(&all(plan(&wanted, &told, &BTreeSet::new())))[..2], ["reply", "resolve"]);
}

#[test]
fn somebody_who_answers_what_we_verified_keeps_the_thread_open() {
    let mut state = ForgeState::default();
    publish(&publication(vec![finding(3, Status::Open)]), &mut state, 99);
    let wanted = publication(vec![finding(3, Status::Verified)]);
    publish(&wanted, &mut state, 99);
    state.threads[0].is_resolved = false;
    state.threads[0].comments.push(Comment { id: "p".to_owned(), is_ours: false, body: "Really?".to_owned() });
    assert!(!words(&publish(&wanted, &mut state, 99)).contains(&"resolve"));
}

#[test]
fn twins_are_told_apart_and_a_verified_one_takes_no_thread_by_its_order() {
    let twin = |line: u32, status| {
        let mut twin = finding(line, status);
        twin.key.fingerprint = "f".repeat(32);
        twin
    };
    let mut state = ForgeState::default();
    publish(&publication(vec![twin(3, Status::Open), twin(8, Status::Open)]), &mut state, 99);
    let wanted = publication(vec![twin(3, Status::Open), twin(8, Status::Verified)]);
    publish(&wanted, &mut state, 99);
    let resolved: Vec<bool> = state.threads.iter().map(|it| it.is_resolved).collect();
    assert_eq!(resolved, [false, true]);
    // Under other ids, the fixed one could be either.
    let mut state = ForgeState::default();
    publish(&publication(vec![twin(3, Status::Open), twin(8, Status::Open)]), &mut state, 99);
    publish(&publication(vec![twin(5, Status::Open), twin(10, Status::Verified)]), &mut state, 99);
    assert!(state.threads.iter().all(|it| !it.is_resolved));
}

#[test]
fn an_edit_beside_a_finding_tells_nobody_twice() {
    let mut state = ForgeState::default();
    publish(&publication(vec![finding(3, Status::Open)]), &mut state, 99);
    let mut other = finding(3, Status::Open);
    other.key = Key { fingerprint: "e".repeat(32), id: "security-3213ecb0-5".to_owned() };
    let actions = publish(&publication(vec![other.clone()]), &mut state, 99);
    assert!(!words(&actions).contains(&"open"), "{actions:?}");
    assert_eq!(Key::of(&state.threads[0].comments[0].body).map(|it| it.fingerprint), Some("e".repeat(32)));
    // Only one that stands, and only where there is no doubt.
    let verified = Finding {
        status: Status::Verified,
        key: Key { fingerprint: "a".repeat(32), ..other.key.clone() },
        ..other.clone()
    };
    publish(&publication(vec![verified]), &mut state, 99);
    assert!(!state.threads[0].is_resolved);
    let twins = ["b", "c"].map(|digit| Finding {
        key: Key { fingerprint: digit.repeat(32), id: format!("security-3213ecb0-7{digit}") },
        ..other.clone()
    });
    assert!(words(&publish(&publication(twins.into()), &mut state, 99)).contains(&"open"));
}

#[test]
fn what_the_forge_has_no_place_for_is_in_the_summary_and_not_tried_again() {
    let wanted = publication(vec![finding(3, Status::Open)]);
    let mut state = ForgeState::default();
    let refused = BTreeSet::from([wanted.findings[0].key.fingerprint.clone()]);
    for action in plan(&wanted, &state, &refused).last {
        apply(&mut state, &action);
    }
    assert!(state.comments[0].body.contains("no place for a comment"));
    assert_eq!(publish(&wanted, &mut state, 99), []);
    let next = Publication { head: "d".repeat(40), ..wanted };
    assert!(words(&publish(&next, &mut state, 99)).contains(&"open"), "another commit is tried again");
}

#[test]
fn a_long_review_keeps_what_blocks_and_stays_within_the_limit() {
    let many = (1..=2_000).map(|number| {
        let mut it = finding(number, Status::Open);
        it.severity = if number > 1_990 { Severity::Blocker } else { Severity::Low };
        (it.title, it.why) = ("@org/team closes #1 ".repeat(6), Some("<".repeat(200_000)));
        it
    });
    let wanted = publication(many.collect());
    let mut state = ForgeState::default();
    publish(&wanted, &mut state, 99);
    assert_eq!(state.threads.len(), MOST_THREADS);
    assert!(state.threads.iter().all(|it| it.comments[0].body.len() <= longest()));
    let summary = &state.comments[0].body;
    assert!(summary.len() <= longest(), "{}", summary.len());
    assert!(summary.contains("more (0 of them Blocker or High)"), "{summary}");
    assert_eq!(summary.matches("| Blocker |").count(), 10);
}

#[test]
fn a_suggestion_is_made_for_exactly_the_commented_lines() {
    let mut it = finding(3, Status::Open);
    it.suggestion = Some(Suggestion { lines: (3, 3), text: "safe(x);".to_owned() });
    let abilities = |suggestion| Abilities { suggestion, ..Abilities::default() };
    let written = |it: &Finding, form| thread(it, &abilities(form), true);
    assert!(written(&it, super::super::SuggestionForm::Range).contains("```suggestion\nsafe(x);\n```"));
    assert!(written(&it, super::super::SuggestionForm::Counted).contains("```suggestion:-0+0\n"));
    assert!(!written(&it, super::super::SuggestionForm::None).contains("```suggestion"));
    assert!(!thread(&it, &Abilities::default(), false).contains("```suggestion"));
    // The token was never issued, though its checksum is right.
    let secret = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW11ySowm"].join("_");
    for text in ["/close", "a\n  /merge", "a\u{202e}b", &format!("const token = \"{secret}\";")] {
        it.suggestion = Some(Suggestion { lines: (3, 3), text: text.to_owned() });
        assert!(!written(&it, super::super::SuggestionForm::Range).contains("suggestion"), "{text}");
    }
    it.suggestion = Some(Suggestion { lines: (3, 3), text: "````\nx".to_owned() });
    assert!(written(&it, super::super::SuggestionForm::Range).contains("`````suggestion\n````\nx\n`````"));
    it.suggestion = Some(Suggestion { lines: (3, 4), text: "x".to_owned() });
    assert!(!written(&it, super::super::SuggestionForm::Range).contains("suggestion"));
}

#[test]
fn waiting_and_a_gap_are_failures() {
    for outcome in [Outcome::Waiting, Outcome::Incomplete, Outcome::Blocked, Outcome::Aborted] {
        let wanted = Publication { outcome, ..publication(Vec::new()) };
        let plan = plan(&wanted, &ForgeState::default(), &BTreeSet::new());
        assert!(matches!(&plan.last[1], Action::Set(signal) if signal.state == SignalState::Failure), "{outcome:?}");
    }
}

fn statuses() -> impl Strategy<Value = Status> {
    prop_oneof![
        Just(Status::Open),
        Just(Status::Fixed),
        Just(Status::Verified),
        Just(Status::Reopened),
        Just(Status::WontFix)
    ]
}

/// A review of some of twelve findings, some of them twins, somewhere.
fn reviews() -> impl Strategy<Value = Publication> {
    let one = (1u32..12, statuses(), 1u32..30, any::<bool>());
    prop::collection::btree_map(1u32..12, one, 0..8).prop_map(|all| {
        let findings = all.into_iter().map(|(number, (_, status, line, is_twin))| {
            let mut it = finding(number, status);
            it.lines = Some((line, line));
            if is_twin {
                it.key.fingerprint = "f".repeat(32);
            }
            it
        });
        publication(findings.collect())
    })
}

/// What a person does to a thread between two runs.
fn meddle(state: &mut ForgeState, what: &[(usize, u8)]) {
    for (at, what) in what {
        let count = state.threads.len();
        let Some(thread) = state.threads.get_mut(at % count.max(1)) else { continue };
        match what % 4 {
            0 => (thread.is_resolved, thread.is_resolved_by_us) = (true, false),
            1 => (thread.is_resolved, thread.is_resolved_by_us) = (false, false),
            2 => thread.at = Hangs::Outdated,
            _ => thread.comments.push(Comment { id: "p".to_owned(), is_ours: false, body: "No.".to_owned() }),
        }
    }
}

proptest! {
    #[test]
    fn publishing_twice_is_publishing_once(
        days in prop::collection::vec((reviews(), prop::collection::vec((0usize..9, any::<u8>()), 0..4)), 1..5)
    ) {
        let mut state = ForgeState::default();
        for (wanted, people) in days {
            publish(&wanted, &mut state, 999);
            let before = state.clone();
            prop_assert_eq!(publish(&wanted, &mut state, 999), []);
            prop_assert_eq!(&before, &state);
            meddle(&mut state, &people);
        }
    }

    #[test]
    fn after_any_interruption_it_is_published_once(
        first in reviews(), people in prop::collection::vec((0usize..9, any::<u8>()), 0..4), second in reviews(), cut in 0usize..30
    ) {
        let mut state = ForgeState::default();
        publish(&first, &mut state, 999);
        meddle(&mut state, &people);
        let mut whole = state.clone();
        publish(&second, &mut whole, 999);
        publish(&second, &mut state, cut);
        publish(&second, &mut state, 999);
        prop_assert_eq!(whole, state);
    }

    #[test]
    fn a_verified_finding_is_resolved_and_no_other(first in reviews(), second in reviews()) {
        let mut state = ForgeState::default();
        publish(&first, &mut state, 999);
        let before: BTreeSet<String> = state.threads.iter().filter(|it| it.is_resolved).map(|it| it.id.clone()).collect();
        let actions = publish(&second, &mut state, 999);
        for thread in &state.threads {
            let is_touched = actions.iter().any(|it| matches!(it, Action::Resolve { thread: id, .. } if *id == thread.id));
            let print = Key::of(&thread.comments[0].body).unwrap().fingerprint;
            let same: Vec<&Finding> = second.findings.iter().filter(|it| it.key.fingerprint == print).collect();
            if is_touched {
                prop_assert!(same.iter().any(|it| it.is_verified()));
            }
            if !same.is_empty() && same.iter().all(|it| it.is_verified()) && same.len() == 1 {
                let twins = state.threads.iter().filter(|it| Key::of(&it.comments[0].body).unwrap().fingerprint == print);
                prop_assert!(twins.count() > 1 || thread.is_resolved);
            }
            if same.is_empty() {
                prop_assert_eq!(before.contains(&thread.id), thread.is_resolved);
            }
        }
    }
}
