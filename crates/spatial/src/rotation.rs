//! Finite rotations: exponential, logarithm, and the Jacobian that turns the rate of a rotation vector into
//! an angular velocity.
//!
//! Source: Rodrigues' formula and its Jacobians as in Murray, Li and Sastry, *A Mathematical Introduction to
//! Robotic Manipulation* (1994), chapter 2; the series are the Taylor expansions of the closed forms.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Below this θ² the coefficients come from their Taylor series: the closed forms lose digits by
/// cancellation.
const SERIES_BELOW: f64 = 0.25;

/// Number of series terms; at θ² = 0.25 the first one left out is below 1e-19 of the sum.
const SERIES_TERMS: usize = 9;

/// Below this θ² the first `FEW_TERMS` do as well.
const FEW_BELOW: f64 = 1e-3;
const FEW_TERMS: usize = 5;

/// `1/((n+1)(n+2))`: what factorials of neighbouring terms differ by.
const STEPS: [f64; 2 * SERIES_TERMS + 5] = {
    let mut steps = [0.0; 2 * SERIES_TERMS + 5];
    let mut n = 0;
    while n < steps.len() {
        steps[n] = 1.0 / ((n + 1) as f64 * (n + 2) as f64);
        n += 1;
    }
    steps
};

/// The matrix `[a]×` with `[a]× b = a × b`.
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// `first! Σ_k (−1)^k x^k · weight(k) / (2k + first)!`, summed from the smallest term.
fn alternating(x: f64, first: usize, weight: impl Fn(usize) -> f64) -> f64 {
    let terms = if x < FEW_BELOW { FEW_TERMS } else { SERIES_TERMS };
    let mut sum = 0.0;
    for k in (0..terms).rev() {
        sum = weight(k) - x * STEPS[2 * k + first] * sum;
    }
    sum
}

/// `sin θ/θ`, `(1 − cos θ)/θ²`, `(θ − sin θ)/θ³` for θ² = `x`.
fn coefficients(x: f64) -> (f64, f64, f64) {
    if x < SERIES_BELOW {
        let one = |_| 1.0;
        (alternating(x, 1, one), alternating(x, 2, one) / 2.0, alternating(x, 3, one) / 6.0)
    } else {
        let theta = x.sqrt();
        let (sin, cos) = theta.sin_cos();
        (sin / theta, (1.0 - cos) / x, (theta - sin) / (x * theta))
    }
}

/// Derivatives of the second and third coefficient by θ².
fn coefficient_slopes(x: f64, (s, a, b): (f64, f64, f64)) -> (f64, f64) {
    if x < SERIES_BELOW {
        // Σ_{k≥1} (−1)^k k x^{k−1}/(2k+m)! = −Σ_{j≥0} (−1)^j x^j (j+1)/(2j+2+m)!
        let weight = |j: usize| (j + 1) as f64;
        (-alternating(x, 4, weight) / 24.0, -alternating(x, 5, weight) / 120.0)
    } else {
        ((s - 2.0 * a) / (2.0 * x), (a - 3.0 * b) / (2.0 * x))
    }
}

/// `I + c [φ]× + d [φ]×²`, where `[φ]×² = φφᵀ − θ²I`.
fn polynomial(phi: &Vector3<f64>, x: f64, c: f64, d: f64) -> Matrix3<f64> {
    let square = phi * phi.transpose() * d;
    let diagonal = 1.0 - d * x;
    square + Matrix3::from_diagonal_element(diagonal) + skew(&(phi * c))
}

/// Rotation matrix of the rotation vector φ: `exp([φ]×) = I + sinθ/θ [φ]× + (1−cosθ)/θ² [φ]×²`.
pub fn rotation_exp(phi: &Vector3<f64>) -> Matrix3<f64> {
    let x = phi.norm_squared();
    let (s, a, _) = coefficients(x);
    polynomial(phi, x, s, a)
}

/// A finite rotation whose rotation vector changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationMotion {
    /// `exp([φ]×)`.
    pub R: Matrix3<f64>,
    /// [`left_jacobian`] J: the angular velocity is `J φ̇`.
    pub J: Matrix3<f64>,
    /// `J̇ φ̇`: the angular acceleration is `J φ̈ + J̇ φ̇`.
    pub bias: Vector3<f64>,
}

/// The rotation of φ with what its rate `phi_rate` needs: with `w = φ×φ̇`, a, b the coefficients of the
/// Jacobian and a′, b′ their derivatives by θ², `J̇φ̇ = 2φ·φ̇ (a′w + b′ φ×w) + b φ̇×w`.
pub fn rotation_motion(phi: &Vector3<f64>, phi_rate: &Vector3<f64>) -> RotationMotion {
    let x = phi.norm_squared();
    let (s, a, b) = coefficients(x);
    let (a_x, b_x) = coefficient_slopes(x, (s, a, b));
    let w = phi.cross(phi_rate);
    let bias = (w * a_x + phi.cross(&w) * b_x) * (2.0 * phi.dot(phi_rate)) + phi_rate.cross(&w) * b;
    RotationMotion { R: polynomial(phi, x, s, a), J: polynomial(phi, x, a, b), bias }
}

/// Unit quaternion of the rotation vector φ.
pub fn quaternion_exp(phi: &Vector3<f64>) -> UnitQuaternion<f64> {
    let half = phi * 0.5;
    let (s, _, _) = coefficients(half.norm_squared());
    let v = half * s;
    UnitQuaternion::new_normalize(Quaternion::new(half.norm().cos(), v.x, v.y, v.z))
}

/// Rotation vector of a rotation matrix, length at most π. Near π the axis sign is arbitrary, as it must be.
pub fn rotation_log(R: &Matrix3<f64>) -> Vector3<f64> {
    let q = UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(*R));
    let (w, v) = if q.w < 0.0 { (-q.w, -q.vector()) } else { (q.w, q.vector().into_owned()) };
    let sine = v.norm();
    if sine < 1e-8 {
        // 2 asin(s)/s → 2 (1 + s²/6): the next term is below 1e-32.
        return v * (2.0 * (1.0 + sine * sine / 6.0));
    }
    v * (2.0 * sine.atan2(w) / sine)
}

/// Left Jacobian: `ω = J(φ) φ̇` is the angular velocity of `R = exp([φ]×)` in the axes φ is given in
/// (`[ω]× = Ṙ Rᵀ`): `J = I + (1−cosθ)/θ² [φ]× + (θ−sinθ)/θ³ [φ]×²`. The right Jacobian is `J(−φ) = J(φ)ᵀ`.
pub fn left_jacobian(phi: &Vector3<f64>) -> Matrix3<f64> {
    let x = phi.norm_squared();
    let (_, a, b) = coefficients(x);
    polynomial(phi, x, a, b)
}

/// Inverse of [`left_jacobian`]: `I − ½[φ]× + (1/θ² − (1+cosθ)/(2θ sinθ)) [φ]×²`. Singular at |φ| = 2π.
pub fn left_jacobian_inverse(phi: &Vector3<f64>) -> Matrix3<f64> {
    let x = phi.norm_squared();
    let (s, a, _) = coefficients(x);
    // 1/θ² − cot(θ/2)/(2θ) = (1 − s/(2a))/θ²; its Taylor series has the Bernoulli numbers B_2k/(2k)!.
    let c = if x < SERIES_BELOW {
        1.0 / 12.0
            + x * (1.0 / 720.0
                + x * (1.0 / 30_240.0
                    + x * (1.0 / 1_209_600.0 + x * (1.0 / 47_900_160.0 + x * (691.0 / 1_307_674_368_000.0)))))
    } else {
        (1.0 - s / (2.0 * a)) / x
    };
    let K = skew(phi);
    Matrix3::identity() - K * 0.5 + K * K * c
}

/// Time derivative of [`left_jacobian`] when φ changes at the rate `phi_rate`.
pub fn left_jacobian_rate(phi: &Vector3<f64>, phi_rate: &Vector3<f64>) -> Matrix3<f64> {
    let x = phi.norm_squared();
    let (s, a, b) = coefficients(x);
    let (a_x, b_x) = coefficient_slopes(x, (s, a, b));
    let x_rate = 2.0 * phi.dot(phi_rate);
    let (K, dK) = (skew(phi), skew(phi_rate));
    K * (a_x * x_rate) + dK * a + K * K * (b_x * x_rate) + (dK * K + K * dK) * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn angles() -> impl Iterator<Item = Vector3<f64>> {
        let axis = Vector3::new(0.3, -0.8, 0.52).normalize();
        [0.0, 1e-9, 1e-4, 0.03, 0.4999, 0.5001, 1.0, 2.5, 3.1].into_iter().map(move |t| axis * t)
    }

    #[test]
    fn exponential_is_the_rotation_about_its_axis() {
        // nalgebra's axis-angle rotation is an independent implementation.
        for phi in angles() {
            let R = nalgebra::Rotation3::new(phi).into_inner();
            assert!((rotation_exp(&phi) - R).norm() < 4e-15);
            assert!((quaternion_exp(&phi).to_rotation_matrix().into_inner() - R).norm() < 4e-15);
            assert!((rotation_log(&R) - phi).norm() < 1e-14 * (1.0 + phi.norm()), "{phi}");
        }
    }

    #[test]
    fn quarter_turn_about_z_takes_x_to_y() {
        let R = rotation_exp(&Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        assert!((R * Vector3::x() - Vector3::y()).norm() < 1e-15);
    }

    #[test]
    fn jacobian_is_the_derivative_of_the_exponential() {
        let rate = Vector3::new(0.7, 0.2, -0.4);
        for phi in angles() {
            // Central difference with h = 1e-5: truncation h² ≈ 1e-10, rounding 1e-16/h = 1e-11.
            let h = 1e-5;
            let R_rate = (rotation_exp(&(phi + rate * h)) - rotation_exp(&(phi - rate * h))) / (2.0 * h);
            let omega = skew(&(left_jacobian(&phi) * rate));
            assert!((R_rate * rotation_exp(&phi).transpose() - omega).norm() < 1e-9);

            let J_rate = (left_jacobian(&(phi + rate * h)) - left_jacobian(&(phi - rate * h))) / (2.0 * h);
            assert!((J_rate - left_jacobian_rate(&phi, &rate)).norm() < 1e-9, "{phi}");
            let motion = rotation_motion(&phi, &rate);
            assert_eq!((motion.R, motion.J), (rotation_exp(&phi), left_jacobian(&phi)));
            assert!((motion.bias - left_jacobian_rate(&phi, &rate) * rate).norm() < 1e-15, "{phi}");
            let product = left_jacobian(&phi) * left_jacobian_inverse(&phi);
            assert!((product - Matrix3::identity()).norm() < 1e-13);
        }
    }
}
