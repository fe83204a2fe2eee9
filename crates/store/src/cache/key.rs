//! What an entry is named by.

use std::fmt;

use pliant_pipeline::link::LinkTable;
use sha2::{Digest, Sha256};

use super::SCHEMA_VERSION;

/// Hash of the sources of every stage that a link depends on, see `build.rs`.
const REDUCTION_SOURCES: &str = env!("PLIANT_REDUCTION_SOURCES");

/// SHA-256 of all that a reduced link depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Key {
    /// The key a file name begins with, if it does.
    pub(super) fn of_file_name(name: &str) -> Option<Self> {
        let mut key = [0; 32];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(name.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        Some(Self(key))
    }
}

/// The key of a link: the bytes of its files (decks after INCLUDE in the order they were read), every value of its table, and
/// the code that reduces it. Its name, the places of its files and the checks it accepts do not matter.
pub fn link_key<'a>(table: &LinkTable, files: impl IntoIterator<Item = &'a [u8]>) -> Key {
    let mut table = table.clone();
    table.accept = None;
    table.deck = None;
    if let Some(imported) = &mut table.imported {
        imported.deck.clear();
        imported.op4 = imported.op4.as_ref().map(|_| Default::default());
    }
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(REDUCTION_SOURCES.as_bytes());
    add(&SCHEMA_VERSION.to_le_bytes());
    // `Debug` shows every field with the shortest text that gives back the same number, and no places: a key that forgets
    // a field of the table cannot be written.
    add(format!("{table:?}").as_bytes());
    for file in files {
        add(file);
    }
    Key(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use pliant_diag::{Diagnostics, FileId};
    use pliant_pipeline::Document;
    use pliant_pipeline::schema::{Context, FromValue};

    use super::*;

    fn key(table: &str, decks: &[&str]) -> Key {
        let mut diagnostics = Diagnostics::new();
        let document = Document::parse(table, FileId(0), &mut diagnostics);
        let table = LinkTable::from_value(&document.root, &mut Context::new(&mut diagnostics)).unwrap();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        link_key(&table, decks.iter().map(|deck| deck.as_bytes()))
    }

    #[test]
    fn whatever_changes_the_link_changes_the_key() {
        let table = "deck = 'a.bdf'\ninboard = 1\ninterfaces = { tip = 2 }\n";
        let same = key(table, &["GRID,1", "GRID,2"]);
        assert_eq!(same, key(&table.replace("a.bdf", "elsewhere/b.bdf"), &["GRID,1", "GRID,2"]));
        assert_eq!(same, key(&format!("\n\n{table}accept = ['mass']"), &["GRID,1", "GRID,2"]));
        let others = [
            "override = { 'PSHELL.3.T' = 4.0 }",
            "override = { 'PSHELL.3.T' = 4.000000000000001 }",
            "units = 'mm-t-s'",
            "modes = { count = 3 }",
            "modes = { below_hz = 3 }",
            "basis = 'guyan'",
            "mass = 'lumped'",
            "second_order = false",
            "damping = { ratio = 0.01 }",
            "residual = ['tip.x']",
            "material = 'steel'",
            "thickness = 2",
        ];
        let mut keys: Vec<Key> =
            others.iter().map(|more| key(&format!("{table}{more}"), &["GRID,1", "GRID,2"])).collect();
        keys.push(key(&table.replace("tip", "end"), &["GRID,1", "GRID,2"]));
        keys.push(key(&table.replace("tip = 2", "tip = 2, a = 3"), &["GRID,1", "GRID,2"]));
        keys.push(key(&table.replace("tip = 2", "a = 3, tip = 2"), &["GRID,1", "GRID,2"]));
        keys.push(key(table, &["GRID,2", "GRID,1"]));
        keys.push(key(table, &["GRID,1G", "RID,2"]));
        keys.push(same);
        keys.sort();
        let count = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), count, "no two are the same");
        assert_eq!(Key::of_file_name(&format!("{same}.h5")), Some(same));
        assert_eq!(Key::of_file_name("notes.txt"), None);
    }
}
