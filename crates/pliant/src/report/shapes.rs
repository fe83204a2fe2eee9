//! From a file of `pliant modes`, `buckling` or `static` to the plain numbers of a report.

use std::path::Path;

use pliant_report::{About, ForceRow, HotSpot, Shape, ShapeKind, Shapes};
use pliant_store::results::{DeckShapes, GridForceRow, ResultsError, ShapeFrame, ShapeMesh};

use super::elements::at_nodes;
use super::machine::{part, ranges};

/// Elements listed of each shape.
const LISTED: usize = 12;
/// Rows of forces on a page, at most.
const FORCES: usize = 400;

/// Cells of elements with a property, and their nodes.
type Cells = Vec<(usize, Vec<usize>)>;

/// The page of a file of shapes.
///
/// # Errors
/// Its mesh cannot be drawn.
pub fn shapes(file: &DeckShapes, path: &Path) -> Result<Shapes, ResultsError> {
    let mesh = &file.mesh;
    let Some(points) = ranges(mesh).and_then(|ranges| ranges.into_iter().next()) else {
        let message = "the cells of its mesh do not fit its grids".to_owned();
        return Err(ResultsError::Unknown { path: path.to_owned(), message });
    };
    let mut drawn = part(mesh, 0, points);
    let rest = file.frames.first().map_or(&[][..], |frame| &frame.points);
    drawn.positions = rest.as_chunks::<3>().0.to_vec();
    // A rigid element may have the number of another one; it has no property.
    let cells: Cells = (0..mesh.cell_types.len())
        .filter(|cell| mesh.properties[*cell] != 0)
        .map(|cell| (cell, mesh.cell(cell).iter().map(|point| *point as usize).collect()))
        .collect();
    let kind = match file.values.name.as_str() {
        "frequency" => ShapeKind::Vibration,
        "load_factor" => ShapeKind::Buckling,
        _ => ShapeKind::Static,
    };
    let of_shape = |(frame, value): (&ShapeFrame, &f64)| Shape {
        value: *value,
        displacement: frame.displacement.clone(),
        fields: fields(drawn.positions.len(), &cells, frame),
    };
    Ok(Shapes {
        about: About {
            title: file.values.title.clone(),
            source: path.display().to_string(),
            program: format!("pliant {}", file.program_version),
            created: String::new(),
            remarks: Vec::new(),
        },
        kind,
        shapes: file.frames.iter().zip(&file.values.values).map(of_shape).collect(),
        hot_spots: file.frames.iter().map(|frame| hot_spots(mesh, &cells, frame)).collect(),
        forces: file.forces.iter().take(FORCES).map(force).collect(),
        forces_in_file: file.forces.len(),
        mesh: drawn,
    })
}

/// Stress and strain at the nodes: of each the largest of the elements around it.
fn fields(nodes: usize, cells: &Cells, frame: &ShapeFrame) -> Vec<(String, String, Vec<f32>)> {
    let all =
        [("von Mises stress", "Pa", &frame.von_mises), ("principal strain", "m/m", &frame.principal_strain)];
    let known = all.into_iter().filter(|(_, _, values)| !values.is_empty());
    let field = |(name, units, values): (&str, &str, &Vec<f32>)| {
        (name.to_owned(), units.to_owned(), at_nodes(nodes, cells, |cell| values[cell]))
    };
    known.map(field).collect()
}

/// The elements of largest stress, the worst first.
fn hot_spots(mesh: &ShapeMesh, cells: &Cells, frame: &ShapeFrame) -> Vec<HotSpot> {
    if frame.von_mises.is_empty() {
        return Vec::new();
    }
    let spot = |(cell, _): &(usize, Vec<usize>)| HotSpot {
        element: mesh.elements[*cell],
        property: mesh.properties[*cell],
        stress: f64::from(frame.von_mises[*cell]),
    };
    let mut spots: Vec<HotSpot> = cells.iter().map(spot).collect();
    spots.sort_by(|a, b| b.stress.total_cmp(&a.stress));
    spots.truncate(LISTED);
    spots
}

fn force(row: &GridForceRow) -> ForceRow {
    let ([x, y, z], [rx, ry, rz]) = (row.force, row.moment);
    let (subcase, grid, origin) = (row.subcase, row.grid, row.origin.clone());
    ForceRow { subcase, grid, origin, components: [x, y, z, rx, ry, rz] }
}
