//! Spelling, by `typos` at a pinned version (`typos.toml`), installed into `target/tools` as a prebuilt Python wheel, in seconds.

use std::process::Command;

use jury_testkit::python;

use crate::{Failure, root};

const TYPOS: &str = "typos==1.51.1";

pub(crate) fn check() -> Result<(), Failure> {
    let programs = python::environment(&root().join("target/tools/typos"), &[TYPOS]);
    let status = Command::new(programs.join("typos")).current_dir(root()).status();
    match status.map_err(|error| format!("typos does not start: {error}"))?.success() {
        true => Ok(()),
        false => Err("`typos` failed; a word that is right belongs in typos.toml".to_owned()),
    }
}
