//! Runs over the functions of a file and keeps what is known about every variable. In: a unit and a program. Out: matches.
//! Each function is gone through from top to bottom, its branches apart and joined behind; loops twice; functions of the
//! same file are followed into, to a small depth. All limits count steps, so that the same input ends the same everywhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::chunks::{self, PassedBy};
use super::env::Env;
use super::ir::{Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::names::{Glob, Name, Pattern};
use super::program::{Bits, Program};
use super::value::{Shape, Value};

/// How many expressions are evaluated in one file before it is given up as too entangled.
const MOST_STEPS: usize = 2_000_000;
/// How many before calls are no longer followed.
const MOST_FOLLOWED: usize = 400_000;
/// How many loops deep a loop is gone through twice.
const TWICE_WITHIN: usize = 3;
/// How deep calls are followed.
const DEEPEST_CALL: usize = 3;

/// A match of a flow rule.
pub(crate) struct Found {
    /// The clause of the program.
    pub(crate) clause: usize,
    pub(crate) span: Range<usize>,
    /// The dynamic part, where the taint comes from, and what is called: for the title.
    pub(crate) arg: Option<ExprId>,
    pub(crate) source: Option<ExprId>,
    pub(crate) callee: Option<ExprId>,
    /// Where it was found, and where the text was put together that it is about.
    at: ExprId,
    built_at: Option<ExprId>,
    root: usize,
}

/// What came of a file.
pub(crate) struct Outcome {
    pub(crate) found: Vec<Found>,
    /// The file was too entangled to be gone through.
    pub(crate) is_cut_short: bool,
}

/// Evaluates one file.
pub(super) struct Machine<'u, 't> {
    pub(super) unit: &'u Unit<'t>,
    pub(super) program: &'u Program,
    /// Which clauses could find something in the file.
    pub(super) enabled: Vec<bool>,
    /// The code in which none of them could.
    passed_by: PassedBy,
    pub(super) env: Env<'u>,
    globals: Env<'u>,
    imports: HashMap<&'u str, &'u str, FixedState>,
    by_name: HashMap<&'u str, FunctionId, FixedState>,
    by_class: HashMap<(&'u str, &'u str), FunctionId, FixedState>,
    at_top: BTreeSet<FunctionId>,
    /// What functions return when nothing tainted goes in.
    summaries: BTreeMap<FunctionId, Value<'u>>,
    /// Functions that are gone through once the code around them is, with what was known there.
    pending: Vec<FunctionId>,
    active: Vec<FunctionId>,
    /// How deep calls were followed.
    depth: usize,
    returned: Option<Value<'u>>,
    /// For each loop around: what is known where it is left.
    left: Vec<Option<Env<'u>>>,
    /// The function that evaluation started from, which `unless` looks at.
    pub(super) root: usize,
    pub(super) kept_off: BTreeSet<(usize, usize)>,
    found: BTreeMap<(usize, u32, u32, usize), Found>,
    steps: usize,
    /// The literals whose parts are being looked into: `x = [x[0]]` would go on for ever.
    pub(super) inside: Vec<ExprId>,
}

/// Goes through a file.
pub(crate) fn run<'u, 't: 'u>(unit: &'u Unit<'t>, program: &'u Program, is_enabled: impl Fn(usize) -> bool) -> Outcome {
    let imports_one = |globs: &[Glob]| {
        globs.is_empty() || unit.imports.iter().any(|import| globs.iter().any(|one| one.matches(&import.path)))
    };
    let enabled: Vec<bool> =
        program.clauses.iter().map(|clause| is_enabled(clause.rule) && imports_one(&clause.imports)).collect();
    let asked: Vec<usize> = (0..enabled.len()).filter(|clause| enabled[*clause]).collect();
    let Some(passed_by) = chunks::passed_by(unit, &program.needs, &asked) else {
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
        at_top: BTreeSet::new(),
        summaries: BTreeMap::new(),
        pending: Vec::new(),
        active: Vec::new(),
        depth: 0,
        returned: None,
        left: Vec::new(),
        root: 0,
        kept_off: BTreeSet::new(),
        found: BTreeMap::new(),
        steps: 0,
        inside: Vec::new(),
    };
    machine.file();
    let Machine { found, kept_off, steps, .. } = machine;
    // What the top of a file does counts for all of it.
    let stands = |one: &Found| ![one.root, 0].iter().any(|root| kept_off.contains(&(*root, one.clause)));
    let mut found: Vec<Found> = found.into_values().filter(stands).collect();
    // The same place is said once, however it was come to.
    found.dedup_by(|one, other| (one.clause, &one.span) == (other.clause, &other.span));
    // Text that goes somewhere is said once, too: where it goes to, not where it was put together.
    let rule = |one: &Found| program.clauses[one.clause].rule;
    let used: BTreeSet<(usize, ExprId)> = found.iter().filter_map(|one| Some((rule(one), one.built_at?))).collect();
    found.retain(|one| program.clauses[one.clause].concat.is_none() || !used.contains(&(rule(one), one.at)));
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
                }
            }
        }
        let unit = self.unit;
        self.run_block(&unit.body);
        self.globals = self.env.clone();
        let mut pending = std::mem::take(&mut self.pending);
        self.at_top = pending.iter().copied().collect();
        pending.retain(|id| !self.passed_by.function(*id));
        // What constructors put into an object, its other methods find there.
        pending.sort_by_key(|id| !is_constructor(self.unit.function(*id)));
        for id in pending {
            self.root = id.0 as usize + 1;
            self.env.clone_from(&self.globals);
            self.function(id, &[], None);
            if is_constructor(self.unit.function(id)) {
                self.globals.take(self.env.fields());
            }
        }
    }

    /// Counts a step. Once there were too many, nothing more is evaluated.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= MOST_STEPS
    }

    /// Runs statements; tells whether the code behind them is not reached.
    pub(super) fn run_block(&mut self, block: &'u Block) -> bool {
        let declared = self.pending.len();
        let mut has_left = false;
        for statement in block {
            if self.statement(statement) {
                has_left = true;
                break;
            }
        }
        // Functions within a function see what it knows once the block is through.
        if !self.active.is_empty() {
            for id in self.pending.split_off(declared) {
                self.closure(id, None);
            }
        }
        has_left
    }

    fn statement(&mut self, statement: &'u Stmt) -> bool {
        match statement {
            Stmt::Expr(id) => {
                if !self.passes_by(*id) {
                    self.eval(*id);
                }
                self.is_exit(*id)
            }
            Stmt::Assign { target, .. } if self.passes_by(*target) => false,
            Stmt::Assign { target, of, value } => {
                let given = value.map(|value| self.eval(value));
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
                    let value = self.with_members(*id, value);
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

    /// Tells whether a statement at the top of the file need not be gone through.
    fn passes_by(&self, id: ExprId) -> bool {
        self.active.is_empty() && self.passed_by.statement(id)
    }

    /// Adds to an object what was put into its members one by one.
    pub(super) fn with_members(&self, id: ExprId, mut value: Value<'u>) -> Value<'u> {
        if let Kind::Name(name) = self.unit.kind(id) {
            for member in self.env.values_within(name).filter(|member| member.taint != 0) {
                value.absorb(member);
                value.shape = value.shape.max(Shape::Dynamic);
            }
        }
        value
    }

    fn branch(&mut self, test: ExprId, then: &'u Block, otherwise: &'u Block) -> bool {
        let value = self.eval(test);
        match value.number.filter(|_| value.shape == Shape::Constant) {
            Some(0.0) => return self.run_block(otherwise),
            Some(_) => return self.run_block(then),
            None => {}
        }
        let guards = self.guards(test);
        let mut before = self.env.clone();
        self.clear(&guards.when_true);
        let then_left = self.run_block(then);
        std::mem::swap(&mut before, &mut self.env);
        self.clear(&guards.when_false);
        let otherwise_left = self.run_block(otherwise);
        match (then_left, otherwise_left) {
            (true, true) => return true,
            (true, false) => {}
            (false, true) => self.env = before,
            (false, false) => self.env.join(&before),
        }
        false
    }

    fn each(&mut self, each: Option<(ExprId, ExprId)>, test: Option<ExprId>, body: &'u Block) {
        let before = self.env.clone();
        // What one round leaves, the next one starts with. Loops within loops would double the work with each level.
        let rounds = if self.left.len() < TWICE_WITHIN { 2 } else { 1 };
        for _ in 0..rounds {
            if let Some(test) = test {
                self.eval(test);
                let guards = self.guards(test);
                self.clear(&guards.when_true);
            }
            if let Some((target, of)) = each {
                let of = self.eval(of);
                let item = Value { names: Vec::new(), text: None, literal: None, number: None, ..of };
                let item = if item.shape == Shape::Built { Value { shape: Shape::Dynamic, ..item } } else { item };
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

    /// Keeps what is known where a loop is left: the code behind it goes on with that.
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
            Kind::Name(name) => matches!(*name, "exit" | "die" | "abort" | "panic" | "halt"),
            Kind::Member(of, name) => {
                matches!(*name, "exit" | "Exit" | "abort")
                    && matches!(self.unit.kind(*of), Kind::Name("process" | "sys" | "os" | "System" | "Environment"))
            }
            _ => false,
        }
    }

    /// Gives a value the name of its declared type, and knows types that can do no harm.
    pub(super) fn typed(&mut self, value: Value<'u>, of: Option<ExprId>) -> Value<'u> {
        let Some(of) = of else { return value };
        let names = self.path_names(of);
        if self.program.safe_types.has(&names) {
            // A fixed number stays known.
            return if value.shape == Shape::Constant { value } else { value.made_safe() };
        }
        let mut value = value;
        let known = std::mem::replace(&mut value.names, names);
        value.names.extend(known);
        value.names.truncate(4);
        value
    }

    fn decorators(&mut self, id: FunctionId) {
        let function = self.unit.function(id);
        let on_params = function.params.iter().flat_map(|param| &param.decorators);
        for decorator in function.decorators.iter().chain(on_params) {
            self.eval(*decorator);
        }
    }

    /// Returns the names of a decorator, which may be called.
    pub(super) fn decorator_names(&mut self, id: ExprId) -> Vec<Name<'u>> {
        match self.unit.kind(id) {
            Kind::Call { callee, .. } => self.path_names(*callee),
            _ => self.path_names(id),
        }
    }

    /// Goes through a function of its own account. `element` is what its first parameter takes, if that is known.
    pub(super) fn closure(&mut self, id: FunctionId, element: Option<&Value<'u>>) -> Value<'u> {
        let outer = self.env.clone();
        let args: Vec<Value<'u>> = element.cloned().into_iter().collect();
        // A handler that is given away at the top of a file is a function of its own, as one with a name is.
        let root = self.root;
        if self.active.is_empty() {
            self.root = id.0 as usize + 1;
        }
        let result = self.function(id, &args, None);
        self.root = root;
        // What it assigns to variables around it stays.
        let inner = std::mem::replace(&mut self.env, outer);
        self.env.join_known(&inner);
        result
    }

    /// Follows a call into a function of the file. `object` is the path of what a method is called on.
    pub(super) fn follow(
        &mut self,
        id: FunctionId,
        args: &[Value<'u>],
        names: &[Option<&'u str>],
        object: Option<&str>,
    ) -> Option<Value<'u>> {
        let fields = object.map(|object| self.env.members(object)).unwrap_or_default();
        let is_plain = args.iter().all(|arg| arg.taint == 0 && arg.shape != Shape::Built && arg.function.is_none());
        if is_plain
            && fields.iter().all(|(_, value)| value.taint == 0)
            && let Some(known) = self.summaries.get(&id)
        {
            return Some(known.clone());
        }
        if self.active.contains(&id) || self.depth >= DEEPEST_CALL || self.steps > MOST_FOLLOWED {
            return None;
        }
        let mut env = if self.at_top.contains(&id) { self.globals.clone() } else { self.env.clone() };
        // What the object holds, the method finds in itself, and leaves there.
        fields.into_iter().for_each(|(name, value)| env.insert(&format!("this.{name}"), value));
        let outer = std::mem::replace(&mut self.env, env);
        self.depth += 1;
        let result = self.function(id, args, Some(names));
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.env, outer);
        if let Some(object) = object {
            let left = inner.members("this").into_iter();
            left.for_each(|(name, value)| self.env.insert(&format!("{object}.{name}"), value));
        }
        // The members of what it returns are made of its own variables.
        let literal = result.literal.filter(|_| result.taint == 0);
        Some(Value { literal, ..result })
    }

    /// Runs a function with arguments; those that are not given are whatever callers may pass.
    fn function(&mut self, id: FunctionId, args: &[Value<'u>], keywords: Option<&[Option<&'u str>]>) -> Value<'u> {
        let unit = self.unit;
        let function = unit.function(id);
        self.active.push(id);
        let loops = std::mem::take(&mut self.left);
        let outer = self.returned.take();
        for (at, param) in function.params.iter().enumerate() {
            let by_keyword = param.name.and_then(|name| {
                let at = keywords?.iter().position(|keyword| *keyword == Some(name))?;
                args.get(at)
            });
            let by_position =
                args.get(at).filter(|_| keywords.is_none_or(|all| all.get(at).is_none_or(Option::is_none)));
            let given = by_keyword.or(by_position).cloned();
            let value = self.parameter(function, param, given);
            self.assign(param.target, value, None);
        }
        self.run_block(&function.body);
        self.active.pop();
        self.left = loops;
        let result = std::mem::replace(&mut self.returned, outer).unwrap_or_default();
        let result = self.typed(result, function.result);
        if keywords.is_none() && args.is_empty() && self.active.is_empty() {
            self.summaries.insert(id, result.clone());
        }
        result
    }

    fn parameter(&mut self, function: &Function<'t>, param: &'u Param<'t>, given: Option<Value<'u>>) -> Value<'u> {
        let own = match self.unit.kind(param.target) {
            Kind::Name(name) => vec![Name::new(name)],
            _ => Vec::new(),
        };
        // Callers that are not seen may pass anything, whatever the default.
        let default = param.default.map(|default| self.eval(default));
        let mut value = given.unwrap_or_default();
        value.names.extend(own);
        let mut value = self.typed(value, param.of);
        // What a framework puts in itself (`= Depends(…)`) does not come from the request.
        let is_injected = default.is_some_and(|default| default.shape == Shape::Safe);
        let taint = if is_injected { 0 } else { self.parameter_sources(function, param) };
        if taint != 0 && value.shape != Shape::Safe {
            value.taint |= taint;
            value.origin = value.origin.or(Some(param.target));
        }
        value.at(param.target)
    }

    fn parameter_sources(&mut self, function: &Function<'t>, param: &Param<'t>) -> Bits {
        let program = self.program;
        if program.parameters.is_empty() {
            return 0;
        }
        let mut names =
            |ids: &[ExprId]| -> Vec<Name<'u>> { ids.iter().flat_map(|id| self.decorator_names(*id)).collect() };
        let decorators = names(&function.decorators);
        let annotations = names(&param.decorators);
        let of = param.of.map(|of| self.path_names(of)).unwrap_or_default();
        let result = function.result.map(|of| self.path_names(of)).unwrap_or_default();
        let any = |patterns: &[Pattern], names: &[Name<'_>]| {
            patterns.iter().any(|pattern| names.iter().any(|name| pattern.matches(name)))
        };
        let unit = self.unit;
        let has_signature = |signature: &[String]| {
            let names = function.params.iter().map(|param| match unit.kind(param.target) {
                Kind::Name(name) => *name,
                _ => "",
            });
            let is_first = function.params.first().is_some_and(|first| first.target == param.target);
            signature.is_empty() || is_first && names.eq(signature.iter().map(String::as_str))
        };
        let is_source = |patterns: &super::program::ParameterPatterns| {
            let given = [
                (&patterns.decorated, &decorators),
                (&patterns.of, &of),
                (&patterns.annotation, &annotations),
                (&patterns.result, &result),
            ];
            given.iter().all(|(patterns, names)| patterns.is_empty() || any(patterns, names))
                && has_signature(&patterns.signature)
        };
        program.parameters.iter().filter(|(patterns, _)| is_source(patterns)).fold(0, |all, (_, bits)| all | bits)
    }

    /// Returns the names of a path of `Name` and `Member`.
    pub(super) fn path_names(&mut self, id: ExprId) -> Vec<Name<'u>> {
        match self.unit.kind(id) {
            Kind::Name(name) => vec![Name::new(self.imports.get(name).copied().unwrap_or(name))],
            Kind::Member(of, name) => self.path_names(*of).iter().map(|known| known.member(name)).collect(),
            Kind::Call { callee, .. } => self.path_names(*callee),
            _ => Vec::new(),
        }
    }

    pub(super) fn imported(&self, name: &str) -> Option<&'u str> {
        self.imports.get(name).copied()
    }

    pub(super) fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.by_name.get(name).copied()
    }

    /// Returns a method of a class of the file.
    pub(super) fn method(&self, class: &str, name: &str) -> Option<FunctionId> {
        self.by_class.get(&(class, name)).copied()
    }

    /// Returns the function that is being gone through.
    pub(super) fn current(&self) -> Option<&'u Function<'t>> {
        self.active.last().map(|id| self.unit.function(*id))
    }

    /// Tells whether a function around the place at hand has one of the names.
    fn is_within(&self, patterns: &[Pattern]) -> bool {
        let mut around = self.active.iter().filter_map(|id| self.unit.function(*id).name);
        patterns.is_empty() || around.any(|name| patterns.iter().any(|pattern| pattern.matches(&Name::new(name))))
    }

    pub(super) fn report(&mut self, clause: usize, at: ExprId, value: Option<&Value<'u>>, callee: Option<ExprId>) {
        if !self.is_within(&self.program.clauses[clause].within) {
            return;
        }
        let expr = self.unit.expr(at);
        let arg = value.and_then(|value| value.dynamic);
        let source = value.and_then(|value| value.origin);
        let key = (clause, expr.start, expr.end, self.root);
        let built_at = value.and_then(|value| value.built_at);
        let span = expr.start as usize..expr.end as usize;
        let found = Found { clause, span, arg, source, callee, at, built_at, root: self.root };
        let known = self.found.entry(key).or_insert(found);
        known.built_at = known.built_at.or(built_at);
    }
}

/// The names of constructors in those languages in which they are not called what their class is.
pub(super) const CONSTRUCTORS: [&str; 4] = ["constructor", "__init__", "initialize", "__construct"];

pub(super) fn is_constructor(function: &Function<'_>) -> bool {
    function.class.is_some()
        && (function.name.is_some_and(|name| CONSTRUCTORS.contains(&name)) || function.name == function.class)
}
