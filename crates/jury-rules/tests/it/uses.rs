//! What migrations drop and code still uses: what is read for it, and what is said.

use std::collections::BTreeMap;

use jury_rules::{Parsed, Review, SourceFile, Tree, by_domain};

const DROP: &str = "ALTER TABLE users DROP COLUMN nickname;\n";

struct Files(BTreeMap<String, String>);

impl Tree for Files {
    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
}

struct Untouchable;

impl Tree for Untouchable {
    fn paths(&self) -> Vec<String> {
        panic!("nothing asks for the rest of the tree")
    }

    fn text(&self, _: &str) -> Option<String> {
        panic!("nothing asks for the rest of the tree")
    }
}

fn review(path: &str, text: &str, tree: &dyn Tree) -> Review {
    let file = SourceFile { path, text, touched: &[(1, 9)] };
    by_domain("data-migration").unwrap().review_in(&Parsed::default(), &[file], tree)
}

fn tree(files: &[(&str, &str)]) -> Files {
    Files(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
}

/// Returns why each thing that is still used matters.
fn still_used(files: &[(&str, &str)]) -> Vec<String> {
    let findings = review("db/migrations/7.sql", DROP, &tree(files)).findings.findings;
    let used = findings.into_iter().filter(|finding| finding.other["rule"] == "dropped-still-used");
    used.map(|finding| finding.why_it_matters).collect()
}

#[test]
fn the_rest_of_the_tree_is_read_only_if_something_is_dropped() {
    review("db/migrations/7.sql", "ALTER TABLE users ADD COLUMN nickname text;\n", &Untouchable);
    review("src/a.sql", DROP, &Untouchable);
    for specialist in jury_rules::SPECIALISTS.iter().filter(|of| of.domain != "data-migration") {
        specialist.review_in(
            &Parsed::default(),
            &[SourceFile { path: "db/migrations/7.sql", text: DROP, touched: &[(1, 1)] }],
            &Untouchable,
        );
    }
}

#[test]
fn the_places_are_named_and_not_all_of_them() {
    let one = "const a = user.nickname;\n";
    let said =
        still_used(&[("src/b.ts", one), ("src/a.ts", one), ("docs/a.md", one), ("vendor/a.php", "$user->nickname")]);
    assert_eq!(said.len(), 1);
    assert!(said[0].ends_with(" It is still used in src/a.ts:1, src/b.ts:1."), "{}", said[0]);
    let many = one.repeat(40);
    assert_eq!(still_used(&[("src/a.ts", &many)])[0].matches("src/a.ts:").count(), 5);
}

#[test]
fn what_a_later_migration_brings_back_is_not_missed() {
    let uses = ("src/a.ts", "const a = user.nickname;\n");
    let add = "ALTER TABLE users ADD COLUMN nickname text;\n";
    assert_eq!(still_used(&[uses, ("db/migrations/8.sql", add)]), [""; 0]);
    assert_eq!(still_used(&[uses, ("db/migrations/6.sql", add)]).len(), 1);
}

#[test]
fn a_tree_that_is_too_large_is_said_to_be() {
    let files =
        Files((0..10_001).map(|at| (format!("src/{at:05}.ts"), "const a = user.nickname;\n".to_owned())).collect());
    let review = review("db/migrations/7.sql", DROP, &files);
    assert!(
        review.findings.residual_risks[0].contains("first 10000 source files"),
        "{:?}",
        review.findings.residual_risks
    );
}
