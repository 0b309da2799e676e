//! The record of one review: everything that was judged, and the decision. From it alone the decision can be made again.
//!
//! The version moves whenever a member is added or changes its meaning (docs/decisions/021). These types hold version 5 and,
//! in the members that say so, versions 1 to 4.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::code_review::ReviewVerdict;
use super::findings::Artifact;

/// The version of records that this program writes, and the newest that it reads.
pub const VERSION: u32 = 5;

/// One review, complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of this type.
    pub version: u32,
    /// Which review.
    pub review_id: String,
    /// When it was made.
    pub timestamp: String,
    /// `full`, `quick` or `verify`.
    pub mode: String,
    /// The scope of the review.
    pub scope: Scope,
    /// How it was to be decided.
    pub policy: Policy,
    /// The waivers of the base on that day.
    pub waivers: Vec<Waiver>,
    /// The day on which the base was committed; by it, too, waivers end. Versions up to 3 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_day: Option<String>,
    /// The result of each reviewer, in the order in which they are asked.
    pub runs: Vec<Run>,
    /// The second look, at the text before the change. Version 1 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_look: Option<BaseLook>,
    /// The files that claims name, as they were reviewed: what quotes are held against.
    pub cited: BTreeMap<String, String>,
    /// The team's own rules that agents were told, by their file of the base: what quoted rules are held against. Versions up to 4 have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub guidelines: BTreeMap<String, String>,
    /// Gaps that are in no reviewer's output.
    pub gaps: Vec<Gap>,
    /// The path of the report for people; none for a quick check. Version 1: empty for a quick check.
    pub report_path: Option<String>,
    /// The decision: the verdict file as it was first written.
    pub decision: Option<ReviewVerdict>,
    /// The ids of the findings of the decision that state a gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gap_ids: Vec<String>,
    /// The ids of the findings of the decision that only a person can settle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub person_ids: Vec<String>,
    /// What the waivers name that moved a finding aside. Versions up to 3 do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_waivers: Option<Vec<String>>,
    /// The ids of the findings of the decision that are failures of checks, which no mark settles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub check_ids: Vec<String>,
    /// The features of all findings, by which a later review recognises them. Versions 1 and 2 have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundFeatures>,
    /// How the findings stand to those of the full review before, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// The verification of the findings that were marked fixed, if this is the record of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// The second look of a review, at the text before the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseLook {
    /// The findings of the base, in the files that were looked at.
    pub findings: Vec<BaseFinding>,
    /// The reviewers that could not look at the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedLook>,
}

/// A finding of the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseFinding {
    /// The domain of its reviewer.
    pub domain: String,
    /// The rule, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Its title.
    pub title: String,
    /// How bad it is (000).
    pub severity: String,
    /// How sure the reviewer is, as a fraction of 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// Its file on the base.
    pub file: String,
    /// Its lines on the base, as `4` or `4-7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// Its place after the change, if that leaves all of its lines as they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<UnchangedPlace>,
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its fingerprint of version 1.
    pub first_fingerprint: String,
}

/// The place after the change of a finding of the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnchangedPlace {
    /// The path.
    pub file: String,
    /// The lines, as `4` or `4-7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// The lines that the finding rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
}

/// A reviewer that could not look at the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedLook {
    /// The reviewer.
    pub reviewer: String,
    /// The reason.
    pub why: String,
}

/// The features of all findings of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundFeatures {
    /// The open findings.
    pub open: Vec<Features>,
    /// The findings that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Features>,
}

/// The features of one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Features {
    /// Its names, one for each claim.
    pub names: Vec<FindingName>,
    /// Its title.
    pub title: String,
    /// The code that it quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Its place; absent for the repository as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FileLine>,
}

/// A name of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingName {
    /// The domain of the reviewer.
    pub domain: String,
    /// The rule, or the normalised title where no rule is named.
    pub rule_or_title: String,
    /// The weakness, where it is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwe: Option<u32>,
}

/// How the findings of a full review stand to those of the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// The review before.
    pub review_id: String,
    /// How many nobody had found before.
    pub new: usize,
    /// How many are where they were.
    pub persisting: usize,
    /// How many are elsewhere.
    pub moved: usize,
    /// How many are no longer found.
    pub gone: usize,
}

/// The verification of the findings that were marked fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// The record of the review that found them.
    pub of: String,
    /// The statuses of all findings of that review when this one began, in its order.
    pub statuses: Vec<String>,
    /// The paths that changed since that review.
    pub changed: Vec<String>,
    /// Those from which tests were removed.
    pub untested: Vec<String>,
    /// The result for each finding that was marked fixed.
    pub checked: Vec<Rechecked>,
    /// Findings that the review did not have.
    pub new: Vec<NewFinding>,
    /// The paths where more has changed than was marked fixed, or that nobody has reviewed.
    pub beyond: Vec<String>,
    /// Gaps of this verification that the review did not have.
    pub gaps: Vec<String>,
}

/// The result for one finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rechecked {
    /// Its id.
    pub id: String,
    /// `verified`, `reopened`, or still `fixed` if it could not be told.
    pub status: String,
    /// Why it is not verified.
    pub why: Option<String>,
    /// The place, if it was found again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FileLine>,
    /// Version 1: the same as `file:line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A finding that came with the fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFinding {
    /// Whose it is.
    pub domain: String,
    /// How bad it is (000).
    pub severity: String,
    /// Its title.
    pub title: String,
    /// Its place, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<FileLine>,
    /// Version 1: the same as `file:line`; empty if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A file of a tree, and a line of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileLine {
    /// The path.
    pub file: String,
    /// The line, from 1; none for the file as a whole.
    pub line: Option<u32>,
}

/// The scope of the review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The kind of scope (000).
    pub kind: String,
    /// The target, as in 000.
    pub target: String,
    /// The name of the base.
    pub base_name: String,
    /// The commit of that; none for the empty tree.
    pub base: Option<String>,
    /// The rule by which it was found, as a word; absent in records of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_rule: Option<String>,
    /// Whether no branch of a remote had it, though such branches were known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub base_local_only: bool,
    /// The commit that was checked out.
    pub head: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// The subjects of the commits since the base, newest first.
    pub commits: Vec<String>,
    /// The id of the tree that was read.
    pub tree: String,
    /// The id of the patch, independent of its place.
    pub patch: String,
    /// The files in scope.
    pub files: Vec<File>,
    /// The unreviewed files.
    pub unreviewed: Vec<Unreviewed>,
    /// The paths that the base excludes: searched for secrets, and reviewed no further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<String>,
}

/// A file in scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its path.
    pub path: String,
    /// The kind of change. Version 1: `renamed from PATH` for a file that was renamed.
    pub change: String,
    /// The path it had before, if it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The id of its bytes, if it is still there.
    pub id: Option<String>,
    /// The id of its patch, independent of its place; absent in older records.
    #[serde(default)]
    pub patch: Option<String>,
    /// The lines that the change adds or alters, as `42` or `42-58`.
    pub after: Vec<String>,
    /// The lines that the change takes away, as they were counted before it.
    pub before: Vec<String>,
    /// The image that it is, if it was checked by its structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
}

/// An image whose bytes are what its name says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// `png`, `jpeg`, `gif` or `webp`.
    pub kind: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// Something that could not be reviewed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreviewed {
    /// Its path, as far as it can be shown.
    pub path: String,
    /// Why, as a word.
    pub why: String,
    /// The id of its bytes, where they have one.
    pub id: Option<String>,
}

/// How it was to be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The mode; older records have the default.
    #[serde(default = "enforce", skip_serializing_if = "is_enforce")]
    pub mode: String,
    /// The lowest severity that closes the gate.
    pub block_at: String,
    /// Other thresholds for some paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathPolicy>,
    /// Who had to report.
    pub required: Vec<String>,
    /// Domains whose Blockers halt the team.
    pub abort_domains: Vec<String>,
    /// Which findings the author of the change may decline; records of before there was a choice have the default.
    #[serde(default = "below_high")]
    pub accept_wont_fix: String,
    /// The severity of an acceptance criterion that is not met. Versions up to 4 have none.
    #[serde(default = "high", skip_serializing_if = "is_high")]
    pub not_met: String,
    /// Globs of files whose code no grammar reads, and that may pass as text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text_only: Vec<String>,
    /// Globs of binary files and submodules that need no person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assets_ok: Vec<String>,
    /// Globs of files whose changes are only searched for secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Whether attributes of the base exclude files, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub linguist: bool,
}

/// The threshold of some paths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathPolicy {
    /// Globs of the paths.
    pub paths: Vec<String>,
    /// The lowest severity that closes the gate there.
    pub block_at: String,
}

fn enforce() -> String {
    "enforce".to_owned()
}

fn is_enforce(mode: &str) -> bool {
    mode == "enforce"
}

fn high() -> String {
    "High".to_owned()
}

fn is_high(severity: &str) -> bool {
    severity == "High"
}

fn below_high() -> String {
    "below-high".to_owned()
}

/// A waiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The fingerprint or id of the finding.
    pub finding: String,
    /// Why.
    pub reason: String,
    /// Who.
    pub author: String,
    /// The last day on which it counts.
    pub expires: String,
}

/// The result of one reviewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Who.
    pub reviewer: String,
    /// The domain of its findings, if that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Who stands behind it: `built-in`, `tool`, `check`, `agent`, `api` or `team`. Records of before there were others have only the first.
    #[serde(default = "built_in", skip_serializing_if = "is_built_in")]
    pub kind: String,
    /// The model that speaks, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The digest of how the reviewer was defined.
    pub definition: String,
    /// The format of the output, where it was agreed.
    pub format: Option<String>,
    /// The nonce that the output has to repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The files that it was asked about, where that is not everything in scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// The files that it could not look at; each is a gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen_files: Vec<UnseenFile>,
    /// Version 1: the paths of the same; the reasons are in the gaps of the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// The files that have a syntax error, so that only a part of them was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    /// The files that hold code of no known grammar, so that they were searched as text only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text_only: Vec<String>,
    /// The packages that the lockfiles of the change move: the first of them, by lockfile and name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageChange>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_packages: u64,
    /// The findings of a built-in reviewer. Version 1: as text in `output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Artifact>,
    /// How a check ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
    /// The output. It counts only if there is no failure.
    pub output: Option<String>,
    /// Why the output does not count, or why there is none.
    pub failure: Option<String>,
    /// Why the reviewer was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Its use of tokens, money and time in this review, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Whether the answer is one that was kept, so that nobody was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Whether it was asked because the answer before was not sure (001).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Why the reviewer could write elsewhere than it may, if it was to be kept from that and could not be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unconfined: Option<String>,
    /// The folders of the working tree that it depends on, which nobody reviewed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The files of the change that its briefs left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The acceptance criteria that it was asked to answer. Versions up to 4 have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<String>,
    /// Whether a failure is a gap, and whether its findings count in full: `required`, `optional` or `advisory`.
    #[serde(default = "required", skip_serializing_if = "is_required")]
    pub role: String,
    /// Severities by rule or level, as the team defines them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub severities: Vec<RuleSeverity>,
    /// The reviewer in whose place it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in_for: Option<String>,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The exit code.
    pub exit_code: i32,
    /// How long it ran.
    pub milliseconds: u64,
    /// The end of its output, if it did not pass.
    pub tail: String,
    /// The tests, if it writes a report of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// How it ends on the base, if it did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_base: Option<CheckOnBase>,
}

/// The tests of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// How many ran.
    pub run: u64,
    /// Those that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedTest>,
}

/// A test that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedTest {
    /// Its name.
    pub name: String,
    /// Its message.
    pub message: String,
}

/// How a check ends on the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum CheckOnBase {
    /// It passes there.
    Passes,
    /// It fails there, too.
    Fails {
        /// The tests that fail there, if they are known.
        failed: Option<Vec<String>>,
    },
    /// It could not be run there.
    Unknown {
        /// Why.
        why: String,
    },
}

/// The severity of the findings of some rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSeverity {
    /// A glob over rule ids, or a level.
    pub pattern: String,
    /// The severity.
    pub severity: String,
}

fn required() -> String {
    "required".to_owned()
}

fn is_required(role: &str) -> bool {
    role == "required"
}

/// A package whose locked versions or source the change moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageChange {
    /// The lockfile.
    pub lockfile: String,
    /// The name.
    pub name: String,
    /// The versions that are locked no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// The versions that are new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came: Vec<String>,
    /// Where it comes from now, if that is new or no registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A file that a reviewer could not look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnseenFile {
    /// Its path.
    pub path: String,
    /// The reason.
    pub why: String,
}

/// The use of tokens, money and time by an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens that were read.
    pub input_tokens: u64,
    /// Tokens that were written.
    pub output_tokens: u64,
    /// Its cost in micro-dollars; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_dollars: Option<u64>,
}

fn built_in() -> String {
    "built-in".to_owned()
}

fn is_built_in(kind: &str) -> bool {
    kind == "built-in"
}

/// Something asked for and not obtained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Whose part is missing.
    pub reviewer: String,
    /// The kind of gap.
    pub kind: String,
    /// The missing part.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}
