//! The nodes of a syntax tree as one list. In: a tree. Out: the same nodes, parents before children, so that children,
//! fields and kinds are list lookups: the parser library allocates memory for each such query.
//!
//! Deliberately not here: hidden nodes, and lines and columns.

use std::ops::Range;
use std::sync::OnceLock;

use crate::language::Language;

/// A list of nodes.
pub(crate) struct Nodes {
    grammar: &'static Grammar,
    entries: Vec<Entry>,
    /// The kind of each node, side by side, for fast searches by kind.
    kinds: Vec<u16>,
}

/// The names of kinds and fields in a grammar.
struct Grammar {
    language: tree_sitter::Language,
    /// The name of each kind, and whether it is a named kind or a literal token.
    kinds: Vec<(String, bool)>,
    /// The name of each field; index 0 is no field.
    fields: Vec<String>,
}

/// A node of the list.
struct Entry {
    /// The field of its parent that it is in; 0 if there is none.
    field: u16,
    start: u32,
    end: u32,
    /// The end of its descendants in the list.
    after: u32,
    parent: u32,
    /// The previous sibling; itself if it is the first.
    previous: u32,
    /// It may occur anywhere, as comments do.
    is_extra: bool,
    /// It, or a descendant, could not be parsed.
    has_error: bool,
}

/// A node.
#[derive(Clone, Copy)]
pub(crate) struct Node<'n> {
    nodes: &'n Nodes,
    at: u32,
}

/// The kind of a parse error.
const ERROR: u16 = u16::MAX;

impl Grammar {
    fn of(language: Language, root: tree_sitter::Node<'_>) -> &'static Self {
        static GRAMMARS: [OnceLock<Grammar>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
        GRAMMARS[language.index()].get_or_init(|| {
            let language: tree_sitter::Language = root.language().clone();
            let kind = |id: usize| {
                let id = id as u16;
                (language.node_kind_for_id(id).unwrap_or_default().to_owned(), language.node_kind_is_named(id))
            };
            let field = |id: usize| language.field_name_for_id(id as u16).unwrap_or_default().to_owned();
            let kinds = (0..language.node_kind_count()).map(kind).collect();
            let fields = (0..=language.field_count()).map(field).collect();
            Self { kinds, fields, language }
        })
    }
}

impl Nodes {
    /// Lists the nodes of a tree, and passes each with its depth to `see`, which may reject the tree.
    pub(crate) fn of<E>(
        language: Language,
        root: tree_sitter::Node<'_>,
        mut see: impl FnMut(tree_sitter::Node<'_>, usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let is_broken = root.has_error();
        let mut entries: Vec<Entry> = Vec::with_capacity(root.descendant_count());
        let mut kinds: Vec<u16> = Vec::with_capacity(root.descendant_count());
        let mut cursor = root.walk();
        let mut open: Vec<u32> = Vec::new();
        let mut previous = None;
        loop {
            let node = cursor.node();
            see(node, open.len())?;
            let at = entries.len() as u32;
            kinds.push(node.kind_id());
            entries.push(Entry {
                field: cursor.field_id().map_or(0, |id| id.get()),
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                after: at + 1,
                parent: open.last().copied().unwrap_or(at),
                previous: previous.take().unwrap_or(at),
                is_extra: node.is_extra(),
                has_error: is_broken && node.has_error(),
            });
            if cursor.goto_first_child() {
                open.push(at);
                continue;
            }
            previous = Some(at);
            while !cursor.goto_next_sibling() {
                let Some(left) = open.pop() else {
                    return Ok(Self { grammar: Grammar::of(language, root), entries, kinds });
                };
                entries[left as usize].after = entries.len() as u32;
                previous = Some(left);
                cursor.goto_parent();
            }
        }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        Node { nodes: self, at: 0 }
    }

    /// Returns the node at a place of the list.
    pub(crate) fn node(&self, at: u32) -> Node<'_> {
        Node { nodes: self, at }
    }

    /// Returns the nodes of some kinds with their indexes, in order.
    pub(crate) fn of_kinds(&self, is_wanted: impl Fn(u16) -> bool) -> impl Iterator<Item = (usize, Node<'_>)> {
        let wanted = self.kinds.iter().enumerate().filter(move |(_, kind)| is_wanted(**kind));
        wanted.map(|(at, _)| (at, Node { nodes: self, at: at as u32 }))
    }
}

impl<'n> Node<'n> {
    fn entry(self) -> &'n Entry {
        &self.nodes.entries[self.at as usize]
    }

    /// Returns the grammar, for parsing parts of the text again.
    pub(crate) fn language(self) -> &'static tree_sitter::Language {
        &self.nodes.grammar.language
    }

    pub(crate) fn kind(self) -> &'static str {
        let kinds = &self.nodes.grammar.kinds;
        kinds.get(usize::from(self.kind_id())).map_or("ERROR", |(name, _)| name)
    }

    pub(crate) fn kind_id(self) -> u16 {
        self.nodes.kinds[self.at as usize]
    }

    /// Returns the field of its parent that it is in; 0 if there is none.
    pub(crate) fn field_id(self) -> u16 {
        self.entry().field
    }

    /// Returns its index in the list.
    pub(crate) fn index(self) -> u32 {
        self.at
    }

    pub(crate) fn is_named(&self) -> bool {
        let kinds = &self.nodes.grammar.kinds;
        kinds.get(usize::from(self.kind_id())).is_none_or(|(_, is_named)| *is_named)
    }

    pub(crate) fn is_error(self) -> bool {
        self.kind_id() == ERROR
    }

    pub(crate) fn is_extra(self) -> bool {
        self.entry().is_extra
    }

    pub(crate) fn has_error(self) -> bool {
        self.entry().has_error
    }

    pub(crate) fn start_byte(self) -> usize {
        self.entry().start as usize
    }

    pub(crate) fn end_byte(self) -> usize {
        self.entry().end as usize
    }

    pub(crate) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// Returns the number of nodes in its subtree, itself included.
    pub(crate) fn descendant_count(self) -> usize {
        (self.entry().after - self.at) as usize
    }

    pub(crate) fn parent(self) -> Option<Self> {
        (self.at > 0).then(|| Self { at: self.entry().parent, ..self })
    }

    /// Returns the previous and the next sibling. Nodes that the parser inserted for missing text are skipped, as in
    /// the library.
    pub(crate) fn previous(self) -> Option<Self> {
        let before = |node: Self| Some(node.entry().previous).filter(|at| *at != node.at).map(|at| Self { at, ..self });
        std::iter::successors(before(self), |node| before(*node)).find(|node| !node.byte_range().is_empty())
    }

    pub(crate) fn next(self) -> Option<Self> {
        let end = self.parent()?.entry().after;
        let behind = |node: Self| Some(node.entry().after).filter(|at| *at < end).map(|at| Self { at, ..self });
        std::iter::successors(behind(self), |node| behind(*node)).find(|node| !node.byte_range().is_empty())
    }

    /// Tells whether it is at a place, from 1, among the named children of its parent.
    pub(crate) fn is_nth_named(self, place: usize) -> bool {
        let before = |node: Self| Some(node.entry().previous).filter(|at| *at != node.at).map(|at| Self { at, ..self });
        let named = std::iter::successors(before(self), |node| before(*node)).filter(Self::is_named);
        self.at > 0 && named.take(place).count() + 1 == place
    }

    /// Returns it and its descendants, parents before children.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        (self.at..self.entry().after).map(move |at| Self { at, ..self })
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        let end = self.entry().after;
        let next = move |at: u32| (at < end).then_some(Self { at, ..self });
        std::iter::successors(next(self.at + 1), move |child| next(child.entry().after))
    }

    pub(crate) fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(Self::is_named)
    }

    pub(crate) fn named_child(self, at: usize) -> Option<Self> {
        self.named_children().nth(at)
    }

    pub(crate) fn named_child_count(self) -> usize {
        self.named_children().count()
    }

    pub(crate) fn children_by_field_name(self, name: &str) -> impl Iterator<Item = Self> {
        let fields = &self.nodes.grammar.fields;
        self.children().filter(move |child| {
            let field = child.entry().field;
            field != 0 && fields[usize::from(field)] == name
        })
    }

    pub(crate) fn child_by_field_id(self, field: u16) -> Option<Self> {
        if self.is_error() { None } else { self.children().find(|child| child.entry().field == field) }
    }

    /// Returns the first child in a field. A parse error has none, although such a child may be in it.
    pub(crate) fn child_by_field_name(self, name: &str) -> Option<Self> {
        if self.is_error() { None } else { self.children_by_field_name(name).next() }
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.kind(), self.byte_range())
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.nodes, other.nodes) && self.at == other.at
    }
}

#[cfg(test)]
impl Nodes {
    /// Parses a text and lists its nodes.
    pub(crate) fn parsed(language: Language, text: &str) -> Self {
        let tree = tests::tree(language, text);
        Self::of(language, tree.root().get_inner_node(), |_, _| Ok::<(), ()>(())).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use ast_grep_core::AstGrep;
    use ast_grep_core::tree_sitter::StrDoc;

    use super::*;
    use crate::SPECIALISTS;
    use crate::syntax::SyntaxTree;

    pub(super) fn tree(language: Language, text: &str) -> SyntaxTree {
        AstGrep::doc(StrDoc::try_new(text, language.grammar().expect("the language has a grammar")).unwrap())
    }

    /// Compares the list with the library for a node.
    fn compare(node: Node<'_>, other: tree_sitter::Node<'_>, language: &tree_sitter::Language) {
        assert_eq!((node.kind(), node.byte_range()), (other.kind(), other.byte_range()));
        let flags = [node.is_named(), node.is_extra(), node.is_error(), node.has_error()];
        assert_eq!(flags, [other.is_named(), other.is_extra(), other.is_error(), other.has_error()]);
        assert_eq!(node.descendant_count(), other.descendant_count());
        let place = |other: tree_sitter::Node<'_>| (other.kind_id(), other.byte_range());
        let same = |node: Node<'_>| (node.kind_id(), node.byte_range());
        for id in 1..=language.field_count() as u16 {
            let Some(name) = language.field_name_for_id(id) else { continue };
            let (mine, theirs) = (node.child_by_field_name(name), other.child_by_field_name(name));
            assert_eq!(mine.map(same), theirs.map(place), "{name} of {}", other.kind());
            let mut cursor = other.walk();
            let theirs: Vec<_> = other.children_by_field_name(name, &mut cursor).map(place).collect();
            assert_eq!(node.children_by_field_name(name).map(same).collect::<Vec<_>>(), theirs);
        }
        assert_eq!(node.named_child_count(), other.named_child_count());
        let mut cursor = other.walk();
        let theirs: Vec<_> = other.children(&mut cursor).collect();
        let mine: Vec<Node<'_>> = node.children().collect();
        assert_eq!(mine.len(), theirs.len());
        for (mine, theirs) in mine.into_iter().zip(theirs) {
            assert!(mine.parent() == Some(node));
            if !mine.byte_range().is_empty() {
                let beside = [mine.previous(), mine.next()].map(|beside| beside.map(same));
                assert_eq!(beside, [theirs.prev_sibling(), theirs.next_sibling()].map(|beside| beside.map(place)));
            }
            compare(mine, theirs, language);
        }
    }

    #[test]
    fn the_list_says_what_the_tree_says() {
        let rules = SPECIALISTS.iter().flat_map(|specialist| specialist.rules());
        let mut seen = std::collections::BTreeMap::<Language, usize>::new();
        for rule in rules {
            let examples = rule.examples().unwrap();
            for example in examples.invalid.iter().chain(&examples.valid) {
                let Some(language) = Language::of(&example.path()).filter(|language| language.grammar().is_some())
                else {
                    continue;
                };
                // Every language has some, including broken ones.
                let count = seen.entry(language).or_default();
                *count += 1;
                if *count > 40 {
                    continue;
                }
                let whole = example.text();
                let half = whole.get(..whole.len() / 2).unwrap_or_default();
                for text in [whole.as_str(), half] {
                    let tree = tree(language, text);
                    let root = tree.root().get_inner_node();
                    compare(Nodes::parsed(language, text).root(), root, &root.language());
                }
            }
        }
        assert_eq!(seen.len(), Language::COUNT - 1, "{seen:?}");
    }

    #[test]
    fn a_tree_can_be_refused_on_the_way() {
        let tree = tree(Language::Python, "f(g(h(1)))");
        let root = tree.root().get_inner_node();
        let refused = Nodes::of(Language::Python, root, |_, depth| if depth > 3 { Err(depth) } else { Ok(()) });
        assert_eq!(refused.err(), Some(4));
        let nodes = Nodes::parsed(Language::Python, "f(1)");
        let kinds: Vec<&str> = nodes.root().descendants().map(Node::kind).collect();
        assert_eq!(
            kinds,
            ["module", "expression_statement", "call", "identifier", "argument_list", "(", "integer", ")"]
        );
    }
}
