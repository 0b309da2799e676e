//! The orders of claims and findings, total and blind to where anything came from; then numbers, ids and fingerprints.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::candidate::{Candidate, Several, SpeakerNames, Titles, counted_confidence};
use super::dedupe::first_line;
use super::files::Files;
use super::text::FileText;
use super::threshold::{Disposition, suppression_anchor};
use super::{List, Settled, TreeContent};
use crate::model::{
    Claim, Domain, Finding, FindingId, Fingerprint, Line, LineRange, Location, Parts, RepoPath, Severity, Support,
    number_equal_ids,
};

/// How many lines on each side of the anchor belong to a fingerprint.
const CONTEXT: u32 = 3;

/// Orders claims of one group: the one that speaks for all comes first.
pub(super) fn by_weight(a: &Claim, b: &Claim) -> Ordering {
    weight(a).cmp(&weight(b)).then_with(|| by_content(a, b))
}

/// The worse severity is less, then the higher confidence.
fn weight(claim: &Claim) -> (usize, Reverse<u32>) {
    let severity = Severity::ALL.iter().position(|severity| *severity == claim.severity);
    (severity.unwrap_or(Severity::ALL.len()), Reverse(counted_confidence(claim).millionths()))
}

/// Orders claims by everything they say. Claims that are equal in this order are equal.
pub(super) fn by_content(a: &Claim, b: &Claim) -> Ordering {
    let Claim {
        reviewer,
        title,
        severity,
        confidence,
        location,
        category,
        rule,
        cwe,
        related,
        trace,
        why,
        evidence,
        fix,
        autofix,
        owner,
        requires_verification,
        pre_existing,
        status,
        system_breaking,
        support,
    } = a;
    by_place(location.as_ref(), b.location.as_ref())
        .then_with(|| title.cmp(&b.title))
        .then_with(|| severity.worst_first(b.severity))
        .then_with(|| b.confidence.cmp(confidence))
        .then_with(|| reviewer.cmp(&b.reviewer))
        .then_with(|| why.cmp(&b.why))
        .then_with(|| evidence.cmp(&b.evidence))
        .then_with(|| fix.cmp(&b.fix))
        .then_with(|| rule.cmp(&b.rule))
        .then_with(|| cwe.cmp(&b.cwe))
        .then_with(|| category.map(|word| word.token()).cmp(&b.category.map(|word| word.token())))
        .then_with(|| autofix.map(|word| word.token()).cmp(&b.autofix.map(|word| word.token())))
        .then_with(|| owner.map(|word| word.token()).cmp(&b.owner.map(|word| word.token())))
        .then_with(|| status.map(|word| word.token()).cmp(&b.status.map(|word| word.token())))
        .then_with(|| requires_verification.cmp(&b.requires_verification))
        .then_with(|| pre_existing.cmp(&b.pre_existing))
        .then_with(|| system_breaking.cmp(&b.system_breaking))
        .then_with(|| related.iter().map(place_key_of).cmp(b.related.iter().map(place_key_of)))
        .then_with(|| trace.iter().map(ends_of).cmp(b.trace.iter().map(ends_of)))
        .then_with(|| support.as_deref().map(support_key).cmp(&b.support.as_deref().map(support_key)))
}

type SupportKey<'a> = (&'a [Domain], &'a [Domain], Option<bool>, Option<bool>, [Option<&'a str>; 3], Option<Line>);

fn support_key(support: &Support) -> SupportKey<'_> {
    let Support {
        reviewers,
        independent_reviewers,
        independence_verified,
        promoted,
        settled_conflict,
        first_evidence,
        ignored,
        ignored_at,
    } = support;
    (
        reviewers,
        independent_reviewers,
        *independence_verified,
        *promoted,
        [settled_conflict.as_deref(), first_evidence.as_deref(), ignored.as_deref()],
        *ignored_at,
    )
}

type PlaceKey<'a> = (&'a str, Option<(u32, u32)>, Option<u32>, &'static str);

fn place_key_of(location: &Location) -> PlaceKey<'_> {
    let Location { file, lines, column, side } = location;
    let lines = lines.as_ref().map(ends_of);
    (file.as_str(), lines, column.map(|column| column.get()), side.token())
}

fn ends_of(lines: &LineRange) -> (u32, u32) {
    (lines.start().get(), lines.end().get())
}

fn by_place(a: Option<&Location>, b: Option<&Location>) -> Ordering {
    a.map(place_key_of).cmp(&b.map(place_key_of))
}

/// The findings of a shard, with their sort keys.
pub(super) struct Unordered {
    files: Files,
    ranks: Vec<Rank>,
    settled: Vec<Box<Settled>>,
    /// How many of them are suppressed at each of 004's anchors: counted while they are at hand.
    pub(super) suppressed_by_confidence: BTreeMap<u32, usize>,
    /// Notes for people on what was done with its claims.
    pub(super) notes: Vec<String>,
}

impl Unordered {
    /// Makes findings of candidates. With a tree, those of one file had best come together.
    pub(super) fn of(
        candidates: impl Iterator<Item = (Candidate, Disposition)>,
        files: Files,
        titles: &Titles,
        panel: &SpeakerNames,
        tree: Option<&dyn TreeContent>,
    ) -> Self {
        let (_, most) = candidates.size_hint();
        let count = most.unwrap_or_default();
        let mut unordered = Self {
            files,
            ranks: Vec::with_capacity(count),
            settled: Vec::with_capacity(count),
            suppressed_by_confidence: BTreeMap::new(),
            notes: Vec::new(),
        };
        let mut anchors = Anchors::of(tree);
        let mut parts = Parts::default();
        for ((candidate, disposition), index) in candidates.zip(0..) {
            unordered.ranks.push(Rank::new(disposition, &candidate, index));
            if let Some(anchor) = suppression_anchor(&candidate.claim, disposition) {
                *unordered.suppressed_by_confidence.entry(anchor).or_default() += 1;
            }
            let title = titles.get(candidate.title);
            let fingerprint = fingerprint(&candidate.claim, title, &mut anchors, &mut parts);
            let settled = one(candidate, &unordered.files, fingerprint, panel);
            unordered.settled.push(Box::new(settled));
        }
        unordered
    }
}

/// Lists the findings of all shards: open, suppressed, pre-existing. Each list is in the order of
/// DESIGN §7: severity, confidence, file, line, title, then everything else. Ids are told apart over all three.
pub(super) fn in_order(shards: Vec<Unordered>) -> [List; 3] {
    let files = Files::in_order(shards.iter().map(|shard| &shard.files));
    let mut places: Vec<Vec<u32>> = shards.iter().map(|shard| vec![0; shard.files.count()]).collect();
    for ((shard, file), place) in files.into_iter().zip(1..) {
        places[shard][file as usize] = place;
    }
    let count = shards.iter().map(|shard| shard.ranks.len()).sum();
    let mut ranks: Vec<Rank> = Vec::with_capacity(count);
    let mut settled: Vec<Option<Box<Settled>>> = Vec::with_capacity(count);
    for (shard, places) in shards.into_iter().zip(places) {
        // From here on, a finding goes by its place among all.
        let first = index_of(settled.len());
        let of_all = |rank: Rank| Rank { file: places[rank.file as usize], index: first + rank.index, ..rank };
        ranks.extend(shard.ranks.into_iter().map(of_all));
        settled.extend(shard.settled.into_iter().map(Some));
    }
    sort(&mut ranks, |rank| settled[rank.index as usize].as_deref());
    let mut lists = [Disposition::Open, Disposition::Suppressed, Disposition::PreExisting]
        .map(|list| Vec::with_capacity(ranks.iter().filter(|rank| rank.disposition == list).count()));
    for rank in &ranks {
        lists[rank.disposition as usize].extend(settled[rank.index as usize].take());
    }
    number_equal_ids(lists.iter_mut().flatten().map(|settled| &mut settled.finding.id).collect());
    lists
}

fn index_of(place: usize) -> u32 {
    u32::try_from(place).expect("findings are counted in millions, not in billions")
}

/// The sort key of a finding before its text is compared, and its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    disposition: Disposition,
    /// The worse is less.
    severity: usize,
    confidence: Reverse<u32>,
    /// Its file, as its shard calls it; then the place of that among the files of all shards, by path.
    file: u32,
    line: u32,
    /// Which of its shard the finding is; then which of all.
    index: u32,
}

impl Rank {
    fn new(disposition: Disposition, candidate: &Candidate, index: u32) -> Self {
        let (severity, confidence) = weight(&candidate.claim);
        Self { disposition, severity, confidence, file: candidate.file, line: first_line(&candidate.claim), index }
    }

    fn is_level_with(&self, other: &Self) -> bool {
        Self { index: other.index, ..*self } == *other
    }
}

/// Sorts the ranks of findings; where they are level, by the content of the findings.
fn sort<'s>(ranks: &mut [Rank], settled: impl Fn(&Rank) -> Option<&'s Settled>) {
    ranks.sort_unstable();
    let claim = |rank: &Rank| settled(rank).map(|settled| &settled.finding.representative);
    for level in ranks.chunk_by_mut(Rank::is_level_with).filter(|level| level.len() > 1) {
        level.sort_by(|a, b| match (claim(a), claim(b)) {
            (Some(a), Some(b)) => a.title.cmp(&b.title).then_with(|| by_content(a, b)),
            _ => Ordering::Equal,
        });
    }
}

fn one(candidate: Candidate, files: &Files, fingerprint: Fingerprint, panel: &SpeakerNames) -> Settled {
    let Candidate { claim, merged, file, origins, voices, trail, promoted, is_of_check, .. } = candidate;
    let domain = domain_of(&claim).clone();
    let id =
        FindingId::of_marked(&domain, files.mark(file), claim.location.as_ref().and_then(|location| location.lines));
    // Most findings have one voice, which is that of their domain.
    let (reviewers, independent_reviewers) = match &*voices {
        [voice] if voice.is_independent => (Several::One(domain.clone()), Several::One(panel.name(voice).clone())),
        [_] => (Several::One(domain.clone()), Several::none()),
        voices => {
            let mut reviewers = vec![domain.clone()];
            reviewers.extend(voices.iter().map(|voice| panel.name(voice)).filter(|name| **name != domain).cloned());
            reviewers[1..].sort_unstable();
            reviewers.dedup();
            let independent = panel.independent(voices.iter());
            let independent = independent.into_iter().map(|voice| panel.name(voice).clone()).collect();
            (Several::Many(reviewers), Several::Many(independent))
        }
    };
    Settled {
        number: 0,
        finding: Finding {
            id,
            fingerprint,
            domain,
            status: claim.status(),
            representative: claim,
            merged,
            is_of_check,
        },
        reviewers,
        independent_reviewers,
        promoted: promoted == Some(true),
        trail,
        origins,
    }
}

fn domain_of(claim: &Claim) -> &Domain {
    claim.reviewer.as_ref().expect("every claim is attributed to a reviewer before anything else")
}

/// Numbers the findings from 1 over all lists, in the order given, so that a number names one finding.
pub(super) fn number(lists: [&mut List; 4]) {
    for (settled, number) in lists.into_iter().flatten().zip(1..) {
        settled.number = number;
    }
}

/// The code around places, one file at a time.
pub(super) struct Anchors<'a> {
    tree: Option<&'a dyn TreeContent>,
    last: Option<(RepoPath, Option<FileText>)>,
}

impl<'a> Anchors<'a> {
    /// Looks for code in a tree, if there is one.
    pub(super) fn of(tree: Option<&'a dyn TreeContent>) -> Self {
        Self { tree, last: None }
    }

    fn text(&mut self, file: &RepoPath) -> Option<&FileText> {
        let tree = self.tree?;
        if self.last.as_ref().is_none_or(|(last, _)| last != file) {
            let text = tree.file(file).map(|bytes| FileText::new(&bytes));
            self.last = Some((file.clone(), text));
        }
        self.last.as_ref()?.1.as_ref()
    }

    /// Returns the code that a claim rests on beside that of its place. Without any, its place says all.
    fn trace(&mut self, claim: &Claim) -> Vec<String> {
        let Some(location) = &claim.location else { return Vec::new() };
        let is_in_place = |lines: &LineRange| location.lines.is_some_and(|place| place.covers(*lines));
        if claim.trace.iter().all(is_in_place) {
            return Vec::new();
        }
        let Some(text) = self.text(&location.file) else { return Vec::new() };
        claim.trace.iter().map(|lines| text.lines(lines.start().get(), lines.end().get())).collect()
    }

    /// Returns the code that a place names and the code around it, if the tree has the place.
    fn around(&mut self, location: &Location) -> Option<(String, String)> {
        let lines = location.lines?;
        let text = self.text(&location.file)?;
        let (start, end) = (lines.start().get(), lines.end().get());
        if start as usize > text.line_count() {
            return None;
        }
        let before = text.lines(start.saturating_sub(CONTEXT), start - 1);
        let after = text.lines(end.saturating_add(1), end.saturating_add(CONTEXT));
        Some((text.lines(start, end), format!("{before}\n{after}")))
    }
}

/// Fingerprints a claim by the code of a tree: the fingerprint, and that of version 1.
pub fn fingerprints(claim: &Claim, tree: &dyn TreeContent) -> (Fingerprint, Fingerprint) {
    let title = claim.title.normalised();
    let (mut anchors, mut parts) = (Anchors::of(Some(tree)), Parts::default());
    let untraced = Claim { trace: Vec::new(), ..claim.clone() };
    let mut print = |claim: &Claim| fingerprint(claim, title.as_bytes(), &mut anchors, &mut parts);
    (print(claim), print(&untraced))
}

/// Fingerprints a claim, whose title comes normalised, by the code it is about and rests on. Where no tree has that code, its
/// evidence and its file stand for it.
fn fingerprint(claim: &Claim, title: &[u8], anchors: &mut Anchors<'_>, parts: &mut Parts) -> Fingerprint {
    let trace = anchors.trace(claim);
    let domain = domain_of(claim);
    let what = |part: &mut Vec<u8>| match &claim.rule {
        Some(rule) => part.extend_from_slice(rule.as_bytes()),
        None => part.extend_from_slice(title),
    };
    match claim.location.as_ref().and_then(|location| anchors.around(location)) {
        Some((anchor, context)) => Fingerprint::written(parts, domain, what, [anchor.as_str()], &context, &trace),
        None => {
            let file = claim.location.as_ref().map_or("", |location| location.file.as_str());
            Fingerprint::written(parts, domain, what, claim.evidence.iter().map(String::as_str), file, &trace)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Confidence, LineRange};
    use crate::synthesis::tests::{claim, report};
    use crate::synthesis::{Options, synthesise};

    #[test]
    fn findings_are_ordered_as_the_design_says_and_numbered_over_all_lists() {
        let of = |severity, percent, file: &str, line: &str, title: &str| Claim {
            severity,
            confidence: Confidence::from_percent(percent).ok(),
            ..claim(title, Some((file, line)))
        };
        let claims = vec![
            of(Severity::Low, 100, "a", "1", "g"),
            of(Severity::High, 75, "b", "1", "f"),
            of(Severity::High, 75, "a", "10", "e"),
            of(Severity::High, 75, "a", "9", "d"),
            of(Severity::High, 75, "a", "9", "c"),
            of(Severity::High, 100, "z", "1", "b"),
            of(Severity::Low, 25, "a", "1", "h"),
            of(Severity::Blocker, 50, "z", "1", "a"),
        ];
        let result = synthesise(vec![report("qa", claims)], &Options::default());
        let listed = result.lists().concat();
        let titles: String = listed.iter().map(|settled| settled.finding.representative.title.as_str()).collect();
        assert_eq!(titles, "abcdefgh");
        assert_eq!(listed.iter().map(|settled| settled.number).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    }

    #[test]
    fn findings_that_share_a_place_get_ids_of_their_own() {
        let claims = vec![claim("a", Some(("f", "1"))), claim("b", Some(("f", "1")))];
        let ids: Vec<String> = synthesise(vec![report("qa", claims)], &Options::default())
            .findings
            .iter()
            .map(|settled| settled.finding.id.to_string())
            .collect();
        assert!(ids[1] == format!("{}~2", ids[0]), "{ids:?}");
    }

    #[test]
    fn fingerprints_stay_when_lines_move() {
        let print = |text: &'static str, line: &str| {
            let tree = move |_: &RepoPath| Some(text.as_bytes().to_vec());
            let options = Options { tree: Some(&tree), ..Options::default() };
            let mut of = claim("t", Some(("f", line)));
            of.evidence.clear();
            of.location.as_mut().unwrap().lines = Some(LineRange::parse(line).unwrap());
            synthesise(vec![report("qa", vec![of])], &options).findings[0].finding.fingerprint.clone()
        };
        let here = print("a\nb\nc\nbad()\nd\ne\nf\n", "4");
        assert_eq!(print("new\nnew\na\nb\nc\n  bad( )\nd\ne\nf\n", "6"), here);
        assert_ne!(print("a\nb\nc\nworse()\nd\ne\nf\n", "4"), here);
    }

    #[test]
    fn the_code_that_a_finding_rests_on_is_part_of_its_fingerprint() {
        let prints = |text: &'static str, trace: &[&str]| {
            let tree = move |_: &RepoPath| Some(text.as_bytes().to_vec());
            let of = Claim {
                reviewer: Domain::new("qa").ok(),
                trace: trace.iter().map(|lines| LineRange::parse(lines).unwrap()).collect(),
                ..claim("t", Some(("f", "6")))
            };
            fingerprints(&of, &tree)
        };
        let text = "x = header\n\n\n\n\nbad(x)\n";
        let (print, first) = prints(text, &["1", "6"]);
        assert_ne!(print, first);
        // Version 1 is that of a finding that rests on nothing else, and does not see the source.
        assert_eq!(prints(text, &[]), (first.clone(), first.clone()));
        assert_eq!(prints(text, &["6"]), (first.clone(), first.clone()));
        let other = prints("x = query\n\n\n\n\nbad(x)\n", &["1", "6"]);
        assert!(other.0 != print && other.1 == first);
        assert_eq!(prints("x  =  header\n\n\n\n\nbad(x)\n", &["1", "6"]), (print, first));
    }
}
