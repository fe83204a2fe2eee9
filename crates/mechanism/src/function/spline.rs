//! Cubic spline interpolation with continuous second derivative.

use thiserror::Error;

use crate::MotionSample;

/// Cubic spline through given points. Its end slopes are those of the cubic (or lower polynomial) through the
/// first and last four points, so that a table of a smooth function is reproduced to fourth order up to its
/// ends. Outside its range it rests at the end values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spline {
    x: Vec<f64>,
    y: Vec<f64>,
    slopes: Vec<f64>,
}

/// Why a table makes no spline. Rows count from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SplineError {
    /// Fewer than two rows, or columns of different length.
    #[error("a table needs at least two rows and as many values as times")]
    TooShort,
    /// A number is not finite.
    #[error("row {row} has a number that is not finite")]
    NotFinite {
        /// Row.
        row: usize,
    },
    /// Times do not ascend.
    #[error("time does not ascend at row {row} (t = {time})")]
    NotAscending {
        /// Row.
        row: usize,
        /// Its time.
        time: f64,
    },
}

impl Spline {
    /// Through the points.
    ///
    /// # Errors
    /// When the table is too short, holds a number that is not finite, or its times do not ascend strictly.
    pub(crate) fn new(x: Vec<f64>, y: Vec<f64>) -> Result<Self, SplineError> {
        let n = x.len();
        if n < 2 || y.len() != n {
            return Err(SplineError::TooShort);
        }
        for i in 0..n {
            if !x[i].is_finite() || !y[i].is_finite() {
                return Err(SplineError::NotFinite { row: i + 1 });
            }
            if i > 0 && x[i] <= x[i - 1] {
                return Err(SplineError::NotAscending { row: i + 1, time: x[i] });
            }
        }
        // Clamped spline: tridiagonal system for the slopes (continuity of the second derivative).
        let last = n.min(4);
        let first_slope = polynomial_slope(&x[..last], &y[..last], 0);
        let last_slope = polynomial_slope(&x[n - last..], &y[n - last..], last - 1);
        let mut slopes = vec![0.0; n];
        let mut upper = vec![0.0; n];
        (slopes[0], slopes[n - 1]) = (first_slope, last_slope);
        for i in 1..n - 1 {
            let (left, right) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let (a, b, c) = (1.0 / left, 2.0 / left + 2.0 / right, 1.0 / right);
            let d = 3.0 * ((y[i] - y[i - 1]) / (left * left) + (y[i + 1] - y[i]) / (right * right));
            let pivot = b - a * upper[i - 1];
            upper[i] = c / pivot;
            slopes[i] = (d - a * slopes[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            slopes[i] -= upper[i] * slopes[i + 1];
        }
        Ok(Self { x, y, slopes })
    }

    /// Slopes at the points.
    pub(crate) fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// Value and derivatives at `x` inside the range; the end polynomials are continued outside it.
    pub(crate) fn at(&self, x: f64) -> MotionSample {
        let n = self.x.len();
        let i = (self.x.partition_point(|k| *k <= x).max(1) - 1).min(n - 2);
        let h = self.x[i + 1] - self.x[i];
        let s = (x - self.x[i]) / h;
        let (y0, y1, m0, m1) = (self.y[i], self.y[i + 1], self.slopes[i] * h, self.slopes[i + 1] * h);
        let (c2, c3) = (3.0 * (y1 - y0) - 2.0 * m0 - m1, 2.0 * (y0 - y1) + m0 + m1);
        MotionSample {
            value: y0 + s * (m0 + s * (c2 + s * c3)),
            rate: (m0 + s * (2.0 * c2 + s * 3.0 * c3)) / h,
            acceleration: (2.0 * c2 + s * 6.0 * c3) / (h * h),
        }
    }
}

/// Slope at point `at` of the polynomial through all given points (Lagrange's formula, differentiated).
fn polynomial_slope(x: &[f64], y: &[f64], at: usize) -> f64 {
    let mut slope = 0.0;
    for i in (0..x.len()).filter(|&i| i != at) {
        // ℓ_i'(x_at) = Π_{k≠i,at}(x_at − x_k) / Π_{k≠i}(x_i − x_k); and Σ ℓ_i' = 0.
        let mut weight = 1.0 / (x[i] - x[at]);
        for k in (0..x.len()).filter(|&k| k != i && k != at) {
            weight *= (x[at] - x[k]) / (x[i] - x[k]);
        }
        slope += weight * (y[i] - y[at]);
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_reproduced_exactly() {
        let f = |x: f64| 1.0 + x * (2.0 + x * (-3.0 + x * 0.5));
        let x = vec![0.0, 0.3, 0.7, 1.5, 2.0];
        let spline = Spline::new(x.clone(), x.iter().map(|x| f(*x)).collect()).unwrap();
        for i in 0..=40 {
            let t = 0.05 * f64::from(i);
            let s = spline.at(t);
            assert!((s.value - f(t)).abs() < 1e-13);
            assert!((s.rate - (2.0 - 6.0 * t + 1.5 * t * t)).abs() < 1e-12);
            assert!((s.acceleration - (-6.0 + 3.0 * t)).abs() < 1e-11);
        }
    }

    #[test]
    fn fourth_order_on_a_sine() {
        let error = |n: usize| {
            let x: Vec<f64> = (0..=n).map(|i| 3.0 * i as f64 / n as f64).collect();
            let spline = Spline::new(x.clone(), x.iter().map(|x| x.sin()).collect()).unwrap();
            (0..300)
                .map(|i| 0.01 * f64::from(i))
                .map(|t| (spline.at(t).value - t.sin()).abs())
                .fold(0.0, f64::max)
        };
        let order = (error(20) / error(40)).log2();
        assert!(order > 3.7, "observed order {order}");
    }

    #[test]
    fn bad_tables_are_refused() {
        assert_eq!(Spline::new(vec![0.0], vec![1.0]), Err(SplineError::TooShort));
        assert_eq!(Spline::new(vec![0.0, 1.0], vec![1.0, f64::NAN]), Err(SplineError::NotFinite { row: 2 }));
        let back = Spline::new(vec![0.0, 1.0, 1.0], vec![0.0; 3]);
        assert_eq!(back, Err(SplineError::NotAscending { row: 3, time: 1.0 }));
    }
}
