//! Slopes of a link's inertia forces and weight about a motion in which it is undeformed and at rest in its
//! frame.
//!
//! Of the equations of `inertia.rs` only terms of first order in q, q̇ and changes of the frame's twist V are
//! left; a is the derivative of V, g gravity in the axes of the frame, S_k the upper rows of C₀'s column k,
//! and `[A_k] = [0 A_k] + [0 A_k]ᵀ` the slope of M_RR by q_k:
//!
//! ```text
//! ∂F/∂q_k  = [A_k]a + V ×* [A_k]V − [0; S_k × g]        ∂F/∂q̇_k = [A_k]V + V ×* C₀_k
//! ∂f_j/∂q_k = −ωᵀB_jk ω + ω̇·(C_k)_j + Σ_a Γ_a,jk φ_a      φ = H a + ω × (H V) − H_v g
//! ∂f_j/∂q̇_k = ω·((C_k)_j − (C_j)_k)
//! ∂F/∂V X  = X ×* M₀V + V ×* M₀X                        ∂f_j/∂V X = −Xᵀ A_j ω − Vᵀ A_j X_ω
//! ```
//!
//! with `ω × (H V)` taken field by field, and Γ, H those of the second-order displacement of the mass
//! (`second_order_terms.rs`): undeformed, s and ṡ vanish, and what is left of it is the work of the forces
//! through P = Γq. The sums over q are one product of a constant matrix with the coefficients of a state.

use nalgebra::{DMatrix, Matrix6, Vector3, Vector6};
use pliant_spatial::{Twist, Wrench, cross_wrench, twist, wrench};

use crate::{Invariants, Panel};

/// The slopes at the state last evaluated, of a link with n elastic coordinates; in the frame in which its
/// basis is linear. Matrices n×n stand column by column.
#[derive(Clone, Debug)]
pub struct LinkSlopes {
    /// Of the elastic forces by q, n×n.
    pub by_q: Vec<f64>,
    /// By q̇, n×n.
    pub by_rate: Vec<f64>,
    /// Of the wrench at the frame by q, n columns.
    pub wrench_by_q: Vec<Wrench>,
    /// By q̇.
    pub wrench_by_rate: Vec<Wrench>,
    /// Of the wrench by the twist of the frame.
    pub wrench_by_twist: Matrix6<f64>,
    /// Of each elastic force by the twist of the frame.
    pub by_twist: Vec<Vector6<f64>>,
    /// Entries of B, C and Γ by their coefficients, n² rows.
    shapes: Panel,
    /// `(C_k)_j − (C_j)_k` by the components of ω, n² rows.
    gyroscopic: Panel,
    coefficients: Vec<f64>,
}

impl LinkSlopes {
    /// Slopes for a link with these invariants.
    pub fn new(inv: &Invariants) -> Self {
        let n = inv.coordinates();
        let second_order = inv.second_order.as_deref();
        let fields = second_order.map_or(0, |mass| mass.count());
        let entry = |row: usize, i: usize| {
            let (k, j) = (row / n, row % n);
            match (i, second_order) {
                (0..6, _) => inv.B[(6 * j + i, k)],
                (6..9, _) => inv.C[(3 * j + i - 6, k)],
                (_, Some(mass)) => mass.curvature[(fields * j + i - 9, k)],
                (_, None) => unreachable!("invariant: as many columns as there are fields"),
            }
        };
        let skew = |row: usize, c: usize| {
            let (k, j) = (row / n, row % n);
            inv.C[(3 * j + c, k)] - inv.C[(3 * k + c, j)]
        };
        Self {
            by_q: vec![0.0; n * n],
            by_rate: vec![0.0; n * n],
            wrench_by_q: vec![Wrench::zeros(); n],
            wrench_by_rate: vec![Wrench::zeros(); n],
            wrench_by_twist: Matrix6::zeros(),
            by_twist: vec![Vector6::zeros(); n],
            shapes: Panel::new(&DMatrix::from_fn(n * n, 9 + fields, entry)),
            gyroscopic: Panel::new(&DMatrix::from_fn(n * n, 3, skew)),
            coefficients: vec![0.0; 9 + fields],
        }
    }

    /// Evaluates the slopes where the frame moves with twist `V` and its derivative `A`; `g` is gravity in
    /// its axes (m/s²).
    pub fn evaluate(&mut self, inv: &Invariants, V: &Twist, A: &Twist, g: &Vector3<f64>) {
        let angular = |x: &Twist| x.fixed_rows::<3>(3).into_owned();
        let (w, w_rate) = (angular(V), angular(A));
        let squares = [w.x * w.x, w.y * w.y, w.z * w.z, 2.0 * w.x * w.y, 2.0 * w.x * w.z, 2.0 * w.y * w.z];
        let (first, work) = self.coefficients.split_at_mut(9);
        first[..6].iter_mut().zip(squares).for_each(|(c, square)| *c = -square);
        first[6..].copy_from_slice(w_rate.as_slice());
        if let Some(mass) = &inv.second_order {
            let still = A - twist(*g, Vector3::zeros());
            for (k, work) in work.chunks_exact_mut(3).enumerate() {
                let H = mass.H.fixed_view::<3, 6>(3 * k, 0);
                work.copy_from_slice((H * still + w.cross(&(H * V))).as_slice());
            }
        }
        self.shapes.times(&self.coefficients, &mut self.by_q);
        self.gyroscopic.times(w.as_slice(), &mut self.by_rate);

        let blocks = inv.A.as_slice().chunks_exact(18).zip(inv.C0.as_slice().chunks_exact(6));
        let wrenches = self.wrench_by_q.iter_mut().zip(&mut self.wrench_by_rate);
        for (((A_k, C0_k), (by_q, by_rate)), row) in blocks.zip(wrenches).zip(&mut self.by_twist) {
            let momentum = product(A_k, V);
            let moment = Vector3::new(C0_k[0], C0_k[1], C0_k[2]).cross(g);
            *by_q = product(A_k, A) + cross_wrench(V, &momentum) - wrench(Vector3::zeros(), moment);
            *by_rate = momentum + cross_wrench(V, &Vector6::from_column_slice(C0_k));
            *row = -momentum;
        }
        let momentum = inv.M0 * V;
        for c in 0..6 {
            let X = Vector6::ith(c, 1.0);
            let change = cross_wrench(&X, &momentum) + cross_wrench(V, &inv.M0.column(c).into_owned());
            self.wrench_by_twist.set_column(c, &change);
        }
    }
}

/// `([0 A] + [0 A]ᵀ) x` for a 6×3 matrix column by column.
fn product(A: &[f64], x: &Twist) -> Wrench {
    let mut y = Wrench::zeros();
    for (b, column) in A.chunks_exact(6).enumerate() {
        for (r, a) in column.iter().enumerate() {
            y[r] += a * x[3 + b];
            y[3 + b] += a * x[r];
        }
    }
    y
}
