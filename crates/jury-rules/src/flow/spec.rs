//! Flow rules and knowledge files as written. In: the `flow` of a rule file, or a file of `knowledge/`. Out: the same
//! as types; unknown members are rejected.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::language::Language;
use crate::rule::Severity;

/// The `flow` of a rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flow {
    /// The source sets, or names, whose values count as tainted.
    #[serde(default = "default_sources")]
    pub(crate) sources: Vec<String>,
    /// The sanitiser classes that make a value harmless here.
    #[serde(default)]
    pub(crate) clears: Vec<String>,
    /// Additional functions whose result is harmless here.
    #[serde(default)]
    pub(crate) sanitisers: Vec<String>,
    /// Additional functions whose result carries their input.
    #[serde(default)]
    pub(crate) passes: Vec<String>,
    /// The clauses: each match is a finding.
    pub(crate) find: Vec<Clause>,
}

impl Flow {
    /// Tells whether its names affect other rules as well: pass-through functions, sanitisers, or sources by name.
    pub(crate) fn adds_names(&self) -> bool {
        let is_name = |source: &String| source.contains(['.', '*']);
        !self.passes.is_empty() || !self.sanitisers.is_empty() || self.sources.iter().any(is_name)
    }
}

fn default_sources() -> Vec<String> {
    vec!["http".to_owned()]
}

/// One clause of a rule.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Clause {
    /// The source sets whose values count as tainted here, if they differ from the rule's.
    pub(crate) sources: Many,
    /// The sanitiser classes that make a value harmless here, in addition to the rule's.
    pub(crate) clears: Many,
    /// Names of callees, including `==`, `!=`, `===` and `!==`.
    pub(crate) call: Many,
    /// Conditions on the arguments of the call, all of which must hold.
    pub(crate) args: BTreeMap<String, Condition>,
    /// A condition on the receiver of the call.
    pub(crate) receiver: Option<Condition>,
    /// Names of assignment targets.
    pub(crate) set: Many,
    /// A condition on the assigned value.
    pub(crate) value: Option<Condition>,
    /// Conditions on the members of an object, map or struct, or on the keyword arguments of a call.
    pub(crate) record: Option<BTreeMap<String, Condition>>,
    /// The names of the calls that take the record as an argument, or of its type.
    pub(crate) of: Many,
    /// A condition on a returned value.
    #[serde(rename = "return")]
    pub(crate) returns: Option<Condition>,
    /// A condition on concatenated text, wherever it is used.
    pub(crate) concat: Option<Condition>,
    /// Decorators of which that function must have one.
    pub(crate) decorated: Many,
    /// Decorators of which it must have none.
    pub(crate) undecorated: Many,
    /// Names of functions: the finding must be in one of them.
    pub(crate) within: Many,
    /// Purposes: matches only in a function, or for a variable, key or call, of such a name.
    pub(crate) only_in: Many,
    /// Purposes: never matches there, nor in text that contains such a word.
    pub(crate) except_in: Many,
    /// A condition on a non-constant key under which a value is put into an object (`receiver`).
    pub(crate) put: Option<Condition>,
    /// Names whose mere use is a finding.
    pub(crate) read: Many,
    /// Names: no match in a function that calls or sets one of them.
    pub(crate) unless: Many,
    /// The same as clauses over calls, if the name alone is not enough: `setFeature(…)` that turns something off.
    pub(crate) unless_call: Vec<Clause>,
    /// Clauses over calls: matches only in a function, or in a file whose top level, makes one of them.
    pub(crate) with_call: Vec<Clause>,
    /// The match is reported where its result is used, if it is.
    pub(crate) makes: bool,
    /// Names: no match in a function that tests one of them.
    pub(crate) unless_read: Many,
    /// Names of which the file must import one.
    pub(crate) imports: Many,
    /// The severity, if it differs from the rule's.
    pub(crate) severity: Option<Severity>,
    /// The confidence, if it differs from the rule's.
    pub(crate) confidence: Option<u32>,
    /// The argument or member at which the finding is placed; `keys` is the member of an argument that met the
    /// condition.
    pub(crate) at: Option<ArgumentKey>,
}

/// A name, or several.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "OneOrMany")]
pub(crate) struct Many(pub(crate) Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrMany> for Many {
    fn from(given: OneOrMany) -> Self {
        match given {
            OneOrMany::One(one) => Self(vec![one]),
            OneOrMany::Many(many) => Self(many),
        }
    }
}

/// The argument of a call by position or keyword.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum ArgumentKey {
    Position(usize),
    Keyword(String),
}

/// Conditions on a value, all of which must hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Condition {
    pub(crate) is: Option<Is>,
    pub(crate) literal: Option<Literals>,
    pub(crate) text: Option<String>,
    pub(crate) not_text: Option<String>,
    pub(crate) name: Many,
    pub(crate) not_name: Many,
    pub(crate) keys: BTreeMap<String, Condition>,
    pub(crate) items: Option<Box<Condition>>,
    pub(crate) below: Option<f64>,
    pub(crate) above: Option<f64>,
    pub(crate) any: Vec<Condition>,
    pub(crate) not: Option<Box<Condition>>,
}

/// Literals: strings, numbers or booleans.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Literals {
    One(Literal),
    Many(Vec<Literal>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Literal {
    Truth(bool),
    Number(i64),
    Text(String),
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Is {
    Tainted,
    Built,
    Dynamic,
    Constant,
    /// A constant that is the same on every way.
    Single,
    Safe,
    Absent,
    Present,
    Function,
    /// A literal record or list.
    Record,
    /// Text that begins with an untainted part, such as the address of a server.
    Rooted,
    /// A value that begins with a parameter of a function whose callers are not visible.
    Given,
    /// A part of an object selected by a key from a source.
    Keyed,
    /// A value from a source or an unseen caller, or text that contains one.
    Passed,
}

/// Knowledge about the libraries of a language, independent of rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Knowledge {
    pub(crate) languages: Vec<Language>,
    /// Source sets: names of untrusted values.
    #[serde(default)]
    pub(crate) sources: BTreeMap<String, Vec<String>>,
    /// Source sets: parameters with untrusted values.
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, Vec<ParameterSource>>,
    /// Sanitisers by class; the class `all` clears for every rule.
    #[serde(default)]
    pub(crate) sanitisers: BTreeMap<String, Vec<String>>,
    /// Functions whose result carries their input.
    #[serde(default)]
    pub(crate) passes: Vec<String>,
    /// Methods whose result carries their receiver, whatever the arguments.
    #[serde(default)]
    pub(crate) gives: Vec<String>,
    /// Methods whose result is a part of their receiver, whatever the key; a second argument is the default.
    #[serde(default)]
    pub(crate) lookups: Vec<String>,
    /// Methods that put their arguments into the receiver.
    #[serde(default)]
    pub(crate) mutates: Vec<String>,
    /// Functions that put the content of their receiver and arguments into output arguments: `Decode(&x)`.
    #[serde(default)]
    pub(crate) fills: Vec<String>,
    /// Functions that build text.
    #[serde(default)]
    pub(crate) format: Vec<String>,
    /// Tests that only a harmless value passes.
    #[serde(default)]
    pub(crate) validators: Vec<String>,
    /// Tests that only a harmful value passes, by class: `path.includes("..")`.
    #[serde(default)]
    pub(crate) refusals: BTreeMap<String, Vec<String>>,
    /// Tests that only a value harmless for a class passes: `filepath.IsLocal(path)`.
    #[serde(default)]
    pub(crate) assurances: BTreeMap<String, Vec<String>>,
    /// Functions whose result is no longer cleared, by class: `JSON.parse(String(x))`.
    #[serde(default)]
    pub(crate) undoes: BTreeMap<String, Vec<String>>,
    /// Types whose values are harmless.
    #[serde(default)]
    pub(crate) safe_types: Vec<String>,
}

/// The parameters that are sources: by the name, decorator or declared result of their function, by the call that takes
/// the function (`app.MapGet("/", handler)`), by their type, annotation or name, or as the first parameter of a
/// function with these parameter names: `(event, context)`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ParameterSource {
    pub(crate) decorated: Many,
    #[serde(rename = "type")]
    pub(crate) of: Many,
    pub(crate) annotation: Many,
    pub(crate) result: Many,
    pub(crate) given_to: Many,
    pub(crate) function: Many,
    pub(crate) named: Many,
    pub(crate) signature: Vec<String>,
    /// Arguments of the annotation that make the parameter harmless: `@Param("id", ParseIntPipe)`.
    pub(crate) unless: Many,
    /// The canonical name of the parameter if its annotation has no arguments: `@Body()` is all of `req.body`.
    pub(crate) goes_by: Option<String>,
}

impl Literals {
    /// Tells whether a literal, as written, is one of these.
    pub(crate) fn have(&self, written: &str) -> bool {
        let is = |literal: &Literal| match literal {
            Literal::Truth(truth) => written.eq_ignore_ascii_case(if *truth { "true" } else { "false" }),
            Literal::Number(number) => written.parse() == Ok(*number),
            Literal::Text(text) => text == written,
        };
        match self {
            Self::One(one) => is(one),
            Self::Many(many) => many.iter().any(is),
        }
    }
}
