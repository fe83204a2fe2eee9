//! `servo`: a drive that follows a motion.

use crate::motion::MotionSpec;
use crate::schema::Context;
use crate::table;

table! {
    /// A servo: torque = position_gain·(command − value) + rate_gain·(its rate) + feed_forward·(command's acceleration). Either both
    /// gains, or `f0_hz` and `inertia`: then the servo has half the structural frequency f₀ and is critically damped.
    pub struct ServoTable {
        /// The commanded motion.
        follow: MotionSpec;
        /// Position gain (N·m/rad, N/m).
        position_gain: Option<f64>;
        /// Rate gain (N·m·s/rad, N·s/m).
        rate_gain: Option<f64>;
        /// Structural frequency (Hz).
        f0_hz: Option<f64>;
        /// Inertia that the drive moves (kg·m², kg).
        inertia: Option<f64>;
        /// Inertia fed forward (kg·m², kg).
        feed_forward: f64 = 0.0, "0";
        /// Largest torque or force (N·m, N); without limit when left out.
        limit: Option<f64>;
    } check ServoTable::check
}

impl ServoTable {
    fn check(&self, context: &mut Context<'_>) {
        let gains = (self.position_gain.is_some(), self.rate_gain.is_some());
        let frequency = (self.f0_hz.is_some(), self.inertia.is_some());
        if !matches!((gains, frequency), ((true, true), (false, false)) | ((false, false), (true, true))) {
            let message = "a servo needs `position_gain` and `rate_gain`, or `f0_hz` and `inertia`";
            context.error(self.source.0, message);
        }
        let negative = |x: Option<f64>| x.is_some_and(|x| x < 0.0);
        if negative(self.position_gain) || negative(self.rate_gain) || self.feed_forward < 0.0 {
            context.error(self.source.0, "the gains of a servo must not be negative");
        }
        let not_positive = |x: Option<f64>| x.is_some_and(|x| x <= 0.0);
        if not_positive(self.f0_hz) || not_positive(self.inertia) || not_positive(self.limit) {
            context.error(self.source.0, "`f0_hz`, `inertia` and `limit` must be positive");
        }
    }
}
