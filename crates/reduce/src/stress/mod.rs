//! Stress modes: the stress in elements for unit coordinates, so that the stress at any time is one small product σ = S q.
//!
//! The shapes of the coordinates hold the static response to loads on the interfaces exactly, and to inertia as far as the basis
//! has residual vectors for it; so a link that is loaded statically there has the stress of the full mesh.

mod gauge;
mod line;
mod shell;
mod solid;

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::element::{
    DofAxes, Element, ElementContext, ElementStress, ShellJoints, all_elements, build_among,
};
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::{LinkMesh, NodeIndex};
use pliant_pipeline::link::LinkTable;
use rayon::prelude::*;

use crate::link::interfaces;
use crate::{LinkFrame, NodalShapes, ReduceError};

pub use gauge::{Gauge, GaugeError};

/// What the rows of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StressKind {
    /// N, V1, V2, T, M1, M2 at end A and at end B (N, N·m), then the axial stress at points C, D, E, F of A and of B (Pa).
    Line,
    /// σx, σy, τxy at the bottom (−z), then at the top, at the centre of the element, in element axes (Pa).
    Shell,
    /// σ1, σ2, τ12 at the bottom and then at the top of each ply, from the bottom of a laminate to its top, in the axes of the ply (Pa).
    Laminate {
        /// Number of plies.
        plies: usize,
    },
    /// σx, σy, σz, τxy, τyz, τzx at the centroid and then at each corner, in link axes (Pa).
    Solid {
        /// Number of corners.
        corners: usize,
    },
}

impl StressKind {
    /// Rows of an element.
    pub fn rows(self) -> usize {
        match self {
            Self::Line => 20,
            Self::Shell => 6,
            Self::Laminate { plies } => 6 * plies,
            Self::Solid { corners } => 6 + 6 * corners,
        }
    }

    /// Names of the rows.
    pub fn labels(self) -> Vec<String> {
        let voigt = ["xx", "yy", "zz", "xy", "yz", "zx"];
        let named =
            |place: &str, all: &[&str]| all.iter().map(|n| format!("{place}.{n}")).collect::<Vec<_>>();
        match self {
            Self::Line => {
                let forces = ["N", "V1", "V2", "T", "M1", "M2"];
                let points = ["C", "D", "E", "F"];
                [named("A", &forces), named("B", &forces), named("A", &points), named("B", &points)].concat()
            }
            Self::Shell => [named("bottom", &["xx", "yy", "xy"]), named("top", &["xx", "yy", "xy"])].concat(),
            Self::Laminate { plies } => (1..=plies)
                .flat_map(|ply| ["bottom", "top"].map(|face| format!("ply {ply} {face}")))
                .flat_map(|place| named(&place, &["11", "22", "12"]))
                .collect(),
            Self::Solid { corners } => {
                let corners = (1..=corners).flat_map(|corner| named(&format!("corner {corner}"), &voigt));
                named("centroid", &voigt).into_iter().chain(corners).collect()
            }
        }
    }

    /// The kind whose rows have these names.
    pub fn of_labels(labels: &[String]) -> Option<Self> {
        let count = labels.len();
        let all = [
            Self::Line,
            Self::Shell,
            Self::Laminate { plies: count / 6 },
            Self::Solid { corners: (count / 6).saturating_sub(1) },
        ];
        all.into_iter().find(|kind| kind.rows() == count && kind.labels() == labels)
    }

    /// The largest equivalent stress of von Mises among the points of an element (Pa); of a line element the largest axial
    /// stress of its stress points.
    pub fn von_mises(self, rows: &[f64]) -> f64 {
        match self {
            Self::Line => rows[12..].iter().fold(0.0, |worst, s| f64::max(worst, s.abs())),
            Self::Shell | Self::Laminate { .. } => {
                rows.chunks_exact(3).map(plane_von_mises).fold(0.0, f64::max)
            }
            Self::Solid { .. } => rows.chunks_exact(6).map(solid_von_mises).fold(0.0, f64::max),
        }
    }
}

/// √(σx² − σxσy + σy² + 3τ²).
fn plane_von_mises(s: &[f64]) -> f64 {
    (s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3.0 * s[2] * s[2]).max(0.0).sqrt()
}

/// √(½[(σx−σy)² + (σy−σz)² + (σz−σx)²] + 3(τxy² + τyz² + τzx²)).
fn solid_von_mises(s: &[f64]) -> f64 {
    let normal = (s[0] - s[1]).powi(2) + (s[1] - s[2]).powi(2) + (s[2] - s[0]).powi(2);
    (0.5 * normal + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])).sqrt()
}

/// An element whose stress is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StressedElement {
    /// Its number.
    pub id: u32,
    /// Number of its property; 0 where it has none.
    pub property: u32,
    /// What its rows are.
    pub kind: StressKind,
    /// Its first row.
    pub first: usize,
}

/// The stress in the elements of a link for unit coordinates, SI.
#[derive(Clone, Debug, PartialEq)]
pub struct StressModes {
    /// The elements.
    pub elements: Vec<StressedElement>,
    /// One row for each number of each element, one column for each coordinate.
    pub S: DMatrix<f64>,
}

/// What is wanted of a link.
pub struct StressRequest<'a> {
    /// Whether an element is wanted, by its number and that of its property (0: none).
    pub wanted: &'a (dyn Fn(u32, u32) -> bool + Sync),
    /// Gauges.
    pub gauges: &'a [Gauge],
}

/// Stress modes of the elements wanted, and of each gauge its strain per unit coordinate.
pub type Recovered = (StressModes, Vec<Result<Vec<f64>, GaugeError>>);

/// The stress of a link that was reduced from a mesh: `shapes` and the numbers of their grids may come from a cache.
///
/// # Errors
/// Interfaces or elements that cannot be made.
pub fn link_stress(
    mut mesh: LinkMesh,
    table: &LinkTable,
    grids: &[u32],
    shapes: &NodalShapes,
    request: &StressRequest<'_>,
) -> Result<Recovered, ReduceError> {
    mesh.units = table.units.0;
    let interfaces = interfaces(&mut mesh, table).map_err(ReduceError::Request)?;
    let inboard = interfaces.first().expect("invariant: the inboard interface comes first");
    let frame = LinkFrame::new(&mesh, inboard);
    let displaced = Displaced::new(&mesh, grids, shapes, &frame.axes);
    let modes = displaced.modes(request.wanted).map_err(ReduceError::Input)?;
    let gauges = request.gauges.iter().map(|gauge| gauge::row(&displaced, gauge)).collect();
    Ok((modes, gauges))
}

/// What an element gives: its kind and its rows, one column for each coordinate.
type Rows = (StressKind, DMatrix<f64>);

/// The mesh displaced by each coordinate.
struct Displaced<'a> {
    mesh: &'a LinkMesh,
    shapes: &'a NodalShapes,
    axes: &'a Matrix3<f64>,
    /// Row of the shapes of each node.
    rows: Vec<Option<usize>>,
}

impl<'a> Displaced<'a> {
    fn new(mesh: &'a LinkMesh, grids: &[u32], shapes: &'a NodalShapes, axes: &'a Matrix3<f64>) -> Self {
        let by_number: std::collections::HashMap<u32, usize> =
            grids.iter().enumerate().map(|(row, grid)| (*grid, row)).collect();
        let rows = mesh.nodes.iter().map(|node| by_number.get(&node.id.0).copied()).collect();
        Self { mesh, shapes, axes, rows }
    }

    /// Stress of the elements wanted, in the order of the mesh.
    fn modes(&self, wanted: &(dyn Fn(u32, u32) -> bool + Sync)) -> Result<StressModes, Diagnostics> {
        let (mesh, joints) = (self.mesh, ShellJoints::of(self.mesh));
        let each = |which: &ElementRef| -> Result<Option<(u32, u32, Rows)>, Box<Diagnostic>> {
            let facts = mesh.element_facts(*which);
            let property = property_of(mesh, *which);
            if !wanted(facts.id.0, property) {
                return Ok(None);
            }
            let element = build_among(ElementContext { mesh, extra_nsm: 0.0 }, *which, &joints)?;
            Ok(self.stress(*which, element.as_ref()).map(|rows| (facts.id.0, property, rows)))
        };
        let found: Vec<_> = all_elements(mesh).par_iter().map(each).collect();
        let (mut elements, mut parts, mut first) = (Vec::new(), Vec::new(), 0);
        for one in found {
            let one = one.map_err(|problem| Diagnostics::from_iter([*problem]))?;
            let Some((id, property, (kind, part))) = one else { continue };
            elements.push(StressedElement { id, property, kind, first });
            first += part.nrows();
            parts.push(part);
        }
        let mut S = DMatrix::zeros(first, self.shapes.columns.len());
        for (element, part) in elements.iter().zip(&parts) {
            S.rows_mut(element.first, part.nrows()).copy_from(part);
        }
        Ok(StressModes { elements, S })
    }

    /// Translation (deck length) and rotation of a node in the basic frame under a coordinate.
    fn node(&self, node: NodeIndex, coordinate: usize) -> Option<[Vector3<f64>; 2]> {
        let row = self.rows[node.index()]?;
        let u = &self.shapes.columns[coordinate][6 * row..6 * row + 6];
        let translation = self.axes * Vector3::from_column_slice(&u[..3]) / self.mesh.units.length;
        Some([translation, self.axes * Vector3::from_column_slice(&u[3..])])
    }

    /// Rows of an element; `None` for one without stress.
    fn stress(&self, which: ElementRef, element: &dyn Element) -> Option<Rows> {
        if element.axes() != DofAxes::Basic {
            return None;
        }
        let (dofs, count) = (element.dofs(), self.shapes.columns.len());
        let mut u = DMatrix::zeros(dofs.len(), count);
        for j in 0..count {
            for (i, dof) in dofs.iter().enumerate() {
                let component = dof.component.row();
                u[(i, j)] = self.node(dof.node, j)?[component / 3][component % 3];
            }
        }
        let all = element.stress(&u)?;
        let units = self.mesh.units;
        let pressure = units.mass / (units.length * units.time * units.time);
        let rows: Vec<(StressKind, Vec<f64>)> = all
            .iter()
            .map(|stress| match stress {
                ElementStress::Line(forces) => line::rows(self.mesh, which, forces),
                ElementStress::Shell(points) => shell::rows(self.mesh, which, points, pressure),
                ElementStress::Solid(points) => solid::rows(self.mesh, which, points, self.axes, pressure),
            })
            .collect::<Option<_>>()?;
        let kind = rows.first()?.0;
        Some((kind, DMatrix::from_fn(kind.rows(), count, |i, j| rows[j].1[i])))
    }
}

/// Number of an element's property; 0 where it has none.
fn property_of(mesh: &LinkMesh, which: ElementRef) -> u32 {
    let at = match which {
        ElementRef::Rod(row) => match &mesh.rods[row as usize].section {
            RodSection::Property(at) => Some(*at),
            RodSection::Own(..) => None,
        },
        ElementRef::Bar(row) => Some(mesh.bars[row as usize].property),
        ElementRef::Shell(row) => Some(mesh.shells[row as usize].property),
        ElementRef::ShearPanel(row) => Some(mesh.shear_panels[row as usize].property),
        ElementRef::Solid(row) => Some(mesh.solids[row as usize].property),
        _ => None,
    };
    at.map_or(0, |at| mesh.properties[at.index()].id.0)
}

#[cfg(test)]
mod tests {
    use super::StressKind;

    #[test]
    fn rows_are_told_by_their_names() {
        let all = [StressKind::Line, StressKind::Shell, StressKind::Solid { corners: 8 }];
        for kind in all.into_iter().chain([1, 2, 5].map(|plies| StressKind::Laminate { plies })) {
            let labels = kind.labels();
            assert_eq!((labels.len(), StressKind::of_labels(&labels)), (kind.rows(), Some(kind)));
        }
    }
}
