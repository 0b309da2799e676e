//! The record of a full review and of the one before in; the numbers of new, persisting, moved and gone findings out. It decides nothing.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::judge;
use super::listing::found_features;
use crate::model::FoundFeatures;
use crate::record::{Record, Since};
use crate::verify::{TreeFindings, follow};

/// Compares the findings of a review with those of the one before.
pub(super) fn since(before: &Record, record: &Record) -> Since {
    let (found_then, found_now) = (found(before), found(record));
    let (then, now) = (tree(&found_then, before), tree(&found_now, record));
    let open_now = found_now.open.len();
    let followed = follow(&then, &now);
    let mut since = Since { review_id: before.review_id.clone(), new: 0, persisting: 0, moved: 0, gone: 0 };
    let mut known = BTreeSet::new();
    for (features, followed) in found_then.open.iter().zip(&followed) {
        match followed.filter(|followed| followed.to < open_now) {
            None => since.gone += 1,
            Some(followed) if now.features[followed.to].place == features.place => since.persisting += 1,
            Some(_) => since.moved += 1,
        }
        known.extend(followed.map(|followed| followed.to));
    }
    since.new = (0..open_now).filter(|at| !known.contains(at)).count();
    since
}

/// Returns the features of the findings of a record. One of before version 3 does not have them and is judged again.
fn found(record: &Record) -> Cow<'_, FoundFeatures> {
    match &record.found {
        Some(found) => Cow::Borrowed(found),
        None => Cow::Owned(found_features(&judge(record))),
    }
}

/// Returns the findings of a record in one list, the open ones first, and the files that they name.
fn tree(found: &FoundFeatures, record: &Record) -> TreeFindings {
    TreeFindings { features: found.open.iter().chain(&found.others).cloned().collect(), texts: record.cited.clone() }
}
