//! Servo-hydraulic drives: a valve, an oil column and the electronics that close position and rate loops.
//!
//! With the joint coordinate θ, its command θ_c, the tachometer y, the valve input u, the spool x and the
//! load pressure p (difference over piston or motor)
//!
//! ```text
//! τ_y ẏ + y = K_t θ̇                                   tachometer
//! ω = C_p(s)(θ_c − θ) + f_v θ̇_c + f_a θ̈_c             position loop: the rate that is asked for
//! u(t) = [C_v(s)(K_t ω − y)](t − T_d)                  rate loop, cut off at the limit
//! ẍ + 2ζω_v ẋ + ω_v² x = K_v ω_v² u                    spool
//! V/(4β) ṗ = K_q x − (K_ce + C_tl) p − a θ̇             oil column: flow of the valve, leakage, displacement
//! τ = a p                                              torque or force on the joint
//! C(s) = (k + k_i/s)(1 + T₁ s)/(1 + T₂ s)              of either loop
//! ```
//!
//! after H. E. Merritt, "Hydraulic Control Systems" (Wiley 1967): linearised flow `Q = K_q x − K_ce p` of a
//! valve and the continuity equation of a motor or symmetric piston with equal volumes, V both together. In
//! the nonlinear analysis a deadband is taken off the spool, its opening ends at the stroke, and u at its
//! limit. Pressure saturation and the root law of the flow are not in it.

mod step;

use std::sync::Arc;

pub use step::{HydraulicState, HydraulicStep, LoopState};

use crate::{Motion, Sampling};

/// A servo-hydraulic drive on a joint coordinate.
#[derive(Clone, Debug)]
pub struct Hydraulic {
    /// The commanded motion θ_c.
    pub follow: Arc<dyn Motion>,
    /// Valve.
    pub valve: Valve,
    /// Oil.
    pub oil: Oil,
    /// a: volume displaced per unit of the coordinate (m³/rad; m² of a piston on a sliding joint). Of a
    /// piston on a lever its area times the lever, of a motor behind a gear its displacement per radian times
    /// the ratio.
    pub displacement: f64,
    /// Tachometer.
    pub tachometer: Tachometer,
    /// C_p, from the error of position to the rate that is asked for; nothing without a position loop.
    pub position: Option<Compensator>,
    /// C_v, from the error of the tachometer to the valve.
    pub rate: Compensator,
    /// f_v and f_a: parts of the command's rate and acceleration (s) that are fed forward.
    pub feed_forward: [f64; 2],
    /// Largest valve input; infinite without a limit.
    pub limit: f64,
    /// Time between samples of the electronics (s); continuous without.
    pub sample: Option<f64>,
    /// T_d (s).
    pub delay: f64,
}

/// A servo valve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valve {
    /// K_v: spool over input (m per unit of the input, or 1).
    pub gain: f64,
    /// ω_v (rad/s).
    pub frequency: f64,
    /// ζ.
    pub damping: f64,
    /// K_q: flow per spool (m²/s, or m³/s per unit).
    pub flow_gain: f64,
    /// K_ce: flow per pressure (m³/(s·Pa)).
    pub pressure_flow: f64,
    /// Spool travel on either side of the centre without flow; not in a linear machine.
    pub deadband: f64,
    /// Largest opening; infinite without. Not in a linear machine.
    pub stroke: f64,
}

/// The oil between valve and piston.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oil {
    /// V, of both sides together (m³).
    pub volume: f64,
    /// β (Pa).
    pub bulk_modulus: f64,
    /// C_tl (m³/(s·Pa)).
    pub leakage: f64,
}

/// A tachometer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tachometer {
    /// K_t (units of its signal per rad/s or m/s).
    pub gain: f64,
    /// τ_y (s); zero for an ideal one.
    pub time_constant: f64,
}

/// `(k + k_i/s)(1 + T₁ s)/(1 + T₂ s)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compensator {
    /// k.
    pub gain: f64,
    /// k_i (1/s).
    pub integral_gain: f64,
    /// T₁ (s); needs a T₂.
    pub lead: f64,
    /// T₂ (s); zero without lead and lag.
    pub lag: f64,
}

impl Compensator {
    /// T₁/T₂: the part of an error that passes at once; 1 without lead and lag.
    pub fn passes(&self) -> f64 {
        if self.lag > 0.0 { self.lead / self.lag } else { 1.0 }
    }
}

impl Hydraulic {
    /// V/(4β), the compliance of the oil (m³/Pa).
    pub fn compliance(&self) -> f64 {
        self.oil.volume / (4.0 * self.oil.bulk_modulus)
    }

    /// Stiffness of the oil column with the valve closed, a²·4β/V (N·m/rad, N/m).
    pub fn oil_stiffness(&self) -> f64 {
        self.displacement * self.displacement / self.compliance()
    }

    /// K_ce + C_tl.
    pub fn total_leakage(&self) -> f64 {
        self.valve.pressure_flow + self.oil.leakage
    }

    /// Sample time and delay as of a servo; nothing where it is continuous.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sample.map(|time| Sampling { time, delay: self.delay, rate_limit: f64::INFINITY })
    }

    /// What is wrong with its numbers, by the key.
    pub(crate) fn problems(&self) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let positive = [
            ("valve.gain", self.valve.gain),
            ("valve.natural_hz", self.valve.frequency),
            ("valve.damping", self.valve.damping),
            ("valve.flow_gain", self.valve.flow_gain),
            ("oil.volume", self.oil.volume),
            ("oil.bulk_modulus", self.oil.bulk_modulus),
            ("displacement", self.displacement),
            ("tachometer.gain", self.tachometer.gain),
        ];
        for (key, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                found.push((key, format!("must be positive, found {value}")));
            }
        }
        let loops = [Some(&self.rate), self.position.as_ref()];
        let loops = loops.into_iter().flatten();
        let numbers = loops.clone().flat_map(|c| {
            [("gain", c.gain), ("integral_gain", c.integral_gain), ("lead", c.lead), ("lag", c.lag)]
        });
        let not_negative = [
            ("valve.pressure_flow", self.valve.pressure_flow),
            ("valve.deadband", self.valve.deadband),
            ("oil.leakage", self.oil.leakage),
            ("tachometer.time_constant", self.tachometer.time_constant),
            ("delay", self.delay),
        ];
        for (key, value) in not_negative.into_iter().chain(numbers) {
            if !(value.is_finite() && value >= 0.0) {
                found.push((key, format!("must not be negative, found {value}")));
            }
        }
        if loops.clone().any(|c| c.lead > 0.0 && c.lag <= 0.0) {
            found.push(("lead", "needs a `lag`".to_owned()));
        }
        let limits = [("valve.stroke", self.valve.stroke), ("limit", self.limit)];
        for (key, value) in limits.into_iter().chain(self.sample.map(|sample| ("sample", sample))) {
            if value.is_nan() || value <= 0.0 {
                found.push((key, format!("must be positive, found {value}")));
            }
        }
        found
    }
}
