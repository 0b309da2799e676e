//! Which acceptances count. In: what was stored, and what can be accepted now. Out: for each finding who accepted it, and what is refused.
//!
//! An acceptance about another place says nothing here and is passed over. Distinct public keys are counted, never names; all confirmations
//! without a key together count as one.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU8;

use jury_wire::Reason;

use super::statement::{Acceptance, Broken, Proof, name_of, read};
use crate::model::{self, Day, PeoplePolicy, Subject};
use crate::signature::{VerifiedKey, distinct};

/// Where an acceptance lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Below the refs of the repository.
    Ref,
    /// In Jury's folder of this machine.
    Machine,
}

/// An acceptance as it lies somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Where.
    pub place: Place,
    /// The digest that it goes by.
    pub name: String,
    /// Its bytes; `None` if they cannot be had.
    pub bytes: Option<Vec<u8>>,
}

/// A finding that people can accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its id.
    pub id: String,
    /// How many people it takes.
    pub needed: NonZeroU8,
    /// The subjects, all of which have to be accepted.
    pub subjects: Vec<Subject>,
}

/// Checks the signature of bytes by the signers of the base.
pub type Check<'c> = dyn Fn(&str, &[u8]) -> Result<VerifiedKey, Broken> + 'c;

/// The approval of a change on a forge. Whoever makes one out has asked the forge and the base: it is of exactly the commit that was judged,
/// by somebody whom the policy of the base names, and not by who opened the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The account, with its forge.
    pub by: String,
    /// The findings that it decides.
    pub findings: BTreeSet<String>,
}

/// The facts that acceptances are compared with.
pub struct Ground<'g> {
    /// The root commit of this repository, if it is known.
    pub repository: Option<&'g str>,
    /// The policy of the base.
    pub policy: &'g PeoplePolicy,
    /// The day, not before that of the base.
    pub today: Day,
    /// The mail addresses of those who wrote the change; `None` if not all are known.
    pub authors: Option<&'g BTreeSet<String>>,
    /// Whether this is a place where confirmations of this machine may count at all.
    pub is_own_machine: bool,
    /// The approvals of the change on its forge.
    pub approvals: &'g [Approval],
    /// Checks a signature.
    pub check: &'g Check<'g>,
}

/// The decisions of people about one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The finding.
    pub id: String,
    /// How many people it takes.
    pub needed: u8,
    /// How many have accepted all of it.
    pub given: usize,
    /// Who accepted any of it and counts, each once, with the proof.
    pub by: Vec<(String, model::Proof)>,
    /// The stored acceptances that count for it, by the digests that they go by.
    pub names: BTreeSet<String>,
}

impl Decided {
    /// Tells whether enough people have accepted it.
    pub fn is_enough(&self) -> bool {
        self.given >= usize::from(self.needed)
    }
}

/// An acceptance that does not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refused {
    /// The digest that it goes by.
    pub name: String,
    /// The finding that it would be about; `None` if it cannot be read.
    pub id: Option<String>,
    /// Why, as a code.
    pub reason: Reason,
    /// Why, for a person.
    pub what: String,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The findings that somebody has accepted, in the order given.
    pub decided: Vec<Decided>,
    /// The refused ones, by name.
    pub refused: Vec<Refused>,
}

/// Counts.
pub fn standing(stored: &[Stored], wanted: &[Wanted], ground: &Ground<'_>) -> Standing {
    let mut refused = BTreeSet::new();
    let mut voices: BTreeMap<&Subject, Vec<Heard<'_>>> = BTreeMap::new();
    for (wanted, approval) in wanted.iter().flat_map(|wanted| ground.approvals.iter().map(move |it| (wanted, it))) {
        if !approval.findings.contains(&wanted.id) {
            continue;
        }
        for subject in &wanted.subjects {
            voices.entry(subject).or_default().push((Voice::Forge(approval.by.clone()), None));
        }
    }
    for stored in stored {
        match heard(stored, wanted, ground) {
            Ok(None) => {}
            Ok(Some((voice, subjects))) => {
                for subject in subjects {
                    voices.entry(subject).or_default().push((voice.clone(), Some(stored.name.as_str())));
                }
            }
            Err(no) => {
                refused.insert(no);
            }
        }
    }
    let none = Vec::new();
    let decided = wanted.iter().map(|wanted| {
        let each = wanted.subjects.iter().map(|subject| voices.get(subject).unwrap_or(&none));
        let given = each.clone().map(|voices| count(voices)).min().unwrap_or_default();
        let mut by: Vec<(String, model::Proof)> = Vec::new();
        for who in each.clone().flatten().map(|(voice, _)| voice.named()) {
            if !by.contains(&who) {
                by.push(who);
            }
        }
        by.sort_by(|a, b| (a.1.token(), &a.0).cmp(&(b.1.token(), &b.0)));
        let names = each.flatten().filter_map(|(_, name)| name.map(str::to_owned)).collect();
        Decided { id: wanted.id.clone(), needed: wanted.needed.get(), given, by, names }
    });
    let decided: Vec<Decided> = decided.filter(|decided| !decided.by.is_empty()).collect();
    for (decided, wanted) in decided.iter().flat_map(|it| wanted.iter().map(move |wanted| (it, wanted))) {
        if decided.id == wanted.id && !decided.is_enough() {
            refused.extend(wanted.subjects.iter().filter_map(|it| voices.get(it)).flat_map(|it| again(it, &wanted.id)));
        }
    }
    Standing { decided, refused: refused.into_iter().collect() }
}

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Voice {
    Key(VerifiedKey),
    Machine(String),
    Forge(String),
}

/// Who speaks, and the digest of the acceptance, if it is stored.
type Heard<'s> = (Voice, Option<&'s str>);

impl Voice {
    fn named(&self) -> (String, model::Proof) {
        match self {
            Self::Key(key) => (key.principal.clone(), model::Proof::Signed),
            Self::Machine(by) => (by.clone(), model::Proof::Unsigned),
            Self::Forge(by) => (by.clone(), model::Proof::Forge),
        }
    }
}

/// Counts who speaks: one key is one under any name, and so is this machine. Nobody can tell which account or machine has which key, so they
/// are not added up: one person could have all of them.
fn count(voices: &[Heard<'_>]) -> usize {
    let keys = voices.iter().filter_map(|(voice, _)| match voice {
        Voice::Key(key) => Some(key),
        Voice::Machine(_) | Voice::Forge(_) => None,
    });
    let accounts: BTreeSet<&str> = voices
        .iter()
        .filter_map(|(voice, _)| match voice {
            Voice::Forge(by) => Some(by.as_str()),
            Voice::Key(_) | Voice::Machine(_) => None,
        })
        .collect();
    let has_machine = voices.iter().any(|(voice, _)| matches!(voice, Voice::Machine(_)));
    distinct(keys).len().max(usize::from(has_machine)).max(accounts.len())
}

/// Names the acceptances of keys that have accepted the same before: one person may wonder why more are needed.
fn again(voices: &[Heard<'_>], id: &str) -> Vec<Refused> {
    let mut by_name: BTreeMap<&str, &VerifiedKey> = BTreeMap::new();
    for (voice, name) in voices {
        if let (Voice::Key(key), Some(name)) = (voice, name) {
            by_name.entry(name).or_insert(key);
        }
    }
    let first = distinct(by_name.values().copied());
    let again = by_name.iter().filter(|(_, key)| !first.iter().any(|first| std::ptr::eq(*first, **key)));
    let refused = |(name, key): (&&str, &&VerifiedKey)| Refused {
        name: (*name).to_owned(),
        id: Some(id.to_owned()),
        reason: Reason::AcceptanceSameKey,
        what: format!("the key of {} has accepted it already, and counts once", key.principal),
    };
    again.map(refused).collect()
}

/// Holds one acceptance against what is wanted; `None` if it is about something else.
fn heard<'w>(
    stored: &Stored,
    wanted: &'w [Wanted],
    ground: &Ground<'_>,
) -> Result<Option<(Voice, Vec<&'w Subject>)>, Refused> {
    let refuse = |id: Option<&str>, Broken { reason, what }: Broken| Refused {
        name: stored.name.clone(),
        id: id.map(str::to_owned),
        reason,
        what,
    };
    let acceptance = opened(stored).map_err(|broken| refuse(None, broken))?;
    let accepted: Vec<&Subject> = acceptance.statement.accepted.iter().map(|it| &it.subject).collect();
    let all = || wanted.iter().flat_map(|wanted| wanted.subjects.iter().map(move |subject| (wanted, subject)));
    let covered: Vec<(&Wanted, &Subject)> = all().filter(|(_, subject)| accepted.contains(subject)).collect();
    let near = || all().find(|(_, subject)| accepted.iter().any(|accepted| accepted.is_about_same(subject)));
    let Some((first, _)) = covered.first().copied().or_else(near) else { return Ok(None) };
    let refuse = |broken| refuse(Some(&first.id), broken);
    is_for_this(&acceptance, ground).map_err(refuse)?;
    if covered.is_empty() {
        let what = "it was given for other content at this place";
        return Err(refuse(broken(Reason::AcceptanceOtherContent, what)));
    }
    let voice = speaker(&acceptance, stored.place, ground).map_err(refuse)?;
    Ok(Some((voice, covered.into_iter().map(|(_, subject)| subject).collect())))
}

fn broken(reason: Reason, what: impl Into<String>) -> Broken {
    Broken { reason, what: what.into() }
}

/// Reads what lies there, if it is what its name says.
fn opened(stored: &Stored) -> Result<Acceptance, Broken> {
    let unreadable = || broken(Reason::AcceptanceDamaged, "its object is missing, too large or damaged");
    let bytes = stored.bytes.as_deref().ok_or_else(unreadable)?;
    if name_of(bytes) != stored.name {
        return Err(broken(Reason::AcceptanceAltered, "its digest is not its name"));
    }
    read(bytes)
}

/// Refuses what is for another repository, and what has expired.
fn is_for_this(acceptance: &Acceptance, ground: &Ground<'_>) -> Result<(), Broken> {
    let statement = &acceptance.statement;
    match ground.repository {
        Some(here) if here == statement.repository => {}
        Some(_) => return Err(broken(Reason::AcceptanceForeign, "it was given in another repository")),
        None => {
            let what = "this clone does not reach the first commit, so it cannot be told that it was given here";
            return Err(broken(Reason::AcceptanceForeign, what));
        }
    }
    match statement.expires.filter(|day| *day < ground.today) {
        Some(day) => Err(broken(Reason::AcceptanceExpired, format!("it expired on {day}"))),
        None => Ok(()),
    }
}

/// Returns who speaks, if it is somebody who counts.
fn speaker(acceptance: &Acceptance, place: Place, ground: &Ground<'_>) -> Result<Voice, Broken> {
    match &acceptance.proof {
        Proof::Signed(signature) => {
            let key = (ground.check)(signature, &acceptance.signed)?;
            let principal = &key.principal;
            if !key.has_user_presence && !ground.policy.software_keys {
                let what = format!("the key of {principal} demands no touch");
                return Err(broken(Reason::AcceptanceSoftwareKey, what));
            }
            if ground.policy.not_author {
                // A line of the list may have several names.
                let is_one = |authors: &BTreeSet<String>| {
                    principal.to_lowercase().split(',').any(|name| authors.contains(name.trim()))
                };
                let is_author = ground.authors.is_none_or(is_one);
                if is_author {
                    return Err(broken(Reason::AcceptanceByAuthor, format!("{principal} wrote the change")));
                }
            }
            Ok(Voice::Key(key))
        }
        // One that came with a fetch was never confirmed here.
        Proof::Unsigned(by) if place == Place::Machine && ground.policy.unsigned && ground.is_own_machine => {
            Ok(Voice::Machine(by.clone()))
        }
        Proof::Unsigned(by) => {
            let what = format!("the confirmation of {by} has no signature, and a program can type, too");
            Err(broken(Reason::AcceptanceUnsigned, what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::tests::{file, finding, statement};
    use super::super::statement::{Statement, envelope, statement_bytes};
    use super::*;
    use crate::model::Bound;

    /// A check that knows the keys `hard:NAME:KEY` and `soft:NAME:KEY`.
    fn check(signature: &str, _: &[u8]) -> Result<VerifiedKey, Broken> {
        let parts: Vec<&str> = signature.split(':').collect();
        match parts[..] {
            [kind, principal, key] => Ok(VerifiedKey {
                fingerprint: key.to_owned(),
                principal: principal.to_owned(),
                has_user_presence: kind == "hard",
                authority: None,
            }),
            _ => Err(broken(Reason::SignatureMismatch, "no")),
        }
    }

    fn stored(statement: &Statement, proof: Proof) -> Stored {
        let bytes = envelope(&statement_bytes(statement), &proof);
        let place = if matches!(proof, Proof::Signed(_)) { Place::Ref } else { Place::Machine };
        Stored { place, name: name_of(&bytes), bytes: Some(bytes) }
    }

    fn signed(subjects: Vec<Subject>, by: &str) -> Stored {
        stored(&statement(subjects), Proof::Signed(by.to_owned()))
    }

    fn wanted(needed: u8, subjects: Vec<Subject>) -> Vec<Wanted> {
        vec![Wanted { id: "x".to_owned(), needed: NonZeroU8::new(needed).unwrap(), subjects }]
    }

    fn on(stored: &[Stored], wanted: &[Wanted], policy: &PeoplePolicy, today: &str) -> Standing {
        let root = "r".repeat(40);
        let authors = BTreeSet::from(["me@example.org".to_owned()]);
        let ground = Ground {
            repository: Some(&root),
            policy,
            today: Day::new(today).unwrap(),
            authors: Some(&authors),
            is_own_machine: true,
            approvals: &[],
            check: &check,
        };
        standing(stored, wanted, &ground)
    }

    #[test]
    fn approvals_on_a_forge_count_and_are_not_added_to_keys() {
        let image = || vec![file("logo.png", "x")];
        let given = |approvals: &[Approval], stored: &[Stored], needed: u8| {
            let root = "r".repeat(40);
            let ground = Ground {
                repository: Some(&root),
                policy: &PeoplePolicy::default(),
                today: Day::new("2026-02-16").unwrap(),
                authors: None,
                is_own_machine: false,
                approvals,
                check: &check,
            };
            let decided = standing(stored, &wanted(needed, image()), &ground).decided;
            decided.first().map(|it| (it.given, it.is_enough(), it.names.len()))
        };
        let of = |name: &str, finding: &str| Approval { by: name.to_owned(), findings: [finding.to_owned()].into() };
        let by = |name: &str| of(name, "x");
        assert_eq!(given(&[of("lee@forge", "y")], &[], 1), None, "an approval decides what it names");
        let key = signed(image(), "hard:lee:K1");
        assert_eq!(given(&[], &[], 1), None);
        assert_eq!(given(&[by("lee@forge")], &[], 1), Some((1, true, 0)));
        assert_eq!(given(&[by("lee@forge"), by("lee@forge")], &[], 2), Some((1, false, 0)));
        assert_eq!(given(&[by("lee@forge"), by("kim@forge")], &[], 2), Some((2, true, 0)));
        assert_eq!(given(&[by("lee@forge")], &[key], 2), Some((1, false, 1)), "one person may have both");
    }

    fn count(stored: &[Stored], wanted: &[Wanted], policy: &PeoplePolicy) -> (usize, bool, Vec<Reason>) {
        let standing = on(stored, wanted, policy, "2026-02-16");
        let reasons = standing.refused.iter().map(|refused| refused.reason).collect();
        let decided = standing.decided.first();
        (decided.map_or(0, |it| it.given), decided.is_some_and(Decided::is_enough), reasons)
    }

    #[test]
    fn keys_are_counted_and_not_names() {
        let policy = PeoplePolicy::default();
        let image = || vec![file("logo.png", "x")];
        let two = wanted(2, image());
        let one = signed(image(), "hard:lee:K1");
        assert_eq!(count(std::slice::from_ref(&one), &two, &policy), (1, false, vec![]));
        let again = signed(image(), "hard:kim:K1");
        let same = (1, false, vec![Reason::AcceptanceSameKey]);
        assert_eq!(count(&[one.clone(), again.clone()], &two, &policy), same, "one key under two names");
        assert_eq!(count(&[one.clone(), again], &wanted(1, image()), &policy), (1, true, vec![]), "one is enough");
        let other = signed(image(), "hard:lee:K2");
        assert_eq!(count(&[one, other], &two, &policy), (2, true, vec![]));
    }

    #[test]
    fn every_refusal_has_its_reason() {
        let default = PeoplePolicy::default();
        let image = || vec![file("logo.png", "x")];
        let want = wanted(1, image());
        let reason = |stored: Stored, policy: &PeoplePolicy| count(&[stored], &want, policy);
        let no = |reason| (0, false, vec![reason]);
        assert_eq!(reason(signed(image(), "hard:lee:K1"), &default), (1, true, vec![]));
        assert_eq!(reason(signed(image(), "bad"), &default), no(Reason::SignatureMismatch));
        assert_eq!(reason(signed(image(), "soft:lee:K1"), &default), no(Reason::AcceptanceSoftwareKey));
        let lax = PeoplePolicy { software_keys: true, ..PeoplePolicy::default() };
        assert_eq!(reason(signed(image(), "soft:lee:K1"), &lax), (1, true, vec![]));
        let strict = PeoplePolicy { not_author: true, ..PeoplePolicy::default() };
        assert_eq!(reason(signed(image(), "hard:Me@example.org:K1"), &strict), no(Reason::AcceptanceByAuthor));
        assert_eq!(reason(signed(image(), "hard:lee:K1"), &strict), (1, true, vec![]));
        let other = signed(vec![file("logo.png", "y")], "hard:lee:K1");
        assert_eq!(reason(other, &default), no(Reason::AcceptanceOtherContent));
        let elsewhere = signed(vec![file("other.png", "x")], "bad");
        assert_eq!(reason(elsewhere, &default), (0, false, vec![]), "it says nothing here");
        let foreign = Statement { repository: "f".repeat(40), ..statement(image()) };
        let by = || Proof::Signed("hard:lee:K1".to_owned());
        assert_eq!(reason(stored(&foreign, by()), &default), no(Reason::AcceptanceForeign));
        let expired = Statement { expires: Day::new("2026-02-15"), ..statement(image()) };
        assert_eq!(reason(stored(&expired, by()), &default), no(Reason::AcceptanceExpired));
        let whole = signed(image(), "hard:lee:K1");
        let cut = whole.bytes.clone().map(|bytes| bytes[..40].to_vec());
        let cut = Stored { name: name_of(cut.as_deref().unwrap()), bytes: cut, ..whole.clone() };
        assert_eq!(reason(cut, &default), no(Reason::AcceptanceDamaged));
        let altered = Stored { name: "0".repeat(64), ..whole.clone() };
        assert_eq!(reason(altered, &default), no(Reason::AcceptanceAltered));
        assert_eq!(reason(Stored { bytes: None, ..whole }, &default), no(Reason::AcceptanceDamaged));
    }

    #[test]
    fn confirmations_without_a_key_count_only_where_the_base_says_so_and_once() {
        let image = || vec![file("logo.png", "x")];
        let by = |name: &str| stored(&statement(image()), Proof::Unsigned(name.to_owned()));
        let lax = PeoplePolicy { unsigned: true, ..PeoplePolicy::default() };
        let no = (0, false, vec![Reason::AcceptanceUnsigned]);
        assert_eq!(count(&[by("Lee")], &wanted(1, image()), &PeoplePolicy::default()), no);
        assert_eq!(count(&[by("Lee")], &wanted(1, image()), &lax), (1, true, vec![]));
        assert_eq!(count(&[by("Lee"), by("Kim")], &wanted(2, image()), &lax), (1, false, vec![]));
        let fetched = Stored { place: Place::Ref, ..by("Lee") };
        assert_eq!(count(&[fetched], &wanted(1, image()), &lax), no);
    }

    #[test]
    fn all_files_of_a_gap_have_to_be_accepted() {
        let policy = PeoplePolicy::default();
        let both = wanted(1, vec![file("a.png", "x"), file("b.png", "x")]);
        let one = signed(vec![file("a.png", "x")], "hard:lee:K1");
        let other = signed(vec![file("b.png", "x")], "hard:kim:K2");
        assert_eq!(count(std::slice::from_ref(&one), &both, &policy), (0, false, vec![]));
        assert_eq!(count(&[one, other], &both, &policy), (1, true, vec![]));
    }

    #[test]
    fn a_finding_is_bound_to_more_than_its_place() {
        let policy = PeoplePolicy::default();
        let is_enough = |accepted: Subject, now: Subject| {
            count(&[signed(vec![accepted], "hard:lee:K1")], &wanted(1, vec![now]), &policy).1
        };
        assert!(is_enough(finding("a", Bound::Lines), finding("a", Bound::Lines)));
        assert!(!is_enough(finding("a", Bound::Lines), finding("b", Bound::Lines)));
        let twice = |subject: Subject| match subject {
            Subject::Finding { source, path, fingerprint, bound, .. } => {
                Subject::Finding { source, path, fingerprint, bound, places: 2 }
            }
            file @ Subject::File { .. } => file,
        };
        assert!(!is_enough(finding("a", Bound::Lines), twice(finding("a", Bound::Lines))));
    }

    #[test]
    fn the_last_day_counts() {
        let image = || vec![file("logo.png", "x")];
        let given =
            |today: &str| on(&[signed(image(), "hard:lee:K1")], &wanted(1, image()), &PeoplePolicy::default(), today);
        assert!(given("2027-01-31").refused.is_empty());
        assert_eq!(given("2027-02-01").refused[0].reason, Reason::AcceptanceExpired);
    }
}
