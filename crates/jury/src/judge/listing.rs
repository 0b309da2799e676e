//! The findings of a judgement by their features, for the comparison of two trees.

use super::{Judgement, Settled};
use crate::model::{Claim, Features, FileLine, FindingId, FindingName, FoundFeatures, RepoPath};
use crate::record::Record;
use crate::verify::TreeFindings;

/// The findings of a judgement that are compared, in one list: the open ones first.
pub(super) struct Listing<'j> {
    pub(super) settled: Vec<&'j Settled>,
    pub(super) open: usize,
    pub(super) tree: TreeFindings,
}

impl<'j> Listing<'j> {
    /// Lists the findings in the files that are compared.
    pub(super) fn of(judgement: &'j Judgement, record: &Record, is_compared: &dyn Fn(&RepoPath) -> bool) -> Self {
        let mut listing = Self { settled: Vec::new(), open: 0, tree: TreeFindings::default() };
        for (nth, list) in judgement.merged.synthesis.lists().into_iter().enumerate() {
            for settled in list {
                let features = features(settled);
                if features.place.as_ref().is_none_or(|place| is_compared(&place.file)) {
                    listing.settled.push(settled);
                    listing.tree.features.push(features);
                }
            }
            if nth == 0 {
                listing.open = listing.settled.len();
            }
        }
        let texts = record.cited.iter().filter(|(path, _)| is_compared(path));
        listing.tree.texts = texts.map(|(path, text)| (path.clone(), text.clone())).collect();
        listing
    }

    /// Lists all findings.
    pub(super) fn of_all(judgement: &'j Judgement, record: &Record) -> Self {
        Self::of(judgement, record, &|_| true)
    }

    pub(super) fn at(&self, settled: &Settled) -> Option<usize> {
        self.settled.iter().position(|other| std::ptr::eq(*other, settled))
    }
}

/// Returns the features of all findings of a judgement, as records keep them.
pub(super) fn found_features(judgement: &Judgement) -> FoundFeatures {
    let [open, others @ ..] = judgement.merged.synthesis.lists();
    FoundFeatures {
        open: open.iter().map(|settled| features(settled)).collect(),
        others: others.into_iter().flatten().map(|settled| features(settled)).collect(),
    }
}

/// Returns the features by which a finding is recognised.
pub(super) fn features(settled: &Settled) -> Features {
    let finding = &settled.finding;
    let name = |claim: &Claim| FindingName {
        domain: claim.reviewer.clone().unwrap_or_else(|| finding.domain.clone()),
        what: claim.rule.clone().unwrap_or_else(|| claim.title.normalised()),
        cwe: claim.cwe.first().copied(),
    };
    let location = finding.representative.location.as_ref();
    let location = location.filter(|location| location.file.as_str() != FindingId::WHOLE_REPOSITORY);
    Features {
        names: finding.claims().map(name).collect(),
        title: finding.representative.title.to_string(),
        quote: finding.representative.evidence.first().cloned(),
        place: location.map(|location| FileLine {
            file: location.file.clone(),
            line: location.lines.map(|lines| lines.start().get()),
        }),
    }
}
