//! A rule as its YAML file states it. In: the text of a rule file. Out: a `Rule`, or what is wrong with the file.
//! Unknown members are refused, so that a misspelled one is not passed over.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use ast_grep_config::SerializableRule;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::flow::spec::Flow;
use crate::language::Language;

/// How bad a defect is, in the words of 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Severity {
    /// Must be fixed before the merge. With the owner `human` it stops the work (DESIGN §5).
    P0,
    /// Should be fixed.
    P1,
    /// To be fixed if that is straightforward.
    P2,
    /// At the author's discretion.
    P3,
}

/// How a fix may be made, in the words of 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autofix {
    /// A local, deterministic fix.
    SafeAuto,
    /// A concrete fix that changes behaviour.
    GatedAuto,
    /// A fix that needs a decision.
    Manual,
    /// For information only.
    Advisory,
}

/// Who owns the next action, in the words of 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The fixer of the review.
    ReviewFixer,
    /// Whoever takes up what is left.
    DownstreamResolver,
    /// A person must decide before code changes continue.
    Human,
    /// Operations.
    Release,
}

/// One rule: what it finds, what a finding of it says, and the examples that are its tests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name, unique over all packs; also that of its file.
    pub id: String,
    /// What a finding is called; `$NAME` stands for the text of a metavariable.
    pub title: String,
    /// What breaks.
    pub why_it_matters: String,
    /// What to do.
    pub suggested_fix: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// How bad it is in tests and their fixtures, where that differs.
    pub severity_in_tests: Option<Severity>,
    /// Whether tests and their fixtures are left out.
    #[serde(default)]
    pub skip_in_tests: bool,
    /// Whether files that a tool wrote are left out: locks, snapshots, bundles.
    #[serde(default)]
    pub skip_generated: bool,
    /// One of 004's anchors.
    pub confidence: u32,
    /// How a fix may be made.
    pub autofix_class: Autofix,
    /// Who owns the next action.
    pub owner: Owner,
    /// Whether a fix must be checked again.
    pub requires_verification: bool,
    /// The weakness it is an instance of, such as `CWE-89`.
    pub cwe: Option<String>,
    /// Globs of the files that it is for; all if there are none.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs of the files that it is not for.
    #[serde(default)]
    pub except_paths: Vec<String>,
    /// One of these occurs in every file that it finds something in; case does not matter. Without one, it is not run.
    /// Patterns over text may have their own instead.
    #[serde(default)]
    pub(crate) keywords: Vec<String>,
    /// How it matches syntax parsed, by groups of languages.
    #[serde(default, rename = "match")]
    pub(crate) matches: Vec<TreeMatch>,
    /// How it matches text of any kind: one pattern, or a list of them.
    #[serde(default, deserialize_with = "one_or_several")]
    pub(crate) text: Vec<TextMatch>,
    /// How it matches calls, values and taint.
    pub(crate) flow: Option<Flow>,
    /// The rules whose findings it looks at: what they say is dropped must not be used any more.
    pub(crate) still_used: Option<Vec<String>>,
    /// The languages of its flow, and of those matches that name none of their own.
    #[serde(default)]
    pub(crate) languages: Vec<Language>,
    #[serde(default, rename = "invalid")]
    _invalid: Option<IgnoredAny>,
    #[serde(default, rename = "valid")]
    _valid: Option<IgnoredAny>,
    /// The part of the file that holds the examples, which no review needs.
    #[serde(skip)]
    examples: Cow<'static, str>,
}

/// What is wrong with a rule file, and where in it.
pub(crate) struct Fault {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) what: String,
}

/// The examples of a rule. What else stands in its file is passed over here.
#[derive(Deserialize)]
pub struct Examples {
    /// Code that the rule must find.
    pub invalid: Vec<Example>,
    /// Code that the rule must leave alone.
    pub valid: Vec<Example>,
}

/// A match over a syntax tree: a rule of ast-grep.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeMatch {
    #[serde(default)]
    pub(crate) languages: Vec<Language>,
    pub(crate) rule: SerializableRule,
    pub(crate) constraints: Option<HashMap<String, SerializableRule>>,
    pub(crate) utils: Option<HashMap<String, SerializableRule>>,
    /// The metavariable that says where the finding is, where the whole match says too much.
    pub(crate) at: Option<String>,
    /// What to put in the place of the finding, with `$NAME` for the text of a metavariable. Only for rewrites that need
    /// nothing but what was matched.
    pub(crate) fix: Option<String>,
    /// A regular expression that the text of the file must match, and one that it must not.
    pub(crate) in_files_with: Option<String>,
    pub(crate) not_in_files_with: Option<String>,
    /// What else the file must say about a name for the match to count.
    pub(crate) names: Option<Names>,
    /// What the match must leave out to count.
    pub(crate) members: Option<Members>,
    /// Whether the match is a regular expression, and counts only if it can be matched in exponentially many ways.
    #[serde(default)]
    pub(crate) ambiguous: bool,
}

/// What the file declares to belong to a name, such as the members of a union. A match that mentions them all does not count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Members {
    /// The metavariables that name the whole, in the match as in the rule below.
    pub(crate) of: Vec<String>,
    /// The metavariable that is bound by the rule below, and in the title stands for the first member left out.
    pub(crate) each: String,
    /// Declares one member.
    pub(crate) declared: SerializableRule,
}

/// Names that a file defines, gathered in the same walk; `inside … stopBy: end` would walk the file again for every match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// The metavariable that is compared, in the match as in the rules below.
    pub(crate) var: String,
    /// One of these must define the name.
    pub(crate) among: SerializableRule,
    /// None of these may define it.
    pub(crate) not_among: Option<SerializableRule>,
}

/// A match over text: a regular expression.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextMatch {
    /// The regular expression. Its named groups are the metavariables of the title; `secret` names what must not be shown,
    /// and `at` what the finding stands at, where that is not the start of the match.
    pub(crate) pattern: String,
    /// One of these stands in every match, and only what is near one is searched. Without any, the whole text is.
    #[serde(default)]
    pub(crate) keywords: Vec<String>,
    /// How many bytes behind a keyword a match may end, where it does not end in the same line.
    pub(crate) reach: Option<usize>,
    /// Whose secret it is: `$SERVICE` in the title.
    pub(crate) service: Option<String>,
    /// What the secret, or else the match, must not look like.
    pub(crate) not: Option<String>,
    /// What the group `NAME` must not look like.
    pub(crate) not_name: Option<String>,
    /// The fewest bits per character that a secret has.
    pub(crate) entropy: Option<f64>,
    /// How a secret without a format of its own is told from a word.
    pub(crate) strength: Option<Strength>,
    /// What the last characters of the secret must be; one that was made up has others.
    pub(crate) checksum: Option<Checksum>,
    /// What the secret must decode to.
    pub(crate) decodes: Option<Decodes>,
    /// What kind of secret it is; with it, placeholders are left alone.
    pub(crate) secret: Option<String>,
    /// Whether any other pattern that finds the same secret has it, wherever that one stands.
    #[serde(default)]
    pub(crate) yields: bool,
    /// What is blanked out before matching.
    pub(crate) mask: Option<Mask>,
    /// A group, and a regular expression with the same group: a match whose name that one finds too does not count.
    pub(crate) not_among: Option<TextNames>,
}

/// How a secret without a format of its own is told from a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Strength {
    /// A machine drew it.
    Key,
    /// A person may have thought it up.
    Password,
}

/// A checksum that a secret carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Checksum {
    /// The last six characters are the CRC-32 of those between them and the last `_`, in base 62.
    Crc32Base62,
}

/// What a secret decodes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decodes {
    /// Two objects of JSON in base64url, the first with `alg`.
    JsonWebToken,
}

/// Reads one pattern, or a list of them.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TextMatch>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Patterns {
        Several(Vec<TextMatch>),
        One(Box<TextMatch>),
    }
    Ok(match Patterns::deserialize(deserializer)? {
        Patterns::Several(patterns) => patterns,
        Patterns::One(pattern) => vec![*pattern],
    })
}

/// Names that a text defines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextNames {
    pub(crate) var: String,
    pub(crate) pattern: String,
}

/// What is blanked out of a text before it is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mask {
    /// Comments and strings of SQL, and what takes a migration back.
    Sql,
    /// The same, and all of a text that says it is for another database than PostgreSQL.
    Postgres,
}

/// A piece of code that is a test of its rule and an example in its page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The language; the path decides if there is none.
    pub language: Option<Language>,
    /// Where the code stands, where that matters.
    pub path: Option<String>,
    /// The code. `§` is taken out when it is run, so that no rule file holds what looks like a secret. Behind a line
    /// `--- PATH`, another file of the tree follows.
    pub code: String,
    /// The title that a finding has, where the example shows it.
    pub title: Option<String>,
    /// The line of the finding, where it is not the first.
    pub line: Option<u32>,
}

impl Rule {
    /// Reads a rule file of ours, whose examples stand last.
    pub(crate) fn embedded(json: &str, yaml: &'static str) -> Result<Self, String> {
        let at = yaml.find("\ninvalid:").ok_or("the examples do not stand last")?;
        let rule: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        rule.with_examples(Cow::Borrowed(&yaml[at + 1..]))
    }

    /// Reads a rule file of somebody else.
    pub(crate) fn of_file(yaml: &str) -> Result<Self, Fault> {
        let rule: Self = serde_saphyr::from_str(yaml).map_err(|error| {
            let place = error.location();
            let number = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok()).unwrap_or(1).max(1);
            let said = error.without_snippet().to_string();
            // The place is said apart.
            let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
            Fault {
                line: number(place.map(|place| place.line())),
                column: number(place.map(|place| place.column())),
                what: what.split_whitespace().collect::<Vec<_>>().join(" "),
            }
        })?;
        rule.with_examples(Cow::Owned(yaml.to_owned())).map_err(|what| Fault { line: 1, column: 1, what })
    }

    fn with_examples(mut self, examples: Cow<'static, str>) -> Result<Self, String> {
        self.examples = examples;
        for tree in self.matches.iter_mut().filter(|tree| tree.languages.is_empty()) {
            tree.languages.clone_from(&self.languages);
        }
        self.check().map(|()| self)
    }

    /// Reads the examples.
    pub fn examples(&self) -> Result<Examples, String> {
        serde_saphyr::from_str(&self.examples).map_err(|error| format!("rule {}: {error}", self.id))
    }

    /// Tells whether it states what could stand in the place of its findings.
    pub fn has_fix(&self) -> bool {
        self.matches.iter().any(|tree| tree.fix.is_some())
    }

    /// Tells whether a finding of it halts the work until a person has looked (DESIGN §5).
    pub fn is_system_breaking(&self) -> bool {
        self.severity == Severity::P0 && self.owner == Owner::Human
    }

    fn check(&self) -> Result<(), String> {
        let forms = [!self.matches.is_empty(), !self.text.is_empty(), self.flow.is_some(), self.still_used.is_some()];
        if forms.iter().filter(|form| **form).count() != 1 {
            return Err(format!("rule {}: expected one of `match`, `text`, `flow` and `still_used`", self.id));
        }
        if !self.text.is_empty() && !self.languages.is_empty() {
            return Err(format!("rule {}: `languages` belong to `match` and `flow`", self.id));
        }
        let lacks_language = self.flow.is_some() && self.languages.is_empty();
        if lacks_language || self.matches.iter().any(|tree| tree.languages.is_empty()) {
            return Err(format!("rule {}: expected `languages`", self.id));
        }
        let mut patterns = self.text.iter();
        let is_gated = !self.text.is_empty() && patterns.all(|pattern| !pattern.keywords.is_empty());
        if self.keywords.is_empty() != is_gated || self.all_keywords().any(String::is_empty) {
            return Err(format!("rule {}: expected keywords, of the rule or of every pattern", self.id));
        }
        if ![50, 75, 100].contains(&self.confidence) {
            return Err(format!("rule {}: confidence {} is no anchor worth reporting", self.id, self.confidence));
        }
        Ok(())
    }

    /// Returns the languages whose syntax parsed it matches; none for a rule over text.
    pub fn languages(&self) -> Vec<Language> {
        let of_matches = self.matches.iter().flat_map(|tree| tree.languages.iter());
        let mut languages: Vec<_> = of_matches.chain(&self.languages).copied().collect();
        languages.sort();
        languages.dedup();
        languages
    }

    /// Tells whether it matches the syntax parsed of a language.
    pub(crate) fn has_syntax(&self, language: Language) -> bool {
        self.matches.iter().any(|tree| tree.languages.contains(&language))
    }

    /// Tells whether it matches the flows of a language.
    pub(crate) fn has_flow(&self, language: Language) -> bool {
        self.flow.is_some() && self.languages.contains(&language)
    }

    /// Returns its keywords, and those of its patterns.
    pub(crate) fn all_keywords(&self) -> impl Iterator<Item = &String> {
        self.keywords.iter().chain(self.text.iter().flat_map(|pattern| &pattern.keywords))
    }

    /// Returns how bad a finding of it is in a file.
    pub(crate) fn severity_for(&self, is_test: bool) -> Severity {
        self.severity_in_tests.filter(|_| is_test).unwrap_or(self.severity)
    }
}

impl Example {
    /// Returns the path that the example is reviewed under.
    pub fn path(&self) -> String {
        let extension = self.language.map_or("txt", Language::extension);
        self.path.clone().unwrap_or_else(|| format!("src/example.{extension}"))
    }

    /// Returns the code as it is reviewed.
    pub fn text(&self) -> String {
        self.parts().0
    }

    /// Returns the code as it is reviewed, and the other files of the tree that it stands in, by path.
    pub(crate) fn parts(&self) -> (String, BTreeMap<String, String>) {
        let mut text = String::new();
        let mut others: BTreeMap<String, String> = BTreeMap::new();
        let mut path: Option<&str> = None;
        for line in self.code.split_inclusive('\n') {
            match (line.strip_prefix("--- ").map(str::trim), path) {
                (Some(other), _) => {
                    others.insert(other.to_owned(), String::new());
                    path = Some(other);
                }
                (None, Some(path)) => others.entry(path.to_owned()).or_default().push_str(&line.replace('§', "")),
                (None, None) => text.push_str(&line.replace('§', "")),
            }
        }
        (text, others)
    }
}

impl Severity {
    /// Returns the word of 004.
    pub fn token(self) -> &'static str {
        match self {
            Self::P0 => "P0",
            Self::P1 => "P1",
            Self::P2 => "P2",
            Self::P3 => "P3",
        }
    }
}

impl Autofix {
    /// Returns the word of 004.
    pub fn token(self) -> &'static str {
        match self {
            Self::SafeAuto => "safe_auto",
            Self::GatedAuto => "gated_auto",
            Self::Manual => "manual",
            Self::Advisory => "advisory",
        }
    }
}

impl Owner {
    /// Returns the word of 004.
    pub fn token(self) -> &'static str {
        match self {
            Self::ReviewFixer => "review-fixer",
            Self::DownstreamResolver => "downstream-resolver",
            Self::Human => "human",
            Self::Release => "release",
        }
    }
}
