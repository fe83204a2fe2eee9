//! `[constraints]` and `[couplings]`: relations that joints do not make.

use crate::link::Direction;
use crate::schema::{Context, Located, Named};
use crate::table;

table! {
    /// A relation between two frames: exactly one of `distance`, `line` and `plane`. A frame is `"ground"`, a
    /// link (its frame) or `"link.interface"` (its deformed triad).
    ///
    /// ```toml
    /// [constraints.rod]                # a rod without mass
    /// from     = "crank.pin"
    /// to       = "rocker"
    /// to_at    = [0.1, 0, 0]
    /// distance = 0.28
    /// ```
    pub struct ConstraintTable {
        /// First frame.
        from: Located<String>;
        /// Point in the first frame (m).
        from_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// Second frame.
        to: Located<String>;
        /// Point in the second frame (m).
        to_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// The two points keep this distance (m): a rigid rod without mass.
        distance: Option<f64>;
        /// The second point stays on the line through the first along this direction of the first frame.
        line: Option<Direction>;
        /// The second point stays in the plane through the first with this normal, a direction of the first
        /// frame.
        plane: Option<Direction>;
    } check ConstraintTable::check
}

impl ConstraintTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[
            ("distance", self.distance.is_some()),
            ("line", self.line.is_some()),
            ("plane", self.plane.is_some()),
        ]);
        if let Some(distance) = self.distance.filter(|distance| *distance <= 0.0) {
            let message = format_args!("`distance` must be positive, found {distance}");
            let hint = "a spherical joint keeps two points together".to_owned();
            context.error_with_hint(context.key("distance"), message, Some(hint));
        }
    }
}

table! {
    /// A relation among joint coordinates: `Σ factor·coordinate = value`. A pair of gears is `terms = { a =
    /// 2, b = 1 }`: b turns back twice as fast as a.
    ///
    /// ```toml
    /// [couplings.gear]                 # wheel turns back half as fast as pinion
    /// terms = { pinion = 1, wheel = 2 }
    /// ```
    pub struct CouplingTable {
        /// Factor of each joint; a joint with several coordinates is written `"joint.coordinate"`.
        terms: Named<f64>;
        /// What the sum is (rad, m).
        value: Option<f64>;
        /// The same in degrees.
        value_deg: Option<f64>;
    } check CouplingTable::check
}

impl CouplingTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.terms.is_empty() {
            context.error(context.key("terms"), "`terms` needs a factor for at least one joint, found none");
        }
        crate::joint::not_both(&[("value", self.value, self.value_deg)], context);
    }
}
