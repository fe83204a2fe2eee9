//! Survival probability.

use std::f64::consts::PI;

/// By what an amplitude that half of the specimens survive is multiplied for another probability of survival:
/// with a normal distribution of log S, S_P = S_50 · 10^(−z_P s) where Φ(z_P) = P and the standard deviation
/// is s = log₁₀(T_S)/(2 · 1.28155), T_S = S_10/S_90 ≥ 1 (DIN 50100:2016). `None` outside 10⁻⁶ ≤ P ≤ 1 − 10⁻⁶
/// and for T_S < 1.
pub fn survival_factor(probability: f64, scatter: f64) -> Option<f64> {
    let in_range = (1e-6..=1.0 - 1e-6).contains(&probability) && scatter >= 1.0 && scatter.is_finite();
    if !in_range {
        return None;
    }
    let deviation = scatter.log10() / (2.0 * quantile(0.9));
    Some(10f64.powf(-quantile(probability) * deviation))
}

/// z with Φ(z) = p, by Newton's method from 0; Φ is convex on one side of 0 and concave on the other, so that
/// it converges from there once the first step is kept within the range.
fn quantile(p: f64) -> f64 {
    // The range 10⁻⁶ ≤ p ≤ 1 − 10⁻⁶ lies within ±4.76.
    let (mut low, mut high) = (-5.0, 5.0);
    let mut z = 0.0;
    for _ in 0..60 {
        let error = normal(z) - p;
        if error > 0.0 {
            high = z
        } else {
            low = z
        }
        let next = z - error / density(z);
        let next = if next >= low && next <= high { next } else { 0.5 * (low + high) };
        if (next - z).abs() <= 1e-15 * z.abs().max(1.0) {
            return next;
        }
        z = next;
    }
    z
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// Φ(z) = ½ + φ(z) (z + z³/3 + z⁵/(3·5) + …) (G. Marsaglia, "Evaluating the normal distribution", Journal of
/// Statistical Software 11 (2004) 4); all terms have the sign of z.
fn normal(z: f64) -> f64 {
    let (mut term, mut sum, mut n) = (z, z, 1.0);
    while sum + term != sum {
        n += 2.0;
        term *= z * z / n;
        sum += term;
        if term == 0.0 {
            break;
        }
    }
    0.5 + density(z) * sum
}

#[cfg(test)]
mod tests {
    use super::{quantile, survival_factor};

    /// Against tables of the normal distribution (scipy.stats.norm.ppf, 15 digits).
    #[test]
    fn quantiles_are_those_of_tables() {
        let all = [
            (0.5, 0.0),
            (0.9, 1.281_551_565_544_600_4),
            (0.975, 1.959_963_984_540_054),
            (0.99, 2.326_347_874_040_841),
            (0.999_999, 4.753_424_308_822_899),
            (0.1, -1.281_551_565_544_600_4),
        ];
        for (p, z) in all {
            // 1 − p has 10 digits left at 10⁻⁶.
            assert!((quantile(p) - z).abs() < 1e-9, "{p}: {} for {z}", quantile(p));
        }
    }

    #[test]
    fn scatter_is_between_ten_and_ninety_percent() {
        let factor = |p| survival_factor(p, 1.25).unwrap_or(f64::NAN);
        assert!((factor(0.1) / factor(0.9) - 1.25).abs() < 1e-12);
        assert_eq!(factor(0.5), 1.0);
        assert_eq!(survival_factor(0.99, 1.0), Some(1.0));
        for (p, scatter) in [(0.0, 1.2), (1.0, 1.2), (f64::NAN, 1.2), (0.9, 0.9), (0.9, f64::NAN)] {
            assert_eq!(survival_factor(p, scatter), None);
        }
    }
}
