//! Rules over calls, values and taint. In: a file's syntax tree and the flow rules for its language. Out: matches.
//!
//! `lower` turns a tree into the intermediate representation of `ir`. `program` compiles rules (`spec`) and knowledge,
//! indexed by `names`. `chunks` finds the code that can be skipped, from the needs of the clauses (`needs`, with
//! `texts` and `spotter`). `machine` evaluates the rest, follows calls into `functions`, and keeps its state in `env`
//! and `memory`. It uses `declared` (declarations of the file), `expr` (values of expressions, with `calls`, `formats`
//! and `literals`), `assign` (assignments), `place` (the position and context of a finding), `lists` (list items),
//! `guards` (tests), `clause` (whether a rule matches) and `trace` (the way of a value to a match).

mod assign;
mod calls;
mod chunks;
mod clause;
mod declared;
mod env;
mod expr;
mod finding_position;
mod formats;
mod functions;
mod guards;
pub(crate) mod ir;
mod lists;
mod literals;
pub(crate) mod lower;
pub(crate) mod machine;
mod memory;
pub(crate) mod names;
mod needs;
pub(crate) mod program;
pub(crate) mod spec;
mod spotter;
mod texts;
mod trace;
mod value;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::claim::fill;
use crate::language::Language;
use crate::nodes::Node;
use crate::rules::Rules;
use crate::syntax::Found;

/// The matches of flow rules in a file.
pub(crate) struct Flows {
    pub(crate) found: Vec<Found>,
    /// Why the file, or the rest of it, was not reviewed.
    pub(crate) unreviewed: Option<String>,
}

/// Runs flow rules over a file. A language without a grammar has no root. `is_thorough` skips nothing.
pub(crate) fn find(
    language: Language,
    root: Option<Node<'_>>,
    text: &str,
    program: &program::Program,
    rules: &Rules,
    is_enabled: impl Fn(usize) -> bool,
    is_thorough: bool,
) -> Flows {
    let Some(unit) = lower::lower(language, root, text) else { return Flows { found: Vec::new(), unreviewed: None } };
    let outcome = machine::run(&unit, program, is_enabled, is_thorough);
    let code = |id: ir::ExprId| {
        let expr = unit.expr(id);
        std::borrow::Cow::Borrowed(&text[expr.start as usize..expr.end as usize])
    };
    let mut outcome = outcome;
    for found in &mut outcome.found {
        found.span.start = finding_position::start(&unit, &program.clauses[found.clause], found, text);
    }
    // Matches of several clauses of a rule at one place are one finding, that of the first, with the ways of all.
    let mut first: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
    let mut all: Vec<machine::Found> = Vec::new();
    for found in outcome.found {
        let place = (program.clauses[found.clause].rule, found.span.start, found.span.end);
        match first.entry(place) {
            Entry::Occupied(first) => all[*first.get()].trace.join(&found.trace),
            Entry::Vacant(next) => {
                next.insert(all.len());
                all.push(found);
            }
        }
    }
    let mut teller = trace::Teller::new(&unit, text);
    let span_of = |id: ir::ExprId| unit.expr(id).start as usize..unit.expr(id).end as usize;
    let found = all.into_iter().map(|found| {
        let clause = &program.clauses[found.clause];
        let value = |name: &str| match name {
            "SOURCE" => found.source.or(found.arg).map(code),
            "CALL" => found.callee.map(code),
            _ => found.arg.or(found.source).map(code),
        };
        let title = fill(&rules[clause.rule].title, value);
        Found {
            rule: clause.rule,
            span: found.span.clone(),
            trace: teller
                .spans(&found.trace)
                .into_iter()
                .chain([found.at].into_iter().chain(found.arg).map(span_of))
                .collect(),
            source: found.source.map(span_of),
            title,
            severity: clause.severity,
            confidence: clause.confidence,
            fix: None,
        }
    });
    let found = found.collect();
    let unreviewed =
        outcome.is_cut_short.then(|| "too entangled to be followed within the limit; reviewed in part".to_owned());
    Flows { found, unreviewed }
}
