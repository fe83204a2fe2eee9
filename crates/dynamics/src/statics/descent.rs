//! The way of a machine with free joints to its equilibrium: down the potential energy.

use nalgebra::{DMatrix, DVector};
use pliant_mechanism::Model;

use super::equilibrium::{self, stiffness};
use crate::State;
use crate::closures::saddle::Saddle;
use crate::integration::areas::GAUSS;
use crate::integration::initial::advance;
use crate::kinematics::residual::residual;
use crate::kinematics::workspace::Workspace;
use crate::linear::eigen::{SymmetricModes, symmetric_modes};
use crate::linear::structure::inertia_and_rows;
use crate::recursion::newton::NewtonSettings;

/// Largest turn of a joint in one step (rad): over more of it, a quadratic model of gravity says little.
const TURN: f64 = 1.0;

/// Steps downhill for each iteration that Newton's method is allowed: a chain of links takes some for every
/// joint.
const STEPS: usize = 10;

/// Finds a stable equilibrium of a machine without closed loops by a trust-region method (Nocedal and Wright
/// 2006, algorithm 4.1). A step δ minimises the model of the potential energy
///
/// ```text
/// rᵀδ + ½ δᵀKδ,   √(δᵀMδ) ≤ Δ
/// ```
///
/// in the modes `Kφ = ω²Mφ`, where `δ = −Σ φ (φᵀr)/(ω² + μ)` with the smallest `μ ≥ 0` that keeps ω² + μ
/// positive and δ within the radius Δ. The energy that the step takes is `∫ r·dq`, so that no potential is
/// needed. Where a complete step of Newton does what the model says, Newton's iteration takes over. Returns
/// the number of steps; `None` when there is no stable equilibrium within those allowed.
pub(crate) fn descend(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Option<usize> {
    let mut saddle = Saddle::new(work.unknowns.len());
    let mut radius = None;
    for iteration in 0..STEPS * settings.max_iterations {
        let local = Local::new(model, state, &mut saddle, work)?;
        // At first as far as the steepest way down may turn a joint.
        let mut radius_now = radius.unwrap_or_else(|| local.reach(model, work));
        let mut step = local.step(radius_now);
        while let excess = largest_turn(model, work, &step.change) / TURN
            && excess > 1.0
        {
            // A little less: the direction changes with the size, and the limit would only be approached.
            radius_now = 0.9 * step.size / excess;
            step = local.step(radius_now);
        }
        let ratio = work_along(model, state, &step.change, work) / step.predicted;
        radius = Some(if ratio < 0.25 || ratio.is_nan() {
            0.25 * step.size
        } else if ratio > 0.75 && !step.complete {
            2.0 * step.size
        } else {
            radius_now
        });
        if ratio > 0.1 {
            advance(model, state, &step.change);
        }
        if step.complete && ratio > 0.75 {
            let here = state.q.clone();
            match equilibrium::solve(model, settings, state, work) {
                Ok(more) => return Some(iteration + more),
                Err(_) => state.q.copy_from_slice(&here),
            }
        }
    }
    None
}

/// The potential energy near a state: residual in the modes of its stiffness.
struct Local {
    modes: SymmetricModes,
    /// φᵀr.
    slopes: DVector<f64>,
    unknowns: Vec<usize>,
    velocities: usize,
}

struct Step {
    /// Of all velocity coordinates.
    change: Vec<f64>,
    /// √(δᵀMδ).
    size: f64,
    /// Change of energy by the model, negative.
    predicted: f64,
    /// True for a step of Newton, which ends at the minimum of the model.
    complete: bool,
}

impl Local {
    fn new(model: &Model, state: &State, saddle: &mut Saddle, work: &mut Workspace) -> Option<Self> {
        let unknowns = work.unknowns.clone();
        let n = unknowns.len();
        let M = inertia_and_rows(model, state, &unknowns, work).0;
        // Leaves the residual of the state in `work`.
        stiffness(model, state, &unknowns, saddle, work);
        let K = DMatrix::from_fn(n, n, |i, j| saddle.column(j)[i]);
        let modes = symmetric_modes(&M, &K)?;
        let r = DVector::from_iterator(n, unknowns.iter().map(|j| work.r[*j]));
        let slopes = modes.shapes.tr_mul(&r);
        Some(Self { modes, slopes, unknowns, velocities: model.velocity_count() })
    }

    /// Size of the step down the steepest way that turns a joint by [`TURN`].
    fn reach(&self, model: &Model, work: &Workspace) -> f64 {
        let turn = largest_turn(model, work, &self.change(&(-&self.slopes)));
        self.slopes.norm() * if turn > 0.0 { TURN / turn } else { 1.0 }
    }

    /// A step by its parts in the modes, of all velocity coordinates.
    fn change(&self, parts: &DVector<f64>) -> Vec<f64> {
        let mut change = vec![0.0; self.velocities];
        for (j, x) in self.unknowns.iter().zip((&self.modes.shapes * parts).iter()) {
            change[*j] = *x;
        }
        change
    }

    /// The minimum of the model within the radius.
    fn step(&self, radius: f64) -> Step {
        let lowest = self.modes.squares[0];
        let part = |mu: f64| {
            let parts =
                self.slopes.iter().zip(&self.modes.squares).map(|(slope, square)| -slope / (square + mu));
            DVector::from_iterator(self.slopes.len(), parts)
        };
        let complete = lowest > 0.0 && part(0.0).norm() <= radius;
        let mut mu = 0.0;
        if !complete {
            // The size falls with μ from infinity, or from where Newton's step has it, to zero.
            let least = (-lowest).max(0.0);
            let mut above = self.slopes.norm().sqrt().max(lowest.abs()).max(f64::MIN_POSITIVE);
            while part(least + above).norm() > radius {
                above *= 4.0;
            }
            let mut below = 0.0;
            for _ in 0..100 {
                let middle = 0.5 * (below + above);
                if part(least + middle).norm() > radius {
                    below = middle;
                } else {
                    above = middle;
                }
            }
            mu = least + above;
        }
        let parts = part(mu);
        let predicted = parts.dot(&self.slopes)
            + 0.5 * parts.iter().zip(&self.modes.squares).map(|(x, square)| square * x * x).sum::<f64>();
        Step { change: self.change(&parts), size: parts.norm(), predicted, complete }
    }
}

/// Largest turn about a joint's axis (rad).
fn largest_turn(model: &Model, work: &Workspace, change: &[f64]) -> f64 {
    let mut largest = 0.0f64;
    for (body, w) in model.bodies().iter().zip(&work.bodies) {
        for (k, j) in body.hinge_velocities().enumerate() {
            largest = largest.max(change[j].abs() * w.S[k].fixed_rows::<3>(3).norm());
        }
    }
    largest
}

/// `∫ r·dq` along a step from the state: the change of its potential energy.
fn work_along(model: &Model, state: &State, change: &[f64], work: &mut Workspace) -> f64 {
    let mut moved = state.clone();
    let mut sum = 0.0;
    for (x, weight) in GAUSS {
        let part: Vec<f64> = change.iter().map(|d| 0.5 * (1.0 + x) * d).collect();
        moved.q.copy_from_slice(&state.q);
        advance(model, &mut moved, &part);
        residual(model, moved.t, &moved.q, &moved.v, &moved.a, work);
        sum += 0.5 * weight * work.unknowns.iter().map(|j| work.r[*j] * change[*j]).sum::<f64>();
    }
    sum
}
