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
        let given = [self.distance.is_some(), self.line.is_some(), self.plane.is_some()];
        if given.into_iter().filter(|is_given| *is_given).count() != 1 {
            context.error(self.source.0, "a constraint needs exactly one of `distance`, `line` and `plane`");
        }
        if self.distance.is_some_and(|distance| distance <= 0.0) {
            context.error(
                self.source.0,
                "`distance` must be positive (a spherical joint keeps two points together)",
            );
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
        if self.terms.iter().count() == 0 {
            context.error(self.source.0, "a coupling needs `terms`");
        }
        crate::joint::not_both(self.source.0, &[("value", self.value, self.value_deg)], context);
    }
}
