//! The state of a worktree: the gate, the next action, the status, one finding, the reasons. For programs first; what people
//! see is made from the same values.

use std::collections::{BTreeMap, BTreeSet};

use jury::config::waivers::Entry;
use jury::flows::waive::Waived;
use jury::flows::{GateView, Judged};
use jury::judge::Judgement;
use jury::model::{BaseRule, FileLine, Line, LineRange, Location, Mode, Outcome, Severity, Status, Waiver};
use jury::record::{Record, Since, TextOnly, Verification};
use jury::store::{Current, Mark, Restored, VerdictFile};
use jury::verdict::{Action, FindingState, Match, Next};
use jury_wire::v1::code_review::{Finding, Summary};
use jury_wire::v1::merge::Step;
use jury_wire::v1::surface as wire;
use serde::Serialize;

use super::decided::{decided_lines, wire_decided, wire_refused};
use super::explained::wire_aside;
use super::reviewed::{style_of, tally, verdict};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::verified::{asides, wire_verification};
use super::{count, inert, painted};

/// How many lines of code stand around a finding.
const AROUND: u32 = 3;
/// How many findings are shown that the full review left open beside a quick check.
const MOST_LEFT: usize = 20;

/// Writes a value as JSON for people and programs.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("strings, numbers and lists are always JSON")
}

fn declined(declined: &jury::verdict::Declined) -> wire::Declined {
    wire::Declined { id: declined.id.clone(), severity: declined.severity.word().to_owned(), clears: declined.clears }
}

/// Says the gate for programs.
pub(crate) fn wire_gate(view: &GateView) -> wire::Gate {
    let condition = |checked: &jury::verdict::Checked| wire::Condition {
        condition: checked.condition.token().to_owned(),
        holds: checked.holds,
        seen: checked.seen.clone(),
        remedy: checked.remedy.map(str::to_owned),
        owner: checked.owner.map(|owner| owner.token().to_owned()),
    };
    wire::Gate {
        clear: view.gate.outcome == jury::model::Outcome::Clear,
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

fn wire_ended(entry: &Entry) -> wire::EndedWaiver {
    let Waiver { finding, author, expires, .. } = &entry.waiver;
    wire::EndedWaiver { finding: finding.clone(), by: author.clone(), expired: expires.to_string(), line: entry.line }
}

/// Names waivers of the base that have ended.
pub(super) fn ended(entries: &[Entry]) -> String {
    ended_lines(&entries.iter().map(wire_ended).collect::<Vec<_>>())
}

/// Names the waivers that have ended, each with its line and the way out.
fn ended_lines(ended: &[wire::EndedWaiver]) -> String {
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

/// Says what was judged.
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

/// Says the next action for programs.
pub(crate) fn wire_next(view: &GateView, next: &Next) -> wire::Next {
    let latest = view.acted_on();
    let report_path = latest.map(|latest| latest.file.report_path.clone()).unwrap_or_default();
    let command = match next.action {
        Action::Fix => Some("jury mark ID fixed"),
        Action::Verify => Some("jury verify"),
        Action::Review if next.mode == Mode::Quick => Some("jury review --quick"),
        Action::Review => Some("jury review"),
        Action::Commit => Some("git add --all && git commit"),
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

fn finding_line(finding: &Finding, is_gap: bool) -> String {
    finding_line_at(finding, is_gap, None, None)
}

/// A finding in one line, at the place where a verification found it again, with its rule.
fn finding_line_at(finding: &Finding, is_gap: bool, now: Option<&str>, rule: Option<&str>) -> String {
    let severity = Severity::ALL.into_iter().find(|severity| severity.word() == finding.severity);
    let word = painted(severity.map_or(STRONG, style_of), &format!("{:<7}", finding.severity));
    let lines = finding.line_range.as_deref().map(|lines| format!(":{lines}")).unwrap_or_default();
    let place = now.map_or_else(|| format!("{}{lines}", finding.file), str::to_owned);
    let rule = rule.map(|rule| format!("  rule {}", inert::line(rule))).unwrap_or_default();
    let place =
        if is_gap { String::new() } else { format!("  {}", painted(FAINT, &format!("{}{rule}", inert::line(&place)))) };
    let status = match finding.status.as_str() {
        "open" => String::new(),
        status => format!(" [{}]", inert::line(status)),
    };
    format!("  {word} {}{status} {}{place}\n", inert::line(&finding.id), inert::short_line(&finding.title, 120))
}

/// Says the status for programs.
pub(crate) fn wire_status(
    view: &GateView,
    action: Action,
    judgement: Option<&Judgement>,
    record: Option<&Record>,
) -> wire::Status {
    let since = record.and_then(|record| record.since.as_ref());
    let is_latest = |review: &Current| view.state.latest.as_ref().is_some_and(|latest| latest.record == review.record);
    let of_review = |review: &Current| {
        let file = jury::verdict::recomputed(&review.file);
        wire::Review {
            review_id: file.review_id,
            timestamp: file.timestamp,
            mode: file.mode,
            scope: file.scope,
            target: file.target,
            verdict: file.verdict,
            summary: file.summary,
            report_path: file.report_path,
            findings: file.findings,
            rules: judgement.filter(|_| is_latest(review)).map(rules).unwrap_or_default(),
        }
    };
    let (latest, full) = (view.state.latest.as_ref(), beside(view));
    let changed = match &view.tree {
        Some(Match::Differs(paths)) => paths.clone(),
        _ => Vec::new(),
    };
    wire::Status {
        review: latest.map(of_review),
        full: full.map(of_review),
        gate: view.gate.outcome.token().to_owned(),
        action: action.token().to_owned(),
        aside: judgement.map(wire_aside).unwrap_or_default().into_iter().filter(|aside| aside.count > 0).collect(),
        since: view.state.latest.as_ref().and(since).map(wire_since),
        verification: verification_of(view).map(wire_verification),
        usage: record.and_then(super::wire_usage),
        changed,
        notes: view.state.notes.clone(),
        ended_waivers: view.ended.iter().map(wire_ended).collect(),
        text_only: record.map(text_only).unwrap_or_default(),
        decided: wire_decided(view),
        refused_acceptances: wire_refused(view),
    }
}

/// Returns the rules of the findings of a review.
fn rules(judgement: &Judgement) -> BTreeMap<String, String> {
    let findings = judgement.file.findings.iter();
    let rule = |id: &str| judgement.settled(id)?.finding.representative.rule.clone();
    findings.filter_map(|finding| Some((finding.id.clone(), rule(&finding.id)?))).collect()
}

/// Returns the last full review, if a quick check stands in its place.
fn beside(view: &GateView) -> Option<&Current> {
    let (latest, full) = (view.state.latest.as_ref()?, view.state.full.as_ref()?);
    (latest.record != full.record).then_some(full)
}

/// Shows what the full review left open beside a quick check: its verdict, and what closes the gate. Nothing, if it left nothing.
pub(crate) fn left_open(view: &GateView) -> String {
    let Some(full) = beside(view) else { return String::new() };
    let left: Vec<&FindingState> = view.gate.left().collect();
    if left.is_empty() {
        return String::new();
    }
    let file = jury::verdict::recomputed(&full.file);
    let findings: Vec<&Finding> =
        file.findings.iter().filter(|finding| left.iter().any(|it| it.id == finding.id)).collect();
    let mut text =
        full_line(&file.verdict, &file.summary, &file.findings, &format!("{}, review {}", file.target, file.review_id));
    let gaps = left.iter().filter(|it| it.is_gap).map(|it| it.id.as_str()).collect::<BTreeSet<_>>();
    for finding in findings.iter().take(MOST_LEFT) {
        text.push_str(&finding_line(finding, gaps.contains(finding.id.as_str())));
    }
    if findings.len() > MOST_LEFT {
        text.push_str(&format!("  … and {} more: `jury next` lists them\n", findings.len() - MOST_LEFT));
    }
    text
}

/// The line of the full review beside a quick check.
fn full_line(word: &str, summary: &Summary, findings: &[Finding], what: &str) -> String {
    let tally = painted(STRONG, &format!("{}{}", tally(summary), unverified(findings)));
    // A PASS that rests on marks is no PASS yet.
    let word = if unverified(findings).is_empty() { verdict(word) } else { painted(WARN, "not verified") };
    format!(
        "{} {word}  {tally}  {}\n",
        painted(STRONG, "full review:"),
        painted(FAINT, &inert::line(&format!("({what})")))
    )
}

/// Says how many findings are claimed to be fixed.
fn unverified(findings: &[Finding]) -> String {
    match findings.iter().filter(|finding| finding.status == Status::Fixed.token()).count() {
        0 => String::new(),
        number => format!(", {number} marked fixed (unverified)"),
    }
}

/// Returns the files that were read as text only.
fn text_only(record: &Record) -> Vec<String> {
    let TextOnly { unread, let_pass } = TextOnly::of(record);
    unread.into_iter().chain(let_pass).map(ToString::to_string).collect()
}

/// Returns the result of the last verification of the latest review.
fn verification_of(view: &GateView) -> Option<&Verification> {
    let is_latest = view.state.latest.as_ref().is_some_and(|latest| latest.verified.is_some());
    view.full.as_ref().filter(|_| is_latest)?.verification.as_ref()
}

fn wire_since(since: &Since) -> wire::Since {
    let Since { review_id, new, persisting, moved, gone } = since.clone();
    wire::Since { review_id: review_id.to_string(), new, persisting, moved, gone }
}

/// Shows the status.
pub(crate) fn status(status: &wire::Status, gaps: &BTreeSet<String>) -> String {
    let Some(review) = &status.review else {
        return format!("{}\n{} jury review\n", painted(STRONG, "no review yet"), painted(FAINT, "next:"));
    };
    let what = format!("{} ({}, review {}, {})", review.target, review.mode, review.review_id, review.timestamp);
    // Nothing new is no PASS while the full review has findings open, or the gate is closed for whatever reason.
    let is_left = |finding: &Finding| ["open", "reopened", "fixed"].contains(&finding.status.as_str());
    let is_closed = status.gate != Outcome::Clear.token();
    let is_beside = status.full.as_ref().is_some_and(|full| is_closed || full.findings.iter().any(is_left));
    let word = match review.verdict.as_str() {
        "PASS" if is_beside => painted(STRONG, "quick check:"),
        word => format!("{} ", verdict(word)),
    };
    let mut text = format!(
        "{word} {}  {}\n",
        painted(STRONG, &format!("{}{}", tally(&review.summary), unverified(&review.findings))),
        painted(FAINT, &inert::line(&what))
    );
    if !status.text_only.is_empty() {
        const MOST: usize = 5;
        let paths: Vec<String> = status.text_only.iter().take(MOST).map(|path| inert::line(path)).collect();
        let more = status.text_only.len().saturating_sub(MOST);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        text.push_str(&format!("{} {}{more}\n", painted(WARN, "read as text only:"), paths.join(", ")));
    }
    for finding in &review.findings {
        let rule = review.rules.get(&finding.id).map(String::as_str);
        text.push_str(&finding_line_at(finding, gaps.contains(&finding.id), None, rule));
        let checked = status.verification.iter().flat_map(|verification| &verification.checked);
        let why = checked.filter(|checked| checked.id == finding.id && checked.status == finding.status);
        text.extend(
            why.filter_map(|checked| checked.why.as_deref())
                .map(|why| format!("          {}\n", painted(FAINT, &inert::short_line(why, 200)))),
        );
    }
    if let Some(full) = &status.full {
        let what = format!("{}, review {}", full.target, full.review_id);
        text.push_str(&full_line(&full.verdict, &full.summary, &full.findings, &what));
        let is_settled = |finding: &&Finding| finding.status != Status::Verified.token();
        full.findings.iter().filter(is_settled).for_each(|it| text.push_str(&finding_line(it, gaps.contains(&it.id))));
    }
    if let Some(since) = &status.since {
        let still = since.persisting + since.moved;
        let what = format!("{} new, {still} still open, {} gone", since.new, since.gone);
        text.push_str(&format!("{} {what}\n", painted(FAINT, &format!("since review {}:", since.review_id))));
    }
    text.extend(status.verification.iter().map(asides));
    for aside in &status.aside {
        text.push_str(&format!("{} {} {}\n", painted(FAINT, "set aside:"), aside.count, aside.what));
    }
    text.extend(status.usage.as_ref().map(super::usage_line));
    for note in &status.notes {
        text.push_str(&format!("{} {}\n", painted(FAINT, "note:"), inert::line(note)));
    }
    text.push_str(&decided_lines(&status.decided, &status.refused_acceptances));
    text.push_str(&ended_lines(&status.ended_waivers));
    if !status.changed.is_empty() {
        let number = count(status.changed.len(), "path has", "paths have");
        text.push_str(&format!("{} {number} changed since the last full review\n", painted(BAD, "stale:")));
    }
    let gate = match status.gate.as_str() {
        "clear" => painted(GOOD, "open"),
        "waiting" => painted(WARN, "waiting for a person"),
        _ => painted(BAD, "closed"),
    };
    text.push_str(&format!("{} {gate}   {} {}\n", painted(FAINT, "gate:"), painted(FAINT, "next:"), status.action));
    text
}

/// A finding that was marked.
pub(crate) struct Marked {
    /// Its id.
    pub(crate) id: String,
    /// Whether it is one of the quick check alone.
    pub(crate) is_quick: bool,
    /// Whether it closes the gate while it stands.
    pub(crate) closes: bool,
}

/// Shows the marked findings: what a mark changed, in words that nobody takes for a pass.
pub(crate) fn marked(marked: &[Marked], status: Status) -> String {
    let line = |Marked { id, is_quick, closes }: &Marked| {
        let what = match status {
            Status::Fixed if *is_quick => "marked fixed (unverified); a claim until `jury review --quick` looks again",
            Status::Fixed if *closes => "marked fixed (unverified); gate closed until `jury verify`",
            Status::Fixed => "marked fixed (unverified); `jury verify` checks it",
            Status::WontFix if *closes => "marked wont_fix (declined); gate closed until a person decides",
            Status::WontFix => "marked wont_fix (declined)",
            _ => "marked open; the mark is taken back",
        };
        format!("{} {}\n", painted(STRONG, &format!("{}:", inert::line(id))), what)
    };
    marked.iter().map(line).collect()
}

/// Shows the waiver, and that it does not count yet.
pub(crate) fn waived(waived: &Waived) -> String {
    let mut text = String::new();
    for about in &waived.about {
        text.push_str(&format!("{} {}\n", painted(GOOD, "waived"), inert::line(about)));
    }
    let Waiver { finding, author, expires, .. } = &waived.waiver;
    let facts = format!("{finding}, by {author}, until {expires}, in .jury/waivers.toml");
    text.push_str(&format!("{}\n", painted(FAINT, &inert::line(&facts))));
    if waived.about.len() > 1 {
        text.push_str("several places have the same code; the waiver covers all of them\n");
    }
    let next = "commit .jury/waivers.toml on the base branch, not in this change; then run `jury review`";
    text.push_str(&format!("{} {next}\n", painted(FAINT, "next:")));
    text
}

/// Shows the restored file.
pub(crate) fn restored(restored: &Restored) -> String {
    if !restored.was_needed {
        return "the verdict file matches the seal; nothing to restore\n".to_owned();
    }
    let mut text = format!("{} .code-review/review-latest.json\n", painted(GOOD, "restored"));
    if let Some(kept) = &restored.kept {
        text.push_str(&format!("the previous file is kept as {}\n", inert::line(kept.as_str())));
    }
    for (id, status) in &restored.claims {
        text.push_str(&format!("kept: {} is marked {status}\n", inert::line(id)));
    }
    text
}

/// Says one finding for programs; `None` if there is none of that id.
pub(crate) fn wire_shown(
    id: &str,
    file: &VerdictFile,
    record: &Record,
    judgement: &Judgement,
    look: Option<&Record>,
    marks: &[Mark],
) -> Option<wire::Shown> {
    let verification = look.and_then(|look| look.verification.as_ref());
    let finding = file.findings.iter().find(|finding| finding.id == id)?;
    let settled = judgement.settled(id);
    let claim = settled.map(|settled| &settled.finding.representative);
    let location = claim.and_then(|claim| claim.location.as_ref());
    let trail = settled.map(|settled| settled.trail.iter()).into_iter().flatten();
    // After it was reopened, it is shown as it is today.
    let checked = verification.and_then(|verification| verification.checked.iter().find(|checked| checked.id == id));
    let again = checked.and_then(|checked| checked.became.place());
    let mut shown = finding.clone();
    shown.recommendation = jury_rules::redact(&shown.recommendation).into_owned();
    Some(wire::Shown {
        finding: shown,
        why: claim.and_then(|claim| claim.why.clone()),
        evidence: claim
            .map(|claim| claim.evidence.iter().map(|text| jury_rules::redact(text).into_owned()).collect())
            .unwrap_or_default(),
        reviewers: settled.map_or_else(
            || vec![finding.domain.clone()],
            |settled| settled.reviewers.iter().map(ToString::to_string).collect(),
        ),
        rule: claim.and_then(|claim| claim.rule.clone()),
        fingerprint: settled.map(|settled| settled.finding.fingerprint.as_str().to_owned()),
        code: match (location, look.zip(again)) {
            (Some(location), Some((look, place))) => code_around(&moved(location, place), look),
            (Some(location), None) => code_around(location, record),
            (None, _) => Vec::new(),
        },
        trail: trail
            .map(|entry| Step { step: entry.step.token().to_owned(), what: entry.reason.to_string() })
            .collect(),
        recheck: verification
            .map(wire_verification)
            .and_then(|verification| verification.checked.into_iter().find(|checked| checked.id == id)),
        history: marks.iter().filter(|mark| mark.id == id).map(wire_mark).collect(),
    })
}

fn wire_mark(mark: &Mark) -> wire::Mark {
    wire::Mark { status: mark.to.token().to_owned(), timestamp: mark.at.clone(), reason: mark.reason.clone() }
}

/// Returns a location at the place where its code is now, as long as it was.
fn moved(location: &Location, place: &FileLine) -> Location {
    let lines = location.lines.zip(place.line).and_then(|(lines, line)| {
        let end = i64::from(line) + i64::from(lines.end().get() - lines.start().get());
        LineRange::new(Line::new(i64::from(line)).ok()?, Line::new(end).ok()?).ok()
    });
    Location::new(place.file.clone(), lines)
}

fn code_around(location: &Location, record: &Record) -> Vec<wire::CodeLine> {
    let (Some(lines), Some(text)) = (location.lines, record.cited.get(&location.file)) else {
        return Vec::new();
    };
    let (first, last) = (lines.start().get(), lines.end().get());
    let text = jury_rules::redact(text);
    let numbered = (1..).zip(text.lines());
    let near = numbered.filter(|(line, _)| (first.saturating_sub(AROUND)..=last.saturating_add(AROUND)).contains(line));
    let code = |(line, text): (u32, &str)| wire::CodeLine {
        line,
        text: text.to_owned(),
        is_meant: (first..=last).contains(&line),
    };
    near.map(code).collect()
}

/// Shows one finding.
pub(crate) fn shown(shown: &wire::Shown, is_gap: bool) -> String {
    let now = shown.recheck.as_ref().and_then(|recheck| recheck.place.as_deref());
    let mut text = finding_line_at(&shown.finding, is_gap, now, None).trim_start().to_owned();
    if !shown.code.is_empty() {
        text.push('\n');
    }
    for line in &shown.code {
        let mark = if line.is_meant { painted(BAD, ">") } else { " ".to_owned() };
        let code: String = line.text.chars().take(160).map(inert::character).collect();
        text.push_str(&format!("{mark} {} {code}\n", painted(FAINT, &format!("{:>5} │", line.line))));
    }
    let mut part = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{}\n", painted(STRONG, title)));
            text.extend(lines.into_iter().map(|line| format!("  {line}\n")));
        }
    };
    let lines = |text: &str| text.lines().map(inert::line).collect::<Vec<_>>();
    part("why", shown.why.iter().flat_map(|why| lines(why)).collect());
    part("do", lines(&shown.finding.recommendation));
    part("evidence", shown.evidence.iter().map(|quote| inert::short_line(quote, 200)).collect());
    let rule = shown.rule.iter().map(|rule| {
        let rule = inert::line(rule);
        format!("{rule} (`jury rules show {rule}`; to ignore it: `jury-ignore: {rule} -- reason` in a comment on the line or above it)")
    });
    part("rule", rule.collect());
    part("stated by", vec![inert::line(&shown.reviewers.join(", "))]);
    let trail = shown.trail.iter().map(|step| format!("{}: {}", step.step, inert::line(&step.what))).collect();
    part("trail", trail);
    let recheck = shown.recheck.iter().map(|recheck| {
        let why = recheck.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        inert::short_line(&format!("{}{why}", recheck.status), 300)
    });
    part("verification", recheck.collect());
    let said = |mark: &wire::Mark| {
        let reason = mark.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        inert::line(&format!("{} {}{reason}", mark.timestamp, mark.status))
    };
    part("history", shown.history.iter().map(said).collect());
    text
}
