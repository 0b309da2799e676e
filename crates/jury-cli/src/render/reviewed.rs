//! The report of a review on a terminal: the verdict first, findings by severity with their code, gaps,
//! and the next step.

use jury::flows::{GateView, Reviewed};
use jury::judge::Judgement;
use jury::model::{Claim, Fulfilment, Mode, ReportWriting, ReviewVerdict, Severity};
use jury::record::{NotRead, Record, Run, TextOnly};
use jury_wire::v1::code_review::Finding;

use super::status_view::left_open;
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{code, count, inert, painted};

/// The longest text that is shown, in characters.
const LONGEST: usize = 400;
/// How many findings of one severity are shown.
const MOST: usize = 50;
/// How many lines of one text are shown.
const MOST_LINES: usize = 12;
/// How a rule is looked up and ignored.
const ABOUT_RULES: &str =
    "`jury rules show RULE`; to ignore one, `jury-ignore: RULE -- reason` in a comment on the line or above it";

/// Shows a review. A quick check comes with the state of the full review before it: what that left open is shown beside it.
pub(crate) fn reviewed(reviewed: &Reviewed, view: Option<&GateView>, is_saved: bool) -> String {
    let (record, judgement) = (&reviewed.record, &reviewed.judgement);
    let beside = view.map(left_open).unwrap_or_default();
    let mut text = headline(record, judgement, !beside.is_empty());
    text.push_str(&beside);
    text.extend(record.scope.base_local_only.then(|| super::gate_view::local_base(&record.scope.base_name)));
    text.push_str(&text_only_line(record));
    text.push_str(&not_read(record));
    for severity in Severity::ALL {
        text.push_str(&section(severity, record, judgement));
    }
    text.push_str(&gaps(judgement));
    text.push_str(&aside(judgement));
    text.push_str(&skipped(record));
    text.extend(record.checks().map(|line| format!("{}\n", painted(FAINT, &inert::line(&line)))));
    text.push_str(&intent(judgement));
    text.push_str(&super::spent_line(record));
    let unconfined = record.dependent().into_iter().chain(record.unconfined());
    text.extend(unconfined.map(|line| format!("{} {}\n", painted(FAINT, "note:"), prose(&line))));
    text.push_str(&about_rules(judgement));
    text.push_str(&files(record, is_saved, reviewed.report));
    let is_left = !beside.is_empty();
    text.push_str(&next(record, judgement, is_left, is_saved));
    text
}

/// Names the files whose code no grammar read, whether they close the gate or not.
pub(super) fn text_only_line(record: &Record) -> String {
    TextOnly::of(record).line().map(|line| format!("{}\n", painted(WARN, &inert::line(&line)))).unwrap_or_default()
}

/// Names the files that no reviewer has to read.
pub(super) fn not_read(record: &Record) -> String {
    let lines = NotRead::of(record).lines();
    lines.iter().map(|line| format!("{}\n", painted(FAINT, &inert::line(line)))).collect()
}

/// Paints a verdict of 000.
pub(crate) fn verdict(word: &str) -> String {
    let style = match ReviewVerdict::from_token(word) {
        Some(ReviewVerdict::Pass) => GOOD,
        Some(ReviewVerdict::Warn) => WARN,
        _ => BAD,
    };
    painted(style, word)
}

/// Says how many findings of each severity stand.
pub(crate) fn tally(summary: &jury_wire::v1::code_review::Summary) -> String {
    let counts = [
        (summary.blocker, "Blocker"),
        (summary.high, "High"),
        (summary.medium, "Medium"),
        (summary.low, "Low"),
        (summary.info, "Info"),
    ];
    let said: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}")).collect();
    if said.is_empty() { "nothing open".to_owned() } else { said.join(", ") }
}

fn headline(record: &Record, judgement: &Judgement, is_beside: bool) -> String {
    let file = &judgement.file;
    let files = count(record.scope.files.len(), "file", "files");
    let mode = if record.mode == Mode::Full { String::new() } else { format!("{} check, ", file.mode) };
    let what = format!("{} ({mode}{files}, review {})", inert::line(&file.target), file.review_id);
    let tally = painted(STRONG, &tally(&file.summary));
    let is_empty = record.scope.files.is_empty() && record.scope.unreviewed.is_empty();
    let word = match ReviewVerdict::from_token(&file.verdict) {
        // Nothing was looked at, so nothing passed.
        _ if is_empty && !is_beside => {
            return format!("{}  {}\n", painted(STRONG, "nothing to review"), painted(FAINT, &what));
        }
        // Nothing new is no PASS while the full review has findings open.
        Some(ReviewVerdict::Pass) if is_beside => painted(STRONG, "quick check:"),
        _ if is_beside => format!("{} {} ", painted(STRONG, "quick check:"), verdict(&file.verdict)),
        _ => format!("{} ", verdict(&file.verdict)),
    };
    format!("{word} {tally}  {}\n", painted(FAINT, &what))
}

/// Pairs each finding of the verdict file that is no gap with its claim, in order.
fn findings(judgement: &Judgement) -> impl Iterator<Item = (&Finding, &Claim)> {
    let stated = judgement.report.claims().filter(|claim| claim.severity != Severity::Praise);
    let gaps = judgement.gap_ids();
    let pairs = judgement.file.findings.iter().zip(stated);
    pairs.filter(move |(finding, _)| !gaps.contains(&finding.id))
}

fn section(severity: Severity, record: &Record, judgement: &Judgement) -> String {
    let of: Vec<(&Finding, &Claim)> = findings(judgement).filter(|(_, claim)| claim.severity == severity).collect();
    if of.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", painted(style_of(severity), severity.word()));
    let shown: Vec<String> = of.iter().take(MOST).map(|(finding, claim)| one(finding, claim, record)).collect();
    text.push_str(&shown.join("\n"));
    if of.len() > MOST {
        text.push_str(&format!("  … and {} more in the report\n", of.len() - MOST));
    }
    text
}

/// Returns the style of a severity.
pub(crate) fn style_of(severity: Severity) -> clap::builder::styling::Style {
    match severity {
        Severity::Blocker | Severity::High => BAD,
        Severity::Medium => WARN,
        Severity::Low | Severity::Info | Severity::Praise => STRONG,
    }
}

fn one(finding: &Finding, claim: &Claim, record: &Record) -> String {
    let title = painted(STRONG, &inert::short_line(&finding.title, LONGEST));
    let mut text = format!("  {title}\n");
    let place = claim.location.as_ref().map_or_else(|| "the change as a whole".to_owned(), ToString::to_string);
    let rule = claim.rule.as_deref().map(|rule| format!("  rule {}", inert::line(rule))).unwrap_or_default();
    let facts = format!("{}  {}{rule}", inert::line(&place), inert::line(&finding.id));
    text.push_str(&format!("  {}\n", painted(FAINT, &facts)));
    let code =
        claim.location.as_ref().and_then(|location| code::line_of(claim, location, record.cited.get(&location.file)?));
    text.extend(code.iter().flat_map(|code| code.lines()).map(|line| format!("  {line}\n")));
    if let Some(why) = &claim.why {
        text.push_str(&format!("  {}\n", prose(why)));
    }
    if let Some(fix) = &claim.fix {
        text.push_str(&format!("  {} {}\n", painted(GOOD, "→"), prose(fix)));
    }
    text
}

/// Shows a reviewer's text. Its line breaks are some here, too, behind a bar, so that none of it looks like a line of ours.
fn prose(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES);
    let lines: Vec<String> = lines.map(|line| inert::short_line(line, LONGEST)).collect();
    jury_rules::redact(&lines.join("\n  │ ")).into_owned()
}

fn gaps(judgement: &Judgement) -> String {
    if judgement.merged.gaps.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", painted(BAD, "Not reviewed"));
    for gap in judgement.merged.gaps.iter().take(MOST) {
        text.push_str(&format!("  {}: {}\n", inert::line(gap.reviewer.as_str()), prose(&gap.what)));
        text.push_str(&format!("  {} {}\n", painted(GOOD, "→"), prose(&gap.remedy)));
    }
    text
}

fn aside(judgement: &Judgement) -> String {
    let synthesis = &judgement.merged.synthesis;
    let rejected = judgement.merged.intakes.iter().map(|intake| intake.rejected.len()).sum::<usize>();
    let ignored = synthesis.ignored().count();
    let lists = [
        (synthesis.pre_existing.len(), "pre-existing"),
        (synthesis.suppressed.len() - ignored, "below the confidence threshold"),
        (ignored, "ignored by the author"),
        (synthesis.waived.len(), "waived"),
        (rejected, "rejected"),
    ];
    let said: Vec<String> =
        lists.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let mut text = String::new();
    if !said.is_empty() {
        text.push_str(&format!("\n{}\n", painted(FAINT, &format!("set aside: {}", said.join(", ")))));
        text.push_str(&super::ignored(judgement));
    }
    for note in synthesis.residual_risks.iter().take(MOST) {
        text.push_str(&format!("{} {}\n", painted(FAINT, "note:"), prose(note)));
    }
    text
}

/// Says how many acceptance criteria are met; the others are findings and gaps.
fn intent(judgement: &Judgement) -> String {
    let assessed = &judgement.merged.assessed;
    let number = |answer: Fulfilment| assessed.iter().filter(|it| it.answer == answer).count();
    let counted =
        Fulfilment::ALL.iter().map(|answer| (number(*answer), answer.token())).filter(|(number, _)| *number > 0);
    let counted: Vec<String> = counted.map(|(number, word)| format!("{number} {word}")).collect();
    match counted.is_empty() {
        true => String::new(),
        false => format!("{}\n", painted(FAINT, &format!("acceptance criteria: {}", counted.join(", ")))),
    }
}

/// Names who was not asked, and why.
fn skipped(record: &Record) -> String {
    let runs = record.runs.iter().filter_map(|run| Some((run, run.skipped()?)));
    let line = |(run, why): (&Run, &str)| {
        format!(
            "{} {}: {}\n",
            painted(FAINT, "skipped:"),
            inert::line(run.reviewer.as_str()),
            inert::short_line(why, LONGEST)
        )
    };
    runs.map(line).collect()
}

fn next(record: &Record, judgement: &Judgement, is_left: bool, is_saved: bool) -> String {
    let step = match judgement.merged.verdict.outcome {
        jury::model::Outcome::Clear if !is_saved => "git commit",
        jury::model::Outcome::Blocked if !is_saved => "fix them, `git add`, then `jury review --staged`",
        jury::model::Outcome::Waiting if !is_saved => "a person decides; `jury review` says on what",
        jury::model::Outcome::Incomplete if !is_saved => "remove the gaps, then `jury review --staged`",
        jury::model::Outcome::Clear if is_left => "jury next",
        jury::model::Outcome::Clear if record.mode == Mode::Quick => {
            "continue; run `jury review` before the pull request"
        }
        jury::model::Outcome::Clear => "jury gate",
        jury::model::Outcome::Aborted => "stop; a person reads .code-review/abort-reason.md",
        jury::model::Outcome::Waiting => "a person decides; `jury next` lists what",
        jury::model::Outcome::Blocked | jury::model::Outcome::Incomplete => "jury next",
    };
    format!("{} {step}\n", painted(FAINT, "next:"))
}

/// Names the files that were written: 003 has the path of the verdict file returned.
fn files(record: &Record, is_saved: bool, writing: ReportWriting) -> String {
    let file = |what: &str, path: &str| format!("{} {}\n", painted(FAINT, what), inert::line(path));
    let mut text = "\n".to_owned();
    if is_saved {
        text.push_str(&file("verdict file:", ".code-review/review-latest.json"));
    }
    text.extend(record.report_path.iter().map(|path| match writing {
        ReportWriting::Always => file("report:", path.as_str()),
        ReportWriting::OnRequest => file("report:", "not written; `jury report` writes it"),
    }));
    text
}

/// Says once how a rule is looked up and ignored, if a rule found anything.
fn about_rules(judgement: &Judgement) -> String {
    match findings(judgement).any(|(_, claim)| claim.rule.is_some()) {
        true => format!("\n{} {ABOUT_RULES}\n", painted(FAINT, "rules:")),
        false => String::new(),
    }
}
