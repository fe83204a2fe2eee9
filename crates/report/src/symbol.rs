//! What a machine has besides its links: joints, rods, springs, cylinders, payloads, where it stands on the
//! ground.

use serde::Serialize;

use crate::array::{Arrays, Reference};

/// A joint, rod, spring, cylinder, bushing, guide or payload.
#[derive(Clone, Debug, Default)]
pub struct Symbol {
    /// Name, shown under the pointer.
    pub name: String,
    /// `revolute`, `rod`, `payload`, …; one that is not known is drawn as a line.
    pub kind: String,
    /// Where it begins and ends; twice the same of a payload.
    pub ends: [SymbolEnd; 2],
    /// Axis of a joint in the frame of the link of its second end; zero without one.
    pub axis: [f32; 3],
    /// Radius of a payload (m).
    pub radius: f64,
    /// Which of the machines in one picture, from 0.
    pub group: usize,
}

/// A point of a link, and the interface it is on.
#[derive(Clone, Debug, Default)]
pub struct SymbolEnd {
    /// Which link; `None`: the ground, whose frame is the world.
    pub part: Option<usize>,
    /// The interface, in the link frame (m).
    pub interface: [f32; 3],
    /// The point, in the link frame (m).
    pub point: [f32; 3],
    /// Displacement of the interface in each frame, in link axes (m); empty on the ground, and where nothing
    /// deforms.
    pub interface_moved: Vec<[f32; 3]>,
    /// The same of the point.
    pub point_moved: Vec<[f32; 3]>,
}

#[derive(Serialize)]
pub(crate) struct SymbolData {
    name: String,
    kind: String,
    group: usize,
    axis: [f32; 3],
    radius: f64,
    ends: Vec<EndData>,
}

#[derive(Serialize)]
struct EndData {
    part: Option<usize>,
    interface: [f32; 3],
    point: [f32; 3],
    /// Six numbers for each frame: displacement of the interface, of the point.
    moved: Reference,
}

impl Symbol {
    /// True when both ends have their displacements in all frames.
    pub(crate) fn is_complete(&self, frames: usize, parts: usize) -> bool {
        let complete = |moved: &[[f32; 3]]| moved.is_empty() || moved.len() == frames;
        self.ends.iter().all(|end| {
            let moves = complete(&end.interface_moved) && complete(&end.point_moved);
            end.part.is_none_or(|part| part < parts && moves)
        })
    }

    pub(crate) fn into_data(self, arrays: &mut Arrays) -> SymbolData {
        let end = |end: SymbolEnd| {
            let both = end.interface_moved.iter().zip(&end.point_moved);
            let moved: Vec<f32> = both.flat_map(|(a, b)| [*a, *b]).flatten().collect();
            EndData { part: end.part, interface: end.interface, point: end.point, moved: arrays.f32(&moved) }
        };
        SymbolData {
            name: self.name,
            kind: self.kind,
            group: self.group,
            axis: self.axis,
            radius: self.radius,
            ends: self.ends.map(end).into(),
        }
    }
}
