//! Cylindrical: angle about and displacement along one axis.

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist, rotation_exp, twist};

use super::{Joint, unit};

/// C rotated by q₁ about `axis` and displaced by q₂ along it; P = C at zero. Any angle.
#[derive(Clone, Debug)]
pub struct Cylindrical {
    axis: Vector3<f64>,
}

impl Cylindrical {
    /// On `axis`, in P; `None` when the axis has no direction.
    pub fn new(axis: Vector3<f64>) -> Option<Self> {
        unit(axis).map(|axis| Self { axis })
    }
}

impl Joint for Cylindrical {
    fn kind(&self) -> &'static str {
        "cylindrical"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["angle", "displacement"]
    }

    fn is_angle(&self, i: usize) -> bool {
        i == 0
    }

    fn has_constant_subspace(&self) -> bool {
        true
    }

    fn transform(&self, q: &[f64]) -> Transform {
        Transform::new(rotation_exp(&(self.axis * q[0])), self.axis * q[1])
    }

    fn subspace(&self, _: &[f64], _: &[f64], S: &mut [Twist]) -> Twist {
        // The axis has the same components in P and C.
        S[0] = twist(Vector3::zeros(), self.axis);
        S[1] = twist(self.axis, Vector3::zeros());
        Twist::zeros()
    }
}
