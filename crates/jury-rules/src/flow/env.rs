//! Values of variables at a point of the code. In: values, by the path under which code reads them: `x`, `this.x`,
//! `options.path`. Out: the same, with separate branches: a copy costs nothing until it is written to.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

use super::ir::ExprId;
use super::program::Bits;
use super::trace::Trace;
use super::value::Value;

/// The path of a method's object, with the trailing dot.
const THIS: &str = "this.";
/// The longest path of a field that is looked up without allocating.
const LONGEST_FIELD: usize = 64;

/// Values by path.
#[derive(Clone, Default)]
pub(super) struct Env<'u> {
    known: Rc<BTreeMap<Rc<str>, Rc<Value<'u>>>>,
    /// Whether it may contain a field of the current object. Most code has none, so the lookup per name is skipped.
    has_fields: bool,
}

/// The members of an object, independent of its path.
#[derive(Clone, Default)]
pub(super) struct Members<'u> {
    parts: Vec<(Rc<str>, Rc<Value<'u>>)>,
    /// The length of the object's path in a full path, trailing dot included.
    behind: usize,
}

impl<'u> Members<'u> {
    fn rest<'p>(&self, path: &'p str) -> &'p str {
        &path[self.behind..]
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value<'u>> {
        self.parts.iter().map(|(_, value)| &**value)
    }

    /// Adds the way of other values to the members that differ from those before.
    pub(super) fn changed_by(&mut self, before: &Self, trace: &Trace) {
        let before: Vec<*const Value<'u>> = before.parts.iter().map(|(_, value)| Rc::as_ptr(value)).collect();
        for (_, value) in self.parts.iter_mut().filter(|(_, value)| !before.contains(&Rc::as_ptr(value))) {
            Rc::make_mut(value).trace.join(trace);
        }
    }
}

/// The same members of two objects are the same.
impl PartialEq for Members<'_> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(path, value): &(Rc<str>, Rc<Value<'_>>), (known, of): &(Rc<str>, Rc<Value<'_>>)| {
            self.rest(path) == other.rest(known) && (Rc::ptr_eq(value, of) || value == of)
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(|(one, of)| is_same(one, of))
    }
}

impl<'u> Env<'u> {
    pub(super) fn get(&self, path: &str) -> Option<&Value<'u>> {
        self.known.get(path).map(Rc::as_ref)
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.known.contains_key(path)
    }

    /// Tells whether parts of a variable, or of the field of its name, may be known.
    pub(super) fn may_have_parts(&self, name: &str) -> bool {
        self.has_fields || self.parts(name).next().is_some()
    }

    /// Returns the value of a field of the current object; in some languages it is named without `this`.
    pub(super) fn field(&self, name: &str) -> Option<&Value<'u>> {
        if !self.has_fields {
            return None;
        }
        // This runs for most names, and allocating a string each time would dominate its cost.
        let mut path = [0; LONGEST_FIELD];
        let end = THIS.len() + name.len();
        let Some(room) = path.get_mut(..end) else { return self.get(&format!("{THIS}{name}")) };
        room[..THIS.len()].copy_from_slice(THIS.as_bytes());
        room[THIS.len()..].copy_from_slice(name.as_bytes());
        str::from_utf8(room).ok().and_then(|path| self.get(path))
    }

    /// Returns the fields of the current object.
    pub(super) fn fields(&self) -> Self {
        let fields = self.parts("this").map(|(path, value)| (Rc::clone(path), Rc::clone(value)));
        Self { known: Rc::new(fields.collect()), has_fields: self.has_fields }
    }

    /// Returns the known parts of a variable, by path.
    pub(super) fn values_within<'e>(&'e self, path: &'e str) -> impl Iterator<Item = &'e Value<'u>> {
        self.parts(path).map(|(_, value)| &**value)
    }

    /// Returns the known members of an object.
    pub(super) fn members(&self, object: &str) -> Members<'u> {
        let parts = self.parts(object).map(|(path, value)| (Rc::clone(path), Rc::clone(value)));
        Members { parts: parts.collect(), behind: object.len() + 1 }
    }

    /// Puts members into an object.
    pub(super) fn put(&mut self, object: &str, members: &Members<'u>) {
        for (path, value) in &members.parts {
            // Most are unchanged, and most objects are the current one before and after.
            match path.strip_suffix(members.rest(path)).and_then(|before| before.strip_suffix('.')) {
                Some(same) if same == object => self.share(path, value),
                _ => self.share(&format!("{object}.{}", members.rest(path)).into(), value),
            }
        }
    }

    /// Adopts a value unchanged.
    fn share(&mut self, path: &Rc<str>, value: &Rc<Value<'u>>) {
        self.has_fields |= path.starts_with(THIS);
        if !self.known.get(path).is_some_and(|known| Rc::ptr_eq(known, value)) {
            Rc::make_mut(&mut self.known).insert(Rc::clone(path), Rc::clone(value));
        }
    }

    fn parts<'e>(&'e self, path: &'e str) -> impl Iterator<Item = (&'e Rc<str>, &'e Rc<Value<'u>>)> {
        let behind = self.known.range::<str, _>((Bound::Excluded(path), Bound::Unbounded));
        let next = move |known: &str| known.strip_prefix(path).and_then(|rest| rest.bytes().next());
        // Paths that continue with one of the few characters before the dot sort between a path and its parts.
        behind
            .take_while(move |(known, _)| next(known).is_some_and(|next| next <= b'.'))
            .filter(move |(known, _)| next(known) == Some(b'.'))
    }

    pub(super) fn insert(&mut self, path: &str, value: Value<'u>) {
        self.has_fields |= path.starts_with(THIS);
        let known = Rc::make_mut(&mut self.known);
        match known.get_mut(path) {
            Some(known) => *known = Rc::new(value),
            None => _ = known.insert(path.into(), Rc::new(value)),
        }
    }

    pub(super) fn remove(&mut self, path: &str) -> Option<Value<'u>> {
        self.known
            .contains_key(path)
            .then(|| Rc::make_mut(&mut self.known).remove(path))
            .flatten()
            .map(Rc::unwrap_or_clone)
    }

    /// Forgets the parts of a variable.
    pub(super) fn forget_parts(&mut self, path: &str) {
        let parts: Vec<Rc<str>> = self.parts(path).map(|(part, _)| Rc::clone(part)).collect();
        for part in parts {
            Rc::make_mut(&mut self.known).remove(&part);
        }
    }

    /// Changes the selected values.
    pub(super) fn change(&mut self, is_meant: impl Fn(&Value<'u>) -> bool, change: impl Fn(&mut Value<'u>)) {
        let meant: Vec<Rc<str>> =
            self.known.iter().filter(|(_, value)| is_meant(value)).map(|(path, _)| Rc::clone(path)).collect();
        for path in meant {
            Rc::make_mut(&mut self.known).get_mut(&path).into_iter().for_each(|value| change(Rc::make_mut(value)));
        }
    }

    /// Returns the classes for which values from a place were cleared.
    pub(super) fn cleared_of(&self, origin: ExprId) -> Bits {
        let of_it = self.known.values().filter(|value| value.origin == Some(origin) && !value.is_fixed());
        of_it.fold(0, |all, value| all | value.cleared)
    }

    /// Adopts the values of another environment.
    pub(super) fn take(&mut self, other: Self) {
        self.has_fields |= other.has_fields;
        let known = Rc::make_mut(&mut self.known);
        known.extend(other.known.iter().map(|(path, value)| (Rc::clone(path), Rc::clone(value))));
    }

    /// Joins the values after one branch with those after another.
    pub(super) fn join(&mut self, other: &Self) {
        self.join_with(other, |path, value| Some((Rc::clone(path), Rc::clone(value))));
    }

    /// Joins the values that a closure leaves in the variables known here.
    pub(super) fn join_known(&mut self, inner: &Self) {
        self.join_with(inner, |_, _| None);
    }

    fn join_with(
        &mut self,
        other: &Self,
        unknown: impl Fn(&Rc<str>, &Rc<Value<'u>>) -> Option<(Rc<str>, Rc<Value<'u>>)>,
    ) {
        if Rc::ptr_eq(&self.known, &other.known) {
            return;
        }
        self.has_fields |= other.has_fields;
        let mut changed: Vec<(Rc<str>, Rc<Value<'u>>)> = Vec::new();
        let mut mine = self.known.iter().peekable();
        for (path, value) in other.known.iter() {
            while mine.next_if(|(known, _)| !Rc::ptr_eq(known, path) && *known < path).is_some() {}
            match mine.next_if(|(known, _)| Rc::ptr_eq(known, path) || *known == path) {
                // Values that neither branch changed stay the same.
                Some((_, known)) if Rc::ptr_eq(known, value) => {}
                Some((known_path, known)) => {
                    let joined = Value::clone(known).join(Value::clone(value));
                    changed.push((Rc::clone(known_path), Rc::new(joined)));
                }
                None => changed.extend(unknown(path, value)),
            }
        }
        if !changed.is_empty() {
            Rc::make_mut(&mut self.known).extend(changed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(paths: &[(&str, &str)]) -> Env<'static> {
        let mut env = Env::default();
        paths.iter().for_each(|(path, text)| env.insert(path, Value::constant(text)));
        env
    }

    fn shown(env: &Env<'_>) -> Vec<String> {
        env.known.iter().map(|(path, value)| format!("{path}={}", value.text.as_deref().unwrap_or_default())).collect()
    }

    #[test]
    fn a_copy_keeps_what_it_was() {
        let mut one = env(&[("a", "1")]);
        let other = one.clone();
        one.insert("a", Value::constant("2"));
        assert_eq!((shown(&one), shown(&other)), (vec!["a=2".to_owned()], vec!["a=1".to_owned()]));
    }

    #[test]
    fn the_parts_of_a_variable_are_those_behind_its_dot() {
        let mut env =
            env(&[("a", ""), ("a!b", ""), ("a-b.c", ""), ("a.b", ""), ("a.b.c", ""), ("a0", ""), ("ab.c", "")]);
        env.forget_parts("a");
        assert_eq!(shown(&env), ["a=", "a!b=", "a-b.c=", "a0=", "ab.c="]);
        env.forget_parts("z");
        assert!(env.field("b").is_none());
        env.insert("this.b", Value::constant("field"));
        assert_eq!(env.field("b").and_then(|value| value.text.as_deref()), Some("field"));
        assert_eq!(shown(&env.fields()), ["this.b=field"]);
    }

    #[test]
    fn members_go_from_one_object_to_another() {
        let from = env(&[("a", ""), ("a.x", "1"), ("a.x.y", "2"), ("b.x", "1"), ("b.x.y", "2"), ("c.x", "1")]);
        assert!(from.members("a") == from.members("b") && from.members("a") != from.members("c"));
        let mut into = env(&[("this.x", "0"), ("z", "")]);
        into.put("this", &from.members("a"));
        assert_eq!(shown(&into), ["this.x=1", "this.x.y=2", "z="]);
        // Existing entries are not copied.
        let before = into.clone();
        into.put("this", &before.members("this"));
        assert!(Rc::ptr_eq(&into.known, &before.known));
        let mut fresh = Env::default();
        fresh.put("this", &from.members("c"));
        assert!(fresh.field("x").is_some());
    }

    #[test]
    fn branches_are_joined_path_by_path() {
        let before = env(&[("a", "1"), ("b", "1"), ("d", "1")]);
        let [mut one, mut other] = [before.clone(), before.clone()];
        one.insert("b", Value::constant("2"));
        other.insert("c", Value::constant("3"));
        other.remove("d");
        let mut known = one.clone();
        one.join(&other);
        assert_eq!(shown(&one), ["a=1", "b=2", "c=3", "d=1"]);
        assert!(one.get("b").is_some_and(|value| value.varies) && !one.get("a").is_some_and(|value| value.varies));
        known.join_known(&other);
        assert_eq!(shown(&known), ["a=1", "b=2", "d=1"]);
    }
}
