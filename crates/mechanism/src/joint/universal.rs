//! Universal: two angles about crossing axes, the first fixed in the parent, the second in the child.

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist, rotation_exp, twist};

use super::{Joint, unit};

/// `R_PC = exp(q₁ a)·exp(q₂ b)`, `a` fixed in P, `b` fixed in C, perpendicular to each other. P = C at zero.
/// No singularity at any pair of angles: `b` stays perpendicular to `a`.
#[derive(Clone, Debug)]
pub struct Universal {
    first: Vector3<f64>,
    second: Vector3<f64>,
}

impl Universal {
    /// Axes at zero configuration; `None` when one has no direction or they are not perpendicular (to 1e-9).
    pub fn new(first: Vector3<f64>, second: Vector3<f64>) -> Option<Self> {
        let (first, second) = (unit(first)?, unit(second)?);
        (first.dot(&second).abs() < 1e-9).then_some(Self { first, second })
    }
}

impl Joint for Universal {
    fn kind(&self) -> &'static str {
        "universal"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["angle_1", "angle_2"]
    }

    fn is_angle(&self, _: usize) -> bool {
        true
    }

    fn transform(&self, q: &[f64]) -> Transform {
        let R = rotation_exp(&(self.first * q[0])) * rotation_exp(&(self.second * q[1]));
        Transform::new(R, Vector3::zeros())
    }

    fn subspace(&self, q: &[f64], v: &[f64], S: &mut [Twist]) -> Twist {
        let first_C = rotation_exp(&(self.second * -q[1])) * self.first;
        S[0] = twist(Vector3::zeros(), first_C);
        S[1] = twist(Vector3::zeros(), self.second);
        // d/dt(R₂ᵀ a) = −q̇₂ b × (R₂ᵀ a).
        twist(Vector3::zeros(), self.second.cross(&first_C) * (-v[1] * v[0]))
    }

    fn subspace_rates(&self, q: &[f64], v: &[f64], a: &[f64], first: &mut [Twist], second: &mut [Twist]) {
        let first_C = rotation_exp(&(self.second * -q[1])) * self.first;
        let turned = self.second.cross(&first_C);
        let turned_twice = self.second.cross(&turned);
        first[0] = twist(Vector3::zeros(), turned * -v[1]);
        second[0] = twist(Vector3::zeros(), turned * -a[1] + turned_twice * (v[1] * v[1]));
        first[1] = Twist::zeros();
        second[1] = Twist::zeros();
    }
}
