//! The commands that run at every stop of an agent, against `git rev-parse HEAD` in the same run: `jury gate` and
//! `jury status` on a small repository that was reviewed; and reviews of a change of 500 lines of TypeScript, against the
//! start of the process. And the hook that comes after every edit, whose median is held to a time.
//! Run by `cargo xtask bench`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::repo::Repo;

const RUNS: usize = 40;
/// What the two that only look should cost at most, in runs of the floor.
const AIM: f64 = 3.0;
/// What the hook after an edit should take at most, in the median.
const EDIT_AIM: Duration = Duration::from_millis(20);

/// Runs two programs in alternation, so that a noisy moment hits both, and returns the best time of each.
fn best_of_each(floor: &mut Command, ours: &mut Command) -> (Duration, Duration) {
    let time = |command: &mut Command| {
        let start = Instant::now();
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program starts");
        start.elapsed()
    };
    let times: Vec<(Duration, Duration)> = (0..RUNS).map(|_| (time(floor), time(ours))).collect();
    (
        times.iter().map(|pair| pair.0).min().unwrap_or_default(),
        times.iter().map(|pair| pair.1).min().unwrap_or_default(),
    )
}

/// Returns the median time of a program, its first run aside.
fn median(command: &mut Command) -> Duration {
    let mut time = || {
        let start = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program starts");
        start.elapsed()
    };
    time();
    let mut times: Vec<Duration> = (0..RUNS).map(|_| time()).collect();
    times.sort();
    times[RUNS / 2]
}

fn jury(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(arguments).current_dir(root);
    command
}

fn typescript(functions: usize) -> String {
    let mut text = String::new();
    for number in 0..functions {
        let body = format!(
            "  const row = await db.one(\"SELECT * FROM t{number} WHERE id = $1\", [id]);\n  return row.name;\n"
        );
        _ = write!(
            text,
            "export async function name{number}(db: Database, id: string): Promise<string> {{\n{body}}}\n\n"
        );
    }
    text
}

#[allow(clippy::print_stdout)]
fn main() {
    let repo = Repo::with(&[("src/a.ts", "export const a = 1;\n"), ("package.json", "{}\n")]);
    repo.git(["switch", "--quiet", "--create", "feature"]);
    repo.write("src/b.ts", typescript(3));
    repo.commit("second");
    let mut git = Command::new("git");
    git.args(["rev-parse", "HEAD"]).current_dir(repo.root());
    let reviewed = jury(repo.root(), &["review"]).output().expect("the program starts");
    assert!(reviewed.status.success(), "{}", String::from_utf8_lossy(&reviewed.stdout));
    println!("commands: best of {RUNS}, in alternation with `git rev-parse HEAD`");
    for arguments in [["gate"], ["status"]] {
        let (floor, ours) = best_of_each(&mut git, &mut jury(repo.root(), &arguments));
        let ratio = ours.as_secs_f64() / floor.as_secs_f64();
        println!(
            "  jury {:<16} {ours:>8.2?}   {ratio:.1} × git rev-parse HEAD ({floor:.2?}; the aim is {AIM})",
            arguments[0]
        );
    }
    let median = median(&mut jury(repo.root(), &["hook", "claude", "post-edit"]));
    println!("  jury hook post-edit  {median:>8.2?}   in the median (the aim is {EDIT_AIM:.0?})");
    repo.write("src/c.ts", typescript(100));
    for arguments in [&["review", "--quick"][..], &["review"]] {
        let (start, ours) = best_of_each(&mut jury(repo.root(), &["--version"]), &mut jury(repo.root(), arguments));
        println!(
            "  jury {:<16} {ours:>8.2?}   {:.2?} beyond `jury --version` ({start:.2?}), 500 lines of TypeScript",
            arguments.join(" "),
            ours.saturating_sub(start),
        );
    }
}
