//! Reading the deformed shapes of a results file.

use hdf5::File;
use pliant_reduce::recovery::Quantity;

use super::error::ResultsError;
use super::read::ResultsFile;
use super::schema;
use super::sink::rows_of;
use crate::dataset::text;

/// The cells of the machine and the times of its frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeMesh {
    /// Names of the links; the first has number 1.
    pub links: Vec<String>,
    /// Time of each frame (s).
    pub times: Vec<f64>,
    /// Number of the GRID of each point.
    pub grids: Vec<u32>,
    /// VTK's type of each cell.
    pub cell_types: Vec<u8>,
    /// Where the points of each cell begin in `connectivity`, and where those of the last one end.
    pub offsets: Vec<i64>,
    /// Points of the cells.
    pub connectivity: Vec<i64>,
    /// Number of the link of each cell, from 1.
    pub cell_links: Vec<u32>,
    /// Number of the element of each cell; 0 for a stick.
    pub elements: Vec<u32>,
    /// Number of the property of each cell; 0 for none.
    pub properties: Vec<u32>,
}

/// One frame, three numbers for each point, in world axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeFrame {
    /// Where the points are (m).
    pub points: Vec<f32>,
    /// Their elastic displacement (m).
    pub displacement: Vec<f32>,
    /// Their elastic rotation (rad).
    pub rotation: Vec<f32>,
    /// Equivalent stress of each cell (Pa), 0 where none was recovered; empty when the run recovered none.
    pub von_mises: Vec<f32>,
    /// The same of principal strain.
    pub principal_strain: Vec<f32>,
}

impl ShapeMesh {
    pub(crate) fn read(file: &File) -> hdf5::Result<Self> {
        let root = file.group("VTKHDF")?;
        let numbers = root.dataset("CellData/link")?;
        let links = text(&numbers, "links")?;
        let mesh = Self {
            links: links.split('\n').map(str::to_owned).collect(),
            times: root.dataset("Steps/Values")?.read_raw()?,
            grids: root.dataset("PointData/grid")?.read_raw()?,
            cell_types: root.dataset("Types")?.read_raw()?,
            offsets: root.dataset("Offsets")?.read_raw()?,
            connectivity: root.dataset("Connectivity")?.read_raw()?,
            cell_links: numbers.read_raw()?,
            elements: root.dataset("CellData/element")?.read_raw()?,
            properties: root.dataset("CellData/property")?.read_raw()?,
        };
        let (points, end) = (mesh.grids.len() as i64, mesh.connectivity.len() as i64);
        let sound = mesh.offsets.len() == mesh.cell_types.len() + 1
            && mesh.offsets.is_sorted()
            && mesh.offsets.first() == Some(&0)
            && mesh.offsets.last() == Some(&end)
            && mesh.connectivity.iter().all(|point| (0..points).contains(point));
        if sound {
            Ok(mesh)
        } else {
            Err(hdf5::Error::Internal("the sizes of the cells in /VTKHDF do not agree".to_owned()))
        }
    }

    /// Points of a cell.
    pub fn cell(&self, at: usize) -> &[i64] {
        &self.connectivity[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

impl ResultsFile {
    /// The mesh of the deformed shapes; `None` when the run kept none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn shapes(&self) -> Result<Option<ShapeMesh>, ResultsError> {
        if !self.has("/VTKHDF/Steps") {
            return Ok(None);
        }
        ShapeMesh::read(self.file()).map(Some).map_err(|source| self.wrong(source))
    }

    /// Frame `at` of the deformed shapes.
    ///
    /// # Errors
    /// The file cannot be read, or has no such frame.
    pub fn shape_frame(&self, mesh: &ShapeMesh, at: usize) -> Result<ShapeFrame, ResultsError> {
        read_frame(self.file(), mesh, at).map_err(|source| self.wrong(source))
    }
}

/// Frame `at` of a file.
pub(super) fn read_frame(file: &File, mesh: &ShapeMesh, at: usize) -> hdf5::Result<ShapeFrame> {
    let numbers = |name: &str, rows: usize, tail: &[usize]| -> hdf5::Result<Vec<f32>> {
        let dataset = file.dataset(&format!("/VTKHDF/{name}"))?;
        let rows = rows_of(at * rows, rows, tail);
        Ok(dataset.read_slice::<f32, _, ndarray::IxDyn>(rows)?.into_raw_vec_and_offset().0)
    };
    let vectors = |name: &str| numbers(name, mesh.grids.len(), &[3]);
    let of_cells = |quantity: Quantity| {
        let path = format!("CellData/{}", schema::elements(quantity).cell.0);
        let is_there = file.link_exists("/VTKHDF/CellData") && file.link_exists(&format!("/VTKHDF/{path}"));
        if is_there { numbers(&path, mesh.cell_types.len(), &[]) } else { Ok(Vec::new()) }
    };
    Ok(ShapeFrame {
        points: vectors("Points")?,
        displacement: vectors("PointData/displacement")?,
        rotation: vectors("PointData/rotation")?,
        von_mises: of_cells(Quantity::Stress)?,
        principal_strain: of_cells(Quantity::Strain)?,
    })
}
