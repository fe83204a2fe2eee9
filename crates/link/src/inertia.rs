//! Inertia of the moving, deforming link: mass blocks and quadratic velocity forces from the invariants.
//!
//! From `T = ½ VᵀM_RR V + VᵀM_RE q̇ + ½ q̇ᵀM_EE q̇` (V the body twist of L) Lagrange's equations in
//! quasi-velocities (Boltzmann–Hamel) are, with the momentum `P = M_RR V + M_RE q̇`,
//!
//! ```text
//! M_RR V̇ + M_RE q̈ + h_R = F        h_R   = Ṁ_RR V + Ṁ_RE q̇ + V ×* P
//! M_REᵀ V̇ + M_EE q̈ + h_E = Q       h_E,j = (Ṁ_REᵀ V)_j − ½ Vᵀ ∂M_RR/∂q_j V − Vᵀ ∂M_RE/∂q_j q̇
//! ```
//!
//! Centrifugal, Coriolis and gyroscopic forces are all in there; no term is dropped. What the second-order
//! displacement of the mass adds is in `second_order_terms.rs`, how the terms of a link that is linear in its
//! chord come to L in `chord.rs`.

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3, Vector6};
use pliant_spatial::{Twist, Wrench, cross_wrench};

use crate::products::{Panel, dot, subtract_transposed};
use crate::second_order_terms::SecondOrderTerms;
use crate::{ChordMotion, Invariants};

/// The motion of a link.
#[derive(Clone, Copy, Debug)]
pub struct LinkMotion<'a> {
    /// Elastic coordinates, n.
    pub q: &'a [f64],
    /// Their rates.
    pub v: &'a [f64],
    /// Their accelerations.
    pub a: &'a [f64],
    /// Body twist of L.
    pub V: Twist,
    /// Derivative of its components.
    pub A: Twist,
    /// Gravity in link axes (m/s²).
    pub g: Vector3<f64>,
}

/// Scratch and result of one evaluation; made once per link, reused every time.
#[derive(Clone, Debug)]
pub struct InertiaTerms {
    /// `DᵀMD` at L, 6×6, of the state at which [`masses`](Self::masses) were last made.
    pub M_RR: Matrix6<f64>,
    /// `DᵀMV`, 6×n, of the same state.
    pub M_RE: DMatrix<f64>,
    /// `M_RR V̇ + M_RE q̈` at L with the masses of first order.
    pub accelerating: Wrench,
    /// The other inertia forces at L: quadratic in velocities, and what the masses of second order add.
    pub h_R: Wrench,
    /// Inertia forces on the elastic coordinates, n: of accelerations and quadratic in velocities, less the
    /// weight of second order.
    pub h_E: Vec<f64>,
    /// First moment `∫ρ(x + u)` about L (kg·m): gravity acts through it.
    pub first_moment: Vector3<f64>,
    /// Momentum `M_RR V + M_RE q̇` at L.
    pub momentum: Wrench,
    /// The blocks of first order.
    M_RR_1: Matrix6<f64>,
    M_RE_1: DMatrix<f64>,
    B_q: Vec<f64>,
    C_q: Vec<f64>,
    C_rate: Vec<f64>,
    /// `q̇_k ω` for each k.
    turning: Vec<[f64; 8]>,
    A: Panel,
    B: Panel,
    C: Panel,
    M_EE: Panel,
    forces: Vec<f64>,
    second_order: Option<SecondOrderTerms>,
    /// The frame of the chord at the state last evaluated, of a link that is linear in it.
    pub chord: Option<Box<ChordMotion>>,
    /// No accelerations.
    at_rest: Vec<f64>,
}

impl InertiaTerms {
    /// Scratch for a link with these invariants.
    pub fn new(invariants: &Invariants) -> Self {
        let n = invariants.coordinates();
        let C = Panel::new(&invariants.C);
        Self {
            M_RR: invariants.M0,
            M_RE: invariants.C0.clone(),
            accelerating: Wrench::zeros(),
            h_R: Wrench::zeros(),
            h_E: vec![0.0; n],
            first_moment: invariants.first_moment(),
            momentum: Wrench::zeros(),
            M_RR_1: invariants.M0,
            M_RE_1: invariants.C0.clone(),
            B_q: vec![0.0; 6 * n],
            C_q: vec![0.0; 3 * n],
            C_rate: vec![0.0; 3 * n],
            turning: C.eights(),
            A: Panel::new(&invariants.A),
            B: Panel::new(&invariants.B),
            C,
            M_EE: Panel::new(&invariants.M_EE),
            forces: vec![0.0; n],
            second_order: invariants.second_order.as_deref().map(SecondOrderTerms::new),
            chord: invariants.chord.as_deref().map(|chord| Box::new(ChordMotion::new(chord))),
            at_rest: vec![0.0; n],
        }
    }

    /// Evaluates masses and quadratic velocity forces at elastic coordinates `q` and rates `v` (n each) and
    /// body twist `V` of L.
    pub fn evaluate(&mut self, inv: &Invariants, q: &[f64], v: &[f64], V: &Twist) {
        let at_rest = std::mem::take(&mut self.at_rest);
        let motion = LinkMotion { q, v, a: &at_rest, V: *V, A: Twist::zeros(), g: Vector3::zeros() };
        self.forces(inv, &motion);
        self.masses();
        self.at_rest = at_rest;
    }

    /// Evaluates the inertia forces of a motion; the masses are left as they were.
    pub fn forces(&mut self, inv: &Invariants, motion: &LinkMotion<'_>) {
        if let (Some(chord), Some(mut C)) = (&inv.chord, self.chord.take()) {
            C.evaluate(chord, motion);
            self.forces_in_own_frame(inv, &C.motion(motion));
            C.bring_forces(self, inv);
            self.chord = Some(C);
        } else {
            self.forces_in_own_frame(inv, motion);
        }
    }

    /// The same in the frame in which the basis is linear, whose motion is given.
    fn forces_in_own_frame(&mut self, inv: &Invariants, motion: &LinkMotion<'_>) {
        let n = inv.coordinates();
        let &LinkMotion { q, v, a, V, A: V_rate, .. } = motion;
        let w = V.fixed_rows::<3>(3).into_owned();
        if n == 0 {
            self.momentum = self.M_RR_1 * V;
            self.accelerating = self.M_RR_1 * V_rate;
            self.h_R = cross_wrench(&V, &self.momentum);
            return;
        }
        // A(q), A(q̇), B_j(q) = W_jᵀM W(q), C(q), C(q̇).
        let (mut A, mut A_rate) = ([0.0; 18], [0.0; 18]);
        self.A.times_both(q, v, &mut A, &mut A_rate);
        self.C.times_both(q, v, &mut self.C_q, &mut self.C_rate);
        self.B.times(q, &mut self.B_q);

        let squares = [w.x * w.x, w.y * w.y, w.z * w.z, 2.0 * w.x * w.y, 2.0 * w.x * w.z, 2.0 * w.y * w.z];
        let (mut B, mut B_rate) = ([0.0; 6], [0.0; 6]);
        for (j, B_j) in self.B_q.chunks_exact(6).enumerate() {
            let mut centrifugal = 0.0;
            for i in 0..6 {
                B[i] += B_j[i] * q[j];
                B_rate[i] += 2.0 * B_j[i] * v[j];
                centrifugal += B_j[i] * squares[i];
            }
            self.h_E[j] = -centrifugal;
        }
        let (B, B_rate) = (symmetric(&B), symmetric(&B_rate));

        self.M_RR_1 = inv.M0;
        add_columns(&mut self.M_RR_1, &A);
        let mut diagonal = self.M_RR_1.fixed_view_mut::<3, 3>(3, 3);
        diagonal += B;
        self.M_RE_1.copy_from(&inv.C0);
        for (column, c) in self.M_RE_1.as_mut_slice().chunks_exact_mut(6).zip(self.C_q.chunks_exact(3)) {
            for a in 0..3 {
                column[3 + a] += c[a];
            }
        }
        // Momentum, forces of accelerations and Ṁ_RE q̇; Ṁ_RR V = [0 Ȧ]V + [0 Ȧ]ᵀV + diag(0, Ḃ)V.
        let mut momentum = self.M_RR_1 * V;
        let mut rate = Vector6::zeros();
        let mut accelerating = self.M_RR_1 * V_rate;
        self.M_EE.times(a, &mut self.forces);
        let columns = self.M_RE_1.as_slice().chunks_exact(6).zip(self.C_rate.chunks_exact(3));
        for ((k, (column, c)), (&v_k, &a_k)) in columns.enumerate().zip(v.iter().zip(a)) {
            let mut force = self.forces[k];
            for r in 0..6 {
                momentum[r] += column[r] * v_k;
                accelerating[r] += column[r] * a_k;
                force += column[r] * V_rate[r];
            }
            for a in 0..3 {
                rate[3 + a] += c[a] * v_k;
            }
            self.h_E[k] += force;
        }
        self.accelerating = accelerating;
        for b in 0..3 {
            let column = &A_rate[6 * b..6 * b + 6];
            for r in 0..6 {
                rate[r] += column[r] * w[b];
                rate[3 + b] += column[r] * V[r];
            }
        }
        let spin = B_rate * w;
        for a in 0..3 {
            rate[3 + a] += spin[a];
        }

        // h_E: Ċᵀω − VᵀA_jω − ωᵀB_jω − ωᵀC_j q̇.
        let mut outer = [[0.0; 8]; 3];
        for (b, column) in outer.as_flattened_mut().chunks_exact_mut(6).take(3).enumerate() {
            column.iter_mut().zip(&V).for_each(|(outer, V)| *outer = V * w[b]);
        }
        for (turning, v) in self.turning.as_flattened_mut().chunks_exact_mut(3).zip(v) {
            turning.copy_from_slice((w * *v).as_slice());
        }
        for (h, c) in self.h_E.iter_mut().zip(self.C_rate.chunks_exact(3)) {
            *h += c[0] * w.x + c[1] * w.y + c[2] * w.z;
        }
        subtract_transposed(&self.A, &outer, &self.C, &self.turning, &mut self.h_E);

        let mut first_moment = inv.first_moment();
        for (column, &q_j) in inv.C0.as_slice().chunks_exact(6).zip(q) {
            for a in 0..3 {
                first_moment[a] += column[a] * q_j;
            }
        }
        if let Some(terms) = &mut self.second_order {
            let gains = terms.forces(motion, &mut self.h_E);
            momentum += gains.momentum;
            rate += gains.momentum_rate;
            first_moment += gains.first_moment;
        }
        self.first_moment = first_moment;
        self.momentum = momentum;
        self.h_R = rate + cross_wrench(&V, &momentum);
    }

    /// Makes the masses of the state whose forces were evaluated last.
    pub fn masses(&mut self) {
        self.M_RR = self.M_RR_1;
        self.M_RE.copy_from(&self.M_RE_1);
        if let Some(terms) = &mut self.second_order {
            terms.masses(&mut self.M_RR, &mut self.M_RE);
        }
        if let Some(C) = &mut self.chord {
            C.bring_masses(&mut self.M_RR, &mut self.M_RE);
        }
    }

    /// Adds to the lower triangle of a matrix, stored column by column, `factor` times what the elastic mass
    /// has above [`Invariants::constant_elastic_mass`] in the state at which [`masses`](Self::masses) were
    /// last made.
    pub fn add_elastic_mass(&self, factor: f64, lower: &mut [f64]) {
        if let Some(terms) = &self.second_order {
            terms.add_square(factor, lower);
        }
        if let Some(chord) = &self.chord {
            chord.add_mass(factor, lower);
        }
    }

    /// Kinetic energy `½ VᵀM_RR V + VᵀM_RE q̇ + ½ q̇ᵀM_EE q̇` of the state last evaluated (J).
    pub fn kinetic_energy(&self, inv: &Invariants, v: &[f64], V: &Twist) -> f64 {
        let n = v.len();
        // In the frame in which the basis is linear; the momentum is in link axes.
        let own = self.chord.as_ref().map(|C| (C.V, C.X_LC.express_twist(&C.V)));
        let (V, V_L) = own.as_ref().map_or((V, V), |(V, V_L)| (V, V_L));
        // ½ V·P holds ½ VᵀM_RR V + ½ VᵀM_RE q̇; the elastic rows give the other halves.
        let mut energy = 0.5 * V_L.dot(&self.momentum);
        for k in 0..n {
            let mut row = dot(&inv.M_EE.as_slice()[n * k..n * (k + 1)], v);
            let column = &self.M_RE_1.as_slice()[6 * k..6 * k + 6];
            row += dot(column, V.as_slice());
            energy += 0.5 * row * v[k];
        }
        energy + self.second_order.as_ref().map_or(0.0, SecondOrderTerms::elastic_energy)
    }
}

/// The matrix of the entries xx, yy, zz, xy, xz, yz.
fn symmetric(b: &[f64; 6]) -> Matrix3<f64> {
    Matrix3::new(b[0], b[3], b[4], b[3], b[1], b[5], b[4], b[5], b[2])
}

/// Adds `[0 A] + [0 A]ᵀ` for the 6×3 matrix `A` (column by column).
fn add_columns(M: &mut Matrix6<f64>, A: &[f64; 18]) {
    for b in 0..3 {
        for r in 0..6 {
            let a = A[6 * b + r];
            M[(r, 3 + b)] += a;
            M[(3 + b, r)] += a;
        }
    }
}

#[cfg(test)]
#[path = "inertia_tests.rs"]
mod tests;
