//! Secrets on their way into a record: taken out of every text that a reviewer or an author wrote.
//!
//! A record is kept for long, and all output is made from it: text that is not in it is in no verdict file, report or
//! terminal either.

use std::borrow::Cow;

use jury_rules::Redactor;
use jury_wire::v1::findings::{Artifact, Detailed};
use serde_json::Value;

use super::{NoAnswer, Output, Record, RecordedAnswer, Run};
use crate::model::Scope;

/// Learns the secrets of the files under review, so that a quote of one without its name is recognised too.
pub fn secrets_of(scope: &Scope) -> Redactor {
    let files: Vec<Cow<'_, str>> =
        scope.files.iter().filter_map(|file| file.after.as_deref()).map(String::from_utf8_lossy).collect();
    Redactor::knowing(files.iter().map(AsRef::as_ref))
}

/// Returns the text of a file as records keep it.
pub fn cited_text(bytes: &[u8], redactor: &Redactor) -> String {
    redactor.redact(&String::from_utf8_lossy(bytes)).into_owned()
}

/// Takes the secrets out of the outputs of reviewers.
pub fn redact_runs(runs: &mut [Run], redactor: &Redactor) {
    let hide = |text: &mut String| hide(text, redactor);
    for run in runs {
        run.criteria.iter_mut().for_each(hide);
        match &mut run.result {
            Ok(RecordedAnswer { output, unseen, packages, broken: _, text_only: _, nonce: _ }) => {
                match output {
                    Output::Stated(document) => redact_document(document, &hide),
                    Output::Printed(text) => hide(text),
                    Output::Checked(result) => result.texts_mut().for_each(hide),
                }
                unseen.iter_mut().for_each(|unseen| hide(&mut unseen.why));
                packages.texts_mut().for_each(hide);
            }
            Err(NoAnswer::Failed { why, printed }) => {
                hide(why);
                printed.iter_mut().for_each(hide);
            }
            Err(NoAnswer::Skipped(_)) => {}
        }
    }
}

fn hide(text: &mut String, redactor: &Redactor) {
    if let Cow::Owned(redacted) = redactor.redact(text) {
        *text = redacted;
    }
}

impl Record {
    /// Takes the secrets out of everything that was written by a reviewer or an author.
    pub fn redact(&mut self, redactor: &Redactor) {
        let hide = |text: &mut String| hide(text, redactor);
        redact_runs(&mut self.runs, redactor);
        self.gaps.iter_mut().for_each(|gap| hide(&mut gap.what));
        self.waivers.iter_mut().for_each(|waiver| hide(&mut waiver.reason));
        self.scope.commits.iter_mut().for_each(hide);
        self.guidelines.values_mut().for_each(hide);
    }
}

fn redact_document(document: &mut Artifact, hide: &dyn Fn(&mut String)) {
    let Artifact { reviewer, findings, residual_risks, testing_gaps, other } = document;
    hide(reviewer);
    residual_risks.iter_mut().chain(testing_gaps).for_each(hide);
    other.values_mut().for_each(|value| redact_value(value, hide));
    for Detailed { merge, why_it_matters, evidence, other } in findings {
        hide(&mut merge.title);
        hide(&mut merge.file);
        merge.suggested_fix.iter_mut().for_each(hide);
        hide(why_it_matters);
        evidence.iter_mut().for_each(hide);
        other.values_mut().for_each(|value| redact_value(value, hide));
    }
}

fn redact_value(value: &mut Value, hide: &dyn Fn(&mut String)) {
    match value {
        Value::String(text) => hide(text),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, hide)),
        Value::Object(members) => members.values_mut().for_each(|member| redact_value(member, hide)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;
    use crate::model::{Domain, PackageChange, PackageChanges, RepoPath, ReviewerKind};
    use crate::record::{RecordedAnswer, Run, UnseenFile, fixtures, write};

    fn document(title: &str, reason: &str) -> Artifact {
        let text = serde_json::json!({
            "reviewer": "correctness", "residual_risks": [reason], "testing_gaps": [reason],
            "findings": [{
                "title": title, "severity": "P0", "file": ".", "line": 1, "autofix_class": "manual", "owner": "human",
                "requires_verification": true, "suggested_fix": reason, "confidence": 100, "pre_existing": false,
                "why_it_matters": reason, "evidence": [reason], "ignored": reason,
            }],
        });
        serde_json::from_value(text).unwrap()
    }

    /// Reads an answer as intake does, and returns the title of its only claim.
    fn title_of(answer: &RecordedAnswer) -> String {
        let report = match &answer.output {
            Output::Checked(result) => return result.tail.clone(),
            Output::Stated(document) => formats::stated(document).unwrap(),
            Output::Printed(text) => {
                let format = formats::by_id("findings-json").unwrap();
                format.read(text.as_bytes(), &Default::default()).report.unwrap()
            }
        };
        report.claims[0].title.to_string()
    }

    /// The outputs of reviewers, why one failed, and the texts of an author lose their secrets on the way into the record; and
    /// the answer is still understood.
    #[test]
    fn no_secret_goes_into_a_record() {
        let password = "hV7xk29sQmZ";
        let key = ["AK", "IAQ3ZX7KMN2VB4WRTY"].concat();
        let reason = format!("a log-in with {password} and {key}");
        let title = format!("{key}, {password}: Aborted");
        let unseen = vec![UnseenFile { path: RepoPath::new("a.ts").unwrap(), why: key.clone() }];
        let packages = PackageChanges::of(
            [PackageChange {
                lockfile: RepoPath::new("yarn.lock").unwrap(),
                name: key.clone(),
                gone: vec![key.clone()],
                came: Vec::new(),
                source: Some(key.clone()),
            }]
            .into_iter(),
        );
        let answer = |output| {
            Ok(RecordedAnswer {
                output,
                unseen: unseen.clone(),
                broken: Vec::new(),
                text_only: Vec::new(),
                packages: packages.clone(),
                nonce: None,
            })
        };
        let run = |result| Run {
            format: Some("findings-json"),
            result,
            ..fixtures::run("correctness", ReviewerKind::BuiltIn, None, "")
        };
        let stated = document(&title, &reason);
        let printed = serde_json::to_string(&stated).unwrap();
        for output in [Output::Stated(Box::new(stated)), Output::Printed(printed)] {
            let failed = NoAnswer::Failed { why: format!("it printed {key}"), printed: Some(key.clone()) };
            let mut record = fixtures::record(vec![run(answer(output)), run(Err(failed))]);
            record.scope.commits = vec![format!("Use {key}")];
            record.gaps = vec![unseen[0].gap(&Domain::new("correctness").unwrap())];
            record.redact(&Redactor::knowing([format!("password = \"{password}\"").as_str()]));
            let written = String::from_utf8(write(&record)).unwrap();
            assert!(!written.contains(password) && !written.contains(&key), "{written}");
            let title = title_of(record.runs[0].answer().unwrap());
            assert!(title.contains("[redacted aws-access-key ") && title.contains("[redacted password "), "{title}");
        }
    }
}
