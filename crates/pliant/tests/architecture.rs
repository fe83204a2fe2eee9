//! ARCHITECTURE.md tells the truth about the crates: its table lists all of them, each with what it is built
//! from.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

type Graph = BTreeMap<String, BTreeSet<String>>;

fn short(package: &str) -> Option<String> {
    if package == "pliant" {
        Some(package.to_owned())
    } else {
        package.strip_prefix("pliant-").map(str::to_owned)
    }
}

/// Members of the workspace with their normal dependencies on each other.
fn members() -> Graph {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output =
        Command::new(cargo).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut graph = Graph::new();
    for package in metadata["packages"].as_array().unwrap() {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
        let ours = normal.filter_map(|dependency| short(dependency["name"].as_str().unwrap()));
        graph.insert(short(package["name"].as_str().unwrap()).unwrap(), ours.collect());
    }
    graph
}

/// The words in backticks of a cell.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The table of ARCHITECTURE.md: crate, responsibility, what it is built from.
fn documented() -> (Graph, Vec<String>) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (mut graph, mut order) = (Graph::new(), Vec::new());
    for line in text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2) {
        let Some(row) = line.strip_prefix('|') else { break };
        let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 3, "three cells: {line}");
        let name = names(cells[0]).pop_first().unwrap();
        order.push(name.clone());
        assert!(graph.insert(name, names(cells[2])).is_none(), "{line} stands twice");
    }
    (graph, order)
}

#[test]
fn the_table_is_the_graph_of_dependencies() {
    let (members, (documented, _)) = (members(), documented());
    let all = |graph: &Graph| graph.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(all(&documented), all(&members), "crates in ARCHITECTURE.md and in the workspace");
    for (name, dependencies) in &members {
        assert_eq!(
            &documented[name], dependencies,
            "ARCHITECTURE.md (left) and Cargo.toml (right) of `{name}`"
        );
    }
}

/// Dependencies point one way, upwards in the table: whoever reads it from the top knows all that a line is
/// built from.
#[test]
fn the_table_is_in_the_order_of_building() {
    let (graph, order) = documented();
    for (k, name) in order.iter().enumerate() {
        for dependency in &graph[name] {
            assert!(
                order[..k].contains(dependency),
                "`{name}` stands before `{dependency}`, which it is built from"
            );
        }
    }
}

/// Numerics do not know configuration, and the store knows HDF5 only.
#[test]
fn stages_that_must_not_know_each_other_do_not() {
    let members = members();
    let reaches = |from: &str| {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(name) = waiting.pop() {
            if seen.insert(name.clone()) {
                waiting.extend(members[&name].iter().cloned());
            }
        }
        seen
    };
    for numerics in ["reduce", "mechanism", "dynamics", "durability", "fem", "sparse", "link", "store"] {
        assert!(!reaches(numerics).contains("pipeline"), "`{numerics}` knows the pipeline file");
    }
    assert!(!members["store"].contains("bulk") && !members["store"].contains("fem"));
    assert!(members["report"].is_empty(), "the report takes plain data");
    for front_end in ["cli", "study"] {
        assert!(!reaches("pliant").contains(front_end), "the library knows `{front_end}`");
    }
}

/// Every stop of the walk-through is a file that has the type it names, and none occurs twice.
#[test]
fn the_walk_through_leads_along_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/walk-through.md")).unwrap();
    let mut seen = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("| ") && line.contains("`crates/")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let file = names(cells[1]).pop_first().unwrap();
        let source =
            std::fs::read_to_string(root.join(&file)).unwrap_or_else(|_| panic!("{file} is missing"));
        if let Some(name) = cells[2].split('`').nth(1) {
            assert!(source.contains(name), "{file} has no `{name}`");
        }
        assert!(seen.insert(file), "{line}: this stop occurs twice");
    }
    assert!(seen.len() > 20, "{seen:?}");
}

/// Files and folders that the documentation names from the root exist; `<name>` and `*` stand for any.
#[test]
fn the_files_that_the_documentation_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["crates/", "docs/", "fuzz/", "inputs/", "pipelines/", "python/", "scripts/", "tests/"];
    let mut waiting = vec![root.join("docs")];
    waiting.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(|page| root.join(page)));
    let (mut named, mut missing) = (0, Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let page = std::fs::read_to_string(&path).unwrap();
            let quoted = page.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
            let exact = |name: &&str| {
                folders.iter().any(|folder| name.starts_with(folder)) && !name.contains(['<', '*', ' '])
            };
            for name in quoted.filter(exact) {
                named += 1;
                if !root.join(name).exists() {
                    missing.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty() && named > 100, "of {named} names are missing:\n{}", missing.join("\n"));
}

/// Code that asks one system for something stands in the files that docs/install.md lists, and in no other.
#[test]
fn code_for_one_system_is_where_the_installation_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/install.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `crates/"));
    let listed: BTreeSet<String> = rows.flat_map(|row| names(row.split(" | ").next().unwrap())).collect();
    let words = ["\"/proc/", "\"/sys/", "libc::", "os::unix::", "os::linux::", "signal_hook::"];
    let mut found = BTreeSet::new();
    let mut waiting = vec![root.join("crates")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let skipped = ["tests", "benches", "examples", "target"];
            if path.file_name().is_none_or(|name| skipped.iter().all(|skipped| name != *skipped)) {
                waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            if lines.any(|line| words.iter().any(|word| line.contains(word))) {
                found.insert(path.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(found, listed, "files with code for one system (left), and those that docs/install.md lists");
}

/// Comment lines are at most 110 columns wide; `scripts/wrap` wraps them.
#[test]
fn comments_are_wrapped() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut waiting = ["crates", "tests", "fuzz", "python/src"].map(|folder| root.join(folder)).to_vec();
    let mut wide = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut in_code = false;
            for line in text.lines() {
                let comment = line.trim_start().strip_prefix("//");
                let words = comment.map(|text| text.trim_start_matches(['/', '!']));
                let Some(words) = words.map(|text| text.strip_prefix(' ').unwrap_or(text)) else {
                    in_code = false;
                    continue;
                };
                in_code ^= words.starts_with("```");
                // Code, tables and links of documentation stay on their line.
                let verbatim = in_code || words.starts_with(['|', '[', '`']) || words.starts_with("    ");
                if line.chars().count() > 110 && !verbatim {
                    wide.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    assert!(wide.is_empty(), "{} comment lines above 110 columns:\n{}", wide.len(), wide.join("\n"));
}
