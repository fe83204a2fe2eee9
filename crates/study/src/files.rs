//! The files that cases are made of, and their hashes.

use std::io;
use std::path::{Path, PathBuf};

use pliant_pipeline::link::LinkTable;
use pliant_pipeline::{PipelineFile, Value, ValueKind};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A file that cases depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Where it was read.
    pub path: PathBuf,
    /// Hash of its bytes; none when there is none.
    pub sha256: Option<String>,
}

impl InputFile {
    /// A file as it is now.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub(crate) fn now(path: &Path) -> io::Result<Self> {
        let sha256 = match pliant_diag::read_input(path, pliant_diag::LARGEST_INPUT) {
            Ok(bytes) => Some(hash(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        };
        Ok(Self { path: path.to_owned(), sha256 })
    }
}

/// SHA-256 in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The decks of a link as its table names them, and its other files.
pub(crate) fn of_link(table: &LinkTable, file: &PipelineFile) -> (Vec<PathBuf>, Option<PathBuf>) {
    let decks = match (&table.deck, &table.imported) {
        (Some(deck), _) => deck.0.iter().map(|path| file.resolve(path)).collect(),
        (None, Some(imported)) => vec![file.resolve(&imported.deck)],
        (None, None) => Vec::new(),
    };
    let op4 = table.imported.as_ref().and_then(|imported| imported.op4.as_ref());
    (decks, op4.map(|path| file.resolve(path)))
}

/// The CSV files that a value names.
pub(crate) fn csv_files(value: &Value, file: &PipelineFile, found: &mut Vec<PathBuf>) {
    match &value.kind {
        ValueKind::String(text) if text.to_lowercase().ends_with(".csv") => {
            found.push(file.resolve(Path::new(text)));
        }
        ValueKind::Array(items) => items.iter().for_each(|item| csv_files(item, file, found)),
        ValueKind::Table(entries) => entries.iter().for_each(|(_, value)| csv_files(value, file, found)),
        _ => {}
    }
}
