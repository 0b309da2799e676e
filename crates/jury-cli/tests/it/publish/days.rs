//! Ten days of a pull request, on each forge: open, fix, move, rename, rebase, reopen, dismiss, force-push, squash, fork.

use jury_testkit::forge::{FakeForge, Thread};
use jury_testkit::repo::Repo;

use super::{FIXED, HIGH, MEDIUM, branch, forges, head, publish, published, review, run, seen};

/// A pull request that is pushed to and published.
struct PullRequest {
    name: &'static str,
    forge: FakeForge,
    repo: Repo,
}

impl PullRequest {
    fn open(index: usize) -> Self {
        let repo = branch(&[("src/one.ts", "export const one = 1;\n")]);
        let (name, forge) = forges(&repo).into_iter().nth(index).expect("there are three");
        Self { name, forge, repo }
    }

    /// Commits, reviews and publishes; checks that once more writes nothing.
    fn push(&self, subject: &str) {
        self.repo.commit(subject);
        self.reviewed();
    }

    fn reviewed(&self) {
        review(&self.repo);
        self.told();
    }

    fn told(&self) {
        self.forge.state().push(&head(&self.repo));
        published(&self.repo, self.name, &self.forge);
        let writes = self.forge.state().writes;
        published(&self.repo, self.name, &self.forge);
        assert_eq!(self.forge.state().writes, writes, "{}: publishing twice is publishing once", self.name);
    }

    /// The thread about the High, and that about the Medium.
    fn threads(&self) -> (Thread, Thread) {
        let state = self.forge.state();
        let of = |title: &str| {
            let mut of = state.threads.iter().filter(|it| it.comments[0].body.contains(title));
            let thread = of.next().cloned().unwrap_or_else(|| panic!("{}: nothing about {title}", self.name));
            assert_eq!(of.count(), 0, "{}: {title} is told once", self.name);
            thread
        };
        (of("Command injection"), of("Loose equality"))
    }

    fn summary(&self) -> String {
        seen(&self.forge.state()).2
    }

    fn is_passed(&self) -> bool {
        let state = self.forge.state();
        state.statuses.iter().rev().find(|(commit, ..)| *commit == state.head).is_some_and(|it| it.1)
    }
}

fn replies(thread: &Thread, word: &str) -> usize {
    thread.comments.iter().skip(1).filter(|it| it.body.contains(word)).count()
}

fn ten_days(index: usize) {
    let pull = PullRequest::open(index);
    let name = pull.name;

    // Day 1: it is opened.
    pull.reviewed();
    let (high, medium) = pull.threads();
    assert_eq!((high.line, medium.line, pull.is_passed()), (Some(2), Some(1), false), "{name}");

    // Day 2: the High is fixed and verified.
    pull.repo.write("src/high.ts", FIXED);
    pull.repo.commit("Fix");
    assert_eq!(run(&pull.repo, &["mark", "security-3213ecb0-2", "fixed"]).0, Some(0));
    assert!(run(&pull.repo, &["verify"]).1.contains("verified"));
    pull.told();
    let (high, medium) = pull.threads();
    assert_eq!((high.resolved_by.is_some(), medium.resolved_by.is_some()), (true, false), "{name}");
    assert!(pull.is_passed(), "{name}");

    // Day 3: the Medium moves down, and the next push moves it again. One reply, kept up to date.
    for lines in [3, 5] {
        pull.repo.write(
            "src/medium.ts",
            format!("{}{MEDIUM}", "export const more = 2;\n".repeat(lines)).replace("more", &format!("more{lines}")),
        );
        pull.push("Move");
        let (high, medium) = pull.threads();
        assert_eq!(replies(&medium, "now at"), 1, "{name}: {medium:?}");
        assert!(medium.comments.iter().any(|it| it.body.contains(&format!("src/medium.ts:{}", lines + 1))), "{name}");
        assert!(high.resolved_by.is_some(), "{name}: what is not in a review is left alone");
    }

    // Day 4: its file is renamed.
    pull.repo.git(["mv", "src/medium.ts", "src/other.ts"]);
    pull.push("Rename");
    let (_, medium) = pull.threads();
    assert_eq!(replies(&medium, "now at"), 1, "{name}");
    assert!(medium.comments.iter().any(|it| it.body.contains("src/other.ts:6")), "{name}: {medium:?}");

    // Day 5: it is put on a newer base. The patch is the same, so nothing is reviewed again.
    pull.repo.git(["switch", "--quiet", "main"]);
    pull.repo.write("README.md", "# B\n");
    pull.repo.commit("Readme");
    pull.repo.git(["switch", "--quiet", "work"]);
    pull.repo.git(["rebase", "--quiet", "main"]);
    let before = pull.threads();
    pull.told();
    assert_eq!(pull.threads(), before, "{name}");
    assert!(pull.is_passed() && pull.summary().contains(&head(&pull.repo)[..12]), "{name}");

    // Day 6: the High is back.
    pull.repo.write("src/high.ts", HIGH);
    pull.push("Back");
    let (high, _) = pull.threads();
    assert_eq!((high.resolved_by.is_none(), replies(&high, "**Reopened**")), (true, 1), "{name}");
    assert!(!pull.is_passed(), "{name}");

    // Day 7: somebody dismisses the Medium.
    let id = pull.threads().1.id;
    pull.forge.state().threads.iter_mut().find(|it| it.id == id).expect("it is there").resolved_by =
        Some("lee".to_owned());
    pull.repo.write("src/three.ts", "export const three = 3;\n");
    pull.push("Three");
    let (_, medium) = pull.threads();
    assert_eq!(medium.resolved_by.as_deref(), Some("lee"), "{name}");
    assert!(pull.summary().contains("1 resolved by a person while the finding stands"), "{name}: {}", pull.summary());

    // Day 8: a force-push leaves the Medium out. Absent is not fixed.
    pull.repo.git(["reset", "--quiet", "--hard", "main"]);
    pull.repo.write("src/high.ts", HIGH);
    pull.push("Anew");
    let (_, after) = pull.threads();
    assert_eq!(after, medium, "{name}");
    assert!(pull.summary().contains("1 about findings that this review does not have"), "{name}: {}", pull.summary());

    // Day 9: its commits become one, of the same tree.
    pull.repo.write("src/four.ts", "export const four = 4;\n");
    pull.push("Four");
    pull.repo.git(["reset", "--quiet", "--soft", "main"]);
    pull.repo.commit("Squashed");
    let before = pull.threads();
    pull.told();
    assert_eq!(pull.threads(), before, "{name}");

    // Day 10: somebody else reviews the same from a clone that checks nothing out.
    let clone = Repo::clone_of(&pull.repo, &["--branch", "main"]);
    let of_head = head(&pull.repo);
    assert_eq!(run(&clone, &["review", "--head", &of_head, "--base", "origin/main"]).0, Some(1), "{name}");
    let (code, _, said) = publish(&clone, name, &pull.forge, &["--head", &of_head, "--base", "origin/main"]);
    assert_eq!(code, Some(0), "{name}: {said}");
    assert_eq!(pull.threads(), before, "{name}: the same findings, by their fingerprints");
}

#[test]
fn on_github() {
    ten_days(0);
}

#[test]
fn on_gitlab() {
    ten_days(1);
}

#[test]
fn on_gitea() {
    ten_days(2);
}
