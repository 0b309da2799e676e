//! The `jury` binary. Everything it does is in the library beside it.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Reviews and merges make many small things on all cores (docs/decisions/019).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    jury_cli::run(std::env::args_os())
}
