//! The way of a value through the code. In: the places at which a value is read, assigned, passed and returned. Out:
//! their spans, for the trace of a finding. Deliberately not here: the lines of the finding itself.
//!
//! A trace is a list that shares its beginning with others: a step costs one allocation, a copy none. A way that is
//! too long to be told is the whole file, so that a trace never leaves out a line.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::ir::{ExprId, Unit};

/// The number of steps that are told in one file, for all of its findings together.
const MOST_TOLD: usize = 200_000;

/// The steps of a value up to a point of the code.
#[derive(Clone, Default)]
pub(crate) struct Trace(Option<Rc<Step>>);

struct Step {
    /// Up to two expressions: the target of an assignment and its value.
    at: [Option<ExprId>; 2],
    before: [Trace; 2],
}

/// Values that differ only in their ways are the same value.
impl PartialEq for Trace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "…" } else { "" })
    }
}

/// A way of many steps is dropped in a loop: recursion would overflow the stack.
impl Drop for Step {
    fn drop(&mut self) {
        let last_of = |trace: &mut Trace| trace.0.take().and_then(Rc::into_inner);
        let mut open: Vec<Self> = self.before.iter_mut().filter_map(last_of).collect();
        while let Some(mut step) = open.pop() {
            open.extend(step.before.iter_mut().filter_map(last_of));
        }
    }
}

impl Trace {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds a step.
    pub(super) fn step(&mut self, at: ExprId, from: Option<ExprId>) {
        let before = [std::mem::take(self), Self::default()];
        self.0 = Some(Rc::new(Step { at: [Some(at), from], before }));
    }

    /// Adds the steps of another.
    pub(super) fn join(&mut self, other: &Self) {
        let Some(theirs) = &other.0 else { return };
        let Some(mine) = &self.0 else {
            self.0 = Some(Rc::clone(theirs));
            return;
        };
        let follows = |one: &Rc<Step>, other: &Rc<Step>| {
            one.before.iter().any(|before| before.0.as_ref().is_some_and(|before| Rc::ptr_eq(before, other)))
        };
        if Rc::ptr_eq(mine, theirs) || follows(mine, theirs) {
            return;
        }
        if follows(theirs, mine) {
            self.0 = Some(Rc::clone(theirs));
            return;
        }
        let before = [std::mem::take(self), other.clone()];
        self.0 = Some(Rc::new(Step { at: [None; 2], before }));
    }
}

/// Tells the traces of a file within a limit.
pub(super) struct Teller<'u, 't> {
    unit: &'u Unit<'t>,
    whole: Range<usize>,
    left: usize,
}

impl<'u, 't> Teller<'u, 't> {
    pub(super) fn new(unit: &'u Unit<'t>, text: &str) -> Self {
        Self { unit, whole: 0..text.len(), left: MOST_TOLD }
    }

    /// Returns the spans of a trace, or the whole file beyond the limit.
    pub(super) fn spans(&mut self, trace: &Trace) -> Vec<Range<usize>> {
        let mut seen: HashSet<*const Step, FixedState> = HashSet::default();
        let mut spans = Vec::new();
        let mut open: Vec<&Rc<Step>> = trace.0.iter().collect();
        while let Some(step) = open.pop() {
            if !seen.insert(Rc::as_ptr(step)) {
                continue;
            }
            if self.left == 0 {
                return vec![self.whole.clone()];
            }
            self.left -= 1;
            let place = |id: &ExprId| self.unit.expr(*id).start as usize..self.unit.expr(*id).end as usize;
            spans.extend(step.at.iter().flatten().map(place));
            open.extend(step.before.iter().filter_map(|before| before.0.as_ref()));
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::ir::Kind;

    fn unit(count: usize) -> Unit<'static> {
        let mut unit = Unit::default();
        (0..count).for_each(|at| _ = unit.add(Kind::Name("x"), at..at + 1));
        unit
    }

    fn told(trace: &Trace) -> Vec<usize> {
        let unit = unit(9);
        let mut starts: Vec<usize> = Teller::new(&unit, "").spans(trace).into_iter().map(|span| span.start).collect();
        starts.sort_unstable();
        starts
    }

    #[test]
    fn ways_that_meet_share_their_beginning() {
        let mut one = Trace::default();
        one.step(ExprId(0), Some(ExprId(1)));
        let mut other = one.clone();
        one.step(ExprId(2), None);
        other.step(ExprId(3), None);
        one.join(&other);
        assert_eq!((told(&one), told(&other)), (vec![0, 1, 2, 3], vec![0, 1, 3]));
        let before = one.clone();
        one.join(&other);
        one.join(&before);
        one.join(&Trace::default());
        assert!(Rc::ptr_eq(one.0.as_ref().unwrap(), before.0.as_ref().unwrap()));
    }

    #[test]
    fn a_long_way_is_dropped_and_told_as_the_whole_file() {
        let mut trace = Trace::default();
        (0..=MOST_TOLD).for_each(|_| trace.step(ExprId(0), None));
        let unit = unit(1);
        let mut teller = Teller::new(&unit, "abc");
        assert_eq!(teller.spans(&trace), std::slice::from_ref(&(0..3)));
        assert!(teller.spans(&Trace::default()).is_empty());
    }
}
