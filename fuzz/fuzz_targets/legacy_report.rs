//! Fuzzes the reader of `legacy-report`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("legacy-report", bytes));
