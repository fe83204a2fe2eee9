//! The committed reference page and JSON schema are those of the program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use pliant_pipeline::schema::{FromValue, TableDoc};
use pliant_pipeline::{PipelineTable, file_reference, file_schema, from_text};
use serde_json::Value;

/// Compares, or writes where PLIANT_WRITE_DOCS is set.
fn is_current(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("PLIANT_WRITE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/{name} is not that of the program; write it with\n  PLIANT_WRITE_DOCS=1 cargo test --workspace --test documentation"
    );
}

#[test]
fn the_reference_page_is_current() {
    is_current("pipeline-file.md", &file_reference());
}

#[test]
fn the_json_schema_is_current() {
    is_current("pipeline.schema.json", &file_schema());
}

/// Every `$ref` below a value.
fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|inner| references(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| references(inner, found)),
        _ => {}
    }
}

#[test]
fn every_reference_of_the_schema_leads_somewhere() {
    let schema: Value = serde_json::from_str(&file_schema()).unwrap();
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(found.len() > 30, "{found:?}");
    for reference in found {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        assert_eq!(schema["$defs"][name]["type"], "object", "{reference}");
    }
}

/// True when the reader of the table reports a key of it that is misspelt in the example.
fn is_read_as(table: &TableDoc) -> bool {
    table.keys.iter().any(|key| {
        let misspelt = table.example.replace(&format!("{} = ", key.name), &format!("{}x = ", key.name));
        let read = from_text(Path::new("example.toml"), misspelt);
        let unknown = format!("unknown key `{}x`", key.name);
        read.diagnostics.iter().any(|d| d.message.contains(&unknown))
    })
}

/// The example of a table is read without a problem, and has that table.
#[test]
fn every_table_has_an_example_that_is_read() {
    let tables = PipelineTable::doc().tables;
    assert!(tables.len() > 70, "{}", tables.len());
    let mut problems = Vec::new();
    for table in tables {
        let read = from_text(Path::new("example.toml"), table.example.clone());
        problems.extend(read.diagnostics.iter().map(|d| format!("{}: {}", table.name, d.message)));
        // Debug of a table begins with its name; a few are something else once they are read, and `Motion` is
        // the name of a choice.
        let shown = format!("{:?}", read.output.table).contains(&format!("{} {{", table.name));
        if !shown && !is_read_as(&table) && table.name != "Motion" {
            problems.push(format!("{}: its example has no such table\n{}", table.name, table.example));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Profiles of motions are listed in one table of the page, and nowhere else.
#[test]
fn motion_profiles_are_listed_once() {
    let page = file_reference();
    let lists = page.lines().filter(|line| line.contains("`spin-up`") && line.contains("`harmonic`"));
    assert_eq!(lists.count(), 0, "no line lists all profiles");
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| `spin-up` |")).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
}
