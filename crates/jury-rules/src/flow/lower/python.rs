//! Lowers Python: the statements and declarations; `expressions` and `texts` have the rest. `self` and `cls` become
//! `this` and are not parameters; `"…" % x`, `"…".format(x)` and `"…".join(x)` become the resulting text; a
//! comprehension is an assignment of its variable and a list of its body; a `/` of paths is `joinpath`.

use super::super::ir::{Arg, Block, ExprId, Function, Kind, Param, Stmt, Unit};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

mod expressions;
mod texts;

/// The calls that end the block.
const ENDS: [&str; 8] = ["exit", "quit", "abort", "sys.exit", "os._exit", "os.abort", "flask.abort", "self.abort"];

/// The base classes of all exceptions.
const ANY_ERROR: [&str; 2] = ["Exception", "BaseException"];

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut python = Python { to: Lowering::new(text), class: None };
    python.to.unit.body = python.statements(root);
    python.to.unit
}

struct Python<'t> {
    to: Lowering<'t>,
    /// The class whose body is being lowered.
    class: Option<&'t str>,
}

impl<'t> Python<'t> {
    fn statements(&mut self, node: Node<'_>) -> Block {
        let mut out = Block::new();
        for part in parts(node) {
            self.statement(part, &mut out);
        }
        out
    }

    /// Lowers the block in a field of a statement.
    fn suite(&mut self, node: Node<'_>, field: &str) -> Block {
        node.child_by_field_name(field).map(|body| self.statements(body)).unwrap_or_default()
    }

    fn statement(&mut self, node: Node<'_>, out: &mut Block) {
        match node.kind() {
            "expression_statement" => parts(node).into_iter().for_each(|part| self.expression_statement(part, out)),
            "import_statement" => self.import(node),
            "import_from_statement" => self.import_from(node),
            "return_statement" => {
                let value = self.only(node);
                out.push(Stmt::Return(value));
            }
            "raise_statement" => {
                let value = self.only(node);
                out.push(Stmt::Leave(value));
            }
            "break_statement" | "continue_statement" => out.push(Stmt::Leave(None)),
            "pass_statement"
            | "global_statement"
            | "nonlocal_statement"
            | "future_import_statement"
            | "type_alias_statement" => {}
            "assert_statement" => self.assertion(node, out),
            "print_statement" => self.old_call("print", node, out),
            "exec_statement" => self.old_call("exec", node, out),
            "if_statement" => self.branch(node, out),
            "for_statement" | "while_statement" => self.repeat(node, out),
            "try_statement" => self.attempt(node, out),
            "with_statement" => self.with(node, out),
            "match_statement" => self.switch(node, out),
            "function_definition" => {
                let id = self.function(node, Vec::new());
                out.push(Stmt::Function(id));
            }
            "class_definition" => self.class(node, out),
            "decorated_definition" => self.decorated(node, out),
            "block" | "ERROR" | "module" => out.push(Stmt::Block(self.statements(node))),
            _ => {
                let value = self.expr(node);
                out.push(Stmt::Expr(value));
            }
        }
    }

    fn expression_statement(&mut self, node: Node<'_>, out: &mut Block) {
        match node.kind() {
            "assignment" => self.assignment(node, out),
            "augmented_assignment" => self.augmented(node, out),
            _ => {
                let value = self.expr(node);
                out.push(match self.ends(node) {
                    true => Stmt::Leave(Some(value)),
                    false => Stmt::Expr(value),
                });
            }
        }
    }

    fn ends(&self, node: Node<'_>) -> bool {
        let callee = node.child_by_field_name("function").filter(|_| node.kind() == "call");
        callee.is_some_and(|callee| ENDS.contains(&self.to.text(callee)))
    }

    fn assignment(&mut self, node: Node<'_>, out: &mut Block) {
        let of = node.child_by_field_name("type").and_then(|of| self.type_path(of));
        let value = node.child_by_field_name("right").map(|right| self.expr(right));
        if let Some(left) = node.child_by_field_name("left") {
            let mut target = self.expr(left);
            // Methods of a class find its constant fields in `self`.
            let is_fixed = value.is_some_and(|id| matches!(self.to.unit.kind(id), Kind::Text(_) | Kind::Literal(_)));
            if let (true, true, &Kind::Name(name)) = (self.class.is_some(), is_fixed, self.to.unit.kind(target)) {
                let this = self.to.implied("this", left);
                target = self.to.add(Kind::Member(this, name), left);
            }
            out.push(Stmt::Assign { target, of, value });
        }
    }

    fn augmented(&mut self, node: Node<'_>, out: &mut Block) {
        let Some([left, right]) = self.pair(node, "left", "right") else { return };
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.to.text(operator));
        let is_number = self.is_number(right);
        match operator {
            "+=" | "|=" if !is_number => out.push(Stmt::Append { target: left, value: right }),
            "%=" if !is_number => {
                let value = self.formatted(left, right, node);
                out.push(Stmt::Assign { target: left, of: None, value: Some(value) });
            }
            _ => {
                let value = self.to.add(Kind::Operation(operator.trim_end_matches('='), vec![left, right]), node);
                out.push(Stmt::Assign { target: left, of: None, value: Some(value) });
            }
        }
    }

    /// The condition of an assertion holds after it.
    fn assertion(&mut self, node: Node<'_>, out: &mut Block) {
        let mut asked = parts(node).into_iter();
        let Some(test) = asked.next() else { return };
        let test = self.expr(test);
        let test = self.to.add(Kind::Operation("!", vec![test]), node);
        let said = asked.next().map(|said| self.expr(said));
        out.push(Stmt::If { test, then: vec![Stmt::Leave(said)], otherwise: Block::new() });
    }

    /// Lowers the statements of Python 2 that became functions.
    fn old_call(&mut self, name: &'t str, node: Node<'_>, out: &mut Block) {
        let callee = self.to.implied(name, node);
        let args = self.all(node).into_iter().map(|value| Arg { name: None, value }).collect();
        let call = self.to.add(Kind::Call { callee, args }, node);
        out.push(Stmt::Expr(call));
    }

    fn branch(&mut self, node: Node<'_>, out: &mut Block) {
        let mut arms: Vec<(ExprId, Block)> = Vec::new();
        let mut otherwise = Block::new();
        let mut arm = |this: &mut Self, node: Node<'_>| {
            let test = this.field(node, "condition");
            let then = this.suite(node, "consequence");
            arms.push((test, then));
        };
        arm(self, node);
        for alternative in fields(node, "alternative") {
            match alternative.kind() {
                "elif_clause" => arm(self, alternative),
                _ => otherwise = self.suite(alternative, "body"),
            }
        }
        for (test, then) in arms.into_iter().rev() {
            otherwise = vec![Stmt::If { test, then, otherwise }];
        }
        out.append(&mut otherwise);
    }

    fn repeat(&mut self, node: Node<'_>, out: &mut Block) {
        let right = node.child_by_field_name("right").map(|right| self.expr(right));
        let left = node.child_by_field_name("left").map(|left| self.expr(left));
        let test = node.child_by_field_name("condition").map(|test| self.expr(test));
        let body = self.suite(node, "body");
        out.push(Stmt::Loop { each: left.zip(right), test, body });
        for alternative in fields(node, "alternative") {
            out.append(&mut self.suite(alternative, "body"));
        }
    }

    fn attempt(&mut self, node: Node<'_>, out: &mut Block) {
        let mut body = self.suite(node, "body");
        let (mut handlers, mut last) = (Vec::new(), Block::new());
        for part in parts(node) {
            match part.kind() {
                "except_clause" => handlers.push(self.handler(part)),
                "else_clause" => body.append(&mut self.suite(part, "body")),
                "finally_clause" => {
                    for inner in parts(part) {
                        last.append(&mut self.statements(inner));
                    }
                }
                _ => {}
            }
        }
        // A handler runs even if the guarded statements end with a `return`.
        out.push(if leaves(&body) { Stmt::OneOf(vec![body]) } else { Stmt::Block(body) });
        if !handlers.is_empty() {
            out.push(Stmt::OneOf(handlers));
        }
        out.append(&mut last);
    }

    fn handler(&mut self, node: Node<'_>) -> Block {
        let mut out = Block::new();
        for part in parts(node) {
            match part.kind() {
                "block" => out.append(&mut self.statements(part)),
                "as_pattern" => {
                    if let Some(alias) = part.child_by_field_name("alias") {
                        let target = self.expr(alias);
                        // A broadly caught error may have any text: rules use this name for it.
                        let is_any = part.named_child(0).is_some_and(|of| ANY_ERROR.contains(&self.to.text(of)));
                        let value = is_any.then(|| self.to.implied("caught_exception", alias));
                        out.push(Stmt::Assign { target, of: None, value });
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn with(&mut self, node: Node<'_>, out: &mut Block) {
        let clause = parts(node).into_iter().find(|part| part.kind() == "with_clause");
        for item in clause.map(parts).unwrap_or_default() {
            let Some(value) = item.child_by_field_name("value") else { continue };
            match (value.kind(), value.child_by_field_name("alias")) {
                ("as_pattern", Some(alias)) => {
                    let value = value.named_child(0).map(|value| self.expr(value));
                    let target = self.expr(alias);
                    out.push(Stmt::Assign { target, of: None, value });
                }
                _ => {
                    let value = self.expr(value);
                    out.push(Stmt::Expr(value));
                }
            }
        }
        out.append(&mut self.suite(node, "body"));
    }

    fn switch(&mut self, node: Node<'_>, out: &mut Block) {
        let Some(subject) = node.child_by_field_name("subject") else { return };
        let subject = self.expr(subject);
        let body = node.child_by_field_name("body");
        let cases = body.map(|body| fields(body, "alternative")).unwrap_or_default();
        let arms = cases.into_iter().map(|case| self.arm(case, subject)).collect();
        out.push(Stmt::OneOf(arms));
    }

    /// Lowers a case: its names bind parts of the subject, and a literal in it is the value of the subject.
    fn arm(&mut self, node: Node<'_>, subject: ExprId) -> Block {
        let mut out = Block::new();
        let mut asked = None;
        for pattern in parts(node).into_iter().filter(|part| part.kind() == "case_pattern") {
            let inner: Vec<_> = parts(pattern);
            if let [only] = inner.as_slice()
                && matches!(only.kind(), "string" | "integer" | "float" | "union_pattern")
            {
                let value = self.expr(*only);
                asked = Some(self.to.add(Kind::Operation("==", vec![subject, value]), pattern));
            } else {
                self.captures(pattern, subject, &mut out);
            }
        }
        if let Some(guard) = node.child_by_field_name("guard") {
            asked = self.only(guard);
        }
        let mut then = self.suite(node, "consequence");
        match asked {
            Some(test) => out.push(Stmt::If { test, then, otherwise: Block::new() }),
            None => out.append(&mut then),
        }
        out
    }

    fn captures(&mut self, node: Node<'_>, subject: ExprId, out: &mut Block) {
        // The first part of these names a class or its field.
        let names = usize::from(matches!(node.kind(), "class_pattern" | "keyword_pattern"));
        for part in parts(node).into_iter().skip(names) {
            if matches!(part.kind(), "identifier" | "dotted_name") && part.named_child_count() <= 1 {
                let target = self.to.name(part);
                out.push(Stmt::Assign { target, of: None, value: Some(subject) });
            } else {
                self.captures(part, subject, out);
            }
        }
    }

    fn decorated(&mut self, node: Node<'_>, out: &mut Block) {
        let decorators = parts(node).into_iter().filter(|part| part.kind() == "decorator");
        let decorators: Vec<ExprId> = decorators.filter_map(|part| self.only(part)).collect();
        let Some(definition) = node.child_by_field_name("definition") else { return };
        if definition.kind() == "function_definition" {
            let id = self.function(definition, decorators);
            out.push(Stmt::Function(id));
        } else {
            out.extend(decorators.into_iter().map(Stmt::Expr));
            self.class(definition, out);
        }
    }

    fn class(&mut self, node: Node<'_>, out: &mut Block) {
        let name = node.child_by_field_name("name").map(|name| self.to.text(name));
        let outer = std::mem::replace(&mut self.class, name);
        let mut inner = Block::new();
        for base in node.child_by_field_name("superclasses").map(parts).unwrap_or_default() {
            match (base.kind(), name) {
                ("call", _) => {
                    let base = self.expr(base);
                    inner.push(Stmt::Expr(base));
                }
                ("identifier" | "attribute", Some(name)) => {
                    let base = self.expr(base);
                    self.to.unit.bases.push((name, base));
                }
                _ => {}
            }
        }
        inner.append(&mut self.suite(node, "body"));
        self.class = outer;
        out.push(Stmt::Block(inner));
    }

    fn function(&mut self, node: Node<'_>, decorators: Vec<ExprId>) -> super::super::ir::FunctionId {
        // A function defined inside a method is not a method.
        let class = self.class.take();
        let name = node.child_by_field_name("name").map(|name| self.to.text(name));
        let parameters = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        let mut params: Vec<Param<'t>> = parameters.into_iter().filter_map(|part| self.param(part)).collect();
        if class.is_some() && params.first().is_some_and(|first| self.is_this(first.target)) {
            params.remove(0);
        }
        self.take_route_types(&decorators, &mut params);
        let result = node.child_by_field_name("return_type").and_then(|of| self.type_path(of));
        let body = match node.kind() {
            "lambda" => vec![Stmt::Return(node.child_by_field_name("body").map(|body| self.expr(body)))],
            _ => self.suite(node, "body"),
        };
        self.class = class;
        self.to.unit.add_function(Function { name, class, decorators, params, body, result })
    }

    /// Gives parameters the types stated in a route: `@app.route("/orders/<int:id>")`.
    fn take_route_types(&mut self, decorators: &[ExprId], params: &mut [Param<'t>]) {
        for decorator in decorators {
            let Kind::Call { args, .. } = self.to.unit.kind(*decorator) else { continue };
            let Some(&Kind::Text(route)) = args.first().map(|arg| self.to.unit.kind(arg.value)) else { continue };
            for (of, name) in route.split('<').filter_map(|part| part.split_once('>')?.0.split_once(':')) {
                for param in params.iter_mut().filter(|param| param.of.is_none() && param.name == Some(name)) {
                    let expr = self.to.unit.expr(*decorator);
                    let span = expr.start as usize..expr.end as usize;
                    param.of = Some(self.to.unit.add(Kind::Name(of), span));
                }
            }
        }
    }

    fn is_this(&self, id: ExprId) -> bool {
        matches!(self.to.unit.kind(id), Kind::Name("this"))
    }

    fn param(&mut self, node: Node<'_>) -> Option<Param<'t>> {
        let inner = match node.kind() {
            "keyword_separator" | "positional_separator" => return None,
            "default_parameter" | "typed_default_parameter" => node.child_by_field_name("name"),
            "typed_parameter" => node.named_child(0),
            _ => Some(node),
        }?;
        let inner = match inner.kind() {
            "list_splat_pattern" | "dictionary_splat_pattern" => inner.named_child(0)?,
            _ => inner,
        };
        let target = self.expr(inner);
        let of = node.child_by_field_name("type").and_then(|of| self.type_path(of));
        let default = node.child_by_field_name("value").map(|value| self.expr(value));
        let default = default.or_else(|| self.annotated(node.child_by_field_name("type")?));
        let name = (inner.kind() == "identifier").then(|| self.to.text(inner));
        Some(Param { target, name, of, decorators: Vec::new(), default })
    }

    /// Lowers the metadata of `Annotated[T, Depends(…)]` for a parameter.
    fn annotated(&mut self, node: Node<'_>) -> Option<ExprId> {
        let of = node.named_child(0)?;
        let is_annotated = of.named_child(0).is_some_and(|head| self.to.text(head).ends_with("Annotated"));
        let rest = of.named_child(1).filter(|_| is_annotated)?;
        let said = if rest.kind() == "type_parameter" { rest.named_child(1)? } else { of.named_child(2)? };
        Some(self.expr(said))
    }

    /// Lowers a type to the path of its name: `Optional[a.B]`, `a.B | None` and `Annotated[a.B, …]` are `a.B`.
    fn type_path(&mut self, node: Node<'_>) -> Option<ExprId> {
        let wraps =
            |name: &str| matches!(name.rsplit('.').next(), Some("Optional" | "Annotated" | "Final" | "ClassVar"));
        match node.kind() {
            "type" => self.type_path(node.named_child(0)?),
            "identifier" | "attribute" => Some(self.expr(node)),
            "union_type" | "binary_operator" => self.type_path(node.named_child(0)?),
            "member_type" => {
                let of = self.type_path(node.named_child(0)?)?;
                let name = self.to.text(node.named_child(1)?);
                Some(self.to.add(Kind::Member(of, name), node))
            }
            "generic_type" | "subscript" => {
                let head = node.named_child(0)?;
                if !wraps(self.to.text(head)) {
                    return self.type_path(head);
                }
                let inner = node.named_child(1)?;
                self.type_path(if inner.kind() == "type_parameter" { inner.named_child(0)? } else { inner })
            }
            "string" => {
                let content = node.named_child(1).filter(|content| content.kind() == "string_content")?;
                Some(self.to.name(content))
            }
            _ => None,
        }
    }

    fn import(&mut self, node: Node<'_>) {
        for name in fields(node, "name") {
            let Some(path) = name.child_by_field_name("name").or(Some(name)) else { continue };
            let path = self.to.text(path);
            match name.child_by_field_name("alias") {
                Some(alias) => {
                    let alias = self.to.text(alias);
                    self.to.unit.import(alias, path);
                }
                // `import a.b` names `a`.
                None => {
                    let first = path.split('.').next().unwrap_or(path).trim();
                    self.to.unit.import(first, first);
                }
            }
        }
    }

    fn import_from(&mut self, node: Node<'_>) {
        let Some(module) = node.child_by_field_name("module_name") else { return };
        let module = self.to.text(module).trim_start_matches('.').trim();
        let dot = if module.is_empty() { "" } else { "." };
        for name in fields(node, "name") {
            let path = self.to.text(name.child_by_field_name("name").unwrap_or(name));
            let local = name.child_by_field_name("alias").map_or(path, |alias| self.to.text(alias));
            self.to.unit.import(local, format!("{module}{dot}{path}"));
        }
        if parts(node).iter().any(|part| part.kind() == "wildcard_import") {
            self.to.unit.import("*", module);
        }
    }
}

/// Tells whether the code after a block is unreachable.
fn leaves(block: &Block) -> bool {
    match block.last() {
        Some(Stmt::Return(_) | Stmt::Leave(_)) => true,
        Some(Stmt::If { then, otherwise, .. }) => leaves(then) && leaves(otherwise),
        Some(Stmt::Block(inner)) => leaves(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
