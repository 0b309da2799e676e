//! Records of earlier versions, made by the programs that wrote them, still judge to the same verdict file; and a built-in output
//! as a value is the same as its text.

use std::path::Path;

use jury::flows::replay::{Comparison, compare, verified_again};
use jury::formats;
use jury::judge::{conclude, hear, judge};
use jury::record::{Record, read, write};
use jury::syntax::Limits;
use jury_rules::{SPECIALISTS, SourceFile};
use jury_wire::v1::code_review::Finding;

fn recorded(version: &str, name: &str) -> Record {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records").join(version);
    let bytes = std::fs::read(folder.join(format!("{name}.json"))).expect("the fixture is there");
    read(&bytes).expect("the fixture is a record")
}

fn v1(name: &str) -> Record {
    recorded("v1", name)
}

fn v2(name: &str) -> Record {
    recorded("v2", name)
}

/// Sentences about gaps as that program wrote them, and as they are written now. Nothing else may differ.
const REWORDED: [(&str, &str); 4] = [
    ("Review incomplete: not looked at (", "Review incomplete: not reviewed ("),
    (
        "a person looks at these files, or they leave the change",
        "have a person review these files, or take them out of the change",
    ),
    (" was not looked at: ", " was not reviewed: "),
    ("a person looks at the file, or it is split", "have a person review the file, or split it"),
];

fn reword(finding: &mut Finding) {
    for (then, now) in REWORDED {
        finding.title = finding.title.replace(then, now);
        finding.recommendation = finding.recommendation.replace(then, now);
    }
}

#[test]
fn a_record_of_version_1_judges_to_the_same_verdict_file() {
    for name in ["abort", "agent", "full-since", "gaps", "quick", "verify.review", "waived"] {
        let record = v1(name);
        let mut decision = record.decision.clone().expect("the fixture is decided");
        decision.file.findings.iter_mut().for_each(reword);
        let judgement = judge(&record);
        assert_eq!(judgement.file, decision.file, "{name}");
        assert_eq!(judgement.gap_ids(), decision.gaps, "{name}");
        // As the newest version it judges to the same once more.
        let again = judge(&read(&write(&record)).expect("what was written is read"));
        assert_eq!((again.file, again.report), (judgement.file, judgement.report), "{name}");
    }
}

#[test]
fn other_words_for_a_gap_are_no_other_decision() {
    let record = v1("gaps");
    let mut again = judge(&record).file;
    assert_eq!(compare(&again, &record), Comparison::Reworded);
    again.findings[0].severity = "Low".to_owned();
    assert_eq!(compare(&again, &record), Comparison::Different);
    let record = v1("quick");
    assert_eq!(compare(&judge(&record).file, &record), Comparison::Same);
}

#[test]
fn a_verification_of_version_1_replays_to_the_same_verdict_file() {
    let record = v1("verify");
    let decision = record.decision.clone().expect("the fixture is decided");
    assert_eq!(verified_again(v1("verify.review"), &record).expect("the fixture is whole"), decision.file);
}

#[test]
fn a_record_of_a_later_version_judges_to_the_same_verdict_file() {
    let usual = ["abort", "quick", "verify.review"].as_slice();
    // Version 4 has packages, counted waivers and the results of checks.
    for (version, more) in [("v2", [].as_slice()), ("v3", &[]), ("v4", &["check"])] {
        for name in usual.iter().chain(more) {
            let record = recorded(version, name);
            let decision = record.decision.clone().expect("the fixture is decided");
            let judgement = judge(&record);
            assert_eq!((&judgement.file, &judgement.gap_ids()), (&decision.file, &decision.gaps), "{version} {name}");
            let again = judge(&read(&write(&record)).expect("what was written is read"));
            assert_eq!((again.file, again.report), (judgement.file, judgement.report), "{version} {name}");
        }
        let record = recorded(version, "verify");
        let decision = record.decision.clone().expect("the fixture is decided");
        let again = verified_again(recorded(version, "verify.review"), &record).expect("the fixture is whole");
        assert_eq!(again, decision.file, "{version}");
    }
}

#[test]
fn a_review_compares_alike_with_one_whose_record_has_no_features() {
    let old = v2("verify.review");
    assert_eq!(old.found, None);
    let mut before = old.clone();
    judge(&old).write_into(&mut before);
    assert_eq!(before.found.as_ref().map(|found| found.open.len()), Some(2));
    let since = |before: &Record| {
        let mut record = v2("abort");
        let hearing = hear(&record);
        let judgement = conclude(&mut record, hearing, Some(before));
        (record.since.expect("there is a review before"), judgement.report)
    };
    let (with_features, report) = since(&before);
    assert_eq!((with_features.persisting, with_features.new), (2, 1), "{with_features:?}");
    assert_eq!((with_features, report), since(&old));
}

/// Reads a document as its text, as a record of version 1 has it.
fn from_text(document: &jury_wire::v1::findings::Artifact) -> jury::model::Report {
    let text = serde_json::to_string(document).expect("strings, numbers and lists are always JSON");
    let format = formats::by_id("findings-json").expect("004 is a format");
    format.read(text.as_bytes(), &Limits::default()).report.expect("a specialist keeps its contract")
}

#[test]
fn a_built_in_output_is_the_same_as_its_text() {
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jury-rules/truth");
    let mut folders = vec![truth];
    let (mut files, mut findings) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the truth set is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            files += 1;
            // A tenth of the truth set has every kind of finding, and does not take long.
            if files % 10 != 0 {
                continue;
            }
            for specialist in SPECIALISTS {
                let review = specialist.review(&[SourceFile { path: &name, text: &text, touched: &[] }]);
                let stated = formats::stated(&review.findings).expect("a specialist keeps its contract");
                findings += stated.claims.len();
                assert_eq!(stated, from_text(&review.findings), "{}, {}", specialist.domain, path.display());
            }
        }
    }
    assert!(findings > 100, "{findings} findings in {files} files");
}
