//! Reading what a file of shapes says of each: the frequencies of `pliant modes --out`, the load factors of
//! buckling, the subcases of a static answer.

use std::path::Path;

use hdf5::File;

use super::error::ResultsError;
use super::modes::ModeQuantity;
use super::seal::{self, Seal};
use crate::dataset::text;
use crate::image::no_writes_at_exit;
use crate::target::{FileKind, kind_of};

/// The shapes of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeValues {
    /// Its title.
    pub title: String,
    /// What the values are, as `frequency`.
    pub name: String,
    /// Units of the values.
    pub units: String,
    /// A value of each shape.
    pub values: Vec<f64>,
    /// Of each shape the largest von Mises stress (Pa), where the file has stress.
    pub von_mises: Vec<f64>,
}

impl ShapeValues {
    /// Reads a file; `None` when it is of another kind, or holds shapes alone. Its first bytes say so, and
    /// its seal that nobody has changed it, before libhdf5 sees it.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, ResultsError> {
        Ok(opened(path)?.map(|(_, values)| values))
    }
}

/// The file, and what it says of each shape.
pub(super) fn opened(path: &Path) -> Result<Option<(File, ShapeValues)>, ResultsError> {
    let is_shapes = std::fs::metadata(path).is_ok_and(|facts| facts.is_file())
        && matches!(kind_of(path), Ok(Some(FileKind::Shapes)));
    if !is_shapes {
        return Ok(None);
    }
    let io_error = |source| ResultsError::Io { path: path.to_owned(), source };
    if seal::verify(path).map_err(io_error)? != Seal::Holds {
        let message = "its bytes do not match its seal: it was damaged or changed".to_owned();
        return Err(ResultsError::Unknown { path: path.to_owned(), message });
    }
    no_writes_at_exit();
    let wrong = |source| ResultsError::Hdf5 { path: path.to_owned(), source };
    let file = File::open(path).map_err(wrong)?;
    let found = ModeQuantity::ALL.into_iter().map(|quantity| quantity.dataset());
    let Some([dataset, units, _]) = found.into_iter().find(|[name, ..]| file.link_exists(name)) else {
        return Ok(None);
    };
    let values = file.dataset(dataset).and_then(|dataset| dataset.read_raw::<f64>()).map_err(wrong)?;
    let stress = match file.dataset("/VTKHDF/CellData/von_mises") {
        Ok(dataset) => dataset.read_raw::<f32>().map_err(wrong)?,
        Err(_) => Vec::new(),
    };
    let largest = |cells: &[f32]| cells.iter().fold(0.0, |a, x| f64::max(a, f64::from(*x)));
    let cells = (stress.len() / values.len().max(1)).max(1);
    let values = ShapeValues {
        title: text(&file, "title").unwrap_or_default(),
        name: dataset.rsplit('/').next().unwrap_or_default().to_owned(),
        units: units.to_owned(),
        values,
        von_mises: stress.chunks(cells).map(largest).collect(),
    };
    Ok(Some((file, values)))
}
