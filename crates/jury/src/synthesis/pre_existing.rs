//! Candidates, the change and the findings of the base in; candidates that are older than the change marked as pre-existing.
//!
//! The base decides about the claims of built-in reviewers: a finding whose every line is there as it was, and that was found there, is
//! old. Any other claim on a touched line is new, whatever it says. On untouched lines, the base decides about the claims of tools, and
//! the claim itself about those of models ([032](../../../../docs/decisions/032-old-by-comparison.md)).

use super::before::{Before, Source};
use super::candidate::{Candidate, Grounding, Step};
use crate::model::{Change, Claim};

const LINES: &str = "pre-existing: the change does not touch its lines";
const BASE: &str = "pre-existing: the base has it, and the change touches none of its lines";
const NOT_ON_BASE: &str = "new: the change touches none of its lines, but the base does not have it";
const NOT_SAID: &str = "new: the change does not touch its lines, but the reviewer does not call it pre-existing";
const TOUCHED: &str = "claimed pre-existing, but the change touches its lines";

/// Holds the candidates against the change and its base. Without a second look, as in records of version 1, lines decide.
pub(super) fn mark(candidates: &mut [Candidate], change: &Change, before: Option<&Before<'_>>, sources: &[Source]) {
    for candidate in candidates {
        let source = candidate.origins.first().and_then(|origin| sources.get(origin.report_index as usize));
        mark_one(candidate, change, before, source.copied().unwrap_or_default());
    }
}

fn mark_one(candidate: &mut Candidate, change: &Change, before: Option<&Before<'_>>, source: Source) {
    let claim = &candidate.claim;
    // Without a place, the claim is one about the change as a whole, and only it can know.
    let Some(location) = &claim.location else { return };
    // A place that the tree does not have says nothing about where the defect is; the file must do.
    let is_nowhere = candidate.grounding == Grounding::Placeless;
    let is_touched = touches(change, claim) || (is_nowhere && change.has_file(&location.file));
    let said = claim.pre_existing;
    let (is_old, why) = match (source, before) {
        (Source::BuiltIn, Some(before)) if before.has(claim) => (true, BASE),
        (Source::Check, _) => (false, NOT_ON_BASE),
        _ if is_touched => (false, TOUCHED),
        (Source::Unknown, _) if said == Some(false) => (false, NOT_SAID),
        (Source::Unknown, _) | (_, None) => (true, LINES),
        (Source::Model, _) if said == Some(true) => (true, LINES),
        (Source::Model, _) => (false, NOT_SAID),
        (Source::Tool, Some(before)) if !before.can_block(claim) => (true, LINES),
        (Source::Tool, Some(before)) if before.has(claim) => (true, BASE),
        (Source::BuiltIn | Source::Tool, Some(_)) => (false, NOT_ON_BASE),
    };
    candidate.claim.pre_existing = Some(is_old);
    if Some(is_old) != said && !(is_touched && said.is_none()) {
        candidate.note(Step::Place, why);
    }
}

/// Tells whether the change touches any line that a claim is about or rests on.
pub fn touches(change: &Change, claim: &Claim) -> bool {
    let Some(location) = &claim.location else { return false };
    change.touches(location)
        || claim.trace.iter().any(|lines| change.touches_lines(&location.file, location.side, *lines))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{
        BaseFinding, BaseLook, Confidence, Domain, Fingerprint, LineRange, RepoPath, Severity, Side, UnchangedPlace,
    };
    use crate::synthesis::tests::{candidate, claim};

    fn range(text: &str) -> LineRange {
        LineRange::parse(text).unwrap()
    }

    /// A change of lines 5 and 6 of `a.rs`.
    fn change() -> Change {
        let mut change = Change::default();
        change.add_lines(RepoPath::new("a.rs").unwrap(), Side::Right, range("5-6"));
        change
    }

    fn of(file: Option<&str>, lines: &str, said: Option<bool>, trace: &[&str]) -> Claim {
        Claim {
            reviewer: Some(Domain::new("security").unwrap()),
            rule: Some("r".to_owned()),
            pre_existing: said,
            trace: trace.iter().map(|lines| range(lines)).collect(),
            ..claim("t", file.map(|file| (file, lines)))
        }
    }

    /// A finding of the base that is the claim, as the claim says it.
    fn on_base(claim: &Claim) -> BaseFinding {
        let location = claim.location.clone().unwrap();
        let print = Fingerprint::new(&Domain::new("security").unwrap(), "r", "", "");
        BaseFinding {
            domain: claim.reviewer.clone().unwrap(),
            rule: claim.rule.clone(),
            title: claim.title.clone(),
            severity: claim.severity,
            confidence: claim.confidence,
            file: location.file.clone(),
            lines: location.lines,
            unchanged: Some(UnchangedPlace { file: location.file, lines: location.lines, trace: claim.trace.clone() }),
            fingerprint: print.clone(),
            first_fingerprint: print,
        }
    }

    fn marked(claim: Claim, look: Option<&BaseLook>, source: Source, grounding: Grounding) -> (Option<bool>, usize) {
        let before = look.map(|look| Before::of(look, Severity::High, BTreeMap::new()));
        let mut candidates = [Candidate { grounding, ..candidate(claim) }];
        mark(&mut candidates, &change(), before.as_ref(), &[source]);
        (candidates[0].claim.pre_existing, candidates[0].trail.len())
    }

    #[test]
    fn without_a_second_look_lines_decide_both_ways() {
        use Grounding::{Placeless, Refuted, Unchecked};
        for source in [Source::BuiltIn, Source::Tool, Source::Model] {
            let placed = |file, lines, said, grounding| marked(of(file, lines, said, &[]), None, source, grounding);
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

    #[test]
    fn a_claim_of_unknown_origin_is_taken_at_its_word_and_else_by_its_lines() {
        for (lines, said, is_old) in [
            ("7", None, true),
            ("7", Some(true), true),
            ("7", Some(false), false),
            ("5", None, false),
            ("5", Some(true), false),
        ] {
            let (marked, _) = marked(of(Some("a.rs"), lines, said, &[]), None, Source::Unknown, Grounding::Unchecked);
            assert_eq!(marked, Some(is_old), "{lines} {said:?}");
        }
    }

    #[test]
    fn a_model_is_believed_on_untouched_lines_only() {
        for (file, lines, said, is_old) in [
            ("a.rs", "7", Some(true), true),
            ("a.rs", "7", Some(false), false),
            ("a.rs", "7", None, false),
            ("a.rs", "5", Some(true), false),
            ("b.rs", "5", None, false),
            ("b.rs", "5", Some(true), true),
        ] {
            let claim = of(Some(file), lines, said, &[]);
            let (marked, _) = marked(claim, Some(&BaseLook::default()), Source::Model, Grounding::Unchecked);
            assert_eq!(marked, Some(is_old), "{file}:{lines} {said:?}");
        }
    }

    #[test]
    fn the_base_has_to_have_the_very_finding() {
        let claim = of(Some("a.rs"), "9", Some(true), &["3", "9-10"]);
        let same = on_base(&claim);
        let is_old = |finding: BaseFinding| {
            let look = BaseLook { findings: vec![finding], failed: Vec::new() };
            marked(claim.clone(), Some(&look), Source::BuiltIn, Grounding::Unchecked).0
        };
        assert_eq!(is_old(same.clone()), Some(true));
        let place = same.unchanged.clone().unwrap();
        let at = |place: UnchangedPlace| BaseFinding { unchanged: Some(place), ..same.clone() };
        for other in [
            BaseFinding { domain: Domain::new("qa").unwrap(), ..same.clone() },
            BaseFinding { rule: None, ..same.clone() },
            BaseFinding { title: crate::model::Title::new("u").unwrap(), ..same.clone() },
            BaseFinding { severity: Severity::Medium, ..same.clone() },
            BaseFinding { confidence: Confidence::from_percent(50).ok(), ..same.clone() },
            BaseFinding { unchanged: None, ..same.clone() },
            at(UnchangedPlace { lines: Some(range("8")), ..place.clone() }),
            at(UnchangedPlace { lines: Some(range("9-10")), ..place.clone() }),
            at(UnchangedPlace { trace: vec![range("9-10")], ..place.clone() }),
            at(UnchangedPlace { file: RepoPath::new("b.rs").unwrap(), ..place.clone() }),
        ] {
            assert_eq!(is_old(other.clone()), Some(false), "{other:?}");
        }
        let worse = BaseFinding { severity: Severity::Blocker, confidence: Confidence::from_percent(100).ok(), ..same };
        assert_eq!(is_old(worse), Some(true));
    }

    #[test]
    fn a_touched_line_makes_it_new_unless_the_base_has_each_line_as_it_is() {
        for (lines, trace) in [("9", &["6", "9"][..]), ("4", &["4-5"]), ("5", &[])] {
            let claim = of(Some("a.rs"), lines, Some(true), trace);
            let mark = |look: &BaseLook, source| marked(claim.clone(), Some(look), source, Grounding::Unchecked).0;
            let altered = BaseFinding { unchanged: None, ..on_base(&claim) };
            let altered = BaseLook { findings: vec![altered], failed: Vec::new() };
            // Lines beside removed ones count as touched; the exact mapping knows that they are as they were.
            let same = BaseLook { findings: vec![on_base(&claim)], failed: Vec::new() };
            assert_eq!(mark(&altered, Source::BuiltIn), Some(false), "{lines} {trace:?}");
            assert_eq!(mark(&same, Source::BuiltIn), Some(true), "{lines} {trace:?}");
            assert_eq!(mark(&same, Source::Tool), Some(false), "{lines} {trace:?}");
        }
    }

    #[test]
    fn a_claim_of_a_tool_is_compared_if_it_can_close_the_gate() {
        let with = |severity, look: &BaseLook| {
            let claim = Claim { severity, ..of(Some("a.rs"), "9", None, &[]) };
            marked(claim, Some(look), Source::Tool, Grounding::Unchecked).0
        };
        let none = BaseLook::default();
        let same = BaseLook { findings: vec![on_base(&of(Some("a.rs"), "9", None, &[]))], failed: Vec::new() };
        assert_eq!(with(Severity::High, &none), Some(false));
        assert_eq!(with(Severity::High, &same), Some(true));
        assert_eq!(with(Severity::Blocker, &same), Some(false));
        assert_eq!(with(Severity::Medium, &none), Some(true));
    }
}
