//! Findings that a document states twice: in a summary and in its details.
//!
//! In: the claims of a document in order. Out: each finding once, with the worse severity and all that either says.
//! Deliberately not here: findings of different reviewers (`synthesis`).

use std::collections::{BTreeMap, BTreeSet};

use super::super::{account, rating, synonyms};
use super::Document;
use crate::model::{Claim, Status};
use crate::syntax::Span;

/// Fewer words say too little to know a finding by them.
const FEWEST_WORDS: usize = 3;

/// Returns the words of a text that mean something.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3);
    words.map(str::to_lowercase).collect()
}

/// Tells whether most words of the shorter of two titles are in the other one.
fn are_alike(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let shared = one.intersection(&other).count();
    shared > 0 && shared * 2 >= one.len().min(other.len())
}

/// Tells whether two places can be one: the same file, and the same lines where both name any.
fn is_one_place(one: &Claim, other: &Claim) -> bool {
    match (&one.location, &other.location) {
        (Some(one), Some(other)) => {
            one.file == other.file && (one.lines.is_none() || other.lines.is_none() || one.lines == other.lines)
        }
        _ => true,
    }
}

/// A claim that was entered, and where.
pub(super) struct Entered<'t> {
    pub(super) claim: Claim,
    pub(super) span: Span,
    pub(super) raw: &'t str,
    /// The number of its section: findings of one section are no summary of each other.
    pub(super) section: usize,
}

impl Entered<'_> {
    /// Returns the title without a rating behind it: `Name is unclear (Low)`.
    fn title(&self) -> String {
        let title = self.claim.title.as_str();
        rating::closing(title).map_or_else(|| title.to_owned(), |(_, rest)| rest)
    }

    /// Returns the names by which it may stand elsewhere: its title, and its code.
    fn names(&self) -> impl Iterator<Item = String> {
        let code = account::code(self.raw).map(|code| format!("#{code}"));
        [synonyms::fold_name(&self.title())].into_iter().chain(code)
    }

    fn is_also(&self, other: &Self) -> bool {
        let (title, others) = (self.title(), other.title());
        let has_same_title = synonyms::fold_name(&title) == synonyms::fold_name(&others);
        let is_placed = self.claim.location.is_some() && other.claim.location.is_some();
        self.section != other.section
            && is_one_place(&self.claim, &other.claim)
            && (has_same_title && (is_placed || words(&title).len() >= FEWEST_WORDS)
                || !has_same_title && are_alike(&title, &others))
    }
}

/// How many findings of one name are looked at: a name that more have says nothing.
const MOST_OF_A_NAME: usize = 8;

/// Adds to a claim what it says elsewhere. What would put it aside counts only if both say it.
fn add(claim: &mut Claim, again: Claim) {
    if again.severity.is_at_least(claim.severity) {
        claim.severity = again.severity;
    }
    if claim.location.as_ref().is_none_or(|place| place.lines.is_none()) && again.location.is_some() {
        claim.location = again.location;
    }
    if again.why.as_ref().map_or(0, String::len) > claim.why.as_ref().map_or(0, String::len) {
        claim.why = again.why;
    }
    claim.fix = claim.fix.take().or(again.fix);
    claim.evidence.extend(again.evidence);
    claim.confidence = claim.confidence.zip(again.confidence).map(|(one, other)| one.max(other));
    claim.pre_existing = claim.pre_existing.filter(|_| again.pre_existing == Some(true));
    claim.system_breaking |= again.system_breaking;
    let is_open = |status: Option<Status>| status.is_none_or(Status::stands);
    if is_open(again.status) {
        claim.status = again.status;
    }
}

impl Document<'_, '_, '_> {
    /// Puts the claims into the report, those of one finding as one.
    pub(super) fn settle_restated(&mut self) {
        let mut kept: Vec<Entered<'_>> = Vec::new();
        let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for entered in std::mem::take(&mut self.found.entered) {
            let names: Vec<String> = entered.names().collect();
            let same = names.iter().filter_map(|name| known.get(name)).flat_map(|at| at.iter().take(MOST_OF_A_NAME));
            let twin = same.copied().find(|at| kept[*at].is_also(&entered));
            let at = twin.unwrap_or(kept.len());
            names.into_iter().for_each(|name| known.entry(name).or_default().push(at));
            match twin {
                Some(at) => {
                    self.ledger.restated(entered.span, entered.raw);
                    add(&mut kept[at].claim, entered.claim);
                }
                None => kept.push(entered),
            }
        }
        self.found.report.claims.extend(kept.into_iter().map(|entered| Box::new(entered.claim)));
    }

    /// Tells whether a text without a rating says no more than a known claim does in its title.
    pub(super) fn restates(&self, text: &str) -> bool {
        let bold = text.split("**").nth(1).filter(|_| text.find("**").is_some_and(|at| at < 8));
        let words = words(bold.unwrap_or(text));
        let says = |title: &str| words.iter().filter(|word| title.contains(word.as_str())).count();
        words.len() >= FEWEST_WORDS
            && self
                .found
                .report
                .claims
                .iter()
                .any(|claim| says(&claim.title.as_str().to_lowercase()) * 4 >= words.len() * 3)
    }
}
