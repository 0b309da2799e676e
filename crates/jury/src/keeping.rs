//! Objects below `refs/jury/`: written once, pushed and fetched, by `git`.
//!
//! In: a ref and its bytes, or a remote. Out: nothing but the object. A ref is only ever made, never moved: its name is the digest of its
//! object, so two people who push never conflict. git runs without the hooks of the repository. Deliberately not here: reading (`scope`), and
//! what the objects mean.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::{self, Bounds, ScratchDir};

/// The refs that are exchanged.
pub const EXCHANGED: [&str; 3] = ["refs/jury/acceptances/", "refs/jury/verdicts/", "refs/jury/records/"];

/// How many refs one call of git names.
const AT_ONCE: usize = 200;

/// The limits of a `git` that works here, and of one that talks to a remote.
const HERE: Bounds = Bounds { time: Duration::from_secs(30), output: 1 << 20 };
const REMOTE: Bounds = Bounds { time: Duration::from_secs(300), output: 16 << 20 };

/// Why an object could not be kept or exchanged.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The bytes could not be handed over.
    #[error("cannot hand an object to git")]
    Io(#[from] std::io::Error),
    /// git failed.
    #[error("`git {command}` {what}")]
    Git {
        /// The command.
        command: &'static str,
        /// How it ended instead.
        what: String,
    },
    /// There is no such remote.
    #[error("no remote `{0}` with a refspec for `git fetch`")]
    NoRemote(String),
    /// A fetch would delete what was not pushed yet.
    #[error(
        "`git fetch` of {remote} prunes ({setting}), and would delete acceptances and verdicts that are not pushed yet; run `jury sync` instead"
    )]
    Prunes {
        /// The remote.
        remote: String,
        /// The setting of git.
        setting: String,
    },
    /// git printed something else than an id.
    #[error("`git hash-object` printed no id")]
    NoId,
}

/// Writes an object and the ref that names it. The ref may be there already, with the same object; with another one it stays as it is.
pub fn keep(root: &Path, full: &str, bytes: &[u8]) -> Result<(), KeepError> {
    let path = std::env::temp_dir().join(format!(
        "jury-keep-{}-{}",
        std::process::id(),
        full.rsplit('/').next().unwrap_or("")
    ));
    let folder = ScratchDir::new(path)?;
    let mut given = std::fs::File::create_new(folder.path().join("object"))?;
    given.write_all(bytes)?;
    given.rewind()?;
    let given = std::fs::File::open(folder.path().join("object"))?;
    let id = git(root, "hash-object", &["-w", "--no-filters", "--stdin"], Some(given), HERE)?;
    let id = String::from_utf8(id).ok().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    let id = id.ok_or(KeepError::NoId)?;
    // The zeros say that nothing may be there.
    let none = "0".repeat(id.len());
    match git(root, "update-ref", &["--no-deref", full, &id, &none], None, HERE) {
        Ok(_) => Ok(()),
        Err(error) => {
            let there = git(root, "rev-parse", &["--verify", "--quiet", full], None, HERE);
            let is_same = there.is_ok_and(|there| String::from_utf8_lossy(&there).trim() == id);
            if is_same { Ok(()) } else { Err(error) }
        }
    }
}

/// The exchanged refs, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanged {
    /// Those that came from the remote.
    pub came: Vec<String>,
    /// Those that it did not have.
    pub sent: Vec<String>,
    /// Those that name another object there than here: somebody overwrote one. Both are left as they are.
    pub differing: Vec<String>,
    /// How many there are here now.
    pub all: usize,
}

/// Fetches the exchanged refs that are not here, and pushes those that are not there. One that names another object there than here stops
/// nothing else.
pub fn exchange(root: &Path, remote: &str) -> Result<Exchanged, KeepError> {
    let patterns: Vec<String> = EXCHANGED.iter().map(|prefix| format!("{prefix}*")).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let there = git(root, "ls-remote", &[&["--quiet", "--", remote][..], &patterns].concat(), None, REMOTE)?;
    let format = "--format=%(objectname) %(refname)";
    let here = git(root, "for-each-ref", &[&[format][..], &EXCHANGED[..]].concat(), None, HERE)?;
    let (there, here) = (listed(&there), listed(&here));
    let missing = |from: &BTreeMap<String, String>, to: &BTreeMap<String, String>| -> Vec<String> {
        from.keys().filter(|name| !to.contains_key(*name)).cloned().collect()
    };
    let (came, sent) = (missing(&there, &here), missing(&here, &there));
    let differing = here.iter().filter(|(name, id)| there.get(*name).is_some_and(|other| other != *id));
    let differing = differing.map(|(name, _)| name.clone()).collect();
    let specs = |names: &[String]| -> Vec<String> { names.iter().map(|name| format!("{name}:{name}")).collect() };
    for some in came.chunks(AT_ONCE) {
        let (specs, options) = (specs(some), ["--quiet", "--no-tags", "--no-write-fetch-head"]);
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let options = [&options[..], &["--no-recurse-submodules", "--", remote]].concat();
        git(root, "fetch", &[options, specs].concat(), None, REMOTE)?;
    }
    for some in sent.chunks(AT_ONCE) {
        let (specs, options) = (specs(some), ["--quiet", "--no-verify", "--no-follow-tags"]);
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        let options = [&options[..], &["--recurse-submodules=no", "--", remote]].concat();
        git(root, "push", &[options, specs].concat(), None, REMOTE)?;
    }
    let all = here.len() + came.len();
    Ok(Exchanged { came, sent, differing, all })
}

/// Reads lines of an id and the name of a ref that Jury could have made: below a prefix, hexadecimal digits alone.
fn listed(lines: &[u8]) -> BTreeMap<String, String> {
    let is_hex = |part: &str| !part.is_empty() && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_name = |name: &str| {
        let rest = EXCHANGED.iter().find_map(|prefix| name.strip_prefix(prefix));
        rest.is_some_and(|rest| rest.split('/').all(is_hex))
    };
    let text = String::from_utf8_lossy(lines);
    let lines = text.lines().filter_map(|line| line.split_once(char::is_whitespace));
    lines.filter(|(_, name)| is_name(name)).map(|(id, name)| (name.to_owned(), id.to_owned())).collect()
}

/// Returns the refspecs that a remote lacks for every fetch to bring the exchanged refs, too; an error if it is no remote, or if its fetches
/// prune: they would delete the refs that are not there yet.
pub fn missing_refspecs(root: &Path, remote: &str) -> Result<Vec<String>, KeepError> {
    let known = git(root, "config", &["--get-all", &format!("remote.{remote}.fetch")], None, HERE);
    let known = known.map_err(|_| KeepError::NoRemote(remote.to_owned()))?;
    // That of the remote is heard before that of all.
    for setting in [format!("remote.{remote}.prune"), "fetch.prune".to_owned()] {
        match git(root, "config", &["--type=bool", "--get", &setting], None, HERE) {
            Ok(value) if value.starts_with(b"true") => {
                return Err(KeepError::Prunes { remote: remote.to_owned(), setting });
            }
            Ok(_) => break,
            Err(_) => {}
        }
    }
    let known = String::from_utf8_lossy(&known);
    let is_missing = |spec: &String| !known.lines().any(|line| line == spec);
    Ok(EXCHANGED.iter().map(|prefix| format!("{prefix}*:{prefix}*")).filter(is_missing).collect())
}

/// Has every fetch of a remote bring the exchanged refs, too. The refspecs overwrite nothing.
pub fn fetch_always(root: &Path, remote: &str) -> Result<(), KeepError> {
    for spec in missing_refspecs(root, remote)? {
        git(root, "config", &["--add", &format!("remote.{remote}.fetch"), &spec], None, HERE)?;
    }
    Ok(())
}

/// Takes those refspecs out of all remotes; returns how many there were.
pub fn fetch_no_more(root: &Path) -> Result<usize, KeepError> {
    let Ok(listed) = git(root, "config", &["--local", "--get-regexp", r"^remote\..*\.fetch$"], None, HERE) else {
        return Ok(0);
    };
    let mut gone = 0;
    for (name, spec) in String::from_utf8_lossy(&listed).lines().filter_map(|line| line.rsplit_once(' ')) {
        if EXCHANGED.iter().any(|prefix| *spec == format!("{prefix}*:{prefix}*")) {
            let exact = format!("^{}$", spec.replace('*', r"\*"));
            git(root, "config", &["--local", "--unset", name, &exact], None, HERE)?;
            gone += 1;
        }
    }
    Ok(gone)
}

/// Returns the key that the user signs with (`user.signingkey` of git), if there is one: a path, or a public key.
pub fn signing_key(root: &Path) -> Option<String> {
    let value = git(root, "config", &["--type=path", "--get", "user.signingkey"], None, HERE).ok()?;
    String::from_utf8(value).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn git(
    root: &Path,
    command: &'static str,
    arguments: &[&str],
    given: Option<std::fs::File>,
    bounds: Bounds,
) -> Result<Vec<u8>, KeepError> {
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(["-c", "core.hooksPath=/dev/null", "-c", "core.useReplaceRefs=false", command]);
    git.args(arguments.iter().map(OsStr::new));
    // A hook of git names its own repository and index.
    for name in
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"]
    {
        git.env_remove(name);
    }
    git.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    let ended = process::run(&mut git, given, bounds, None);
    match ended.trouble(&[0]) {
        Some(what) => Err(KeepError::Git { command, what }),
        None => Ok(ended.printed),
    }
}
