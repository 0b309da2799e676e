//! What comparing with the base costs: `jury review` of files that were there before, against the same files as new ones, in the same run. A new file
//! has nothing to be compared with, so its review is one without comparison. Run by `cargo xtask bench look_back`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::repo::Repo;

const RUNS: usize = 15;
/// How many files the repository has, and how many of them the change touches.
const FILES: usize = 20_000;
const TOUCHED: usize = 20;
/// Functions in each touched file.
const PER_FILE: usize = 20;
/// The targets: how much longer a review with the comparison may take.
const CLEAN: f64 = 1.3;
const FOUND: f64 = 2.2;

/// A file; with a finding or not, and edited in its first function or not.
fn source(number: usize, has_finding: bool, is_edited: bool) -> String {
    let mut text = "import { exec, execFile } from \"child_process\";\n\n".to_owned();
    for nth in 0..PER_FILE {
        let is_bad = has_finding && nth == PER_FILE - 1;
        let call = if is_bad { "exec(\"ls \" + folder)" } else { "execFile(\"ls\", [\"--\", folder])" };
        let note = if is_edited && nth == 0 { "  console.info(folder);\n" } else { "" };
        _ = write!(
            text,
            "export function list{number}x{nth}(folder: string) {{\n  const started = Date.now();\n{note}  {call};\n  return Date.now() - started;\n}}\n\n"
        );
    }
    text
}

/// A repository whose change edits files, or adds them as they are after the edit.
fn repository(has_finding: bool, is_new: bool) -> Repo {
    let path = |number: usize| format!("src/d{}/f{number}.ts", number % 50);
    let repo = Repo::with(&[("package.json", "{}\n")]);
    for number in TOUCHED..FILES {
        repo.write(&path(number), format!("export const value{number} = {number};\n"));
    }
    if !is_new {
        (0..TOUCHED).for_each(|number| _ = repo.write(&path(number), source(number, has_finding, false)));
    }
    repo.commit("all");
    repo.git(["switch", "--quiet", "--create", "work"]);
    (0..TOUCHED).for_each(|number| _ = repo.write(&path(number), source(number, has_finding, true)));
    repo.commit("work");
    repo
}

fn review(root: &Path) -> Duration {
    for folder in [".git/jury", ".code-review", "docs"] {
        let place = root.join(folder);
        if place.exists() {
            std::fs::remove_dir_all(place).expect("what a review wrote can be removed");
        }
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.arg("review").current_dir(root).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    command.status().expect("the program starts");
    start.elapsed()
}

#[allow(clippy::print_stdout)]
fn main() {
    println!("look_back: {TOUCHED} of {FILES} files, best of {RUNS}, in alternation with the same files as new ones");
    println!("| change | ms | as new files, ms | ratio | target |\n|---|---|---|---|---|");
    for (name, has_finding, target) in [("clean", false, CLEAN), ("a finding in every file", true, FOUND)] {
        let (edited, new) = (repository(has_finding, false), repository(has_finding, true));
        let (mut best, mut floor) = (Duration::MAX, Duration::MAX);
        for _ in 0..RUNS {
            floor = floor.min(review(new.root()));
            best = best.min(review(edited.root()));
        }
        let ratio = best.as_secs_f64() / floor.as_secs_f64();
        let (best, floor) = (best.as_secs_f64() * 1e3, floor.as_secs_f64() * 1e3);
        println!("| {name} | {best:.0} | {floor:.0} | {ratio:.2}× | {target}× |");
    }
}
