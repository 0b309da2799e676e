//! Fuzzes the reader of `verdict-yaml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("verdict-yaml", bytes));
