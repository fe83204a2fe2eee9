//! The share of a joint in `[path]`.

use super::ProfileWord;
use crate::joint::not_both;
use crate::schema::Context;
use crate::table;

table! {
    /// `path`: whatever keeps the tip on `[path]`. The values are those of this joint.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "path", near_deg = 40, min_deg = 0, max_deg = 150 } }
    /// ```
    pub struct PathShareTable {
        /// `path`.
        profile: ProfileWord;
        /// About where it starts (rad, m), zero when left out: selects one of several poses of the
        /// arm.
        near: Option<f64>;
        /// About where it starts, in degrees.
        near_deg: Option<f64>;
        /// Least allowed (rad, m).
        min: Option<f64>;
        /// Least allowed, in degrees.
        min_deg: Option<f64>;
        /// Most allowed (rad, m).
        max: Option<f64>;
        /// Most allowed, in degrees.
        max_deg: Option<f64>;
    } check PathShareTable::check
}

impl PathShareTable {
    fn check(&self, context: &mut Context<'_>) {
        let pairs = [
            ("near", self.near, self.near_deg),
            ("min", self.min, self.min_deg),
            ("max", self.max, self.max_deg),
        ];
        not_both(&pairs, context);
    }
}
