//! The readers of `tests/fuzz`, for libFuzzer.

use pliant_fuzz_targets::TARGETS;

/// Hands bytes to a reader.
///
/// # Panics
/// There is none of that name.
pub fn read(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of this name");
    (target.read)(bytes);
}
