//! The result of `jury fix`: applied and rolled-back rewrites, and the next command.

use jury::rewrite::{Attempt, FixEnd, Fixes};
use jury_wire::v1::surface as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// Returns the result, for programs.
pub(crate) fn wire_fixed(fixes: &Fixes, dry_run: bool) -> wire::Fixed {
    let diff = |(path, diff): &(jury::model::RepoPath, String)| wire::FileDiff {
        file: path.to_string(),
        diff: jury_rules::redact(diff).into_owned(),
    };
    wire::Fixed {
        dry_run,
        attempts: fixes.attempts.iter().map(attempt).collect(),
        diffs: fixes.diffs.iter().map(diff).collect(),
        only_named: fixes.only_named.clone(),
        verdict: fixes.marked.as_ref().map(|file| file.verdict.clone()),
    }
}

fn attempt(attempt: &Attempt) -> wire::Attempt {
    let (end, why) = match &attempt.end {
        FixEnd::Fixed => ("fixed", None),
        FixEnd::RolledBack(why) => ("rolled_back", Some(why.clone())),
        FixEnd::Skipped(why) => ("skipped", Some(why.clone())),
    };
    wire::Attempt {
        id: attempt.id.clone(),
        title: attempt.title.clone(),
        place: attempt.place.clone(),
        end: end.to_owned(),
        why,
    }
}

/// Shows the result.
pub(crate) fn fixed(fixed: &wire::Fixed) -> String {
    let mut text = String::new();
    if fixed.dry_run {
        fixed.diffs.iter().for_each(|diff| text.push_str(&shown_diff(diff)));
    }
    for attempt in &fixed.attempts {
        let (style, word) = match attempt.end.as_str() {
            "fixed" if fixed.dry_run => (GOOD, "would fix"),
            "fixed" => (GOOD, "fixed"),
            "rolled_back" if fixed.dry_run => (WARN, "would fail"),
            "rolled_back" => (WARN, "rolled back"),
            _ => (BAD, "left alone"),
        };
        let facts = painted(FAINT, &format!("{}  {}", inert::line(&attempt.place), inert::line(&attempt.id)));
        text.push_str(&format!("{} {}\n  {facts}\n", painted(style, word), inert::short_line(&attempt.title, 120)));
        if let Some(why) = &attempt.why {
            text.push_str(&format!("  {} {}\n", painted(FAINT, "because"), inert::short_line(why, 300)));
        }
    }
    if fixed.attempts.is_empty() {
        text.push_str("nothing to fix: no open finding of the latest review has a safe rewrite\n");
    }
    if !fixed.only_named.is_empty() {
        let ids = fixed.only_named.iter().map(|id| inert::line(id)).collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{} jury fix {ids}\n", painted(FAINT, "rewrites that need confirmation:")));
    }
    text.push_str(&summary(fixed));
    text
}

fn summary(fixed: &wire::Fixed) -> String {
    let number = fixed.attempts.iter().filter(|attempt| attempt.end == "fixed").count();
    if number == 0 {
        return String::new();
    }
    let files = count(fixed.diffs.len(), "file", "files");
    if fixed.dry_run {
        let next = painted(FAINT, "next:");
        return format!("\n{files} would change; nothing was written\n{next} the same without --dry-run\n");
    }
    let verdict = fixed.verdict.as_deref().map(|verdict| format!("; now {verdict}")).unwrap_or_default();
    let findings = count(number, "finding", "findings");
    let said = painted(STRONG, &format!("{findings} fixed in {files}{verdict}"));
    format!("\n{said}\n{} jury review\n", painted(FAINT, "next:"))
}

fn shown_diff(diff: &wire::FileDiff) -> String {
    let file = inert::line(&diff.file);
    let mut text = format!("{}\n", painted(STRONG, &format!("--- a/{file}\n+++ b/{file}")));
    for line in diff.diff.lines() {
        let shown: String = line.chars().map(inert::character).collect();
        let style = match line.as_bytes().first() {
            Some(b'+') => Some(GOOD),
            Some(b'-') => Some(BAD),
            Some(b'@') => Some(FAINT),
            _ => None,
        };
        text.push_str(&style.map_or_else(|| shown.clone(), |style| painted(style, &shown)));
        text.push('\n');
    }
    text.push('\n');
    text
}
