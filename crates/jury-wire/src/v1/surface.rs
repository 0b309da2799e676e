//! Output of a team agent's daily commands for programs, in the vocabulary of 000 and 003.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::code_review::{Finding, Summary};

/// Output of `jury next --format json`: 003's action protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// The action to take.
    #[schemars(extend("enum" = ["proceed_to_pr", "fix", "verify", "review", "commit", "ask_person", "halt", "continue"]))]
    pub action: String,
    /// The ids of the findings that have to be dealt with, worst first.
    pub required: Vec<String>,
    /// The ids of the findings and gaps that a person has to decide.
    #[serde(default)]
    pub person: Vec<String>,
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
    /// The verdict of that review; null if there is none.
    pub verdict: Option<String>,
    /// The waivers of the base that have ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_waivers: Vec<EndedWaiver>,
}

/// A waiver of the base that has ended: it covers nothing any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedWaiver {
    /// The fingerprint or the id of its finding.
    pub finding: String,
    /// The person who accepted it.
    pub by: String,
    /// The last day on which it counted.
    pub expired: String,
    /// Its line in `.jury/waivers.toml` of the base.
    pub line: usize,
}

/// Output of `jury gate --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// Whether the gate is open.
    pub clear: bool,
    /// The outcome, and so the exit code.
    #[schemars(extend("enum" = ["clear", "blocked", "incomplete", "aborted", "waiting"]))]
    pub outcome: String,
    /// The mode of the policy of the base: with `observe`, hooks and CI let it pass; null without a review.
    #[serde(default)]
    #[schemars(extend("enum" = ["enforce", "warn", "observe", null]))]
    pub mode: Option<String>,
    /// Which review this rests on; null if there is none.
    pub review_id: Option<String>,
    /// The tree, HEAD and base that were judged; null without a review.
    pub judged: Option<Judged>,
    /// The conditions that were looked at, in order.
    pub conditions: Vec<Condition>,
    /// The findings that the author of the change declined (`wont_fix`), whether that clears the gate or not.
    pub waived_by_author: Vec<Declined>,
    /// The waivers of the base that have ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_waivers: Vec<EndedWaiver>,
    /// Decisions of people, and of contests, about findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<Decided>,
    /// Acceptances at the places of findings that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused_acceptances: Vec<RefusedAcceptance>,
}

/// Output of `jury publish --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// Whether all is said that was to be said.
    pub complete: bool,
    /// The kind of forge.
    pub forge: String,
    /// The repository.
    pub repo: String,
    /// The number of the pull request.
    pub number: u64,
    /// The commit at its head.
    pub head: String,
    /// Which review was published.
    pub review_id: String,
    /// The writes that were made, or would be, in order.
    pub written: Vec<String>,
    /// The writes that were not, each with the reason.
    pub unposted: Vec<Unposted>,
    /// The findings that have no place for a comment, by their ids; the summary has them.
    pub unplaced: Vec<String>,
    /// How many findings stand whose threads a person resolved.
    pub resolved_by_people: usize,
    /// How many threads are about findings that this review does not have.
    pub absent: usize,
    /// How many requests read.
    pub reads: usize,
    /// How many requests wrote.
    pub writes: usize,
}

/// A write to a forge that was not made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unposted {
    /// What was to be written.
    pub what: String,
    /// Why it was not.
    pub why: String,
}

/// A decision of people, or of a contest, about a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// Its id.
    pub id: String,
    /// Whether that settles it for the gate.
    pub settled: bool,
    /// How many people have accepted it.
    pub given: usize,
    /// How many it takes, by the policy of the base.
    pub needed: usize,
    /// The names that the base has for the keys that signed.
    pub signed_by: Vec<String>,
    /// The names of confirmations without a key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsigned_by: Vec<String>,
    /// The accounts that approved the change on its forge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved_by: Vec<String>,
    /// The result of a contest; null if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestOutcome>,
}

/// Result of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContestOutcome {
    /// The result.
    #[schemars(extend("enum" = ["refuted", "conceded", "for-person", "upheld", "unanswered"]))]
    pub result: String,
    /// Its evidence.
    pub what: String,
}

/// Output of `jury contest --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contested {
    /// The finding.
    pub id: String,
    /// Its result.
    pub outcome: ContestOutcome,
    /// Whether that settles the finding for the gate.
    pub settled: bool,
    /// Who was asked.
    pub voices: Vec<ContestVoice>,
}

/// Somebody who was asked about a contested finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContestVoice {
    /// Who.
    pub reviewer: String,
    /// Whether it raised the finding.
    pub is_raiser: bool,
    /// The answer.
    #[schemars(extend("enum" = ["concedes", "upholds", "silent"]))]
    pub stance: String,
    /// Why.
    pub why: String,
}

/// An acceptance that does not count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedAcceptance {
    /// The digest that it goes by.
    pub name: String,
    /// The finding that it would be about; null if it cannot be read.
    pub id: Option<String>,
    /// Why, as a reason code.
    pub reason: String,
    /// Why, in words.
    pub what: String,
}

/// The tree, HEAD and base that the gate judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The id of the working tree.
    pub tree: String,
    /// The commit that is checked out; null before the first one.
    pub head: Option<String>,
    /// The base of the change.
    pub base: GateBase,
}

/// The base of the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateBase {
    /// Its name.
    pub name: String,
    /// Its commit; null for the empty tree.
    pub commit: Option<String>,
    /// The rule by which it was found.
    #[schemars(extend("enum" = ["named", "upstream", "remote-head", "remote-branch", "local-branch", "last-commit", "head", "empty-tree", "earlier"]))]
    pub rule: String,
    /// Whether branches of remotes are known here and none of them has it.
    pub local_only: bool,
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
    /// The observation.
    pub seen: String,
    /// The remedy; null if the condition holds.
    pub remedy: Option<String>,
    /// Who can make it hold; null if it holds.
    #[serde(default)]
    #[schemars(extend("enum" = ["agent", "person", null]))]
    pub owner: Option<String>,
}

/// Output of `jury status --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The latest review; null if there is none.
    pub review: Option<Review>,
    /// The last full review, if the latest is a quick check: what it left open is still open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Review>,
    /// The outcome of the gate.
    pub gate: String,
    /// The next action.
    pub action: String,
    /// How many claims of the latest review were set aside, and why; zeros are left out.
    pub aside: Vec<Aside>,
    /// How the findings of the latest review stand to those of the full one before; null if there was none.
    pub since: Option<Since>,
    /// The result of the last verification; null if there was none.
    pub verification: Option<Verification>,
    /// The usage of the models in the latest review; null if none stated it.
    pub usage: Option<Usage>,
    /// Paths that have changed since the last full review.
    pub changed: Vec<String>,
    /// Other remarks on the state.
    pub notes: Vec<String>,
    /// The waivers of the base that have ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_waivers: Vec<EndedWaiver>,
    /// The files whose code no grammar reads, and that no other reviewer read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text_only: Vec<String>,
    /// Decisions of people, and of contests, about findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<Decided>,
    /// Acceptances at the places of findings that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused_acceptances: Vec<RefusedAcceptance>,
}

/// The usage of the models in a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// How many reviewers have stated their usage.
    pub models: usize,
    /// How many have not.
    pub silent: usize,
    /// Tokens that were read.
    pub input_tokens: u64,
    /// Tokens that were written.
    pub output_tokens: u64,
    /// The cost in millionths of a dollar; null if any of it is unknown.
    pub cost_micro_dollars: Option<u64>,
}

/// How the findings of a full review stand to those of the one before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Since {
    /// The review before.
    pub review_id: String,
    /// How many are new.
    pub new: usize,
    /// How many are where they were.
    pub persisting: usize,
    /// How many are elsewhere.
    pub moved: usize,
    /// How many are no longer found.
    pub gone: usize,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// The result for each finding that was marked fixed.
    pub checked: Vec<Rechecked>,
    /// Findings that came with the fixes, and are not in the verdict file.
    pub new: Vec<NewFinding>,
    /// Whether more has changed than was marked fixed, so that the change has to be reviewed anew (002).
    pub re_review_required: bool,
    /// Where.
    pub beyond: Vec<String>,
    /// The gaps of this verification.
    pub gaps: Vec<String>,
}

/// The result for one finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rechecked {
    /// Its id.
    pub id: String,
    /// Its status; still `fixed` if it is unknown.
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
    /// Its domain.
    pub domain: String,
    /// How bad it is.
    pub severity: String,
    /// Its title.
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
    /// The kind of scope.
    pub scope: String,
    /// The scope.
    pub target: String,
    /// The verdict that the statuses give now.
    pub verdict: String,
    /// How many findings of each severity are open or reopened now.
    pub summary: Summary,
    /// The report for people; empty without one.
    pub report_path: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The rules that found them, by the ids of the findings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, String>,
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
    /// The cursor of the next page; null on the last.
    pub next_cursor: Option<String>,
}

/// Output of `jury show ID --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The finding as the verdict file has it.
    pub finding: Finding,
    /// The impact.
    pub why: Option<String>,
    /// Quotes and observations.
    pub evidence: Vec<String>,
    /// Its reviewers.
    pub reviewers: Vec<String>,
    /// The rule that found it; `jury rules show` has it, and `jury-ignore` takes it. Null if there is none.
    #[serde(default)]
    pub rule: Option<String>,
    /// Its identity across edits; null for a gap.
    pub fingerprint: Option<String>,
    /// The code around it, as it was reviewed, or verified last.
    pub code: Vec<CodeLine>,
    /// The events on its way, and why.
    pub trail: Vec<super::merge::Step>,
    /// The result of its verification; null if there was none.
    pub recheck: Option<Rechecked>,
    /// Its marks: author, status, time and reason.
    pub history: Vec<Mark>,
}

/// One line of code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeLine {
    /// Its number, from 1.
    pub line: u32,
    /// The text.
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
    /// The reason, if one was given.
    pub reason: Option<String>,
}

/// Output of `jury explain --format json`.
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
    /// The reviewers, and how their runs ended.
    pub reviewers: Vec<ReviewerRun>,
    /// Which of them saw which place of the change.
    pub coverage: Coverage,
    /// The files that no reviewer has to read, a line for each reason: images that were checked by their structure, what the base lets pass,
    /// what it excludes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<String>,
    /// The packages that the lockfiles of the change move, by lockfile and name; at most 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageChange>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_packages: u64,
    /// How many claims were kept aside, and why.
    pub aside: Vec<Aside>,
    /// Findings that the authors of the code ignore, with their reasons.
    pub ignored: Vec<Ignored>,
    /// The reviewers' other remarks.
    pub notes: Vec<String>,
    /// The conditions of the gate now.
    pub gate: Gate,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A package whose locked versions or source the change moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackageChange {
    /// The lockfile.
    pub lockfile: String,
    /// The name.
    pub name: String,
    /// The versions that are locked no more.
    pub gone: Vec<String>,
    /// The versions that are new.
    pub came: Vec<String>,
    /// Where it comes from now, if that is new or no registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One reviewer's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewerRun {
    /// The reviewer.
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

/// The reviewers that saw one file of the change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoveredFile {
    /// Its path.
    pub path: String,
    /// Its hunks, as `12-15` of the file after the change, `-12-15` of the file before it; none if it changes as a whole.
    pub hunks: Vec<String>,
    /// `seen`, `text-only`, `missed` or `not-asked`, one for each reviewer.
    pub cells: Vec<String>,
}

/// Claims that are not among the findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Aside {
    /// The result for them.
    pub what: String,
    /// How many.
    pub count: usize,
}

/// A finding that the author of the code ignores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ignored {
    /// Its title.
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

/// Output of `jury fix --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The result for each finding.
    pub attempts: Vec<Attempt>,
    /// The changes, made or planned.
    pub diffs: Vec<FileDiff>,
    /// The ids of open findings whose rewrites are made only if they are named.
    pub only_named: Vec<String>,
    /// The verdict that the statuses give now; null if nothing was marked.
    pub verdict: Option<String>,
}

/// The result for one finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it was, as a person reads it.
    pub place: String,
    /// How it ended.
    #[schemars(extend("enum" = ["fixed", "rolled_back", "skipped"]))]
    pub end: String,
    /// Why it was not fixed; null if it was.
    pub why: Option<String>,
}

/// The changes in one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    /// Which file.
    pub file: String,
    /// The hunks of a unified diff, secrets left out.
    pub diff: String,
}

/// Output of `jury loop --format json`.
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
    /// Its verdict, as the verdict file has it.
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
    /// The failure of the command; null if there was none.
    pub trouble: Option<String>,
    /// Whether the tree was another one when it had ended.
    pub changed: bool,
    /// The ids of the findings that the command marked.
    pub marked: Vec<String>,
    /// The ids of those that were marked on its behalf.
    pub marked_on_behalf: Vec<String>,
}

/// Output of `jury cache --format json`: the cached answers.
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
    /// The reviewer; null for a damaged entry, which is not used.
    pub reviewer: Option<String>,
    /// How many there are.
    pub entries: usize,
    /// How large they are together.
    pub bytes: u64,
    /// How old the oldest is, in seconds.
    pub oldest_seconds: u64,
}

/// Output of `jury doctor --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Doctor {
    /// Whether nothing has to be mended.
    pub well: bool,
    /// The checks, in order.
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
    /// The observation.
    pub what: String,
    /// The remedy or suggestion; null if there is nothing to do.
    pub help: Option<String>,
}
