//! What it costs to run a reviewer of a team's own (private copy, limits, confinement, reading the answer), against the same
//! program run bare, and run bare in a copy of the tree that is made by `cp` and removed by `rm`, in the same run; and the peak memory of two hundred of them, eight at a time. And in CPU time: a review with five agents whose answers are kept, against one without; and the copy of a large tree, against `git worktree add`. Run by
//! `cargo xtask bench reviewers`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::repo::{Repo, TempFolder};

const RUNS: usize = 5;
/// Reviewers, one after the other.
const REVIEWERS: usize = 40;
/// Files of the tree, which every reviewer gets a copy of.
const SIZES: &[usize] = &[10, 1_000];
const SCRIPT: &str = "echo \"<checkstyle></checkstyle>\"";

/// A repository of this many files with a change, whose base names this many reviewers.
fn repository(files: usize, reviewers: usize, parallel: usize) -> Repo {
    let table = |number| {
        format!(
            "[reviewers.lint-{number}]\nkind = \"tool\"\nformat = \"checkstyle\"\ncommand = [\"sh\", \"-c\", '{SCRIPT}']\n"
        )
    };
    let config: String = (0..reviewers).map(table).collect();
    let repo = Repo::with(&[("jury.toml", &format!("[policy]\nparallel = {parallel}\n{config}"))]);
    for number in 0..files {
        repo.write(&format!("src/d{}/f{number}.ts", number % 50), format!("export const value{number} = {number};\n"));
    }
    repo.commit("all");
    repo.git(["switch", "--quiet", "--create", "work"]);
    repo.write("src/two.ts", "export const two = 2;\n");
    repo.commit("work");
    repo
}

fn review(repo: &Repo, home: &TempFolder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    // An answer that was kept costs nothing, and would say nothing.
    command
        .args(["review", "--trust", "--fresh"])
        .current_dir(repo.root())
        .env("HOME", home.path())
        .env("TMPDIR", home.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn time(mut command: Command) -> Duration {
    let start = Instant::now();
    assert!(command.status().expect("the program starts").success());
    start.elapsed()
}

/// Runs the program as often as there are reviewers, without Jury.
fn bare(script: &str, place: &Path) -> Duration {
    let run = || {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(place).stdin(Stdio::null()).stdout(Stdio::null());
        time(command)
    };
    (0..REVIEWERS).map(|_| run()).sum()
}

/// Returns the most memory that a review took, in MiB.
fn peak(repo: &Repo, home: &TempFolder) -> f64 {
    let mut child = review(repo, home).spawn().expect("the program starts");
    let mut kilobytes = 0.0_f64;
    while child.try_wait().expect("it is our child").is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let now = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        kilobytes = kilobytes.max(now.unwrap_or_default());
        std::thread::sleep(Duration::from_millis(1));
    }
    kilobytes / 1024.0
}

/// Agents whose answers are kept, and the files of a change that they saw.
const AGENTS: usize = 5;
const CHANGED: usize = 20;
/// Files of the tree that is copied as a whole.
const LARGE: usize = 10_000;
/// An agent that finds nothing.
const AGENT: &str = r#"n=$(sed -n "s/^The nonce of this brief is \(.*\)\.$/\1/p"); printf "{\"nonce\":\"$n\",\"reviewer\":\"a\",\"findings\":[],\"residual_risks\":[],\"testing_gaps\":[]}""#;

/// Returns the CPU seconds of a command and its children.
fn cpu(place: &Path, home: &TempFolder, words: &[&str]) -> f64 {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cpu_time.py");
    let mut command = Command::new("python3");
    command.arg(script).args(words).current_dir(place).env("HOME", home.path()).env("TMPDIR", home.path());
    let output = command.output().expect("python3 starts");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("the script prints seconds")
}

/// A repository of so many files, with a change of some of them, whose base has this configuration.
fn changed(files: usize, config: &str) -> Repo {
    let repo = Repo::with(&[("jury.toml", config)]);
    for number in 0..files {
        repo.write(&format!("src/d{}/f{number}.ts", number % 100), format!("export const value{number} = {number};\n"));
    }
    repo.commit("all");
    repo.git(["switch", "--quiet", "--create", "work"]);
    for number in 0..CHANGED {
        repo.write(
            &format!("src/d{}/f{number}.ts", number % 100),
            format!("export const value{number} = -{number};\n"),
        );
    }
    repo.commit("work");
    repo
}

/// Measures reviews with agents whose answers are kept, and the copy of a large tree, in CPU time.
#[allow(clippy::print_stdout)]
fn in_cpu_time(home: &TempFolder) {
    let jury = env!("CARGO_BIN_EXE_jury");
    let table = |number| {
        format!(
            "[reviewers.agent-{number}]\nkind = \"agent\"\npersona = \"qa\"\ncommand = [\"sh\", \"-c\", '''{AGENT}''']\n"
        )
    };
    let (none, all) = (changed(200, ""), changed(200, &(0..AGENTS).map(table).collect::<String>()));
    let [mut without, mut with] = [f64::INFINITY; 2];
    // The first one is asked and keeps the answers.
    for _ in 0..=RUNS {
        without = without.min(cpu(none.root(), home, &[jury, "review", "--trust"]));
        with = with.min(cpu(all.root(), home, &[jury, "review", "--trust"]));
    }
    println!(
        "{AGENTS} agents whose answers are kept, {CHANGED} changed files: {:.0} ms without, {:.0} ms with them, {:.2}× (target 1.3×)",
        without * 1e3,
        with * 1e3,
        with / without
    );
    let config = format!(
        "[reviewers.whole]\nkind = \"tool\"\nformat = \"checkstyle\"\ncommand = [\"sh\", \"-c\", '{SCRIPT}', \"{{tree}}\"]\n"
    );
    let (none, all) = (changed(LARGE, ""), changed(LARGE, &config));
    let place = home.path().join("worktree").display().to_string();
    let [mut without, mut with, mut git] = [f64::INFINITY; 3];
    for _ in 0..RUNS {
        without = without.min(cpu(none.root(), home, &[jury, "review", "--trust", "--fresh"]));
        with = with.min(cpu(all.root(), home, &[jury, "review", "--trust", "--fresh"]));
        git = git.min(cpu(all.root(), home, &["git", "worktree", "add", "--quiet", "--detach", &place]));
        all.git(["worktree", "remove", "--force", &place]);
    }
    println!(
        "copy of {LARGE} files for a tool: {:.0} ms, `git worktree add`: {:.0} ms, {:.2}× (target 2×)",
        (with - without) * 1e3,
        git * 1e3,
        (with - without) / git
    );
}

#[allow(clippy::print_stdout)]
fn main() {
    let home = TempFolder::new();
    in_cpu_time(&home);
    println!(
        "reviewers: {REVIEWERS}, one after the other, best of {RUNS} in alternation with the same program run bare"
    );
    println!(
        "| files of the tree | bare, ms | bare in a copy, ms | as a reviewer, ms | against bare | against the copy |"
    );
    println!("|---|---|---|---|---|---|");
    let in_copy = format!("mkdir copy && cp -r jury.toml src copy && cd copy && {SCRIPT} && cd .. && rm -r copy");
    for files in SIZES {
        let (none, all) = (repository(*files, 0, 1), repository(*files, REVIEWERS, 1));
        let [mut floor, mut copied, mut without, mut with] = [Duration::MAX; 4];
        for _ in 0..RUNS {
            floor = floor.min(bare(SCRIPT, none.root()));
            copied = copied.min(bare(&in_copy, none.root()));
            without = without.min(time(review(&none, &home)));
            with = with.min(time(review(&all, &home)));
        }
        let each = |total: Duration| total.as_secs_f64() * 1e3 / REVIEWERS as f64;
        let (bare, copied, ours) = (each(floor), each(copied), each(with.saturating_sub(without)));
        println!("| {files} | {bare:.2} | {copied:.2} | {ours:.2} | {:.1}× | {:.1}× |", ours / bare, ours / copied);
    }
    let (none, all) = (peak(&repository(100, 0, 8), &home), peak(&repository(100, 200, 8), &home));
    println!("peak memory: {none:.0} MiB without reviewers, {all:.0} MiB with 200 of them, 8 at a time");
}
