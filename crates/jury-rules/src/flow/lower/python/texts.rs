//! Strings of Python and their concatenation. In: a string, an f-string, a format and its values. Out: a text, or parts
//! with holes between them.

use super::super::super::ir::{Arg, ExprId, Kind};
use super::super::holes::{Hole, Style, split};
use super::super::parts;
use super::Python;
use crate::nodes::Node;

impl<'t> Python<'t> {
    pub(super) fn string(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = Vec::new();
        self.pieces(node, &mut pieces);
        self.one_text(pieces, node)
    }

    pub(super) fn joined(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = Vec::new();
        for string in parts(node) {
            self.pieces(string, &mut pieces);
        }
        self.one_text(pieces, node)
    }

    fn one_text(&mut self, pieces: Vec<ExprId>, node: Node<'_>) -> ExprId {
        match pieces.as_slice() {
            [] => self.to.add(Kind::Text(""), node),
            [only] if matches!(self.to.unit.kind(*only), Kind::Text(_)) => {
                let Kind::Text(text) = *self.to.unit.kind(*only) else { return *only };
                self.to.add(Kind::Text(text), node)
            }
            _ => self.to.add(Kind::Concat(pieces), node),
        }
    }

    /// Lowers the texts and the holes of a string.
    fn pieces(&mut self, node: Node<'_>, out: &mut Vec<ExprId>) {
        for part in parts(node) {
            match part.kind() {
                "string_content" => {
                    let text = self.to.text(part);
                    out.push(self.to.add(Kind::Text(text), part));
                }
                "interpolation" => {
                    let value = self.field(part, "expression");
                    let format = part.child_by_field_name("format_specifier").map_or("", |format| self.to.text(format));
                    let is_number = format.ends_with(['d', 'f', 'x', 'X', 'e', 'g', 'b', 'o', 'n']);
                    out.push(if is_number { self.number(value, part) } else { value });
                }
                "string_start" | "string_end" => {}
                _ => out.push(self.expr(part)),
            }
        }
    }

    /// A value formatted as a number can only be a number.
    pub(super) fn number(&mut self, value: ExprId, node: Node<'_>) -> ExprId {
        self.to.add(Kind::Cast("int", value), node)
    }

    /// Lowers `text % values`.
    pub(super) fn formatted(&mut self, text: ExprId, values: ExprId, node: Node<'_>) -> ExprId {
        let (values, keyed) = match self.to.unit.kind(values) {
            Kind::List(items) => (items.clone(), Vec::new()),
            Kind::Record(entries) => (Vec::new(), entries.clone()),
            _ => (vec![values], Vec::new()),
        };
        self.filled(text, &values, &keyed, Style::Percent, node)
    }

    /// Puts values into the holes of a text. Values without a hole, and those of a non-literal text, are appended.
    fn filled(
        &mut self,
        text: ExprId,
        values: &[ExprId],
        keyed: &[(Option<&'t str>, ExprId)],
        style: Style,
        node: Node<'_>,
    ) -> ExprId {
        let (mut made, mut used, mut next) = (Vec::new(), Vec::new(), 0);
        for part in self.flat(&[text]) {
            let Kind::Text(said) = *self.to.unit.kind(part) else {
                made.push(part);
                continue;
            };
            for (literal, hole) in split(said, style) {
                if !literal.is_empty() {
                    made.push(self.to.add(Kind::Text(literal), node));
                }
                let Some(Hole { key, number }) = hole else { continue };
                let at = key.and_then(|key| key.parse().ok()).unwrap_or(next);
                next = at + 1;
                let by_key = key.and_then(|key| keyed.iter().find(|(name, _)| *name == Some(key)));
                let value = by_key.map(|(_, value)| *value).or_else(|| values.get(at).copied());
                // One value may fill several holes: a variable with a tuple or dictionary.
                let Some(value) = value.or(values.last().copied()).or(keyed.last().map(|(_, value)| *value)) else {
                    continue;
                };
                used.push(value);
                made.push(if number { self.number(value, node) } else { value });
            }
        }
        let rest = values.iter().copied().chain(keyed.iter().map(|(_, value)| *value));
        made.extend(rest.filter(|value| !used.contains(value)));
        self.to.add(Kind::Concat(made), node)
    }

    /// Lowers `"…".format(…)`, `"…".join(…)` and `"…".replace(…)` of a literal text to their result.
    pub(super) fn text_made(&mut self, callee: ExprId, args: &[Arg<'t>], node: Node<'_>) -> Option<ExprId> {
        let &Kind::Member(text, name) = self.to.unit.kind(callee) else { return None };
        if !matches!(self.to.unit.kind(text), Kind::Text(_) | Kind::Concat(_)) {
            return None;
        }
        match name {
            "format" | "format_map" => {
                let (by_place, by_name): (Vec<Arg<'t>>, Vec<_>) =
                    args.iter().partition(|arg| matches!(arg.name, None | Some("*")));
                let values: Vec<ExprId> = by_place.iter().map(|arg| arg.value).collect();
                let keyed: Vec<_> = by_name.iter().map(|arg| (arg.name, arg.value)).collect();
                Some(self.filled(text, &values, &keyed, Style::Braces, node))
            }
            "join" => Some(self.join(text, args.first()?.value, node)),
            "replace" => {
                let mut made = self.flat(&[text]);
                made.push(args.get(1)?.value);
                Some(self.to.add(Kind::Concat(made), node))
            }
            _ => None,
        }
    }

    pub(super) fn join(&mut self, between: ExprId, values: ExprId, node: Node<'_>) -> ExprId {
        let is_empty = matches!(self.to.unit.kind(between), Kind::Text(""));
        let mut made = Vec::new();
        match self.to.unit.kind(values) {
            Kind::List(items) => {
                for (index, item) in items.clone().into_iter().enumerate() {
                    made.extend((index > 0 && !is_empty).then_some(between));
                    made.push(item);
                }
            }
            _ => {
                made.push(values);
                made.extend((!is_empty).then_some(between));
            }
        }
        self.to.add(Kind::Concat(made), node)
    }
}
