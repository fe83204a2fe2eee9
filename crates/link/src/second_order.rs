//! Second-order displacement of the mass: how a bent link's own inertia stiffens or softens it.
//!
//! A link that bends also shortens: its mass moves by u₂(q) besides `V q`. The work of a load p through u₂ is
//! `−½ qᵀGq` with `G = VᵀK_g(p)V`, K_g the geometric stiffness of the stress that p causes in the clamped
//! link. The inertia loads of a moving frame are M times affine fields, so u₂ is represented by affine
//! fields:
//!
//! ```text
//! u₂ = Z s(q),     Z = [ζ_0 1₃  ζ_1 1₃ …],     s_a = ½ qᵀΓ_a q,   Γ_a = −G/S_aa, G of the load M Z_a
//! ```
//!
//! ζ_0 is constant, the others linear along the principal directions of the mass in which the link extends,
//! orthogonal in the mass, `ZᵀMZ = S` diagonal: this is the projection of u₂ on them, and all it does to the
//! motion of the frame. With it the kinetic energy is that of a true velocity field, a square, so that the
//! mass matrix is positive for every deflection. Derived in `docs/theory/floating-frame.md`.

use nalgebra::{DMatrix, Matrix4, Vector3};

use crate::NodalMass;
use crate::moments::Moments;

/// Directions in which the second moment of the mass is less than this part of the largest are left out: what
/// the link extends in them, a tenth of its length, is turned but not shortened by bending.
const THIN: f64 = 1e-2;

/// `ζ(x) = constant + gradient·x`, x in link axes (m); size kg^−½.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AffineField {
    /// At the link frame.
    pub constant: f64,
    /// Per metre.
    pub gradient: Vector3<f64>,
    /// Nodes turn with `share·gradient×s` for a field of direction s.
    share: f64,
}

impl AffineField {
    /// Value at x.
    pub fn at(&self, x: &Vector3<f64>) -> f64 {
        self.constant + self.gradient.dot(x)
    }

    /// Rotation of every node when the field acts along an axis.
    pub fn rotation(&self, axis: usize) -> Vector3<f64> {
        self.gradient.cross(&Vector3::ith(axis, self.share))
    }

    /// The fields of a mass: the constant one, and one for each direction in which it extends.
    pub fn of_mass(mesh: &NodalMass<'_>) -> Vec<Self> {
        let linear = |axis: usize| Self { constant: 0.0, gradient: Vector3::ith(axis, 1.0), share: 0.0 };
        let one = Self { constant: 1.0, gradient: Vector3::zeros(), share: 0.0 };
        let raw = [one, linear(0), linear(1), linear(2)];
        let mut S = DMatrix::zeros(12, 12);
        for (l, field) in raw.iter().enumerate() {
            let moments = Moments::new(&without_basis(mesh), &field.weighed(mesh), 1);
            S.columns_mut(3 * l, 3).copy_from(&gram(&raw, &moments, 3));
        }
        let mean = Matrix4::from_fn(|k, l| {
            (0..3).map(|c| 0.5 * (S[(3 * k + c, 3 * l + c)] + S[(3 * l + c, 3 * k + c)])).sum::<f64>() / 3.0
        });
        let mass = mean[(0, 0)];
        if mass <= 0.0 {
            return Vec::new();
        }
        let centre = mean.fixed_view::<3, 1>(1, 0) / mass;
        let about = mean.fixed_view::<3, 3>(1, 1) - centre * centre.transpose() * mass;
        let principal = about.symmetric_eigen();
        let largest = principal.eigenvalues.max();
        let mut fields = vec![Self { constant: mass.sqrt().recip(), ..one }];
        // So that rotations of the entire are among the fields: with one or two directions, the slopes of a
        // beam or a shell; with three, the mean rotation.
        let kept = principal.eigenvalues.iter().filter(|moment| **moment > THIN * largest).count();
        let share = if kept == 3 { 0.5 } else { 1.0 };
        for (moment, direction) in principal.eigenvalues.iter().zip(principal.eigenvectors.column_iter()) {
            if *moment > THIN * largest {
                let gradient = direction / moment.sqrt();
                fields.push(Self { constant: -gradient.dot(&centre), gradient, share });
            }
        }
        fields
    }

    /// The field along the three axes, 6 rows per node.
    fn columns(&self, positions: &[Vector3<f64>]) -> DMatrix<f64> {
        let mut Z = DMatrix::zeros(6 * positions.len(), 3);
        for (axis, mut column) in Z.column_iter_mut().enumerate() {
            let rotation = self.rotation(axis);
            for (x, node) in positions.iter().zip(column.as_mut_slice().chunks_exact_mut(6)) {
                node[axis] = self.at(x);
                node[3..].copy_from_slice(rotation.as_slice());
            }
        }
        Z
    }

    /// M times the field along the three axes.
    fn weighed(&self, mesh: &NodalMass<'_>) -> DMatrix<f64> {
        (mesh.product)(&self.columns(mesh.positions))
    }
}

/// The same without the columns of V.
fn without_basis<'a>(mesh: &NodalMass<'a>) -> NodalMass<'a> {
    NodalMass { basis: &[], ..*mesh }
}

/// `ZᵀF` of all fields, three rows each, with the sums of `count` forces F.
fn gram(fields: &[AffineField], moments: &Moments, count: usize) -> DMatrix<f64> {
    DMatrix::from_fn(3 * fields.len(), count, |row, x| {
        let (field, axis) = (&fields[row / 3], row % 3);
        let first = Vector3::from_fn(|d, _| moments.first_moment(x, d, axis));
        let translation = field.constant * moments.force(x)[axis] + field.gradient.dot(&first);
        translation + field.rotation(axis).dot(&moments.torque(x))
    })
}

/// The blocks of m = 3·(number of fields) affine coordinates s; row `3k + c` is field k along axis c.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrderMass {
    /// `ZᵀMD₀`, m×6.
    pub H: DMatrix<f64>,
    /// `ZᵀMV`, m×n.
    pub N: DMatrix<f64>,
    /// 3m×n; column j is `ZᵀMW_j` (m×3) column by column.
    pub E: DMatrix<f64>,
    /// mn×n; rows mj..mj+m of column k are entry (j, k) of Γ_0 … Γ_{m−1}, `s_a = ½ qᵀΓ_a q`.
    pub curvature: DMatrix<f64>,
    /// Diagonal of S, m×1: no less than `ZᵀMZ`, and equal to it up to what couples the axes of an uneven
    /// mass.
    pub S: DMatrix<f64>,
}

impl SecondOrderMass {
    /// The blocks for fields of the mass and `G = VᵀK_gV` of the load `M Z_a` for each of their 3 axes, n×n
    /// and symmetric.
    ///
    /// # Panics
    /// If there are not three matrices n×n for each field.
    pub fn new(mesh: &NodalMass<'_>, fields: &[AffineField], G: &[DMatrix<f64>]) -> Self {
        let (m, n) = (3 * fields.len(), mesh.basis.len());
        assert!(
            G.len() == m && G.iter().all(|G| G.shape() == (n, n)),
            "invariant: one G, n×n, a field and axis"
        );
        let (mut H, mut N, mut E) = (DMatrix::zeros(m, 6), DMatrix::zeros(m, n), DMatrix::zeros(3 * m, n));
        let mut ZMZ = DMatrix::zeros(m, m);
        for (k, field) in fields.iter().enumerate() {
            let moments = Moments::new(mesh, &field.weighed(mesh), 1);
            ZMZ.columns_mut(3 * k, 3).copy_from(&gram(fields, &moments, 3));
            for c in 0..3 {
                let a = 3 * k + c;
                H.set_row(a, &moments.on_rigid(c).transpose());
                for j in 0..n {
                    N[(a, j)] = moments.dot(j, c) + moments.rotations[(j, c)];
                    for b in 0..3 {
                        E[(a + m * b, j)] = moments.turned(j, c, b);
                    }
                }
            }
        }
        let gram = (&ZMZ + ZMZ.transpose()) * 0.5;
        let root = gram.diagonal().map(f64::sqrt);
        let coupled = DMatrix::from_fn(m, m, |a, b| gram[(a, b)] / (root[a] * root[b]));
        let most = coupled.symmetric_eigenvalues().max();
        let S = DMatrix::from_fn(m, 1, |a, _| gram[(a, a)] * most);
        let curvature = DMatrix::from_fn(m * n, n, |row, k| -G[row % m][(row / m, k)] / S[row % m]);
        Self { H, N, E, curvature, S }
    }

    /// Number of affine coordinates.
    pub fn count(&self) -> usize {
        self.H.nrows()
    }

    /// `∂²s_a/∂q²`, n×n.
    pub fn curvature_of(&self, a: usize) -> DMatrix<f64> {
        let (m, n) = (self.count(), self.N.ncols());
        DMatrix::from_fn(n, n, |j, k| self.curvature[(m * j + a, k)])
    }

    /// True when every number is finite and the shapes agree with `n`.
    pub(crate) fn well_formed(&self, n: usize) -> bool {
        let m = self.count();
        m.is_multiple_of(3)
            && self.H.ncols() == 6
            && self.N.shape() == (m, n)
            && self.E.shape() == (3 * m, n)
            && self.curvature.shape() == (m * n, n)
            && self.S.shape() == (m, 1)
            && self.S.iter().all(|s| *s > 0.0)
            && [&self.H, &self.N, &self.E, &self.curvature, &self.S]
                .into_iter()
                .flatten()
                .all(|x| x.is_finite())
    }
}
