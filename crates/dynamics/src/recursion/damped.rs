//! Damping between links in the Newton correction: conjugate gradients around the recursion.
//!
//! S is the Newton matrix with what the damping has within each body ([`own_block`]); the rest, D between
//! bodies, has not the sparsity of the tree. The correction solves
//!
//! ```text
//! (S + c_d D) δ = −r                on what the constraints allow
//! ```
//!
//! Left out of the iteration, c_d times all of the damping would make a step contract by `c_d xᵀDx / xᵀSx`,
//! which for βK and Newmark's rule grows to 2β/h in stiff modes: short steps would diverge. Elastic
//! coordinates are those of one body, so that βK has no part between bodies but at closures: S has all of
//! it. S + c_d D is positive definite, and so is S, its block diagonal with the masses between them: the
//! eigenvalues of `S⁻¹(S + c_d D)` lie between 0 and the number of bodies, and conjugate gradients around
//! the recursion, which solves with S, need few directions. `S p` is never formed: with z = S⁻¹ρ the
//! directions p = z + βp carry S p = ρ + βSp along (Y. Saad, Iterative Methods for Sparse Linear Systems,
//! 2nd ed., section 9.2, the preconditioned algorithm).

use nalgebra::DMatrix;
use pliant_mechanism::{Body, CoupledDamping, Model};

use crate::closures::schur;
use crate::kinematics::workspace::Workspace;

/// The energy of what is left over, of that of the first correction: a hundredth of the correction. The
/// iteration of the step, which knows the residual itself, does the rest.
const ACCURACY: f64 = 1e-4;

/// Most directions of one correction.
const MOST_DIRECTIONS: usize = 40;

/// Vectors of a correction, one entry per velocity coordinate.
#[derive(Clone, Debug, Default)]
pub(crate) struct DampedSolve {
    /// The damping between bodies.
    between: Vec<CoupledDamping>,
    r: Vec<f64>,
    delta: Vec<f64>,
    rho: Vec<f64>,
    p: Vec<f64>,
    Sp: Vec<f64>,
    /// `c_d D p`.
    Dp: Vec<f64>,
    multipliers: Vec<f64>,
}

impl DampedSolve {
    /// Empty where no damping couples links.
    pub(crate) fn new(model: &Model, multiplier_count: usize) -> Self {
        let between: Vec<CoupledDamping> = model.damping().iter().filter_map(|d| between(model, d)).collect();
        if between.is_empty() {
            return Self::default();
        }
        let zeros = || vec![0.0; model.velocity_count()];
        Self {
            between,
            r: zeros(),
            delta: zeros(),
            rho: zeros(),
            p: zeros(),
            Sp: zeros(),
            Dp: zeros(),
            multipliers: vec![0.0; multiplier_count],
        }
    }
}

/// Solves for the correction of a step into `work.delta`, multipliers included, for accelerations that keep
/// the constraints. `c_d` is the factor of damping in the Newton matrix.
pub(crate) fn solve(model: &Model, c_d: f64, work: &mut Workspace) {
    if work.damped.between.is_empty() {
        return schur::solve(model, |row| row.acceleration, work);
    }
    let mut s = std::mem::take(&mut work.damped);
    s.r.copy_from_slice(&work.r);
    s.multipliers.copy_from_slice(&work.closure.multipliers);
    schur::solve(model, |row| row.acceleration, work);
    s.delta.copy_from_slice(&work.delta);
    let first = dot(work, &s.r, &s.delta).abs();
    damping_forces(&s.between, c_d, &s.delta, &mut s.rho, work);
    s.rho.iter_mut().for_each(|x| *x = -*x);
    let mut before = 0.0;
    for direction in 0..MOST_DIRECTIONS {
        for (r, rho) in work.r.iter_mut().zip(&s.rho) {
            *r = -rho;
        }
        schur::solve(model, |_| 0.0, work);
        let left = dot(work, &s.rho, &work.delta);
        if left.is_nan() || left <= 0.0 {
            break;
        }
        let beta = if direction == 0 { 0.0 } else { left / before };
        for (p, z) in s.p.iter_mut().zip(&work.delta) {
            *p = z + beta * *p;
        }
        for (Sp, rho) in s.Sp.iter_mut().zip(&s.rho) {
            *Sp = rho + beta * *Sp;
        }
        damping_forces(&s.between, c_d, &s.p, &mut s.Dp, work);
        let curvature = dot(work, &s.p, &s.Sp) + dot(work, &s.p, &s.Dp);
        if curvature.is_nan() || curvature <= 0.0 {
            break;
        }
        let alpha = left / curvature;
        for (delta, p) in s.delta.iter_mut().zip(&s.p) {
            *delta += alpha * p;
        }
        for (rho, (Sp, Dp)) in s.rho.iter_mut().zip(s.Sp.iter().zip(&s.Dp)) {
            *rho -= alpha * (Sp + Dp);
        }
        // What the step along p leaves is about (c_d pᵀDp / pᵀ(S + c_d D)p)² of the energy.
        let damped = dot(work, &s.p, &s.Dp) / curvature;
        before = left;
        if left * damped * damped <= ACCURACY * first {
            break;
        }
    }
    // Multipliers that go with the corrected accelerations.
    if work.closure.constraints > 0 {
        work.closure.multipliers.copy_from_slice(&s.multipliers);
        damping_forces(&s.between, c_d, &s.delta, &mut s.Dp, work);
        for (r, (r0, Dp)) in work.r.iter_mut().zip(s.r.iter().zip(&s.Dp)) {
            *r = r0 + Dp;
        }
        schur::solve(model, |row| row.acceleration, work);
    }
    work.r.copy_from_slice(&s.r);
    work.delta.copy_from_slice(&s.delta);
    work.damped = s;
}

/// `c_d D x`, zero at coordinates that no damping couples.
fn damping_forces(between: &[CoupledDamping], c_d: f64, x: &[f64], forces: &mut [f64], work: &mut Workspace) {
    forces.fill(0.0);
    for damping in between {
        let part = &mut work.damping[..damping.coordinates.len()];
        damping.force(x, part);
        for (j, force) in damping.coordinates.iter().zip(part) {
            forces[*j] += c_d * *force;
        }
    }
}

/// What the damping has within the elastic coordinates of a body, n×n; nothing where it has nothing there.
pub(crate) fn own_block(model: &Model, body: &Body) -> Option<DMatrix<f64>> {
    let own = body.elastic_velocities();
    let mut block = DMatrix::zeros(own.len(), own.len());
    for damping in model.damping() {
        for (a, i) in damping.coordinates.iter().enumerate().filter(|(_, i)| own.contains(i)) {
            for (b, j) in damping.coordinates.iter().enumerate().filter(|(_, j)| own.contains(j)) {
                block[(i - own.start, j - own.start)] += damping.D[(a, b)];
            }
        }
    }
    block.iter().any(|d| *d != 0.0).then_some(block)
}

/// What the damping has at each hinge coordinate of a body by itself.
pub(crate) fn own_of_hinge(model: &Model, body: &Body) -> Vec<f64> {
    let own = body.hinge_velocities();
    let mut found = vec![0.0; own.len()];
    for damping in model.damping() {
        for (a, i) in damping.coordinates.iter().enumerate().filter(|(_, i)| own.contains(i)) {
            found[i - own.start] += damping.D[(a, a)];
        }
    }
    found
}

/// A damping without what [`own_block`] and [`own_of_hinge`] have of it; nothing when that is all.
fn between(model: &Model, damping: &CoupledDamping) -> Option<CoupledDamping> {
    let mut between = damping.clone();
    for body in model.bodies() {
        let (elastic, hinge) = (body.elastic_velocities(), body.hinge_velocities());
        for (a, i) in damping.coordinates.iter().enumerate() {
            for (b, j) in damping.coordinates.iter().enumerate() {
                if (elastic.contains(i) && elastic.contains(j)) || (i == j && hinge.contains(i)) {
                    between.D[(a, b)] = 0.0;
                }
            }
        }
    }
    between.D.iter().any(|d| *d != 0.0).then_some(between)
}

fn dot(work: &Workspace, a: &[f64], b: &[f64]) -> f64 {
    work.unknowns.iter().map(|&j| a[j] * b[j]).sum()
}
