//! What is kept of each output, one file for each group of the results file.

mod elements;
mod energy;
mod forces;
mod joints;
mod links;
mod solver;
mod tip;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use pliant_mechanism::Model;

pub use joints::{JointLoad, joint_loads};

use super::channel::{Channels, Number};
use super::schema;
use super::{AnalysisInfo, Keep};

/// Paths of the axes that all groups share.
pub(super) const XYZ: &str = "/xyz";
pub(super) const COMPONENT: &str = "/component";
pub(super) const QUATERNION: &str = "/quaternion";

/// The channels of an analysis.
pub(super) fn channels(info: &AnalysisInfo<'_>, prefix: &str, keep: &Keep) -> Channels {
    let mut channels = Channels { prefix: prefix.to_owned(), ..Channels::default() };
    channels.scalar(schema::TIME, Number::Real, |frame| frame.state.t);
    let model: &Model = info.model;
    if keep.joints {
        joints::declare(&mut channels, model, keep, info.nominal);
    }
    if keep.links || keep.loads {
        links::declare(&mut channels, model, keep, info.nominal);
    }
    if keep.loads {
        forces::declare(&mut channels, model);
    }
    elements::declare(&mut channels, model, &info.elements);
    if let (true, Some(tip)) = (keep.tip, info.tip) {
        tip::declare(&mut channels, tip, info.nominal);
    }
    if keep.energy {
        energy::declare(&mut channels);
    }
    if keep.solver {
        solver::declare(&mut channels);
    }
    channels
}

/// Scalar first.
fn quaternion(R: &Matrix3<f64>) -> [f64; 4] {
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*R));
    [q.w, q.i, q.j, q.k]
}
