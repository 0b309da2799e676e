//! Near-duplicates become one: same file, lines that overlap or lie within three of each other, like titles, the same
//! category, weakness and rule where both name one, and no reviewer in common, because a reviewer that lists two defects means two.
//!
//! Claims join in the order of their weight: each joins the first similar representative of a group, or represents a group
//! itself. A representative keeps title and lines, and no two of them are similar; so the result does not depend on the order
//! in which claims come, and merging it again changes nothing.

use std::collections::BTreeMap;

use super::candidate::{Candidate, SpeakerNames};
use super::dedupe::{MatchKind, merge_group};
use super::files::Files;
use super::order;
use super::similarity::Sketch;
use crate::model::{Claim, Severity, Side};

/// How many lines may lie between two ranges.
const NEAR_LINES: u32 = 3;
/// How far a long range reaches beyond its first line. One over half a file is close to everything, which says nothing.
const LONGEST_REACH: u32 = 50;
/// On a line that has more claims than this, none is compared: the cost stays linear, and a crowd is no agreement.
const CROWD: usize = 16;

/// Where a candidate stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    /// The file, and all that count as the same.
    file: u32,
    /// The first line; 0 for the file as a whole.
    start: u32,
    end: u32,
    index: u32,
}

/// Merges near-duplicates.
pub(super) fn merge_similar(slots: &mut [Option<Candidate>], files: &Files, panel: &SpeakerNames) {
    let spots = spots(slots, files);
    let mut found: Vec<Vec<u32>> = Vec::new();
    for file in spots.chunk_by(|a, b| a.file == b.file).filter(|file| file.len() > 1) {
        let pairs = like_pairs(file, slots);
        if !pairs.is_empty() {
            found.extend(groups(&pairs, slots).into_iter().filter(|group| group.len() > 1));
        }
    }
    for group in found {
        merge_group(slots, group, panel, MatchKind::Similar);
    }
}

/// Returns the candidate in the slot of a spot.
fn at(slots: &[Option<Candidate>], index: u32) -> &Candidate {
    slots[index as usize].as_ref().expect("spots are those of filled slots, and nothing is merged before all are found")
}

/// Returns where the candidates stand, by file and line, without crowds.
fn spots(slots: &[Option<Candidate>], files: &Files) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::with_capacity(slots.len());
    for (slot, index) in slots.iter().zip(0..) {
        // A refuted claim supports no other.
        let Some(candidate) = slot.as_ref().filter(|candidate| !candidate.grounding.is_against()) else { continue };
        let Some(location) = &candidate.claim.location else { continue };
        let (start, end) = location.lines.map_or((0, 0), |lines| {
            let start = lines.start().get();
            (start, lines.end().get().min(start.saturating_add(LONGEST_REACH)))
        });
        spots.push(Spot { file: files.path_class(candidate.file), start, end, index });
    }
    spots.sort_unstable();
    let is_crowded = |line: &[Spot]| line.len() > CROWD;
    let lines = |a: &Spot, b: &Spot| (a.file, a.start) == (b.file, b.start);
    if spots.chunk_by(lines).any(is_crowded) {
        spots = spots.chunk_by(lines).filter(|line| !is_crowded(line)).flatten().copied().collect();
    }
    spots
}

/// Returns the pairs of one file's spots that are alike, by index.
fn like_pairs(file: &[Spot], slots: &[Option<Candidate>]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut sketches: Vec<Option<Sketch>> = Vec::new();
    for later in 1..file.len() {
        // Starts ascend, so all that can reach this one lie just before it.
        let reach = LONGEST_REACH + NEAR_LINES;
        let before = (0..later).rev().take_while(|earlier| file[later].start - file[*earlier].start <= reach);
        for earlier in before.filter(|earlier| is_close(&file[*earlier], &file[later])) {
            let [a, b] = [earlier, later].map(|spot| at(slots, file[spot].index));
            // Titles are compared last, because that takes longest. Candidates with a common voice never join, see `groups`.
            if !is_compatible(&a.claim, &b.claim) || !have_no_voice_in_common(a, b) {
                continue;
            }
            sketches.resize_with(file.len(), || None);
            for (spot, candidate) in [(earlier, a), (later, b)] {
                sketches[spot].get_or_insert_with(|| sketch(&candidate.claim));
            }
            if let (Some(a), Some(b)) = (&sketches[earlier], &sketches[later])
                && a.is_like(b)
            {
                pairs.push((file[earlier].index, file[later].index));
            }
        }
    }
    pairs
}

fn sketch(claim: &Claim) -> Sketch {
    claim.location.as_ref().map_or_else(Sketch::default, |location| Sketch::new(&claim.title, &location.file))
}

/// Tells whether two spots of one file overlap or lie within three lines. The file as a whole is close only to itself.
fn is_close(a: &Spot, b: &Spot) -> bool {
    let is_whole = (a.start == 0, b.start == 0);
    match is_whole {
        (true, true) => true,
        (false, false) => b.start <= a.end.saturating_add(NEAR_LINES) && a.start <= b.end.saturating_add(NEAR_LINES),
        _ => false,
    }
}

/// Tells whether nothing but the titles speaks against two claims being one.
fn is_compatible(a: &Claim, b: &Claim) -> bool {
    fn agree<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> bool {
        a.is_none() || b.is_none() || a == b
    }
    let weaknesses_agree = a.cwe.is_empty() || b.cwe.is_empty() || a.cwe.iter().any(|cwe| b.cwe.contains(cwe));
    let side = |claim: &Claim| claim.location.as_ref().map_or(Side::Right, |location| location.side);
    let is_praise = |claim: &Claim| claim.severity == Severity::Praise;
    agree(&a.category, &b.category)
        && agree(&a.rule, &b.rule)
        && weaknesses_agree
        && side(a) == side(b)
        && is_praise(a) == is_praise(b)
        && (a.pre_existing == Some(true)) == (b.pre_existing == Some(true))
}

/// Groups the similar pairs of one file around representatives, each first in its group.
fn groups(pairs: &[(u32, u32)], slots: &[Option<Candidate>]) -> Vec<Vec<u32>> {
    let mut neighbours: Vec<(u32, u32)> = pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    neighbours.sort_unstable();
    let claim = |index: u32| &at(slots, index).claim;
    let mut in_order: Vec<&[(u32, u32)]> = neighbours.chunk_by(|a, b| a.0 == b.0).collect();
    in_order.sort_by(|a, b| order::by_weight(claim(a[0].0), claim(b[0].0)));
    let mut groups: Vec<Vec<u32>> = Vec::new();
    // The group of each candidate that speaks for one; groups are made in order, so the first has the lowest number.
    let mut spoken_for: BTreeMap<u32, usize> = BTreeMap::new();
    for like in in_order {
        let index = like[0].0;
        let mut open: Vec<usize> = like.iter().filter_map(|(_, other)| spoken_for.get(other).copied()).collect();
        open.sort_unstable();
        let can_join = |group: &&usize| {
            let mut members = groups[**group].iter().map(|member| at(slots, *member));
            members.all(|member| have_no_voice_in_common(member, at(slots, index)))
        };
        match open.iter().find(can_join) {
            Some(group) => groups[*group].push(index),
            None => {
                spoken_for.insert(index, groups.len());
                groups.push(vec![index]);
            }
        }
    }
    groups
}

fn have_no_voice_in_common(a: &Candidate, b: &Candidate) -> bool {
    let (few, many) = if a.voices.len() < b.voices.len() { (a, b) } else { (b, a) };
    // Voices ascend by name only once they were united; there are few of them.
    few.voices.iter().all(|voice| many.voices.iter().all(|other| other.name_index != voice.name_index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Category, Report};
    use crate::synthesis::tests::{claim, report};
    use crate::synthesis::{Options, Synthesis, synthesise};

    const TITLE: &str = "SQL query built from user input";
    const ALIKE: &str = "SQL query is built from raw user input";

    fn merged(reports: Vec<Report>) -> Synthesis {
        synthesise(reports, &Options::default())
    }

    fn count(a: Claim, b: Claim) -> usize {
        merged(vec![report("a", vec![a]), report("b", vec![b])]).findings.len()
    }

    #[test]
    fn like_claims_that_are_close_become_one() {
        for (a, b, findings) in [
            ("10", "10", 1),
            ("10", "13", 1),
            ("10", "14", 2),
            ("10-20", "15", 1),
            ("10-20", "23", 1),
            ("10-20", "24", 2),
            ("1-500", "40", 1),
            ("1-500", "400", 2),
        ] {
            let [a, b] = [(TITLE, a), (ALIKE, b)].map(|(title, lines)| claim(title, Some(("f", lines))));
            assert_eq!(count(a.clone(), b.clone()), findings, "{:?}", a.location);
            assert_eq!(count(b, a), findings);
        }
        assert_eq!(count(claim(TITLE, Some(("f", "1"))), claim(ALIKE, Some(("g", "1")))), 2);
    }

    #[test]
    fn what_contradicts_keeps_apart() {
        let a = || claim(TITLE, Some(("f", "1")));
        let b = || claim(ALIKE, Some(("f", "1")));
        assert_eq!(count(a(), b()), 1);
        let of = |claim, category| Claim { category: Some(category), ..claim };
        assert_eq!(count(of(a(), Category::Security), of(b(), Category::Security)), 1);
        assert_eq!(count(of(a(), Category::Security), b()), 1);
        assert_eq!(count(of(a(), Category::Security), of(b(), Category::Perf)), 2);
        assert_eq!(count(Claim { cwe: vec![89], ..a() }, Claim { cwe: vec![79], ..b() }), 2);
        assert_eq!(count(Claim { rule: Some("x".to_owned()), ..a() }, Claim { rule: Some("y".to_owned()), ..b() }), 2);
        assert_eq!(count(a(), Claim { severity: Severity::Praise, ..b() }), 2);
    }

    #[test]
    fn who_lists_two_means_two() {
        let both = vec![claim(TITLE, Some(("f", "1"))), claim(ALIKE, Some(("f", "1")))];
        assert_eq!(merged(vec![report("a", both)]).findings.len(), 2);
    }

    #[test]
    fn the_heaviest_speaks_and_keeps_its_words() {
        let heavy = Claim { severity: Severity::Blocker, ..claim(ALIKE, Some(("f", "3"))) };
        let result = merged(vec![report("a", vec![claim(TITLE, Some(("f", "1")))]), report("b", vec![heavy])]);
        let speaks = &result.findings[0].finding.representative;
        assert_eq!((speaks.title.as_str(), speaks.severity), (ALIKE, Severity::Blocker));
        assert!(result.findings[0].promoted);
        assert_eq!(result.findings[0].origins.len(), 2);
    }

    #[test]
    fn near_can_be_switched_off() {
        let reports = || {
            vec![report("a", vec![claim(TITLE, Some(("f", "1")))]), report("b", vec![claim(ALIKE, Some(("f", "1")))])]
        };
        assert_eq!(synthesise(reports(), &Options { near_duplicates: false, ..Options::default() }).findings.len(), 2);
    }

    #[test]
    fn a_crowd_on_one_line_is_left_alone() {
        let crowd = |size: usize| {
            let word = |n: usize| ["red", "blue", "green", "black", "white"][n % 5].repeat(n / 5 + 1);
            let mut reports: Vec<Report> = (0..size)
                .map(|n| report(&format!("r{n}"), vec![claim(&format!("{} thing breaks", word(n)), Some(("f", "1")))]))
                .collect();
            reports.push(report("a", vec![claim(TITLE, Some(("f", "1")))]));
            reports.push(report("b", vec![claim(ALIKE, Some(("f", "1")))]));
            merged(reports).findings.len()
        };
        assert_eq!(crowd(CROWD - 2), CROWD - 1);
        assert_eq!(crowd(CROWD - 1), CROWD + 1);
    }
}
