//! Fuzzes the reader of `rdjson`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("rdjson", bytes));
