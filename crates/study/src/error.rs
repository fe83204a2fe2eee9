//! What keeps a study from going on.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why a study cannot be made, opened or carried on, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct StudyError {
    /// What is wrong.
    pub message: String,
    /// How to go on.
    pub hint: Option<String>,
}

impl StudyError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Something about a file or folder that the system refused, with what usually helps.
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        let reported = Self::new(format!("cannot {what} {}: {error}", path.display()));
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                reported.hint("committed cases are kept; free some space, then `pliant resume` the study")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                reported.hint("the folder must be writable; `--out DIR` names another")
            }
            _ => reported,
        }
    }
}
