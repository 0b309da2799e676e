//! A claim on its way to become a finding, with its reviewers and its trail so far.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Deref, DerefMut};

use super::files::FileIndex;
use crate::model::{Claim, Confidence, Domain};

/// Where a claim was: in which report, at which place in it, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The report.
    pub report_index: u32,
    /// The claim in it.
    pub claim_index: u32,
}

/// One value or several. Most findings are made of one claim by one reviewer, which so needs no list of its own.
#[derive(Clone, Debug)]
pub enum Several<T> {
    /// One.
    One(T),
    /// Any number.
    Many(Vec<T>),
}

impl<T> Several<T> {
    /// Returns none at all.
    pub(super) const fn none() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T: Copy> Several<T> {
    /// Adds others behind those that are there.
    pub(super) fn extend_from_slice(&mut self, others: &[T]) {
        match self {
            Self::One(first) => *self = Self::Many([std::slice::from_ref(first), others].concat()),
            Self::Many(all) => all.extend_from_slice(others),
        }
    }
}

impl<T> Deref for Several<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl<T> DerefMut for Several<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(one) => std::slice::from_mut(one),
            Self::Many(many) => many,
        }
    }
}

impl<T: PartialEq> PartialEq for Several<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Several<T> {}

impl<T> IntoIterator for Several<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        match self {
            Self::One(one) => vec![one].into_iter(),
            Self::Many(many) => many.into_iter(),
        }
    }
}

/// A step of synthesis that can change a claim or its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Held against the tree.
    Ground,
    /// Held against the change.
    Place,
    /// Capped, for its reviewer or for want of a quote.
    Weigh,
    /// Merged with its like.
    Merge,
    /// Raised, because independent reviewers agree.
    Promote,
    /// Suppressed or let through.
    Gate,
    /// Put aside by a waiver, or not.
    Waive,
}

impl Step {
    /// Returns the word for it.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Place => "place",
            Self::Weigh => "weigh",
            Self::Merge => "merge",
            Self::Promote => "promote",
            Self::Gate => "gate",
            Self::Waive => "waive",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

/// One thing that happened to a finding, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailEntry {
    /// In which step.
    pub step: Step,
    /// The event and its reason, for a person.
    pub reason: Cow<'static, str>,
}

/// The result of the check against the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grounding {
    /// Nothing was looked up.
    Unchecked,
    /// It quotes nothing that could be looked up, or only the like of it is there.
    Unquoted,
    /// Its quote is there.
    Found,
    /// Its quote is not there.
    Refuted,
    /// Its place is not there.
    Placeless,
}

impl Grounding {
    /// Tells whether the tree speaks against the claim.
    pub(super) const fn is_against(self) -> bool {
        matches!(self, Self::Refuted | Self::Placeless)
    }
}

/// One reviewer that stands behind a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Voice {
    /// Which, in the panel.
    pub(super) name_index: u32,
    /// Of which family of models, in the panel, if it is known.
    pub(super) family_index: Option<u32>,
    /// Whether it may count as independent of others.
    pub(super) is_independent: bool,
    /// Whether it has shown evidence.
    pub(super) has_evidence: bool,
    /// Whether a synthesis before this one has already counted it.
    pub(super) is_counted: bool,
}

/// All reviewers: the names and families of models that voices refer to.
#[derive(Debug, Default)]
pub(super) struct SpeakerNames {
    pub(super) names: Vec<Domain>,
    pub(super) families: Vec<String>,
}

impl SpeakerNames {
    pub(super) fn name(&self, voice: &Voice) -> &Domain {
        &self.names[voice.name_index as usize]
    }

    fn family(&self, voice: &Voice) -> Option<&str> {
        voice.family_index.map(|index| self.families[index as usize].as_str())
    }

    /// Returns the voices of which no two share a name or a family of models, by name.
    pub(super) fn independent<'v>(&self, voices: impl Iterator<Item = &'v Voice>) -> Vec<&'v Voice> {
        let mut sorted: Vec<&Voice> = voices.filter(|voice| voice.is_independent).collect();
        sorted.sort_by(|a, b| (self.name(a), self.family(a)).cmp(&(self.name(b), self.family(b))));
        let mut kept: Vec<&Voice> = Vec::with_capacity(sorted.len());
        let mut families = BTreeSet::new();
        for voice in sorted {
            let is_same = kept.last().is_some_and(|last| last.name_index == voice.name_index);
            if !is_same && voice.family_index.is_none_or(|family| families.insert(family)) {
                kept.push(voice);
            }
        }
        kept
    }
}

/// A normalised title by its place in [`Titles`].
pub(super) type TitleIndex = u32;

/// The normalised titles of the claims of a shard, one behind the other: equals are found and fingerprints made by them.
pub(super) struct Titles {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Titles {
    /// Normalises the titles of the candidates, and notes in each candidate which is its own.
    pub(super) fn of(candidates: &mut [Candidate]) -> Self {
        let length = candidates.iter().map(|candidate| candidate.claim.title.as_str().len()).sum();
        let mut titles = Self { bytes: Vec::with_capacity(length), ends: Vec::with_capacity(candidates.len()) };
        for (candidate, index) in candidates.iter_mut().zip(0..) {
            candidate.claim.title.write_normalised(&mut titles.bytes);
            titles.ends.push(titles.bytes.len());
            candidate.title = index;
        }
        titles
    }

    /// Returns a title.
    pub(super) fn get(&self, title: TitleIndex) -> &[u8] {
        let index = title as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }
}

/// A claim, or several merged ones, on the way.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The representative.
    pub(super) claim: Box<Claim>,
    /// The claims that were merged into it.
    pub(super) merged: Vec<Box<Claim>>,
    /// The file it names.
    pub(super) file: FileIndex,
    /// Its title, normalised.
    pub(super) title: TitleIndex,
    /// Where all of them were.
    pub(super) origins: Several<Origin>,
    /// Its reviewers, each once.
    pub(super) voices: Several<Voice>,
    /// The events so far.
    pub(super) trail: Vec<TrailEntry>,
    /// The result of the check against the tree.
    pub(super) grounding: Grounding,
    /// Whether a synthesis states it, which has settled its lines and its quotes.
    pub(super) is_synthesised: bool,
    /// Whether a synthesis before this one has raised it; `None` if none has looked.
    pub(super) promoted: Option<bool>,
    /// Whether it is the failure of a check.
    pub(super) is_of_check: bool,
}

impl Candidate {
    /// Adds an event to the trail.
    pub(super) fn note(&mut self, step: Step, reason: impl Into<Cow<'static, str>>) {
        // Most have one entry, if any; room for more would be most of a candidate's size.
        if self.trail.is_empty() {
            self.trail.reserve_exact(1);
        }
        self.trail.push(TrailEntry { step, reason: reason.into() });
    }

    /// Lowers the confidence to at most so many percent. An unstated one stays unstated, because silence suppresses nothing.
    pub(super) fn cap(&mut self, percent: u32) {
        let highest = Confidence::from_percent(percent).expect("a cap is a percent");
        self.claim.confidence = self.claim.confidence.map(|confidence| confidence.min(highest));
    }
}

/// Returns the confidence that a claim counts with; an unstated one counts as the lowest that is reported.
pub(super) fn counted_confidence(claim: &Claim) -> Confidence {
    claim.confidence.unwrap_or(Confidence::UNSTATED)
}
