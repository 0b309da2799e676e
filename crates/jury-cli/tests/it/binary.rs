//! Running the binary.

use std::path::PathBuf;
use std::process::{Command, Output};

/// Returns the binary with these arguments, in a surrounding that says nothing about colour.
pub(crate) fn jury(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(arguments);
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].iter().for_each(|name| _ = command.env_remove(name));
    command
}

/// Runs the binary; returns the exit code, standard output and standard error.
pub(crate) fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = jury(arguments).output().expect("the binary can be started");
    let text = |bytes| String::from_utf8(bytes).expect("the binary writes UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// Returns the path of a file of the cases.
pub(crate) fn input(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    folder.join(name).to_str().expect("the path of the repository is UTF-8").to_owned()
}
