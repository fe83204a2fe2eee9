//! The reference page and the JSON schema, from the table definitions.

use std::fmt::Write;

use crate::schema::{FromValue, TableDoc};

/// JSON schema of a table type: one definition for each table, and a reference to the first.
pub fn json_schema<T: FromValue>(title: &str) -> serde_json::Value {
    let doc = T::doc();
    let definitions: serde_json::Map<_, _> =
        doc.tables.iter().map(|table| (table.name.to_owned(), table.json())).collect();
    let mut schema = doc.json;
    if let serde_json::Value::Object(object) = &mut schema {
        object.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        object.insert("title".to_owned(), title.into());
        object.insert("$defs".to_owned(), definitions.into());
    }
    schema
}

/// A page in Markdown with one section for each table below `T`.
pub fn reference_page<T: FromValue>(title: &str, introduction: &str) -> String {
    let mut page = format!("# {title}\n\n{introduction}\n");
    for table in T::doc().tables {
        section(&mut page, &table).expect("invariant: writing to a string cannot fail");
    }
    page
}

fn section(page: &mut String, table: &TableDoc) -> std::fmt::Result {
    writeln!(
        page,
        "\n## {}\n\n{}\n\n| key | type | default | meaning |\n|---|---|---|---|",
        table.name, table.text
    )?;
    for key in &table.keys {
        let default = match (key.default, key.required) {
            (Some(shown), _) => format!("`{shown}`"),
            (None, true) => "required".to_owned(),
            (None, false) => String::new(),
        };
        writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            key.name,
            key.doc.words,
            default,
            key.text.replace('|', "\\|")
        )?;
    }
    Ok(())
}
