//! The action of a team agent after a verdict: 003's action protocol, as data.
//!
//! In: the verdict file's mode, verdict and findings, and whether the tree is still the one that was judged. Out: one
//! action, and which findings it is about. Deliberately not here: the words and commands for people.

use crate::model::closed_set;
use crate::model::{Mode, ReviewVerdict, Severity, Status};

closed_set! {
    /// The next action.
    Action {
        /// Nothing stands in the way of a pull request.
        ProceedToPr = "proceed_to_pr",
        /// Change the code.
        Fix = "fix",
        /// Have claimed fixes looked at.
        Verify = "verify",
        /// Have the change reviewed.
        Review = "review",
        /// Commit the tree that was judged.
        Commit = "commit",
        /// Stop, and let a person look.
        Halt = "halt",
        /// Go on working.
        Continue = "continue",
    }
}

/// The state of a finding of the verdict file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingState {
    /// Its id.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// How far it has come.
    pub status: Status,
    /// Whether it states a gap, which no change of code closes.
    pub is_gap: bool,
}

/// Where a team stands after its last review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// How that review was made.
    pub mode: Mode,
    /// Its verdict.
    pub verdict: ReviewVerdict,
    /// Its findings, in its order.
    pub findings: Vec<FindingState>,
    /// Whether the tree has changed since.
    pub is_stale: bool,
    /// Whether HEAD is known not to be the judged tree, which is all that is left.
    pub is_uncommitted: bool,
    /// Why the change needs a new review although the fixes were verified, if so.
    pub needs_review: Option<&'static str>,
}

/// The next action, its findings, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The action.
    pub action: Action,
    /// Required findings, worst first.
    pub required: Vec<String>,
    /// Recommended findings.
    pub recommended: Vec<String>,
    /// Optional findings.
    pub optional: Vec<String>,
    /// Why this action.
    pub why: &'static str,
}

/// Decides the next action; without any review, that is a review.
pub fn next(situation: Option<&Situation>) -> Next {
    let Some(situation) = situation else { return Next::about(Action::Review, "no review yet") };
    let mut next = match situation.mode {
        Mode::Quick => after_quick_check(situation),
        Mode::Full | Mode::Verify => after_review(situation),
    };
    if next.action != Action::Halt {
        let standing = |severities: &[Severity]| ids(situation, severities, Status::stands);
        next.recommended = standing(&[Severity::Medium]);
        next.optional = standing(&[Severity::Low, Severity::Info]);
    }
    next
}

/// 003, "After Full Review or Verify".
fn after_review(situation: &Situation) -> Next {
    let gaps = gaps(situation);
    let blocking = ids(situation, &[Severity::Blocker, Severity::High], Status::stands);
    let claimed = ids(situation, &[Severity::Blocker, Severity::High], |status| status == Status::Fixed);
    if situation.verdict == ReviewVerdict::Abort {
        halt(situation)
    } else if !blocking.is_empty() {
        let why = match situation.verdict {
            ReviewVerdict::Fail => "Blockers come first, then High; both have to be fixed",
            _ => "every High has to be fixed",
        };
        Next { required: blocking, ..Next::about(Action::Fix, why) }
    } else if !gaps.is_empty() {
        let why = "the review is incomplete: remove the cause, then review again";
        Next { required: gaps, ..Next::about(Action::Review, why) }
    } else if !claimed.is_empty() {
        let why = "the marked fixes have to be verified";
        Next { required: claimed, ..Next::about(Action::Verify, why) }
    } else if let Some(why) = situation.needs_review {
        Next::about(Action::Review, why)
    } else if situation.is_stale && situation.findings.iter().any(|finding| finding.status == Status::Fixed) {
        Next::about(Action::Verify, "the marked fixes have to be verified")
    } else if situation.is_stale {
        Next::about(Action::Review, "the tree changed since the review")
    } else if situation.is_uncommitted {
        Next::about(Action::Commit, "nothing at High or above is left; the reviewed tree has to be committed")
    } else {
        Next::about(Action::ProceedToPr, "nothing at High or above is left")
    }
}

/// 003, "After Quick Check".
fn after_quick_check(situation: &Situation) -> Next {
    let gaps = gaps(situation);
    let standing = |severity| ids(situation, &[severity], Status::stands);
    let (blockers, highs) = (standing(Severity::Blocker), standing(Severity::High));
    if situation.verdict == ReviewVerdict::Abort {
        halt(situation)
    } else if !blockers.is_empty() {
        let required = [blockers, highs].concat();
        Next { required, ..Next::about(Action::Fix, "a Blocker stops the current work: fix it now") }
    } else if !highs.is_empty() {
        Next { required: highs, ..Next::about(Action::Fix, "fix every High before the next piece of work") }
    } else if !gaps.is_empty() {
        let why = "the check is incomplete: remove the cause, then check again";
        Next { required: gaps, ..Next::about(Action::Review, why) }
    } else {
        Next::about(Action::Continue, "nothing has to be fixed now; note the rest for later")
    }
}

/// A halt holds regardless of later marks: only a person lifts it.
fn halt(situation: &Situation) -> Next {
    let required = ids(situation, &[Severity::Blocker], |_| true);
    Next { required, ..Next::about(Action::Halt, "a system-breaking Blocker stands: do not attempt a fix") }
}

fn ids(situation: &Situation, severities: &[Severity], counts: impl Fn(Status) -> bool) -> Vec<String> {
    let of = |severity: Severity| {
        let findings = situation.findings.iter().filter(move |finding| finding.severity == severity && !finding.is_gap);
        findings.filter(|finding| counts(finding.status)).map(|finding| finding.id.clone()).collect::<Vec<_>>()
    };
    severities.iter().flat_map(|severity| of(*severity)).collect()
}

/// A marked gap is still a gap: only a review closes it.
fn gaps(situation: &Situation) -> Vec<String> {
    situation.findings.iter().filter(|finding| finding.is_gap).map(|finding| finding.id.clone()).collect()
}

impl Next {
    fn about(action: Action, why: &'static str) -> Self {
        Self { action, required: Vec::new(), recommended: Vec::new(), optional: Vec::new(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(text: &str) -> FindingState {
        let mut words = text.split(' ');
        let (id, severity, status) =
            (words.next().unwrap(), words.next().unwrap(), words.next().and_then(Status::from_token).unwrap());
        let severity = Severity::ALL.into_iter().find(|of| of.word() == severity).unwrap();
        FindingState { id: id.to_owned(), severity, status, is_gap: words.next() == Some("gap") }
    }

    fn after(mode: Mode, verdict: ReviewVerdict, is_stale: bool, findings: &[&str]) -> (Action, String) {
        let findings = findings.iter().map(|text| standing(text)).collect();
        let is_uncommitted = false;
        let next = next(Some(&Situation { mode, verdict, findings, is_stale, is_uncommitted, needs_review: None }));
        (next.action, [next.required, next.recommended, next.optional].map(|ids| ids.join(",")).join(" / "))
    }

    #[test]
    fn every_row_after_a_review() {
        use Action::*;
        use ReviewVerdict::*;
        let full = |verdict, findings: &[&str]| after(Mode::Full, verdict, false, findings);
        let said = |action, ids: &str| (action, ids.to_owned());
        assert_eq!(full(Pass, &[]), said(ProceedToPr, " /  / "));
        assert_eq!(full(Pass, &["m Medium open", "l Low open", "i Info open"]), said(ProceedToPr, " / m / l,i"));
        assert_eq!(full(Warn, &["h High open", "m Medium open"]), said(Fix, "h / m / "));
        assert_eq!(full(Warn, &["h High fixed", "k High open"]), said(Fix, "k /  / "));
        assert_eq!(full(Warn, &["h High fixed"]), said(Verify, "h /  / "));
        assert_eq!(full(Warn, &["h High verified"]), said(ProceedToPr, " /  / "));
        assert_eq!(full(Warn, &["h High reopened"]), said(Fix, "h /  / "));
        assert_eq!(full(Fail, &["h High open", "b Blocker open", "m Medium open"]), said(Fix, "b,h / m / "));
        assert_eq!(full(Abort, &["b Blocker open", "h High open"]), said(Halt, "b /  / "));
        assert_eq!(full(Abort, &["b Blocker fixed"]), said(Halt, "b /  / "));
        assert_eq!(full(Warn, &["g High open gap"]), said(Review, "g /  / "));
        assert_eq!(full(Warn, &["g High wont_fix gap"]), said(Review, "g /  / "));
        assert_eq!(full(Warn, &["g High open gap", "h High open"]), said(Fix, "h /  / "));
    }

    #[test]
    fn a_tree_that_has_moved_on_is_reviewed_again_unless_a_fix_is_claimed() {
        use Action::*;
        let stale = |findings: &[&str]| after(Mode::Verify, ReviewVerdict::Pass, true, findings).0;
        assert_eq!(stale(&[]), Review);
        assert_eq!(stale(&["h High fixed"]), Verify);
        assert_eq!(stale(&["h High open"]), Fix);
        assert_eq!(stale(&["m Medium fixed"]), Verify);
        assert_eq!(next(None).action, Review);
    }

    #[test]
    fn a_tree_that_may_merge_is_committed_first_and_no_other_is() {
        use Action::*;
        let after = |mode, is_stale, findings: &[&str]| {
            let findings = findings.iter().map(|text| standing(text)).collect();
            let situation = Situation {
                mode,
                verdict: ReviewVerdict::Pass,
                findings,
                is_stale,
                is_uncommitted: true,
                needs_review: None,
            };
            next(Some(&situation)).action
        };
        assert_eq!(after(Mode::Full, false, &["m Medium open"]), Commit);
        assert_eq!(after(Mode::Verify, false, &["h High verified"]), Commit);
        assert_eq!(after(Mode::Full, true, &[]), Review);
        assert_eq!(after(Mode::Full, false, &["h High open"]), Fix);
        assert_eq!(after(Mode::Full, false, &["h High fixed"]), Verify);
        assert_eq!(after(Mode::Full, false, &["g High open gap"]), Review);
        assert_eq!(after(Mode::Quick, false, &[]), Continue);
    }

    #[test]
    fn more_than_the_fixes_is_reviewed_once_nothing_else_is_left() {
        let after = |findings: &[&str]| {
            let findings = findings.iter().map(|text| standing(text)).collect();
            let (mode, verdict) = (Mode::Verify, ReviewVerdict::Pass);
            let needs_review = Some("more has changed");
            next(Some(&Situation { mode, verdict, findings, is_stale: false, is_uncommitted: true, needs_review }))
                .action
        };
        assert_eq!(after(&["h High verified"]), Action::Review);
        assert_eq!(after(&["h High reopened"]), Action::Fix);
        assert_eq!(after(&["h High fixed"]), Action::Verify);
    }

    #[test]
    fn every_row_after_a_quick_check() {
        use Action::*;
        use ReviewVerdict::*;
        let quick = |verdict, findings: &[&str]| after(Mode::Quick, verdict, true, findings);
        let said = |action, ids: &str| (action, ids.to_owned());
        assert_eq!(quick(Fail, &["h High open", "b Blocker open"]), said(Fix, "b,h /  / "));
        assert_eq!(quick(Warn, &["h High open", "m Medium open"]), said(Fix, "h / m / "));
        assert_eq!(quick(Pass, &["m Medium open", "l Low open", "i Info open"]), said(Continue, " / m / l,i"));
        assert_eq!(quick(Pass, &[]), said(Continue, " /  / "));
        assert_eq!(quick(Warn, &["h High fixed"]), said(Continue, " /  / "));
        assert_eq!(quick(Warn, &["g High open gap"]), said(Review, "g /  / "));
        assert_eq!(quick(Abort, &["b Blocker open"]), said(Halt, "b /  / "));
    }
}
