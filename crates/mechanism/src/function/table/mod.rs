//! Tables: a quantity given by rows of argument and value, interpolated between them.

use crate::{Event, MotionSample, Spline, SplineError};

/// How a table goes from row to row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines. Two rows with the same argument are a jump.
    #[default]
    Linear,
    /// The cubic spline with continuous second derivative; it may leave the range of the rows beside it.
    Cubic,
    /// Cubic pieces with continuous slope that rise where the rows rise and fall where they fall.
    Monotone,
    /// Each value stays until the next row.
    Step,
}

/// What a table is outside its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The first and the last value.
    #[default]
    Hold,
    /// Zero.
    Zero,
    /// Not defined: whoever evaluates it there reports an error ([`Table::covers`]).
    Error,
}

/// Rows with an interpolation: a piecewise cubic `y = c₀ + d(c₁ + d(c₂ + d c₃))`, d the distance from the row
/// before.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Arguments, strictly ascending.
    x: Vec<f64>,
    /// Coefficients of each interval.
    pieces: Vec<[f64; 4]>,
    /// ∫ from the first row to each row.
    areas: Vec<f64>,
    /// Values of the first and of the last row, which may be those before and after a jump.
    first: f64,
    last: f64,
    interpolation: Interpolation,
    outside: Outside,
}

/// Less than this part of the range of all values is not worth a warning. The spline of a sine with a dozen
/// rows in a period leaves the range of the two rows beside it by less.
const SMALL: f64 = 0.02;

/// Intervals from which on a table counts as sampled data.
const SAMPLED: usize = 10;

impl Table {
    /// A table of rows.
    ///
    /// # Errors
    /// Fewer than two rows, a number that is not finite, or arguments that do not ascend; with
    /// [`Interpolation::Linear`] two rows may share one argument.
    pub fn new(
        x: Vec<f64>,
        y: Vec<f64>,
        interpolation: Interpolation,
        outside: Outside,
    ) -> Result<Self, SplineError> {
        // The spline checks the rows; those that share an argument are counted once for it.
        let linear = interpolation == Interpolation::Linear;
        let repeated = |i: usize| linear && i > 0 && x[i] == x[i - 1] && (i < 2 || x[i] != x[i - 2]);
        if let Some(row) = (0..x.len().min(y.len())).find(|i| !(x[*i].is_finite() && y[*i].is_finite())) {
            return Err(SplineError::NotFinite { row: row + 1 });
        }
        if let Some(row) = (1..x.len()).find(|i| x[*i] <= x[*i - 1] && !repeated(*i)) {
            return Err(SplineError::NotAscending { row: row + 1, time: x[row] });
        }
        let intervals: Vec<usize> = (1..x.len()).filter(|i| x[*i] > x[*i - 1]).map(|i| i - 1).collect();
        if y.len() != x.len() || intervals.is_empty() {
            return Err(SplineError::TooShort);
        }
        let pieces: Vec<[f64; 4]> = match interpolation {
            Interpolation::Linear => {
                let slope = |i: usize| (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
                intervals.iter().map(|&i| [y[i], slope(i), 0.0, 0.0]).collect()
            }
            Interpolation::Step => intervals.iter().map(|&i| [y[i], 0.0, 0.0, 0.0]).collect(),
            Interpolation::Cubic => hermite(&x, &y, Spline::new(x.clone(), y.clone())?.slopes()),
            Interpolation::Monotone => hermite(&x, &y, &monotone_slopes(&x, &y)),
        };
        let (first, last) = (y[0], y[y.len() - 1]);
        let knots: Vec<f64> = intervals.iter().map(|i| x[*i]).chain([x[x.len() - 1]]).collect();
        let mut areas = vec![0.0];
        for (piece, ends) in pieces.iter().zip(knots.windows(2)) {
            areas.push(areas[areas.len() - 1] + area(piece, ends[1] - ends[0]));
        }
        Ok(Self { x: knots, pieces, areas, first, last, interpolation, outside })
    }

    /// How it goes from row to row.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// What it is outside its rows.
    pub fn outside(&self) -> Outside {
        self.outside
    }

    /// First and last argument.
    pub fn range(&self) -> (f64, f64) {
        (self.x[0], self.x[self.x.len() - 1])
    }

    /// True where it is defined.
    pub fn covers(&self, x: f64) -> bool {
        let (first, last) = self.range();
        self.outside != Outside::Error || (first..=last).contains(&x)
    }

    /// Value and derivatives at `x`; where it jumps, those to the right. Where it is not defined it holds its
    /// ends: iterations may come there, results may not.
    pub fn at(&self, x: f64) -> MotionSample {
        let (first, last) = self.range();
        if x < first || x > last {
            return MotionSample::rest(self.beyond(x));
        }
        let i = self.x.partition_point(|k| *k <= x) - 1;
        if i == self.pieces.len() {
            // The last row, seen from the left: a jump there is that of its value.
            let d = last - self.x[i - 1];
            let [_, c1, c2, c3] = self.pieces[i - 1];
            let rate = c1 + d * (2.0 * c2 + d * 3.0 * c3);
            return MotionSample { value: self.last, rate, acceleration: 2.0 * c2 + 6.0 * c3 * d };
        }
        let (d, [c0, c1, c2, c3]) = (x - self.x[i], self.pieces[i]);
        MotionSample {
            value: c0 + d * (c1 + d * (c2 + d * c3)),
            rate: c1 + d * (2.0 * c2 + d * 3.0 * c3),
            acceleration: 2.0 * c2 + 6.0 * c3 * d,
        }
    }

    /// Value outside the rows.
    fn beyond(&self, x: f64) -> f64 {
        match self.outside {
            Outside::Zero => 0.0,
            Outside::Hold | Outside::Error if x < self.x[0] => self.first,
            Outside::Hold | Outside::Error => self.last,
        }
    }

    /// `∫` from `from` to `to`, exact. Within one piece it is as exact as the values themselves, by Simpson's
    /// rule; a difference of areas would be as exact as the area of all rows.
    pub fn integral(&self, from: f64, to: f64) -> f64 {
        let (first, last) = self.range();
        match () {
            () if from == to => return 0.0,
            () if from > to => return -self.integral(to, from),
            () if to <= first => return self.beyond(from) * (to - from),
            () if from >= last => return self.beyond(to) * (to - from),
            () if from < first => return self.beyond(from) * (first - from) + self.integral(first, to),
            () if to > last => return self.integral(from, last) + self.beyond(to) * (to - last),
            () => {}
        }
        let piece = |x: f64| (self.x.partition_point(|k| *k <= x) - 1).min(self.pieces.len() - 1);
        let (i, j) = (piece(from), piece(to));
        let within = |i: usize, from: f64, to: f64| {
            let [c0, c1, c2, c3] = self.pieces[i];
            let at = |x: f64| {
                let d = x - self.x[i];
                c0 + d * (c1 + d * (c2 + d * c3))
            };
            (to - from) / 6.0 * (at(from) + 4.0 * at(0.5 * (from + to)) + at(to))
        };
        if i == j {
            return within(i, from, to);
        }
        within(i, from, self.x[i + 1]) + (self.areas[j] - self.areas[i + 1]) + within(j, self.x[j], to)
    }

    /// Slopes at the two ends, inside.
    pub fn end_slopes(&self) -> (f64, f64) {
        (self.at(self.x[0]).rate, self.at(self.range().1).rate)
    }

    /// Where value, slope or second derivative jump, ascending, in units of the argument. Of a spline only
    /// the ends do.
    pub fn events(&self) -> Vec<Event> {
        let (first, last) = self.range();
        let left_of = |i: usize| {
            let (d, [c0, c1, c2, c3]) = (self.x[i] - self.x[i - 1], self.pieces[i - 1]);
            (c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + d * 3.0 * c3), 2.0 * c2 + 6.0 * c3 * d)
        };
        let outside = |x: f64| (self.beyond(x), 0.0, 0.0);
        let largest = |k: usize| self.pieces.iter().map(|p| p[k].abs()).fold(0.0, f64::max);
        let (size, slope, curvature) =
            (largest(0).max(self.first.abs()).max(self.last.abs()), largest(1), 2.0 * largest(2));
        let mut events = Vec::new();
        for i in 0..self.x.len() {
            let left = if i == 0 { outside(first - 1.0) } else { left_of(i) };
            let right = match self.pieces.get(i) {
                Some([c0, c1, c2, _]) => (*c0, *c1, 2.0 * c2),
                None => outside(last + 1.0),
            };
            let inner = i > 0 && i < self.pieces.len();
            if inner && self.interpolation == Interpolation::Cubic {
                continue;
            }
            // Pieces end in the next row's value but for rounding, and rows on one line have one slope but
            // for rounding.
            let differ = |a: f64, b: f64, size: f64| (a - b).abs() > 1e-10 * size;
            if differ(left.0, right.0, size) {
                events.push(Event::jump(self.x[i]));
            } else if differ(left.1, right.1, slope) || differ(left.2, right.2, curvature) {
                events.push(Event::corner(self.x[i]));
            }
        }
        events
    }

    /// Values of the rows at the ends of an interval.
    fn ends(&self, i: usize) -> (f64, f64) {
        (self.pieces[i][0], self.pieces.get(i + 1).map_or(self.last, |next| next[0]))
    }

    fn value_range(&self) -> f64 {
        let ends = (0..self.pieces.len()).map(|i| self.ends(i));
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| {
            (low.min(a).min(b), high.max(a).max(b))
        });
        high - low
    }

    /// Intervals that look like jumps in sampled data: the mean slope is more than eight times that of both
    /// neighbours and the step is more than 2 % of the range of values. In a table of few rows that is how a
    /// ramp between two holds is written, and none are found. Gives (time before, time after, step).
    pub fn jumps(&self) -> Vec<(f64, f64, f64)> {
        let n = self.pieces.len();
        let step = |i: usize| self.ends(i).1 - self.ends(i).0;
        let slope = |i: usize| (step(i) / (self.x[i + 1] - self.x[i])).abs();
        let range = self.value_range();
        (0..n)
            .filter(|&i| {
                let before = if i > 0 { slope(i - 1) } else { 0.0 };
                let after = if i + 1 < n { slope(i + 1) } else { 0.0 };
                n >= SAMPLED && slope(i) > 8.0 * before.max(after) && step(i).abs() > SMALL * range
            })
            .map(|i| (self.x[i], self.x[i + 1], step(i)))
            .collect()
    }

    /// Where it leaves the range of the two rows beside it by most, as (argument, value, the row's value that
    /// it passes), when that is more than 2 % of the range of all values.
    pub fn overshoot(&self) -> Option<(f64, f64, f64)> {
        let mut worst = (SMALL * self.value_range(), None);
        for (i, [c0, c1, c2, c3]) in self.pieces.iter().copied().enumerate() {
            let (a, b) = self.ends(i);
            for d in stationary(c1, c2, c3).into_iter().flatten() {
                if d <= 0.0 || d >= self.x[i + 1] - self.x[i] {
                    continue;
                }
                let value = c0 + d * (c1 + d * (c2 + d * c3));
                for (excess, limit) in [(value - a.max(b), a.max(b)), (a.min(b) - value, a.min(b))] {
                    if excess > worst.0 {
                        worst = (excess, Some((self.x[i] + d, value, limit)));
                    }
                }
            }
        }
        worst.1
    }
}

/// `∫₀ᵈ` of a piece.
fn area([c0, c1, c2, c3]: &[f64; 4], d: f64) -> f64 {
    d * (c0 + d * (c1 / 2.0 + d * (c2 / 3.0 + d * c3 / 4.0)))
}

/// Zeros of `c₁ + 2c₂d + 3c₃d²`.
fn stationary(c1: f64, c2: f64, c3: f64) -> [Option<f64>; 2] {
    let discriminant = c2 * c2 - 3.0 * c1 * c3;
    if discriminant < 0.0 {
        return [None, None];
    }
    // The stable form: one root from the sum of equal signs, the other from the product of the roots.
    let q = -(c2 + discriminant.sqrt().copysign(c2));
    let finite = |d: f64| d.is_finite().then_some(d);
    [finite(q / (3.0 * c3)), finite(c1 / q)]
}

/// Cubic pieces through values with given slopes (Hermite).
fn hermite(x: &[f64], y: &[f64], slopes: &[f64]) -> Vec<[f64; 4]> {
    (0..x.len() - 1)
        .map(|i| {
            let (h, m0, m1) = (x[i + 1] - x[i], slopes[i], slopes[i + 1]);
            let secant = (y[i + 1] - y[i]) / h;
            [y[i], m0, (3.0 * secant - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * secant) / (h * h)]
        })
        .collect()
}

/// Slopes that keep each piece monotone: zero where the secants change sign, otherwise their weighted
/// harmonic mean (Fritsch and Butland 1984, weights of unequal spacing); at the ends the three-point slope,
/// limited to zero and three secants (Fritsch and Carlson 1980). The rule of SciPy's `PchipInterpolator` and
/// MATLAB's `pchip`.
fn monotone_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let secants: Vec<f64> = y.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();
    if n == 2 {
        return vec![secants[0]; 2];
    }
    let end = |h0: f64, h1: f64, s0: f64, s1: f64| {
        let slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        if slope * s0 <= 0.0 {
            0.0
        } else if s0 * s1 <= 0.0 && slope.abs() > 3.0 * s0.abs() {
            3.0 * s0
        } else {
            slope
        }
    };
    let mut slopes = vec![end(h[0], h[1], secants[0], secants[1])];
    for i in 1..n - 1 {
        let (a, b) = (secants[i - 1], secants[i]);
        let (w1, w2) = (2.0 * h[i] + h[i - 1], h[i] + 2.0 * h[i - 1]);
        slopes.push(if a * b <= 0.0 { 0.0 } else { (w1 + w2) / (w1 / a + w2 / b) });
    }
    slopes.push(end(h[n - 2], h[n - 3], secants[n - 2], secants[n - 3]));
    slopes
}

#[cfg(test)]
mod tests;
