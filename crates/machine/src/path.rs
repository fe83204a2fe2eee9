//! The path of the tip, and the joints that follow it.

use std::cell::Cell;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_mechanism::motion::{Cycloidal, Quintic, TrapezoidalVelocity};
use pliant_mechanism::path::{Curve, Follower, Move, Orientation, PathError, PathSpec, TipPath, follow};
use pliant_mechanism::{Attachment, Model, Motion, rotation_from_axes};
use pliant_pipeline::joint::{DriveSpec, JointTable};
use pliant_pipeline::motion::{MotionSpec, PathShareTable};
use pliant_pipeline::path::{MoveProfileWord, MoveTable, OrientationWord, PathTable};
use pliant_spatial::{Transform, rotation_log};

use crate::attachment::interface;
use crate::machine::Machine;
use crate::motion::scalar;
use crate::problems::Problems;

/// A path before the arm is known.
#[derive(Debug)]
pub(crate) struct PlannedPath {
    table: PathTable,
    tip: (String, String),
    followers: Vec<PlannedFollower>,
}

/// A joint coordinate that follows.
#[derive(Debug)]
struct PlannedFollower {
    joint: String,
    coordinate: usize,
    near: f64,
    range: (f64, f64),
}

/// The share of a joint coordinate in the path, when it has one.
fn share(joint: &JointTable, coordinate: &str) -> Option<PathShareTable> {
    let given = joint.coordinate(coordinate)?;
    let Some(DriveSpec::Driven(drive)) = &given.drive else { return None };
    let spec = drive.motion.as_ref();
    let spec = spec.or(drive.servo.as_ref().map(|servo| &servo.follow));
    let spec = spec.or(drive.hydraulic.as_ref().map(|hydraulic| &hydraulic.follow))?;
    match spec {
        MotionSpec::Path(share) => Some(share.clone()),
        _ => None,
    }
}

/// The path of a file; `Some(None)` when it has none.
pub(crate) fn planned(table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<Option<PlannedPath>> {
    let mut followers = Vec::new();
    for (name, joint) in table.joints.iter() {
        for (coordinate, word) in joint.type_.coordinates().iter().enumerate() {
            let Some(share) = share(joint, word) else { continue };
            let span = share.source.0;
            if table.path.is_none() {
                let hint = "add [path] with `moves`";
                return problems.error_with_hint(
                    span,
                    "profile = \"path\" needs `[path]`, and the file has none",
                    hint,
                );
            }
            let is_angle = word.starts_with("angle") || word.starts_with("rotation");
            let bound = |plain: Option<f64>, degrees: Option<f64>, none: f64| {
                plain.or(degrees.map(f64::to_radians)).unwrap_or(none)
            };
            let near = scalar(share.near, share.near_deg, is_angle, span, problems)?;
            let range = (
                bound(share.min, share.min_deg, f64::NEG_INFINITY),
                bound(share.max, share.max_deg, f64::INFINITY),
            );
            if range.0 >= range.1 {
                return problems.error(
                    span,
                    format!("`min` must be below `max`, found {} and {} (rad, m)", range.0, range.1),
                );
            }
            followers.push(PlannedFollower { joint: name.to_owned(), coordinate, near, range });
        }
    }
    let Some(path) = &table.path else { return Some(None) };
    let tip = path.tip.as_ref().or(table.output.as_ref().and_then(|output| output.tip.as_ref()));
    let Some(tip) = tip else {
        return problems.error(path.source.0, "`[path]` needs `tip`: the interface that follows the path");
    };
    let Attachment::Interface { link, interface } = interface(tip, table, problems)? else {
        return Some(None);
    };
    Some(Some(PlannedPath { table: path.clone(), tip: (link, interface), followers }))
}

impl PlannedPath {
    /// Where the table stands.
    pub(crate) fn span(&self) -> Option<Span> {
        self.table.source.0
    }

    /// Gives the followers their motions.
    pub(crate) fn solve(&self, model: &mut Model) -> Result<(), Diagnostics> {
        let missing = || {
            Diagnostics::from_iter([
                Diagnostic::error("the tip of the path is not part of the machine").at(self.span())
            ])
        };
        let tip = model.interface(&self.tip.0, &self.tip.1).ok_or_else(missing)?;
        let followers = self.followers.iter().map(|f| {
            let at = model.joint_coordinate(&f.joint, f.coordinate).ok_or_else(missing)?;
            Ok(Follower { at, near: f.near, range: f.range })
        });
        let orientation = match self.table.orientation {
            OrientationWord::Kept => Orientation::Guided,
            OrientationWord::Free => Orientation::Free,
        };
        let spec = PathSpec { tip, orientation, followers: followers.collect::<Result<_, Diagnostics>>()? };
        let begin = Cell::new(Transform::identity());
        let made = |X: &Transform| {
            begin.set(*X);
            self.tip_path(X, orientation)
        };
        let followed = follow(model, &spec, made).and_then(|()| self.tip_path(&begin.get(), orientation));
        let path = followed.map_err(|error| {
            Diagnostics::from_iter([match error {
                PathProblem::Move(problem) => *problem,
                PathProblem::Path(error) => Diagnostic::error(error.to_string()).at(self.span()),
            }])
        })?;
        model.set_tip_path(tip, Arc::new(path));
        Ok(())
    }

    /// The moves, beginning at the pose `X` of the tip, or at `from` with its orientation.
    fn tip_path(&self, X: &Transform, orientation: Orientation) -> Result<TipPath, PathProblem> {
        let mut X = Transform::new(X.R, self.table.from.map_or(X.p, Vector3::from));
        let mut start = self.table.start;
        let mut moves = Vec::new();
        for (i, table) in self.table.moves.iter().enumerate() {
            let error = |mut problem: Box<Diagnostic>| {
                problem.message = format!("move {}: {}", i + 1, problem.message);
                PathProblem::Move(Box::new(problem.at(table.source.0)))
            };
            if table.moves_something() {
                let made = made(i + 1, table, &X, start).map_err(error)?;
                start = made.profile.end();
                X = made.end();
                moves.push(made);
            }
            start += table.dwell;
        }
        if moves.is_empty() {
            let message = "every one of the `moves` is a rest";
            return Err(PathProblem::Move(Box::new(Diagnostic::error(message).at(self.span()))));
        }
        Ok(TipPath { moves, orientation })
    }
}

/// What is wrong with a path: a move of it, or that the arm cannot follow it.
enum PathProblem {
    Move(Box<Diagnostic>),
    Path(PathError),
}

impl From<PathError> for PathProblem {
    fn from(error: PathError) -> Self {
        Self::Path(error)
    }
}

/// One move from a pose, beginning at `start`.
fn made(number: usize, table: &MoveTable, X: &Transform, start: f64) -> Result<Move, Box<Diagnostic>> {
    let (from, R) = (X.p, X.R);
    let to = table.to.map(Vector3::from).or(table.by.map(|by| from + Vector3::from(by)));
    let curve = match (to, table.via) {
        (None, _) => Curve::default(),
        (Some(to), Some(via)) => Curve::arc(from, via.into(), to)
            .ok_or_else(|| Diagnostic::boxed("the three points of the arc lie on a line: leave out `via`"))?,
        (Some(to), None) => {
            let between = table.through.iter().map(|p| Vector3::from(*p));
            let points: Vec<_> = std::iter::once(from).chain(between).chain([to]).collect();
            Curve::through(&points, table.blend).map_err(|error| Diagnostic::boxed(error.to_string()))?
        }
    };
    let turn = match (&table.turn, table.axes) {
        (Some(turn), _) => Vector3::from(turn.axis.0).normalize() * turn.angle_deg.to_radians(),
        (None, Some([x, y])) => {
            let R_end = rotation_from_axes(x.into(), y.into())
                .ok_or_else(|| Diagnostic::boxed("`axes` needs two directions that are not parallel"))?;
            rotation_log(&(R_end * R.transpose()))
        }
        (None, None) => Vector3::zeros(),
    };
    let length = curve.length();
    if table.speed.is_some() && length == 0.0 {
        return Err(Diagnostic::boxed(
            "the move ends where it begins, so that `speed` defines no duration: give `time`",
        ));
    }
    let profile = profile(table, length, start)?;
    Ok(Move { number, curve, point: from, R, turn, profile, start })
}

/// The share of a move that is done, over time. A peak speed v over a length L takes L/v times the ratio of
/// peak to mean rate of the profile: 2 (cycloidal), 15/8 (quintic).
fn profile(table: &MoveTable, length: f64, start: f64) -> Result<Box<dyn Motion>, Box<Diagnostic>> {
    let missing = || Diagnostic::boxed("`time` or `speed` is missing");
    let duration = |peak: f64| table.time.or(table.speed.map(|v| peak * length / v)).ok_or_else(missing);
    let (from, to) = (0.0, 1.0);
    match table.profile {
        MoveProfileWord::Cycloidal => Ok(Box::new(Cycloidal { from, to, start, duration: duration(2.0)? })),
        MoveProfileWord::Quintic => {
            Ok(Box::new(Quintic { from, to, start, duration: duration(15.0 / 8.0)? }))
        }
        MoveProfileWord::TrapezoidalVelocity => {
            let total = match (table.time, table.speed, table.accelerate) {
                (Some(time), _, _) => time,
                // With a quarter of the time at each end the peak is 4/3 of the mean.
                (None, Some(speed), None) => length / speed * 4.0 / 3.0,
                (None, Some(speed), Some(accelerate)) => length / speed + accelerate,
                (None, None, _) => return Err(missing()),
            };
            let ramp = table.accelerate.unwrap_or(total / 4.0);
            let cruise = total - 2.0 * ramp;
            let made = TrapezoidalVelocity::new(from, to, start, ramp, cruise, ramp, 0.0);
            let message = format!(
                "the move takes {total:.4} s, less than its acceleration and deceleration of {ramp:.4} s each"
            );
            made.map(|motion| Box::new(motion) as Box<dyn Motion>).ok_or_else(|| Diagnostic::boxed(message))
        }
    }
}
