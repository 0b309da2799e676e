//! Replaces `confine` where there is no Landlock: starts the program unconfined, and says so.

use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

use super::running;

/// Starts a program that can write wherever its user can.
pub(super) fn start(command: &mut Command, _: &[PathBuf]) -> (io::Result<Child>, Option<String>) {
    (running::start(command), unconfined())
}

/// Says why a program cannot be held to places here.
pub fn unconfined() -> Option<String> {
    Some("only Linux has Landlock".to_owned())
}
