//! May this tree merge? In: the state of the last full review and of the current tree. Out: every condition, whether it
//! holds, and the remedy if it does not.
//!
//! Deliberately not here: how any of it is found out. A condition that cannot be told does not hold.

use crate::model::closed_set;
use crate::model::{AcceptWontFix, Outcome, ReviewVerdict, Severity, Status};

use super::next::FindingState;

closed_set! {
    /// The conditions of a merge, in the order of the checks.
    Condition {
        /// There is a full review.
        Reviewed = "reviewed",
        /// No ABORT stands.
        NotAborted = "not-aborted",
        /// The review judged exactly this tree, or the same patch.
        SameTree = "same-tree",
        /// The judged tree is committed: HEAD has it.
        Committed = "committed",
        /// The review judged the whole change.
        WholeChange = "whole-change",
        /// The review was decided by the policy that holds.
        SamePolicy = "same-policy",
        /// Nothing that was asked for is missing.
        NoGap = "no-gap",
        /// Nothing that blocks is open.
        NothingOpen = "nothing-open",
        /// Nothing that blocks is merely claimed to be fixed.
        NothingClaimed = "nothing-claimed",
        /// No blocking finding was declined by the team itself, beyond the policy.
        NothingDeclined = "nothing-declined",
        /// Nothing that blocks came with the fixes.
        NothingNew = "nothing-new",
    }
}

/// How the tree now compares with the one that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// It is the same tree.
    SameTree,
    /// It is another tree, but the change is the same patch.
    SamePatch,
    /// The change is another one; these paths differ.
    Differs(Vec<String>),
}

/// The state of the last full review, and of the current tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Which review.
    pub review_id: String,
    /// Its verdict.
    pub verdict: ReviewVerdict,
    /// Its findings, with their current statuses.
    pub findings: Vec<FindingState>,
    /// The lowest severity that closes the gate.
    pub block_at: Severity,
    /// Which findings the author of the change may decline.
    pub accept_wont_fix: AcceptWontFix,
    /// How the tree compares.
    pub tree: Match,
    /// The paths in which HEAD differs from the tree; `None` if HEAD was not asked about.
    pub uncommitted: Option<Vec<String>>,
    /// Why the review did not see the whole change, if it did not.
    pub not_whole: Option<String>,
    /// Whether the policy of the base is still the one that decided.
    pub is_same_policy: bool,
    /// Changes beyond the fixes at the last verification, or unreviewed ones.
    pub beyond: Vec<String>,
    /// New findings of the fixes.
    pub new: Vec<FindingState>,
    /// Gaps of the last verification.
    pub gaps: Vec<String>,
}

/// One condition, looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Which.
    pub condition: Condition,
    /// Whether it holds.
    pub holds: bool,
    /// The observation.
    pub seen: String,
    /// The remedy, if it does not hold.
    pub remedy: Option<&'static str>,
}

/// A finding that the author of the change declined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined {
    /// Which.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// Whether the gate may open all the same.
    pub clears: bool,
}

/// The gate, open or closed, with every condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The outcome.
    pub outcome: Outcome,
    /// The conditions, in order.
    pub checked: Vec<Checked>,
    /// The findings that the author declined, cleared or not.
    pub declined: Vec<Declined>,
}

impl Gate {
    /// Tells whether a condition was looked at and does not hold.
    pub fn fails(&self, condition: Condition) -> bool {
        self.checked.iter().any(|checked| checked.condition == condition && !checked.holds)
    }
}

const REVIEW: &str = "run `jury review`";
const COMMIT: &str = "commit them; `--worktree` leaves this condition out";

/// Decides whether the gate opens.
pub fn gate(case: Option<&Case>) -> Gate {
    let Some(case) = case else {
        let seen = "no full review of this worktree".to_owned();
        let checked = Checked { condition: Condition::Reviewed, holds: false, seen, remedy: Some(REVIEW) };
        return Gate { outcome: Outcome::Incomplete, checked: vec![checked], declined: Vec::new() };
    };
    let is_asked = |condition: &&Condition| **condition != Condition::Committed || case.uncommitted.is_some();
    let checked: Vec<Checked> =
        Condition::ALL.iter().filter(is_asked).map(|condition| look(case, *condition)).collect();
    let outcome = checked.iter().filter(|checked| !checked.holds).map(|checked| outcome_of(checked.condition));
    Gate { outcome: outcome.fold(Outcome::Clear, graver), declined: declined(case), checked }
}

fn look(case: &Case, condition: Condition) -> Checked {
    let (holds, seen, remedy) = match condition {
        Condition::Reviewed => (true, format!("review {}", case.review_id), REVIEW),
        Condition::NotAborted => (
            case.verdict != ReviewVerdict::Abort,
            if case.verdict == ReviewVerdict::Abort { "an ABORT stands" } else { "no ABORT stands" }.to_owned(),
            "a person has to read .code-review/abort-reason.md; a later review that does not abort lifts it",
        ),
        Condition::SameTree if !case.beyond.is_empty() && !matches!(case.tree, Match::Differs(_)) => {
            (false, format!("changed since the review, beyond the fixes: {}", listed(&case.beyond)), REVIEW)
        }
        Condition::SameTree => match &case.tree {
            Match::SameTree => (true, "this tree was reviewed".to_owned(), REVIEW),
            Match::SamePatch => (true, "the base moved, the patch is unchanged".to_owned(), REVIEW),
            Match::Differs(paths) => (false, format!("not reviewed: {}", listed(paths)), REVIEW),
        },
        Condition::Committed => match case.uncommitted.as_deref().unwrap_or_default() {
            [] => (true, "HEAD is this tree".to_owned(), COMMIT),
            paths => (false, format!("HEAD is not this tree: {}", listed(paths)), COMMIT),
        },
        Condition::WholeChange => match &case.not_whole {
            None => (true, "the whole change was in scope".to_owned(), REVIEW),
            Some(why) => (false, why.clone(), "run `jury review` without a narrower scope or base"),
        },
        Condition::SamePolicy => {
            let seen = if case.is_same_policy { "decided by the policy of the base" } else { "the policy has changed" };
            (case.is_same_policy, seen.to_owned(), REVIEW)
        }
        Condition::NoGap if !case.gaps.is_empty() => {
            let seen = format!("{} missing in the last verification: {}", case.gaps.len(), listed(&case.gaps));
            (false, seen, "remove the cause, then run `jury review`")
        }
        Condition::NoGap => counted(
            case,
            ["no reviewer or file is missing", "missing"],
            |_, finding| finding.is_gap,
            "remove the cause, then run `jury review`",
        ),
        Condition::NothingOpen => counted(
            case,
            ["no blocking finding is open", "open"],
            |case, finding| blocks(case, finding) && finding.status.stands(),
            "fix them, mark them with `jury mark ID fixed`, then run `jury verify`",
        ),
        Condition::NothingClaimed => counted(
            case,
            ["no unverified fixes", "fixed but not verified"],
            |case, finding| blocks(case, finding) && finding.status == Status::Fixed,
            "run `jury verify`",
        ),
        Condition::NothingDeclined => {
            let declined = |case: &Case, finding: &FindingState| {
                finding.status == Status::WontFix && blocks(case, finding) && clears(case, finding)
            };
            let (_, allowed, _) = counted(
                case,
                ["no blocking finding was declined", "waived by the author, as the policy allows"],
                declined,
                "",
            );
            counted(
                case,
                [&allowed, "waived by the author"],
                |case, finding| finding.status == Status::WontFix && !clears(case, finding),
                "fix them, or have a person waive them on the base branch (`jury waive ID`)",
            )
        }
        Condition::NothingNew => {
            let new: Vec<String> = case.new.iter().filter(|it| blocks(case, it)).map(|it| it.id.clone()).collect();
            match new.len() {
                0 => (true, "no new blocking findings".to_owned(), REVIEW),
                number => (false, format!("{number} new with the fixes: {}", listed(&new)), REVIEW),
            }
        }
    };
    Checked { condition, holds, seen, remedy: (!holds).then_some(remedy) }
}

fn blocks(case: &Case, finding: &FindingState) -> bool {
    !finding.is_gap && finding.severity != Severity::Praise && finding.severity.is_at_least(case.block_at)
}

/// Tells whether a finding that was declined may stay, by the policy of the base: what does not block anyway, and what the
/// author may decline alone.
fn clears(case: &Case, finding: &FindingState) -> bool {
    !blocks(case, finding) || case.accept_wont_fix.accepts(finding.severity)
}

/// Lists the declined findings. Gaps are left out: a missing review cannot be declined.
fn declined(case: &Case) -> Vec<Declined> {
    let declined = case.findings.iter().filter(|finding| finding.status == Status::WontFix && !finding.is_gap);
    let declined = declined.map(|finding| Declined {
        id: finding.id.clone(),
        severity: finding.severity,
        clears: clears(case, finding),
    });
    declined.collect()
}

fn counted(
    case: &Case,
    [none, some]: [&str; 2],
    counts: impl Fn(&Case, &FindingState) -> bool,
    remedy: &'static str,
) -> (bool, String, &'static str) {
    let found: Vec<String> =
        case.findings.iter().filter(|finding| counts(case, finding)).map(|finding| finding.id.clone()).collect();
    match found.len() {
        0 => (true, none.to_owned(), remedy),
        number => (false, format!("{number} {some}: {}", listed(&found)), remedy),
    }
}

/// Lists a few, and says how many more there are.
fn listed(items: &[String]) -> String {
    const MOST: usize = 5;
    let shown = items.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The outcome of a condition that does not hold.
fn outcome_of(condition: Condition) -> Outcome {
    match condition {
        Condition::NotAborted => Outcome::Aborted,
        Condition::NothingOpen | Condition::NothingClaimed | Condition::NothingDeclined | Condition::NothingNew => {
            Outcome::Blocked
        }
        Condition::Reviewed
        | Condition::SameTree
        | Condition::Committed
        | Condition::WholeChange
        | Condition::SamePolicy
        | Condition::NoGap => Outcome::Incomplete,
    }
}

/// An abort outweighs blocking findings, and those outweigh gaps.
fn graver(a: Outcome, b: Outcome) -> Outcome {
    let rank = |outcome| match outcome {
        Outcome::Clear => 0,
        Outcome::Incomplete => 1,
        Outcome::Blocked => 2,
        Outcome::Aborted => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clear() -> Case {
        Case {
            review_id: "a3f8c12b".to_owned(),
            verdict: ReviewVerdict::Pass,
            findings: vec![
                found(Severity::Medium, Status::Open, false),
                found(Severity::High, Status::Verified, false),
            ],
            block_at: Severity::High,
            accept_wont_fix: AcceptWontFix::BelowHigh,
            tree: Match::SameTree,
            uncommitted: Some(Vec::new()),
            not_whole: None,
            is_same_policy: true,
            beyond: Vec::new(),
            new: Vec::new(),
            gaps: Vec::new(),
        }
    }

    fn found(severity: Severity, status: Status, is_gap: bool) -> FindingState {
        FindingState { id: format!("{severity:?}-{status}"), severity, status, is_gap }
    }

    fn with(finding: FindingState) -> Case {
        Case { findings: vec![finding], ..clear() }
    }

    fn failed(case: &Case) -> (Outcome, Vec<Condition>) {
        let gate = gate(Some(case));
        (gate.outcome, gate.checked.iter().filter(|c| !c.holds).map(|c| c.condition).collect())
    }

    #[test]
    fn a_clear_case_opens_it() {
        assert_eq!(failed(&clear()), (Outcome::Clear, vec![]));
        assert_eq!(failed(&Case { tree: Match::SamePatch, ..clear() }).0, Outcome::Clear);
        // WARN with no High left (003): the file's verdict is older than the last verification.
        assert_eq!(failed(&Case { verdict: ReviewVerdict::Warn, ..clear() }).0, Outcome::Clear);
    }

    #[test]
    fn head_is_not_asked_about_where_the_working_tree_is() {
        let gate = gate(Some(&Case { uncommitted: None, ..clear() }));
        assert_eq!(gate.outcome, Outcome::Clear);
        assert!(gate.checked.iter().all(|checked| checked.condition != Condition::Committed));
        assert_eq!(gate.checked.len() + 1, Condition::ALL.len());
    }

    #[test]
    fn each_condition_closes_it_alone() {
        use Condition::*;
        assert_eq!(gate(None).outcome, Outcome::Incomplete);
        let abort = Case { verdict: ReviewVerdict::Abort, ..clear() };
        assert_eq!(failed(&abort), (Outcome::Aborted, vec![NotAborted]));
        let moved = Case { tree: Match::Differs(vec!["a.rs".to_owned()]), ..clear() };
        assert_eq!(failed(&moved), (Outcome::Incomplete, vec![SameTree]));
        let uncommitted = Case { uncommitted: Some(vec!["a.rs".to_owned()]), ..clear() };
        assert_eq!(failed(&uncommitted), (Outcome::Incomplete, vec![Committed]));
        let narrow = Case { not_whole: Some("only one file".to_owned()), ..clear() };
        assert_eq!(failed(&narrow), (Outcome::Incomplete, vec![WholeChange]));
        assert_eq!(failed(&Case { is_same_policy: false, ..clear() }), (Outcome::Incomplete, vec![SamePolicy]));
        let beyond = Case { beyond: vec!["a.rs".to_owned()], ..clear() };
        assert_eq!(failed(&beyond), (Outcome::Incomplete, vec![SameTree]));
        let blind = Case { gaps: vec!["security did not report".to_owned()], ..clear() };
        assert_eq!(failed(&blind), (Outcome::Incomplete, vec![NoGap]));
        let new = |severity| Case { new: vec![found(severity, Status::Open, false)], ..clear() };
        assert_eq!(failed(&new(Severity::High)), (Outcome::Blocked, vec![NothingNew]));
        assert_eq!(failed(&new(Severity::Medium)), (Outcome::Clear, vec![]));
        for status in [Status::Open, Status::WontFix, Status::Fixed] {
            assert_eq!(failed(&with(found(Severity::High, status, true))), (Outcome::Incomplete, vec![NoGap]));
        }
        for severity in [Severity::High, Severity::Blocker] {
            for status in [Status::Open, Status::Reopened] {
                assert_eq!(failed(&with(found(severity, status, false))), (Outcome::Blocked, vec![NothingOpen]));
            }
            let claimed = with(found(severity, Status::Fixed, false));
            assert_eq!(failed(&claimed), (Outcome::Blocked, vec![NothingClaimed]));
            let declined = with(found(severity, Status::WontFix, false));
            assert_eq!(failed(&declined), (Outcome::Blocked, vec![NothingDeclined]));
        }
    }

    #[test]
    fn policy_says_what_the_author_may_decline() {
        use AcceptWontFix::*;
        use Severity::*;
        for (accept_wont_fix, block_at, severity, clears) in [
            (Never, Medium, Low, true),
            (Never, Medium, Medium, false),
            (Never, High, Blocker, false),
            (BelowHigh, Medium, Medium, true),
            (BelowHigh, Medium, High, false),
            (BelowHigh, High, Blocker, false),
            // A finding that does not block when open does not when declined.
            (BelowHigh, Blocker, High, true),
            (Always, Info, Blocker, true),
        ] {
            let declined = with(found(severity, Status::WontFix, false));
            let case = Case { accept_wont_fix, block_at, ..declined };
            let shown: Vec<_> = gate(Some(&case)).declined.iter().map(|declined| declined.clears).collect();
            assert_eq!(shown, [clears], "{accept_wont_fix} {block_at:?} {severity:?}");
            let outcome = if clears { Outcome::Clear } else { Outcome::Blocked };
            assert_eq!(failed(&case).0, outcome, "{accept_wont_fix} {block_at:?} {severity:?}");
            // Open, the severity alone counts; and a gap cannot be declined.
            let open = Case { findings: vec![found(severity, Status::Open, false)], ..case.clone() };
            assert_eq!(failed(&open).0 == Outcome::Clear, !severity.is_at_least(block_at));
            let gap = Case { findings: vec![found(severity, Status::WontFix, true)], ..case };
            assert_eq!((failed(&gap).0, gate(Some(&gap)).declined), (Outcome::Incomplete, vec![]));
        }
        let aborted = Case { verdict: ReviewVerdict::Abort, accept_wont_fix: Always, ..clear() };
        assert_eq!(failed(&aborted).0, Outcome::Aborted);
    }

    #[test]
    fn policy_sets_where_it_closes() {
        let medium = Case { block_at: Severity::Medium, ..with(found(Severity::Medium, Status::Open, false)) };
        assert_eq!(failed(&medium).0, Outcome::Blocked);
        let praise = Case { block_at: Severity::Info, ..with(found(Severity::Praise, Status::Open, false)) };
        assert_eq!(failed(&praise).0, Outcome::Clear);
    }
}
