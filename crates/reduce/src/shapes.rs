//! From a basis on free components in deck units to nodal shapes in link axes and SI.

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_fem::dof::displacement_triad;
use pliant_link::{Invariants, NodalMass};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind, Units};
use pliant_sparse::Symmetric;

use crate::basis::{Basis, Column};
use crate::interface::MeshInterface;
use crate::substructure::Substructure;

/// Columns multiplied with the mass at a time.
const COLUMNS: usize = 4;

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
        let place = self.nodes.binary_search(&node).expect("invariant: a grid of the mesh");
        Matrix6xX::from_fn(self.columns.len(), |i, j| self.columns[j][6 * place + i])
    }
}

/// The change of coordinates S, q_deck = S q: interface components go from their displacement frames to link axes, lengths
/// to metres, and modes to unit modal mass in SI.
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
            Column::Boundary(place) => {
                // u_cd = Cᵀ u_L with C the displacement axes in L; translations also from metres.
                let (interface, component) = (place / 6, place % 6);
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
    let fixed = vec![0.0; part.constraints.fixed.len()];
    let n = basis.columns.len();
    let columns = (0..n)
        .map(|j| {
            let mut free = vec![0.0; part.free_count()];
            for k in (0..n).filter(|k| S[(*k, j)] != 0.0) {
                let factor = S[(k, j)];
                free.iter_mut().zip(basis.column(k).iter()).for_each(|(value, v)| *value += v * factor);
            }
            to_link_axes(mesh, frame, part, &nodes, &part.constraints.expand(&free, &fixed))
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

/// Displacements of all components (deck) as six link components for each grid (m, rad).
pub(crate) fn to_link_axes(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    nodes: &[NodeIndex],
    u: &[f64],
) -> Vec<f64> {
    let mut shape = Vec::with_capacity(6 * nodes.len());
    for node in nodes {
        let triad = frame.triad(mesh, *node);
        let u = &u[part.system.dofs.rows_of(*node)];
        let translation = triad * Vector3::from_column_slice(&u[..3]) * frame.units.length;
        let rotation = triad * Vector3::from_column_slice(&u[3..]);
        shape.extend(translation.iter().chain(rotation.iter()));
    }
    shape
}

/// The invariants of the floating frame from the full mass, SI.
pub(crate) fn invariants(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    shapes: &NodalShapes,
) -> Invariants {
    with_nodal_mass(mesh, frame, part, shapes, Invariants::from_nodes)
}

/// What `use_it` makes of the full mass, SI.
///
/// In SI the mass acts as `m L² S M S` with S = diag(1/L on translations, 1 on rotations).
pub(crate) fn with_nodal_mass<T>(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    part: &Substructure,
    shapes: &NodalShapes,
    use_it: impl FnOnce(&NodalMass<'_>) -> T,
) -> T {
    let triads: Vec<Matrix3<f64>> = shapes.nodes.iter().map(|node| frame.triad(mesh, *node)).collect();
    let Units { length, mass, .. } = frame.units;
    let product = |X: &DMatrix<f64>| {
        let mut Y = DMatrix::zeros(X.nrows(), X.ncols());
        for columns in (0..X.ncols()).step_by(COLUMNS).map(|first| first..X.ncols().min(first + COLUMNS)) {
            let mut deck = Mat::zeros(part.system.dofs.count(), columns.len());
            let mut force = Mat::zeros(deck.nrows(), deck.ncols());
            for (k, column) in columns.clone().enumerate() {
                let mut deck = deck.col_mut(k);
                let x = X.column(column);
                for ((node, triad), x) in shapes.nodes.iter().zip(&triads).zip(x.as_slice().chunks_exact(6)) {
                    let first = part.system.dofs.rows_of(*node).start;
                    let translation = triad.tr_mul(&Vector3::from_column_slice(&x[..3])) / length;
                    let rotation = triad.tr_mul(&Vector3::from_column_slice(&x[3..]));
                    for c in 0..3 {
                        deck[first + c] = translation[c];
                        deck[first + 3 + c] = rotation[c];
                    }
                }
            }
            Symmetric::new(&part.system.M).multiply(deck.as_ref(), force.as_mut());
            for (k, column) in columns.enumerate() {
                let force = force.col(k);
                let mut y = Y.column_mut(column);
                let y = y.as_mut_slice().chunks_exact_mut(6);
                for ((node, triad), y) in shapes.nodes.iter().zip(&triads).zip(y) {
                    let first = part.system.dofs.rows_of(*node).start;
                    let here = |part: usize| Vector3::from_fn(|c, _| force[first + 3 * part + c]);
                    let (translation, rotation) =
                        (triad * here(0) * (mass * length), triad * here(1) * (mass * length * length));
                    y[..3].copy_from_slice(translation.as_slice());
                    y[3..].copy_from_slice(rotation.as_slice());
                }
            }
        }
        Y
    };
    let basis: Vec<&[f64]> = shapes.columns.iter().map(Vec::as_slice).collect();
    use_it(&NodalMass { positions: &shapes.positions, basis: &basis, product: &product })
}
