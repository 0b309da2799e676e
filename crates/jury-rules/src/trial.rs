//! Runs a rule over its own examples. In: a specialist and one of its rules. Out: the failed examples, each with the
//! outcome.

use std::collections::BTreeMap;

use crate::pack::Specialist;
use crate::parsed::Parsed;
use crate::rule::{Example, Rule};
use crate::{SourceFile, Tree};

/// The minimum number of examples of each kind.
pub(crate) const FEWEST: usize = 3;

/// An example that its rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind, `invalid` or `valid`, and its number, from 1.
    pub example: String,
    /// The outcome.
    pub what: String,
}

/// The other files of an example, and those before the change.
struct Others {
    now: BTreeMap<String, String>,
    before: BTreeMap<String, String>,
}

impl Tree for Others {
    fn paths(&self) -> Vec<String> {
        self.now.keys().cloned().collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.now.get(path).cloned()
    }

    fn base_text(&self, path: &str) -> Option<String> {
        self.before.get(path).or_else(|| self.now.get(path)).cloned()
    }
}

impl Specialist {
    /// Runs a rule over its own examples.
    pub fn failures(&'static self, rule: &Rule) -> Result<Vec<Failure>, String> {
        let examples = rule.examples()?;
        let mut failures = Vec::new();
        for (kind, examples, must_find) in [("invalid", &examples.invalid, true), ("valid", &examples.valid, false)] {
            for (number, example) in (1..).zip(examples) {
                let what = self.failure(rule, example, must_find);
                failures.extend(what.map(|what| Failure { example: format!("{kind} example {number}"), what }));
            }
        }
        Ok(failures)
    }

    fn failure(&'static self, rule: &Rule, example: &Example, must_find: bool) -> Option<String> {
        let (path, (text, others)) = (example.path(), example.parts());
        let last = u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX);
        let file = SourceFile { path: &path, text: &text, touched: &[(1, last)] };
        let before = example.before.clone().map(|before| (path.clone(), before)).into_iter().collect();
        let review = self.review_in(&Parsed::default(), &[file], &Others { now: others, before });
        if let Some((_, why)) = review.unreviewed.first() {
            return Some(why.clone());
        }
        if let Some(note) = review.findings.residual_risks.first() {
            return Some(format!("an example must be whole code: {note}"));
        }
        let of_rule = review.findings.findings.into_iter().filter(|finding| finding.other["rule"] == rule.id.as_str());
        let found: Vec<(u32, String)> = of_rule.map(|finding| (finding.merge.line, finding.merge.title)).collect();
        let said = || found.iter().map(|(line, title)| format!("line {line}: {title}")).collect::<Vec<_>>().join("; ");
        match (must_find, found.is_empty()) {
            (true, true) => Some("it is not found".to_owned()),
            (false, false) => Some(format!("it is found ({})", said())),
            (false, true) => None,
            (true, false) => {
                let is_there = example.line.is_none_or(|line| found.iter().any(|(at, _)| *at == line));
                let is_titled = example.title.as_ref().is_none_or(|title| found.iter().any(|(_, said)| said == title));
                let leaves_open = found.iter().any(|(_, title)| title.contains('…') && !title.contains("…`"));
                (!is_there || !is_titled || leaves_open).then(|| format!("it is found otherwise ({})", said()))
            }
        }
    }
}
