//! Building sliding joints: a prismatic joint, and the grip that holds the boom in it.

use nalgebra::{Rotation3, Vector3};
use pliant_spatial::{Transform, Twist};

use super::Problems;
use super::spanning_tree::Tree;
use crate::hinge::{Grip, GripError, rail_in_joint};
use crate::joint::Prismatic;
use crate::{Bearing, Hinge, JointSpec, ModelBuilder};

/// The hinge of a sliding joint, with its grip.
pub(crate) type Sliding = (Hinge, Grip);

impl ModelBuilder {
    /// The sliding joints among the joints; `None` for all others, and for stand-ins of links that are not
    /// reduced yet.
    pub(crate) fn sliding(&self, tree: &Tree, problems: &mut Problems) -> Vec<Option<Sliding>> {
        let of = |j: usize| {
            let spec: &JointSpec = &self.joints[j];
            spec.grip?;
            let key = format!("joints.{}", spec.name);
            let Some(body) = tree.carried_by(j) else {
                problems.push(key, "a sliding joint must carry its boom, but another joint carries it");
                return None;
            };
            self.grip_of(spec, tree.0[body].link).unwrap_or_else(|error| {
                problems.push(key, error.to_string());
                None
            })
        };
        (0..self.joints.len()).map(of).collect()
    }

    fn grip_of(&self, spec: &JointSpec, link: usize) -> Result<Option<Sliding>, GripError> {
        let (Some(kind), link) = (spec.grip, &self.links[link].1) else { return Ok(None) };
        let Some(rail) = &link.rail else {
            let elastic = link.coordinate_count() > 0;
            return if elastic { Err(GripError::NoRail) } else { Ok(None) };
        };
        let mut S = [Twist::zeros(); 6];
        if spec.joint.kind() == "prismatic" {
            spec.joint.subspace(&[0.0], &[0.0], &mut S);
        }
        let axis: Vector3<f64> = S[0].fixed_rows::<3>(0).into_owned();
        let (Some(joint), false) = (Prismatic::new(Vector3::x()), axis.norm() == 0.0) else {
            return Err(GripError::NotPrismatic(spec.joint.kind()));
        };
        // A joint frame whose x is the axis; of the two turns that reverse x the one about z.
        let R = Rotation3::rotation_between(&Vector3::x(), &axis)
            .unwrap_or_else(|| Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI));
        let R = Transform::new(R.into_inner(), Vector3::zeros());
        let (X_TP, X_CL) = spec.placement.transforms();
        let mut X_CL = R.inverse() * X_CL;
        X_CL.p = rail_in_joint(rail, &X_CL.R)?;
        let bearing = Bearing::default();
        let grip = Grip::new(rail, kind, &X_CL.R)?;
        Ok(Some((Hinge { joint: Box::new(joint), bearing, X_TP: X_TP * R, X_CL }, grip)))
    }
}
