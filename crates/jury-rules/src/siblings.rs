//! Questions about the siblings of a node, answered from an index. In: a condition on siblings, and a node. Out: whether
//! one of them could meet it. Each list of siblings is looked through once per condition: asking anew for every node of
//! a long list would cost the square of its length.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher};

use foldhash::fast::FixedState;

use crate::node_condition::{NodeCondition, TwinBeside};
use crate::nodes::Node;

/// How much of a node is compared: its nodes, and the bytes of its text.
const MOST_NODES: usize = 256;
const MOST_BYTES: usize = 1024;

/// A condition, by its address, and the parent of the siblings.
type Key = (usize, u32);

/// The answers for one file.
#[derive(Default)]
pub(crate) struct Siblings {
    shaped: RefCell<HashMap<Key, Ends, FixedState>>,
    twins: RefCell<HashMap<Key, HashMap<u64, Ends, FixedState>, FixedState>>,
}

/// The first and the last sibling that meet a condition.
#[derive(Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
}

impl Ends {
    const NONE: Self = Self { first: u32::MAX, last: 0 };

    fn add(&mut self, node: Node<'_>) {
        self.first = self.first.min(node.index());
        self.last = self.last.max(node.index());
    }

    /// Tells whether one stands before a node, or behind it.
    fn are_beside(self, node: Node<'_>, is_before: bool) -> bool {
        if is_before { self.first < node.index() } else { self.last > node.index() }
    }
}

impl Siblings {
    /// Tells whether a sibling on one side could have a shape.
    pub(crate) fn has(&self, shape: &NodeCondition, is_before: bool, node: Node<'_>, text: &str) -> bool {
        let Some(parent) = node.parent() else { return false };
        let key = (std::ptr::from_ref(shape) as usize, parent.index());
        let known = self.shaped.borrow().get(&key).copied();
        let ends = known.unwrap_or_else(|| {
            let mut ends = Ends::NONE;
            let shaped = parent.children().filter(|sibling| shape.may_match(*sibling, text, self));
            shaped.for_each(|sibling| ends.add(sibling));
            self.shaped.borrow_mut().insert(key, ends);
            ends
        });
        ends.are_beside(node, is_before)
    }

    /// Tells whether a sibling on one side could hold a node equal to one in a node.
    pub(crate) fn has_twin(&self, twin: &TwinBeside, node: Node<'_>, text: &str) -> bool {
        let Some(parent) = node.parent() else { return false };
        let mut all = self.twins.borrow_mut();
        let of_list = all.entry((std::ptr::from_ref(twin) as usize, parent.index())).or_insert_with(|| {
            let mut index: HashMap<u64, Ends, FixedState> = HashMap::default();
            for sibling in parent.children() {
                twin.theirs(sibling, &mut |inner| {
                    digests(inner, text).for_each(|digest| index.entry(digest).or_insert(Ends::NONE).add(sibling));
                });
            }
            index
        });
        let mut is_there = false;
        twin.mine(node, &mut |inner| {
            let mut alike = digests(inner, text).filter_map(|digest| of_list.get(&digest));
            is_there |= alike.any(|ends| ends.are_beside(node, twin.is_before()));
        });
        is_there
    }
}

/// Returns the digests of which equal nodes share one: of the structure with the texts of its leaves, and of the text.
fn digests(node: Node<'_>, text: &str) -> impl Iterator<Item = u64> {
    let mut structure = FixedState::default().build_hasher();
    write(node, text, &mut structure, &mut { MOST_NODES });
    let mut whole = FixedState::default().build_hasher();
    write_text(node, text, &mut whole);
    [structure.finish(), whole.finish()].into_iter()
}

fn write(node: Node<'_>, text: &str, into: &mut impl Hasher, left: &mut usize) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    if node.named_child_count() == 0 {
        return write_text(node, text, into);
    }
    node.kind_id().hash(into);
    node.children().for_each(|child| write(child, text, into, left));
}

fn write_text(node: Node<'_>, text: &str, into: &mut impl Hasher) {
    let bytes = &text.as_bytes()[node.byte_range()];
    bytes.len().hash(into);
    bytes[..bytes.len().min(MOST_BYTES)].hash(into);
}
