//! The gate: its conditions, the base, and the decisions of people. For programs first; people see text made from the same values.

use jury::config::waivers::Entry;
use jury::flows::{GateView, Judged};
use jury::model::{BaseRule, Outcome, Waiver};
use jury::verdict::{Checked, Declined};
use jury_wire::v1::surface as wire;

use super::decided::{decided_lines, wire_decided, wire_refused};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{inert, painted};

fn declined(declined: &Declined) -> wire::Declined {
    wire::Declined { id: declined.id.clone(), severity: declined.severity.word().to_owned(), clears: declined.clears }
}

/// Says the gate for programs.
pub(crate) fn wire_gate(view: &GateView) -> wire::Gate {
    let condition = |checked: &Checked| wire::Condition {
        condition: checked.condition.token().to_owned(),
        holds: checked.holds,
        seen: checked.seen.clone(),
        remedy: checked.remedy.map(str::to_owned),
        owner: checked.owner.map(|owner| owner.token().to_owned()),
    };
    wire::Gate {
        clear: view.gate.outcome == Outcome::Clear,
        outcome: view.gate.outcome.token().to_owned(),
        mode: view.full.as_ref().map(|record| record.policy.policy.mode.token().to_owned()),
        review_id: view.state.full.as_ref().map(|full| full.file.review_id.clone()),
        judged: view.judged.as_ref().map(wire_judged),
        conditions: view.gate.checked.iter().map(condition).collect(),
        waived_by_author: view.gate.declined.iter().map(declined).collect(),
        ended_waivers: view.ended.iter().map(wire_ended).collect(),
        decided: wire_decided(view),
        refused_acceptances: wire_refused(view),
    }
}

pub(super) fn wire_ended(entry: &Entry) -> wire::EndedWaiver {
    let Waiver { finding, author, expires, .. } = &entry.waiver;
    wire::EndedWaiver { finding: finding.clone(), by: author.clone(), expired: expires.to_string(), line: entry.line }
}

/// Names waivers of the base that have ended.
pub(super) fn ended(entries: &[Entry]) -> String {
    ended_lines(&entries.iter().map(wire_ended).collect::<Vec<_>>())
}

/// Names the waivers that have ended, each with its line and the way out.
pub(super) fn ended_lines(ended: &[wire::EndedWaiver]) -> String {
    let line = |wire::EndedWaiver { finding, by, expired, line }: &wire::EndedWaiver| {
        let what = format!(
            "{finding}, by {by}, on {expired}: it covers nothing; remove it, or have a person give it a later day \
             (.jury/waivers.toml, line {line})"
        );
        format!("{} {}\n", painted(WARN, "expired waiver:"), inert::line(&what))
    };
    ended.iter().map(line).collect()
}

fn wire_judged(judged: &Judged) -> wire::Judged {
    let Judged { tree, head, base } = judged;
    let base = wire::GateBase {
        name: base.name.clone(),
        commit: base.commit.clone(),
        rule: base.rule.token().to_owned(),
        local_only: base.is_local_only,
    };
    wire::Judged { tree: tree.to_string(), head: head.clone(), base }
}

/// Says the judged tree and base.
fn judged_lines(judged: &wire::Judged) -> String {
    let short = |id: &str| id.chars().take(12).collect::<String>();
    let wire::GateBase { name, commit, rule, local_only } = &judged.base;
    let at = commit.as_deref().map(|commit| format!(" at {}", short(commit))).unwrap_or_default();
    let rule = BaseRule::from_token(rule).map_or("", BaseRule::words);
    let head = judged.head.as_deref().map_or_else(|| "none".to_owned(), short);
    let base = format!("base {}{at} ({rule})", inert::line(name));
    let tree = format!("tree {}, HEAD {head}", short(&judged.tree));
    let mut text = format!("  {}\n  {}\n", painted(FAINT, &base), painted(FAINT, &tree));
    text.extend(local_only.then(|| local_base(name)));
    text
}

/// Says that the base is no branch of a remote.
pub(super) fn local_base(name: &str) -> String {
    let name = inert::line(name);
    format!("  {} no remote branch has {name}: commits in it are not part of the change\n", painted(BAD, "local base:"))
}

/// Shows the gate.
pub(crate) fn gate(view: &GateView) -> String {
    gate_lines(&wire_gate(view))
}

pub(super) fn gate_lines(gate: &wire::Gate) -> String {
    let head = match gate.outcome.as_str() {
        "clear" => painted(GOOD, "gate open"),
        "waiting" => painted(WARN, "gate closed, a person has to decide"),
        _ => painted(BAD, "gate closed"),
    };
    let review = gate.review_id.as_deref().map(|id| format!(", review {id}")).unwrap_or_default();
    let mut text = format!("{head} {}\n", painted(FAINT, &format!("({}{review})", gate.outcome)));
    if let Some(mode) = gate.mode.as_deref().filter(|mode| *mode != "enforce") {
        let what = match mode {
            "observe" => "policy.mode is observe: hooks and CI let this change pass",
            _ => "policy.mode is warn: only Blockers close the gate",
        };
        text.push_str(&format!("  {what}\n"));
    }
    text.extend(gate.judged.as_ref().map(judged_lines));
    for condition in &gate.conditions {
        let mark = if condition.holds { painted(GOOD, "✓") } else { painted(BAD, "✗") };
        text.push_str(&format!("  {mark} {:<16} {}\n", condition.condition, inert::line(&condition.seen)));
        if let Some(remedy) = &condition.remedy {
            text.push_str(&format!("    {} {}\n", painted(GOOD, "→"), inert::line(remedy)));
        }
    }
    for declined in &gate.waived_by_author {
        let end = if declined.clears { painted(FAINT, "clears") } else { painted(BAD, "does not clear") };
        let word = painted(STRONG, "waived by the author:");
        text.push_str(&format!("  {word} {} ({}), {end}\n", inert::line(&declined.id), declined.severity));
    }
    text.push_str(&decided_lines(&gate.decided, &gate.refused_acceptances));
    text.push_str(&ended_lines(&gate.ended_waivers));
    text
}
