//! Whether the branch of a remote was set here instead of there. In: the log that git keeps of a ref, its commit, and the refspecs of the remote. Out:
//! whether the last entry shows that no fetch and no push set it, or another branch is fetched under its name.
//!
//! A ref without a log is taken as it is: a clone writes none, and neither do some programs. Who may write to the git folder can forge the log as
//! well; a gate that has to hold against them gets its base from the runner (docs/decisions/045).

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// The longest end of a log that is read.
const LONGEST: u64 = 64 * 1024;

/// Tells whether the log of a branch of a remote, or a refspec of the remote, contradicts that its commit came from there.
pub(super) fn is(git: &Path, full: &str, tip: &str, refspecs: &[String]) -> bool {
    let log = end_of(&git.join("logs").join(full)).unwrap_or_default();
    refspecs.iter().any(|refspec| renames(refspec, full))
        || log.lines().next_back().is_some_and(|entry| contradicts(entry, tip, full))
}

/// Returns the remote and the name of a branch.
pub(super) fn parts(full: &str) -> (&str, &str) {
    full.strip_prefix(super::base::REMOTES).and_then(|rest| rest.split_once('/')).unwrap_or_default()
}

/// Tells whether a refspec fetches another branch under this name: `work:refs/remotes/origin/main`.
fn renames(refspec: &str, full: &str) -> bool {
    let Some((from, to)) = refspec.trim_start_matches('+').split_once(':') else { return false };
    let source = match (from.split_once('*'), to.split_once('*')) {
        (Some((before, behind)), Some((start, end))) => {
            let star = full.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
            star.map(|star| format!("{before}{star}{behind}"))
        }
        _ => (to == full).then(|| from.to_owned()),
    };
    // A runner fetches the very commit that it was told.
    let is_commit =
        |name: &str| name == "HEAD" || (name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit()));
    source.is_some_and(|source| !is_commit(&source) && source.trim_start_matches("refs/heads/") != parts(full).1)
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
fn contradicts(entry: &str, tip: &str, full: &str) -> bool {
    let (head, command) = entry.split_once('\t').unwrap_or((entry, ""));
    let is_of_tip = head.split(' ').nth(1) == Some(tip);
    let command = command.trim();
    // `git update-ref` says nothing unless it is told to.
    !is_of_tip || command.is_empty() || is_fetched_elsewhere(command, full)
}

/// Tells whether a fetch or pull names another place than the remote, or another branch: `fetch . HEAD:refs/remotes/origin/main`.
fn is_fetched_elsewhere(command: &str, full: &str) -> bool {
    let mut words = command.split_whitespace();
    if !words.next().is_some_and(|word| ["fetch", "pull"].contains(&word)) {
        return false;
    }
    let is_place = |word: &&str| {
        matches!(*word, "." | "..") || word.contains("://") || ["/", "./", "../"].iter().any(|it| word.starts_with(it))
    };
    // The words end where the outcome is told: `fetch origin work:main: forced-update`.
    let words: Vec<&str> = words.map(|word| word.trim_end_matches(':')).collect();
    words.iter().any(|word| renames(word, full)) || !words.contains(&parts(full).0) && words.iter().any(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "refs/remotes/origin/main";

    #[test]
    fn a_refspec_that_renames_a_branch_is_known() {
        for refspec in [
            "+refs/heads/*:refs/remotes/origin/*",
            "+refs/heads/main:refs/remotes/origin/main",
            "+refs/heads/x:refs/remotes/origin/x",
            "+refs/pull/*/head:refs/remotes/origin/pr/*",
        ] {
            assert!(!renames(refspec, MAIN), "{refspec}");
        }
        for refspec in [
            "+refs/heads/work:refs/remotes/origin/main",
            "work:refs/remotes/origin/main",
            "+refs/heads/x/*:refs/remotes/origin/*",
        ] {
            assert!(renames(refspec, MAIN), "{refspec}");
        }
        let commit = format!("+{}:{MAIN}", "1".repeat(40));
        assert!(!renames(&commit, MAIN), "a runner fetches a commit");
    }

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
            assert!(!contradicts(&entry(command), &new, MAIN), "{command}");
        }
        for command in [
            "",
            "\t",
            "\tfetch . HEAD:refs/remotes/origin/main: fast-forward",
            "\tfetch ../x main:refs/remotes/origin/main: x",
            "\tfetch origin work:refs/remotes/origin/main: fast-forward",
        ] {
            assert!(contradicts(&entry(command), &new, MAIN), "{command}");
        }
        assert!(contradicts(&entry("\tfetch: fast-forward"), &old, MAIN), "it was moved since");
    }
}
