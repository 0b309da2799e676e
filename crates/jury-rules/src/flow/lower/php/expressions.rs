//! The expressions and types of PHP. In: a node. Out: an expression of the unit; code that could not be parsed keeps
//! its calls.

use super::super::super::ir::{Arg, ExprId, Function, Kind};
use super::super::{MOST_TESTED_ARMS, is_small, parts};
use super::Php;
use crate::nodes::Node;

/// Functions known to rules, for code that spells them with capitals: function names ignore case.
const KNOWN_FUNCTIONS: &[&str] = &[
    "assert",
    "create_function",
    "curl_setopt",
    "die",
    "eval",
    "exec",
    "exit",
    "extract",
    "file_get_contents",
    "fopen",
    "header",
    "htmlentities",
    "htmlspecialchars",
    "intval",
    "md5",
    "mt_rand",
    "mysql_query",
    "mysqli_query",
    "passthru",
    "phpinfo",
    "popen",
    "preg_replace",
    "printf",
    "proc_open",
    "rand",
    "setcookie",
    "sha1",
    "shell_exec",
    "sprintf",
    "system",
    "unserialize",
];

impl<'t> Php<'t> {
    pub(super) fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(part) => self.expr(part),
            None => self.low.other(Vec::new(), node),
        }
    }

    pub(super) fn exprs(&mut self, nodes: Vec<Node<'_>>) -> Vec<ExprId> {
        nodes.into_iter().map(|node| self.expr(node)).collect()
    }

    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "variable_name" => {
                let name = self.low.text(node).trim_start_matches('$');
                self.low.add(Kind::Name(name), node)
            }
            "dynamic_variable_name" => self.dynamic_variable(node),
            "name" | "qualified_name" | "relative_name" | "relative_scope" => self.path(node),
            "string" => {
                let text = self.low.text(node);
                let text = text.trim_start_matches(['b', 'B']);
                let text = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(text);
                self.low.add(Kind::Text(text), node)
            }
            "encapsed_string" => self.template(node, Some(node)),
            "heredoc" => self.template(node, node.child_by_field_name("value")),
            "nowdoc" => {
                let body = node.child_by_field_name("value").map_or("", |body| self.low.text(body));
                self.low.add(Kind::Text(body.trim_start_matches(['\r', '\n'])), node)
            }
            "shell_command_expression" => {
                let callee = self.low.implied("shell_exec", node);
                let value = self.template(node, Some(node));
                self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
            }
            "integer" | "float" => {
                let text = self.low.text(node);
                self.low.add(Kind::Literal(text), node)
            }
            "boolean" | "null" => self.truth(node),
            "function_call_expression" => self.function_call(node),
            "member_call_expression" | "nullsafe_member_call_expression" | "scoped_call_expression" => {
                let callee = self.member(node);
                let args = node.child_by_field_name("arguments").map(|list| self.args(list)).unwrap_or_default();
                self.low.add(Kind::Call { callee, args }, node)
            }
            "member_access_expression"
            | "nullsafe_member_access_expression"
            | "scoped_property_access_expression"
            | "class_constant_access_expression" => self.member(node),
            "subscript_expression" => self.subscript(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array(node),
            "assignment_expression" | "reference_assignment_expression" => {
                let value = self.field(node, "right");
                let Some(left) = node.child_by_field_name("left") else { return value };
                let target = self.target(left);
                self.low.add(Kind::Assign { target, value }, node)
            }
            "augmented_assignment_expression" => {
                let (target, value) = self.augmented_value(node);
                self.low.add(Kind::Assign { target, value }, node)
            }
            "binary_expression" => self.binary(node),
            "unary_op_expression" | "update_expression" => {
                let operator = node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator));
                let operands = self.exprs(parts(node));
                self.low.add(Kind::Operation(operator, operands), node)
            }
            "cast_expression" => {
                let of = node.child_by_field_name("type").map_or("", |of| self.low.text(of).trim());
                let value = self.field(node, "value");
                self.low.add(Kind::Cast(of, value), node)
            }
            "conditional_expression" => self.conditional(node),
            "match_expression" => self.matched(node),
            "anonymous_function" | "arrow_function" => {
                let function = self.function(node);
                let id = self.low.unit.add_function(function);
                self.low.add(Kind::Function(id), node)
            }
            "anonymous_class" => {
                let body = self.class(None, node);
                let id = self.low.unit.add_function(Function { body, ..Function::default() });
                self.low.add(Kind::Function(id), node)
            }
            "print_intrinsic" => self.call_of("print", parts(node), node),
            "include_expression" => self.call_of("include", parts(node), node),
            "include_once_expression" => self.call_of("include_once", parts(node), node),
            "require_expression" => self.call_of("require", parts(node), node),
            "require_once_expression" => self.call_of("require_once", parts(node), node),
            "exit_statement" => self.call_of("exit", parts(node), node),
            "parenthesized_expression"
            | "argument"
            | "by_ref"
            | "variadic_unpacking"
            | "error_suppression_expression"
            | "clone_expression" => self.inner(node),
            _ => {
                let inner = self.exprs(parts(node));
                self.low.other(inner, node)
            }
        }
    }

    pub(super) fn inner(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).last() {
            Some(one) => self.expr(*one),
            None => self.low.other(Vec::new(), node),
        }
    }

    /// `${x}` in a text is a variable; `$$x` is one with an unknown name.
    fn dynamic_variable(&mut self, node: Node<'_>) -> ExprId {
        match parts(node)[..] {
            [name] if name.kind() == "name" => self.low.name(name),
            ref inner => {
                let inner = self.exprs(inner.to_vec());
                self.low.other(inner, node)
            }
        }
    }

    fn truth(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let known = ["true", "false", "null"].into_iter().find(|known| text.eq_ignore_ascii_case(known));
        self.low.add(Kind::Literal(known.unwrap_or(text)), node)
    }

    /// A name, with optional namespaces, as a path. Magic constants are literals.
    pub(super) fn path(&mut self, node: Node<'_>) -> ExprId {
        let text = self.low.text(node);
        let mut path = None;
        for segment in text.split('\\').filter(|segment| !segment.is_empty()) {
            path = Some(match path {
                None if matches!(segment, "self" | "static") || self.class == Some(segment) => {
                    self.low.implied("this", node)
                }
                None if segment.starts_with("__") && segment.ends_with("__") => {
                    self.low.add(Kind::Literal(segment), node)
                }
                None => self.low.add(Kind::Name(segment), node),
                Some(object) => self.low.add(Kind::Member(object, segment), node),
            });
        }
        path.unwrap_or_else(|| self.low.other(Vec::new(), node))
    }

    /// Text with holes: a quoted string, a heredoc, a command between backticks.
    fn template(&mut self, node: Node<'_>, body: Option<Node<'_>>) -> ExprId {
        let inner = body.map(parts).unwrap_or_default();
        let is_text = |part: &Node<'_>| matches!(part.kind(), "string_content" | "escape_sequence");
        if inner.iter().all(is_text) {
            let range = inner.first().zip(inner.last()).map_or(0..0, |(a, z)| a.start_byte()..z.end_byte());
            let text = &self.low.text[range];
            return self.low.add(Kind::Text(text), node);
        }
        let mut pieces = Vec::new();
        for part in inner {
            pieces.push(if is_text(&part) {
                let text = self.low.text(part);
                self.low.add(Kind::Text(text), part)
            } else {
                self.expr(part)
            });
        }
        self.low.add(Kind::Concat(pieces), node)
    }

    /// A call of a function. A callee in a variable is a `call_user_func`.
    fn function_call(&mut self, node: Node<'_>) -> ExprId {
        let mut args = node.child_by_field_name("arguments").map(|list| self.args(list)).unwrap_or_default();
        let Some(function) = node.child_by_field_name("function") else { return self.low.other(Vec::new(), node) };
        let callee = match function.kind() {
            // `isset($table[$key])` tests whether the table has the key.
            "name"
                if self.low.text(function).eq_ignore_ascii_case("isset")
                    && let [arg] = args[..]
                    && let Kind::Index(of, key) = *self.low.unit.kind(arg.value)
                    && !matches!(self.low.unit.kind(key), Kind::Text(_) | Kind::Literal(_)) =>
            {
                return self.low.add(Kind::Operation("in", vec![key, of]), node);
            }
            "name" => {
                let text = self.low.text(function);
                let known = KNOWN_FUNCTIONS.iter().find(|known| text.eq_ignore_ascii_case(known));
                let name = known.copied().unwrap_or(text);
                if name == "printf" {
                    // It prints the result of `sprintf`.
                    let callee = self.low.implied("sprintf", function);
                    let value = self.low.add(Kind::Call { callee, args: std::mem::take(&mut args) }, node);
                    args.push(Arg { name: None, value });
                }
                let callee = self.low.add(Kind::Name(name), function);
                if matches!(name, "filter_var" | "filter_input") {
                    return self.filtered(callee, args, node);
                }
                callee
            }
            "variable_name" if self.closures.contains(self.low.text(function)) => self.expr(function),
            "variable_name" | "subscript_expression" | "member_access_expression" => {
                let value = self.expr(function);
                args.insert(0, Arg { name: None, value });
                self.low.implied("call_user_func", function)
            }
            _ => self.expr(function),
        };
        self.low.add(Kind::Call { callee, args }, node)
    }

    /// A named filter turns its value into a number, or into text without markup.
    fn filtered(&mut self, callee: ExprId, args: Vec<Arg<'t>>, node: Node<'_>) -> ExprId {
        let filter = args.iter().find_map(|arg| match self.low.unit.kind(arg.value) {
            Kind::Name(name) => name.strip_prefix("FILTER_"),
            _ => None,
        });
        let value = self.low.add(Kind::Call { callee, args }, node);
        match filter {
            Some("VALIDATE_INT" | "VALIDATE_FLOAT" | "VALIDATE_BOOLEAN" | "VALIDATE_BOOL" | "VALIDATE_IP")
            | Some("SANITIZE_NUMBER_INT" | "SANITIZE_NUMBER_FLOAT") => self.low.add(Kind::Cast("int", value), node),
            Some("SANITIZE_SPECIAL_CHARS" | "SANITIZE_FULL_SPECIAL_CHARS" | "SANITIZE_STRING" | "SANITIZE_ENCODED") => {
                let callee = self.low.implied("htmlspecialchars", node);
                self.low.add(Kind::Call { callee, args: vec![Arg { name: None, value }] }, node)
            }
            _ => value,
        }
    }

    pub(super) fn args(&mut self, list: Node<'_>) -> Vec<Arg<'t>> {
        let mut args = Vec::new();
        for part in parts(list).into_iter().filter(|part| part.kind() != "variadic_placeholder") {
            let name = part.child_by_field_name("name").map(|name| self.low.text(name));
            args.push(Arg { name, value: self.inner_or_self(part) });
        }
        args
    }

    fn inner_or_self(&mut self, node: Node<'_>) -> ExprId {
        if node.kind() == "argument" { self.inner(node) } else { self.expr(node) }
    }

    /// `$object->name`, `$object?->name`, `Type::name`, `Type::$name`; a computed name is an index.
    pub(super) fn member(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let object = node.child_by_field_name("object").or_else(|| node.child_by_field_name("scope"));
        let name = node.child_by_field_name("name").or_else(|| inner.get(1).copied());
        let object = match object.or_else(|| inner.first().copied()) {
            Some(object) => self.expr(object),
            None => self.low.other(Vec::new(), node),
        };
        let is_static = node.kind() == "scoped_property_access_expression";
        match name {
            Some(name) if name.kind() == "name" || (is_static && name.kind() == "variable_name") => {
                let name = self.low.text(name).trim_start_matches('$');
                self.low.add(Kind::Member(object, name), node)
            }
            Some(name) => {
                let index = self.expr(name);
                self.low.add(Kind::Index(object, index), node)
            }
            None => object,
        }
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let [object, index] = inner[..] else { return self.inner(node) };
        let in_text = node.parent().is_some_and(|parent| matches!(parent.kind(), "encapsed_string" | "heredoc_body"));
        let object = self.expr(object);
        // `"$a[key]"`: inside a string a key has no quotes.
        let index = if in_text && index.kind() == "name" {
            let text = self.low.text(index);
            self.low.add(Kind::Text(text), index)
        } else {
            self.expr(index)
        };
        self.low.add(Kind::Index(object, index), node)
    }

    /// `new Type(…)`. A type in a variable is the first argument of `new`.
    fn creation(&mut self, node: Node<'_>) -> ExprId {
        let inner = parts(node);
        let list = inner.iter().find(|part| part.kind() == "arguments");
        let mut args = list.map(|list| self.args(*list)).unwrap_or_default();
        let Some(of) = inner.first().filter(|of| of.kind() != "arguments") else {
            return self.low.other(args.into_iter().map(|arg| arg.value).collect(), node);
        };
        let callee = match of.kind() {
            "name" | "qualified_name" | "relative_name" => self.path(*of),
            "anonymous_class" => return self.expr(*of),
            _ => {
                let value = self.expr(*of);
                args.insert(0, Arg { name: None, value });
                self.low.implied("new", *of)
            }
        };
        self.low.add(Kind::Call { callee, args }, node)
    }

    pub(super) fn array(&mut self, node: Node<'_>) -> ExprId {
        let mut record = Vec::new();
        let mut is_record = false;
        for item in parts(node) {
            match parts(item)[..] {
                [key, value] => {
                    is_record = true;
                    let key = matches!(
                        key.kind(),
                        "string" | "encapsed_string" | "name" | "integer" | "class_constant_access_expression"
                    )
                    .then(|| self.low.text(key).trim_matches(['\'', '"']));
                    record.push((key, self.expr(value)));
                }
                [value] => record.push((None, self.expr(value))),
                _ => {}
            }
        }
        if is_record {
            return self.low.add(Kind::Record(record), node);
        }
        self.low.add(Kind::List(record.into_iter().map(|(_, value)| value).collect()), node)
    }

    /// A chain of `.` is one text; its length adds no depth.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let operator = self.operator(node);
        if operator != "." {
            let operands = vec![self.field(node, "left"), self.field(node, "right")];
            let kind = match operator {
                "??" => Kind::Choice(operands),
                _ => Kind::Operation(operator, operands),
            };
            return self.low.add(kind, node);
        }
        let mut operands = Vec::new();
        let mut rest = Some(node);
        while let Some(sum) = rest {
            operands.extend(sum.child_by_field_name("right"));
            let left = sum.child_by_field_name("left");
            rest = left.filter(|left| left.kind() == "binary_expression" && self.operator(*left) == ".");
            operands.extend(left.filter(|_| rest.is_none()));
        }
        operands.reverse();
        let operands = self.exprs(operands);
        self.low.add(Kind::Concat(operands), node)
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.low.text(operator))
    }

    fn conditional(&mut self, node: Node<'_>) -> ExprId {
        let test = self.field(node, "condition");
        let otherwise = self.field(node, "alternative");
        let kind = match node.child_by_field_name("body") {
            Some(then) => Kind::If { test, then: self.expr(then), otherwise },
            None => Kind::Choice(vec![test, otherwise]),
        };
        self.low.add(kind, node)
    }

    fn matched(&mut self, node: Node<'_>) -> ExprId {
        let value = node.child_by_field_name("condition");
        let large = value.filter(|value| !is_small(*value)).map(|value| self.expr(value));
        let value = value.filter(|value| is_small(*value));
        let mut otherwise = None;
        let mut arms = Vec::new();
        for arm in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            let then = self.field(arm, "return_expression");
            let Some(list) = arm.child_by_field_name("conditional_expressions") else {
                otherwise = Some(then);
                continue;
            };
            let mut tests = Vec::new();
            for one_of in parts(list) {
                let operands = value.into_iter().chain([one_of]).collect();
                let operands = self.exprs(operands);
                tests.push(self.low.add(Kind::Operation("==", operands), one_of));
            }
            tests.extend(large.filter(|_| arms.is_empty()));
            arms.push((self.low.add(Kind::Operation("||", tests), list), then));
        }
        if arms.len() > MOST_TESTED_ARMS {
            let values = arms.into_iter().map(|(_, then)| then).chain(otherwise).collect();
            return self.low.add(Kind::Choice(values), node);
        }
        let otherwise = otherwise.unwrap_or_else(|| self.low.other(Vec::new(), node));
        let chained = |otherwise, (test, then)| self.low.add(Kind::If { test, then, otherwise }, node);
        arms.into_iter().rev().fold(otherwise, chained)
    }

    /// A type as a path; a nullable type is the type itself.
    pub(super) fn of(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "primitive_type" => Some(self.low.name(node)),
            "named_type" | "optional_type" => parts(node).first().copied().and_then(|of| self.of(of)),
            "name" | "qualified_name" | "relative_name" => Some(self.path(node)),
            "union_type" => {
                let is_null = |part: &Node<'_>| self.low.text(*part).eq_ignore_ascii_case("null");
                match parts(node).into_iter().filter(|part| !is_null(part)).collect::<Vec<_>>()[..] {
                    [one] => self.of(one),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
