//! Rigid transforms: the 4×4 matrices of the theory, kept as rotation and translation.

use std::ops::Mul;

use nalgebra::{Matrix3, Matrix4, Matrix6, Vector3};

use crate::{Twist, Wrench, skew};

/// `X_AB`: pose of frame B in frame A, as the 4×4 matrix `[R p; 0 1]`. Coordinates of a point go from B to A:
/// `r_A = R r_B + p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Axes of B in A, as columns.
    pub R: Matrix3<f64>,
    /// Origin of B in A (m).
    pub p: Vector3<f64>,
}

impl Default for Transform {
    fn default() -> Self {
        Self::identity()
    }
}

impl Transform {
    /// Rotation and translation.
    pub fn new(R: Matrix3<f64>, p: Vector3<f64>) -> Self {
        Self { R, p }
    }

    /// B is A.
    pub fn identity() -> Self {
        Self { R: Matrix3::identity(), p: Vector3::zeros() }
    }

    /// Displaced by `p`, axes parallel.
    pub fn translation(p: Vector3<f64>) -> Self {
        Self { R: Matrix3::identity(), p }
    }

    /// Rotated by the rotation vector `phi` about the common origin.
    pub fn rotation(phi: &Vector3<f64>) -> Self {
        Self { R: crate::rotation_exp(phi), p: Vector3::zeros() }
    }

    /// `X_BA`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let Rt = self.R.transpose();
        Self { R: Rt, p: -(Rt * self.p) }
    }

    /// Coordinates of a point, from B to A.
    pub fn point(&self, r_B: &Vector3<f64>) -> Vector3<f64> {
        self.R * r_B + self.p
    }

    /// The 4×4 matrix.
    pub fn to_matrix(&self) -> Matrix4<f64> {
        let mut X = Matrix4::identity();
        X.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.R);
        X.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.p);
        X
    }

    /// Twist of B when B is fixed in A and A moves with the twist `V` (of A, in A): `Ad(X_BA) V`, that is
    /// `ω_B = Rᵀω`, `v_B = Rᵀ(v + ω×p)`. Result in B.
    pub fn carry_twist(&self, V: &Twist) -> Twist {
        let (v, w) = (V.fixed_rows::<3>(0), V.fixed_rows::<3>(3).into_owned());
        let mut out = Twist::zeros();
        out.fixed_rows_mut::<3>(0).copy_from(&self.R.tr_mul(&(v + w.cross(&self.p))));
        out.fixed_rows_mut::<3>(3).copy_from(&self.R.tr_mul(&w));
        out
    }

    /// Wrench on B brought back to A, `Ad(X_BA)ᵀ F`: `f_A = R f`, `m_A = R m + p × R f`. The power of a
    /// wrench is the same in both frames.
    pub fn return_wrench(&self, F: &Wrench) -> Wrench {
        let f = self.R * F.fixed_rows::<3>(0);
        let m = self.R * F.fixed_rows::<3>(3) + self.p.cross(&f);
        let mut out = Wrench::zeros();
        out.fixed_rows_mut::<3>(0).copy_from(&f);
        out.fixed_rows_mut::<3>(3).copy_from(&m);
        out
    }

    /// The twist of a body given at and in B, expressed at and in A: `Ad(X_AB) V`. Inverse of
    /// [`carry_twist`](Self::carry_twist).
    pub fn express_twist(&self, V_B: &Twist) -> Twist {
        let w = self.R * V_B.fixed_rows::<3>(3);
        let v = self.R * V_B.fixed_rows::<3>(0) - w.cross(&self.p);
        let mut out = Twist::zeros();
        out.fixed_rows_mut::<3>(0).copy_from(&v);
        out.fixed_rows_mut::<3>(3).copy_from(&w);
        out
    }

    /// Symmetric 6×6 inertia (or stiffness) given at and in B, seen at and in A: `Ad(X_BA)ᵀ I Ad(X_BA)`.
    /// Blocks are rotated and shifted, which costs a quarter of the two 6×6 products.
    pub fn return_inertia(&self, I_B: &Matrix6<f64>) -> Matrix6<f64> {
        self.shift_inertia(&self.turn_inertia(I_B))
    }

    /// Blocks tt, tr and rr of a symmetric 6×6 inertia given at and in B, at B in the axes of A.
    pub fn turn_inertia(&self, I_B: &Matrix6<f64>) -> [Matrix3<f64>; 3] {
        let rotate = |block: Matrix3<f64>| self.R * block * self.R.transpose();
        [(0, 0), (0, 3), (3, 3)].map(|(row, column)| rotate(I_B.fixed_view::<3, 3>(row, column).into_owned()))
    }

    /// The inertia at A of blocks at B in the axes of A, as [`turn_inertia`](Self::turn_inertia) makes them.
    pub fn shift_inertia(&self, [A, B, C]: &[Matrix3<f64>; 3]) -> Matrix6<f64> {
        // With P = [p]×: rows/columns of rotation gain P times those of translation.
        let P = skew(&self.p);
        let AP = A * P;
        let PB = P * B;
        let B_A = B - AP;
        let C_A = C + PB + PB.transpose() - P * AP;
        let mut out = Matrix6::zeros();
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(A);
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&B_A);
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&B_A.transpose());
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&C_A);
        out
    }
}

impl Mul for Transform {
    type Output = Self;

    /// `X_AC = X_AB * X_BC`.
    fn mul(self, rhs: Self) -> Self {
        Self { R: self.R * rhs.R, p: self.R * rhs.p + self.p }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rotation_exp, twist, wrench};

    fn pose() -> Transform {
        Transform::new(rotation_exp(&Vector3::new(0.4, -1.1, 0.7)), Vector3::new(0.3, 2.0, -0.5))
    }

    #[test]
    fn composition_is_the_4x4_product() {
        let (a, b) = (pose(), Transform::rotation(&Vector3::new(1.0, 0.2, 0.0)) * pose());
        assert!(((a * b).to_matrix() - a.to_matrix() * b.to_matrix()).norm() < 1e-14);
        assert!(((a * a.inverse()).to_matrix() - Matrix4::identity()).norm() < 1e-14);
    }

    #[test]
    fn carried_twist_is_the_velocity_of_the_fixed_frame() {
        // A spins about z at 2 rad/s through its origin; a point 1 m out on x moves at 2 m/s along y.
        let X_AB = Transform::translation(Vector3::x());
        let V = X_AB.carry_twist(&twist(Vector3::zeros(), Vector3::z() * 2.0));
        assert_eq!(V, twist(Vector3::y() * 2.0, Vector3::z() * 2.0));
    }

    /// `Ad(X_BA)`, the 6×6 matrix of `carry_twist`: `[Rᵀ −Rᵀ[p]×; 0 Rᵀ]`.
    fn carry_matrix(X: &Transform) -> Matrix6<f64> {
        let Rt = X.R.transpose();
        let mut Ad = Matrix6::zeros();
        Ad.fixed_view_mut::<3, 3>(0, 0).copy_from(&Rt);
        Ad.fixed_view_mut::<3, 3>(3, 3).copy_from(&Rt);
        Ad.fixed_view_mut::<3, 3>(0, 3).copy_from(&-(Rt * crate::skew(&X.p)));
        Ad
    }

    #[test]
    fn power_and_energy_do_not_depend_on_the_frame() {
        let X = pose();
        let V = twist(Vector3::new(1.0, 2.0, 3.0), Vector3::new(-0.3, 0.5, 0.9));
        let F = wrench(Vector3::new(-2.0, 0.4, 1.0), Vector3::new(0.2, 0.1, -0.6));
        let V_B = X.carry_twist(&V);
        assert!((F.dot(&V_B) - X.return_wrench(&F).dot(&V)).abs() < 1e-14);
        assert!((carry_matrix(&X) * V - V_B).norm() < 1e-14);
        assert!((X.express_twist(&V_B) - V).norm() < 1e-14);
        let G = Matrix6::from_fn(|i, j| ((i * 7 + j * 3) % 5) as f64 - 1.5);
        let I = G * G.transpose();
        let expected = carry_matrix(&X).transpose() * I * carry_matrix(&X);
        // Entries are of the order 1e2.
        assert!((X.return_inertia(&I) - expected).norm() < 1e-12);
    }
}
