//! Reading the file of `pliant response`, for the report.

use std::path::{Path, PathBuf};

use hdf5::File;
use hdf5::types::VarLenUnicode;

use crate::dataset::{text, words};
use crate::image::no_writes_at_exit;
use crate::results::{ResultsError, ShapeMesh, seal};
use crate::target::{FileKind, kind_of};

/// A file of responses.
#[derive(Debug)]
pub struct ResponseResults {
    path: PathBuf,
    file: File,
}

/// Numbers of a dataset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Lengths of its axes.
    pub shape: Vec<usize>,
    /// Row by row.
    pub values: Vec<f64>,
}

impl Numbers {
    /// Numbers behind the first `k` axes.
    pub fn width(&self, k: usize) -> usize {
        self.shape.get(k..).map_or(1, |tail| tail.iter().product())
    }
}

impl ResponseResults {
    /// Opens a file; `None` when it is no file of responses. Its first bytes say so, and its seal that nobody
    /// has changed it, before libhdf5 sees it.
    ///
    /// # Errors
    /// It is damaged.
    pub fn open(path: &Path) -> Result<Option<Self>, ResultsError> {
        let is_response = std::fs::metadata(path).is_ok_and(|facts| facts.is_file())
            && matches!(kind_of(path), Ok(Some(FileKind::Response)));
        if !is_response {
            return Ok(None);
        }
        let io_error = |source| ResultsError::Io { path: path.to_owned(), source };
        if seal::verify(path).map_err(io_error)? != seal::Seal::Holds {
            let message = "its bytes do not match its seal: it was damaged or changed".to_owned();
            return Err(ResultsError::Unknown { path: path.to_owned(), message });
        }
        no_writes_at_exit();
        let wrong = |source| ResultsError::Hdf5 { path: path.to_owned(), source };
        let file = File::open(path).map_err(wrong)?;
        Ok(Some(Self { path: path.to_owned(), file }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A text attribute of the root; empty when there is none.
    pub fn attribute(&self, name: &str) -> String {
        text(&self.file, name).unwrap_or_default()
    }

    /// The numbers of a dataset; none when it is not there.
    pub fn numbers(&self, path: &str) -> Option<Numbers> {
        let dataset = self.file.dataset(path).ok()?;
        Some(Numbers { shape: dataset.shape(), values: dataset.read_raw().ok()? })
    }

    /// The words of a dataset; none when it is not there.
    pub fn words(&self, path: &str) -> Vec<String> {
        let all = self.file.dataset(path).and_then(|dataset| dataset.read_raw::<VarLenUnicode>());
        all.unwrap_or_default().iter().map(|word| words(word.as_bytes())).collect()
    }

    /// The mesh of the drawn modes; `None` when the file has none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn shapes(&self) -> Result<Option<ShapeMesh>, ResultsError> {
        if !self.file.link_exists("VTKHDF") {
            return Ok(None);
        }
        let wrong = |source| ResultsError::Hdf5 { path: self.path.clone(), source };
        ShapeMesh::read(&self.file).map(Some).map_err(wrong)
    }
}
