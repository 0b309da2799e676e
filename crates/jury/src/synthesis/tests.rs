//! Shared by the tests of the steps: small claims and reports.

use super::candidate::{Candidate, Grounding, Origin, Several, Voice};
use super::files::Files;
use super::{Settled, Synthesis};
use crate::model::{
    Attendance, Claim, Confidence, Domain, LineRange, Location, RepoPath, Report, Reviewer, Severity, Title,
};

/// A High claim at 75 with evidence, at a file and lines.
pub(super) fn claim(title: &str, place: Option<(&str, &str)>) -> Claim {
    let location =
        place.map(|(file, lines)| Location::new(RepoPath::new(file).unwrap(), Some(LineRange::parse(lines).unwrap())));
    Claim {
        confidence: Confidence::from_percent(75).ok(),
        location,
        evidence: vec!["as anybody can see".to_owned()],
        ..Claim::new(Title::new(title).unwrap(), Severity::High)
    }
}

pub(super) fn report(reviewer: &str, claims: Vec<Claim>) -> Report {
    let attendance = Attendance::Spoke { verdict: None, confidence: None, file: None };
    let reviewers = vec![Reviewer { name: Domain::new(reviewer).unwrap(), attendance }];
    Report { reviewers, claims: claims.into_iter().map(Box::new).collect(), ..Report::default() }
}

pub(super) fn candidate(claim: Claim) -> Candidate {
    let voice =
        Voice { name_index: 0, family_index: None, is_independent: true, has_evidence: true, is_counted: false };
    Candidate {
        claim: Box::new(claim),
        merged: Vec::new(),
        file: Files::NONE,
        title: 0,
        origins: Several::One(Origin { report_index: 0, claim_index: 0 }),
        voices: Several::One(voice),
        trail: Vec::new(),
        grounding: Grounding::Unchecked,
        is_synthesised: false,
        promoted: None,
        is_of_check: false,
    }
}

pub(super) fn confidences(list: &[Box<Settled>]) -> Vec<(String, Option<u32>)> {
    let claims = list.iter().map(|settled| &settled.finding.representative);
    claims.map(|claim| (claim.title.to_string(), claim.confidence.map(Confidence::percent))).collect()
}

#[test]
fn nothing_comes_of_nothing() {
    assert_eq!(super::synthesise(Vec::new(), &super::Options::default()), Synthesis::default());
}

#[test]
fn remarks_are_kept_once() {
    let with = |risk: &str| Report { residual_risks: vec![risk.to_owned()], ..report("qa", Vec::new()) };
    let result = super::synthesise(vec![with("b"), with("a"), with("b")], &super::Options::default());
    assert_eq!(result.residual_risks, ["a", "b"]);
}
