//! Slopes of a link's own forces about a state in which it is undeformed and at rest in its frame.
//!
//! The wrench at the frame and the elastic rows change with deformation q, its rate q̇ and the velocity V of
//! the frame. Inertia terms are polynomials of degree two in q, and their velocity terms are homogeneous of
//! degree two in V and q̇ together. About q = q̇ = 0 therefore
//!
//! ```text
//! ∂(F, f)/∂q = Σ_c A_c N_c + Σ_i g_i P_i + Σ_{a≤b} V_a V_b H_ab
//! ∂(F, f)/∂q̇ = Σ_a V_a C_a
//! ∂(F, f)/∂V = Σ_a V_a S_a
//! ```
//!
//! with constant matrices, 42 of a link; A is the acceleration of the frame and g gravity in its axes. The
//! matrices are extracted once, `½(f(+δ) − f(−δ))` being the derivative of such a polynomial without any
//! error of truncation; a step then sums them, and a change of the machine costs three small products instead
//! of evaluations of all inertia terms.

use nalgebra::{Vector3, Vector6};
use pliant_link::{InertiaTerms, Invariants};
use pliant_spatial::{Twist, Wrench, wrench};

/// A matrix of 6 + n rows, wrench first, by columns.
#[derive(Clone, Debug)]
pub(crate) struct Slope {
    rows: usize,
    entries: Vec<f64>,
}

impl Slope {
    fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, entries: vec![0.0; rows * columns] }
    }

    fn add(&mut self, factor: f64, other: &Self) {
        if factor != 0.0 {
            self.entries.iter_mut().zip(&other.entries).for_each(|(x, y)| *x += factor * y);
        }
    }

    /// Adds a square matrix, stored by columns, to the elastic rows.
    pub(crate) fn add_elastic(&mut self, factor: f64, matrix: &[f64]) {
        let n = self.rows - 6;
        if n == 0 || factor == 0.0 {
            return;
        }
        for (column, more) in self.entries.chunks_exact_mut(self.rows).zip(matrix.chunks_exact(n)) {
            column[6..].iter_mut().zip(more).for_each(|(x, y)| *x += factor * y);
        }
    }

    /// Adds the product with x to the wrench and to the elastic rows.
    pub(crate) fn apply(&self, x: &[f64], dF: &mut Wrench, rows: &mut [f64]) {
        for (column, x) in self.entries.chunks_exact(self.rows).zip(x).filter(|(_, x)| **x != 0.0) {
            let (wrench, elastic) = column.split_at(6);
            dF.iter_mut().zip(wrench).for_each(|(f, y)| *f += x * y);
            rows.iter_mut().zip(elastic).for_each(|(r, y)| *r += x * y);
        }
    }
}

/// The slopes of one link: the constant matrices and their sums at a state.
#[derive(Clone, Debug)]
pub(crate) struct LinkSlopes {
    /// By the deformation.
    pub(crate) by_q: Slope,
    /// By its rate.
    pub(crate) by_rate: Slope,
    /// By the velocity of the frame.
    pub(crate) by_twist: Slope,
    /// N, P, H (pairs a ≤ b in order), C and S.
    N: Vec<Slope>,
    P: Vec<Slope>,
    H: Vec<Slope>,
    C: Vec<Slope>,
    S: Vec<Slope>,
}

fn unit(c: usize) -> Vector6<f64> {
    Vector6::from_fn(|i, _| f64::from(u8::from(i == c)))
}

impl LinkSlopes {
    pub(crate) fn new(inv: &Invariants, n: usize) -> Self {
        let mut halves = Halves::new(inv, n);
        let none = Twist::zeros();
        let squares: Vec<Slope> = (0..6).map(|a| halves.by_q(&unit(a), &none)).collect();
        let mut H = Vec::with_capacity(21);
        for a in 0..6 {
            H.push(squares[a].clone());
            for b in a + 1..6 {
                let mut mixed = halves.by_q(&(unit(a) + unit(b)), &none);
                mixed.add(-1.0, &squares[a]);
                mixed.add(-1.0, &squares[b]);
                H.push(mixed);
            }
        }
        Self {
            by_q: Slope::zeros(6 + n, n),
            by_rate: Slope::zeros(6 + n, n),
            by_twist: Slope::zeros(6 + n, 6),
            N: (0..6).map(|c| halves.by_q(&none, &unit(c))).collect(),
            P: [Vector3::x(), Vector3::y(), Vector3::z()].iter().map(|g| halves.by_gravity(g)).collect(),
            H,
            C: (0..6).map(|a| halves.by_rate(&unit(a))).collect(),
            S: (0..6).map(|a| halves.by_twist(&unit(a))).collect(),
        }
    }

    /// Sums the slopes where the frame moves with velocity V and acceleration A; g is gravity in its axes.
    pub(crate) fn evaluate(&mut self, V: &Twist, A: &Twist, g: &Vector3<f64>) {
        for slope in [&mut self.by_q, &mut self.by_rate, &mut self.by_twist] {
            slope.entries.fill(0.0);
        }
        for (g, P) in g.iter().zip(&self.P) {
            self.by_q.add(*g, P);
        }
        let mut pairs = self.H.iter();
        for a in 0..6 {
            self.by_q.add(A[a], &self.N[a]);
            for (b, H) in (a..6).zip(&mut pairs) {
                self.by_q.add(V[a] * V[b], H);
            }
            self.by_rate.add(V[a], &self.C[a]);
            self.by_twist.add(V[a], &self.S[a]);
        }
    }
}

/// Differences of the inertia terms across an undeformed state.
struct Halves<'a> {
    inv: &'a Invariants,
    terms: [InertiaTerms; 2],
    zero: Vec<f64>,
    trial: Vec<f64>,
}

impl<'a> Halves<'a> {
    fn new(inv: &'a Invariants, n: usize) -> Self {
        let terms = || InertiaTerms::linear(inv);
        Self { inv, terms: [terms(), terms()], zero: vec![0.0; n], trial: vec![0.0; n] }
    }

    /// Evaluates at plus and minus a unit of one coordinate.
    fn evaluate(&mut self, k: usize, V: &Twist, rate: bool) {
        for (sign, terms) in [1.0, -1.0].into_iter().zip(&mut self.terms) {
            self.trial[k] = sign;
            let (q, v) = if rate { (&self.zero, &self.trial) } else { (&self.trial, &self.zero) };
            terms.evaluate(self.inv, q, v, V);
        }
        self.trial[k] = 0.0;
    }

    /// Half the difference of the velocity terms into a column.
    fn velocity_terms(&self, column: &mut [f64]) {
        let [plus, minus] = &self.terms;
        let (wrench, rows) = column.split_at_mut(6);
        wrench.copy_from_slice(((plus.h_R - minus.h_R) * 0.5).as_slice());
        for ((row, plus), minus) in rows.iter_mut().zip(&plus.h_E).zip(&minus.h_E) {
            *row = 0.5 * (plus - minus);
        }
    }

    /// Of the inertia forces where the frame moves with V and A.
    fn by_q(&mut self, V: &Twist, A: &Twist) -> Slope {
        let n = self.zero.len();
        let mut slope = Slope::zeros(6 + n, n);
        for (k, column) in slope.entries.chunks_exact_mut(6 + n).enumerate() {
            self.evaluate(k, V, false);
            self.velocity_terms(column);
            let [plus, minus] = &self.terms;
            let (wrench, rows) = column.split_at_mut(6);
            let inertia = (plus.M_RR - minus.M_RR) * A * 0.5;
            wrench.iter_mut().zip(inertia.iter()).for_each(|(f, x)| *f += x);
            for (i, row) in rows.iter_mut().enumerate() {
                *row += 0.5 * (plus.M_RE.column(i) - minus.M_RE.column(i)).dot(A);
            }
        }
        slope
    }

    /// Of the weight, with the sign of forces that resist a motion.
    fn by_gravity(&mut self, g: &Vector3<f64>) -> Slope {
        let n = self.zero.len();
        let mut slope = Slope::zeros(6 + n, n);
        for (k, column) in slope.entries.chunks_exact_mut(6 + n).enumerate() {
            self.evaluate(k, &Twist::zeros(), false);
            let [plus, minus] = &self.terms;
            let (weight, rows) = column.split_at_mut(6);
            let moment = (plus.first_moment - minus.first_moment).cross(g) * -0.5;
            weight.copy_from_slice(wrench(Vector3::zeros(), moment).as_slice());
            for (i, row) in rows.iter_mut().enumerate() {
                let column = plus.M_RE.column(i) - minus.M_RE.column(i);
                *row = -0.5 * column.fixed_rows::<3>(0).dot(g);
            }
        }
        slope
    }

    fn by_rate(&mut self, V: &Twist) -> Slope {
        let n = self.zero.len();
        let mut slope = Slope::zeros(6 + n, n);
        for (k, column) in slope.entries.chunks_exact_mut(6 + n).enumerate() {
            self.evaluate(k, V, true);
            self.velocity_terms(column);
        }
        slope
    }

    fn by_twist(&mut self, V: &Twist) -> Slope {
        let n = self.zero.len();
        let mut slope = Slope::zeros(6 + n, 6);
        for (c, column) in slope.entries.chunks_exact_mut(6 + n).enumerate() {
            for (sign, terms) in [1.0, -1.0].into_iter().zip(&mut self.terms) {
                terms.evaluate(self.inv, &self.zero, &self.zero, &(V + unit(c) * sign));
            }
            self.velocity_terms(column);
        }
        slope
    }
}
