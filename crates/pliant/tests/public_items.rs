//! Every public function and constant has a caller outside its crate, and every public type is named outside
//! or is a part of another item. What only its own crate uses is `pub(crate)`, so that the compiler reports
//! it once nobody does.
//!
//! The comparison is by name, not by path: an unused function with the name of a used one is not found.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// All Rust files below a folder, without comments.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            found.push((path, lines.collect::<Vec<_>>().join("\n")));
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Kind and name of the public item that a line defines.
fn public_item(line: &str) -> Option<(&str, &str)> {
    let mut words =
        line.trim_start().strip_prefix("pub ")?.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let first = words.find(|word| !matches!(*word, "unsafe" | "async"))?;
    let (kind, name) = match (first, words.next()?) {
        ("const", "fn") => ("fn", words.next()?),
        (kind @ ("fn" | "const" | "static" | "struct" | "enum" | "trait" | "type"), name) => (kind, name),
        _ => return None,
    };
    // A macro defines items of many names.
    (!name.is_empty()).then_some((kind, name))
}

/// True when a line of the own crate, other than its definition, its import or its `impl`, names the type.
fn is_part_of_something(name: &str, own: &[(PathBuf, String)]) -> bool {
    let names_it = |line: &str| {
        let start = line.trim_start();
        let other = ["impl", "use ", "pub use ", "pub(crate) use ", "mod "];
        words(line).any(|word| word == name)
            && public_item(line).is_none_or(|(kind, item)| kind == "fn" || item != name)
            && !other.iter().any(|begin| start.starts_with(begin))
    };
    own.iter().any(|(_, text)| text.lines().any(names_it))
}

#[test]
fn public_items_have_callers_outside_their_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates: BTreeMap<String, PathBuf> = std::fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .collect();
    // Sources of a crate, and what uses it from outside: its tests, examples and benchmarks.
    let parts = |path: &Path| {
        let outside = ["tests", "examples", "benches"].map(|part| path.join(part));
        let outside: Vec<_> =
            outside.iter().filter(|part| part.is_dir()).flat_map(|part| sources(part)).collect();
        (sources(&path.join("src")), outside)
    };
    let all: BTreeMap<&String, _> = crates.iter().map(|(name, path)| (name, parts(path))).collect();
    let beside = ["tests/fuzz", "fuzz", "python/src"].map(|folder| sources(&root.join(folder))).concat();
    let mut without = Vec::new();
    for (name, (own, own_tests)) in &all {
        let others = all.iter().filter(|(other, _)| *other != name);
        let others = others.flat_map(|(_, (sources, tests))| sources.iter().chain(tests));
        let outside: HashSet<&str> =
            others.chain(own_tests).chain(&beside).flat_map(|(_, text)| words(text)).collect();
        for (path, text) in own {
            for (kind, item) in text.lines().filter_map(public_item) {
                let is_type = matches!(kind, "struct" | "enum" | "trait" | "type");
                if !(outside.contains(item) || is_type && is_part_of_something(item, own)) {
                    without.push(format!("{}: {kind} {item}", path.strip_prefix(&root).unwrap().display()));
                }
            }
        }
    }
    assert!(
        without.is_empty(),
        "{} public items without a caller outside their crate; make them pub(crate):\n{}",
        without.len(),
        without.join("\n")
    );
}
