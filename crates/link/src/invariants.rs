//! The constant blocks of a link's inertia, computed once from the full consistent mass.
//!
//! In link axes node n moves with `w_n = [v + ω×(x_n + u_n) + u̇_n ; ω + φ̇_n]`, so `w = D(q) V_L + V q̇` with
//! `D(q) = D₀ + Σ q_j [0 W_j]`. For node n, `D₀ = [1 −[x_n]×; 0 1]` and `W_j = [−[V_nj]×; 0]`, V_nj being the
//! translation of node n in column j of V. The kinetic energy `½ wᵀMw` then needs, besides VᵀMV,
//!
//! ```text
//! M₀  = D₀ᵀ M D₀   6×6          A_j  = D₀ᵀ M W_j    6×3 for each j
//! C₀  = D₀ᵀ M V    6×n          C_j  = W_jᵀ M V     3×n for each j
//!                               B_jk = W_jᵀ M W_k   3×3 for each pair, its symmetric part
//! ```
//!
//! which gives `DᵀMD = M₀ + [0 A] + [0 A]ᵀ + diag(0, B)`, `DᵀMV = C₀ + [0; C]` with `A = Σ q_j A_j`,
//! `B = ΣΣ q_j q_k B_jk`, `C = Σ q_j C_j`. They are exact for any symmetric M, rotary inertia and coupling of
//! translation with rotation included.

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};

/// Order of the entries of a symmetric 3×3 matrix.
const SYMMETRIC: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// The full mass of a link as reduction has it: 6 components per node in link axes, node by node.
pub struct NodalMass<'a> {
    /// Positions of the nodes in L (m).
    pub positions: &'a [Vector3<f64>],
    /// Columns of V, each with 6 entries per node.
    pub basis: &'a [&'a [f64]],
    /// `y = M x`; y arrives zeroed.
    pub product: &'a dyn Fn(&[f64], &mut [f64]),
}

/// The constant blocks of the module documentation, as dense matrices with one column per elastic coordinate,
/// so that each sum over j is one matrix–vector product.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariants {
    /// `M₀`: the inertia of the undeformed link at L.
    pub M0: Matrix6<f64>,
    /// `C₀`, 6×n. Its first three rows are the first moments `S_j = ∫ρ u_j`.
    pub C0: DMatrix<f64>,
    /// 18×n; column j is `A_j` (6×3) column by column.
    pub A: DMatrix<f64>,
    /// 3n×n; column j is `C_j` (3×n) column by column.
    pub C: DMatrix<f64>,
    /// 6n×n; rows 6j..6j+6 of column k are xx, yy, zz, xy, xz, yz of `½(B_jk + B_jkᵀ)`: only the symmetric part
    /// acts, because B(q) sums each pair both ways and velocities enter as `ωᵀB_jkω`.
    pub B: DMatrix<f64>,
    /// `VᵀMV`, n×n.
    pub M_EE: DMatrix<f64>,
    /// Second-order first moment, `∫ρ u₂ = −½ qᵀ G_c q` for each axis c, n×n each; see
    /// [`add_second_order`](Self::add_second_order). `None`: first order.
    pub G: Option<Box<[DMatrix<f64>; 3]>>,
}

impl Invariants {
    /// A rigid link of the given inertia at L.
    pub fn rigid(M0: Matrix6<f64>) -> Self {
        let empty = |rows| DMatrix::zeros(rows, 0);
        Self { M0, C0: empty(6), A: empty(18), C: empty(0), B: empty(0), M_EE: empty(0), G: None }
    }

    /// Computes the blocks from the full mass. Costs 6 + 4n products with M and n² sums over the nodes; keeps
    /// four vectors of mesh size besides the basis.
    ///
    /// # Panics
    /// If a column of the basis does not have 6 entries per node.
    pub fn from_nodes(mesh: &NodalMass<'_>) -> Self {
        let (nodes, n) = (mesh.positions.len(), mesh.basis.len());
        assert!(mesh.basis.iter().all(|c| c.len() == 6 * nodes), "invariant: 6 rows of V per node");
        let mut product = Product { apply: mesh.product, y: vec![0.0; 6 * nodes] };
        let mut x = vec![0.0; 6 * nodes];

        // Columns of D₀, kept: every other block is dotted with them.
        let rigid: Vec<Vec<f64>> = (0..6).map(|c| rigid_column(mesh.positions, c)).collect();
        let mut M0 = Matrix6::zeros();
        for (c, column) in rigid.iter().enumerate() {
            let y = product.of(column);
            for (r, row) in rigid.iter().enumerate() {
                M0[(r, c)] = dot(row, y);
            }
        }
        let M0 = (M0 + M0.transpose()) * 0.5;

        let mut M_EE = DMatrix::zeros(n, n);
        let mut C0 = DMatrix::zeros(6, n);
        let mut C = DMatrix::zeros(3 * n, n);
        let mut A = DMatrix::zeros(18, n);
        let mut B = DMatrix::zeros(6 * n, n);
        let mut pairs = vec![Matrix3::zeros(); n];
        for k in 0..n {
            let y = product.of(mesh.basis[k]);
            for (r, row) in rigid.iter().enumerate() {
                C0[(r, k)] = dot(row, y);
            }
            for j in 0..n {
                if j <= k {
                    M_EE[(j, k)] = dot(mesh.basis[j], y);
                    M_EE[(k, j)] = M_EE[(j, k)];
                }
                let moment = moment_about(mesh.basis[j], y);
                for a in 0..3 {
                    C[(a + 3 * k, j)] = moment[a];
                }
            }
            for b in 0..3 {
                rotated_column(mesh.basis[k], b, &mut x);
                let y = product.of(&x);
                for (r, row) in rigid.iter().enumerate() {
                    A[(r + 6 * b, k)] = dot(row, y);
                }
                for (j, row) in pairs.iter_mut().enumerate().take(k + 1) {
                    row.set_column(b, &moment_about(mesh.basis[j], y));
                }
            }
            for (j, pair) in pairs.iter().enumerate().take(k + 1) {
                for (i, (a, b)) in SYMMETRIC.into_iter().enumerate() {
                    let mean = 0.5 * (pair[(a, b)] + pair[(b, a)]);
                    B[(6 * j + i, k)] = mean;
                    B[(6 * k + i, j)] = mean;
                }
            }
        }
        Self { M0, C0, A, C, B, M_EE, G: None }
    }

    /// Number of elastic coordinates.
    pub fn coordinates(&self) -> usize {
        self.C0.ncols()
    }

    /// Mass (kg), the mean of the three translational diagonal terms.
    pub fn mass(&self) -> f64 {
        (self.M0[(0, 0)] + self.M0[(1, 1)] + self.M0[(2, 2)]) / 3.0
    }

    /// First moment `m c` of the undeformed link about L (kg·m), from the coupling block `m[c]×`.
    pub fn first_moment(&self) -> Vector3<f64> {
        let S: Matrix3<f64> = self.M0.fixed_view::<3, 3>(3, 0).into_owned();
        Vector3::new(S[(2, 1)] - S[(1, 2)], S[(0, 2)] - S[(2, 0)], S[(1, 0)] - S[(0, 1)]) * 0.5
    }

    /// True when every number is finite and the shapes agree with `n`.
    pub(crate) fn well_formed(&self) -> bool {
        let n = self.coordinates();
        let shapes = self.C0.nrows() == 6
            && self.A.shape() == (18, n)
            && self.C.shape() == (3 * n, n)
            && self.B.shape() == (6 * n, n)
            && self.M_EE.shape() == (n, n)
            && self.G.iter().flat_map(|G| G.iter()).all(|G| G.shape() == (n, n));
        let finite = |m: &DMatrix<f64>| m.iter().all(|x| x.is_finite());
        shapes
            && self.M0.iter().all(|x| x.is_finite())
            && [&self.C0, &self.A, &self.C, &self.B, &self.M_EE].into_iter().all(finite)
            && self.G.iter().flat_map(|G| G.iter()).all(finite)
    }
}

struct Product<'a> {
    apply: &'a dyn Fn(&[f64], &mut [f64]),
    y: Vec<f64>,
}

impl Product<'_> {
    fn of(&mut self, x: &[f64]) -> &[f64] {
        self.y.fill(0.0);
        (self.apply)(x, &mut self.y);
        &self.y
    }
}

/// Column c of D₀: unit translation (c < 3) or unit rotation about L.
fn rigid_column(positions: &[Vector3<f64>], c: usize) -> Vec<f64> {
    let mut column = vec![0.0; 6 * positions.len()];
    for (x, node) in positions.iter().zip(column.chunks_exact_mut(6)) {
        if c < 3 {
            node[c] = 1.0;
        } else {
            let mut axis = Vector3::zeros();
            axis[c - 3] = 1.0;
            node[..3].copy_from_slice(axis.cross(x).as_slice());
            node[c] = 1.0;
        }
    }
    column
}

/// `W_j e_b`: at every node `e_b × u` as translation, no rotation.
fn rotated_column(column: &[f64], b: usize, out: &mut [f64]) {
    let (i, j) = ((b + 1) % 3, (b + 2) % 3);
    for (u, w) in column.chunks_exact(6).zip(out.chunks_exact_mut(6)) {
        w.fill(0.0);
        w[i] = -u[j];
        w[j] = u[i];
    }
}

/// `W_jᵀ y = Σ_n u_n × y_n` over translations.
fn moment_about(column: &[f64], y: &[f64]) -> Vector3<f64> {
    let mut sum = Vector3::zeros();
    for (u, f) in column.chunks_exact(6).zip(y.chunks_exact(6)) {
        sum += Vector3::new(u[0], u[1], u[2]).cross(&Vector3::new(f[0], f[1], f[2]));
    }
    sum
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
