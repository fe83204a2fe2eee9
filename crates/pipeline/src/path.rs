//! `[path]`: the tip goes along lines and arcs, and the joints that follow it are found.

use crate::limits::DISTANCE;
use crate::link::Direction;
use crate::schema::{Context, Located};
use crate::{table, words};

words! {
    /// What a path says about the orientation of the tip.
    pub enum OrientationWord {
        /// Kept, unless a move turns it.
        Kept = "kept",
        /// Not said: only the point is guided.
        Free = "free",
    }
}

words! {
    /// How a move runs along its curve, from rest to rest.
    pub enum MoveProfileWord {
        /// Continuous acceleration.
        Cycloidal = "cycloidal",
        /// The polynomial of degree five.
        Quintic = "quintic",
        /// Constant acceleration, constant speed, constant deceleration.
        TrapezoidalVelocity = "trapezoidal-velocity",
    }
}

table! {
    /// A path of the tip in the world. Joints whose motion has `profile = "path"` follow it: their motion is
    /// found by inverse kinematics of the rigid arm.
    ///
    /// ```toml
    /// [path]
    /// tip   = "forearm.tip"
    /// from  = [1.2, -0.3, 0.5]
    /// moves = [{ to = [1.2, 0.3, 0.5], time = 1.0, dwell = 0.2 }, { by = [0, 0, -0.4], speed = 0.5 }]
    /// ```
    pub struct PathTable {
        /// The interface that goes along the path, as `"link.interface"`; that of `output.tip` when left out.
        tip: Option<Located<String>>;
        /// Where it begins (m); where the `near` values of the joints put the tip when left out.
        from: Option<[f64; 3]>;
        /// Orientation of the tip.
        orientation: OrientationWord = OrientationWord::Kept, "\"kept\"";
        /// When it begins (s).
        start: f64 = 0.0, "0";
        /// The moves, one after the other, each from rest to rest.
        moves: Vec<MoveTable>;
    } check PathTable::check
}

table! {
    /// One move: a line to a point, an arc through a point to another, lines through way-points with rounded
    /// corners, a turn, or a rest.
    ///
    /// ```toml
    /// [path]
    /// moves = [
    ///     { to = [1.2, 0.3, 0.5], via = [1.4, 0.0, 0.5], time = 1.0 },
    ///     { to = [1.0, 0.0, 0.2], through = [[1.1, 0.2, 0.4]], blend = 0.05, speed = 0.5, profile = "quintic" },
    /// ]
    /// ```
    pub struct MoveTable {
        /// Where it ends (m).
        to: Option<[f64; 3]>;
        /// How far it goes from where it begins (m), instead of `to`.
        by: Option<[f64; 3]>;
        /// A point of the circular arc that ends at `to` (m).
        via: Option<[f64; 3]>;
        /// Way-points before `to` (m).
        through: Vec<[f64; 3]> = Vec::new(), "[]";
        /// Distance from a way-point at which its corner begins to be rounded (m).
        blend: f64 = 0.0, "0";
        /// A turn of the tip about a fixed direction, beside the way.
        turn: Option<TurnTable>;
        /// x and y directions of the tip's triad at the end, instead of `turn`; it gets there by the shortest
        /// turn.
        axes: Option<[[f64; 3]; 2]>;
        /// How it runs along the curve.
        profile: MoveProfileWord = MoveProfileWord::Cycloidal, "\"cycloidal\"";
        /// How long it takes (s).
        time: Option<f64>;
        /// Highest speed of the tip (m/s), instead of `time`.
        speed: Option<f64>;
        /// Length of the acceleration and of the deceleration of a trapezoidal profile (s); a quarter of the
        /// time when left out.
        accelerate: Option<f64>;
        /// Rest at the end (s).
        dwell: f64 = 0.0, "0";
    } check MoveTable::check
}

table! {
    /// A turn about a direction of the world.
    ///
    /// ```toml
    /// [path]
    /// moves = [{ by = [0, 0.3, 0], turn = { axis = "z", angle_deg = 90 }, time = 1.0 }]
    /// ```
    pub struct TurnTable {
        /// The direction.
        axis: Direction;
        /// The angle (degrees).
        angle_deg: f64;
    }
}

impl PathTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.moves.is_empty() {
            context.error(context.key("moves"), "`moves` needs at least one move, found none");
        }
        context.not_negative(&[("start", Some(self.start))]);
    }
}

impl MoveTable {
    /// False when it is only a rest.
    pub fn moves_something(&self) -> bool {
        self.to.is_some() || self.by.is_some() || self.turn.is_some() || self.axes.is_some()
    }

    fn check(&self, context: &mut Context<'_>) {
        let span = self.source.0;
        if self.to.is_some() && self.by.is_some() {
            context.error(span, "`to` and `by` exclude each other: give one");
        }
        let goes = self.to.is_some() || self.by.is_some();
        if !goes && (self.via.is_some() || !self.through.is_empty()) {
            context.error(span, "a move with `via` or `through` needs its end: `to` or `by`");
        }
        if self.via.is_some() && !self.through.is_empty() {
            context.error(
                context.key("via"),
                "`via` (an arc) and `through` (lines) exclude each other: give one",
            );
        }
        if self.turn.is_some() && self.axes.is_some() {
            context.error(span, "`turn` and `axes` exclude each other: give one");
        }
        let moves = self.moves_something();
        if moves {
            context.exactly_one(&[("time", self.time.is_some()), ("speed", self.speed.is_some())]);
        }
        let ends = self.to.iter().chain(&self.by).chain(&self.via).chain(&self.through);
        if let Some(x) = ends.flatten().find(|x| x.abs() > DISTANCE) {
            let message = format_args!("the coordinates of a path must be at most {DISTANCE:e} m, found {x}");
            context.error(span, message);
        }
        if !moves && (self.time.is_some() || self.speed.is_some() || self.dwell == 0.0) {
            context.error(
                span,
                "this move changes nothing: give `to`, `by`, `turn` or `axes`, or `dwell` for a rest",
            );
        }
        if self.speed.is_some() && !goes {
            context.error(
                context.key("speed"),
                "`speed` needs `to` or `by`; a turn without translation takes `time`",
            );
        }
        let positive = [("time", self.time), ("speed", self.speed), ("accelerate", self.accelerate)];
        context.positive(&positive);
        context.not_negative(&[("blend", Some(self.blend)), ("dwell", Some(self.dwell))]);
        if self.accelerate.is_some() && self.profile != MoveProfileWord::TrapezoidalVelocity {
            let found = self.profile.as_str();
            let message =
                format_args!("`accelerate` needs profile = \"trapezoidal-velocity\", found \"{found}\"");
            context.error(context.key("accelerate"), message);
        }
    }
}
