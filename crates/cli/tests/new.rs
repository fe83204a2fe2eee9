//! `pliant new` and `pliant schema` as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).current_dir(folder).env("PLIANT_CACHE", folder.join("cache")).output().unwrap()
}

#[test]
fn a_new_folder_runs_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let made = pliant(folder.path(), &["new", "arms/first"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(String::from_utf8_lossy(&made.stdout).contains("pliant run arms/first/machine.toml"));
    let run = pliant(folder.path(), &["run", "--json", "arms/first/machine.toml"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let reported = report["diagnostics"].as_array().unwrap();
    assert!(reported.iter().all(|d| d["severity"] == "note"), "{reported:#?}");
    // Weight at the start (m g x): payload 2 kg at 1.3 m, beam of 0.718 kg at 1 m, tube of 3.757 kg at 0.35
    // m; the lift adds less than as much again.
    let weight = 9.81 * (2.0 * 1.3 + 0.718 + 3.757 * 0.35);
    let peak = report["run"]["drives"]["shoulder"]["peak"].as_f64().unwrap();
    assert!(peak > weight && peak < 2.0 * weight, "{peak} {weight}");
}

/// Every template runs, or is a study that does, and its first line names a schema that is beside it.
#[test]
fn every_template_runs_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let listed = pliant(folder.path(), &["new", "--list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let names: Vec<_> = listed["templates"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["arm", "bare-mesh", "four-bar", "study"]);
    for name in names.iter().map(|name| name.as_str().unwrap()) {
        let made = pliant(folder.path(), &["new", name, "--template", name]);
        assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
        let text = std::fs::read_to_string(folder.path().join(name).join("machine.toml")).unwrap();
        assert!(text.starts_with("#:schema pipeline.schema.json\n"), "{name}");
        assert!(text.lines().any(|line| line.replace(' ', "") == "format=1"), "{name}");
        let schema = std::fs::read_to_string(folder.path().join(name).join("pipeline.schema.json")).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
        assert_eq!(schema["$id"], "urn:pliant:pipeline-file:1");
        let file = format!("{name}/machine.toml");
        // A study is planned; the tutorials run this one.
        let verb: &[&str] =
            if name == "study" { &["run", "--dry-run", "--json"] } else { &["run", "--json"] };
        let ran = pliant(folder.path(), &[verb, &[file.as_str()]].concat());
        let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{name}: {report:#}");
        let no_diagnostics = Vec::new();
        let reported = report["diagnostics"].as_array().unwrap_or(&no_diagnostics);
        assert!(reported.iter().all(|d| d["severity"] == "note"), "{name}: {reported:#?}");
        if name == "study" {
            assert_eq!(report["cases"], 24, "{report:#}");
        }
    }
}

/// The templates and the pipelines are what the schema says, as an editor sees it: Tombi, from
/// tests/other-tools.
#[test]
fn an_editor_accepts_templates_and_pipelines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tombi = root.join("target/venv/bin/tombi");
    if !tombi.exists() {
        println!("SKIPPED: there is no {} (scripts/python-tools)", tombi.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["arm", "bare-mesh", "four-bar", "study"] {
        assert_eq!(pliant(folder.path(), &["new", name, "--template", name]).status.code(), Some(0));
    }
    let schema = std::fs::read_to_string(folder.path().join("arm/pipeline.schema.json")).unwrap();
    std::fs::create_dir(folder.path().join("pipelines")).unwrap();
    std::fs::write(folder.path().join("pipelines/pipeline.schema.json"), schema).unwrap();
    for entry in std::fs::read_dir(root.join("pipelines")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let copy = folder.path().join("pipelines").join(path.file_name().unwrap());
        std::fs::write(copy, format!("#:schema pipeline.schema.json\n{text}")).unwrap();
    }
    let lint = |files: &[&str]| {
        let mut command = Command::new(&tombi);
        command.args(["lint", "--offline"]).args(files).current_dir(folder.path());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (code, text) = lint(&["."]);
    assert_eq!(code, Some(0), "{text}");
    // A word that the schema does not know is found, so it was read.
    let wrong = "#:schema pipeline.schema.json\nformat = 1\n[links.a]\nbasis = \"crag-bampton\"\n";
    std::fs::write(folder.path().join("arm/wrong.toml"), wrong).unwrap();
    let (code, text) = lint(&["arm/wrong.toml"]);
    assert_ne!(code, Some(0), "{text}");
}

/// A file of the first format is written with its number, and reads as the same machine.
#[test]
fn migrate_writes_the_present_format_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/pipeline-1/rod.toml");
    let before = std::fs::read_to_string(&golden).unwrap();
    std::fs::write(folder.path().join("old.toml"), &before).unwrap();
    assert_eq!(pliant(folder.path(), &["migrate", "--check", "old.toml"]).status.code(), Some(1));
    let migrated = pliant(folder.path(), &["migrate", "old.toml", "--out", "new.toml"]);
    assert_eq!(migrated.status.code(), Some(0), "{}", String::from_utf8_lossy(&migrated.stderr));
    assert!(String::from_utf8_lossy(&migrated.stderr).contains("`format = 1` added"));
    assert_eq!(std::fs::read_to_string(folder.path().join("old.toml")).unwrap(), before, "an input stays");
    assert_eq!(pliant(folder.path(), &["migrate", "--check", "new.toml"]).status.code(), Some(0));
    let machine = |name: &str| {
        let read = pliant_pipeline::read(&folder.path().join(name));
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        read.output.table
    };
    assert_eq!(machine("old.toml"), machine("new.toml"));
    // What is there is not replaced, and without --out the text is printed.
    assert_eq!(pliant(folder.path(), &["migrate", "old.toml", "--out", "new.toml"]).status.code(), Some(1));
    let printed = pliant(folder.path(), &["migrate", "old.toml"]).stdout;
    assert_eq!(printed, std::fs::read(folder.path().join("new.toml")).unwrap());
}

/// docs/command-line.md is that of the program; every command has a manual page and every shell a completion.
#[test]
fn the_manual_is_current() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(pliant(folder.path(), &["manual", "."]).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path().join("command-line.md")).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md");
    if std::env::var_os("PLIANT_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == page,
        "docs/command-line.md is not that of the program; write it with\n  PLIANT_WRITE_DOCS=1 cargo test -p pliant-cli --test new"
    );
    for name in ["man/pliant.1", "man/pliant-run.1", "man/pliant-cache-prune.1"] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{name}: {text}");
    }
    for name in ["pliant.bash", "_pliant", "pliant.fish", "_pliant.ps1"] {
        let text = std::fs::read_to_string(folder.path().join("completions").join(name)).unwrap();
        assert!(text.contains("response"), "{name}");
    }
    let version = String::from_utf8(pliant(folder.path(), &["--version"]).stdout).unwrap();
    assert!(version.starts_with(concat!("pliant ", env!("CARGO_PKG_VERSION"), "\ncommit")), "{version}");
    assert!(version.contains("\nlibhdf5 "), "{version}");
}

#[test]
fn what_is_there_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    let made = pliant(folder.path(), &["new", "mine"]);
    assert_eq!(made.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&made.stderr).contains("mine exists already"));
    assert_eq!(std::fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
}

#[test]
fn the_schema_is_json_and_the_page_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let schema = pliant(folder.path(), &["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["$defs"]["JointTable"]["properties"]["drive"].is_object());
    let page = pliant(folder.path(), &["schema", "--page"]);
    assert!(String::from_utf8_lossy(&page.stdout).starts_with("# The pipeline file\n"));
}
