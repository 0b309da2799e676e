//! Locates the parts of a text where a pattern could match. In: the keywords of patterns, and a text. Out: for each
//! pattern the pieces of the text near one of its keywords, in order and disjoint. One pass finds them all, and each
//! piece is searched once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use foldhash::fast::FixedState;

use crate::rule::TextMatch;

/// The furthest start of a match before a keyword, in bytes of the same line: a name, an address.
const BEFORE: usize = 200;
/// The furthest end of a match after a keyword, in bytes of the same line.
const BEHIND: usize = 600;

/// The keywords of a list of patterns.
pub(crate) struct KeywordIndex {
    /// The patterns of each keyword, which is in lower case.
    owners: HashMap<String, Vec<usize>, FixedState>,
    /// The search for all of them, and the keyword of each of its patterns. A text whose keywords were found already does not need it.
    automaton: OnceLock<(AhoCorasick, Vec<String>)>,
    /// How far each pattern reaches after a keyword, beyond the line.
    reaches: Vec<Option<usize>>,
    /// Whether each pattern has no keyword and is matched against the whole text.
    is_everywhere: Vec<bool>,
}

impl KeywordIndex {
    /// Gathers the keywords of patterns.
    pub(crate) fn of<'p>(patterns: impl Iterator<Item = &'p TextMatch>) -> Self {
        let mut owners: HashMap<String, Vec<usize>, FixedState> = HashMap::default();
        let (mut reaches, mut is_everywhere) = (Vec::new(), Vec::new());
        for (index, pattern) in patterns.enumerate() {
            for keyword in &pattern.keywords {
                owners.entry(keyword.to_ascii_lowercase()).or_default().push(index);
            }
            reaches.push(pattern.reach);
            is_everywhere.push(pattern.keywords.is_empty());
        }
        Self { owners, automaton: OnceLock::new(), reaches, is_everywhere }
    }

    fn automaton(&self) -> &(AhoCorasick, Vec<String>) {
        self.automaton.get_or_init(|| {
            let mut words: Vec<String> = self.owners.keys().cloned().collect();
            words.sort();
            let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&words);
            (automaton.expect("the keywords of patterns are few and short"), words)
        })
    }

    /// Finds the pieces of a text for each wanted pattern.
    pub(crate) fn pieces(&self, text: &str, is_wanted: impl Fn(usize) -> bool) -> Vec<Vec<Range<usize>>> {
        let count = self.reaches.len();
        let wanted: Vec<bool> = (0..count).map(is_wanted).collect();
        if !wanted.contains(&true) {
            return vec![Vec::new(); count];
        }
        let (automaton, words) = self.automaton();
        let hits = automaton.find_overlapping_iter(text);
        let hits = hits.map(|hit| (words[hit.pattern().as_usize()].as_str(), hit.range()));
        let mut pieces = self.pieces_at(text, hits);
        pieces.iter_mut().zip(wanted).filter(|(_, wanted)| !wanted).for_each(|(pieces, _)| pieces.clear());
        pieces
    }

    /// Finds the pieces of a text for each pattern near keywords that were found already, in order. They are in lower case.
    pub(crate) fn pieces_at<W: AsRef<str>>(
        &self,
        text: &str,
        hits: impl Iterator<Item = (W, Range<usize>)>,
    ) -> Vec<Vec<Range<usize>>> {
        let whole = |is_everywhere: &bool| Vec::from_iter(is_everywhere.then_some(0..text.len()));
        let mut pieces: Vec<Vec<Range<usize>>> = self.is_everywhere.iter().map(whole).collect();
        for (word, range) in hits {
            for index in self.owners.get(word.as_ref()).into_iter().flatten() {
                join(&mut pieces[*index], around(text, range.clone(), self.reaches[*index]));
            }
        }
        pieces
    }
}

/// Returns the piece of a text around a keyword.
fn around(text: &str, hit: Range<usize>, reach: Option<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(hit.start.saturating_sub(BEFORE));
    let start = text[start..hit.start].rfind('\n').map_or(start, |at| start + at + 1);
    let end = text.ceil_char_boundary((hit.end + reach.unwrap_or(BEHIND)).min(text.len()));
    let end = match reach {
        Some(_) => end,
        None => text[hit.end..end].find('\n').map_or(end, |at| hit.end + at),
    };
    start..end
}

/// Adds a piece to disjoint pieces; it ends after all of them or within the last.
fn join(pieces: &mut Vec<Range<usize>>, piece: Range<usize>) {
    match pieces.last_mut() {
        Some(last) if piece.start <= last.end => {
            last.start = last.start.min(piece.start);
            last.end = last.end.max(piece.end);
        }
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(keywords: &[&str], reach: Option<usize>) -> KeywordIndex {
        let keywords = keywords.join(", ");
        let reach = reach.map(|reach| format!("\nreach: {reach}")).unwrap_or_default();
        let pattern = serde_saphyr::from_str::<TextMatch>(&format!("pattern: a\nkeywords: [{keywords}]{reach}"));
        KeywordIndex::of([&pattern.expect("the pattern is one")].into_iter())
    }

    #[test]
    fn lines_with_a_keyword_are_near() {
        let text = "one\ntwo KEY key\nthree\nkey";
        let pieces = near(&["key"], None).pieces(text, |_| true);
        let shown: Vec<&str> = pieces[0].iter().map(|piece| &text[piece.clone()]).collect();
        assert_eq!(shown, ["two KEY key", "key"]);
        assert!(near(&["key"], None).pieces(text, |_| false)[0].is_empty());
        assert_eq!(near(&[], None).pieces(text, |_| true)[0], std::slice::from_ref(&(0..text.len())));
    }

    #[test]
    fn a_reach_goes_beyond_the_line_and_a_long_line_is_cut() {
        let text = "begin\nbody\nend\n";
        assert_eq!(near(&["begin"], Some(6)).pieces(text, |_| true)[0], std::slice::from_ref(&(0..11)));
        let long = format!("{}key{}", "é".repeat(900), "é".repeat(900));
        let pieces = near(&["key"], None).pieces(&long, |_| true);
        assert_eq!(pieces[0], std::slice::from_ref(&(1800 - BEFORE..1803 + BEHIND)));
        // Every piece is searched once, however many keywords it has.
        let many = "key ".repeat(10_000);
        assert_eq!(near(&["key"], None).pieces(&many, |_| true)[0].len(), 1);
    }
}
