//! The wording of one leaf: a field, an absence, places, a title.
//!
//! In: the text of a leaf. Out: whether it is worded so. Deliberately not here: where the leaf stands (`fates`).

use super::mark::{self, Mark};
use super::tree::{Kind, Leaf};
use crate::intake::lexicon::List;
use crate::intake::sections::Section;
use crate::intake::synonyms::Field;
use crate::intake::{markdown, no_findings, places, prose, scalars, synonyms};

/// Tells whether a line is a labelled field of the claim above it: `Evidence:`, `- **Fix**: x`.
pub(super) fn is_field(text: &str) -> bool {
    prose::label(text).is_some_and(|(field, _)| field != Field::Severity && field != Field::Title)
}

/// Tells whether a leaf says that there is none, alone or behind its label: `None.`, `BLOCKER: None`.
pub(super) fn states_none(text: &str) -> bool {
    let text = &text.replace(" -- ", " — ");
    let behind = text.split_once([':', '：']).map(|(_, behind)| behind.trim_matches(['*', '_', ' ']));
    let name = text.split([':', '：']).next().unwrap_or_default();
    no_findings::says_none(text)
        || behind.is_some_and(|behind| {
            let bare = name.split(['(', '（']).next().unwrap_or(name);
            bare.split_whitespace().count() <= 5 && no_findings::says_none(behind)
        })
}

/// Tells whether a row has nothing but a name and words for none: `BLOCKER | 0 | —`.
pub(super) fn is_row_of_none(kind: Kind, text: &str) -> bool {
    let is_none = |cell: &str| {
        let bare = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
        bare.is_empty()
            || bare.chars().all(|c| !c.is_alphanumeric() || c == '0')
            || no_findings::says_none(bare)
            || scalars::is_nothing(bare)
    };
    kind == Kind::Row && text.split(" | ").skip(1).all(is_none)
}

/// Tells whether a line keeps a finding open although its heading is about earlier ones: `not in scope`, `still open`.
pub(super) fn says_open(text: &str) -> bool {
    let lower = text.to_lowercase();
    List::SaysOpen.iter().any(|words| lower.contains(words))
}

/// Tells whether a text is places, links and hashes, and nothing else.
pub(super) fn is_only_places(text: &str) -> bool {
    let without_links = without_names_of_links(text);
    let words = without_links
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '(' | ')'))
        .filter(|word| !word.is_empty());
    let is_word = |word: &&str| {
        let bare = word.trim_matches(['`', '*', '[', ']', '.', ':']);
        bare.chars().filter(|c| c.is_alphabetic()).count() > 1 && !is_hash(bare) && scalars::split_place(bare).is_none()
    };
    words.filter(is_word).count() == 0
}

/// Leaves out the names of links: `[PLAN-18](plans/18.md)` is its target.
fn without_names_of_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(joint) = rest.find("](") {
        let start = rest[..joint].rfind('[').unwrap_or(joint);
        let target = rest[joint + 2..].split(')').next().unwrap_or_default();
        kept.push_str(if is_reference(&rest[start..joint], target) { &rest[..start] } else { &rest[..joint] });
        rest = &rest[joint + 1..];
    }
    kept + rest
}

/// Tells whether a link is named after its target: one word with a number, and a target without a line. Others may be titles.
fn is_reference(name: &str, target: &str) -> bool {
    let has_line = scalars::split_place(target).is_some_and(|place| place.lines.is_some());
    !name.contains(char::is_whitespace) && name.contains(|c: char| c.is_ascii_digit()) && !has_line
}

/// No hash is shorter.
const SHORTEST_HASH: usize = 7;

/// Tells whether a word is the hash of a commit or file, perhaps behind its kind: `sha256:6b84f6c0…`.
fn is_hash(word: &str) -> bool {
    let hash = word.rsplit(':').next().unwrap_or(word);
    hash.len() >= SHORTEST_HASH
        && hash.bytes().all(|b| b.is_ascii_hexdigit())
        && hash.bytes().any(|b| b.is_ascii_digit())
}

/// Takes a label off the front of a text: `Input: src/a.md`.
pub(super) fn past_label(text: &str) -> &str {
    let parts = [": ", ":** ", "：", "：** "].iter().filter_map(|joint| text.split_once(joint));
    match parts.min_by_key(|(label, _)| label.len()) {
        Some((label, behind))
            if label.split_whitespace().count() <= 4
                && scalars::split_place(label.trim_matches(['*', '`', ' '])).is_none() =>
        {
            behind
        }
        _ => text,
    }
}

/// Tells whether the name of a file has an ending, which no address, command or branch has.
pub(super) fn has_ending(file: &str) -> bool {
    file.rsplit('/').next().is_some_and(|name| name.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty()))
}

/// How far from the start of an item its title may stand, behind a label or a sign.
const LONGEST_LABEL: usize = 30;

/// Tells whether an item has a title in bold of more than a label's length at its start, perhaps behind a label or a sign.
pub(super) fn has_title(text: &str) -> bool {
    let is_near = text.find("**").is_some_and(|at| at <= LONGEST_LABEL);
    is_near && text.split("**").skip(1).step_by(2).take(2).any(|title| title.split_whitespace().count() > 2)
}

/// Returns the place that a text starts with, if it says something of it.
pub(super) fn leading_place(text: &str) -> Option<scalars::FileRef<'_>> {
    let (place, rest) = places::leading_place(text);
    place.filter(|_| rest.split_whitespace().count() > 1)
}

/// Tells whether a line of a nested document is an item with a place.
pub(super) fn is_placed_item(line: &str) -> bool {
    let bare = line.trim_start();
    bare.starts_with(['-', '*', '+', '#']) && places::marked_place(bare).is_some_and(|place| place.lines.is_some())
}

/// Tells whether a line is named like a verdict and gives none that is known: `Urteil: Nicht freigeben`.
pub(super) fn is_unknown_verdict(text: &str) -> bool {
    let bare = text.trim_start_matches(['*', '_', '#', ' ']);
    let Some((name, value)) = bare.split_once([':', '：']) else { return false };
    let value = value.trim_matches(|c: char| !c.is_alphanumeric());
    (1..=4).contains(&value.split_whitespace().count())
        && markdown::names_verdict(name)
        // A short text behind these may say anything.
        && !List::LooseVerdictNames.has(&synonyms::fold_word(name))
        && scalars::verdict(value).is_none()
        && !no_findings::says_none(value)
}

/// Tells whether an item starts with a file, names no line, and has no title and no mark of its own.
pub(super) fn names_a_file(text: &str) -> bool {
    let (place, rest) = places::leading_place(text);
    let has_no_line = |text: &str| places::marked_place(text).is_none_or(|place| place.lines.is_none());
    let is_plain = !rest.contains("**") && Mark::of(rest).is_none();
    place.is_some_and(|place| place.lines.is_none() && has_ending(place.file)) && has_no_line(text) && is_plain
}

/// Returns the section that a leaf opens for those below it.
pub(super) fn opened(leaf: &Leaf) -> Section {
    match leaf.kind {
        Kind::Heading(_) => Section::of(&leaf.text),
        Kind::Line if mark::is_label(&leaf.text) => Section::of(leaf.text.trim_matches(['*', '_', ':', ' '])),
        Kind::Item if leaf.text.split_whitespace().count() <= 4 => {
            match Section::of(leaf.text.trim_matches(['*', '_', ':', ' '])) {
                section @ Section::OfSeverity(_) => section,
                _ => Section::Plain,
            }
        }
        _ => Section::Plain,
    }
}
