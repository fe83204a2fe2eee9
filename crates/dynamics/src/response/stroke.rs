//! Commanded lengths of cylinders without oil: inputs that move the machine by its geometry.
//!
//! With the length l as it is commanded a constraint is `G x = e l`, e its unit vector. A particular solution
//! has zeros at the independent coordinates y,
//!
//! ```text
//! x = N y + X l,   ẋ = N ẏ + Ṅ y + X l̇ + Ẋ l,   ẍ = N ÿ + 2Ṅ ẏ + N̈ y + X l̈ + 2Ẋ l̇ + Ẍ l
//! G X = e,         G Ẋ = −Ġ X,                  G Ẍ = −2Ġ Ẋ − G̈ X
//! ```
//!
//! so that the independent coordinates get the forces `−Nᵀ(M ẍ + C ẋ + K x)` of l, l̇ and l̈, and every
//! output what l moves directly.

use nalgebra::{DVector, RowDVector};

use crate::response::machine::LinearMachine;

/// X, Ẋ and Ẍ of one input.
#[derive(Clone, Debug)]
pub(crate) struct Stroke {
    /// Index of the input.
    pub(crate) input: usize,
    pub(crate) X: [DVector<f64>; 3],
}

impl Stroke {
    /// What l, l̇ and l̈ give to `x·x + v·ẋ + a·ẍ`.
    pub(crate) fn of(&self, [x, v, a]: [&RowDVector<f64>; 3]) -> [f64; 3] {
        let by = |row: &RowDVector<f64>, order: usize| row.transpose().dot(&self.X[order]);
        [by(x, 0) + by(v, 1) + by(a, 2), by(v, 0) + 2.0 * by(a, 1), by(a, 0)]
    }
}

impl LinearMachine {
    /// The stroke that an input is.
    pub(crate) fn stroke(&self, input: usize) -> Option<&Stroke> {
        self.strokes.iter().find(|stroke| stroke.input == input)
    }

    /// Forces of l, l̇ and l̈ on all unknowns, those of closed servos and of oil included.
    pub(crate) fn stroke_forces(&self, stroke: &Stroke) -> [DVector<f64>; 3] {
        let [X, X_rate, X_acceleration] = &stroke.X;
        let (M, C, K) = (&self.all.M, &self.all.C, &self.all.K);
        let mut f = [-(M * X_acceleration + C * X_rate + K * X), -(M * X_rate * 2.0 + C * X), -(M * X)];
        for servo in &self.servos {
            let (i, gains) = (servo.unknown, &servo.servo);
            f[0][i] -= gains.position_gain * X[i] + gains.rate_gain * X_rate[i];
            f[1][i] -= gains.rate_gain * X[i];
        }
        for oil in &self.oils {
            f[0][oil.unknown] -= oil.drive.oil_stiffness() * X[oil.unknown];
        }
        f
    }
}
