//! The pose of the tip at any time, with its derivatives.

use nalgebra::{Matrix3, Vector3};
use pliant_spatial::{Transform, rotation_exp};

use super::Curve;
use super::error::PathPoint;
use crate::{Motion, MotionSample};

/// What a path says about the orientation of the tip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Nothing: only the point is guided.
    Free,
    /// It is kept or turned as the moves say.
    #[default]
    Guided,
}

impl Orientation {
    /// Number of pose equations.
    pub fn rows(self) -> usize {
        match self {
            Self::Free => 3,
            Self::Guided => 6,
        }
    }
}

/// A move from rest to rest.
#[derive(Debug)]
pub struct Move {
    /// Its number for messages, counted from 1.
    pub number: usize,
    /// Where the point goes; empty when it rests.
    pub curve: Curve,
    /// Where the point is when the curve has no length.
    pub point: Vector3<f64>,
    /// Orientation at the begin.
    pub R: Matrix3<f64>,
    /// Turn during the move: rotation vector in the world.
    pub turn: Vector3<f64>,
    /// Share of the move that is done, from 0 to 1.
    pub profile: Box<dyn Motion>,
    /// When it begins (s).
    pub start: f64,
}

impl Move {
    /// Pose at its end.
    pub fn end(&self) -> Transform {
        let p = self.curve.at(self.curve.length()).map_or(self.point, |[p, _, _]| p);
        Transform::new(rotation_exp(&self.turn) * self.R, p)
    }
}

/// Pose of the tip with its derivatives, in the world.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Pose.
    pub X: Transform,
    /// Velocity of the point and angular velocity.
    pub velocity: [Vector3<f64>; 2],
    /// Acceleration of the point and angular acceleration.
    pub acceleration: [Vector3<f64>; 2],
}

/// A sequence of moves, at least one.
#[derive(Debug)]
pub struct TipPath {
    /// Moves in order of time.
    pub moves: Vec<Move>,
    /// What it guides.
    pub orientation: Orientation,
}

impl TipPath {
    /// When it is over (s).
    pub fn end(&self) -> f64 {
        self.moves.last().map_or(0.0, |m| m.profile.end())
    }

    fn active(&self, t: f64) -> usize {
        self.moves.iter().rposition(|m| t >= m.start).unwrap_or(0)
    }

    /// Pose and derivatives at `t`: p = c(S·f(t)), R = exp(f(t)·turn)·R₀.
    pub fn at(&self, t: f64) -> Target {
        let m = &self.moves[self.active(t)];
        let MotionSample { value, rate, acceleration } = m.profile.at(t);
        let length = m.curve.length();
        let [p, tangent, bend] =
            m.curve.at(length * value).unwrap_or([m.point, Vector3::zeros(), Vector3::zeros()]);
        let (s_rate, s_acceleration) = (length * rate, length * acceleration);
        Target {
            X: Transform::new(rotation_exp(&(m.turn * value)) * m.R, p),
            velocity: [tangent * s_rate, m.turn * rate],
            acceleration: [tangent * s_acceleration + bend * (s_rate * s_rate), m.turn * acceleration],
        }
    }

    /// The point reached at `t`, for messages.
    pub fn point(&self, t: f64) -> PathPoint {
        let m = &self.moves[self.active(t)];
        let distance = m.curve.length() * m.profile.at(t).value;
        PathPoint { number: m.number, t, distance, point: self.at(t).X.p.into() }
    }

    /// Times at which the acceleration jumps: those of the profiles, and where the curvature does.
    pub(crate) fn kinks(&self) -> Vec<f64> {
        let mut kinks = Vec::new();
        for m in &self.moves {
            kinks.extend(m.profile.kinks());
            let length = m.curve.length();
            kinks.extend(m.curve.joints().map(|s| time_of(&*m.profile, m.start, s / length)));
        }
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        kinks
    }
}

/// When a profile that never goes back has reached `share`, by bisection to the last bit.
fn time_of(profile: &dyn Motion, start: f64, share: f64) -> f64 {
    let (mut low, mut high) = (start, profile.end());
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if profile.at(middle).value < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}
