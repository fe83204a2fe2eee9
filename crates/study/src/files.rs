//! Files on disk: whole or not at all, and the hashes of those that cases are made of.

use std::fs::{self, File};
use std::io::{self, Write};
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
    /// Hash of its bytes; none when it could not be read.
    pub sha256: Option<String>,
}

impl InputFile {
    /// A file as it is now.
    pub(crate) fn now(path: &Path) -> Self {
        Self { path: path.to_owned(), sha256: fs::read(path).ok().map(|bytes| hash(&bytes)) }
    }
}

/// SHA-256 in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file under another name, syncs it, and renames it: a reader finds all of it or nothing.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = write_synced(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // What is left of a failed attempt helps nobody.
        let _ = fs::remove_file(&part);
        return written;
    }
    sync_folder(path);
    Ok(())
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A rename survives a crash of the machine only when the folder is synced too; some file systems refuse, and then at worst
/// the work is done again.
pub(crate) fn sync_folder(file: &Path) {
    if let Some(folder) = file.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
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
