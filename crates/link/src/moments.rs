//! Sums over the nodes of products of displacements with forces.

use nalgebra::{DMatrix, Vector3, Vector6};

use crate::NodalMass;

/// Nodes whose part of the sums is one dense product.
const NODES: usize = 256;

/// Sums over the nodes for each column y of forces: with the columns u of V, with the positions, which count
/// as column n of V without rotations, and with 1.
pub(crate) struct Moments {
    /// Σ u_b y_c of column j of V and force x in row 3j + b and column 3x + c; the last row is Σ y_c.
    sums: DMatrix<f64>,
    /// Σ φ·y over rotations, of all columns of V with every so many forces.
    pub(crate) rotations: DMatrix<f64>,
    /// Σ y over rotations, one column for each force.
    torque: DMatrix<f64>,
}

impl Moments {
    /// Of forces with 6 rows per node; sums over rotations are asked for with every `step`th of them. An
    /// isotropic mass has none. Groups of nodes are added up in their order.
    pub(crate) fn new(mesh: &NodalMass<'_>, forces: &DMatrix<f64>, step: usize) -> Self {
        let (n, nodes, count) = (mesh.basis.len(), mesh.positions.len(), forces.ncols());
        let mut sums = DMatrix::zeros(3 * n + 4, 3 * count);
        let mut rotations = DMatrix::zeros(n, count.div_ceil(step));
        let mut torque = DMatrix::zeros(3, count);
        for start in (0..nodes).step_by(NODES) {
            let group = NODES.min(nodes - start);
            let rows = 6 * start..6 * (start + group);
            let forces = forces.rows(rows.start, rows.len());
            let mut U = DMatrix::from_element(3 * n + 4, group, 1.0);
            for (i, mut u) in U.column_iter_mut().enumerate() {
                let columns = u.as_mut_slice().chunks_exact_mut(3);
                let first = rows.start + 6 * i;
                for (u, column) in columns.zip(mesh.basis) {
                    u.copy_from_slice(&column[first..first + 3]);
                }
                u.fixed_rows_mut::<3>(3 * n).copy_from(&mesh.positions[start + i]);
            }
            let mut y = DMatrix::zeros(group, 3 * count);
            for (x, force) in forces.column_iter().enumerate() {
                for c in 0..3 {
                    let entries = force.as_slice()[c..].iter().step_by(6);
                    y.column_mut(3 * x + c).iter_mut().zip(entries).for_each(|(y, force)| *y = *force);
                }
            }
            sums.gemm(1.0, &U, &y, 1.0);
            if mesh.isotropic {
                continue;
            }
            let rotation_row = |i: usize| 6 * (i / 3) + 3 + i % 3;
            let V = DMatrix::from_fn(n, 3 * group, |j, i| mesh.basis[j][rows.start + rotation_row(i)]);
            let y =
                DMatrix::from_fn(3 * group, rotations.ncols(), |i, x| forces[(rotation_row(i), step * x)]);
            rotations.gemm(1.0, &V, &y, 1.0);
            for (mut torque, force) in torque.column_iter_mut().zip(forces.column_iter()) {
                for node in force.as_slice().chunks_exact(6) {
                    torque += Vector3::from_column_slice(&node[3..]);
                }
            }
        }
        Self { sums, rotations, torque }
    }

    /// Σ u_b y_c.
    pub(crate) fn sum(&self, j: usize, x: usize, b: usize, c: usize) -> f64 {
        self.sums[(3 * j + b, 3 * x + c)]
    }

    /// Σ u·y over translations.
    pub(crate) fn dot(&self, j: usize, x: usize) -> f64 {
        (0..3).map(|c| self.sum(j, x, c, c)).sum()
    }

    /// Σ (e_a × u)·y = Σ (u × y)_a over translations.
    pub(crate) fn turned(&self, j: usize, x: usize, a: usize) -> f64 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        self.sum(j, x, b, c) - self.sum(j, x, c, b)
    }

    /// Σ y over translations.
    pub(crate) fn force(&self, x: usize) -> Vector3<f64> {
        let last = self.sums.nrows() - 1;
        Vector3::from_fn(|c, _| self.sums[(last, 3 * x + c)])
    }

    /// Σ y over rotations.
    pub(crate) fn torque(&self, x: usize) -> Vector3<f64> {
        self.torque.fixed_view::<3, 1>(0, x).into_owned()
    }

    /// Work on unit translations and unit rotations about L, D₀ᵀy.
    pub(crate) fn on_rigid(&self, x: usize) -> Vector6<f64> {
        let (force, torque) = (self.force(x), self.torque(x));
        Vector6::from_fn(|c, _| match c {
            0..3 => force[c],
            _ => self.turned(self.positions(), x, c - 3) + torque[c - 3],
        })
    }

    /// Σ x_d y_c with the positions x.
    pub(crate) fn first_moment(&self, x: usize, d: usize, c: usize) -> f64 {
        self.sum(self.positions(), x, d, c)
    }

    /// The column that the positions count as.
    fn positions(&self) -> usize {
        self.sums.nrows() / 3 - 1
    }
}
