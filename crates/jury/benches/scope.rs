//! A repository of 100,000 files with a change of 20: reading the working tree and finding the change, against
//! `git status` in the same run. The repository is made for the occasion and thrown away. Run by `cargo xtask bench`.

use std::time::{Duration, Instant};

use jury::scope::{Repository, Request};
use jury_testkit::repo::Repo;

const FOLDERS: usize = 1_000;
const FILES_PER_FOLDER: usize = 100;
const CHANGED: usize = 20;
const RUNS: usize = 9;
/// The most that reading may cost, in runs of `git status`.
const LIMIT: f64 = 2.0;

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

#[allow(clippy::print_stdout)]
fn main() {
    let repo = Repo::new();
    for folder in 0..FOLDERS {
        for file in 0..FILES_PER_FOLDER {
            let path = format!("packages/p{:02}/src/m{folder:03}/file{file:02}.rs", folder % 50);
            repo.write(&path, format!("// {folder} {file}\npub fn f() -> usize {{\n    {file}\n}}\n"));
        }
    }
    repo.commit("first");
    // Old enough for stat data to count, as in any repository that was not checked out this very moment.
    std::thread::sleep(Duration::from_millis(1100));
    for change in 0..CHANGED {
        let folder = change * FOLDERS / CHANGED;
        repo.write(&format!("packages/p{:02}/src/m{folder:03}/file07.rs", folder % 50), "// changed\n");
    }
    repo.git(["status", "--porcelain"]);
    let status = best(|| drop(repo.git(["status", "--porcelain"])));
    let discovered = Repository::discover(repo.root()).expect("the repository was just made");
    let mut found = 0;
    let gate = best(|| {
        let repository = Repository::discover(repo.root()).expect("the repository was just made");
        let snapshot = repository.snapshot(&|_, _| false).expect("the working tree can be read");
        found = repository.changes(&snapshot, &Request::Quick).expect("HEAD is there").paths.len();
    });
    assert_eq!(found, CHANGED);
    let snapshot = discovered.snapshot(&|_, _| false).expect("the working tree can be read");
    let scope = best(|| drop(discovered.scope(&snapshot, &Request::Quick).expect("HEAD is there")));
    let ratio = gate.as_secs_f64() / status.as_secs_f64();
    println!("scope: {} files, {CHANGED} changed; best of {RUNS}", FOLDERS * FILES_PER_FOLDER);
    println!("  git status            {status:>10.1?}");
    println!("  snapshot and changes  {gate:>10.1?}   {ratio:.2} × git status (at most {LIMIT})");
    println!("  contents and lines    {scope:>10.1?}");
    assert!(ratio <= LIMIT, "reading the working tree costs {ratio:.2} × git status");
}
