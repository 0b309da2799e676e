//! git itself is asked about the same working trees.

use super::*;

/// Returns what git itself says, through an index of its own: the tree, and the raw difference to HEAD.
fn git_says(repo: &Repo) -> (String, Vec<String>) {
    let index = repo.path(".git/oracle");
    let _ = std::fs::remove_file(&index);
    let environment = [("GIT_INDEX_FILE", index.to_str().expect("the temporary folder is UTF-8"))];
    repo.git_with(["add", "--all"], &environment);
    let tree = repo.git_with(["write-tree"], &environment);
    let arguments =
        ["diff-index", "--cached", "--no-renames", "--no-ext-diff", "--no-textconv", "--raw", "--abbrev=40", "HEAD"];
    let raw = repo.git_with(arguments, &environment);
    let lines = raw.lines().map(|line| {
        let (facts, path) = line.split_once('\t').expect("a tab stands before the path");
        let facts: Vec<&str> = facts.split(' ').collect();
        format!("{} {} {path}", facts[2], facts[3])
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    (tree, lines)
}

fn we_say(repo: &Repo) -> (String, Vec<String>) {
    let repository = open(repo);
    let snapshot = repository.snapshot(NOTHING).expect("the working tree can be read");
    let changes = repository.changes(&snapshot, &Request::Quick).expect("HEAD is there");
    let none = || "0".repeat(40);
    let lines = changes
        .paths
        .into_iter()
        .map(|one| format!("{} {} {}", one.before.unwrap_or_else(none), one.after.unwrap_or_else(none), one.path));
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    (snapshot.id().to_string(), lines)
}

#[derive(Clone, Debug)]
enum Edit {
    Write(String, u8),
    Remove(String),
    Executable(String),
    Link(String, u8),
    Stage,
    Commit,
    Settle,
}

fn edit() -> impl Strategy<Value = Edit> {
    let name =
        prop::sample::select(vec!["a", "a.b", "a-b", "d/a", "d/b", "d.x", "d/e/f", "z/.gitignore", "z/a.log", "z/k"]);
    let name = name.prop_map(str::to_owned);
    prop_oneof![
        4 => (name.clone(), 0u8..4).prop_map(|(name, content)| Edit::Write(name, content)),
        2 => name.clone().prop_map(Edit::Remove),
        1 => name.clone().prop_map(Edit::Executable),
        1 => (name, 0u8..2).prop_map(|(name, target)| Edit::Link(name, target)),
        1 => Just(Edit::Stage),
        1 => Just(Edit::Commit),
        1 => Just(Edit::Settle),
    ]
}

fn apply(repo: &Repo, edit: &Edit) {
    let clear = |place: &Path| {
        let _ = std::fs::remove_file(place);
    };
    match edit {
        Edit::Write(name, content) => {
            let place = repo.path(name);
            clear(&place);
            std::fs::create_dir_all(place.parent().expect("a file lies in a folder")).expect("the folder can be made");
            std::fs::write(place, ["", "*.log\n", "one\ntwo\n", "\0binary"][usize::from(*content)])
                .expect("the working tree can be written");
        }
        Edit::Remove(name) => clear(&repo.path(name)),
        Edit::Executable(name) => {
            let place = repo.path(name);
            if std::fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_file()) {
                std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755))
                    .expect("the working tree can be written");
            }
        }
        Edit::Link(name, target) => {
            let place = repo.path(name);
            clear(&place);
            std::fs::create_dir_all(place.parent().expect("a file lies in a folder")).expect("the folder can be made");
            symlink(["a", "nowhere"][usize::from(*target)], place).expect("the working tree can be written");
        }
        Edit::Stage => drop(repo.git(["add", "--all"])),
        Edit::Commit => drop(repo.commit("more")),
        Edit::Settle => settle(repo),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn git_says_the_same(edits in prop::collection::vec(edit(), 1..14)) {
        let repo = Repo::with(&[("a", "one\ntwo\n"), ("d/a", ""), ("z/.gitignore", "*.log\n")]);
        // The oracle's index starts as a copy of nothing, so what is tracked although ignored is not compared here.
        for edit in &edits {
            apply(&repo, edit);
        }
        prop_assert_eq!(we_say(&repo), git_says(&repo));
    }

    /// A second look says of every edit what a new snapshot says.
    #[test]
    fn a_second_look_sees_what_a_new_snapshot_sees(
        before in prop::collection::vec(edit(), 0..8),
        since in prop::collection::vec(edit(), 0..4),
    ) {
        let repo = Repo::with(&[("a", "one\ntwo\n"), ("d/a", ""), ("z/.gitignore", "*.log\n")]);
        before.iter().for_each(|edit| apply(&repo, edit));
        let repository = open(&repo);
        let snapshot = repository.snapshot(NOTHING).expect("the working tree can be read");
        since.iter().for_each(|edit| apply(&repo, edit));
        let now = open(&repo).snapshot(NOTHING).expect("the working tree can be read");
        let is_current = repository.is_current(&snapshot, NOTHING).expect("the working tree can be read");
        prop_assert_eq!(is_current, now.id() == snapshot.id());
    }
}
