//! Where a joint sits: on the interface triad, at a given origin with given axes, or by Denavit–Hartenberg
//! parameters.

use nalgebra::{Matrix3, Vector3};
use pliant_spatial::Transform;

/// The two conventions of Denavit–Hartenberg parameters in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DhConvention {
    /// `A = Rot_z(θ) Trans_z(d) Trans_x(a) Rot_x(α)`: the joint turns about z of the *previous* frame, the
    /// child's link frame sits at the far end (Denavit and Hartenberg 1955; Paul; Spong).
    Standard,
    /// `A = Rot_x(α) Trans_x(a) Rot_z(θ) Trans_z(d)`: the joint turns about z of its *own* frame, where the
    /// child's link frame sits (Craig; "modified").
    Modified,
}

/// Placement of a joint between the parent's triad T and the child's link frame L.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Placement {
    /// P is T, C is L.
    #[default]
    Triad,
    /// P given in T, C given in L; both as transforms.
    Frames {
        /// Joint frame on the parent side, in T.
        X_TP: Transform,
        /// Joint frame on the child side, in L.
        X_LC: Transform,
    },
    /// Denavit–Hartenberg parameters (m, rad); `theta` and `d` are the values at zero of the joint, whose
    /// axis is z.
    DenavitHartenberg {
        /// Which convention.
        convention: DhConvention,
        /// Link length.
        a: f64,
        /// Link twist.
        alpha: f64,
        /// Link offset.
        d: f64,
        /// Joint angle.
        theta: f64,
    },
}

/// The rotation whose first column is along x and whose second is in the plane of x and y. `None` when they
/// are parallel or have no direction.
pub fn rotation_from_axes(x: Vector3<f64>, y: Vector3<f64>) -> Option<Matrix3<f64>> {
    let x = crate::joint::unit(x)?;
    let y = crate::joint::unit(y - x * x.dot(&y))?;
    Some(Matrix3::from_columns(&[x, y, x.cross(&y)]))
}

impl Placement {
    /// A joint frame at `origin` in T whose axes are T's turned so that x and y are as given; y is made
    /// perpendicular to x. `None` when they are parallel or have no direction.
    pub fn from_axes(origin: Vector3<f64>, x: Vector3<f64>, y: Vector3<f64>) -> Option<Self> {
        let R = rotation_from_axes(x, y)?;
        Some(Self::Frames { X_TP: Transform::new(R, origin), X_LC: Transform::identity() })
    }

    /// `(X_TP, X_CL)`: what stands before and after the joint.
    pub(crate) fn transforms(&self) -> (Transform, Transform) {
        let rot_x = |angle: f64| Transform::rotation(&(Vector3::x() * angle));
        let rot_z = |angle: f64| Transform::rotation(&(Vector3::z() * angle));
        match *self {
            Self::Triad => (Transform::identity(), Transform::identity()),
            Self::Frames { X_TP, X_LC } => (X_TP, X_LC.inverse()),
            Self::DenavitHartenberg { convention, a, alpha, d, theta } => {
                let about_z = rot_z(theta) * Transform::translation(Vector3::z() * d);
                let along_x = Transform::translation(Vector3::x() * a) * rot_x(alpha);
                match convention {
                    // Rotation about and translation along one axis commute, so the joint may stand between.
                    DhConvention::Standard => (about_z, along_x),
                    DhConvention::Modified => (along_x * about_z, Transform::identity()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;
    use crate::joint::Revolute;
    use nalgebra::Matrix4;

    /// The matrices as printed in the textbooks (Spong, Hutchinson and Vidyasagar for the standard
    /// convention, Craig for the modified one), with `theta` the full joint angle.
    fn printed(convention: DhConvention, a: f64, alpha: f64, d: f64, theta: f64) -> Matrix4<f64> {
        let ((st, ct), (sa, ca)) = (theta.sin_cos(), alpha.sin_cos());
        match convention {
            DhConvention::Standard => Matrix4::new(
                ct,
                -st * ca,
                st * sa,
                a * ct, //
                st,
                ct * ca,
                -ct * sa,
                a * st, //
                0.0,
                sa,
                ca,
                d, //
                0.0,
                0.0,
                0.0,
                1.0,
            ),
            DhConvention::Modified => Matrix4::new(
                ct,
                -st,
                0.0,
                a, //
                st * ca,
                ct * ca,
                -sa,
                -sa * d, //
                st * sa,
                ct * sa,
                ca,
                ca * d, //
                0.0,
                0.0,
                0.0,
                1.0,
            ),
        }
    }

    #[test]
    fn denavit_hartenberg_matrices_are_the_printed_ones() {
        for convention in [DhConvention::Standard, DhConvention::Modified] {
            let (a, alpha, d, theta, q) = (0.4, -1.2, 0.3, 0.5, 2.1);
            let placement = Placement::DenavitHartenberg { convention, a, alpha, d, theta };
            let (before, after) = placement.transforms();
            let X = before * Revolute::new(Vector3::z()).unwrap().transform(&[q]) * after;
            assert!((X.to_matrix() - printed(convention, a, alpha, d, theta + q)).norm() < 1e-14);
        }
    }

    #[test]
    fn axes_are_made_perpendicular_and_parallel_ones_refused() {
        let placement = Placement::from_axes(Vector3::y(), Vector3::x() * 2.0, Vector3::new(1.0, 0.0, 3.0));
        let (X_TP, _) = placement.unwrap().transforms();
        assert_eq!(X_TP.R, Matrix3::from_columns(&[Vector3::x(), Vector3::z(), -Vector3::y()]));
        assert_eq!(Placement::from_axes(Vector3::zeros(), Vector3::x(), Vector3::x() * 3.0), None);
    }
}
