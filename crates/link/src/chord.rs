//! Links that are linear in the frame of their chord.
//!
//! The chord frame C has its origin on the inboard interface and points to the mean of the outboard ones; it turns against L by φ = Φq, the
//! linear rotation of that direction, and never about it. In C the displacement is `u − φ×x`, so a point of the link goes to
//!
//! ```text
//! exp(φ)(x + u − φ×x) = x + u + u₂ + …,     u₂ = φ×u − ½ φ×(φ×x),     rotation θ + ½ φ×θ
//! ```
//!
//! This u₂ in place of the mesh's own makes a link of second order one whose chord keeps its length while it turns: what codes compute
//! whose links are linear in a frame from end to end. The bow between the ends shortens nothing.

use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::{AffineField, Interface, NodalMass, SecondOrderMass};

/// How the chord turns: φ per unit of each coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Chord {
    turns: Vec<Vector3<f64>>,
}

impl Chord {
    /// From the link frame to the mean of the interfaces; `None` where that is no distance.
    pub fn new(interfaces: &[Interface]) -> Option<Self> {
        let n = interfaces.first()?.V.ncols();
        let share = 1.0 / interfaces.len() as f64;
        let p: Vector3<f64> = interfaces.iter().map(|i| i.X_LT.p * share).sum();
        let moved = |j: usize| -> Vector3<f64> {
            interfaces.iter().map(|i| i.V.fixed_view::<3, 1>(0, j) * share).sum()
        };
        (p.norm_squared() > 0.0)
            .then(|| Self { turns: (0..n).map(|j| p.cross(&moved(j)) / p.norm_squared()).collect() })
    }

    /// G of the six components of an interface: `d₂ = −½ qᵀGq`.
    pub fn of_interface(&self, interface: &Interface) -> [DMatrix<f64>; 6] {
        let n = self.turns.len();
        let translation = |j: usize| interface.V.fixed_view::<3, 1>(0, j).into_owned();
        let rotation = |j: usize| interface.V.fixed_view::<3, 1>(3, j).into_owned();
        let p = &interface.X_LT.p;
        // φ_j×u_k − ½ φ_j×(φ_k×p), one way round.
        let half = |j: usize, k: usize, c: usize| {
            let (a, b) = (&self.turns[j], &self.turns[k]);
            if c < 3 {
                (a.cross(&translation(k)) - a.cross(&b.cross(p)) * 0.5)[c]
            } else {
                0.5 * a.cross(&rotation(k))[c - 3]
            }
        };
        std::array::from_fn(|c| DMatrix::from_fn(n, n, |j, k| -(half(j, k, c) + half(k, j, c))))
    }

    /// The blocks of affine coordinates whose s is the projection of u₂.
    pub fn of_mass(&self, mesh: &NodalMass<'_>, fields: &[AffineField]) -> SecondOrderMass {
        let (m, n) = (3 * fields.len(), self.turns.len());
        let nothing = vec![DMatrix::zeros(n, n); m];
        let mut blocks = SecondOrderMass::new(mesh, fields, &nothing);
        let MZ = (mesh.product)(&AffineField::columns(fields, mesh.positions));
        for (a, f) in MZ.as_slice().chunks_exact(MZ.nrows()).enumerate() {
            // With f = M Z_a: Σ f·(φ_j×u_k) = φ_j·E_k, and Σ f·(φ_j×(φ_k×x)) = φ_kᵀFφ_j − tr F φ_j·φ_k, F = Σ f xᵀ.
            let nodes = mesh.positions.iter().zip(f.chunks_exact(6));
            let F: Matrix3<f64> = nodes.map(|(x, f)| Vector3::new(f[0], f[1], f[2]) * x.transpose()).sum();
            let half = |j: usize, k: usize| {
                let (turn, other) = (&self.turns[j], &self.turns[k]);
                let moment = Vector3::from_fn(|b, _| blocks.E[(a + m * b, k)]);
                turn.dot(&moment) - 0.5 * (other.dot(&(F * turn)) - F.trace() * turn.dot(other))
            };
            let curvature = DMatrix::from_fn(n, n, |j, k| half(j, k) + half(k, j));
            for k in 0..n {
                for j in 0..n {
                    blocks.curvature[(m * j + a, k)] = curvature[(j, k)] / blocks.S[a];
                }
            }
        }
        blocks
    }
}
