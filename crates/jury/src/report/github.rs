//! Annotations of GitHub Actions: workflow commands on standard output, one line for each finding.
//!
//! In: a report, or the conditions of a gate. Out: `::error …`, `::warning …` and `::notice …` lines, as many of each as GitHub shows, in which nothing
//! that a reviewer wrote starts a command of its own. Deliberately not here: whether the step fails, which is the exit code.

use crate::model::{Claim, Report, Severity};
use crate::syntax::acts;

/// The most annotations of one level that GitHub shows for a step; it drops the rest without notice.
const MOST: usize = 10;
/// The longest text of an annotation, in characters, before it is escaped. GitHub cuts off at 64 KiB.
const LONGEST: usize = 4000;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 200;

/// The levels of annotations, the worst first.
const LEVELS: [&str; 3] = ["error", "warning", "notice"];

/// Writes the open findings of a report, under a headline of our own.
pub fn github(report: &Report, headline: &str) -> String {
    let mut text = format!("{}\n", data(headline));
    for level in LEVELS {
        let standing = report.claims().filter(|claim| claim.status().is_unsettled());
        let of: Vec<&Claim> = standing.filter(|claim| level_of(claim.severity) == Some(level)).collect();
        let shown = if of.len() > MOST { MOST - 1 } else { of.len() };
        of.iter().take(shown).for_each(|claim| text.push_str(&annotation(level, claim)));
        if of.len() > shown {
            let more = format!("{} more are not shown here; the report has all of them", of.len() - shown);
            text.push_str(&format!("::{level} title={}::{more}\n", property("Jury")));
        }
    }
    text
}

/// Writes a line for the head of the job.
pub fn github_notice(title: &str) -> String {
    format!("::notice title={}::{}\n", property("Jury"), data(title))
}

/// Writes the failing conditions of a gate: the finding, and the remedy.
pub fn github_gate<'c>(failing: impl IntoIterator<Item = (&'c str, &'c str, Option<&'c str>)>) -> String {
    let line = |(condition, seen, remedy): (&str, &str, Option<&str>)| {
        let remedy = remedy.map(|remedy| format!("\n→ {remedy}")).unwrap_or_default();
        let title = property(&format!("gate closed: {condition}"));
        format!("::error title={title}::{}\n", data(&format!("{seen}{remedy}")))
    };
    failing.into_iter().map(line).collect()
}

const fn level_of(severity: Severity) -> Option<&'static str> {
    match severity {
        Severity::Blocker | Severity::High => Some(LEVELS[0]),
        Severity::Medium => Some(LEVELS[1]),
        Severity::Low | Severity::Info => Some(LEVELS[2]),
        Severity::Praise => None,
    }
}

fn annotation(level: &str, claim: &Claim) -> String {
    let mut properties = Vec::new();
    if let Some(location) = &claim.location {
        properties.push(format!("file={}", property(location.file.as_str())));
        if let Some(lines) = location.lines {
            properties.push(format!("line={}", lines.start().get()));
            properties.extend(lines.end_if_longer().map(|end| format!("endLine={}", end.get())));
        }
    }
    let names = claim.reviewer.iter().map(|reviewer| reviewer.as_str()).chain(claim.rule.as_deref());
    let names = names.collect::<Vec<_>>().join("/");
    let reviewer = if names.is_empty() { names } else { format!(" ({names})") };
    let title: String = format!("{}: {}{reviewer}", claim.severity, claim.title).chars().take(LONGEST_TITLE).collect();
    properties.push(format!("title={}", property(&title)));
    let fix = claim.fix.as_ref().map(|fix| format!("→ {fix}"));
    let rule = claim.rule.as_deref().map(about_rule);
    let parts: Vec<&str> = claim.why.iter().chain(&fix).chain(&rule).map(String::as_str).collect();
    // A command without a message is not shown.
    let message = parts.join("\n");
    let message = if message.trim().is_empty() { claim.title.to_string() } else { message };
    let message: String = message.chars().take(LONGEST).collect();
    format!("::{level} {}::{}\n", properties.join(","), data(&message))
}

/// Names the rule of a finding, with what shows it.
pub(super) fn about_rule(rule: &str) -> String {
    format!("rule {rule}: `jury rules show {rule}`")
}

/// Escapes the text behind the second `::`; active characters are written out.
fn data(text: &str) -> String {
    let escaped = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    escaped.chars().map(|letter| if acts(letter) { char::REPLACEMENT_CHARACTER } else { letter }).collect()
}

/// Escapes a value before the second `::`, in which commas and colons mean something.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{claim, report};

    #[test]
    fn every_finding_that_stands_is_one_line() {
        assert_eq!(
            github(&report(), "Jury: FAIL"),
            "Jury: FAIL\n\
             ::error file=src/a.ts,line=4,endLine=6,title=Blocker%3A Wrong (security)::It hurts.%0A→ Mend it.\n\
             ::error title=High%3A Review incomplete%3A qa::Review incomplete: qa\n\
             ::warning file=b%2Cc%3A.ts,line=1,title=Medium%3A 100%25 <b>&::100%25 <b>&\n\
             ::notice file=d.ts,title=Low%3A Small::Small\n"
        );
    }

    #[test]
    fn nothing_that_a_reviewer_wrote_starts_a_command() {
        let mut report = report();
        report.claims.truncate(1);
        report.claims[0].why = Some("x\n::set-output name=a::b\r\n::error::y\u{1b}[31m\u{202e}".to_owned());
        let text = github(&report, "Jury");
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("x%0A::set-output") && !text.contains('\u{1b}') && !text.contains('\u{202e}'));
    }

    #[test]
    fn a_blank_reason_does_not_hide_a_finding() {
        let mut report = report();
        report.claims.truncate(1);
        (report.claims[0].why, report.claims[0].fix) = (Some(" \n".to_owned()), None);
        assert!(github(&report, "Jury").ends_with("::Wrong\n"));
    }

    #[test]
    fn what_github_would_drop_is_counted() {
        let mut report = report();
        report.claims =
            (0..25).map(|number| Box::new(claim(&format!("Number {number}"), Severity::High, None))).collect();
        let text = github(&report, "Jury");
        assert_eq!(text.lines().count(), 1 + MOST);
        assert!(
            text.ends_with("::error title=Jury::16 more are not shown here; the report has all of them\n"),
            "{text}"
        );
        report.claims.truncate(10);
        assert_eq!(github(&report, "Jury").matches("::error").count(), 10);
    }

    #[test]
    fn a_closed_gate_says_why() {
        let text =
            github_gate([("same-tree", "not reviewed: a.ts", Some("run `jury review`")), ("reviewed", "no", None)]);
        assert_eq!(
            text,
            "::error title=gate closed%3A same-tree::not reviewed: a.ts%0A→ run `jury review`\n::error title=gate closed%3A reviewed::no\n"
        );
    }
}
