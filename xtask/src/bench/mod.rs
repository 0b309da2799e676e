//! `cargo xtask bench`: speed as ratios against a floor in the same run; these machines are noisy.

mod sources;

use crate::{Failure, cargo_with};

/// The benches and the packages that they are of, in the order in which they run.
const BENCHES: &[(&str, &str)] = &[
    ("attested", "jury"),
    ("formats", "jury"),
    ("merge", "jury"),
    ("publish", "jury"),
    ("scope", "jury"),
    ("task", "jury"),
    ("commands", "jury-cli"),
    ("look_back", "jury-cli"),
    ("process", "jury-cli"),
    ("reviewers", "jury-cli"),
    ("verify", "jury-cli"),
    (SPECIALISTS, "jury-rules"),
];
/// The bench that runs over real sources.
const SPECIALISTS: &str = "rules";

/// The one that counts and does not time: whether findings are followed through edits. Every test runs it, too.
const IDENTITY: &str = "identity";

/// Returns the names of the benches.
pub(crate) fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|(name, _)| *name).chain([IDENTITY]).collect()
}

pub(crate) fn run(only: Option<&str>) -> Result<(), Failure> {
    if only.is_none_or(|only| only == IDENTITY) {
        let arguments = ["test", "--package", "jury", "--test", "it", "findings_are_followed", "--", "--nocapture"];
        cargo_with(&arguments, |command| command)?;
    }
    for (name, package) in BENCHES.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let sources = if *name == SPECIALISTS { Some(sources::gather()?) } else { None };
        cargo_with(&["bench", "--profile", "dist", "--package", package, "--bench", name], |command| {
            command.envs(sources.map(|folder| ("JURY_BENCH_SOURCES", folder)))
        })?;
    }
    Ok(())
}
