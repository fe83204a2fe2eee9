//! The constant blocks of a link's inertia, computed once from the full consistent mass.
//!
//! In link axes node n moves with `w_n = [v + ω×(x_n + u_n) + u̇_n ; ω + φ̇_n]`, so `w = D(q) V_L + V q̇`
//! with `D(q) = D₀ + Σ q_j [0 W_j]`. For node n, `D₀ = [1 −[x_n]×; 0 1]` and `W_j = [−[V_nj]×; 0]`, V_nj
//! being the translation of node n in column j of V. The kinetic energy `½ wᵀMw` then needs, besides VᵀMV,
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

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3, Vector6};

use crate::moments::Moments;
use crate::{Chord, SecondOrderMass};

/// Order of the entries of a symmetric 3×3 matrix.
const SYMMETRIC: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Products with M that are in memory at one time.
const PRODUCTS: usize = 16;

/// The full mass of a link as reduction has it: 6 components per node in link axes, node by node.
pub struct NodalMass<'a> {
    /// Positions of the nodes in L (m).
    pub positions: &'a [Vector3<f64>],
    /// Columns of V, each with 6 entries per node.
    pub basis: &'a [&'a [f64]],
    /// `M X` for a block of vectors.
    pub product: &'a dyn Fn(&DMatrix<f64>) -> DMatrix<f64>,
    /// M is the same along all axes and nothing but the mass of translations, M = m ⊗ 1₃, as that of solids
    /// is: `M(e×u) = e×(Mu)`.
    pub isotropic: bool,
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
    /// 6n×n; rows 6j..6j+6 of column k are xx, yy, zz, xy, xz, yz of `½(B_jk + B_jkᵀ)`: only the symmetric
    /// part acts, because B(q) sums each pair both ways and velocities enter as `ωᵀB_jkω`.
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

    /// Computes the blocks from the full mass: the products of D₀, V and W₀V, W₁V, W₂V with M and with each
    /// other, where `W_b V` holds `W_j e_b` of every j. Costs 6 + 4n products with M and 37n² sums over the
    /// nodes, or 6 + n and 9n² for an isotropic mass, all of them products of matrices; keeps a few dozen
    /// vectors of mesh size besides the basis.
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
        let images = if mesh.isotropic { 1 } else { 4 };
        for first in (0..n).step_by(PRODUCTS / images) {
            let columns = &mesh.basis[first..n.min(first + PRODUCTS / images)];
            let moments = Moments::new(mesh, &(mesh.product)(&with_rotated(columns, images)), images);
            for c in 0..columns.len() {
                let (k, x) = (first + c, images * c);
                C0.fixed_view_mut::<6, 1>(0, k).copy_from(&moments.on_rigid(x));
                // Of W_b e_k with D₀ and with W_a V: its own column, or what e_b × y makes of the sums with
                // y.
                let turned = |j: usize, a: usize, b: usize| match mesh.isotropic {
                    true if a == b => moments.dot(j, x) - moments.sum(j, x, b, a),
                    true => -moments.sum(j, x, b, a),
                    false => moments.turned(j, x + 1 + b, a),
                };
                for b in 0..3 {
                    let on_rigid = if mesh.isotropic {
                        let force = Vector3::ith(b, 1.0).cross(&moments.force(x));
                        let moment = Vector3::from_fn(|a, _| turned(n, a, b));
                        Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
                    } else {
                        moments.on_rigid(x + 1 + b)
                    };
                    A.fixed_view_mut::<6, 1>(6 * b, k).copy_from(&on_rigid);
                }
                for j in 0..n {
                    for a in 0..3 {
                        C[(a + 3 * k, j)] = moments.turned(j, x, a);
                    }
                    if j > k {
                        continue;
                    }
                    let mass = moments.dot(j, x) + moments.rotations[(j, c)];
                    M_EE[(j, k)] = mass;
                    M_EE[(k, j)] = mass;
                    for (i, (a, b)) in SYMMETRIC.into_iter().enumerate() {
                        let mean = 0.5 * (turned(j, a, b) + turned(j, b, a));
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

    /// What the elastic mass has at every deflection: `M_EE`, or with second order `M_EE − NᵀS⁻¹N`, the mass
    /// without the affine part of every velocity.
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
fn rigid_columns(positions: &[Vector3<f64>]) -> DMatrix<f64> {
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

/// Each column u, followed where there are four images by its `W e_b`, b = 0, 1, 2: at every node `e_b × u`
/// as translation, no rotation.
fn with_rotated(columns: &[&[f64]], images: usize) -> DMatrix<f64> {
    let mut X = DMatrix::zeros(columns.first().map_or(0, |column| column.len()), images * columns.len());
    for (c, column) in columns.iter().enumerate() {
        X.column_mut(images * c).copy_from_slice(column);
        for b in 0..images - 1 {
            let (i, j) = ((b + 1) % 3, (b + 2) % 3);
            let mut rotated = X.column_mut(images * c + 1 + b);
            for (u, w) in column.chunks_exact(6).zip(rotated.as_mut_slice().chunks_exact_mut(6)) {
                (w[i], w[j]) = (-u[j], u[i]);
            }
        }
    }
    X
}
