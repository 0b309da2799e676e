//! What stands between a value and the place where it does harm. In: a text, and the lines of a finding in it. Out: the lines before that say
//! something about the value or decide whether the place is reached, each with the lines of the blocks that it stands in, and the names beside the
//! function that it stands in (decorators, annotations, handlers that run before).
//!
//! Which of them are guards is not known, and need not be: whoever compares two versions asks whether one of them is gone. Deliberately not here: the
//! comparison, and code in other functions and files.

use std::collections::{BTreeMap, BTreeSet};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;

use crate::guard;
use crate::language::Language;
use crate::nodes::{Node, Nodes};
use crate::php;

/// More lines about one finding are not told apart from none at all.
const MOST: usize = 1_000;
/// A name with more lines than this before a finding is passed on everywhere, and says nothing about a guard.
const COMMON: usize = 8;
/// A block under a condition that is no longer than this belongs to the condition as a whole.
const SHORT: u32 = 6;

/// What stands before a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Lines, from 1, each with the first lines of the blocks around it.
    pub lines: BTreeMap<u32, BTreeSet<u32>>,
    /// The names beside the functions around it.
    pub names: BTreeSet<String>,
}

/// A text that can be asked what stands before its findings.
pub struct Guarding {
    text: String,
    nodes: Nodes,
    /// The leaves that name something, by their names.
    names: BTreeMap<String, Vec<u32>>,
    line_starts: Vec<usize>,
}

impl Guarding {
    /// Parses a text; `None` if it is no program with a grammar.
    pub fn of(path: &str, text: &str) -> Option<Self> {
        let language = Language::of(path).filter(|language| !language.is_data())?;
        if guard::too_much(text).is_some() {
            return None;
        }
        let code = if language == Language::Php { php::code(text).into_owned() } else { text.to_owned() };
        let tree = AstGrep::doc(StrDoc::try_new(&code, language.grammar()?).ok()?);
        if tree.root().is_error() {
            return None;
        }
        let nodes = guard::look_over(language, &tree).ok()?.nodes;
        let mut names: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for node in nodes.root().descendants().filter(|node| is_name(*node)) {
            names.entry(code[node.byte_range()].trim_start_matches('$').to_owned()).or_default().push(node.index());
        }
        let line_starts = std::iter::once(0).chain(code.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Some(Self { text: code, nodes, names, line_starts })
    }

    /// Returns what stands before a finding with these lines.
    pub fn before(&self, lines: (u32, u32), trace: &[(u32, u32)]) -> Before {
        let mut before = Before::default();
        let Some(place) = self.place(lines) else { return before };
        let around: Vec<Node<'_>> = std::iter::successors(Some(place), |node| node.parent()).collect();
        let functions: Vec<Node<'_>> = around.iter().copied().filter(|node| is_function(*node)).collect();
        let region = functions.last().copied().unwrap_or(self.nodes.root());
        let is_own = |line: u32| trace.iter().chain([&lines]).any(|(first, last)| (*first..=*last).contains(&line));
        for node in around.iter().take_while(|node| node.start_byte() >= region.start_byte()) {
            // The condition under which the place is reached at all.
            if is_choice(*node) {
                let first = self.line(node.start_byte());
                let head = node.child_by_field_name("condition").map_or(first, |it| self.line(it.end_byte()));
                before.lines.extend((first..=head).filter(|line| !is_own(*line)).map(|line| (line, BTreeSet::new())));
            }
        }
        for function in &functions {
            self.beside(*function, &mut before.names);
        }
        for name in self.names_of(&is_own) {
            let places = self.names.get(&name).into_iter().flatten().map(|at| self.nodes.node(*at));
            let is_before = |node: &Node<'_>| {
                region.start_byte() <= node.start_byte()
                    && node.start_byte() < place.start_byte()
                    && !is_own(self.line(node.start_byte()))
                    && !is_parameter(*node)
                    && self.runs_before(*node, &functions)
            };
            let mentions: Vec<Node<'_>> = places.filter(is_before).take(COMMON + 1).collect();
            if mentions.len() <= COMMON && before.lines.len() < MOST {
                mentions.into_iter().for_each(|node| self.mention(node, &mut before.lines));
            }
        }
        before.lines.retain(|line, _| !is_own(*line));
        before
    }

    /// Adds the line of a name, and those of the choice that depends on it.
    fn mention(&self, node: Node<'_>, lines: &mut BTreeMap<u32, BTreeSet<u32>>) {
        let mut blocks = BTreeSet::new();
        let mut choice = None;
        let mut child = node;
        while let Some(parent) = child.parent().filter(|parent| !is_function(*parent)) {
            if is_choice(parent) && parent.child_by_field_name("condition") == Some(child) {
                choice = choice.or(Some(parent));
            } else if is_block_of_its_own(parent) && self.line(parent.start_byte()) != self.line(node.start_byte()) {
                blocks.insert(self.line(parent.start_byte()));
            }
            child = parent;
        }
        lines.entry(self.line(node.start_byte())).or_default().extend(blocks.iter());
        let Some(choice) = choice else { return };
        let (first, last) = (self.line(choice.start_byte()), self.line(choice.end_byte().saturating_sub(1)));
        let is_short = last - first < SHORT;
        let leaves = choice.descendants().filter(|inner| is_exit(*inner)).map(|inner| self.line(inner.start_byte()));
        for line in leaves.chain((first..=last).filter(|_| is_short)) {
            lines.entry(line).or_default().extend(blocks.iter());
        }
    }

    /// Returns the names of the values that lines use; not what they bind for later, nor what they call.
    fn names_of(&self, is_own: &dyn Fn(u32) -> bool) -> BTreeSet<String> {
        let is_value = |at: &u32| {
            let node = self.nodes.node(*at);
            is_own(self.line(node.start_byte())) && is_value(node)
        };
        let values = self.names.iter().filter(|(_, places)| places.iter().any(is_value));
        values.map(|(name, _)| name.clone()).collect()
    }

    /// Tells whether a node belongs to no other function than those around the finding.
    fn runs_before(&self, node: Node<'_>, functions: &[Node<'_>]) -> bool {
        let inner = std::iter::successors(node.parent(), |node| node.parent()).find(|node| is_function(*node));
        inner.is_none_or(|inner| functions.contains(&inner))
    }

    /// Adds the names that stand beside a function: its decorators and annotations, and what runs before it in the same call.
    fn beside(&self, function: Node<'_>, names: &mut BTreeSet<String>) {
        let mut add = |node: Node<'_>| {
            let all = node.descendants().filter(|inner| is_name(*inner));
            names.extend(all.map(|inner| self.text[inner.byte_range()].to_owned()));
        };
        function.children().filter(|child| is_mark(*child)).for_each(&mut add);
        let Some(parent) = function.parent() else { return };
        let is_call = parent.kind().contains("argument");
        let before = parent.children().take_while(|child| *child != function);
        before.filter(|child| is_mark(*child) || is_call && child.is_named()).for_each(&mut add);
        // Attributes of Rust are siblings among others.
        let mut above = function.previous();
        while let Some(mark) = above.filter(|above| above.is_extra() || is_mark(*above)) {
            add(mark);
            above = mark.previous();
        }
    }

    /// Returns the smallest node that has all of these lines.
    fn place(&self, (first, last): (u32, u32)) -> Option<Node<'_>> {
        let start = *self.line_starts.get(first as usize - 1)?;
        let end = self.line_starts.get(last as usize).copied().unwrap_or(self.text.len());
        let said = self.text.get(start..end)?;
        let (start, end) = (start + (said.len() - said.trim_start().len()), start + said.trim_end().len());
        let has = |node: &Node<'_>| node.start_byte() <= start && end <= node.end_byte();
        let mut at = self.nodes.root();
        while let Some(inner) = at.children().find(has) {
            at = inner;
        }
        Some(at)
    }

    fn line(&self, at: usize) -> u32 {
        u32::try_from(self.line_starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }
}

fn has_word(node: Node<'_>, words: &[&str]) -> bool {
    words.iter().any(|word| node.kind().contains(word))
}

/// Tells whether a leaf names something.
fn is_name(node: Node<'_>) -> bool {
    let is_named = has_word(node, &["identifier", "variable"]) || matches!(node.kind(), "name" | "constant");
    is_named && !has_word(node, &["type"]) && node.named_child_count() == 0 && node.is_named()
}

/// Tells whether a name stands for a value: it is not called, and nothing is taken out of it.
fn is_value(node: Node<'_>) -> bool {
    // In PHP, the name is a child of the variable.
    let node = node.parent().filter(|parent| parent.kind() == "variable_name").unwrap_or(node);
    let Some(parent) = node.parent() else { return true };
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    if is_bound(node) {
        return false;
    }
    let is_callee = is("function") || is("method") || has_word(parent, &["call", "invocation"]) && is("name");
    let is_taken_from = ["object", "operand", "receiver", "expression", "value"].iter().any(|field| is(field))
        && has_word(parent, &["member", "attribute", "selector", "field", "call", "invocation"]);
    let is_label = is("name") && has_word(parent, &["keyword", "argument", "pair"]);
    if is_callee || is_taken_from || is_label || is("type") || has_word(parent, &["parameter"]) {
        return false;
    }
    // The method of a call is a member first.
    let is_member = has_word(parent, &["member", "attribute", "selector", "field"]);
    let is_called = |outer: Node<'_>| {
        ["function", "name"].iter().any(|field| outer.child_by_field_name(field) == Some(parent))
            && has_word(outer, &["call", "invocation"])
    };
    !(is_member && parent.parent().is_some_and(|outer| is_called(outer) || is_inside_member(outer, parent)))
}

/// Tells whether a name is that of a parameter: whoever calls the function gives it its value, and nothing is said about it there.
fn is_parameter(node: Node<'_>) -> bool {
    let above = std::iter::successors(node.parent(), |node| node.parent());
    above.take_while(|node| !is_function(*node)).any(|node| has_word(node, &["parameter"]))
}

/// Tells whether a name is given a value here: `name = …`, `out, err := …`.
fn is_bound(node: Node<'_>) -> bool {
    let mut child = node;
    for parent in std::iter::successors(node.parent(), |node| node.parent()).take(3) {
        if has_word(parent, &["assign", "declar", "let_"]) {
            let is_in = |field: &str| parent.children_by_field_name(field).any(|it| it == child);
            return ["left", "name", "pattern"].iter().any(|field| is_in(field));
        }
        child = parent;
    }
    false
}

/// Tells whether a member is only the beginning of a longer one: `req.query` of `req.query.name`.
fn is_inside_member(outer: Node<'_>, member: Node<'_>) -> bool {
    has_word(outer, &["member", "attribute", "selector", "field"])
        && ["object", "operand", "receiver", "expression", "value"]
            .iter()
            .any(|field| outer.child_by_field_name(field) == Some(member))
}

fn is_function(node: Node<'_>) -> bool {
    let is_kind = has_word(node, &["function", "method", "lambda", "closure", "func_literal"])
        || matches!(node.kind(), "do_block" | "constructor_declaration");
    is_kind && node.is_named() && !has_word(node, &["call", "invocation", "type", "signature", "modifier", "name"])
}

fn is_choice(node: Node<'_>) -> bool {
    let kind = node.kind();
    let is_kind = ["if", "unless", "elif", "elsif", "while", "until", "guard", "conditional", "ternary"]
        .iter()
        .any(|word| kind == *word || kind.starts_with(&format!("{word}_")));
    is_kind && node.is_named()
}

/// Tells whether a node decides by itself whether, or how, what stands in it is run.
fn is_block_of_its_own(node: Node<'_>) -> bool {
    let is_other = ["try", "begin", "rescue", "switch", "match", "case", "for", "with", "select", "loop"]
        .iter()
        .any(|word| node.kind() == *word || node.kind().starts_with(&format!("{word}_")));
    node.is_named() && (is_choice(node) || is_other)
}

fn is_exit(node: Node<'_>) -> bool {
    node.is_named()
        && ["return", "throw", "raise", "break", "continue"]
            .iter()
            .any(|word| node.kind() == *word || node.kind().starts_with(&format!("{word}_")))
}

fn is_mark(node: Node<'_>) -> bool {
    has_word(node, &["decorator", "annotation", "attribute_list", "attribute_item", "modifiers"])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands before a finding at a line of a text, with its trace.
    fn before(path: &str, text: &str, line: u32, trace: &[u32]) -> (Vec<u32>, String) {
        let trace: Vec<(u32, u32)> = trace.iter().map(|line| (*line, *line)).collect();
        let before = Guarding::of(path, text).unwrap().before((line, line), &trace);
        (before.lines.keys().copied().collect(), before.names.into_iter().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lines_that_speak_of_the_value_are_told() {
        let script = "app.get('/', check(schema), (req, res) => {\n  const name = req.query.name;\n  note(1);\n  assertName(name);\n  note(res);\n  exec('ls ' + name);\n  done(name);\n});\n";
        assert_eq!(before("a.ts", script, 6, &[2, 6]), (vec![4], "check schema".to_owned()));
        let guarded = "def show():\n    name = request.args['name']\n    if not known(name):\n        return None\n    note(1)\n    run(name)\n";
        assert_eq!(before("a.py", guarded, 6, &[2, 6]).0, [3, 4]);
        let marked = "@app.route('/')\n@checked\ndef show(name):\n    note(name)\n    run(name)\n";
        assert_eq!(before("a.py", marked, 5, &[]), (vec![4], "app checked route".to_owned()));
        let below = "def show(name):\n    if allowed:\n        note(1)\n        run(name)\n";
        assert_eq!(before("a.py", below, 4, &[]).0, [2], "the condition that it stands under");
        let bound = "package a\nfunc F(name string) {\n\terr := check()\n\tif err != nil {\n\t\treturn\n\t}\n\tout, err := run(name)\n}\n";
        assert_eq!(before("a.go", bound, 7, &[]).0, [0_u32; 0], "what it binds was nothing before");
        let other = "def show(name):\n    def inner(name):\n        check(name)\n    run(name)\n\ndef more(name):\n    check(name)\n";
        assert_eq!(before("a.py", other, 4, &[]).0, [0_u32; 0], "other functions say nothing about it");
    }

    #[test]
    fn every_language_tells_its_guards() {
        for (path, text, line, expected) in [
            ("a.go", "package a\nfunc F(name string) {\n\tcheck(name)\n\tnote()\n\trun(name)\n}\n", 5, 3),
            ("A.java", "class A {\n  void f(String name) {\n    check(name);\n    run(name);\n  }\n}\n", 4, 3),
            ("a.rb", "def f(name)\n  check(name)\n  run(name)\nend\n", 3, 2),
            ("a.php", "<?php\nfunction f($name) {\n  check($name);\n  run($name);\n}\n", 4, 3),
            ("A.cs", "class A {\n  void F(string name) {\n    Check(name);\n    Run(name);\n  }\n}\n", 4, 3),
            ("a.rs", "fn f(name: &str) {\n    check(name);\n    run(name);\n}\n", 3, 2),
            ("a.js", "function f(name) {\n  check(name);\n  run(name);\n}\n", 3, 2),
        ] {
            assert_eq!(before(path, text, line, &[]).0, [expected], "{path}");
        }
    }

    #[test]
    fn the_blocks_around_a_line_are_told() {
        let text = "function f(name) {\n  try {\n    check(name);\n  } catch {}\n  run(name);\n}\n";
        let before = Guarding::of("a.js", text).unwrap().before((5, 5), &[]);
        assert_eq!(before.lines, BTreeMap::from([(3, BTreeSet::from([2]))]));
    }
}
