//! A second look on a terminal: the verdict first, what became of each finding that was marked fixed, what is new, where more
//! has changed, and what to do next.

use jury::model::{Outcome, Severity, Status};
use jury::recheck::Rechecked;
use jury_wire::v1::code_review::Finding;
use jury_wire::v1::record as wire;
use jury_wire::v1::surface;

use super::reviewed::{style_of, tally, verdict};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// How many lines of one kind are shown.
const MOST: usize = 50;

/// Shows a second look.
pub(crate) fn rechecked(rechecked: &Rechecked) -> String {
    let file = &rechecked.file;
    let what = format!("{} (verify, review {})", inert::line(&file.target), file.review_id);
    let mut text = format!(
        "{}  {}  {}\n\n",
        verdict(&file.verdict),
        painted(STRONG, &tally(&file.summary)),
        painted(FAINT, &what)
    );
    let verification = &rechecked.verification;
    if verification.checked.is_empty() {
        text.push_str(&format!("{}\n", painted(FAINT, "nothing is marked fixed")));
    }
    for checked in verification.checked.iter().take(MOST) {
        let finding = file.findings.iter().find(|finding| finding.id == checked.id);
        text.push_str(&one(checked, finding));
    }
    if verification.checked.len() > MOST {
        text.push_str(&format!("  … and {} more in the verdict file\n", verification.checked.len() - MOST));
    }
    text.push_str(&asides(&wire_verification(verification)));
    let declined = file.findings.iter().filter(|finding| finding.status == Status::WontFix.token()).count();
    if declined > 0 {
        let noted = count(declined, "finding is", "findings are");
        text.push_str(&format!("{} {noted} declined by the team, and not looked at\n", painted(FAINT, "note:")));
    }
    let step = match rechecked.outcome {
        Outcome::Clear => "jury gate",
        Outcome::Aborted => "stop; a person reads .code-review/abort-reason.md",
        Outcome::Blocked | Outcome::Incomplete => "jury next",
    };
    text.push_str(&format!("\n{} {step}\n", painted(FAINT, "next:")));
    text
}

fn one(checked: &wire::Rechecked, finding: Option<&Finding>) -> String {
    let (mark, style) = match Status::from_token(&checked.status) {
        Some(Status::Verified) => ("✓", GOOD),
        Some(Status::Reopened) => ("✗", BAD),
        _ => ("?", WARN),
    };
    let title = finding.map(|finding| inert::short_line(&finding.title, 120)).unwrap_or_default();
    let status = painted(style, &format!("{mark} {:<8}", checked.status));
    let mut text = format!("  {status} {}  {}\n", inert::line(&checked.id), painted(STRONG, &title));
    if let Some(why) = &checked.why {
        text.push_str(&format!("             {}\n", inert::short_line(why, 300)));
    }
    text
}

/// Says for programs what a second look has shown.
pub(super) fn wire_verification(verification: &wire::Verification) -> surface::Verification {
    let checked = |checked: &wire::Rechecked| surface::Rechecked {
        id: checked.id.clone(),
        status: checked.status.clone(),
        why: checked.why.clone(),
        place: checked.place.clone(),
    };
    let new = |new: &wire::NewFinding| surface::NewFinding {
        domain: new.domain.clone(),
        severity: new.severity.clone(),
        title: new.title.clone(),
        place: new.place.clone(),
    };
    surface::Verification {
        checked: verification.checked.iter().map(checked).collect(),
        new: verification.new.iter().map(new).collect(),
        re_review_required: !verification.beyond.is_empty(),
        beyond: verification.beyond.clone(),
        gaps: verification.gaps.clone(),
    }
}

/// Says what is new, and where more has changed than was fixed.
pub(super) fn asides(verification: &surface::Verification) -> String {
    let mut text = String::new();
    let advice = format!("  {} run `jury review`, which puts all of it into the verdict file\n", painted(GOOD, "→"));
    if !verification.new.is_empty() {
        text.push_str(&format!("\n{}\n", painted(BAD, "New since the review")));
        for new in verification.new.iter().take(MOST) {
            let severity = Severity::ALL.into_iter().find(|severity| severity.word() == new.severity);
            let word = painted(severity.map_or(STRONG, style_of), &format!("{:<7}", new.severity));
            let place = painted(FAINT, &inert::line(&new.place));
            text.push_str(&format!("  {word} {}  {place}\n", inert::short_line(&new.title, 120)));
        }
        text.push_str(&advice);
    }
    if !verification.gaps.is_empty() {
        text.push_str(&format!("\n{}\n", painted(BAD, "Not looked at")));
        text.extend(verification.gaps.iter().take(MOST).map(|gap| format!("  {}\n", inert::short_line(gap, 300))));
    }
    if !verification.beyond.is_empty() {
        let paths = verification.beyond.iter().take(5).map(|path| inert::line(path)).collect::<Vec<_>>().join(", ");
        let more = verification.beyond.len().saturating_sub(5);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        text.push_str(&format!(
            "\n{} {paths}{more}\n{advice}",
            painted(BAD, "More has changed than was marked fixed:")
        ));
    }
    text
}
