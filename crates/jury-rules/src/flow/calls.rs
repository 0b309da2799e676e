//! Values of calls. In: a call with the values of its receiver and arguments. Out: the result of a function of the
//! file, which is followed, or a value by the knowledge of the language. The call is shown to the clauses.

use super::formats::formatted;
use super::ir::{Arg, ExprId, FunctionId, Kind};
use super::machine::Machine;
use super::names::Name;
use super::program::ALL;
use super::value::{Value, ValueShape};

/// A marker member of variables whose members are all known.
const ONLY_THESE: &str = "\0";

/// The functions that join path segments.
const PATH_JOINS: [&str; 6] =
    ["path.join", "path.resolve", "path.posix.join", "path.posix.resolve", "path.win32.join", "path.win32.resolve"];

/// An argument of a call, evaluated.
pub(super) struct Given<'u> {
    pub(super) name: Option<&'u str>,
    pub(super) id: ExprId,
    pub(super) value: Value<'u>,
}

impl<'u, 't: 'u> Machine<'u, 't> {
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &'u [Arg<'t>]) -> Value<'u> {
        let unit = self.unit;
        let (receiver, target) = match unit.kind(callee) {
            Kind::Member(of, name) => {
                let known = self.known_at(callee);
                let of = self.eval(*of);
                // A value that was already evaluated is reused.
                if let Some(known) = known.as_ref().filter(|known| args.is_empty() && known.cleared != 0) {
                    return known.clone();
                }
                let target =
                    known.unwrap_or_else(|| Value::named(of.names.iter().map(|known| known.member(name)).collect()));
                (Some(of), target)
            }
            _ => (None, self.eval(callee)),
        };
        let mut names = target.names.clone();
        if let (Kind::Member(_, name), true) = (unit.kind(callee), names.is_empty()) {
            // A method has a name whatever its receiver.
            names.push(Name::new("").member(name));
        }
        let carries = self.program.passes.has(&names);
        let element = match unit.kind(callee) {
            Kind::Member(of, _) if carries => receiver.clone().map(|value| value.via(*of)),
            _ => None,
        };
        let given = self.arguments(args, element, &names);
        self.judge_read(callee, &names);
        let made = self.judge_call(id, callee, &names, receiver.as_ref(), &given);
        for arg in given.iter().filter(|arg| matches!(unit.kind(arg.id), Kind::Record(_))) {
            self.judge_record(arg.id, Some(&names));
        }
        if self.program.fills.has(&names) {
            self.fill(id, &names, receiver.as_ref(), &given);
        }
        let mut result = self.result(id, callee, receiver, &target, &names, given, carries);
        if result.names.is_empty() || !carries {
            result.names = names;
        }
        result.built_at = made.or(result.built_at);
        result
    }

    /// Evaluates arguments; closures get the elements of the receiver.
    pub(super) fn arguments(
        &mut self,
        args: &'u [Arg<'t>],
        element: Option<Value<'u>>,
        to: &[Name<'u>],
    ) -> Vec<Given<'u>> {
        let unit = self.unit;
        let is_handed = self.program.handed.has(to);
        let element = element.map(|of| Value { names: Vec::new(), text: None, literal: None, ..of });
        // After the item, a closure gets its index.
        let number = element.as_ref().filter(|_| is_mapping(to)).map(|_| Value::safe());
        let items: Vec<Value<'u>> = element.into_iter().chain(number).collect();
        let mut given = Vec::with_capacity(args.len());
        for arg in args {
            let value = match unit.kind(arg.value) {
                Kind::Function(function) => {
                    self.handed_to = if is_handed { to.to_vec() } else { Vec::new() };
                    let result = self.closure(*function, &items);
                    Value { function: Some(*function), names: Vec::new(), ..result }
                }
                _ => {
                    let value = self.eval(arg.value);
                    if let Some(function) = value.function.filter(|_| is_handed) {
                        self.named_function(function, to);
                    }
                    // `query.name = x` may come between the record and its use.
                    if value.literal.is_some() { self.with_members(arg.value, value) } else { value }
                }
            };
            given.push(Given { name: arg.name, id: arg.value, value });
        }
        given
    }

    /// Returns the result of a call.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has that many sides, and they are used nowhere else together"
    )]
    pub(super) fn result(
        &mut self,
        id: ExprId,
        callee: ExprId,
        receiver: Option<Value<'u>>,
        target: &Value<'u>,
        names: &[Name<'u>],
        given: Vec<Given<'u>>,
        carries: bool,
    ) -> Value<'u> {
        let mut cleared = 0;
        self.program.sanitisers.each(names, |bits| cleared |= bits);
        // Results of an enum, `Format.valueOf(text)` and `format.extension()`, are constants of the code.
        if receiver.as_ref().is_some_and(|of| self.is_enum(&of.names)) {
            return Value::safe();
        }
        if is_stripped(names, receiver.as_ref(), &given) {
            return Value::safe();
        }
        // A normalised path that starts at the root cannot leave it: `filepath.Clean("/" + name)`.
        if let (Some(name), [path]) = (names.first(), &given[..])
            && path.value.shape == ValueShape::Built
            && path.value.text.as_deref().is_some_and(|text| text.starts_with('/'))
        {
            self.program.sanitisers.each(&[Name::new("rooted").member(name.last())], |bits| cleared |= bits);
        }
        if is_escaped_pattern(names, &given) {
            self.program.sanitisers.each(&[Name::new("escaped").member("pattern")], |bits| cleared |= bits);
        }
        let mut taint = 0;
        self.program.sources.each(names, |bits| taint |= bits);
        // A source of one rule may be harmless for all others: `hmac.new(…).hexdigest()`.
        if cleared == ALL && taint == 0 {
            return Value::safe();
        }
        if taint != 0 {
            let cleared = if cleared == ALL { 0 } else { cleared };
            // A source of one rule may carry the taint of another.
            let carried = if carries { given.iter().fold(0, |all, arg| all | arg.value.taint) } else { 0 };
            let carried = carried | receiver.as_ref().map_or(0, |of| of.taint);
            let mut source =
                Value { taint: taint | carried, cleared, origin: Some(id), dynamic: Some(id), ..Value::default() };
            let parts = given.iter().map(|arg| &arg.value).filter(|_| carries).chain(&receiver);
            parts.filter(|part| part.taint != 0).for_each(|part| source.trace.join(&part.trace));
            return source.via(id);
        }
        // A result of constant parts is harmless, whatever the function: `str(int(x))`.
        let is_of_fixed = || carries && receiver.is_none() && given.iter().all(|arg| arg.value.is_fixed());
        if cleared != 0 && (given.is_empty() || !is_of_fixed()) {
            // A function of the file has both its own result and the knowledge about its name.
            if let Some(result) = self.followed(callee, target, receiver.as_ref(), &given) {
                return Value { cleared: result.cleared | cleared, ..result };
            }
            let mut whole = Value::default();
            given.iter().map(|arg| &arg.value).chain(&receiver).for_each(|part| whole.absorb(part));
            if let Some(made) = whole.built_at {
                *self.cleared_made.entry(made).or_default() |= cleared;
            }
            return Value { cleared: whole.cleared | cleared, ..whole };
        }
        if given.is_empty() && receiver.as_ref().is_some_and(|of| self.is_number_of(of, callee)) {
            return Value::safe();
        }
        if let Some(text) = self.joined(names, receiver.as_ref(), &given) {
            return self.judge_concat(id, text);
        }
        if let Some(value) = self.made_by_function(names, receiver.as_ref(), &given) {
            return value;
        }
        if let [only] = &given[..]
            && self.is_structure(id, only.id)
        {
            return only.value.clone();
        }
        if self.program.formats.has(names) {
            let parts: Vec<Value<'u>> = receiver
                .into_iter()
                .filter(|of| of.text.is_some() || of.taint != 0)
                .chain(given.into_iter().map(|arg| arg.value))
                .collect();
            let whole = formatted(&parts);
            return self.judge_concat(id, whole);
        }
        if let (Kind::Member(list, method), Some(receiver)) = (self.unit.kind(callee), &receiver) {
            self.fill_list(*list, method, receiver, &given);
        }
        // A method of a class of the file has its own result, whatever its name.
        let is_own = || self.called_function(callee, target, receiver.as_ref()).is_some();
        if self.program.mutates.has(names) && !is_own() {
            return self.mutated(callee, receiver, given);
        }
        if let Some(value) = self.looked_up(callee, &given) {
            return value;
        }
        if let (Kind::Member(_, "charAt" | "codePointAt"), Some(value)) =
            (self.unit.kind(callee), character(receiver.as_ref(), &given))
        {
            return receiver.iter().fold(value, Value::after);
        }
        if let Some(result) = self.followed(callee, target, receiver.as_ref(), &given) {
            return result;
        }
        if self.program.lookups.has(names) {
            let default = given.into_iter().skip(1).map(|arg| arg.value).reduce(Value::join);
            let part = receiver.map(|of| Value { text: None, literal: None, number: None, names: Vec::new(), ..of });
            let part = part.map(|part| if part.is_fixed() { Value::safe() } else { part }).unwrap_or_default();
            // The items of a default list are not those of the found value.
            return default.map_or(part.clone(), |default| part.join(Value { literal: None, ..default }));
        }
        // `new java.util.ArrayList<>()` is empty.
        let is_type = || names.first().is_some_and(|name| name.last().starts_with(|c: char| c.is_ascii_uppercase()));
        if carries && given.is_empty() && is_type() && !self.is_of_value(callee) {
            return Value::constant("");
        }
        if let Some(path) = self.path_of(names, &given) {
            return path;
        }
        if carries {
            let listed = listed(names, &given);
            let result = carried(receiver, given);
            let mut undone = 0;
            if !matches!(result.cleared, 0 | ALL) {
                self.program.undoes.each(names, |bits| undone |= bits);
            }
            return Value { text: listed.or(result.text), cleared: result.cleared & !undone, ..result };
        }
        if self.program.gives.has(names) {
            return carried(receiver, Vec::new());
        }
        Value::default()
    }

    /// Tells whether a call reads a number of an object whose class is in the file: `size()` of `record Box(int size)`.
    fn is_number_of(&self, receiver: &Value<'u>, callee: ExprId) -> bool {
        let Kind::Member(_, name) = self.unit.kind(callee) else { return false };
        self.is_class(&receiver.names) && self.program.safe_types.has(self.field_type_of(name))
    }

    /// Tells whether a method is called on a value: in some languages methods are capitalised like types.
    fn is_of_value(&self, callee: ExprId) -> bool {
        match self.unit.kind(callee) {
            Kind::Member(of, _) => self.is_of_value(*of),
            Kind::Name(name) => *name == "this" || self.env.has(name),
            _ => true,
        }
    }

    /// Returns the result of a function of the file, if the call goes to one.
    fn followed(
        &mut self,
        callee: ExprId,
        target: &Value<'u>,
        receiver: Option<&Value<'u>>,
        given: &[Given<'u>],
    ) -> Option<Value<'u>> {
        let function = self.called_function(callee, target, receiver)?;
        let keywords: Vec<Option<&'u str>> = given.iter().map(|arg| arg.name).collect();
        let values: Vec<Value<'u>> = given.iter().map(|arg| arg.value.clone().via(arg.id)).collect();
        // A method of the same object has it as receiver, with or without `this`.
        let object = match self.unit.kind(callee) {
            Kind::Member(of, _) => self.path(*of),
            _ => self.unit.function(function).class.map(|_| "this".to_owned()),
        };
        self.follow(function, &values, &keywords, object.as_deref())
    }

    /// Joins the items of a list: `[a, b].join(" ")`, `" ".join([a, b])`.
    fn joined(&mut self, names: &[Name<'u>], receiver: Option<&Value<'u>>, given: &[Given<'u>]) -> Option<Value<'u>> {
        names.first().filter(|name| matches!(name.last(), "join" | "concat" | "implode" | "Join" | "Concat"))?;
        let unit = self.unit;
        // `"select ".concat(x)` equals `"select " + x`.
        if let Some(text) = receiver.filter(|of| names.iter().any(|name| name.last() == "concat") && is_text(of)) {
            let parts = [text].into_iter().chain(given.iter().map(|arg| &arg.value));
            return Some(Value::concat(&parts.cloned().collect::<Vec<_>>()));
        }
        let mut sides = receiver.into_iter().chain(given.iter().map(|arg| &arg.value));
        let (list, items) = sides.find_map(|side| match (side.literal?, unit.kind(side.literal?)) {
            (list, Kind::List(items)) => Some((list, items)),
            _ => None,
        })?;
        let values: Option<Vec<Value<'u>>> = items.iter().map(|item| self.within(list, *item)).collect();
        let mut whole = Value::concat(&values?);
        receiver.into_iter().chain(given.iter().map(|arg| &arg.value)).for_each(|side| whole.trace.join(&side.trace));
        // Items pushed later are not in the literal.
        let mut sides = receiver.into_iter().chain(given.iter().map(|arg| &arg.value));
        let is_whole =
            sides.all(|side| side.taint & !whole.taint == 0 && side.shape.min(ValueShape::Dynamic) <= whole.shape);
        is_whole.then_some(whole)
    }

    /// Returns the result of a call that delegates to a function: `ids.map(() => "?")`, `names.filter(isAllowed)`,
    /// `useMemo(() => clean(html), [html])`.
    fn made_by_function(
        &mut self,
        names: &[Name<'u>],
        receiver: Option<&Value<'u>>,
        given: &[Given<'u>],
    ) -> Option<Value<'u>> {
        let asked = match names.first()?.last() {
            "map" | "flatMap" | "mapToObj" | "Select" | "SelectMany" | "flat_map" | "array_map" => given.first()?,
            "useMemo" | "then" | "filter" => given.first()?,
            // Other languages pass a collector: `collect(Collectors.joining(","))`.
            "collect" => given.first().filter(|arg| matches!(self.unit.kind(arg.id), Kind::Function(_)))?,
            "from" => given.get(1)?,
            _ => return None,
        };
        let element = |of: &Value<'u>| Value { text: None, literal: None, names: Vec::new(), ..of.clone() };
        if names.first()?.last() == "filter" {
            let of = receiver?;
            let bits = match asked.value.function {
                Some(function) => self.passed_bits(function, &element(of)),
                None if self.is_validator(&asked.value.names) => ALL,
                None => 0,
            };
            return (bits != 0).then(|| Value { cleared: of.cleared | bits, names: Vec::new(), ..of.clone() });
        }
        if matches!(self.unit.kind(asked.id), Kind::Function(_)) {
            return Some(Value { function: None, names: Vec::new(), literal: None, ..asked.value.clone() });
        }
        let of = receiver?;
        if let Some(function) = asked.value.function {
            return self.follow(function, &[element(of)], &[None], None);
        }
        let mut cleared = 0;
        self.program.sanitisers.each(&asked.value.names, |bits| cleared |= bits);
        match cleared {
            0 => None,
            ALL => Some(Value::safe()),
            _ => Some(Value { cleared: of.cleared | cleared, ..element(of) }),
        }
    }

    /// Joins path segments: `path.join(root, name)`.
    fn path_of(&self, names: &[Name<'u>], given: &[Given<'u>]) -> Option<Value<'u>> {
        let is_join = |name: &Name<'u>| PATH_JOINS.iter().any(|join| name.is(&Name::new(join)));
        if given.len() < 2 || !names.iter().any(is_join) {
            return None;
        }
        let parts = given.iter().flat_map(|arg| [Value::constant("/"), Value { number: None, ..arg.value.clone() }]);
        Some(Value::concat(&parts.skip(1).collect::<Vec<_>>()))
    }

    /// Tells whether a call is a struct literal, `T{A: 1}`, whose members are all known.
    fn is_structure(&self, call: ExprId, arg: ExprId) -> bool {
        matches!(self.unit.kind(arg), Kind::Record(_)) && self.unit.expr(arg).end == self.unit.expr(call).end
    }

    /// Returns the function of the file that a call goes to.
    fn called_function(&self, callee: ExprId, target: &Value<'u>, receiver: Option<&Value<'u>>) -> Option<FunctionId> {
        let Kind::Member(of, name) = self.unit.kind(callee) else { return target.function };
        let own = || match self.unit.kind(*of) {
            Kind::Name("this" | "self") => {
                let class = self.current().and_then(|function| function.class);
                class.and_then(|class| self.method(class, name)).or_else(|| self.function_named(name))
            }
            Kind::Name(class) => self.method(class, name),
            _ => None,
        };
        // A variable of a class of the file, and `new Helper().run(x)`.
        let of_class = || receiver?.names.iter().find_map(|class| self.method(class.last(), name));
        target.function.or_else(own).or_else(of_class)
    }

    /// Puts the data that a call reads into its output arguments.
    fn fill(&mut self, id: ExprId, names: &[Name<'u>], receiver: Option<&Value<'u>>, given: &[Given<'u>]) {
        let mut read = Value::default();
        receiver.into_iter().chain(given.iter().map(|arg| &arg.value)).for_each(|part| read.absorb(part));
        let mut taint = 0;
        self.program.sources.each(names, |bits| taint |= bits);
        if taint != 0 {
            read = Value { taint: read.taint | taint, cleared: 0, origin: Some(id), ..read };
        }
        read.trace.step(id, None);
        for arg in given {
            // Data read into a part of a buffer, `buffer[:16]`, is in the buffer. The same holds for data written
            // through a wrapper, `new PrintWriter(text)`.
            let mut into = arg.id;
            while self.path(into).is_none() {
                into = match self.unit.kind(into) {
                    Kind::Index(of, _) => *of,
                    Kind::Call { args, .. } if !args.is_empty() => args[0].value,
                    _ => break,
                };
            }
            self.put_into(into, &read);
        }
    }

    /// Puts the arguments of a call into its receiver.
    fn mutated(&mut self, callee: ExprId, receiver: Option<Value<'u>>, given: Vec<Given<'u>>) -> Value<'u> {
        let unit = self.unit;
        let Kind::Member(of, _) = unit.kind(callee) else { return carried(receiver, given) };
        let receiver = receiver.unwrap_or_default();
        let names = receiver.names.clone();
        // Data written into a part of a buffer, `nonce[..4]`, is in the buffer.
        let mut into = self.first_of_chain(*of);
        while let (Kind::Index(of, _), None) = (unit.kind(into), self.path(into)) {
            into = *of;
        }
        let path = self.path(into);
        // A value under a constant key is found again unchanged; an object that started empty holds nothing else.
        if let Some(path) = &path {
            let only_these = format!("{path}.{ONLY_THESE}");
            let is_empty = receiver.shape == ValueShape::Constant && receiver.text.as_deref() == Some("");
            match given.split_last().and_then(|(value, keys)| Some((value, fixed_keys(keys)?))) {
                Some((value, key)) => {
                    self.env.insert(&format!("{path}.{key}"), value.value.clone().via(value.id));
                    if is_empty {
                        self.env.insert(&only_these, Value::constant(""));
                    }
                }
                None => _ = self.env.remove(&only_these),
            }
        }
        let given = given.into_iter().map(|arg| arg.value.via(arg.id));
        let parts: Vec<Value<'u>> = [receiver].into_iter().chain(given).collect();
        let whole = Value { names, number: None, ..Value::concat(&parts) }.via(callee);
        if let Some(path) = path {
            self.env.insert(&path, whole.clone());
        }
        whole
    }

    /// Returns the receiver at the start of a chain such as `text.append(a).append(b)`, each link of which adds to it.
    fn first_of_chain(&self, id: ExprId) -> ExprId {
        let mut first = id;
        while let Kind::Call { callee, .. } = self.unit.kind(first)
            && let Kind::Member(of, name) = self.unit.kind(*callee)
            && self.program.mutates.has(&[Name::new("").member(name)])
        {
            first = *of;
        }
        first
    }

    /// Returns the value under the constant key of a call, if one was stored.
    fn looked_up(&self, callee: ExprId, given: &[Given<'u>]) -> Option<Value<'u>> {
        let Kind::Member(of, method) = self.unit.kind(callee) else { return None };
        let path = self.path(*of)?;
        let found = |keys| fixed_keys(keys).and_then(|key| self.env.get(&format!("{path}.{key}")));
        let absent = || {
            let is_lookup = matches!(*method, "get" | "getOrDefault" | "getProperty" | "fetch" | "Get");
            let is_absent = is_lookup && fixed_keys(given).is_some() && self.env.has(&format!("{path}.{ONLY_THESE}"));
            is_absent.then(|| Value::constant(""))
        };
        found(given).or_else(|| found(given.get(..1)?)).cloned().or_else(absent)
    }
}

/// Returns the constant texts of arguments as one key.
fn fixed_keys(keys: &[Given<'_>]) -> Option<String> {
    let key = |key: &Given<'_>| {
        key.value.text.as_deref().filter(|_| key.value.shape == ValueShape::Constant).map(str::to_owned)
    };
    let keys: Vec<String> = keys.iter().map(key).collect::<Option<_>>()?;
    (!keys.is_empty()).then(|| keys.join("."))
}

/// Returns the text of the items of a list that a call creates: `List.of("sh", "-c", command)`.
fn listed(names: &[Name<'_>], given: &[Given<'_>]) -> Option<std::rc::Rc<str>> {
    names.first().filter(|name| given.len() > 1 && matches!(name.last(), "of" | "asList"))?;
    let items: Vec<Value<'_>> = given.iter().map(|arg| arg.value.clone()).collect();
    Value::concat(&items).text
}

/// Tells whether a call keeps only harmless characters: `text.replaceAll("[^a-z0-9]", "")`.
fn is_stripped(names: &[Name<'_>], receiver: Option<&Value<'_>>, given: &[Given<'_>]) -> bool {
    let is_one = |name: &Name<'_>| {
        matches!(
            name.last(),
            "replaceAll" | "Replace" | "ReplaceAllString" | "gsub" | "preg_replace" | "replace" | "sub"
        )
    };
    if given.is_empty() || !names.first().is_some_and(is_one) {
        return false;
    }
    let mut texts = receiver.into_iter().chain(given.iter().map(|arg| &arg.value)).filter_map(fixed_text);
    texts.any(|text| {
        // Between slashes, only a global replacement is enough.
        let is_literal = text.starts_with('/');
        let (pattern, flags) = text.trim_start_matches('/').rsplit_once('/').unwrap_or((text, ""));
        let inner = pattern.strip_prefix("[^").and_then(|rest| rest.trim_end_matches(['+', '*']).strip_suffix(']'));
        let is_harmless = |c: char| c.is_ascii_alphanumeric() || "_-. \\@:,+".contains(c);
        inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(is_harmless) && !inner.contains("\\W"))
            && (!is_literal || flags.contains('g') || names.first().is_some_and(|name| name.last() != "replace"))
    })
}

/// Tells whether a call escapes every special character of a pattern: `text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")`.
fn is_escaped_pattern(names: &[Name<'_>], given: &[Given<'_>]) -> bool {
    let is_one = |name: &Name<'_>| matches!(name.last(), "replace" | "replaceAll");
    let [Some(pattern), Some(put)] = [0, 1].map(|at| given.get(at).and_then(|arg| fixed_text(&arg.value))) else {
        return false;
    };
    let signs = pattern.strip_prefix("/").and_then(|rest| rest.rsplit_once('/'));
    let signs = signs.filter(|(_, flags)| flags.contains('g')).map_or("", |(signs, _)| signs);
    let is_before = put.starts_with('\\') && ["$&", "$1"].contains(&put.trim_start_matches('\\'));
    names.first().is_some_and(is_one) && is_before && "*+?()[]|\\".chars().all(|sign| signs.contains(sign))
}

/// Tells whether a call iterates over items and returns the results of a closure.
fn is_mapping(names: &[Name<'_>]) -> bool {
    let is_one = |name: &Name<'_>| matches!(name.last(), "map" | "mapToObj" | "flatMap" | "Select" | "SelectMany");
    names.first().is_some_and(is_one)
}

/// Returns the result of a known pass-through function: its input.
fn carried<'u>(receiver: Option<Value<'u>>, given: Vec<Given<'u>>) -> Value<'u> {
    let has_arguments = !given.is_empty();
    let mut parts = receiver
        .into_iter()
        .filter(|of| {
            // The receiver passes through, `address.trim()`, if there is nothing else.
            let is_all = !has_arguments && of.dynamic.is_some();
            let says_something = of.taint != 0 || of.text.is_some() || of.literal.is_some() || is_all;
            // The receiver, such as `Encoding.UTF8`, is not part of the result if there are arguments.
            says_something || of.shape != ValueShape::Dynamic && !(has_arguments && of.shape == ValueShape::Safe)
        })
        .chain(given.into_iter().map(|arg| arg.value));
    let Some(mut whole) = parts.next() else { return Value::default() };
    for part in parts {
        whole.absorb(&part);
        whole.shape = whole.shape.max(part.shape);
    }
    Value { number: None, literal: None, function: None, names: Vec::new(), ..whole }
}

/// Tells whether a value is, or contains, literal text.
fn is_text(value: &Value<'_>) -> bool {
    value.literal.is_none() && value.number.is_none() && value.text.as_deref().is_some_and(|text| !text.is_empty())
}

/// Returns the text of a constant string value.
fn fixed_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    value.text.as_deref().filter(|_| value.shape == ValueShape::Constant && !value.varies && value.number.is_none())
}

/// Returns the character of `text.charAt(at)` for constant text.
fn character<'u>(receiver: Option<&Value<'u>>, given: &[Given<'u>]) -> Option<Value<'u>> {
    let ([at], Some(text)) = (given, receiver.and_then(fixed_text)) else { return None };
    let character = text.chars().nth(at.value.number? as usize)?;
    Some(Value::constant(character.encode_utf8(&mut [0; 4])))
}
