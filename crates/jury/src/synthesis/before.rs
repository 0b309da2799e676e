//! The findings of the base, indexed, so that a claim about the text after the change can be compared with them.
//!
//! The comparison is exact: domain, rule, title, the mapped lines and the mapped trace. A lenient match would open the gate here;
//! `verify::identity`, where a match keeps it closed, is another thing.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    BaseFinding, BaseLook, Change, Claim, Domain, Finding, Fingerprint, Line, RepoPath, Severity, Side, UnchangedPlace,
};

/// The kind of reviewer that a report is from. It decides how a claim is told to be older than the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A built-in reviewer: its claims are compared with those of the base.
    BuiltIn,
    /// A tool: its claims that can close the gate are compared with those of the base.
    Tool,
    /// A check: it is about the tree as a whole, and was compared with the base when it ran.
    Check,
    /// A model: its own word counts, for lines that the change does not touch.
    Model,
    /// An output of unknown origin: its own word counts, else the lines.
    #[default]
    Unknown,
}

/// The state before the change.
pub struct Before<'a> {
    by_place: BTreeMap<(&'a RepoPath, Option<Line>), Vec<&'a BaseFinding>>,
    by_first_print: BTreeMap<&'a str, BTreeSet<&'a Fingerprint>>,
    /// By the parts of an id: domain, file and first line on the base.
    by_id: BTreeMap<(&'a Domain, &'a RepoPath, Option<Line>), BTreeSet<&'a Fingerprint>>,
    /// By the fingerprint and the file on the base.
    by_print: BTreeMap<(&'a Fingerprint, &'a RepoPath), Vec<&'a BaseFinding>>,
    /// The lowest severity that closes the gate.
    block_at: Severity,
    /// The `jury-ignore` comments that the review itself raises, by file and line, each with the severity of that finding.
    raised: BTreeMap<(RepoPath, Line), Severity>,
}

impl<'a> Before<'a> {
    /// Indexes the second look of a review.
    pub fn of(look: &'a BaseLook, block_at: Severity, raised: BTreeMap<(RepoPath, Line), Severity>) -> Self {
        let (mut by_place, mut by_first_print, mut by_id) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut by_print = BTreeMap::new();
        for finding in &look.findings {
            if let Some(place) = &finding.unchanged {
                let start = place.lines.map(|lines| lines.start());
                by_place.entry((&place.file, start)).or_insert_with(Vec::new).push(finding);
            }
            by_print.entry((&finding.fingerprint, &finding.file)).or_insert_with(Vec::new).push(finding);
            let prints: &mut BTreeSet<_> = by_first_print.entry(finding.first_fingerprint.as_str()).or_default();
            prints.insert(&finding.fingerprint);
            let start = finding.lines.map(|lines| lines.start());
            let prints: &mut BTreeSet<_> = by_id.entry((&finding.domain, &finding.file, start)).or_default();
            prints.insert(&finding.fingerprint);
        }
        Self { by_place, by_first_print, by_id, by_print, block_at, raised }
    }

    /// Tells whether the base has the finding of a claim: the same one, at the same place, at least as bad and as sure.
    pub(super) fn has(&self, claim: &Claim) -> bool {
        let Some(location) = &claim.location else { return false };
        let start = location.lines.map(|lines| lines.start());
        let is_it = |finding: &&BaseFinding| {
            let is_here = |place: &UnchangedPlace| {
                place.lines == location.lines && place.trace == claim.trace && place.file == location.file
            };
            Some(&finding.domain) == claim.reviewer.as_ref()
                && finding.rule == claim.rule
                && finding.title == claim.title
                && finding.severity.is_at_least(claim.severity)
                && finding.confidence >= claim.confidence
                && finding.unchanged.as_ref().is_some_and(is_here)
        };
        self.by_place.get(&(&location.file, start)).is_some_and(|findings| findings.iter().any(is_it))
    }

    /// Tells whether a claim is bad enough to close the gate.
    pub(super) fn can_block(&self, claim: &Claim) -> bool {
        claim.severity.is_at_least(self.block_at)
    }

    /// Returns the severity at which the review raises an ignore comment, if it does.
    pub(super) fn raised(&self, file: &RepoPath, line: Line) -> Option<Severity> {
        self.raised.get(&(file.clone(), line)).copied()
    }

    /// Returns the fingerprints of the findings of the base that had a fingerprint of version 1.
    pub(super) fn renewed(&self, first: &str) -> impl Iterator<Item = &'a Fingerprint> {
        self.by_first_print.get(first).into_iter().flatten().copied()
    }

    /// Tells whether the base has a finding in its file on lines that the change leaves alone, and not as it is now: what stands before it is
    /// another.
    pub(super) fn has_altered(&self, finding: &Finding, change: &Change) -> bool {
        let Some(location) = &finding.representative.location else { return false };
        let Some(known) = self.by_print.get(&(&finding.fingerprint, &location.file)) else { return false };
        let is_left_alone = |finding: &&BaseFinding| {
            finding.lines.is_some_and(|lines| !change.touches_lines(&finding.file, Side::Left, lines))
        };
        known.iter().all(|finding| finding.unchanged.is_none()) && known.iter().any(is_left_alone)
    }

    /// Tells whether the base has findings of the id of a finding, and all of them are others.
    pub(super) fn has_another(&self, finding: &Finding) -> bool {
        let Some(location) = &finding.representative.location else { return false };
        let start = location.lines.map(|lines| lines.start());
        let prints = self.by_id.get(&(&finding.domain, &location.file, start));
        prints.is_some_and(|prints| !prints.contains(&finding.fingerprint))
    }
}
