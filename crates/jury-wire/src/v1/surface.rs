//! What the commands of a team agent's day print for programs, in the vocabulary of 000 and 003.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::code_review::{Finding, Summary};

/// What `jury next --format json` prints: 003's action protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// What to do.
    #[schemars(extend("enum" = ["proceed_to_pr", "fix", "verify", "review", "halt", "continue"]))]
    pub action: String,
    /// The ids of the findings that have to be dealt with, worst first.
    pub required: Vec<String>,
    /// The ids of those that should be.
    pub recommended: Vec<String>,
    /// The ids of those that may be.
    pub optional: Vec<String>,
    /// Why this action.
    pub why: String,
    /// The command to run; null if there is none to run now.
    pub command: Option<String>,
    /// The line for the description of the pull request; null until one may be opened.
    pub pr_line: Option<String>,
    /// The report for people; empty without one.
    pub report_path: String,
    /// Which review this rests on; null if there is none.
    pub review_id: Option<String>,
    /// What that review decided; null if there is none.
    pub verdict: Option<String>,
}

/// What `jury gate --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// Whether the gate is open.
    pub clear: bool,
    /// What it comes to, and so the exit code.
    #[schemars(extend("enum" = ["clear", "blocked", "incomplete", "aborted"]))]
    pub outcome: String,
    /// Which review this rests on; null if there is none.
    pub review_id: Option<String>,
    /// The conditions that were looked at, in order.
    pub conditions: Vec<Condition>,
    /// The findings that the author of the change declined (`wont_fix`), whether that clears the gate or not.
    pub waived_by_author: Vec<Declined>,
}

/// A finding that the author of the change declined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Declined {
    /// Its id.
    pub id: String,
    /// How bad it is.
    pub severity: String,
    /// Whether the gate may open all the same, by the policy of the base.
    pub clears: bool,
}

/// One condition of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Which.
    pub condition: String,
    /// Whether it holds.
    pub holds: bool,
    /// What was seen.
    pub seen: String,
    /// What to do; null if it holds.
    pub remedy: Option<String>,
}

/// What `jury status --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The latest review; null if there is none.
    pub review: Option<Review>,
    /// What the gate comes to.
    pub gate: String,
    /// What to do next.
    pub action: String,
    /// How many claims of the latest review were kept aside, and why; what is none is left out.
    pub aside: Vec<Aside>,
    /// How the findings of the latest review stand to those of the full one before; null if there was none.
    pub since: Option<Since>,
    /// What the last look at what is marked fixed has shown; null if there was none.
    pub verification: Option<Verification>,
    /// What the models took that were asked in the latest review; null if none has said so.
    pub usage: Option<Usage>,
    /// Paths that have changed since the last full review.
    pub changed: Vec<String>,
    /// What else there is to know about how this was read.
    pub notes: Vec<String>,
}

/// What the models took that were asked in a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// How many reviewers have said what they took.
    pub models: usize,
    /// How many have not.
    pub silent: usize,
    /// Tokens that were read.
    pub input_tokens: u64,
    /// Tokens that were written.
    pub output_tokens: u64,
    /// What it cost, in millionths of a dollar; null if that is not known of all.
    pub cost_micro_dollars: Option<u64>,
}

/// How the findings of a full review stand to those of the one before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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

/// What a look at what is marked fixed has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// What became of each finding that was marked fixed.
    pub checked: Vec<Rechecked>,
    /// What came with the fixes, and is not in the verdict file.
    pub new: Vec<NewFinding>,
    /// Whether more has changed than was marked fixed, so that the change has to be reviewed anew (002).
    pub re_review_required: bool,
    /// Where.
    pub beyond: Vec<String>,
    /// What was asked for in this look and not obtained.
    pub gaps: Vec<String>,
}

/// What became of one finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rechecked {
    /// Its id.
    pub id: String,
    /// What is said of it; still `fixed` if it could not be told.
    #[schemars(extend("enum" = ["verified", "reopened", "fixed"]))]
    pub status: String,
    /// Why it is not verified; null if it is.
    pub why: Option<String>,
    /// Where it stands now; null if it was not found again.
    pub place: Option<String>,
}

/// A finding that came with the fixes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewFinding {
    /// Whose it is.
    pub domain: String,
    /// How bad it is.
    pub severity: String,
    /// What it is called.
    pub title: String,
    /// Where it stands; empty for the change as a whole.
    pub place: String,
}

/// A review in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Which.
    pub review_id: String,
    /// When.
    pub timestamp: String,
    /// How.
    pub mode: String,
    /// What kind of scope.
    pub scope: String,
    /// What exactly.
    pub target: String,
    /// The verdict that the statuses give now.
    pub verdict: String,
    /// How many findings of each severity are open or reopened now.
    pub summary: Summary,
    /// The report for people; empty without one.
    pub report_path: String,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// A page of the findings of the latest review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindingsPage {
    /// Which review has them.
    pub review_id: String,
    /// How many there are on all pages.
    pub total: usize,
    /// Those of this page, worst first.
    pub findings: Vec<Finding>,
    /// What to ask for the next page with; null on the last.
    pub next_cursor: Option<String>,
}

/// What `jury show ID --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The finding as the verdict file has it.
    pub finding: Finding,
    /// What breaks.
    pub why: Option<String>,
    /// Quotes and observations.
    pub evidence: Vec<String>,
    /// Who says so.
    pub reviewers: Vec<String>,
    /// Its identity across edits; null for a gap.
    pub fingerprint: Option<String>,
    /// The code around it, as it was reviewed.
    pub code: Vec<CodeLine>,
    /// What was done to it on the way, and why.
    pub trail: Vec<super::merge::Step>,
    /// What a second look has shown; null if there was none.
    pub recheck: Option<Rechecked>,
    /// Who marked it what, when and why.
    pub history: Vec<Mark>,
}

/// One line of code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeLine {
    /// Its number, from 1.
    pub line: u32,
    /// What it says.
    pub text: String,
    /// Whether the finding is about it.
    pub is_meant: bool,
}

/// One mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// The new status.
    pub status: String,
    /// When.
    pub timestamp: String,
    /// Why, if somebody said.
    pub reason: Option<String>,
}

/// What `jury explain --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explained {
    /// Which review.
    pub review_id: String,
    /// The verdict when it was decided.
    pub verdict: String,
    /// The row of 000's table that gave it, in words.
    pub rule: String,
    /// The ids of the findings that decided it.
    pub because: Vec<String>,
    /// Who looked, and how that ended.
    pub reviewers: Vec<ReviewerRun>,
    /// Which of them saw which place of the change.
    pub coverage: Coverage,
    /// How many claims were kept aside, and why.
    pub aside: Vec<Aside>,
    /// What the authors of the code ignore, with their reasons.
    pub ignored: Vec<Ignored>,
    /// What reviewers remarked beside their findings.
    pub notes: Vec<String>,
    /// The conditions of the gate now.
    pub gate: Gate,
}

/// One reviewer's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewerRun {
    /// Who.
    pub reviewer: String,
    /// Why there is no report; null if there is one, or none was asked for.
    pub failure: Option<String>,
    /// Why none was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

/// The places of a change against the reviewers of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The reviewers, in the order of the cells.
    pub reviewers: Vec<String>,
    /// The files, by path.
    pub files: Vec<CoveredFile>,
}

/// Who saw one file of the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoveredFile {
    /// Its path.
    pub path: String,
    /// Its hunks, as `12-15` of the file after the change, `-12-15` of the file before it; none if it changes as a whole.
    pub hunks: Vec<String>,
    /// `seen`, `missed` or `not-asked`, one for each reviewer.
    pub cells: Vec<String>,
}

/// Claims that are not among the findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Aside {
    /// What became of them.
    pub what: String,
    /// How many.
    pub count: usize,
}

/// A finding that the author of the code ignores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ignored {
    /// What it is called.
    pub title: String,
    /// How bad it would be.
    pub severity: String,
    /// Where, as a person reads it.
    pub place: String,
    /// The rule that found it.
    pub rule: Option<String>,
    /// The reason that is given.
    pub reason: String,
}

/// What `jury fix --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// What became of each finding.
    pub attempts: Vec<Attempt>,
    /// What was, or would be, changed.
    pub diffs: Vec<FileDiff>,
    /// The ids of open findings whose rewrites are made only if they are named.
    pub only_named: Vec<String>,
    /// The verdict that the statuses give now; null if nothing was marked.
    pub verdict: Option<String>,
}

/// What became of one finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Where it was, as a person reads it.
    pub place: String,
    /// How it ended.
    #[schemars(extend("enum" = ["fixed", "rolled_back", "skipped"]))]
    pub end: String,
    /// Why it was not fixed; null if it was.
    pub why: Option<String>,
}

/// What changes in one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    /// Which file.
    pub file: String,
    /// The hunks of a unified diff, secrets left out.
    pub diff: String,
}

/// What `jury loop --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Loop {
    /// How it came to its end.
    #[schemars(extend("enum" = [
        "converged", "aborted", "stuck", "oscillating", "regressing", "incomplete", "out_of_rounds", "out_of_time",
        "out_of_budget"
    ]))]
    pub ended: String,
    /// The same in words.
    pub why: String,
    /// The rounds, in their order.
    pub rounds: Vec<Round>,
    /// The ids of the findings that are still required, worst first.
    pub required: Vec<String>,
    /// Which review counts now.
    pub review_id: String,
    /// What it decided, as the verdict file has it.
    pub verdict: String,
    /// How many findings stand.
    pub summary: Summary,
    /// The report for people.
    pub report_path: String,
    /// Where the verdict file is.
    pub verdict_file: String,
    /// Where the last brief is; null if there was none.
    pub brief: Option<String>,
}

/// A round of `jury loop`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    /// Which, from 1.
    pub number: usize,
    /// How many findings were required when it began.
    pub required: usize,
    /// What went wrong with the command; null if nothing did.
    pub trouble: Option<String>,
    /// Whether the tree was another one when it had ended.
    pub changed: bool,
    /// The ids of the findings that the command marked.
    pub marked: Vec<String>,
    /// The ids of those that were marked on its behalf.
    pub marked_on_behalf: Vec<String>,
}

/// What `jury cache --format json` prints: the answers that are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cache {
    /// How many there are.
    pub entries: usize,
    /// How large they are together.
    pub bytes: u64,
    /// The same for each reviewer, by name.
    pub reviewers: Vec<CachedReviewer>,
}

/// The answers that are kept of one reviewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CachedReviewer {
    /// Who; null for what is damaged and will not be used.
    pub reviewer: Option<String>,
    /// How many there are.
    pub entries: usize,
    /// How large they are together.
    pub bytes: u64,
    /// How old the oldest is, in seconds.
    pub oldest_seconds: u64,
}

/// What `jury doctor --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Doctor {
    /// Whether nothing has to be mended.
    pub well: bool,
    /// What was looked at, in its order.
    pub checks: Vec<DoctorCheck>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoctorCheck {
    /// Which check it belongs to.
    pub check: String,
    /// How it is: as it should be, worth knowing, or to be mended.
    #[schemars(extend("enum" = ["well", "note", "mend"]))]
    pub state: String,
    /// What was seen.
    pub what: String,
    /// The way out, or what could be done; null if there is nothing to do.
    pub help: Option<String>,
}
