//! May this tree merge? In: the state of the last full review and of the current tree. Out: every condition, whether it
//! holds, and the remedy if it does not.
//!
//! Deliberately not here: how any of it is found out. A condition that cannot be told does not hold.

use crate::model::closed_set;
use crate::model::{AcceptWontFix, ContestResult, GateOwner, Outcome, Proof, ReviewVerdict, Severity, Status};

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
    /// The waivers, by what they name, that the review counted and that have ended since.
    pub ended: Vec<String>,
    /// Changes beyond the fixes at the last verification, or unreviewed ones.
    pub beyond: Vec<String>,
    /// New findings of the fixes.
    pub new: Vec<FindingState>,
    /// Gaps of the last verification.
    pub gaps: Vec<String>,
    /// Decisions of people about its findings.
    pub people: People,
}

/// Decisions of people about the findings of a review, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// The findings that somebody has accepted or refuted, each once.
    pub decided: Vec<Decision>,
}

/// What people, or a refutation, decided about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The finding.
    pub id: String,
    /// Who decided.
    pub by: DecidedBy,
    /// Whether it settles the finding.
    pub is_settled: bool,
}

/// How a finding was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// People accepted it.
    People {
        /// How many have.
        given: usize,
        /// How many it takes.
        needed: usize,
        /// Their names, each with the proof.
        names: Vec<(String, Proof)>,
        /// The stored acceptances that count, by the digests that they go by.
        acceptances: Vec<String>,
    },
    /// It was contested.
    Contest {
        /// The result.
        result: ContestResult,
        /// What speaks for that, in words.
        what: String,
    },
}

impl People {
    /// Tells whether a finding is settled.
    pub fn have_settled(&self, id: &str) -> bool {
        self.decided.iter().any(|decision| decision.id == id && decision.is_settled)
    }
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
    /// Who can make it hold, if it does not.
    pub owner: Option<GateOwner>,
    /// The findings and gaps for which it does not hold, if it is about such.
    pub findings: Vec<FindingState>,
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
    /// Decisions of people about the findings.
    pub decided: Vec<Decision>,
}

impl Gate {
    /// Tells whether people have settled a finding.
    pub fn is_settled(&self, id: &str) -> bool {
        self.decided.iter().any(|decision| decision.id == id && decision.is_settled)
    }

    /// Tells whether a condition was looked at and does not hold.
    pub fn fails(&self, condition: Condition) -> bool {
        self.checked.iter().any(|checked| checked.condition == condition && !checked.holds)
    }

    /// Returns the findings and gaps of the full review that still have to be settled, in the order of the conditions. A declined one
    /// is settled as far as the agent can.
    pub fn left(&self) -> impl Iterator<Item = &FindingState> {
        self.failing_to_settle().flat_map(|checked| &checked.findings)
    }

    /// Returns the outcome as far as these decide it.
    pub fn outcome_of_left(&self) -> Outcome {
        let outcomes =
            self.failing_to_settle().filter_map(|checked| Some(outcome_of(checked.condition, checked.owner?)));
        outcomes.fold(Outcome::Clear, Outcome::or_graver)
    }

    fn failing_to_settle(&self) -> impl Iterator<Item = &Checked> {
        const SETTLED: [Condition; 3] = [Condition::NoGap, Condition::NothingOpen, Condition::NothingClaimed];
        self.checked.iter().filter(|checked| !checked.holds && SETTLED.contains(&checked.condition))
    }
}

const REVIEW: &str = "run `jury review`";
const COMMIT: &str = "commit them; `--worktree` leaves this condition out";

/// Returns the gate of a tree without a signed verdict that counts.
pub fn unattested(seen: &str) -> Gate {
    let remedy = "fetch `refs/jury/*`; else have it reviewed, and signed with `jury attest --push`";
    let checked = Look::other(false, seen, remedy).checked(Condition::Reviewed);
    Gate { checked: vec![checked], ..gate(None) }
}

/// Decides whether the gate opens.
pub fn gate(case: Option<&Case>) -> Gate {
    let Some(case) = case else {
        let checked = Look::other(false, "no full review of this worktree", REVIEW).checked(Condition::Reviewed);
        return Gate {
            outcome: Outcome::Incomplete,
            checked: vec![checked],
            declined: Vec::new(),
            decided: Vec::new(),
        };
    };
    let is_asked = |condition: &&Condition| **condition != Condition::Committed || case.uncommitted.is_some();
    let checked: Vec<Checked> =
        Condition::ALL.iter().filter(is_asked).map(|condition| look(case, *condition).checked(*condition)).collect();
    let outcome = checked.iter().filter_map(|checked| Some(outcome_of(checked.condition, checked.owner?)));
    let decided = case.people.decided.clone();
    Gate { outcome: outcome.fold(Outcome::Clear, Outcome::or_graver), declined: declined(case), checked, decided }
}

/// How a condition was found.
struct Look {
    holds: bool,
    seen: String,
    remedy: &'static str,
    /// The remedy if only a person can act.
    persons_remedy: Option<&'static str>,
    findings: Vec<FindingState>,
}

impl Look {
    /// A condition that is about no finding; the agent can make it hold.
    fn other(holds: bool, seen: impl Into<String>, remedy: &'static str) -> Self {
        Self { holds, seen: seen.into(), remedy, persons_remedy: None, findings: Vec::new() }
    }

    /// A condition that holds if there is no such finding that people have not settled.
    fn without_unsettled(
        case: &Case,
        words: [&str; 2],
        counts: impl Fn(&FindingState) -> bool,
        remedies: [&'static str; 2],
    ) -> Self {
        let is_settled = |finding: &FindingState| case.people.have_settled(&finding.id);
        let settled = case.findings.iter().filter(|finding| counts(finding) && is_settled(finding)).count();
        let look = Self::without(case, words, |finding| counts(finding) && !is_settled(finding), remedies);
        let seen = match settled {
            0 => look.seen,
            number => format!("{} ({number} settled by people or a contest)", look.seen),
        };
        Self { seen, ..look }
    }

    /// A condition that holds if there is no such finding.
    fn without(
        case: &Case,
        [none, some]: [&str; 2],
        counts: impl Fn(&FindingState) -> bool,
        [remedy, persons]: [&'static str; 2],
    ) -> Self {
        let findings: Vec<FindingState> = case.findings.iter().filter(|finding| counts(finding)).cloned().collect();
        let seen = match findings.len() {
            0 => none.to_owned(),
            number => {
                let ids: Vec<String> = findings.iter().map(|finding| finding.id.clone()).collect();
                format!("{number} {some}: {}", listed(&ids))
            }
        };
        Self { holds: findings.is_empty(), seen, remedy, persons_remedy: Some(persons), findings }
    }

    fn checked(self, condition: Condition) -> Checked {
        let Self { holds, seen, remedy, persons_remedy, findings } = self;
        let is_persons = match condition {
            Condition::NotAborted => true,
            _ => !findings.is_empty() && findings.iter().all(|it| owner_of(condition, it) == GateOwner::Person),
        };
        let owner = if is_persons { GateOwner::Person } else { GateOwner::Agent };
        let remedy = persons_remedy.filter(|_| is_persons).unwrap_or(remedy);
        Checked {
            condition,
            holds,
            seen,
            remedy: (!holds).then_some(remedy),
            owner: (!holds).then_some(owner),
            findings,
        }
    }
}

/// Says who can settle a finding of a condition: a declined one is a person's to decide, a claimed fix the agent's to verify.
fn owner_of(condition: Condition, finding: &FindingState) -> GateOwner {
    match condition {
        Condition::NothingDeclined => GateOwner::Person,
        Condition::NothingClaimed => GateOwner::Agent,
        _ => finding.owner,
    }
}

impl Checked {
    /// Returns the findings and gaps that this owner has to settle.
    pub fn owned_by(&self, owner: GateOwner) -> impl Iterator<Item = &FindingState> {
        self.findings.iter().filter(move |finding| owner_of(self.condition, finding) == owner)
    }
}

fn look(case: &Case, condition: Condition) -> Look {
    match condition {
        Condition::Reviewed => Look::other(true, format!("review {}", case.review_id), REVIEW),
        Condition::NotAborted => Look::other(
            case.verdict != ReviewVerdict::Abort,
            if case.verdict == ReviewVerdict::Abort { "an ABORT stands" } else { "no ABORT stands" },
            "a person has to read .code-review/abort-reason.md; a later review that does not abort lifts it",
        ),
        Condition::SameTree if !case.beyond.is_empty() && !matches!(case.tree, Match::Differs(_)) => {
            Look::other(false, format!("changed since the review, beyond the fixes: {}", listed(&case.beyond)), REVIEW)
        }
        Condition::SameTree => match &case.tree {
            Match::SameTree => Look::other(true, "this tree was reviewed", REVIEW),
            Match::SamePatch => Look::other(true, "the base moved, the patch is unchanged", REVIEW),
            Match::Differs(paths) => Look::other(false, format!("not reviewed: {}", listed(paths)), REVIEW),
        },
        Condition::Committed => match case.uncommitted.as_deref().unwrap_or_default() {
            [] => Look::other(true, "HEAD is this tree", COMMIT),
            paths => Look::other(false, format!("HEAD is not this tree: {}", listed(paths)), COMMIT),
        },
        Condition::WholeChange => match &case.not_whole {
            None => Look::other(true, "the whole change was in scope", REVIEW),
            Some(why) => Look::other(false, why.as_str(), "run `jury review` without a narrower scope or base"),
        },
        Condition::SamePolicy if case.is_same_policy && !case.ended.is_empty() => {
            Look::other(false, format!("expired since the review: the waiver of {}", listed(&case.ended)), REVIEW)
        }
        Condition::SamePolicy if case.is_same_policy => Look::other(true, "decided by the policy of the base", REVIEW),
        Condition::SamePolicy => Look::other(false, "the policy has changed", REVIEW),
        Condition::NoGap if !case.gaps.is_empty() => {
            let seen = format!("{} missing in the last verification: {}", case.gaps.len(), listed(&case.gaps));
            Look::other(false, seen, "remove the cause, then run `jury review`")
        }
        Condition::NoGap => Look::without_unsettled(
            case,
            ["no reviewer or file is missing", "missing"],
            |finding| finding.is_gap,
            [
                "remove the cause, then run `jury review`",
                "a person has to look at these files, then run `jury accept ID --reason TEXT`",
            ],
        ),
        Condition::NothingOpen => Look::without_unsettled(
            case,
            ["no blocking finding is open", "open"],
            |finding| blocks(finding) && finding.status.stands(),
            [
                "fix them, mark them with `jury mark ID fixed`, then run `jury verify`",
                "undo these changes, or have a person decide with `jury accept ID --reason TEXT`",
            ],
        ),
        Condition::NothingClaimed => Look {
            persons_remedy: None,
            ..Look::without(
                case,
                ["no unverified fixes", "fixed but not verified"],
                |finding| blocks(finding) && finding.status == Status::Fixed,
                ["run `jury verify`"; 2],
            )
        },
        Condition::NothingDeclined => {
            let is_declined = |finding: &FindingState| finding.status == Status::WontFix && blocks(finding);
            let words = ["no blocking finding was declined", "waived by the author, as the policy allows"];
            let allowed = Look::without(case, words, |it| is_declined(it) && clears(case, it), [""; 2]).seen;
            Look::without_unsettled(
                case,
                [&allowed, "waived by the author"],
                |finding| is_declined(finding) && !clears(case, finding),
                ["fix them, or have a person decide with `jury accept ID --reason TEXT`"; 2],
            )
        }
        Condition::NothingNew => {
            let new: Vec<String> = case.new.iter().filter(|it| blocks(it)).map(|it| it.id.clone()).collect();
            match new.len() {
                0 => Look::other(true, "no new blocking findings", REVIEW),
                number => Look::other(false, format!("{number} new with the fixes: {}", listed(&new)), REVIEW),
            }
        }
    }
}

fn blocks(finding: &FindingState) -> bool {
    !finding.is_gap && finding.closes
}

/// Tells whether a finding that was declined may stay, by the policy of the base: what does not block anyway, and what the
/// author may decline alone.
fn clears(case: &Case, finding: &FindingState) -> bool {
    !blocks(finding) || case.accept_wont_fix.accepts(finding.severity)
}

/// Lists the declined findings. Gaps are left out: a missing review cannot be declined.
fn declined(case: &Case) -> Vec<Declined> {
    let declined = case.findings.iter().filter(|finding| finding.status == Status::WontFix && !finding.is_gap);
    let declined = declined.map(|finding| Declined {
        id: finding.id.clone(),
        severity: finding.severity,
        clears: clears(case, finding) || case.people.have_settled(&finding.id),
    });
    declined.collect()
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
fn outcome_of(condition: Condition, owner: GateOwner) -> Outcome {
    match condition {
        Condition::NotAborted => Outcome::Aborted,
        _ if owner == GateOwner::Person => Outcome::Waiting,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Policy;

    fn clear() -> Case {
        Case {
            review_id: "a3f8c12b".to_owned(),
            verdict: ReviewVerdict::Pass,
            findings: vec![
                found(Severity::Medium, Status::Open, false),
                found(Severity::High, Status::Verified, false),
            ],
            accept_wont_fix: AcceptWontFix::BelowHigh,
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

    fn found(severity: Severity, status: Status, is_gap: bool) -> FindingState {
        blocking_at(Severity::High, severity, status, is_gap)
    }

    fn blocking_at(block_at: Severity, severity: Severity, status: Status, is_gap: bool) -> FindingState {
        let policy = Policy { block_at, ..Policy::default() };
        FindingState {
            id: format!("{severity:?}-{status}"),
            severity,
            status,
            is_gap,
            owner: GateOwner::Agent,
            closes: is_gap || policy.closes(severity, "."),
        }
    }

    fn persons(finding: FindingState) -> FindingState {
        FindingState { owner: GateOwner::Person, ..finding }
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
        let ended = Case { ended: vec!["security-3213ecb0-2".to_owned()], ..clear() };
        assert_eq!(failed(&ended), (Outcome::Incomplete, vec![SamePolicy]));
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
            assert_eq!(failed(&declined), (Outcome::Waiting, vec![NothingDeclined]));
        }
    }

    #[test]
    fn it_waits_if_only_a_person_can_act() {
        let open = found(Severity::High, Status::Open, false);
        let gap = found(Severity::High, Status::Open, true);
        let declined = found(Severity::High, Status::WontFix, false);
        let outcome = |findings: &[&FindingState]| {
            let findings = findings.iter().map(|finding| (*finding).clone()).collect();
            gate(Some(&Case { findings, ..clear() })).outcome
        };
        let (persons_open, persons_gap) = (persons(open.clone()), persons(gap.clone()));
        assert_eq!(outcome(&[&persons_open, &persons_gap, &declined]), Outcome::Waiting);
        assert_eq!(outcome(&[&persons_open, &open]), Outcome::Blocked);
        assert_eq!(outcome(&[&persons_gap, &gap]), Outcome::Incomplete);
        assert_eq!(outcome(&[&persons_gap, &gap, &open]), Outcome::Blocked);
        let claimed = persons(found(Severity::High, Status::Fixed, false));
        assert_eq!(outcome(&[&claimed]), Outcome::Blocked, "the agent can have it verified");
        let case = Case { findings: vec![persons_gap], tree: Match::Differs(vec!["a.rs".to_owned()]), ..clear() };
        assert_eq!(gate(Some(&case)).outcome, Outcome::Incomplete);
        let checked = gate(Some(&case)).checked;
        let owner = |condition| checked.iter().find(|it| it.condition == condition).and_then(|it| it.owner);
        assert_eq!(owner(Condition::NoGap), Some(GateOwner::Person));
        assert_eq!(owner(Condition::SameTree), Some(GateOwner::Agent));
        assert_eq!(owner(Condition::NothingOpen), None);
    }

    #[test]
    fn what_people_have_settled_closes_nothing_but_an_abort_and_a_claim() {
        let settled = |findings: &[FindingState]| {
            let by = || DecidedBy::People { given: 1, needed: 1, names: Vec::new(), acceptances: Vec::new() };
            let decision = |it: &FindingState| Decision { id: it.id.clone(), by: by(), is_settled: true };
            let decided = findings.iter().map(decision).collect();
            Case { findings: findings.to_vec(), people: People { decided }, ..clear() }
        };
        for severity in [Severity::High, Severity::Blocker] {
            for status in [Status::Open, Status::Reopened, Status::WontFix] {
                for is_gap in [false, true] {
                    let case = settled(&[persons(found(severity, status, is_gap))]);
                    assert_eq!(failed(&case), (Outcome::Clear, vec![]), "{severity:?} {status} {is_gap}");
                    let aborted = Case { verdict: ReviewVerdict::Abort, ..case.clone() };
                    assert_eq!(failed(&aborted), (Outcome::Aborted, vec![Condition::NotAborted]));
                    let moved = Case { tree: Match::Differs(vec!["a".to_owned()]), ..case.clone() };
                    assert_eq!(failed(&moved).0, Outcome::Incomplete);
                    let mut not_enough = case;
                    not_enough.people.decided[0].is_settled = false;
                    assert_ne!(failed(&not_enough).0, Outcome::Clear);
                }
            }
        }
        let claimed = settled(&[found(Severity::High, Status::Fixed, false)]);
        assert_eq!(failed(&claimed), (Outcome::Blocked, vec![Condition::NothingClaimed]));
        let mut one_of_two = settled(&[found(Severity::High, Status::Open, false)]);
        one_of_two.findings.push(found(Severity::Blocker, Status::Open, false));
        assert_eq!(failed(&one_of_two), (Outcome::Blocked, vec![Condition::NothingOpen]));
        assert_eq!(gate(Some(&one_of_two)).checked.iter().find(|it| !it.holds).map(|it| it.findings.len()), Some(1));
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
            let declined = with(blocking_at(block_at, severity, Status::WontFix, false));
            let case = Case { accept_wont_fix, ..declined };
            let shown: Vec<_> = gate(Some(&case)).declined.iter().map(|declined| declined.clears).collect();
            assert_eq!(shown, [clears], "{accept_wont_fix} {block_at:?} {severity:?}");
            let outcome = if clears { Outcome::Clear } else { Outcome::Waiting };
            assert_eq!(failed(&case).0, outcome, "{accept_wont_fix} {block_at:?} {severity:?}");
            // Open, the severity alone counts; and a gap cannot be declined.
            let open = Case { findings: vec![blocking_at(block_at, severity, Status::Open, false)], ..case.clone() };
            assert_eq!(failed(&open).0 == Outcome::Clear, !severity.is_at_least(block_at));
            let gap = Case { findings: vec![found(severity, Status::WontFix, true)], ..case };
            assert_eq!((failed(&gap).0, gate(Some(&gap)).declined), (Outcome::Incomplete, vec![]));
        }
        let aborted = Case { verdict: ReviewVerdict::Abort, accept_wont_fix: Always, ..clear() };
        assert_eq!(failed(&aborted).0, Outcome::Aborted);
    }

    #[test]
    fn policy_sets_where_it_closes() {
        let medium = with(blocking_at(Severity::Medium, Severity::Medium, Status::Open, false));
        assert_eq!(failed(&medium).0, Outcome::Blocked);
        let praise = with(blocking_at(Severity::Info, Severity::Praise, Status::Open, false));
        assert_eq!(failed(&praise).0, Outcome::Clear);
    }
}
