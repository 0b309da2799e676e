//! The identity of findings while the rounds last: one review after another in; a key for each finding, which stays the same
//! however the code moves, out.
//!
//! From one review to the next a finding is followed as a verification follows it; one that was gone for a while is known by its
//! fingerprint. Deliberately not here: the meaning of a new or lost key (`verdict::step`).

use std::collections::{BTreeMap, BTreeSet};

use std::rc::Rc;

use super::Judged;
use crate::judge::followed;
use crate::model::{FileLine, Fingerprint};
use crate::verdict::Key;

/// The keys of all findings since the rounds began.
#[derive(Default)]
pub(super) struct FindingKeys {
    last: Option<Rc<Judged>>,
    keys: BTreeMap<String, Key>,
    prints: Vec<(Fingerprint, Key)>,
    next: Key,
    /// The last key of the first review.
    first: Key,
}

/// The result of the last verification of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// Why it is not verified.
    pub(super) why: String,
    /// Where it stands now, until the next review says so itself.
    pub(super) place: Option<FileLine>,
}

impl FindingKeys {
    /// Takes in a review; one that it knows already changes nothing.
    pub(super) fn take(&mut self, judged: &Rc<Judged>) {
        let Judged { record, judgement } = &**judged;
        if self.last.as_ref().is_some_and(|last| last.record.review_id == record.review_id) {
            return;
        }
        let mut was = BTreeMap::new();
        if let Some(last) = &self.last {
            let followed = followed((&last.record, &last.judgement), (record, judgement));
            was = followed.into_iter().filter_map(|(old, new)| Some((new, *self.keys.get(&old)?))).collect();
        }
        let mut taken: BTreeSet<Key> = was.values().copied().collect();
        let mut keys = BTreeMap::new();
        for finding in &judgement.file.findings {
            let print = judgement.settled(&finding.id).map(|settled| settled.finding.fingerprint.clone());
            let known = |print: &Fingerprint| {
                let mut same = self.prints.iter().filter(|(known, key)| known == print && !taken.contains(key));
                same.next().map(|(_, key)| *key)
            };
            let key = was.get(&finding.id).copied().or_else(|| print.as_ref().and_then(known)).unwrap_or_else(|| {
                self.next += 1;
                self.next
            });
            taken.insert(key);
            self.prints.extend(print.map(|print| (print, key)));
            keys.insert(finding.id.clone(), key);
        }
        if self.last.is_none() {
            self.first = self.next;
        }
        self.keys = keys;
        self.last = Some(Rc::clone(judged));
    }

    /// Tells whether a finding of the last review was in none before the first round.
    pub(super) fn came_later(&self, id: &str) -> bool {
        self.key(id).is_none_or(|key| key > self.first)
    }

    /// Returns the key of a finding of the last review.
    pub(super) fn key(&self, id: &str) -> Option<Key> {
        self.keys.get(id).copied()
    }
}
