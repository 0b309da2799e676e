//! Lowers TypeScript, TSX and JavaScript. JSX is lowered to its meaning: a call with the attributes as keywords.

use super::super::ir::{Arg, Block, ExprId, Function, FunctionId, Kind, Param, Stmt, Unit};
use super::arms::{self, Arm};
use super::{Lowering, fields, parts};
use crate::nodes::Node;

/// Lowers a file.
pub(crate) fn lower<'t>(root: Node<'_>, text: &'t str) -> Unit<'t> {
    let mut script = Script { base: Lowering::new(text), class: None };
    let body = script.statements(root);
    script.base.unit.body = body;
    script.base.unit
}

struct Script<'t> {
    base: Lowering<'t>,
    /// The class whose body is being lowered.
    class: Option<&'t str>,
}

impl<'t> Script<'t> {
    fn statements(&mut self, node: Node<'_>) -> Block {
        let mut block = Vec::new();
        for child in parts(node) {
            self.statement(child, &mut block);
        }
        block
    }

    /// Lowers a node that may be a block or a single statement.
    fn body(&mut self, node: Option<Node<'_>>) -> Block {
        let Some(node) = node else { return Vec::new() };
        if node.kind() == "statement_block" {
            return self.statements(node);
        }
        let mut block = Vec::new();
        self.statement(node, &mut block);
        block
    }

    fn statement(&mut self, node: Node<'_>, block: &mut Block) {
        match node.kind() {
            "import_statement" => self.import(node),
            "export_statement" | "labeled_statement" | "ambient_declaration" | "expression_statement" => {
                for child in parts(node).into_iter().filter(|child| child.kind() != "statement_identifier") {
                    self.statement(child, block);
                }
            }
            "lexical_declaration" | "variable_declaration" => {
                for declarator in parts(node) {
                    self.declarator(declarator, block);
                }
            }
            "function_declaration" | "generator_function_declaration" => {
                let id = self.function(node);
                block.push(Stmt::Function(id));
            }
            "class_declaration" | "abstract_class_declaration" | "class" => {
                let members = self.class(node);
                block.push(Stmt::Block(members));
            }
            "if_statement" => {
                let test = self.field(node, "condition");
                let then = self.body(node.child_by_field_name("consequence"));
                let otherwise = node.child_by_field_name("alternative").map(|node| self.statements(node));
                block.push(Stmt::If { test, then, otherwise: otherwise.unwrap_or_default() });
            }
            "for_in_statement" => {
                let target = node.child_by_field_name("left").map(|left| self.pattern(left));
                let of = self.field(node, "right");
                let body = self.body(node.child_by_field_name("body"));
                block.push(Stmt::Loop { each: target.map(|target| (target, of)), test: None, body });
            }
            "for_statement" | "while_statement" | "do_statement" => {
                if let Some(first) = node.child_by_field_name("initializer") {
                    self.statement(first, block);
                }
                let test = node.child_by_field_name("condition").map(|test| self.expr(test));
                let mut body = self.body(node.child_by_field_name("body"));
                if let Some(last) = node.child_by_field_name("increment") {
                    body.push(Stmt::Expr(self.expr(last)));
                }
                block.push(Stmt::Loop { each: None, test, body });
            }
            "switch_statement" => self.switch(node, block),
            "try_statement" => self.attempt(node, block),
            "statement_block" | "else_clause" | "class_static_block" | "finally_clause" | "internal_module"
            | "module" => {
                let inner = node.child_by_field_name("body").unwrap_or(node);
                let inner = self.statements(inner);
                block.push(Stmt::Block(inner));
            }
            "return_statement" => {
                let value = parts(node).first().map(|value| self.expr(*value));
                block.push(Stmt::Return(value));
            }
            "throw_statement" => {
                let value = parts(node).first().map(|value| self.expr(*value));
                block.push(Stmt::Leave(value));
            }
            "break_statement" | "continue_statement" => block.push(Stmt::Leave(None)),
            "augmented_assignment_expression" => {
                let target = self.field(node, "left");
                let value = self.field(node, "right");
                let is_text = node.child_by_field_name("operator").is_some_and(|it| it.kind() == "+=");
                block.push(if is_text { Stmt::Append { target, value } } else { Stmt::Expr(value) });
            }
            "assignment_expression" => {
                let target = node.child_by_field_name("left").map(|left| self.pattern(left));
                let value = Some(self.field(node, "right"));
                target.into_iter().for_each(|target| self.call_it(target, value));
                block.extend(target.map(|target| Stmt::Assign { target, of: None, value }));
            }
            "empty_statement" | "interface_declaration" | "type_alias_declaration" | "function_signature" => {}
            _ => block.push(Stmt::Expr(self.expr(node))),
        }
    }

    /// Lowers a switch to tests, unless one of its cases falls through.
    fn switch(&mut self, node: Node<'_>, block: &mut Block) {
        let on = self.field(node, "value");
        let cases = node.child_by_field_name("body").map(parts).unwrap_or_default();
        let ends = |last: Node<'_>| {
            matches!(last.kind(), "break_statement" | "return_statement" | "throw_statement" | "continue_statement")
        };
        let is_last = |at: usize| at + 1 == cases.len();
        let goes_on = cases.iter().enumerate().any(|(at, case)| match last_of(*case) {
            Some(last) => !ends(last) && !is_last(at),
            None => false,
        });
        let mut arms: Vec<Arm<Block>> = Vec::new();
        let mut labels = Vec::new();
        let mut is_default = false;
        for (at, case) in cases.iter().enumerate() {
            match case.child_by_field_name("value") {
                Some(value) => labels.push(self.expr(value)),
                None => is_default = true,
            }
            if last_of(*case).is_none() && !is_last(at) {
                continue;
            }
            let labels = std::mem::take(&mut labels);
            let labels = if std::mem::take(&mut is_default) { Vec::new() } else { labels };
            arms.push(Arm { labels, body: self.case(*case) });
        }
        if goes_on {
            block.push(Stmt::Expr(on));
            block.push(Stmt::OneOf(arms.into_iter().map(|arm| arm.body).collect()));
        } else {
            block.extend(arms::statements(&mut self.base, on, arms, node));
        }
    }

    fn case(&mut self, case: Node<'_>) -> Block {
        let mut block = Vec::new();
        for statement in fields(case, "body") {
            self.statement(statement, &mut block);
        }
        // The code after the switch is reached whether a case ends or falls through.
        let is_break = |last: Node<'_>| match last.kind() {
            "statement_block" => parts(last).last().is_some_and(|last| last.kind() == "break_statement"),
            kind => kind == "break_statement",
        };
        if fields(case, "body").last().is_some_and(|last| is_break(*last)) {
            match block.last_mut() {
                Some(Stmt::Block(inner)) => _ = inner.pop(),
                _ => _ = block.pop(),
            }
        }
        block
    }

    fn attempt(&mut self, node: Node<'_>, block: &mut Block) {
        let body = self.body(node.child_by_field_name("body"));
        block.push(Stmt::OneOf(vec![body]));
        if let Some(handler) = node.child_by_field_name("handler") {
            let handler = self.body(handler.child_by_field_name("body"));
            block.push(Stmt::OneOf(vec![handler]));
        }
        if let Some(last) = node.child_by_field_name("finalizer") {
            let last = self.body(last.child_by_field_name("body"));
            block.push(Stmt::Block(last));
        }
    }

    fn declarator(&mut self, node: Node<'_>, block: &mut Block) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let target = self.pattern(name);
        let of = self.annotated(node);
        let value = node.child_by_field_name("value").map(|value| self.expr(value));
        self.call_it(target, value);
        block.push(Stmt::Assign { target, of, value });
    }

    /// Names an anonymous function after its assignment target.
    fn call_it(&mut self, target: ExprId, value: Option<ExprId>) {
        let unit = &mut self.base.unit;
        let is_exports = |of: ExprId| matches!(unit.kind(of), Kind::Name("exports") | Kind::Member(_, "exports"));
        let name = match unit.kind(target) {
            Kind::Name(name) => *name,
            Kind::Member(of, name) if is_exports(*of) => *name,
            _ => return,
        };
        if let Some(Kind::Function(id)) = value.map(|value| unit.kind(value)) {
            let id = id.0 as usize;
            unit.functions[id].name.get_or_insert(name);
        }
    }

    fn import(&mut self, node: Node<'_>) {
        let clauses = parts(node);
        let source = node.child_by_field_name("source");
        let required = clauses.iter().find(|clause| clause.kind() == "import_require_clause");
        let Some(source) = source.or_else(|| required?.child_by_field_name("source")) else { return };
        let path = module(self.unquoted(source));
        if let Some(name) = required.and_then(|clause| parts(*clause).into_iter().next()) {
            self.base.unit.import(self.base.text(name), path);
            return;
        }
        let Some(clause) = clauses.iter().find(|clause| clause.kind() == "import_clause") else {
            // Imported for its side effects: known, but without a name.
            self.base.unit.import("", path);
            return;
        };
        for part in parts(*clause) {
            match part.kind() {
                "identifier" => self.base.unit.import(self.base.text(part), path),
                "namespace_import" => {
                    if let Some(name) = parts(part).first() {
                        self.base.unit.import(self.base.text(*name), path);
                    }
                }
                _ => {
                    for specifier in parts(part) {
                        let Some(name) = specifier.child_by_field_name("name") else { continue };
                        let local = specifier.child_by_field_name("alias").unwrap_or(name);
                        let name = self.base.text(name);
                        let whole = if name == "default" { path.to_owned() } else { format!("{path}.{name}") };
                        self.base.unit.import(self.base.text(local), whole);
                    }
                }
            }
        }
    }

    fn class(&mut self, node: Node<'_>) -> Block {
        let name = node.child_by_field_name("name").map(|name| self.base.text(name));
        let outer = std::mem::replace(&mut self.class, name);
        let mut block = Vec::new();
        for decorator in fields(node, "decorator") {
            let decorator = self.decorator(decorator);
            block.push(Stmt::Expr(decorator));
        }
        let mut decorators = Vec::new();
        for member in node.child_by_field_name("body").map(parts).unwrap_or_default() {
            match member.kind() {
                "decorator" => decorators.push(self.decorator(member)),
                "method_definition" => {
                    let id = self.function(member);
                    self.base.unit.functions[id.0 as usize].decorators.append(&mut decorators);
                    block.push(Stmt::Function(id));
                }
                "public_field_definition" | "field_definition" => {
                    let name = member.child_by_field_name("name").or_else(|| member.child_by_field_name("property"));
                    let this = self.base.implied("this", member);
                    let Some(name) = name.map(|name| self.base.text(name)) else { continue };
                    let target = self.base.add(Kind::Member(this, name), member);
                    let of = self.annotated(member);
                    let value = member.child_by_field_name("value").map(|value| self.expr(value));
                    if let Some(Kind::Function(id)) = value.map(|value| self.base.unit.kind(value)) {
                        let id = id.0 as usize;
                        self.base.unit.functions[id].name.get_or_insert(name);
                    }
                    block.push(Stmt::Assign { target, of, value });
                    decorators.clear();
                }
                _ => self.statement(member, &mut block),
            }
        }
        self.class = outer;
        block
    }

    fn decorator(&mut self, node: Node<'_>) -> ExprId {
        match parts(node).first() {
            Some(inner) => self.expr(*inner),
            None => self.base.other(Vec::new(), node),
        }
    }

    fn function(&mut self, node: Node<'_>) -> FunctionId {
        let name = node.child_by_field_name("name").map(|name| self.base.text(name));
        let is_method = node.kind() == "method_definition";
        let class = self.class.filter(|_| is_method);
        let mut params = self.params(node);
        let unpacked = self.unpack(&mut params, name.or_else(|| self.declared(node)));
        let outer = if is_method { self.class } else { self.class.take() };
        let mut body = match node.child_by_field_name("body") {
            Some(body) if body.kind() == "statement_block" => self.statements(body),
            Some(body) => vec![Stmt::Return(Some(self.expr(body)))],
            None => Vec::new(),
        };
        body.splice(0..0, unpacked);
        if is_method && name == Some("constructor") {
            let fields = self.field_parameters(node);
            body.splice(0..0, fields);
        }
        self.class = outer;
        let result = node.child_by_field_name("return_type").and_then(|of| self.type_path(of));
        self.base.unit.add_function(Function { name, class, decorators: Vec::new(), params, body, result })
    }

    /// Returns the name of the variable whose value is a function.
    fn declared(&self, function: Node<'_>) -> Option<&'t str> {
        let declarator = function.parent().filter(|parent| parent.kind() == "variable_declarator")?;
        declarator.child_by_field_name("name").map(|name| self.base.text(name))
    }

    /// Destructures parameters in the body: `({ body }, res) => …` gets a request under a name that code cannot spell.
    fn unpack(&mut self, params: &mut [Param<'t>], function: Option<&str>) -> Block {
        let name = |at: usize| match self.base.unit.kind(params.get(at)?.target) {
            Kind::Name(name) => Some(name.trim_start_matches('_')),
            _ => None,
        };
        let loaders = ["loader", "action", "load", "getServerSideProps", "getInitialProps"];
        let first = match name(1) {
            Some("res" | "response" | "reply") => "#req",
            _ if function.is_some_and(|name| loaders.contains(&name)) => "#ctx",
            _ => "#props",
        };
        let second = matches!(name(0), Some("req" | "request")).then_some("#ctx");
        let mut block = Vec::new();
        for (param, name) in params.iter_mut().zip([Some(first), second]) {
            let Some(name) = name.filter(|_| matches!(self.base.unit.kind(param.target), Kind::Record(_))) else {
                continue;
            };
            let taken = self.base.unit.expr(param.target);
            let span = taken.start as usize..taken.end as usize;
            let [whole, value] = [(), ()].map(|()| self.base.unit.add(Kind::Name(name), span.clone()));
            let target = std::mem::replace(&mut param.target, whole);
            block.push(Stmt::Assign { target, of: None, value: Some(value) });
        }
        block
    }

    fn params(&mut self, node: Node<'_>) -> Vec<Param<'t>> {
        if let Some(single) = node.child_by_field_name("parameter") {
            let target = self.pattern(single);
            return vec![Param { target, name: None, of: None, decorators: Vec::new(), default: None }];
        }
        let params = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        params.into_iter().map(|param| self.param(param)).collect()
    }

    /// Constructor parameters that are also fields: `constructor(private readonly db: Pool)`.
    fn field_parameters(&mut self, node: Node<'_>) -> Block {
        let params = node.child_by_field_name("parameters").map(parts).unwrap_or_default();
        let mut block = Vec::new();
        for param in params {
            let is_field = param
                .children()
                .any(|child| matches!(child.kind(), "accessibility_modifier" | "readonly" | "override_modifier"));
            let Some(name) = param.child_by_field_name("pattern").filter(|_| is_field) else { continue };
            let value = self.base.name(name);
            let this = self.base.implied("this", name);
            let target = self.base.add(Kind::Member(this, self.base.text(name)), name);
            block.push(Stmt::Assign { target, of: self.annotated(param), value: Some(value) });
        }
        block
    }

    fn param(&mut self, param: Node<'_>) -> Param<'t> {
        let decorators = fields(param, "decorator").into_iter().map(|decorator| self.decorator(decorator)).collect();
        let pattern = param.child_by_field_name("pattern").unwrap_or(param);
        let default = param.child_by_field_name("value").map(|value| self.expr(value));
        let target = self.pattern(pattern);
        Param { target, name: None, of: self.annotated(param), decorators, default }
    }

    /// Lowers the target of an assignment.
    fn pattern(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => self.base.name(node),
            "array_pattern" => {
                let items = parts(node).into_iter().map(|item| self.pattern(item)).collect();
                self.base.add(Kind::List(items), node)
            }
            "object_pattern" => {
                let members = parts(node).into_iter().map(|member| self.member_pattern(member)).collect();
                self.base.add(Kind::Record(members), node)
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                let target = match node.child_by_field_name("left") {
                    Some(left) => self.pattern(left),
                    None => self.base.other(Vec::new(), node),
                };
                let value = self.field(node, "right");
                self.base.add(Kind::Assign { target, value }, node)
            }
            "rest_pattern" => match parts(node).first() {
                Some(inner) => self.pattern(*inner),
                None => self.base.other(Vec::new(), node),
            },
            _ => self.expr(node),
        }
    }

    fn member_pattern(&mut self, member: Node<'_>) -> (Option<&'t str>, ExprId) {
        match member.kind() {
            "pair_pattern" => {
                let key = member.child_by_field_name("key").and_then(|key| self.key(key));
                let target = match member.child_by_field_name("value") {
                    Some(value) => self.pattern(value),
                    None => self.base.other(Vec::new(), member),
                };
                (key, target)
            }
            "shorthand_property_identifier_pattern" => (Some(self.base.text(member)), self.pattern(member)),
            "object_assignment_pattern" => {
                let key = member.child_by_field_name("left").map(|left| self.base.text(left));
                (key, self.pattern(member))
            }
            _ => (None, self.pattern(member)),
        }
    }

    /// Returns the key of a member, if it is constant.
    fn key(&self, node: Node<'_>) -> Option<&'t str> {
        match node.kind() {
            "string" => Some(self.unquoted(node)),
            "computed_property_name" => {
                parts(node).first().filter(|inner| inner.kind() == "string").map(|inner| self.unquoted(*inner))
            }
            _ => Some(self.base.text(node)),
        }
    }

    fn unquoted(&self, node: Node<'_>) -> &'t str {
        let text = self.base.text(node);
        text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
    }

    /// Lowers the expression in a field.
    fn field(&mut self, node: Node<'_>, name: &str) -> ExprId {
        match node.child_by_field_name(name) {
            Some(child) => self.expr(child),
            None => self.base.other(Vec::new(), node),
        }
    }

    fn expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind() {
            "identifier" | "this" | "super" | "shorthand_property_identifier" | "undefined" | "property_identifier" => {
                if self.base.text(node) == "undefined" {
                    return self.base.add(Kind::Literal("undefined"), node);
                }
                self.base.name(node)
            }
            "string" => {
                let text = self.unquoted(node);
                self.base.add(Kind::Text(text), node)
            }
            "number" | "true" | "false" | "null" | "regex" => {
                let text = self.base.text(node);
                self.base.add(Kind::Literal(text), node)
            }
            "template_string" => self.template(node),
            "parenthesized_expression"
            | "await_expression"
            | "non_null_expression"
            | "spread_element"
            | "satisfies_expression"
            | "instantiation_expression"
            | "jsx_expression" => match parts(node).first() {
                Some(inner) => self.expr(*inner),
                None => self.base.other(Vec::new(), node),
            },
            // A TypeScript cast is no proof: it makes nothing safe.
            "as_expression" => match parts(node).first() {
                Some(inner) => self.expr(*inner),
                None => self.base.other(Vec::new(), node),
            },
            "type_assertion" => match parts(node).last() {
                Some(inner) => self.expr(*inner),
                None => self.base.other(Vec::new(), node),
            },
            "member_expression" => {
                let of = self.field(node, "object");
                let name = node.child_by_field_name("property").map_or("", |name| self.base.text(name));
                self.base.add(Kind::Member(of, name), node)
            }
            "subscript_expression" => {
                let (of, index) = (self.field(node, "object"), self.field(node, "index"));
                self.base.add(Kind::Index(of, index), node)
            }
            "call_expression" => self.call(node),
            "new_expression" => {
                let callee = self.field(node, "constructor");
                let args = node.child_by_field_name("arguments").map(|args| self.args(args)).unwrap_or_default();
                self.base.add(Kind::Call { callee, args }, node)
            }
            "binary_expression" => self.binary(node),
            "unary_expression" | "update_expression" => {
                let operator = node.child_by_field_name("operator").map_or("", |it| self.base.text(it));
                let inner = self.field(node, "argument");
                let kind = match (operator, self.base.unit.kind(inner)) {
                    ("!", Kind::Literal("true" | "1")) => Kind::Literal("false"),
                    ("!", Kind::Literal("false" | "0")) => Kind::Literal("true"),
                    _ => Kind::Operation(operator, vec![inner]),
                };
                self.base.add(kind, node)
            }
            "ternary_expression" => {
                let test = self.field(node, "condition");
                let (then, otherwise) = (self.field(node, "consequence"), self.field(node, "alternative"));
                self.base.add(Kind::If { test, then, otherwise }, node)
            }
            "assignment_expression" => {
                let target = match node.child_by_field_name("left") {
                    Some(left) => self.pattern(left),
                    None => self.base.other(Vec::new(), node),
                };
                let value = self.field(node, "right");
                self.base.add(Kind::Assign { target, value }, node)
            }
            "augmented_assignment_expression" => {
                let (target, right) = (self.field(node, "left"), self.field(node, "right"));
                let value = self.base.add(Kind::Concat(vec![target, right]), node);
                self.base.add(Kind::Assign { target, value }, node)
            }
            "array" => {
                let items = parts(node).into_iter().map(|item| self.expr(item)).collect();
                self.base.add(Kind::List(items), node)
            }
            "object" => {
                let members = parts(node).into_iter().map(|member| self.member(member)).collect();
                self.base.add(Kind::Record(members), node)
            }
            "arrow_function" | "function_expression" | "generator_function" | "function" => {
                let id = self.function(node);
                self.base.add(Kind::Function(id), node)
            }
            "sequence_expression" => {
                let all: Vec<ExprId> = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.base.add(Kind::Operation("&&", all), node)
            }
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => self.jsx(node),
            _ => {
                let inner: Vec<ExprId> = parts(node).into_iter().map(|part| self.expr(part)).collect();
                self.base.other(inner, node)
            }
        }
    }

    fn template(&mut self, node: Node<'_>) -> ExprId {
        let mut pieces = Vec::new();
        let mut at = node.start_byte() + 1;
        for hole in parts(node).into_iter().filter(|part| part.kind() == "template_substitution") {
            self.piece(at..hole.start_byte(), &mut pieces);
            pieces.push(match parts(hole).first() {
                Some(inner) => self.expr(*inner),
                None => self.base.other(Vec::new(), hole),
            });
            at = hole.end_byte();
        }
        self.piece(at..node.end_byte().saturating_sub(1), &mut pieces);
        self.base.add(Kind::Concat(pieces), node)
    }

    fn piece(&mut self, span: std::ops::Range<usize>, pieces: &mut Vec<ExprId>) {
        if let Some(text) = self.base.text.get(span.clone()).filter(|text| !text.is_empty()) {
            pieces.push(self.base.unit.add(Kind::Text(text), span));
        }
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = node.child_by_field_name("function") else { return self.base.other(Vec::new(), node) };
        let args = node.child_by_field_name("arguments");
        // `require("x")` and `import("x")` are the module.
        if matches!(self.base.text(function), "require" | "import")
            && let Some([only]) = args.map(parts).as_deref()
            && only.kind() == "string"
        {
            let path = module(self.unquoted(*only));
            self.base.unit.import("", path);
            return self.base.add(Kind::Name(path), node);
        }
        let callee = self.expr(function);
        // A template after a template is not a tag: it is text in a broken file.
        if let Some(template) = args.filter(|args| args.kind() == "template_string")
            && matches!(self.base.unit.kind(callee), Kind::Concat(_))
        {
            let more = self.expr(template);
            return self.base.add(Kind::Concat(vec![callee, more]), node);
        }
        let args = match args {
            Some(template) if template.kind() == "template_string" => self.tagged(template),
            Some(args) => self.args(args),
            None => Vec::new(),
        };
        self.base.add(Kind::Call { callee, args }, node)
    }

    /// A tagged template separates the text from its values.
    fn tagged(&mut self, template: Node<'_>) -> Vec<Arg<'t>> {
        let text = self.unquoted(template);
        let text = self.base.add(Kind::Text(text), template);
        let holes = parts(template).into_iter().filter(|part| part.kind() == "template_substitution");
        let values: Vec<ExprId> = holes.flat_map(parts).map(|inner| self.expr(inner)).collect();
        [text].into_iter().chain(values).map(|value| Arg { name: None, value }).collect()
    }

    fn args(&mut self, node: Node<'_>) -> Vec<Arg<'t>> {
        parts(node).into_iter().map(|arg| Arg { name: None, value: self.expr(arg) }).collect()
    }

    fn member(&mut self, member: Node<'_>) -> (Option<&'t str>, ExprId) {
        match member.kind() {
            "pair" => {
                let key = member.child_by_field_name("key").and_then(|key| self.key(key));
                // A computed key is not a spread: it adds no other members.
                (key.or(Some("")), self.field(member, "value"))
            }
            "shorthand_property_identifier" => (Some(self.base.text(member)), self.base.name(member)),
            "method_definition" => {
                let key = member.child_by_field_name("name").and_then(|name| self.key(name));
                let id = self.function(member);
                (key.or(Some("")), self.base.add(Kind::Function(id), member))
            }
            _ => (None, self.expr(member)),
        }
    }

    fn operator(&self, node: Node<'_>) -> &'t str {
        node.child_by_field_name("operator").map_or("", |operator| self.base.text(operator))
    }

    /// Lowers a binary operation. A chain of additions may be arbitrarily long, so this is not recursive.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let kind = self.operator(node);
        let mut operands = Vec::new();
        let mut left = Some(node);
        while let Some(inner) = left.take() {
            if inner.kind() == "binary_expression" && self.operator(inner) == kind {
                operands.extend(inner.child_by_field_name("right"));
                left = inner.child_by_field_name("left");
            } else {
                operands.push(inner);
            }
        }
        operands.reverse();
        let is_text = |node: &Node<'_>| matches!(node.kind(), "string" | "template_string");
        let is_sum = kind == "+" && (operands.iter().any(is_text) || !operands.iter().any(|it| it.kind() == "number"));
        let values: Vec<ExprId> = operands.into_iter().map(|operand| self.expr(operand)).collect();
        let lowered = match kind {
            "+" if is_sum => Kind::Concat(values),
            "||" | "??" => Kind::Choice(values),
            // In broken code an operator may be missing: the values of the operands are kept.
            _ if node.has_error() => Kind::Concat(values),
            _ => Kind::Operation(kind, values),
        };
        self.base.add(lowered, node)
    }

    fn jsx(&mut self, node: Node<'_>) -> ExprId {
        let opening = node.child_by_field_name("open_tag").unwrap_or(node);
        let callee = self.field(opening, "name");
        let mut args = Vec::new();
        for attribute in fields(opening, "attribute") {
            let inner = parts(attribute);
            let (name, value) = match inner[..] {
                [name, value] => (Some(self.base.text(name)), self.expr(value)),
                [only] if attribute.kind() == "jsx_attribute" => {
                    (Some(self.base.text(only)), self.base.add(Kind::Literal("true"), attribute))
                }
                [only] => (None, self.expr(only)),
                _ => continue,
            };
            args.push(Arg { name, value });
        }
        let children = parts(node).into_iter().filter(|child| {
            matches!(child.kind(), "jsx_expression" | "jsx_element" | "jsx_self_closing_element" | "jsx_fragment")
        });
        for child in children {
            let value = self.expr(child);
            args.push(Arg { name: Some("children"), value });
        }
        self.base.add(Kind::Call { callee, args }, node)
    }

    /// Returns the declared type of a declaration.
    fn annotated(&mut self, node: Node<'_>) -> Option<ExprId> {
        self.type_path(node.child_by_field_name("type")?)
    }

    fn type_path(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind() {
            "type_annotation" => self.type_path(*parts(node).first()?),
            // The type `Function` in a declaration is not the constructor of functions.
            "type_identifier" if self.base.text(node) == "Function" => None,
            "type_identifier" | "identifier" | "predefined_type" => Some(self.base.name(node)),
            "generic_type" => self.type_path(node.child_by_field_name("name")?),
            "nested_type_identifier" | "nested_identifier" => {
                let of = node.child_by_field_name("module").or_else(|| node.child_by_field_name("object"))?;
                let of = self.type_path(of)?;
                let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"))?;
                let name = self.base.text(name);
                Some(self.base.add(Kind::Member(of, name), node))
            }
            _ => None,
        }
    }
}

/// Returns the last statement of a case, within its block if it has one.
fn last_of(case: Node<'_>) -> Option<Node<'_>> {
    let last = fields(case, "body").pop()?;
    match last.kind() {
        "statement_block" => parts(last).pop().or(Some(last)),
        _ => Some(last),
    }
}

/// Returns the name of a module as rules write it: without Node's `node:` scheme.
fn module(path: &str) -> &str {
    path.strip_prefix("node:").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;
    use crate::language::Language;

    #[test]
    fn imports_stand_for_what_they_import() {
        let text = "import cp, { exec as run } from 'node:child_process';\nimport * as fs from 'fs';\nimport x = require('y');\nconst { a: b, c } = require('d').e;\n";
        let expected = "import cp = child_process\nimport run = child_process.exec\nimport fs = fs\nimport x = y\nimport  = d\n{a: b, c: c} = d.e\n";
        assert_eq!(lowered(Language::TypeScript, text), expected);
    }

    #[test]
    fn text_is_put_together_of_parts() {
        let text = "q = `a ${b} c`; r = 'x' + y + 'z'; n = i + 1; s += t; u = v || 'w';";
        let expected = "q = <\"a \" b \" c\">\nr = <\"x\" y \"z\">\nn = (i + 1)\ns += t\nu = (v | \"w\")\n";
        assert_eq!(lowered(Language::JavaScript, text), expected);
    }

    #[test]
    fn functions_classes_and_their_parameters() {
        let text = "class A { db: Pool = new Pool(); @Get('/x') find(@Query('id') id: string, n = 2) { return this.db?.query(id!); } }\nconst f = async ({ body: { name }, ...rest }) => name;";
        let expected = "do\n  this.db: Pool = Pool()\n  declare fn#0\nf = fn#1\nfn#0 A.find(@Query(\"id\") id: string, n = 2) @Get(\"/x\")\n  return this.db.query(id)\nfn#1 f(#props)\n  {body: {name: name}, ...: rest} = #props\n  return name\n";
        assert_eq!(lowered(Language::TypeScript, text), expected);
    }

    #[test]
    fn parameters_are_fields_and_are_taken_apart() {
        let text = "class A { constructor(private readonly db: Pool, name) {} }\nconst loader = ({ request }) => request;\nfunction h({ body }, res) {}\nfunction g(req, { params }) {}";
        let expected = "do\n  declare fn#0\nloader = fn#1\ndeclare fn#2\ndeclare fn#3\nfn#0 A.constructor(db: Pool, name)\n  this.db: Pool = db\nfn#1 loader(#ctx)\n  {request: request} = #ctx\n  return request\nfn#2 h(#req, res)\n  {body: body} = #req\nfn#3 g(req, #ctx)\n  {params: params} = #ctx\n";
        assert_eq!(lowered(Language::TypeScript, text), expected);
    }

    #[test]
    fn a_switch_is_tests_unless_it_falls_through() {
        let text = "switch (k) { case 1: case 2: { a(); break; } case 3: return b(); default: c() }\nswitch (k) { case 1: a(); default: b() }";
        let expected = "if ((k == 1) || (k == 2))\n  do\n    a()\nelse\n  if (k == 3)\n    return b()\n  else\n    c()\nk\nor\n  a()\nor\n  b()\n";
        assert_eq!(lowered(Language::TypeScript, text), expected);
    }

    #[test]
    fn control_flow_and_calls() {
        let text = "if (!ok(x)) { throw new Error('no'); } else y();\nfor (const a of b) c(a);\nswitch (k) { case 1: d(); break; default: e() }\ntry { f() } catch (g) { h() }\nconst v = sql`select ${i}`;";
        let expected = "if (ok(x))\n  leave Error(\"no\")\nelse\n  y()\nloop a in b\n  c(a)\nif (k == 1)\n  d()\nelse\n  e()\nor\n  f()\nor\n  h()\nv = sql(\"select ${i}\", i)\n";
        assert_eq!(lowered(Language::TypeScript, text), expected);
    }

    #[test]
    fn jsx_is_a_call_with_keywords() {
        let text = "const e = <div id='a' hidden dangerouslySetInnerHTML={{ __html: x }}>{y}</div>;";
        let expected = "e = div(id=\"a\", hidden=true, dangerouslySetInnerHTML={__html: x}, children=y)\n";
        assert_eq!(lowered(Language::Tsx, text), expected);
    }

    #[test]
    fn broken_code_is_lowered_as_far_as_it_goes() {
        for text in [
            "const = ;",
            "class { x( }",
            "f(",
            "import from",
            "`a ${",
            "({ a: , [b]: c })",
            "<div>{</div>",
            "async => ",
        ] {
            lowered(Language::Tsx, text);
        }
    }
}
