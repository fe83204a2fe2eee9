//! `scripts/fuzz table`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::read("table", bytes));
