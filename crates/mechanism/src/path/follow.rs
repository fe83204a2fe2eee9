//! Joint motions that keep the tip on its path.

use std::sync::{Arc, Mutex, PoisonError};

use super::chain::{Chain, Source};
use super::error::PathError;
use super::inverse::Inverse;
use super::tip_path::{Orientation, TipPath};
use crate::{CoordinateRef, Drive, InterfaceRef, Model, Motion, MotionSample};

/// Below this ratio of singular values the arm counts as singular.
const SINGULAR: f64 = 1e-6;

/// Between two knots no joint may move further than this (rad; lengths: this share of the reach), or it has
/// turned over.
const JUMP: f64 = 0.5;

/// Knots of the table of guesses: enough that cubic interpolation starts Newton within its quadratic range.
const KNOTS: usize = 1000;

/// A joint coordinate that follows the path.
#[derive(Clone, Debug)]
pub struct Follower {
    /// Which; of a joint that carries a body.
    pub at: CoordinateRef,
    /// About where it starts (rad, m).
    pub near: f64,
    /// Least and most allowed (rad, m).
    pub range: (f64, f64),
}

/// What makes a path, once it is known where the tip is.
#[derive(Debug)]
pub struct PathSpec {
    /// Interface that goes along the path.
    pub tip: InterfaceRef,
    /// What it guides.
    pub orientation: Orientation,
    /// The joints that follow, at most six.
    pub followers: Vec<Follower>,
}

/// Finds the motions of the followers and gives them to the model. `path` makes the path from the pose that
/// the followers' approximate values give.
///
/// # Errors
/// What keeps the arm from following, with the location on the path, and the errors of `path`.
pub fn follow<E: From<PathError>>(
    model: &mut Model,
    spec: &PathSpec,
    path: impl FnOnce(&pliant_spatial::Transform) -> Result<TipPath, E>,
) -> Result<(), E> {
    let rows = spec.orientation.rows();
    let unknowns = spec.followers.len();
    if unknowns == 0 || unknowns > rows {
        let error = match unknowns {
            0 => PathError::NoFollower,
            _ => PathError::TooManyFollowers { unknowns, equations: rows },
        };
        return Err(error.into());
    }
    let names: Vec<String> = spec.followers.iter().map(|f| model.joint(f.at.joint).name.to_owned()).collect();
    let mut seen = vec![false; unknowns];
    let chain = Chain::new(model, spec.tip, |at, drive| {
        if let Some(k) = spec.followers.iter().position(|f| f.at == at) {
            seen[k] = true;
            return Ok(Source::Path(k));
        }
        match drive.command() {
            Some(motion) => Ok(Source::Motion(Arc::clone(motion))),
            None => Err(PathError::NoMotion { joint: model.joint(at.joint).name.to_owned() }),
        }
    })?;
    if let Some(k) = seen.iter().position(|seen| !seen) {
        return Err(PathError::NotInChain { joint: names[k].clone() }.into());
    }
    let mut near = [0.0; 6];
    for (near, follower) in near.iter_mut().zip(&spec.followers) {
        *near = follower.near;
    }
    let inverse = Inverse { chain, orientation: spec.orientation, unknowns };
    let path = path(&inverse.chain.at(0.0, &near.map(MotionSample::rest)).X)?;
    let solution = Arc::new(Solution::new(inverse, path, near, spec, &names)?);
    for (index, follower) in spec.followers.iter().enumerate() {
        let motion: Arc<dyn Motion> = Arc::new(PathMotion { solution: Arc::clone(&solution), index });
        let coordinate = model.coordinate_mut(follower.at).expect("invariant: the chain has the coordinate");
        let drive = &mut coordinate.drive;
        match drive {
            Drive::Servo(servo) => servo.follow = motion,
            Drive::Hydraulic(drive) => drive.follow = motion,
            Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) => *drive = Drive::Prescribed(motion),
        }
    }
    Ok(())
}

/// A path with a table of guesses for the unknowns.
#[derive(Debug)]
struct Solution {
    inverse: Inverse,
    path: TipPath,
    /// Values and rates at equal times from 0 to the end.
    knots: Vec<[MotionSample; 6]>,
    spacing: f64,
    /// The samples asked for last: each joint asks for the same time.
    last: Mutex<(f64, [MotionSample; 6])>,
}

impl Solution {
    fn new(
        inverse: Inverse,
        path: TipPath,
        near: [f64; 6],
        spec: &PathSpec,
        names: &[String],
    ) -> Result<Self, PathError> {
        let spacing = path.end().max(1e-9) / KNOTS as f64;
        let mut knots: Vec<[MotionSample; 6]> = Vec::with_capacity(KNOTS + 1);
        for knot in 0..=KNOTS {
            let t = knot as f64 * spacing;
            let target = path.at(t);
            let before = knots.last().copied();
            let guess = before.map_or(near, |s: [MotionSample; 6]| s.map(|s| s.value + s.rate * spacing));
            let q = inverse.pose(t, &target.X, guess).map_err(|miss| PathError::Unreachable {
                point: path.point(t),
                miss: miss.distance,
                turn: miss.angle,
                unknowns: spec.followers.len(),
                equations: spec.orientation.rows(),
            })?;
            let ratio = inverse.conditioning(t, q);
            let samples = inverse.rates(t, &target, q).filter(|_| ratio > SINGULAR);
            let Some(samples) = samples else {
                return Err(PathError::Singular { point: path.point(t), ratio });
            };
            for (k, follower) in spec.followers.iter().enumerate() {
                let (value, (least, most)) = (q[k], follower.range);
                let (joint, point) = (names[k].clone(), path.point(t));
                if value < least || value > most {
                    return Err(PathError::OutOfRange { joint, point, value, least, most });
                }
                let step = before.map_or(0.0, |before| (value - before[k].value).abs());
                if step > JUMP * inverse.chain.reach.max(1.0) {
                    return Err(PathError::Jump { joint, point, step });
                }
            }
            // Fewer joints than equations: the pose fits, and the velocity must as well.
            let speed = target.velocity[0].norm().max(target.velocity[1].norm() * inverse.chain.reach);
            let miss = inverse.velocity_miss(t, &target, &samples);
            if miss > 1e-8 * speed.max(1e-6) {
                let point = path.point(t);
                let unknowns = spec.followers.len();
                return Err(PathError::WrongVelocity {
                    point,
                    miss,
                    unknowns,
                    equations: spec.orientation.rows(),
                });
            }
            knots.push(samples);
        }
        let last = Mutex::new((f64::NAN, knots[0]));
        Ok(Self { inverse, path, knots, spacing, last })
    }

    /// Samples of all unknowns at `t`: a pure function of `t`.
    fn at(&self, t: f64) -> [MotionSample; 6] {
        {
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.0 == t {
                return last.1;
            }
        }
        let clamped = t.clamp(0.0, self.path.end());
        let target = self.path.at(clamped);
        let guess = self.guess(clamped);
        // The knots have been solved: what is left is the error of a cubic between them.
        let q = self.inverse.pose(clamped, &target.X, guess).unwrap_or(guess);
        let samples = self.inverse.rates(clamped, &target, q).unwrap_or_else(|| q.map(MotionSample::rest));
        let samples = if t == clamped { samples } else { samples.map(|s| MotionSample::rest(s.value)) };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (t, samples);
        samples
    }

    /// Cubic Hermite interpolation between the knots.
    fn guess(&self, t: f64) -> [f64; 6] {
        let index = ((t / self.spacing) as usize).min(self.knots.len() - 2);
        let x = t / self.spacing - index as f64;
        let (a, b) = (&self.knots[index], &self.knots[index + 1]);
        let h = self.spacing;
        std::array::from_fn(|k| {
            let (a, b) = (a[k], b[k]);
            let (m0, m1) = (a.rate * h, b.rate * h);
            let d = b.value - a.value;
            a.value + x * (m0 + x * (3.0 * d - 2.0 * m0 - m1 + x * (m0 + m1 - 2.0 * d)))
        })
    }
}

/// The share of one joint.
#[derive(Debug)]
struct PathMotion {
    solution: Arc<Solution>,
    index: usize,
}

impl Motion for PathMotion {
    fn at(&self, t: f64) -> MotionSample {
        self.solution.at(t)[self.index]
    }

    fn end(&self) -> f64 {
        self.solution.path.end()
    }

    fn kinks(&self) -> Vec<f64> {
        self.solution.path.kinks()
    }
}
