//! Evaluates the functions of a file and tracks the value of every variable. In: a unit and a program. Out: matches.
//! Each function is evaluated top to bottom, its branches separately and joined afterwards; loops twice; calls to
//! functions of the file are followed to a small depth. All limits count steps, so that the same input gives the same
//! result everywhere.

use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::chunks::{self, PassedBy};
use super::env::Env;
use super::finding_position::Surroundings;
use super::ir::{Block, ExprId, Function, FunctionId, Kind, Stmt, Unit};
use super::memory::Memory;
use super::names::{Glob, Name, Pattern};
use super::program::{Bits, Compiled, Program};
use super::trace::Trace;
use super::value::{Value, ValueShape};

/// The number of expressions evaluated in one file before it is given up as too complex.
const MOST_STEPS: usize = 2_000_000;
/// The nesting depth up to which loops are evaluated twice.
const TWICE_WITHIN: usize = 3;

/// A match of a flow rule.
pub(crate) struct Found {
    /// The clause of the program.
    pub(crate) clause: usize,
    pub(crate) span: Range<usize>,
    /// The dynamic part, the source of the taint, and the callee: for the title.
    pub(crate) arg: Option<ExprId>,
    pub(crate) source: Option<ExprId>,
    pub(crate) callee: Option<ExprId>,
    /// Its place, and the place where its text was built.
    pub(super) at: ExprId,
    built_at: Option<ExprId>,
    root: usize,
    /// The ways of its values.
    pub(crate) trace: Trace,
}

/// A clause, a span, and the function where evaluation started.
pub(super) type ReportKey = (usize, u32, u32, usize);

/// The result for a file.
pub(crate) struct Outcome {
    pub(crate) found: Vec<Found>,
    /// The file was too complex to be evaluated.
    pub(crate) is_cut_short: bool,
}

/// Evaluates one file.
pub(super) struct Machine<'u, 't> {
    pub(super) unit: &'u Unit<'t>,
    pub(super) program: &'u Program,
    /// The clauses that could match in the file.
    pub(super) enabled: Vec<bool>,
    /// The code in which none of them could.
    passed_by: PassedBy,
    pub(super) env: Env<'u>,
    pub(super) globals: Env<'u>,
    pub(super) imports: HashMap<&'u str, &'u str, FixedState>,
    pub(super) by_name: HashMap<&'u str, FunctionId, FixedState>,
    pub(super) by_class: HashMap<(&'u str, &'u str), FunctionId, FixedState>,
    /// The names of the base classes of each derived class.
    pub(super) ancestors: HashMap<&'u str, Vec<Name<'u>>, FixedState>,
    /// The methods that are read like fields.
    pub(super) properties: BTreeSet<FunctionId>,
    pub(super) at_top: BTreeSet<FunctionId>,
    /// Return values of functions without tainted input.
    pub(super) summaries: BTreeMap<FunctionId, Value<'u>>,
    /// Results of the calls that the current function, or its callees, make.
    pub(super) memory: Memory<'u>,
    /// Functions that are evaluated after the surrounding code, with its environment.
    pub(super) pending: Vec<FunctionId>,
    pub(super) active: Vec<FunctionId>,
    /// The current depth of followed calls.
    pub(super) depth: usize,
    pub(super) returned: Option<Value<'u>>,
    /// For each enclosing loop: the environment at its exits.
    pub(super) left: Vec<Option<Env<'u>>>,
    /// The function where evaluation started, which `unless` refers to.
    pub(super) root: usize,
    pub(super) kept_off: BTreeSet<(usize, usize)>,
    /// Functions that were not evaluated again for a call, by caller: clauses suppressed in them are suppressed there
    /// as well.
    pub(super) leans: BTreeSet<(usize, usize)>,
    /// The same for clauses that require a certain call.
    pub(super) let_on: BTreeSet<(usize, usize)>,
    /// The clauses suppressed in the current branches.
    asked: Vec<usize>,
    pub(super) found: BTreeMap<ReportKey, Found>,
    /// The findings since the current function was entered from the top level, in order.
    pub(super) reported: Vec<ReportKey>,
    /// The ways of the values that met the conditions of the current clause.
    pub(super) met: Trace,
    pub(super) steps: usize,
    /// The context of each part of the file, computed on first use.
    surroundings: OnceCell<Surroundings>,
    /// The literals being evaluated: `x = [x[0]]` would recurse forever.
    pub(super) inside: Vec<ExprId>,
    /// The item of a list that last met a condition.
    pub(super) item: Option<ExprId>,
    /// The names of the call that takes the current function, until it is evaluated.
    pub(super) handed_to: Vec<Name<'u>>,
    /// For each variable of a function that holds the result of a test: the test.
    pub(super) answers: HashMap<(Option<FunctionId>, &'u str), ExprId, FixedState>,
    /// The results of `makes` matches, with the classes for which they were cleared.
    pub(super) cleared_made: BTreeMap<ExprId, Bits>,
    /// The declared types of fields, by name.
    pub(super) field_types: HashMap<&'u str, Vec<Name<'u>>, FixedState>,
}

/// Evaluates a file; `is_thorough` skips nothing.
pub(crate) fn run<'u, 't: 'u>(
    unit: &'u Unit<'t>,
    program: &'u Program,
    is_enabled: impl Fn(usize) -> bool,
    is_thorough: bool,
) -> Outcome {
    let imports_one = |globs: &[Glob]| {
        globs.is_empty() || unit.imports.iter().any(|import| globs.iter().any(|one| one.matches(&import.path)))
    };
    let enabled: Vec<bool> =
        program.clauses.iter().map(|clause| is_enabled(clause.rule) && imports_one(&clause.imports)).collect();
    let asked: Vec<usize> = (0..enabled.len()).filter(|clause| enabled[*clause]).collect();
    let passed_by =
        if is_thorough { Some(PassedBy::nothing(unit)) } else { chunks::passed_by(unit, &program.needs, &asked) };
    let Some(passed_by) = passed_by else {
        return Outcome { found: Vec::new(), is_cut_short: false };
    };
    let mut machine = Machine {
        unit,
        program,
        enabled,
        passed_by,
        env: Env::default(),
        globals: Env::default(),
        imports: unit.imports.iter().map(|import| (import.local, import.path.as_str())).collect(),
        by_name: HashMap::default(),
        by_class: HashMap::default(),
        ancestors: HashMap::default(),
        properties: BTreeSet::new(),
        at_top: BTreeSet::new(),
        summaries: BTreeMap::new(),
        memory: Memory::default(),
        pending: Vec::new(),
        active: Vec::new(),
        depth: 0,
        returned: None,
        left: Vec::new(),
        root: 0,
        kept_off: BTreeSet::new(),
        leans: BTreeSet::new(),
        let_on: BTreeSet::new(),
        asked: Vec::new(),
        found: BTreeMap::new(),
        reported: Vec::new(),
        met: Trace::default(),
        steps: 0,
        surroundings: OnceCell::new(),
        inside: Vec::new(),
        item: None,
        handed_to: Vec::new(),
        answers: HashMap::default(),
        cleared_made: BTreeMap::new(),
        field_types: HashMap::default(),
    };
    machine.file();
    let Machine { found, kept_off, let_on, leans, steps, cleared_made, .. } = machine;
    // The top level of a file affects all of it.
    let mut roots_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut stands = |one: &Found| {
        let roots = roots_of.entry(one.root).or_insert_with(|| leant_on(&leans, one.root));
        let is_in = |noted: &BTreeSet<(usize, usize)>| roots.iter().any(|root| noted.contains(&(*root, one.clause)));
        !is_in(&kept_off) && (!program.clauses[one.clause].must_be_let || is_in(&let_on))
    };
    let mut found: Vec<Found> = found.into_values().filter(&mut stands).collect();
    // Concatenated text is reported once: where it is used, not where it was built.
    let rule = |one: &Found| program.clauses[one.clause].rule;
    let used: BTreeSet<(usize, ExprId)> = found.iter().filter_map(|one| Some((rule(one), one.built_at?))).collect();
    // The same place is reported once, whichever way it was reached.
    found.dedup_by(|one, kept| {
        let is_same = (one.clause, &one.span) == (kept.clause, &kept.span);
        if is_same {
            kept.trace.join(&one.trace);
        }
        is_same
    });
    let is_made = |one: &Found| program.clauses[one.clause].makes || program.clauses[one.clause].concat.is_some();
    let is_cleared =
        |one: &Found| cleared_made.get(&one.at).is_some_and(|bits| bits & program.clauses[one.clause].clears != 0);
    found.retain(|one| !is_made(one) || !used.contains(&(rule(one), one.at)) && !is_cleared(one));
    Outcome { found, is_cut_short: steps > MOST_STEPS }
}

impl<'u, 't: 'u> Machine<'u, 't> {
    fn file(&mut self) {
        for (index, function) in self.unit.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            if let Some(name) = function.name {
                self.by_name.entry(name).or_insert(id);
                if let Some(class) = function.class {
                    self.by_class.entry((class, name)).or_insert(id);
                    if function.decorators.iter().any(|decorator| self.is_property(*decorator)) {
                        self.properties.insert(id);
                    }
                }
            }
        }
        let unit = self.unit;
        for (class, _) in &unit.bases {
            if !self.ancestors.contains_key(class) {
                let names = unit.ancestors(class).into_iter().flat_map(|base| self.path_names(base)).collect();
                self.ancestors.insert(class, names);
            }
        }
        self.run_block(&unit.body);
        self.globals = self.env.clone();
        let mut pending = std::mem::take(&mut self.pending);
        self.at_top = pending.iter().copied().collect();
        pending.retain(|id| !self.passed_by.function(*id));
        // Other methods see the fields that constructors set.
        pending.sort_by_key(|id| !is_constructor(self.unit.function(*id)));
        for id in pending {
            self.root = id.0 as usize + 1;
            self.env.clone_from(&self.globals);
            self.memory.forget();
            self.reported.clear();
            self.function(id, &[], None);
            if is_constructor(self.unit.function(id)) {
                self.globals.take(self.env.fields());
            }
        }
    }

    /// Counts a step. Beyond the limit nothing more is evaluated.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= MOST_STEPS
    }

    /// Runs statements; tells whether the code after them is unreachable.
    pub(super) fn run_block(&mut self, block: &'u Block) -> bool {
        let declared = self.pending.len();
        let mut has_left = false;
        for statement in block {
            if self.statement(statement) {
                has_left = true;
                break;
            }
        }
        // Nested functions see the environment at the end of the block.
        if !self.active.is_empty() {
            for id in self.pending.split_off(declared) {
                self.closure(id, &[]);
            }
        }
        has_left
    }

    pub(super) fn statement(&mut self, statement: &'u Stmt) -> bool {
        match statement {
            Stmt::Expr(id) => {
                if !self.passes_by(*id) {
                    self.eval(*id);
                    self.assert(*id);
                }
                self.is_exit(*id)
            }
            Stmt::Assign { target, .. } if self.passes_by(*target) => false,
            Stmt::Assign { target, of, value } => {
                let given = value.map(|value| self.eval(value));
                self.remember(*target, *value);
                self.declare(*target, *of);
                let given = self.typed(given.unwrap_or_default(), *of);
                self.assign(*target, given, *value);
                false
            }
            Stmt::Append { target, value } => {
                let parts = [self.eval(*target), self.eval(*value)];
                let mut whole = Value::concat(&parts);
                whole.names = parts.into_iter().next().map(|first| first.names).unwrap_or_default();
                self.assign(*target, whole, Some(*value));
                false
            }
            Stmt::If { test, then, otherwise } => self.branch(*test, then, otherwise),
            Stmt::Loop { each, test, body } => {
                self.each(*each, *test, body);
                false
            }
            Stmt::OneOf(blocks) => {
                let before = self.env.clone();
                let mut after = before.clone();
                for block in blocks {
                    self.env.clone_from(&before);
                    if !self.run_block(block) {
                        after.join(&std::mem::take(&mut self.env));
                    }
                }
                self.env = after;
                false
            }
            Stmt::Block(block) => self.run_block(block),
            Stmt::Function(id) => {
                self.decorators(*id);
                self.pending.push(*id);
                false
            }
            Stmt::Return(value) => {
                if let Some(id) = value {
                    let value = self.eval(*id);
                    let value = self.with_members(*id, value).via(*id);
                    self.judge_return(*id, &value);
                    self.returned = Some(match self.returned.take() {
                        Some(earlier) => earlier.join(value),
                        None => value,
                    });
                }
                true
            }
            Stmt::Leave(value) => {
                match value {
                    Some(value) => {
                        self.eval(*value);
                    }
                    None => self.leave_loop(),
                }
                true
            }
        }
    }

    /// Tells whether a top-level statement can be skipped.
    fn passes_by(&self, id: ExprId) -> bool {
        self.active.is_empty() && self.passed_by.statement(id)
    }

    /// Adds values that were put into its members one by one to an object.
    pub(super) fn with_members(&self, id: ExprId, mut value: Value<'u>) -> Value<'u> {
        if let Kind::Name(name) = self.unit.kind(id) {
            for member in self.env.values_within(name).filter(|member| member.taint != 0) {
                value.absorb(member);
                value.shape = value.shape.max(ValueShape::Dynamic);
            }
        }
        value
    }

    fn branch(&mut self, test: ExprId, then: &'u Block, otherwise: &'u Block) -> bool {
        let value = self.eval(test);
        match value.number.filter(|_| value.shape == ValueShape::Constant) {
            Some(0.0) => return self.run_block(otherwise),
            Some(_) => return self.run_block(then),
            None => {}
        }
        let guards = self.guards(test);
        let kept_off = self.judge_test(test);
        let outer = self.asked.len();
        self.asked.extend(kept_off);
        let mut before = self.env.clone();
        self.clear(&guards.when_true);
        let then_left = self.run_block(then);
        std::mem::swap(&mut before, &mut self.env);
        self.clear(&guards.when_false);
        let otherwise_left = self.run_block(otherwise);
        self.asked.truncate(outer);
        match (then_left, otherwise_left) {
            (true, true) => return true,
            (true, false) => {}
            (false, true) => self.env = before,
            (false, false) => self.env.join(&before),
        }
        false
    }

    pub(super) fn each(&mut self, each: Option<(ExprId, ExprId)>, test: Option<ExprId>, body: &'u Block) {
        let before = self.env.clone();
        // Each iteration starts with the result of the previous one. Nested loops would double the work at each level.
        let rounds = if self.left.len() < TWICE_WITHIN { 2 } else { 1 };
        for _ in 0..rounds {
            if let Some(test) = test {
                self.eval(test);
                let guards = self.guards(test);
                self.clear(&guards.when_true);
            }
            if let Some((target, from)) = each {
                let of = self.eval(from);
                let item = Value { names: Vec::new(), text: None, literal: None, number: None, ..of }.via(from);
                let item =
                    if item.shape == ValueShape::Built { Value { shape: ValueShape::Dynamic, ..item } } else { item };
                self.assign(target, item, None);
            }
            self.left.push(None);
            self.run_block(body);
            if let Some(left) = self.left.pop().flatten() {
                self.env.join(&left);
            }
        }
        self.env.join(&before);
    }

    /// Records the environment at a loop exit, with which the code after it continues.
    fn leave_loop(&mut self) {
        let Some(left) = self.left.last_mut() else { return };
        let known = self.env.clone();
        match left {
            Some(left) => left.join(&known),
            None => *left = Some(known),
        }
    }

    /// Tells whether an expression ends the program.
    fn is_exit(&self, id: ExprId) -> bool {
        let Kind::Call { callee, .. } = self.unit.kind(id) else { return false };
        match self.unit.kind(*callee) {
            Kind::Name(name) => {
                matches!(*name, "exit" | "die" | "abort" | "panic" | "halt")
                    || self.imported(name).is_some_and(|path| {
                        let ends = ["redirect", "permanentRedirect", "notFound"];
                        path.strip_prefix("next/navigation.").is_some_and(|name| ends.contains(&name))
                    })
            }
            Kind::Member(of, name) => {
                let of = self.unit.kind(*of);
                matches!(*name, "exit" | "Exit" | "abort")
                    && matches!(of, Kind::Name("process" | "sys" | "os" | "System" | "Environment"))
                    || *name == "throw" && matches!(of, Kind::Name("ctx" | "context"))
            }
            _ => false,
        }
    }

    /// Applies the facts that a terminating call establishes: `assert(allowed.has(x))`.
    fn assert(&mut self, id: ExprId) {
        let Kind::Call { callee, args } = self.unit.kind(id) else { return };
        let is_assertion = match self.unit.kind(*callee) {
            Kind::Name(name) => matches!(*name, "invariant" | "assert") && self.imported(name).is_some(),
            Kind::Member(of, "assert") => matches!(self.unit.kind(*of), Kind::Name("ctx" | "context")),
            Kind::Member(of, "ok") => matches!(self.unit.kind(*of), Kind::Name("assert")),
            _ => false,
        };
        if let Some(test) = args.first().filter(|_| is_assertion) {
            let guards = self.guards(test.value);
            self.clear(&guards.when_true);
        }
    }

    /// Tells whether something around the current place is named for one of these purposes; the text that it is
    /// inserted into may name it as well.
    fn serves(&self, at: ExprId, purposes: &[Glob], with_text: bool) -> bool {
        let functions = self.active.iter().map(|id| self.unit.function(*id));
        let around = self.surroundings.get_or_init(|| Surroundings::of(self.unit)).around(self.unit, at, functions);
        let texts = around.texts.iter().filter(|_| with_text);
        around.names.iter().chain(texts).any(|name| {
            let name = name.to_ascii_lowercase();
            purposes.iter().any(|purpose| purpose.matches(&name))
        })
    }

    /// Tells whether a function around the current place has one of the names.
    fn is_within(&self, patterns: &[Pattern]) -> bool {
        let mut around = self.active.iter().filter_map(|id| self.unit.function(*id).name);
        around.any(|name| patterns.iter().any(|pattern| pattern.matches(&Name::new(name))))
    }

    pub(super) fn report(&mut self, clause: usize, at: ExprId, value: Option<&Value<'u>>, callee: Option<ExprId>) {
        if self.asked.contains(&clause) {
            return;
        }
        let Compiled { within, only_in, except_in, .. } = &self.program.clauses[clause];
        let is_meant =
            (within.is_empty() || self.is_within(within)) && (only_in.is_empty() || self.serves(at, only_in, false));
        if !is_meant || !except_in.is_empty() && self.serves(at, except_in, true) {
            return;
        }
        let expr = self.unit.expr(at);
        let arg = value.and_then(|value| value.dynamic);
        let source = value.and_then(|value| value.origin);
        let key = (clause, expr.start, expr.end, self.root);
        let built_at = value.and_then(|value| value.built_at);
        let span = expr.start as usize..expr.end as usize;
        let trace = self.way(value, callee);
        self.reported.push(key);
        match self.found.entry(key) {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.built_at = known.built_at.or(built_at);
                known.trace.join(&trace);
            }
            Entry::Vacant(place) => {
                place.insert(Found { clause, span, arg, source, callee, at, built_at, root: self.root, trace });
            }
        }
    }

    /// Returns the ways of the values of a match, and of the variable that holds the called function.
    fn way(&self, value: Option<&Value<'u>>, callee: Option<ExprId>) -> Trace {
        let mut trace = self.met.clone();
        value.into_iter().for_each(|value| trace.join(&value.trace));
        if let Some(callee) = callee {
            trace.step(callee, None);
            if let Kind::Name(name) = self.unit.kind(callee)
                && let Some(called) = self.env.get(name)
            {
                trace.join(&called.trace);
            }
        }
        trace
    }
}

/// Returns the top level of the file, a function, and the functions it depends on.
fn leant_on(leans: &BTreeSet<(usize, usize)>, root: usize) -> BTreeSet<usize> {
    let mut roots = BTreeSet::from([0]);
    let mut open = vec![root];
    while let Some(root) = open.pop() {
        if roots.insert(root) {
            open.extend(leans.range((root, 0)..=(root, usize::MAX)).map(|(_, of)| *of));
        }
    }
    roots
}

/// The comparisons that clauses may match, as calls of these names.
pub(super) const COMPARISONS: [&str; 4] = ["==", "!=", "===", "!=="];

/// Constructor names in languages where they differ from the class name.
pub(super) const CONSTRUCTORS: [&str; 4] = ["constructor", "__init__", "initialize", "__construct"];

pub(super) fn is_constructor(function: &Function<'_>) -> bool {
    function.class.is_some()
        && (function.name.is_some_and(|name| CONSTRUCTORS.contains(&name)) || function.name == function.class)
}
