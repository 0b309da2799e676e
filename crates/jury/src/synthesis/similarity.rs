//! Whether two titles state the same defect: by their words, with numbers and identifiers telling defects apart.
//! The rule and how its thresholds were chosen stand in `docs/decisions/010-near-duplicates.md`.

use std::borrow::Cow;

use crate::model::{RepoPath, Title, quick};

/// The meaning of a common word for similarity.
#[derive(Clone, Copy)]
enum Meaning {
    /// It says nothing about a defect.
    Empty,
    /// It negates the statement. These words count once, in any number and form.
    Denial,
    /// Reviewers use it for this other word.
    Means(&'static str),
    /// It is a denial of this other word: `untested` is `not tested`.
    Denied(&'static str),
}

use Meaning::{Denial, Denied, Empty, Means};

/// The common words, sorted.
#[rustfmt::skip]
const WORDS: &[(&str, Meaning)] = &[
    ("a", Empty),
    ("absent", Denial),
    ("all", Empty),
    ("an", Empty),
    ("and", Empty),
    ("any", Empty),
    ("are", Empty),
    ("aren't", Denial),
    ("as", Empty),
    ("at", Empty),
    ("authorisation", Means("authorization")),
    ("be", Empty),
    ("been", Empty),
    ("being", Empty),
    ("bounds", Means("bound")),
    ("but", Empty),
    ("by", Empty),
    ("can", Empty),
    ("can't", Denial),
    ("cannot", Denial),
    ("catch", Means("handle")),
    ("concatenated", Means("concat")),
    ("concatenates", Means("concat")),
    ("concatenation", Means("concat")),
    ("could", Empty),
    ("coverage", Means("test")),
    ("covered", Means("test")),
    ("didn't", Denial),
    ("do", Empty),
    ("does", Empty),
    ("doesn't", Denial),
    ("don't", Denial),
    ("during", Empty),
    ("each", Empty),
    ("entirely", Empty),
    ("every", Empty),
    ("fail", Denial),
    ("fails", Denial),
    ("for", Empty),
    ("from", Empty),
    ("guard", Means("check")),
    ("guarded", Means("check")),
    ("handler", Means("handle")),
    ("handling", Means("handle")),
    ("has", Empty),
    ("hasn't", Denial),
    ("have", Empty),
    ("if", Empty),
    ("in", Empty),
    ("into", Empty),
    ("is", Empty),
    ("isn't", Denial),
    ("it", Empty),
    ("its", Empty),
    ("lack", Denial),
    ("lacking", Denial),
    ("lacks", Denial),
    ("may", Empty),
    ("might", Empty),
    ("missing", Denial),
    ("never", Denial),
    ("no", Denial),
    ("non", Denial),
    ("none", Denial),
    ("not", Denial),
    ("of", Empty),
    ("on", Empty),
    ("or", Empty),
    ("should", Empty),
    ("so", Empty),
    ("still", Empty),
    ("that", Empty),
    ("the", Empty),
    ("their", Empty),
    ("then", Empty),
    ("there", Empty),
    ("this", Empty),
    ("through", Empty),
    ("to", Empty),
    ("unable", Denial),
    ("unchecked", Denied("check")),
    ("unguarded", Denied("check")),
    ("unhandled", Denied("handle")),
    ("untested", Denied("test")),
    ("unvalidated", Denied("validate")),
    ("validation", Means("validate")),
    ("via", Empty),
    ("was", Empty),
    ("wasn't", Denial),
    ("were", Empty),
    ("when", Empty),
    ("where", Empty),
    ("which", Empty),
    ("while", Empty),
    ("will", Empty),
    ("with", Empty),
    ("without", Denial),
    ("won't", Denial),
    ("would", Empty),
    ("zero", Denial),
];

/// The least share of the longer title's words that the shorter one must have.
const LEAST_SHARE: (usize, usize) = (1, 2);
/// The fewest words in common: one word is a topic, not a defect.
const FEWEST_IN_COMMON: usize = 3;

/// As many words as most titles have.
const USUAL_WORDS: usize = 12;

/// A title reduced to the parts that distinguish defects. Words and identifiers are kept as hashes, ascending.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sketch {
    words: Vec<u64>,
    numbers: u64,
    denies: bool,
    /// Whether a word occurs twice, as in a contrast, so that its words alone do not give its meaning.
    repeats: bool,
    /// One bit per word: sketches without a common bit have no common word.
    mask: u64,
}

impl Sketch {
    /// Reduces a title. The name of the file it is about tells nothing apart, so it does not count.
    pub(super) fn new(title: &Title, file: &RepoPath) -> Self {
        let mut sketch = Self { words: Vec::with_capacity(USUAL_WORDS), ..Self::default() };
        let mut numbers: Vec<u64> = Vec::new();
        let file_name = file.as_str().as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let own: Vec<&[u8]> = file_name.split(|byte| *byte == b'.').collect();
        for_each_token(title.as_str(), |text, is_name| {
            if own.iter().any(|part| part.eq_ignore_ascii_case(text.as_bytes())) {
                return;
            }
            let word = &*lower_case(text);
            if word.bytes().any(|b| b.is_ascii_digit()) {
                numbers.push(quick(2, word.as_bytes()));
                return;
            }
            let stem = match meaning_of(word) {
                _ if is_name => word,
                Some(Empty) => return,
                Some(Denial) => {
                    sketch.denies = true;
                    return;
                }
                Some(Means(other)) => other,
                Some(Denied(other)) => {
                    sketch.denies = true;
                    other
                }
                None => stem_of(word),
            };
            sketch.words.push(quick(3, stem.as_bytes()));
        });
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
    /// a number or denies something that the other does not. A word on each side that the other lacks is a substitution, which is
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

/// Counts the common items of two ascending lists, and those of only the one and only the other.
fn compare(a: &[u64], b: &[u64]) -> (usize, usize, usize) {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    (common, a.len() - common, b.len() - common)
}

fn meaning_of(word: &str) -> Option<Meaning> {
    WORDS.binary_search_by_key(&word, |(common, _)| common).ok().map(|index| WORDS[index].1)
}

fn lower_case(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else if text.is_ascii() {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Owned(text.chars().flat_map(char::to_lowercase).collect())
    }
}

/// Tells whether a text is nothing but lower-case ASCII letters, as most words are.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Takes the commonest endings off, so that `validates` and `validated` are one word.
fn stem_of(word: &str) -> &str {
    let endings: &[&str] = match word.as_bytes().last() {
        Some(b's') => &["ations", "ings", "ies", "es", "s"],
        Some(b'n') => &["ation"],
        Some(b'g') => &["ing"],
        Some(b'd') => &["ied", "ed"],
        Some(b'e') => &["e"],
        Some(b'y') => &["y"],
        _ => &[],
    };
    let stems = endings.iter().filter_map(|ending| word.strip_suffix(ending));
    stems.into_iter().find(|stem| stem.len() >= 3).unwrap_or(word)
}

/// Takes a title apart, and each word with whether it names something in code: text in backticks or written like code
/// is a name, the rest are words.
fn for_each_token(title: &str, mut take: impl FnMut(&str, bool)) {
    for (span, is_quoted) in title.split('`').zip([false, true].into_iter().cycle()) {
        for_each_chunk(span, |chunk| {
            if is_plain(chunk) {
                return take(chunk, is_quoted && chunk.len() > 1);
            }
            let chunk = chunk.trim_matches(|c: char| !is_word_char(c));
            let is_name = is_quoted || is_written_like_code(chunk);
            let parts = chunk.split(|c: char| !(is_word_char(c) || (c == '\'' && !is_name)));
            for text in parts.filter(|text| !text.is_empty()) {
                take(text, is_name && text.chars().count() > 1);
            }
        });
    }
}

/// Goes over the words between white space, as `split_whitespace` does. In ASCII, as most titles are, bytes do.
fn for_each_chunk(span: &str, mut take: impl FnMut(&str)) {
    if !span.is_ascii() {
        return span.split_whitespace().for_each(take);
    }
    let mut start = 0;
    // A blank behind the last chunk ends it.
    for (at, byte) in span.bytes().chain([b' ']).enumerate() {
        if matches!(byte, b'\t'..=b'\r' | b' ') {
            if at > start {
                take(&span[start..at]);
            }
            start = at + 1;
        }
    }
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
    fn the_table_is_sorted() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word));
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
