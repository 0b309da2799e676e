//! Functions of the file. In: a function, and the values it is called or passed with. Out: its return value, and the
//! changes to its object; to a small depth, so that mutual recursion ends.

use super::env::{Env, Members};
use super::ir::{ExprId, Function, FunctionId, Kind, Param};
use super::machine::Machine;
use super::memory::{Call, Came};
use super::names::{Name, Pattern};
use super::program::Bits;
use super::trace::Trace;
use super::value::{Value, ValueShape};

/// The number of expressions evaluated in one file after which calls are no longer followed.
const MOST_FOLLOWED: usize = 400_000;

/// How deep calls are followed.
const DEEPEST_CALL: usize = 3;

/// Facts about a parameter from its declaration.
#[derive(Default)]
struct Asked<'u> {
    /// Its source sets.
    sources: Bits,
    /// Its canonical name.
    named: Option<&'u str>,
    /// Its annotation makes it harmless.
    is_checked: bool,
}

impl<'u, 't: 'u> Machine<'u, 't> {
    pub(super) fn decorators(&mut self, id: FunctionId) {
        let function = self.unit.function(id);
        let on_params = function.params.iter().flat_map(|param| &param.decorators);
        for decorator in function.decorators.iter().chain(on_params) {
            self.eval(*decorator);
        }
    }

    /// Returns the names of a decorator, which may be a call.
    pub(super) fn decorator_names(&mut self, id: ExprId) -> Vec<Name<'u>> {
        match self.unit.kind(id) {
            Kind::Call { callee, .. } => self.path_names(*callee),
            _ => self.path_names(id),
        }
    }

    /// Evaluates a function on its own. `args` are the values of its first parameters, if known.
    pub(super) fn closure(&mut self, id: FunctionId, args: &[Value<'u>]) -> Value<'u> {
        let outer = self.env.clone();
        // A handler passed at the top level of a file is a root function, like a named one.
        let root = self.root;
        if self.active.is_empty() {
            self.root = id.0 as usize + 1;
        }
        let result = self.function(id, args, None);
        self.root = root;
        // Its assignments to outer variables persist.
        let inner = std::mem::replace(&mut self.env, outer);
        self.env.join_known(&inner);
        result
    }

    /// Evaluates a function that is passed by name; `to` are the names of the call that takes it. Functions that pass
    /// each other would recurse forever.
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

    /// Follows a call into a function of the file. `object` is the path of a method's receiver.
    pub(super) fn follow(
        &mut self,
        id: FunctionId,
        args: &[Value<'u>],
        names: &[Option<&'u str>],
        object: Option<&str>,
    ) -> Option<Value<'u>> {
        let is_plain = |arg: &Value<'u>| arg.taint == 0 && arg.shape != ValueShape::Built && arg.function.is_none();
        let has_no_taint = |object: &str| self.env.values_within(object).all(|value| value.taint == 0);
        if let Some(known) = self.summaries.get(&id)
            && args.iter().all(is_plain)
            && object.is_none_or(has_no_taint)
        {
            let known = args.iter().fold(known.clone(), Value::after);
            self.leans.insert((self.root, id.0 as usize + 1));
            return Some(known);
        }
        if self.active.contains(&id) || self.depth >= DEEPEST_CALL || self.steps > MOST_FOLLOWED {
            return None;
        }
        let fields = object.map(|object| self.env.members(object));
        let is_at_top = self.at_top.contains(&id);
        let call = is_at_top.then(|| Call {
            args: args.to_vec(),
            keywords: names.to_vec(),
            fields: fields.clone(),
            active: self.active.clone(),
            depth: self.depth,
            inside: self.inside.clone(),
        });
        let came = match call.as_ref().and_then(|call| self.memory.of(id, call)) {
            Some(known) => {
                let known = known.clone();
                self.again(known, args, fields.as_ref())
            }
            None => {
                let env = if is_at_top { self.globals.clone() } else { self.env.clone() };
                let came = self.come_of(id, args, names, env, fields);
                call.into_iter().for_each(|call| self.memory.keep(id, call, came.clone()));
                came
            }
        };
        if let Some(object) = object {
            self.env.put(object, &came.left);
        }
        Some(came.result)
    }

    /// Takes the result of an equal call. Its arguments may have come another way, which is added to everything that
    /// depends on them.
    fn again(&mut self, known: Came<'u>, args: &[Value<'u>], fields: Option<&Members<'u>>) -> Came<'u> {
        let Came { mut result, mut left, reported } = known;
        let mut trace = Trace::default();
        let of_fields = fields.into_iter().flat_map(Members::values).filter(|value| value.taint != 0);
        args.iter().chain(of_fields).for_each(|value| trace.join(&value.trace));
        if !trace.is_empty() {
            result.trace.join(&trace);
            fields.iter().for_each(|before| left.changed_by(before, &trace));
            for key in &reported {
                self.found.get_mut(key).into_iter().for_each(|found| found.trace.join(&trace));
            }
        }
        self.reported.extend(&reported);
        Came { result, left, reported }
    }

    /// Evaluates a function for a call. A method reads and writes the content of its receiver, if there is one.
    fn come_of(
        &mut self,
        id: FunctionId,
        args: &[Value<'u>],
        names: &[Option<&'u str>],
        mut env: Env<'u>,
        fields: Option<Members<'u>>,
    ) -> Came<'u> {
        fields.iter().for_each(|fields| env.put("this", fields));
        let outer = std::mem::replace(&mut self.env, env);
        self.depth += 1;
        let first = self.reported.len();
        let result = self.function(id, args, Some(names));
        let mut reported = self.reported.get(first..).unwrap_or_default().to_vec();
        reported.sort_unstable();
        reported.dedup();
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.env, outer);
        let left = fields.map(|_| inner.members("this")).unwrap_or_default();
        // The members of the return value refer to its local variables.
        let literal = result.literal.filter(|_| result.taint == 0);
        Came { result: Value { literal, ..result }, left, reported }
    }

    /// Enters a function to evaluate a test, unless the depth limit is reached.
    pub(super) fn enter(&mut self, id: FunctionId) -> bool {
        let is_new = !self.active.contains(&id) && self.depth < DEEPEST_CALL && self.steps <= MOST_FOLLOWED;
        if is_new {
            self.active.push(id);
            self.depth += 1;
        }
        is_new
    }

    /// Leaves the function that was entered last.
    pub(super) fn leave(&mut self) {
        self.active.pop();
        self.depth -= 1;
    }

    /// Runs a function with arguments; missing ones are unknown caller values.
    pub(super) fn function(
        &mut self,
        id: FunctionId,
        args: &[Value<'u>],
        keywords: Option<&[Option<&'u str>]>,
    ) -> Value<'u> {
        let unit = self.unit;
        let function = unit.function(id);
        let handed_to = std::mem::take(&mut self.handed_to);
        self.active.push(id);
        let loops = std::mem::take(&mut self.left);
        let outer = self.returned.take();
        // Calls on its own object may go to base classes.
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
            let is_given = given.is_some();
            let value = self.parameter(function, param, given, &handed_to);
            if is_given { self.assign(param.target, value, None) } else { self.bind(param.target, value, None) }
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
        // Unseen callers may pass anything, whatever the default.
        let default = param.default.map(|default| self.eval(default));
        let is_given = given.is_none() && function.name.is_some();
        let mut value = Value { is_given, ..given.unwrap_or_default() };
        value.names.extend(own);
        let mut value = self.typed(value, param.of);
        // Values injected by a framework (`= Depends(…)`) do not come from the request.
        let is_injected = default.is_some_and(|default| default.shape == ValueShape::Safe);
        let Asked { sources: taint, named, is_checked } = match is_injected {
            true => Asked::default(),
            false => self.parameter_sources(function, param, handed_to),
        };
        if is_checked {
            return value.made_safe();
        }
        value.names.splice(0..0, named.map(Name::new));
        if taint != 0 && value.shape != ValueShape::Safe {
            value.taint |= taint;
            value.origin = value.origin.or(Some(param.target));
        }
        value.at(param.target)
    }

    /// Returns the facts about a parameter from its declaration.
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
}
