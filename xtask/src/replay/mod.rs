//! `cargo xtask replay DIR`: how often the gate would have been closed for changes that a team has merged.
//!
//! In: a git repository, of which nothing is changed. Out: the outcomes and the reasons by number, and a list of the changes whose gate
//! was closed. Every change is judged by the program itself, with its ordinary commands. Deliberately not here: whether a closed gate was
//! right, which only a reader can tell.

mod history;
mod judge;
mod report;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};

use crate::{Failure, cargo, print, root, say};
use history::{Change, Scratch};
use judge::Judged;
use report::Replay;

/// What is replayed, and how.
#[derive(Args)]
pub(crate) struct Options {
    /// The repository, bare or not.
    folder: PathBuf,
    /// How many changes, from the newest: the merges and commits of the first-parent line.
    #[arg(long, default_value_t = 40, value_name = "N")]
    last: usize,
    /// The newest of them.
    #[arg(long, default_value = "HEAD", value_name = "REF")]
    from: String,
    /// The program; target/release/jury, built first, if absent.
    #[arg(long, value_name = "PATH")]
    jury: Option<PathBuf>,
    /// Judge as after `jury init`: with the policy that it proposes for the oldest base, on the base of every change.
    #[arg(long)]
    set_up: bool,
    /// How many changes are judged at a time.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Json,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let jury = match &options.jury {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => built()?,
    };
    let replay = replayed(options, &jury)?;
    match options.format {
        Form::Text => print(&replay.text()),
        Form::Json => print(&replay.json()?),
    }
    Ok(())
}

fn built() -> Result<PathBuf, Failure> {
    cargo(&["build", "--quiet", "--release", "--package", "jury-cli"])?;
    Ok(root().join("target/release/jury"))
}

/// Judges the changes, each worker in a clone of its own whose working tree moves from one change to its neighbour.
fn replayed(options: &Options, jury: &Path) -> Result<Replay, Failure> {
    let folder = options.folder.canonicalize().map_err(|error| format!("{}: {error}", options.folder.display()))?;
    let changes = history::changes(&folder, &options.from, options.last)?;
    if changes.is_empty() {
        return Err(format!("{} has no change before its first commit", options.folder.display()));
    }
    let policy = match changes.last().filter(|_| options.set_up) {
        Some(oldest) => judge::proposed(&Scratch::new(&folder)?, jury, &oldest.base)?,
        None => None,
    };
    let share = changes.len().div_ceil(options.jobs.max(1));
    let done = AtomicUsize::new(0);
    let work = |share: &[Change]| -> Result<Vec<Judged>, Failure> {
        let scratch = Scratch::new(&folder)?;
        let judged = share.iter().map(|change| {
            let judged = judge::judge(&scratch, jury, change, policy.as_deref());
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, changes.len());
            judged
        });
        judged.collect()
    };
    let shares: Vec<Result<Vec<Judged>, Failure>> = std::thread::scope(|scope| {
        let workers: Vec<_> = changes.chunks(share).map(|share| scope.spawn(move || work(share))).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())))
            .collect()
    });
    let judged = shares.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    Ok(Replay::of(judged))
}

/// Says from time to time how far it is.
fn progress(done: usize, all: usize) {
    if done.is_multiple_of(20) && done < all {
        say(&format!("{done} of {all}"));
    }
}

#[cfg(test)]
mod tests;
