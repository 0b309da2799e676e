//! Fuzzes the reader of `checkstyle`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("checkstyle", bytes));
