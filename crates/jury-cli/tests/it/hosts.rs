//! Every row of `jury::agents::HOSTS` is a host to every part of Jury: no list of hosts stands in these tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury::agents::{HOSTS, Host, Piece};
use jury::config::Config;
use jury_testkit::repo::{Repo, TempFolder};
use serde_json::Value;

use crate::binary;

/// Prepares the program, with a PATH and a home of its own.
fn jury(folder: &Path, words: &[&str]) -> Command {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_jury"));
    let bin = program.parent().expect("it lies in a folder").to_str().expect("its path is UTF-8");
    let mut command = binary::jury(words);
    command
        .current_dir(folder)
        .env("PATH", format!("{bin}:/usr/bin:/bin"))
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder.parent().expect("it lies in a folder"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null());
    command
}

/// Runs the program; returns its exit code and everything that it printed.
fn run(folder: &Path, words: &[&str]) -> (i32, String) {
    let output = jury(folder, words).output().expect("the program starts");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("it prints UTF-8");
    (output.status.code().expect("it ends by itself"), text)
}

fn page(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_host_with_hooks_is_answered_by_all_names_of_its_events() {
    let outside = TempFolder::new();
    for host in HOSTS {
        let Some(hooks) = &host.hooks else {
            let (code, said) = run(outside.path(), &["hook", host.name, "stop"]);
            assert!(code == 2 && said.contains("unrecognized subcommand"), "{}: {said}", host.name);
            continue;
        };
        let own = [hooks.events.stop, hooks.events.post_edit, hooks.events.session_start];
        assert!(own.iter().all(|names| !names.is_empty()), "{}", host.name);
        for event in own.concat().into_iter().chain(["stop", "post-edit", "session-start"]) {
            let (code, said) = run(outside.path(), &["hook", host.name, event]);
            assert_eq!(code, 0, "{} {event}: {said}", host.name);
        }
    }
}

/// Returns the files that a host has in a repository, as far as their paths are known without the plugin.
fn files(host: &Host) -> Vec<&'static str> {
    let path = |piece: &Piece| match piece {
        Piece::Folder { to, .. } | Piece::Json { to, .. } | Piece::Toml { to, .. } | Piece::Section { to } => *to,
    };
    host.install.pieces.iter().map(path).collect()
}

#[test]
fn every_host_is_set_up_found_well_and_removed() {
    for host in HOSTS {
        let repo = Repo::with(&[("a.ts", "export {};\n")]);
        let (code, said) = run(repo.root(), &["init", "--yes", "--hosts", host.name]);
        assert_eq!(code, 0, "{}: {said}", host.name);
        for path in files(host) {
            assert!(repo.path(path).exists(), "{}: {path}", host.name);
        }
        assert_eq!(host.install.once.is_some_and(|once| said.contains(once)), host.install.once.is_some(), "{said}");
        let output = jury(repo.root(), &["doctor", "--format", "json"]).output().expect("the program starts");
        let seen: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
        let is_well = |check: &Value| {
            let what = check["what"].as_str().unwrap_or_default();
            check["check"] == "agents" && check["state"] == "well" && what.starts_with(&format!("{}: ", host.title))
        };
        assert!(seen["checks"].as_array().is_some_and(|checks| checks.iter().any(is_well)), "{}: {seen:#}", host.name);
        let (code, said) = run(repo.root(), &["init", "--remove", "--yes"]);
        assert_eq!(code, 0, "{}: {said}", host.name);
        for path in files(host) {
            assert!(!repo.path(path).exists(), "{}: {path}", host.name);
        }
    }
}

#[test]
fn every_host_that_reviews_need_only_be_named() {
    for host in HOSTS {
        let text = format!("[reviewers.security]\nkind = \"agent\"\nuse = \"{}\"\n", host.name);
        let read = Config::read(Some(text.as_bytes()), &|_| None);
        match &host.reviewer {
            Some(reviewer) => assert_eq!(read.expect("it is known").reviewers[0].command, reviewer.command),
            None => assert!(read.is_err(), "{}", host.name),
        }
    }
}

#[test]
fn every_host_is_named_where_a_user_looks() {
    let (_, unknown) = run(Repo::new().root(), &["init", "--dry-run", "--hosts", "nobody"]);
    let (agents, line) = (page("docs/agents.md"), page("docs/reference/cli.md"));
    let init = line.split("\n## jury init\n").nth(1).expect("the page has every command");
    for host in HOSTS {
        assert!(unknown.contains(host.name), "{}: {unknown}", host.name);
        assert!(init.contains(host.name), "docs/reference/cli.md is stale: {}", host.name);
        assert!(agents.contains(&format!("\n### {}\n", host.title)), "docs/agents.md has no section on {}", host.title);
        let is_called = agents.contains(&format!("| `jury hook {}` |", host.name));
        assert_eq!(is_called, host.hooks.is_some(), "docs/agents.md: the hooks of {}", host.title);
        let is_command = line.contains(&format!("\n## jury hook {}\n", host.name));
        assert_eq!(is_command, host.hooks.is_some(), "docs/reference/cli.md is stale: {}", host.name);
    }
}
