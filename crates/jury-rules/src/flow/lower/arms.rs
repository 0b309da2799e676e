//! The arms of a switch as successive tests. In: the switched value, and each arm with its labels. Out: nested `if`s,
//! so that a value has only the results of arms that can run; and whether a block lets the following code run.
//! Deliberately not here: falling through from arm to arm.

use super::super::ir::{Block, ExprId, Kind, Stmt};
use super::Lowering;
use crate::nodes::Node;

/// The largest number of nested arms: walking the blocks recurses as deep.
const MOST_NESTED: usize = 32;

/// An arm: its labels (none for the default), and its body.
pub(crate) struct Arm<B> {
    pub(crate) labels: Vec<ExprId>,
    pub(crate) body: B,
}

/// Turns the arms of a switch into statements.
pub(crate) fn statements(to: &mut Lowering<'_>, on: ExprId, arms: Vec<Arm<Block>>, node: Node<'_>) -> Block {
    if arms.len() > MOST_NESTED {
        return vec![Stmt::Expr(on), Stmt::OneOf(arms.into_iter().map(|arm| arm.body).collect())];
    }
    let (tested, mut rest) = apart(arms);
    for arm in tested.into_iter().rev() {
        let test = test(to, on, &arm.labels, node);
        rest = vec![Stmt::If { test, then: arm.body, otherwise: rest }];
    }
    rest
}

/// Turns the arms of a switch expression into a value.
pub(crate) fn value(to: &mut Lowering<'_>, on: ExprId, arms: Vec<Arm<ExprId>>, node: Node<'_>) -> ExprId {
    if arms.len() > MOST_NESTED {
        let values = arms.into_iter().map(|arm| arm.body).collect();
        return to.add(Kind::Choice(values), node);
    }
    let mut rest = arms.iter().find(|arm| arm.labels.is_empty()).map(|arm| arm.body);
    for arm in arms.iter().rev().filter(|arm| !arm.labels.is_empty()) {
        // Without a default one of the arms is taken, so the last one needs no test.
        rest = Some(match rest {
            None => arm.body,
            Some(otherwise) => {
                let test = test(to, on, &arm.labels, node);
                to.add(Kind::If { test, then: arm.body, otherwise }, node)
            }
        });
    }
    rest.unwrap_or_else(|| to.other(vec![on], node))
}

/// Removes the default from the arms, wherever it is.
fn apart(arms: Vec<Arm<Block>>) -> (Vec<Arm<Block>>, Block) {
    let (tested, default): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| !arm.labels.is_empty());
    (tested, default.into_iter().next().map(|arm| arm.body).unwrap_or_default())
}

fn test(to: &mut Lowering<'_>, on: ExprId, labels: &[ExprId], node: Node<'_>) -> ExprId {
    let mut tests: Vec<ExprId> =
        labels.iter().map(|label| to.add(Kind::Operation("==", vec![on, *label]), node)).collect();
    match tests.len() {
        1 => tests.remove(0),
        _ => to.add(Kind::Operation("||", tests), node),
    }
}

/// Tells whether the code after a block is unreachable. The handlers of a `try` are reachable, so its body must not end
/// the code after it.
pub(crate) fn leaves(block: &Block) -> bool {
    match block.last() {
        Some(Stmt::Return(_) | Stmt::Leave(_)) => true,
        Some(Stmt::If { then, otherwise, .. }) => leaves(then) && leaves(otherwise),
        Some(Stmt::Block(inner)) => leaves(inner),
        _ => false,
    }
}
