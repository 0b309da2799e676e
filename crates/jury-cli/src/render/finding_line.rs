//! A finding of the verdict file in one line.

use jury::model::Severity;
use jury_wire::v1::code_review::Finding;

use super::reviewed::style_of;
use super::style::{FAINT, STRONG};
use super::{inert, painted};

/// Shows it at the place where it was found.
pub(super) fn finding_line(finding: &Finding, is_gap: bool) -> String {
    finding_line_at(finding, is_gap, None, None)
}

/// Shows it at the place where a verification found it again, with its rule.
pub(super) fn finding_line_at(finding: &Finding, is_gap: bool, now: Option<&str>, rule: Option<&str>) -> String {
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
