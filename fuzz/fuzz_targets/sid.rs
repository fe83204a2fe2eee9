//! `RUSTC_BOOTSTRAP=1 cargo fuzz run sid -- -rss_limit_mb=1024 -timeout=10`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::read("sid", bytes));
