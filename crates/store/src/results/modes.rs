//! Shapes of vibration or buckling of a deck as deformed shapes: one frame for each.

use std::path::Path;
use std::sync::Arc;

use hdf5::{Extent, File, Result};
use pliant_reduce::NodalShapes;

use super::axes::{Axes, create, describe};
use super::elements::{ElementField, LinkElements};
use super::error::ResultsError;
use super::grid_forces::{self, GridForceRow};
use super::shape::{LinkShape, MachineShape, Posed, Posture};
use super::vtk::{self, Frames};
use crate::Drawing;
use crate::dataset::put_text;
use crate::image::write_sealed;

/// The largest translation of a drawn mode over the size of the mesh.
const DRAWN: f64 = 0.1;

/// Modes to be drawn.
#[derive(Clone, Debug)]
pub struct ModeShapes {
    /// A title.
    pub title: String,
    /// The cells.
    pub drawing: Drawing,
    /// Grids and a column for each mode, in the basic frame (m, rad), of any size.
    pub shapes: NodalShapes,
    /// What the values are.
    pub quantity: ModeQuantity,
    /// Value of each mode.
    pub values: Vec<f64>,
    /// Stress and strain of the elements, one column for each shape; none for shapes of any size. Those of
    /// buckling have that of the loads.
    pub elements: Vec<Arc<ElementField>>,
    /// Forces on grids in static load cases.
    pub forces: Vec<GridForceRow>,
    /// Vectors of the grids in each shape.
    pub points: Vec<PointField>,
}

/// A vector of each grid in each shape, in the basic frame.
#[derive(Clone, Debug)]
pub struct PointField {
    /// Name in `/VTKHDF/PointData`.
    pub name: &'static str,
    /// Units.
    pub units: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Three numbers for each grid, shape after shape.
    pub values: Vec<f32>,
}

/// What belongs to a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeQuantity {
    /// A natural frequency (Hz).
    Frequency,
    /// A factor on the loads that buckles the structure.
    LoadFactor,
    /// A static load case, by its number; its displacements are drawn as they are.
    Subcase,
}

impl ModeQuantity {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Frequency, Self::LoadFactor, Self::Subcase];

    /// What a file of such shapes is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Frequency => "Modes",
            Self::LoadFactor => "Buckling",
            Self::Subcase => "Statics",
        }
    }

    /// Dataset, units and description.
    pub(super) fn dataset(self) -> [&'static str; 3] {
        match self {
            Self::Frequency => ["/modes/frequency", "Hz", "natural frequency"],
            Self::LoadFactor => ["/modes/load_factor", "1", "factor on the loads at which it buckles"],
            Self::Subcase => ["/modes/subcase", "1", "number of the static load case"],
        }
    }
}

/// Writes `/VTKHDF` with the undeformed mesh and, for each mode, its shape as `displacement` and `rotation`,
/// scaled so that the largest translation is a tenth of the mesh (static ones as they are),
/// `/modes/frequency`, `load_factor` or `subcase`, and the forces on grids in `/grid_forces`.
///
/// # Errors
/// The file cannot be written.
pub fn write_modes(path: &Path, modes: &ModeShapes) -> std::result::Result<(), ResultsError> {
    write_sealed(path, |file| fill(file, modes))
        .map_err(|source| ResultsError::Io { path: path.to_owned(), source })
}

fn fill(file: &File, modes: &ModeShapes) -> Result<()> {
    put_text(file, "program", "pliant")?;
    put_text(file, "program_version", env!("CARGO_PKG_VERSION"))?;
    put_text(file, "title", &modes.title)?;
    let count = modes.values.len();
    let mut axes = Axes::new(file);
    super::create::vector_axis(&mut axes)?;
    let number: Vec<f64> = (1..=count).map(|k| k as f64).collect();
    let mode = create::<f64>(file, "/modes/mode", &[Extent::fixed(count)])?;
    mode.write_raw(&number)?;
    describe(&mode, "1", "number of the mode")?;
    axes.scale(&mode, "/modes/mode")?;
    let [name, units, what] = modes.quantity.dataset();
    let values = create::<f64>(file, name, &[Extent::fixed(count)])?;
    values.write_raw(&modes.values)?;
    describe(&values, units, what)?;
    axes.attach(&values, name, &["/modes/mode".to_owned()])?;
    let positions = modes.shapes.positions.clone();
    let points: Vec<f32> = positions.iter().flat_map(|x| [x.x as f32, x.y as f32, x.z as f32]).collect();
    let size = extent(&modes.shapes);
    let link = LinkShape {
        name: modes.title.replace('\n', " "),
        positions,
        columns: Vec::new(),
        drawing: modes.drawing.clone(),
    };
    let name = link.name.clone();
    let elements = LinkElements { name, fields: modes.elements.clone(), gauges: Vec::new() };
    let machine = MachineShape::single(Arc::new(link));
    grid_forces::write(file, &modes.forces)?;
    let frames = Frames { planned: count, units: "1", what: "number of the mode", deviation: false };
    let mut sink = vtk::lay_out(file, &mut axes, machine, frames, &[Arc::new(elements)], &[])?;
    for field in &modes.points {
        sink.put_points(file, &mut axes, field)?;
    }
    axes.close()?;
    for (k, (number, column)) in number.iter().zip(&modes.shapes.columns).enumerate() {
        let of =
            |first: usize| column.chunks_exact(6).flat_map(move |u| [u[first], u[first + 1], u[first + 2]]);
        let largest = column.chunks_exact(6).map(|u| u[0].hypot(u[1]).hypot(u[2])).fold(0.0, f64::max);
        let scale = match modes.quantity {
            ModeQuantity::Subcase => 1.0,
            _ if largest > 0.0 => DRAWN * size / largest,
            _ => 0.0,
        };
        let scaled = |first: usize| of(first).map(|x| (x * scale) as f32).collect();
        let posed = Posed {
            points: points.clone(),
            displacement: scaled(0),
            rotation: scaled(3),
            deviation: Vec::new(),
        };
        sink.append(&[*number], &posed, &[Posture::of_shape(k, count)])?;
    }
    Ok(())
}

/// Diagonal of the box around the grids.
fn extent(shapes: &NodalShapes) -> f64 {
    let first = shapes.positions.first().copied().unwrap_or_default();
    let (mut low, mut high) = (first, first);
    for x in &shapes.positions {
        (low, high) = (low.inf(x), high.sup(x));
    }
    (high - low).norm()
}
