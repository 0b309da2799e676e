//! A second look on real repositories: every rule that states a rewrite, the statuses that a look may and may not change, and
//! what somebody marks while a look is under way.

use jury::flows::fix;
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{self, ReviewRequest};
use jury::flows::verify::{VerifiedReview, verify};
use jury::model::{Outcome, Status, Timestamp};
use jury::panel::AskOptions;
use jury::rewrite::{FixEnd, Selection};
use jury::scope::{self, Repository};
use jury::store::{StateDirs, Store, VerdictFile};
use jury::verdict::recomputed;
use jury::worktree::PATIENCE;
use jury_rules::{Example, Rule, SPECIALISTS};
use jury_testkit::repo::Repo;

struct Desk {
    repo: Repo,
    repository: Repository,
    store: Store,
}

fn now() -> Timestamp {
    Timestamp::new("2026-03-01T12:00:00Z").expect("the desk is in order")
}

impl Desk {
    fn with(path: &str, text: &str) -> Self {
        let repo = Repo::with(&[("README.md", "# A\n")]);
        repo.git(["switch", "--quiet", "--create", "work"]);
        repo.write(path, text);
        repo.commit("Work");
        let repository = Repository::discover(repo.root()).expect("the desk is in order");
        let store = Store::open(StateDirs {
            worktree: repository.root().to_path_buf(),
            git_dir: repository.git_dir().to_path_buf(),
            common_dir: repository.common_dir().to_path_buf(),
        });
        Self { repo, store: store.expect("the desk is in order"), repository }
    }

    fn review(&self) -> VerdictFile {
        let request = ReviewRequest {
            scope: scope::Request::Changeset { base: None },
            options: AskOptions::default(),
            now: now(),
            is_saved: true,
        };
        review::review(&self.repository, &self.store, &request, &mut |_| {})
            .expect("the desk is in order")
            .judgement
            .file
    }

    fn mark(&self, ids: &[String], status: Status) {
        let moves: Vec<(&str, Status)> = ids.iter().map(|id| (id.as_str(), status)).collect();
        self.store
            .lock(PATIENCE)
            .expect("the desk is in order")
            .mark(&moves, None, &now(), recomputed)
            .expect("the desk is in order");
    }

    fn verify(&self) -> VerifiedReview {
        verify(&self.repository, &self.store, &AskOptions::default(), &now(), &mut |_| {})
            .expect("the desk is in order")
            .expect("there is a review")
    }

    fn statuses(&self, ids: &[String]) -> Vec<String> {
        let file = self.store.state().expect("the desk is in order").latest.expect("the desk is in order").file;
        ids.iter()
            .map(|id| file.findings.iter().find(|it| it.id == *id).expect("the desk is in order").status.clone())
            .collect()
    }
}

/// Returns the ids of the findings that a rule of a domain raised, by the titles that its examples get.
fn ids(file: &VerdictFile, domain: &str, titles: &[String]) -> Vec<String> {
    let of_rule = file.findings.iter().filter(|finding| finding.domain == domain && titles.contains(&finding.title));
    of_rule.map(|finding| finding.id.clone()).collect()
}

/// Returns every rule with a rewrite, with its examples for which that holds.
fn rewritten() -> Vec<(&'static str, &'static Rule, Vec<Example>)> {
    let mut rules = Vec::new();
    for specialist in SPECIALISTS {
        for rule in specialist.rules().filter(|rule| rule.has_fix()) {
            rules.push((specialist.domain, rule, rule.examples().expect("the desk is in order").invalid));
        }
    }
    rules
}

fn titles(domain: &str, rule: &Rule, path: &str, text: &str) -> Vec<String> {
    let specialist = jury_rules::by_domain(domain).expect("the desk is in order");
    let review = specialist.review(&[jury_rules::SourceFile { path, text, touched: &[] }]);
    let of_rule = review.findings.findings.into_iter().filter(|finding| finding.other["rule"] == rule.id.as_str());
    of_rule.map(|finding| finding.merge.title).collect()
}

/// The whole way for every rule that states a rewrite: made, it is verified; not made, reopened; made in one place of two,
/// one of each.
#[test]
fn every_rewrite_is_verified_and_nothing_less_is() {
    let rules = rewritten();
    assert!(rules.len() >= 10, "{} rules with a rewrite", rules.len());
    for (domain, rule, examples) in rules {
        let mut made = 0;
        for example in &examples {
            let (path, text) = (example.path(), example.text());
            let desk = Desk::with(&path, &text);
            let ids = ids(&desk.review(), domain, &titles(domain, rule, &path, &text));
            if ids.is_empty() {
                continue;
            }
            // Nothing was done.
            desk.mark(&ids, Status::Fixed);
            desk.verify();
            assert!(desk.statuses(&ids).iter().all(|status| status == "reopened"), "{}: {text}", rule.id);
            // The rewrite, where there is one for this spelling.
            let request =
                fix::FixRequest { selection: Selection { ids: ids.clone(), safe: false }, dry_run: false, now: now() };
            let fixes = fix::fix(&desk.repository, &desk.store, &request)
                .expect("the desk is in order")
                .expect("there is a review");
            let fixed: Vec<String> =
                fixes.attempts.iter().filter(|it| it.end == FixEnd::Fixed).map(|it| it.id.clone()).collect();
            if fixed.is_empty() {
                continue;
            }
            made += 1;
            desk.verify();
            let statuses = desk.statuses(&fixed);
            assert!(statuses.iter().all(|status| status == "verified"), "{}: {statuses:?}: {text}", rule.id);
        }
        assert!(made > 0, "no example of {} is rewritten", rule.id);
    }
}

#[test]
fn half_of_a_rewrite_is_half_verified() {
    for (domain, rule, examples) in rewritten() {
        let halves = examples.iter().filter(|example| {
            let (path, text) = (example.path(), example.text());
            // Two files with the same code: one of them is mended.
            let desk = Desk::with(&path, &text);
            let (folder, name) = path.rsplit_once('/').unwrap_or((".", &path));
            let other = format!("{folder}/other_{name}").trim_start_matches("./").to_owned();
            desk.repo.write(&other, &text);
            let ids = ids(&desk.review(), domain, &titles(domain, rule, &path, &text));
            let file = desk.store.state().expect("the desk is in order").latest.expect("the desk is in order").file;
            let of = |path: &str| -> Vec<String> {
                let here = file.findings.iter().filter(|it| it.file == path && ids.contains(&it.id));
                here.map(|it| it.id.clone()).collect()
            };
            let (here, there) = (of(&path), of(&other));
            if here.is_empty() || there.is_empty() {
                return false;
            }
            let request =
                fix::FixRequest { selection: Selection { ids: here.clone(), safe: false }, dry_run: false, now: now() };
            let fixes = fix::fix(&desk.repository, &desk.store, &request)
                .expect("the desk is in order")
                .expect("there is a review");
            if !fixes.attempts.iter().all(|it| it.end == FixEnd::Fixed) {
                return false;
            }
            desk.mark(&there, Status::Fixed);
            desk.verify();
            assert!(desk.statuses(&here).iter().all(|status| status == "verified"), "{}: {text}", rule.id);
            assert!(desk.statuses(&there).iter().all(|status| status == "reopened"), "{}: {text}", rule.id);
            true
        });
        assert!(halves.count() > 0, "no example of {} is rewritten by half", rule.id);
    }
}

const SHELL: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

/// 003: only what is marked fixed is looked at; `wont_fix` is noted, `open` stays open, and a mark that comes in while the look
/// is under way is left as it is.
#[test]
fn a_look_changes_nothing_but_what_is_marked_fixed() {
    let desk = Desk::with("src/shell.ts", SHELL);
    desk.repo.write("src/other.ts", SHELL.replace("list", "other"));
    desk.repo.write("src/third.ts", SHELL.replace("list", "third"));
    let ids: Vec<String> = desk.review().findings.into_iter().map(|finding| finding.id).collect();
    assert_eq!(ids.len(), 3);
    desk.mark(&ids[..1], Status::WontFix);
    desk.mark(&ids[2..], Status::Fixed);
    // Somebody marks another finding after the reviewers were asked and before the lock is taken.
    let mut is_marked = false;
    let rechecked = verify(&desk.repository, &desk.store, &AskOptions::default(), &now(), &mut |_| {
        if !std::mem::replace(&mut is_marked, true) {
            desk.mark(&ids[1..2], Status::Fixed);
        }
    });
    let rechecked = rechecked.expect("the desk is in order").expect("the desk is in order");
    assert_eq!(desk.statuses(&ids), ["wont_fix", "fixed", "reopened"]);
    assert_eq!(rechecked.verification.checked.len(), 1);
    assert_eq!(rechecked.outcome, Outcome::Blocked);
    // What was claimed in between keeps the gate closed until somebody looks.
    assert_eq!(
        gate(&desk.repository, &desk.store, None, Subject::Worktree, &now())
            .expect("the desk is in order")
            .gate
            .outcome,
        Outcome::Blocked
    );
}

/// FAULTS, row 11: what was looked at is the tree that was captured.
#[test]
fn a_tree_that_moves_during_a_look_is_not_verified() {
    let desk = Desk::with("src/shell.ts", SHELL);
    let ids: Vec<String> = desk.review().findings.into_iter().map(|finding| finding.id).collect();
    desk.mark(&ids, Status::Fixed);
    desk.repo.write("src/shell.ts", "export {};\n");
    let mut has_moved = false;
    let rechecked = verify(&desk.repository, &desk.store, &AskOptions::default(), &now(), &mut |_| {
        if !std::mem::replace(&mut has_moved, true) {
            desk.repo.write("src/shell.ts", SHELL);
        }
    });
    let rechecked = rechecked.expect("the desk is in order").expect("the desk is in order");
    assert_eq!(desk.statuses(&ids), ["fixed"]);
    assert_eq!(rechecked.outcome, Outcome::Incomplete);
    assert!(
        rechecked.verification.checked[0]
            .became
            .why()
            .expect("the desk is in order")
            .contains("changed while it was reviewed")
    );
}

/// A second look sees a part of the change: it is no way around a reviewer that the base defines otherwise since.
#[test]
fn a_look_does_not_stand_in_for_a_review_by_other_rules() {
    let desk = Desk::with("src/shell.ts", SHELL);
    let ids: Vec<String> = desk.review().findings.into_iter().map(|finding| finding.id).collect();
    desk.repo.git(["switch", "--quiet", "main"]);
    desk.repo.write(".jury/rules/no-legacy-client.yml", RULE);
    desk.repo.commit("A rule of our own");
    desk.repo.git(["switch", "--quiet", "work"]);
    desk.mark(&ids, Status::Fixed);
    desk.repo.write("src/shell.ts", "export {};\n");
    let rechecked = desk.verify();
    assert_eq!(desk.statuses(&ids), ["verified"]);
    assert_eq!(rechecked.verification.gaps, ["the definition of project changed since the review"]);
    assert_eq!(rechecked.outcome, Outcome::Incomplete);
    let gate = gate(&desk.repository, &desk.store, None, Subject::Worktree, &now()).expect("the desk is in order").gate;
    assert_eq!(gate.outcome, Outcome::Incomplete);
}

const RULE: &str = r##"id: no-legacy-client
title: "The legacy client is called: `$CALL`"
why_it_matters: The legacy client is switched off at the end of the quarter, and with it whatever still calls it.
suggested_fix: Use `client` from `src/client.ts`.
severity: P1
confidence: 100
autofix_class: manual
owner: review-fixer
requires_verification: true
keywords: [legacyClient]
languages: [typescript, tsx]
match:
  - rule: { pattern: legacyClient.$CALL($$$) }
invalid:
  - { language: typescript, code: legacyClient.load(1); }
  - { language: typescript, code: legacyClient.save() }
  - { language: tsx, code: 'const a = legacyClient.load(id);' }
valid:
  - { language: typescript, code: client.load(1); }
  - { language: typescript, code: legacyClient; }
  - { language: typescript, code: legacy.client(); }
"##;
