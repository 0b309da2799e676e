//! One change, judged by the program.
//!
//! In: a scratch clone and a change. Out: the outcome of the gate, the conditions that do not hold, and the findings that close it, read
//! from the program's own JSON. The reading is lenient, because the program may be an older one.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::history::{self, Change, Scratch};
use crate::Failure;

/// The outcome of an open gate.
pub(super) const CLEAR: &str = "clear";
/// The outcome of a change that could not be judged.
pub(super) const UNJUDGED: &str = "unjudged";
/// The outcome of a change that changes no file: a merge of what is there already.
pub(super) const EMPTY: &str = "empty";
/// The severities that close a gate.
const BLOCKING: [&str; 2] = ["Blocker", "High"];

/// What became of a change.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Judged {
    pub(super) commit: String,
    pub(super) base: String,
    pub(super) subject: String,
    /// The word of the gate, or that the change could not be judged.
    pub(super) outcome: String,
    /// The conditions that do not hold.
    pub(super) conditions: Vec<Condition>,
    /// The findings and gaps that close the gate; none if it is open.
    pub(super) findings: Vec<Finding>,
    /// Why it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

impl Judged {
    /// Returns the reasons for which the gate is closed, each once, in their order.
    pub(super) fn reasons(&self) -> Vec<&str> {
        let mut reasons: Vec<&str> = self.findings.iter().map(|finding| finding.reason.as_str()).collect();
        if reasons.is_empty() {
            reasons = self.conditions.iter().map(|condition| condition.condition.as_str()).collect();
        }
        let mut seen = std::collections::HashSet::new();
        reasons.retain(|reason| seen.insert(*reason));
        reasons
    }
}

/// A condition that does not hold.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Condition {
    pub(super) condition: String,
    #[serde(default, skip_serializing)]
    holds: bool,
    /// Who has to act, as far as the program says so.
    #[serde(default, alias = "who")]
    pub(super) owner: Option<String>,
    pub(super) seen: String,
    #[serde(default)]
    pub(super) remedy: Option<String>,
}

/// A finding or gap that closes the gate.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    /// What it is counted under: its domain and rule, or its domain and title without what differs from change to change.
    pub(super) reason: String,
    pub(super) severity: String,
    pub(super) rule: Option<String>,
    pub(super) file: String,
    pub(super) lines: Option<String>,
    pub(super) title: String,
}

#[derive(Deserialize)]
struct Gate {
    outcome: String,
    conditions: Vec<Condition>,
}

/// A finding of the verdict file (000).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stated {
    domain: String,
    severity: String,
    file: String,
    #[serde(default)]
    line_range: Option<String>,
    title: String,
}

/// Judges a change. Only a program that does not start is an error; what the program cannot judge is an outcome.
pub(super) fn judge(scratch: &Scratch, jury: &Path, change: &Change, policy: Option<&str>) -> Result<Judged, Failure> {
    let mut judged = Judged {
        commit: change.commit.clone(),
        base: change.base.clone(),
        subject: change.subject.clone(),
        outcome: UNJUDGED.to_owned(),
        conditions: Vec::new(),
        findings: Vec::new(),
        failure: None,
    };
    if scratch.paths(change)?.is_empty() {
        judged.outcome = EMPTY.to_owned();
        return Ok(judged);
    }
    let set_up = match policy.map(|policy| scratch.with_policy(change, policy)).transpose() {
        Ok(set_up) => set_up,
        Err(failure) => {
            judged.failure = Some(failure);
            return Ok(judged);
        }
    };
    let (base, commit) = set_up.as_ref().map_or((&change.base, &change.commit), |(base, commit)| (base, commit));
    if let Err(failure) = scratch.go_to(commit) {
        judged.failure = Some(failure);
        return Ok(judged);
    }
    let base = base.as_str();
    let review = ask(scratch, jury, &["review", "--base", base, "--format", "sarif"])?;
    let gate = ask(scratch, jury, &["gate", "--base", base, "--format", "json"])?;
    let (Ok(review), Ok(gate)) = (&review, gate.and_then(as_gate)) else {
        judged.failure = Some(review.err().unwrap_or_else(|| "the gate says nothing".to_owned()));
        return Ok(judged);
    };
    judged.outcome = gate.outcome;
    judged.conditions = gate.conditions.into_iter().filter(|condition| !condition.holds).collect();
    if judged.outcome != CLEAR {
        // The verdict file itself: other commands would look for a base of their own.
        let file = std::fs::read(scratch.tree().join(".code-review/review-latest.json")).unwrap_or_default();
        let verdict = serde_json::from_slice(&file).unwrap_or_default();
        judged.findings = findings(&verdict, review, &scratch.paths(change)?);
    }
    Ok(judged)
}

/// Returns the policy that `jury init` proposes for a commit, if any: the globs of code that no grammar reads.
pub(super) fn proposed(scratch: &Scratch, jury: &Path, commit: &str) -> Result<Option<String>, Failure> {
    scratch.go_to(commit)?;
    let output = command(scratch, jury, &["init", "--dry-run"])
        .output()
        .map_err(|error| format!("{}: {error}", jury.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let globs = said.split_once("--text-only '").and_then(|(_, rest)| rest.split_once('\'')).map(|(globs, _)| globs);
    let quoted = globs.map(|globs| globs.split(',').map(|glob| format!("{glob:?}")).collect::<Vec<_>>().join(", "));
    Ok(quoted.map(|globs| format!("[scope]\ntext_only = [{globs}]\n")))
}

fn as_gate(value: Value) -> Result<Gate, String> {
    serde_json::from_value(value).map_err(|error| format!("the gate's answer: {error}"))
}

/// Asks the program for JSON; an error of the second kind is what it said instead.
fn ask(scratch: &Scratch, jury: &Path, arguments: &[&str]) -> Result<Result<Value, String>, Failure> {
    let output = command(scratch, jury, arguments).output().map_err(|error| format!("{}: {error}", jury.display()))?;
    Ok(serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").to_owned()
    }))
}

fn command(scratch: &Scratch, jury: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(jury);
    command.args(arguments).current_dir(scratch.tree()).env("HOME", scratch.home());
    for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        command.env_remove(name);
    }
    history::isolated(&mut command);
    command
}

/// Returns the blocking findings of the verdict file, with the rules that the review named.
fn findings(verdict: &Value, review: &Value, paths: &[String]) -> Vec<Finding> {
    let stated: Vec<Stated> = verdict["findings"]
        .as_array()
        .map(|all| all.iter().filter_map(|one| serde_json::from_value(one.clone()).ok()).collect())
        .unwrap_or_default();
    let rules = rules(review);
    let blocking = stated.into_iter().filter(|stated| BLOCKING.contains(&stated.severity.as_str()));
    let named = blocking.map(|stated| {
        let rule = rules.iter().find(|named| named.is_of(&stated)).map(|named| named.rule.clone());
        let words = rule.clone().unwrap_or_else(|| grouped(&stated.title, paths));
        let reason = format!("{}/{words}", stated.domain);
        let Stated { severity, file, line_range: lines, title, .. } = stated;
        Finding { reason, severity, rule, file, lines, title }
    });
    named.collect()
}

/// The rule of a result in SARIF.
struct Named {
    domain: String,
    rule: String,
    file: String,
    line: Option<u64>,
    title: String,
}

impl Named {
    fn is_of(&self, stated: &Stated) -> bool {
        let line = stated.line_range.as_deref().and_then(|lines| lines.split('-').next()?.parse().ok());
        self.domain == stated.domain && self.file == stated.file && self.line == line && self.title == stated.title
    }
}

/// Lists the rules of a review's results; one that the format had to invent is none.
fn rules(review: &Value) -> Vec<Named> {
    let mut named = Vec::new();
    for run in review["runs"].as_array().into_iter().flatten() {
        for result in run["results"].as_array().into_iter().flatten() {
            let place = &result["locations"][0]["physicalLocation"];
            let is_invented = result["properties"]["jury"]["mintedRule"] == Value::Bool(true);
            let (Some(rule), false) = (result["ruleId"].as_str(), is_invented) else { continue };
            named.push(Named {
                domain: run["tool"]["driver"]["name"].as_str().unwrap_or_default().to_owned(),
                rule: rule.to_owned(),
                file: place["artifactLocation"]["uri"].as_str().unwrap_or_default().to_owned(),
                line: place["region"]["startLine"].as_u64(),
                title: result["message"]["text"]
                    .as_str()
                    .and_then(|text| text.lines().next())
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
    }
    named
}

/// Leaves out of a title what differs from change to change: quoted code, and the paths of the change.
pub(super) fn grouped(title: &str, paths: &[String]) -> String {
    let unquoted = title.split('`').enumerate().map(|(index, part)| if index % 2 == 1 { "…" } else { part });
    let unquoted = unquoted.collect::<Vec<_>>().join("`");
    let mut words: Vec<&str> = Vec::new();
    for word in unquoted.split(' ') {
        let bare = word.trim_end_matches([',', ':', ';', '.', '…']);
        let is_path = !bare.is_empty()
            && (paths.iter().any(|path| path == bare)
                || word.ends_with('…') && paths.iter().any(|path| path.starts_with(bare)));
        let word = if is_path { "PATH" } else { word };
        if words.last() != Some(&"PATH") || word != "PATH" {
            words.push(word);
        }
    }
    words.join(" ")
}
