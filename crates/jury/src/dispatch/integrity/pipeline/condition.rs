//! When something runs: a list of alternatives, of each of which one has to hold. In: the expression of a host. Out: the condition, and whether another
//! is narrower. Nothing is evaluated: a condition is narrower unless the old one implies it by its own words.

use std::collections::BTreeSet;

/// All of these have to hold; of each, one alternative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) all: Vec<BTreeSet<String>>,
    /// It never holds, or only if a person starts it.
    pub(super) is_off: bool,
}

/// Expressions that hold where no condition is stated, too.
const ALWAYS: &[&str] =
    &["always()", "success()", "!cancelled()", "true", "", "success()||failure()", "!(cancelled())"];
/// Expressions that never hold, and those that hold only after a failure.
const NEVER: &[&str] = &["false", "0", "null", "''", "\"\"", "!true", "cancelled()", "1==2", "failure()", "never"];

impl Condition {
    /// Reads an expression of GitHub.
    pub(super) fn of_expression(text: &str) -> Self {
        let text = text.trim();
        let bare = text.strip_prefix("${{").and_then(|rest| rest.strip_suffix("}}")).unwrap_or(text);
        let mut condition = Self::default();
        for conjunct in split(bare, "&&") {
            let alternatives: BTreeSet<String> =
                split(&unbraced(&conjunct), "||").iter().map(|text| plain(text)).collect();
            condition.push(alternatives);
        }
        condition
    }

    /// Adds alternatives, one of which has to hold as well.
    pub(super) fn push(&mut self, alternatives: BTreeSet<String>) {
        if alternatives.iter().any(|text| ALWAYS.contains(&text.as_str())) {
            return;
        }
        self.is_off |= alternatives.iter().all(|text| NEVER.contains(&text.as_str()));
        self.all.push(alternatives);
    }

    /// Adds all that another demands.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self { all: self.all.iter().chain(&other.all).cloned().collect(), is_off: self.is_off || other.is_off }
    }

    /// Tells whether it holds less often than another, as far as the words tell.
    pub(super) fn is_narrower_than(&self, other: &Self) -> bool {
        !self.all.iter().all(|alternatives| other.all.iter().any(|old| old.is_subset(alternatives)))
    }

    /// Writes it.
    pub(super) fn said(&self) -> String {
        let any = |alternatives: &BTreeSet<String>| alternatives.iter().cloned().collect::<Vec<_>>().join(" || ");
        self.all.iter().map(any).collect::<Vec<_>>().join(" && ")
    }
}

fn plain(text: &str) -> String {
    let plain: String = unbraced(text).chars().filter(|c| !c.is_whitespace()).collect();
    plain.to_lowercase().replace('"', "'")
}

/// Takes off braces around all of a text.
fn unbraced(text: &str) -> String {
    let mut text = text.trim();
    while let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let mut depth = 0_i32;
        let closes_early = inside.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        });
        if closes_early {
            break;
        }
        text = inside.trim();
    }
    text.to_owned()
}

/// Splits a text at an operator outside braces and quotes.
fn split(text: &str, operator: &str) -> Vec<String> {
    let text = unbraced(text);
    let (mut depth, mut quote, mut start) = (0_i32, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        quote ^= c == '\'';
        if quote {
            continue;
        }
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && at >= start && text[at..].starts_with(operator) {
            parts.push(text[start..at].trim().to_owned());
            start = at + operator.len();
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_narrower_unless_the_old_one_implies_it() {
        let of = Condition::of_expression;
        for (was, is, expected) in [
            ("", "github.ref == 'a'", true),
            ("a", "a && b", true),
            ("a || b", "a", true),
            ("a", "b", true),
            ("", "always()", false),
            ("a && b", "a", false),
            ("a", "a || b", false),
            ("a", "${{ (A) }}", false),
            ("a == 'x && y'", "a=='x && y'", false),
        ] {
            assert_eq!(of(is).is_narrower_than(&of(was)), expected, "{was} -> {is}");
        }
        for text in ["false", "${{ false }}", "a && false"] {
            assert!(of(text).is_off, "{text}");
        }
    }
}
