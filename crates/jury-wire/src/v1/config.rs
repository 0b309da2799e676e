//! `jury.toml` as editors check it, and the output of `jury config --format json`.
//!
//! The reader of `jury.toml` is stricter than a schema can be, and says where it stops; a test holds that both know the same keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A team's decisions about its reviews: `jury.toml` at the root of the repository, read from the base of a change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// How to decide.
    #[serde(default)]
    pub policy: Policy,
    /// How much one review may take.
    #[serde(default)]
    pub budget: Budget,
    /// Which files are looked at, and how.
    #[serde(default)]
    pub scope: Scope,
    /// By which rules a signed verdict counts (`jury gate --attested`).
    #[serde(default)]
    pub attest: Attest,
    /// The number of people that an acceptance needs.
    #[serde(default)]
    pub people: People,
    /// Reviewers beside the built-in ones, by name.
    #[serde(default)]
    pub reviewers: BTreeMap<String, Reviewer>,
    /// What agents are told that see some paths; a quoted rule is held against these texts.
    #[serde(default)]
    pub guidelines: Vec<Guidelines>,
    /// The report of a review.
    #[serde(default)]
    pub report: ReportFile,
}

/// Rules of the team for some paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guidelines {
    /// Globs of the paths, for example `src/api/**`.
    #[schemars(length(min = 1))]
    pub paths: Vec<String>,
    /// The file of the base that has the rules.
    pub file: String,
}

/// The report of a review, below `docs/code-reviews/`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportFile {
    /// When it is written: with every review, or by `jury report` alone.
    #[schemars(extend("enum" = ["always", "on-request"], "default" = "always"))]
    pub write: Option<String>,
}

/// By which rules a signed verdict counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attest {
    /// How many keys have to sign it.
    #[schemars(range(min = 1, max = 255), extend("default" = 1))]
    pub threshold: Option<u8>,
    /// Whether keys count that demand nobody's touch, as those of CI.
    #[schemars(extend("default" = false))]
    pub software_keys: Option<bool>,
    /// Whether the answers of models count that it rests on.
    #[schemars(extend("default" = false))]
    pub attested_models: Option<bool>,
}

/// The number of people that an acceptance needs (`jury accept`), and whose acceptances count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// For a file that nobody here can read.
    #[schemars(range(min = 1, max = 255), extend("default" = 1))]
    pub gaps: Option<u8>,
    /// For an edit to policy, rules, tests or CI.
    #[schemars(range(min = 1, max = 255), extend("default" = 1))]
    pub integrity: Option<u8>,
    /// For a finding below Blocker that closes the gate.
    #[schemars(range(min = 1, max = 255), extend("default" = 1))]
    pub high: Option<u8>,
    /// For a Blocker.
    #[schemars(range(min = 1, max = 255), extend("default" = 2))]
    pub blocker: Option<u8>,
    /// Whether those who wrote the change do not count.
    #[schemars(extend("default" = false))]
    pub not_author: Option<bool>,
    /// Whether keys count that demand nobody's touch: a program that reaches the agent can use them.
    #[schemars(extend("default" = false))]
    pub software_keys: Option<bool>,
    /// Whether a confirmation without a key counts on the machine where it was given.
    #[schemars(extend("default" = false))]
    pub unsigned: Option<bool>,
    /// Who decides by approving a pull request: `codeowners` for the files that they own, a team `@ORG/TEAM`, an account. Nobody by default.
    pub approvers: Option<Vec<String>>,
}

/// How to decide.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The mode: `warn` closes the gate for Blockers only, `observe` lets hooks and CI pass it with a notice.
    #[schemars(extend("enum" = ["enforce", "warn", "observe"], "default" = "enforce"))]
    pub mode: Option<String>,
    /// Other thresholds for some paths; the last that matches decides.
    #[serde(default)]
    pub paths: Vec<PathPolicy>,
    /// The lowest severity that closes the gate.
    #[schemars(extend("enum" = ["Blocker", "High", "Medium", "Low", "Info"], "default" = "High"))]
    pub block_at: Option<String>,
    /// The required reviewers.
    #[schemars(length(min = 1))]
    pub required: Option<Vec<String>>,
    /// Domains whose Blockers halt the team.
    pub abort_domains: Option<Vec<String>>,
    /// Which findings the author of a change may decline alone.
    #[schemars(extend("enum" = ["never", "below-high", "always"], "default" = "below-high"))]
    pub accept_wont_fix: Option<String>,
    /// The severity of an acceptance criterion that is not met (`jury review --intent`).
    #[schemars(extend("enum" = ["Blocker", "High", "Medium", "Low", "Info"], "default" = "High"))]
    pub not_met: Option<String>,
    /// How many reviewers of the team's own run at once.
    #[schemars(range(min = 1, max = 255), extend("default" = 4))]
    pub parallel: Option<u8>,
}

/// The threshold of some paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathPolicy {
    /// Globs of the paths, for example `docs/**`.
    pub paths: Vec<String>,
    /// The lowest severity that closes the gate there.
    #[schemars(extend("enum" = ["Blocker", "High", "Medium", "Low", "Info"]))]
    pub block_at: String,
}

/// Which files are looked at, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// Globs of code that no grammar reads and that text rules alone may pass, for example `**/*.cpp`.
    #[serde(default)]
    pub text_only: Vec<String>,
    /// Globs of binary files and submodules that need no person, for example `**/*.woff2`. Images are checked by their structure anyway.
    #[serde(default)]
    pub assets_ok: Vec<String>,
    /// Globs of files whose changes are only searched for secrets, for example `vendor/**`. New files there are reviewed.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Whether `linguist-generated` and `linguist-vendored` in `.gitattributes` of the base exclude files, too.
    #[serde(default)]
    pub linguist: bool,
}

/// The limits of one review; a reviewer that is not asked because of them is a gap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Dollars.
    pub max_cost: Option<Dollars>,
    /// Tokens, read and written.
    pub max_tokens: Option<u64>,
    /// Time, for example `30s`, `10m` or `1h`.
    #[schemars(regex(pattern = "^[0-9]+[smh]$"))]
    pub max_time: Option<String>,
}

/// An amount of dollars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Dollars {
    /// As a text, for example `2.50`.
    Text(#[schemars(regex(pattern = r"^[0-9]+(\.[0-9]+)?$"))] String),
    /// As a number.
    Number(#[schemars(range(min = 0.0))] f64),
}

/// The price of a million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens that are read.
    pub input: Dollars,
    /// Tokens that are written.
    pub output: Dollars,
}

/// A reviewer of the team's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reviewer {
    /// Its kind.
    #[schemars(extend("enum" = ["tool", "check", "agent", "api"]))]
    pub kind: String,
    /// The name of something ready-made; `docs/reviewers.md` lists them.
    #[serde(rename = "use")]
    pub ready: Option<String>,
    /// The program and its arguments; `{files}`, `{base}` and `{head}` are replaced.
    #[schemars(length(min = 1))]
    pub command: Option<Vec<String>>,
    /// The format that a tool prints, or `auto`.
    pub format: Option<String>,
    /// The domain of its findings; its name by default.
    pub domain: Option<String>,
    /// Its time limit, for example `30s`, `10m` or `1h`.
    #[schemars(regex(pattern = "^[0-9]+[smh]$"), extend("default" = "10m"))]
    pub timeout: Option<String>,
    /// The persona of an agent or an api: an embedded one, or a Markdown file of the base.
    pub persona: Option<String>,
    /// With which codes a tool ends that ran to its end.
    #[schemars(length(min = 1), extend("default" = [0, 1]))]
    pub exit_codes: Option<Vec<u8>>,
    /// The provider of an api's model.
    #[schemars(extend("enum" = ["openai", "anthropic", "ollama"]))]
    pub provider: Option<String>,
    /// Where the api is found; only an address of this machine may be `http://`.
    #[schemars(regex(pattern = "^https?://"))]
    pub url: Option<String>,
    /// The name of an api's model.
    pub model: Option<String>,
    /// The variable of the environment that holds the key of an api.
    pub key_env: Option<String>,
    /// The token prices of an agent or an api.
    pub price: Option<Price>,
    /// The reviewer that is asked if this one is not sure of its answer.
    pub second: Option<String>,
    /// The reviewers that are asked in its place, one after the other, if it cannot answer.
    pub fallback: Option<Vec<String>>,
    /// Whether a failure closes the gate, and whether its findings count in full.
    #[schemars(extend("enum" = ["required", "optional", "advisory"], "default" = "required"))]
    pub role: Option<String>,
    /// Severities by glob over rule ids, or by level (`error`, `warning`, `note`, `info`); the longest matching glob decides.
    pub severity: Option<std::collections::BTreeMap<String, String>>,
    /// A tool or a check: the command that installs its packages into a copy of the base, once for each state of the lockfiles.
    #[schemars(length(min = 1))]
    pub prepare: Option<Vec<String>>,
    /// A tool or a check: folders of the working tree that hold its packages.
    pub links: Option<Vec<String>>,
    /// A check: where it writes its report of tests, in the form of JUnit.
    pub junit: Option<String>,
    /// Variables of the environment that it may see; `NAME=VALUE` sets one.
    pub env: Option<Vec<String>>,
    /// Where it may write beside its private copy: absolute paths, those that start with `~/`, or `*` for anywhere.
    pub writes: Option<Vec<String>>,
    /// When it is asked at all: all that is given has to hold.
    pub enabled_when: Option<EnabledWhen>,
}

/// When a reviewer is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnabledWhen {
    /// Globs, of which one has to match a file of the change.
    pub paths: Option<Vec<String>>,
    /// Languages, of which one has to be that of a file of the change.
    pub languages: Option<Vec<String>>,
    /// Regular expressions, of which one has to match the file, before or after the change.
    pub contents: Option<Vec<String>>,
    /// How many lines have to be added or removed at least.
    pub changed_lines: Option<u32>,
}

/// Output of `jury config --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effective {
    /// The branch or commit that the configuration is read from.
    pub base: String,
    /// Whether that has a `jury.toml` at all.
    pub has_file: bool,
    /// Every setting that counts.
    pub settings: Vec<Setting>,
    /// Remarks on the `jury.toml` of the working tree, if it differs.
    pub working_tree: Option<String>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    /// Its key, as `policy.block_at`.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// `default`, `file` or `ready-made`.
    #[schemars(extend("enum" = ["default", "file", "ready-made"]))]
    pub from: String,
    /// The line of `jury.toml`, if it is from there.
    pub line: Option<usize>,
    /// The ready-made definition, if it is from one.
    pub ready: Option<String>,
}
