//! `cargo xtask fuzz`: libFuzzer over the readers, through `cargo-fuzz` on the stable toolchain.
//!
//! The targets live in `fuzz/`, a workspace of its own; each starts from the fixtures of its format.

use std::path::Path;
use std::process::Command;

use jury::formats::FORMATS;

use crate::{Failure, root, say};

pub(crate) fn run(format: Option<&str>, seconds: u32) -> Result<(), Failure> {
    let ids: Vec<&str> =
        FORMATS.iter().map(|known| known.id).filter(|id| format.is_none_or(|wanted| wanted == *id)).collect();
    if ids.is_empty() {
        return Err(format!("no format `{}`; `jury formats` lists them", format.unwrap_or_default()));
    }
    for id in ids {
        say(&format!("\n── {id}"));
        let corpus = root().join("target/fuzz-corpus").join(id);
        collect_fixtures(id, &corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        let target = id.replace('-', "_");
        // Sanitizers need a nightly compiler; panics and hangs, which is what we look for, do not.
        let status = Command::new("cargo")
            .args(["fuzz", "run", "--sanitizer", "none", &target])
            .arg(&corpus)
            .args(["--", &format!("-max_total_time={seconds}"), "-max_len=65536", "-timeout=10"])
            .current_dir(root())
            .status()
            .map_err(|error| format!("cargo does not start: {error}"))?;
        if !status.success() {
            return Err(format!("fuzzing `{id}` failed (cargo-fuzz is installed by `cargo install cargo-fuzz`)"));
        }
    }
    Ok(())
}

/// Copies the inputs of a format's fixtures to where the fuzzer starts from.
fn collect_fixtures(id: &str, corpus: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(corpus)?;
    for case in std::fs::read_dir(root().join("crates/jury/tests/fixtures/formats").join(id))? {
        let case = case?;
        for file in std::fs::read_dir(case.path())? {
            let file = file?.path();
            if file.file_stem().is_some_and(|stem| stem == "input") {
                std::fs::copy(&file, corpus.join(case.file_name()))?;
            }
        }
    }
    Ok(())
}
