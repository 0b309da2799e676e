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

#[cfg(test)]
mod tests {
    use crate::judge::judge;
    use crate::model::{Fulfilment, Outcome, ReviewerKind, ReviewerRole, Severity};
    use crate::record::fixtures::{record, run};
    use crate::record::{Record, Run};

    /// The answer of a model, without a nonce, to two criteria.
    fn answered(answers: &[&str]) -> Record {
        let of = |answer: &&str| Run {
            criteria: vec!["One is one".to_owned(), "Two is two".to_owned()],
            ..run("intent", ReviewerKind::Agent, None, &format!("{{\"criteria\":[{answer}]}}"))
        };
        let mut record = record(answers.iter().map(of).collect());
        record.scope.unreviewed.clear();
        let file = record.scope.files[0].path.clone();
        record.cited.insert(file, "const one = 1;\n".to_owned());
        record
    }

    fn met(criterion: usize) -> String {
        format!(r#"{{"criterion":{criterion},"answer":"met","file":"a.ts","line":1,"evidence":["const one = 1;"]}}"#)
    }

    fn not_met(criterion: usize) -> String {
        format!(r#"{{"criterion":{criterion},"answer":"not met","why":"It is not."}}"#)
    }

    fn outcome(record: &Record) -> (Outcome, Vec<Fulfilment>, Vec<String>) {
        let judgement = judge(record);
        let titles = judgement.file.findings.iter().map(|finding| format!("{} {}", finding.severity, finding.title));
        let answers = judgement.merged.assessed.iter().map(|it| it.answer).collect();
        (judgement.merged.verdict.outcome, answers, titles.collect())
    }

    #[test]
    fn only_a_quote_that_is_there_makes_a_criterion_met() {
        use Fulfilment::{Met, NotAssessed, NotMet};
        let both = [met(1), met(2)].join(",");
        assert_eq!(outcome(&answered(&[&both])), (Outcome::Clear, vec![Met, Met], Vec::new()));
        for (other, why) in [
            (met(2).replace("const one = 1;", "const two = 2;"), "it is called met by a quote that is nowhere in a.ts"),
            (met(2).replace("a.ts", "c.ts"), "it is called met by c.ts, which is not there"),
            (met(2).replace("[\"const one = 1;\"]", "[]"), "it is called met without a quote"),
            (met(2).replace("const one = 1;", "1"), "it is called met by a quote that is nowhere in a.ts"),
        ] {
            let title = format!("High Review incomplete: not assessed: Two is two ({why})");
            let expected = (Outcome::Incomplete, vec![Met, NotAssessed], vec![title]);
            assert_eq!(outcome(&answered(&[&format!("{},{other}", met(1))])), expected);
        }
        let mut record = answered(&[&format!("{},{}", met(1), not_met(2))]);
        let expected = (Outcome::Blocked, vec![Met, NotMet], vec!["High Not met: Two is two".to_owned()]);
        assert_eq!(outcome(&record), expected);
        record.policy.policy.not_met = Severity::Low;
        let expected = (Outcome::Clear, vec![Met, NotMet], vec!["Low Not met: Two is two".to_owned()]);
        assert_eq!(outcome(&record), expected);
    }

    #[test]
    fn of_several_answers_not_met_wins_and_silence_loses() {
        use Fulfilment::{Met, NotMet};
        let parts = [met(1), [met(2), not_met(1)].join(",")];
        let (outcome, answers, _) = outcome(&answered(&[&parts[0], &parts[1]]));
        assert_eq!((outcome, answers), (Outcome::Blocked, vec![NotMet, Met]));
    }

    #[test]
    fn who_need_not_report_leaves_a_note() {
        let mut record = answered(&[&met(1)]);
        record.runs[0].weighting.role = ReviewerRole::Optional;
        let judgement = judge(&record);
        assert_eq!(judgement.merged.verdict.outcome, Outcome::Clear);
        let note = "not assessed: Two is two (the answer does not mention it) (optional)";
        assert!(judgement.merged.synthesis.residual_risks.iter().any(|it| it == note));
        record.runs[0].weighting.role = ReviewerRole::Advisory;
        record.runs[0] =
            Run { weighting: record.runs[0].weighting.clone(), ..answered(&[&not_met(1)]).runs[0].clone() };
        let judgement = judge(&record);
        assert_eq!(judgement.file.findings[0].severity, "Medium");
    }
}
