//! Links that are linear in the frame of their chord.
//!
//! The chord frame C has its origin on the inboard interface and points to the mean of the outboard ones. It turns against L by the finite
//! rotation `R_LC = exp([φ]×)`, φ = Φq the linear rotation of that direction, and never about it. In C the link is linear: a point of it goes
//! to
//!
//! ```text
//! R_LC (x + V_C q),     V_C q = V q − φ×x     (its rotation: less φ)
//! ```
//!
//! and the invariants of V_C give the inertia of the link in C. C moves with `V_C = Ad V + B q̇`, V the twist of L, and with J the left Jacobian of
//! the rotation
//!
//! ```text
//! B = [0; R_LCᵀJΦ]       V̇_C = Ad V̇ + B q̈ + β       β = [0; R_LCᵀJ̇φ̇] + V_C × Bq̇
//! ```
//!
//! so that virtual work brings masses and forces from C to L:
//!
//! ```text
//! M_RR ← AdᵀM_RR Ad      M_RE ← Adᵀ(M_RE + M_RR B)      M_EE ← M_EE + BᵀY + YᵀB,   Y = M_RE + ½ M_RR B
//! h_R  ← Adᵀ(h_R + M_RR β)                              h_E  ← h_E + M_REᵀβ + Bᵀ(h_R + M_RR β)
//! ```
//!
//! Nothing is expanded: the kinetic energy is a square however far the chord turns. This is what codes compute whose links are linear in a frame
//! from end to end; the bow between the ends shortens nothing.

use nalgebra::{Matrix3xX, Vector3};
use pliant_spatial::{Transform, Twist, cross_motion, rotation_motion, twist};

use crate::{InertiaTerms, Interface, Invariants, NodalMass};

/// How the chord turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Chord {
    /// Φ, 3×n: the rotation φ per unit of each coordinate, in link axes.
    pub turns: Matrix3xX<f64>,
}

impl Chord {
    /// From the link frame to the mean of the interfaces of a link that is linear in L; `None` where that is no distance.
    pub fn new(interfaces: &[Interface]) -> Option<Self> {
        let n = interfaces.first()?.V.ncols();
        let share = 1.0 / interfaces.len() as f64;
        let p: Vector3<f64> = interfaces.iter().map(|i| i.X_LT.p * share).sum();
        let turn = |j: usize| -> Vector3<f64> {
            let moved = interfaces.iter().map(|i| i.V.fixed_view::<3, 1>(0, j) * share).sum();
            p.cross(&moved) / p.norm_squared()
        };
        (p.norm_squared() > 0.0)
            .then(|| Self { turns: Matrix3xX::from_columns(&(0..n).map(turn).collect::<Vec<_>>()) })
    }

    /// True when every number is finite and there are `n` coordinates.
    pub(crate) fn well_formed(&self, n: usize) -> bool {
        self.turns.ncols() == n && self.turns.iter().all(|x| x.is_finite())
    }

    /// Takes the rotation of the chord out of the displacement of an interface.
    pub fn carry_interface(&self, interface: &mut Interface) {
        for (j, turn) in self.turns.column_iter().enumerate() {
            let turn = turn.into_owned();
            let mut column = interface.V.column_mut(j);
            column -= twist(turn.cross(&interface.X_LT.p), turn);
        }
    }

    /// The invariants of a mass whose basis is linear in L.
    pub fn invariants(self, mesh: &NodalMass<'_>) -> Invariants {
        let in_chord = |(j, column): (usize, &&[f64])| {
            let turn = self.turns.column(j).into_owned();
            let mut carried = column.to_vec();
            for (x, u) in mesh.positions.iter().zip(carried.chunks_exact_mut(6)) {
                u.iter_mut().zip(twist(turn.cross(x), turn).iter()).for_each(|(u, rigid)| *u -= rigid);
            }
            carried
        };
        let basis: Vec<Vec<f64>> = mesh.basis.iter().enumerate().map(in_chord).collect();
        let basis: Vec<&[f64]> = basis.iter().map(Vec::as_slice).collect();
        let carried = NodalMass { positions: mesh.positions, basis: &basis, product: mesh.product };
        Invariants { chord: Some(Box::new(self)), ..Invariants::from_nodes(&carried) }
    }
}

/// The chord frame at one state, and what brings its inertia to L.
#[derive(Clone, Debug)]
pub struct ChordMotion {
    /// Pose in L.
    pub X_LC: Transform,
    /// Twist, at and in C.
    pub V: Twist,
    /// Angular part of each column of B: angular velocity against L per unit rate, in C.
    pub spins: Vec<Vector3<f64>>,
    /// β.
    bias: Twist,
    /// Angular part of Y.
    halves: Vec<Vector3<f64>>,
    /// Change of the first moment per unit of each coordinate, in L: `R_LC (S_k + B_k×s)`, on which gravity acts. With a mass that couples translations with slopes the upper
    /// rows of M_RE differ from it by what an element's length allows.
    pub moment_slopes: Vec<Vector3<f64>>,
}

impl ChordMotion {
    pub(crate) fn new(chord: &Chord) -> Self {
        let zeros = vec![Vector3::zeros(); chord.turns.ncols()];
        Self {
            X_LC: Transform::identity(),
            V: Twist::zeros(),
            spins: zeros.clone(),
            bias: Twist::zeros(),
            halves: zeros.clone(),
            moment_slopes: zeros,
        }
    }

    /// Acceleration of C from that of L: the derivative of the components of its twist.
    pub fn acceleration(&self, A_L: &Twist, a: &[f64]) -> Twist {
        let turning = twist(Vector3::zeros(), weighted(&self.spins, a));
        self.X_LC.carry_twist(A_L) + turning + self.bias
    }

    /// Takes the motion of C at coordinates q and rates v when L moves with the twist V.
    pub(crate) fn evaluate(&mut self, chord: &Chord, q: &[f64], v: &[f64], V: &Twist) {
        let (mut turn, mut rate) = (Vector3::zeros(), Vector3::zeros());
        for (column, (q, v)) in chord.turns.column_iter().zip(q.iter().zip(v)) {
            turn += column * *q;
            rate += column * *v;
        }
        let rotation = rotation_motion(&turn, &rate);
        let spin_map = rotation.R.tr_mul(&rotation.J);
        for (spin, column) in self.spins.iter_mut().zip(chord.turns.column_iter()) {
            *spin = spin_map * column;
        }
        self.X_LC = Transform::new(rotation.R, Vector3::zeros());
        let U = twist(Vector3::zeros(), spin_map * rate);
        self.V = self.X_LC.carry_twist(V) + U;
        self.bias = twist(Vector3::zeros(), rotation.R.tr_mul(&rotation.bias)) + cross_motion(&self.V, &U);
    }

    /// Brings terms from C to L.
    pub(crate) fn bring_to_link(&mut self, terms: &mut InertiaTerms) {
        let M_RR = terms.M_RR;
        let h = terms.h_R + M_RR * self.bias;
        let torque = h.fixed_rows::<3>(3).into_owned();
        let columns = terms.M_RE.column_iter_mut().zip(&mut terms.h_E);
        let own = self.spins.iter().zip(&mut self.halves).zip(&mut self.moment_slopes);
        for ((mut column, h_E), ((spin, half), slope)) in columns.zip(own) {
            *slope = self.X_LC.R * (column.fixed_rows::<3>(0) + spin.cross(&terms.first_moment));
            let turned = M_RR.fixed_columns::<3>(3) * spin;
            *half = column.fixed_rows::<3>(3) + turned.fixed_rows::<3>(3) * 0.5;
            *h_E += column.dot(&self.bias) + spin.dot(&torque);
            let whole = self.X_LC.return_wrench(&(&column + turned));
            column.copy_from(&whole);
        }
        terms.M_RR = self.X_LC.return_inertia(&M_RR);
        terms.h_R = self.X_LC.return_wrench(&h);
        terms.momentum = self.X_LC.return_wrench(&terms.momentum);
        terms.first_moment = self.X_LC.R * terms.first_moment;
    }

    /// `out += (BᵀY + YᵀB) x`.
    pub(crate) fn multiply_mass(&self, x: &[f64], out: &mut [f64]) {
        let (spin, half) = (weighted(&self.spins, x), weighted(&self.halves, x));
        for (out, (B, Y)) in out.iter_mut().zip(self.spins.iter().zip(&self.halves)) {
            *out += B.dot(&half) + Y.dot(&spin);
        }
    }

    /// `factor (BᵀY + YᵀB)` added to the lower triangle of a matrix stored column by column.
    pub(crate) fn add_mass(&self, factor: f64, lower: &mut [f64]) {
        let n = self.spins.len();
        for (j, column) in lower.chunks_exact_mut(n.max(1)).enumerate() {
            let (B_j, Y_j) = (self.spins[j] * factor, self.halves[j] * factor);
            let others = self.spins[j..].iter().zip(&self.halves[j..]);
            for (entry, (B, Y)) in column[j..].iter_mut().zip(others) {
                *entry += B.dot(&Y_j) + Y.dot(&B_j);
            }
        }
    }

    /// `½ q̇ᵀ(BᵀY + YᵀB) q̇`.
    pub(crate) fn elastic_energy(&self, v: &[f64]) -> f64 {
        weighted(&self.spins, v).dot(&weighted(&self.halves, v))
    }
}

/// `Σ x_k w_k`.
fn weighted(columns: &[Vector3<f64>], x: &[f64]) -> Vector3<f64> {
    columns.iter().zip(x).map(|(column, x)| column * *x).sum()
}
