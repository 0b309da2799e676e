//! A verification on a terminal: the verdict first, the result for each finding marked fixed, new findings, where more
//! has changed, and the next step.

use jury::flows::verify::VerifiedReview;
use jury::model::{Outcome, Severity, Status};
use jury::record::{NewFinding, Recheck, Verification, status_of};
use jury_wire::v1::code_review::Finding;
use jury_wire::v1::surface;

use super::reviewed::{style_of, tally, verdict};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// How many lines of one kind are shown.
const MOST: usize = 50;

/// Shows a verification.
pub(crate) fn verified(verified: &VerifiedReview) -> String {
    let file = &verified.file;
    let what = format!("{} (verify, review {})", inert::line(&file.target), file.review_id);
    let mut text = format!(
        "{}  {}  {}\n\n",
        verdict(&file.verdict),
        painted(STRONG, &tally(&file.summary)),
        painted(FAINT, &what)
    );
    let verification = &verified.verification;
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
    text.push_str(&super::gate_view::ended(&verified.ended));
    let declined = file.findings.iter().filter(|finding| status_of(finding) == Some(Status::WontFix)).count();
    if declined > 0 {
        let noted = count(declined, "finding is", "findings are");
        text.push_str(&format!("{} {noted} declined by the team, and not verified\n", painted(FAINT, "note:")));
    }
    let step = match verified.outcome {
        Outcome::Clear => "jury gate",
        Outcome::Aborted => "stop; a person reads .code-review/abort-reason.md",
        Outcome::Waiting => "a person decides; `jury next` lists what",
        Outcome::Blocked | Outcome::Incomplete => "jury next",
    };
    text.push_str(&format!("\n{} {step}\n", painted(FAINT, "next:")));
    text
}

fn one(checked: &Recheck, finding: Option<&Finding>) -> String {
    let (mark, style) = match checked.status() {
        Status::Verified => ("✓", GOOD),
        Status::Reopened => ("✗", BAD),
        _ => ("?", WARN),
    };
    let title = finding.map(|finding| inert::short_line(&finding.title, 120)).unwrap_or_default();
    let status = painted(style, &format!("{mark} {:<8}", checked.status().token()));
    let mut text = format!("  {status} {}  {}\n", inert::line(&checked.id), painted(STRONG, &title));
    if let Some(why) = checked.became.why() {
        text.push_str(&format!("             {}\n", inert::short_line(why, 300)));
    }
    text
}

/// Returns the result of a verification, for programs.
pub(super) fn wire_verification(verification: &Verification) -> surface::Verification {
    let checked = |checked: &Recheck| surface::Rechecked {
        id: checked.id.clone(),
        status: checked.status().token().to_owned(),
        why: checked.became.why().map(str::to_owned),
        place: checked.became.place().map(ToString::to_string),
    };
    let new = |new: &NewFinding| surface::NewFinding {
        domain: new.domain.to_string(),
        severity: new.severity.word().to_owned(),
        title: new.title.clone(),
        place: new.place.as_ref().map(ToString::to_string).unwrap_or_default(),
    };
    surface::Verification {
        checked: verification.checked.iter().map(checked).collect(),
        new: verification.new.iter().map(new).collect(),
        re_review_required: !verification.beyond.is_empty(),
        beyond: verification.beyond.clone(),
        gaps: verification.gaps.clone(),
    }
}

/// Lists new findings and changes beyond the fixes.
pub(super) fn asides(verification: &surface::Verification) -> String {
    let mut text = String::new();
    let advice = format!("  {} run `jury review` to add it to the verdict file\n", painted(GOOD, "→"));
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
        text.push_str(&format!("\n{}\n", painted(BAD, "Not reviewed")));
        text.extend(verification.gaps.iter().take(MOST).map(|gap| format!("  {}\n", inert::short_line(gap, 300))));
    }
    if !verification.beyond.is_empty() {
        let paths = verification.beyond.iter().take(5).map(|path| inert::line(path)).collect::<Vec<_>>().join(", ");
        let more = verification.beyond.len().saturating_sub(5);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        text.push_str(&format!("\n{} {paths}{more}\n{advice}", painted(BAD, "More changed than the marked findings:")));
    }
    text
}
