//! Confines a program's writes: writable paths in; the started program out, and why it is unconfined, if it is.
//!
//! Landlock restricts a thread and its children, so a thread of its own restricts itself and starts the program. Reading is
//! free, and so is everything but writes to files: modes, owners and times, sockets, the network. Linux only.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;

use landlock::{
    ABI, AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, path_beneath_rules,
};

use super::running;

/// Writable for every program: devices that keep nothing, and memory shared among processes and gone with them.
const NOWHERE: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/shm"];

/// Starts a program that can write only in these places. Those that are not there are not made.
pub(super) fn start(command: &mut Command, writable: &[PathBuf]) -> (io::Result<Child>, Option<String>) {
    let restricted = || {
        let unconfined = lacking(restrict(writable));
        (running::start(command), unconfined)
    };
    thread::scope(|threads| threads.spawn(restricted).join()).expect("neither restricting nor starting panics")
}

/// Says why a program could not be held to places here, if it could not: found out on a thread that is given up for it.
pub fn unconfined() -> Option<String> {
    thread::scope(|threads| threads.spawn(|| lacking(restrict(&[]))).join()).expect("restricting does not panic")
}

/// Restricts this thread and its children for good.
fn restrict(writable: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    // The third version is the first with all ways to change a file's content.
    let writing = AccessFs::from_write(ABI::V3);
    let places = writable.iter().map(PathBuf::as_path).chain(NOWHERE.iter().map(Path::new));
    let ruleset = Ruleset::default().handle_access(writing)?.create()?;
    Ok(ruleset.add_rules(path_beneath_rules(places, writing))?.restrict_self()?.ruleset)
}

fn lacking(restricted: Result<RulesetStatus, RulesetError>) -> Option<String> {
    match restricted {
        Ok(RulesetStatus::FullyEnforced) => None,
        Ok(RulesetStatus::PartiallyEnforced) => {
            Some("the Landlock of this kernel cannot keep files from being truncated; that of Linux 6.2 can".to_owned())
        }
        Ok(RulesetStatus::NotEnforced) => Some("this kernel has no Landlock, or it is switched off".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_cannot_hold_is_said() {
        assert_eq!(lacking(Ok(RulesetStatus::FullyEnforced)), None);
        assert!(lacking(Ok(RulesetStatus::PartiallyEnforced)).is_some_and(|why| why.contains("truncated")));
        assert!(lacking(Ok(RulesetStatus::NotEnforced)).is_some_and(|why| why.contains("no Landlock")));
    }

    /// A kernel takes sixteen nested restrictions; one too many is reported, and the program started.
    #[test]
    fn a_program_that_cannot_be_held_is_started_all_the_same() {
        let ended = thread::spawn(|| {
            (0..16).for_each(|_| _ = restrict(&["/".into()]));
            let (started, unconfined) = start(&mut Command::new("true"), &[]);
            (started.and_then(|mut child| running::reap(&mut child)).is_ok_and(|status| status.success()), unconfined)
        });
        let (is_well, unconfined) = ended.join().unwrap();
        assert!(is_well && unconfined.is_some(), "{unconfined:?}");
    }
}
