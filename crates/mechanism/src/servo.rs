//! Servo drives: a torque that pulls the joint to its commanded motion.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::Motion;

/// `τ = k_p(θ_c − θ) + k_v(θ̇_c − θ̇) + J_f θ̈_c`, cut off at the torque limit. The joint is compliant: it lags behind its
/// command, and its error is part of the tip's.
#[derive(Clone, Debug)]
pub struct Servo {
    /// The commanded motion θ_c.
    pub follow: Arc<dyn Motion>,
    /// k_p (N·m/rad, N/m).
    pub position_gain: f64,
    /// k_v (N·m·s/rad, N·s/m).
    pub rate_gain: f64,
    /// J_f, the inertia fed forward (kg·m², kg); zero without.
    pub feed_forward: f64,
    /// Largest torque or force; infinite without a limit.
    pub limit: f64,
}

impl Servo {
    /// Gains from the structural frequency `f0_hz` and inertia J as Naganathan's: the servo has half the structural
    /// frequency, k_p = π²f₀²J, and is critically damped, k_v = 2√(J k_p).
    pub fn from_frequency(follow: Arc<dyn Motion>, f0_hz: f64, inertia: f64) -> Self {
        let position_gain = PI * PI * f0_hz * f0_hz * inertia;
        let rate_gain = 2.0 * (inertia * position_gain).sqrt();
        Self { follow, position_gain, rate_gain, feed_forward: 0.0, limit: f64::INFINITY }
    }

    /// Torque at time `t` for the joint coordinate and its rate.
    pub fn force(&self, t: f64, position: f64, rate: f64) -> f64 {
        let command = self.follow.at(t);
        let force = self.position_gain * (command.value - position)
            + self.rate_gain * (command.rate - rate)
            + self.feed_forward * command.acceleration;
        force.clamp(-self.limit, self.limit)
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
        let servo = Servo { follow, position_gain: 10.0, rate_gain: 1.0, feed_forward: 0.0, limit: 4.0 };
        assert_eq!(servo.force(0.0, 0.8, 0.5), 10.0 * (1.0 - 0.8) - 0.5);
        assert_eq!((servo.force(0.0, 0.0, 0.0), servo.force(0.0, 3.0, 0.0)), (4.0, -4.0));
    }
}
