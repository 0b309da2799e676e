//! Fuzzes the reader of `eslint`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("eslint", bytes));
