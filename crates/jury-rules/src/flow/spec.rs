//! What flow rules and knowledge files say, as written. In: the `flow` of a rule file, or a file of `knowledge/`.
//! Out: the same in types, unknown members refused.

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
    /// The classes of sanitisers that make a value harmless here.
    #[serde(default)]
    pub(crate) clears: Vec<String>,
    /// Further functions whose result is harmless here.
    #[serde(default)]
    pub(crate) sanitisers: Vec<String>,
    /// Further functions whose result carries what goes in.
    #[serde(default)]
    pub(crate) passes: Vec<String>,
    /// What is a finding: any of these.
    pub(crate) find: Vec<Clause>,
}

impl Flow {
    /// Tells whether it says something about names that counts for other rules, too: what passes values on, makes them harmless
    /// or is a source by its name.
    pub(crate) fn adds_names(&self) -> bool {
        let is_name = |source: &String| source.contains(['.', '*']);
        !self.passes.is_empty() || !self.sanitisers.is_empty() || self.sources.iter().any(is_name)
    }
}

fn default_sources() -> Vec<String> {
    vec!["http".to_owned()]
}

/// One way in which a rule finds something.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Clause {
    /// The source sets whose values count as tainted here, where they differ from the rule's.
    pub(crate) sources: Many,
    /// The classes of sanitisers that make a value harmless here, beside the rule's.
    pub(crate) clears: Many,
    /// Names of what is called; `==`, `!=`, `===` and `!==` are called, too.
    pub(crate) call: Many,
    /// Conditions on the arguments of the call, all of which must hold.
    pub(crate) args: BTreeMap<String, Condition>,
    /// A condition on the object that the call is made on.
    pub(crate) receiver: Option<Condition>,
    /// Names of what is assigned to.
    pub(crate) set: Many,
    /// A condition on what is assigned.
    pub(crate) value: Option<Condition>,
    /// Conditions on the members of an object, map or struct, or on the keywords of a call.
    pub(crate) record: Option<BTreeMap<String, Condition>>,
    /// The names of the calls that the record must be an argument of, or of its type.
    pub(crate) of: Many,
    /// A condition on what a function returns.
    #[serde(rename = "return")]
    pub(crate) returns: Option<Condition>,
    /// A condition on text that is put together, wherever it goes.
    pub(crate) concat: Option<Condition>,
    /// The decorators one of which that function must have.
    pub(crate) decorated: Many,
    /// The decorators none of which it may have.
    pub(crate) undecorated: Many,
    /// Names of functions: the finding must be in one of them.
    pub(crate) within: Many,
    /// Purposes: something is found only in a function, or for a variable, a key or a call, of such a name.
    pub(crate) only_in: Many,
    /// Purposes: nothing is found there, nor in text that has such a word.
    pub(crate) except_in: Many,
    /// A condition on a key that is no fixed one, under which something is put into an object (`receiver`).
    pub(crate) put: Option<Condition>,
    /// Names whose mere use is a finding.
    pub(crate) read: Many,
    /// Names; if the same function calls or sets one of them, nothing is found in it.
    pub(crate) unless: Many,
    /// The same as clauses over calls, where the name alone does not tell: `setFeature(…)` that turns something off.
    pub(crate) unless_call: Vec<Clause>,
    /// Clauses over calls: something is found only in a function, or in a file whose top, does one of them.
    pub(crate) with_call: Vec<Clause>,
    /// What is found here is said where its result is used, if it is.
    pub(crate) makes: bool,
    /// Names; if the same function decides by one of them, nothing is found in it.
    pub(crate) unless_read: Many,
    /// Names of which the file must import one.
    pub(crate) imports: Many,
    /// The severity, where it differs from the rule's.
    pub(crate) severity: Option<Severity>,
    /// The confidence, where it differs from the rule's.
    pub(crate) confidence: Option<u32>,
    /// The argument or member that the finding stands at; `keys` is the member of an argument that tells.
    pub(crate) at: Option<Place>,
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
pub(crate) enum Place {
    Position(usize),
    Keyword(String),
}

/// What must hold of a value; all that is given.
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

/// Literals, as text, number or truth value.
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

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Is {
    Tainted,
    Built,
    Dynamic,
    Constant,
    Safe,
    Absent,
    Present,
    Function,
    /// A record or list, spelled out.
    Record,
    /// Text that begins with something that no source reaches, such as the address of a server.
    Rooted,
    /// What begins with a parameter of a function whose callers are not seen.
    Given,
    /// A part of an object that a key from a source led to.
    Keyed,
    /// What a source or whoever calls the function passes, or text with that in it.
    Passed,
}

/// What is known about the functions of a language's world, whatever the rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Knowledge {
    pub(crate) languages: Vec<Language>,
    /// Source sets: names whose values come from outside.
    #[serde(default)]
    pub(crate) sources: BTreeMap<String, Vec<String>>,
    /// Source sets: parameters whose values do.
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, Vec<ParameterSource>>,
    /// Sanitisers by class; the class `all` clears for every rule.
    #[serde(default)]
    pub(crate) sanitisers: BTreeMap<String, Vec<String>>,
    /// Functions whose result carries what goes in.
    #[serde(default)]
    pub(crate) passes: Vec<String>,
    /// Methods whose result carries the object that they are called on, whatever their arguments.
    #[serde(default)]
    pub(crate) gives: Vec<String>,
    /// Methods whose result is a part of their object, whichever they are asked for; a second argument is the default.
    #[serde(default)]
    pub(crate) lookups: Vec<String>,
    /// Methods that put their arguments into the object.
    #[serde(default)]
    pub(crate) mutates: Vec<String>,
    /// Functions that put what their object and arguments hold into the variables that they are given: `Decode(&x)`.
    #[serde(default)]
    pub(crate) fills: Vec<String>,
    /// Functions that put text together.
    #[serde(default)]
    pub(crate) format: Vec<String>,
    /// Tests that only a harmless value passes.
    #[serde(default)]
    pub(crate) validators: Vec<String>,
    /// Tests that only a harmful value passes, by class: `path.includes("..")`.
    #[serde(default)]
    pub(crate) refusals: BTreeMap<String, Vec<String>>,
    /// Tests that only a value passes which is harmless for a class: `filepath.IsLocal(path)`.
    #[serde(default)]
    pub(crate) assurances: BTreeMap<String, Vec<String>>,
    /// Functions whose result needs another look, whatever its argument went through, by class: `JSON.parse(String(x))`.
    #[serde(default)]
    pub(crate) undoes: BTreeMap<String, Vec<String>>,
    /// Types whose values can do no harm.
    #[serde(default)]
    pub(crate) safe_types: Vec<String>,
}

/// Which parameters are sources: by the name, the decorator or the declared result of their function, by the call that it is given to
/// (`app.MapGet("/", handler)`), by their type, by their own annotation or name, or the first of a function whose
/// parameters have these names: `(event, context)`.
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
    /// What the parameter goes by if its annotation has no arguments: `@Body()` is all of `req.body`.
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
