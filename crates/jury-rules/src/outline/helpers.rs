//! The functions of a file that assert, and what is done with functions that stand inside a test. In: names with the place of their definition,
//! and the syntax tree. Out: how many assertions a call makes, and whether a local function is handed on to something that calls it.
//!
//! Deliberately not here: functions of other files, and types: a method is found by its name alone.

use std::collections::BTreeMap;

use super::{last, shapes};
use crate::language::Language;
use crate::nodes::Node;

/// The functions of a file that assert, each with its number of assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Helpers {
    functions: BTreeMap<String, usize>,
    methods: BTreeMap<String, usize>,
    /// Those that stand in a test, a suite or another function, by where that starts.
    local: BTreeMap<(usize, String), usize>,
}

impl Helpers {
    /// Adds a function that was defined within these tests, suites and functions, innermost last.
    pub(super) fn add(&mut self, node: Node<'_>, name: &str, within: &[usize], number: usize) {
        let name = name.to_owned();
        match within.last() {
            _ if is_method(node) => self.methods.insert(name, number),
            Some(start) => self.local.insert((*start, name), number),
            None => self.functions.insert(name, number),
        };
    }

    /// Returns the assertions of the function that a call names: `client.get(…)` is no call of a function `get`.
    pub(super) fn called(&self, language: Language, callee: &str, within: &[usize]) -> Option<usize> {
        let name = last(callee);
        let before = callee.get(..callee.rfind(name)?)?.trim_end();
        if [".", "->"].iter().any(|mark| before.ends_with(mark)) {
            return self.methods.get(name).copied();
        }
        let may_be_method =
            before.ends_with("::") || matches!(language, Language::Java | Language::CSharp | Language::Ruby);
        self.named(name, within).or_else(|| self.methods.get(name).copied().filter(|_| may_be_method))
    }

    /// Returns the assertions of a function that is passed on by its name.
    pub(super) fn named(&self, name: &str, within: &[usize]) -> Option<usize> {
        let local = within.iter().rev().find_map(|start| self.local.get(&(*start, name.to_owned())));
        local.or_else(|| self.functions.get(name)).copied()
    }
}

/// Tells whether a function belongs to a class or an object.
fn is_method(node: Node<'_>) -> bool {
    let mut at = node.parent();
    while let Some(outer) = at.filter(|outer| shapes::holds_tests(outer.kind())) {
        if outer.kind().starts_with("class") {
            return true;
        }
        at = outer.parent();
    }
    node.kind().contains("method") || at.is_some_and(|outer| outer.kind() == "impl_item")
}

/// Where the names of a file are used as values, and where they are bound, by byte.
pub(super) struct Uses<'t> {
    text: &'t str,
    values: BTreeMap<&'t str, Vec<usize>>,
    bound: BTreeMap<&'t str, Vec<usize>>,
}

impl<'t> Uses<'t> {
    pub(super) fn of(root: Node<'_>, text: &'t str, calls: &[&str]) -> Self {
        let mut uses = Self { text, values: BTreeMap::new(), bound: BTreeMap::new() };
        for node in root.descendants().filter(|node| node.kind() == "identifier") {
            let Some(parent) = node.parent() else { continue };
            let is = |field: &str| parent.child_by_field_name(field) == Some(node);
            let is_callee = calls.contains(&parent.kind()) && parent.start_byte() == node.start_byte();
            let is_bound = parent.kind().contains("parameter") || is("left") || parent.kind() == "as_pattern_target";
            let list = match (is_bound, is_callee || is("name") || is("attribute")) {
                (true, _) => &mut uses.bound,
                (false, true) => continue,
                (false, false) => &mut uses.values,
            };
            list.entry(&text[node.byte_range()]).or_default().push(node.start_byte());
        }
        uses
    }

    /// Tells whether a function inside a test is handed on to something that calls it: as a value, or by a decorator that is a method of
    /// something of the test (`@app.route('/')`).
    pub(super) fn hands_on(&self, function: Node<'_>, name: &str, start: usize) -> bool {
        let own = function.byte_range();
        let end = enclosing_end(function, start);
        let is_outside = |at: &&usize| (start..end).contains(*at) && !own.contains(*at);
        let is_value = self.values.get(name).is_some_and(|all| all.iter().any(|at| is_outside(&at)));
        is_value || self.decorated_by(function, start, end)
    }

    fn decorated_by(&self, function: Node<'_>, start: usize, end: usize) -> bool {
        let Some(outer) = function.parent().filter(|outer| outer.kind() == "decorated_definition") else {
            return false;
        };
        outer.children().filter(|child| child.kind() == "decorator").any(|decorator| {
            let attribute = decorator.descendants().find(|node| node.kind() == "attribute");
            let Some(root) = attribute.and_then(|it| it.descendants().find(|node| node.kind() == "identifier")) else {
                return false;
            };
            let bound = self.bound.get(&self.text[root.byte_range()]);
            bound.is_some_and(|all| all.iter().any(|at| (start..end).contains(at)))
        })
    }
}

/// Returns the end of the node around a function that starts at a byte.
fn enclosing_end(function: Node<'_>, start: usize) -> usize {
    let mut end = function.end_byte();
    let mut at = function.parent();
    while let Some(outer) = at.filter(|outer| outer.start_byte() >= start) {
        end = outer.end_byte();
        at = outer.parent();
    }
    end
}
