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

use crate::{Chord, SecondOrderMass};

/// Order of the entries of a symmetric 3×3 matrix.
const SYMMETRIC: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Columns of the basis whose products with M are in memory at one time.
const COLUMNS: usize = 2;
/// Nodes whose part of the sums is one dense product.
const NODES: usize = 256;

/// The full mass of a link as reduction has it: 6 components per node in link axes, node by node.
pub struct NodalMass<'a> {
    /// Positions of the nodes in L (m).
    pub positions: &'a [Vector3<f64>],
    /// Columns of V, each with 6 entries per node.
    pub basis: &'a [&'a [f64]],
    /// `M X` for a block of vectors.
    pub product: &'a dyn Fn(&DMatrix<f64>) -> DMatrix<f64>,
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
    /// Second-order displacement of the mass. `None`: first order.
    pub second_order: Option<Box<SecondOrderMass>>,
    /// The frame in which the basis of the blocks is linear. `None`: L itself.
    pub chord: Option<Box<Chord>>,
}

impl Invariants {
    /// A rigid link of the given inertia at L.
    pub fn rigid(M0: Matrix6<f64>) -> Self {
        let empty = |rows| DMatrix::zeros(rows, 0);
        let (A, C, B, M_EE) = (empty(18), empty(0), empty(0), empty(0));
        Self { M0, C0: empty(6), A, C, B, M_EE, second_order: None, chord: None }
    }

    /// Computes the blocks from the full mass: the products of D₀, V and W₀V, W₁V, W₂V with M and with each other, where `W_b V` holds
    /// `W_j e_b` of every j. Costs 6 + 4n products with M and 13n² sums over the nodes, all of them products of matrices; keeps a few
    /// dozen vectors of mesh size besides the basis.
    ///
    /// # Panics
    /// If a column of the basis does not have 6 entries per node.
    pub fn from_nodes(mesh: &NodalMass<'_>) -> Self {
        let (nodes, n) = (mesh.positions.len(), mesh.basis.len());
        assert!(mesh.basis.iter().all(|c| c.len() == 6 * nodes), "invariant: 6 rows of V per node");
        let rigid = rigid_columns(mesh.positions);
        let M0 = rigid.tr_mul(&(mesh.product)(&rigid));
        let M0 = Matrix6::from_fn(|i, j| 0.5 * (M0[(i, j)] + M0[(j, i)]));

        let mut M_EE = DMatrix::zeros(n, n);
        let mut C0 = DMatrix::zeros(6, n);
        let mut C = DMatrix::zeros(3 * n, n);
        let mut A = DMatrix::zeros(18, n);
        let mut B = DMatrix::zeros(6 * n, n);
        for first in (0..n).step_by(COLUMNS) {
            let columns = &mesh.basis[first..n.min(first + COLUMNS)];
            let MX = (mesh.product)(&with_rotated(columns));
            let with_rigid = rigid.tr_mul(&MX);
            let Sums { plain, rotated } = Sums::new(mesh.basis, &MX, columns.len());
            for c in 0..columns.len() {
                let k = first + c;
                C0.set_column(k, &with_rigid.column(4 * c));
                for b in 0..3 {
                    A.view_mut((6 * b, k), (6, 1)).copy_from(&with_rigid.column(4 * c + 1 + b));
                }
                for j in 0..n {
                    // (W_a V)_jᵀ M X of the column itself and of its three rotated ones.
                    let sum = |a: usize, x: usize| rotated[(j, 3 * (4 * c + x) + a)];
                    for a in 0..3 {
                        C[(a + 3 * k, j)] = sum(a, 0);
                    }
                    if j > k {
                        continue;
                    }
                    M_EE[(j, k)] = plain[(j, c)];
                    M_EE[(k, j)] = plain[(j, c)];
                    for (i, (a, b)) in SYMMETRIC.into_iter().enumerate() {
                        let mean = 0.5 * (sum(a, 1 + b) + sum(b, 1 + a));
                        B[(6 * j + i, k)] = mean;
                        B[(6 * k + i, j)] = mean;
                    }
                }
            }
        }
        Self { M0, C0, A, C, B, M_EE, second_order: None, chord: None }
    }

    /// Number of elastic coordinates.
    pub fn coordinates(&self) -> usize {
        self.C0.ncols()
    }

    /// What the elastic mass has at every deflection: `M_EE`, or with second order `M_EE − NᵀS⁻¹N`, the mass without the affine part of every
    /// velocity.
    pub fn constant_elastic_mass(&self) -> DMatrix<f64> {
        let affine = |mass: &SecondOrderMass| {
            let scaled = DMatrix::from_fn(mass.N.nrows(), mass.N.ncols(), |a, j| mass.N[(a, j)] / mass.S[a]);
            mass.N.tr_mul(&scaled)
        };
        self.second_order.as_deref().map_or_else(|| self.M_EE.clone(), |mass| &self.M_EE - affine(mass))
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
            && self.M_EE.shape() == (n, n);
        let finite = |m: &DMatrix<f64>| m.iter().all(|x| x.is_finite());
        shapes
            && self.M0.iter().all(|x| x.is_finite())
            && [&self.C0, &self.A, &self.C, &self.B, &self.M_EE].into_iter().all(finite)
            && self.second_order.as_ref().is_none_or(|mass| mass.well_formed(n))
            && self.chord.as_ref().is_none_or(|chord| chord.well_formed(n))
    }
}

/// The columns of D₀: unit translations, and unit rotations about L.
pub(crate) fn rigid_columns(positions: &[Vector3<f64>]) -> DMatrix<f64> {
    let mut D0 = DMatrix::zeros(6 * positions.len(), 6);
    for (node, x) in positions.iter().enumerate() {
        for c in 0..3 {
            D0[(6 * node + c, c)] = 1.0;
            D0[(6 * node + 3 + c, 3 + c)] = 1.0;
            let turned = Vector3::ith(c, 1.0).cross(x);
            D0.view_mut((6 * node, 3 + c), (3, 1)).copy_from(&turned);
        }
    }
    D0
}

/// Each column u followed by its `W e_b`, b = 0, 1, 2: at every node `e_b × u` as translation, no rotation.
fn with_rotated(columns: &[&[f64]]) -> DMatrix<f64> {
    let mut X = DMatrix::zeros(columns.first().map_or(0, |column| column.len()), 4 * columns.len());
    for (c, column) in columns.iter().enumerate() {
        X.column_mut(4 * c).copy_from_slice(column);
        for b in 0..3 {
            let (i, j) = ((b + 1) % 3, (b + 2) % 3);
            let mut rotated = X.column_mut(4 * c + 1 + b);
            for (u, w) in column.chunks_exact(6).zip(rotated.as_mut_slice().chunks_exact_mut(6)) {
                (w[i], w[j]) = (-u[j], u[i]);
            }
        }
    }
    X
}

/// Sums over the nodes, one row for each column of V.
struct Sums {
    /// VᵀMX of the columns of X that are of V, every fourth.
    plain: DMatrix<f64>,
    /// (W_a V)ᵀMX: for each column of X, a = 0, 1, 2.
    rotated: DMatrix<f64>,
}

impl Sums {
    /// With y = MX: (W_a V)_jᵀ y = Σ (e_a × u_j)·y = Σ u_j·(y × e_a) over translations. Groups of nodes are added up in their order.
    fn new(basis: &[&[f64]], MX: &DMatrix<f64>, width: usize) -> Self {
        let (n, nodes) = (basis.len(), MX.nrows() / 6);
        let mut sums = Self { plain: DMatrix::zeros(n, width), rotated: DMatrix::zeros(n, 3 * MX.ncols()) };
        for start in (0..nodes).step_by(NODES) {
            let rows = 3 * NODES.min(nodes - start);
            let place = |i: usize, part: usize| 6 * (start + i / 3) + 3 * part + i % 3;
            for part in 0..2 {
                let V = DMatrix::from_fn(n, rows, |j, i| basis[j][place(i, part)]);
                let y = DMatrix::from_fn(rows, width, |i, c| MX[(place(i, part), 4 * c)]);
                sums.plain.gemm(1.0, &V, &y, 1.0);
                if part == 0 {
                    sums.rotated.gemm(1.0, &V, &crossed(MX, 6 * start, rows), 1.0);
                }
            }
        }
        sums
    }
}

/// y × e_a, a = 0, 1, 2, for each column y of MX: translations of some nodes.
fn crossed(MX: &DMatrix<f64>, first: usize, rows: usize) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(rows, 3 * MX.ncols());
    for (x, column) in MX.column_iter().enumerate() {
        let y = &column.as_slice()[first..first + 2 * rows];
        for a in 0..3 {
            let (i, j) = ((a + 1) % 3, (a + 2) % 3);
            let mut target = all.column_mut(3 * x + a);
            for (y, t) in y.chunks_exact(6).zip(target.as_mut_slice().chunks_exact_mut(3)) {
                (t[i], t[j]) = (y[j], -y[i]);
            }
        }
    }
    all
}
