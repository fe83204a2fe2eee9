//! What several test programs share: tables from TOML, reference decks.
#![allow(
    clippy::allow_attributes,
    dead_code,
    reason = "each test file compiles this module and uses part of it, so an expectation cannot hold for all"
)]

use std::path::{Path, PathBuf};

use pliant_diag::Diagnostics;
use pliant_mesh::{LinkMesh, Units};
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

/// The folder of a reference case of Nastran, where the reference data are.
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/nastran").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no {}", folder.display());
    None
}

/// The mesh of a deck without errors.
pub(crate) fn mesh(path: &Path) -> LinkMesh {
    let deck = pliant_bulk::read(path, Units::SI);
    assert!(!deck.diagnostics.has_errors(), "{:?}", deck.diagnostics);
    deck.output.mesh
}

/// The mesh of a deck that is a text, without errors.
pub(crate) fn mesh_of(deck: &str) -> LinkMesh {
    let mut no_includes = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let cards = pliant_bulk::read_cards_from("test.bdf", deck.as_bytes().to_vec(), &mut no_includes);
    let read = pliant_bulk::deck_from_cards(cards, &pliant_bulk::Options::default());
    let problems: Vec<String> = read.diagnostics.iter().map(|d| d.headline()).collect();
    assert!(!read.diagnostics.has_errors(), "{problems:#?}\n{deck}");
    read.output.mesh
}
