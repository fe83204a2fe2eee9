//! Servo drives: a torque that pulls the joint to its commanded motion.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::{ControlLaw, Motion, TimeFunction};

/// `τ = k_p e + k_v ė + k_i ∫e dt + J_f θ̈_c + τ_f(t)` with the error e = θ_c − θ, cut off at the torque
/// limit. The joint is compliant: it lags behind its command, and its error is part of the tip's.
///
/// Without [`Sampling`] it acts continuously. With it the torque is computed at integer multiples of the
/// sample time from what is measured then, and held until the next one comes into force.
#[derive(Clone, Debug)]
pub struct Servo {
    /// The commanded motion θ_c.
    pub follow: Arc<dyn Motion>,
    /// k_p (N·m/rad, N/m).
    pub position_gain: f64,
    /// k_v (N·m·s/rad, N·s/m). It acts on the error of the rate, so that the command's rate is fed forward.
    pub rate_gain: f64,
    /// k_i (N·m/(rad·s), N/(m·s)). The integral stands still while the torque is at its limit.
    pub integral_gain: f64,
    /// J_f, the inertia fed forward (kg·m², kg); zero without.
    pub feed_forward: f64,
    /// τ_f, a torque fed forward, such as that of the rigid machine (N·m, N).
    pub feed_torque: Option<Arc<dyn TimeFunction>>,
    /// Largest torque or force; infinite without a limit.
    pub limit: f64,
    /// How it is sampled; continuous without.
    pub sampling: Option<Sampling>,
    /// A law that computes the torque at the samples instead of gains and feed-forward; its own without.
    pub law: Option<Arc<dyn ControlLaw>>,
}

/// The clock of a servo's computer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Time between samples (s).
    pub time: f64,
    /// Time from a sample until its torque comes into force (s).
    pub delay: f64,
    /// Largest change of the torque per second; infinite without a limit.
    pub rate_limit: f64,
}

impl Servo {
    /// With these gains and nothing else.
    pub fn new(follow: Arc<dyn Motion>, position_gain: f64, rate_gain: f64) -> Self {
        Self {
            follow,
            position_gain,
            rate_gain,
            integral_gain: 0.0,
            feed_forward: 0.0,
            feed_torque: None,
            limit: f64::INFINITY,
            sampling: None,
            law: None,
        }
    }

    /// Gains from the structural frequency `f0_hz` and inertia J as Naganathan's: the servo has half the
    /// structural frequency, k_p = π²f₀²J, and is critically damped, k_v = 2√(J k_p).
    pub fn from_frequency(follow: Arc<dyn Motion>, f0_hz: f64, inertia: f64) -> Self {
        let position_gain = PI * PI * f0_hz * f0_hz * inertia;
        Self::new(follow, position_gain, 2.0 * (inertia * position_gain).sqrt())
    }

    /// Errors of position and rate at time `t`.
    pub fn error(&self, t: f64, position: f64, rate: f64) -> (f64, f64) {
        let command = self.follow.at(t);
        (command.value - position, command.rate - rate)
    }

    /// The torque it wants at time `t`, without its integral part and before its limit.
    pub fn demand(&self, t: f64, position: f64, rate: f64) -> f64 {
        let command = self.follow.at(t);
        let fed = self.feed_torque.as_ref().map_or(0.0, |torque| torque.value(t));
        self.position_gain * (command.value - position)
            + self.rate_gain * (command.rate - rate)
            + self.feed_forward * command.acceleration
            + fed
    }

    /// Torque at time `t` for the joint coordinate and its rate. `memory` is the integral part of a
    /// continuous servo, and the torque that a sampled one holds.
    pub fn force(&self, t: f64, position: f64, rate: f64, memory: f64) -> f64 {
        if self.sampling.is_some() {
            return memory;
        }
        (self.demand(t, position, rate) + memory).clamp(-self.limit, self.limit)
    }

    /// True when it remembers something between steps.
    pub fn has_memory(&self) -> bool {
        self.sampling.is_some() || self.integral_gain > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Hold;

    #[test]
    fn naganathans_gains_give_half_the_structural_frequency_critically_damped() {
        let servo = Servo::from_frequency(Arc::new(Hold { value: 1.0 }), 12.0, 3.0);
        let frequency = (servo.position_gain / 3.0f64).sqrt() / (2.0 * PI);
        assert!((frequency - 6.0).abs() < 1e-12);
        let ratio = servo.rate_gain / (2.0 * (3.0 * servo.position_gain).sqrt());
        assert!((ratio - 1.0).abs() < 1e-14);
    }

    #[test]
    fn torque_is_cut_off_at_its_limit() {
        let follow: Arc<dyn Motion> = Arc::new(Hold { value: 1.0 });
        let servo = Servo { limit: 4.0, ..Servo::new(follow, 10.0, 1.0) };
        assert_eq!(servo.force(0.0, 0.8, 0.5, 0.0), 10.0 * (1.0 - 0.8) - 0.5);
        assert_eq!(servo.force(0.0, 0.8, 0.5, 1.0), 10.0 * (1.0 - 0.8) - 0.5 + 1.0);
        assert_eq!((servo.force(0.0, 0.0, 0.0, 0.0), servo.force(0.0, 3.0, 0.0, 0.0)), (4.0, -4.0));
    }
}
