//! Whether an equilibrium is stable.

use nalgebra::{Cholesky, DMatrix, Schur};
use pliant_mechanism::Model;

use super::equilibrium::{STEP, stiffness};
use crate::closures::saddle::Saddle;
use crate::kinematics::workspace::Workspace;
use crate::linear::eigen::null_space_of;
use crate::{SimulationError, State};

/// A direction is unstable when its stiffness is negative by more than this part of its unit, which is well
/// above the noise of the differences.
const NOISE: f64 = 1e-7;

/// Roundings in the sum of forces that a residual is.
const ROUNDINGS: f64 = 100.0;

/// Checks the equilibrium of `state` with the exact stiffness.
///
/// # Errors
/// When it is not stable.
pub(crate) fn check(model: &Model, state: &State, work: &mut Workspace) -> Result<(), SimulationError> {
    let unknowns = work.unknowns.clone();
    let (n, constraints) = (unknowns.len(), work.closure.constraints);
    let mut saddle = Saddle::new(n + constraints);
    stiffness(model, state, &unknowns, &mut saddle, work);
    match is_stable(model, state, &mut saddle, work) {
        true => Ok(()),
        false => Err(SimulationError::UnstableEquilibrium { t: state.t }),
    }
}

/// True when no motion that the constraints allow is pushed away by the stiffness in `saddle`, not yet
/// factored: `NᵀKN` of the motions N has no negative eigenvalue. Where loads follow the machine K is not
/// symmetric, and a positive symmetric part is more than is needed: then the real eigenvalues decide. Of a
/// machine that spins inertia decides, and stiffness alone says nothing.
pub(super) fn is_stable(model: &Model, state: &State, saddle: &mut Saddle, work: &Workspace) -> bool {
    if state.v.iter().any(|rate| *rate != 0.0) {
        return true;
    }
    let (n, constraints) = (work.unknowns.len(), work.closure.constraints);
    let (mut K, mut G) = (DMatrix::zeros(n, n), DMatrix::zeros(constraints, n));
    for j in 0..n {
        let column = saddle.column(j);
        K.column_mut(j).copy_from_slice(&column[..n]);
        G.column_mut(j).copy_from_slice(&column[n..]);
    }
    let mut noise = noise(model, work);
    if constraints > 0 {
        let N = null_space_of(&G);
        K = N.transpose() * K * &N;
        noise =
            (0..N.ncols()).map(|j| N.column(j).iter().zip(&noise).map(|(x, s)| x.abs() * s).sum()).collect();
    }
    if K.nrows() == 0 {
        return true;
    }
    // Each coordinate in units of its own stiffness, but in none so small that noise would count.
    let unit = |i: usize, k: f64| {
        let square = k.max(noise[i] / NOISE);
        if square > 0.0 { square.sqrt() } else { 1.0 }
    };
    let unit: Vec<f64> = K.diagonal().iter().enumerate().map(|(i, k)| unit(i, *k)).collect();
    let scaled = DMatrix::from_fn(K.nrows(), K.ncols(), |i, j| K[(i, j)] / (unit[i] * unit[j]));
    let mut symmetric = (&scaled + scaled.transpose()) * 0.5;
    (0..K.nrows()).for_each(|i| symmetric[(i, i)] += NOISE);
    if Cholesky::new(symmetric).is_some() {
        return true;
    }
    let asymmetry = (&scaled - scaled.transpose()).amax();
    // Far above what the differences leave of a symmetric matrix.
    if asymmetry < 1e3 * NOISE {
        return false;
    }
    let Some(schur) = Schur::try_new(scaled, f64::EPSILON, 100 * (n + 1)) else { return false };
    let divergent = |re: f64, im: f64| re < -NOISE && im.abs() <= NOISE;
    !schur.complex_eigenvalues().iter().any(|value| divergent(value.re, value.im))
}

/// Rounding of a difference quotient of each unknown's residual: some roundings of the forces in it, over the
/// step. A force at the end of a lever has a moment about every axis of the machine.
pub(crate) fn noise(model: &Model, work: &Workspace) -> Vec<f64> {
    let mut sizes = work.reference.clone();
    for (body, w) in model.bodies().iter().zip(&work.bodies) {
        let force = w.F.fixed_rows::<3>(0).norm();
        for (k, j) in body.hinge_velocities().enumerate() {
            let turns = w.S[k].fixed_rows::<3>(3).norm();
            let size = w.S[k].abs().dot(&w.F.abs()) + turns * force * work.closure.length;
            sizes[j] = sizes[j].max(size);
        }
    }
    work.unknowns.iter().map(|j| ROUNDINGS * f64::EPSILON * sizes[*j] / STEP).collect()
}
