//! Every rule file: that it has a row in the table, says what it must, and holds to its own examples.

use std::collections::BTreeSet;
use std::path::Path;

use jury_rules::{Example, Language, Rule, SPECIALISTS, Specialist};

/// 004: the title is at most 100 characters; a metavariable in it takes up to 40.
const LONGEST_TITLE: usize = 100;
const LONGEST_NAME: usize = 40;
/// The fewest examples of each kind.
const FEWEST: usize = 3;

fn all() -> impl Iterator<Item = (&'static Specialist, &'static Rule)> {
    SPECIALISTS.iter().flat_map(|specialist| specialist.rules().map(move |rule| (specialist, rule)))
}

#[test]
fn every_rule_finds_its_bad_examples_and_leaves_the_good_ones() {
    let mut wrong = Vec::new();
    for (specialist, rule) in all() {
        for failure in specialist.failures(rule).unwrap() {
            wrong.push(format!("{}, {}: {}", rule.id, failure.example, failure.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_language_of_a_rule_has_examples() {
    // No grammar's half of a rule is untried. The dialects of JavaScript share theirs, and one stands for the others.
    for (_, rule) in all() {
        let examples = rule.examples().unwrap();
        for language in rule.languages() {
            let has =
                |examples: &[Example]| examples.iter().any(|example| Language::of(&example.path()) == Some(language));
            let twin = |examples: &[Example]| {
                let script = [Language::JavaScript, Language::Tsx, Language::TypeScript];
                let is_script =
                    |example: &Example| Language::of(&example.path()).is_some_and(|it| script.contains(&it));
                script.contains(&language) && examples.iter().any(is_script)
            };
            assert!(has(&examples.invalid) || twin(&examples.invalid), "{}: no bad example in {language:?}", rule.id);
            assert!(has(&examples.valid) || twin(&examples.valid), "{}: no good example in {language:?}", rule.id);
        }
    }
}

#[test]
fn every_rule_says_what_it_must() {
    let mut ids = BTreeSet::new();
    for (_, rule) in all() {
        let id = &rule.id;
        assert!(ids.insert(id), "{id} is there twice");
        let examples = rule.examples().unwrap();
        assert!(
            examples.invalid.len() >= FEWEST && examples.valid.len() >= FEWEST,
            "{id}: fewer than {FEWEST} examples of a kind"
        );
        let names = rule.title.matches('$').count();
        assert!(rule.title.chars().count() + names * LONGEST_NAME <= LONGEST_TITLE, "{id}: the title may get too long");
        assert!(rule.title.split_whitespace().count() <= 10, "{id}: 004 asks for ten words or fewer");
        assert!(rule.why_it_matters.len() > 40, "{id}: why does it matter?");
        assert!(
            rule.cwe.as_ref().is_none_or(|cwe| cwe.strip_prefix("CWE-").is_some_and(|n| n.parse::<u32>().is_ok())),
            "{id}"
        );
        for example in examples.invalid.iter().chain(&examples.valid) {
            assert!(example.language.is_some() || example.path.is_some(), "{id}: an example without language or path");
        }
    }
    assert!(ids.len() >= 18, "{} rules", ids.len());
}

#[test]
fn every_rule_file_has_a_row_and_every_row_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut files = BTreeSet::new();
    for domain in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        for file in std::fs::read_dir(domain.path()).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            files.insert((domain.file_name().to_str().unwrap().to_owned(), name));
        }
    }
    let rows: BTreeSet<_> = all().map(|(specialist, rule)| (specialist.domain.to_owned(), rule.id.clone())).collect();
    assert_eq!(files, rows);
}
