//! Any text as an expression: `RUSTC_BOOTSTRAP=1 cargo fuzz run expression -- -rss_limit_mb=1024 -timeout=5`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = pliant_expression::parse(text, &["max", "abs", "after"]);
});
