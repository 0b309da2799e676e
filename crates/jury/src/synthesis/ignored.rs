//! Candidates that the author of the code ignores in; those whose `jury-ignore` does not count are open again, and noted.
//!
//! A finding that the base has, too, is pre-existing and needs no comment. Any other was accepted by nobody: the comment counts only
//! if the review raises it in the place of the finding (`gate-integrity`), at no lower severity.

use super::before::Before;
use super::candidate::{Candidate, Step};
use crate::model::Line;

/// Drops the ignore comments that do not count; returns a note on each.
pub(super) fn drop_stale(candidates: &mut [Candidate], before: &Before<'_>) -> Vec<String> {
    candidates.iter_mut().filter_map(|candidate| drop_one(candidate, before)).collect()
}

fn drop_one(candidate: &mut Candidate, before: &Before<'_>) -> Option<String> {
    let claim = &mut candidate.claim;
    claim.ignored()?;
    let file = claim.location.as_ref().map(|location| location.file.clone());
    let support = claim.support.as_mut()?;
    let line = support.ignored_at;
    let raised = file.as_ref().zip(line).and_then(|(file, line)| before.raised(file, line));
    if raised.is_some_and(|raised| raised.is_at_least(claim.severity)) {
        return None;
    }
    support.ignored = None;
    let why = match raised {
        Some(_) => "a new comment does not hide a finding that is worse than it",
        None => "the code that it was written for changed",
    };
    let rule = claim.rule.as_deref().unwrap_or_else(|| claim.title.as_str());
    let place = format!("{}:{}", file.map(|file| file.to_string()).unwrap_or_default(), line.map_or(0, Line::get));
    let note = format!(
        "{place}: `jury-ignore` of {rule} counts for nothing: {why}; fix the finding, or have a person waive it on the base"
    );
    candidate.note(Step::Gate, format!("not ignored: {why}"));
    Some(note)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{BaseLook, Claim, RepoPath, Severity, Support};
    use crate::synthesis::tests::{candidate, claim};

    /// Returns whether a claim with a comment in line 1 is still ignored, and the number of notes.
    fn ignored(severity: Severity, pre_existing: Option<bool>, raised: Option<(i64, Severity)>) -> (bool, usize) {
        let line = |number| Line::new(number).unwrap();
        let raised = raised.map(|(at, severity)| ((RepoPath::new("a.rs").unwrap(), line(at)), severity));
        let look = BaseLook::default();
        let before = Before::of(&look, Severity::High, raised.into_iter().collect::<BTreeMap<_, _>>());
        let support = Support { ignored: Some("ours".to_owned()), ignored_at: Some(line(1)), ..Support::default() };
        let of = Claim { severity, pre_existing, support: Some(Box::new(support)), ..claim("t", Some(("a.rs", "2"))) };
        let mut candidates = [candidate(of)];
        let notes = drop_stale(&mut candidates, &before);
        let support = candidates[0].claim.support.as_ref().unwrap();
        (support.ignored.is_some(), notes.len())
    }

    #[test]
    fn a_comment_counts_if_the_review_raises_it_instead() {
        use Severity::{Blocker, High, Medium};
        assert_eq!(ignored(High, Some(false), Some((1, High))), (true, 0));
        assert_eq!(ignored(Medium, Some(false), Some((1, High))), (true, 0));
        assert_eq!(ignored(Blocker, Some(false), Some((1, High))), (false, 1));
        assert_eq!(ignored(High, Some(false), Some((2, High))), (false, 1));
        assert_eq!(ignored(High, Some(false), None), (false, 1));
        assert_eq!(ignored(High, None, None), (false, 1));
        // The base has it: it is aside anyway, with its comment.
        assert_eq!(ignored(High, Some(true), None), (true, 0));
    }
}
