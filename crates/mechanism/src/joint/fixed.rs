//! Fixed: no freedom.

use pliant_spatial::{Transform, Twist};

use super::Joint;

/// C is P.
#[derive(Clone, Debug, Default)]
pub struct Fixed;

impl Joint for Fixed {
    fn kind(&self) -> &'static str {
        "fixed"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &[]
    }

    fn is_angle(&self, _: usize) -> bool {
        false
    }

    fn has_constant_subspace(&self) -> bool {
        true
    }

    fn transform(&self, _: &[f64]) -> Transform {
        Transform::identity()
    }

    fn subspace(&self, _: &[f64], _: &[f64], _: &mut [Twist]) -> Twist {
        Twist::zeros()
    }
}
