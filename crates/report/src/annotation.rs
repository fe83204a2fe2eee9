//! What is drawn on a machine beside its parts: triads, arrows of forces and moments, marks, paths.

use serde::Serialize;

use crate::array::{Arrays, Reference};
use crate::quantity::{Scale, largest};

/// Axes of a frame of a link: of an interface, or of the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triad {
    /// Name, shown beside it.
    pub name: String,
    /// Which link; `None`: the ground, whose frame is the world.
    pub part: Option<usize>,
    /// Rows of [R | p] in the link frame (m).
    pub pose: [f32; 12],
}

/// What an arrow stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrowKind {
    /// Acts on the machine from outside.
    #[default]
    Load,
    /// What a joint gives to its child.
    Reaction,
}

/// A force and a moment at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrow {
    /// Name, shown under the pointer.
    pub name: String,
    /// What it is.
    pub kind: ArrowKind,
    /// Which link it moves with; `None`: the ground.
    pub part: Option<usize>,
    /// Where, in the link frame (m).
    pub point: [f32; 3],
    /// Displacement of the point in each frame, in link axes (m); empty where it has none.
    pub moved: Vec<[f32; 3]>,
    /// Force (N) in the world, in each frame.
    pub forces: Vec<[f32; 3]>,
    /// Moment (N m) in the world, in each frame.
    pub moments: Vec<[f32; 3]>,
}

/// A point to look at, as that of a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// What the pin shows.
    pub label: String,
    /// In words.
    pub text: String,
    /// True for an error.
    pub is_error: bool,
    /// Which link; `None`: the ground.
    pub part: Option<usize>,
    /// Where, in the link frame (m).
    pub point: [f32; 3],
}

/// A way in the world (m).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Where the machine with rigid links goes.
    pub nominal: Vec<[f32; 3]>,
    /// How the flexible one is off.
    pub error: Vec<[f32; 3]>,
}

#[derive(Serialize)]
pub(crate) struct TriadData {
    name: String,
    part: Option<usize>,
    pose: Vec<f32>,
}

#[derive(Serialize)]
pub(crate) struct ArrowData {
    name: String,
    kind: ArrowKind,
    part: Option<usize>,
    point: [f32; 3],
    moved: Reference,
    forces: Reference,
    moments: Reference,
}

/// Largest values of the arrows of a machine, by which they are drawn, and how they are read.
#[derive(Serialize)]
pub(crate) struct ArrowScale {
    /// N.
    force: f64,
    /// N m.
    moment: f64,
    units: [String; 2],
    factors: [f64; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarkData {
    label: String,
    text: String,
    is_error: bool,
    part: Option<usize>,
    point: [f32; 3],
}

#[derive(Serialize)]
pub(crate) struct PathData {
    nominal: Reference,
    error: Reference,
}

impl Triad {
    pub(crate) fn into_data(self) -> TriadData {
        TriadData { name: self.name, part: self.part, pose: self.pose.to_vec() }
    }
}

impl Arrow {
    /// True when it has its numbers in all frames, and its link is one of so many.
    pub(crate) fn is_complete(&self, frames: usize, parts: usize) -> bool {
        let moved = self.moved.is_empty() || self.moved.len() == frames;
        let numbers = self.forces.len() == frames && self.moments.len() == frames;
        moved && numbers && self.part.is_none_or(|part| part < parts)
    }

    pub(crate) fn into_data(self, arrays: &mut Arrays) -> ArrowData {
        ArrowData {
            name: self.name,
            kind: self.kind,
            part: self.part,
            point: self.point,
            moved: arrays.f32(self.moved.as_flattened()),
            forces: arrays.f32(self.forces.as_flattened()),
            moments: arrays.f32(self.moments.as_flattened()),
        }
    }
}

impl ArrowScale {
    pub(crate) fn of(arrows: &[Arrow]) -> Self {
        let size = |vectors: fn(&Arrow) -> &Vec<[f32; 3]>| {
            let all = arrows.iter().flat_map(vectors);
            largest(
                &all.map(|v| v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()).collect::<Vec<_>>(),
            )
        };
        let (force, moment) = (size(|arrow| &arrow.forces), size(|arrow| &arrow.moments));
        let (in_force, in_moment) = (Scale::of(force, "N"), Scale::of(moment, "N m"));
        Self {
            force,
            moment,
            factors: [in_force.factor, in_moment.factor],
            units: [in_force.units, in_moment.units],
        }
    }
}

impl Mark {
    pub(crate) fn into_data(self) -> MarkData {
        let Self { label, text, is_error, part, point } = self;
        MarkData { label, text, is_error, part, point }
    }
}

impl Path {
    /// True when there is something to draw.
    pub(crate) fn is_drawable(&self) -> bool {
        self.nominal.len() > 1 && self.nominal.len() == self.error.len()
    }

    pub(crate) fn into_data(self, arrays: &mut Arrays) -> PathData {
        PathData {
            nominal: arrays.f32(self.nominal.as_flattened()),
            error: arrays.f32(self.error.as_flattened()),
        }
    }
}
