//! Fuzzes the reader of `codex-review`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("codex-review", bytes));
