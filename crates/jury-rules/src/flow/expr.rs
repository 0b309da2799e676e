//! Values of expressions. In: an expression and the environment at its place. Out: a value; every call, assignment and
//! record is shown to the clauses that could match there.

use super::calls::Given;
use super::ir::{ExprId, Kind};
use super::literals::{calculate, compared, literal};
use super::machine::{COMPARISONS, Machine};
use super::names::Name;
use super::program::ALL;
use super::value::{Value, ValueShape};

/// The limit on combined flags that are known by name.
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
                // A variable was checked when it got its value, and may have been cleared since.
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
                // `{ ...body }` equals the body.
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
                // A constant stays constant: `(byte) 0`.
                if is_safe && value.shape != ValueShape::Constant { value.made_safe() } else { self.cast(value, of) }
            }
            Kind::Operation(operator, parts) => self.operation(id, operator, parts),
            Kind::Function(function) => {
                let result = self.closure(*function, &[]);
                // A function with a constant result is known by that result: `func(string) bool { return true }`.
                let result = if result.shape == ValueShape::Constant { result } else { Value::default() };
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

    /// Clears a value for classes that its type makes harmless: `(string) $x` is not a list. Sanitisers call it
    /// `cast.string`.
    fn cast(&mut self, value: Value<'u>, of: &'u str) -> Value<'u> {
        let mut cleared = 0;
        self.program.sanitisers.each(&[Name::new("cast").member(of)], |bits| cleared |= bits);
        Value { cleared: value.cleared | cleared, ..value }
    }

    /// Clears concatenated text for classes that only an object can harm. Sanitisers call it `built.text`.
    fn as_text(&mut self, value: Value<'u>) -> Value<'u> {
        let mut cleared = 0;
        if !value.is_fixed() {
            self.program.sanitisers.each(&[Name::new("built").member("text")], |bits| cleared |= bits);
        }
        Value { cleared: value.cleared | cleared, ..value }
    }

    /// Returns the value of a variable.
    fn variable(&self, name: &'u str) -> Option<Value<'u>> {
        if let Some(known) = self.env.get(name) {
            let mut value = known.clone();
            if value.names.is_empty() {
                value.names.push(Name::new(name));
            }
            return Some(value);
        }
        // In some languages methods name the fields of their object without `this`.
        self.env.field(name).cloned()
    }

    /// Returns the meaning of a name that is not a variable.
    fn unknown(&self, name: &'u str) -> Value<'u> {
        let path = self.imported(name);
        let ancestors = self.ancestors_of(name).iter().take(3).cloned();
        let value = Value::named(std::iter::once(Name::new(path.unwrap_or(name))).chain(ancestors).collect());
        let value = Value { function: self.function_named(name).filter(|_| path.is_none()), ..value };
        if self.is_constant(name) { Value { shape: ValueShape::Safe, ..value } } else { value }
    }

    /// Taints a value if its name is a source, and shows it to the clauses over names.
    fn sourced(&mut self, mut value: Value<'u>, id: ExprId) -> Value<'u> {
        let mut taint = 0;
        self.program.sources.each(&value.names, |bits| taint |= bits);
        if taint != 0 {
            value.taint |= taint;
            value.origin = Some(id);
            value.shape = value.shape.max(ValueShape::Dynamic);
            value.cleared = 0;
            value.trace.step(id, None);
        }
        self.judge_read(id, &value.names);
        // `items.length` is a number; a value under the key `length` may be anything.
        if matches!(self.unit.kind(id), Kind::Index(..)) { value } else { self.sanitised(value) }
    }

    /// Clears a value whose name marks it as harmless: `items.length`.
    fn sanitised(&mut self, value: Value<'u>) -> Value<'u> {
        let mut cleared = 0;
        self.program.sanitisers.each(&value.names, |bits| cleared |= bits);
        match cleared {
            0 => value,
            ALL => value.made_safe(),
            _ => Value { cleared: value.cleared | cleared, ..value },
        }
    }

    /// Tells whether a name is written like a constant: `TABLE_NAME`.
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

    /// Returns the part of a value under a name or constant key.
    pub(super) fn part(&mut self, of: &Value<'u>, name: &'u str, id: ExprId) -> Value<'u> {
        if let Some(literal) = of.literal
            && let Some(field) = self.field(literal, name)
            && let Some(value) = self.within(literal, field)
        {
            return value.after(of);
        }
        let names = of.names.iter().map(|known| known.member(name)).collect();
        // The source of `req.query.id` is the whole path.
        let is_source = matches!(self.unit.kind(id), Kind::Member(object, _) | Kind::Index(object, _) if of.origin == Some(*object));
        let origin = if is_source { Some(id) } else { of.origin };
        let trace = of.trace.clone();
        let mut part = Value { taint: of.taint, cleared: of.cleared, origin, trace, ..Value::named(names) };
        // Enum values are few and constant.
        let is_of_enumeration = of.shape == ValueShape::Safe && matches!(name, "value" | "name");
        let is_few = (self.is_constant(name) || is_of_enumeration) && of.taint == 0 || self.is_enum(&of.names);
        let is_number = || self.is_class(&of.names) && self.program.safe_types.has(self.field_type_of(name));
        if of.literal.is_some() && of.is_fixed() || is_few || is_number() {
            part.shape = ValueShape::Safe;
            part.taint = if is_number() { 0 } else { part.taint };
        }
        self.sourced(part, id)
    }

    /// Returns the expression under a key of a record.
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
        // One character of a constant text.
        if let (ValueShape::Constant, None, Some(text), Some(at)) = (of.shape, of.literal, &of.text, at.number)
            && let Some(letter) = text.chars().nth(at as usize).filter(|_| at >= 0.0)
        {
            return Value::constant(letter.encode_utf8(&mut [0; 4])).after(&of);
        }
        let keyed = if at.cleared == ALL { of.keyed } else { of.keyed | at.taint };
        // A value of a constant table is one of a few, whatever the key.
        if of.is_fixed() || self.program.safe_types.has(&of.names) {
            return Value { names: of.names, keyed, trace: of.trace, ..Value::safe() }.after(&at);
        }
        let list = of.literal.and_then(|list| match unit.kind(list) {
            Kind::List(items) => items.get(at.number? as usize).copied(),
            _ => None,
        });
        if let Some(value) = list.zip(of.literal).and_then(|(item, literal)| self.within(literal, item)) {
            return value.after(&of);
        }
        Value { text: None, literal: None, shape: ValueShape::Dynamic, keyed, ..of }.after(&at)
    }

    /// Evaluates a part of a literal, unless it is being evaluated already.
    pub(super) fn within(&mut self, literal: ExprId, part: ExprId) -> Option<Value<'u>> {
        if self.inside.contains(&literal) {
            return None;
        }
        self.inside.push(literal);
        let met = std::mem::take(&mut self.met);
        let value = self.eval(part);
        self.met = met;
        self.inside.pop();
        Some(value)
    }

    fn choose(&mut self, test: ExprId, then: ExprId, otherwise: ExprId) -> Value<'u> {
        let value = self.eval(test);
        match value.number.filter(|_| value.shape == ValueShape::Constant) {
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
        let of_parts = |whole: Value<'u>, values: &[Value<'u>]| values.iter().fold(whole, Value::after);
        // Combined flags have all of their names.
        if operator == "|" {
            let whole = of_parts(Value::safe(), &values);
            let names = values.into_iter().flat_map(|value| value.names).take(MOST_FLAGS).collect();
            return Value { names, ..whole };
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
            return of_parts(Value::number(f64::from(u8::from(truth))), &values);
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.number).collect();
        let result = numbers.and_then(|numbers| match numbers[..] {
            [left, right] => calculate(operator, left, right),
            [only] if operator == "-" => Some(-only),
            _ => None,
        });
        of_parts(result.map_or_else(Value::safe, Value::number), &values)
    }
}

/// Returns the value of a list or record of values.
pub(super) fn gathered<'u>(items: &[Value<'u>]) -> Value<'u> {
    let mut whole = Value { shape: ValueShape::Constant, ..Value::default() };
    for item in items {
        whole.absorb(item);
        whole.shape = whole.shape.max(item.shape.min(ValueShape::Dynamic));
    }
    whole
}
