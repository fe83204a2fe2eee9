//! What goes wrong with a results file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::dataset::short;

/// Why a results file cannot be written or read.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// libhdf5 refuses.
    #[error("{}: {}", path.display(), short(source))]
    Hdf5 {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: hdf5::Error,
    },
    /// It is no results file, or one that this program does not know.
    #[error("{}: {message}", path.display())]
    Unknown {
        /// Which file.
        path: PathBuf,
        /// Why.
        message: String,
    },
}
