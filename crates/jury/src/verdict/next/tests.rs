//! The rows of 003, and the law that holds the next action and the gate together, over every combination.

use super::*;
use crate::model::{AcceptWontFix, Policy};
use crate::verdict::{Case, DecidedBy, Decision, Match, People, gate};

fn finding(text: &str, policy: &Policy) -> FindingState {
    let words: Vec<&str> = text.split(' ').collect();
    let severity = Severity::ALL.into_iter().find(|of| of.word() == words[1]).unwrap();
    let is_gap = words.contains(&"gap");
    FindingState {
        id: words[0].to_owned(),
        severity,
        status: Status::from_token(words[2]).unwrap(),
        is_gap,
        owner: if words.contains(&"person") { GateOwner::Person } else { GateOwner::Agent },
        closes: is_gap || policy.closes(severity, "."),
    }
}

fn case(verdict: ReviewVerdict, findings: &[&str], policy: &Policy) -> Case {
    Case {
        review_id: "a3f8c12b".to_owned(),
        verdict,
        findings: findings.iter().map(|text| finding(text, policy)).collect(),
        accept_wont_fix: policy.accept_wont_fix,
        tree: Match::SameTree,
        uncommitted: Some(Vec::new()),
        not_whole: None,
        is_same_policy: true,
        ended: Vec::new(),
        beyond: Vec::new(),
        new: Vec::new(),
        gaps: Vec::new(),
        people: People::default(),
    }
}

fn after(mode: Mode, case: &Case) -> Next {
    let gate = gate(Some(case));
    let (verdict, findings) = (case.verdict, case.findings.clone());
    next(Some(&Situation { mode, verdict, findings, gate: &gate, needs_review: None }))
}

fn said(next: &Next) -> (Action, String) {
    let Next { action, required, person, recommended, optional, .. } = next;
    (*action, [required, person, recommended, optional].map(|ids| ids.join(",")).join(" / "))
}

fn full(verdict: ReviewVerdict, findings: &[&str]) -> (Action, String) {
    said(&after(Mode::Full, &case(verdict, findings, &Policy::default())))
}

fn row(action: Action, ids: &str) -> (Action, String) {
    (action, ids.to_owned())
}

#[test]
fn every_row_after_a_review() {
    use Action::*;
    use ReviewVerdict::*;
    assert_eq!(next(None).action, Review);
    assert_eq!(full(Pass, &[]), row(ProceedToPr, " /  /  / "));
    assert_eq!(full(Pass, &["m Medium open", "l Low open", "i Info open"]), row(ProceedToPr, " /  / m / l,i"));
    assert_eq!(full(Warn, &["h High open", "m Medium open"]), row(Fix, "h /  / m / "));
    assert_eq!(full(Warn, &["h High fixed", "k High open"]), row(Fix, "k /  /  / "));
    assert_eq!(full(Warn, &["h High fixed"]), row(Verify, "h /  /  / "));
    assert_eq!(full(Warn, &["h High verified"]), row(ProceedToPr, " /  /  / "));
    assert_eq!(full(Warn, &["h High reopened"]), row(Fix, "h /  /  / "));
    assert_eq!(full(Fail, &["h High open", "b Blocker open", "m Medium open"]), row(Fix, "b,h /  / m / "));
    assert_eq!(full(Abort, &["b Blocker open", "h High open"]), row(Halt, "b /  /  / "));
    assert_eq!(full(Abort, &["b Blocker fixed"]), row(Halt, "b /  /  / "));
    assert_eq!(full(Warn, &["g High open gap"]), row(Review, "g /  /  / "));
    assert_eq!(full(Warn, &["g High wont_fix gap"]), row(Review, "g /  /  / "));
    assert_eq!(full(Warn, &["g High open gap", "h High open"]), row(Fix, "h /  /  / "));
}

#[test]
fn a_person_is_asked_if_nothing_is_left_for_the_agent() {
    use Action::*;
    use ReviewVerdict::*;
    assert_eq!(full(Warn, &["g High open gap person"]), row(AskPerson, " / g /  / "));
    assert_eq!(full(Warn, &["h High open person", "m Medium open"]), row(AskPerson, " / h / m / "));
    assert_eq!(full(Warn, &["h High open person", "k High open"]), row(Fix, "k / h /  / "));
    assert_eq!(full(Warn, &["h High open person", "k High fixed"]), row(Verify, "k / h /  / "));
    // Declined with a reason, it is decided in the pull request.
    assert_eq!(full(Pass, &["h High wont_fix"]), row(ProceedToPr, " / h /  / "));
    assert_eq!(full(Pass, &["g High wont_fix gap person"]), row(ProceedToPr, " / g /  / "));
    assert_eq!(full(Warn, &["h High wont_fix", "g High open gap person"]), row(AskPerson, " / g,h /  / "));
    let uncommitted = Case {
        uncommitted: Some(vec!["a".to_owned()]),
        ..case(Pass, &["g High wont_fix gap person"], &Policy::default())
    };
    assert_eq!(after(Mode::Full, &uncommitted).action, Commit);
}

#[test]
fn a_policy_that_lets_a_high_pass_recommends_it() {
    let lax = Policy { block_at: Severity::Blocker, ..Policy::default() };
    let next = after(Mode::Full, &case(ReviewVerdict::Warn, &["h High open", "m Medium open"], &lax));
    assert_eq!(said(&next), row(Action::ProceedToPr, " /  / h,m / "));
    let strict = Policy { block_at: Severity::Medium, ..Policy::default() };
    let next = after(Mode::Full, &case(ReviewVerdict::Pass, &["m Medium open", "l Low open"], &strict));
    assert_eq!(said(&next), row(Action::Fix, "m /  /  / l"));
}

#[test]
fn another_tree_is_verified_or_reviewed_or_committed() {
    use Action::*;
    let policy = Policy::default();
    let moved = |findings: &[&str]| {
        let case = Case { tree: Match::Differs(vec!["a".to_owned()]), ..case(ReviewVerdict::Pass, findings, &policy) };
        after(Mode::Verify, &case).action
    };
    assert_eq!(moved(&[]), Review);
    assert_eq!(moved(&["h High fixed"]), Verify);
    assert_eq!(moved(&["h High open"]), Fix);
    assert_eq!(moved(&["m Medium fixed"]), Verify);
    let uncommitted = |findings: &[&str]| {
        let case = Case { uncommitted: Some(vec!["a".to_owned()]), ..case(ReviewVerdict::Pass, findings, &policy) };
        after(Mode::Full, &case).action
    };
    assert_eq!(uncommitted(&["m Medium open"]), Commit);
    assert_eq!(uncommitted(&["h High verified"]), Commit);
    assert_eq!(uncommitted(&["h High open"]), Fix);
    assert_eq!(uncommitted(&["h High fixed"]), Verify);
    assert_eq!(uncommitted(&["g High open gap"]), Review);
    assert_eq!(uncommitted(&["g High open gap person"]), Commit);
}

#[test]
fn more_than_the_fixes_is_reviewed_once_nothing_else_is_left() {
    let after = |findings: &[&str]| {
        let case = Case { beyond: vec!["a".to_owned()], ..case(ReviewVerdict::Pass, findings, &Policy::default()) };
        let gate = gate(Some(&case));
        let (mode, verdict) = (Mode::Verify, ReviewVerdict::Pass);
        let situation =
            Situation { mode, verdict, findings: case.findings, gate: &gate, needs_review: Some("more has changed") };
        next(Some(&situation)).action
    };
    assert_eq!(after(&["h High verified"]), Action::Review);
    assert_eq!(after(&["h High reopened"]), Action::Fix);
    assert_eq!(after(&["h High fixed"]), Action::Verify);
}

#[test]
fn a_quick_check_hides_nothing() {
    use Action::*;
    use ReviewVerdict::*;
    let policy = Policy::default();
    let quick = |verdict, findings: &[&str], full: Option<&Case>| {
        let gate = gate(full);
        let findings = findings.iter().map(|text| finding(text, &policy)).collect();
        said(&next(Some(&Situation { mode: Mode::Quick, verdict, findings, gate: &gate, needs_review: None })))
    };
    assert_eq!(quick(Fail, &["h High open", "b Blocker open"], None), row(Fix, "b,h /  /  / "));
    assert_eq!(quick(Warn, &["h High open", "m Medium open"], None), row(Fix, "h /  / m / "));
    assert_eq!(quick(Pass, &["m Medium open", "l Low open", "i Info open"], None), row(Continue, " /  / m / l,i"));
    assert_eq!(quick(Pass, &[], None), row(Continue, " /  /  / "));
    assert_eq!(quick(Warn, &["h High fixed"], None), row(Review, "h /  /  / "));
    assert_eq!(quick(Warn, &["g High open gap"], None), row(Review, "g /  /  / "));
    assert_eq!(quick(Warn, &["g High open gap person"], None), row(Continue, " / g /  / "));
    assert_eq!(quick(Abort, &["b Blocker open"], None), row(Halt, "b /  /  / "));
    let left = case(Warn, &["x High open", "y High fixed"], &policy);
    assert_eq!(quick(Pass, &[], Some(&left)), row(Fix, "x /  /  / "));
    let claimed = case(Warn, &["y High fixed"], &policy);
    assert_eq!(quick(Pass, &[], Some(&claimed)), row(Verify, "y /  /  / "));
    assert_eq!(quick(Warn, &["h High open"], Some(&left)), row(Fix, "h /  /  / "));
}

/// The law: the pull request is opened only if the gate is clear, or waits for a person and no High is left standing in the
/// file; and never is an action missing for a closed gate. Over every combination of two findings, policies, modes and states; which
/// of the two comes first decides nothing.
#[test]
fn the_next_action_never_contradicts_the_gate() {
    let mut seen = 0;
    for block_at in [Severity::Blocker, Severity::High, Severity::Medium] {
        for accept_wont_fix in AcceptWontFix::ALL {
            let policy = Policy { block_at, accept_wont_fix: *accept_wont_fix, ..Policy::default() };
            let kinds = kinds();
            for (a, b) in kinds.iter().enumerate().flat_map(|(at, a)| kinds[at..].iter().map(move |b| (a, b))) {
                let findings = [format!("a {a}"), format!("b {b}")];
                let findings: Vec<&str> = findings.iter().map(String::as_str).collect();
                for state in 0..STATES {
                    let case = in_state(case(ReviewVerdict::Warn, &findings, &policy), state, &policy);
                    seen += 1;
                    for mode in [Mode::Full, Mode::Verify] {
                        for needs_review in [None, Some("more has changed")] {
                            holds(&case, mode, needs_review);
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 60_000, "{seen}");
}

/// The law for a quick check beside a full review: it opens no pull request, and it says `continue` only if neither has anything
/// left that the agent can settle.
#[test]
fn a_quick_check_never_contradicts_the_gate() {
    let kinds = kinds();
    for block_at in [Severity::Blocker, Severity::High, Severity::Medium] {
        let policy = Policy { block_at, ..Policy::default() };
        for (quick, full) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
            for state in 0..STATES {
                let (quick, full) = (format!("q {quick}"), format!("f {full}"));
                let case = in_state(case(ReviewVerdict::Warn, &[&full], &policy), state, &policy);
                let (gate, found) = (gate(Some(&case)), finding(&quick, &policy));
                let (findings, verdict) = (vec![found.clone()], ReviewVerdict::Warn);
                let situation = Situation { mode: Mode::Quick, verdict, findings, gate: &gate, needs_review: None };
                let next = next(Some(&situation));
                assert_ne!(next.action, Action::ProceedToPr, "{case:?}");
                let agents = |it: &FindingState| it.owner == GateOwner::Agent;
                let is_high = [Severity::Blocker, Severity::High].contains(&found.severity);
                let is_left = if found.is_gap {
                    agents(&found)
                } else {
                    (is_high && found.status.stands()) || ((is_high || found.closes) && found.status == Status::Fixed)
                };
                let is_left = is_left || gate.left().any(|it| agents(it) || it.status == Status::Fixed && !it.is_gap);
                assert_eq!(next.action == Action::Continue, !is_left, "{case:?} {found:?} {next:?}");
                assert!(!is_left || !next.required.is_empty(), "{case:?} {found:?}");
            }
        }
    }
}

/// Returns every kind of finding, and of gap, which is always High.
fn kinds() -> Vec<String> {
    let findings = ["Blocker", "High", "Medium"].into_iter().flat_map(|it| [it, it].into_iter().zip(["", " person"]));
    let gaps = [("High", " gap"), ("High", " gap person")];
    let of =
        |(severity, more): (&str, &str)| Status::ALL.iter().map(move |it| format!("{severity} {it}{more}")).collect();
    findings.chain(gaps).flat_map(|kind| -> Vec<String> { of(kind) }).collect()
}

const STATES: usize = 11;

/// Returns a case with one more condition that does not hold.
fn in_state(case: Case, state: usize, policy: &Policy) -> Case {
    let paths = || vec!["x".to_owned()];
    match state {
        1 => Case { tree: Match::Differs(paths()), ..case },
        2 => Case { uncommitted: Some(paths()), ..case },
        3 => Case { is_same_policy: false, ..case },
        4 => Case { ended: paths(), ..case },
        5 => Case { not_whole: Some("a file".to_owned()), ..case },
        6 => Case { beyond: paths(), ..case },
        7 => Case { gaps: paths(), ..case },
        8 => Case { new: vec![finding("n High open", policy)], ..case },
        9 => settled(case, 1),
        10 => settled(case, usize::MAX),
        _ => case,
    }
}

/// Returns a case whose first findings people have settled.
fn settled(case: Case, first: usize) -> Case {
    let by = || DecidedBy::People { given: 1, needed: 1, names: Vec::new(), acceptances: Vec::new() };
    let decision = |it: &FindingState| Decision { id: it.id.clone(), by: by(), is_settled: true };
    let decided = case.findings.iter().take(first).map(decision).collect();
    Case { people: People { decided }, ..case }
}

fn holds(case: &Case, mode: Mode, needs_review: Option<&'static str>) {
    for verdict in [case.verdict, ReviewVerdict::Abort] {
        let case = Case { verdict, ..case.clone() };
        let gate = gate(Some(&case));
        let findings = case.findings.clone();
        let next = next(Some(&Situation { mode, verdict, findings, gate: &gate, needs_review }));
        let high = [Severity::Blocker, Severity::High];
        let is_settled = |it: &FindingState| case.people.have_settled(&it.id);
        let is_left = |it: &FindingState| it.status.stands() && !is_settled(it);
        let is_high_left = case.findings.iter().any(|it| high.contains(&it.severity) && is_left(it));
        let expected: &[Action] = match gate.outcome {
            Outcome::Clear => &[Action::ProceedToPr],
            Outcome::Waiting if is_high_left => &[Action::AskPerson],
            Outcome::Waiting => &[Action::ProceedToPr],
            Outcome::Aborted => &[Action::Halt],
            Outcome::Blocked | Outcome::Incomplete => &[Action::Fix, Action::Verify, Action::Review, Action::Commit],
        };
        assert!(expected.contains(&next.action), "{case:?} {gate:?} {next:?}");
        assert!(gate.outcome != Outcome::Waiting || !next.person.is_empty(), "{case:?}");
        assert!(next.action != Action::Commit || gate.fails(Condition::Committed), "{case:?}");
        assert!(next.action != Action::Fix || !next.required.is_empty(), "{case:?}");
        // What is to be fixed or decided is what the gate waits for.
        let failing: Vec<&String> = gate.checked.iter().flat_map(|it| &it.findings).map(|it| &it.id).collect();
        let is_named = |id: &String| next.action == Action::Halt || failing.contains(&id);
        assert!(next.required.iter().chain(&next.person).all(is_named), "{case:?} {next:?}");
        // What people have settled is asked of nobody, but for an abort, and a fix that is only claimed.
        let is_claimed =
            |id: &str| case.findings.iter().any(|it| it.id == id && it.status == Status::Fixed && !it.is_gap);
        let asked = next.required.iter().chain(&next.person).chain(&next.recommended).chain(&next.optional);
        let is_open = |id: &String| next.action == Action::Halt || !case.people.have_settled(id) || is_claimed(id);
        assert!(asked.into_iter().all(is_open), "{case:?} {next:?}");
    }
}
