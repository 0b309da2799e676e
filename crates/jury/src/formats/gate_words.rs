//! The common words of all contracts of 001: three verdicts, three confidences, blockers and advisories.
//!
//! In: words and one-line items with their places; on the way back, a report. Out: claims, and the [`Statement`] that
//! each writer of 001 spells in its own way. Deliberately not here: the layout of any of them.

use std::borrow::Cow;

use jury_wire::Reason;

use super::{Written, prose, vocabulary};
use crate::model::{
    Attendance, Claim, Confidence, Domain, Evidence, GateVerdict, Location, PathError, RepoPath, Report, Severity,
    Stated, Tally, Title,
};
use crate::syntax::{Node, Reader, Span, Value};

/// The two lists of 001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// Claims that close the gate.
    Blockers,
    /// Claims that do not.
    Advisories,
}

impl List {
    /// Returns the severity of an item (DESIGN §5): an advisory weighs more where the reviewer warns.
    pub(super) fn severity(self, verdict: Option<GateVerdict>) -> Severity {
        match (self, verdict) {
            (Self::Blockers, _) => Severity::Blocker,
            (Self::Advisories, Some(GateVerdict::Warn)) => Severity::Medium,
            (Self::Advisories, _) => Severity::Low,
        }
    }

    /// Returns the list that a claim is written to.
    fn of(severity: Severity) -> Self {
        if severity.is_at_least(Severity::High) { Self::Blockers } else { Self::Advisories }
    }
}

/// Reads a verdict.
pub(super) fn verdict(reader: &mut Reader<'_, '_>, span: Span, text: &str) -> Option<GateVerdict> {
    let legal = GateVerdict::ALL.iter().map(|verdict| verdict.token());
    reader.token(&text_node(span, text), GateVerdict::from_token, legal)
}

/// Reads a confidence.
pub(super) fn confidence(reader: &mut Reader<'_, '_>, span: Span, text: &str) -> Option<Confidence> {
    let legal = vocabulary::CONFIDENCE_WORDS.map(|(word, _)| word);
    reader.token(&text_node(span, text), vocabulary::confidence_from_word, legal)
}

fn text_node<'a>(span: Span, text: &str) -> Node<'a> {
    Node { span, value: Value::String(Cow::Owned(text.to_owned())) }
}

/// Reads an item of either list: one line, with or without a `file:line` reference.
pub(super) fn claim(
    reader: &mut Reader<'_, '_>,
    span: Span,
    text: &str,
    severity: Severity,
    confidence: Option<Confidence>,
) -> Option<Claim> {
    let text = line(reader, span, text);
    let (place, title) = prose::split_reference(&text);
    let location = match place {
        Ok(location) => location,
        Err((reason, message)) => {
            reader.deviate(reason, span, message);
            return None;
        }
    };
    let title = reader.expect(Reason::Blank, span, Title::new(title))?;
    Some(Claim { confidence, location, ..Claim::new(title, severity) })
}

/// Reads a text that has to be one plain line; of one that is not, the lines are joined, and control characters are
/// spaces.
pub(super) fn line<'t>(reader: &mut Reader<'_, '_>, span: Span, text: &'t str) -> Cow<'t, str> {
    let text = text.trim();
    if prose::is_plain(text) {
        return Cow::Borrowed(text);
    }
    if prose::is_one_line(text) {
        reader.deviate(Reason::ControlCharacter, span, "expected a line without control characters");
    } else {
        reader.deviate(Reason::NotOneLine, span, "expected one line");
    }
    Cow::Owned(prose::one_line(text))
}

/// Reads a path that stands in a line, and refuses one that could not be written there again.
pub(super) fn plain_path<'t>(reader: &mut Reader<'_, '_>, span: Span, text: &'t str) -> Option<&'t str> {
    if !prose::is_plain(text) {
        reader.deviate(Reason::ControlCharacter, span, "expected a path without control characters");
        return None;
    }
    Some(text)
}

/// Notes a verdict that contradicts the number of blockers: `fail` has at least one, the others have none. False if so.
pub(super) fn agrees(reader: &mut Reader<'_, '_>, verdict: GateVerdict, span: Span, blockers: usize) -> bool {
    let agrees = (verdict == GateVerdict::Fail) == (blockers > 0);
    if !agrees {
        let message = match blockers {
            0 => format!("the verdict is {verdict}, but no blocker is listed"),
            1 => format!("the verdict is {verdict}, but a blocker is listed"),
            _ => format!("the verdict is {verdict}, but {blockers} blockers are listed"),
        };
        reader.deviate(Reason::VerdictContradiction, span, message);
    }
    agrees
}

/// Reads the path of the evidence: relative, never above where it starts.
pub(super) fn evidence_path(reader: &mut Reader<'_, '_>, span: Span, text: &str) -> Option<Evidence> {
    let text = plain_path(reader, span, text)?;
    let path = check_evidence_path(text).map(|()| Evidence::Path(text.to_owned()));
    reader.expect(Reason::BadPath, span, path)
}

/// Tells why a text is not the path of evidence. Unlike the path of a finding it may start with `./`, as in the seed.
pub(super) fn check_evidence_path(text: &str) -> Result<(), PathError> {
    RepoPath::new(text.strip_prefix("./").unwrap_or(text)).map(|_| ())
}

/// A report as the contracts of 001 can say it.
pub(super) struct Statement<'r> {
    /// The verdict.
    pub(super) verdict: GateVerdict,
    /// How sure the reviewer is, where that is known.
    pub(super) confidence: Option<Confidence>,
    /// Claims that close the gate; not empty exactly if the verdict is `fail`.
    pub(super) blockers: Vec<Item<'r>>,
    /// The other claims.
    pub(super) advisories: Vec<Item<'r>>,
}

/// One item of either list.
#[derive(Clone)]
pub(super) struct Item<'r> {
    /// Which claim it states, or [`Written::NO_CLAIM`].
    pub(super) claim_index: usize,
    /// How bad that is.
    pub(super) severity: Severity,
    /// Where.
    pub(super) location: Option<&'r Location>,
    /// The title, in one plain line.
    pub(super) title: String,
}

impl<'r> Statement<'r> {
    /// Brings a report into 001's words. Praise and settled claims are left out; a claim only marked as fixed is not.
    pub(super) fn of(report: &'r Report) -> Self {
        let is_said = |claim: &Claim| claim.severity != Severity::Praise && claim.status().is_unsettled();
        let said: Vec<(usize, &Claim)> = report.claims().enumerate().filter(|(_, claim)| is_said(claim)).collect();
        let items = |list: List| -> Vec<Item<'r>> {
            let of_list = said.iter().filter(|(_, claim)| List::of(claim.severity) == list);
            of_list.map(|(index, claim)| Item::of(*index, claim)).collect()
        };
        let (mut blockers, advisories) = (items(List::Blockers), items(List::Advisories));
        if blockers.is_empty() {
            blockers.extend(failure_without_blockers(report));
        }
        let tally = Tally::of_claims(said.iter().map(|(_, claim)| *claim), |_| true).gate();
        let least = || said.iter().filter_map(|(_, claim)| claim.confidence).min();
        Self {
            verdict: spoken(report.stated, tally, !blockers.is_empty()),
            confidence: report.confidence.or_else(least),
            blockers,
            advisories,
        }
    }

    /// Returns the confidence in 001's words where the contract requires one.
    pub(super) fn confidence_word(&self) -> &'static str {
        vocabulary::confidence_word(self.confidence.unwrap_or(Confidence::UNSTATED))
    }
}

/// Chooses the verdict: the stated one of 001 if it agrees, for example a bare `warn`, else the one that the claims give.
fn spoken(stated: Option<Stated>, tally: GateVerdict, has_blockers: bool) -> GateVerdict {
    match (has_blockers, stated) {
        (true, _) => GateVerdict::Fail,
        (false, Some(Stated::Gate(GateVerdict::Warn))) => GateVerdict::Warn,
        // A stated `pass` gives way to a Medium claim, which would otherwise be read back as less.
        (false, _) => tally,
    }
}

/// States a failure of which no blocker is left to state, so that it never becomes green by being written.
fn failure_without_blockers<'r>(report: &Report) -> Option<Item<'r>> {
    let failed: Vec<&str> = report
        .reviewers
        .iter()
        .filter(|r| matches!(r.attendance, Attendance::Spoke { verdict: Some(GateVerdict::Fail), .. }))
        .map(|reviewer| Domain::as_str(&reviewer.name))
        .collect();
    let stated = report.stated.filter(|stated| stated.closes_the_gate());
    let title = match (failed.is_empty(), stated) {
        (false, _) => format!("failed without an open blocker: {}", failed.join(", ")),
        (true, Some(stated)) => format!("the review says {stated} without an open blocker"),
        (true, None) => return None,
    };
    Some(Item::summary(title, Severity::Blocker))
}

impl<'r> Item<'r> {
    fn of(claim_index: usize, claim: &'r Claim) -> Self {
        let title = prose::plain_line(claim.title.as_str());
        Self { claim_index, severity: claim.severity, location: claim.location.as_ref(), title }
    }

    /// Makes an item that stands for no single claim.
    pub(super) fn summary(title: String, severity: Severity) -> Self {
        Self { claim_index: Written::NO_CLAIM, severity, location: None, title: prose::plain_line(&title) }
    }
}

/// Says how many items of a list are not shown, if any.
pub(super) fn more(list: List, count: usize) -> Option<String> {
    let (one, several) = match list {
        List::Blockers => ("blocker", "blockers"),
        List::Advisories => ("advisory", "advisories"),
    };
    (count > 0).then(|| format!("{count} more {}", if count == 1 { one } else { several }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReviewVerdict;
    use crate::model::{Reviewer, Status};

    fn claim(title: &str, severity: Severity, status: Option<Status>) -> Claim {
        Claim { status, ..Claim::new(Title::new(title).unwrap(), severity) }
    }

    type Items = Vec<(usize, String)>;

    fn said(report: &Report) -> (GateVerdict, Items, Items) {
        let Statement { verdict, blockers, advisories, .. } = Statement::of(report);
        let items = |items: Vec<Item<'_>>| items.into_iter().map(|item| (item.claim_index, item.title)).collect();
        (verdict, items(blockers), items(advisories))
    }

    #[test]
    fn blockers_and_advisories_keep_the_order_of_the_claims() {
        let report = Report {
            claims: [
                claim("info", Severity::Info, None),
                claim("high\nwith a break", Severity::High, None),
                claim("well done", Severity::Praise, None),
                claim("blocker", Severity::Blocker, Some(Status::Fixed)),
                claim("verified", Severity::Blocker, Some(Status::Verified)),
                claim("medium", Severity::Medium, Some(Status::Reopened)),
                claim("intended", Severity::High, Some(Status::WontFix)),
            ]
            .map(Box::new)
            .into(),
            ..Report::default()
        };
        let blockers = vec![(1, "high with a break".to_owned()), (3, "blocker".to_owned())];
        let advisories = vec![(0, "info".to_owned()), (5, "medium".to_owned())];
        assert_eq!(said(&report), (GateVerdict::Fail, blockers, advisories));
    }

    #[test]
    fn a_stated_verdict_is_kept_while_it_agrees() {
        let verdict = |stated, severity: Option<Severity>| {
            let claims = severity.map(|severity| claim("x", severity, None)).into_iter().map(Box::new).collect();
            said(&Report { stated: Some(Stated::Gate(stated)), claims, ..Report::default() }).0
        };
        assert_eq!(verdict(GateVerdict::Warn, None), GateVerdict::Warn);
        assert_eq!(verdict(GateVerdict::Warn, Some(Severity::Low)), GateVerdict::Warn);
        assert_eq!(verdict(GateVerdict::Warn, Some(Severity::High)), GateVerdict::Fail);
        assert_eq!(verdict(GateVerdict::Pass, Some(Severity::Low)), GateVerdict::Pass);
        assert_eq!(verdict(GateVerdict::Pass, Some(Severity::Medium)), GateVerdict::Warn);
        assert_eq!(verdict(GateVerdict::Pass, Some(Severity::Blocker)), GateVerdict::Fail);
    }

    #[test]
    fn a_failure_without_blockers_stays_a_failure() {
        let none = Written::NO_CLAIM;
        let settled = Report {
            stated: Some(Stated::Review(ReviewVerdict::Fail)),
            claims: vec![Box::new(claim("intended", Severity::Blocker, Some(Status::WontFix)))],
            ..Report::default()
        };
        let title = "the review says FAIL without an open blocker".to_owned();
        assert_eq!(said(&settled), (GateVerdict::Fail, vec![(none, title)], vec![]));
        let spoke = Attendance::Spoke { verdict: Some(GateVerdict::Fail), confidence: None, file: None };
        let reviewers = ["qa", "security"]
            .map(|name| Reviewer { name: Domain::new(name).unwrap(), attendance: spoke.clone() })
            .into();
        let title = "failed without an open blocker: qa, security".to_owned();
        let summary = Report { reviewers, ..Report::default() };
        assert_eq!(said(&summary), (GateVerdict::Fail, vec![(none, title)], vec![]));
        assert_eq!(said(&Report::default()), (GateVerdict::Pass, vec![], vec![]));
    }

    #[test]
    fn the_confidence_is_that_of_the_report_or_the_least_of_its_claims() {
        let percent = |percent| Some(Confidence::from_percent(percent).unwrap());
        let word = |of_report, of_claims: &[u32]| {
            let with = |of_claim| Claim { confidence: percent(of_claim), ..claim("x", Severity::Low, None) };
            let claims = of_claims.iter().map(|of_claim| Box::new(with(*of_claim))).collect();
            Statement::of(&Report { confidence: of_report, claims, ..Report::default() }).confidence_word()
        };
        assert_eq!(word(percent(95), &[10]), "high");
        assert_eq!(word(None, &[100, 69, 80]), "low");
        assert_eq!(word(None, &[]), "med");
    }
}
