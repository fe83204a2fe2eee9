//! Inverse kinematics: damped Newton on the pose equations, and the rates that follow by differentiation.

use nalgebra::{Matrix6, Vector6};
use pliant_spatial::{Transform, Twist, rotation_log, twist};

use super::chain::{Chain, TipMotion};
use super::solve::least_squares;
use super::tip_path::{Orientation, Target};
use crate::MotionSample;

/// Largest change of an angle in one iteration far from the solution (rad); lengths: this share of the reach.
const STRIDE: f64 = 0.3;

/// Iterations after which a pose counts as out of reach.
const ITERATIONS: usize = 200;

/// A pose counts as reached when it is this close, relative to the reach (and in rad).
const REACHED: f64 = 1e-13;

/// The best that rounding may leave when the equations are ill-conditioned.
const CLOSE: f64 = 1e-10;

/// The chain with the number of its unknowns and equations.
#[derive(Debug)]
pub(super) struct Inverse {
    pub(super) chain: Chain,
    pub(super) orientation: Orientation,
    pub(super) unknowns: usize,
}

/// How far the best pose found stays away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Miss {
    /// Distance (m).
    pub(super) distance: f64,
    /// Angle (rad).
    pub(super) angle: f64,
}

impl Inverse {
    /// Pose error `[Rᵀ(p_d − p); log(RᵀR_d)]` in the triad; its rotation is zero when the orientation is
    /// free.
    fn error(&self, X: &Transform, target: &Transform) -> Twist {
        let translation = X.R.tr_mul(&(target.p - X.p));
        let rotation = match self.orientation {
            Orientation::Free => nalgebra::Vector3::zeros(),
            Orientation::Guided => rotation_log(&X.R.tr_mul(&target.R)),
        };
        twist(translation, rotation)
    }

    fn miss(&self, error: &Twist) -> Miss {
        Miss { distance: error.fixed_rows::<3>(0).norm(), angle: error.fixed_rows::<3>(3).norm() }
    }

    /// Largest part of a pose error, relative to the reach (and in rad).
    fn size(&self, error: &Twist) -> f64 {
        let miss = self.miss(error);
        (miss.distance / self.chain.reach).max(miss.angle)
    }

    /// J x = r in the least-squares sense, rotations weighed with the reach.
    fn solve(&self, J: &Matrix6<f64>, r: &Twist) -> Option<Vector6<f64>> {
        let (mut J, mut r) = (*J, *r);
        for row in 3..6 {
            J.row_mut(row).scale_mut(self.chain.reach);
            r[row] *= self.chain.reach;
        }
        least_squares(&J, &r, self.orientation.rows(), self.unknowns)
    }

    /// Values of the unknowns that bring the tip to the target, from a guess: Newton with strides cut where
    /// they do not bring the tip closer.
    pub(super) fn pose(&self, t: f64, target: &Transform, guess: [f64; 6]) -> Result<[f64; 6], Miss> {
        let mut q = guess;
        let mut motion = self.chain.at(t, &q.map(MotionSample::rest));
        let mut error = self.error(&motion.X, target);
        let mut size = self.size(&error);
        for _ in 0..ITERATIONS {
            if size <= REACHED {
                return Ok(q);
            }
            let Some(step) = self.step(&motion, &error) else { break };
            let mut share = 1.0;
            let closer = loop {
                let mut trial = q;
                for (q, step) in trial.iter_mut().zip(step.iter()) {
                    *q += share * step;
                }
                let at = self.chain.at(t, &trial.map(MotionSample::rest));
                let e = self.error(&at.X, target);
                let s = self.size(&e);
                if s < size {
                    break Some((trial, at, e, s));
                }
                share *= 0.5;
                if share < 1e-4 {
                    break None;
                }
            };
            let Some(closer) = closer else { break };
            (q, motion, error, size) = closer;
        }
        if size <= CLOSE { Ok(q) } else { Err(self.miss(&error)) }
    }

    /// The Newton step, not longer than a stride. Where the arm is singular, the steepest way instead.
    fn step(&self, motion: &TipMotion, error: &Twist) -> Option<Vector6<f64>> {
        let newton = self.solve(&motion.J, error);
        let damped = || {
            // (JᵀJ + μI)⁻¹Jᵀe
            let JT = motion.J.transpose();
            let JTJ = JT * motion.J;
            let mu = 1e-6 * JTJ.trace().max(f64::MIN_POSITIVE);
            (JTJ + Matrix6::identity() * mu).try_inverse().map(|inverse| inverse * (JT * error))
        };
        let step = newton.filter(|step| step.iter().all(|x| x.is_finite())).or_else(damped)?;
        let longest = step.amax();
        Some(if longest > STRIDE { step * (STRIDE / longest) } else { step })
    }

    /// Rates and accelerations at a solved pose: J θ̇ = V_d − V₀ and J θ̈ = V̇_d − V̇₀, where V₀ and V̇₀ are
    /// the tip's motion without the unknown rates and accelerations. `None` where the arm is singular.
    pub(super) fn rates(&self, t: f64, target: &Target, q: [f64; 6]) -> Option<[MotionSample; 6]> {
        let mut samples = q.map(MotionSample::rest);
        let still = self.chain.at(t, &samples);
        let RT = still.X.R.transpose();
        let [v, w] = target.velocity.map(|x| RT * x);
        let rates = self.solve(&still.J, &(twist(v, w) - still.V))?;
        for (sample, rate) in samples.iter_mut().zip(rates.iter()) {
            sample.rate = *rate;
        }
        let moving = self.chain.at(t, &samples);
        let [a, alpha] = target.acceleration.map(|x| RT * x);
        // Components in axes that turn with the tip: v̇ = Rᵀp̈ − ω × v.
        let linear = moving.V.fixed_rows::<3>(0).into_owned();
        let angular = moving.V.fixed_rows::<3>(3).into_owned();
        let accelerations = self.solve(&still.J, &(twist(a - angular.cross(&linear), alpha) - moving.A))?;
        for (sample, acceleration) in samples.iter_mut().zip(accelerations.iter()) {
            sample.acceleration = *acceleration;
        }
        Some(samples)
    }

    /// Smallest over largest singular value of the Jacobian, lengths in units of the reach.
    pub(super) fn conditioning(&self, t: f64, q: [f64; 6]) -> f64 {
        let mut J = self.chain.at(t, &q.map(MotionSample::rest)).J;
        for row in 0..3 {
            J.row_mut(row).scale_mut(1.0 / self.chain.reach);
        }
        let part = J.view((0, 0), (self.orientation.rows(), self.unknowns)).into_owned();
        let values = part.singular_values();
        values.min() / values.max().max(f64::MIN_POSITIVE)
    }

    /// How far the tip's velocity stays from the target's: zero unless there are fewer joints than the path
    /// needs.
    pub(super) fn velocity_miss(&self, t: f64, target: &Target, samples: &[MotionSample; 6]) -> f64 {
        let motion = self.chain.at(t, samples);
        let RT = motion.X.R.transpose();
        let [v, w] = target.velocity.map(|x| RT * x);
        let difference = twist(v, w) - motion.V;
        let linear = difference.fixed_rows::<3>(0).norm();
        match self.orientation {
            Orientation::Free => linear,
            Orientation::Guided => linear.max(difference.fixed_rows::<3>(3).norm() * self.chain.reach),
        }
    }
}
