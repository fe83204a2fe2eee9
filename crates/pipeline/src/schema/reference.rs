//! The reference page and the JSON schema, from the table definitions.

use std::fmt::Write;

use crate::schema::{Choice, FromValue, TableDoc};

/// JSON schema of a table type: one definition for each table, and a reference to the first. `id` is the
/// name by which other documents refer to it.
pub fn json_schema<T: FromValue>(id: &str, title: &str) -> serde_json::Value {
    let doc = T::doc();
    let definitions: serde_json::Map<_, _> =
        doc.tables.iter().map(|table| (table.name.to_owned(), table.json())).collect();
    let mut schema = doc.json;
    if let serde_json::Value::Object(object) = &mut schema {
        object.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        object.insert("$id".to_owned(), id.into());
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
    writeln!(page, "\n## {}\n\n{}\n\n```toml\n{}\n```\n", table.name, table.text, table.example)?;
    if !table.choices.is_empty() {
        writeln!(page, "| word | table | meaning |\n|---|---|---|")?;
        for Choice { word, text, table } in &table.choices {
            writeln!(page, "| `{word}` | [{table}](#{}) | {} |", table.to_lowercase(), text.trim())?;
        }
        return Ok(());
    }
    writeln!(page, "| key | type | default | meaning |\n|---|---|---|---|")?;
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
