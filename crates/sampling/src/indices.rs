//! Sobol's sensitivity indices.

use serde::Serialize;

/// Share of a metric's variance that a parameter explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SobolIndex {
    /// The parameter.
    pub parameter: String,
    /// The metric.
    pub metric: String,
    /// By itself: Sᵢ.
    pub first: f64,
    /// With all it does together with others: S_Tᵢ.
    pub total: f64,
    /// Base points whose cases all have the metric.
    pub points: usize,
}

/// Indices of one metric from the cases of a Saltelli design: for each base point A, B, AB₁ … AB_d.
///
/// With f_A, f_B and f_ABi the metric of these cases and V its variance over A and B,
/// ```text
/// Sᵢ  = Σ f_B (f_ABi − f_A) / (n V)          (Saltelli and others 2010)
/// S_Tᵢ = Σ (f_A − f_ABi)² / (2 n V)            (Jansen 1999)
/// ```
/// Points with a failed case are left out. Empty when fewer than two points are complete or the metric
/// does not change.
pub fn indices(
    metric: &str,
    parameters: &[&str],
    base: usize,
    value: &dyn Fn(usize) -> Option<f64>,
) -> Vec<SobolIndex> {
    let width = parameters.len() + 2;
    let point = |k: usize| (k * width..(k + 1) * width).map(value).collect::<Option<Vec<f64>>>();
    let mut points: Vec<_> = (0..base).filter_map(point).collect();
    let n = points.len() as f64;
    let mean = points.iter().map(|f| f[0] + f[1]).sum::<f64>() / (2.0 * n);
    // The estimator of Sᵢ has less noise about the mean.
    points.iter_mut().flatten().for_each(|f| *f -= mean);
    let variance = points.iter().map(|f| f[0] * f[0] + f[1] * f[1]).sum::<f64>() / (2.0 * n);
    if points.len() < 2 || variance <= (1e-14 * mean).powi(2) {
        return Vec::new();
    }
    let index = |(i, parameter): (usize, &&str)| {
        let sum = |f: &dyn Fn(&[f64]) -> f64| points.iter().map(|p| f(p)).sum::<f64>() / (n * variance);
        SobolIndex {
            parameter: (*parameter).to_owned(),
            metric: metric.to_owned(),
            first: sum(&|f| f[1] * (f[i + 2] - f[0])),
            total: sum(&|f| (f[0] - f[i + 2]).powi(2) / 2.0),
            points: points.len(),
        }
    };
    parameters.iter().enumerate().map(index).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::points::{Method, points as unit_points};

    /// Ishigami and Homma (1990): f = sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ on (−π, π)³, whose indices are
    /// known in closed form: V₁ = (1 + 0.1π⁴/5)²/2, V₂ = 49/8, V₁₃ = 0.01π⁸(1/18 − 1/50).
    #[test]
    fn ishigami() {
        let base = 4096;
        let points = unit_points(Method::Sobol, 1, base, 6);
        let f = |u: &[f64]| {
            let x: Vec<_> = u.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
            x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
        };
        let value = |case: usize| {
            let (a, b) = points[case / 5].split_at(3);
            let mut row = a.to_vec();
            match case % 5 {
                0 => {}
                1 => row = b.to_vec(),
                i => row[i - 2] = b[i - 2],
            }
            Some(f(&row))
        };
        let found = indices("f", &["a", "b", "c"], base, &value);
        let v1 = (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2) / 2.0;
        let (v2, v13) = (49.0 / 8.0, 0.01 * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0));
        let v = v1 + v2 + v13;
        let expected = [(v1 / v, (v1 + v13) / v), (v2 / v, v2 / v), (0.0, v13 / v)];
        for (index, (first, total)) in found.iter().zip(expected) {
            // 4096 quasi-random points; random ones would have an error of about 0.03.
            assert!((index.first - first).abs() < 0.01, "{index:?}, expected {first}");
            assert!((index.total - total).abs() < 0.01, "{index:?}, expected {total}");
        }
    }

    #[test]
    fn points_with_a_failed_case_are_left_out() {
        let value = |case: usize| (case != 4).then_some((case * case) as f64);
        assert_eq!(indices("f", &["a"], 4, &value)[0].points, 3);
        assert_eq!(indices("f", &["a"], 4, &|_| Some(2.0)), []);
    }
}
