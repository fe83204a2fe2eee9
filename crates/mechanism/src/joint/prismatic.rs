//! Prismatic: one displacement along an axis fixed in both bodies.

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist, twist};

use super::{Joint, unit};

/// C displaced from P by q along `axis`, axes parallel; P = C at q = 0.
#[derive(Clone, Debug)]
pub struct Prismatic {
    axis: Vector3<f64>,
}

impl Prismatic {
    /// Along `axis`, in P; `None` when the axis has no direction.
    pub fn new(axis: Vector3<f64>) -> Option<Self> {
        unit(axis).map(|axis| Self { axis })
    }
}

impl Joint for Prismatic {
    fn kind(&self) -> &'static str {
        "prismatic"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["displacement"]
    }

    fn is_angle(&self, _: usize) -> bool {
        false
    }

    fn has_constant_subspace(&self) -> bool {
        true
    }

    fn transform(&self, q: &[f64]) -> Transform {
        Transform::translation(self.axis * q[0])
    }

    fn subspace(&self, _: &[f64], _: &[f64], S: &mut [Twist]) -> Twist {
        S[0] = twist(self.axis, Vector3::zeros());
        Twist::zeros()
    }
}
