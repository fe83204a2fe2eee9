//! Inverse kinematics of a machine, loops included: a joint to the ground holds the tip at its target, and
//! the loop that this makes is closed like any other (`closures/assembly.rs`).
//!
//! From a pose that is known the target goes to that of a neighbour in short straight steps, so that the
//! machine keeps its configuration: an elbow that is up stays up.

use nalgebra::{Matrix3, Vector3};
use pliant_mechanism::path::{Follower, Orientation};
use pliant_mechanism::{CoordinateRef, InterfaceRef, LoopIndex, Model};
use pliant_spatial::{Transform, rotation_exp, rotation_log};

use crate::closures::assembly::close_near;
use crate::response::pose::{FoundPose, Pose};
use crate::{Nominal, NominalKind, Settings, SimulationError, Start, State, Workspace};

/// Longest step of a target, as a part of the machine's length, and widest turn (rad): few iterations each.
const STEP: f64 = 0.1;
const TURN: f64 = 0.2;

/// Targets of the tip in rows, which [`inverse`] brings it to.
#[derive(Clone, Debug)]
pub struct TipGrid {
    /// The interface that goes there.
    pub tip: InterfaceRef,
    /// Joint coordinates that move, and where the search begins; others keep their commands of the start.
    pub joints: Vec<Follower>,
    /// What is held of the tip.
    pub orientation: Orientation,
    /// Its orientation in the world; that of where the search begins when nothing is given.
    pub R: Option<Matrix3<f64>>,
    /// Points in the world (m), row after row.
    pub points: Vec<Vector3<f64>>,
    /// Points of a row.
    pub columns: usize,
}

/// Poses with the tip on the points of a grid; nothing for points that the tip does not reach. Each is
/// reached from a neighbour, the first from where the search begins.
///
/// # Errors
/// A machine whose loops do not close there.
pub fn inverse(
    model: &Model,
    settings: &Settings,
    grid: &TipGrid,
) -> Result<Vec<Option<Pose>>, SimulationError> {
    let settings = Settings { nominal: NominalKind::Rigid, start: Start::Undeformed, ..*settings };
    let near: Vec<(CoordinateRef, f64)> = grid.joints.iter().map(|joint| (joint.at, joint.near)).collect();
    let rigid = model.nominal_at(&near);
    let start = Nominal::new(&rigid, &settings)?;
    let mut search = Search::new(model, grid, settings.t_start);
    let first = search.start(&start, grid.tip);
    let R = grid.R.unwrap_or(first.X.R);
    let target = |k: usize| Transform::new(R, grid.points[k]);
    let mut found: Vec<Option<Known>> = vec![None; grid.points.len()];
    let mut order: Vec<usize> = (0..found.len()).collect();
    let distance = |k: usize| (grid.points[k] - first.X.p).norm();
    order.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    for seed in order {
        if found[seed].is_some() {
            continue;
        }
        found[seed] = search.go(&first, target(seed));
        let mut front = Vec::from_iter(found[seed].is_some().then_some(seed));
        while let Some(k) = front.pop() {
            for next in neighbours(k, grid.columns, found.len()) {
                if found[next].is_none()
                    && let Some(from) = &found[k]
                {
                    found[next] = search.go(from, target(next));
                    front.extend(found[next].is_some().then_some(next));
                }
            }
        }
    }
    let positions = rigid.position_count();
    let pose = |known: Known| {
        let joints =
            grid.joints.iter().map(|joint| (joint.at, known.q[rigid.state_entry(joint.at).position]));
        let joints = joints.collect();
        Pose::Found(FoundPose { joints, positions: known.q[..positions].to_vec() })
    };
    Ok(found.into_iter().map(|known| known.map(pose)).collect())
}

/// Those above, below, left and right.
fn neighbours(k: usize, columns: usize, count: usize) -> impl Iterator<Item = usize> {
    let column = k % columns;
    let found = [
        k.checked_sub(columns),
        (k + columns < count).then_some(k + columns),
        (column > 0).then(|| k - 1),
        (column + 1 < columns && k + 1 < count).then_some(k + 1),
    ];
    found.into_iter().flatten()
}

/// The machine with its tip at a target.
#[derive(Clone, Debug)]
struct Known {
    X: Transform,
    q: Vec<f64>,
}

/// The machine with its tip held, and what it writes.
struct Search<'g> {
    grid: &'g TipGrid,
    model: Model,
    joint: LoopIndex,
    state: State,
    work: Workspace,
}

impl<'g> Search<'g> {
    fn new(model: &Model, grid: &'g TipGrid, t: f64) -> Self {
        let joints: Vec<CoordinateRef> = grid.joints.iter().map(|joint| joint.at).collect();
        let (model, joint) = model.nominal_reaching(&joints, grid.tip, grid.orientation);
        let mut state = State::initial(&model, t);
        state.v.fill(0.0);
        state.a.fill(0.0);
        let work = Workspace::new(&model);
        Self { grid, model, joint, state, work }
    }

    /// The start of the nominal machine, tip where it is there.
    fn start(&mut self, start: &Nominal<'_>, tip: InterfaceRef) -> Known {
        let mut q = self.state.q.clone();
        let own = &start.state().q;
        q[..own.len()].copy_from_slice(own);
        Known { X: *start.work().X_WT(tip), q }
    }

    /// From one pose to another in steps; nothing where the tip does not get there.
    fn go(&mut self, from: &Known, to: Transform) -> Option<Known> {
        let (way, turn) = (to.p - from.X.p, rotation_log(&(to.R * from.X.R.transpose())));
        let steps = (way.norm() / (STEP * self.work.closure.length)).max(turn.norm() / TURN).ceil().max(1.0);
        self.state.q.copy_from_slice(&from.q);
        for k in 1..=steps as usize {
            let share = k as f64 / steps;
            let R = rotation_exp(&(turn * share)) * from.X.R;
            let X = if share < 1.0 { Transform::new(R, from.X.p + way * share) } else { to };
            self.model.move_loop_joint(self.joint, X);
            if !close_near(&self.model, &mut self.state, &mut self.work) {
                return None;
            }
        }
        let allowed = |joint: &Follower| {
            let value = self.state.q[self.model.state_entry(joint.at).position];
            (joint.range.0..=joint.range.1).contains(&value)
        };
        self.grid.joints.iter().all(allowed).then(|| Known { X: to, q: self.state.q.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_in_their_row() {
        // 3 columns, 2 rows.
        let of = |k| Vec::from_iter(neighbours(k, 3, 6));
        assert_eq!(of(0), [3, 1]);
        assert_eq!(of(2), [5, 1]);
        assert_eq!(of(3), [0, 4]);
        assert_eq!(of(4), [1, 3, 5]);
    }
}
