//! Candidates and the tree in; each candidate held against the code it names. A quote that stands elsewhere in the file
//! moves its claim there; one that stands nowhere, or a place that does not exist, makes the claim ungrounded.

use super::TreeContent;
use super::candidate::{Candidate, Grounding, Step};
use super::quote::{self, Quote};
use super::text::{FileText, bare};
use crate::model::{Change, Claim, Column, Line, LineRange, RepoPath, Side};

/// The highest confidence of a claim that the tree refutes (DESIGN §7).
const CAP: u32 = 50;
/// How far from a claim's lines code inside prose may stand and still confirm it.
const PROSE_REACH: u32 = 3;
/// The fewest characters, white space aside, of code that is shown against a finding.
const SHORTEST_SHOWN: usize = 4;
/// The shortest part of a quote that shows by itself that the quote was shortened and not invented.
const SHORTEST_FRAGMENT: usize = 6;

/// Grounds the candidates, file by file, so that each file is read once.
pub(super) fn ground(candidates: &mut [Candidate], tree: &dyn TreeContent, change: Option<&Change>) {
    let file = |candidate: &Candidate| candidate.claim.location.as_ref().map(|location| location.file.clone());
    let mut by_file: Vec<usize> = (0..candidates.len()).collect();
    by_file.sort_by(|a, b| {
        let path = |index: usize| candidates[index].claim.location.as_ref().map(|location| &location.file);
        path(*a).cmp(&path(*b))
    });
    let mut at = 0;
    while let Some(index) = by_file.get(at) {
        let here = file(&candidates[*index]);
        let text = here.as_ref().and_then(|file| tree.file(file)).map(|bytes| FileText::new(&bytes));
        while let Some(index) = by_file.get(at).filter(|index| file(&candidates[**index]) == here) {
            at += 1;
            if let Some(file) = &here {
                ground_one(&mut candidates[*index], &Ground { file, text: text.as_ref(), tree, change });
            }
        }
    }
}

/// Tells whether code stands on a line of a text, white space aside, or starts there.
pub fn stands_at(text: &[u8], line: Line, code: &str) -> bool {
    let is_long_enough = bare(code).chars().count() >= SHORTEST_SHOWN;
    is_long_enough && FileText::new(text).places(code).iter().any(|place| place.start() == line)
}

/// Tells whether an item of evidence quotes a text: as a whole, or by code in it.
pub fn stands_in(text: &[u8], item: &str) -> bool {
    let text = FileText::new(text);
    let is_long_enough = |code: &str| bare(code).chars().count() >= SHORTEST_SHOWN;
    let file = RepoPath::new("quoted").expect("the path is a plain one");
    let quotes = quote::quotes(item, &file);
    (is_long_enough(item) && text.has(item))
        || quotes.iter().any(|quote| is_long_enough(&quote.code) && text.has(&quote.code))
}

/// Tells whether a claim rests on a quote that its file has nowhere.
pub fn quotes_nothing(claim: &Claim, tree: &dyn TreeContent) -> bool {
    let Some(location) = claim.location.as_ref().filter(|location| location.side == Side::Right) else { return false };
    let Some(bytes) = tree.file(&location.file) else { return false };
    let text = FileText::new(&bytes);
    let ground = Ground { file: &location.file, text: Some(&text), tree, change: None };
    let items: Vec<&str> =
        claim.first_evidence().into_iter().chain(claim.evidence.iter().map(String::as_str)).collect();
    let quotes: Vec<Quote<'_>> = items.iter().flat_map(|item| quote::quotes(item, &location.file)).collect();
    matches!(look_up(&quotes, location.lines, &text, &ground, claim), Sight::Nowhere(_))
}

/// The context of checking one candidate.
struct Ground<'a> {
    file: &'a RepoPath,
    text: Option<&'a FileText>,
    tree: &'a dyn TreeContent,
    change: Option<&'a Change>,
}

fn ground_one(candidate: &mut Candidate, ground: &Ground<'_>) {
    let Some(location) = &candidate.claim.location else { return };
    // The tree is that after the change, so it says nothing about a line before it.
    if location.side == Side::Left {
        return;
    }
    let lines = location.lines;
    let Some(text) = ground.text else {
        return refute(candidate, Grounding::Placeless, format!("the file {} does not exist", ground.file));
    };
    let items: Vec<String> = candidate
        .claim
        .first_evidence()
        .into_iter()
        .chain(candidate.claim.evidence.iter().map(String::as_str))
        .map(str::to_owned)
        .collect();
    let quotes: Vec<Quote<'_>> = items.iter().flat_map(|item| quote::quotes(item, ground.file)).collect();
    let past_end = lines.filter(|lines| lines.start().get() as usize > text.line_count());
    match look_up(&quotes, lines, text, ground, &candidate.claim) {
        Sight::Here(_) | Sight::Somewhere | Sight::Nothing if past_end.is_some() => {
            let why = format!("{} has only {} lines", ground.file, text.line_count());
            refute(candidate, Grounding::Placeless, why);
        }
        // A synthesis has settled its place: among its evidence are quotes of claims that were merged from places near by.
        Sight::Here(_) | Sight::There(..) if candidate.is_synthesised => candidate.grounding = Grounding::Found,
        Sight::Here(code) => {
            candidate.grounding = Grounding::Found;
            note_column(candidate, text, code);
        }
        Sight::Somewhere => candidate.grounding = Grounding::Found,
        Sight::There(place, code) => {
            candidate.grounding = Grounding::Found;
            move_to(candidate, place);
            note_column(candidate, text, code);
        }
        Sight::Nowhere(code) => {
            let why = format!("the quoted code is nowhere in {}: {code}", ground.file);
            refute(candidate, if past_end.is_some() { Grounding::Placeless } else { Grounding::Refuted }, why);
        }
        Sight::Nothing => candidate.grounding = Grounding::Unquoted,
    }
}

fn refute(candidate: &mut Candidate, grounding: Grounding, why: String) {
    candidate.grounding = grounding;
    candidate.cap(CAP);
    candidate.note(Step::Ground, format!("ungrounded, so at most {CAP}%: {why}"));
}

fn move_to(candidate: &mut Candidate, place: LineRange) {
    let Some(location) = &mut candidate.claim.location else { return };
    let Some(was) = location.lines.replace(place) else { return };
    location.column = None;
    candidate.note(Step::Ground, format!("moved from line {was} to {place}, where the quoted code is"));
}

/// Fills in the column of a quote that starts in the claim's first line.
fn note_column(candidate: &mut Candidate, text: &FileText, code: &str) {
    let Some(location) = &mut candidate.claim.location else { return };
    if let (None, Some(lines)) = (location.column, location.lines) {
        location.column = text.column(lines.start(), code).and_then(Column::new);
    }
}

/// The result of looking for a claim's quotes in the file.
enum Sight<'a> {
    /// A quote stands where the claim says.
    Here(&'a str),
    /// A quote stands at this other place.
    There(LineRange, &'a str),
    /// A quote stands in the file, or in the other file it names, and nothing tells where to move.
    Somewhere,
    /// A quote that the claim rests on stands nowhere.
    Nowhere(&'a str),
    /// Nothing was quoted that could be looked up.
    Nothing,
}

fn look_up<'q>(
    quotes: &'q [Quote<'_>],
    lines: Option<LineRange>,
    text: &FileText,
    ground: &Ground<'_>,
    claim: &Claim,
) -> Sight<'q> {
    let mut elsewhere = None;
    let mut is_somewhere = false;
    let mut missing = None;
    for quote in quotes {
        if let Some(named) = quote.elsewhere {
            is_somewhere |= is_in_named_file(quote, named, ground);
            continue;
        }
        let places = text.places(&quote.code);
        let Some(lines) = lines else {
            is_somewhere |= !places.is_empty();
            if places.is_empty() && is_invented(quote, text, ground, claim) {
                missing = missing.or(Some(quote.code.as_str()));
            }
            continue;
        };
        let reach = if quote.can_refute { 0 } else { PROSE_REACH };
        let is_here = |place: &LineRange| {
            place.start().get() <= lines.end().get().saturating_add(reach)
                && lines.start().get() <= place.end().get().saturating_add(reach)
        };
        if places.iter().any(is_here) {
            return Sight::Here(&quote.code);
        }
        if !quote.can_refute {
            continue;
        }
        if places.is_empty() {
            if is_invented(quote, text, ground, claim) {
                missing = missing.or(Some(quote.code.as_str()));
            }
            continue;
        }
        is_somewhere = true;
        elsewhere = elsewhere.or_else(|| Some((true_place(&places, lines, ground)?, quote.code.as_str())));
    }
    match (elsewhere, is_somewhere, missing) {
        (Some((place, code)), _, _) => Sight::There(place, code),
        (None, true, _) => Sight::Somewhere,
        (None, false, Some(code)) => Sight::Nowhere(code),
        (None, false, None) => Sight::Nothing,
    }
}

/// Returns where a quote must be from: its only place, or else the nearest among the lines that the change touches.
fn true_place(places: &[LineRange], lines: LineRange, ground: &Ground<'_>) -> Option<LineRange> {
    if let [only] = places {
        return Some(*only);
    }
    let change = ground.change?;
    let is_changed = |place: &&LineRange| change.touches_lines(ground.file, Side::Right, **place);
    let distance = |place: &&LineRange| place.start().get().abs_diff(lines.start().get());
    places.iter().filter(is_changed).min_by_key(distance).copied()
}

/// Tells whether a quote on which a claim rests is nowhere: neither it nor half of its parts stand in the file, nor does
/// it in a file that the claim relates to.
fn is_invented(quote: &Quote<'_>, text: &FileText, ground: &Ground<'_>, claim: &Claim) -> bool {
    if !quote.can_refute || quote::is_shortened(&quote.code) {
        return false;
    }
    let length = |code: &str| bare(code).chars().count();
    let parts: Vec<&str> =
        quote::fragments(&quote.code).into_iter().filter(|part| length(part) >= SHORTEST_FRAGMENT).collect();
    let found: usize = parts.iter().filter(|part| text.has(part)).map(|part| length(part)).sum();
    let all: usize = parts.iter().map(|part| length(part)).sum();
    if found > 0 && found * 2 >= all {
        return false;
    }
    let is_in = |file: &RepoPath| ground.tree.file(file).is_some_and(|bytes| FileText::new(&bytes).has(&quote.code));
    !claim.related.iter().any(|place| place.file != *ground.file && is_in(&place.file))
}

/// Tells whether a quote stands in the other file it is said to be from, by its path or beside the claim's file.
fn is_in_named_file(quote: &Quote<'_>, named: &str, ground: &Ground<'_>) -> bool {
    let beside = ground.file.as_str().rsplit_once('/').map(|(folder, _)| format!("{folder}/{named}"));
    let paths = [Some(named.to_owned()), beside];
    let mut files = paths.into_iter().flatten().filter_map(|path| RepoPath::new(path.trim_start_matches("./")).ok());
    files.any(|file| ground.tree.file(&file).is_some_and(|bytes| FileText::new(&bytes).has(&quote.code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Confidence, Line};
    use crate::synthesis::tests::{candidate, claim};

    const TEXT: &str = "import db\n\ndef find(id):\n    return db.run('select ' + id)\n\ndef all():\n    return db.run('select')\n\nxs = 1\nxs = 1\n";

    fn tree(file: &RepoPath) -> Option<Vec<u8>> {
        match file.as_str() {
            "src/a.py" => Some(TEXT.as_bytes().to_vec()),
            "src/b.py" => Some(b"secret = 'x'\n".to_vec()),
            _ => None,
        }
    }

    struct Seen {
        lines: String,
        column: Option<u32>,
        grounding: Grounding,
        percent: Option<u32>,
    }

    fn grounded_with(change: Option<&Change>, file: &str, lines: &str, evidence: &[&str]) -> Seen {
        let of = Claim {
            evidence: evidence.iter().map(|item| (*item).to_owned()).collect(),
            ..claim("t", Some((file, lines)))
        };
        let mut candidates = [candidate(of)];
        ground(&mut candidates, &tree, change);
        let [of] = candidates;
        assert_eq!(
            of.trail.is_empty(),
            !of.grounding.is_against() && {
                let now = of.claim.location.as_ref().unwrap().lines.unwrap();
                now.to_string() == lines
            }
        );
        let location = of.claim.location.unwrap();
        Seen {
            lines: location.lines.unwrap().to_string(),
            column: location.column.map(Column::get),
            grounding: of.grounding,
            percent: of.claim.confidence.map(Confidence::percent),
        }
    }

    fn grounded(lines: &str, evidence: &[&str]) -> (String, Grounding) {
        let seen = grounded_with(None, "src/a.py", lines, evidence);
        (seen.lines, seen.grounding)
    }

    #[test]
    fn quotes_are_found_here_there_or_nowhere() {
        for (lines, evidence, now, grounding) in [
            ("4", "`db.run('select ' + id)`", "4", Grounding::Found),
            ("4", "`db.run( 'select '+id )`", "4", Grounding::Found),
            ("1", "`db.run('select ' + id)`", "4", Grounding::Found),
            ("900", "a.py:900: return db.run('select ' + id)", "4", Grounding::Found),
            ("2", "```py\ndef find(id):\n  return db.run('select ' + id)\n```", "3-4", Grounding::Found),
            ("2", "`xs = 1`", "2", Grounding::Found),
            ("4", "`os.system(cmd)`", "4", Grounding::Refuted),
            ("4", "os.system(cmd)", "4", Grounding::Refuted),
            ("900", "it just is", "900", Grounding::Placeless),
            ("900", "`os.system(cmd)`", "900", Grounding::Placeless),
            ("4", "it just is", "4", Grounding::Unquoted),
            ("4", "`find` calls `os.system(cmd)` in the end", "4", Grounding::Unquoted),
            ("4", "the query in `db.run('select ' + id)` is open", "4", Grounding::Found),
            ("4", "`db.run('select ' ... id)`", "4", Grounding::Unquoted),
            ("4", "return db.run('select'); db.close()", "4", Grounding::Unquoted),
            ("4", "src/b.py:1: `secret = 'x'`", "4", Grounding::Found),
            ("4", "b.py:1: `secret = 'x'`", "4", Grounding::Found),
            ("4", "src/c.py:1: `secret = 'y'`", "4", Grounding::Unquoted),
        ] {
            assert_eq!(grounded(lines, &[evidence]), (now.to_owned(), grounding), "{lines} {evidence}");
        }
    }

    #[test]
    fn one_true_quote_is_enough() {
        assert_eq!(grounded("4", &["`os.system(cmd)`", "`db.run('select ' + id)`"]).1, Grounding::Found);
    }

    #[test]
    fn a_file_that_is_not_there_refutes_and_caps() {
        let seen = grounded_with(None, "src/none.py", "1", &["`xs = 1`"]);
        assert_eq!((seen.grounding, seen.percent), (Grounding::Placeless, Some(50)));
        let seen = grounded_with(None, "src/a.py", "9", &["`xs = 1`"]);
        assert_eq!((seen.grounding, seen.percent, seen.column), (Grounding::Found, Some(75), Some(1)));
    }

    #[test]
    fn of_several_places_the_nearest_changed_one_wins() {
        let mut change = Change::default();
        let range = LineRange::single(Line::new(10).unwrap());
        change.add_lines(RepoPath::new("src/a.py").unwrap(), Side::Right, range);
        assert_eq!(grounded_with(Some(&change), "src/a.py", "2", &["`xs = 1`"]).lines, "10");
    }

    #[test]
    fn columns_are_those_of_the_quote() {
        assert_eq!(grounded_with(None, "src/a.py", "4", &["`db.run('select ' + id)`"]).column, Some(12));
    }

    #[test]
    fn the_side_before_the_change_is_not_in_the_tree() {
        let mut of = claim("t", Some(("src/a.py", "900")));
        of.location.as_mut().unwrap().side = Side::Left;
        let mut candidates = [candidate(of)];
        ground(&mut candidates, &tree, None);
        assert_eq!(candidates[0].grounding, Grounding::Unchecked);
    }
}
