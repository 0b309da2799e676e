//! Fuzzes the reader of `review-json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("review-json", bytes));
