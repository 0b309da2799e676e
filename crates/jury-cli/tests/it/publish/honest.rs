//! The forges of the test kit, held against what real ones publish about themselves, and driven by clients that others wrote.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_testkit::forge::FakeForge;
use jury_testkit::server::Asked;
use serde_json::{Value, json};

use super::{FIXED, branch, forges, head, published, review, run};

const PACKAGES: &[&str] =
    &["@octokit/openapi@23.0.2", "@octokit/graphql-schema@15.26.1", "graphql@16.15.0", "ajv@8.20.0"];
const PYTHON: &[&str] = &["PyGithub==2.10.0", "python-gitlab==8.6.0", "pyforgejo==2.0.7"];

/// Reads what was published, and says something, as people's tools do.
const CLIENTS: &str = r#"
import json, sys
kind, url = sys.argv[1:]
if kind == "github":
    import github
    api = github.Github(auth=github.Auth.Token("t"), base_url=url)
    pull = api.get_repo("o/r").get_pull(7)
    comments = [it.body for it in pull.get_issue_comments()]
    pull.create_issue_comment("hello")
elif kind == "gitlab":
    import gitlab
    api = gitlab.Gitlab(url.removesuffix("/api/v4"), private_token="t")
    pull = api.projects.get(42).mergerequests.get(7)
    discussions = pull.discussions.list(get_all=True)
    comments = [note["body"] for it in discussions for note in it.attributes["notes"] if it.attributes["individual_note"]]
    assert any(not it.attributes["individual_note"] for it in discussions)
    pull.notes.create({"body": "hello"})
else:
    from pyforgejo import PyforgejoApi
    api = PyforgejoApi(base_url=url, api_key="t")
    comments = [it.body for it in api.issue.get_comments(owner="o", repo="r", index=7)]
    reviews = api.repository.repo_list_pull_reviews(owner="o", repo="r", index=7)
    assert reviews
    api.issue.create_comment(owner="o", repo="r", index=7, body="hello")
print(json.dumps(comments))
"#;

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Installs packages of npm once; returns their folder.
fn packages(place: &Path) -> PathBuf {
    fs::create_dir_all(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let lock = fs::File::create(place.join("lock")).expect("the folder is ours");
    lock.lock().expect("a file of ours can be locked");
    let (ready, wanted) = (place.join("ready"), PACKAGES.join("\n"));
    if !fs::read_to_string(&ready).is_ok_and(|made| made == wanted) {
        _ = fs::remove_file(&ready);
        fs::write(place.join("package.json"), "{\"private\":true}").expect("the folder is ours");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", "--loglevel=error"]);
        let is_installed =
            npm.args(PACKAGES).current_dir(place).stdin(Stdio::null()).status().is_ok_and(|it| it.success());
        assert!(is_installed, "this test needs the packages {PACKAGES:?}, which `npm` could not install");
        fs::write(&ready, wanted).expect("the folder is ours");
    }
    place.to_path_buf()
}

/// Publishes a review, a fix and what is left, so that every kind of write is made.
fn lived_through(index: usize) -> (&'static str, FakeForge) {
    let repo = branch(&[]);
    review(&repo);
    let (name, forge) = forges(&repo).into_iter().nth(index).expect("there are three");
    published(&repo, name, &forge);
    repo.write("src/high.ts", FIXED);
    repo.commit("Fix");
    run(&repo, &["mark", "security-3213ecb0-2", "fixed"]);
    run(&repo, &["verify"]);
    forge.state().push(&head(&repo));
    published(&repo, name, &forge);
    (name, forge)
}

#[test]
fn requests_and_answers_conform_to_what_forges_publish() {
    let folder = packages(&place("forge-schemas"));
    for index in 0..3 {
        let (name, forge) = lived_through(index);
        let held = |it: &Asked| {
            let mut body = it.body.clone();
            // What was said about an earlier head is refused by now.
            for place in ["/commit_id", "/position/head_sha"] {
                if let Some(commit) = body.pointer_mut(place) {
                    *commit = json!(forge.state().head);
                }
            }
            json!({"method": it.method, "path": it.path, "body": body})
        };
        let asked: Vec<Value> = forge.asked().iter().map(held).collect();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forges/check.mjs");
        let mut node = Command::new("node");
        node.arg(script).args([name, &folder.to_string_lossy(), &forge.url()]);
        let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("this test needs `node`");
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(json!(asked).to_string().as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let said: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
        assert_eq!(said["problems"], json!([]), "{name}");
        assert!(said["held"].as_u64().is_some_and(|held| held >= 8), "{name}: {said}");
    }
}

#[test]
fn clients_of_others_read_what_was_published() {
    let python = jury_testkit::python::environment(&place("forge-clients"), PYTHON).join("python");
    for index in 0..3 {
        let (name, forge) = lived_through(index);
        let output = Command::new(&python).args(["-c", CLIENTS, name, &forge.url()]).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains("### Jury: gate open"), "{name}: {said}");
        assert_eq!(forge.state().comments.last().map(|it| it.body.clone()).as_deref(), Some("hello"), "{name}");
    }
}
