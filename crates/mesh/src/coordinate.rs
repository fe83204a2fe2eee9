//! Coordinate systems, resolved to the basic frame.

use nalgebra::{Matrix3, Vector3};
use pliant_diag::Origin;

use crate::CoordId;

/// What the three coordinates of a system mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateKind {
    /// x, y, z.
    Rectangular,
    /// r, θ (degrees), z.
    Cylindrical,
    /// r, θ (degrees from the z axis), φ (degrees about it).
    Spherical,
}

/// A coordinate system with its origin and axes in the basic frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateSystem {
    /// The user's number.
    pub id: CoordId,
    /// What its coordinates mean.
    pub kind: CoordinateKind,
    /// Origin in the basic frame, deck length units.
    pub origin: Vector3<f64>,
    /// Columns are the x, y and z axes in the basic frame.
    pub axes: Matrix3<f64>,
    /// Where it was defined.
    pub source: Origin,
}

impl CoordinateSystem {
    /// The basic frame, system 0.
    pub fn basic() -> Self {
        Self {
            id: CoordId(0),
            kind: CoordinateKind::Rectangular,
            origin: Vector3::zeros(),
            axes: Matrix3::identity(),
            source: Origin::default(),
        }
    }

    /// The basic position of a point given by its three coordinates in this system (angles in degrees).
    pub fn point_to_basic(&self, x: Vector3<f64>) -> Vector3<f64> {
        let local = match self.kind {
            CoordinateKind::Rectangular => x,
            CoordinateKind::Cylindrical => {
                let (sin, cos) = x.y.to_radians().sin_cos();
                Vector3::new(x.x * cos, x.x * sin, x.z)
            }
            CoordinateKind::Spherical => {
                let (sin_theta, cos_theta) = x.y.to_radians().sin_cos();
                let (sin_phi, cos_phi) = x.z.to_radians().sin_cos();
                Vector3::new(x.x * sin_theta * cos_phi, x.x * sin_theta * sin_phi, x.x * cos_theta)
            }
        };
        self.origin + self.axes * local
    }

    /// The three coordinates in this system (angles in degrees) of a basic position.
    pub fn point_from_basic(&self, position: Vector3<f64>) -> Vector3<f64> {
        let local = self.axes.transpose() * (position - self.origin);
        match self.kind {
            CoordinateKind::Rectangular => local,
            CoordinateKind::Cylindrical => {
                Vector3::new(local.x.hypot(local.y), local.y.atan2(local.x).to_degrees(), local.z)
            }
            CoordinateKind::Spherical => Vector3::new(
                local.norm(),
                local.x.hypot(local.y).atan2(local.z).to_degrees(),
                local.y.atan2(local.x).to_degrees(),
            ),
        }
    }

    /// Columns are the directions of this system's components at a basic position, in the basic frame: the
    /// axes themselves, or e_r, e_θ, e_z, or e_r, e_θ, e_φ. Where the radius vanishes the azimuth is 0, as
    /// Nastran takes it.
    pub fn triad_at(&self, position: Vector3<f64>) -> Matrix3<f64> {
        if self.kind == CoordinateKind::Rectangular {
            return self.axes;
        }
        let local = self.axes.transpose() * (position - self.origin);
        let radius = local.x.hypot(local.y);
        let scale = local.norm();
        let on_axis = radius <= 1e-12 * scale || radius == 0.0;
        let (sin, cos) = if on_axis { (0.0, 1.0) } else { (local.y / radius, local.x / radius) };
        let triad = match self.kind {
            CoordinateKind::Spherical => {
                let (sin_theta, cos_theta) =
                    if scale == 0.0 { (0.0, 1.0) } else { (radius / scale, local.z / scale) };
                Matrix3::from_columns(&[
                    Vector3::new(sin_theta * cos, sin_theta * sin, cos_theta),
                    Vector3::new(cos_theta * cos, cos_theta * sin, -sin_theta),
                    Vector3::new(-sin, cos, 0.0),
                ])
            }
            _ => Matrix3::from_columns(&[
                Vector3::new(cos, sin, 0.0),
                Vector3::new(-sin, cos, 0.0),
                Vector3::z(),
            ]),
        };
        self.axes * triad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_go_to_basic_and_back() {
        let axes = nalgebra::Rotation3::from_euler_angles(0.3, -0.7, 1.9).into_inner();
        for kind in [CoordinateKind::Rectangular, CoordinateKind::Cylindrical, CoordinateKind::Spherical] {
            let system = CoordinateSystem {
                kind,
                axes,
                origin: Vector3::new(1., 2., -3.),
                ..CoordinateSystem::basic()
            };
            let x = Vector3::new(2.0, 35.0, 70.0);
            let back = system.point_from_basic(system.point_to_basic(x));
            assert!((back - x).norm() < 1e-12, "{kind:?}: {back}");
            // The triad is the normalised derivative of the point with respect to its coordinates.
            let p = system.point_to_basic(x);
            let triad = system.triad_at(p);
            for k in 0..3 {
                let mut y = x;
                y[k] += 1e-6;
                let direction = (system.point_to_basic(y) - p).normalize();
                assert!((direction - triad.column(k)).norm() < 1e-6, "{kind:?} {k}");
            }
        }
    }
}
