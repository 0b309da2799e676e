//! Which rules could match a text at all. In: the keywords of rules, and a text. Out: for each rule, whether one of its
//! keywords occurs. One pass finds them all; what is not found is neither compiled nor run.

use std::collections::BTreeMap;

/// The keywords of a list of rules.
pub(crate) struct Keywords {
    words: Words,
    /// The rules that each word is a keyword of.
    owners: Vec<Vec<usize>>,
    /// The keywords of one byte, with their rules. They would begin with anything.
    bytes: Vec<(u8, Vec<usize>)>,
    rules: usize,
    /// How many of the rules have a keyword.
    sought: usize,
}

impl Keywords {
    /// Gathers the keywords of rules. One without any never occurs.
    pub(crate) fn of(rules: &[Vec<&str>]) -> Self {
        let longer = rules.iter().map(|keywords| keywords.iter().copied().filter(|word| word.len() > 1));
        let (words, owners) = Words::owned(longer);
        let mut bytes: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
        for (index, keywords) in rules.iter().enumerate() {
            for byte in keywords.iter().filter(|word| word.len() == 1).flat_map(|word| word.bytes()) {
                bytes.entry(byte).or_default().push(index);
            }
        }
        let sought = rules.iter().filter(|keywords| !keywords.is_empty()).count();
        Self { words, owners, bytes: bytes.into_iter().collect(), rules: rules.len(), sought }
    }

    /// Tells for each rule whether one of its keywords occurs; case does not matter.
    pub(crate) fn occurring(&self, text: &str) -> Vec<bool> {
        let mut found = vec![false; self.rules];
        for (byte, owners) in &self.bytes {
            let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
            if cases.iter().any(|byte| text.as_bytes().contains(byte)) {
                owners.iter().for_each(|owner| found[*owner] = true);
            }
        }
        let mut missing = self.sought - found.iter().filter(|found| **found).count();
        self.words.search(text, vec![true; self.owners.len()], |word, _| {
            for owner in &self.owners[word] {
                missing -= usize::from(!found[*owner]);
                found[*owner] = true;
            }
            if missing > 0 { Next::OtherWords } else { Next::Nothing }
        });
        found
    }
}

/// How many bits a beginning is told by.
const BITS: usize = 1 << 16;

/// A set of beginnings.
type Bits = [u64; BITS / 64];

/// Words that are found wherever they stand, by how they begin; case does not matter. An automaton over many words has no table of all
/// that can follow, and one over few takes several steps for each letter, too; here, most letters take one look at a bit.
pub(crate) struct Words {
    /// In lower case.
    words: Vec<String>,
    /// The words by a number that is made of their first three bytes; those of fewer by all that may follow.
    by_number: Vec<(u16, u32)>,
    /// Their numbers.
    beginnings: Box<Bits>,
    /// The numbers of their first four bytes, and the numbers of those that have less: most of what begins like a word does not go on
    /// like it.
    going_on: Box<Bits>,
    ending: Box<Bits>,
}

/// What is looked for behind a word that was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The same again, and all others.
    Everything,
    /// All others that were not found yet.
    OtherWords,
    Nothing,
}

impl Words {
    /// Gathers the words of each owner; returns them, each once, with the places of its owners.
    pub(crate) fn owned<'w, O: IntoIterator<Item = &'w str>>(
        owners: impl Iterator<Item = O>,
    ) -> (Self, Vec<Vec<usize>>) {
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, keywords) in owners.enumerate() {
            for keyword in keywords {
                words.entry(keyword.to_ascii_lowercase()).or_default().push(index);
            }
        }
        let (words, owners): (Vec<String>, Vec<Vec<usize>>) = words.into_iter().unzip();
        (Self::of(words), owners)
    }

    fn of(words: Vec<String>) -> Self {
        let [mut beginnings, mut going_on, mut ending] = [const { [0; BITS / 64] }; 3].map(Box::new);
        let mut by_number = Vec::new();
        let any = || 0..=u8::MAX;
        for (index, word) in (0..).zip(&words) {
            let mut add = |window: &[u8]| by_number.push((Window::of(window).beginning(), index));
            match word.as_bytes() {
                [] => {}
                [a] => any().for_each(|b| any().for_each(|c| add(&[*a, b, c]))),
                [a, b] => any().for_each(|c| add(&[*a, *b, c])),
                longer => add(longer),
            }
            if word.len() > 3 {
                set(&mut going_on, Window::of(word.as_bytes()).whole());
            }
        }
        by_number.sort_unstable();
        by_number.dedup();
        for (number, word) in &by_number {
            set(&mut beginnings, *number);
            if words[*word as usize].len() <= 3 {
                set(&mut ending, *number);
            }
        }
        Self { words, by_number, beginnings, going_on, ending }
    }

    /// Returns how many bytes a word has.
    pub(crate) fn length(&self, word: usize) -> usize {
        self.words[word].len()
    }

    /// Calls `found` with the words that occur in a text and where each begins, in the order of the text. Only those are looked for
    /// that `is_sought` says.
    pub(crate) fn search(&self, text: &str, mut is_sought: Vec<bool>, mut found: impl FnMut(usize, usize) -> Next) {
        if !is_sought.contains(&true) {
            return;
        }
        let mut left = self.beginnings.clone();
        if is_sought.contains(&false) {
            left.fill(0);
            let sought = self.by_number.iter().filter(|(_, word)| is_sought[*word as usize]);
            sought.for_each(|(number, _)| set(&mut left, *number));
        }
        let text = text.as_bytes();
        let mut look = |at: usize, window: Window, left: &mut Bits| {
            let number = window.beginning();
            if !has(&self.going_on, window.whole()) && !has(&self.ending, number) {
                return true;
            }
            let mut is_left = false;
            for word in with_number(&self.by_number, number) {
                if !is_sought[word] {
                    continue;
                }
                let spelled = self.words[word].as_bytes();
                let there = text.get(at..at + spelled.len());
                if there.is_some_and(|there| there.eq_ignore_ascii_case(spelled)) {
                    match found(word, at) {
                        Next::Everything => {}
                        Next::OtherWords => is_sought[word] = false,
                        Next::Nothing => return false,
                    }
                }
                is_left |= is_sought[word];
            }
            if !is_left {
                clear(left, number);
            }
            true
        };
        for (at, window) in text.windows(4).enumerate() {
            let window = Window::of(window);
            if has(&left, window.beginning()) && !look(at, window, &mut left) {
                return;
            }
        }
        for at in text.len().saturating_sub(3)..text.len() {
            if !look(at, Window::of(&text[at..]), &mut left) {
                return;
            }
        }
    }
}

/// Returns the words that begin with a number.
fn with_number(words: &[(u16, u32)], number: u16) -> impl Iterator<Item = usize> {
    let start = words.partition_point(|(known, _)| *known < number);
    words[start..].iter().take_while(move |(known, _)| *known == number).map(|(_, word)| *word as usize)
}

/// Four bytes of a text. Letters of either case are one, and so are some other characters that differ by the same bit.
#[derive(Clone, Copy)]
struct Window(u32);

impl Window {
    /// Takes the first four bytes of a text, which may have less.
    fn of(text: &[u8]) -> Self {
        let window = match text {
            [a, b, c, d, ..] => [*a, *b, *c, *d],
            [a, b, c] => [*a, *b, *c, 0],
            [a, b] => [*a, *b, 0, 0],
            [a] => [*a, 0, 0, 0],
            [] => [0; 4],
        };
        Self(u32::from_le_bytes(window) | 0x2020_2020)
    }

    /// Returns the number of the first three bytes.
    fn beginning(self) -> u16 {
        mixed(self.0 & 0x00ff_ffff)
    }

    /// Returns the number of all four.
    fn whole(self) -> u16 {
        mixed(self.0)
    }
}

fn mixed(window: u32) -> u16 {
    (window.wrapping_mul(0x9e37_79b1) >> 16) as u16
}

fn has(bits: &Bits, number: u16) -> bool {
    bits[usize::from(number >> 6)] >> (number & 63) & 1 == 1
}

fn set(bits: &mut Bits, number: u16) {
    bits[usize::from(number >> 6)] |= 1 << (number & 63);
}

fn clear(bits: &mut Bits, number: u16) {
    bits[usize::from(number >> 6)] &= !(1 << (number & 63));
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
        let rules: Vec<Vec<&str>> = words.iter().map(|word| vec![*word]).collect();
        let keywords = Keywords::of(&rules);
        for text in texts {
            let expected: Vec<bool> =
                words.iter().map(|word| text.to_ascii_lowercase().contains(&word.to_ascii_lowercase())).collect();
            assert_eq!(keywords.occurring(text), expected, "{text}");
        }
    }

    #[test]
    fn every_place_of_a_word_is_found_in_order_and_only_of_those_sought() {
        let (words, owners) = Words::owned([["ab", "abcd"], ["b", "bcd"]].into_iter());
        assert_eq!(owners, [[0], [0], [1], [1]]);
        let found = |sought: [bool; 4], next: Next| {
            let mut found = Vec::new();
            words.search("xabcd Abc ABCD b", sought.to_vec(), |word, at| {
                found.push((at, words.words[word].as_str()));
                next
            });
            found
        };
        let [ab, abcd] = ["ab", "abcd"];
        assert_eq!(
            found([true, true, false, false], Next::Everything),
            [(1, abcd), (1, ab), (6, ab), (10, abcd), (10, ab)]
        );
        assert_eq!(found([false, false, true, true], Next::OtherWords), [(2, "bcd"), (2, "b")]);
        assert_eq!(found([true; 4], Next::Nothing), [(1, abcd)]);
    }

    #[test]
    fn a_word_counts_for_every_rule_that_has_it() {
        let keywords = Keywords::of(&[vec!["run"], vec!["x", "RUN"], vec!["y"]]);
        assert_eq!(keywords.occurring("a run"), [true, true, false]);
        assert_eq!(keywords.occurring("xy"), [false, true, true]);
    }
}
