//! The position and context of a finding. In: a finding, or an expression. Out: the offset whose line is named, and the
//! names of the surrounding functions, variables, keys and calls, which show its purpose.

use super::ir::{Block, ExprId, Function, Kind, Stmt, Unit};
use super::machine::Found;
use super::program::{Compiled, Test, Text};

/// The number of parts of a call, record or text that are checked: with more, the cost would be quadratic.
const MOST_PARTS: usize = 200;

/// Returns the start of a finding. A call far down a chain is placed on its own line, not on the first line of the
/// chain; a multi-line text is placed where it matches.
pub(super) fn start(unit: &Unit<'_>, clause: &Compiled, found: &Found, text: &str) -> usize {
    let expr = unit.expr(found.at);
    let own = found.span.start;
    match &expr.kind {
        Kind::Call { callee, .. } => {
            let Kind::Member(of, name) = unit.kind(*callee) else { return own };
            let [from, to] = [unit.expr(*of).end, unit.expr(*callee).end].map(|at| at as usize);
            let link = text.get(from..to).filter(|link| link.contains('\n'));
            link.and_then(|link| link.rfind(name)).map_or(own, |at| from + at)
        }
        Kind::Text(said) if !clause.record.is_empty() && text[found.span.clone()].contains('\n') => {
            let whole = &text[expr.start as usize..expr.end as usize];
            let matched = clause.record.iter().find_map(|(_, test)| text_asked(test)?.find(said));
            whole.find(said).zip(matched).map_or(own, |(at, matched)| own + at + matched)
        }
        _ => own,
    }
}

/// Returns the condition on a text, or on the items of a list.
fn text_asked(test: &Test) -> Option<&Text> {
    test.text.as_ref().or_else(|| test.items.as_ref()?.text.as_ref())
}

/// The context of an expression.
#[derive(Default)]
pub(super) struct Around<'f> {
    /// The names of functions, assigned variables, keys and receiving calls around it.
    pub(super) names: Vec<&'f str>,
    /// The texts that it is concatenated with, and its classes.
    pub(super) texts: Vec<&'f str>,
}

/// The enclosing parts of a file, each with its parent, so that a lookup costs no more than the depth.
pub(super) struct Surroundings {
    outer: Vec<Outer>,
}

struct Outer {
    start: u32,
    end: u32,
    around: Option<usize>,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    Expr(ExprId),
    /// The value of an assignment to this target.
    ValueOf(ExprId),
}

impl Surroundings {
    /// Finds them in a file.
    pub(super) fn of(unit: &Unit<'_>) -> Self {
        let says_something = |kind: &Kind<'_>| {
            matches!(kind, Kind::Call { .. } | Kind::Record(_) | Kind::Assign { .. } | Kind::Concat(_))
        };
        let exprs = unit.exprs.iter().enumerate().filter(|(_, expr)| says_something(&expr.kind));
        let mut outer: Vec<Outer> = exprs
            .map(|(index, expr)| {
                let what = What::Expr(ExprId(index as u32));
                Outer { start: expr.start, end: expr.end, around: None, what }
            })
            .collect();
        let bodies = unit.functions.iter().map(|function| &function.body);
        bodies.chain([&unit.body]).for_each(|body| assigned(unit, body, &mut outer));
        outer.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
        let mut open: Vec<usize> = Vec::new();
        for at in 0..outer.len() {
            while open.pop_if(|last| outer[*last].end < outer[at].end).is_some() {}
            outer[at].around = open.last().copied();
            open.push(at);
        }
        Self { outer }
    }

    /// Returns the context of an expression in these functions.
    pub(super) fn around<'f, 't: 'f>(
        &self,
        unit: &'f Unit<'t>,
        at: ExprId,
        functions: impl Iterator<Item = &'f Function<'t>>,
    ) -> Around<'f> {
        let mut around = Around::default();
        for function in functions {
            around.names.extend(function.name);
            around.texts.extend(function.class);
        }
        let inner = unit.expr(at);
        let mut next = self.outer.partition_point(|one| one.start <= inner.start).checked_sub(1);
        while let Some(one) = next.map(|next| &self.outer[next]) {
            if one.end >= inner.end {
                around.add(unit, one.what, at);
            }
            next = one.around;
        }
        around
    }
}

impl<'f> Around<'f> {
    /// Adds the context from a part around an expression.
    fn add(&mut self, unit: &'f Unit<'_>, what: What, at: ExprId) {
        let inner = unit.expr(at);
        let holds = |id: ExprId| unit.expr(id).start <= inner.start && inner.end <= unit.expr(id).end;
        let id = match what {
            What::Expr(id) if id == at => return,
            What::Expr(id) => id,
            What::ValueOf(target) => return self.names.extend(last_name(unit, target)),
        };
        match unit.kind(id) {
            Kind::Call { callee, args } => {
                self.names.extend(last_name(unit, *callee));
                self.names
                    .extend(args.iter().take(MOST_PARTS).filter(|arg| holds(arg.value)).filter_map(|arg| arg.name));
            }
            Kind::Record(fields) => {
                self.names.extend(
                    fields.iter().take(MOST_PARTS).filter(|(_, value)| holds(*value)).filter_map(|(key, _)| *key),
                );
            }
            Kind::Assign { target, .. } => self.names.extend(last_name(unit, *target)),
            Kind::Concat(parts) => {
                self.texts.extend(parts.iter().take(MOST_PARTS).filter_map(|part| match unit.kind(*part) {
                    Kind::Text(text) => Some(*text),
                    _ => None,
                }))
            }
            _ => {}
        }
    }
}

/// Collects the values that statements assign.
fn assigned(unit: &Unit<'_>, block: &Block, outer: &mut Vec<Outer>) {
    for statement in block {
        match statement {
            Stmt::Assign { target, value: Some(value), .. } | Stmt::Append { target, value } => {
                let expr = unit.expr(*value);
                outer.push(Outer { start: expr.start, end: expr.end, around: None, what: What::ValueOf(*target) });
            }
            Stmt::If { then, otherwise, .. } => {
                assigned(unit, then, outer);
                assigned(unit, otherwise, outer);
            }
            Stmt::Loop { body: inner, .. } | Stmt::Block(inner) => assigned(unit, inner, outer),
            Stmt::OneOf(blocks) => blocks.iter().for_each(|inner| assigned(unit, inner, outer)),
            _ => {}
        }
    }
}

fn last_name<'f>(unit: &'f Unit<'_>, id: ExprId) -> Option<&'f str> {
    match unit.kind(id) {
        Kind::Name(name) | Kind::Member(_, name) => Some(name),
        Kind::Index(_, index) => match unit.kind(*index) {
            Kind::Text(key) => Some(key),
            _ => None,
        },
        _ => None,
    }
}
