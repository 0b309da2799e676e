//! Lowers YAML: a mapping is a record, a sequence a list, a scalar a text or literal, a document a statement. The
//! subject of a file becomes its imports: workflow events are `on/push`, their filters `on/push/tags`, manifest kinds
//! `kind/Pod`, top-level keys have their own names, and `jobs/several` means more than one job.

use super::super::ir::{ExprId, Kind, Stmt, Unit};
use super::{Lowering, parts};
use crate::nodes::Node;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut yaml = Yaml { to: Lowering::new(text) };
    for document in parts(root) {
        let value = yaml.value(document);
        yaml.note_subjects(value);
        yaml.to.unit.body.push(Stmt::Expr(value));
    }
    yaml.to.unit
}

struct Yaml<'t> {
    to: Lowering<'t>,
}

impl<'t> Yaml<'t> {
    /// Records the subject of a document as imports of the file.
    fn note_subjects(&mut self, document: ExprId) {
        let Kind::Record(fields) = self.to.unit.kind(document) else { return };
        for (key, value) in fields.clone() {
            let Some(key) = key else { continue };
            self.to.unit.import(key, key);
            if let ("jobs", Kind::Record(jobs)) = (key, self.to.unit.kind(value))
                && jobs.len() > 1
            {
                self.to.unit.import("several", "jobs/several");
            }
            if !matches!(key, "on" | "kind") {
                continue;
            }
            self.note_narrowing(value);
            let subjects: Vec<&'t str> = match self.to.unit.kind(value) {
                Kind::Text(only) => vec![only],
                Kind::List(items) => items.iter().filter_map(|item| self.said(*item)).collect(),
                Kind::Record(fields) => fields.iter().filter_map(|(key, _)| *key).collect(),
                _ => Vec::new(),
            };
            for subject in subjects {
                self.to.unit.import(subject, format!("{key}/{subject}"));
            }
        }
    }

    /// Records the filters of workflow events, and whether they accept text from the person who starts it.
    fn note_narrowing(&mut self, events: ExprId) {
        let Kind::Record(events) = self.to.unit.kind(events) else { return };
        for (event, narrowed) in events.clone() {
            let (Some(event), Kind::Record(settings)) = (event, self.to.unit.kind(narrowed)) else { continue };
            for (setting, value) in settings.clone() {
                let Some(setting) = setting else { continue };
                self.to.unit.import(setting, format!("on/{event}/{setting}"));
                if setting == "inputs" && self.takes_text(value) {
                    self.to.unit.import(setting, "on/inputs/text");
                }
            }
        }
    }

    /// Tells whether one of the inputs of a workflow is text: without a type, or of type `string`.
    fn takes_text(&self, inputs: ExprId) -> bool {
        let Kind::Record(inputs) = self.to.unit.kind(inputs) else { return false };
        inputs.iter().any(|(_, input)| match self.to.unit.kind(*input) {
            Kind::Record(about) => {
                let of = about.iter().find(|(key, _)| *key == Some("type")).and_then(|(_, of)| self.said(*of));
                of.is_none_or(|of| of == "string")
            }
            _ => true,
        })
    }

    fn said(&self, id: ExprId) -> Option<&'t str> {
        match self.to.unit.kind(id) {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    fn value(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "document" | "block_node" | "flow_node" | "block_sequence_item" => {
                let inner = parts(node).into_iter().rfind(|part| !matches!(part.kind(), "anchor" | "tag"));
                match inner {
                    Some(inner) => self.value(inner),
                    None => self.to.add(Kind::Literal("null"), node),
                }
            }
            "block_mapping" | "flow_mapping" => {
                let pairs = parts(node).into_iter().map(|pair| self.pair(pair)).collect();
                self.to.add(Kind::Record(pairs), node)
            }
            "block_sequence" | "flow_sequence" => {
                let items = parts(node).into_iter().map(|item| self.value(item)).collect();
                self.to.add(Kind::List(items), node)
            }
            "plain_scalar" => {
                let is_text = parts(node).first().is_none_or(|inner| inner.kind() == "string_scalar");
                let text = self.to.text(node);
                self.to.add(if is_text { Kind::Text(text) } else { Kind::Literal(text) }, node)
            }
            "single_quote_scalar" | "double_quote_scalar" => {
                let text = self.to.text(node);
                let text = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
                self.to.add(Kind::Text(text), node)
            }
            "block_scalar" => {
                let text = self.to.text(node);
                let body = text.find('\n').map_or("", |at| &text[at + 1..]);
                self.to.add(Kind::Text(body), node)
            }
            _ => {
                let inner = parts(node).into_iter().map(|part| self.value(part)).collect();
                self.to.other(inner, node)
            }
        }
    }

    fn pair(&mut self, node: Node<'_>) -> (Option<&'t str>, ExprId) {
        let key = node.child_by_field_name("key").map(|key| self.to.text(key).trim_matches(['"', '\'']));
        let value = match node.child_by_field_name("value") {
            Some(value) => {
                let value = self.value(value);
                // A block is placed at its key.
                if matches!(self.to.unit.kind(value), Kind::Record(_) | Kind::List(_)) {
                    self.to.unit.exprs[value.0 as usize].start = u32::try_from(node.start_byte()).unwrap_or_default();
                }
                value
            }
            None => self.to.add(Kind::Literal("null"), node),
        };
        // A mapping merged with `<<` is a spread.
        (key.filter(|key| *key != "<<"), value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;
    use crate::language::Language;

    #[test]
    fn mappings_are_records() {
        let text = "on: [push]\njobs:\n  a:\n    steps:\n      - uses: x@v1\n        with: { k: \"v\" }\n      - run: |\n          echo 1\n---\nspec:\n  <<: *base\n  privileged: true\n  n:\n";
        let expected = "import on = on\nimport push = on/push\nimport jobs = jobs\nimport spec = spec\n{on: [\"push\"], jobs: {a: {steps: [{uses: \"x@v1\", with: {k: \"v\"}}, {run: \"          echo 1\"}]}}}\n{spec: {...: ?(?()), privileged: true, n: null}}\n";
        assert_eq!(lowered(Language::Yaml, text), expected);
    }

    #[test]
    fn broken_documents_are_lowered_as_far_as_they_go() {
        for text in ["a: [", "- - -", "{a", "? x", "&a", "a: b: c", "\t"] {
            lowered(Language::Yaml, text);
        }
    }
}
