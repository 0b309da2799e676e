//! The rule for near-duplicates against pairs of titles that a person has labelled: `fixtures/similar/pairs.tsv`.
//!
//! Every pair is put on one line of one file, by two reviewers, so that nothing but the titles can keep it apart: this is
//! harder than life, where most pairs of the corpus stand lines away from each other. `corpus` pairs are findings on one
//! file in one run of the corpus, `rounds` findings of two runs; `reworded` ones are a title of the corpus and the same
//! said otherwise, `edited` ones a title and another defect that differs in a word or a number.

use std::collections::BTreeMap;
use std::path::Path;

use jury::model::{Claim, Domain, LineRange, Location, RepoPath, Report, Severity, Title};
use jury::synthesis::{Options, synthesise};

struct Pair {
    is_same: bool,
    origin: String,
    file: String,
    titles: [String; 2],
}

fn pairs() -> Vec<Pair> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/similar/pairs.tsv");
    let text = std::fs::read_to_string(file).expect("the pairs are there");
    let pair = |line: &str| {
        let [label, origin, file, one, other] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not five columns: {line}");
        };
        assert!(matches!(label, "same" | "different"), "{line}");
        Pair {
            is_same: label == "same",
            origin: origin.to_owned(),
            file: file.to_owned(),
            titles: [one, other].map(str::to_owned),
        }
    };
    text.lines().skip(1).map(pair).collect()
}

fn is_merged(pair: &Pair) -> bool {
    let reports = ["one", "other"].iter().zip(&pair.titles).map(|(reviewer, title)| {
        let file = RepoPath::new(&pair.file).expect("a path");
        let lines = LineRange::parse("10").expect("a line");
        let claim = Claim {
            reviewer: Some(Domain::new(reviewer).expect("a name")),
            location: Some(Location::new(file, Some(lines))),
            ..Claim::new(Title::new(title).expect("a title"), Severity::High)
        };
        Report { claims: vec![Box::new(claim)], ..Report::default() }
    });
    synthesise(reports.collect(), &Options::default()).findings.len() == 1
}

#[test]
fn no_two_defects_become_one_and_the_matrix_is_as_written() {
    let pairs = pairs();
    assert!(pairs.len() >= 200, "only {} pairs are labelled", pairs.len());
    let mut matrix: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut missed = Vec::new();
    for pair in &pairs {
        let is_merged = is_merged(pair);
        *matrix.entry((pair.is_same, is_merged)).or_default() += 1;
        let told = format!("{}: {} / {}", pair.origin, pair.titles[0], pair.titles[1]);
        match (pair.is_same, is_merged) {
            (false, true) => wrong.push(told),
            (true, false) => missed.push(told),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "merged, though different: {wrong:#?}");
    let count = |is_same, is_merged| matrix.get(&(is_same, is_merged)).copied().unwrap_or_default();
    let [caught, missed_count, apart] = [count(true, true), count(true, false), count(false, false)];
    // `docs/decisions/010-near-duplicates.md` states this matrix.
    assert_eq!((caught, missed_count, apart), (30, 27, 233), "missed: {missed:#?}");
}
