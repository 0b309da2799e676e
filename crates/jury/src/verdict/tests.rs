//! The verdict tables of 000, 001 and 002 against oracles written from the seeds' own words, over every combination of
//! severity, status and system-breaking up to three findings; and the laws that hold for any number.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::decide;
use crate::model::{
    Approval, Attendance, Claim, Domain, Finding, Gap, GapKind, GateVerdict, Outcome, Owner, Policy, ReviewVerdict,
    Reviewer, Severity, Status, Title, Verdict, aggregate,
};

fn domain(name: &str) -> Domain {
    Domain::new(name).unwrap()
}

fn finding(severity: Severity, status: Status, system_breaking: bool) -> Finding {
    let claim = Claim {
        status: Some(status),
        system_breaking,
        ..Claim::new(Title::new("something is wrong").unwrap(), severity)
    };
    Finding::of_claim(domain("security"), claim)
}

fn gap() -> Gap {
    Gap {
        reviewer: domain("qa"),
        kind: GapKind::DeadReviewer,
        what: "qa did not report".to_owned(),
        remedy: "run it again".to_owned(),
    }
}

/// Every finding there can be, as far as a verdict looks at it.
fn every_finding() -> Vec<Finding> {
    let mut all = Vec::new();
    for severity in Severity::ALL {
        for status in Status::ALL {
            for system_breaking in [false, true] {
                all.push(finding(severity, *status, system_breaking));
            }
        }
    }
    all
}

/// Every list of up to three findings.
fn up_to_three(all: &[Finding], mut check: impl FnMut(&[Finding])) {
    check(&[]);
    for a in all {
        check(std::slice::from_ref(a));
        for b in all {
            check(&[a.clone(), b.clone()]);
            for c in all {
                check(&[a.clone(), b.clone(), c.clone()]);
            }
        }
    }
}

/// 000: "Verdict is calculated from findings where `status` is `open` or `reopened`".
fn counted(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| matches!(finding.status, Status::Open | Status::Reopened)).collect()
}

fn oracle_000(findings: &[Finding]) -> ReviewVerdict {
    let findings = counted(findings);
    let blockers: Vec<_> = findings.iter().filter(|f| f.representative.severity == Severity::Blocker).collect();
    let highs = findings.iter().filter(|f| f.representative.severity == Severity::High).count();
    if blockers.iter().any(|f| f.representative.system_breaking) {
        ReviewVerdict::Abort
    } else if !blockers.is_empty() {
        ReviewVerdict::Fail
    } else if highs >= 1 {
        ReviewVerdict::Warn
    } else {
        ReviewVerdict::Pass
    }
}

fn oracle_001(findings: &[Finding]) -> GateVerdict {
    let severities: Vec<Severity> = counted(findings).iter().map(|f| f.representative.severity).collect();
    if severities.contains(&Severity::Blocker) || severities.contains(&Severity::High) {
        GateVerdict::Fail
    } else if severities.contains(&Severity::Medium) {
        GateVerdict::Warn
    } else {
        GateVerdict::Pass
    }
}

fn oracle_002(findings: &[Finding]) -> Approval {
    let findings = counted(findings);
    let count = |severity| findings.iter().filter(|f| f.representative.severity == severity).count();
    let (critical, high) = (count(Severity::Blocker), count(Severity::High));
    if critical > 0 || high > 0 {
        Approval::ChangesRequested
    } else if findings.iter().all(|f| f.representative.severity == Severity::Praise) {
        Approval::Approved
    } else {
        Approval::Commented
    }
}

#[test]
fn the_tables_hold_for_every_combination_up_to_three() {
    let mut combinations = 0;
    up_to_three(&every_finding(), |findings| {
        let verdict = decide(findings, &[], &Policy::default());
        assert_eq!(verdict.review, oracle_000(findings), "{findings:?}");
        assert_eq!(verdict.gate, oracle_001(findings), "{findings:?}");
        assert_eq!(verdict.approval, oracle_002(findings), "{findings:?}");
        let outcome = match (verdict.review, verdict.gate) {
            (ReviewVerdict::Abort, _) => Outcome::Aborted,
            (_, GateVerdict::Fail) => Outcome::Blocked,
            _ => Outcome::Clear,
        };
        assert_eq!(verdict.outcome, outcome, "{findings:?}");
        combinations += 1;
    });
    assert_eq!(combinations, 1 + 60 + 60 * 60 + 60 * 60 * 60);
}

#[test]
fn the_aggregate_of_001_holds_for_every_combination_up_to_three() {
    let spoke = |verdict| Attendance::Spoke { verdict: Some(verdict), confidence: None, file: None };
    let states = [
        spoke(GateVerdict::Pass),
        spoke(GateVerdict::Warn),
        spoke(GateVerdict::Fail),
        Attendance::Skipped,
        Attendance::Missing,
    ];
    let reviewer = |attendance: &Attendance| Reviewer { name: domain("qa"), attendance: attendance.clone() };
    let check = |states: &[&Attendance]| {
        let reviewers: Vec<Reviewer> = states.iter().map(|state| reviewer(state)).collect();
        let any = |wanted: &Attendance| states.contains(&wanted);
        let expected = if any(&spoke(GateVerdict::Fail)) || any(&Attendance::Missing) {
            GateVerdict::Fail
        } else if any(&spoke(GateVerdict::Warn)) {
            GateVerdict::Warn
        } else if any(&spoke(GateVerdict::Pass)) {
            GateVerdict::Pass
        } else {
            GateVerdict::Fail
        };
        assert_eq!(aggregate(&reviewers), expected, "{reviewers:?}");
    };
    check(&[]);
    for a in &states {
        check(&[a]);
        for b in &states {
            check(&[a, b]);
            for c in &states {
                check(&[a, b, c]);
            }
        }
    }
}

#[test]
fn a_reviewer_that_spoke_without_a_verdict_does_not_open_the_gate() {
    let silent = Attendance::Spoke { verdict: None, confidence: None, file: None };
    assert_eq!(aggregate(&[Reviewer { name: domain("qa"), attendance: silent }]), GateVerdict::Fail);
}

#[test]
fn a_gap_alone_is_incomplete_and_never_green() {
    let verdict = decide(&[], &[gap()], &Policy::default());
    let expected = Verdict {
        review: ReviewVerdict::Warn,
        gate: GateVerdict::Fail,
        approval: Approval::ChangesRequested,
        outcome: Outcome::Incomplete,
    };
    assert_eq!(verdict, expected);
    let stated = gap().as_finding();
    assert_eq!(stated.id.as_str(), "qa-cdb4ee2a-0");
    assert_eq!(stated.representative.title.as_str(), "Review incomplete: qa did not report");
}

#[test]
fn a_p0_that_only_a_person_may_touch_aborts() {
    let mut abort = finding(Severity::Blocker, Status::Open, false);
    abort.representative.owner = Some(Owner::Human);
    assert_eq!(decide(&[abort.clone()], &[], &Policy::default()).review, ReviewVerdict::Abort);
    abort.representative.severity = Severity::High;
    assert_eq!(decide(&[abort], &[], &Policy::default()).review, ReviewVerdict::Warn);
}

#[test]
fn policy_moves_the_bar_and_names_domains_that_abort() {
    let medium = [finding(Severity::Medium, Status::Open, false)];
    let strict = Policy { block_at: Severity::Medium, ..Policy::default() };
    assert_eq!(decide(&medium, &[], &Policy::default()).outcome, Outcome::Clear);
    assert_eq!(decide(&medium, &[], &strict).outcome, Outcome::Blocked);
    let praise = [finding(Severity::Praise, Status::Open, false)];
    let strictest = Policy { block_at: Severity::Praise, ..Policy::default() };
    assert_eq!(decide(&praise, &[], &strictest).outcome, Outcome::Clear);
    let blocker = [finding(Severity::Blocker, Status::Open, false)];
    let halting = Policy { abort_domains: [domain("security")].into(), ..Policy::default() };
    assert_eq!(decide(&blocker, &[], &halting).review, ReviewVerdict::Abort);
}

/// Compares two verdicts in every vocabulary: `Less` if the first is better somewhere and worse nowhere.
fn compare(a: &Verdict, b: &Verdict) -> Option<Ordering> {
    let review = |v: &Verdict| match v.review {
        ReviewVerdict::Pass => 0,
        ReviewVerdict::Warn => 1,
        ReviewVerdict::Fail => 2,
        ReviewVerdict::Abort => 3,
    };
    let gate = |v: &Verdict| match v.gate {
        GateVerdict::Pass => 0,
        GateVerdict::Warn => 1,
        GateVerdict::Fail => 2,
    };
    let approval = |v: &Verdict| match v.approval {
        Approval::Approved => 0,
        Approval::Commented => 1,
        Approval::ChangesRequested => 2,
    };
    let closed = |v: &Verdict| u8::from(v.outcome != Outcome::Clear);
    let pairs =
        [review(a).cmp(&review(b)), gate(a).cmp(&gate(b)), approval(a).cmp(&approval(b)), closed(a).cmp(&closed(b))];
    match (pairs.contains(&Ordering::Less), pairs.contains(&Ordering::Greater)) {
        (true, true) => None,
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => Some(Ordering::Equal),
    }
}

fn improves(before: &Verdict, after: &Verdict) -> bool {
    !matches!(compare(after, before), Some(Ordering::Equal | Ordering::Greater))
}

fn any_finding() -> impl Strategy<Value = Finding> {
    (proptest::sample::select(every_finding()), "[a-z]{1,5}").prop_map(|(mut finding, name)| {
        finding.domain = domain(&name);
        finding
    })
}

proptest! {
    #[test]
    fn adding_an_open_finding_never_improves_a_verdict(
        findings in prop::collection::vec(any_finding(), 0..12),
        severity in proptest::sample::select(&Severity::ALL[..]),
        status in proptest::sample::select(vec![Status::Open, Status::Reopened]),
        at in any::<prop::sample::Index>(),
        gaps in 0_usize..3,
        block_at in proptest::sample::select(&Severity::ALL[..]),
    ) {
        let policy = Policy { block_at, ..Policy::default() };
        let gaps = vec![gap(); gaps];
        let before = decide(&findings, &gaps, &policy);
        let mut more = findings.clone();
        more.insert(at.index(findings.len() + 1), finding(severity, status, false));
        prop_assert!(!improves(&before, &decide(&more, &gaps, &policy)));
    }

    #[test]
    fn a_worse_severity_never_improves_a_verdict(
        findings in prop::collection::vec(any_finding(), 1..12),
        at in any::<prop::sample::Index>(),
        worse in proptest::sample::select(&Severity::ALL[..]),
    ) {
        let before = decide(&findings, &[], &Policy::default());
        let mut changed = findings.clone();
        let at = at.index(findings.len());
        if worse.is_at_least(findings[at].severity()) {
            changed[at].representative.severity = worse;
        }
        prop_assert!(!improves(&before, &decide(&changed, &[], &Policy::default())));
    }

    #[test]
    fn order_never_matters(findings in prop::collection::vec(any_finding(), 0..12), seed in any::<u64>()) {
        let before = decide(&findings, &[], &Policy::default());
        let mut shuffled = findings;
        let length = shuffled.len().max(1);
        for index in 0..shuffled.len() {
            shuffled.swap(index, (seed as usize).wrapping_mul(index + 7) % length);
        }
        prop_assert_eq!(before, decide(&shuffled, &[], &Policy::default()));
    }

    #[test]
    fn gaps_never_improve_a_verdict_and_never_leave_it_clear(
        findings in prop::collection::vec(any_finding(), 0..12),
        gaps in 1_usize..4,
    ) {
        let before = decide(&findings, &[], &Policy::default());
        let after = decide(&findings, &vec![gap(); gaps], &Policy::default());
        prop_assert!(!improves(&before, &after));
        prop_assert_ne!(after.outcome, Outcome::Clear);
        prop_assert_ne!(after.gate, GateVerdict::Pass);
    }
}
