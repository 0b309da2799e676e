//! Runs over the functions of a file and keeps what is known about every variable. In: a unit and a program. Out: matches.
//! Each function is gone through from top to bottom, its branches apart and joined behind; loops twice; functions of the
//! same file are followed into, to a small depth. All limits count steps, so that the same input ends the same everywhere.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::chunks::{self, PassedBy};
use super::env::Env;
use super::ir::{Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::memory::{Call, Came, Memory};
use super::names::{Glob, Name, Pattern};
use super::place::Surroundings;
use super::program::{Bits, Compiled, Program};
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
    pub(super) at: ExprId,
    built_at: Option<ExprId>,
    root: usize,
}

/// What is known about a parameter from where it stands.
#[derive(Default)]
struct Asked<'u> {
    /// The source sets that it is of.
    sources: Bits,
    /// What it goes by.
    named: Option<&'u str>,
    /// Its annotation makes sure that it is harmless.
    is_checked: bool,
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
    /// For each class that derives from others: their names.
    ancestors: HashMap<&'u str, Vec<Name<'u>>, FixedState>,
    /// The methods that are read as if they were fields.
    properties: BTreeSet<FunctionId>,
    at_top: BTreeSet<FunctionId>,
    /// What functions return when nothing tainted goes in.
    summaries: BTreeMap<FunctionId, Value<'u>>,
    /// What came of the calls that the function at hand, or what it calls, makes.
    memory: Memory<'u>,
    /// Functions that are gone through once the code around them is, with what was known there.
    pending: Vec<FunctionId>,
    active: Vec<FunctionId>,
    /// How deep calls were followed.
    depth: usize,
    pub(super) returned: Option<Value<'u>>,
    /// For each loop around: what is known where it is left.
    left: Vec<Option<Env<'u>>>,
    /// The function that evaluation started from, which `unless` looks at.
    pub(super) root: usize,
    pub(super) kept_off: BTreeSet<(usize, usize)>,
    /// The clauses that find nothing in the branches at hand.
    asked: Vec<usize>,
    found: BTreeMap<(usize, u32, u32, usize), Found>,
    steps: usize,
    /// What the parts of the file stand in; found when a clause first asks.
    surroundings: OnceCell<Surroundings>,
    /// The literals whose parts are being looked into: `x = [x[0]]` would go on for ever.
    pub(super) inside: Vec<ExprId>,
    /// The item of a list that last met a condition.
    pub(super) item: Option<ExprId>,
    /// The names of the call that the function at hand is given to, until it is gone through.
    pub(super) handed_to: Vec<Name<'u>>,
    /// What was made, and what of it was cleared for these classes.
    pub(super) cleared_made: BTreeMap<ExprId, Bits>,
    /// The declared types of fields, by name.
    field_types: HashMap<&'u str, Vec<Name<'u>>, FixedState>,
}

/// Goes through a file; `is_thorough` passes nothing in it by.
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
        asked: Vec::new(),
        found: BTreeMap::new(),
        steps: 0,
        surroundings: OnceCell::new(),
        inside: Vec::new(),
        item: None,
        handed_to: Vec::new(),
        cleared_made: BTreeMap::new(),
        field_types: HashMap::default(),
    };
    machine.file();
    let Machine { found, kept_off, steps, cleared_made, .. } = machine;
    // What the top of a file does counts for all of it.
    let stands = |one: &Found| ![one.root, 0].iter().any(|root| kept_off.contains(&(*root, one.clause)));
    let mut found: Vec<Found> = found.into_values().filter(stands).collect();
    // Text that goes somewhere is said once: where it goes to, not where it was put together.
    let rule = |one: &Found| program.clauses[one.clause].rule;
    let used: BTreeSet<(usize, ExprId)> = found.iter().filter_map(|one| Some((rule(one), one.built_at?))).collect();
    // The same place is said once, too, however it was come to.
    found.dedup_by(|one, other| (one.clause, &one.span) == (other.clause, &other.span));
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
        // What constructors put into an object, its other methods find there.
        pending.sort_by_key(|id| !is_constructor(self.unit.function(*id)));
        for id in pending {
            self.root = id.0 as usize + 1;
            self.env.clone_from(&self.globals);
            self.memory.forget();
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

    /// Learns what a call makes sure of that ends everything otherwise: `assert(allowed.has(x))`.
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

    /// Gives a value the name of its declared type, and knows types that can do no harm.
    pub(super) fn typed(&mut self, value: Value<'u>, of: Option<ExprId>) -> Value<'u> {
        let Some(of) = of else { return value };
        let names = self.path_names(of);
        if self.program.safe_types.has(&names) {
            // A fixed number stays known.
            return if value.shape == Shape::Constant { value } else { value.made_safe() };
        }
        let mut value = if self.is_enum(&names) { value.made_safe() } else { value };
        let known = std::mem::replace(&mut value.names, names);
        value.names.extend(known);
        value.names.truncate(4);
        value
    }

    /// Notes the type that a field is declared with: whatever it is given is of that type.
    fn declare(&mut self, target: ExprId, of: Option<ExprId>) {
        let unit = self.unit;
        if let (Some(of), Kind::Member(object, name)) = (of, unit.kind(target))
            && matches!(unit.kind(*object), Kind::Name("this"))
        {
            let names = self.path_names(of);
            let is_safe = self.program.safe_types.has(&names);
            let known = self.field_types.entry(name).or_insert_with(|| names.clone());
            // Of two classes whose fields have one name, the one that may hold text counts.
            if self.program.safe_types.has(known) && !is_safe {
                *known = names;
            }
        }
    }

    /// Returns the names of the declared type of a field.
    pub(super) fn field_type(&self, path: &str) -> &[Name<'u>] {
        path.strip_prefix("this.").map(|name| self.field_type_of(name)).unwrap_or_default()
    }

    /// Returns the names of the declared type of the fields of a name.
    pub(super) fn field_type_of(&self, name: &str) -> &[Name<'u>] {
        self.field_types.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Tells whether a name is that of a class of the file.
    pub(super) fn is_class(&self, names: &[Name<'_>]) -> bool {
        !self.unit.classes.is_empty() && names.iter().any(|name| self.unit.classes.contains(&name.last()))
    }

    /// Tells whether a name is that of an enum of the file.
    pub(super) fn is_enum(&self, names: &[Name<'_>]) -> bool {
        !self.unit.enums.is_empty() && names.iter().any(|name| self.unit.enums.contains(&name.last()))
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

    /// Goes through a function of its own account. `args` are what its first parameters take, if that is known.
    pub(super) fn closure(&mut self, id: FunctionId, args: &[Value<'u>]) -> Value<'u> {
        let outer = self.env.clone();
        // A handler that is given away at the top of a file is a function of its own, as one with a name is.
        let root = self.root;
        if self.active.is_empty() {
            self.root = id.0 as usize + 1;
        }
        let result = self.function(id, args, None);
        self.root = root;
        // What it assigns to variables around it stays.
        let inner = std::mem::replace(&mut self.env, outer);
        self.env.join_known(&inner);
        result
    }

    /// Goes through a function that is named where it is given away; `to` are the names of the call that takes it. Functions
    /// that name each other would go on for ever.
    pub(super) fn named_function(&mut self, id: FunctionId, to: &[Name<'u>]) -> Value<'u> {
        if self.active.contains(&id) || self.depth >= DEEPEST_CALL || self.steps > MOST_FOLLOWED {
            return Value::default();
        }
        self.depth += 1;
        self.handed_to = to.to_vec();
        let result = self.closure(id, &[]);
        self.depth -= 1;
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
        let is_at_top = self.at_top.contains(&id);
        let call = is_at_top.then(|| Call {
            args: args.to_vec(),
            keywords: names.to_vec(),
            fields: object.map(|_| fields.clone()),
            active: self.active.clone(),
            depth: self.depth,
            inside: self.inside.clone(),
        });
        let came = match call.as_ref().and_then(|call| self.memory.of(id, call)) {
            Some(known) => known.clone(),
            None => {
                let env = if is_at_top { self.globals.clone() } else { self.env.clone() };
                let came = self.come_of(id, args, names, env, fields, object.is_some());
                call.into_iter().for_each(|call| self.memory.keep(id, call, came.clone()));
                came
            }
        };
        if let Some(object) = object {
            came.left.into_iter().for_each(|(name, value)| self.env.insert(&format!("{object}.{name}"), value));
        }
        Some(came.result)
    }

    /// Goes through a function for a call of it. What the object holds, the method finds in itself, and leaves there.
    fn come_of(
        &mut self,
        id: FunctionId,
        args: &[Value<'u>],
        names: &[Option<&'u str>],
        mut env: Env<'u>,
        fields: Vec<(String, Value<'u>)>,
        is_method: bool,
    ) -> Came<'u> {
        fields.into_iter().for_each(|(name, value)| env.insert(&format!("this.{name}"), value));
        let outer = std::mem::replace(&mut self.env, env);
        self.depth += 1;
        let result = self.function(id, args, Some(names));
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.env, outer);
        let left = if is_method { inner.members("this") } else { Vec::new() };
        // The members of what it returns are made of its own variables.
        let literal = result.literal.filter(|_| result.taint == 0);
        Came { result: Value { literal, ..result }, left }
    }

    /// Notes that a function is gone through for the sake of a test, unless that goes too deep.
    pub(super) fn enter(&mut self, id: FunctionId) -> bool {
        let is_new = !self.active.contains(&id) && self.depth < DEEPEST_CALL && self.steps <= MOST_FOLLOWED;
        if is_new {
            self.active.push(id);
            self.depth += 1;
        }
        is_new
    }

    /// Notes that the function that was entered last is left.
    pub(super) fn leave(&mut self) {
        self.active.pop();
        self.depth -= 1;
    }

    /// Runs a function with arguments; those that are not given are whatever callers may pass.
    fn function(&mut self, id: FunctionId, args: &[Value<'u>], keywords: Option<&[Option<&'u str>]>) -> Value<'u> {
        let unit = self.unit;
        let function = unit.function(id);
        let handed_to = std::mem::take(&mut self.handed_to);
        self.active.push(id);
        let loops = std::mem::take(&mut self.left);
        let outer = self.returned.take();
        // What a method calls on its own object may be its ancestors'.
        if let Some(ancestors) = function.class.and_then(|class| self.ancestors.get(class)) {
            let names = std::iter::once(Name::new("this")).chain(ancestors.iter().take(3).cloned()).collect();
            self.env.insert("this", Value::named(names));
        }
        for (at, param) in function.params.iter().enumerate() {
            let by_keyword = param.name.and_then(|name| {
                let at = keywords?.iter().position(|keyword| *keyword == Some(name))?;
                args.get(at)
            });
            let by_position =
                args.get(at).filter(|_| keywords.is_none_or(|all| all.get(at).is_none_or(Option::is_none)));
            let given = by_keyword.or(by_position).cloned();
            let value = self.parameter(function, param, given, &handed_to);
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

    fn parameter(
        &mut self,
        function: &Function<'t>,
        param: &'u Param<'t>,
        given: Option<Value<'u>>,
        handed_to: &[Name<'u>],
    ) -> Value<'u> {
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
        let Asked { sources: taint, named, is_checked } = match is_injected {
            true => Asked::default(),
            false => self.parameter_sources(function, param, handed_to),
        };
        if is_checked {
            return value.made_safe();
        }
        value.names.splice(0..0, named.map(Name::new));
        if taint != 0 && value.shape != Shape::Safe {
            value.taint |= taint;
            value.origin = value.origin.or(Some(param.target));
        }
        value.at(param.target)
    }

    /// Returns what is known about a parameter from where it stands.
    fn parameter_sources(
        &mut self,
        function: &Function<'t>,
        param: &'u Param<'t>,
        handed_to: &[Name<'u>],
    ) -> Asked<'u> {
        let program = self.program;
        if program.parameters.is_empty() {
            return Asked::default();
        }
        let unit = self.unit;
        let mut given: Vec<ExprId> = Vec::new();
        for decorator in &param.decorators {
            if let Kind::Call { args, .. } = unit.kind(*decorator) {
                given.extend(args.iter().map(|arg| arg.value));
            }
        }
        let pipes: Vec<Name<'u>> = given.iter().flat_map(|id| self.decorator_names(*id)).collect();
        let mut names =
            |ids: &[ExprId]| -> Vec<Name<'u>> { ids.iter().flat_map(|id| self.decorator_names(*id)).collect() };
        let decorators = names(&function.decorators);
        let annotations = names(&param.decorators);
        let of = param.of.map(|of| self.path_names(of)).unwrap_or_default();
        let result = function.result.map(|of| self.path_names(of)).unwrap_or_default();
        let any = |patterns: &[Pattern], names: &[Name<'_>]| {
            patterns.iter().any(|pattern| names.iter().any(|name| pattern.matches(name)))
        };
        let own: Vec<Name<'u>> = match unit.kind(param.target) {
            Kind::Name(name) => vec![Name::new(name)],
            _ => Vec::new(),
        };
        let has_signature = |signature: &[String]| {
            let names = function.params.iter().map(|param| match unit.kind(param.target) {
                Kind::Name(name) => *name,
                _ => "",
            });
            let is_first = function.params.first().is_some_and(|first| first.target == param.target);
            signature.is_empty() || is_first && names.eq(signature.iter().map(String::as_str))
        };
        let named: Vec<Name<'_>> = function.name.into_iter().map(Name::new).collect();
        let is_source = |patterns: &super::program::ParameterPatterns| {
            let given = [
                (&patterns.decorated, &decorators),
                (&patterns.of, &of),
                (&patterns.annotation, &annotations),
                (&patterns.result, &result),
                (&patterns.named, &own),
            ];
            given.iter().all(|(patterns, names)| patterns.is_empty() || any(patterns, names))
                && (patterns.given_to.is_empty() || any(&patterns.given_to, handed_to))
                && (patterns.function.is_empty() || any(&patterns.function, &named))
                && has_signature(&patterns.signature)
        };
        let met = || program.parameters.iter().filter(|(patterns, _)| is_source(patterns));
        let named = met().filter(|_| given.is_empty()).find_map(|(patterns, _)| patterns.goes_by.as_deref());
        let is_checked = !pipes.is_empty() && met().any(|(patterns, _)| any(&patterns.unless, &pipes));
        Asked { sources: met().fold(0, |all, (_, bits)| all | bits), named, is_checked }
    }

    /// Returns the names of a path of `Name` and `Member`.
    pub(super) fn path_names(&mut self, id: ExprId) -> Vec<Name<'u>> {
        match self.unit.kind(id) {
            Kind::Name(name) => {
                let own = Name::new(self.imports.get(name).copied().unwrap_or(name));
                std::iter::once(own).chain(self.ancestors_of(name).iter().take(3).cloned()).collect()
            }
            Kind::Member(of, name) => self.path_names(*of).iter().map(|known| known.member(name)).collect(),
            Kind::Call { callee, .. } => self.path_names(*callee),
            _ => Vec::new(),
        }
    }

    /// Returns the names of what a class of the file derives from.
    pub(super) fn ancestors_of(&self, class: &str) -> &[Name<'u>] {
        self.ancestors.get(class).map(Vec::as_slice).unwrap_or_default()
    }

    /// Tells whether a decorator makes a method one that is read without a call.
    fn is_property(&self, decorator: ExprId) -> bool {
        let (Kind::Name(name) | Kind::Member(_, name)) = self.unit.kind(decorator) else { return false };
        matches!(*name, "property" | "cached_property")
    }

    /// Returns the method that reading a member of an object goes to.
    pub(super) fn property(&self, object: &Value<'u>, is_this: bool, name: &str) -> Option<FunctionId> {
        if self.properties.is_empty() {
            return None;
        }
        let own = || self.current()?.class.and_then(|class| self.method(class, name)).filter(|_| is_this);
        let classes = || object.names.iter().find_map(|class| self.method(class.last(), name));
        own().or_else(classes).filter(|method| self.properties.contains(method))
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

    /// Tells whether something around the place at hand is for a purpose of one of these names; the text that it is put into
    /// may say so, too.
    fn serves(&self, at: ExprId, purposes: &[Glob], with_text: bool) -> bool {
        let functions = self.active.iter().map(|id| self.unit.function(*id));
        let around = self.surroundings.get_or_init(|| Surroundings::of(self.unit)).around(self.unit, at, functions);
        let texts = around.texts.iter().filter(|_| with_text);
        around.names.iter().chain(texts).any(|name| {
            let name = name.to_ascii_lowercase();
            purposes.iter().any(|purpose| purpose.matches(&name))
        })
    }

    /// Tells whether a function around the place at hand has one of the names.
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
        let found = Found { clause, span, arg, source, callee, at, built_at, root: self.root };
        let known = self.found.entry(key).or_insert(found);
        known.built_at = known.built_at.or(built_at);
    }
}

/// The comparisons that clauses may be about, as calls of these names.
pub(super) const COMPARISONS: [&str; 4] = ["==", "!=", "===", "!=="];

/// The names of constructors in those languages in which they are not called what their class is.
pub(super) const CONSTRUCTORS: [&str; 4] = ["constructor", "__init__", "initialize", "__construct"];

pub(super) fn is_constructor(function: &Function<'_>) -> bool {
    function.class.is_some()
        && (function.name.is_some_and(|name| CONSTRUCTORS.contains(&name)) || function.name == function.class)
}
