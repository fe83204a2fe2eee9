//! Stress and strain modes: what is in elements for unit coordinates, so that the stress at any time is one
//! small product σ = S q. Both come from one evaluation of the element.
//!
//! The shapes of the coordinates hold the static response to loads on the interfaces exactly, and to inertia
//! as far as the basis has residual vectors for it; so a link that is loaded statically there has the stress
//! of the full mesh.

mod gauge;
mod line;
mod rows;
mod shell;
mod solid;

use std::ops::Range;

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::element::{DofAxes, Element, ElementContext, ElementStress, all_elements, build};
use pliant_mesh::element::{ElementRef, RodSection};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, Material, MaterialIndex, NodeIndex};
use rayon::prelude::*;

use crate::link::interfaces;
use crate::request::LinkRequest;
use crate::{LinkFrame, MeshedLink, NodalShapes, ReduceError};

pub use gauge::{Gauge, GaugeError};
pub use rows::{Quantity, RowKind};

/// an element whose stress or strain is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveredElement {
    /// Its number.
    pub id: u32,
    /// Number of its property; 0 where it has none.
    pub property: u32,
    /// Number of its material; 0 where it has none, or several.
    pub material: u32,
    /// What its rows are.
    pub kind: RowKind,
    /// Its first row.
    pub first: usize,
}

/// The stress or strain in the elements of a link for unit coordinates, SI.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementModes {
    /// Which of the two.
    pub quantity: Quantity,
    /// The elements.
    pub elements: Vec<RecoveredElement>,
    /// Of each element the equivalent stress that its material allows (Pa), where the deck gives it.
    pub limits: Vec<Option<f64>>,
    /// One row for each number of each element, one column for each coordinate.
    pub S: DMatrix<f64>,
}

impl ElementModes {
    /// Numbers of the bars that bend without stress, because no stress point of their property lies off the
    /// neutral axis: what is said of them is the axial part alone.
    pub fn without_stress_points(&self) -> Vec<u32> {
        let ends = [(4..6, 12..16), (10..12, 16..20)];
        let blind = |element: &&RecoveredElement| {
            let bends =
                |rows: &Range<usize>| self.S.rows(element.first + rows.start, rows.len()).amax() > 0.0;
            let alike = |rows: &Range<usize>| {
                let points = self.S.rows(element.first + rows.start, rows.len());
                points.column_iter().all(|column| column.iter().all(|stress| *stress == column[0]))
            };
            ends.iter().any(|(moments, _)| bends(moments)) && ends.iter().all(|(_, points)| alike(points))
        };
        let lines = self.elements.iter().filter(|element| element.kind == RowKind::Line);
        let lines = lines.filter(|_| self.quantity == Quantity::Stress);
        lines.filter(blind).map(|element| element.id).collect()
    }
}

/// What is wanted of a link.
pub struct RecoveryRequest<'a> {
    /// Whether a quantity is wanted of an element, by its number and that of its property (0: none).
    pub wanted: &'a (dyn Fn(Quantity, u32, u32) -> bool + Sync),
    /// Gauges.
    pub gauges: &'a [Gauge],
}

/// Stress and strain modes of the elements wanted, in the order of [`Quantity::ALL`], and of each gauge its
/// strain per unit coordinate.
pub type Recovered = ([ElementModes; 2], Vec<Result<Vec<f64>, GaugeError>>);

/// Stress and strain of a link that was reduced from a mesh: `shapes` and the numbers of their grids may come
/// from a cache.
///
/// # Errors
/// Interfaces or elements that cannot be made.
pub fn link_recovery(
    link: &LinkRequest,
    meshed: MeshedLink,
    grids: &[u32],
    shapes: &NodalShapes,
    request: &RecoveryRequest<'_>,
) -> Result<Recovered, ReduceError> {
    let MeshedLink { mut mesh, interfaces: requested } = meshed;
    mesh.units = link.units;
    let interfaces = interfaces(&mut mesh, &requested, link.origin).map_err(ReduceError::Request)?;
    let inboard = interfaces.first().expect("invariant: the inboard interface comes first");
    let frame = LinkFrame::new(&mesh, inboard);
    let displaced = Displaced::new(&mesh, grids, shapes, &frame.axes);
    let modes = displaced.modes(request.wanted).map_err(ReduceError::Input)?;
    let gauges = request.gauges.iter().map(|gauge| gauge::row(&displaced, gauge)).collect();
    Ok((modes, gauges))
}

/// What an element gives: its kind and its rows, one column for each coordinate.
type Rows = (RowKind, DMatrix<f64>);

/// Stress and strain of all elements of a mesh, in the order of [`Quantity::ALL`], for each column of
/// `shapes`: displacements (m) and rotations of its grids in the basic frame.
///
/// # Errors
/// Elements that cannot be made.
pub fn mesh_recovery(mesh: &LinkMesh, shapes: &NodalShapes) -> Result<[ElementModes; 2], Diagnostics> {
    let grids: Vec<u32> = shapes.nodes.iter().map(|node| mesh.node(*node).id.0).collect();
    Displaced::new(mesh, &grids, shapes, &Matrix3::identity()).modes(&|_, _, _| true)
}

/// An element and its rows of each quantity that is wanted.
type Found = (ElementRef, [Option<Rows>; 2]);

/// What the files of the families give for one coordinate.
type Column = (RowKind, Vec<f64>);

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

    /// Stress and strain of the elements wanted, in the order of the mesh.
    fn modes(
        &self,
        wanted: &(dyn Fn(Quantity, u32, u32) -> bool + Sync),
    ) -> Result<[ElementModes; 2], Diagnostics> {
        let mesh = self.mesh;
        let each = |which: &ElementRef| -> Result<Found, Box<Diagnostic>> {
            let (id, property) = (mesh.element_facts(*which).id.0, property_of(mesh, *which));
            let asked = Quantity::ALL.map(|quantity| wanted(quantity, id, property));
            if asked == [false; 2] {
                return Ok((*which, [None, None]));
            }
            let element = build(ElementContext { mesh, extra_nsm: 0.0 }, *which)?;
            let rows = match self.inside(element.as_ref()) {
                Some(inside) => {
                    [0, 1].map(|k| asked[k].then(|| self.rows(*which, &inside, Quantity::ALL[k])).flatten())
                }
                None => [None, None],
            };
            Ok((*which, rows))
        };
        let found: Vec<_> = all_elements(mesh).par_iter().map(each).collect();
        let mut all = Quantity::ALL.map(|quantity| (quantity, Vec::new(), Vec::new(), Vec::new(), 0));
        for one in found {
            let (which, rows) = one.map_err(|problem| Diagnostics::from_iter([*problem]))?;
            let (id, property) = (mesh.element_facts(which).id.0, property_of(mesh, which));
            let (material, limit) = material_of(mesh, which).map_or((0, None), |at| {
                let material = &mesh.materials[at.index()];
                (material.id.0, limit(material).map(|limit| limit * self.pressure()))
            });
            for ((_, elements, limits, parts, first), rows) in all.iter_mut().zip(rows) {
                let Some((kind, part)) = rows else { continue };
                elements.push(RecoveredElement { id, property, material, kind, first: *first });
                limits.push(limit);
                *first += part.nrows();
                parts.push(part);
            }
        }
        let columns = self.shapes.columns.len();
        Ok(all.map(|(quantity, elements, limits, parts, rows)| {
            let mut S = DMatrix::zeros(rows, columns);
            for (element, part) in elements.iter().zip(&parts) {
                S.rows_mut(element.first, part.nrows()).copy_from(part);
            }
            ElementModes { quantity, elements, limits, S }
        }))
    }

    /// Pascals in the deck's unit of stress.
    fn pressure(&self) -> f64 {
        let units = self.mesh.units;
        units.mass / (units.length * units.time * units.time)
    }

    /// Translation (deck length) and rotation of a node in the basic frame under a coordinate.
    fn node(&self, node: NodeIndex, coordinate: usize) -> Option<[Vector3<f64>; 2]> {
        let row = self.rows[node.index()]?;
        let u = &self.shapes.columns[coordinate][6 * row..6 * row + 6];
        let translation = self.axes * Vector3::from_column_slice(&u[..3]) / self.mesh.units.length;
        Some([translation, self.axes * Vector3::from_column_slice(&u[3..])])
    }

    /// What is inside an element under each coordinate; `None` for one without stress.
    fn inside(&self, element: &dyn Element) -> Option<Vec<ElementStress>> {
        if element.axes() != DofAxes::Basic {
            return None;
        }
        let (dofs, count) = (element.dofs(), self.shapes.columns.len());
        let mut u = DMatrix::zeros(dofs.len(), count);
        // The components of a node follow each other.
        let mut first = 0;
        for nodes in dofs.chunk_by(|a, b| a.node == b.node) {
            for j in 0..count {
                let moved = self.node(nodes[0].node, j)?;
                for (i, dof) in (first..).zip(nodes) {
                    let component = dof.component.row();
                    u[(i, j)] = moved[component / 3][component % 3];
                }
            }
            first += nodes.len();
        }
        element.stress(&u)
    }

    /// Rows of an element; `None` where its property has none.
    fn rows(&self, which: ElementRef, inside: &[ElementStress], quantity: Quantity) -> Option<Rows> {
        let mesh = self.mesh;
        let scale = match quantity {
            Quantity::Stress => self.pressure(),
            Quantity::Strain => 1.0,
        };
        let column = |inside: &ElementStress| match inside {
            ElementStress::Line(forces) => line::rows(mesh, which, forces, quantity),
            ElementStress::Shell(points) => shell::rows(mesh, which, points, quantity, scale),
            ElementStress::Solid(points) => solid::rows(mesh, which, points, self.axes, quantity, scale),
        };
        let columns: Vec<Column> = inside.iter().map(column).collect::<Option<_>>()?;
        let kind = columns.first()?.0;
        Some((kind, DMatrix::from_fn(kind.rows(quantity), columns.len(), |i, j| columns[j].1[i])))
    }
}

/// The material of an element's stress; `None` where there is none, and in a laminate, where each ply has its
/// own.
fn material_of(mesh: &LinkMesh, which: ElementRef) -> Option<MaterialIndex> {
    let property = match which {
        ElementRef::Rod(row) => match &mesh.rods[row as usize].section {
            RodSection::Own(material, _) => return Some(*material),
            RodSection::Property(at) => *at,
        },
        ElementRef::Bar(row) => mesh.bars[row as usize].property,
        ElementRef::Shell(row) => mesh.shells[row as usize].property,
        ElementRef::ShearPanel(row) => mesh.shear_panels[row as usize].property,
        ElementRef::Solid(row) => mesh.solids[row as usize].property,
        _ => return None,
    };
    match &mesh.properties[property.index()].kind {
        PropertyKind::Rod(material, _)
        | PropertyKind::Tube(material, _)
        | PropertyKind::Bar(material, _)
        | PropertyKind::Beam(material, _)
        | PropertyKind::Shear(material, _)
        | PropertyKind::Solid(material, _) => Some(*material),
        PropertyKind::Shell(plate) => plate.membrane.or(plate.bending),
        _ => None,
    }
}

/// The equivalent stress at which a material reaches the first of the limits in its card (ST, SC, SS): in
/// pure shear τ the equivalent stress is √3 τ. A limit of 0 is none.
fn limit(material: &Material) -> Option<f64> {
    let [tension, compression, shear] = material.allowables;
    let all = [tension, compression, shear.map(|shear| 3f64.sqrt() * shear)];
    all.into_iter().flatten().map(f64::abs).filter(|limit| *limit > 0.0).reduce(f64::min)
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
