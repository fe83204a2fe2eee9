//! A spring and a damper along the line between two points.

use pliant_spatial::Displacement;

use super::{ForceElement, ForcePower, ForceResponse, LeftTable};
use crate::closure::{line, line_change};
use crate::{FrameMotion, Row, Table};

/// Force over an argument (m or m/s).
#[derive(Clone, Debug, PartialEq)]
pub enum SpringLaw {
    /// In proportion (N/m, N·s/m).
    Linear(f64),
    /// A table.
    Table(Table),
}

impl SpringLaw {
    /// Value and slope at `x`.
    pub fn at(&self, x: f64) -> (f64, f64) {
        match self {
            Self::Linear(k) => (k * x, *k),
            Self::Table(table) => {
                let sample = table.at(x);
                let (first, last) = table.range();
                (sample.value, if (first..=last).contains(&x) { sample.rate } else { 0.0 })
            }
        }
    }

    /// `∫₀ˣ`.
    fn integral(&self, x: f64) -> f64 {
        match self {
            Self::Linear(k) => 0.5 * k * x * x,
            Self::Table(table) => table.integral(0.0, x),
        }
    }

    /// The rows' range when `x` lies outside it.
    fn left_at(&self, x: f64) -> Option<LeftTable> {
        let Self::Table(table) = self else { return None };
        let (first, last) = table.range();
        let outside = !(first..=last).contains(&x);
        outside.then(|| LeftTable { at: x, first, last, defined: table.covers(x) })
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
    fn kind(&self) -> &'static str {
        match (&self.spring, &self.damper) {
            (SpringLaw::Linear(0.0), _) => "damper",
            (_, SpringLaw::Linear(0.0)) => "spring",
            _ => "spring and damper",
        }
    }

    fn row_count(&self) -> usize {
        1
    }

    fn measure(&self, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]) {
        rows[0] = line(parent, child);
    }

    fn measure_change(
        &self,
        parent: &FrameMotion,
        child: &FrameMotion,
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

    fn power(&self, _: f64, rows: &[Row]) -> ForcePower {
        let mut power = ForcePower::default();
        power.loss[0] = [self.damper.at(rows[0].rate).0, rows[0].rate];
        power
    }

    fn left_table(&self, rows: &[Row]) -> Option<LeftTable> {
        let spring = || self.spring.left_at(rows[0].position - self.free_length);
        let damper = || self.damper.left_at(rows[0].rate);
        // Where one of them is not defined, that one counts.
        let undefined = |law: &LeftTable| !law.defined;
        spring().filter(undefined).or_else(|| damper().filter(undefined)).or_else(spring).or_else(damper)
    }

    fn clone_box(&self) -> Box<dyn ForceElement> {
        Box::new(self.clone())
    }
}
