//! `jury verify` of findings that were all fixed, against `git status` in the same run: what it costs grows with the files that
//! were touched, and not with the repository. Run by `cargo xtask bench verify`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::repo::{Repo, TempFolder};

const RUNS: usize = 5;
/// Findings in each file that is touched.
const PER_FILE: usize = 5;

/// How many files there are, and how many of them are touched.
const SIZES: &[(usize, usize)] = &[(1_000, 20), (1_000, 200), (20_000, 20), (20_000, 200)];

fn source(number: usize, is_fixed: bool) -> String {
    let mut text = "import { exec, execFile } from \"child_process\";\n\n".to_owned();
    for nth in 0..PER_FILE {
        let call =
            if is_fixed { "execFile(\"ls\", [folder])".to_owned() } else { format!("exec(\"ls -{nth} \" + folder)") };
        _ = write!(
            text,
            "export function list{number}x{nth}(folder: string) {{\n  const started = Date.now();\n  {call};\n  return Date.now() - started;\n}}\n\n"
        );
    }
    text
}

fn jury(root: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(arguments).current_dir(root).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program starts");
    start.elapsed()
}

/// Copies a folder, or puts a copy back.
fn copy(from: &Path, to: &Path) {
    if to.exists() {
        std::fs::remove_dir_all(to).expect("the copy can be removed");
    }
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("`cp` is there");
    assert!(status.success());
}

#[allow(clippy::print_stdout)]
fn main() {
    println!("verify: best of {RUNS}, in alternation with `git status`; {PER_FILE} findings in each touched file");
    println!("| files | touched | findings | ms | against `git status` |\n|---|---|---|---|---|");
    for (files, touched) in SIZES {
        let repo = Repo::with(&[("package.json", "{}\n")]);
        for number in *touched..*files {
            repo.write(
                &format!("src/d{}/f{number}.ts", number % 50),
                format!("export const value{number} = {number};\n"),
            );
        }
        repo.commit("all");
        repo.git(["switch", "--quiet", "--create", "work"]);
        let path = |number: usize| format!("src/d{}/f{number}.ts", number % 50);
        (0..*touched).for_each(|number| _ = repo.write(&path(number), source(number, false)));
        repo.commit("work");
        jury(repo.root(), &["review".to_owned()]).status().expect("the program starts");
        let latest = repo.read(".code-review/review-latest.json");
        let file: serde_json::Value = serde_json::from_slice(&latest).expect("the verdict file is JSON");
        let findings = file["findings"].as_array().expect("it lists findings");
        let ids = findings.iter().map(|finding| finding["id"].as_str().expect("an id is a text").to_owned());
        let mark: Vec<String> = ["mark".to_owned()].into_iter().chain(ids).chain(["fixed".to_owned()]).collect();
        assert!(jury(repo.root(), &mark).status().expect("the program starts").success());
        (0..*touched).for_each(|number| _ = repo.write(&path(number), source(number, true)));
        let kept = TempFolder::new();
        let (state, verdict) = (repo.path(".git/jury"), repo.path(".code-review"));
        copy(&state, &kept.path().join("jury"));
        copy(&verdict, &kept.path().join("verdict"));
        let mut git = Command::new("git");
        git.args(["status", "--porcelain"]).current_dir(repo.root());
        let (mut best, mut floor) = (Duration::MAX, Duration::MAX);
        for _ in 0..RUNS {
            copy(&kept.path().join("jury"), &state);
            copy(&kept.path().join("verdict"), &verdict);
            floor = floor.min(time(&mut git));
            best = best.min(time(&mut jury(repo.root(), &["verify".to_owned()])));
        }
        let latest = String::from_utf8(repo.read(".code-review/review-latest.json")).expect("it is text");
        let verified = latest.matches("\"status\": \"verified\"").count();
        assert_eq!(verified, findings.len(), "everything was fixed");
        let ratio = best.as_secs_f64() / floor.as_secs_f64();
        println!("| {files} | {touched} | {} | {:.0} | {ratio:.1}× |", findings.len(), best.as_secs_f64() * 1e3);
    }
}
