//! Rules over text of any kind. In: a text, and which rules could match it. Out: matches. A regular expression is compiled
//! when it is first run.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use regex::{Captures, Regex};

use crate::claim::{Match, fill};
use crate::rule::{Mask, Rule, TextMatch};
use crate::sql;

/// The group of a pattern that holds what must not be shown.
const SECRET: &str = "secret";

/// The rules over text of a pack, ready to run. Of overlapping secrets, the rule that stands first in the table has it.
pub(crate) struct Scan(Vec<TextRule>);

struct TextRule {
    rule: &'static Rule,
    of: &'static TextMatch,
    /// The index of the rule in its pack.
    index: usize,
    compiled: OnceLock<Patterns>,
}

struct Patterns {
    find: Regex,
    not: Option<Regex>,
    not_among: Option<Regex>,
}

/// A secret in a text.
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    pub(crate) span: Range<usize>,
}

/// What one match of a pattern is about.
struct Hit<'t> {
    captures: Captures<'t>,
    span: Range<usize>,
    secret: Option<Range<usize>>,
}

impl Scan {
    /// Takes the rules over text among the rules of a pack.
    pub(crate) fn of(rules: impl Iterator<Item = &'static Rule>) -> Self {
        let take = |(index, rule): (usize, &'static Rule)| {
            Some(TextRule { rule, of: rule.text.as_ref()?, index, compiled: OnceLock::new() })
        };
        Self(rules.enumerate().filter_map(take).collect())
    }

    /// Finds the matches of the rules that may match, and the index of each rule in its pack.
    pub(crate) fn matches(&self, text: &str, may_match: &[bool]) -> Vec<(usize, Match<'static>)> {
        let mut taken = Taken::default();
        let mut found = Vec::new();
        for rule in self.0.iter().filter(|rule| may_match[rule.index]) {
            let text = rule.masked(text);
            for hit in rule.hits(&text) {
                if hit.secret.as_ref().is_some_and(|secret| !taken.take(secret)) {
                    continue;
                }
                let value = |name: &str| hit.captures.name(name).map(|group| Cow::Borrowed(group.as_str()));
                let title = fill(&rule.rule.title, value);
                let secret_at = hit.secret.map(|secret| secret.start);
                let (severity, confidence) = (None, None);
                let matched = Match { rule: rule.rule, span: hit.span, title, secret_at, severity, confidence };
                found.push((rule.index, matched));
            }
        }
        found
    }

    /// Finds the secrets of a text, in order and apart from each other.
    pub(crate) fn secrets(&self, text: &str, may_match: &[bool]) -> Vec<Secret> {
        let mut taken = Taken::default();
        let mut secrets: Vec<Secret> = Vec::new();
        for rule in self.0.iter().filter(|rule| may_match[rule.index]) {
            let Some(kind) = rule.of.secret.as_deref() else { continue };
            let spans = rule.hits(text).filter_map(|hit| hit.secret).filter(|span| taken.take(span));
            secrets.extend(spans.map(|span| Secret { kind, span }));
        }
        secrets.sort_by_key(|secret| secret.span.start);
        secrets
    }
}

impl TextRule {
    fn patterns(&self) -> &Patterns {
        let compile = |pattern: &String| Regex::new(pattern).expect("a test compiles the patterns of every rule");
        self.compiled.get_or_init(|| Patterns {
            find: compile(&self.of.pattern),
            not: self.of.not.as_ref().map(compile),
            not_among: self.of.not_among.as_ref().map(|names| compile(&names.pattern)),
        })
    }

    fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.of.mask {
            Some(Mask::Sql) => Cow::Owned(sql::masked(text)),
            Some(Mask::Postgres) => Cow::Owned(sql::masked_for_postgres(text)),
            None => Cow::Borrowed(text),
        }
    }

    /// Returns the matches that count.
    fn hits<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Hit<'t>> {
        let patterns = self.patterns();
        let excluded = self.excluded(text);
        patterns.find.captures_iter(text).filter_map(move |captures| {
            let span = captures.get(0)?.range();
            let secret = captures.name(SECRET).map(|group| group.range());
            let said = &text[secret.clone().unwrap_or_else(|| span.clone())];
            if patterns.not.as_ref().is_some_and(|not| not.is_match(said)) {
                return None;
            }
            if self.of.secret.is_some() && is_placeholder(said) {
                return None;
            }
            if self.of.entropy.is_some_and(|least| entropy(said) < least) {
                return None;
            }
            if let Some(names) = &self.of.not_among {
                let name = captures.name(&names.var).map(|group| bare_name(group.as_str()));
                if name.is_some_and(|name| excluded.contains(&name)) {
                    return None;
                }
            }
            Some(Hit { captures, span, secret })
        })
    }

    /// Gathers the names that make a match not count.
    fn excluded(&self, text: &str) -> BTreeSet<String> {
        let (Some(names), Some(pattern)) = (&self.of.not_among, &self.patterns().not_among) else {
            return BTreeSet::new();
        };
        let found = pattern.captures_iter(text).filter_map(|captures| captures.name(&names.var));
        found.map(|group| bare_name(group.as_str())).collect()
    }
}

/// Takes the quotes off a name, whose case does not matter.
fn bare_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '"' | '`' | '[' | ']')).collect::<String>().to_lowercase()
}

/// Ranges that lie apart from each other: ends by starts.
#[derive(Default)]
struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Takes a range, unless it overlaps one that is taken.
    fn take(&mut self, span: &Range<usize>) -> bool {
        let before = self.0.range(..span.end).next_back();
        let is_free = before.is_none_or(|(_, end)| *end <= span.start);
        if is_free {
            self.0.insert(span.start, span.end);
        }
        is_free
    }
}

/// Words that only a stand-in for a secret has; documented example keys carry the first.
const STAND_INS: &[&str] = &[
    "example",
    "sample",
    "dummy",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "your-",
    "your_",
    "yourkey",
    "xxxx",
    "****",
    "....",
    "0000000",
    "1234567",
    "abcdefgh",
    "fake",
    "notreal",
    "not-a-real",
    "deadbeef",
    "insert-",
    "<",
    "${",
    "{{",
];

/// Tells whether a text stands where a secret would and is none.
fn is_placeholder(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    STAND_INS.iter().any(|word| lower.contains(word))
}

/// Returns the bits per character of a text, by the frequencies of its bytes.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / all)
        .map(|share| -share * share.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_counts_bits_per_character() {
        assert_eq!(entropy("aaaa"), 0.0);
        assert_eq!(entropy("abab"), 1.0);
        assert_eq!(entropy("abcdefgh"), 3.0);
    }

    #[test]
    fn stand_ins_are_no_secrets() {
        assert!(is_placeholder("AKIAIOSFODNN7EXAMPLE"));
        assert!(is_placeholder("your_api_key_goes_here"));
        assert!(!is_placeholder("q7Zr2LmX9cVb4NwK8sTd"));
    }
}
