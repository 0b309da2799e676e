//! Our KDL reader against the reference crate. The crate is only compared with: a few kilobytes of nested comments,
//! stray braces or `/-` make it overflow its stack or run for ever, so it does not read what reviewers write.

use jury::syntax::kdl::{self, Element};
use jury::syntax::{Limits, Source, Value};
use proptest::prelude::*;

/// Spells what our reader found so that it can be compared; of a number only that it is one.
fn ours(nodes: &[Element<'_>]) -> String {
    let value = |value: &Value<'_>| match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(_) | Value::Object(_) => unreachable!("KDL has neither"),
    };
    let mut text = String::new();
    for node in nodes {
        text += &format!("{:?}(", node.name);
        node.arguments.iter().for_each(|argument| text += &format!("{},", value(&argument.value)));
        if let Value::Object(members) = &node.properties.value {
            members.iter().for_each(|member| text += &format!("{:?}={},", member.key, value(&member.node.value)));
        }
        text += &format!("){{{}}}", ours(&node.children));
    }
    text
}

/// Spells what the reference crate found in the same way.
fn theirs(document: &::kdl::KdlDocument) -> String {
    let value = |value: &::kdl::KdlValue| match value {
        ::kdl::KdlValue::Null => "null".to_owned(),
        ::kdl::KdlValue::Bool(value) => value.to_string(),
        ::kdl::KdlValue::Integer(_) | ::kdl::KdlValue::Float(_) => "number".to_owned(),
        ::kdl::KdlValue::String(text) => format!("{text:?}"),
    };
    let mut text = String::new();
    for node in document.nodes() {
        text += &format!("{:?}(", node.name().value());
        let (arguments, properties): (Vec<_>, Vec<_>) = node.entries().iter().partition(|entry| entry.name().is_none());
        arguments.iter().for_each(|argument| text += &format!("{},", value(argument.value())));
        for property in properties {
            let name = property.name().map(|name| name.value()).unwrap_or_default();
            text += &format!("{name:?}={},", value(property.value()));
        }
        text += &format!("){{{}}}", node.children().map(theirs).unwrap_or_default());
    }
    text
}

fn check(text: &str) {
    let limits = Limits::default();
    let source = Source::new(text.as_bytes(), &limits).expect("a short text is within the limits");
    let ours = kdl::parse(&source, &limits).map(|nodes| ours(&nodes)).ok();
    let theirs = ::kdl::KdlDocument::parse_v2(text).map(|document| theirs(&document)).ok();
    assert_eq!(ours, theirs, "{text:?}");
}

/// Pieces of documents, legal and not, that are put together at random. Left out is what the crate does not read as the
/// specification has it: `/-` before a node, and disallowed characters in comments.
const PIECES: &[&str] = &[
    "a",
    "node",
    "-",
    "+x",
    ".",
    "-.b",
    "1",
    "-7.5e3",
    "0x1F",
    "1_000",
    ".5",
    "1x",
    "#true",
    "#null",
    "#nan",
    "true",
    "nan",
    "\"",
    "\"\"",
    "\"a b\"",
    "\"\\n\\\"\\u{2014}\\s\"",
    "\"\\ \n x\"",
    "\"\\q\"",
    "\"\\u{d800}\"",
    "\"\"\"\n",
    "\n\"\"\"",
    "\"\"\"\n  x\n\n   y\\\n  z\n  \"\"\"",
    "#\"raw\\\"#",
    "##\"a\"#b\"##",
    "#\"\"\"\n \"q\"\n \"\"\"#",
    "#",
    "=",
    "k=1",
    "k = \"v\"",
    "(",
    ")",
    "(t)",
    "(\"t\")",
    "{",
    "}",
    "{}",
    "{ b; c 2 }",
    ";",
    "a /-1",
    "a /-k=1 ",
    "a /-{ x } ",
    "//",
    "// x\n",
    "/*",
    "*/",
    "/* /* * */ / */",
    "\\",
    "\\\n",
    "\\ // x\n",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\u{2028}",
    "\u{a0}",
    "é",
    "[",
    "]",
    ",",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pieces_are_read_alike(picks in prop::collection::vec(0..PIECES.len(), 0..12)) {
        check(&picks.into_iter().map(|pick| PIECES[pick]).collect::<String>());
    }

    #[test]
    fn random_nodes_are_read_alike(picks in prop::collection::vec((0..PIECES.len(), 0..4_usize), 0..10)) {
        let text: String = picks.into_iter().map(|(pick, gap)| format!("{}{}", PIECES[pick], [" ", "\n", "", " "][gap])).collect();
        check(&text);
    }
}

#[test]
fn documents_are_read_alike() {
    for text in [
        "verdict-summary version=1\ntask-id \"abc\"\n",
        "a /-{ b } { c } /-{ d }",
        "a /- b c /-k=1 {\n  /-x\n  y /* z */; w\n}",
        "/- kdl-version 2\nnode \\\n  1 \\ // x\n  2",
        "(type)node (type)\"v\" k=(type)3",
        "a \"\"\"\n    one\n      two\n\n    three\n    \"\"\"",
    ] {
        check(text);
    }
}
