//! Literal words that every match of a regular expression contains. In: the expression. Out: words of which one must
//! occur, and where, so that most texts are ruled out without matching.

use regex_syntax::hir::literal::{ExtractKind, Extractor, Literal};
use regex_syntax::hir::{Hir, HirKind, Look, LookSet};

/// The largest numbers of words to search: with more, matching is faster. Comparing the ends of a text is cheaper, so
/// that limit is higher.
const MOST_ANYWHERE: usize = 12;
const MOST_AT_AN_END: usize = 250;
/// The number of tokens of a pattern that are searched.
const MOST_TOKENS: usize = 3;
/// The text length above which a word probably occurs, so that searching it takes longer than matching.
const LONGEST_TEXT: usize = 2048;

/// Operators that are one token in every language that has them.
pub(crate) const OPERATORS: &[&str] =
    &["=", "==", "===", "!=", "!==", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", "^", "&", "|"];

/// Words of which one occurs in every match of an expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// The match equals one of them, in order, and nothing else matches.
    Are(Vec<String>),
    /// The match starts, or ends, with one.
    Begin(Vec<String>),
    End(Vec<String>),
    /// The match contains one anywhere.
    Have(Vec<String>),
}

impl Words {
    /// Reads a regular expression; `None` if nothing is known about its matches.
    pub(crate) fn of(regex: &str) -> Option<Self> {
        let parsed = regex_syntax::parse(regex).ok()?;
        let known = parsed.properties();
        let begins = known.look_set_prefix().contains(Look::Start);
        let ends = known.look_set_suffix().contains(Look::End);
        let is_anchored_only = known.look_set() == LookSet::singleton(Look::Start).union(LookSet::singleton(Look::End));
        let first = literals(&parsed, ExtractKind::Prefix);
        if let Some((words, true)) = &first
            && begins
            && ends
            && is_anchored_only
        {
            let mut words = words.clone();
            words.sort_unstable();
            return Some(Self::Are(words));
        }
        let first = first.map(|(words, _)| if begins { Self::Begin(words) } else { Self::Have(words) });
        let last = literals(&parsed, ExtractKind::Suffix);
        let last = last.map(|(words, _)| if ends { Self::End(words) } else { Self::Have(words) });
        let inner = inner(&parsed).map(Self::Have);
        let is_seen_fast = |words: &Self| !matches!(words, Self::Have(words) if words.len() > MOST_ANYWHERE);
        [inner, last, first].into_iter().flatten().filter(is_seen_fast).max_by_key(Self::shortest)
    }

    /// Reads an ast-grep pattern: each of its tokens occurs in a match.
    pub(crate) fn of_pattern(pattern: &str) -> Vec<Self> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_sign = |c: char| !is_part(c) && !c.is_whitespace() && c != '$';
        let mut tokens: Vec<&str> = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            // A metavariable stands for anything, and adjacent punctuation cannot be split into tokens reliably.
            let behind = match first {
                '$' => rest.trim_start_matches('$').trim_start_matches(is_part),
                _ if is_part(first) => rest.trim_start_matches(is_part),
                _ if is_sign(first) => rest.trim_start_matches(is_sign),
                _ => rest.trim_start(),
            };
            let token = &rest[..rest.len() - behind.len()];
            if is_part(first) || OPERATORS.contains(&token) {
                tokens.push(token);
            }
            rest = behind;
        }
        tokens.sort_by_key(|token| (!token.starts_with(is_part), std::cmp::Reverse(token.len())));
        tokens.dedup();
        tokens.truncate(MOST_TOKENS);
        tokens.into_iter().map(|token| Self::Have(vec![token.to_owned()])).collect()
    }

    fn shortest(&self) -> Option<usize> {
        let (Self::Are(words) | Self::Begin(words) | Self::End(words) | Self::Have(words)) = self;
        words.iter().map(String::len).min()
    }

    /// Tells whether containing one of them is sufficient for a match.
    pub(crate) fn are_all(&self) -> bool {
        matches!(self, Self::Are(_))
    }

    /// Tells whether the expression could match a text.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        match self {
            Self::Are(words) => words.binary_search_by(|word| word.as_str().cmp(text)).is_ok(),
            Self::Begin(words) => words.iter().any(|word| text.starts_with(word.as_str())),
            Self::End(words) => words.iter().any(|word| text.ends_with(word.as_str())),
            Self::Have(words) => text.len() > LONGEST_TEXT || words.iter().any(|word| text.contains(word.as_str())),
        }
    }
}

/// Returns words of which one occurs in each match of an expression.
fn inner(parsed: &Hir) -> Option<Vec<String>> {
    match parsed.kind() {
        HirKind::Literal(literal) => str::from_utf8(&literal.0).ok().map(|text| vec![text.to_owned()]),
        HirKind::Capture(of) => inner(&of.sub),
        HirKind::Repetition(of) if of.min > 0 => inner(&of.sub),
        HirKind::Concat(parts) => {
            let few = |words: &Vec<String>| words.len() <= MOST_ANYWHERE;
            parts.iter().filter_map(inner).filter(few).max_by_key(|words| words.iter().map(String::len).min())
        }
        HirKind::Alternation(parts) => parts.iter().map(inner).collect::<Option<Vec<_>>>().map(|words| words.concat()),
        _ => None,
    }
}

/// Returns the prefixes, or suffixes, of the matches of an expression, and whether they are the whole match.
fn literals(parsed: &Hir, kind: ExtractKind) -> Option<(Vec<String>, bool)> {
    let found = Extractor::new().kind(kind).extract(parsed);
    let literals = found.literals().filter(|literals| (1..=MOST_AT_AN_END).contains(&literals.len()))?;
    let words = literals.iter().map(|literal| str::from_utf8(literal.as_bytes()).ok().map(str::to_owned));
    let words = words.collect::<Option<Vec<String>>>().filter(|words| words.iter().all(|word| !word.is_empty()))?;
    Some((words, literals.iter().all(Literal::is_exact)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_are_known_with_their_places() {
        assert_eq!(Words::of("^(?:test|it)$"), Some(Words::Are(words(&["it", "test"]))));
        assert_eq!(Words::of(r"^async\b"), Some(Words::Begin(words(&["async"]))));
        assert_eq!(Words::of(r"\w+Error$"), Some(Words::End(words(&["Error"]))));
        assert_eq!(
            Words::of(r"\.lines\(\)\s*\.\w+\)$"),
            Some(Words::Have(words(&[".lines()"]))),
            "longer ones tell more"
        );
        assert_eq!(Words::of(r"\b(?:eval|exec)\("), Some(Words::Have(words(&["eval(", "exec("]))));
        assert_eq!(
            Words::of(r"^(?:a|b)\b$"),
            Some(Words::Begin(words(&["a", "b"]))),
            "what a border asks is not known"
        );
        assert_eq!(Words::of("^a|b$"), Some(Words::Have(words(&["a", "b"]))), "neither is at its end always");
        assert_eq!(Words::of("(?m)^a"), Some(Words::Have(words(&["a"]))), "a line is no text");
    }

    #[test]
    fn a_pattern_has_its_tokens() {
        let have = |pattern: &str| {
            let of = |words: Words| match words {
                Words::Have(words) => words.concat(),
                other => panic!("{pattern}: {other:?}"),
            };
            Words::of_pattern(pattern).into_iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(have("std::ptr::read($P)"), ["read", "std", "ptr"]);
        assert_eq!(have("$A.length < 0"), ["length", "0", "<"]);
        assert_eq!(have("$A === $A"), ["==="]);
        assert_eq!(have("$A = $$$REST"), ["="]);
        for pattern in ["$A", "$$$", "$A[$KEY](-$B)", ""] {
            assert_eq!(have(pattern), [""; 0], "{pattern}");
        }
    }

    #[test]
    fn nothing_is_inferred_from_what_need_not_be_there() {
        for regex in ["^.*$", r"\w+x?", "a?", "(?i)abcdefghij", "", "("] {
            assert_eq!(Words::of(regex), None, "{regex}");
        }
    }

    #[test]
    fn a_text_without_the_words_cannot_match() {
        let texts = ["test", "it", "tests", "a test", "await it", "", "exec(a)", "MyError", "Error of mine"];
        for regex in ["^(?:test|it)$", r"^test\b", "Error$", r"\b(?:eval|exec)\(", "^it", "t$"] {
            let matched = regex::Regex::new(regex).unwrap();
            let words = Words::of(regex).unwrap();
            for text in texts {
                assert!(words.may_match(text) || !matched.is_match(text), "{regex} and {text}");
                assert!(!words.are_all() || words.may_match(text) == matched.is_match(text), "{regex} and {text}");
            }
            assert!(texts.iter().any(|text| !words.may_match(text)), "{regex}");
        }
        let words = Words::of("needle").unwrap();
        assert!(words.may_match(&"x".repeat(LONGEST_TEXT + 1)) && !words.may_match("x"));
    }
}
