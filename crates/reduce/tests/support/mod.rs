//! What several test programs share: tables from TOML.

use pliant_diag::Diagnostics;
use pliant_pipeline::Document;
use pliant_pipeline::link::LinkTable;
use pliant_pipeline::schema::{Context, FromValue};

/// A link table from TOML.
pub(crate) fn table(text: &str) -> LinkTable {
    let mut diagnostics = Diagnostics::new();
    let document = Document::parse(text, pliant_diag::FileId(0), &mut diagnostics);
    let table = LinkTable::from_value(&document.root, &mut Context::new(&mut diagnostics));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    table.expect("a table without problems")
}
