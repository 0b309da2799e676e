//! Assignments. In: the target of an assignment, or a path of names. Out: its value before and after; every assignment
//! is shown to the clauses that could match there.

use std::borrow::Cow;

use super::ir::{ExprId, Kind};
use super::machine::{CONSTRUCTORS, Machine};
use super::names::Name;
use super::value::{Value, ValueShape};

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Assigns a value to a target.
    pub(super) fn assign(&mut self, target: ExprId, mut value: Value<'u>, from: Option<ExprId>) {
        value.trace.step(target, from);
        self.bind(target, value, from);
    }

    /// The same for a value that comes from nowhere in the file, and so has no way.
    pub(super) fn bind(&mut self, target: ExprId, value: Value<'u>, from: Option<ExprId>) {
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
                    // `table[key].name = x` writes to the object that the key selected.
                    if of_value.keyed != 0 && !self.program.puts.is_empty() {
                        let led = match unit.kind(*of) {
                            Kind::Index(_, key) => self.eval(*key),
                            _ => Value::default(),
                        };
                        let Value { origin, dynamic, trace, .. } = led;
                        let key = Value { origin, dynamic, trace, ..Value::constant(name) };
                        self.judge_put(target, &of_value, &key, &value);
                    }
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
                let default = self.eval(*default).via(*default);
                self.assign(
                    *target,
                    Value { text: None, ..value }.join(Value { shape: ValueShape::Safe, ..default }),
                    None,
                );
            }
            _ => {}
        }
    }

    /// Adds the names of a field's declared type to its value.
    fn of_field(&self, path: &str, mut value: Value<'u>) -> Value<'u> {
        for name in self.field_type(path) {
            if value.names.len() < 4 && !value.names.iter().any(|known| known.is(name)) {
                value.names.push(name.clone());
            }
        }
        value
    }

    /// Lets the constructor of a class of the file fill the variable that holds the object.
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
        let values: Vec<Value<'u>> = given.into_iter().map(|arg| arg.value.via(arg.id)).collect();
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
                // A call is named for the first of several results.
                None if at == 0 => Value { literal: None, text: None, ..value.clone() },
                None => Value { literal: None, text: None, names: Vec::new(), ..value.clone() },
            };
            self.assign(*target, part, None);
        }
    }

    /// Puts a value into an object, which keeps its other content.
    pub(super) fn put_into(&mut self, object: ExprId, value: &Value<'u>) {
        let Some(path) = self.path(object) else { return };
        let mut known = self.eval(object);
        known.absorb(value);
        known.shape = known.shape.max(value.shape.min(ValueShape::Dynamic));
        self.env.insert(&path, known);
    }

    /// Returns the value of a part of a variable. Most variables have no known parts, and need no path.
    pub(super) fn known_at(&self, id: ExprId) -> Option<Value<'u>> {
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

    /// Returns the path of a variable.
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

    /// Returns the member that a call without arguments reads: `request.headers` is a call in some languages.
    fn getter(&self, id: ExprId) -> ExprId {
        match self.unit.kind(id) {
            Kind::Call { callee, args } if args.is_empty() && matches!(self.unit.kind(*callee), Kind::Member(..)) => {
                *callee
            }
            _ => id,
        }
    }

    /// Returns the name or constant key of a part of an object.
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
