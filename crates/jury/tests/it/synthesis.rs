//! The laws of synthesis: nothing is lost, order does not matter, doing it again changes nothing, and nothing that is
//! said against a change makes it look better.

use std::collections::BTreeSet;

use jury::model::{
    Attendance, AutofixClass, Category, Change, Claim, Confidence, Domain, Finding, GateVerdict, Line, LineRange,
    Location, Outcome, Owner, Policy, RepoPath, Report, ReviewVerdict, Reviewer, Severity, Side, Status, Support,
    Title, Verdict,
};
use jury::synthesis::{Options, Origin, Settled, Several, Step, Synthesis, TreeContent, synthesise};
use jury::verdict::decide;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::arbitrary;

const TITLES: &[&str] = &[
    "SQL query built from user input",
    "sql  query built from USER input",
    "SQL query is built from raw user input",
    "The SQL query is built from unsafe user input",
    "Missing null check on `user.email`",
    "No null check for user.email here",
    "Missing null check on `session.id`",
    "Retry limit of 3 is too low",
    "Retry limit of 5 is too low",
    "Race condition in the cache",
];

const EVIDENCE: &[&str] = &[
    "`db.run(sql + id)`",
    "`os.system(cmd)`",
    "5: let total = 0;",
    "it just is so",
    "the call of `user.email` in the loop",
    "```\nfn main() {\n    let total = 0;\n```",
    "src/b.rs:1: `secret()`",
];

const TREE: &str =
    "// head\nfn main() {\n    let total = 0;\n    db.run(sql + id);\n    print(user.email);\n}\nfn end() {}\n";

fn tree(file: &RepoPath) -> Option<Vec<u8>> {
    matches!(file.as_str(), "src/a.rs" | "src/b.rs").then(|| TREE.as_bytes().to_vec())
}

fn change() -> Change {
    let mut change = Change::default();
    let lines = LineRange::parse("3-4").expect("a range");
    change.add_lines(RepoPath::new("src/a.rs").expect("a path"), Side::Right, lines);
    change
}

/// Which of the tree and the change are given.
#[derive(Clone, Copy, Debug)]
struct Given {
    tree: bool,
    change: bool,
    near: bool,
}

fn given() -> impl Strategy<Value = Given> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(tree, change, near)| Given { tree, change, near })
}

fn run(reports: Vec<Report>, given: Given) -> Synthesis {
    let change = change();
    let options = Options {
        tree: given.tree.then_some(&tree as &dyn TreeContent),
        change: given.change.then_some(&change),
        near_duplicates: given.near,
        ..Options::default()
    };
    synthesise(reports, &options)
}

fn location() -> impl Strategy<Value = Location> {
    let file = select(vec!["src/a.rs", "src/b.rs", "src/A.rs", "src/none.rs"]);
    let lines = option::weighted(0.9, (1_i64..12, 0_i64..4));
    (file, lines).prop_map(|(file, lines)| {
        let range = lines.map(|(start, length)| {
            let line = |number| Line::new(number).expect("a line");
            LineRange::new(line(start), line(start + length)).expect("a range")
        });
        Location::new(RepoPath::new(file).expect("a path"), range)
    })
}

prop_compose! {
    fn claim()(
        title in select(TITLES),
        severity in select(&Severity::ALL[..]),
        confidence in option::of(select(vec![0_u32, 25, 50, 60, 75, 100])),
        location in option::weighted(0.9, location()),
        evidence in vec(select(EVIDENCE).prop_map(str::to_owned), 0..3),
        (category, cwe) in (option::weighted(0.2, select(Category::ALL)), vec(select(vec![79_u32, 89]), 0..2)),
        (autofix, owner) in (option::of(select(AutofixClass::ALL)), option::of(select(Owner::ALL))),
        (requires_verification, pre_existing) in (any::<Option<bool>>(), any::<Option<bool>>()),
        (status, system_breaking) in (option::weighted(0.2, select(Status::ALL)), proptest::bool::weighted(0.1)),
        settled_conflict in option::weighted(0.1, Just("D-1".to_owned())),
    ) -> Claim {
        let confidence = confidence.and_then(|percent| Confidence::from_percent(percent).ok());
        let support = Support { settled_conflict, ..Support::default() };
        Claim {
            confidence, location, evidence, category, cwe, autofix, owner, requires_verification, pre_existing,
            status, system_breaking,
            support: (support != Support::default()).then(|| Box::new(support)),
            ..Claim::new(Title::new(title).expect("a title"), severity)
        }
    }
}

fn report_of(name: &str, model: Option<&str>, claims: Vec<Claim>) -> Report {
    let attendance = Attendance::Spoke { verdict: None, confidence: None, file: None };
    let mut report = Report {
        reviewers: vec![Reviewer { name: Domain::new(name).expect("a name"), attendance }],
        claims: claims.into_iter().map(Box::new).collect(),
        ..Report::default()
    };
    report.facts.model = model.map(str::to_owned);
    report
}

fn report() -> impl Strategy<Value = Report> {
    let name = select(vec!["security", "qa", "correctness", "fast-pass", "adversarial-x"]);
    let model = option::weighted(0.4, select(vec!["claude-opus-4", "sonnet", "gpt-5"]));
    (name, model, vec(claim(), 0..5)).prop_map(|(name, model, claims)| report_of(name, model, claims))
}

/// A finding with its number, its reviewers, the independent ones, and whether it was promoted.
type Told = (usize, Finding, Several<Domain>, Several<Domain>, bool);

/// A finding as far as it does not depend on where its claims were, with its trail.
fn told(list: &[Box<Settled>]) -> Vec<(Told, Vec<String>)> {
    list.iter()
        .map(|settled| {
            let Settled { number, finding, reviewers, independent_reviewers, promoted, trail, origins: _ } =
                Settled::clone(settled);
            let trail = trail.iter().map(|entry| format!("{}: {}", entry.step, entry.reason)).collect();
            ((number, finding, reviewers, independent_reviewers, promoted), trail)
        })
        .collect()
}

/// A finding as far as it does not depend on how often it was synthesised.
fn settled(list: &[Box<Settled>]) -> Vec<Told> {
    told(list)
        .into_iter()
        .map(|((number, finding, reviewers, independent, promoted), _)| {
            let mut representative = finding.representative;
            representative.support = representative.support.filter(|support| **support != Support::default());
            let finding = Finding { merged: Vec::new(), representative, ..finding };
            (number, finding, reviewers, independent, promoted)
        })
        .collect()
}

fn verdict(result: &Synthesis) -> Verdict {
    let findings: Vec<Finding> = result.findings.iter().map(|settled| settled.finding.clone()).collect();
    decide(&findings, &[], &Policy::default())
}

/// How bad a verdict is, in each vocabulary.
fn badness(verdict: Verdict) -> [usize; 4] {
    let gate = match verdict.gate {
        GateVerdict::Pass => 0,
        GateVerdict::Warn => 1,
        GateVerdict::Fail => 2,
    };
    let outcome = match verdict.outcome {
        Outcome::Clear => 0,
        Outcome::Waiting => 1,
        Outcome::Incomplete => 2,
        Outcome::Blocked => 3,
        Outcome::Aborted => 4,
    };
    let review = ReviewVerdict::ALL.iter().position(|word| *word == verdict.review).expect("a verdict");
    let approval = match verdict.approval {
        jury::model::Approval::Approved => 0,
        jury::model::Approval::Commented => 1,
        jury::model::Approval::ChangesRequested => 2,
    };
    [gate, outcome, review, approval]
}

fn check_accounting(reports: &[Report], result: &Synthesis) -> Result<(), TestCaseError> {
    let mut landed: Vec<Origin> = result.lists().concat().iter().flat_map(|settled| settled.origins.clone()).collect();
    landed.sort_unstable();
    let all: Vec<Origin> = (0..)
        .zip(reports)
        .flat_map(|(report_index, report)| {
            (0..).zip(&report.claims).map(move |(claim_index, _)| Origin { report_index, claim_index })
        })
        .collect();
    prop_assert_eq!(landed, all, "a claim is lost or in two places");
    for settled in result.lists().concat() {
        prop_assert_eq!(settled.finding.claims().count(), settled.origins.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn every_claim_lands_in_exactly_one_place(reports in vec(report(), 0..6), given in given()) {
        check_accounting(&reports, &run(reports.clone(), given))?;
    }

    #[test]
    fn every_claim_lands_however_it_is_written(reports in vec(arbitrary::report(), 0..4), given in given()) {
        check_accounting(&reports, &run(reports.clone(), given))?;
    }

    #[test]
    fn the_order_of_reports_and_claims_does_not_matter(
        (reports, shuffled) in vec(report(), 0..6).prop_flat_map(|reports| {
            let claims_shuffled: Vec<_> = reports
                .iter()
                .map(|report| {
                    let report = report.clone();
                    Just(report.claims.clone())
                        .prop_shuffle()
                        .prop_map(move |claims| Report { claims, ..report.clone() })
                        .boxed()
                })
                .collect();
            (Just(reports), claims_shuffled.prop_shuffle())
        }),
        given in given(),
    ) {
        let (one, other) = (run(reports, given), run(shuffled, given));
        for (a, b) in one.lists().into_iter().zip(other.lists()) {
            prop_assert_eq!(told(a), told(b));
        }
        prop_assert_eq!(one.suppressed_by_confidence, other.suppressed_by_confidence);
        prop_assert_eq!(one.residual_risks, other.residual_risks);
    }

    #[test]
    fn doing_it_again_changes_nothing(mut reports in vec(report(), 0..6), given in given()) {
        // A tree knows one spelling of a file. Claims on another are merged with those on the true one by the key, and
        // what the tree says of them then is another matter.
        let known = RepoPath::new("src/a.rs").expect("a path");
        let places = reports.iter_mut().flat_map(|report| &mut report.claims).filter_map(|claim| claim.location.as_mut());
        for place in places.filter(|_| given.tree || given.change) {
            if place.file.as_str() == "src/A.rs" {
                place.file = known.clone();
            }
        }
        let once = run(reports, given);
        let twice = run(vec![once.clone().into_report()], given);
        for (a, b) in once.lists().into_iter().zip(twice.lists()) {
            prop_assert_eq!(settled(a), settled(b));
        }
    }

    #[test]
    fn what_a_result_says_survives_being_written(reports in vec(report(), 0..4)) {
        let given = Given { tree: false, change: false, near: true };
        let said = run(reports, given).into_report();
        let format = jury::formats::by_id("findings-json").expect("the format is in the table");
        let text = format.write(&said).expect("the format is writable").text;
        let read = format.read(text.as_bytes(), &jury::syntax::Limits::default()).report.expect("it conforms");
        let supports = |report: &Report| report.claims.iter().map(|claim| claim.support.clone()).collect::<Vec<_>>();
        let stated = |report: &Report| {
            let kept = format.write(report).expect("the format is writable").kept;
            kept.into_iter().map(|index| report.claims[index].support.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(supports(&read), stated(&said));
    }

    #[test]
    fn a_further_claim_never_makes_it_look_better(
        reports in vec(report(), 0..5),
        added in report(),
        given in given(),
    ) {
        let before = badness(verdict(&run(reports.clone(), given)));
        let mut more = reports;
        more.push(added);
        let after = badness(verdict(&run(more, given)));
        prop_assert!(before.iter().zip(after).all(|(before, after)| *before <= after), "{before:?} → {after:?}");
    }

    #[test]
    fn nothing_is_promoted_without_two_independent_reviewers(reports in vec(report(), 0..6), given in given()) {
        let result = run(reports.clone(), given);
        for settled in result.lists().concat() {
            let is_promoted = settled.trail.iter().any(|entry| entry.step == Step::Promote);
            prop_assert_eq!(is_promoted, settled.promoted);
            let of = |origin: &Origin| &reports[origin.report_index as usize];
            let independent = settled.origins.iter().map(of).filter(|report| {
                !matches!(report.reviewers[0].name.as_str(), "fast-pass" | "adversarial-x")
            });
            let names: BTreeSet<_> = independent.clone().map(|report| &report.reviewers[0].name).collect();
            let claude = |report: &&Report| matches!(report.facts.model.as_deref(), Some("claude-opus-4" | "sonnet"));
            let is_one_kind = independent.clone().all(|report| claude(&report));
            prop_assert!(!is_promoted || (names.len() >= 2 && !is_one_kind));
            prop_assert!(settled.independent_reviewers.len() >= 2 || !is_promoted);
        }
    }

    #[test]
    fn silence_and_settled_conflicts_are_never_suppressed(reports in vec(report(), 0..6), given in given()) {
        let result = run(reports, given);
        for settled in &result.suppressed {
            for claim in settled.finding.claims() {
                prop_assert!(claim.settled_conflict().is_none());
                prop_assert!(claim.confidence.is_some());
            }
        }
        let counted: usize = result.suppressed_by_confidence.values().sum();
        prop_assert_eq!(counted, result.suppressed.len());
    }
}
