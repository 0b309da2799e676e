//! Prints lowered code, one line per statement, for tests.

use super::super::ir::{Block, ExprId, Function, Kind, Stmt, Unit};

/// Shows a unit: its imports, its statements, and its functions by number.
pub(crate) fn show(unit: &Unit<'_>) -> String {
    let mut text = String::new();
    for import in &unit.imports {
        text.push_str(&format!("import {} = {}\n", import.local, import.path));
    }
    block(unit, &unit.body, 0, &mut text);
    for (index, function) in unit.functions.iter().enumerate() {
        text.push_str(&format!("fn#{index} {}\n", head(unit, function)));
        block(unit, &function.body, 1, &mut text);
    }
    text
}

fn head(unit: &Unit<'_>, function: &Function<'_>) -> String {
    let class = function.class.map(|class| format!("{class}.")).unwrap_or_default();
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| {
            let decorators: String = param.decorators.iter().map(|id| format!("@{} ", expr(unit, *id))).collect();
            let of = param.of.map(|of| format!(": {}", expr(unit, of))).unwrap_or_default();
            let default = param.default.map(|value| format!(" = {}", expr(unit, value))).unwrap_or_default();
            format!("{decorators}{}{of}{default}", expr(unit, param.target))
        })
        .collect();
    let decorators: String = function.decorators.iter().map(|id| format!(" @{}", expr(unit, *id))).collect();
    let result = function.result.map(|of| format!(" -> {}", expr(unit, of))).unwrap_or_default();
    format!("{class}{}({}){result}{decorators}", function.name.unwrap_or("_"), params.join(", "))
}

fn block(unit: &Unit<'_>, statements: &Block, depth: usize, text: &mut String) {
    for statement in statements {
        let mut line = |said: String| text.push_str(&format!("{}{said}\n", "  ".repeat(depth)));
        match statement {
            Stmt::Expr(id) => line(expr(unit, *id)),
            Stmt::Assign { target, of, value } => {
                let of = of.map(|of| format!(": {}", expr(unit, of))).unwrap_or_default();
                let value = value.map(|value| format!(" = {}", expr(unit, value))).unwrap_or_default();
                line(format!("{}{of}{value}", expr(unit, *target)));
            }
            Stmt::Append { target, value } => line(format!("{} += {}", expr(unit, *target), expr(unit, *value))),
            Stmt::If { test, then, otherwise } => {
                line(format!("if {}", expr(unit, *test)));
                block(unit, then, depth + 1, text);
                if !otherwise.is_empty() {
                    text.push_str(&format!("{}else\n", "  ".repeat(depth)));
                    block(unit, otherwise, depth + 1, text);
                }
            }
            Stmt::Loop { each, test, body } => {
                let each = each.map(|(target, of)| format!(" {} in {}", expr(unit, target), expr(unit, of)));
                let test = test.map(|test| format!(" while {}", expr(unit, test)));
                line(format!("loop{}{}", each.unwrap_or_default(), test.unwrap_or_default()));
                block(unit, body, depth + 1, text);
            }
            Stmt::OneOf(blocks) => {
                for one in blocks {
                    text.push_str(&format!("{}or\n", "  ".repeat(depth)));
                    block(unit, one, depth + 1, text);
                }
            }
            Stmt::Block(inner) => {
                line("do".to_owned());
                block(unit, inner, depth + 1, text);
            }
            Stmt::Function(id) => line(format!("declare fn#{}", id.0)),
            Stmt::Return(value) => line(format!("return {}", value.map(|id| expr(unit, id)).unwrap_or_default())),
            Stmt::Leave(value) => line(format!("leave {}", value.map(|id| expr(unit, id)).unwrap_or_default())),
        }
    }
}

fn expr(unit: &Unit<'_>, id: ExprId) -> String {
    let list = |ids: &[ExprId], between: &str| ids.iter().map(|id| expr(unit, *id)).collect::<Vec<_>>().join(between);
    match unit.kind(id) {
        Kind::Name(name) => (*name).to_owned(),
        Kind::Member(object, name) => format!("{}.{name}", expr(unit, *object)),
        Kind::Index(object, index) => format!("{}[{}]", expr(unit, *object), expr(unit, *index)),
        Kind::Call { callee, args } => {
            let arg = |name: Option<&str>, value| {
                format!("{}{}", name.map(|name| format!("{name}=")).unwrap_or_default(), expr(unit, value))
            };
            let args: Vec<String> = args.iter().map(|one| arg(one.name, one.value)).collect();
            format!("{}({})", expr(unit, *callee), args.join(", "))
        }
        Kind::Text(text) => format!("{text:?}"),
        Kind::Literal(text) => (*text).to_owned(),
        Kind::Concat(parts) => format!("<{}>", list(parts, " ")),
        Kind::List(items) => format!("[{}]", list(items, ", ")),
        Kind::Record(fields) => {
            let field =
                |(key, value): &(Option<&str>, ExprId)| format!("{}: {}", key.unwrap_or("..."), expr(unit, *value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Kind::If { test, then, otherwise } => {
            format!("({} ? {} : {})", expr(unit, *test), expr(unit, *then), expr(unit, *otherwise))
        }
        Kind::Choice(values) => format!("({})", list(values, " | ")),
        Kind::Cast(of, value) => format!("({of}){}", expr(unit, *value)),
        Kind::Operation(operator, values) => format!("({})", list(values, &format!(" {operator} "))),
        Kind::Function(id) => format!("fn#{}", id.0),
        Kind::Assign { target, value } => format!("({} := {})", expr(unit, *target), expr(unit, *value)),
        Kind::Other(parts) => format!("?({})", list(parts, ", ")),
    }
}
