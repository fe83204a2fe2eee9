//! Revolute: one angle about an axis fixed in both bodies.

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist, twist};

use super::{Joint, unit};

/// Rotation of C relative to P by the angle q about `axis`, right-handed; P = C at q = 0. Any angle.
#[derive(Clone, Debug)]
pub struct Revolute {
    axis: Vector3<f64>,
}

impl Revolute {
    /// About `axis`, in P; `None` when the axis has no direction.
    pub fn new(axis: Vector3<f64>) -> Option<Self> {
        unit(axis).map(|axis| Self { axis })
    }
}

impl Joint for Revolute {
    fn kind(&self) -> &'static str {
        "revolute"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["angle"]
    }

    fn is_angle(&self, _: usize) -> bool {
        true
    }

    fn has_constant_subspace(&self) -> bool {
        true
    }

    fn transform(&self, q: &[f64]) -> Transform {
        Transform::rotation(&(self.axis * q[0]))
    }

    fn subspace(&self, _: &[f64], _: &[f64], S: &mut [Twist]) -> Twist {
        S[0] = twist(Vector3::zeros(), self.axis);
        Twist::zeros()
    }
}
