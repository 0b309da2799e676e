//! Whether the branch of a remote was set here instead of there. In: the log that git keeps of a ref, and its commit. Out: whether the last entry
//! shows that no fetch and no push set it.
//!
//! A ref without a log is taken as it is: a clone writes none, and neither do some programs. Who may write to the git folder can forge the log as
//! well; a gate that has to hold against them gets its base from the runner (docs/decisions/045).

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// The longest end of a log that is read.
const LONGEST: u64 = 64 * 1024;

/// Tells whether the log of a branch of a remote contradicts that its commit came from there.
pub(super) fn is(git: &Path, full: &str, tip: &str) -> bool {
    let log = end_of(&git.join("logs").join(full)).unwrap_or_default();
    let remote = full.strip_prefix(super::base::REMOTES).and_then(|rest| rest.split('/').next());
    log.lines().next_back().is_some_and(|entry| contradicts(entry, tip, remote.unwrap_or_default()))
}

fn end_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST)))?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads one entry: `OLD NEW NAME <MAIL> SECONDS ZONE`, a tab and the words of the command.
fn contradicts(entry: &str, tip: &str, remote: &str) -> bool {
    let (head, command) = entry.split_once('\t').unwrap_or((entry, ""));
    let is_of_tip = head.split(' ').nth(1) == Some(tip);
    let command = command.trim();
    // `git update-ref` says nothing unless it is told to.
    !is_of_tip || command.is_empty() || is_fetched_elsewhere(command, remote)
}

/// Tells whether a fetch or pull names another place than the remote: `fetch . HEAD:refs/remotes/origin/main`.
fn is_fetched_elsewhere(command: &str, remote: &str) -> bool {
    let mut words = command.split_whitespace();
    if !words.next().is_some_and(|word| ["fetch", "pull"].contains(&word)) {
        return false;
    }
    let is_place = |word: &&str| {
        matches!(*word, "." | "..") || word.contains("://") || ["/", "./", "../"].iter().any(|it| word.starts_with(it))
    };
    let words: Vec<&str> = words.collect();
    !words.contains(&remote) && words.iter().any(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_git_tells_who_set_a_branch() {
        let (old, new) = ("0".repeat(40), "1".repeat(40));
        let entry = |command: &str| format!("{old} {new} A <a@example.org> 1700000000 +0000{command}");
        for command in [
            "\tfetch: fast-forward",
            "\tfetch origin: storing head",
            "\tfetch --depth 1 origin main: forced-update",
            "\tpull --rebase origin main: fast-forward",
            "\tupdate by push",
            "\tclone: from https://example.org/a.git",
            "\tremote: renamed refs/remotes/a/main to refs/remotes/origin/main",
        ] {
            assert!(!contradicts(&entry(command), &new, "origin"), "{command}");
        }
        for command in [
            "",
            "\t",
            "\tfetch . HEAD:refs/remotes/origin/main: fast-forward",
            "\tfetch ../x main:refs/remotes/origin/main: x",
        ] {
            assert!(contradicts(&entry(command), &new, "origin"), "{command}");
        }
        assert!(contradicts(&entry("\tfetch: fast-forward"), &old, "origin"), "it was moved since");
    }
}
