//! `jury init` on five prepared repositories: what it leaves, that twice is once, and that `--remove` brings back every byte.
//!
//! `tests/init/<name>.txt` says what is there afterwards. `JURY_BLESS=1` writes it, for a person to read before it is committed.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use jury_testkit::repo::Repo;

use crate::binary;

/// What a folder holds: paths with the mode and the text of each file; folders have none.
type Tree = BTreeMap<String, Option<(u32, String)>>;

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).expect("the folder can be read") {
            let entry = entry.expect("the folder can be read");
            let path = format!("{folder}{}", entry.file_name().to_str().expect("names are UTF-8"));
            let about = entry.metadata().expect("the file is there");
            // Git's own files are no part of it, but for its hooks.
            if path == ".git" || path.ends_with(".sample") {
                continue;
            }
            if about.is_dir() {
                waiting.push(format!("{path}/"));
                found.insert(path, None);
            } else {
                let text = std::fs::read_to_string(entry.path()).expect("the file is text");
                found.insert(path, Some((about.permissions().mode() & 0o777, text)));
            }
        }
    }
    found
}

/// What `jury init` can touch: the working tree, and the folder of git's hooks.
fn state(repo: &Repo) -> (Tree, Tree) {
    let hooks = repo.git(["rev-parse", "--git-path", "hooks"]);
    let hooks = repo.root().join(hooks);
    (tree(repo.root()), if hooks.is_dir() { tree(&hooks) } else { Tree::new() })
}

/// Runs the program in a repository, in a surrounding of its own.
fn jury(repo: &Repo, words: &[&str]) -> (i32, String) {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_jury"));
    let folder = program.parent().expect("it lies in a folder").to_str().expect("its path is UTF-8");
    let output = binary::jury(words)
        .current_dir(repo.root())
        .env("PATH", format!("{folder}:/usr/bin:/bin"))
        .env("HOME", repo.root().parent().expect("it lies in a folder"))
        .env("XDG_CONFIG_HOME", repo.root().parent().expect("it lies in a folder"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("it prints UTF-8");
    let place = repo.root().to_str().expect("its path is UTF-8");
    (output.status.code().expect("it ends by itself"), text.replace(place, "<repo>"))
}

/// Says what is there that was not, and what a changed file holds.
fn account(before: &(Tree, Tree), after: &(Tree, Tree)) -> String {
    let mut text = String::new();
    for (place, before, after) in [("", &before.0, &after.0), ("hooks: ", &before.1, &after.1)] {
        for (path, now) in after {
            let Some((mode, lines)) = now else { continue };
            let mark = if mode & 0o111 == 0 { "" } else { "*" };
            match before.get(path) {
                None => text.push_str(&format!("new      {place}{path}{mark}\n")),
                Some(was) if was != now => {
                    text.push_str(&format!("changed  {place}{path}{mark}\n"));
                    text.extend(lines.lines().map(|line| format!("  | {line}").trim_end().to_owned() + "\n"));
                }
                Some(_) => text.push_str(&format!("as it was {place}{path}{mark}\n")),
            }
        }
        assert!(before.keys().all(|path| after.contains_key(path)), "nothing may go");
    }
    text
}

/// Goes the whole way in a repository, and holds what it leaves against what is written.
fn check(name: &str, repo: &Repo, words: &[&str], expected_code: i32) {
    let before = state(repo);
    let (code, shown) = jury(repo, &[&["init", "--dry-run"], words].concat());
    assert_eq!(code, expected_code, "{name}: {shown}");
    assert_eq!(state(repo), before, "{name}: a dry run writes nothing");
    let (code, said) = jury(repo, &[&["init", "--yes"], words].concat());
    assert_eq!(code, expected_code, "{name}: {said}");
    let after = state(repo);
    let notes: Vec<&str> = said.lines().filter(|line| line.starts_with("left") || line.starts_with("  |")).collect();
    let mut actual = account(&before, &after);
    actual.extend(notes.iter().map(|line| format!("{line}\n")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/init/{name}.txt"));
    if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the folder can be made");
        std::fs::write(&path, &actual).expect("it can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(actual, expected, "{name}");

    let (code, again) = jury(repo, &[&["init", "--yes"], words].concat());
    assert!(code == expected_code && state(repo) == after, "{name}: twice is once: {}", account(&after, &state(repo)));
    assert!(again.contains("all writable files are up to date"), "{name}: {again}");
    let (code, gone) = jury(repo, &["init", "--remove", "--yes"]);
    assert_eq!(code, 0, "{name}: {gone}");
    assert!(state(repo) == before, "{name}: everything is as it was: {}", account(&before, &state(repo)));
    let (_, nothing) = jury(repo, &["init", "--remove", "--yes"]);
    assert_eq!(nothing, "nothing to remove\n");
}

#[test]
fn an_empty_repository() {
    let repo = Repo::new();
    check("empty", &repo, &[], 0);
    check("empty-all", &repo, &["--hosts", "claude,codex,gemini,cursor,opencode,git", "--linters", "ruff"], 0);
}

#[test]
fn typescript_with_hooks_and_settings() {
    let repo = Repo::with(&[
        ("package.json", "{\"name\": \"shop\"}\n"),
        ("tsconfig.json", "{}\n"),
        ("eslint.config.js", "export default [];\n"),
        (
            ".claude/settings.json",
            "{\n    \"model\": \"opus\",\n    \"permissions\": { \"allow\": [\"Bash(npm test)\"] },\n    \"hooks\": {\n        \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"./scripts/bell\" } ] } ]\n    }\n}\n",
        ),
        (".mcp.json", "{ \"mcpServers\": { \"docs\": { \"command\": \"docs-server\" } } }"),
        (".cursor/hooks.json", "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"./bell\"}]}}\n"),
        ("CLAUDE.md", "# Shop\n\nUse tabs."),
        (".gitlab-ci.yml", "test:\n  script: npm test\n"),
    ]);
    let hook = repo.path(".git/hooks/pre-push");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\nnpm test\n").unwrap();
    std::fs::set_permissions(&hook, PermissionsExt::from_mode(0o775)).unwrap();
    check("typescript", &repo, &["--linters", "eslint"], 0);
}

#[test]
fn a_rust_crate() {
    let repo = Repo::with(&[
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("clippy.toml", ""),
        (".codex/config.toml", "# Ours.\nmodel = \"gpt\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\n"),
        ("AGENTS.md", "# Agents\n"),
        ("jury.toml", "[policy]\nblock_at = \"Medium\" # strict\n"),
    ]);
    check("rust", &repo, &["--linters", "clippy"], 0);
}

#[test]
fn a_monorepo_with_worktrees() {
    let repo = Repo::with(&[
        ("packages/api/package.json", "{}\n"),
        ("packages/api/tsconfig.json", "{}\n"),
        ("services/billing/go.mod", "module billing\n"),
        (".gemini/settings.json", "{\n\t\"theme\": \"dark\"\n}\n"),
        ("opencode.json", "{\"$schema\": \"https://opencode.ai/config.json\", \"model\": \"x\"}\n"),
        (".githooks/pre-commit", "#!/bin/sh\nexit 0\n"),
    ]);
    repo.git(["update-index", "--chmod=+x", ".githooks/pre-commit"]);
    repo.commit_index("The hook can be run");
    repo.git(["checkout", "--quiet", "--", "."]);
    std::fs::set_permissions(repo.path(".githooks/pre-commit"), PermissionsExt::from_mode(0o755)).unwrap();
    repo.git(["config", "core.hooksPath", ".githooks"]);
    let place = repo.root().parent().unwrap().join("linked");
    repo.git(["worktree", "add", "--quiet", place.to_str().unwrap(), "-b", "work"]);
    let main = state(&repo);
    let linked = Repo::at(&place);
    std::fs::set_permissions(linked.path(".githooks/pre-commit"), PermissionsExt::from_mode(0o755)).unwrap();
    check("monorepo", &linked, &[], 0);
    assert_eq!(state(&repo), main, "the other worktree is not touched");
}

#[test]
fn broken_settings_are_left_alone_with_what_to_add() {
    let repo = Repo::with(&[
        (".claude/settings.json", "{\n  // only ours\n  \"model\": \"opus\"\n}\n"),
        (".claude/agents/qa-reviewer.md", "mine\n"),
        (".mcp.json", "{\"mcpServers\": {\"a\": {}, \"a\": {}}}\n"),
        ("CLAUDE.md", "<!-- jury:begin -->\nnever ended\n"),
        (".codex/config.toml", "model = \n"),
        ("jury.toml", "[policy]\nblock_at = \"Sometimes\"\n"),
    ]);
    symlink("config.toml", repo.path(".codex/hooks.json")).unwrap();
    check("broken", &repo, &["--linters", "ruff"], 1);
}

#[test]
fn hooks_that_others_share_are_not_written() {
    let repo = Repo::new();
    let shared = repo.root().parent().unwrap().join("shared-hooks");
    std::fs::create_dir(&shared).unwrap();
    repo.git(["config", "core.hooksPath", shared.to_str().unwrap()]);
    let (code, said) = jury(&repo, &["init", "--yes"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("which other repositories may share") && said.contains("jury hook git pre-push \"$@\""),
        "{said}"
    );
    assert_eq!(tree(&shared), Tree::new());
    repo.git(["config", "core.hooksPath", ".husky/_"]);
    repo.write(".husky/pre-push", "npm test\n");
    let (code, said) = jury(&repo, &["init", "--yes"]);
    assert!(code == 1 && said.contains("which husky overwrites"), "{said}");
}

#[test]
fn nobody_agreed_is_nothing_written() {
    let repo = Repo::with(&[("CLAUDE.md", "# Hi\n")]);
    let before = state(&repo);
    let (code, said) = jury(&repo, &["init"]);
    assert!(code == 2 && said.contains("not confirmed; nothing was written"), "{said}");
    assert_eq!(state(&repo), before);
    for words in
        [&["init", "--hosts", "emacs"][..], &["init", "--linters", "nonsense"], &["init", "--remove", "--hosts", "git"]]
    {
        assert_eq!(jury(&repo, words).0, 2, "{words:?}");
    }
}

#[test]
fn damaged_notes_are_kept_and_refused() {
    let repo = Repo::new();
    jury(&repo, &["init", "--yes"]);
    std::fs::write(repo.path(".git/jury/installed.json"), "{\"version\": 2}").unwrap();
    let (code, said) = jury(&repo, &["init", "--remove", "--yes"]);
    assert_eq!(code, 5, "{said}");
    assert_eq!(std::fs::read_to_string(repo.path(".git/jury/installed.json")).unwrap(), "{\"version\": 2}");
    std::fs::remove_file(repo.path(".git/jury/installed.json")).unwrap();
    let (code, said) = jury(&repo, &["init", "--remove", "--yes"]);
    assert!(code == 0 && said.contains("2 gone"), "{said}");
}

/// A chained hook: what was there runs first, with the same input; whoever of the two refuses, refuses for both.
#[test]
fn a_hook_that_was_there_runs_first_and_with_the_same_input() {
    let repo = Repo::new();
    let hook = repo.path(".git/hooks/pre-push");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\ncat > seen-first\nexit ${FIRST:-0}\n").unwrap();
    std::fs::set_permissions(&hook, PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(jury(&repo, &["init", "--yes"]).0, 0);
    let bin = repo.root().parent().unwrap().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let stub = "#!/bin/sh\necho \"$@\" > seen-words\ncat > seen-second\nexit 7\n";
    let run = |path: &str, first: &str| {
        use std::io::Write as _;
        let mut child = std::process::Command::new(&hook)
            .args(["origin", "url"])
            .current_dir(repo.root())
            .env("PATH", path)
            .env("FIRST", first)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the hook can be run");
        // Whoever refuses at once need not read.
        _ = child.stdin.take().unwrap().write_all(b"a b c d\n");
        child.wait().expect("it ends").code()
    };
    let system = "/usr/bin:/bin";
    assert_eq!(run(system, "0"), Some(1), "without the program, nothing goes through");
    std::fs::write(bin.join("jury"), stub).unwrap();
    std::fs::set_permissions(bin.join("jury"), PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{system}", bin.display());
    assert_eq!(run(&path, "3"), Some(3));
    assert!(!repo.path("seen-second").exists());
    assert_eq!(run(&path, "0"), Some(7));
    assert_eq!((repo.read("seen-first"), repo.read("seen-second")), (b"a b c d\n".to_vec(), b"a b c d\n".to_vec()));
    assert_eq!(repo.read("seen-words"), b"hook git pre-push origin url\n");
}

#[test]
fn code_that_no_grammar_reads_is_proposed_however_deep_it_lies() {
    let repo = Repo::with(&[("README.md", "# Shop\n")]);
    repo.write("shop/src/main/java/com/example/shop/cart/Cart.kt", "fun total(): Int {\n    return 1\n}\n")
        .commit("cart");
    // What git does not know is none of the repository's.
    repo.write("build/Cart.swift", "func total() -> Int { return 1 }\n");
    let (code, shown) = jury(&repo, &["init", "--dry-run"]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("`--text-only '**/*.kt'`"), "{shown}");
}
