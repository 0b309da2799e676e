//! Fuzzes the reader of `verdict-kdl`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("verdict-kdl", bytes));
