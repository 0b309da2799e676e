//! Claims that state the same defect become one. The key of exact duplicates is 004's in use: lower-cased trimmed file,
//! line, and the title in lower case with white space collapsed.
//!
//! Of equals, the worst severity speaks for all, then the highest confidence. `pre_existing` holds only if all say so,
//! `requires_verification` if any does; the highest confidence and the more conservative class and owner win; evidence
//! and reviewers are united.

use super::candidate::{Candidate, Grounding, Several, SpeakerNames, Step, Titles, TrailEntry};
use super::files::{Files, write_file_key};
use super::order;
use crate::model::{
    AutofixClass, Claim, Confidence, Domain, LineRange, Location, Owner, RepoPath, Status, Support, quick,
};

/// Merges exact duplicates. Equals are found by sorting hashes, so that the cost does not depend on the claims.
pub(super) fn merge_exact(slots: &mut [Option<Candidate>], files: &Files, titles: &Titles, panel: &SpeakerNames) {
    let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(slots.len());
    for (slot, index) in slots.iter().zip(0..) {
        let Some(candidate) = slot else { continue };
        let line = first_line(&candidate.claim);
        let place = u64::from(files.path_class(candidate.file)) << u32::BITS | u64::from(line);
        hashes.push((quick(place, titles.get(candidate.title)), index));
    }
    hashes.sort_unstable();
    for run in hashes.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
        for group in groups(run, slots) {
            merge_group(slots, group, panel, MatchKind::Exact);
        }
    }
}

/// Returns the line that a claim starts on, or 0.
pub(super) fn first_line(claim: &Claim) -> u32 {
    claim.location.as_ref().and_then(|location| location.lines).map_or(0, |lines| lines.start().get())
}

/// Parts candidates of one hash by their true keys.
fn groups(run: &[(u64, u32)], slots: &[Option<Candidate>]) -> Vec<Vec<u32>> {
    // Almost always all are equal, to the letter.
    let claim = |(_, index): &(u64, u32)| slots[*index as usize].as_ref().map(|candidate| &candidate.claim);
    let is_equal = |pair: &[(u64, u32)]| match pair {
        [a, b] => matches!((claim(a), claim(b)), (Some(a), Some(b)) if is_one(a, b)),
        _ => true,
    };
    if run.windows(2).all(is_equal) {
        return vec![run.iter().map(|(_, index)| *index).collect()];
    }
    let mut keyed: Vec<(Vec<u8>, u32)> = Vec::with_capacity(run.len());
    for (_, index) in run {
        if let Some(candidate) = &slots[*index as usize] {
            let mut key = Vec::new();
            write_key(&mut key, &candidate.claim);
            keyed.push((key, *index));
        }
    }
    keyed.sort_unstable();
    keyed.chunk_by(|a, b| a.0 == b.0).map(|group| group.iter().map(|(_, index)| *index).collect()).collect()
}

/// Tells whether two claims have one key because they are spelled alike.
fn is_one(a: &Claim, b: &Claim) -> bool {
    let place = |claim: &Claim| claim.location.as_ref().map(|location| location.lines.map(LineRange::start));
    fn file(claim: &Claim) -> Option<&RepoPath> {
        claim.location.as_ref().map(|location| &location.file)
    }
    a.title == b.title && place(a) == place(b) && file(a) == file(b)
}

/// Writes the key of exact duplicates.
fn write_key(key: &mut Vec<u8>, claim: &Claim) {
    key.clear();
    if let Some(location) = &claim.location {
        let mut file = String::new();
        write_file_key(&mut file, location.file.as_str());
        key.extend_from_slice(file.as_bytes());
        key.push(0);
        key.extend(first_line(claim).to_le_bytes());
    }
    key.push(0);
    claim.title.write_normalised(key);
}

/// How close the claims of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchKind {
    /// They have the same key.
    Exact,
    /// They are similar.
    Similar,
}

/// Merges the candidates of a group into the one that speaks for all, which takes the first of their slots.
pub(super) fn merge_group(slots: &mut [Option<Candidate>], mut group: Vec<u32>, panel: &SpeakerNames, kind: MatchKind) {
    let Some(first) = group.first().copied() else { return };
    let claim = |index: u32| slots[index as usize].as_ref().map(|candidate| &candidate.claim);
    group.sort_by(|a, b| match (claim(*a), claim(*b)) {
        (Some(a), Some(b)) => order::by_weight(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    let mut members = group.iter().filter_map(|index| slots[*index as usize].take());
    if let Some(leader) = members.next() {
        slots[first as usize] = Some(combine(leader, members.collect(), panel, kind));
    }
}

fn combine(mut leader: Candidate, others: Vec<Candidate>, panel: &SpeakerNames, kind: MatchKind) -> Candidate {
    if others.is_empty() {
        return leader;
    }
    if kind == MatchKind::Exact {
        adopt_true_file(&mut leader, &others);
    }
    leave_out_refuted(&mut leader, &others);
    let is_refuted = leader.grounding.is_against() && others.iter().all(|other| other.grounding.is_against());
    let mut evidence = std::mem::take(&mut leader.claim.evidence);
    leader.merged.reserve_exact(others.len());
    for other in others {
        let Candidate { claim, merged, origins, voices, trail, grounding, promoted, .. } = other;
        let name = claim.reviewer.as_ref().map_or("somebody", Domain::as_str);
        let tell = |entry: TrailEntry| TrailEntry { reason: format!("{name}: {}", entry.reason).into(), ..entry };
        leader.trail.extend(trail.into_iter().map(tell));
        leader.note(Step::Merge, reason(name, &claim, kind));
        if is_refuted || !grounding.is_against() {
            evidence.extend(claim.evidence.iter().cloned());
        }
        unite(&mut leader.claim, &claim, kind, is_refuted || !grounding.is_against());
        leader.grounding = stronger(leader.grounding, grounding);
        leader.promoted = leader.promoted.max(promoted);
        leader.origins.extend_from_slice(&origins);
        leader.voices.extend_from_slice(&voices);
        leader.merged.push(claim);
        leader.merged.extend(merged);
    }
    keep_first_of_equals(&mut evidence);
    keep_first_of_equals(&mut leader.claim.related);
    leader.claim.evidence = evidence;
    leader.origins.sort_unstable();
    unite_voices(&mut leader);
    debug_assert!(leader.voices.iter().all(|voice| (voice.name_index as usize) < panel.names.len()));
    leader
}

fn reason(name: &str, claim: &Claim, kind: MatchKind) -> String {
    let severity = claim.severity.word();
    match kind {
        MatchKind::Exact => {
            ["merged with the claim of ", name, " (", severity, "): same file, line and title"].concat()
        }
        MatchKind::Similar => {
            let title = claim.title.as_str();
            ["merged with the claim of ", name, " (", severity, "), which is alike: “", title, "”"].concat()
        }
    }
}

/// Spellings of one file may differ in case; the one that the tree or the change knows is the true one.
fn adopt_true_file(leader: &mut Candidate, others: &[Candidate]) {
    let doubt = |candidate: &Candidate| (candidate.grounding.is_against(), candidate.claim.pre_existing == Some(true));
    let surest = others.iter().min_by_key(|other| doubt(other)).filter(|other| doubt(other) < doubt(leader));
    if let Some(surest) = surest
        && let (Some(ours), Some(theirs)) = (&mut leader.claim.location, &surest.claim.location)
        && ours.file != theirs.file
    {
        ours.file = theirs.file.clone();
        leader.file = surest.file;
    }
}

/// Evidence that the tree refutes does not speak for a finding that others can show; it stays in the trail.
fn leave_out_refuted(leader: &mut Candidate, others: &[Candidate]) {
    let others_hold = others.iter().any(|other| !other.grounding.is_against());
    if !leader.grounding.is_against() || !others_hold {
        return;
    }
    let mut evidence = std::mem::take(&mut leader.claim.evidence);
    evidence.extend(leader.claim.support.as_mut().and_then(|support| support.first_evidence.take()));
    for item in evidence {
        leader.note(Step::Merge, format!("left out, because the tree does not have it: {item}"));
    }
}

/// Unites two claims field by field; the first speaks for both.
fn unite(claim: &mut Claim, other: &Claim, kind: MatchKind, has_say: bool) {
    let Claim {
        reviewer: _,
        title: _,
        severity: _,
        confidence,
        location,
        category,
        rule,
        cwe,
        related,
        trace,
        why,
        evidence: _,
        fix,
        autofix,
        owner,
        requires_verification,
        pre_existing,
        status,
        system_breaking: _,
        support,
    } = other;
    claim.confidence = highest(claim.confidence, *confidence);
    if kind == MatchKind::Exact {
        unite_places(claim, location.as_ref());
    }
    claim.category = claim.category.or(*category);
    fill(&mut claim.rule, rule);
    if claim.cwe.is_empty() {
        claim.cwe.clone_from(cwe);
    }
    claim.related.extend(related.iter().cloned());
    // The fingerprint must not depend on who agrees, so traces are not united.
    if claim.trace.is_empty() {
        claim.trace.clone_from(trace);
    }
    fill(&mut claim.why, why);
    fill(&mut claim.fix, fix);
    claim.autofix = claim.autofix.max_by(*autofix, caution_of_class);
    claim.owner = claim.owner.max_by(*owner, caution_of_owner);
    claim.requires_verification = claim.requires_verification.max(*requires_verification);
    claim.pre_existing = match (claim.pre_existing, *pre_existing) {
        (Some(true), Some(true)) => Some(true),
        (None, None) => None,
        _ => Some(false),
    };
    claim.status = most_open(claim.status, *status);
    claim.system_breaking |= other.is_system_breaking();
    if let Some(theirs) = support {
        let ours = claim.support.get_or_insert_default();
        let Support { reviewers: _, independent_reviewers: _, promoted: _, independence_verified, .. } = &**theirs;
        ours.independence_verified = ours.independence_verified.max(*independence_verified);
        fill(&mut ours.settled_conflict, &theirs.settled_conflict);
        if has_say {
            fill(&mut ours.first_evidence, &theirs.first_evidence);
        }
    }
    // An ignored claim does not make another reviewer's claim ignored.
    let is_wanted = |support: &Option<Box<Support>>| support.as_ref().is_some_and(|said| said.ignored.is_some());
    if !is_wanted(support)
        && let Some(ours) = &mut claim.support
    {
        ours.ignored = None;
    }
}

/// Claims of one key start on one line; the finding ends where the longest of them does.
fn unite_places(claim: &mut Claim, other: Option<&Location>) {
    let (Some(place), Some(other)) = (&mut claim.location, other) else { return };
    if let (Some(lines), Some(others)) = (place.lines, other.lines) {
        place.lines = LineRange::new(lines.start(), lines.end().max(others.end())).ok();
        place.column = place.column.or(other.column);
    }
}

fn fill(ours: &mut Option<String>, theirs: &Option<String>) {
    if ours.is_none() {
        ours.clone_from(theirs);
    }
}

/// Returns the higher confidence. An unstated one counts as the lowest that is reported, so it beats a lower one.
fn highest(a: Option<Confidence>, b: Option<Confidence>) -> Option<Confidence> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (Some(stated), None) | (None, Some(stated)) => Some(stated).filter(|stated| *stated >= Confidence::UNSTATED),
        (None, None) => None,
    }
}

/// Picks the more careful of two words; a stated one beats an unstated one.
trait MoreCareful<T> {
    fn max_by(self, other: Self, caution: fn(T) -> u8) -> Self;
}

impl<T: Copy> MoreCareful<T> for Option<T> {
    fn max_by(self, other: Self, caution: fn(T) -> u8) -> Self {
        match (self, other) {
            (Some(ours), Some(theirs)) if caution(theirs) > caution(ours) => other,
            (Some(_), _) => self,
            (None, _) => other,
        }
    }
}

/// How careful an autofix class is (004, `_meta.autofix_classes`): the less may happen without a person, the more.
const fn caution_of_class(class: AutofixClass) -> u8 {
    match class {
        AutofixClass::SafeAuto => 0,
        AutofixClass::GatedAuto => 1,
        AutofixClass::Manual => 2,
        AutofixClass::Advisory => 3,
    }
}

/// How careful an owner is (004, `_meta.owners`): a fixer acts by itself, later work waits, a roll-out is not turned into
/// code by itself, and before a person has judged nothing changes at all.
const fn caution_of_owner(owner: Owner) -> u8 {
    match owner {
        Owner::ReviewFixer => 0,
        Owner::DownstreamResolver => 1,
        Owner::Release => 2,
        Owner::Human => 3,
    }
}

/// Returns the status that is farthest from done; one that was never marked is open.
fn most_open(a: Option<Status>, b: Option<Status>) -> Option<Status> {
    let openness = |status: Option<Status>| match status.unwrap_or(Status::Open) {
        Status::Reopened => 4,
        Status::Open => 3,
        Status::Fixed => 2,
        Status::WontFix => 1,
        Status::Verified => 0,
    };
    match openness(a).cmp(&openness(b)) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => a.or(b),
        std::cmp::Ordering::Greater => a,
    }
}

fn stronger(a: Grounding, b: Grounding) -> Grounding {
    let strength = |grounding: Grounding| match grounding {
        Grounding::Placeless => 0,
        Grounding::Refuted => 1,
        Grounding::Unchecked => 2,
        Grounding::Unquoted => 3,
        Grounding::Found => 4,
    };
    if strength(b) > strength(a) { b } else { a }
}

fn unite_voices(candidate: &mut Candidate) {
    let Several::Many(voices) = &mut candidate.voices else { return };
    voices.sort_unstable_by_key(|voice| (voice.name_index, voice.family_index));
    voices.dedup_by(|later, first| {
        let is_same = (later.name_index, later.family_index) == (first.name_index, first.family_index);
        if is_same {
            first.is_independent |= later.is_independent;
            first.has_evidence |= later.has_evidence;
            first.is_counted |= later.is_counted;
        }
        is_same
    });
}

/// How many items are compared each with each; more are sorted first.
const FEW: usize = 8;

/// Keeps the first of equal items, in order.
fn keep_first_of_equals<T: ToString + PartialEq>(items: &mut Vec<T>) {
    if items.len() <= FEW {
        let mut at = 1;
        while at < items.len() {
            if items[..at].contains(&items[at]) {
                items.remove(at);
            } else {
                at += 1;
            }
        }
        return;
    }
    let mut sorted: Vec<(String, usize)> =
        items.iter().enumerate().map(|(index, item)| (item.to_string(), index)).collect();
    sorted.sort_unstable();
    let mut is_first = vec![false; items.len()];
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        if let Some((_, index)) = equal.first() {
            is_first[*index] = true;
        }
    }
    let mut is_first = is_first.into_iter();
    items.retain(|_| is_first.next().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Severity;
    use crate::synthesis::tests::{claim, report};
    use crate::synthesis::{List, Options, synthesise};

    fn merged(claims: Vec<Claim>) -> List {
        let reports =
            claims.into_iter().enumerate().map(|(index, claim)| report(&format!("r{index}"), vec![claim])).collect();
        let result = synthesise(reports, &Options { near_duplicates: false, ..Options::default() });
        result.lists().concat()
    }

    #[test]
    fn the_key_is_file_line_and_title() {
        let same = ["Null  deref", "null deref", " NULL\tderef "];
        assert_eq!(merged(same.iter().map(|title| claim(title, Some(("a.rs", "3")))).collect()).len(), 1);
        assert_eq!(merged(vec![claim("t", Some(("A.rs", "3"))), claim("t", Some(("a.rs", "3-9")))]).len(), 1);
        assert_eq!(merged(vec![claim("É", Some(("a", "3"))), claim("é", Some(("a", "3")))]).len(), 1);
        assert_eq!(merged(vec![claim("t", None), claim("t", None)]).len(), 1);
        for (a, b) in [
            (claim("t", Some(("a", "3"))), claim("t", Some(("a", "4")))),
            (claim("t", Some(("a", "3"))), claim("t", Some(("b", "3")))),
            (claim("t", Some(("a", "3"))), claim("u", Some(("a", "3")))),
            (claim("t", Some(("a", "3"))), claim("t", None)),
        ] {
            assert_eq!(merged(vec![a, b]).len(), 2);
        }
    }

    #[test]
    fn the_key_has_the_normalised_title() {
        for title in [" A  b\tC\u{b}d ", "x", "\u{1c}a\u{1f}", "É  b"] {
            let mut key = Vec::new();
            write_key(&mut key, &claim(title, None));
            assert_eq!(key[1..], *crate::model::Title::new(title).unwrap().normalised().as_bytes(), "{title:?}");
        }
    }

    #[test]
    fn the_worst_speaks_and_the_most_careful_wins() {
        let with = |severity, percent, autofix, owner| Claim {
            severity,
            confidence: Confidence::from_percent(percent).ok(),
            autofix: Some(autofix),
            owner: Some(owner),
            requires_verification: Some(severity == Severity::Low),
            pre_existing: Some(severity == Severity::High),
            evidence: vec!["both".to_owned(), severity.to_string()],
            ..claim("t", Some(("a", "1")))
        };
        let found = merged(vec![
            with(Severity::Low, 100, AutofixClass::Manual, Owner::ReviewFixer),
            with(Severity::High, 75, AutofixClass::SafeAuto, Owner::Release),
        ]);
        let speaks = &found[0].finding.representative;
        assert_eq!((found.len(), speaks.severity), (1, Severity::High));
        assert_eq!(speaks.confidence, Confidence::from_percent(100).ok());
        assert_eq!((speaks.autofix, speaks.owner), (Some(AutofixClass::Manual), Some(Owner::Release)));
        assert_eq!((speaks.requires_verification, speaks.pre_existing), (Some(true), Some(false)));
        assert_eq!(speaks.evidence, ["both", "High", "Low"]);
        assert_eq!(found[0].finding.merged.len(), 1);
        assert_eq!(found[0].reviewers.iter().map(Domain::as_str).collect::<Vec<_>>(), ["r1", "r0"]);
        assert_eq!(found[0].trail.len(), 1);
    }

    #[test]
    fn silence_about_confidence_beats_doubt_and_yields_to_certainty() {
        let percent = |percent| Confidence::from_percent(percent).ok();
        assert_eq!(highest(None, percent(50)), None);
        assert_eq!(highest(percent(75), None), percent(75));
        assert_eq!(highest(None, percent(100)), percent(100));
        assert_eq!(highest(percent(25), percent(50)), percent(50));
    }

    #[test]
    fn what_is_open_for_one_is_open() {
        let of = |status| Claim { status: Some(status), ..claim("t", None) };
        for (a, b, is) in [
            (Status::Verified, Status::Open, Status::Open),
            (Status::Fixed, Status::WontFix, Status::Fixed),
            (Status::Open, Status::Reopened, Status::Reopened),
        ] {
            assert_eq!(merged(vec![of(a), of(b)])[0].finding.status, is);
        }
        assert_eq!(merged(vec![of(Status::Verified), claim("t", None)])[0].finding.status, Status::Open);
    }
}
