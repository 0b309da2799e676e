//! Fuzzes the reader of `code-review`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("code-review", bytes));
