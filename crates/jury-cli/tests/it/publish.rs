//! `jury publish` and `jury gate --pr` through the real binary, against forges with state on this machine that misbehave (FAULTS, row 40).

mod approvals;
mod days;
mod honest;

use std::process::Output;

use jury_testkit::forge::{FakeForge, Fault, ME, State};
use jury_testkit::repo::Repo;
use serde_json::Value;

use crate::binary::jury;

const HIGH: &str =
    "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);\n";
const FIXED: &str = "import { execFile } from \"child_process\";\nexport const list = (folder: string) => execFile(\"ls\", [folder]);\n";
const MEDIUM: &str = "export const isOne = (one: number) => one == 1;\n";

/// A branch with a High and a Medium.
fn branch(base: &[(&str, &str)]) -> Repo {
    let repo = Repo::with(&[&[("README.md", "# A\n")], base].concat());
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("src/high.ts", HIGH);
    repo.write("src/medium.ts", MEDIUM);
    repo.commit("Work");
    repo
}

fn head(repo: &Repo) -> String {
    repo.git(["rev-parse", "HEAD"])
}

/// Runs the binary in a repository, as a job of nobody's CI.
fn run(repo: &Repo, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = jury(arguments);
    for name in ["GITHUB_ACTIONS", "GITLAB_CI", "GITEA_ACTIONS", "GITHUB_TOKEN", "GITHUB_EVENT_PATH", "CI"] {
        command.env_remove(name);
    }
    command.env("JURY_FORGE_TOKEN", "s3cret-token").env("NO_COLOR", "1").current_dir(repo.root());
    let Output { status, stdout, stderr } = command.output().expect("the binary can be started");
    let text = |bytes| String::from_utf8(bytes).expect("the binary writes UTF-8");
    let (out, err) = (text(stdout), text(stderr));
    assert!(!out.contains("s3cret-token") && !err.contains("s3cret-token"), "{out}{err}");
    (status.code(), out, err)
}

fn review(repo: &Repo) {
    let (code, out, err) = run(repo, &["review"]);
    assert!(matches!(code, Some(0 | 1 | 4 | 6)), "{out}{err}");
}

/// The three forges, each with the name that the binary knows.
fn forges(repo: &Repo) -> [(&'static str, FakeForge); 3] {
    let head = head(repo);
    [("github", FakeForge::github(&head)), ("gitlab", FakeForge::gitlab(&head)), ("gitea", FakeForge::gitea(&head))]
}

/// Publishes; returns the exit code, and what was published.
fn publish(repo: &Repo, name: &str, forge: &FakeForge, more: &[&str]) -> (Option<i32>, Value, String) {
    let url = forge.url();
    let named = ["publish", "--forge", name, "--url", &url, "--repo", "o/r", "--pr", "7", "--pace", "1"];
    let (code, out, err) = run(repo, &[&named[..], &["--format", "json"], more].concat());
    let value = serde_json::from_str(&out).unwrap_or(Value::Null);
    (code, value, format!("{out}{err}"))
}

fn published(repo: &Repo, name: &str, forge: &FakeForge) -> Value {
    let (code, value, said) = publish(repo, name, forge, &[]);
    assert_eq!(code, Some(0), "{name}: {said}");
    value
}

/// What a person sees in the pull request.
fn seen(state: &State) -> (usize, Vec<String>, String) {
    let threads = state.threads.iter().filter(|it| !it.is_draft);
    let bodies = threads.map(|it| it.comments[0].body.clone()).collect();
    let ours = state.comments.iter().filter(|it| it.by == ME);
    (ours.count(), bodies, state.comments.first().map(|it| it.body.clone()).unwrap_or_default())
}

#[test]
fn a_review_is_published_once() {
    let repo = branch(&[]);
    review(&repo);
    for (name, forge) in forges(&repo) {
        let (code, dry, said) = publish(&repo, name, &forge, &["--dry-run"]);
        assert_eq!((code, forge.state().writes), (Some(0), 0), "{name}: {said}");
        assert_eq!(dry["written"].as_array().map(Vec::len), Some(3), "{name}: {said}");
        let first = published(&repo, name, &forge);
        let (summaries, threads, summary) = seen(&forge.state());
        assert_eq!((summaries, threads.len()), (1, 2), "{name}");
        assert!(threads[0].contains("**High**: Command injection"), "{name}: {}", threads[0]);
        assert!(
            summary.contains("### Jury: gate closed: findings block (WARN, 1 High, 1 Medium)"),
            "{name}: {summary}"
        );
        let (commit, passed, title) = forge.state().statuses.last().cloned().expect("a status is set");
        assert_eq!((commit, passed), (head(&repo), false), "{name}: {title}");
        let before = forge.state().writes;
        assert_eq!(first["writes"], before, "{name}");
        // The figures of docs/publish.md.
        let (reads, writes, reads_again) = match name {
            "github" => (9, 3, 5),
            "gitlab" => (24, 5, 14),
            _ => (26, 3, 16),
        };
        assert_eq!((first["reads"].as_u64(), first["writes"].as_u64()), (Some(reads), Some(writes)), "{name}");
        let again = published(&repo, name, &forge);
        assert_eq!((again["writes"].as_u64(), forge.state().writes), (Some(0), before), "{name}");
        assert!(again["written"].as_array().is_some_and(Vec::is_empty), "{name}: {again}");
        assert_eq!(again["reads"].as_u64(), Some(reads_again), "{name}");
    }
}

#[test]
fn after_any_failing_write_it_is_published_once() {
    let repo = branch(&[]);
    review(&repo);
    let whole: Vec<_> = forges(&repo)
        .into_iter()
        .map(|(name, forge)| {
            published(&repo, name, &forge);
            let (summaries, mut threads, _) = seen(&forge.state());
            threads.sort();
            (name, summaries, threads, forge.state().writes)
        })
        .collect();
    for (name, summaries, threads, writes) in whole {
        let limits = [Fault::Limit(None), Fault::Limit(Some(0)), Fault::SecondaryLimit];
        for at in 1..=writes {
            // A limit does nothing, wherever it comes: one of them at each write.
            for fault in [Fault::FailsAfter, Fault::Cut, limits[at % limits.len()].clone()] {
                let forge = forges(&repo).into_iter().find(|it| it.0 == name).expect("it is one of them").1;
                forge.state().faults.insert(at, fault.clone());
                let (code, _, said) = publish(&repo, name, &forge, &[]);
                if code != Some(0) {
                    assert_eq!(code, Some(4), "{name} {fault:?} {at}: {said}");
                    published(&repo, name, &forge);
                }
                let (count, mut now, _) = seen(&forge.state());
                now.sort();
                assert_eq!((count, &now), (summaries, &threads), "{name} {fault:?} at {at}: {said}");
                assert!(forge.state().threads.iter().all(|it| !it.is_draft), "{name} {fault:?} at {at}");
            }
        }
    }
}

#[test]
fn one_bad_place_loses_nothing() {
    let repo = branch(&[]);
    review(&repo);
    for (name, forge) in forges(&repo) {
        forge.state().bad_lines.insert(("src/high.ts".to_owned(), 2));
        published(&repo, name, &forge);
        let state = forge.state();
        let (_, threads, summary) = seen(&state);
        if name == "gitea" {
            // It has no comments on files.
            assert_eq!(threads.len(), 1, "{name}");
            assert!(summary.contains("no place for a comment"), "{name}: {summary}");
        } else {
            let on_file = state.threads.iter().find(|it| it.line.is_none());
            assert!(on_file.is_some_and(|it| it.path == "src/high.ts"), "{name}: {:?}", state.threads);
            assert_eq!(threads.len(), 2, "{name}");
        }
        assert!(summary.contains("Command injection"), "{name}");
        let writes = state.writes;
        drop(state);
        published(&repo, name, &forge);
        assert_eq!(forge.state().writes, writes, "{name}: nothing is tried again");
        let other = forges(&repo).into_iter().find(|it| it.0 == name).expect("it is one of them").1;
        other.state().bad_lines.insert(("src/high.ts".to_owned(), 2));
        other.state().refuses_files = true;
        published(&repo, name, &other);
        let (_, threads, summary) = seen(&other.state());
        assert_eq!(threads.len(), 1, "{name}");
        assert!(summary.contains("no place for a comment"), "{name}: {summary}");
    }
}

#[test]
fn a_verified_fix_is_told_and_resolved_and_nothing_else_is() {
    for index in 0..3 {
        let repo = branch(&[]);
        review(&repo);
        let (name, forge) = forges(&repo).into_iter().nth(index).expect("there are three");
        published(&repo, name, &forge);
        repo.write("src/high.ts", FIXED);
        repo.commit("Fix");
        assert_eq!(run(&repo, &["mark", "security-3213ecb0-2", "fixed"]).0, Some(0));
        let verified = run(&repo, &["verify"]);
        assert!(verified.1.contains("verified security-3213ecb0-2"), "{verified:?}");
        // Nothing is said about another tree.
        let (code, _, said) = publish(&repo, name, &forge, &[]);
        assert_eq!(code, Some(4), "{name}: {said}");
        assert!(said.contains("not what was reviewed"), "{name}: {said}");
        forge.state().push(&head(&repo));
        published(&repo, name, &forge);
        let state = forge.state();
        let resolved: Vec<(&str, bool)> =
            state.threads.iter().map(|it| (it.path.as_str(), it.resolved_by.is_some())).collect();
        assert_eq!(resolved, [("src/high.ts", true), ("src/medium.ts", false)], "{name}");
        assert!(state.threads[0].comments[1].body.contains("**Verified**"), "{name}");
        let (_, passed, title) = state.statuses.last().cloned().expect("a status is set");
        assert!(passed && title.starts_with("gate open"), "{name}: {title}");
        let writes = state.writes;
        drop(state);
        published(&repo, name, &forge);
        assert_eq!(forge.state().writes, writes, "{name}");
    }
}

#[test]
fn what_is_not_allowed_is_listed_and_annotated() {
    let repo = branch(&[]);
    review(&repo);
    for (name, forge) in forges(&repo) {
        forge.state().denied = vec![String::new()];
        let url = forge.url();
        let named = ["publish", "--forge", name, "--url", &url, "--repo", "o/r", "--pr", "7", "--pace", "1"];
        let (code, out, err) = run(&repo, &named);
        assert_eq!(code, Some(4), "{name}: {out}{err}");
        assert!(out.contains("✗ begin threads: security-3213ecb0-2"), "{name}: {out}");
        assert!(out.contains("✗ write the summary") && out.contains("✗ set the status"), "{name}: {out}");
        assert!(out.contains("::error file=src/high.ts,line=2"), "{name}: {out}");
    }
}

#[test]
fn a_thread_that_cannot_be_resolved_is_listed_and_the_rest_is_said() {
    let repo = branch(&[]);
    review(&repo);
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    repo.write("src/high.ts", FIXED);
    repo.commit("Fix");
    run(&repo, &["mark", "security-3213ecb0-2", "fixed"]);
    run(&repo, &["verify"]);
    forge.state().push(&head(&repo));
    forge.state().denied = vec!["resolveReviewThread".to_owned()];
    let (code, value, said) = publish(&repo, "github", &forge, &[]);
    assert_eq!(code, Some(4), "{said}");
    assert_eq!(value["unposted"].as_array().map(Vec::len), Some(1), "{said}");
    assert!(forge.state().threads[0].comments[1].body.contains("**Verified**"));
    assert_eq!(forge.state().statuses.last().map(|it| it.1), Some(true));
    let (code, ..) = publish(&repo, "github", &forge, &["--resolve", "never"]);
    assert_eq!(code, Some(0), "whoever leaves it to people misses nothing");
}

#[test]
fn lists_are_read_to_their_end_and_markers_of_others_do_not_count() {
    let repo = branch(&[]);
    review(&repo);
    for (name, forge) in forges(&repo) {
        published(&repo, name, &forge);
        let (summary, thread) = {
            let state = forge.state();
            (state.comments[0].body.clone(), state.threads[0].clone())
        };
        {
            let mut state = forge.state();
            state.page = 1;
            for _ in 0..3 {
                state.say("eve", &summary);
            }
            let mut forged = thread;
            (forged.id, forged.review) = (9_001, 9_001);
            (forged.comments[0].by, forged.comments[0].id) = ("eve".to_owned(), 9_002);
            state.threads.insert(0, forged);
            state.comments.rotate_left(1);
        }
        let writes = forge.state().writes;
        published(&repo, name, &forge);
        assert_eq!(forge.state().writes, writes, "{name}");
    }
}

#[test]
fn the_old_gitea_gets_replies_and_keeps_its_threads() {
    let repo = branch(&[]);
    review(&repo);
    let forge = FakeForge::gitea(&head(&repo));
    forge.state().is_old = true;
    published(&repo, "gitea", &forge);
    repo.write("src/high.ts", FIXED);
    repo.commit("Fix");
    run(&repo, &["mark", "security-3213ecb0-2", "fixed"]);
    run(&repo, &["verify"]);
    forge.state().push(&head(&repo));
    published(&repo, "gitea", &forge);
    let writes = forge.state().writes;
    assert!(forge.state().threads[0].comments[1].body.contains("**Verified**"));
    assert!(forge.state().threads[0].resolved_by.is_none());
    published(&repo, "gitea", &forge);
    assert_eq!(forge.state().writes, writes);
}

/// A clone of the base that has fetched a fork, and checked nothing of it out.
fn beside_a_fork() -> (Repo, String) {
    let touch = "[reviewers.lint]\nkind = \"tool\"\nformat = \"checkstyle\"\nrole = \"required\"\n\
                 command = [\"sh\", \"-c\", \"touch ../started\", \"{files}\"]\n";
    let repo = branch(&[("jury.toml", touch), ("CODEOWNERS", "* @lee\n")]);
    let head = head(&repo);
    repo.git(["switch", "--quiet", "main"]);
    (repo, head)
}

#[test]
fn a_fork_is_reviewed_as_objects_and_starts_nothing() {
    let (repo, head) = beside_a_fork();
    let (code, out, err) = run(&repo, &["review", "--head", &head, "--base", "main", "--trust"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("Command injection"), "{out}");
    assert!(out.contains("lint runs a command, and was not started"), "{out}");
    assert!(!repo.path("../started").exists() && !repo.path("src/high.ts").exists());
    let (code, out, err) = run(&repo, &["gate", "--head", &head, "--base", "main"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("a person has to look at these files"), "{out}");
    let (code, out, _) = run(&repo, &["gate", "--base", "main"]);
    assert!(code != Some(0) && out.contains("✗ same-tree"), "what is checked out was not reviewed: {out}");
    let forge = FakeForge::github(&head);
    let (code, _, said) = publish(&repo, "github", &forge, &["--head", &head, "--base", "main"]);
    assert_eq!(code, Some(0), "{said}");
    let (_, threads, summary) = seen(&forge.state());
    assert!(threads[0].contains("Command injection") && summary.contains("Not looked at"), "{summary}");
}
