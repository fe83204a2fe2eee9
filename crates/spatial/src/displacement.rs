//! Small displacements of a moving frame.

use crate::{Transform, Twist, cross_motion};

/// A small displacement of a frame, `δX = X[e]`, at and in the frame, with the first two time derivatives of
/// its components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// e: translation and rotation (m, rad).
    pub e: Twist,
    /// ė.
    pub rate: Twist,
    /// ë.
    pub acceleration: Twist,
}

impl Displacement {
    /// Seen from a frame at `X` that moves with the twist `U` against this one: with Ad that of X⁻¹,
    /// `d/dt(Ad e) = Ad ė + (Ad e) × U`.
    #[must_use]
    pub fn carried(&self, X: &Transform, U: &Twist, U_rate: &Twist) -> Self {
        let (e, rate) = (X.carry_twist(&self.e), X.carry_twist(&self.rate));
        let turned = cross_motion(&e, U);
        Self {
            e,
            rate: rate + turned,
            acceleration: X.carry_twist(&self.acceleration)
                + cross_motion(&rate, U) * 2.0
                + cross_motion(&turned, U)
                + cross_motion(&e, U_rate),
        }
    }

    /// Seen from a frame that is fixed to this one at `X`.
    #[must_use]
    pub fn fixed(&self, X: &Transform) -> Self {
        Self {
            e: X.carry_twist(&self.e),
            rate: X.carry_twist(&self.rate),
            acceleration: X.carry_twist(&self.acceleration),
        }
    }

    /// Adds a coordinate's displacement x along a column that does not change: position, rate and
    /// acceleration of x.
    pub fn add(&mut self, column: &Twist, (x, x_rate, x_acceleration): (f64, f64, f64)) {
        self.e += column * x;
        self.rate += column * x_rate;
        self.acceleration += column * x_acceleration;
    }

    /// Changes of twist and of its derivative for a frame that moves with V and A = V̇: `δV = ė + V × e`,
    /// `δA = ë + A × e + V × ė`.
    pub fn motion(&self, V: &Twist, A: &Twist) -> (Twist, Twist) {
        let dV = self.rate + cross_motion(V, &self.e);
        let dA = self.acceleration + cross_motion(A, &self.e) + cross_motion(V, &self.rate);
        (dV, dA)
    }
}
