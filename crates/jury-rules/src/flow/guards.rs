//! What a test says about the values behind it. In: the test of an `if`. Out: the variables that are harmless where it holds,
//! and where it does not: `if (!allowed.includes(name)) return;` leaves a harmless `name`.

use super::ir::{ExprId, Kind};
use super::machine::Machine;
use super::names::Name;
use super::program::{ALL, Bits};
use super::value::{Shape, Value};

/// The variables that a test clears, with the classes.
#[derive(Default)]
pub(super) struct Guards {
    pub(super) when_true: Vec<(ExprId, Bits)>,
    pub(super) when_false: Vec<(ExprId, Bits)>,
}

impl Guards {
    fn swapped(self) -> Self {
        Self { when_true: self.when_false, when_false: self.when_true }
    }
}

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Reads a test.
    pub(super) fn guards(&mut self, test: ExprId) -> Guards {
        let unit = self.unit;
        match unit.kind(test) {
            Kind::Operation("!" | "not", parts) => match parts[..] {
                [part] => self.guards(part).swapped(),
                _ => Guards::default(),
            },
            // All parts hold if the whole does; which one failed is not known.
            Kind::Operation("&&" | "and", parts) => Guards {
                when_true: parts.iter().flat_map(|part| self.guards(*part).when_true).collect(),
                when_false: Vec::new(),
            },
            Kind::Operation("||" | "or", parts) | Kind::Choice(parts) => {
                // Each part is read once: a long chain is deep, and twice at every level would be without end.
                let all: Vec<Guards> = parts.iter().map(|part| self.guards(*part)).collect();
                let when_true = self.in_each(&all);
                Guards { when_true, when_false: all.into_iter().flat_map(|part| part.when_false).collect() }
            }
            Kind::Operation("==" | "===" | "is" | "eq", parts) => self.equality(parts),
            Kind::Operation("!=" | "!==" | "is not" | "ne", parts) => self.equality(parts).swapped(),
            // `list.indexOf(x) < 0`, `list.indexOf(x) > -1`.
            Kind::Operation("<", parts) => parts.first().map(|part| self.guards(*part).swapped()).unwrap_or_default(),
            Kind::Operation(">" | ">=", parts) => parts.first().map(|part| self.guards(*part)).unwrap_or_default(),
            Kind::Operation("in", parts) => self.membership(parts),
            Kind::Operation("not in", parts) => self.membership(parts).swapped(),
            // A text in which no host is found leads nowhere else.
            Kind::Member(..) if self.host_of(test).is_some() => {
                Guards { when_true: Vec::new(), when_false: vec![(test, ALL)] }
            }
            Kind::Call { callee, .. } => self.tested(test, *callee),
            Kind::Assign { value, .. } => self.guards(*value),
            // `if !allowed[name]`: what a table has is one of what was put there.
            Kind::Index(of, index) if self.eval(*of).taint == 0 => clearing(*index),
            _ => Guards::default(),
        }
    }

    /// Returns what each of several tests clears: `x == "a" || x == "b"`.
    fn in_each(&self, tests: &[Guards]) -> Vec<(ExprId, Bits)> {
        let Some((first, rest)) = tests.split_first() else { return Vec::new() };
        let same = |one: ExprId, other: ExprId| self.path(one).is_some_and(|path| self.path(other) == Some(path));
        let bits_in = |id: ExprId, test: &Guards| {
            test.when_true.iter().filter(|(other, _)| same(id, *other)).fold(0, |all, (_, bits)| all | bits)
        };
        let cleared = first.when_true.iter().map(|(id, bits)| {
            let bits = rest.iter().fold(*bits, |all, test| all & bits_in(*id, test));
            (*id, bits)
        });
        cleared.filter(|(_, bits)| *bits != 0).collect()
    }

    /// A value that equals a fixed one is fixed.
    fn equality(&mut self, parts: &'u [ExprId]) -> Guards {
        let [left, right] = parts[..] else { return Guards::default() };
        let is_fixed = |machine: &mut Self, id| machine.eval(id).shape == Shape::Constant;
        let variable = match (is_fixed(self, left), is_fixed(self, right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return Guards::default(),
        };
        let fixed = if variable == left { right } else { left };
        // `valid(x) === true`, `typeof x === "number"`.
        match self.unit.kind(variable) {
            Kind::Call { .. } => {
                let is_negative = matches!(
                    self.unit.kind(fixed),
                    Kind::Literal("false" | "False" | "null" | "nil" | "None" | "undefined")
                );
                // `strpos($path, "/srv/") === 0` tells that it is there, `preg_match(…) == 0` that there is none.
                let is_negative = is_negative || matches!(self.eval(fixed).number, Some(-1.0 | 0.0));
                let guards = self.guards(variable);
                if is_negative { guards.swapped() } else { guards }
            }
            Kind::Operation("typeof", of) => match (&of[..], self.unit.kind(fixed)) {
                ([of], Kind::Text("number" | "boolean" | "bigint")) => clearing(*of),
                _ => Guards::default(),
            },
            _ => clearing(variable),
        }
    }

    fn membership(&mut self, parts: &'u [ExprId]) -> Guards {
        match parts[..] {
            [item, of] if self.eval(item).shape == Shape::Constant => {
                // `".." in path` tells that something harmful is in it.
                Guards { when_true: Vec::new(), when_false: vec![(of, ALL)] }
            }
            [item, _] => clearing(item),
            _ => Guards::default(),
        }
    }

    fn tested(&mut self, test: ExprId, callee: ExprId) -> Guards {
        let unit = self.unit;
        let Kind::Call { args, .. } = unit.kind(test) else { return Guards::default() };
        let mut names = match unit.kind(callee) {
            Kind::Member(of, name) => {
                let of = self.eval(*of);
                let mut names: Vec<Name<'u>> = of.names.iter().map(|known| known.member(name)).collect();
                names.push(Name::new("").member(name));
                names
            }
            _ => self.eval(callee).names,
        };
        names.extend(names.first().map(|name| Name::new(name.last())));
        let receiver = match unit.kind(callee) {
            Kind::Member(of, _) => Some(*of),
            _ => None,
        };
        if let Some(guards) = self.matched(test, callee, receiver) {
            return guards;
        }
        let mut refused = 0;
        self.program.refusals.each(&names, |bits| refused |= bits);
        let first = args.first().map(|arg| self.eval(arg.value)).filter(|first| first.shape == Shape::Constant);
        let fixed = first.and_then(|first| first.text);
        // `path.includes("..")` refuses, `path.startsWith("/srv/")` asks for it, and that a text is a web address says little.
        let has_words = |text: &str| text.chars().any(char::is_alphanumeric);
        let has_fixed_argument = fixed.as_deref().is_some_and(|text| !has_words(text));
        if fixed.is_some_and(|text| matches!(text.trim_end_matches(['/', ':']), "http" | "https" | "ftp")) {
            return Guards::default();
        }
        let subjects: Vec<ExprId> = receiver.into_iter().chain(args.iter().map(|arg| arg.value)).collect();
        let all = |bits: Bits| subjects.iter().map(|id| (*id, bits)).collect();
        if refused != 0 && (has_fixed_argument || args.len() > 1) {
            return Guards { when_true: Vec::new(), when_false: all(refused) };
        }
        let mut assured = 0;
        self.program.assurances.each(&names, |bits| assured |= bits);
        if assured != 0 {
            return Guards { when_true: all(assured), when_false: Vec::new() };
        }
        if self.program.validators.has(&names) {
            return Guards { when_true: all(ALL), when_false: Vec::new() };
        }
        Guards::default()
    }

    /// A match against a fixed pattern: one from start to end says what a value is, any other what it must not have in it.
    fn matched(&mut self, test: ExprId, callee: ExprId, receiver: Option<ExprId>) -> Option<Guards> {
        let unit = self.unit;
        let (Kind::Member(_, name) | Kind::Name(name)) = unit.kind(callee) else { return None };
        let is_whole = matches!(*name, "fullmatch" | "matches");
        if !is_whole
            && !matches!(
                *name,
                "test" | "match" | "search" | "exec" | "MatchString" | "preg_match" | "IsMatch" | "match?"
            )
        {
            return None;
        }
        let Kind::Call { args, .. } = unit.kind(test) else { return None };
        let subjects: Vec<ExprId> = receiver.into_iter().chain(args.iter().map(|arg| arg.value)).collect();
        let pattern = subjects.iter().find_map(|id| match self.eval(*id) {
            value if value.shape == Shape::Constant => value.text,
            _ => None,
        })?;
        let inner = pattern.trim_start_matches('/');
        let starts = is_whole
            || inner.starts_with('^')
            || inner.starts_with("\\A")
            || *name == "match" && !pattern.starts_with('/');
        let ends = is_whole
            || inner.trim_end_matches(|c: char| c.is_ascii_lowercase()).trim_end_matches('/').ends_with('$')
            || inner.ends_with("\\z")
            || inner.ends_with("\\Z");
        let all = subjects.iter().map(|id| (*id, ALL)).collect();
        Some(if starts && ends {
            Guards { when_true: all, when_false: Vec::new() }
        } else {
            Guards { when_true: Vec::new(), when_false: all }
        })
    }

    /// Returns the address whose host an expression is: `u` of `u.Hostname()`.
    fn host_of(&self, id: ExprId) -> Option<ExprId> {
        let member = match self.unit.kind(id) {
            Kind::Call { callee, .. } => self.unit.kind(*callee),
            kind => kind,
        };
        match member {
            Kind::Member(of, "Host" | "Hostname" | "host" | "hostname" | "getHost" | "host_str" | "netloc") => {
                Some(*of)
            }
            _ => None,
        }
    }

    /// Returns the variable that calls give back in another form: `x` of `str(x)`, of `x.lower()`, of `x.getCanonicalPath()`.
    fn first_passed(&mut self, id: ExprId) -> ExprId {
        let unit = self.unit;
        let mut first = id;
        while let Kind::Call { callee, args } = unit.kind(first) {
            let (names, inner) = match (unit.kind(*callee), &args[..]) {
                (Kind::Member(of, name), _) => (vec![Name::new("").member(name)], *of),
                (_, [only]) => (self.path_names(*callee), only.value),
                _ => return first,
            };
            if !self.program.passes.has(&names) {
                return first;
            }
            first = inner;
        }
        first
    }

    /// Notes that variables are harmless from here on.
    pub(super) fn clear(&mut self, guards: &[(ExprId, Bits)]) {
        for (id, bits) in guards {
            // What is known of the host of an address is known of the address, and of the text that it was read from.
            let host_of = self.host_of(*id);
            if let Some(origin) = host_of.and_then(|of| self.eval(of).origin) {
                let is_same = |value: &Value<'_>| value.origin == Some(origin) && !value.is_fixed();
                self.env.change(is_same, |value| value.cleared |= bits);
            }
            let id = self.first_passed(host_of.unwrap_or(*id));
            let Some(path) = self.path(id) else { continue };
            let value = self.eval(id);
            if !value.is_fixed() {
                self.env.insert(&path, Value { cleared: value.cleared | bits, ..value });
            }
        }
    }
}

fn clearing(variable: ExprId) -> Guards {
    Guards { when_true: vec![(variable, ALL)], when_false: Vec::new() }
}
