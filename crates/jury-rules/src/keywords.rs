//! Which rules could match a text at all. In: the keywords of rules, and a text. Out: for each rule, whether one of its
//! keywords occurs. One pass finds them all; what is not found is neither compiled nor run.

use aho_corasick::AhoCorasick;

/// The keywords of a list of rules.
pub(crate) struct Keywords {
    automaton: AhoCorasick,
    /// The rule that each keyword is of.
    owners: Vec<usize>,
    rules: usize,
}

impl Keywords {
    /// Gathers the keywords of rules.
    pub(crate) fn of(rules: &[Vec<&str>]) -> Self {
        let mut words: Vec<&str> = Vec::new();
        let mut owners = Vec::new();
        for (index, keywords) in rules.iter().enumerate() {
            words.extend(keywords);
            owners.resize(words.len(), index);
        }
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words);
        Self { automaton: automaton.expect("the keywords of rules are few and short"), owners, rules: rules.len() }
    }

    /// Tells for each rule whether one of its keywords occurs; case does not matter.
    pub(crate) fn occurring(&self, text: &str) -> Vec<bool> {
        let mut found = vec![false; self.rules];
        let mut missing = self.rules;
        for hit in self.automaton.find_overlapping_iter(text) {
            let is_found = &mut found[self.owners[hit.pattern().as_usize()]];
            missing -= usize::from(!*is_found);
            *is_found = true;
            if missing == 0 {
                break;
            }
        }
        found
    }
}
