//! `[response]`: the machine in the frequency domain.

use std::path::PathBuf;

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
    /// Where the machine is looked at: exactly one of these.
    pub struct PosesTable {
        /// Times of the motion (s).
        times: Option<Vec<f64>>;
        /// Number of points along the motion, evenly from the start to `end` of the analysis.
        points: Option<u32>;
        /// A grid over commanded joints, by their names; the last one changes fastest. Joints that are not
        /// named stay where they start.
        grid: Named<GridTable>;
        /// A CSV file: a column for each joint, headed by its name (rad, m) or by its name and `_deg`; a row
        /// for each pose.
        csv: Option<Located<PathBuf>>;
    } check PosesTable::check
}

table! {
    /// Frequencies of responses: `from`, `to` and `count`, or `values`.
    pub struct FrequenciesTable {
        /// First (Hz).
        from: Option<f64>;
        /// Last (Hz).
        to: Option<f64>;
        /// Number of frequencies.
        count: u32 = 400, "400";
        /// How they are spaced.
        spacing: SpacingWord = SpacingWord::Logarithmic, "logarithmic";
        /// The frequencies themselves (Hz).
        values: Option<Vec<f64>>;
    } check FrequenciesTable::check
}

table! {
    /// Fewer states of the state space: exactly one of these.
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
        loops: u32 = 300, "300";
        /// Static and largest dynamic compliance of the tip along the axes of the world (m/N); `[output]`
        /// must name a `tip`.
        compliance: bool = false, "false";
        /// Number of the pose, from 1, whose modes are drawn by ParaView and the report; 0 for none.
        shapes: u32 = 1, "1";
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

impl TruncateTable {
    fn check(&self, context: &mut Context<'_>) {
        let found = usize::from(self.balanced.is_some()) + usize::from(self.modal.is_some());
        if found != 1 {
            let message = "expected exactly one of `balanced` and `modal`";
            context.error(self.source.0, format_args!("{message}, found {found}"));
        }
        for (key, count) in [("balanced", self.balanced), ("modal", self.modal)] {
            if count == Some(0) {
                context.error(self.source.0, format_args!("`{key}` must be 1 or more, found 0"));
            }
        }
    }
}

impl GridTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        for (name, plain, degrees) in [("from", self.from, self.from_deg), ("to", self.to, self.to_deg)] {
            if plain.is_some() == degrees.is_some() {
                context.error(span, format_args!("expected one of `{name}` and `{name}_deg`"));
            }
        }
        if self.count == 0 {
            context.error(span, "`count` must be 1 or more, found 0");
        }
    }
}

impl PosesTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        let given = [self.times.is_some(), self.points.is_some(), !self.grid.is_empty(), self.csv.is_some()];
        let found = given.iter().filter(|given| **given).count();
        if found != 1 {
            let message = "expected exactly one of `times`, `points`, `grid` and `csv`";
            context.error(span, format_args!("{message}, found {found}"));
        }
        if let Some(times) = &self.times {
            if times.is_empty() {
                context.error(span, "`times` must not be empty");
            }
            if let Some(pair) = times.windows(2).find(|pair| pair[1] < pair[0]) {
                context
                    .error(span, format_args!("`times` must not fall, found {} after {}", pair[1], pair[0]));
            }
            if let Some(negative) = times.iter().find(|t| **t < 0.0) {
                context.error(span, format_args!("`times` must not be negative, found {negative}"));
            }
        }
        if self.points == Some(0) {
            context.error(span, "`points` must be 1 or more, found 0");
        }
        let size = self.grid.iter().fold(1u64, |size, (_, grid)| size.saturating_mul(u64::from(grid.count)));
        let poses = size.max(u64::from(self.points.unwrap_or(0)));
        if poses > POSES {
            context.error(span, format_args!("at most {POSES} poses, found {poses}"));
        }
    }
}

impl FrequenciesTable {
    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        match (&self.values, self.from, self.to) {
            (Some(values), None, None) => {
                if let Some(wrong) = values.iter().find(|hz| **hz <= 0.0) {
                    context.error(span, format_args!("frequencies must be positive, found {wrong}"));
                }
            }
            (None, Some(from), Some(to)) => {
                if from <= 0.0 || to < from {
                    let message = "`from` must be positive and `to` not below it";
                    context.error(span, format_args!("{message}, found {from} and {to}"));
                }
                if self.count == 0 || self.count > FREQUENCIES {
                    context.error(
                        span,
                        format_args!("`count` must be 1 to {FREQUENCIES}, found {}", self.count),
                    );
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
            context.error(span, "`frequencies` need `inputs` and `outputs`");
        }
        if let Some(truncate) = self.truncate.as_ref().filter(|_| !self.state_space) {
            context.error(truncate.source.0, "`truncate` needs `state_space = true`");
        }
        if self.margins && self.servos != ServosWord::Closed {
            let found = self.servos.as_str();
            context.error(span, format_args!("`margins` need `servos = \"closed\"`, found \"{found}\""));
        }
        if self.commands && self.about != AboutWord::Equilibrium {
            let found = self.about.as_str();
            context
                .error(span, format_args!("`commands` needs `about = \"equilibrium\"`, found \"{found}\""));
        }
        let by_joints =
            self.poses.as_ref().is_some_and(|poses| !poses.grid.is_empty() || poses.csv.is_some());
        if self.about == AboutWord::Motion && by_joints {
            context.error(span, "a `grid` or `csv` of poses has no motion: `about` cannot be `motion`");
        }
    }
}
