//! The words of the lexicon, one data file per language, loaded once.
//!
//! In: a heading or a word. Out: whether a list of the lexicon has it. What each list is for stands above it in
//! `lexicon/en.toml`. Deliberately not here: severities and fields (`synonyms`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{places, synonyms};
use crate::syntax::{Limits, Member, Source, Value, toml_tree};

/// The files, one per language.
const FILES: &[&str] = &[include_str!("lexicon/en.toml"), include_str!("lexicon/others.toml")];

/// Declares the lists; in the files, `SectionAsides` is `section_asides`.
macro_rules! lists {
    ($($list:ident)*) => {
        /// A list of words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum List { $($list),* }

        const LISTS: &[List] = &[$(List::$list),*];
    };
}

lists! {
    Asides Praise Fillers Enumerators Settled SettledWith NotSettled Findings Speakers
    SectionAsides SectionFindings FindingsEndings SettledParts OpenHeadings OpenMarks LegendNames HtmlTags GoodNews Statuses BeforeIds
    Nothing NoneAt No Rest DeniedNouns Otherwise Contrasts Openings DenialFillers DeniedSeverities
    CommonWords RatingFillers NumberedTags NoHeading GluedFillers HeadingDenials HeadingNouns Introductions LogLevels
    SentenceDenials DefectNouns ToldGone Articles Numbers BetweenCounts CountedSeverities CountsGone CountFillers
    VerdictNames LooseVerdictNames Progress SaysOpen CellsOfPasses WeakPasses CellsOfFailures SignsOfFailure QuotedMembers Cannot LookVerbs ReviewObjects Writers EarlyEndings Spent Unfinished
    NotReviewed DoubtsGone SettledWords LineWords FileEndings FenceNames SettingFences GridHeaders GridRows
}

/// The words of a list, in the order of the files.
#[derive(Default)]
struct Words {
    ordered: Vec<String>,
    known: BTreeSet<String>,
}

static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut words: Vec<Words> = LISTS.iter().map(|_| Words::default()).collect();
    FILES.iter().for_each(|file| add(&mut words, file));
    words
});

/// Adds the lists of one file. A file is part of the program, so that a mistake in it fails every test.
fn add(words: &mut [Words], file: &str) {
    let limits = Limits::default();
    let source = Source::new(file.as_bytes(), &limits).expect("a file of the lexicon is text within the limits");
    let root = toml_tree::parse(&source, source.whole(), &limits).expect("a file of the lexicon is TOML");
    let Value::Object(members) = &root.value else { return };
    for Member { key, node, .. } in members {
        let Value::Array(items) = &node.value else { panic!("{key} is no list") };
        let list = LISTS.iter().find(|list| list.key() == **key).unwrap_or_else(|| panic!("no list {key:?}"));
        for item in items {
            let Value::String(word) = &item.value else { panic!("a word of {key} is no string") };
            words[*list as usize].ordered.push(word.to_string());
            words[*list as usize].known.insert(word.to_string());
        }
    }
}

impl List {
    /// Returns the name of the list in the files.
    fn key(self) -> String {
        let mut key = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_uppercase() && !key.is_empty() {
                key.push('_');
            }
            key.push(c.to_ascii_lowercase());
        }
        key
    }

    /// Tells whether the list has a word.
    pub(super) fn has(self, word: &str) -> bool {
        WORDS[self as usize].known.contains(word)
    }

    /// Returns the words of the list.
    pub(super) fn iter(self) -> impl Iterator<Item = &'static str> {
        WORDS[self as usize].ordered.iter().map(String::as_str)
    }

    /// Returns the length of the phrase of the list with which words start.
    pub(super) fn starts(self, words: &[&str]) -> Option<usize> {
        self.iter().map(|phrase| phrase.split(' ')).find_map(|phrase| {
            let length = phrase.clone().count();
            words.get(..length).filter(|start| phrase.eq(start.iter().copied())).map(<[&str]>::len)
        })
    }
}

/// No name of a section has more words.
const MOST_WORDS: usize = 7;

/// The name of a section that holds no findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Aside,
    Praise,
}

/// Splits a heading into folded words, without numbers.
fn words_of(text: &str) -> Vec<String> {
    let folded = synonyms::fold_word(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Reads a heading that *is* the name of a section without findings: few words, all known, no place.
pub(super) fn name(text: &str) -> Option<Name> {
    // `Summary (3 files)`, `Scope: src`: the name ends before brackets.
    let bare = text.split(['(', '（']).next().unwrap_or(text);
    let words = words_of(bare);
    if words.is_empty() || words.len() > MOST_WORDS || places::marked_place(text).is_some() {
        return None;
    }
    let any = |list: List| words.iter().any(|word| list.has(word));
    let known = [List::Asides, List::Praise, List::Fillers, List::Enumerators];
    if !words.iter().all(|word| known.iter().any(|list| list.has(word))) {
        return None;
    }
    if any(List::Praise) && !words.iter().any(|word| word == "not" || word == "no") {
        return Some(Name::Praise);
    }
    any(List::Asides).then_some(Name::Aside)
}

/// Tells whether a heading is plainly about earlier findings: a word for that, and none that is about anything else.
pub(super) fn is_about_earlier(text: &str) -> bool {
    let words = words_of(text);
    let has = |words_of: &[&str]| words.iter().any(|word| words_of.contains(&word.as_str()));
    // A finding that is to be fixed, or was fixed in part, is not fixed.
    !words.iter().any(|word| List::NotSettled.has(word))
        && words.iter().any(|word| List::Settled.has(word))
        && words.iter().all(|word| List::Settled.has(word) || List::SettledWith.has(word))
        // `Fix` alone is a field, and `Verification` an aside.
        && !(words.len() == 1 && has(&["fix", "fixes", "verification", "last", "all", "resolution"]))
        && (!has(&["verification", "verified"]) || has(&["fix", "fixes", "fixed", "resolved", "prior", "previous", "findings", "round", "earlier"]))
}

/// Tells whether a word counts things: `Step`, `Phase`.
pub(super) fn is_enumerator(word: &str) -> bool {
    List::Enumerators.has(&synonyms::fold_word(word))
}

/// Tells whether a tag names who speaks, as the lines of a log do: `[agent] Turn started.`
pub(super) fn is_speaker(word: &str) -> bool {
    List::Speakers.has(word)
}

/// Tells whether a text has a noun for findings.
pub(super) fn names_findings(text: &str) -> bool {
    words_of(text).iter().any(|word| List::Findings.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_a_name_or_none() {
        for (text, expected) in [
            ("Summary", Some(Name::Aside)),
            ("Files reviewed", Some(Name::Aside)),
            ("What was done well", Some(Name::Praise)),
            ("What I checked", Some(Name::Aside)),
            ("Do not merge", None),
            ("Showstoppers", None),
            ("Summary of data loss", None),
            ("Risk in src/a.ts", None),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }

    #[test]
    fn only_a_heading_about_earlier_findings_settles() {
        for text in [
            "Resolved",
            "Previously reported findings",
            "Fixed since round 1",
            "Round 1 fix verification",
            "Prior findings",
        ] {
            assert!(is_about_earlier(text), "{text}");
        }
        for text in [
            "PR: resolved conflicts",
            "New findings",
            "Issues to be fixed",
            "Fix",
            "Verification",
            "Findings",
            "Not fixed",
        ] {
            assert!(!is_about_earlier(text), "{text}");
        }
    }
}
