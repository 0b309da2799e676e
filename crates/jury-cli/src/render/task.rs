//! The status of a task of 001, for people, for programs, and for the implementer.

use jury::drivers::task::{RoleStatus, TaskStatus};
use jury::formats::confidence_word;
use jury::model::{Evidence, Gap, Outcome};
use jury_wire::v1::task as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// The longest text of a reviewer that is shown, in characters.
const LONGEST: usize = 400;
/// How many texts of one kind are shown of a role.
const MOST: usize = 50;

/// Says how a task stands, for programs.
pub(crate) fn wire_task(standing: &TaskStatus, summary: Option<String>) -> wire::Task {
    let blocker = |(text, roles): (String, Vec<jury::model::Role>)| wire::Blocker {
        text,
        roles: roles.iter().map(ToString::to_string).collect(),
    };
    wire::Task {
        task: standing.task.to_string(),
        gate: standing.gate.to_string(),
        outcome: standing.outcome.to_string(),
        roles: standing.roles.iter().map(wire_role).collect(),
        gaps: standing.gaps.iter().map(wire_gap).collect(),
        blockers: standing.blockers().into_iter().map(blocker).collect(),
        others: standing.others.clone(),
        notes: standing.notes.clone(),
        summary,
    }
}

fn wire_role(role: &RoleStatus) -> wire::Role {
    wire::Role {
        role: role.role.to_string(),
        expected: role.is_expected,
        state: role.state.to_string(),
        verdict: role.verdict.map(|verdict| verdict.to_string()),
        confidence: role.confidence.map(|confidence| confidence_word(confidence).to_owned()),
        file: role.file.clone(),
        blockers: role.blockers().collect(),
        advisories: role.advisories().collect(),
        evidence: match &role.evidence {
            Some(Evidence::Path(path)) => Some(path.clone()),
            Some(Evidence::Inline(_)) => role.file.clone(),
            None => None,
        },
        gaps: role.gaps.iter().map(wire_gap).collect(),
    }
}

fn wire_gap(gap: &Gap) -> wire::Gap {
    wire::Gap { kind: gap.kind.to_string(), what: gap.what.clone(), remedy: gap.remedy.clone() }
}

/// Shows how a task stands.
pub(crate) fn task(task: &wire::Task) -> String {
    let (style, word) =
        if Outcome::from_token(&task.outcome) == Some(Outcome::Clear) { (GOOD, "open") } else { (BAD, "closed") };
    let facts = painted(FAINT, &format!("({}, {})", task.gate, task.outcome));
    let mut text = format!("{} {facts}\n", painted(style, &format!("task {}: gate {word}", inert::line(&task.task))));
    let width = task.roles.iter().map(|role| role.role.len()).max().unwrap_or(0);
    task.roles.iter().for_each(|role| text.push_str(&shown_role(role, width)));
    task.gaps.iter().for_each(|gap| text.push_str(&shown_gap(gap, "  ")));
    if !task.others.is_empty() {
        let names: Vec<String> = task.others.iter().take(MOST).map(|name| inert::short_line(name, 100)).collect();
        text.push_str(&format!("{} {}\n", painted(FAINT, "not a verdict:"), names.join(", ")));
    }
    for note in task.notes.iter().take(MOST) {
        text.push_str(&format!("{} {}\n", painted(FAINT, "note:"), inert::short_line(note, LONGEST)));
    }
    if let Some(summary) = &task.summary {
        text.push_str(&format!("{} {}\n", painted(FAINT, "summary:"), inert::line(summary)));
    }
    text
}

fn shown_role(role: &wire::Role, width: usize) -> String {
    let (style, mark) = match (role.verdict.as_deref(), role.gaps.is_empty()) {
        (Some("pass"), true) => (GOOD, "✓"),
        (Some("warn"), true) => (WARN, "!"),
        (None, true) => (FAINT, "-"),
        _ => (BAD, "✗"),
    };
    let word = role.verdict.as_deref().filter(|_| role.state == "reported").unwrap_or(&role.state);
    let facts = [&role.confidence, &role.file].into_iter().flatten().map(|fact| inert::line(fact));
    let facts: Vec<String> = facts.map(|fact| format!("  {}", painted(FAINT, &fact))).collect();
    let word = if facts.is_empty() { word.to_owned() } else { format!("{word:<8}") };
    let mut text = format!("  {} {:<width$}  {word}{}\n", painted(style, mark), role.role, facts.concat());
    for blocker in role.blockers.iter().take(MOST) {
        text.push_str(&format!("    {} {}\n", painted(BAD, "blocker:"), inert::short_line(blocker, LONGEST)));
    }
    for advisory in role.advisories.iter().take(MOST) {
        text.push_str(&format!("    {} {}\n", painted(FAINT, "advisory:"), inert::short_line(advisory, LONGEST)));
    }
    role.gaps.iter().for_each(|gap| text.push_str(&shown_gap(gap, "    ")));
    text
}

fn shown_gap(gap: &wire::Gap, indent: &str) -> String {
    let what = inert::short_line(&gap.what, LONGEST);
    let remedy = inert::short_line(&gap.remedy, LONGEST);
    format!("{indent}{} {what}\n{indent}{} {remedy}\n", painted(BAD, "gap:"), painted(GOOD, "→"))
}

/// Says in one line that a role has reported or that a task has changed, while `watch` waits.
pub(crate) fn task_line(standing: &TaskStatus) -> String {
    let said = standing.roles.iter().map(|role| {
        let word = role.verdict.filter(|_| role.gaps.is_empty()).map_or(role.state.token(), |verdict| verdict.token());
        format!("{} {word}", role.role)
    });
    let said: Vec<String> = said.collect();
    format!("{} {}\n", painted(STRONG, &format!("{}:", standing.task)), said.join(", "))
}

/// Collects the blockers for the implementer (001, "Consumer contract"). Gaps that only reviewers can close are listed apart.
pub(crate) fn task_brief(task: &wire::Task) -> String {
    let blockers = count(task.blockers.len(), "blocker", "blockers");
    let mut text = format!("{}\n", painted(STRONG, &format!("# Task {}: {blockers}", inert::line(&task.task))));
    if !task.blockers.is_empty() {
        text.push('\n');
    }
    for blocker in &task.blockers {
        let roles = painted(FAINT, &format!("({})", blocker.roles.join(", ")));
        text.push_str(&format!("- {} {roles}\n", inert::line(&blocker.text)));
    }
    let gaps: Vec<&wire::Gap> = task.roles.iter().flat_map(|role| &role.gaps).chain(&task.gaps).collect();
    if !gaps.is_empty() {
        text.push_str("\nThe review itself is incomplete. The implementer cannot fix this:\n\n");
        gaps.iter().for_each(|gap| text.push_str(&format!("- {}\n", inert::short_line(&gap.what, LONGEST))));
    }
    text
}
