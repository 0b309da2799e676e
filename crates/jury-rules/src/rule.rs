//! A rule as stated in its YAML file. In: the text of a rule file. Out: a `Rule`, or the error in the file. Unknown
//! members are rejected, so that misspelled ones are noticed.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use ast_grep_config::SerializableRule;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::flow::spec::Flow;
use crate::language::Language;
use crate::packed::Packed;
use crate::supply_chain;

/// Severity, in the vocabulary of 004.
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

/// Fix class, in the vocabulary of 004.
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

/// Owner of the next action, in the vocabulary of 004.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The fixer of the review.
    ReviewFixer,
    /// The resolver of the remaining findings.
    DownstreamResolver,
    /// A person, who must decide before code changes continue.
    Human,
    /// Operations.
    Release,
}

/// One rule: its patterns, the texts of its findings, and the examples that test it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name, unique over all packs, and the name of its file.
    pub id: String,
    /// The title of a finding; `$NAME` stands for the text of a metavariable.
    pub title: String,
    /// The consequence.
    pub why_it_matters: String,
    /// The remedy.
    pub suggested_fix: Option<String>,
    /// The severity.
    pub severity: Severity,
    /// The severity in tests and their fixtures, if it differs.
    pub severity_in_tests: Option<Severity>,
    /// Whether tests and their fixtures are skipped.
    #[serde(default)]
    pub skip_in_tests: bool,
    /// Whether generated files are skipped: locks, snapshots, bundles.
    #[serde(default)]
    pub skip_generated: bool,
    /// One of 004's confidence anchors.
    pub confidence: u32,
    /// The fix class.
    pub autofix_class: Autofix,
    /// The owner of the next action.
    pub owner: Owner,
    /// Whether a fix must be verified.
    pub requires_verification: bool,
    /// The weakness, such as `CWE-89`.
    pub cwe: Option<String>,
    /// Globs of the files that it applies to; all if there are none.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Globs of the files that it does not apply to.
    #[serde(default)]
    pub except_paths: Vec<String>,
    /// One of these occurs in every file with a finding of the rule; case does not matter. Without one the rule does
    /// not run. Text patterns may have their own instead.
    #[serde(default)]
    pub(crate) keywords: Vec<String>,
    /// Its syntax patterns, by groups of languages.
    #[serde(default, rename = "match")]
    pub(crate) matches: Vec<TreeMatch>,
    /// Its text patterns: one, or a list.
    #[serde(default, deserialize_with = "one_or_several")]
    pub(crate) text: Vec<TextMatch>,
    /// Its patterns over calls, values and taint.
    pub(crate) flow: Option<Flow>,
    /// The rules whose findings it checks: a reported drop must not be used any more.
    pub(crate) still_used: Option<Vec<String>>,
    /// What it raises about the packages of a lockfile.
    pub(crate) lockfile: Option<supply_chain::Kind>,
    /// The languages of its flow, and of syntax patterns that name none.
    #[serde(default)]
    pub(crate) languages: Vec<Language>,
    #[serde(default, rename = "invalid")]
    _invalid: Option<IgnoredAny>,
    #[serde(default, rename = "valid")]
    _valid: Option<IgnoredAny>,
    /// The part of the file with the examples, which reviews do not need.
    #[serde(skip)]
    examples: ExampleText,
}

/// Where the examples of a rule are.
#[derive(Debug)]
pub(crate) enum ExampleText {
    /// In a rule file that was read.
    File(String),
    /// In the binary, among those of other rules.
    Embedded(&'static Packed, Range<usize>),
}

impl Default for ExampleText {
    fn default() -> Self {
        Self::File(String::new())
    }
}

/// An error in a rule file, with its position.
pub(crate) struct Fault {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) what: String,
}

/// The examples of a rule. Other members of the file are ignored here.
#[derive(Deserialize)]
pub struct Examples {
    /// Code that the rule must find.
    pub invalid: Vec<Example>,
    /// Code that the rule must leave alone.
    pub valid: Vec<Example>,
}

/// A syntax pattern: an ast-grep rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeMatch {
    #[serde(default)]
    pub(crate) languages: Vec<Language>,
    pub(crate) rule: SerializableRule,
    pub(crate) constraints: Option<HashMap<String, SerializableRule>>,
    pub(crate) utils: Option<HashMap<String, SerializableRule>>,
    /// The metavariable at which the finding is placed, if the whole match is too large.
    pub(crate) at: Option<String>,
    /// The replacement of the finding, with `$NAME` for the text of a metavariable. Only for rewrites that need nothing
    /// except the match.
    pub(crate) fix: Option<String>,
    /// A regular expression that the text of the file must match, and one that it must not match.
    pub(crate) in_files_with: Option<String>,
    pub(crate) not_in_files_with: Option<String>,
    /// Definitions of a name in the file on which the match depends.
    pub(crate) names: Option<Names>,
    /// Members that the match must omit.
    pub(crate) members: Option<Members>,
    /// Whether the match is a regular expression, and counts only if it backtracks exponentially.
    #[serde(default)]
    pub(crate) ambiguous: bool,
}

/// Members that the file declares for a name, such as those of a union. A match that mentions all of them does not
/// count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Members {
    /// The metavariables that name the whole, in the match and in the rule below.
    pub(crate) of: Vec<String>,
    /// The metavariable that the rule below binds. In the title it stands for the first omitted member.
    pub(crate) each: String,
    /// Declares one member.
    pub(crate) declared: SerializableRule,
}

/// Names that a file defines, collected in the same walk; `inside … stopBy: end` would walk the file again for every
/// match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// The compared metavariable, in the match and in the rules below.
    pub(crate) var: String,
    /// One of these must define the name.
    pub(crate) among: SerializableRule,
    /// None of these may define it.
    pub(crate) not_among: Option<SerializableRule>,
}

/// A text pattern: a regular expression.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextMatch {
    /// The regular expression. Its named groups are the metavariables of the title; the group `secret` must not be
    /// shown, and the finding is placed at the group `at`, if there is one.
    pub(crate) pattern: String,
    /// One of these occurs in every match, and only the text near one is searched. Without any, the whole text is
    /// searched.
    #[serde(default)]
    pub(crate) keywords: Vec<String>,
    /// How many bytes after a keyword a match may end, if not in the same line.
    pub(crate) reach: Option<usize>,
    /// The service of the secret: `$SERVICE` in the title.
    pub(crate) service: Option<String>,
    /// An expression that the secret, or else the match, must not match.
    pub(crate) not: Option<String>,
    /// An expression that the group `NAME` must not match.
    pub(crate) not_name: Option<String>,
    /// The minimum entropy of a secret in bits per character.
    pub(crate) entropy: Option<f64>,
    /// How a secret without its own format is distinguished from a word.
    pub(crate) strength: Option<Strength>,
    /// The checksum in the last characters of the secret; invented ones fail it.
    pub(crate) checksum: Option<Checksum>,
    /// The format that the secret must decode to.
    pub(crate) decodes: Option<Decodes>,
    /// The kind of secret; with it, placeholders are ignored.
    pub(crate) secret: Option<String>,
    /// Whether any other pattern that finds the same secret takes precedence, whatever its order.
    #[serde(default)]
    pub(crate) yields: bool,
    /// The parts blanked out before matching.
    pub(crate) mask: Option<Mask>,
    /// A group, and a regular expression with the same group: a match whose name is also found by the expression does
    /// not count.
    pub(crate) not_among: Option<TextNames>,
}

/// How a secret without its own format is distinguished from a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Strength {
    /// Machine-generated.
    Key,
    /// Possibly chosen by a person.
    Password,
}

/// The checksum of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Checksum {
    /// The last six characters are the CRC-32 of those between them and the last `_`, in base 62.
    Crc32Base62,
}

/// The encoded format of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Decodes {
    /// Two JSON objects in base64url, the first with `alg`.
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

/// The parts of a text that are blanked out before matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mask {
    /// Comments and strings of SQL, and the down part of a migration.
    Sql,
    /// The same, and the whole text if it is for a database other than PostgreSQL.
    Postgres,
}

/// A piece of code that is a test of its rule and an example on its page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The language; without one the path decides.
    pub language: Option<Language>,
    /// The path of the code, if it matters.
    pub path: Option<String>,
    /// The code. `§` is removed before it is reviewed, so that rule files contain nothing that looks like a secret. A
    /// line `--- PATH` starts another file of the tree.
    pub code: String,
    /// The file before the change, for rules that compare. Without it, the file is new.
    pub before: Option<String>,
    /// The expected title of the finding, if the example states it.
    pub title: Option<String>,
    /// The line of the finding, if it is not the first.
    pub line: Option<u32>,
}

impl Rule {
    /// Reads an embedded rule.
    pub(crate) fn embedded(json: &str, examples: ExampleText) -> Result<Self, String> {
        let rule: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        rule.with_examples(examples)
    }

    /// Reads a rule file of a repository.
    pub(crate) fn of_file(yaml: &str) -> Result<Self, Fault> {
        let rule: Self = serde_saphyr::from_str(yaml).map_err(|error| {
            let place = error.location();
            let number = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok()).unwrap_or(1).max(1);
            let said = error.without_snippet().to_string();
            // The position is reported separately.
            let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
            Fault {
                line: number(place.map(|place| place.line())),
                column: number(place.map(|place| place.column())),
                what: what.split_whitespace().collect::<Vec<_>>().join(" "),
            }
        })?;
        rule.with_examples(ExampleText::File(yaml.to_owned())).map_err(|what| Fault { line: 1, column: 1, what })
    }

    fn with_examples(mut self, examples: ExampleText) -> Result<Self, String> {
        self.examples = examples;
        for tree in self.matches.iter_mut().filter(|tree| tree.languages.is_empty()) {
            tree.languages.clone_from(&self.languages);
        }
        self.check().map(|()| self)
    }

    /// Reads the examples.
    pub fn examples(&self) -> Result<Examples, String> {
        let text = match &self.examples {
            ExampleText::File(text) => text,
            ExampleText::Embedded(packed, place) => &packed.text()[place.clone()],
        };
        serde_saphyr::from_str(text).map_err(|error| format!("rule {}: {error}", self.id))
    }

    /// Tells whether it states a rewrite for its findings.
    pub fn has_fix(&self) -> bool {
        self.matches.iter().any(|tree| tree.fix.is_some())
    }

    /// Tells whether its findings halt the work until a person has looked (DESIGN §5).
    pub fn is_system_breaking(&self) -> bool {
        self.severity == Severity::P0 && self.owner == Owner::Human
    }

    fn check(&self) -> Result<(), String> {
        let forms = [
            !self.matches.is_empty(),
            !self.text.is_empty(),
            self.flow.is_some(),
            self.still_used.is_some(),
            self.lockfile.is_some(),
        ];
        if forms.iter().filter(|form| **form).count() != 1 {
            return Err(format!(
                "rule {}: expected one of `match`, `text`, `flow`, `still_used` and `lockfile`",
                self.id
            ));
        }
        if !self.text.is_empty() && !self.languages.is_empty() {
            return Err(format!("rule {}: `languages` belong to `match` and `flow`", self.id));
        }
        let lacks_language = self.flow.is_some() && self.languages.is_empty();
        if lacks_language || self.matches.iter().any(|tree| tree.languages.is_empty()) {
            return Err(format!("rule {}: expected `languages`", self.id));
        }
        let mut patterns = self.text.iter();
        // A rule about lockfiles is asked about nothing else, and needs no keyword.
        let is_gated =
            self.lockfile.is_some() || !self.text.is_empty() && patterns.all(|pattern| !pattern.keywords.is_empty());
        if self.keywords.is_empty() != is_gated || self.all_keywords().any(String::is_empty) {
            return Err(format!("rule {}: expected keywords, of the rule or of every pattern", self.id));
        }
        if ![50, 75, 100].contains(&self.confidence) {
            return Err(format!("rule {}: confidence {} is no anchor worth reporting", self.id, self.confidence));
        }
        Ok(())
    }

    /// Returns the languages of its syntax patterns; none for a text rule.
    pub fn languages(&self) -> Vec<Language> {
        let of_matches = self.matches.iter().flat_map(|tree| tree.languages.iter());
        let mut languages: Vec<_> = of_matches.chain(&self.languages).copied().collect();
        languages.sort();
        languages.dedup();
        languages
    }

    /// Tells whether it has a syntax pattern for a language.
    pub(crate) fn has_syntax(&self, language: Language) -> bool {
        self.matches.iter().any(|tree| tree.languages.contains(&language))
    }

    /// Tells whether it has a flow pattern for a language.
    pub(crate) fn has_flow(&self, language: Language) -> bool {
        self.flow.is_some() && self.languages.contains(&language)
    }

    /// Returns its keywords, and those of its patterns.
    pub(crate) fn all_keywords(&self) -> impl Iterator<Item = &String> {
        self.keywords.iter().chain(self.text.iter().flat_map(|pattern| &pattern.keywords))
    }

    /// Tells whether it is off in tests. Secrets are leaked wherever they stand, and what breaks a system is for a person.
    pub(crate) fn is_off_in_tests(&self) -> bool {
        let halts = self.severity == Severity::P0 && self.owner == Owner::Human;
        self.skip_in_tests && !self.finds_secrets() && !halts
    }

    pub(crate) fn finds_secrets(&self) -> bool {
        self.text.iter().any(|pattern| pattern.secret.is_some())
    }

    /// Returns the severity of its findings in a file, given whether that lies among tests.
    pub(crate) fn severity_for(&self, is_among_tests: bool) -> Severity {
        // A rule for secrets that means production code reports a test's made-up password, and closes no gate with it.
        let made_up = (self.skip_in_tests && self.finds_secrets()).then_some(Severity::P3);
        self.severity_in_tests.or(made_up).filter(|_| is_among_tests).unwrap_or(self.severity)
    }
}

impl Example {
    /// Returns the path under which the example is reviewed.
    pub fn path(&self) -> String {
        let extension = self.language.map_or("txt", Language::extension);
        self.path.clone().unwrap_or_else(|| format!("src/example.{extension}"))
    }

    /// Returns the code as it is reviewed.
    pub fn text(&self) -> String {
        self.parts().0
    }

    /// Returns the code as it is reviewed, and the other files of its tree, by path.
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
    /// Returns the name in 004.
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
    /// Returns the name in 004.
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
    /// Returns the name in 004.
    pub fn token(self) -> &'static str {
        match self {
            Self::ReviewFixer => "review-fixer",
            Self::DownstreamResolver => "downstream-resolver",
            Self::Human => "human",
            Self::Release => "release",
        }
    }
}
