//! Values at a point of the code, and how two values are joined.

use std::rc::Rc;

use super::ir::{ExprId, FunctionId};
use super::names::Name;
use super::program::{ALL, Bits};
use super::trace::Trace;

/// Stands for each dynamic part in the text of a value.
pub(crate) const HOLE: char = '…';
/// The longest text that is tracked.
const LONGEST_TEXT: usize = 600;

/// How much of a value is constant, least to most dangerous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueShape {
    /// Made only of literals.
    Constant,
    /// Not constant, but harmless as text: a number, a length.
    Safe,
    /// Anything.
    #[default]
    Dynamic,
    /// Literal text with a dynamic part.
    Built,
}

/// What is known about a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Value<'u> {
    pub(crate) shape: ValueShape,
    /// The source sets that reach it.
    pub(crate) taint: Bits,
    /// The sanitiser classes that cleared all of its dynamic parts.
    pub(crate) cleared: Bits,
    /// The source of the taint.
    pub(crate) origin: Option<ExprId>,
    /// The first dynamic part.
    pub(crate) dynamic: Option<ExprId>,
    /// Its literal text, with a hole for every dynamic part.
    pub(crate) text: Option<Rc<str>>,
    /// Whether the text is one of several possible ones.
    pub(crate) varies: bool,
    pub(crate) number: Option<f64>,
    /// Its names, the most specific first.
    pub(crate) names: Vec<Name<'u>>,
    /// It begins with a part that is neither tainted nor literal.
    pub(crate) is_rooted: bool,
    /// It begins with a parameter from an unseen caller.
    pub(crate) is_given: bool,
    /// The source sets of the keys that led to it: `table[key]`.
    pub(crate) keyed: Bits,
    /// The literal behind it: a record, a list.
    pub(crate) literal: Option<ExprId>,
    /// The function behind it.
    pub(crate) function: Option<FunctionId>,
    /// The place where its text, or a part of it, was built, if a clause matched there.
    pub(crate) built_at: Option<ExprId>,
    /// Its way to here.
    pub(crate) trace: Trace,
}

impl<'u> Value<'u> {
    /// A value of which only the names are known.
    pub(crate) fn named(names: Vec<Name<'u>>) -> Self {
        Self { names, ..Self::default() }
    }

    /// A literal text.
    pub(crate) fn constant(text: &str) -> Self {
        Self { shape: ValueShape::Constant, text: Some(shortened(text)), ..Self::default() }
    }

    /// A harmless value.
    pub(crate) fn safe() -> Self {
        Self { shape: ValueShape::Safe, ..Self::default() }
    }

    /// A constant number.
    pub(crate) fn number(number: f64) -> Self {
        Self { number: Some(number), ..Self::constant(&number.to_string()) }
    }

    /// Returns the same value without its dangerous properties.
    pub(crate) fn made_safe(self) -> Self {
        let Self { names, literal, function, trace, .. } = self;
        Self { names, literal, function, trace, ..Self::safe() }
    }

    /// Adds a step to its way.
    pub(crate) fn via(mut self, at: ExprId) -> Self {
        self.trace.step(at, None);
        self
    }

    /// Adds the way of another value, on which it depends.
    pub(crate) fn after(mut self, other: &Value<'_>) -> Self {
        self.trace.join(&other.trace);
        self
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.shape <= ValueShape::Safe
    }

    /// Tells whether an uncleared source reaches it.
    pub(crate) fn is_tainted(&self, sources: Bits, clears: Bits) -> bool {
        self.taint & sources != 0 && !self.is_cleared(clears)
    }

    pub(crate) fn is_cleared(&self, clears: Bits) -> bool {
        self.cleared == ALL || self.cleared & clears != 0
    }

    /// Records the place of the dynamic part, if there is one and none is recorded.
    pub(crate) fn at(mut self, id: ExprId) -> Self {
        if !self.is_fixed() && self.dynamic.is_none() {
            self.dynamic = Some(id);
        }
        self
    }

    /// Takes on the taint of another value, which becomes a part of it.
    pub(crate) fn absorb(&mut self, part: &Value<'u>) {
        // A harmless part does not affect the clearing of the rest, and a tainted part overrides an untainted one.
        if !part.is_fixed() {
            self.cleared = match (self.taint != 0, part.taint != 0) {
                (true, false) => self.cleared,
                (false, true) => part.cleared,
                _ if self.is_fixed() || self.is_untouched() => part.cleared,
                _ => self.cleared & part.cleared,
            };
        }
        self.varies |= part.varies;
        self.is_given |= part.is_given;
        self.taint |= part.taint;
        self.origin = self.origin.or(part.origin);
        self.dynamic = self.dynamic.or(part.dynamic);
        self.built_at = self.built_at.or(part.built_at);
        self.trace.join(&part.trace);
    }

    /// Tells whether it has no dynamic part yet.
    fn is_untouched(&self) -> bool {
        self.taint == 0 && self.dynamic.is_none()
    }

    /// Concatenates texts.
    pub(crate) fn concat(parts: &[Value<'u>]) -> Self {
        if let Some(sum) = parts.iter().map(|part| part.number).sum::<Option<f64>>().filter(|_| !parts.is_empty()) {
            return parts.iter().fold(Self::number(sum), Self::after);
        }
        let mut whole = Self { shape: ValueShape::Constant, ..Self::default() };
        let mut text = String::new();
        let mut has_letters = false;
        for part in parts {
            whole.absorb(part);
            whole.shape = whole.shape.max(part.shape);
            match &part.text {
                Some(piece) => {
                    has_letters |= piece.chars().any(|c| c != HOLE);
                    text.push_str(piece);
                }
                None => text.push(HOLE),
            }
        }
        if whole.shape == ValueShape::Dynamic && has_letters {
            whole.shape = ValueShape::Built;
        }
        whole.text = Some(shortened(&text));
        whole.is_given = parts.iter().find(|part| part.text.as_deref() != Some("")).is_some_and(|first| first.is_given);
        whole.is_rooted =
            parts.first().is_some_and(|first| first.is_rooted || first.text.is_none() && first.taint == 0);
        whole
    }

    /// Joins two values of which the code has either.
    pub(crate) fn join(self, other: Self) -> Self {
        let mut both = self;
        both.absorb(&other);
        both.number = both.number.filter(|number| other.number == Some(*number));
        both.varies |= both.text != other.text;
        // The text of the more dangerous one is kept.
        if other.shape > both.shape || other.shape == both.shape && both.text.is_none() {
            both.text = other.text;
        }
        both.shape = both.shape.max(other.shape);
        for name in other.names {
            if both.names.len() < 4 && !both.names.iter().any(|known| known.is(&name)) {
                both.names.push(name);
            }
        }
        both.keyed |= other.keyed;
        both.literal = both.literal.or(other.literal);
        both.function = both.function.or(other.function);
        both
    }
}

fn shortened(text: &str) -> Rc<str> {
    if text.len() <= LONGEST_TEXT {
        return text.into();
    }
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST_TEXT).unwrap_or(text.len());
    text[..end].into()
}
