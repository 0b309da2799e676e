//! Checks that a document reports: rows and items that state a pass or a failure, boxes, groups by severity.
//!
//! In: a leaf and its siblings. Out: whether it passes, or why it is no pass where they are. Deliberately not here: findings.

use std::collections::BTreeSet;

use super::fate::Unread;
use super::fates::{Accounts, Family, holds_none};
use super::tree::Kind;
use crate::intake::lexicon::List;
use crate::intake::sections::{Section, is_good_news};
use crate::intake::{places, scalars};

/// What the members of a list or table state of checks and severities.
#[derive(Default)]
pub(super) struct Peers {
    /// The lists of which an item has a checked box, and those of which an item is the name of a severity.
    pub(super) checked: BTreeSet<Family>,
    pub(super) scaled: BTreeSet<Family>,
    /// For each table, the columns in which a row states a pass.
    pub(super) passing: BTreeSet<(usize, usize)>,
}

impl Accounts<'_> {
    /// Notes what a leaf says of its siblings.
    pub(super) fn note_peers(&mut self, at: usize) {
        let leaf = &self.tree.leaves[at];
        let family = self.family(at);
        match (leaf.kind, self.opens[at]) {
            (Kind::Heading(_), Section::OfSeverity(_)) => {
                self.families.scales.insert(family);
            }
            (Kind::Item, Section::OfSeverity(_)) => {
                self.families.peers.scaled.insert(family);
            }
            (Kind::Item, _) if leaf.checked == Some(true) => {
                self.families.peers.checked.insert(family);
            }
            (Kind::Row, _) => {
                let columns = leaf.text.split(" | ").enumerate().filter(|(_, cell)| is_checked(cell));
                self.families.peers.passing.extend(columns.map(|(column, _)| (leaf.group, column)));
            }
            _ => {}
        }
    }

    /// Tells whether a row has a cell that says that all is well.
    pub(super) fn row_passes(&self, at: usize) -> bool {
        let leaf = &self.tree.leaves[at];
        leaf.kind == Kind::Row
            && !self.families.claimed_groups.contains_key(&self.family(at))
            && leaf.text.split(" | ").any(is_pass)
    }

    /// Returns why a leaf is no pass where its siblings are: it reports a failure, or has nothing where they state a pass.
    pub(super) fn not_passed(&self, at: usize, section: Section) -> Option<Unread> {
        let leaf = &self.tree.leaves[at];
        if matches!(section, Section::Praise | Section::Settled | Section::Legend | Section::PreExisting) {
            return None;
        }
        // A list of all that was asked for may say of a part of it that it is not done.
        let is_aside = holds_none(section);
        let is_group = || leaf.text.split_whitespace().count() <= 4 && self.opens[at] == Section::Plain;
        let has_items = || self.tree.leaves.get(at + 1).is_some_and(|next| next.parent == Some(at));
        match leaf.kind {
            Kind::Row if leaf.text.split(" | ").any(is_failure) => Some(Unread::Failed),
            Kind::Row => {
                let is_other = |(column, cell): (usize, &str)| {
                    self.families.peers.passing.contains(&(leaf.group, column)) && !scalars::is_nothing(cell.trim())
                };
                (!is_aside && leaf.text.split(" | ").enumerate().any(is_other)).then_some(Unread::NotPassed)
            }
            Kind::Item | Kind::Line if starts_with_failure(&leaf.text) => Some(Unread::Failed),
            Kind::Item
                if !is_aside
                    && leaf.checked == Some(false)
                    && self.families.peers.checked.contains(&self.family(at)) =>
            {
                Some(Unread::Unchecked)
            }
            // Beside a group that is the name of a severity, a short name of another is one of no known severity.
            Kind::Item
                if self.families.peers.scaled.contains(&self.family(at))
                    && is_group()
                    && has_items()
                    && places::only_a_file(&leaf.text).is_none() =>
            {
                Some(Unread::UnknownMark)
            }
            _ => None,
        }
    }
}

/// Tells whether a cell states that all is well: `✅`, `✓ VERIFIED`, `pass`.
fn is_pass(cell: &str) -> bool {
    let bare = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '\u{fe0f}'));
    let word = bare.trim_start_matches(['✓', '✔', ' ', '\u{fe0f}']);
    let head = word.split(['(', '—', '–', ',', ':']).next().unwrap_or(word).trim();
    is_good_news(bare) || List::CellsOfPasses.has(&head.to_lowercase())
}

/// Tells whether a cell states the result of a check. `yes` and `done` may be said of anything.
fn is_checked(cell: &str) -> bool {
    let word = cell.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_pass(cell) && !List::WeakPasses.has(&word)
}

/// Tells whether a cell states that something failed.
fn is_failure(cell: &str) -> bool {
    let bare = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '\u{fe0f}'));
    let word = bare.trim_start_matches(|c: char| !c.is_alphanumeric());
    starts_with_failure(bare) || List::CellsOfFailures.has(&word.to_lowercase())
}

fn starts_with_failure(text: &str) -> bool {
    List::SignsOfFailure.iter().any(|sign| text.trim_start_matches(['*', '_', ' ']).starts_with(sign))
}
