//! Spatial inertia of a rigid body.

use nalgebra::{Matrix3, Matrix6, Vector3};

use crate::skew;

/// 6×6 inertia at a frame's origin, in its axes, of a body of mass `m` (kg) with its centre at `c` (m) and
/// the inertia `I_c` (kg·m²) about the centre: `[m 1, −m[c]×; m[c]×, I_c − m[c]×²]`.
pub fn spatial_inertia(m: f64, c: &Vector3<f64>, I_c: &Matrix3<f64>) -> Matrix6<f64> {
    let S = skew(c) * m;
    let mut M = Matrix6::zeros();
    M.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * m));
    M.fixed_view_mut::<3, 3>(0, 3).copy_from(&-S);
    M.fixed_view_mut::<3, 3>(3, 0).copy_from(&S);
    M.fixed_view_mut::<3, 3>(3, 3).copy_from(&(I_c - S * skew(c)));
    M
}

/// [`spatial_inertia`] of a point mass.
pub fn point_mass(m: f64, c: &Vector3<f64>) -> Matrix6<f64> {
    spatial_inertia(m, c, &Matrix3::zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twist;

    #[test]
    fn kinetic_energy_of_an_offset_body_is_koenigs() {
        let (m, c) = (3.0, Vector3::new(0.2, -0.4, 1.0));
        let I_c = Matrix3::from_diagonal(&Vector3::new(0.5, 0.7, 0.9));
        let (v, w) = (Vector3::new(1.0, 0.3, -2.0), Vector3::new(0.4, -0.6, 1.5));
        let V = twist(v, w);
        let energy = 0.5 * V.dot(&(spatial_inertia(m, &c, &I_c) * V));
        let centre_speed = v + w.cross(&c);
        let koenig = 0.5 * m * centre_speed.norm_squared() + 0.5 * w.dot(&(I_c * w));
        assert!((energy - koenig).abs() < 1e-14 * koenig);
    }
}
