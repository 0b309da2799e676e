//! One finding with its code, reasons and history. For programs first; people see text made from the same values.

use jury::judge::Judgement;
use jury::model::{FileLine, Line, LineRange, Location};
use jury::record::Record;
use jury::store::{Mark, VerdictFile};
use jury_wire::v1::merge::Step;
use jury_wire::v1::surface as wire;

use super::finding_line::finding_line_at;
use super::style::{BAD, FAINT, STRONG};
use super::verified::wire_verification;
use super::{inert, painted};

/// How many lines of code stand around a finding.
const AROUND: u32 = 3;

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
