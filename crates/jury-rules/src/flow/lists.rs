//! Items of lists that code fills one by one. In: a call of `append`, `add`, `pop` and the like. Out: the value of each
//! item, stored under the path of the list and its index, and the length.

use super::calls::Given;
use super::ir::{ExprId, Kind};
use super::machine::Machine;
use super::names::Name;
use super::value::Value;

/// The longest list whose items are tracked.
const LONGEST: usize = 32;

/// The methods that change the content of a list, in the languages that have lists.
const CHANGES: [&str; 31] = [
    "append",
    "add",
    "push",
    "Add",
    "addLast",
    "addElement",
    "pop",
    "remove",
    "removeAt",
    "RemoveAt",
    "delete_at",
    "shift",
    "removeFirst",
    "extend",
    "insert",
    "Insert",
    "sort",
    "sort!",
    "Sort",
    "reverse",
    "reverse!",
    "Reverse",
    "clear",
    "Clear",
    "addAll",
    "AddRange",
    "addFirst",
    "unshift",
    "splice",
    "set",
    "concat",
];

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Applies a method to its list.
    pub(super) fn fill_list(&mut self, list: ExprId, method: &str, receiver: &Value<'u>, given: &[Given<'u>]) {
        if !CHANGES.contains(&method) {
            return;
        }
        let Some(path) = self.path(list) else { return };
        let length = format!("{path}.#");
        let known = match self.env.get(&length) {
            Some(known) => known.number.map(|number| number as usize),
            None => self.spread_literal(&path, receiver),
        };
        let Some(count) = known.filter(|count| *count < LONGEST) else {
            return;
        };
        let item = |at: usize| format!("{path}.{at}");
        let count = match (method, given) {
            ("append" | "add" | "push" | "Add" | "addLast" | "addElement", [only]) => {
                self.env.insert(&item(count), only.value.clone().via(only.id));
                Some(count + 1)
            }
            ("pop" | "remove" | "removeAt" | "RemoveAt" | "delete_at", [only]) => {
                only.value.number.filter(|at| *at >= 0.0 && (*at as usize) < count).map(|at| {
                    for at in at as usize..count {
                        match self.env.remove(&item(at + 1)) {
                            Some(next) => self.env.insert(&item(at), next),
                            None => _ = self.env.remove(&item(at)),
                        };
                    }
                    count - 1
                })
            }
            ("pop", []) => {
                self.env.remove(&item(count.saturating_sub(1)));
                Some(count.saturating_sub(1))
            }
            ("shift" | "removeFirst", []) => {
                for at in 0..count {
                    match self.env.remove(&item(at + 1)) {
                        Some(next) => self.env.insert(&item(at), next),
                        None => _ = self.env.remove(&item(at)),
                    };
                }
                Some(count.saturating_sub(1))
            }
            _ => None,
        };
        match count {
            Some(count) => {
                self.env.insert(&length, Value::number(count as f64));
            }
            // After any other change the positions are unknown.
            None => {
                for at in 0..LONGEST {
                    self.env.remove(&item(at));
                }
                self.env.insert(&length, Value::default());
            }
        }
    }

    /// Splits the items of a literal, so that added ones come after them; returns their number.
    fn spread_literal(&mut self, path: &str, receiver: &Value<'u>) -> Option<usize> {
        let unit = self.unit;
        let is_new = |name: &Name<'_>| matches!(name.last(), "ArrayList" | "LinkedList" | "Vector");
        let Some(literal) = receiver.literal else { return receiver.names.iter().any(is_new).then_some(0) };
        let items = match unit.kind(literal) {
            Kind::List(items) if items.len() < LONGEST => items,
            _ => return None,
        };
        for (at, item) in items.iter().enumerate() {
            let value = self.within(literal, *item)?;
            self.env.insert(&format!("{path}.{at}"), value);
        }
        Some(items.len())
    }
}
