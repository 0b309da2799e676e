//! What stands in the text of every node that a rule over syntax matches. In: a rule of ast-grep. Out: words of which one must
//! be there, so that most nodes need not be matched to see that they do not.
//!
//! Only regular expressions over a node, or over one in it, are read; what is inferred is needed, never enough.

use std::collections::HashMap;
use std::ops::Range;

use ast_grep_config::SerializableRule;
use foldhash::fast::FixedState;
use regex_syntax::hir::literal::Extractor;

use crate::keywords::{self, Next};

/// More words than this are looked for in more time than matching takes.
const MOST_WORDS: usize = 12;

/// Words of which one stands in every text that a rule matches; none if nothing is known.
#[derive(Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// Reads a rule.
    pub(crate) fn of(rule: &SerializableRule) -> Self {
        Self(inferred(rule.clone()).unwrap_or_default())
    }
}

/// The words of several rules, each once.
#[derive(Default)]
pub(crate) struct Sought<'r> {
    indices: HashMap<&'r str, usize, FixedState>,
    words: Vec<&'r str>,
}

impl<'r> Sought<'r> {
    /// Adds the words of a rule; returns their indices.
    pub(crate) fn add(&mut self, words: &'r Words) -> Vec<usize> {
        let mut index = |word: &'r str| {
            *self.indices.entry(word).or_insert_with(|| {
                self.words.push(word);
                self.words.len() - 1
            })
        };
        words.0.iter().map(|word| index(word)).collect()
    }
}

/// Where words stand in a text: to ask that of every node by itself would be to read most of the text once for every node around it.
pub(crate) struct Spots<'r> {
    words: Vec<&'r str>,
    /// Where each begins, in order.
    spots: Vec<Vec<usize>>,
}

impl<'r> Spots<'r> {
    /// Looks for words in a text.
    pub(crate) fn of(sought: Sought<'r>, text: &str) -> Self {
        let words = sought.words;
        let mut spots = vec![Vec::new(); words.len()];
        let (all, owners) = keywords::Words::owned(words.iter().map(|word| [*word]));
        all.search(text, vec![true; owners.len()], |word, at| {
            let spelled =
                owners[word].iter().filter(|index| text.as_bytes()[at..].starts_with(words[**index].as_bytes()));
            spelled.for_each(|index| spots[*index].push(at));
            Next::Everything
        });
        Self { words, spots }
    }

    /// Tells whether a rule with these words, given by their indices, could match a part of the text.
    pub(crate) fn may_match(&self, words: &[usize], part: &Range<usize>) -> bool {
        let stands_in = |word: &usize| {
            let spots = &self.spots[*word];
            let next = spots.get(spots.partition_point(|at| *at < part.start));
            next.is_some_and(|at| at + self.words[*word].len() <= part.end)
        };
        words.is_empty() || words.iter().any(stands_in)
    }
}

/// Infers words from all that a rule says; each part must hold, so that the most telling one does.
fn inferred(rule: SerializableRule) -> Option<Vec<String>> {
    let SerializableRule { regex, has, all, any, .. } = rule;
    let mut parts: Vec<Vec<String>> = Vec::new();
    parts.extend(Option::from(regex).and_then(|regex: String| beginnings(&regex)));
    if has.is_present() {
        parts.extend(inferred(has.unwrap().rule));
    }
    let all: Option<Vec<SerializableRule>> = all.into();
    parts.extend(all.into_iter().flatten().filter_map(inferred));
    let any: Option<Vec<SerializableRule>> = any.into();
    let each: Option<Vec<Vec<String>>> = any.and_then(|any| any.into_iter().map(inferred).collect());
    parts.extend(each.map(|each| each.concat()).filter(|words| words.len() <= MOST_WORDS));
    parts.into_iter().max_by_key(|words| words.iter().map(String::len).min())
}

/// Returns how the texts begin that a regular expression finds.
fn beginnings(regex: &str) -> Option<Vec<String>> {
    let parsed = regex_syntax::parse(regex).ok()?;
    let found = Extractor::new().extract(&parsed);
    let literals = found.literals().filter(|literals| (1..=MOST_WORDS).contains(&literals.len()))?;
    let words = literals.iter().map(|literal| str::from_utf8(literal.as_bytes()).ok().map(str::to_owned));
    words.collect::<Option<Vec<String>>>().filter(|words| words.iter().all(|word| !word.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(yaml: &str) -> Vec<String> {
        Words::of(&serde_saphyr::from_str(yaml).unwrap()).0
    }

    #[test]
    fn the_most_telling_part_counts() {
        assert_eq!(words("regex: '^async\\b'"), ["async"]);
        assert_eq!(words("has: { regex: '^(?:it|test)$' }"), ["it", "test"]);
        assert_eq!(words("{ kind: call, all: [{ regex: '^f' }, { has: { regex: '^expect$' } }] }"), ["expect"]);
        assert_eq!(words("any: [{ regex: '^a1' }, { has: { regex: b2$ } }]"), ["a1", "b2"]);
    }

    #[test]
    fn nothing_is_inferred_from_what_need_not_be_in_the_node() {
        for yaml in [
            "kind: call",
            "regex: '^.*$'",
            "regex: '\\w+x'",
            "regex: 'a?'",
            "regex: '(?i)abcdefghij'",
            "not: { regex: ^a }",
            "inside: { regex: ^a }",
            "follows: { regex: ^a }",
            "precedes: { regex: ^a }",
            "any: [{ regex: ^a }, { kind: call }]",
        ] {
            assert_eq!(words(yaml), [""; 0], "{yaml}");
        }
    }

    #[test]
    fn a_part_without_the_words_cannot_match() {
        let [none, words, other] =
            [&[][..], &["it", "test"], &["It"]].map(|all| Words(all.iter().map(|one| String::from(*one)).collect()));
        let mut sought = Sought::default();
        let [none, words, other] = [&none, &words, &other].map(|one| sought.add(one));
        let text = "f(x); test(1); It";
        let spots = Spots::of(sought, text);
        assert!(spots.may_match(&none, &(0..0)));
        assert!(
            !spots.may_match(&words, &(0..5)) && spots.may_match(&words, &(6..10)) && spots.may_match(&words, &(0..11))
        );
        assert!(!spots.may_match(&words, &(6..9)) && !spots.may_match(&words, &(7..17)));
        assert!(spots.may_match(&other, &(15..17)) && !spots.may_match(&other, &(0..15)));
    }
}
