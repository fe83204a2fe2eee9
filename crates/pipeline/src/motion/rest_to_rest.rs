//! Motions from rest to rest.

use super::ProfileWord;
use crate::joint::not_both;
use crate::schema::Context;
use crate::table;

table! {
    /// `cycloidal` or `quintic`: from rest to rest in a given time.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "quintic", from_deg = 0, to_deg = 60, start = 0.2, time = 1.0 } }
    /// ```
    pub struct SmoothTable {
        /// `cycloidal` or `quintic`.
        profile: ProfileWord;
        /// First value (rad, m), zero when left out.
        from: Option<f64>;
        /// First value in degrees.
        from_deg: Option<f64>;
        /// Last value (rad, m).
        to: Option<f64>;
        /// Last value in degrees.
        to_deg: Option<f64>;
        /// When it begins (s).
        start: f64 = 0.0, "0";
        /// How long it takes (s).
        time: f64;
    } check SmoothTable::check
}

table! {
    /// `trapezoidal-velocity`: constant acceleration, constant velocity, constant deceleration, dwell. The
    /// acceleration jumps.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "trapezoidal-velocity", to_deg = 60, accelerate = 0.2, cruise = 0.6, decelerate = 0.2 } }
    /// ```
    pub struct TrapezoidalVelocityTable {
        /// `trapezoidal-velocity`.
        profile: ProfileWord;
        /// First value (rad, m), zero when left out.
        from: Option<f64>;
        /// First value in degrees.
        from_deg: Option<f64>;
        /// Last value (rad, m).
        to: Option<f64>;
        /// Last value in degrees.
        to_deg: Option<f64>;
        /// When it begins (s).
        start: f64 = 0.0, "0";
        /// Length of the acceleration (s).
        accelerate: f64;
        /// Length of the constant velocity (s).
        cruise: f64;
        /// Length of the deceleration (s).
        decelerate: f64;
        /// Rest at the end (s); matters in a sequence.
        dwell: f64 = 0.0, "0";
    } check TrapezoidalVelocityTable::check
}

table! {
    /// `trapezoidal-acceleration`: the acceleration ramps up, stays and ramps down; then cruise; then the
    /// mirror image.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "trapezoidal-acceleration", to_deg = 60, accelerate = 0.3, ramp = 0.1, cruise = 0.4 } }
    /// ```
    pub struct TrapezoidalAccelerationTable {
        /// `trapezoidal-acceleration`.
        profile: ProfileWord;
        /// First value (rad, m), zero when left out.
        from: Option<f64>;
        /// First value in degrees.
        from_deg: Option<f64>;
        /// Last value (rad, m).
        to: Option<f64>;
        /// Last value in degrees.
        to_deg: Option<f64>;
        /// When it begins (s).
        start: f64 = 0.0, "0";
        /// Length of the acceleration with its two ramps (s).
        accelerate: f64;
        /// Length of one ramp (s).
        ramp: f64;
        /// Length of the constant velocity (s).
        cruise: f64;
    } check TrapezoidalAccelerationTable::check
}

/// The ends of a motion are given once each, and there is an end.
macro_rules! check_ends {
    ($table:expr, $context:expr) => {
        let pairs = [("from", $table.from, $table.from_deg), ("to", $table.to, $table.to_deg)];
        not_both(&pairs, $context);
        if $table.to.is_none() && $table.to_deg.is_none() {
            $context.error($table.source.0, "`to` (rad, m) or `to_deg` is missing");
        }
    };
}

impl SmoothTable {
    fn check(&self, context: &mut Context<'_>) {
        check_ends!(self, context);
        context.positive(&[("time", Some(self.time))]);
    }
}

impl TrapezoidalVelocityTable {
    fn check(&self, context: &mut Context<'_>) {
        check_ends!(self, context);
        let positive = [("accelerate", Some(self.accelerate)), ("decelerate", Some(self.decelerate))];
        context.positive(&positive);
        let not_negative = [("cruise", Some(self.cruise)), ("dwell", Some(self.dwell))];
        context.not_negative(&not_negative);
    }
}

impl TrapezoidalAccelerationTable {
    fn check(&self, context: &mut Context<'_>) {
        check_ends!(self, context);
        context.positive(&[("ramp", Some(self.ramp))]);
        context.not_negative(&[("cruise", Some(self.cruise))]);
        if 2.0 * self.ramp > self.accelerate {
            let (ramp, accelerate) = (self.ramp, self.accelerate);
            let message =
                format_args!("`ramp` must be at most half of `accelerate`, found {ramp} and {accelerate}");
            context.error(context.key("ramp"), message);
        }
    }
}
