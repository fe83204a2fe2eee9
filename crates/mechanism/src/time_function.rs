//! Scalar functions of time: loads and torques.

use std::fmt::Debug;

use crate::Spline;

/// A function of time.
pub trait TimeFunction: Debug + Send + Sync {
    /// Value at time `t` (s).
    fn value(&self, t: f64) -> f64;

    /// Times where the function jumps, ascending.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// The same value at all times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant(pub f64);

impl TimeFunction for Constant {
    fn value(&self, _: f64) -> f64 {
        self.0
    }
}

/// A table with smooth interpolation; zero outside it, so that a pulse ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFunction {
    /// The spline through the table.
    pub spline: Spline,
}

impl TimeFunction for TableFunction {
    fn value(&self, t: f64) -> f64 {
        let (first, last) = self.spline.range();
        if t < first || t > last { 0.0 } else { self.spline.at(t).value }
    }

    fn kinks(&self) -> Vec<f64> {
        let (first, last) = self.spline.range();
        vec![first, last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_zero_outside_and_smooth_inside() {
        let spline = Spline::new(vec![0.0, 1.0, 2.0, 3.0], vec![0.0, 1.0, 4.0, 9.0]).unwrap();
        let table = TableFunction { spline };
        assert!((table.value(1.5) - 2.25).abs() < 1e-14, "the parabola through the points");
        assert_eq!((table.value(-0.1), table.value(3.1)), (0.0, 0.0));
        assert_eq!(Constant(3.0).value(7.0), 3.0);
    }
}
