//! Approvals of people on a forge, as decisions for the gate.

use jury_testkit::forge::FakeForge;
use jury_testkit::repo::Repo;

use super::{forges, head, published, review, run};

/// A branch with a file that only a person can look at, on a base that names who decides.
fn waiting(people: &str) -> Repo {
    let repo = Repo::with(&[
        ("README.md", "# A\n"),
        ("jury.toml", people),
        (".github/CODEOWNERS", "* @nobody\n/assets/ @o/design\n"),
    ]);
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("assets/blob.bin", [0u8, 159, 146, 150, 0, 1, 2, 3].as_slice());
    repo.commit("Blob");
    repo
}

fn gate(repo: &Repo, name: &str, forge: &FakeForge) -> (Option<i32>, String) {
    let url = forge.url();
    let arguments =
        ["gate", "--pr", "7", "--forge", name, "--url", &url, "--repo", "o/r", "--pace", "1", "--base", "main"];
    let (code, out, err) = run(repo, &arguments);
    (code, out + &err)
}

#[test]
fn an_approval_of_this_head_by_somebody_the_base_names_opens_a_waiting_gate() {
    for index in 0..3 {
        let repo = waiting("[people]\napprovers = [\"lee\"]\n");
        review(&repo);
        let (name, forge) = forges(&repo).into_iter().nth(index).expect("there are three");
        let (code, said) = gate(&repo, name, &forge);
        assert_eq!(code, Some(6), "{name}: {said}");
        // Before the summary it says nothing.
        forge.state().review("lee", "APPROVED");
        let (code, said) = gate(&repo, name, &forge);
        assert_eq!(code, Some(6), "{name}: {said}");
        forge.state().now = "2026-02-16T11:00:00Z".to_owned();
        published(&repo, name, &forge);
        assert_eq!(gate(&repo, name, &forge).0, Some(6), "{name}: it was too early");
        for (by, at) in [("ann", 12), ("max", 13)] {
            forge.state().now = format!("2026-02-16T{at}:00:00Z");
            forge.state().review(by, "APPROVED");
            let (code, said) = gate(&repo, name, &forge);
            assert_eq!(code, Some(6), "{name} {by}: {said}");
        }
        forge.state().bots.insert("lee".to_owned());
        forge.state().now = "2026-02-16T14:00:00Z".to_owned();
        forge.state().review("lee", "APPROVED");
        assert_eq!(gate(&repo, name, &forge).0, Some(6), "{name}: a bot");
        forge.state().bots.clear();
        let (code, said) = gate(&repo, name, &forge);
        assert_eq!(code, Some(0), "{name}: {said}");
        assert!(said.contains(&format!("lee@{name}")), "{name}: {said}");
        // Publishing again changes the summary, not its time.
        published(&repo, name, &forge);
        assert_eq!(gate(&repo, name, &forge).0, Some(0), "{name}");
        assert!(forge.state().statuses.last().is_some_and(|it| it.1), "{name}: the status follows");
        forge.state().now = "2026-02-16T15:00:00Z".to_owned();
        let withdrawn = if name == "gitlab" { "UNAPPROVED" } else { "CHANGES_REQUESTED" };
        forge.state().review("lee", withdrawn);
        assert_eq!(gate(&repo, name, &forge).0, Some(6), "{name}: withdrawn");
    }
}

#[test]
fn an_approval_of_another_head_says_nothing() {
    let repo = waiting("[people]\napprovers = [\"lee\"]\n");
    review(&repo);
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("lee", "APPROVED");
    assert_eq!(gate(&repo, "github", &forge).0, Some(0));
    repo.write("src/two.ts", "export const two = 2;\n");
    repo.commit("Two");
    review(&repo);
    forge.state().push(&head(&repo));
    published(&repo, "github", &forge);
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("approval-other-commit"), "{said}");
}

#[test]
fn owners_and_teams_decide_about_their_files() {
    let repo = waiting("[people]\napprovers = [\"codeowners\"]\n");
    review(&repo);
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("nobody", "APPROVED");
    forge.state().review("dana", "APPROVED");
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("the members of @o/design cannot be read"), "{said}");
    forge.state().teams.insert("o/design".to_owned(), vec!["dana".to_owned()]);
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn the_default_names_nobody_and_the_change_cannot() {
    let repo = waiting("");
    repo.write("jury.toml", "[people]\napprovers = [\"lee\"]\n");
    repo.commit("Policy");
    review(&repo);
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("lee", "APPROVED");
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(6), "{said}");
    assert!(said.contains("approval-unnamed"), "{said}");
}

#[test]
fn a_comment_accepts_one_finding_and_an_approval_no_defect() {
    let repo = super::branch(&[("jury.toml", "[people]\napprovers = [\"lee\"]\n")]);
    review(&repo);
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("lee", "APPROVED");
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(1), "a click accepts no injection: {said}");
    let tree = repo.git(["rev-parse", "HEAD^{tree}"]);
    let comment = format!("/jury accept security-3213ecb0-2@{} a tool for trusted folders", &tree[..12]);
    forge.state().say("ann", &comment);
    assert_eq!(gate(&repo, "github", &forge).0, Some(1), "the author");
    let id = forge.state().say("lee", &comment);
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(0), "{said}");
    forge.state().comments.iter_mut().find(|it| it.id == id).expect("it was written").is_edited = true;
    assert_eq!(gate(&repo, "github", &forge).0, Some(1), "edited");
}

#[test]
fn no_approval_lifts_an_abort() {
    let repo = waiting("[people]\napprovers = [\"lee\"]\n");
    review(&repo);
    assert_eq!(run(&repo, &["abort", "--reason", "Stop."]).0, Some(3));
    let forge = FakeForge::github(&head(&repo));
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("lee", "APPROVED");
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn in_a_merge_queue_an_equal_patch_counts() {
    let repo = waiting("[people]\napprovers = [\"lee\"]\n");
    review(&repo);
    let of_head = head(&repo);
    let forge = FakeForge::github(&of_head);
    published(&repo, "github", &forge);
    forge.state().now = "2026-02-16T11:00:00Z".to_owned();
    forge.state().review("lee", "APPROVED");
    // The queue puts the change on a newer base.
    repo.git(["switch", "--quiet", "main"]);
    repo.write("docs/a.md", "# Docs\n");
    repo.commit("Docs");
    repo.git(["switch", "--quiet", "--create", "queue"]);
    repo.git(["merge", "--quiet", "--no-edit", "work"]);
    let (code, said) = gate(&repo, "github", &forge);
    assert_eq!(code, Some(0), "{said}");
    repo.write("src/more.ts", "export const more = 1;\n");
    repo.commit("More");
    review(&repo);
    assert_eq!(gate(&repo, "github", &forge).0, Some(6), "another patch");
}
