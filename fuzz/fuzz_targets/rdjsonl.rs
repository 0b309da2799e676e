//! Fuzzes the reader of `rdjsonl`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("rdjsonl", bytes));
