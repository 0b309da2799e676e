//! Facts that a test establishes. In: the condition of an `if`. Out: the variables that are harmless where it holds,
//! and where it does not: `if (!allowed.includes(name)) return;` leaves a harmless `name`.

use std::slice;

use super::ir::{Arg, ExprId, FunctionId, Kind, Stmt};
use super::machine::Machine;
use super::names::Name;
use super::program::{ALL, Bits};
use super::value::{Value, ValueShape};

/// The operators with a boolean result.
const TESTS: [&str; 14] =
    ["!", "not", "&&", "and", "||", "or", "==", "===", "!=", "!==", "in", "not in", "is", "is not"];

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
            // If the whole holds, all parts do. If it does not, one of them fails, and which one is unknown: `x != "a"
            // && x != "b"`.
            Kind::Operation("&&" | "and", parts) => {
                let all: Vec<Guards> = parts.iter().map(|part| self.guards(*part).swapped()).collect();
                let when_false = self.in_each(&all);
                Guards { when_true: all.into_iter().flat_map(|part| part.when_false).collect(), when_false }
            }
            Kind::Operation("||" | "or", parts) | Kind::Choice(parts) => {
                // Each part is read once: reading it twice at every level of a long chain would be exponential.
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
            // A URL without a host leads nowhere else.
            Kind::Member(..) if self.host_of(test).is_some() => {
                Guards { when_true: Vec::new(), when_false: vec![(test, ALL)] }
            }
            Kind::Call { callee, .. } => self.tested(test, *callee),
            Kind::Assign { value, .. } => self.guards(*value),
            Kind::Name(name) => self.remembered(name, test),
            // `if !allowed[name]`: a key of a table is one of its entries.
            Kind::Index(of, index) if self.eval(*of).taint == 0 => clearing(*index),
            _ => Guards::default(),
        }
    }

    /// Reads a variable as a test: the test whose result it holds, and that an empty value is harmless.
    fn remembered(&mut self, name: &'u str, id: ExprId) -> Guards {
        let key = (self.active.last().copied(), name);
        let mut guards = Guards::default();
        // It is removed while it is read: `ok = not ok` would recurse forever.
        if let Some(test) = self.answers.remove(&key) {
            guards = self.guards(test);
            self.answers.insert(key, test);
        }
        let is_tainted = self.env.get(name).is_some_and(|value| value.taint != 0);
        guards.when_false.extend(is_tainted.then_some((id, ALL)));
        guards
    }

    /// Records the test whose result is assigned to a variable: `ok = allowed(url)`.
    pub(super) fn remember(&mut self, target: ExprId, value: Option<ExprId>) {
        let unit = self.unit;
        let Kind::Name(name) = unit.kind(target) else { return };
        let key = (self.active.last().copied(), *name);
        let asks = |id: &ExprId| match unit.kind(*id) {
            Kind::Call { .. } => true,
            Kind::Operation(operator, _) => TESTS.contains(operator),
            _ => false,
        };
        match value.filter(asks) {
            Some(test) => _ = self.answers.insert(key, test),
            None => _ = self.answers.remove(&key),
        }
    }

    /// Returns the variables that each of several tests clears: `x == "a" || x == "b"`.
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

    /// A value that equals a constant is constant.
    fn equality(&mut self, parts: &'u [ExprId]) -> Guards {
        let [left, right] = parts[..] else { return Guards::default() };
        let is_fixed = |machine: &mut Self, id| machine.eval(id).shape == ValueShape::Constant;
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
                // `strpos($path, "/srv/") === 0` means found, `preg_match(…) == 0` means not found, and `strncmp($path,
                // $root, $length) === 0` means equal.
                let is_zero = matches!(self.eval(fixed).number, Some(-1.0 | 0.0));
                let is_negative = is_negative || is_zero && !self.is_comparison(variable);
                let guards = self.guards(variable);
                if is_negative { guards.swapped() } else { guards }
            }
            Kind::Operation("typeof", of) => match (&of[..], self.unit.kind(fixed)) {
                ([of], Kind::Text("number" | "boolean" | "bigint")) => clearing(*of),
                // A string is not an object, which is enough for some classes.
                ([of], Kind::Text("string")) => {
                    let mut assured = 0;
                    self.program.assurances.each(&[Name::new("typeof.string")], |bits| assured |= bits);
                    Guards { when_true: vec![(*of, assured)], when_false: Vec::new() }
                }
                _ => Guards::default(),
            },
            _ => clearing(variable),
        }
    }

    /// Tells whether a call returns zero for equal texts.
    fn is_comparison(&self, call: ExprId) -> bool {
        let Kind::Call { callee, .. } = self.unit.kind(call) else { return false };
        let (Kind::Name(name) | Kind::Member(_, name)) = self.unit.kind(*callee) else { return false };
        let name = name.to_ascii_lowercase();
        name.starts_with("str") && name.contains("cmp") || matches!(&*name, "substr_compare" | "compare" | "compareto")
    }

    fn membership(&mut self, parts: &'u [ExprId]) -> Guards {
        // `root in path.parents` establishes containment.
        if let [_, of] = parts[..]
            && let Kind::Member(path, "parents") = self.unit.kind(of)
        {
            return clearing(*path);
        }
        match parts[..] {
            [item, of] if self.eval(item).shape == ValueShape::Constant => {
                // `".." in path` shows that the value is harmful.
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
        if let (Some(pieces), [only]) = (receiver, &args[..])
            && matches!(unit.kind(only.value), Kind::Function(_))
            && let Some(guards) = self.piece_by_piece(pieces, callee)
        {
            return guards;
        }
        let mut refused = 0;
        self.program.refusals.each(&names, |bits| refused |= bits);
        let first = args.first().map(|arg| self.eval(arg.value)).filter(|first| first.shape == ValueShape::Constant);
        let fixed = first.and_then(|first| first.text);
        // `path.includes("..")` rejects, `path.startsWith("/srv/")` establishes containment, and a check for a web
        // address shows little.
        let has_words = |text: &str| text.chars().any(char::is_alphanumeric);
        let has_fixed_argument = fixed.as_deref().is_some_and(|text| !has_words(text));
        if fixed.as_deref().is_some_and(|text| matches!(text.trim_end_matches(['/', ':']), "http" | "https" | "ftp")) {
            return Guards::default();
        }
        let subjects: Vec<ExprId> = receiver.into_iter().chain(args.iter().map(|arg| arg.value)).collect();
        let all = |bits: Bits| subjects.iter().map(|id| (*id, bits)).collect();
        // `relative.startsWith("..")` shows that it leaves the directory.
        let leads_out = fixed.as_deref().is_some_and(|text| text.starts_with("..")) && has_fixed_argument;
        if leads_out && names.iter().any(|name| matches!(name.last(), "startsWith" | "includes")) {
            return Guards { when_true: Vec::new(), when_false: all(ALL) };
        }
        // `name.IndexOfAny(Path.GetInvalidFileNameChars())` tests for all of them.
        let asks_for_any = names.last().is_some_and(|name| name.last() == "IndexOfAny");
        // The comparison mode says nothing about the texts.
        let is_manner = |name: &Name<'_>| name.last().starts_with("Ordinal") || name.last().contains("Culture");
        let compared = args.last().is_some_and(|arg| self.eval(arg.value).names.iter().any(is_manner));
        let count = args.len() - usize::from(compared);
        if refused != 0 && (has_fixed_argument || asks_for_any || count > 1) {
            return Guards { when_true: Vec::new(), when_false: all(refused) };
        }
        if let Some(guards) = self.one_of_a_list(&names, receiver, args) {
            return guards;
        }
        let mut assured = 0;
        self.program.assurances.each(&names, |bits| assured |= bits);
        if assured != 0 {
            let mut when_true: Vec<(ExprId, Bits)> = all(assured);
            // `strings.HasPrefix(filepath.Join(root, name), root)` tests `name`.
            for arg in args {
                if let Kind::Call { callee, args: passed } = unit.kind(arg.value)
                    && let names = self.path_names(*callee)
                    && self.program.passes.has(&names)
                {
                    when_true.extend(passed.iter().map(|arg| (arg.value, assured)));
                }
            }
            return Guards { when_true, when_false: Vec::new() };
        }
        if let Some(guards) = self.of_items(&names, receiver, args) {
            return guards;
        }
        // `list.Any()` shows only that it is not empty.
        let asks_nothing = args.is_empty() && names.last().is_some_and(|name| name.last() == "Any");
        if !asks_nothing && self.program.validators.has(&names) {
            return Guards { when_true: all(ALL), when_false: Vec::new() };
        }
        self.answered(callee, args).unwrap_or_default()
    }

    /// A member of a literal list is one of a few values: `["a", "b"].contains(&name)`.
    fn one_of_a_list(&mut self, names: &[Name<'u>], list: Option<ExprId>, args: &'u [Arg<'t>]) -> Option<Guards> {
        let is_asked =
            names.last().is_some_and(|name| matches!(name.last(), "contains" | "includes" | "Contains" | "include?"));
        let (list, [item]) = (list.filter(|_| is_asked)?, args) else { return None };
        let list = self.eval(list);
        let is_list = list.literal.is_some_and(|list| matches!(self.unit.kind(list), Kind::List(_)));
        (is_list && list.shape == ValueShape::Constant).then(|| clearing(item.value))
    }

    /// Tells whether a function is a known validator.
    pub(super) fn is_validator(&self, names: &[Name<'u>]) -> bool {
        let last: Vec<Name<'u>> = names.iter().map(|name| Name::new(name.last())).collect();
        self.program.validators.has(names) || self.program.validators.has(&last)
    }

    /// A test of every item of a list, or for one of them: `ids.every((id) => isUuid(id))`.
    fn of_items(&mut self, names: &[Name<'u>], receiver: Option<ExprId>, args: &'u [Arg<'t>]) -> Option<Guards> {
        let is_every = match names.first()?.last() {
            "every" | "all" | "all?" => true,
            "some" | "any" | "any?" => false,
            _ => return None,
        };
        let (list, test) = (receiver?, args.first()?.value);
        let Kind::Function(function) = self.unit.kind(test) else {
            let names = self.eval(test).names;
            return (is_every && self.is_validator(&names)).then(|| clearing(list));
        };
        let item = Value { names: Vec::new(), text: None, literal: None, ..self.eval(list) };
        let (guards, item) = self.asked_of(*function, &item)?;
        let is_item = |machine: &Self, id: ExprId| machine.path(id).as_deref() == Some(item);
        let of_item = |machine: &Self, all: &[(ExprId, Bits)]| {
            all.iter().filter(|(id, _)| is_item(machine, *id)).fold(0, |all, (_, bits)| all | bits)
        };
        Some(if is_every {
            let bits = of_item(self, &guards.when_true);
            Guards { when_true: vec![(list, bits)], when_false: Vec::new() }
        } else {
            let bits = of_item(self, &guards.when_false);
            let others = guards.when_true.into_iter().filter(|(id, _)| !is_item(self, *id));
            Guards { when_true: others.collect(), when_false: vec![(list, bits)] }
        })
    }

    /// Returns the classes for which an item is harmless if a function accepts it.
    pub(super) fn passed_bits(&mut self, function: FunctionId, item: &Value<'u>) -> Bits {
        let Some((guards, name)) = self.asked_of(function, item) else { return 0 };
        let of_item = guards.when_true.iter().filter(|(id, _)| self.path(*id).as_deref() == Some(name));
        of_item.fold(0, |all, (_, bits)| all | bits)
    }

    /// Reads the test in a one-line function of its first parameter, and returns the parameter's name.
    fn asked_of(&mut self, function: FunctionId, item: &Value<'u>) -> Option<(Guards, &'u str)> {
        let unit = self.unit;
        let function = unit.function(function);
        let ([Stmt::Return(Some(test))], Kind::Name(name)) =
            (&function.body[..], unit.kind(function.params.first()?.target))
        else {
            return None;
        };
        let outer = self.env.clone();
        self.env.insert(name, item.clone());
        let guards = self.guards(*test);
        self.env = outer;
        Some((guards, name))
    }

    /// Facts that a function of the file establishes by returning true: `if (!inside(root, file)) return`.
    fn answered(&mut self, callee: ExprId, args: &'u [Arg<'t>]) -> Option<Guards> {
        let unit = self.unit;
        let id = match unit.kind(callee) {
            Kind::Name(_) => self.eval(callee).function?,
            Kind::Member(of, name) if matches!(unit.kind(*of), Kind::Name("this" | "self")) => {
                self.method(self.current()?.class?, name)?
            }
            _ => return None,
        };
        let function = unit.function(id);
        let (Some(Stmt::Return(Some(test))), rest) =
            function.body.split_last().map(|(last, rest)| (Some(last), rest))?
        else {
            return None;
        };
        let given: Vec<Value<'u>> = args.iter().map(|arg| self.eval(arg.value)).collect();
        if given.iter().all(|value| value.taint == 0) || !self.enter(id) {
            return None;
        }
        let outer = self.env.clone();
        let returned = self.returned.take();
        for (param, value) in function.params.iter().zip(&given) {
            self.assign(param.target, value.clone(), None);
        }
        rest.iter().for_each(|statement| _ = self.statement(statement));
        let guards = self.guards(*test);
        let mut cleared = vec![0; given.len()];
        for (asked, bits) in &guards.when_true {
            let origin = self.eval(*asked).origin;
            for (cleared, value) in cleared.iter_mut().zip(&given) {
                *cleared |= if origin.is_some() && value.origin == origin { *bits } else { 0 };
            }
        }
        // A test of a part or another form of an argument applies to the argument.
        for (value, cleared) in given.iter().zip(&mut cleared) {
            if let Some(origin) = value.origin {
                *cleared |= self.env.cleared_of(origin) & !outer.cleared_of(origin);
            }
        }
        self.returned = returned;
        self.env = outer;
        self.leave();
        let when_true = args.iter().zip(cleared).filter(|(_, bits)| *bits != 0).map(|(arg, bits)| (arg.value, bits));
        Some(Guards { when_true: when_true.collect(), when_false: Vec::new() })
    }

    /// A test of every character, or every path segment: `name.chars().all(…)`, `path.components().any(…)`.
    fn piece_by_piece(&mut self, pieces: ExprId, callee: ExprId) -> Option<Guards> {
        let unit = self.unit;
        let Kind::Call { callee: made_by, args } = unit.kind(pieces) else { return None };
        let (Kind::Member(of, "chars" | "bytes" | "components" | "each_char" | "char_indices"), true) =
            (unit.kind(*made_by), args.is_empty())
        else {
            return None;
        };
        match unit.kind(callee) {
            Kind::Member(_, "all" | "all?") => Some(clearing(*of)),
            Kind::Member(_, "any" | "any?") => Some(clearing(*of).swapped()),
            _ => None,
        }
    }

    /// A match against a constant pattern: an anchored one restricts the whole value, any other shows forbidden
    /// content.
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
        let mut subjects: Vec<ExprId> = receiver.into_iter().chain(args.iter().map(|arg| arg.value)).collect();
        // `PATTERN.matcher(text).matches()`: the text is the argument of the previous call.
        if let Some(Kind::Call { callee, args }) = receiver.map(|of| unit.kind(of))
            && matches!(unit.kind(*callee), Kind::Member(_, "matcher"))
        {
            subjects.extend(args.iter().map(|arg| arg.value));
        }
        let pattern = subjects.iter().find_map(|id| match self.eval(*id) {
            value if value.shape == ValueShape::Constant => value.text,
            _ => None,
        })?;
        let is_delimited = pattern.starts_with(['/', '#', '~', '%', '@', '!']);
        let inner = undelimited(&pattern);
        let starts =
            is_whole || inner.starts_with('^') || inner.starts_with("\\A") || *name == "match" && !is_delimited;
        let ends = is_whole || inner.ends_with('$') || inner.ends_with("\\z") || inner.ends_with("\\Z");
        let all = subjects.iter().map(|id| (*id, ALL)).collect();
        Some(if starts && ends {
            Guards { when_true: all, when_false: Vec::new() }
        } else {
            Guards { when_true: Vec::new(), when_false: all }
        })
    }

    /// Returns the URL whose host an expression reads: `u` of `u.Hostname()`.
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

    /// Returns the variables that calls return in another form: `x` of `str(x)`, of `x.lower()`, of
    /// `x.getCanonicalPath()`, and all segments of `path.resolve(root, x)`.
    fn first_passed(&mut self, id: ExprId) -> Vec<ExprId> {
        let unit = self.unit;
        let id = self.first_of_one(id);
        let Kind::Call { callee, args } = unit.kind(id) else { return vec![id] };
        let Kind::Member(of, name) = unit.kind(*callee) else { return vec![id] };
        let mut names = self.path_names(*callee);
        names.push(Name::new("").member(name));
        if !self.is_about_arguments(*of, args) || !self.program.passes.has(&names) {
            return vec![id];
        }
        args.iter().map(|arg| self.first_of_one(arg.value)).collect()
    }

    /// Tells whether a call has an untainted receiver, `path` or `File`, and a tainted argument.
    fn is_about_arguments(&mut self, of: ExprId, args: &'u [Arg<'t>]) -> bool {
        self.eval(of).taint == 0 && args.iter().any(|arg| self.eval(arg.value).taint != 0)
    }

    fn first_of_one(&mut self, id: ExprId) -> ExprId {
        let unit = self.unit;
        let mut first = id;
        while let Kind::Call { callee, args } = unit.kind(first) {
            let method = match unit.kind(*callee) {
                Kind::Member(of, _) if self.is_about_arguments(*of, args) => return first,
                Kind::Member(of, name) => Some((*of, Name::new("").member(name))),
                _ => None,
            };
            first = match (&method, &args[..]) {
                (Some((of, name)), _) if self.program.passes.has(slice::from_ref(name)) => *of,
                // A module function: `os.path.abspath(x)`.
                (_, [only]) if self.program.passes.has(&self.path_names(*callee)) => only.value,
                _ => return first,
            };
        }
        first
    }

    /// Returns the variable of `x ?? ""`.
    fn without_default(&mut self, id: ExprId) -> ExprId {
        match self.unit.kind(id) {
            Kind::Choice(parts) | Kind::Operation("??" | "||", parts) => match parts[..] {
                [variable, default] if self.eval(default).shape == ValueShape::Constant => variable,
                _ => id,
            },
            _ => id,
        }
    }

    /// Clears variables from here on.
    pub(super) fn clear(&mut self, guards: &[(ExprId, Bits)]) {
        for (id, bits) in guards {
            // A fact about the host of a URL applies to the URL, and to the text that it was parsed from.
            let host_of = self.host_of(*id);
            if let Some(origin) = host_of.and_then(|of| self.eval(of).origin) {
                let is_same = |value: &Value<'_>| value.origin == Some(origin) && !value.is_fixed();
                self.env.change(is_same, |value| value.cleared |= bits);
            }
            for id in self.first_passed(host_of.unwrap_or(*id)) {
                let id = self.without_default(id);
                let Some(path) = self.path(id) else { continue };
                let value = self.eval(id);
                if !value.is_fixed() {
                    self.env.insert(&path, Value { cleared: value.cleared | bits, ..value });
                }
            }
        }
    }
}

/// Returns the pattern between its delimiters: `^a$` for `/^a$/i`, `#^a$#D` and `%r{^a$}x`.
fn undelimited(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix("%r").unwrap_or(pattern);
    let Some(open) =
        pattern.chars().next().filter(|c| c.is_ascii_punctuation() && !matches!(c, '^' | '\\' | '[' | '(' | '.'))
    else {
        return pattern;
    };
    let close = if open == '{' { '}' } else { open };
    let rest = pattern[open.len_utf8()..].trim_end_matches(|c: char| c.is_ascii_alphabetic());
    rest.strip_suffix(close).unwrap_or(&pattern[open.len_utf8()..])
}

fn clearing(variable: ExprId) -> Guards {
    Guards { when_true: vec![(variable, ALL)], when_false: Vec::new() }
}
