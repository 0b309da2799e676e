//! What an expression is worth. In: an expression and what is known where it stands. Out: a value; on the way, every call,
//! assignment and record is shown to the clauses that could find something there.

use super::calls::Given;
use super::ir::{ExprId, Kind};
use super::literals::{calculate, compared, literal};
use super::machine::{COMPARISONS, Machine};
use super::names::Name;
use super::program::ALL;
use super::value::{Shape, Value};

/// How many flags that are put together are known by name.
const MOST_FLAGS: usize = 12;

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
                let whole = self.as_text(Value::concat(&parts));
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
                // What is fixed stays so: `(byte) 0`.
                if is_safe && value.shape != Shape::Constant { value.made_safe() } else { self.cast(value, of) }
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

    /// Clears text that was put together for what only an object can do. Sanitisers call it `built.text`.
    fn as_text(&mut self, value: Value<'u>) -> Value<'u> {
        let mut cleared = 0;
        if !value.is_fixed() {
            self.program.sanitisers.each(&[Name::new("built").member("text")], |bits| cleared |= bits);
        }
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

    pub(super) fn member(&mut self, id: ExprId, of: ExprId, name: &'u str) -> Value<'u> {
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
}

/// Returns what is known about a list or record of values.
pub(super) fn gathered<'u>(items: &[Value<'u>]) -> Value<'u> {
    let mut whole = Value { shape: Shape::Constant, ..Value::default() };
    for item in items {
        whole.absorb(item);
        whole.shape = whole.shape.max(item.shape.min(Shape::Dynamic));
    }
    whole
}
