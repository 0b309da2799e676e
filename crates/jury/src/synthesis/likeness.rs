//! Whether two titles state the same defect: by their words, with numbers and identifiers telling defects apart.
//! The rule and how its thresholds were chosen stand in `docs/decisions/010-near-duplicates.md`.

use crate::model::{RepoPath, Title, quick};

/// Words that say nothing about a defect.
const EMPTY_WORDS: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "do",
    "does", "during", "each", "entirely", "every", "for", "from", "has", "have", "if", "in", "into", "is", "it", "its",
    "may", "might", "of", "on", "or", "should", "so", "still", "that", "the", "their", "then", "there", "this",
    "through", "to", "via", "was", "were", "when", "where", "which", "while", "will", "with", "would",
];

/// Words that turn a statement around. They count once, whatever their number and form.
const DENIALS: &[&str] = &[
    "absent", "aren't", "can't", "cannot", "didn't", "doesn't", "don't", "fail", "fails", "hasn't", "isn't", "lack",
    "lacking", "lacks", "missing", "never", "no", "non", "none", "not", "unable", "wasn't", "without", "won't", "zero",
];

/// Words that reviewers use for one another.
const SYNONYMS: &[(&str, &str)] = &[
    ("authorisation", "authorization"),
    ("bounds", "bound"),
    ("catch", "handle"),
    ("concatenated", "concat"),
    ("concatenates", "concat"),
    ("concatenation", "concat"),
    ("coverage", "test"),
    ("covered", "test"),
    ("guard", "check"),
    ("guarded", "check"),
    ("handler", "handle"),
    ("handling", "handle"),
    ("unchecked", "check"),
    ("unguarded", "check"),
    ("unhandled", "handle"),
    ("untested", "test"),
    ("unvalidated", "validate"),
    ("validation", "validate"),
];

/// Words of the table above that are a denial in themselves: `untested` is `not tested`.
const DENYING: &[&str] = &["unchecked", "unguarded", "unhandled", "untested", "unvalidated"];

/// The least share of the longer title's words that the shorter one must have.
const LEAST_SHARE: (usize, usize) = (1, 2);
/// The fewest words in common: one word is a topic, not a defect.
const FEWEST_IN_COMMON: usize = 3;

/// A title reduced to what tells defects apart. Words and identifiers are kept as hashes, ascending.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sketch {
    words: Vec<u64>,
    numbers: u64,
    denies: bool,
    /// Whether a word occurs twice, as in a contrast, so that its words alone do not tell what it says of which.
    repeats: bool,
    /// One bit per word: sketches without a common bit have no common word.
    mask: u64,
}

impl Sketch {
    /// Reduces a title. The name of the file it is about tells nothing apart, so it does not count.
    pub(super) fn new(title: &Title, file: &RepoPath) -> Self {
        let mut sketch = Self::default();
        let mut numbers: Vec<u64> = Vec::new();
        let file_name = file.as_str().rsplit('/').next().unwrap_or_default().to_lowercase();
        let own: Vec<&str> = file_name.split('.').collect();
        let mut word = String::new();
        for token in tokens(title.as_str()) {
            word.clear();
            word.extend(token.text.chars().flat_map(char::to_lowercase));
            if own.contains(&word.as_str()) {
                continue;
            }
            if word.bytes().any(|b| b.is_ascii_digit()) {
                numbers.push(quick(2, word.as_bytes()));
                continue;
            }
            if token.is_name {
                sketch.words.push(quick(3, word.as_bytes()));
                continue;
            }
            if DENIALS.binary_search(&word.as_str()).is_ok() {
                sketch.denies = true;
                continue;
            }
            if EMPTY_WORDS.binary_search(&word.as_str()).is_ok() {
                continue;
            }
            sketch.denies |= DENYING.binary_search(&word.as_str()).is_ok();
            let stem = SYNONYMS.binary_search_by(|(from, _)| (*from).cmp(word.as_str()));
            let stem = stem.map_or_else(|_| stem_of(&word), |index| SYNONYMS[index].1);
            sketch.words.push(quick(3, stem.as_bytes()));
        }
        let all = sketch.words.len();
        for list in [&mut sketch.words, &mut numbers] {
            list.sort_unstable();
            list.dedup();
        }
        sketch.repeats = sketch.words.len() < all;
        sketch.numbers = numbers.iter().fold(0, |hash, number| quick(hash, &number.to_le_bytes()));
        sketch.mask = sketch.words.iter().fold(0, |mask, word| mask | 1 << (word >> 58));
        sketch
    }

    /// Tells whether two titles state the same defect: one says all that the other says, perhaps more, and neither names
    /// a number or denies what the other does not. A word on each side that the other lacks is a substitution, which is
    /// how two defects of one kind differ.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        if self.mask & other.mask == 0 || self.numbers != other.numbers || self.denies != other.denies {
            return false;
        }
        if self.repeats || other.repeats {
            return false;
        }
        let (common, ours, theirs) = compare(&self.words, &other.words);
        let (part, whole) = LEAST_SHARE;
        (ours == 0 || theirs == 0) && common >= FEWEST_IN_COMMON && common * whole >= (common + ours + theirs) * part
    }
}

/// Counts what two ascending lists have in common, and what only the one and only the other has.
fn compare(a: &[u64], b: &[u64]) -> (usize, usize, usize) {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    (common, a.len() - common, b.len() - common)
}

/// Takes the commonest endings off, so that `validates` and `validated` are one word.
fn stem_of(word: &str) -> &str {
    for ending in ["ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().count() >= 3
        {
            return stem;
        }
    }
    word
}

/// A word of a title.
struct Token<'a> {
    text: &'a str,
    /// Whether it names something in code.
    is_name: bool,
}

/// Takes a title apart: what is in backticks or written like code is a name, the rest are words.
fn tokens(title: &str) -> impl Iterator<Item = Token<'_>> {
    let spans = title.split('`').zip([false, true].into_iter().cycle());
    spans.flat_map(|(span, is_quoted)| {
        span.split_whitespace().flat_map(move |chunk| {
            let chunk = chunk.trim_matches(|c: char| !is_word_char(c));
            let is_name = is_quoted || is_written_like_code(chunk);
            chunk
                .split(move |c: char| !(is_word_char(c) || (c == '\'' && !is_name)))
                .filter(|text| !text.is_empty())
                .map(move |text| Token { text, is_name: is_name && text.chars().count() > 1 })
        })
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Tells whether a chunk is written like code: `snake_case`, `camelCase`, `a.b`, `a::b`, `f(x)`, `a[0]`.
fn is_written_like_code(chunk: &str) -> bool {
    let mut before: Option<char> = None;
    for c in chunk.chars() {
        let is_hump = c.is_uppercase() && before.is_some_and(char::is_lowercase);
        if is_hump || matches!(c, '_' | '$' | '.' | '(' | '[' | ':' | '<' | '=' | '@' | '#') {
            return true;
        }
        before = Some(c);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_like(a: &str, b: &str) -> bool {
        let sketch =
            |title: &str| Sketch::new(&Title::new(title).unwrap(), &RepoPath::new("src/userStore.test.ts").unwrap());
        let (a, b) = (sketch(a), sketch(b));
        assert_eq!(a.is_like(&b), b.is_like(&a));
        a.is_like(&b)
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(EMPTY_WORDS.is_sorted() && DENIALS.is_sorted() && DENYING.is_sorted());
        assert!(SYNONYMS.is_sorted_by_key(|(from, _)| from));
    }

    #[test]
    fn the_same_in_other_words_is_alike() {
        for (a, b) in [
            ("SQL built from user input", "SQL query is built from user input"),
            ("Missing null check on `user.email`", "No null check for user.email"),
            ("userStore.test.ts has no conflict-copy strategy tests", "conflict-copy strategy entirely untested"),
        ] {
            assert!(is_like(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn numbers_names_denials_and_single_words_tell_apart() {
        for (a, b) in [
            ("Retry limit of 3 is too low here", "Retry limit of 5 is too low here"),
            ("Missing null check on `user` argument", "Missing null check on `session` argument"),
            ("Input of login form is validated", "Input of login form is not validated"),
            ("Token written to the log", "Token expiry wrong in the log parser"),
            ("Race condition", "Race condition"),
            ("No test for create path of parser", "No test for delete path of parser"),
        ] {
            assert!(!is_like(a, b), "{a} / {b}");
        }
    }
}
