//! A spring and a damper along the line between two points.

use pliant_spatial::Displacement;

use super::{ForceElement, ForceResponse};
use crate::closure::{line, line_change};
use crate::{PlaceMotion, Row, Spline};

/// Force over an argument (m or m/s).
#[derive(Clone, Debug, PartialEq)]
pub enum SpringLaw {
    /// In proportion (N/m, N·s/m).
    Linear(f64),
    /// A table with smooth interpolation; beyond its ends it goes on straight.
    Table(Spline),
}

impl SpringLaw {
    /// Value and slope at `x`.
    pub fn at(&self, x: f64) -> (f64, f64) {
        match self {
            Self::Linear(k) => (k * x, *k),
            Self::Table(spline) => {
                let (first, last) = spline.range();
                let edge = x.clamp(first, last);
                let s = spline.at(edge);
                (s.value + s.rate * (x - edge), s.rate)
            }
        }
    }

    /// `∫₀ˣ`; of a table by Gauss's rule of two points on 32 equal parts, exact where the spline is one cubic.
    fn integral(&self, x: f64) -> f64 {
        match self {
            Self::Linear(k) => 0.5 * k * x * x,
            Self::Table(_) => {
                const PARTS: u32 = 32;
                let h = x / f64::from(PARTS);
                let offset = 0.5 / 3f64.sqrt();
                let part = |i: u32| {
                    let middle = (f64::from(i) + 0.5) * h;
                    0.5 * h * (self.at(middle - offset * h).0 + self.at(middle + offset * h).0)
                };
                (0..PARTS).map(part).sum()
            }
        }
    }
}

/// Tension `T = f(l − l₀) + d(l̇)`, f and d linear or tables.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDamper {
    /// Tension over elongation.
    pub spring: SpringLaw,
    /// Tension over the rate of elongation.
    pub damper: SpringLaw,
    /// Length l₀ without tension (m).
    pub free_length: f64,
}

impl ForceElement for SpringDamper {
    fn row_count(&self) -> usize {
        1
    }

    fn measure(&self, parent: &PlaceMotion, child: &PlaceMotion, rows: &mut [Row]) {
        rows[0] = line(parent, child);
    }

    fn measure_change(
        &self,
        parent: &PlaceMotion,
        child: &PlaceMotion,
        by: [&Displacement; 2],
        rows: &mut [Row],
    ) {
        rows[0] = line_change(parent, child, by);
    }

    fn respond(&self, _: f64, rows: &[Row]) -> ForceResponse {
        let (spring, stiffness) = self.spring.at(rows[0].position - self.free_length);
        let (damper, damping) = self.damper.at(rows[0].rate);
        let mut response = ForceResponse::default();
        response.resistance[0] = spring + damper;
        response.stiffness[0][0] = stiffness;
        response.damping[0][0] = damping;
        response
    }

    fn stored(&self, _: f64, rows: &[Row]) -> f64 {
        self.spring.integral(rows[0].position - self.free_length)
    }

    fn power(&self, _: f64, rows: &[Row]) -> (f64, f64) {
        (0.0, self.damper.at(rows[0].rate).0 * rows[0].rate)
    }

    fn clone_box(&self) -> Box<dyn ForceElement> {
        Box::new(self.clone())
    }
}
