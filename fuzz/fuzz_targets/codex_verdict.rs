//! Fuzzes the reader of `codex-verdict`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("codex-verdict", bytes));
