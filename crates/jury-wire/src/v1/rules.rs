//! Output of `jury rules`, `jury rules show` and `jury rules check` for programs, in the words of 004.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Output of `jury rules --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The rules, by domain.
    pub rules: Vec<Rule>,
}

/// One rule in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// Its name, by which it is ignored and shown.
    pub id: String,
    /// The domain of its findings.
    pub domain: String,
    /// The title of a finding; `$NAME` stands for a piece of code.
    pub title: String,
    /// How bad it is.
    #[schemars(extend("enum" = ["P0", "P1", "P2", "P3"]))]
    pub severity: String,
    /// How sure a finding is, in percent.
    pub confidence: u32,
    /// The languages it reads; empty for text of any kind.
    pub languages: Vec<String>,
    /// The weakness it is an instance of; null if there is no number for it.
    pub cwe: Option<String>,
    /// How a fix may be made.
    #[schemars(extend("enum" = ["safe_auto", "gated_auto", "manual", "advisory"]))]
    pub autofix_class: String,
    /// The owner of the next action.
    #[schemars(extend("enum" = ["review-fixer", "downstream-resolver", "human", "release"]))]
    pub owner: String,
    /// Whether a finding halts the work; it cannot be ignored then.
    pub system_breaking: bool,
    /// Whether `jury fix` knows a rewrite.
    pub rewrite: bool,
}

/// Output of `jury rules show ID --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The rule in short.
    #[serde(flatten)]
    pub rule: Rule,
    /// The impact.
    pub why_it_matters: String,
    /// The remedy; null if it depends.
    pub suggested_fix: Option<String>,
    /// How bad it is in tests and their fixtures; null if that makes no difference.
    pub severity_in_tests: Option<String>,
    /// Whether tests and their fixtures are left out.
    pub skip_in_tests: bool,
    /// Code that it finds.
    pub invalid: Vec<Example>,
    /// Code that it lets be.
    pub valid: Vec<Example>,
}

/// A piece of code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// Where it stands.
    pub path: String,
    /// Its text. `§` is nothing: it keeps examples from looking like secrets.
    pub code: String,
    /// The file before the change, for rules that compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// Output of `jury rules check --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// Every file that was looked at.
    pub files: Vec<CheckedFile>,
}

/// One rule file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedFile {
    /// Its path.
    pub path: String,
    /// Whether it is a rule, and holds to its own examples.
    pub accepted: bool,
    /// Why it is no rule; null if it is one.
    pub error: Option<RuleError>,
    /// The examples that it fails.
    pub failures: Vec<Failure>,
}

/// The error of a rule file, and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The problem.
    pub what: String,
}

/// An example that its rule fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// Which.
    pub example: String,
    /// The result.
    pub what: String,
}
