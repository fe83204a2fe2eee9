//! From a basis on free components in deck units to nodal shapes in link axes and SI.

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_fem::dof::displacement_triad;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind, Units};

use crate::basis::{Basis, Column};
use crate::interface::MeshInterface;
use crate::substructure::Substructure;

/// The link frame L in the deck: on the inboard grid, with the axes of its triad.
#[derive(Clone, Copy, Debug)]
pub struct LinkFrame {
    /// Origin in the basic frame, deck units.
    pub origin: Vector3<f64>,
    /// Columns are the axes of L in the basic frame.
    pub axes: Matrix3<f64>,
    /// Factors to SI.
    pub units: Units,
}

impl LinkFrame {
    /// The frame of a link with this inboard interface.
    pub fn new(mesh: &LinkMesh, inboard: &MeshInterface) -> Self {
        Self { origin: mesh.node(inboard.node).position, axes: inboard.axes, units: mesh.units }
    }

    /// A basic position in L (m).
    pub fn position(&self, basic: Vector3<f64>) -> Vector3<f64> {
        self.axes.tr_mul(&(basic - self.origin)) * self.units.length
    }

    /// Columns are the axes of a node's displacement frame in L.
    fn triad(&self, mesh: &LinkMesh, node: NodeIndex) -> Matrix3<f64> {
        let displacement = displacement_triad(mesh, node).unwrap_or_else(Matrix3::identity);
        self.axes.tr_mul(&displacement)
    }

    /// [`LinkFrame::triad`] of several nodes.
    pub(crate) fn triads(&self, mesh: &LinkMesh, nodes: &[NodeIndex]) -> Vec<Matrix3<f64>> {
        nodes.iter().map(|node| self.triad(mesh, *node)).collect()
    }

    /// Link components of a node (m, rad) as its six deck components.
    pub(crate) fn write_deck(
        &self,
        mesh: &LinkMesh,
        node: NodeIndex,
        translation: Vector3<f64>,
        rotation: Vector3<f64>,
        out: &mut [f64],
    ) {
        let triad = self.triad(mesh, node);
        out[..3].copy_from_slice((triad.tr_mul(&translation) / self.units.length).as_slice());
        out[3..].copy_from_slice(triad.tr_mul(&rotation).as_slice());
    }
}

/// Nodal shapes of the elastic coordinates: link axes, SI, six entries for each grid.
#[derive(Clone, Debug, PartialEq)]
pub struct NodalShapes {
    /// The grids, in mesh order.
    pub nodes: Vec<NodeIndex>,
    /// Their positions in L (m).
    pub positions: Vec<Vector3<f64>>,
    /// One column for each coordinate, 6 entries for each grid.
    pub columns: Vec<Vec<f64>>,
}

impl NodalShapes {
    /// Rows of V at a grid.
    pub(crate) fn rows(&self, node: NodeIndex) -> Matrix6xX<f64> {
        let index = self.nodes.binary_search(&node).expect("invariant: a grid of the mesh");
        Matrix6xX::from_fn(self.columns.len(), |i, j| self.columns[j][6 * index + i])
    }
}

/// The change of coordinates S, q_deck = S q: interface components go from their displacement frames to link
/// axes, lengths to metres, and modes to unit modal mass in SI.
pub(crate) fn coordinate_change(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    outboard: &[MeshInterface],
    columns: &[Column],
) -> DMatrix<f64> {
    let n = columns.len();
    let mut S = DMatrix::zeros(n, n);
    for (j, column) in columns.iter().enumerate() {
        match *column {
            Column::Boundary(index) => {
                // u_cd = Cᵀ u_L with C the displacement axes in L; translations also from metres.
                let (interface, component) = (index / 6, index % 6);
                let triad = frame.triad(mesh, outboard[interface].node);
                let scale = if component < 3 { 1.0 / frame.units.length } else { 1.0 };
                let first = 6 * interface + component / 3 * 3;
                for k in 0..3 {
                    S[(j, first + k)] = triad[(k, component % 3)] * scale;
                }
            }
            Column::Mode(_) | Column::Residual(_) => {
                S[(j, j)] = 1.0 / (frame.units.length * frame.units.mass.sqrt());
            }
        }
    }
    S
}

/// SᵀAS times a factor, for a symmetric matrix of the basis.
pub(crate) fn changed(A: &Mat<f64>, S: &DMatrix<f64>, factor: f64) -> DMatrix<f64> {
    let A = DMatrix::from_fn(A.nrows(), A.ncols(), |i, j| A[(i, j)] * factor);
    let changed = S.tr_mul(&(A * S));
    (&changed + changed.transpose()) * 0.5
}

/// The shapes of V S at every grid.
pub(crate) fn nodal_shapes(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    basis: &Basis,
    S: &DMatrix<f64>,
) -> NodalShapes {
    let NodalShapes { nodes, positions, .. } = no_shapes(mesh, frame);
    let triads = frame.triads(mesh, &nodes);
    let fixed = vec![0.0; part.constraints.fixed.len()];
    let n = basis.columns.len();
    let columns = (0..n)
        .map(|j| {
            let mut free = vec![0.0; part.free_count()];
            for k in (0..n).filter(|k| S[(*k, j)] != 0.0) {
                let factor = S[(k, j)];
                free.iter_mut().zip(basis.column(k).iter()).for_each(|(value, v)| *value += v * factor);
            }
            to_link_axes(frame, part, &nodes, &triads, &part.constraints.expand(&free, &fixed))
        })
        .collect();
    NodalShapes { nodes, positions, columns }
}

/// The grids with no shape yet.
pub(crate) fn no_shapes(mesh: &LinkMesh, frame: &LinkFrame) -> NodalShapes {
    let nodes: Vec<NodeIndex> = grids(mesh).collect();
    let positions = nodes.iter().map(|node| frame.position(mesh.node(*node).position)).collect();
    NodalShapes { nodes, positions, columns: Vec::new() }
}

fn grids(mesh: &LinkMesh) -> impl Iterator<Item = NodeIndex> {
    let grids = mesh.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Grid);
    grids.map(|(i, _)| NodeIndex::from(i))
}

/// Displacements of all components (deck) as six link components for each grid (m, rad). `triads` are those
/// of the grids.
pub(crate) fn to_link_axes(
    frame: &LinkFrame,
    part: &Substructure,
    nodes: &[NodeIndex],
    triads: &[Matrix3<f64>],
    u: &[f64],
) -> Vec<f64> {
    let mut shape = Vec::with_capacity(6 * nodes.len());
    for (node, triad) in nodes.iter().zip(triads) {
        let u = &u[part.dofs.rows_of(*node)];
        let translation = triad * Vector3::from_column_slice(&u[..3]) * frame.units.length;
        let rotation = triad * Vector3::from_column_slice(&u[3..]);
        shape.extend(translation.iter().chain(rotation.iter()));
    }
    shape
}
