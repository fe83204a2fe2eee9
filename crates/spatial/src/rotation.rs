//! Finite rotations: exponential, logarithm, and the Jacobian that turns the rate of a rotation vector into an
//! angular velocity.
//!
//! Source: Rodrigues' formula and its Jacobians as in Murray, Li and Sastry, *A Mathematical Introduction to
//! Robotic Manipulation* (1994), chapter 2; the series are the Taylor expansions of the closed forms.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Below this θ² the coefficients come from their Taylor series: the closed forms lose digits by cancellation.
const SERIES_BELOW: f64 = 0.25;

/// Number of series terms; at θ² = 0.25 the first one left out is below 1e-19 of the sum.
const SERIES_TERMS: i32 = 9;

/// The matrix `[a]×` with `[a]× b = a × b`.
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// `Σ_k (−1)^k x^k · weight(k) / (2k + first)!`, summed from the smallest term.
fn alternating(x: f64, first: i32, weight: impl Fn(i32) -> f64) -> f64 {
    let mut sum = 0.0;
    for k in (0..SERIES_TERMS).rev() {
        // Horner on c_k = weight(k)/(2k+first)!, with the factorials divided out between neighbours.
        let n = f64::from(2 * k + first);
        sum = weight(k) - x / ((n + 1.0) * (n + 2.0)) * sum;
    }
    let mut factorial = 1.0;
    for i in 2..=first {
        factorial *= f64::from(i);
    }
    sum / factorial
}

/// `sin θ/θ`, `(1 − cos θ)/θ²`, `(θ − sin θ)/θ³` for θ² = `x`.
fn coefficients(x: f64) -> (f64, f64, f64) {
    if x < SERIES_BELOW {
        (alternating(x, 1, |_| 1.0), alternating(x, 2, |_| 1.0), alternating(x, 3, |_| 1.0))
    } else {
        let theta = x.sqrt();
        let (sin, cos) = theta.sin_cos();
        (sin / theta, (1.0 - cos) / x, (theta - sin) / (x * theta))
    }
}

/// Rotation matrix of the rotation vector φ: `exp([φ]×) = I + sinθ/θ [φ]× + (1−cosθ)/θ² [φ]×²`.
pub fn rotation_exp(phi: &Vector3<f64>) -> Matrix3<f64> {
    let (s, a, _) = coefficients(phi.norm_squared());
    let K = skew(phi);
    Matrix3::identity() + K * s + K * K * a
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
    let (_, a, b) = coefficients(phi.norm_squared());
    let K = skew(phi);
    Matrix3::identity() + K * a + K * K * b
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
    // da/d(θ²) and db/d(θ²).
    let (a_x, b_x) = if x < SERIES_BELOW {
        // Σ_{k≥1} (−1)^k k x^{k−1}/(2k+m)! = −Σ_{j≥0} (−1)^j x^j (j+1)/(2j+2+m)!
        (-alternating(x, 4, |j| f64::from(j + 1)), -alternating(x, 5, |j| f64::from(j + 1)))
    } else {
        ((s - 2.0 * a) / (2.0 * x), (a - 3.0 * b) / (2.0 * x))
    };
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
            let product = left_jacobian(&phi) * left_jacobian_inverse(&phi);
            assert!((product - Matrix3::identity()).norm() < 1e-13);
        }
    }
}
