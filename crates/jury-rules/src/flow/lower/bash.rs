//! Lowers shell scripts: a command is a call of its name, a pipeline a call of `|` with its commands as arguments.

use super::super::ir::{Arg, Block, ExprId, Function, Kind, Stmt, Unit};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut shell = Shell { to: Lowering::new(text) };
    let body = shell.statements(parts(root));
    shell.to.unit.body = body;
    shell.to.unit.has_capital_variables = true;
    shell.to.unit
}

struct Shell<'t> {
    to: Lowering<'t>,
}

impl<'t> Shell<'t> {
    fn statements(&mut self, nodes: Vec<Node<'_>>) -> Block {
        let mut block = Vec::new();
        for node in nodes {
            self.statement(node, &mut block);
        }
        block
    }

    fn statement(&mut self, node: Node<'_>, block: &mut Block) {
        match node.kind() {
            "variable_assignment" => {
                let Some(name) = node.child_by_field_name("name") else { return };
                let target = self.to.name(name);
                let value = node.child_by_field_name("value").map(|value| self.expr(value));
                block.push(Stmt::Assign { target, of: None, value });
            }
            "declaration_command" | "variable_assignments" => {
                for part in parts(node) {
                    self.statement(part, block);
                }
            }
            "if_statement" | "elif_clause" => self.branch(node, block),
            "while_statement" | "c_style_for_statement" | "for_statement" => {
                let values: Vec<ExprId> = fields(node, "value").into_iter().map(|value| self.expr(value)).collect();
                let test = node.child_by_field_name("condition").map(|test| self.expr(test));
                let target = node.child_by_field_name("variable").map(|name| self.to.name(name));
                let each = target.map(|target| (target, self.to.add(Kind::List(values), node)));
                let body = node.child_by_field_name("body").map(parts).unwrap_or_default();
                let body = self.statements(body);
                block.push(Stmt::Loop { each, test, body });
            }
            "case_statement" => {
                let items = parts(node).into_iter().filter(|item| item.kind() == "case_item");
                let blocks = items.map(|item| self.statements(parts(item))).collect();
                block.push(Stmt::OneOf(blocks));
            }
            "function_definition" => {
                let name = node.child_by_field_name("name").map(|name| self.to.text(name));
                let body = node.child_by_field_name("body").map(parts).unwrap_or_default();
                let body = self.statements(body);
                let id = self.to.unit.add_function(Function { name, body, ..Function::default() });
                block.push(Stmt::Function(id));
            }
            "list"
            | "compound_statement"
            | "subshell"
            | "do_group"
            | "else_clause"
            | "negated_command"
            | "redirected_statement" => {
                let inner = self.statements(parts(node));
                block.push(Stmt::Block(inner));
            }
            _ => {
                // `NAME=value command`: the variable is set for the command.
                let assigned = parts(node).into_iter().filter(|part| part.kind() == "variable_assignment");
                for part in assigned.filter(|_| node.kind() == "command") {
                    self.statement(part, block);
                }
                let value = self.expr(node);
                block.push(Stmt::Expr(value));
            }
        }
    }

    /// Lowers an `if`, whose later branches are siblings of the first.
    fn branch(&mut self, node: Node<'_>, block: &mut Block) {
        let conditions: Vec<ExprId> = {
            let tests = fields(node, "condition").into_iter().filter(Node::is_named).collect::<Vec<_>>();
            tests.into_iter().map(|test| self.expr(test)).collect()
        };
        let tests: Vec<Node<'_>> = fields(node, "condition");
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        for part in parts(node).into_iter().filter(|part| !tests.contains(part)) {
            match part.kind() {
                "elif_clause" | "else_clause" => self.statement(part, &mut otherwise),
                _ => self.statement(part, &mut then),
            }
        }
        let test = self.to.add(Kind::Other(conditions), node);
        block.push(Stmt::If { test, then, otherwise });
    }

    fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "command" => self.command(node),
            "pipeline" => {
                let commands: Vec<ExprId> = parts(node).into_iter().map(|part| self.expr(part)).collect();
                let callee = self.to.implied("|", node);
                let args = commands.into_iter().map(|value| Arg { name: None, value }).collect();
                self.to.add(Kind::Call { callee, args }, node)
            }
            "word" | "number" | "test_operator" | "extglob_pattern" | "regex" => {
                let text = self.to.text(node);
                self.to.add(Kind::Text(text), node)
            }
            "raw_string" | "ansi_c_string" => {
                let text = self.to.text(node).trim_start_matches('$');
                let text = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
                self.to.add(Kind::Text(text), node)
            }
            "string" => self.string(node),
            "concatenation" => {
                let pieces = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.add(Kind::Concat(pieces), node)
            }
            "variable_name" | "special_variable_name" => self.to.name(node),
            "simple_expansion" | "command_name" | "translated_string" => match parts(node).first() {
                Some(inner) => self.expr(*inner),
                None => self.to.other(Vec::new(), node),
            },
            "expansion" => {
                // A length, a variable that must not be empty, and one that is quoted for the shell are harmless.
                let operator = node.child_by_field_name("operator").map_or("", |it| self.to.text(it));
                let is_quoted = self.to.text(node).ends_with("@Q}");
                let is_checked = matches!(operator, "#" | ":?" | "?") || is_quoted;
                let inner: Vec<ExprId> = parts(node).into_iter().map(|part| self.expr(part)).collect();
                match inner.first() {
                    Some(first) if !is_checked => *first,
                    _ => self.to.add(Kind::Operation("#", inner), node),
                }
            }
            "subscript" => match node.child_by_field_name("name") {
                Some(name) => self.to.name(name),
                None => self.to.other(Vec::new(), node),
            },
            // The output of a single command has the command's name.
            "command_substitution" | "process_substitution" => match parts(node)[..] {
                [only] => self.expr(only),
                ref several => {
                    let inner = several.iter().map(|part| self.expr(*part)).collect();
                    self.to.other(inner, node)
                }
            },
            "arithmetic_expansion" => {
                let inner = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.add(Kind::Operation("((", inner), node)
            }
            "array" => {
                let items = parts(node).into_iter().map(|item| self.expr(item)).collect();
                self.to.add(Kind::List(items), node)
            }
            _ => {
                let inner = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.to.other(inner, node)
            }
        }
    }

    fn command(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.child_by_field_name("name") else {
            let inner = parts(node).into_iter().map(|part| self.expr(part)).collect();
            return self.to.other(inner, node);
        };
        // A command with a path is known by its name.
        let written = self.to.text(name);
        let is_plain = parts(name).first().is_some_and(|inner| inner.kind() == "word");
        let callee = match is_plain {
            true => self.to.add(Kind::Name(written.rsplit('/').next().unwrap_or(written)), name),
            false => self.expr(name),
        };
        let args = fields(node, "argument").into_iter().filter(Node::is_named);
        let args = args.map(|arg| Arg { name: None, value: self.expr(arg) }).collect::<Vec<_>>();
        // `sudo`, `exec` and similar commands run their arguments.
        let runs =
            matches!(self.to.unit.kind(callee), Kind::Name("sudo" | "exec" | "env" | "nohup" | "time" | "command"));
        let inner = args.iter().position(|arg| matches!(self.to.unit.kind(arg.value), Kind::Text(text) if !text.starts_with('-') && !text.contains('=')));
        if let (true, Some(at)) = (runs, inner)
            && let Kind::Text(text) = *self.to.unit.kind(args[at].value)
        {
            let callee = self.to.add(Kind::Name(text.rsplit('/').next().unwrap_or(text)), name);
            let args = args[at + 1..].to_vec();
            return self.to.add(Kind::Call { callee, args }, node);
        }
        self.to.add(Kind::Call { callee, args }, node)
    }

    fn string(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = Vec::new();
        let mut at = node.start_byte() + 1;
        for hole in parts(node).into_iter().filter(|part| part.kind() != "string_content") {
            self.piece(at..hole.start_byte(), &mut pieces);
            pieces.push(self.expr(hole));
            at = hole.end_byte();
        }
        self.piece(at..node.end_byte().saturating_sub(1), &mut pieces);
        match pieces[..] {
            [only] => only,
            [] => self.to.add(Kind::Text(""), node),
            _ => self.to.add(Kind::Concat(pieces), node),
        }
    }

    fn piece(&mut self, span: std::ops::Range<usize>, pieces: &mut Vec<ExprId>) {
        if let Some(text) = self.to.text.get(span.clone()).filter(|text| !text.is_empty()) {
            pieces.push(self.to.unit.add(Kind::Text(text), span));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;
    use crate::language::Language;

    #[test]
    fn commands_are_calls() {
        let text = "curl -k \"https://x/$1\" | sudo /bin/bash -s\nNAME='a b'\nexport URL=\"$NAME/${2:-x}\"\nif [ -n \"$1\" ]; then rm -rf $DIR/*; else ls; fi\nrun() { eval \"$@\"; }\n";
        let expected = "|(curl(\"-k\", <\"https://x/\" 1>), bash(\"-s\"))\nNAME = \"a b\"\nURL = <NAME \"/\" 2>\nif ?(?(?(\"-n\", 1)))\n  rm(\"-rf\", <DIR \"/*\">)\nelse\n  do\n    ls()\ndeclare fn#0\nfn#0 run()\n  eval(@)\n";
        assert_eq!(lowered(Language::Bash, text), expected);
    }

    #[test]
    fn broken_scripts_are_lowered_as_far_as_they_go() {
        for text in ["if ; then", "case x in", "\"$", "a | | b", "f() {", "$(("] {
            lowered(Language::Bash, text);
        }
    }
}
