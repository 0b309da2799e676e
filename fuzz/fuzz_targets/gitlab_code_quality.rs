//! Fuzzes the reader of `gitlab-code-quality`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("gitlab-code-quality", bytes));
