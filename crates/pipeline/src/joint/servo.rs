//! `servo`: a drive that follows a motion.

use crate::motion::MotionSpec;
use crate::schema::Context;
use crate::table;

table! {
    /// A servo: torque = position_gain·e + (its integral)·integral_gain + (its rate)·rate_gain + what is fed
    /// forward, where e is command minus value. Either both gains, or `f0_hz`: then the servo has half the
    /// structural frequency f₀ and is critically damped. A compliant gear is the joint's `bearing` about its
    /// axis, the motor's inertia its `rotor`.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    ///
    /// [joints.elbow.drive.servo]
    /// follow        = { profile = "cycloidal", to_deg = 60, time = 1.0 }
    /// position_gain = 2500
    /// rate_gain     = 40
    /// rigid_torque  = true
    /// sample        = 1e-3
    /// ```
    pub struct ServoTable {
        /// The commanded motion.
        follow: MotionSpec;
        /// Position gain (N·m/rad, N/m).
        position_gain: Option<f64>;
        /// Rate gain (N·m·s/rad, N·s/m); it acts on the error of the rate, so that the rate of the command is
        /// fed forward.
        rate_gain: Option<f64>;
        /// Integral gain (N·m/(rad·s), N/(m·s)). The integral stands still while the torque is at its limit.
        integral_gain: f64 = 0.0, "0";
        /// Structural frequency (Hz).
        f0_hz: Option<f64>;
        /// With `f0_hz`: inertia that the drive moves (kg·m², kg); the largest along the motion of the
        /// rigid machine, with the other joints held, when left out.
        inertia: Option<f64>;
        /// Inertia fed forward (kg·m², kg).
        feed_forward: f64 = 0.0, "0";
        /// Feeds forward the torque that the rigid machine needs for its motion.
        rigid_torque: bool = false, "false";
        /// Largest torque or force (N·m, N); without limit when left out.
        limit: Option<f64>;
        /// Time between samples (s): the torque is computed at integer multiples of it and held in between.
        /// Continuous when left out.
        sample: Option<f64>;
        /// With `sample`: time until a computed torque comes into force (s).
        delay: f64 = 0.0, "0";
        /// With `sample`: largest change of the torque per second (N·m/s, N/s); without limit when left out.
        rate_limit: Option<f64>;
    } check ServoTable::check
}

impl ServoTable {
    fn check(&self, context: &mut Context<'_>) {
        let gains = (self.position_gain.is_some(), self.rate_gain.is_some());
        let frequency = (self.f0_hz.is_some(), self.inertia.is_some());
        if !matches!((gains, frequency), ((true, true), (false, false)) | ((false, false), (true, _))) {
            let keys = [
                ("position_gain", gains.0),
                ("rate_gain", gains.1),
                ("f0_hz", frequency.0),
                ("inertia", frequency.1),
            ];
            let given: Vec<_> = keys.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
            let found = if given.is_empty() { "none of them".to_owned() } else { given.join(", ") };
            let message = format!(
                "a servo needs `position_gain` and `rate_gain`, or `f0_hz` (and `inertia`), found {found}"
            );
            context.error(self.source.0, message);
        }
        let not_negative = [
            ("position_gain", self.position_gain),
            ("rate_gain", self.rate_gain),
            ("integral_gain", Some(self.integral_gain)),
            ("feed_forward", Some(self.feed_forward)),
            ("delay", Some(self.delay)),
        ];
        context.not_negative(&not_negative);
        let positive = [
            ("f0_hz", self.f0_hz),
            ("inertia", self.inertia),
            ("limit", self.limit),
            ("sample", self.sample),
            ("rate_limit", self.rate_limit),
        ];
        context.positive(&positive);
        for (key, given) in [("delay", self.delay > 0.0), ("rate_limit", self.rate_limit.is_some())] {
            if given && self.sample.is_none() {
                context.error(context.key(key), format_args!("`{key}` needs a `sample` time"));
            }
        }
    }
}
