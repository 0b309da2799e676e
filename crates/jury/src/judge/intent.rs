//! The answers to acceptance criteria, and the tree, in; findings, gaps and the joint answer to each criterion out. Pure.
//!
//! *Not met* is a finding at the severity that the policy names. *Not assessed* is a gap, and so is *met* whose quote is not there: nobody has seen
//! that it is. An answer can add findings and gaps, and takes nothing away.

use std::collections::BTreeMap;

use super::hearing::{Assessed, Hearing};
use super::weigh::weigh;
use crate::intake;
use crate::model::{
    AssessedCriterion, Assessment, AutofixClass, Claim, Confidence, Domain, Fulfilment, Gap, GapKind, Location, Owner,
    RepoPath, Report, Severity, Title,
};
use crate::synthesis::{self, Source};

/// The longest part of a criterion that a title shows, in characters.
const LONGEST_TITLE: usize = 80;

/// A criterion, by the domain of its reviewer and its place.
type Key = (Domain, usize);

/// Adds what the answers lead to, and returns the joint answer to each criterion.
pub(super) fn assess(
    hearing: &mut Hearing,
    tree: &BTreeMap<RepoPath, Vec<u8>>,
    not_met: Severity,
) -> Vec<AssessedCriterion> {
    let mut joint: BTreeMap<Key, (Assessment, &Assessed)> = BTreeMap::new();
    let assessed = std::mem::take(&mut hearing.assessed);
    for of in &assessed {
        for answer in &of.answers {
            let answer = borne_out(answer, tree);
            let key = (of.domain.clone(), answer.criterion);
            match joint.get(&key) {
                Some((before, _)) if intake::rank(before.answer) >= intake::rank(answer.answer) => {}
                _ => _ = joint.insert(key, (answer, of)),
            }
        }
    }
    let mut answers = Vec::new();
    for ((domain, criterion), (answer, of)) in joint {
        let text = of.criteria.get(criterion).cloned().unwrap_or_default();
        match answer.answer {
            Fulfilment::Met => {}
            Fulfilment::NotMet => {
                let claims = vec![claim(&domain, &text, &answer, tree, not_met)];
                let mut report = Report { claims, ..Report::default() };
                hearing.reweighted.extend(weigh(&mut report, hearing.reports.len(), Some(&of.weighting)));
                hearing.reports.push(report);
                hearing.sources.push(Source::Model);
            }
            Fulfilment::NotAssessed => {
                let why = if answer.why.is_empty() { String::new() } else { format!(" ({})", answer.why) };
                let what = format!("not assessed: {}{why}", short(&text));
                if of.weighting.has_to_report() {
                    hearing.gaps.push(Gap {
                        reviewer: domain.clone(),
                        kind: GapKind::UnknownState,
                        what,
                        remedy:
                            "show it in the change, best by a test, then review again; or take it out of the criteria"
                                .to_owned(),
                    });
                } else {
                    hearing.excused.push(format!("{what} ({})", of.weighting.role));
                }
            }
        }
        answers.push(AssessedCriterion { domain, text, answer: answer.answer });
    }
    answers
}

/// Holds an answer against the tree: what is met can be quoted.
fn borne_out(answer: &Assessment, tree: &BTreeMap<RepoPath, Vec<u8>>) -> Assessment {
    let not_assessed = |why: String| Assessment { answer: Fulfilment::NotAssessed, why, ..answer.clone() };
    if answer.answer != Fulfilment::Met {
        return answer.clone();
    }
    let Some(file) = answer.file.as_ref().filter(|_| !answer.evidence.is_empty()) else {
        return not_assessed("it is called met without a quote".to_owned());
    };
    match (tree.get(file), is_quoted(answer, tree)) {
        (None, _) => not_assessed(format!("it is called met by {file}, which is not there")),
        (Some(_), false) => not_assessed(format!("it is called met by a quote that is nowhere in {file}")),
        (Some(_), true) => answer.clone(),
    }
}

/// Tells whether a quote of an answer stands in its file.
fn is_quoted(answer: &Assessment, tree: &BTreeMap<RepoPath, Vec<u8>>) -> bool {
    let bytes = answer.file.as_ref().and_then(|file| tree.get(file));
    bytes.is_some_and(|bytes| answer.evidence.iter().any(|item| synthesis::stands_in(bytes, item)))
}

fn claim(
    domain: &Domain,
    text: &str,
    answer: &Assessment,
    tree: &BTreeMap<RepoPath, Vec<u8>>,
    severity: Severity,
) -> Box<Claim> {
    let title = Title::new(&format!("Not met: {}", short(text))).expect("it begins with words");
    // What is missing has no line; a place or a quote that is not there is not shown.
    let file = answer.file.as_ref().filter(|file| tree.contains_key(*file));
    let is_quoted = is_quoted(answer, tree);
    let location = file.map(|file| {
        let lines = answer.lines.filter(|_| is_quoted);
        Location::new(file.clone(), lines)
    });
    let why = if answer.why.is_empty() { "The reviewer gives no reason.".to_owned() } else { answer.why.clone() };
    Box::new(Claim {
        reviewer: Some(domain.clone()),
        confidence: Some(Confidence::from_percent(100).expect("100 is a percent")),
        location,
        why: Some(why),
        fix: Some(format!("Do what the criterion asks for: {text}")),
        evidence: if is_quoted { answer.evidence.clone() } else { Vec::new() },
        autofix: Some(AutofixClass::Manual),
        owner: Some(Owner::ReviewFixer),
        requires_verification: Some(true),
        pre_existing: Some(false),
        ..Claim::new(title, severity)
    })
}

fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST_TITLE {
        return text.to_owned();
    }
    text.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}
