//! `[response]`: the machine in the frequency domain.

use std::path::PathBuf;

use crate::joint::not_both;
use crate::limits::DISTANCE;
use crate::path::OrientationWord;
use crate::schema::{Context, Located, Named};
use crate::{table, words};

words! {
    /// What the machine is linearised about.
    pub enum AboutWord {
        /// Each pose at rest, links undeformed; gravity and loads act.
        Undeformed = "undeformed",
        /// The static equilibrium at each pose, commanded joints held where the pose has them.
        Equilibrium = "equilibrium",
        /// The nominal motion: gyroscopic and centrifugal terms, and the stiffness that forces of inertia
        /// give to links, which are undeformed.
        Motion = "motion",
    }
}

words! {
    /// What servos do.
    pub enum ServosWord {
        /// They act, each below its limit; one that samples counts as continuous.
        Closed = "closed",
        /// They do nothing: their joints are free; the valves of hydraulic drives stay closed.
        Open = "open",
        /// They hold their joints exactly.
        Held = "held",
    }
}

words! {
    /// How frequencies are spaced.
    pub enum SpacingWord {
        /// By equal factors.
        Logarithmic = "logarithmic",
        /// By equal differences.
        Linear = "linear",
    }
}

table! {
    /// Values of a commanded joint in a grid of poses.
    ///
    /// ```toml
    /// [response]
    /// poses = { grid = { shoulder = { from_deg = 0, to_deg = 90, count = 10 }, elbow = { from_deg = -120, to_deg = 0, count = 13 } } }
    /// ```
    pub struct GridTable {
        /// First value (rad, m); or `from_deg`.
        from: Option<f64>;
        /// First value in degrees.
        from_deg: Option<f64>;
        /// Last value (rad, m); or `to_deg`.
        to: Option<f64>;
        /// Last value in degrees.
        to_deg: Option<f64>;
        /// Number of values, the first and the last included.
        count: u32;
    } check GridTable::check
}

table! {
    /// A grid of points in a plane of the workspace. The tip of `[output]` is brought to each by inverse
    /// kinematics of the rigid machine, loops included, on from the start of the motion or the `near` values
    /// of its joints: elbows stay up or down. Points out of reach are left out.
    ///
    /// ```toml
    /// [response]
    /// [response.poses.plane]
    /// origin      = [0.6, 0, 0.2]
    /// x           = [0.9, 0, 0]
    /// y           = [0, 0, 1.1]
    /// columns     = 10
    /// rows        = 12
    /// orientation = "free"
    /// joints      = { shoulder = { near_deg = 20 }, elbow = { near_deg = -40, max_deg = 0 } }
    /// ```
    pub struct PlaneTable {
        /// A corner of the grid in the world (m).
        origin: [f64; 3];
        /// From there to the end of the first edge (m).
        x: [f64; 3];
        /// From there to the end of the second edge (m).
        y: [f64; 3];
        /// Number of points along the first edge, both ends included.
        columns: u32;
        /// Number of points along the second edge.
        rows: u32;
        /// Orientation of the tip: that of `axes`, or of where the search begins; or left to the joints.
        orientation: OrientationWord = OrientationWord::Kept, "\"kept\"";
        /// x and y directions of the tip's triad in the world.
        axes: Option<[[f64; 3]; 2]>;
        /// Joints that move, by their names; the others keep their commands of the start. All joints with a
        /// command when left out: they must not be more than position (3) or position and orientation (6)
        /// determine.
        joints: Named<PlaneJointTable>;
    } check PlaneTable::check
}

table! {
    /// A joint that brings the tip to the points of a plane.
    ///
    /// ```toml
    /// [response]
    /// poses = { plane = { origin = [0.4, 0.2, 0], x = [0.8, 0, 0], y = [0, 0.6, 0], columns = 9, rows = 7, joints = { elbow = { near_deg = -40, max_deg = 0 } } } }
    /// ```
    pub struct PlaneJointTable {
        /// Where the search begins (rad, m); or `near_deg`. The command at the start of the motion when left
        /// out; from an arm that is stretched out, to which side it bends is left to chance.
        near: Option<f64>;
        /// The same in degrees.
        near_deg: Option<f64>;
        /// Least allowed (rad, m); or `min_deg`. Points that need less are left out.
        min: Option<f64>;
        /// The same in degrees.
        min_deg: Option<f64>;
        /// Most allowed (rad, m); or `max_deg`.
        max: Option<f64>;
        /// The same in degrees.
        max_deg: Option<f64>;
    } check PlaneJointTable::check
}

table! {
    /// Poses about which the machine is linearised: exactly one of these.
    ///
    /// ```toml
    /// [response]
    /// poses = { points = 11 }
    /// ```
    pub struct PosesTable {
        /// Times of the motion (s).
        times: Option<Vec<f64>>;
        /// Number of points along the motion, evenly from the start to `end` of the analysis.
        points: Option<u32>;
        /// A grid over commanded joints, by their names; the last one changes fastest. Joints that are not
        /// named stay where they start.
        grid: Named<GridTable>;
        /// A grid of points in a plane of the workspace, which the tip is brought to.
        plane: Option<PlaneTable>;
        /// A CSV file: a column for each joint, headed by its name (rad, m) or by its name and `_deg`; a row
        /// for each pose.
        csv: Option<Located<PathBuf>>;
    } check PosesTable::check
}

table! {
    /// Frequencies of responses: `from`, `to` and `count`, or `values`.
    ///
    /// ```toml
    /// [response]
    /// inputs      = ["shoulder.torque"]
    /// outputs     = ["shoulder.rate"]
    /// frequencies = { from = 0.5, to = 500, count = 800 }
    /// ```
    pub struct FrequenciesTable {
        /// First (Hz).
        from: Option<f64>;
        /// Last (Hz).
        to: Option<f64>;
        /// Number of frequencies.
        /// 400 when left out.
        count: Option<u32>;
        /// How they are spaced; `logarithmic` when left out.
        spacing: Option<SpacingWord>;
        /// The frequencies themselves (Hz).
        values: Option<Vec<f64>>;
    } check FrequenciesTable::check
}

table! {
    /// Fewer states of the state space: exactly one of these.
    ///
    /// ```toml
    /// [response]
    /// inputs      = ["shoulder.torque"]
    /// outputs     = ["shoulder.rate"]
    /// state_space = true
    /// truncate    = { balanced = 12 }
    /// ```
    pub struct TruncateTable {
        /// Number of states with the largest Hankel singular values (balanced truncation); the machine must
        /// be stable and damped.
        balanced: Option<u32>;
        /// Number of states of the eigenvalues with the smallest |s| (modal truncation).
        modal: Option<u32>;
    } check TruncateTable::check
}

table! {
    /// The machine about poses as a linear system: modes, frequency responses, state space. See `pliant
    /// response`.
    ///
    /// Inputs are `JOINT.torque` (added to that of the drive), `JOINT.command` (of a servo or hydraulic
    /// drive), `JOINT.valve` (input of the valve of a hydraulic drive), `LINK.INTERFACE.force_x` to
    /// `moment_z` (world axes), `FORCE.push` (along a force element), `FORCE.command` (length of a
    /// cylinder) and `ground.acceleration_x` to `_z`. Outputs are `JOINT.position`, `rate`, `acceleration` on
    /// the side of the joint and `motor_position`, `motor_rate`, `motor_acceleration` on that of the motor,
    /// `JOINT.tachometer` and `JOINT.pressure` of a hydraulic drive,
    /// `JOINT.load_x` to `load_rz` (what the joint gives to its child), `LINK.INTERFACE.load_x` to `load_rz`,
    /// `GAUGE.strain`, `LINK.ELEMENT.stress.COMPONENT` and `.strain.COMPONENT` of elements in `[output]`,
    /// `LINK.INTERFACE.position_x`, `velocity_x`, `acceleration_x`, `rotation_x`, `rotation_rate_x`,
    /// `rotation_acceleration_x` and so on, and `FORCE.length`. `tip` stands for the tip of `[output]`; a
    /// joint of several coordinates is written `JOINT.COORDINATE`.
    ///
    /// ```toml
    /// [response]
    /// about       = "equilibrium"
    /// poses       = { times = [0.0, 1.0] }
    /// modes       = 8
    /// inputs      = ["shoulder.torque"]
    /// outputs     = ["tip.acceleration_z"]
    /// frequencies = { from = 1, to = 200 }
    /// ```
    pub struct ResponseTable {
        /// What the machine is linearised about.
        about: AboutWord = AboutWord::Undeformed, "undeformed";
        /// What servos do.
        servos: ServosWord = ServosWord::Closed, "closed";
        /// Where; the start of the motion when left out.
        poses: Option<PosesTable>;
        /// Poses give commands: a servo without integral stands where gravity and loads bring it from its
        /// command, as at the start of a run in equilibrium, and not where the pose has it. Needs
        /// `about = "equilibrium"`.
        commands: bool = false, "false";
        /// Number of modes that are kept.
        modes: u32 = 12, "12";
        /// Modes with damping beside those without.
        damped: bool = true, "true";
        /// Gain, phase, delay and disk margins of the loop of each servo, broken at its torque, and of each
        /// hydraulic drive, broken at the input of its valve, while the others act. A servo that samples is
        /// taken with its clock; `servos` must be `closed`.
        margins: bool = false, "false";
        /// Number of frequencies at which the open loop of each servo is kept, for Nyquist and Nichols plots,
        /// at 25 poses at most; with `margins`.
        /// 300 when left out.
        loops: Option<u32>;
        /// Static and largest dynamic compliance of the tip along the axes of the world (m/N); `[output]`
        /// must name a `tip`.
        compliance: bool = false, "false";
        /// Number of the pose, from 1, whose modes are drawn by ParaView and the report; 0 for none.
        /// 1 when left out.
        shapes: Option<Located<u32>>;
        /// Inputs by name.
        inputs: Vec<Located<String>> = Vec::new(), "[]";
        /// Outputs by name.
        outputs: Vec<Located<String>> = Vec::new(), "[]";
        /// Frequencies of the responses; no responses when left out.
        frequencies: Option<FrequenciesTable>;
        /// Keeps A, B, C, D of every pose in the results.
        state_space: bool = false, "false";
        /// Keeps a state space with fewer states beside it, with a bound of its error; needs
        /// `state_space = true`.
        truncate: Option<TruncateTable>;
    } check ResponseTable::check
}

/// Most poses of a file.
const POSES: u64 = 1_000_000;
/// Most frequencies.
const FREQUENCIES: u32 = 1_000_000;
/// Most frequencies of an open loop that are kept.
const LOOPS: u32 = 100_000;

impl TruncateTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("balanced", self.balanced.is_some()), ("modal", self.modal.is_some())]);
        for (key, count) in [("balanced", self.balanced), ("modal", self.modal)] {
            if count == Some(0) {
                context.error(context.key(key), format_args!("`{key}` must be 1 or more, found 0"));
            }
        }
    }
}

impl GridTable {
    fn check(&self, context: &mut Context<'_>) {
        context.exactly_one(&[("from", self.from.is_some()), ("from_deg", self.from_deg.is_some())]);
        context.exactly_one(&[("to", self.to.is_some()), ("to_deg", self.to_deg.is_some())]);
        if self.count == 0 {
            context.error(context.key("count"), "`count` must be 1 or more, found 0");
        }
    }
}

impl PlaneJointTable {
    fn check(&self, context: &mut Context<'_>) {
        let pairs = [
            ("near", self.near, self.near_deg),
            ("min", self.min, self.min_deg),
            ("max", self.max, self.max_deg),
        ];
        not_both(&pairs, context);
    }
}

impl PlaneTable {
    fn check(&self, context: &mut Context<'_>) {
        for (key, count) in [("columns", self.columns), ("rows", self.rows)] {
            if count < 2 {
                context.error(context.key(key), format_args!("`{key}` must be 2 or more, found {count}"));
            }
        }
        let [x, y] = [self.x, self.y];
        if let Some(far) = self.origin.iter().chain(&x).chain(&y).find(|x| x.abs() > DISTANCE) {
            let message =
                format_args!("the coordinates of a plane must be at most {DISTANCE:e} m, found {far}");
            context.error(self.source.0, message);
        }
        let normal = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Edges a millionth of a radian apart span no plane.
        if size(normal) <= 1e-6 * size(x) * size(y) {
            context.error(self.source.0, "`x` and `y` must not be zero or parallel: they span the plane");
        }
        if self.axes.is_some() && self.orientation == OrientationWord::Free {
            let message = "`axes` needs orientation = \"kept\", found \"free\"";
            context.error(context.key("axes"), message);
        }
    }
}

impl PosesTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        context.exactly_one(&[
            ("times", self.times.is_some()),
            ("points", self.points.is_some()),
            ("grid", !self.grid.is_empty()),
            ("plane", self.plane.is_some()),
            ("csv", self.csv.is_some()),
        ]);
        if let Some(times) = &self.times {
            if times.is_empty() {
                context.error(context.key("times"), "`times` must not be empty");
            }
            if let Some(pair) = times.windows(2).find(|pair| pair[1] < pair[0]) {
                context.error(
                    context.key("times"),
                    format_args!("`times` must not decrease, found {} after {}", pair[1], pair[0]),
                );
            }
            if let Some(negative) = times.iter().find(|t| **t < 0.0) {
                context.error(
                    context.key("times"),
                    format_args!("`times` must not be negative, found {negative}"),
                );
            }
        }
        if self.points == Some(0) {
            context.error(context.key("points"), "`points` must be 1 or more, found 0");
        }
        let size = self.grid.iter().fold(1u64, |size, (_, grid)| size.saturating_mul(u64::from(grid.count)));
        let plane = self.plane.as_ref().map_or(0, |plane| u64::from(plane.columns) * u64::from(plane.rows));
        let poses = size.max(plane).max(u64::from(self.points.unwrap_or(0)));
        if poses > POSES {
            context.error(span, format_args!("the number of poses must be at most {POSES}, found {poses}"));
        }
    }
}

impl FrequenciesTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        match (&self.values, self.from, self.to) {
            (Some(values), None, None) => {
                if values.is_empty() {
                    context.error(context.key("values"), "`values` must not be empty");
                }
                if self.count.is_some() || self.spacing.is_some() {
                    context.error(
                        span,
                        "`values` excludes `count` and `spacing`, which belong to `from` and `to`",
                    );
                }
                if let Some(wrong) = values.iter().find(|hz| **hz <= 0.0) {
                    let message = format_args!("`values` must be positive (Hz), found {wrong}");
                    context.error(context.key("values"), message);
                }
            }
            (None, Some(from), Some(to)) => {
                context.positive(&[("from", Some(from))]);
                if to < from {
                    let message = format_args!("`to` must not be below `from`, found {to} and {from}");
                    context.error(context.key("to"), message);
                }
                let count = self.count.unwrap_or(1);
                if count == 0 || count > FREQUENCIES {
                    let message = format_args!("`count` must be from 1 to {FREQUENCIES}, found {count}");
                    context.error(context.key("count"), message);
                }
            }
            _ => {
                context.error(span, "expected `from` and `to`, or `values`");
            }
        }
    }
}

impl ResponseTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        if self.frequencies.is_some() && (self.inputs.is_empty() || self.outputs.is_empty()) {
            context.error(context.key("frequencies"), "`frequencies` needs `inputs` and `outputs`");
        }
        if let Some(truncate) = self.truncate.as_ref().filter(|_| !self.state_space) {
            context.error(truncate.source.0, "`truncate` needs `state_space = true`");
        }
        for (key, channels) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            for (k, name) in channels.iter().enumerate() {
                if channels[..k].iter().any(|other| other.value == name.value) {
                    context.error(name.span(), format_args!("`{}` stands in `{key}` twice", name.value));
                }
            }
        }
        if self.modes == 0 {
            context.error(context.key("modes"), "`modes` must be 1 or more, found 0");
        }
        if let Some(count) = self.loops {
            if !self.margins {
                context.error(context.key("loops"), "`loops` needs `margins = true`");
            }
            if count > LOOPS {
                let message = format_args!("`loops` must be at most {LOOPS}, found {count}");
                context.error(context.key("loops"), message);
            }
        }
        if self.margins && self.servos != ServosWord::Closed {
            let found = self.servos.as_str();
            context.error(
                context.key("margins"),
                format_args!("`margins` needs `servos = \"closed\"`, found \"{found}\""),
            );
        }
        if self.commands && self.about != AboutWord::Equilibrium {
            let found = self.about.as_str();
            let message = format_args!("`commands` needs `about = \"equilibrium\"`, found \"{found}\"");
            context.error(context.key("commands"), message);
        }
        let stands = self
            .poses
            .as_ref()
            .is_some_and(|poses| !poses.grid.is_empty() || poses.plane.is_some() || poses.csv.is_some());
        if self.about == AboutWord::Motion && stands {
            context.error(
                span,
                "about = \"motion\" needs `times` or `points` of `poses`: a `grid`, `plane` or `csv` has no motion",
            );
        }
    }
}
