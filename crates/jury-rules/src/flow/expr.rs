//! What an expression is worth. In: an expression and what is known where it stands. Out: a value; on the way, every call,
//! assignment and record is shown to the clauses that could find something there.

use std::borrow::Cow;

use super::ir::{Arg, ExprId, FunctionId, Kind};
use super::machine::{COMPARISONS, CONSTRUCTORS, Machine};
use super::names::Name;
use super::program::{ALL, EVERY_CLASS};
use super::value::{Shape, Value};

/// The member that a variable has for us if it has no other members than those that are known.
const ONLY_THESE: &str = "\0";
/// The functions that put a path together of its parts.
const PATH_JOINS: [&str; 6] =
    ["path.join", "path.resolve", "path.posix.join", "path.posix.resolve", "path.win32.join", "path.win32.resolve"];

/// How many flags that are put together are known by name.
const MOST_FLAGS: usize = 12;

/// An argument of a call, evaluated.
pub(super) struct Given<'u> {
    pub(super) name: Option<&'u str>,
    pub(super) id: ExprId,
    pub(super) value: Value<'u>,
}

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, id: ExprId) -> Value<'u> {
        if !self.step() {
            return Value::default();
        }
        let unit = self.unit;
        let value = match unit.kind(id) {
            Kind::Name(name) => {
                // A variable was looked at when it got its value, and may have been cleared since.
                match self.variable(name) {
                    Some(value) => value,
                    None => {
                        let value = self.unknown(name);
                        self.sourced(value, id)
                    }
                }
            }
            Kind::Member(of, name) => self.member(id, *of, name),
            Kind::Index(of, index) => self.index(id, *of, *index),
            Kind::Call { callee, args } => self.call(id, *callee, args),
            Kind::Text(text) => Value::constant(text),
            Kind::Literal(text) => literal(text),
            Kind::Concat(parts) => {
                let parts: Vec<Value<'u>> = parts.iter().map(|part| self.eval(*part)).collect();
                let whole = Value::concat(&parts);
                self.judge_concat(id, whole)
            }
            Kind::List(items) => {
                let items: Vec<Value<'u>> = items.iter().map(|item| self.eval(*item)).collect();
                Value { literal: Some(id), ..gathered(&items) }
            }
            Kind::Record(fields) => {
                let mut items: Vec<Value<'u>> = fields.iter().map(|(_, value)| self.eval(*value)).collect();
                self.judge_record(id, None);
                // `{ ...body }` is the body again.
                if let ([(None, _)], [only]) = (&fields[..], &mut items[..]) {
                    return Value { literal: None, ..std::mem::take(only) }.at(id);
                }
                Value { literal: Some(id), ..gathered(&items) }
            }
            Kind::If { test, then, otherwise } => self.choose(*test, *then, *otherwise),
            Kind::Choice(values) => {
                let values: Vec<Value<'u>> = values.iter().map(|value| self.eval(*value)).collect();
                values.into_iter().reduce(Value::join).unwrap_or_default()
            }
            Kind::Cast(of, value) => {
                let value = self.eval(*value);
                let is_safe = self.program.safe_types.has(&[Name::new(of)]);
                if is_safe { value.made_safe() } else { self.cast(value, of) }
            }
            Kind::Operation(operator, parts) => self.operation(id, operator, parts),
            Kind::Function(function) => {
                let result = self.closure(*function, &[]);
                // A function that says the same to everybody is known by it: `func(string) bool { return true }`.
                let result = if result.shape == Shape::Constant { result } else { Value::default() };
                Value { function: Some(*function), literal: None, ..result }
            }
            Kind::Assign { target, value } => {
                let given = self.eval(*value);
                self.assign(*target, given.clone(), Some(*value));
                given
            }
            Kind::Other(parts) => {
                parts.iter().for_each(|part| {
                    self.eval(*part);
                });
                Value::default()
            }
        };
        value.at(id)
    }

    /// Clears a value for which it says enough to be of a type: `(string) $x` is no list. Sanitisers call it `cast.string`.
    fn cast(&mut self, value: Value<'u>, of: &'u str) -> Value<'u> {
        let mut cleared = 0;
        self.program.sanitisers.each(&[Name::new("cast").member(of)], |bits| cleared |= bits);
        Value { cleared: value.cleared | cleared, ..value }
    }

    /// Returns what a variable holds.
    fn variable(&self, name: &'u str) -> Option<Value<'u>> {
        if let Some(known) = self.env.get(name) {
            let mut value = known.clone();
            if value.names.is_empty() {
                value.names.push(Name::new(name));
            }
            return Some(value);
        }
        // Methods name the fields of their object without saying `this` in some languages.
        self.env.field(name).cloned()
    }

    /// Returns what a name stands for that is no variable's.
    fn unknown(&self, name: &'u str) -> Value<'u> {
        let path = self.imported(name);
        let ancestors = self.ancestors_of(name).iter().take(3).cloned();
        let value = Value::named(std::iter::once(Name::new(path.unwrap_or(name))).chain(ancestors).collect());
        let value = Value { function: self.function_named(name).filter(|_| path.is_none()), ..value };
        if self.is_constant(name) { Value { shape: Shape::Safe, ..value } } else { value }
    }

    /// Taints a value if its name is that of a source, and shows it to the clauses over names.
    fn sourced(&mut self, mut value: Value<'u>, id: ExprId) -> Value<'u> {
        let mut taint = 0;
        self.program.sources.each(&value.names, |bits| taint |= bits);
        if taint != 0 {
            value.taint |= taint;
            value.origin = Some(id);
            value.shape = value.shape.max(Shape::Dynamic);
            value.cleared = 0;
        }
        self.judge_read(id, &value.names);
        // `items.length` is a number; what stands under the key `length` may be anything.
        if matches!(self.unit.kind(id), Kind::Index(..)) { value } else { self.sanitised(value) }
    }

    /// Clears a value whose name says that it is harmless: `items.length`.
    fn sanitised(&mut self, value: Value<'u>) -> Value<'u> {
        let mut cleared = 0;
        self.program.sanitisers.each(&value.names, |bits| cleared |= bits);
        match cleared {
            0 => value,
            ALL => value.made_safe(),
            _ => Value { cleared: value.cleared | cleared, ..value },
        }
    }

    /// Tells whether a name is written as constants are: `TABLE_NAME`.
    fn is_constant(&self, name: &str) -> bool {
        !self.unit.has_capital_variables
            && name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    }

    fn member(&mut self, id: ExprId, of: ExprId, name: &'u str) -> Value<'u> {
        if let Some(known) = self.known_at(id) {
            self.eval(of);
            return known;
        }
        let is_this = matches!(self.unit.kind(of), Kind::Name("this"));
        let path = of;
        let of = self.eval(of);
        if let Some(method) = self.property(&of, is_this, name) {
            let object = self.path(path);
            if let Some(value) = self.follow(method, &[], &[], object.as_deref()) {
                return value;
            }
        }
        self.part(&of, name, id)
    }

    /// Returns the part of a value that a name or a fixed key stands for.
    pub(super) fn part(&mut self, of: &Value<'u>, name: &'u str, id: ExprId) -> Value<'u> {
        if let Some(literal) = of.literal
            && let Some(field) = self.field(literal, name)
            && let Some(value) = self.within(literal, field)
        {
            return value;
        }
        let names = of.names.iter().map(|known| known.member(name)).collect();
        // Of `req.query.id`, all of it is where the value comes from.
        let is_source = matches!(self.unit.kind(id), Kind::Member(object, _) | Kind::Index(object, _) if of.origin == Some(*object));
        let origin = if is_source { Some(id) } else { of.origin };
        let mut part = Value { taint: of.taint, cleared: of.cleared, origin, ..Value::named(names) };
        // What an enumeration has for a value is one of a few.
        let is_of_enumeration = of.shape == Shape::Safe && matches!(name, "value" | "name");
        let is_few = (self.is_constant(name) || is_of_enumeration) && of.taint == 0 || self.is_enum(&of.names);
        let is_number = || self.is_class(&of.names) && self.program.safe_types.has(self.field_type_of(name));
        if of.literal.is_some() && of.is_fixed() || is_few || is_number() {
            part.shape = Shape::Safe;
            part.taint = if is_number() { 0 } else { part.taint };
        }
        self.sourced(part, id)
    }

    /// Returns the expression that a record has under a key.
    pub(super) fn field(&self, record: ExprId, key: &str) -> Option<ExprId> {
        let Kind::Record(fields) = self.unit.kind(record) else { return None };
        fields.iter().rev().find(|(name, _)| *name == Some(key)).map(|(_, value)| *value)
    }

    fn index(&mut self, id: ExprId, of: ExprId, index: ExprId) -> Value<'u> {
        let unit = self.unit;
        if let Kind::Text(key) = unit.kind(index) {
            return self.member(id, of, key);
        }
        if matches!(unit.kind(index), Kind::Literal(_))
            && let Some(item) = self.known_at(id)
        {
            return item;
        }
        let of = self.eval(of);
        let at = self.eval(index);
        // One letter of a fixed text.
        if let (Shape::Constant, None, Some(text), Some(at)) = (of.shape, of.literal, &of.text, at.number)
            && let Some(letter) = text.chars().nth(at as usize).filter(|_| at >= 0.0)
        {
            return Value::constant(letter.encode_utf8(&mut [0; 4]));
        }
        let keyed = if at.cleared == ALL { of.keyed } else { of.keyed | at.taint };
        // A value of a fixed table is one of a few, whatever the key says.
        if of.is_fixed() || self.program.safe_types.has(&of.names) {
            return Value { names: of.names, keyed, ..Value::safe() };
        }
        let list = of.literal.and_then(|list| match unit.kind(list) {
            Kind::List(items) => items.get(at.number? as usize).copied(),
            _ => None,
        });
        if let Some(value) = list.zip(of.literal).and_then(|(item, literal)| self.within(literal, item)) {
            return value;
        }
        Value { text: None, literal: None, shape: Shape::Dynamic, keyed, ..of }
    }

    /// Evaluates a part of a literal, unless that is what is going on already.
    pub(super) fn within(&mut self, literal: ExprId, part: ExprId) -> Option<Value<'u>> {
        if self.inside.contains(&literal) {
            return None;
        }
        self.inside.push(literal);
        let value = self.eval(part);
        self.inside.pop();
        Some(value)
    }

    fn choose(&mut self, test: ExprId, then: ExprId, otherwise: ExprId) -> Value<'u> {
        let value = self.eval(test);
        match value.number.filter(|_| value.shape == Shape::Constant) {
            Some(0.0) => return self.eval(otherwise),
            Some(_) => return self.eval(then),
            None => {}
        }
        let guards = self.guards(test);
        self.judge_test(test);
        let before = self.env.clone();
        self.clear(&guards.when_true);
        let yes = self.eval(then);
        self.env = before.clone();
        self.clear(&guards.when_false);
        let no = self.eval(otherwise);
        self.env = before;
        yes.join(no)
    }

    fn operation(&mut self, id: ExprId, operator: &'u str, parts: &'u [ExprId]) -> Value<'u> {
        let values: Vec<Value<'u>> = parts.iter().map(|part| self.eval(*part)).collect();
        if COMPARISONS.contains(&operator) && self.program.calls.has(&[Name::new(operator)]) {
            let given =
                parts.iter().zip(&values).map(|(id, value)| Given { name: None, id: *id, value: value.clone() });
            let given: Vec<Given<'u>> = given.collect();
            self.judge_call(id, id, &[Name::new(operator)], None, &given);
        }
        // Flags that are put together go by all of their names.
        if operator == "|" {
            let names = values.into_iter().flat_map(|value| value.names).take(MOST_FLAGS).collect();
            return Value { names, ..Value::safe() };
        }
        if matches!(operator, "&&" | "and") {
            return values.into_iter().last().unwrap_or_default();
        }
        if matches!(operator, "||" | "or" | "??") {
            return values.into_iter().reduce(Value::join).unwrap_or_default();
        }
        if let [left, right] = &values[..]
            && let Some(truth) = compared(operator, left, right)
        {
            return Value::number(f64::from(u8::from(truth)));
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.number).collect();
        let result = numbers.and_then(|numbers| match numbers[..] {
            [left, right] => calculate(operator, left, right),
            [only] if operator == "-" => Some(-only),
            _ => None,
        });
        result.map_or_else(Value::safe, Value::number)
    }

    /// Gives a target a value.
    pub(super) fn assign(&mut self, target: ExprId, value: Value<'u>, from: Option<ExprId>) {
        let unit = self.unit;
        match unit.kind(target) {
            Kind::Name(name) => {
                let has_field = !self.env.has(name) && self.env.field(name).is_some();
                let path = if has_field { Cow::Owned(format!("this.{name}")) } else { Cow::Borrowed(*name) };
                self.judge_set(target, &[Name::new(name)], &value);
                self.env.forget_parts(&path);
                let value = self.of_field(&path, value);
                self.env.insert(&path, value);
                if let Some(from) = from {
                    self.construct(&path, from);
                }
            }
            Kind::Member(of, _) | Kind::Index(of, _) => {
                let path = self.path(target);
                let of_value = self.eval(*of);
                if let Some(name) = self.fixed_name(target) {
                    let names: Vec<Name<'u>> = of_value.names.iter().map(|known| known.member(name)).collect();
                    self.judge_set(target, &names, &value);
                } else if let Kind::Index(_, key) = unit.kind(target)
                    && !self.program.puts.is_empty()
                {
                    let key = self.eval(*key);
                    self.judge_put(target, &of_value, &key, &value);
                }
                match path {
                    Some(path) => {
                        self.env.forget_parts(&path);
                        let value = self.of_field(&path, value);
                        self.env.insert(&path, value);
                    }
                    None => self.put_into(*of, &value),
                }
            }
            Kind::List(targets) => self.take_apart_list(targets, &value, from),
            Kind::Record(fields) => {
                for (key, target) in fields {
                    let part = match key {
                        Some(key) => self.part(&value, key, *target),
                        None => value.clone(),
                    };
                    self.assign(*target, part.at(*target), None);
                }
            }
            // A default of a parameter or of a part: `{ page = 1 }`.
            Kind::Assign { target, value: default } => {
                let default = self.eval(*default);
                self.assign(*target, Value { text: None, ..value }.join(Value { shape: Shape::Safe, ..default }), None);
            }
            _ => {}
        }
    }

    /// Adds the names of the declared type of a field to what it is given.
    fn of_field(&self, path: &str, mut value: Value<'u>) -> Value<'u> {
        for name in self.field_type(path) {
            if value.names.len() < 4 && !value.names.iter().any(|known| known.is(name)) {
                value.names.push(name.clone());
            }
        }
        value
    }

    /// Lets the constructor of a class of the file fill the variable that the object is given to.
    fn construct(&mut self, path: &str, made_by: ExprId) {
        let unit = self.unit;
        let Kind::Call { callee, args } = unit.kind(made_by) else { return };
        let class = match unit.kind(*callee) {
            Kind::Name(class) => *class,
            Kind::Member(of, "new") => match unit.kind(*of) {
                Kind::Name(class) => *class,
                _ => return,
            },
            _ => return,
        };
        let mut names = [class].into_iter().chain(CONSTRUCTORS);
        let Some(constructor) = names.find_map(|name| self.method(class, name)) else { return };
        let given = self.arguments(args, None, &[]);
        let keywords: Vec<Option<&'u str>> = given.iter().map(|arg| arg.name).collect();
        let values: Vec<Value<'u>> = given.into_iter().map(|arg| arg.value).collect();
        self.follow(constructor, &values, &keywords, Some(path));
    }

    fn take_apart_list(&mut self, targets: &'u [ExprId], value: &Value<'u>, from: Option<ExprId>) {
        let unit = self.unit;
        let items = match from.map(|from| unit.kind(from)) {
            Some(Kind::List(items)) => items.as_slice(),
            _ => &[],
        };
        for (at, target) in targets.iter().enumerate() {
            let part = match items.get(at).filter(|_| items.len() == targets.len()) {
                Some(item) => self.eval(*item),
                // The first of several results is the one that a call is named for.
                None if at == 0 => Value { literal: None, text: None, ..value.clone() },
                None => Value { literal: None, text: None, names: Vec::new(), ..value.clone() },
            };
            self.assign(*target, part, None);
        }
    }

    /// Puts a value into an object, which keeps what it has.
    fn put_into(&mut self, object: ExprId, value: &Value<'u>) {
        let Some(path) = self.path(object) else { return };
        let mut known = self.eval(object);
        known.absorb(value);
        known.shape = known.shape.max(value.shape.min(Shape::Dynamic));
        self.env.insert(&path, known);
    }

    /// Returns what is known about a part of a variable. Most variables have no parts that something is known about, and those
    /// need no path.
    fn known_at(&self, id: ExprId) -> Option<Value<'u>> {
        let mut first = id;
        while let Kind::Member(of, _) | Kind::Index(of, _) = self.unit.kind(self.getter(first)) {
            first = *of;
        }
        let Kind::Name(name) = self.unit.kind(first) else { return None };
        if !self.env.may_have_parts(name) {
            return None;
        }
        self.path(id).and_then(|path| self.env.get(&path)).cloned()
    }

    /// Returns the path that a variable is kept under.
    pub(super) fn path(&self, id: ExprId) -> Option<String> {
        let mut path = String::with_capacity(32);
        self.write_path(id, &mut path)?;
        Some(path)
    }

    fn write_path(&self, id: ExprId, path: &mut String) -> Option<()> {
        let (of, part) = match self.unit.kind(self.getter(id)) {
            Kind::Name(name) => {
                let is_field = !self.env.has(name) && self.env.field(name).is_some();
                path.push_str(if is_field { "this." } else { "" });
                path.push_str(name);
                return Some(());
            }
            Kind::Member(of, name) => (of, name),
            Kind::Index(of, index) => match self.unit.kind(*index) {
                Kind::Text(key) | Kind::Literal(key) => (of, key),
                _ => return None,
            },
            _ => return None,
        };
        self.write_path(*of, path)?;
        path.push('.');
        path.push_str(part);
        Some(())
    }

    /// Returns the member that a call without arguments asks for: `request.headers` is a call in some languages.
    fn getter(&self, id: ExprId) -> ExprId {
        match self.unit.kind(id) {
            Kind::Call { callee, args } if args.is_empty() && matches!(self.unit.kind(*callee), Kind::Member(..)) => {
                *callee
            }
            _ => id,
        }
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &'u [Arg<'t>]) -> Value<'u> {
        let unit = self.unit;
        let (receiver, target) = match unit.kind(callee) {
            Kind::Member(of, name) => {
                let known = self.known_at(callee);
                let of = self.eval(*of);
                // What was looked at before is what is given again.
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
            // Whatever it is called on, the method has a name.
            names.push(Name::new("").member(name));
        }
        let carries = self.program.passes.has(&names);
        let given = self.arguments(args, receiver.as_ref().filter(|_| carries), &names);
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

    /// Evaluates arguments; closures are given the elements of what they are called for.
    fn arguments(&mut self, args: &'u [Arg<'t>], element: Option<&Value<'u>>, to: &[Name<'u>]) -> Vec<Given<'u>> {
        let unit = self.unit;
        let is_handed = self.program.handed.has(to);
        let element = element.map(|of| Value { names: Vec::new(), text: None, literal: None, ..of.clone() });
        // Behind the item, a closure is given its number.
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
                    // `query.name = x` may stand between the record and its use.
                    if value.literal.is_some() { self.with_members(arg.value, value) } else { value }
                }
            };
            given.push(Given { name: arg.name, id: arg.value, value });
        }
        given
    }

    /// Returns what a call gives back.
    #[expect(
        clippy::too_many_arguments,
        reason = "a call has that many sides, and they are used nowhere else together"
    )]
    fn result(
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
        // What an enum gives, `Format.valueOf(text)` and `format.extension()`, is written down in it.
        if receiver.as_ref().is_some_and(|of| self.is_enum(&of.names)) {
            return Value::safe();
        }
        if is_stripped(names, receiver.as_ref(), &given) {
            return Value::safe();
        }
        // A path that begins at the root, once it is normalised, has nothing above it: `filepath.Clean("/" + name)`.
        if let (Some(name), [path]) = (names.first(), &given[..])
            && path.value.shape == Shape::Built
            && path.value.text.as_deref().is_some_and(|text| text.starts_with('/'))
        {
            self.program.sanitisers.each(&[Name::new("rooted").member(name.last())], |bits| cleared |= bits);
        }
        let mut taint = 0;
        self.program.sources.each(names, |bits| taint |= bits);
        // What one rule looks for may be harmless for all others: `hmac.new(…).hexdigest()`.
        if cleared == ALL && taint == 0 {
            return Value::safe();
        }
        if taint != 0 {
            let cleared = if cleared == ALL { 0 } else { cleared };
            // What is a source for one rule may carry what comes from another.
            let carried = if carries { given.iter().fold(0, |all, arg| all | arg.value.taint) } else { 0 };
            let carried = carried | receiver.as_ref().map_or(0, |of| of.taint);
            return Value { taint: taint | carried, cleared, origin: Some(id), dynamic: Some(id), ..Value::default() };
        }
        if cleared != 0 {
            // A function of the file is what it does, and also what it is called.
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
            return text;
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
        // A method of a class of the file is what it does, whatever it is called.
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
            return value;
        }
        if let Some(result) = self.followed(callee, target, receiver.as_ref(), &given) {
            return result;
        }
        if self.program.lookups.has(names) {
            let default = given.into_iter().skip(1).map(|arg| arg.value).reduce(Value::join);
            let part = receiver.map(|of| Value { text: None, literal: None, number: None, names: Vec::new(), ..of });
            let part = part.map(|part| if part.is_fixed() { Value::safe() } else { part }).unwrap_or_default();
            // The items of a default list are not those of what was found.
            return default.map_or(part.clone(), |default| part.join(Value { literal: None, ..default }));
        }
        // `new java.util.ArrayList<>()`: nothing is in it yet.
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
            return Value { text: listed.or(result.text), ..result };
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

    /// Tells whether a method is called on a value: methods begin with capitals in some languages, as types do in all.
    fn is_of_value(&self, callee: ExprId) -> bool {
        match self.unit.kind(callee) {
            Kind::Member(of, _) => self.is_of_value(*of),
            Kind::Name(name) => *name == "this" || self.env.has(name),
            _ => true,
        }
    }

    /// Returns what a function of the file gives back, if the call goes to one.
    fn followed(
        &mut self,
        callee: ExprId,
        target: &Value<'u>,
        receiver: Option<&Value<'u>>,
        given: &[Given<'u>],
    ) -> Option<Value<'u>> {
        let function = self.called_function(callee, target, receiver)?;
        let keywords: Vec<Option<&'u str>> = given.iter().map(|arg| arg.name).collect();
        let values: Vec<Value<'u>> = given.iter().map(|arg| arg.value.clone()).collect();
        // A method of the same object is called on it, whether that is said or not.
        let object = match self.unit.kind(callee) {
            Kind::Member(of, _) => self.path(*of),
            _ => self.unit.function(function).class.map(|_| "this".to_owned()),
        };
        self.follow(function, &values, &keywords, object.as_deref())
    }

    /// Puts the items of a list together: `[a, b].join(" ")`, `" ".join([a, b])`.
    fn joined(&mut self, names: &[Name<'u>], receiver: Option<&Value<'u>>, given: &[Given<'u>]) -> Option<Value<'u>> {
        names.first().filter(|name| matches!(name.last(), "join" | "concat" | "implode" | "Join" | "Concat"))?;
        let unit = self.unit;
        let mut sides = receiver.into_iter().chain(given.iter().map(|arg| &arg.value));
        let (list, items) = sides.find_map(|side| match (side.literal?, unit.kind(side.literal?)) {
            (list, Kind::List(items)) => Some((list, items)),
            _ => None,
        })?;
        let values: Option<Vec<Value<'u>>> = items.iter().map(|item| self.within(list, *item)).collect();
        let whole = Value::concat(&values?);
        // What was pushed to the list since is not spelled out in it.
        let mut sides = receiver.into_iter().chain(given.iter().map(|arg| &arg.value));
        let is_whole =
            sides.all(|side| side.taint & !whole.taint == 0 && side.shape.min(Shape::Dynamic) <= whole.shape);
        is_whole.then_some(whole)
    }

    /// Returns what a call gives back that asks a function for it: `ids.map(() => "?")`, `names.filter(isAllowed)`,
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
            // In other languages it is given what gathers: `collect(Collectors.joining(","))`.
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

    /// Puts the parts of a path together: `path.join(root, name)`.
    fn path_of(&self, names: &[Name<'u>], given: &[Given<'u>]) -> Option<Value<'u>> {
        let is_join = |name: &Name<'u>| PATH_JOINS.iter().any(|join| name.is(&Name::new(join)));
        if given.len() < 2 || !names.iter().any(is_join) {
            return None;
        }
        let parts = given.iter().flat_map(|arg| [Value::constant("/"), Value { number: None, ..arg.value.clone() }]);
        Some(Value::concat(&parts.skip(1).collect::<Vec<_>>()))
    }

    /// Tells whether a call is a structure with its members, `T{A: 1}`: nothing stands behind those.
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

    /// Puts what a call reads into the variables that it is given.
    fn fill(&mut self, id: ExprId, names: &[Name<'u>], receiver: Option<&Value<'u>>, given: &[Given<'u>]) {
        let mut read = Value::default();
        receiver.into_iter().chain(given.iter().map(|arg| &arg.value)).for_each(|part| read.absorb(part));
        let mut taint = 0;
        self.program.sources.each(names, |bits| taint |= bits);
        if taint != 0 {
            read = Value { taint: read.taint | taint, cleared: 0, origin: Some(id), ..read };
        }
        for arg in given {
            // What is read into a part of a buffer, `buffer[:16]`, is in the buffer.
            let mut into = arg.id;
            while let (Kind::Index(of, _), None) = (self.unit.kind(into), self.path(into)) {
                into = *of;
            }
            self.put_into(into, &read);
        }
    }

    /// Puts the arguments of a call into its object.
    fn mutated(&mut self, callee: ExprId, receiver: Option<Value<'u>>, given: Vec<Given<'u>>) -> Value<'u> {
        let unit = self.unit;
        let Kind::Member(of, _) = unit.kind(callee) else { return carried(receiver, given) };
        let receiver = receiver.unwrap_or_default();
        let names = receiver.names.clone();
        let path = self.path(self.first_of_chain(*of));
        // Under fixed keys, the value is found again as it is; and in what began empty, nothing else is.
        if let Some(path) = &path {
            let only_these = format!("{path}.{ONLY_THESE}");
            let is_empty = receiver.shape == Shape::Constant && receiver.text.as_deref() == Some("");
            match given.split_last().and_then(|(value, keys)| Some((value, fixed_keys(keys)?))) {
                Some((value, key)) => {
                    self.env.insert(&format!("{path}.{key}"), value.value.clone());
                    if is_empty {
                        self.env.insert(&only_these, Value::constant(""));
                    }
                }
                None => _ = self.env.remove(&only_these),
            }
        }
        let parts: Vec<Value<'u>> = [receiver].into_iter().chain(given.into_iter().map(|arg| arg.value)).collect();
        let whole = Value { names, number: None, ..Value::concat(&parts) };
        if let Some(path) = path {
            self.env.insert(&path, whole.clone());
        }
        whole
    }

    /// Returns the object at the start of a chain such as `text.append(a).append(b)`, each link of which puts into it.
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

    /// Returns what stands under the fixed key that a call asks for, if it was put there.
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

    /// Returns the name or fixed key of a part of an object.
    fn fixed_name(&self, target: ExprId) -> Option<&'u str> {
        let unit = self.unit;
        match unit.kind(target) {
            Kind::Member(_, name) => Some(name),
            Kind::Index(_, index) => match unit.kind(*index) {
                Kind::Text(key) => Some(key),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns the fixed texts of arguments as one key.
fn fixed_keys(keys: &[Given<'_>]) -> Option<String> {
    let key =
        |key: &Given<'_>| key.value.text.as_deref().filter(|_| key.value.shape == Shape::Constant).map(str::to_owned);
    let keys: Vec<String> = keys.iter().map(key).collect::<Option<_>>()?;
    (!keys.is_empty()).then(|| keys.join("."))
}

/// Puts text together by a format: with literal text in it, it is built, even if the format itself is out of sight.
fn formatted<'u>(parts: &[Value<'u>]) -> Value<'u> {
    // A culture may stand before the format: `String.format(Locale.ROOT, "%s", x)`.
    let is_culture = |part: &Value<'_>| {
        part.names.iter().any(|name| matches!(name.last(), "ROOT" | "ENGLISH" | "US" | "InvariantCulture"))
    };
    let culture = parts.first().filter(|first| first.text.is_none() && is_culture(first)).map_or(0, |_| 1);
    let mut parts = parts[culture..].to_vec();
    if let Some((format, rest)) = parts.split_first_mut()
        && let Some(text) = format.text.as_deref()
    {
        // What is written as a number is one.
        for (at, verb) in numbers(text) {
            match (rest.get_mut(at), verb) {
                // Hexadecimal text of a secret still tells it, and harms nobody else.
                (Some(part), 'x' | 'X') if part.taint != 0 => part.cleared |= EVERY_CLASS,
                (Some(part), _) => *part = std::mem::take(part).made_safe(),
                _ => {}
            }
        }
    }
    let Some((format, rest)) = parts.split_first() else { return Value::default() };
    let mut whole = Value::concat(&parts);
    if let Some(text) = &format.text {
        // The places of a format are where the values go.
        let places = filled(text, rest);
        whole.text = Some(if rest.is_empty() { text.clone() } else { places.into() });
    }
    whole
}

/// Returns which of its arguments a format writes as numbers: those of `%d`. Where they are numbered, none is.
fn numbers(format: &str) -> Vec<(usize, char)> {
    let mut places = format.replace("%%", "");
    if places.contains("%*") || places.contains("%[") || places.contains('$') {
        places.clear();
    }
    let verbs = places.split('%').skip(1).filter_map(|rest| rest.chars().find(char::is_ascii_alphabetic));
    let is_number = |verb: char| "dibouxXeEfFgGtcpU".contains(verb);
    verbs.enumerate().filter(|(_, verb)| is_number(*verb)).collect()
}

/// Writes into each place of a format, `%s`, `%2$s`, `{}`, `{0}`, `{name}`, the text that goes there, or a hole.
fn filled(format: &str, values: &[Value<'_>]) -> String {
    let mut text = String::with_capacity(format.len());
    let mut rest = format.chars().peekable();
    let mut next = 0;
    let mut fill = |text: &mut String, at: Option<usize>| {
        let at = at.unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        match values.get(at).and_then(|value| value.text.as_deref()) {
            Some(known) => text.push_str(known),
            None => text.push(super::value::HOLE),
        }
    };
    while let Some(c) = rest.next() {
        match c {
            '%' if rest.peek() == Some(&'%') => {
                rest.next();
                text.push('%');
            }
            '%' => {
                let mut flags = String::new();
                while let Some(flag) =
                    rest.next_if(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '#' | '.' | '$' | ' ' | '*'))
                {
                    flags.push(flag);
                }
                if rest.next_if(char::is_ascii_alphabetic).is_some() {
                    let number = flags.split_once('$').and_then(|(number, _)| number.parse::<usize>().ok());
                    fill(&mut text, number.map(|number| number.saturating_sub(1)));
                } else {
                    text.push('%');
                }
            }
            '{' => {
                let inner: String = rest.clone().take_while(|c| *c != '}').collect();
                if inner.len() <= 40
                    && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '!' | '.' | '?'))
                {
                    rest.by_ref().take(inner.chars().count() + 1).for_each(drop);
                    let place = inner.split([':', '!']).next().unwrap_or_default();
                    match place.parse() {
                        Ok(number) => fill(&mut text, Some(number)),
                        Err(_) if place.is_empty() => fill(&mut text, None),
                        Err(_) => text.push(super::value::HOLE),
                    }
                } else {
                    text.push('{');
                }
            }
            _ => text.push(c),
        }
    }
    text
}

/// Returns the text of the items of a list that a call makes: `List.of("sh", "-c", command)`.
fn listed(names: &[Name<'_>], given: &[Given<'_>]) -> Option<std::rc::Rc<str>> {
    names.first().filter(|name| given.len() > 1 && matches!(name.last(), "of" | "asList"))?;
    let items: Vec<Value<'_>> = given.iter().map(|arg| arg.value.clone()).collect();
    Value::concat(&items).text
}

/// Tells whether a call leaves only harmless characters: `text.replaceAll("[^a-z0-9]", "")`.
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
        // Between slashes, only all of them will do.
        let is_literal = text.starts_with('/');
        let (pattern, flags) = text.trim_start_matches('/').rsplit_once('/').unwrap_or((text, ""));
        let inner = pattern.strip_prefix("[^").and_then(|rest| rest.trim_end_matches(['+', '*']).strip_suffix(']'));
        let is_harmless = |c: char| c.is_ascii_alphanumeric() || "_-. \\@:,+".contains(c);
        inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(is_harmless) && !inner.contains("\\W"))
            && (!is_literal || flags.contains('g') || names.first().is_some_and(|name| name.last() != "replace"))
    })
}

/// Tells whether a call goes through items and gives back what a closure makes of each.
fn is_mapping(names: &[Name<'_>]) -> bool {
    let is_one = |name: &Name<'_>| matches!(name.last(), "map" | "mapToObj" | "flatMap" | "Select" | "SelectMany");
    names.first().is_some_and(is_one)
}

/// Returns what a known helper gives back: what went in.
fn carried<'u>(receiver: Option<Value<'u>>, given: Vec<Given<'u>>) -> Value<'u> {
    let has_arguments = !given.is_empty();
    let mut parts = receiver
        .into_iter()
        .filter(|of| {
            let says_something = of.taint != 0 || of.text.is_some() || of.literal.is_some();
            // What it is called on, such as `Encoding.UTF8`, is no part of the result if there are arguments.
            says_something || of.shape != Shape::Dynamic && !(has_arguments && of.shape == Shape::Safe)
        })
        .chain(given.into_iter().map(|arg| arg.value));
    let Some(mut whole) = parts.next() else { return Value::default() };
    for part in parts {
        whole.absorb(&part);
        whole.shape = whole.shape.max(part.shape);
    }
    Value { number: None, literal: None, function: None, names: Vec::new(), ..whole }
}

/// Returns what is known about a list or record of values.
fn gathered<'u>(items: &[Value<'u>]) -> Value<'u> {
    let mut whole = Value { shape: Shape::Constant, ..Value::default() };
    for item in items {
        whole.absorb(item);
        whole.shape = whole.shape.max(item.shape.min(Shape::Dynamic));
    }
    whole
}

/// Returns the text of a value that is made of text alone.
fn fixed_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    value.text.as_deref().filter(|_| value.shape == Shape::Constant && !value.varies && value.number.is_none())
}

/// Returns the character that `text.charAt(at)` gives of fixed text.
fn character<'u>(receiver: Option<&Value<'u>>, given: &[Given<'u>]) -> Option<Value<'u>> {
    let ([at], Some(text)) = (given, receiver.and_then(fixed_text)) else { return None };
    let character = text.chars().nth(at.value.number? as usize)?;
    Some(Value::constant(character.encode_utf8(&mut [0; 4])))
}

fn literal<'u>(written: &str) -> Value<'u> {
    let number = match written {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        _ => number(written),
    };
    Value { number, ..Value::constant(written) }
}

/// Reads a number of most languages: `1_000`, `0x1F`, `0o755`, `0755`, `10L`.
pub(super) fn number(written: &str) -> Option<f64> {
    let plain = if written.contains('_') { Cow::Owned(written.replace('_', "")) } else { Cow::Borrowed(written) };
    let plain = plain.trim_end_matches(['l', 'L', 'u', 'U', 'n']);
    let radix = |prefix: [&str; 2], radix| {
        let digits = prefix.iter().find_map(|prefix| plain.strip_prefix(prefix))?;
        u64::from_str_radix(digits, radix).ok().map(|number| number as f64)
    };
    let octal =
        || plain.strip_prefix('0').filter(|rest| !rest.is_empty()).and_then(|rest| u64::from_str_radix(rest, 8).ok());
    radix(["0x", "0X"], 16)
        .or_else(|| radix(["0o", "0O"], 8))
        .or_else(|| radix(["0b", "0B"], 2))
        .or_else(|| octal().map(|number| number as f64))
        .or_else(|| {
            plain.parse().ok().filter(|_| plain.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
        })
}

/// Compares two fixed texts.
fn compared(operator: &str, left: &Value<'_>, right: &Value<'_>) -> Option<bool> {
    let text = |value: &Value<'_>| value.text.clone().filter(|_| value.shape == Shape::Constant);
    let (left, right) = (text(left)?, text(right)?);
    match operator {
        "in" => Some(right.contains(&*left)),
        "not in" => Some(!right.contains(&*left)),
        "==" | "===" => Some(left == right),
        "!=" | "!==" => Some(left != right),
        _ => None,
    }
}

fn calculate(operator: &str, left: f64, right: f64) -> Option<f64> {
    let truth = |is: bool| Some(f64::from(u8::from(is)));
    match operator {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "*" => Some(left * right),
        "/" if right != 0.0 => Some(left / right),
        "%" if right != 0.0 => Some(left % right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "==" | "===" => truth(left == right),
        "!=" | "!==" => truth(left != right),
        _ => None,
    }
}
