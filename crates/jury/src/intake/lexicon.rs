//! The words of the lexicon, one data file per language, loaded once.
//!
//! In: a heading or a word. Out: whether the lexicon knows it. Deliberately not here: severities and fields (`synonyms`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{places, synonyms};
use crate::syntax::{Limits, Member, Source, Value, toml_tree};

/// The files, one per language.
const FILES: &[&str] = &[include_str!("lexicon/en.toml"), include_str!("lexicon/others.toml")];

/// The words of one language, or of all.
#[derive(Debug, Default)]
struct Words {
    asides: BTreeSet<String>,
    praise: BTreeSet<String>,
    fillers: BTreeSet<String>,
    enumerators: BTreeSet<String>,
    settled: BTreeSet<String>,
    settled_with: BTreeSet<String>,
    findings: BTreeSet<String>,
    speakers: BTreeSet<String>,
}

impl Words {
    fn set(&mut self, name: &str) -> &mut BTreeSet<String> {
        match name {
            "asides" => &mut self.asides,
            "praise" => &mut self.praise,
            "fillers" => &mut self.fillers,
            "enumerators" => &mut self.enumerators,
            "settled" => &mut self.settled,
            "settled_with" => &mut self.settled_with,
            "findings" => &mut self.findings,
            "speakers" => &mut self.speakers,
            other => panic!("the lexicon has no list {other:?}"),
        }
    }

    /// Adds the lists of one file. A file is part of the program, so that a mistake in it fails every test.
    fn add(&mut self, file: &str) {
        let limits = Limits::default();
        let source = Source::new(file.as_bytes(), &limits).expect("a file of the lexicon is text within the limits");
        let root = toml_tree::parse(&source, source.whole(), &limits).expect("a file of the lexicon is TOML");
        let Value::Object(members) = &root.value else { return };
        for Member { key, node, .. } in members {
            let Value::Array(items) = &node.value else { panic!("{key} is no list") };
            let words = items.iter().filter_map(|item| match &item.value {
                Value::String(word) => Some(word.to_string()),
                _ => None,
            });
            self.set(key).extend(words);
        }
    }
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    FILES.iter().for_each(|file| words.add(file));
    words
});

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
    let knows = |set: &BTreeSet<String>, word: &String| set.contains(word);
    let is_known = |word: &String| {
        knows(&WORDS.asides, word)
            || knows(&WORDS.praise, word)
            || knows(&WORDS.fillers, word)
            || knows(&WORDS.enumerators, word)
    };
    if !words.iter().all(is_known) {
        return None;
    }
    if words.iter().any(|word| knows(&WORDS.praise, word)) && !words.iter().any(|word| word == "not" || word == "no") {
        return Some(Name::Praise);
    }
    words.iter().any(|word| knows(&WORDS.asides, word)).then_some(Name::Aside)
}

/// Tells whether a heading is plainly about earlier findings: a word for that, and none that is about anything else.
pub(super) fn is_about_earlier(text: &str) -> bool {
    let words = words_of(text);
    let has = |words_of: &[&str]| words.iter().any(|word| words_of.contains(&word.as_str()));
    // A finding that is to be fixed, or was fixed in part, is not fixed.
    let is_open = has(&[
        "unresolved",
        "unfixed",
        "be",
        "must",
        "should",
        "needs",
        "need",
        "partially",
        "unaddressed",
        "not",
        "new",
        "remaining",
        "still",
    ]);
    !is_open
        && words.iter().any(|word| WORDS.settled.contains(word))
        && words.iter().all(|word| WORDS.settled.contains(word) || WORDS.settled_with.contains(word))
        // `Fix` alone is a field, and `Verification` an aside.
        && !(words.len() == 1 && has(&["fix", "fixes", "verification", "last", "all", "resolution"]))
        && (!has(&["verification", "verified"]) || has(&["fix", "fixes", "fixed", "resolved", "prior", "previous", "findings", "round", "earlier"]))
}

/// Tells whether a word counts things: `Step`, `Phase`.
pub(super) fn is_enumerator(word: &str) -> bool {
    WORDS.enumerators.contains(&synonyms::fold_word(word))
}

/// Tells whether a tag names who speaks, as the lines of a log do: `[agent] Turn started.`
pub(super) fn is_speaker(word: &str) -> bool {
    WORDS.speakers.contains(word)
}

/// Tells whether a text has a noun for findings.
pub(super) fn names_findings(text: &str) -> bool {
    words_of(text).iter().any(|word| WORDS.findings.contains(word))
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
