//! The reviews and comments of people on a forge in; those that count as a person's decision, and why the others do not, out.
//!
//! An approving review decides what waits for a person, a comment `/jury accept ID@TREE REASON` the finding that it names. Both count only
//! from somebody whom the base names and who is neither the author nor a bot, of exactly what was judged, and after our summary of it was
//! there. Deliberately not here: who is a member of a team (`forge`), and how many people it takes (`people`).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jury_wire::Reason;

use super::state::ForgeState;
use crate::model::Timestamp;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Approver {
    /// Its name.
    pub name: String,
    /// Whether it is a program's.
    pub is_bot: bool,
}

/// What somebody said in a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// Who.
    pub by: Approver,
    /// What.
    pub ruled: Ruled,
    /// The commit that it is about; `None` if the forge does not say.
    pub commit: Option<String>,
    /// When.
    pub at: String,
}

/// What a review says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruled {
    /// It approves.
    Approved,
    /// It approved, and the forge no longer counts it.
    Withdrawn,
    /// It asks for changes.
    Objected,
}

/// A comment of a person below the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Who.
    pub by: Approver,
    /// Its text.
    pub body: String,
    /// When it was written.
    pub at: String,
    /// Whether it was edited since.
    pub is_edited: bool,
}

/// What people said on a forge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinions {
    /// Who opened the pull request.
    pub author: String,
    /// The reviews, in any order.
    pub opinions: Vec<Opinion>,
    /// The comments.
    pub comments: Vec<Comment>,
}

/// What they are held against.
pub struct May<'m> {
    /// The name of the forge, for people.
    pub forge: &'m str,
    /// The head of the pull request, as far as it is what was judged: the very tree, or an equal patch.
    pub judged_head: Option<&'m str>,
    /// The tree that was judged.
    pub tree: &'m str,
    /// The review.
    pub review_id: &'m str,
    /// The findings that people can decide, each with its file and whether it waits for a person.
    pub findings: &'m [(String, Option<String>, bool)],
    /// Tells whether the base names an account for a file, or for the whole change.
    pub is_named: &'m dyn Fn(&str, Option<&str>) -> bool,
}

/// A decision that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The account, with its forge.
    pub by: String,
    /// The findings that it decides.
    pub findings: BTreeSet<String>,
}

/// A decision that does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncounted {
    /// The account, with its forge.
    pub by: String,
    /// Why, as a code.
    pub reason: Reason,
    /// Why, for a person.
    pub what: String,
}

/// The command in a comment.
const COMMAND: &str = "/jury accept";
/// The fewest digits that name a tree.
const FEWEST_DIGITS: usize = 12;

/// Counts.
pub fn count(opinions: &Opinions, state: &ForgeState, may: &May<'_>) -> (Vec<Counted>, Vec<Uncounted>) {
    let since = may.judged_head.and_then(|head| super::plan::summarised_at(state, head, may.review_id));
    let ground = Ground { opinions, may, since: since.and_then(|since| Timestamp::new(&since).ok()) };
    let mut last: BTreeMap<&Approver, &Opinion> = BTreeMap::new();
    for opinion in &opinions.opinions {
        let is_later = last.get(&opinion.by).is_none_or(|other| !is_before(&opinion.at, &other.at));
        if is_later {
            last.insert(&opinion.by, opinion);
        }
    }
    let (mut counted, mut uncounted) = (Vec::new(), Vec::new());
    let mut sort = |by: &Approver, ruled: Result<BTreeSet<String>, (Reason, String)>| {
        let by = format!("{}@{}", by.name, may.forge);
        match ruled {
            Ok(findings) if findings.is_empty() => {}
            Ok(findings) => counted.push(Counted { by, findings }),
            Err((reason, what)) => uncounted.push(Uncounted { by, reason, what }),
        }
    };
    for (by, opinion) in last {
        // Who asks for changes decides nothing, and needs no remark.
        if opinion.ruled != Ruled::Objected {
            sort(by, ground.approved(opinion));
        }
    }
    for comment in opinions.comments.iter().filter(|comment| comment.body.trim_start().starts_with(COMMAND)) {
        sort(&comment.by, ground.accepted(comment));
    }
    (counted, uncounted)
}

fn is_before(one: &str, other: &str) -> bool {
    let moment = |text: &str| Timestamp::new(text).ok();
    let (Some(one), Some(other)) = (moment(one), moment(other)) else { return true };
    one.compare(&other) != Some(Ordering::Greater) && one.compare(&other) != Some(Ordering::Equal)
}

struct Ground<'g> {
    opinions: &'g Opinions,
    may: &'g May<'g>,
    since: Option<Timestamp>,
}

type No = (Reason, String);

impl Ground<'_> {
    /// Refuses an account that never decides.
    fn person(&self, by: &Approver) -> Result<(), No> {
        let name = &by.name;
        if by.is_bot {
            return Err((Reason::ApprovalByBot, format!("{name} is a bot")));
        }
        if name.eq_ignore_ascii_case(&self.opinions.author) {
            return Err((Reason::ApprovalByAuthor, format!("{name} opened the pull request")));
        }
        Ok(())
    }

    /// Refuses what was said before our summary.
    fn after_summary(&self, at: &str) -> Result<(), No> {
        let Some(since) = &self.since else {
            return Err((Reason::ApprovalTooEarly, "there is no summary of Jury of this commit and review".to_owned()));
        };
        let moment = Timestamp::new(at).ok();
        match moment.and_then(|moment| moment.compare(since)) {
            Some(Ordering::Greater | Ordering::Equal) => Ok(()),
            _ => Err((Reason::ApprovalTooEarly, format!("it was given at {at}, the summary is of {since}"))),
        }
    }

    fn named(
        &self,
        by: &Approver,
        findings: impl Iterator<Item = (String, Option<String>)>,
    ) -> Result<BTreeSet<String>, No> {
        let all: Vec<(String, Option<String>)> = findings.collect();
        let named = all.iter().filter(|(_, path)| (self.may.is_named)(&by.name, path.as_deref()));
        let named: BTreeSet<String> = named.map(|(id, _)| id.clone()).collect();
        if named.is_empty() && !all.is_empty() {
            let what = format!("`people.approvers` of the base does not name {} for what waits", by.name);
            return Err((Reason::ApprovalUnnamed, what));
        }
        Ok(named)
    }

    fn approved(&self, opinion: &Opinion) -> Result<BTreeSet<String>, No> {
        let waiting = self.may.findings.iter().filter(|(_, _, waits)| *waits);
        let waiting: Vec<_> = waiting.map(|(id, path, _)| (id.clone(), path.clone())).collect();
        if waiting.is_empty() {
            return Ok(BTreeSet::new());
        }
        self.person(&opinion.by)?;
        if opinion.ruled == Ruled::Withdrawn {
            return Err((Reason::ApprovalWithdrawn, "it was dismissed, or is stale".to_owned()));
        }
        let of = opinion.commit.as_deref();
        if of.is_none() || of != self.may.judged_head {
            let what = format!("it is of commit {}", of.unwrap_or("unknown"));
            return Err((Reason::ApprovalOtherCommit, what));
        }
        self.after_summary(&opinion.at)?;
        self.named(&opinion.by, waiting.into_iter())
    }

    fn accepted(&self, comment: &Comment) -> Result<BTreeSet<String>, No> {
        self.person(&comment.by)?;
        if comment.is_edited {
            return Err((Reason::AcceptCommentEdited, "it was edited".to_owned()));
        }
        let unclear = |what: &str| (Reason::AcceptCommentUnclear, what.to_owned());
        let line = comment.body.trim().lines().next().unwrap_or_default();
        let mut words = line.strip_prefix(COMMAND).unwrap_or_default().split_whitespace();
        let named = words.next().and_then(|word| word.split_once('@'));
        let Some((id, tree)) = named else { return Err(unclear("it does not say ID@TREE")) };
        if words.next().is_none() {
            return Err(unclear("it gives no reason"));
        }
        if tree.len() < FEWEST_DIGITS || !self.may.tree.starts_with(tree) {
            return Err((
                Reason::ApprovalOtherCommit,
                format!("it is of tree {}", tree.chars().take(40).collect::<String>()),
            ));
        }
        let found = self.may.findings.iter().find(|(known, _, _)| known == id);
        let Some((id, path, _)) = found else { return Err(unclear("nobody can accept a finding of this id")) };
        self.after_summary(&comment.at)?;
        self.named(&comment.by, std::iter::once((id.clone(), path.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::super::marker::Summary;
    use super::super::state;
    use super::*;

    fn state() -> ForgeState {
        let mark = Summary {
            head: "c1".to_owned(),
            review: "a3f8c12b".to_owned(),
            since: "2026-02-16T10:00:00Z".to_owned(),
            unplaced: Vec::new(),
        };
        let comment = state::Comment { id: "1".to_owned(), is_ours: true, body: mark.line() };
        ForgeState { head: "c1".to_owned(), comments: vec![comment], ..ForgeState::default() }
    }

    fn by(name: &str) -> Approver {
        Approver { name: name.to_owned(), is_bot: name.ends_with("[bot]") }
    }

    fn approval(name: &str, commit: &str, at: &str) -> Opinion {
        Opinion {
            by: by(name),
            ruled: Ruled::Approved,
            commit: Some(commit.to_owned()),
            at: format!("2026-02-16T{at}Z"),
        }
    }

    fn comment(name: &str, body: &str, at: &str) -> Comment {
        Comment { by: by(name), body: body.to_owned(), at: format!("2026-02-16T{at}Z"), is_edited: false }
    }

    fn counted(opinions: Vec<Opinion>, comments: Vec<Comment>) -> (Vec<String>, Vec<Reason>) {
        let findings = [
            ("logo".to_owned(), Some("logo.png".to_owned()), true),
            ("sql".to_owned(), Some("src/a.ts".to_owned()), false),
        ];
        let may = May {
            forge: "github",
            judged_head: Some("c1"),
            tree: "1234567890abcdef1234567890abcdef12345678",
            review_id: "a3f8c12b",
            findings: &findings,
            is_named: &|name, path| name == "lee" || (name == "kim" && path == Some("src/a.ts")),
        };
        let all = Opinions { author: "Ann".to_owned(), opinions, comments };
        let (counted, uncounted) = count(&all, &state(), &may);
        let say = |it: &Counted| format!("{}: {}", it.by, it.findings.iter().cloned().collect::<Vec<_>>().join(","));
        (counted.iter().map(say).collect(), uncounted.iter().map(|it| it.reason).collect())
    }

    #[test]
    fn an_approval_decides_what_waits_for_a_person_and_nothing_else() {
        let (yes, no) = counted(vec![approval("lee", "c1", "11:00:00")], vec![]);
        assert_eq!((yes, no), (vec!["lee@github: logo".to_owned()], vec![]));
    }

    #[test]
    fn each_condition_refuses_it_alone() {
        use Reason::*;
        let withdrawn = Opinion { ruled: Ruled::Withdrawn, ..approval("lee", "c1", "11:00:00") };
        let untold = Opinion { commit: None, ..approval("lee", "c1", "11:00:00") };
        for (opinion, reason) in [
            (approval("ann", "c1", "11:00:00"), ApprovalByAuthor),
            (approval("helper[bot]", "c1", "11:00:00"), ApprovalByBot),
            (approval("max", "c1", "11:00:00"), ApprovalUnnamed),
            (approval("kim", "c1", "11:00:00"), ApprovalUnnamed),
            (withdrawn, ApprovalWithdrawn),
            (approval("lee", "c0", "11:00:00"), ApprovalOtherCommit),
            (untold, ApprovalOtherCommit),
            (approval("lee", "c1", "09:59:59"), ApprovalTooEarly),
        ] {
            assert_eq!(counted(vec![opinion.clone()], vec![]), (vec![], vec![reason]), "{opinion:?}");
        }
        let then_objects = Opinion { ruled: Ruled::Objected, ..approval("lee", "c1", "11:30:00") };
        let approved = approval("lee", "c1", "11:00:00");
        assert_eq!(counted(vec![approved.clone(), then_objects.clone()], vec![]), (vec![], vec![]));
        let again = approval("lee", "c1", "12:00:00");
        assert_eq!(
            counted(vec![again, then_objects, approved], vec![]).0.len(),
            1,
            "the last one decides, in any order"
        );
    }

    #[test]
    fn a_comment_accepts_the_finding_that_it_names() {
        use Reason::*;
        let of = |name: &str, body: &str| counted(vec![], vec![comment(name, body, "11:00:00")]);
        let tree = "1234567890ab";
        assert_eq!(of("kim", &format!("/jury accept sql@{tree} it is a test")).0, ["kim@github: sql"]);
        for (name, body, reason) in [
            ("kim", format!("/jury accept sql@{tree}"), AcceptCommentUnclear),
            ("kim", "/jury accept sql it is a test".to_owned(), AcceptCommentUnclear),
            ("kim", format!("/jury accept other@{tree} it is a test"), AcceptCommentUnclear),
            ("kim", "/jury accept sql@1234 it is a test".to_owned(), ApprovalOtherCommit),
            ("kim", "/jury accept sql@ffffffffffff it is a test".to_owned(), ApprovalOtherCommit),
            ("max", format!("/jury accept sql@{tree} it is a test"), ApprovalUnnamed),
            ("ann", format!("/jury accept sql@{tree} it is a test"), ApprovalByAuthor),
        ] {
            assert_eq!(of(name, &body), (vec![], vec![reason]), "{body}");
        }
        let edited =
            Comment { is_edited: true, ..comment("kim", &format!("/jury accept sql@{tree} it is"), "11:00:00") };
        assert_eq!(counted(vec![], vec![edited]).1, [AcceptCommentEdited]);
        let early = comment("kim", &format!("/jury accept sql@{tree} it is"), "09:00:00");
        assert_eq!(counted(vec![], vec![early]).1, [ApprovalTooEarly]);
        assert_eq!(of("kim", &format!("> /jury accept sql@{tree} quoted")), (vec![], vec![]));
    }

    #[test]
    fn a_summary_that_somebody_else_wrote_lets_nothing_count() {
        let mut forged = state();
        forged.comments[0].is_ours = false;
        let findings = [("logo".to_owned(), None, true)];
        let may = May {
            forge: "github",
            judged_head: Some("c1"),
            tree: "12",
            review_id: "a3f8c12b",
            findings: &findings,
            is_named: &|_, _| true,
        };
        let all =
            Opinions { author: "ann".to_owned(), opinions: vec![approval("lee", "c1", "11:00:00")], comments: vec![] };
        let (yes, no) = count(&all, &forged, &may);
        assert_eq!((yes.len(), no[0].reason), (0, Reason::ApprovalTooEarly));
    }
}
