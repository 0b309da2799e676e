//! Whether a file declares a name for all of its code. In: a path, its text, and a name. Out: the line of the declaration.
//!
//! Read from the syntax tree, and strict: only a declaration with a value or a body, at the top of the file, of a file without a syntax
//! error. A name that is imported, declared for the type checker alone, declared under a condition, or deleted again is not told to be
//! declared. Deliberately not here: other files, and what the name stands for.

use std::borrow::Cow;

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;

use crate::guard;
use crate::language::Language;
use crate::nodes::Node;
use crate::php;

/// The nodes at the top of a file that hold a declaration and are none.
const WRAPPERS: &[&str] = &[
    "export_statement",
    "decorated_definition",
    "lexical_declaration",
    "variable_declaration",
    "type_declaration",
    "const_declaration",
    "var_declaration",
    "var_spec_list",
    "expression_statement",
];

/// A kind of declaration: the field of its name, and the field that it needs beside.
struct Kind {
    name: &'static str,
    field: &'static str,
    needs: Option<&'static str>,
}

const fn kind(name: &'static str, needs: Option<&'static str>) -> Kind {
    Kind { name, field: "name", needs }
}

const KINDS: &[Kind] = &[
    // JavaScript and TypeScript. `declare` and overloads have kinds of their own.
    kind("function_declaration", Some("body")),
    kind("generator_function_declaration", Some("body")),
    kind("class_declaration", Some("body")),
    kind("abstract_class_declaration", Some("body")),
    kind("enum_declaration", Some("body")),
    kind("variable_declarator", Some("value")),
    // Python; also shell and PHP.
    kind("function_definition", Some("body")),
    kind("class_definition", Some("body")),
    Kind { name: "assignment", field: "left", needs: Some("right") },
    // Rust.
    kind("function_item", Some("body")),
    kind("struct_item", None),
    kind("enum_item", Some("body")),
    kind("const_item", Some("value")),
    kind("static_item", Some("value")),
    kind("trait_item", Some("body")),
    kind("macro_definition", None),
    // Go.
    kind("type_spec", Some("type")),
    kind("const_spec", Some("value")),
    kind("var_spec", Some("value")),
    // Java, C# and Ruby.
    kind("record_declaration", Some("body")),
    kind("interface_declaration", Some("body")),
    kind("method", Some("body")),
    kind("class", Some("body")),
];

/// The statements that take a name away again.
const DELETIONS: &[&str] = &["delete_statement", "undef"];
/// What a declaration may hang on: it is there in some builds only.
const CONDITIONS: &[&str] = &["attribute_item"];

/// Returns the line, from 1, on which a file declares a name for all of its code; `None` if it does not, or that cannot be told.
pub fn declared(path: &str, text: &str, name: &str) -> Option<u32> {
    let language = Language::of(path)?;
    if guard::too_much(text).is_some() {
        return None;
    }
    let code = if language == Language::Php { php::code(text) } else { Cow::Borrowed(text) };
    let tree = AstGrep::doc(StrDoc::try_new(&code, language.grammar()?).ok()?);
    if tree.root().is_error() {
        return None;
    }
    let seen = guard::look_over(language, &tree).ok().filter(|seen| seen.broken_from.is_none())?;
    let root = seen.nodes.root();
    let says = |node: Node<'_>| &code[node.byte_range()];
    let is_deleted = |node: Node<'_>| DELETIONS.contains(&node.kind()) && says(node).contains(name);
    if root.descendants().any(is_deleted) {
        return None;
    }
    // An interface of TypeScript is a type and no value; one of Java or C# is both.
    let is_type_alone = |node: &Node<'_>| {
        matches!(language, Language::TypeScript | Language::Tsx) && node.kind() == "interface_declaration"
    };
    let at = top(root).find(|node| !is_type_alone(node) && names(*node, name, &says))?.start_byte();
    u32::try_from(code[..at].matches('\n').count() + 1).ok()
}

/// Returns the nodes at the top of a file, without what holds them.
fn top<'n>(root: Node<'n>) -> impl Iterator<Item = Node<'n>> {
    let mut open: Vec<Node<'n>> = root.named_children().collect();
    open.reverse();
    std::iter::from_fn(move || {
        let node = open.pop()?;
        if WRAPPERS.contains(&node.kind()) {
            let mut inside: Vec<Node<'n>> = node.named_children().collect();
            inside.reverse();
            open.extend(inside);
        }
        Some(node)
    })
}

/// Tells whether a node declares a name, with its body or value, unconditionally.
fn names<'c>(node: Node<'_>, name: &str, says: &impl Fn(Node<'_>) -> &'c str) -> bool {
    let Some(kind) = KINDS.iter().find(|kind| kind.name == node.kind()) else { return false };
    let is_whole = kind.needs.is_none_or(|field| node.child_by_field_name(field).is_some());
    let is_conditional = std::iter::successors(node.previous(), |node| node.previous())
        .take_while(|before| CONDITIONS.contains(&before.kind()))
        .any(|before| says(before).contains("cfg"));
    is_whole && !is_conditional && node.children_by_field_name(kind.field).any(|field| says(field) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_at_the_top_are_found_in_every_language() {
        for (path, text, line) in [
            ("a.ts", "\nexport function parse(a: string) { return a; }\n", 2),
            ("a.ts", "export const other = 1, parse = (a: string) => a;\n", 1),
            ("a.js", "class parse {}\n", 1),
            ("a.tsx", "export default function parse() { return <a />; }\n", 1),
            ("a.py", "import os\n\ndef parse(a):\n    return a\n", 3),
            ("a.py", "@cached\ndef parse(a):\n    return a\n", 2),
            ("a.py", "parse = int\n", 1),
            ("a.rs", "#[inline]\npub fn parse() {}\n", 2),
            ("a.go", "package a\n\nfunc parse() {}\n", 3),
            ("a.go", "package a\n\nvar (\n\tx = 1\n\tparse = 2\n)\n", 5),
            ("a.rb", "def parse\n  1\nend\n", 1),
            ("a.sh", "parse() { echo 1; }\n", 1),
        ] {
            assert_eq!(declared(path, text, "parse"), Some(line), "{path}: {text}");
        }
    }

    #[test]
    fn anything_less_is_no_declaration() {
        for (path, text) in [
            ("a.ts", "declare function parse(a: string): string;\n"),
            ("a.ts", "declare const parse: number;\n"),
            ("a.ts", "let parse: number;\n"),
            ("a.ts", "import { parse } from './b';\n"),
            ("a.ts", "interface parse { a: string }\n"),
            ("a.ts", "function other() { function parse() { return 1; } }\n"),
            ("a.ts", "if (false) { var parse = 1; }\n"),
            ("a.ts", "// function parse() {}\nconst text = 'function parse() {}';\n"),
            ("a.ts", "export function parse() {\n"),
            ("a.ts", "export function parser() { return 1; }\n"),
            ("a.py", "def parse(a):\n    return a\n\ndel parse\n"),
            ("a.py", "parse: int\n"),
            ("a.py", "if x:\n    def parse(a):\n        return a\n"),
            ("a.rs", "#[cfg(test)]\nfn parse() {}\n"),
            ("a.rs", "#[cfg(feature = \"x\")]\n#[inline]\nfn parse() {}\n"),
            ("a.rs", "mod a { pub fn parse() {} }\n"),
            ("a.go", "package a\n\nvar parse int\n"),
            ("a.unknown", "function parse() {}\n"),
        ] {
            assert_eq!(declared(path, text, "parse"), None, "{path}: {text}");
        }
    }
}
