//! Results of followed calls. In: a call with everything that determines its result. Out: the cached result, without
//! evaluating the function again: loops, tests and nested callers repeat the same call many times.
//!
//! The cache is valid while one function of the file is evaluated with all its callees; then it is cleared.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::env::Members;
use super::ir::{ExprId, FunctionId};
use super::machine::ReportKey;
use super::value::Value;

/// The number of cached calls per function; comparing a call with more takes longer than it saves.
const MOST_KEPT: usize = 16;

/// A call of a top-level function, which sees nothing of its callers' scope.
#[derive(PartialEq)]
pub(super) struct Call<'u> {
    pub(super) args: Vec<Value<'u>>,
    pub(super) keywords: Vec<Option<&'u str>>,
    /// The content of the receiver, if there is one.
    pub(super) fields: Option<Members<'u>>,
    /// The functions being evaluated, which are not followed again, and how many of them by calls.
    pub(super) active: Vec<FunctionId>,
    pub(super) depth: usize,
    pub(super) inside: Vec<ExprId>,
}

/// The result of a call: its value, and the changes to its receiver.
#[derive(Clone)]
pub(super) struct Came<'u> {
    pub(super) result: Value<'u>,
    pub(super) left: Members<'u>,
    /// The findings of the function and its callees.
    pub(super) reported: Vec<ReportKey>,
}

/// The followed calls.
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
