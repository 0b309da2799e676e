//! Lists whose items are put in and taken out one by one. In: `list.add(x)`, `list.remove(0)`. Out: what is known of each item,
//! kept as `list.0`, `list.1`, … beside the list itself. Deliberately not here: loops, which soon make the places unknown.

use super::expr::Given;
use super::machine::Machine;
use super::value::{Shape, Value};

/// The longest list whose items are kept apart.
const LONGEST: usize = 32;

impl<'u, 't: 'u> Machine<'u, 't> {
    /// Notes the item that a call puts at the end of a list, if all that is in the list was seen.
    pub(super) fn note_item(&mut self, path: &str, list: &Value<'u>, method: &str, given: &[Given<'u>]) {
        if !matches!(method, "add" | "addLast" | "Add" | "push" | "append" | "addElement") {
            return;
        }
        let is_empty = list.shape == Shape::Constant && list.text.as_deref() == Some("");
        match (self.count(path).or(is_empty.then_some(0)), given) {
            (Some(count), [item]) if count < LONGEST => {
                self.env.insert(format!("{path}.{count}"), item.value.clone());
                self.set_count(path, count + 1);
            }
            // Something is put anywhere: from here on, places say nothing.
            (Some(count), _) => self.forget_items(path, count),
            (None, _) => {}
        }
    }

    /// Takes an item out of a list: those behind it move up.
    pub(super) fn remove_item(&mut self, path: &str, given: &[Given<'u>]) {
        let Some(count) = self.count(path) else { return };
        let place = match given {
            [at] => at.value.number.map(|at| at as usize).filter(|at| *at < count),
            _ => None,
        };
        let Some(place) = place else { return self.forget_items(path, count) };
        for at in place..count {
            match self.env.remove(&format!("{path}.{}", at + 1)) {
                Some(next) => self.env.insert(format!("{path}.{at}"), next),
                None => self.env.remove(&format!("{path}.{at}")),
            };
        }
        self.set_count(path, count - 1);
    }

    fn count(&self, path: &str) -> Option<usize> {
        self.env.get(&format!("{path}.#"))?.number.map(|count| count as usize)
    }

    fn set_count(&mut self, path: &str, count: usize) {
        self.env.insert(format!("{path}.#"), Value::number(count as f64));
    }

    fn forget_items(&mut self, path: &str, count: usize) {
        for at in 0..count {
            self.env.remove(&format!("{path}.{at}"));
        }
        self.env.remove(&format!("{path}.#"));
    }
}
