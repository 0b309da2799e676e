//! What stands in the text of every node that a rule over syntax matches. In: a rule of ast-grep. Out: words of which one must
//! be there, so that most nodes need not be matched to see that they do not.
//!
//! Only regular expressions over a node, or over one in it, are read; what is inferred is needed, never enough.

use ast_grep_config::SerializableRule;
use regex_syntax::hir::literal::Extractor;

/// More words than this are looked for in more time than matching takes.
const MOST_WORDS: usize = 12;
/// The length of text beyond which a word is likely there, and looking for it takes longer than matching.
const LONGEST_TEXT: usize = 2048;

/// Words of which one stands in every text that a rule matches; none if nothing is known.
#[derive(Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// Reads a rule.
    pub(crate) fn of(rule: &SerializableRule) -> Self {
        Self(inferred(rule.clone()).unwrap_or_default())
    }

    /// Tells whether the rule could match a text.
    pub(crate) fn may_match(&self, text: &str) -> bool {
        self.0.is_empty() || text.len() > LONGEST_TEXT || self.0.iter().any(|word| text.contains(word.as_str()))
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
        assert!(Words::default().may_match(""));
    }

    #[test]
    fn a_text_without_the_words_cannot_match() {
        let words = Words(vec!["it".to_owned(), "test".to_owned()]);
        assert!(words.may_match("test(\"a\")") && !words.may_match("f(x)"));
        assert!(words.may_match(&"x".repeat(LONGEST_TEXT + 1)));
    }
}
