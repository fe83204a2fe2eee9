//! `[forces]`: force elements between two places.

use crate::curve::CurveSpec;
use crate::function::FunctionSpec;
use crate::joint::SpringDamperTable;
use crate::motion::MotionSpec;
use crate::schema::{Context, Located};
use crate::table;

table! {
    /// A force element between two places: a `spring` and a `damper` along the line between two points, a
    /// `bushing` between two frames, or a cylinder that gives a `push` or holds a `length`. A place is
    /// `"ground"`, a link (its frame) or `"link.interface"` (its deformed triad).
    pub struct ForceTable {
        /// First place.
        from: Located<String>;
        /// Point on the first place, in its axes (m).
        from_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// x and y directions of the bushing's frame on the first place; those of the place when left out.
        from_axes: Option<[[f64; 3]; 2]>;
        /// Second place.
        to: Located<String>;
        /// Point on the second place, in its axes (m).
        to_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// x and y directions of the bushing's frame on the second place; those of the place when left out.
        to_axes: Option<[[f64; 3]; 2]>;
        /// A spring along the line.
        spring: Option<SpringTable>;
        /// A damper along the line.
        damper: Option<DamperTable>;
        /// A bushing.
        bushing: Option<BushingTable>;
        /// Pushes the two points apart (N).
        push: Option<Located<FunctionSpec>>;
        /// Length that a cylinder is to have (m), as a motion.
        length: Option<MotionSpec>;
        /// Stiffness and damping of the cylinder's oil (N/m, N·s/m); rigid when left out.
        oil: Option<SpringDamperTable>;
    } check ForceTable::check
}

table! {
    /// A spring: tension over elongation.
    pub struct SpringTable {
        /// Stiffness (N/m); or give `table`.
        stiffness: Option<f64>;
        /// CSV file with elongations (m) and tensions (N): straight lines, the last value held outside,
        /// unless it says otherwise.
        table: Option<CurveSpec>;
        /// Length without tension (m).
        free_length: f64;
    } check SpringTable::check
}

table! {
    /// A damper: tension over the rate of elongation.
    pub struct DamperTable {
        /// Damping (N·s/m); or give `table`.
        damping: Option<f64>;
        /// CSV file with rates (m/s) and tensions (N): straight lines, the last value held outside, unless it
        /// says otherwise.
        table: Option<CurveSpec>;
    } check DamperTable::check
}

table! {
    /// Stiffness and damping in six directions of the first place's frame: along x, y, z, about x, y, z.
    pub struct BushingTable {
        /// Stiffnesses (N/m, N·m/rad); or give `stiffness_matrix`.
        stiffness: Option<[f64; 6]>;
        /// Symmetric 6×6 stiffness.
        stiffness_matrix: Option<[[f64; 6]; 6]>;
        /// Dampings (N·s/m, N·m·s/rad); none when left out.
        damping: Option<[f64; 6]>;
        /// Symmetric 6×6 damping.
        damping_matrix: Option<[[f64; 6]; 6]>;
    } check BushingTable::check
}

impl ForceTable {
    fn check(&self, context: &mut Context<'_>) {
        let place = self.source.0;
        let line = self.spring.is_some() || self.damper.is_some();
        let given = [line, self.bushing.is_some(), self.push.is_some(), self.length.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            let message = "a force element is one of: `spring` and `damper`, `bushing`, `push`, `length`";
            context.error(place, message);
        }
        if self.oil.is_some() && self.length.is_none() {
            context.error(place, "`oil` belongs to a cylinder with `length`");
        }
        if self.bushing.is_none() && (self.from_axes.is_some() || self.to_axes.is_some()) {
            context.error(place, "only a `bushing` has axes");
        }
    }
}

impl SpringTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.stiffness.is_some() == self.table.is_some() {
            context.error(self.source.0, "a spring needs exactly one of `stiffness` and `table`");
        }
        if self.stiffness.is_some_and(|k| k < 0.0) || self.free_length < 0.0 {
            context.error(self.source.0, "stiffness and length of a spring must not be negative");
        }
    }
}

impl DamperTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.damping.is_some() == self.table.is_some() {
            context.error(self.source.0, "a damper needs exactly one of `damping` and `table`");
        }
        if self.damping.is_some_and(|d| d < 0.0) {
            context.error(self.source.0, "the damping must not be negative");
        }
    }
}

impl BushingTable {
    fn check(&self, context: &mut Context<'_>) {
        let place = self.source.0;
        if self.stiffness.is_some() == self.stiffness_matrix.is_some() {
            context.error(place, "a bushing needs exactly one of `stiffness` and `stiffness_matrix`");
        }
        if self.damping.is_some() && self.damping_matrix.is_some() {
            context.error(place, "`damping` and `damping_matrix` say the same; give one");
        }
        if self.stiffness.iter().chain(&self.damping).flatten().any(|x| *x < 0.0) {
            context.error(place, "stiffness and damping of a bushing must not be negative");
        }
        for matrix in self.stiffness_matrix.iter().chain(&self.damping_matrix) {
            let size = matrix.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
            let differs = |i: usize, j: usize| (matrix[i][j] - matrix[j][i]).abs() > 1e-9 * size;
            if (0..6).any(|i| (0..i).any(|j| differs(i, j))) {
                context.error(place, "the matrix of a bushing must be symmetric");
            }
        }
    }
}
