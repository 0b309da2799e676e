//! The rules of a pack, each parsed on first use. In: the embedded rule files, or parsed rules. Out: rules by index,
//! and for each, without parsing it, whether a file needs it.

use std::ops::Index;
use std::sync::OnceLock;

use crate::language::Language;
use crate::packed::Packed;
use crate::rule::{ExampleText, Rule};

/// The rule files of a domain, embedded by `build.rs`.
pub(crate) struct Pack {
    pub(crate) domain: &'static str,
    /// The digest of all rules.
    pub(crate) digest: [u8; 32],
    /// Every rule as JSON, one behind the other: one text for each set of languages.
    pub(crate) rules: &'static [Packed],
    /// The examples of every rule, as YAML.
    pub(crate) examples: Packed,
    pub(crate) sources: &'static [Source],
}

/// A rule file that is embedded.
pub(crate) struct Source {
    pub(crate) id: &'static str,
    /// Its keywords, and those of its patterns, with the unit separator between them: a keyword may hold a line break.
    pub(crate) keywords: &'static str,
    /// The languages whose syntax it matches, and those whose flows, as bits of `LANGUAGE_BITS`.
    pub(crate) syntax: u32,
    pub(crate) flow: u32,
    /// Whether what it says about names counts for other rules, too.
    pub(crate) adds_names: bool,
    pub(crate) finds_secrets: bool,
    /// The text that holds the rule, and where the rule and its examples stand in those of the pack.
    pub(crate) text: usize,
    pub(crate) range: (usize, usize),
    pub(crate) examples: (usize, usize),
}

/// The files that a rule could apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// Languages as bits, by their index.
    syntax: u32,
    flow: u32,
    adds_names: bool,
}

/// The rules of a pack.
pub(crate) struct Rules {
    pack: Option<&'static Pack>,
    forms: Vec<Form>,
    rules: Vec<OnceLock<Rule>>,
}

impl Pack {
    /// Reads a rule.
    fn rule(&'static self, source: &'static Source) -> Rule {
        let json = &self.rules[source.text].text()[source.range.0..source.range.1];
        let (start, end) = source.examples;
        let rule = Rule::embedded(json, ExampleText::Embedded(&self.examples, start..end));
        rule.unwrap_or_else(|error| panic!("a test reads every rule file, {} too: {error}", source.id))
    }
}

impl Source {
    pub(crate) fn keywords(&self) -> impl Iterator<Item = &'static str> {
        self.keywords.split('\u{1f}').filter(|keyword| !keyword.is_empty())
    }
}

impl Form {
    fn of_rule(rule: &Rule) -> Self {
        let syntax = rule.matches.iter().flat_map(|tree| &tree.languages);
        let flow = rule.languages.iter().filter(|_| rule.flow.is_some());
        let adds_names = rule.flow.as_ref().is_some_and(|flow| flow.adds_names());
        Self { syntax: syntax.fold(0, with), flow: flow.fold(0, with), adds_names }
    }

    /// Tells whether it has neither syntax nor flow patterns, and so applies to files of any kind.
    fn is_for_any(self) -> bool {
        self.syntax | self.flow == 0
    }
}

fn with(bits: u32, language: &Language) -> u32 {
    bits | 1 << language.index()
}

impl Rules {
    /// Takes the rule files of a pack. `languages` are those that its bits stand for.
    pub(crate) fn embedded(pack: Option<&'static Pack>, languages: &[&str]) -> Self {
        let names = Language::names();
        let bit = |name: &&str| names.iter().position(|known| known == name).map_or(0, |at| 1 << at);
        let known: Vec<u32> = languages.iter().map(bit).collect();
        let bits = |set: u32| (0..known.len()).filter(|at| set >> at & 1 == 1).fold(0, |all, at| all | known[at]);
        let form = |source: &Source| Form {
            syntax: bits(source.syntax),
            flow: bits(source.flow),
            adds_names: source.adds_names,
        };
        let sources = pack.map_or(&[][..], |pack| pack.sources);
        let rules = sources.iter().map(|_| OnceLock::new()).collect();
        Self { pack, forms: sources.iter().map(form).collect(), rules }
    }

    /// Takes parsed rules.
    pub(crate) fn of(rules: Vec<Rule>) -> Self {
        let forms = rules.iter().map(Form::of_rule).collect();
        Self { pack: None, forms, rules: rules.into_iter().map(OnceLock::from).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Parses all of them, in the order of the table.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Rule> {
        (0..self.len()).map(|at| &self[at])
    }

    /// Returns the keywords of each.
    pub(crate) fn keywords(&self) -> Vec<Vec<&str>> {
        let of = |at: usize| match self.pack {
            Some(pack) => pack.sources[at].keywords().collect(),
            None => self[at].all_keywords().map(String::as_str).collect(),
        };
        (0..self.len()).map(of).collect()
    }

    /// Returns the text rules with their indexes.
    pub(crate) fn over_text(&self) -> impl Iterator<Item = (usize, &Rule)> {
        (0..self.len()).filter(|at| self.forms[*at].is_for_any()).map(|at| (at, &self[at]))
    }

    /// Tells whether one could match a file of a language, or of none.
    pub(crate) fn is_for(&self, at: usize, language: Option<Language>) -> bool {
        self.forms[at].is_for_any()
            || language.is_some_and(|language| self.has_syntax(at, language) || self.has_flow(at, language))
    }

    pub(crate) fn has_syntax(&self, at: usize, language: Language) -> bool {
        self.forms[at].syntax & with(0, &language) != 0
    }

    pub(crate) fn has_flow(&self, at: usize, language: Language) -> bool {
        self.forms[at].flow & with(0, &language) != 0
    }

    /// Tells whether the names of one affect other rules as well.
    pub(crate) fn adds_names(&self, at: usize) -> bool {
        self.forms[at].adds_names
    }
}

impl Index<usize> for Rules {
    type Output = Rule;

    fn index(&self, at: usize) -> &Rule {
        let read = || {
            let pack = self.pack.expect("rules without a pack were read already");
            pack.rule(&pack.sources[at])
        };
        self.rules[at].get_or_init(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SPECIALISTS;

    #[test]
    fn what_is_known_of_a_rule_before_it_is_read_is_what_it_says() {
        for rules in SPECIALISTS.iter().map(|specialist| specialist.all_rules()) {
            assert!(rules.len() > 0);
            for (at, rule) in rules.iter().enumerate() {
                assert_eq!(rules.forms[at], Form::of_rule(rule), "{}", rule.id);
                let keywords: Vec<&str> = rule.all_keywords().map(String::as_str).collect();
                let source = &rules.pack.expect("the rules are embedded").sources[at];
                assert_eq!(source.keywords().collect::<Vec<_>>(), keywords, "{}", rule.id);
                assert_eq!(source.finds_secrets, rule.text.iter().any(|text| text.secret.is_some()), "{}", rule.id);
                let is_for_any = !rule.text.is_empty() || rule.still_used.is_some() || rule.lockfile.is_some();
                assert_eq!(rules.forms[at].is_for_any(), is_for_any, "{}", rule.id);
            }
        }
    }
}
