//! Reading all of a file of shapes: what `pliant modes`, `buckling` and `static` write with `--out`.

use std::path::Path;

use super::error::ResultsError;
use super::grid_forces::{self, GridForceRow};
use super::read_shape::{ShapeFrame, ShapeMesh, read_frame};
use super::shape_values::{ShapeValues, opened};
use crate::dataset::text;

/// The shapes of a deck.
#[derive(Clone, Debug, PartialEq)]
pub struct DeckShapes {
    /// What belongs to each.
    pub values: ShapeValues,
    /// Version of the program that wrote them.
    pub program_version: String,
    /// The mesh.
    pub mesh: ShapeMesh,
    /// The shapes.
    pub frames: Vec<ShapeFrame>,
    /// Forces on grids in static load cases.
    pub forces: Vec<GridForceRow>,
}

impl DeckShapes {
    /// Reads a file; `None` when it is of another kind, or holds shapes of a run.
    ///
    /// # Errors
    /// It is damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, ResultsError> {
        let Some((file, values)) = opened(path)? else { return Ok(None) };
        let read = || {
            let mesh = ShapeMesh::read(&file)?;
            let frames = (0..mesh.times.len()).map(|at| read_frame(&file, &mesh, at));
            let frames = frames.collect::<hdf5::Result<Vec<_>>>()?;
            let program_version = text(&file, "program_version").unwrap_or_default();
            Ok(Self { program_version, frames, mesh, forces: grid_forces::read(&file)?, values })
        };
        read().map(Some).map_err(|source| ResultsError::Hdf5 { path: path.to_owned(), source })
    }
}
