//! The full mass of a link as its invariants need it: link axes, SI, six components for each grid.

use faer::Mat;
use nalgebra::{DMatrix, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_fem::dof::DofMap;
use pliant_link::{Invariants, NodalMass};
use pliant_mesh::{LinkMesh, NodeIndex, Units};
use pliant_sparse::Symmetric;

use crate::shapes::{LinkFrame, NodalShapes};
use crate::substructure::Substructure;

/// Columns multiplied with the mass at a time.
const COLUMNS: usize = 4;

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
    let triads = frame.triads(mesh, &shapes.nodes);
    let Units { length, mass, .. } = frame.units;
    let product = |X: &DMatrix<f64>| {
        let mut Y = DMatrix::zeros(X.nrows(), X.ncols());
        for columns in (0..X.ncols()).step_by(COLUMNS).map(|first| first..X.ncols().min(first + COLUMNS)) {
            let mut deck = Mat::zeros(part.dofs.count(), columns.len());
            let mut force = Mat::zeros(deck.nrows(), deck.ncols());
            for (k, column) in columns.clone().enumerate() {
                let mut deck = deck.col_mut(k);
                let x = X.column(column);
                for ((node, triad), x) in shapes.nodes.iter().zip(&triads).zip(x.as_slice().chunks_exact(6)) {
                    let first = part.dofs.rows_of(*node).start;
                    let translation = triad.tr_mul(&Vector3::from_column_slice(&x[..3])) / length;
                    let rotation = triad.tr_mul(&Vector3::from_column_slice(&x[3..]));
                    for c in 0..3 {
                        deck[first + c] = translation[c];
                        deck[first + 3 + c] = rotation[c];
                    }
                }
            }
            Symmetric::new(&part.M).multiply(deck.as_ref(), force.as_mut());
            for (k, column) in columns.enumerate() {
                let force = force.col(k);
                let mut y = Y.column_mut(column);
                let y = y.as_mut_slice().chunks_exact_mut(6);
                for ((node, triad), y) in shapes.nodes.iter().zip(&triads).zip(y) {
                    let first = part.dofs.rows_of(*node).start;
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
    let isotropic = triads.iter().all(|triad| *triad == triads[0]) && is_isotropic(&part.dofs, &part.M);
    use_it(&NodalMass { positions: &shapes.positions, basis: &basis, product: &product, isotropic })
}

/// Whether M = m ⊗ 1₃ over translations and nothing else: of every node the columns for x, y and z hold the
/// same numbers, one row after the other, rows for x alone in that for x, and other columns are empty.
fn is_isotropic(dofs: &DofMap, M: &CscMatrix<f64>) -> bool {
    let mut is_x = vec![false; M.nrows()];
    let nodes = || (0..dofs.node_count()).map(|node| dofs.rows_of(NodeIndex::from(node)));
    nodes().filter(|rows| rows.len() == 6).for_each(|rows| is_x[rows.start] = true);
    nodes().all(|rows| {
        let translations = if rows.len() == 6 { 3 } else { 0 };
        let x = M.col(rows.start);
        let same = |c: usize| {
            let other = M.col(rows.start + c);
            let shifted = x.row_indices().iter().map(|row| row + c);
            other.values() == x.values() && other.row_indices().iter().copied().eq(shifted)
        };
        (translations == 0 || x.row_indices().iter().all(|row| is_x[*row]))
            && (1..translations).all(same)
            && (rows.start + translations..rows.end).all(|column| M.col(column).nnz() == 0)
    })
}
