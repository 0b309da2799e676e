//! `cargo xtask bench`: speed as ratios against a floor in the same run; these machines are noisy.

use crate::{Failure, cargo};

pub(crate) fn run() -> Result<(), Failure> {
    cargo(&["bench", "--package", "jury", "--bench", "formats"])?;
    cargo(&["bench", "--package", "jury", "--bench", "merge"])?;
    cargo(&["bench", "--package", "jury", "--bench", "scope"])?;
    cargo(&["bench", "--package", "jury-cli", "--bench", "commands"])?;
    cargo(&["bench", "--package", "jury-rules", "--bench", "rules"])
}
