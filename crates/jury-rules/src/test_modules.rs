//! Test modules of a Rust file. In: its syntax tree. Out: the modules behind `#[cfg(test)]`, which count as tests
//! whatever the path of the file.

use std::ops::Range;

use crate::nodes::Node;

/// Returns the places of test modules.
pub(crate) fn ranges(root: Node<'_>, text: &str) -> Vec<Range<usize>> {
    let is_meant = |node: &Node<'_>| node.kind() == "mod_item" && is_for_tests(*node, text);
    root.descendants().filter(is_meant).map(Node::byte_range).collect()
}

/// Tells whether an attribute before an item marks it as test code.
fn is_for_tests(item: Node<'_>, text: &str) -> bool {
    let mut before = item.previous();
    while let Some(node) =
        before.filter(|node| matches!(node.kind(), "attribute_item" | "line_comment" | "block_comment"))
    {
        if says_so(node, text) {
            return true;
        }
        before = node.previous();
    }
    false
}

/// Tells whether this is such an attribute.
pub(crate) fn says_so(attribute: Node<'_>, text: &str) -> bool {
    let written: String = text[attribute.byte_range()].split_whitespace().collect();
    written == "#[cfg(test)]" || written.starts_with("#[cfg(all(test,")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::nodes::Nodes;

    #[test]
    fn modules_for_tests_are_known_by_their_attribute() {
        let text = "fn f() {}\n#[cfg(test)]\n// All of it.\n#[allow(unused)]\nmod tests { mod more {} }\n#[cfg(unix)]\nmod tests_of_unix {}\n";
        let nodes = Nodes::parsed(Language::Rust, text);
        let found: Vec<&str> = ranges(nodes.root(), text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["mod tests { mod more {} }"]);
    }
}
