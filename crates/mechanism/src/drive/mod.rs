//! What acts on a joint coordinate: drive, friction, stiffness, motor.

mod control;
mod hydraulic;
mod servo;

pub use control::{ControlError, ControlLaw, Controller, Measurement};
pub use hydraulic::{
    Compensator, Hydraulic, HydraulicState, HydraulicStep, LoopState, Oil, Tachometer, Valve,
};
pub use servo::{Sampling, Servo};

use std::sync::Arc;

use crate::{Motion, TimeFunction};

/// How a joint coordinate is driven.
#[derive(Clone, Debug, Default)]
pub enum Drive {
    /// Moves freely.
    #[default]
    Free,
    /// A given torque or force (N·m, N) on the child, reaction on the parent.
    Torque(Arc<dyn TimeFunction>),
    /// A given motion; the torque that it takes is found.
    Prescribed(Arc<dyn Motion>),
    /// A servo that follows a motion.
    Servo(Servo),
    /// A servo-hydraulic drive that follows a motion.
    Hydraulic(Box<Hydraulic>),
}

/// What a drive remembers between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// The integral part of a continuous servo, and the torque that a sampled one holds.
    pub value: f64,
    /// The step of a hydraulic drive; nothing before a run begins: then its valve is closed.
    pub hydraulic: Option<Box<HydraulicStep>>,
    /// Stiffness and damping that a hydraulic drive lent to its coordinate when its force was last evaluated
    /// for the equations of motion.
    pub lent: [f64; 2],
}

impl Drive {
    /// Force on a coordinate at a position and rate, with what a servo remembers; `None` when it is
    /// prescribed and follows from the motion.
    pub fn force(&self, t: f64, position: f64, rate: f64, memory: &Memory) -> Option<f64> {
        match self {
            Self::Free => Some(0.0),
            Self::Torque(torque) => Some(torque.value(t)),
            Self::Servo(servo) => Some(servo.force(t, position, rate, memory.value)),
            Self::Hydraulic(drive) => Some(drive.force(memory.hydraulic.as_deref(), t, position, rate)[0]),
            Self::Prescribed(_) => None,
        }
    }

    /// Stiffness and damping it lends to the coordinate below its limit; a sampled servo holds its torque and
    /// lends none.
    pub fn gains(&self) -> (f64, f64) {
        match self {
            Self::Servo(servo) if servo.sampling.is_none() => (servo.position_gain, servo.rate_gain),
            Self::Servo(_) | Self::Hydraulic(_) | Self::Free | Self::Torque(_) | Self::Prescribed(_) => {
                (0.0, 0.0)
            }
        }
    }

    /// [`Drive::force`] for the equations of motion: a hydraulic drive leaves what it lends in `memory`.
    pub fn act(&self, t: f64, position: f64, rate: f64, memory: &mut Memory) -> Option<f64> {
        let Self::Hydraulic(drive) = self else { return self.force(t, position, rate, memory) };
        let [force, by_position, by_rate] = drive.force(memory.hydraulic.as_deref(), t, position, rate);
        memory.lent = [-by_position, -by_rate];
        Some(force)
    }

    /// [`Drive::gains`] in the equations of motion as they were last evaluated.
    pub fn gains_there(&self, memory: &Memory) -> (f64, f64) {
        match self {
            Self::Hydraulic(_) => memory.lent.into(),
            Self::Servo(_) | Self::Free | Self::Torque(_) | Self::Prescribed(_) => self.gains(),
        }
    }

    /// The motion it is to make, when it has one.
    pub fn command(&self) -> Option<&Arc<dyn Motion>> {
        match self {
            Self::Prescribed(motion) => Some(motion),
            Self::Servo(servo) => Some(&servo.follow),
            Self::Hydraulic(drive) => Some(&drive.follow),
            Self::Free | Self::Torque(_) => None,
        }
    }
}

/// Friction of a joint coordinate: `−c θ̇ − F tanh(θ̇/θ̇_s)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// Viscous coefficient c (N·m·s/rad, N·s/m).
    pub viscous: f64,
    /// Coulomb friction F (N·m, N).
    pub coulomb: f64,
    /// Rate θ̇_s over which the Coulomb friction builds up (rad/s, m/s); at θ̇_s it has reached 76 %.
    pub slip_rate: f64,
}

impl Friction {
    /// Force against the motion at a rate, and its derivative with respect to the rate.
    pub fn resistance(&self, rate: f64) -> (f64, f64) {
        let mut force = self.viscous * rate;
        let mut slope = self.viscous;
        if self.coulomb > 0.0 {
            let t = (rate / self.slip_rate).tanh();
            force += self.coulomb * t;
            slope += self.coulomb / self.slip_rate * (1.0 - t * t);
        }
        (force, slope)
    }
}

/// A spring on a joint coordinate: `−k(θ − θ₀)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// k (N·m/rad, N/m).
    pub stiffness: f64,
    /// θ₀, where the spring is slack (rad, m).
    pub neutral: f64,
}

/// A motor rotor behind a gear: adds `ratio² · inertia` to the joint coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rotor {
    /// Inertia of the rotor about its own axis (kg·m²).
    pub inertia: f64,
    /// Turns of the rotor per turn of the joint (or rad per m for a prismatic joint).
    pub ratio: f64,
}

impl Rotor {
    /// Inertia seen by the joint.
    pub fn reflected(&self) -> f64 {
        self.ratio * self.ratio * self.inertia
    }
}

/// All that acts on one joint coordinate, and where it starts.
#[derive(Clone, Debug, Default)]
pub struct JointCoordinate {
    /// Drive.
    pub drive: Drive,
    /// Friction.
    pub friction: Friction,
    /// Spring.
    pub spring: Stiffness,
    /// Motor.
    pub rotor: Rotor,
    /// Initial displacement from the zero configuration, of a servo from its command (rad, m); a prescribed
    /// motion overrides it.
    pub initial: f64,
    /// Initial rate, of a servo relative to its command (rad/s, m/s); a prescribed motion overrides it.
    pub initial_rate: f64,
    /// True when the initial displacement was asked for, and not only left at zero.
    pub stated: bool,
    /// True when the assembly of loops may not move it from its initial displacement and rate.
    pub exact: bool,
    /// True when it is held where it starts while the equilibrium of the start is found.
    pub hold: bool,
}

impl JointCoordinate {
    /// The motion, when it is prescribed.
    pub fn motion(&self) -> Option<&dyn Motion> {
        match &self.drive {
            Drive::Prescribed(motion) => Some(&**motion),
            Drive::Free | Drive::Torque(_) | Drive::Servo(_) | Drive::Hydraulic(_) => None,
        }
    }

    /// True when a spring or servo holds it, so that it has a position in static equilibrium.
    pub fn is_held(&self) -> bool {
        self.spring.stiffness + self.drive.gains().0 > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_opposes_motion_and_its_slope_is_exact() {
        let friction = Friction { viscous: 0.3, coulomb: 2.0, slip_rate: 0.05 };
        let (force, slope) = friction.resistance(0.05);
        assert!((force - (0.015 + 2.0 * 1f64.tanh())).abs() < 1e-15);
        let h = 1e-6;
        let difference = (friction.resistance(0.05 + h).0 - friction.resistance(0.05 - h).0) / (2.0 * h);
        // h²/6 · F/θ̇_s³ ≈ 3e-9.
        assert!((slope - difference).abs() < 1e-7);
        assert_eq!(Friction::default().resistance(3.0), (0.0, 0.0));
    }
}
