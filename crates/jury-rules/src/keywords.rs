//! Selects the rules that could match a text. In: the keywords of rules, and a text. Out: for each rule, whether one of
//! its keywords occurs, or every place where one does. One pass finds them all; rules without a keyword in the text are neither compiled
//! nor run.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use aho_corasick::AhoCorasick;
use foldhash::fast::FixedState;

/// The largest number of words for which an automaton has a full transition table, which is the fastest way.
const FEW: usize = 100;

/// The keywords of a list of rules.
pub(crate) struct Keywords {
    words: Find,
    /// The rules that each word is a keyword of.
    owners: Vec<Vec<usize>>,
    rules: usize,
    /// The number of rules with a keyword.
    sought: usize,
}

/// The search method.
enum Find {
    Few(AhoCorasick),
    Many(ByBeginning),
}

impl Keywords {
    /// Collects the keywords of rules. A rule without keywords never occurs.
    pub(crate) fn of(rules: &[Vec<&str>]) -> Self {
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, keywords) in rules.iter().enumerate() {
            for keyword in keywords {
                words.entry(keyword.to_ascii_lowercase()).or_default().push(index);
            }
        }
        let (words, owners): (Vec<String>, Vec<Vec<usize>>) = words.into_iter().unzip();
        let words = if words.len() <= FEW {
            let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words);
            Find::Few(automaton.expect("the keywords of rules are few and short"))
        } else {
            Find::Many(ByBeginning::of(words))
        };
        let sought = rules.iter().filter(|keywords| !keywords.is_empty()).count();
        Self { words, owners, rules: rules.len(), sought }
    }

    /// Tells for each rule whether one of its keywords occurs; case does not matter.
    pub(crate) fn occurring(&self, text: &str) -> Vec<bool> {
        let mut found = vec![false; self.rules];
        let mut missing = self.sought;
        let mut note = |word: usize| {
            for owner in &self.owners[word] {
                missing -= usize::from(!found[*owner]);
                found[*owner] = true;
            }
            missing > 0
        };
        match &self.words {
            Find::Few(automaton) => {
                let mut hits = automaton.find_overlapping_iter(text);
                _ = hits.all(|hit| note(hit.pattern().as_usize()));
            }
            Find::Many(words) => words.each(text, note),
        }
        found
    }

    /// Returns every occurrence of a keyword: the rules that have it, and where it stands.
    pub(crate) fn hits(&self, text: &str) -> Vec<(&[usize], Range<usize>)> {
        let mut hits = Vec::new();
        match &self.words {
            Find::Few(automaton) => {
                let found = automaton.find_overlapping_iter(text);
                hits.extend(found.map(|hit| (self.owners[hit.pattern().as_usize()].as_slice(), hit.range())));
            }
            Find::Many(words) => words.hits(text, |word, range| hits.push((self.owners[word].as_slice(), range))),
        }
        hits
    }
}

/// The number of bits in a prefix number.
const BITS: usize = 1 << 16;

/// Finds many words by their prefixes. An automaton over so many words has no full transition table, and takes several
/// steps for most letters of a text; here most letters take three bit tests.
struct ByBeginning {
    /// In lower case.
    words: Vec<String>,
    /// The first two bytes of all words: most letters of a text are passed over by them alone.
    starts: Box<[u64; BITS / 64]>,
    /// Words of four and more bytes, of three, and of two or one.
    by_length: [Beginnings; 3],
}

/// Words by a number computed from their prefix.
struct Beginnings {
    bits: Box<[u64; BITS / 64]>,
    words: HashMap<u16, Vec<usize>, FixedState>,
}

impl Beginnings {
    fn of(words: &[String], numbers: impl Fn(&[u8]) -> Vec<u16>) -> Self {
        let mut all = Self { bits: Box::new([0; BITS / 64]), words: HashMap::default() };
        for (index, word) in words.iter().enumerate() {
            for number in numbers(word.as_bytes()) {
                set(&mut all.bits, number, true);
                all.words.entry(number).or_default().push(index);
            }
        }
        all
    }
}

impl ByBeginning {
    fn of(words: Vec<String>) -> Self {
        let by_length = [
            Beginnings::of(&words, |word| match word {
                [a, b, c, d, ..] => vec![numbers(&[*a, *b, *c, *d])[0]],
                _ => Vec::new(),
            }),
            Beginnings::of(&words, |word| if word.len() == 3 { vec![numbers(word)[1]] } else { Vec::new() }),
            Beginnings::of(&words, |word| match word {
                [_, _] => vec![numbers(word)[2]],
                [only] => (0..=u8::MAX).map(|behind| numbers(&[*only, behind])[2]).collect(),
                _ => Vec::new(),
            }),
        ];
        let mut starts = Box::new([0; BITS / 64]);
        for word in &words {
            match word.as_bytes() {
                [a, b, ..] => set(&mut starts, numbers(&[*a, *b])[2], true),
                [only] => (0..=u8::MAX).for_each(|behind| set(&mut starts, numbers(&[*only, behind])[2], true)),
                [] => {}
            }
        }
        Self { words, starts, by_length }
    }

    /// Calls `look` for each place where a word may begin, with its prefix numbers, until it returns that it has enough.
    fn each_start(&self, text: &[u8], mut look: impl FnMut(usize, [u16; 3]) -> bool) {
        for (at, window) in text.windows(4).enumerate() {
            let window = u32::from_le_bytes([window[0], window[1], window[2], window[3]]) | LOWER;
            if has(&self.starts, window as u16) && !look(at, numbers_of(window)) {
                return;
            }
        }
        for at in text.len().saturating_sub(3)..text.len() {
            if !look(at, numbers(&text[at..])) {
                return;
            }
        }
    }

    /// Calls `found` with each occurrence of a word in a text.
    fn hits(&self, text: &str, mut found: impl FnMut(usize, Range<usize>)) {
        let text = text.as_bytes();
        self.each_start(text, |at, numbers| {
            for (beginnings, number) in self.by_length.iter().zip(numbers) {
                if !has(&beginnings.bits, number) {
                    continue;
                }
                for word in beginnings.words.get(&number).into_iter().flatten() {
                    let spelled = self.words[*word].as_bytes();
                    let end = at + spelled.len();
                    if text.get(at..end).is_some_and(|it| it.eq_ignore_ascii_case(spelled)) {
                        found(*word, at..end);
                    }
                }
            }
            true
        });
    }

    /// Calls `found` once with each word that occurs in a text, until it returns that it has enough.
    fn each(&self, text: &str, mut found: impl FnMut(usize) -> bool) {
        let text = text.as_bytes();
        let mut is_found = vec![false; self.words.len()];
        // The prefixes of words not yet found.
        let mut sought = self.by_length.each_ref().map(|beginnings| beginnings.bits.clone());
        self.each_start(text, |at, numbers| {
            let rest = &text[at..];
            for (length, number) in numbers.into_iter().enumerate() {
                if !has(&sought[length], number) {
                    continue;
                }
                let mut is_sought = false;
                for word in self.by_length[length].words.get(&number).into_iter().flatten() {
                    if is_found[*word] {
                        continue;
                    }
                    let spelled = self.words[*word].as_bytes();
                    let is_there = rest.get(..spelled.len()).is_some_and(|it| it.eq_ignore_ascii_case(spelled));
                    is_found[*word] = is_there;
                    is_sought |= !is_there;
                    if is_there && !found(*word) {
                        return false;
                    }
                }
                if !is_sought {
                    set(&mut sought[length], number, false);
                }
            }
            true
        });
    }
}

/// Returns the numbers of the first four, three and two bytes of a text. Letters of either case have the same number,
/// and so do some other characters that differ by the same bit.
fn numbers(text: &[u8]) -> [u16; 3] {
    let window = match text {
        [a, b, c, d, ..] => [*a, *b, *c, *d],
        [a, b, c] => [*a, *b, *c, 0],
        [a, b] => [*a, *b, 0, 0],
        [a] => [*a, 0, 0, 0],
        [] => [0; 4],
    };
    numbers_of(u32::from_le_bytes(window) | LOWER)
}

/// Makes letters of four bytes lower case.
const LOWER: u32 = 0x2020_2020;

fn numbers_of(window: u32) -> [u16; 3] {
    let mixed = |window: u32| (window.wrapping_mul(0x9e37_79b1) >> 16) as u16;
    [mixed(window), mixed(window & 0x00ff_ffff), window as u16]
}

fn has(bits: &[u64; BITS / 64], number: u16) -> bool {
    bits[usize::from(number >> 6)] >> (number & 63) & 1 == 1
}

fn set(bits: &mut [u64; BITS / 64], number: u16, is: bool) {
    let bit = 1 << (number & 63);
    let of = &mut bits[usize::from(number >> 6)];
    *of = if is { *of | bit } else { *of & !bit };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_wherever_they_stand_whatever_their_case() {
        let words = ["exec", "exe", "ec", "$", "`", "Ünder", "[x", "password", "over"];
        let texts = [
            "",
            "e",
            "$",
            "ec",
            "EXEC",
            "exe",
            "xexecx",
            "a `b`",
            "ÜNDER",
            "Ünder",
            "ünder",
            "{x",
            "[X",
            "pass word",
            "PassWord",
            "xxov",
            "xxover",
            "x\0",
            "@",
            "é$",
            "passwor",
        ];
        // Enough others of which none is in a text.
        let others: Vec<String> = (0..2 * FEW).map(|number| format!("~{number}~")).collect();
        let rules: Vec<Vec<&str>> =
            words.iter().map(|word| vec![*word]).chain(others.iter().map(|word| vec![word.as_str()])).collect();
        let many = Keywords::of(&rules);
        let few = Keywords::of(&rules[..words.len()]);
        assert!(matches!((&many.words, &few.words), (Find::Many(_), Find::Few(_))));
        for text in texts {
            let expected: Vec<bool> =
                words.iter().map(|word| text.to_ascii_lowercase().contains(&word.to_ascii_lowercase())).collect();
            assert_eq!(few.occurring(text), expected, "{text}");
            assert_eq!(many.occurring(text)[..words.len()], expected, "{text}");
            assert!(!many.occurring(text)[words.len()..].contains(&true), "{text}");
            for keywords in [&few, &many] {
                let hits = keywords.hits(text);
                for (at, is_there) in expected.iter().enumerate() {
                    assert_eq!(hits.iter().any(|(owners, _)| owners.contains(&at)), *is_there, "{text}");
                }
                for (owners, range) in &hits {
                    assert!(text[range.clone()].eq_ignore_ascii_case(words[owners[0]]), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_word_counts_for_every_rule_that_has_it() {
        let keywords = Keywords::of(&[vec!["run"], vec!["x", "RUN"], vec!["y"]]);
        assert_eq!(keywords.occurring("a run"), [true, true, false]);
        assert_eq!(keywords.occurring("xy"), [false, true, true]);
    }
}
