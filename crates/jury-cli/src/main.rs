//! The `jury` binary. Everything it does is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    jury_cli::run(std::env::args_os())
}
