//! Torques that servos are fed from the rigid machine (computed torque), as gains on commands: with the rigid
//! machine's `M q̈ + C q̇ + K q = τ` about its pose, a command c of joint j feeds joint i `M_ij c̈ + C_ij ċ +
//! K_ij c`.

use pliant_mechanism::{CoordinateRef, Drive, Model};

use crate::kinematics::state::hinges;
use crate::response::machine::LinearServo;
use crate::response::matrices::matrices;
use crate::response::{About, PoseState};
use crate::{State, Workspace};

/// What a servo is fed for a unit of a command, of its rate and of its acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fed {
    /// Index of the servo.
    pub(crate) servo: usize,
    /// Whose command it is.
    pub(crate) by: CoordinateRef,
    pub(crate) gains: [f64; 3],
}

/// True when a servo is fed the torque of the rigid machine.
pub(crate) fn is_fed(model: &Model) -> bool {
    model.servos().any(|(_, servo)| servo.feed_torque.is_some())
}

/// True when commands determine the rigid machine: a tree whose every joint has one.
fn is_commanded(model: &Model) -> bool {
    let has = |at| !matches!(model.coordinate(at).drive, Drive::Free | Drive::Torque(_));
    model.closures().row_count() == 0 && model.coordinate_refs().all(has)
}

/// Of all servos that are fed; nothing where commands do not determine the rigid machine.
pub(crate) fn fed(model: &Model, pose: &PoseState, servos: &[LinearServo]) -> Option<Vec<Fed>> {
    if !is_fed(model) {
        return Some(Vec::new());
    }
    if !is_commanded(model) {
        return None;
    }
    let rigid = model.rigid().without_servos();
    let mut state = State::initial(&rigid, pose.state.t);
    for ((_, _, q, v), (_, _, from_q, from_v)) in hinges(&rigid).zip(hinges(model)) {
        // The rigid machine has no bearings.
        let (from_q, from_v) = (from_q.start, from_v.start);
        state.q[q.clone()].copy_from_slice(&pose.state.q[from_q..from_q + q.len()]);
        state.v[v.clone()].copy_from_slice(&pose.state.v[from_v..from_v + v.len()]);
        state.a[v.clone()].copy_from_slice(&pose.state.a[from_v..from_v + v.len()]);
    }
    let about = if pose.about == About::Motion { About::Motion } else { About::Undeformed };
    let pose = PoseState { state, work: Workspace::new(&rigid), about };
    let all = matrices(&rigid, &pose, &[], false);
    let index = |at: CoordinateRef| {
        let velocity = rigid.state_entry(at).velocity;
        all.unknowns.iter().position(|j| *j == velocity)
    };
    let mut found = Vec::new();
    for (k, servo) in servos.iter().enumerate().filter(|(_, servo)| servo.servo.feed_torque.is_some()) {
        for other in servos {
            if let (Some(i), Some(j)) = (index(servo.coordinate), index(other.coordinate)) {
                let gains = [all.K[(i, j)], all.C[(i, j)], all.M[(i, j)]];
                found.push(Fed { servo: k, by: other.coordinate, gains });
            }
        }
    }
    Some(found)
}
