//! What followed calls came to. In: a call with all that decides what comes of it. Out: the same again, without going through
//! the function once more: loops, tests and callers of callers make the same call many times.
//!
//! What is known holds while one function of the file is gone through with all that it calls; then it is forgotten.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::env::Members;
use super::ir::{ExprId, FunctionId};
use super::value::Value;

/// How many calls of one function are kept in mind; to compare a call with more takes longer than they save.
const MOST_KEPT: usize = 16;

/// A call of a function at the top of the file, which sees nothing of what is around its callers.
#[derive(PartialEq)]
pub(super) struct Call<'u> {
    pub(super) args: Vec<Value<'u>>,
    pub(super) keywords: Vec<Option<&'u str>>,
    /// What the object holds that it is called on, if there is one.
    pub(super) fields: Option<Members<'u>>,
    /// The functions that are being gone through, which are not followed into again, and how many of them by calls.
    pub(super) active: Vec<FunctionId>,
    pub(super) depth: usize,
    pub(super) inside: Vec<ExprId>,
}

/// What came of a call: its result, and what it left in its object.
#[derive(Clone)]
pub(super) struct Came<'u> {
    pub(super) result: Value<'u>,
    pub(super) left: Members<'u>,
}

/// The calls that were followed.
#[derive(Default)]
pub(super) struct Memory<'u>(HashMap<FunctionId, Vec<(Call<'u>, Came<'u>)>, FixedState>);

impl<'u> Memory<'u> {
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    pub(super) fn of(&self, id: FunctionId, call: &Call<'u>) -> Option<&Came<'u>> {
        self.0.get(&id)?.iter().find(|(known, _)| known == call).map(|(_, came)| came)
    }

    pub(super) fn keep(&mut self, id: FunctionId, call: Call<'u>, came: Came<'u>) {
        let known = self.0.entry(id).or_default();
        if known.len() < MOST_KEPT {
            known.push((call, came));
        }
    }
}
