//! Declarations of the file: types, classes, imports, functions. In: a name, or a path of names. Out: the declared
//! entity.

use super::ir::{ExprId, Function, FunctionId, Kind};
use super::machine::Machine;
use super::names::Name;
use super::value::{Value, ValueShape};

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Gives a value the name of its declared type, and clears it if the type is harmless.
    pub(super) fn typed(&mut self, value: Value<'u>, of: Option<ExprId>) -> Value<'u> {
        let Some(of) = of else { return value };
        let names = self.path_names(of);
        if self.program.safe_types.has(&names) {
            // A constant number stays known.
            return if value.shape == ValueShape::Constant { value } else { value.made_safe() };
        }
        let mut value = if self.is_enum(&names) { value.made_safe() } else { value };
        let known = std::mem::replace(&mut value.names, names);
        value.names.extend(known);
        value.names.truncate(4);
        value
    }

    /// Records the declared type of a field, which applies to all of its values.
    pub(super) fn declare(&mut self, target: ExprId, of: Option<ExprId>) {
        let unit = self.unit;
        if let (Some(of), Kind::Member(object, name)) = (of, unit.kind(target))
            && matches!(unit.kind(*object), Kind::Name("this"))
        {
            let names = self.path_names(of);
            let is_safe = self.program.safe_types.has(&names);
            let known = self.field_types.entry(name).or_insert_with(|| names.clone());
            // If two classes have fields of the same name, the one that may hold text counts.
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

    /// Tells whether a name is a class of the file.
    pub(super) fn is_class(&self, names: &[Name<'_>]) -> bool {
        !self.unit.classes.is_empty() && names.iter().any(|name| self.unit.classes.contains(&name.last()))
    }

    /// Tells whether a name is an enum of the file.
    pub(super) fn is_enum(&self, names: &[Name<'_>]) -> bool {
        !self.unit.enums.is_empty() && names.iter().any(|name| self.unit.enums.contains(&name.last()))
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

    /// Returns the names of the base classes of a class of the file.
    pub(super) fn ancestors_of(&self, class: &str) -> &[Name<'u>] {
        self.ancestors.get(class).map(Vec::as_slice).unwrap_or_default()
    }

    /// Tells whether a decorator makes a method a property, which is read without a call.
    pub(super) fn is_property(&self, decorator: ExprId) -> bool {
        let (Kind::Name(name) | Kind::Member(_, name)) = self.unit.kind(decorator) else { return false };
        matches!(*name, "property" | "cached_property")
    }

    /// Returns the method that is called when a member is read.
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

    /// Returns the function that is being evaluated.
    pub(super) fn current(&self) -> Option<&'u Function<'t>> {
        self.active.last().map(|id| self.unit.function(*id))
    }
}
