//! Links that are linear in the frame of their chord.
//!
//! The chord frame C has its origin on the inboard interface and points to the mean of the outboard ones. It
//! turns against L by the finite rotation `R_LC = exp([φ]×)`, φ = Φq the linear rotation of that direction,
//! and never about it. In C the link is linear: a point of it goes to
//!
//! ```text
//! R_LC (x + V_C q),     V_C q = V q − φ×x     (its rotation: less φ)
//! ```
//!
//! and the invariants of V_C give the inertia of the link in C. C moves with `V_C = Ad V + B q̇`, V the twist
//! of L, and with J the left Jacobian of the rotation
//!
//! ```text
//! B = [0; R_LCᵀJΦ]       V̇_C = Ad V̇ + B q̈ + β       β = [0; R_LCᵀJ̇φ̇] + V_C × Bq̇
//! ```
//!
//! so that virtual work brings masses and forces from C to L:
//!
//! ```text
//! M_RR ← AdᵀM_RR Ad      M_RE ← Adᵀ(M_RE + M_RR B)      M_EE ← M_EE + BᵀY + YᵀB,   Y = M_RE + ½ M_RR B
//! f_R  ← Adᵀf_R                                         f_E  ← f_E + Bᵀf_R
//! ```
//!
//! f the inertia forces of the motion of C.
//!
//! Nothing is expanded: the kinetic energy is a square however far the chord turns. This is what codes
//! compute whose links are linear in a frame from end to end; the bow between the ends shortens nothing.

use nalgebra::{DMatrix, Matrix3xX, Matrix6, Vector3};
use pliant_spatial::{Transform, Twist, cross_motion, rotation_motion, twist};

use crate::{InertiaTerms, Interface, Invariants, LinkMotion, NodalMass};

/// How the chord turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Chord {
    /// Φ, 3×n: the rotation φ per unit of each coordinate, in link axes.
    pub turns: Matrix3xX<f64>,
}

impl Chord {
    /// From the link frame to the mean of the interfaces of a link that is linear in L; `None` where that is
    /// no distance.
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
        let carried = NodalMass { basis: &basis, ..*mesh };
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
    /// Derivative of its components.
    pub A: Twist,
    /// Angular part of each column of B: angular velocity against L per unit rate, in C.
    pub spins: Vec<Vector3<f64>>,
    /// Angular part of Y.
    halves: Vec<Vector3<f64>>,
    /// Change of the first moment per unit of each coordinate, in L: `R_LC (S_k + B_k×s)`, on which gravity
    /// acts. With a mass that couples translations with slopes the upper rows of M_RE differ from it by what
    /// an element's length allows.
    pub moment_slopes: Vec<Vector3<f64>>,
}

impl ChordMotion {
    pub(crate) fn new(chord: &Chord) -> Self {
        let zeros = vec![Vector3::zeros(); chord.turns.ncols()];
        Self {
            X_LC: Transform::identity(),
            V: Twist::zeros(),
            A: Twist::zeros(),
            spins: zeros.clone(),
            halves: zeros.clone(),
            moment_slopes: zeros,
        }
    }

    /// The motion of the link with C for its frame, from that with L.
    pub fn motion<'a>(&self, link: &LinkMotion<'a>) -> LinkMotion<'a> {
        LinkMotion { V: self.V, A: self.A, g: self.X_LC.R.tr_mul(&link.g), ..*link }
    }

    /// Takes the motion of C from that of L.
    pub(crate) fn evaluate(&mut self, chord: &Chord, link: &LinkMotion<'_>) {
        let [turn, rate, acceleration] = [link.q, link.v, link.a].map(|x| -> Vector3<f64> {
            chord.turns.column_iter().zip(x).map(|(column, x)| column * *x).sum()
        });
        let rotation = rotation_motion(&turn, &rate);
        let spin_map = rotation.R.tr_mul(&rotation.J);
        for (spin, column) in self.spins.iter_mut().zip(chord.turns.column_iter()) {
            *spin = spin_map * column;
        }
        self.X_LC = Transform::new(rotation.R, Vector3::zeros());
        let U = twist(Vector3::zeros(), spin_map * rate);
        self.V = self.X_LC.carry_twist(&link.V) + U;
        let turning = spin_map * acceleration + rotation.R.tr_mul(&rotation.bias);
        self.A =
            self.X_LC.carry_twist(&link.A) + twist(Vector3::zeros(), turning) + cross_motion(&self.V, &U);
    }

    /// Brings forces from C to L.
    pub(crate) fn bring_forces(&mut self, terms: &mut InertiaTerms, inv: &Invariants) {
        let torque = (terms.accelerating + terms.h_R).fixed_rows::<3>(3).into_owned();
        let columns = inv.C0.column_iter().zip(&mut terms.h_E);
        for ((column, h_E), (spin, slope)) in columns.zip(self.spins.iter().zip(&mut self.moment_slopes)) {
            *slope = self.X_LC.R * (column.fixed_rows::<3>(0) + spin.cross(&terms.first_moment));
            *h_E += spin.dot(&torque);
        }
        for wrench in [&mut terms.accelerating, &mut terms.h_R, &mut terms.momentum] {
            *wrench = self.X_LC.return_wrench(wrench);
        }
        terms.first_moment = self.X_LC.R * terms.first_moment;
    }

    /// Brings masses from C to L.
    pub(crate) fn bring_masses(&mut self, M_RR: &mut Matrix6<f64>, M_RE: &mut DMatrix<f64>) {
        for (mut column, (spin, half)) in M_RE.column_iter_mut().zip(self.spins.iter().zip(&mut self.halves))
        {
            let turned = M_RR.fixed_columns::<3>(3) * spin;
            *half = column.fixed_rows::<3>(3) + turned.fixed_rows::<3>(3) * 0.5;
            let wrench = self.X_LC.return_wrench(&(&column + turned));
            column.copy_from(&wrench);
        }
        *M_RR = self.X_LC.return_inertia(M_RR);
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
}
