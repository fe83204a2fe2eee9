//! Scalar functions of time, loads and torques among them: constants, tables, expressions, and where they
//! jump.

mod event;
mod expression;
mod spline;
mod table;

pub use event::Event;
pub use expression::Expression;
pub(crate) use spline::Spline;
pub use spline::SplineError;
pub use table::{Interpolation, Outside, Table};

use std::fmt::Debug;

/// A function of time.
pub trait TimeFunction: Debug + Send + Sync {
    /// Value at time `t` (s).
    fn value(&self, t: f64) -> f64;

    /// Where the function or its slope jumps from `from` to `to` (s); others may be among them.
    fn events(&self, from: f64, to: f64) -> Vec<Event> {
        let _ = (from, to);
        Vec::new()
    }

    /// Bounds of all values from `from` to `to`; nothing where there are none.
    fn range(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let _ = (from, to);
        None
    }

    /// `∫` from `from` to `to`, exact; nothing where only quadrature gives it.
    fn integral(&self, from: f64, to: f64) -> Option<f64> {
        let _ = (from, to);
        None
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

impl TimeFunction for Table {
    fn value(&self, t: f64) -> f64 {
        self.at(t).value
    }

    fn events(&self, _: f64, _: f64) -> Vec<Event> {
        Table::events(self)
    }

    fn integral(&self, from: f64, to: f64) -> Option<f64> {
        Some(Table::integral(self, from, to))
    }
}
