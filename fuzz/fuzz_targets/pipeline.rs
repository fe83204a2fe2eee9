//! Any text as a pipeline file: `RUSTC_BOOTSTRAP=1 cargo fuzz run pipeline fuzz/corpus/pipeline pipelines -- -rss_limit_mb=1024 -timeout=5`.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    pliant_pipeline::from_text(Path::new("machine.toml"), text.to_owned());
});
