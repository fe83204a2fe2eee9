//! Inertia tensors that no body can have.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::Matrix3;

/// Relative error of moments of inertia that come from a card: a field of eight columns holds four or five
/// digits.
const DIGITS: f64 = 1e-3;

/// What is impossible about an inertia tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InertiaProblem {
    /// A principal moment is negative: a turn about its axis would have negative kinetic energy.
    Negative([f64; 3]),
    /// The largest principal moment exceeds the sum of the others.
    Triangle([f64; 3]),
}

impl std::fmt::Display for InertiaProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |moments: &[f64; 3]| moments.map(|moment| format!("{moment:.4e}")).join(", ");
        match self {
            Self::Negative(moments) => {
                write!(f, "impossible inertia: a principal moment is negative ({})", list(moments))
            }
            Self::Triangle(moments) => write!(
                f,
                "impossible inertia: the largest principal moment exceeds the sum of the other two ({}), which no body has",
                list(moments)
            ),
        }
    }
}

/// Checks an inertia tensor J = ∫(|x|² 1 − x xᵀ) dm about the centre of mass.
///
/// With principal moments I₁ ≤ I₂ ≤ I₃ along e₁, e₂, e₃ it must be that I₁ ≥ 0, and I₁ + I₂ − I₃ = 2∫(e₃·x)²
/// dm ≥ 0 (the triangle inequality).
pub fn inertia_problem(J: &Matrix3<f64>) -> Option<InertiaProblem> {
    let mut moments: [f64; 3] = J.symmetric_eigenvalues().into();
    moments.sort_by(f64::total_cmp);
    let [low, middle, high] = moments;
    let rounding = DIGITS * high.abs().max(low.abs());
    if low < -rounding {
        Some(InertiaProblem::Negative(moments))
    } else if high > low + middle + rounding {
        Some(InertiaProblem::Triangle(moments))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(xx: f64, yy: f64, zz: f64, xy: f64) -> Option<InertiaProblem> {
        inertia_problem(&Matrix3::new(xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, zz))
    }

    #[test]
    fn bodies_pass_and_others_do_not() {
        // A slender rod, a thin disc whose moments are rounded to four digits, a ball, a point.
        assert_eq!(of(0.0, 1.0, 1.0, 0.0), None);
        assert_eq!(of(0.1234, 0.1234, 0.24681, 0.0), None);
        assert_eq!(of(2.0, 2.0, 2.0, 0.0), None);
        assert_eq!(of(0.0, 0.0, 0.0, 0.0), None);
        // I₃ = 3 > 1 + 1, and products that make a principal moment negative: 1 ± 2.
        assert!(matches!(of(1.0, 1.0, 3.0, 0.0), Some(InertiaProblem::Triangle(_))));
        assert!(
            matches!(of(1.0, 1.0, 1.0, 2.0), Some(InertiaProblem::Negative([low, ..])) if (low + 1.0).abs() < 1e-12)
        );
        assert!(matches!(of(-1.0, 1.0, 1.0, 0.0), Some(InertiaProblem::Negative(_))));
    }
}
