//! The committed reference page and JSON schema are those of the program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use pliant_pipeline::{file_reference, file_schema};
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
