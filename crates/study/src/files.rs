//! The files that cases are made of, and their hashes.

use std::io;
use std::path::{Path, PathBuf};

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
    hex::encode(Sha256::digest(bytes))
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
