//! What the key of a reduced link is made of: no crate on the way from a deck to an entry of the cache is
//! forgotten.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

include!("../stages.rs");

/// The crates of the workspace with those they are built from, by folder.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output =
        Command::new(cargo).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = |name: &str| name.strip_prefix("pliant-").map(str::to_owned);
    let mut all = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let Some(name) = ours(package["name"].as_str().unwrap()) else { continue };
        let built_from = package["dependencies"].as_array().unwrap().iter();
        let built_from = built_from.filter(|dependency| dependency["kind"].is_null());
        let names = built_from.filter_map(|dependency| ours(dependency["name"].as_str().unwrap()));
        all.insert(name, names.collect());
    }
    all
}

/// Crates that the sources in a folder or file name.
fn named_in(path: &Path, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            named_in(&entry.unwrap().path(), found);
        }
        return;
    }
    let text = std::fs::read_to_string(path).unwrap();
    // What stands in tests makes no link.
    let code = text.split("#[cfg(test)]").next().unwrap();
    for rest in code.split("pliant_").skip(1) {
        let name: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
        found.insert(name);
    }
}

#[test]
fn every_crate_from_deck_to_link_is_in_the_key() {
    let all = dependencies();
    assert!(all.len() > 10, "{all:?}");
    // What the reduction is built from, entirely.
    let (mut needed, mut waiting) = (BTreeSet::new(), vec!["reduce".to_owned()]);
    while let Some(name) = waiting.pop() {
        if needed.insert(name.clone()) {
            waiting.extend(all[&name].iter().cloned());
        }
    }
    // What else writes an entry: the library's `link`, and of the store its cache and the drawing (the rest
    // of it are results).
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    named_in(&here.join("src/link"), &mut needed);
    for part in ["cache", "drawing.rs", "dataset.rs", "image.rs"] {
        named_in(&here.join("../store/src").join(part), &mut needed);
    }
    let hashed: BTreeSet<String> = STAGES.iter().map(|stage| (*stage).to_owned()).collect();
    let forgotten: Vec<_> = needed.difference(&hashed).collect();
    assert!(
        forgotten.is_empty(),
        "these determine the bytes of a link and are missing in stages.rs: {forgotten:?}"
    );
    let superfluous: Vec<_> = hashed.difference(&needed).collect();
    assert!(superfluous.is_empty(), "these do not: {superfluous:?}");
    for stage in STAGES {
        assert!(here.join("..").join(stage).join("src").is_dir(), "{stage}");
    }
}
