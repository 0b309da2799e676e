//! The next action. For programs first; people see text made from the same values.

use std::collections::BTreeSet;

use jury::flows::GateView;
use jury::flows::next::NextStep;
use jury::model::{FileLine, Mode};
use jury::verdict::Action;
use jury_wire::v1::surface as wire;

use super::finding_line::finding_line_at;
use super::gate_view::{ended_lines, wire_ended};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{inert, painted};

/// Says the next action for programs.
pub(crate) fn wire_next(view: &GateView, step: &NextStep) -> wire::Next {
    let next = &step.next;
    let latest = view.acted_on();
    let report_path = latest.map(|latest| latest.file.report_path.clone()).unwrap_or_default();
    let command = match next.action {
        Action::Fix => Some("jury mark ID fixed"),
        Action::Verify => Some("jury verify"),
        Action::Review if next.mode == Mode::Quick => Some("jury review --quick"),
        Action::Review => Some("jury review"),
        Action::Commit => Some("git add --all && git commit"),
        Action::ProceedToPr if step.needs_report => Some("jury report"),
        Action::ProceedToPr => Some("jury gate"),
        Action::AskPerson => Some(ACCEPT),
        Action::Halt | Action::Continue => None,
    };
    wire::Next {
        action: next.action.token().to_owned(),
        required: next.required.clone(),
        person: next.person.clone(),
        recommended: next.recommended.clone(),
        optional: next.optional.clone(),
        why: next.why.to_owned(),
        command: command.map(str::to_owned),
        // 003: the report goes into the description of a pull request that may be opened, and of no other.
        pr_line: (next.action == Action::ProceedToPr).then(|| format!("Code review: {report_path}")),
        report_path,
        review_id: latest.map(|latest| latest.file.review_id.clone()),
        verdict: latest.map(|latest| latest.file.verdict.clone()),
        ended_waivers: view.ended.iter().map(wire_ended).collect(),
    }
}

/// The heading of what a person decides, and the command for it.
const PERSONS: &str = "for a person";
const ACCEPT: &str = "jury accept ID --reason TEXT";

/// Shows the next action, with the titles of the findings it is about.
pub(crate) fn next(next: &wire::Next, view: &GateView, gaps: &BTreeSet<String>) -> String {
    let style = if ["proceed_to_pr", "commit", "continue"].contains(&next.action.as_str()) { GOOD } else { BAD };
    let style = if next.action == "ask_person" { WARN } else { style };
    let mut text = format!("{}  {}\n", painted(style, &next.action), next.why);
    let reviews = view.acted_on().into_iter().chain(&view.state.full);
    let findings = reviews.flat_map(|review| &review.file.findings).collect::<Vec<_>>();
    let groups = [
        (&next.required, "required"),
        (&next.person, PERSONS),
        (&next.recommended, "recommended"),
        (&next.optional, "optional"),
    ];
    for (ids, what) in groups {
        if ids.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}\n", painted(STRONG, what)));
        for finding in ids.iter().filter_map(|id| findings.iter().find(|finding| finding.id == *id)) {
            let now = now_at(view, &finding.id).map(ToString::to_string);
            text.push_str(&finding_line_at(finding, gaps.contains(&finding.id), now.as_deref(), None));
        }
        // Where the agent has something else to do, the command for a person has no other place.
        if what == PERSONS && next.action != "ask_person" {
            text.push_str(&format!("  a person decides with `{ACCEPT}`\n"));
        }
    }
    text.push('\n');
    if let Some(command) = &next.command {
        text.push_str(&format!("{} {command}\n", painted(FAINT, "run:")));
    }
    if let Some(line) = &next.pr_line {
        text.push_str(&format!("{} {}\n", painted(FAINT, "put into the pull request:"), inert::line(line)));
    }
    text.push_str(&ended_lines(&next.ended_waivers));
    text
}

/// Returns where the last verification found a finding again.
fn now_at<'v>(view: &'v GateView, id: &str) -> Option<&'v FileLine> {
    let verification = view.full.as_ref()?.verification.as_ref()?;
    verification.checked.iter().find(|checked| checked.id == id)?.became.place()
}
