//! Candidates and the lines that the change touches in; candidates on untouched lines marked as pre-existing.
//! The change decides both ways: a claim on a touched line is not pre-existing, even if it says so.

use super::candidate::{Candidate, Grounding, Step};
use crate::model::Change;

/// Holds the candidates against the change.
pub(super) fn mark(candidates: &mut [Candidate], change: &Change) {
    for candidate in candidates {
        // Without a place, the claim is one about the change as a whole, and only it can know.
        let Some(location) = &candidate.claim.location else { continue };
        // A place that the tree does not have says nothing about where the defect is; the file must do.
        let is_nowhere = candidate.grounding == Grounding::Placeless;
        let is_touched = change.touches(location) || (is_nowhere && change.has_file(&location.file));
        let said = candidate.claim.pre_existing;
        candidate.claim.pre_existing = Some(!is_touched);
        if !is_touched && said != Some(true) {
            candidate.note(Step::Place, "pre-existing: the change does not touch its lines");
        } else if is_touched && said == Some(true) {
            candidate.note(Step::Place, "claimed pre-existing, but the change touches its lines");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LineRange, RepoPath, Side};
    use crate::synthesis::tests::{candidate, claim};

    fn placed(file: Option<&str>, lines: &str, said: Option<bool>, grounding: Grounding) -> (Option<bool>, usize) {
        let mut change = Change::default();
        change.add_lines(RepoPath::new("a.rs").unwrap(), Side::Right, LineRange::parse("5-6").unwrap());
        let mut of = claim("t", file.map(|file| (file, lines)));
        of.pre_existing = said;
        let mut candidates = [Candidate { grounding, ..candidate(of) }];
        mark(&mut candidates, &change);
        (candidates[0].claim.pre_existing, candidates[0].trail.len())
    }

    #[test]
    fn the_change_decides_both_ways() {
        use Grounding::{Placeless, Refuted, Unchecked};
        assert_eq!(placed(Some("a.rs"), "6-9", Some(false), Unchecked), (Some(false), 0));
        assert_eq!(placed(Some("a.rs"), "6-9", Some(true), Unchecked), (Some(false), 1));
        assert_eq!(placed(Some("a.rs"), "7", None, Unchecked), (Some(true), 1));
        assert_eq!(placed(Some("b.rs"), "5", Some(true), Unchecked), (Some(true), 0));
        assert_eq!(placed(Some("a.rs"), "700", None, Placeless), (Some(false), 0));
        assert_eq!(placed(Some("a.rs"), "700", None, Refuted), (Some(true), 1));
        assert_eq!(placed(None, "", Some(true), Unchecked), (Some(true), 0));
        assert_eq!(placed(None, "", None, Unchecked), (None, 0));
    }
}
