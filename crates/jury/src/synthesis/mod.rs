//! Claims of all reviewers in; findings out, each with the way it came. Pure: the tree, the change, the waivers and the
//! day are passed in.
//!
//! Every claim lands in exactly one place: in a finding that stands, is suppressed, pre-existing or waived, as its
//! representative or merged into it. Deliberately not here: the verdict over the findings, and gaps.

mod attribute;
mod before;
mod candidate;
mod confidence_cap;
mod dedupe;
mod files;
mod ground;
mod ignored;
mod order;
mod pre_existing;
mod promote;
mod quote;
mod quoted_rule;
mod shards;
mod similar;
mod similarity;
mod text;
mod threshold;
mod waive;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub use attribute::family;
pub use before::{Before, Source};
pub use candidate::{Origin, Several, Step, TrailEntry};
pub use ground::{quotes_nothing, stands_at, stands_in};
pub use order::fingerprints;
pub use pre_existing::touches;
pub use waive::IdleWaiver;

use attribute::Author;
use candidate::{Candidate, Titles};
use files::Files;
use order::Unordered;
use shards::ReportParts;

use crate::model::{Attendance, Change, Claim, Day, Domain, Finding, RepoPath, Report, Reviewer, Support, Waiver};

/// The name of a return that speaks for several reviewers and says which.
pub const SYNTHESIS: &str = "synthesis";

/// The reviewed tree, which several threads may ask at once.
pub trait TreeContent: Sync {
    /// Returns the content of a file, if it exists.
    fn file(&self, path: &RepoPath) -> Option<Cow<'_, [u8]>>;
}

impl TreeContent for BTreeMap<RepoPath, Vec<u8>> {
    fn file(&self, path: &RepoPath) -> Option<Cow<'_, [u8]>> {
        self.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

impl<F: Fn(&RepoPath) -> Option<Vec<u8>> + Sync> TreeContent for F {
    fn file(&self, path: &RepoPath) -> Option<Cow<'_, [u8]>> {
        self(path).map(Cow::Owned)
    }
}

/// The context that claims are checked against.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The tree that was reviewed; without one, no quote is checked.
    pub tree: Option<&'a dyn TreeContent>,
    /// The team's own rules, by their file: a quoted rule is looked up there.
    pub guidelines: Option<&'a BTreeMap<RepoPath, String>>,
    /// The lines that the change touches; without it, each claim's own `pre_existing` holds.
    pub change: Option<&'a Change>,
    /// The findings of the base; without them, the lines that the change touches decide alone.
    pub before: Option<&'a Before<'a>>,
    /// Who each report is from.
    pub sources: &'a [Source],
    /// Whether near-duplicates are merged, too.
    pub near_duplicates: bool,
    /// Accepted findings.
    pub waivers: &'a [Waiver],
    /// Today; without it, no waiver counts, because none is known to be in force.
    pub today: Option<Day>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            tree: None,
            guidelines: None,
            change: None,
            before: None,
            sources: &[],
            near_duplicates: true,
            waivers: &[],
            today: None,
        }
    }
}

/// A finding with its number, its reviewers, and its trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its number in its list, from 1.
    pub number: usize,
    /// The finding; its representative speaks for all claims that were merged into it.
    pub finding: Finding,
    /// The reviewers that state it: the finding's own domain first, then the others by name.
    pub reviewers: Several<Domain>,
    /// Those of them that are independent of each other, by name.
    pub independent_reviewers: Several<Domain>,
    /// Whether agreement has raised its confidence.
    pub promoted: bool,
    /// The events on its way, in order.
    pub trail: Vec<TrailEntry>,
    /// Which claims it is made of, by report and claim, in order.
    pub origins: Several<Origin>,
}

/// Findings in order. They are boxed, so that sorting moves pointers only.
pub type List = Vec<Box<Settled>>;

/// The joint result of all reviewers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synthesis {
    /// Open findings.
    pub findings: List,
    /// Findings below the threshold, and those that the author of the code ignores.
    pub suppressed: List,
    /// Findings that were there before the change.
    pub pre_existing: List,
    /// Findings that people have accepted.
    pub waived: List,
    /// How many findings are suppressed at each of 004's anchors.
    pub suppressed_by_confidence: BTreeMap<u32, usize>,
    /// Waivers that do not count, and why.
    pub idle_waivers: Vec<IdleWaiver>,
    /// The waivers, by their places, that moved a finding aside.
    pub counted_waivers: BTreeSet<usize>,
    /// Risks that reviewers noticed but could not confirm, each once, in order.
    pub residual_risks: Vec<String>,
    /// Tests that reviewers miss, each once, in order.
    pub testing_gaps: Vec<String>,
}

/// Makes findings of claims.
pub fn synthesise(reports: Vec<Report>, options: &Options<'_>) -> Synthesis {
    let ReportParts { threads, authors, claims, mut residual_risks, mut testing_gaps } = shards::open(reports);
    let settled = shards::work_on(shards::share(claims), threads, |stated| settle(stated, &authors, options));
    let mut suppressed_by_confidence = BTreeMap::new();
    residual_risks.extend(settled.iter().flat_map(|shard| shard.notes.iter().cloned()));
    for remarks in [&mut residual_risks, &mut testing_gaps] {
        remarks.sort_unstable();
        remarks.dedup();
    }
    for (anchor, count) in settled.iter().flat_map(|shard| &shard.suppressed_by_confidence) {
        *suppressed_by_confidence.entry(*anchor).or_default() += count;
    }
    let [findings, suppressed, pre_existing] = order::in_order(settled);
    let mut synthesis = Synthesis {
        findings,
        suppressed,
        pre_existing,
        suppressed_by_confidence,
        residual_risks,
        testing_gaps,
        ..Synthesis::default()
    };
    waive::waive(&mut synthesis, options);
    synthesis
}

/// Makes findings of the claims of a shard, which wait for those of others to be put in order.
fn settle(stated: Vec<(Origin, Box<Claim>)>, authors: &[Author], options: &Options<'_>) -> Unordered {
    let (mut candidates, panel) = attribute::attribute(stated, authors);
    if let Some(tree) = options.tree {
        ground::ground(&mut candidates, tree, options.change);
    }
    if let Some(guidelines) = options.guidelines {
        quoted_rule::ground(&mut candidates, guidelines);
    }
    if let Some(change) = options.change {
        pre_existing::mark(&mut candidates, change, options.before, options.sources);
    }
    let notes = options.before.map(|before| ignored::drop_stale(&mut candidates, before)).unwrap_or_default();
    confidence_cap::cap(&mut candidates, &panel, authors, options.tree.is_some());
    let files = Files::of(&mut candidates);
    let titles = Titles::of(&mut candidates);
    // Merging empties slots and moves nothing else: candidates are large. The claims of checks are left out of it: nobody else's words
    // become part of them.
    let mut checks = Vec::new();
    if options.sources.contains(&Source::Check) {
        let is_of_check = |candidate: &Candidate| is_of_check(candidate, options.sources);
        (checks, candidates) = candidates.into_iter().partition(is_of_check);
    }
    let mut slots: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    dedupe::merge_exact(&mut slots, &files, &titles, &panel);
    if options.near_duplicates {
        similar::merge_similar(&mut slots, &files, &panel);
    }
    slots.retain(Option::is_some);
    slots.extend(checks.into_iter().map(|candidate| Some(Candidate { is_of_check: true, ..candidate })));
    if options.tree.is_some() {
        // File by file, so that each is read once.
        slots.sort_by_key(|slot| slot.as_ref().map(|candidate| candidate.file));
    }
    promote::promote(slots.iter_mut().flatten(), &panel);
    let dispositions = threshold::apply(slots.iter_mut().flatten());
    let candidates = slots.into_iter().flatten().zip(dispositions);
    let mut unordered = Unordered::of(candidates, files, &titles, &panel, options.tree);
    unordered.notes = notes;
    unordered
}

/// Tells whether a claim is that of a check.
fn is_of_check(candidate: &Candidate, sources: &[Source]) -> bool {
    let source = candidate.origins.first().and_then(|origin| sources.get(origin.report_index as usize));
    source == Some(&Source::Check)
}

impl Synthesis {
    /// Returns every list, with the open findings first.
    pub fn lists(&self) -> [&[Box<Settled>]; 4] {
        [&self.findings, &self.suppressed, &self.pre_existing, &self.waived]
    }

    /// Returns the findings that are suppressed because the author of the code ignores them.
    pub fn ignored(&self) -> impl Iterator<Item = &Settled> {
        self.suppressed.iter().map(|settled| &**settled).filter(|settled| settled.ignored().is_some())
    }

    /// Says the whole result as one report, so that it can be written or synthesised again: one claim per finding, under
    /// the name of a synthesis, each with its reviewers.
    pub fn into_report(self) -> Report {
        let name = Domain::new(SYNTHESIS).expect("the name is a plain word");
        let lists = [self.findings, self.suppressed, self.pre_existing, self.waived];
        let claims = lists.into_iter().flatten().map(|settled| settled.into_claim(&name)).collect();
        let attendance = Attendance::Spoke { verdict: None, confidence: None, file: None };
        Report {
            reviewers: vec![Reviewer { name, attendance }],
            claims,
            residual_risks: self.residual_risks,
            testing_gaps: self.testing_gaps,
            ..Report::default()
        }
    }
}

impl Settled {
    /// Returns the author's reason for ignoring it, if it is ignored.
    pub fn ignored(&self) -> Option<&str> {
        self.finding.representative.ignored()
    }

    /// Says what came of holding it against the code and the rules that it quotes.
    pub fn grounding(&self) -> Option<&str> {
        let entry = self.trail.iter().rev().find(|entry| entry.step == Step::Ground);
        entry.map(|entry| entry.reason.as_ref())
    }

    /// Says the finding as one claim of a synthesis.
    fn into_claim(self, synthesis: &Domain) -> Box<Claim> {
        let mut claim = self.finding.representative;
        let said = claim.support.take().map(|support| *support).unwrap_or_default();
        claim.support = Some(Box::new(Support {
            reviewers: self.reviewers.into_iter().collect(),
            independent_reviewers: self.independent_reviewers.into_iter().collect(),
            promoted: Some(self.promoted),
            ..said
        }));
        claim.reviewer = Some(synthesis.clone());
        claim
    }
}

#[cfg(test)]
mod tests;
