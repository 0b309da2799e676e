//! Fuzzes the reader of `findings-json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jury_fuzz::read("findings-json", bytes));
