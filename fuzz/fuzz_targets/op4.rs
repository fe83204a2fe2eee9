//! `scripts/fuzz op4`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::read("op4", bytes));
