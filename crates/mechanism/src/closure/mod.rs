//! What a tree cannot hold: joints that close loops, couplings of joint coordinates, distances and guides,
//! and force elements between two frames.
//!
//! Each is a set of rows. A row measures something between two frames (a misfit to be kept at zero, or the
//! deformation of a force element), and the same row spread over the frames is the wrench of its multiplier.

mod change;
mod coupling;
mod distance;
mod frame;
mod guide;
mod loop_joint;
mod row;
mod specs;

pub use coupling::Coupling;
pub use distance::{Distance, LengthCommand};
pub use frame::{FrameMotion, FrameRef};
pub use guide::Guide;
pub use loop_joint::{DIRECTIONS, LoopJoint};
pub use row::{Constraint, Pair, Row};
pub use specs::{ConstraintSpec, CouplingSpec, End, ForceSpec};

pub(crate) use change::{FrameChange, line_change};
pub(crate) use row::{acceleration_of, line, velocity_of};

use crate::ForceElement;

/// What is done about constraints that say nothing new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redundancy {
    /// The run is refused and the redundant directions are named: their reactions have no definite value.
    #[default]
    Refuse,
    /// Of all reactions that do the same, the smallest are taken. The motion does not depend on it.
    LeastNorm,
    /// The same, and links are made to fit: what rigid ones leave open of a loop that elastic ones close by
    /// straining.
    MadeToFit,
}

/// All that a model has beyond its tree.
#[derive(Debug, Default)]
pub struct Closures {
    /// Joints that close loops.
    pub joints: Vec<LoopJoint>,
    /// Constraints between two frames.
    pub constraints: Vec<Pair<dyn Constraint>>,
    /// Relations among joint coordinates.
    pub couplings: Vec<Coupling>,
    /// Force elements between two frames.
    pub forces: Vec<Pair<dyn ForceElement>>,
    /// What is done about redundant constraints.
    pub redundancy: Redundancy,
}

impl Closures {
    /// True when the machine is nothing but a tree.
    pub fn is_empty(&self) -> bool {
        self.row_count() == 0
    }

    /// Rows that are constraints; those of force elements follow them.
    pub fn constraint_count(&self) -> usize {
        let pairs: usize = self.constraints.iter().map(|c| c.kind.row_count()).sum();
        6 * self.joints.len() + pairs + self.couplings.len()
    }

    /// All rows.
    pub fn row_count(&self) -> usize {
        self.constraint_count() + self.forces.iter().map(|f| f.kind.row_count()).sum::<usize>()
    }

    /// Everything that pushes along one direction, with its row: distances and planes, then springs, dampers
    /// and cylinders.
    pub fn pushes(&self) -> Vec<(&str, usize)> {
        let first = 6 * self.joints.len();
        let constraints = self.constraints.iter().map(|c| (c.name.as_str(), c.kind.row_count()));
        let forces = self.forces.iter().map(|f| (f.name.as_str(), f.kind.row_count()));
        single_rows(first, constraints).chain(single_rows(self.constraint_count(), forces)).collect()
    }

    /// A row in words.
    pub fn label(&self, row: usize) -> String {
        let mut rest = row;
        for joint in &self.joints {
            if rest < 6 {
                return format!("loop joint `{}`, {}", joint.name, DIRECTIONS[rest]);
            }
            rest -= 6;
        }
        for constraint in &self.constraints {
            if rest < constraint.kind.row_count() {
                return format!("constraint `{}`, {}", constraint.name, constraint.kind.label(rest));
            }
            rest -= constraint.kind.row_count();
        }
        if let Some(coupling) = self.couplings.get(rest) {
            return format!("coupling `{}`", coupling.name);
        }
        rest = rest.saturating_sub(self.couplings.len());
        for force in &self.forces {
            if rest < force.kind.row_count() {
                return format!("force element `{}`", force.name);
            }
            rest -= force.kind.row_count();
        }
        format!("row {row}")
    }
}

/// Names and rows of those that have one row, the first at `first`.
fn single_rows<'n>(
    first: usize,
    counts: impl Iterator<Item = (&'n str, usize)>,
) -> impl Iterator<Item = (&'n str, usize)> {
    let mut next = first;
    counts.filter_map(move |(name, count)| {
        let row = next;
        next += count;
        (count == 1).then_some((name, row))
    })
}
