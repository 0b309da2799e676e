//! The gate over time and over bases, with the day passed in: FAULTS rows 11, 24 and 25 as far as they need a clock.

use jury::error::FlowError;
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{ReviewRequest, review};
use jury::flows::{GateView, Reviewed};
use jury::model::{Outcome, Timestamp};
use jury::panel::AskOptions;
use jury::scope::{self, Repository};
use jury::store::{StateDirs, Store};
use jury::verdict::Match;
use jury_testkit::repo::Repo;

const HIGH: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";

fn open(repo: &Repo) -> (Repository, Store) {
    let repository = Repository::discover(repo.root()).expect("the repository was just made");
    let store = Store::open(StateDirs {
        worktree: repository.root().to_path_buf(),
        git_dir: repository.git_dir().to_path_buf(),
        common_dir: repository.common_dir().to_path_buf(),
    });
    (repository, store.expect("its folders are there"))
}

fn noon(day: &str) -> Timestamp {
    Timestamp::new(&format!("{day}T12:00:00Z")).expect("the day is one")
}

fn review_on(repo: &Repo, day: &str) -> Result<Reviewed, FlowError> {
    let (repository, store) = open(repo);
    let request = ReviewRequest {
        scope: scope::Request::Changeset { base: None },
        options: AskOptions::default(),
        now: noon(day),
        is_saved: true,
    };
    review(&repository, &store, &request, &mut |_| {})
}

fn look_on(repo: &Repo, day: &str) -> Result<GateView, FlowError> {
    let (repository, store) = open(repo);
    gate(&repository, &store, None, Subject::Head, &noon(day))
}

fn outcome_on(repo: &Repo, day: &str) -> Outcome {
    look_on(repo, day).expect("the state is sound").gate.outcome
}

fn waiver(expires: &str) -> String {
    format!("[[waiver]]\nfinding = \"security-3213ecb0-2\"\nreason = \"ours\"\nby = \"Lee\"\nexpires = \"{expires}\"\n")
}

/// A branch `work` with one High finding that the base accepts until a day. Commits are of 2026-02-16.
fn waived_until(expires: &str) -> Repo {
    let repo = Repo::with(&[("src/one.ts", "export const one = 1;\n"), (".jury/waivers.toml", &waiver(expires))]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    repo.write("src/high.ts", HIGH);
    repo.git(["add", "src"]);
    repo.commit_index("High");
    repo
}

/// Returns what the waivers name that have ended by a day.
fn ended_on(repo: &Repo, day: &str) -> Vec<String> {
    look_on(repo, day).expect("the state is sound").ended.into_iter().map(|entry| entry.waiver.finding).collect()
}

#[test]
fn a_waiver_counts_on_its_last_day_and_ends_on_the_next() {
    let repo = waived_until("2026-05-01");
    review_on(&repo, "2026-04-30").unwrap();
    assert_eq!((outcome_on(&repo, "2026-05-01"), ended_on(&repo, "2026-05-01")), (Outcome::Clear, vec![]));
    // The review rests on it, so its decision does not hold any more.
    assert_eq!(outcome_on(&repo, "2026-05-02"), Outcome::Incomplete);
    assert_eq!(ended_on(&repo, "2026-05-02"), ["security-3213ecb0-2"]);
    review_on(&repo, "2026-05-02").unwrap();
    assert_eq!(outcome_on(&repo, "2026-05-02"), Outcome::Blocked);
    // A later day on the base is another decision, and needs no rebase; what came since the review opens nothing.
    repo.git(["checkout", "--quiet", "main"]);
    repo.write(".jury/waivers.toml", waiver("2026-06-01"));
    repo.git(["commit", "--quiet", "--all", "--message", "Renew"]);
    repo.git(["checkout", "--quiet", "work"]);
    assert_eq!((outcome_on(&repo, "2026-05-02"), ended_on(&repo, "2026-05-02")), (Outcome::Blocked, vec![]));
    review_on(&repo, "2026-05-02").unwrap();
    assert_eq!(outcome_on(&repo, "2026-05-02"), Outcome::Clear);
}

#[test]
fn a_clock_that_is_wrong_by_years_opens_nothing() {
    // It had ended when the base was committed; a clock that runs behind does not bring it back.
    let behind = waived_until("2026-02-15");
    review_on(&behind, "2019-01-01").unwrap();
    assert_eq!(outcome_on(&behind, "2019-01-01"), Outcome::Blocked);
    assert_eq!(ended_on(&behind, "2019-01-01"), ["security-3213ecb0-2"]);
    // One that runs ahead ends every waiver, and the gate stays closed.
    let repo = waived_until("2026-05-01");
    review_on(&repo, "2026-04-30").unwrap();
    assert_eq!(outcome_on(&repo, "2062-04-30"), Outcome::Incomplete);
    // Back in time, before the review and the commits: the same decision.
    assert_eq!(outcome_on(&repo, "1999-12-31"), Outcome::Clear);
}

#[test]
fn a_file_has_the_same_patch_wherever_its_lines_are_and_another_for_another_change() {
    let lines = |name: &str| (1..30).map(|n| format!("export const {name}{n} = {n};\n")).collect::<String>();
    let repo = Repo::with(&[("a.ts", &lines("a")), ("b.ts", &lines("b")), ("c.ts", &lines("c"))]);
    repo.git(["checkout", "--quiet", "-b", "work"]);
    for name in ["a", "b", "c"] {
        repo.write(&format!("{name}.ts"), lines(name).replace(&format!("{name}9 = 9;"), &format!("{name}9 = 0;")));
    }
    repo.git(["commit", "--quiet", "--all", "--message", "Nought"]);
    review_on(&repo, "2026-04-30").unwrap();
    repo.git(["checkout", "--quiet", "main"]);
    for name in ["a", "b", "c"] {
        repo.write(&format!("{name}.ts"), format!("// moved\n{}", lines(name)));
    }
    repo.git(["commit", "--quiet", "--all", "--message", "Move"]);
    repo.git(["checkout", "--quiet", "work"]);
    repo.git(["rebase", "--quiet", "main"]);
    assert_eq!(look_on(&repo, "2026-04-30").unwrap().tree, Some(Match::SamePatch));
    let text = String::from_utf8(repo.read("b.ts")).unwrap();
    repo.write("b.ts", text.replace("b20 = 20;", "b20 = 21;"));
    assert_eq!(look_on(&repo, "2026-04-30").unwrap().tree, Some(Match::Differs(vec!["b.ts".to_owned()])));
}
