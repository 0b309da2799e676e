//! Fuzzes the reader of `sarif`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("sarif", bytes));
