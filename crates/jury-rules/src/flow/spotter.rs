//! Finds words anywhere in a text, ignoring case. In: words, each with a value. Out: the values of the words that
//! occur.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::texts::is_wordy;

/// A searched word.
#[derive(Clone, Copy)]
pub(super) struct Sought<'w> {
    pub(super) text: &'w str,
    /// Whether it counts only as a whole word.
    pub(super) is_whole: bool,
    /// Its value.
    pub(super) meant: usize,
}

/// A searcher for several words.
pub(super) struct Spotter {
    automaton: AhoCorasick,
    /// The value of each word, and whether it must be whole.
    meant: Vec<Vec<(usize, bool)>>,
}

impl Spotter {
    pub(super) fn of<'w>(words: impl IntoIterator<Item = Sought<'w>>) -> Self {
        let mut by_text: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
        for Sought { text, is_whole, meant } in words {
            by_text.entry(text.to_ascii_lowercase()).or_default().push((meant, is_whole));
        }
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(by_text.keys());
        let automaton = automaton.expect("the words of rules are few and short");
        Self { automaton, meant: by_text.into_values().collect() }
    }

    /// Calls `found` with the value of each word in a text, possibly more than once.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(usize)) {
        let text = text.as_bytes();
        for hit in self.automaton.find_overlapping_iter(text) {
            let (start, end) = (hit.start(), hit.end());
            let goes_on = |at: usize, beside: Option<usize>| {
                is_wordy(text[at]) && beside.and_then(|beside| text.get(beside)).is_some_and(|byte| is_wordy(*byte))
            };
            let is_part = goes_on(start, start.checked_sub(1)) || goes_on(end - 1, Some(end));
            let meant = self.meant[hit.pattern().as_usize()].iter();
            meant.filter(|(_, is_whole)| !is_whole || !is_part).for_each(|(meant, _)| found(*meant));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_within_others_unless_they_must_be_whole() {
        let sought = |text, is_whole, meant| Sought { text, is_whole, meant };
        let spotter = Spotter::of([sought("sh", true, 0), sought("sh", false, 1), sought("a/b", true, 2)]);
        let found = |text: &str| {
            let mut found = Vec::new();
            spotter.each(text, |meant| found.push(meant));
            found
        };
        assert_eq!(found("/bin/SH -c"), [0, 1]);
        assert_eq!(found("push"), [1]);
        assert_eq!(found("sh_"), [1]);
        assert_eq!(found("\"a/b\""), [2]);
        assert_eq!(found("xa/b"), [0; 0]);
    }
}
