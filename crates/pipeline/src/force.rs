//! `[forces]`: force elements between two frames.

use crate::curve::CurveSpec;
use crate::function::FunctionSpec;
use crate::joint::SpringDamperTable;
use crate::motion::MotionSpec;
use crate::schema::{Context, Located};
use crate::table;

table! {
    /// A force element between two frames: a `spring` and a `damper` along the line between two points, a
    /// `bushing` between two frames, or a cylinder that gives a `push` or holds a `length`. A frame is
    /// `"ground"`, a link (its frame) or `"link.interface"` (its deformed triad).
    ///
    /// ```toml
    /// [forces.lift]                    # a cylinder with oil between chassis and boom
    /// from    = "ground"
    /// from_at = [0.35, 0.35, 0]
    /// to      = "boom.tip"
    /// length  = { profile = "cycloidal", from = 1.02, to = 1.37, start = 0.5, time = 2.0 }
    /// oil     = { stiffness = 4e7, damping = 1e5 }
    /// ```
    pub struct ForceTable {
        /// First frame.
        from: Located<String>;
        /// Point in the first frame (m).
        from_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// x and y directions of the bushing in the first frame; those of that frame when left out.
        from_axes: Option<[[f64; 3]; 2]>;
        /// Second frame.
        to: Located<String>;
        /// Point in the second frame (m).
        to_at: [f64; 3] = [0.0; 3], "[0, 0, 0]";
        /// x and y directions of the bushing in the second frame; those of that frame when left out.
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
    ///
    /// ```toml
    /// [forces.balance]
    /// from   = "ground"
    /// to     = "boom.tip"
    /// spring = { stiffness = 2e4, free_length = 0.3 }
    /// ```
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
    ///
    /// ```toml
    /// [forces.shock]
    /// from   = "ground"
    /// to     = "boom.tip"
    /// spring = { stiffness = 2e4, free_length = 0.3 }
    /// damper = { table = "shock.csv" }
    /// ```
    pub struct DamperTable {
        /// Damping (N·s/m); or give `table`.
        damping: Option<f64>;
        /// CSV file with rates (m/s) and tensions (N): straight lines, the last value held outside, unless it
        /// says otherwise.
        table: Option<CurveSpec>;
    } check DamperTable::check
}

table! {
    /// Stiffness and damping in six directions of the first frame: along x, y, z, about x, y, z.
    ///
    /// ```toml
    /// [forces.mount]
    /// from    = "ground"
    /// to      = "frame"
    /// bushing = { stiffness = [1e6, 1e6, 2e6, 1e4, 1e4, 1e4], damping = [100, 100, 200, 1, 1, 1] }
    /// ```
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
        // A spring and a damper may act along the same line.
        let damper = self.damper.is_some() && self.spring.is_none();
        context.exactly_one(&[
            ("spring", self.spring.is_some()),
            ("damper", damper),
            ("bushing", self.bushing.is_some()),
            ("push", self.push.is_some()),
            ("length", self.length.is_some()),
        ]);
        if self.oil.is_some() && self.length.is_none() {
            context.error(
                context.key("oil"),
                "`oil` needs `length`: it is the oil of a cylinder that holds a length",
            );
        }
        if self.bushing.is_none() && (self.from_axes.is_some() || self.to_axes.is_some()) {
            let message = "`from_axes` and `to_axes` need a `bushing`";
            let key = if self.from_axes.is_some() { "from_axes" } else { "to_axes" };
            context.error(context.key(key), message);
        }
    }
}

impl SpringTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("stiffness", self.stiffness.is_some()), ("table", self.table.is_some())]);
        let numbers = [("stiffness", self.stiffness), ("free_length", Some(self.free_length))];
        context.not_negative(&numbers);
    }
}

impl DamperTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("damping", self.damping.is_some()), ("table", self.table.is_some())]);
        context.not_negative(&[("damping", self.damping)]);
    }
}

impl BushingTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        context.exactly_one(&[
            ("stiffness", self.stiffness.is_some()),
            ("stiffness_matrix", self.stiffness_matrix.is_some()),
        ]);
        if self.damping.is_some() && self.damping_matrix.is_some() {
            context
                .error(context.key("damping"), "`damping` and `damping_matrix` exclude each other: give one");
        }
        for (key, values) in [("stiffness", &self.stiffness), ("damping", &self.damping)] {
            values.iter().flatten().for_each(|x| context.not_negative(&[(key, Some(*x))]));
        }
        for matrix in self.stiffness_matrix.iter().chain(&self.damping_matrix) {
            let size = matrix.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
            let differs = |i: usize, j: usize| (matrix[i][j] - matrix[j][i]).abs() > 1e-9 * size;
            let mut below = (0..6).flat_map(|i| (0..i).map(move |j| (i, j)));
            if let Some((i, j)) = below.find(|(i, j)| differs(*i, *j)) {
                let (found, other) = (matrix[i][j], matrix[j][i]);
                let message = format_args!(
                    "the matrix of a bushing must be symmetric, found {found} in row {}, column {} and {other} across the diagonal",
                    i + 1,
                    j + 1
                );
                context.error(span, message);
            }
        }
    }
}
