//! The rules of a pack, each read when it is first asked for. In: the embedded rule files, or rules that were read already.
//! Out: rules by their place, and of each, without reading it, what decides whether a file needs it.

use std::ops::Index;
use std::sync::OnceLock;

use crate::language::Language;
use crate::rule::Rule;

/// A rule file that is embedded. What is said of it beside its text is gathered by `build.rs`.
pub(crate) struct Source {
    pub(crate) id: &'static str,
    /// Its keywords, and those of its patterns.
    pub(crate) keywords: &'static [&'static str],
    /// The languages whose syntax it matches, and those whose flows.
    pub(crate) syntax: &'static [&'static str],
    pub(crate) flow: &'static [&'static str],
    /// Whether what it says about names counts for other rules, too.
    pub(crate) adds_names: bool,
    /// What it says, its examples left out.
    pub(crate) json: &'static str,
    /// All of it, as it is written.
    pub(crate) yaml: &'static str,
}

/// Which files a rule could be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// Languages as bits, by their index.
    syntax: u32,
    flow: u32,
    adds_names: bool,
}

/// The rules of a pack.
pub(crate) struct Rules {
    sources: &'static [Source],
    forms: Vec<Form>,
    rules: Vec<OnceLock<Rule>>,
}

impl Source {
    /// Reads the rule.
    fn rule(&self) -> Rule {
        let rule = Rule::embedded(self.json, self.yaml);
        rule.unwrap_or_else(|error| panic!("a test reads every rule file, {} too: {error}", self.id))
    }
}

impl Form {
    fn of_rule(rule: &Rule) -> Self {
        let syntax = rule.matches.iter().flat_map(|tree| &tree.languages);
        let flow = rule.languages.iter().filter(|_| rule.flow.is_some());
        let adds_names = rule.flow.as_ref().is_some_and(|flow| flow.adds_names());
        Self { syntax: syntax.fold(0, with), flow: flow.fold(0, with), adds_names }
    }

    /// Tells whether it matches neither syntax nor flows, and so is for files of any kind.
    fn is_for_any(self) -> bool {
        self.syntax | self.flow == 0
    }
}

fn with(bits: u32, language: &Language) -> u32 {
    bits | 1 << language.index()
}

impl Rules {
    /// Takes rule files that are embedded.
    pub(crate) fn embedded(sources: &'static [Source]) -> Self {
        let names = Language::names();
        let bit = |name: &&str| names.iter().position(|known| known == name).map_or(0, |at| 1 << at);
        let bits = |languages: &[&str]| languages.iter().map(bit).fold(0, |all, bit: u32| all | bit);
        let form = |source: &Source| Form {
            syntax: bits(source.syntax),
            flow: bits(source.flow),
            adds_names: source.adds_names,
        };
        let rules = sources.iter().map(|_| OnceLock::new()).collect();
        Self { sources, forms: sources.iter().map(form).collect(), rules }
    }

    /// Takes rules that were read already.
    pub(crate) fn of(rules: Vec<Rule>) -> Self {
        let forms = rules.iter().map(Form::of_rule).collect();
        Self { sources: &[], forms, rules: rules.into_iter().map(OnceLock::from).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Reads all of them, in the order of the table.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Rule> {
        (0..self.len()).map(|at| &self[at])
    }

    /// Returns the keywords of each.
    pub(crate) fn keywords(&self) -> Vec<Vec<&str>> {
        let of = |at: usize| match self.sources.get(at) {
            Some(source) => source.keywords.to_vec(),
            None => self[at].all_keywords().map(String::as_str).collect(),
        };
        (0..self.len()).map(of).collect()
    }

    /// Returns those that match text of any kind, with their places.
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

    /// Tells whether what one says about names counts for other rules, too.
    pub(crate) fn adds_names(&self, at: usize) -> bool {
        self.forms[at].adds_names
    }
}

impl Index<usize> for Rules {
    type Output = Rule;

    fn index(&self, at: usize) -> &Rule {
        self.rules[at].get_or_init(|| self.sources[at].rule())
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
                assert_eq!(rules.sources[at].keywords, keywords, "{}", rule.id);
                let is_for_any = !rule.text.is_empty() || rule.still_used.is_some();
                assert_eq!(rules.forms[at].is_for_any(), is_for_any, "{}", rule.id);
            }
        }
    }
}
