//! Fuzzes the reader of `claude-security`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("claude-security", bytes));
