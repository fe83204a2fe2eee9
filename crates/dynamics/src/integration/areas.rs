//! Integrals of forces over time to rounding, narrow peaks included.

use pliant_mechanism::TimeFunction;

/// Points and weights of Gauss and Legendre's rule with five points on −1 … 1 (Abramowitz and Stegun 1972,
/// table 25.4).
pub(crate) const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// Cells that a smooth stretch begins with.
const CELLS: usize = 8;

/// Panels of the magnitude of a force that knows its integral.
const PANELS: usize = 64;

/// Most cells.
const MOST_CELLS: usize = 8192;

/// What a force may do between the samples of a cell unseen, as a part of its mean magnitude.
const UNSEEN: f64 = 1e-9;

/// Cells of these parts of the stretch may leave more unseen, as a part of the range of their samples:
/// samples do not reach the ends of a cell, and bounds of a sum are wider than its values, by as much as
/// these change over the cell. A peak no higher than that has no area to speak of in a cell so narrow.
const NARROW: [(f64, f64); 2] = [(1.0 / 64.0, 0.1), (1.0 / 1024.0, 1.0)];

/// Two halves of a panel that agree with it to this part of the integral of the magnitude are exact.
const EXACT: f64 = 1e-13;

/// Halvings of a panel: a root at its end is then exact to 10⁻¹¹.
const DEPTH: u32 = 24;

/// Most panels of a stretch, and of a part of it; a force that takes more is noise to the steps of any run.
const MOST_PANELS: [usize; 2] = [200_000, 4096];

/// ∫f and ∫|f|.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) signed: f64,
    pub(crate) magnitude: f64,
}

impl std::ops::Add for Area {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { signed: self.signed + other.signed, magnitude: self.magnitude + other.magnitude }
    }
}

/// The integral of a smooth stretch of a force. Where bounds of the force are known, cells are halved until
/// no area hides between the samples of a cell: a bound that the samples reach leaves nothing unseen,
/// whatever the width of a peak.
pub(crate) struct Areas<'f> {
    force: &'f dyn TimeFunction,
    /// Ends of the cells; nothing for a force that knows its integral.
    ends: Vec<f64>,
    /// From the first end to each.
    sums: Vec<Area>,
}

/// Part of a stretch.
#[derive(Clone, Copy)]
struct Cell {
    begin: f64,
    end: f64,
    area: Area,
    /// By how much its values may lie outside of those of its samples, and the range of these.
    unseen: f64,
    range: f64,
}

impl<'f> Areas<'f> {
    /// Nothing for a force that quadrature does not resolve.
    pub(crate) fn new(force: &'f dyn TimeFunction, begin: f64, end: f64) -> Option<Self> {
        let mut areas = Self { force, ends: Vec::new(), sums: vec![Area::default()] };
        if force.integral(begin, end).is_some() {
            let at = |k: usize| begin + (end - begin) * (k as f64 / PANELS as f64);
            areas.sums.extend((0..PANELS).map(|k| gauss(force, at(k), at(k + 1))).reduce(|a, b| a + b));
            return Some(areas);
        }
        let at = |k: usize| begin + (end - begin) * (k as f64 / CELLS as f64);
        let mut cells: Vec<Cell> = (0..CELLS).map(|k| cell(force, at(k), at(k + 1))).collect();
        // All cells of one width before any narrower one, so that a limit leaves no part aside.
        loop {
            let magnitude: f64 = cells.iter().map(|cell| cell.area.magnitude).sum();
            let mean = magnitude / (end - begin);
            let narrow = |cell: &Cell| {
                let width = (cell.end - cell.begin) / (end - begin);
                NARROW.iter().any(|(part, share)| width <= part * 1.001 && cell.unseen <= share * cell.range)
            };
            let seen = |cell: &Cell| cell.unseen <= UNSEEN * mean || narrow(cell);
            if cells.iter().all(seen) || cells.len() >= MOST_CELLS {
                break;
            }
            let halves = |c: &Cell| {
                let middle = 0.5 * (c.begin + c.end);
                [cell(force, c.begin, middle), cell(force, middle, c.end)]
            };
            let divided =
                cells.iter().flat_map(|cell| if seen(cell) { vec![*cell] } else { halves(cell).to_vec() });
            cells = divided.collect();
        }
        let magnitude: f64 = cells.iter().map(|cell| cell.area.magnitude).sum();
        areas.ends.push(begin);
        let mut panels = Panels { force, tolerance: EXACT * magnitude, left: MOST_PANELS[0] };
        for cell in cells {
            let last = areas.sums[areas.sums.len() - 1];
            areas.ends.push(cell.end);
            areas.sums.push(last + panels.refined(cell.begin, cell.end, cell.area, DEPTH));
        }
        (panels.left > 0).then_some(areas)
    }

    /// ∫|f| over the stretch.
    pub(crate) fn magnitude(&self) -> f64 {
        self.sums[self.sums.len() - 1].magnitude
    }

    /// ∫ over a part of the stretch.
    pub(crate) fn between(&self, begin: f64, end: f64) -> f64 {
        if let Some(exact) = self.force.integral(begin, end) {
            return exact;
        }
        let tolerance = EXACT * self.sums[self.sums.len() - 1].magnitude;
        let part = |a: f64, b: f64| {
            let mut panels = Panels { force: self.force, tolerance, left: MOST_PANELS[1] };
            panels.refined(a, b, gauss(self.force, a, b), DEPTH).signed
        };
        // Cells that lie inside are known.
        let first = self.ends.partition_point(|t| *t < begin);
        let last = self.ends.partition_point(|t| *t <= end);
        if first + 1 >= last {
            return match self.ends.get(first).filter(|t| **t > begin && **t < end) {
                Some(middle) => part(begin, *middle) + part(*middle, end),
                None => part(begin, end),
            };
        }
        let known = self.sums[last - 1].signed - self.sums[first].signed;
        let before = if self.ends[first] > begin { part(begin, self.ends[first]) } else { 0.0 };
        let after = if self.ends[last - 1] < end { part(self.ends[last - 1], end) } else { 0.0 };
        before + known + after
    }
}

fn gauss(force: &dyn TimeFunction, begin: f64, end: f64) -> Area {
    let (middle, half) = (0.5 * (begin + end), 0.5 * (end - begin));
    GAUSS.iter().fold(Area::default(), |sum, (x, weight)| {
        let f = weight * half * force.value(middle + half * x);
        sum + Area { signed: f, magnitude: f.abs() }
    })
}

fn cell(force: &dyn TimeFunction, begin: f64, end: f64) -> Cell {
    let (middle, half) = (0.5 * (begin + end), 0.5 * (end - begin));
    // Inside alone: a value at the end of a cell says nothing of how wide its peak is.
    let samples = GAUSS.iter().map(|(x, _)| force.value(middle + half * x));
    let (low, high) =
        samples.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), f| (low.min(f), high.max(f)));
    let unseen = force.range(begin, end).map_or(0.0, |(least, most)| (most - high).max(low - least).max(0.0));
    Cell { begin, end, area: gauss(force, begin, end), unseen, range: high - low }
}

/// Quadrature by panels that are halved until their halves agree with them.
struct Panels<'f> {
    force: &'f dyn TimeFunction,
    tolerance: f64,
    /// Panels that may still be looked at.
    left: usize,
}

impl Panels<'_> {
    fn refined(&mut self, begin: f64, end: f64, single: Area, depth: u32) -> Area {
        let middle = 0.5 * (begin + end);
        let halves = [gauss(self.force, begin, middle), gauss(self.force, middle, end)];
        let both = halves[0] + halves[1];
        self.left = self.left.saturating_sub(1);
        let agree = (both.signed - single.signed).abs() <= self.tolerance;
        if agree || depth == 0 || self.left == 0 || !(begin < middle && middle < end) {
            return both;
        }
        self.refined(begin, middle, halves[0], depth - 1) + self.refined(middle, end, halves[1], depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mechanism::Expression;
    use std::f64::consts::{PI, TAU};

    #[test]
    fn narrow_rough_and_steep_stretches_have_their_integral() {
        let cases = [
            // Gaussians of σ from a tenth to a millionth of a second.
            ("1000*exp(-((t - 0.5)/1e-2)^2/2)", 10.0 * TAU.sqrt()),
            ("1000*exp(-((t - 0.40031)/1e-6)^2/2)", 1e-3 * TAU.sqrt()),
            ("1000/cosh((t - 0.5)/1e-4)^2", 0.2),
            // Infinite slope at both ends of half an ellipse, and long flat parts beside it.
            ("500*sqrt(max(0, 1 - ((t - 0.5)/2e-4)^2))", 500.0 * 2e-4 * PI / 2.0),
            ("3 + 0*t", 3.0),
            ("sin(2*pi*50*t)^2", 0.5),
        ];
        for (text, expected) in cases {
            let force = Expression::parse(text).unwrap();
            let areas = Areas::new(&force, 0.0, 1.0).unwrap();
            let found = areas.between(0.0, 1.0);
            assert!((found - expected).abs() < 1e-9 * expected, "{text}: {found} for {expected}");
            // Parts that cut cells.
            let parts: f64 =
                (0..77).map(|k| areas.between(f64::from(k) / 77.0, f64::from(k + 1) / 77.0)).sum();
            assert!((parts - expected).abs() < 1e-9 * expected, "{text} in parts: {parts}");
        }
    }

    #[test]
    fn noise_is_given_up() {
        let force = Expression::parse("sin(1e9*t)").unwrap();
        assert!(Areas::new(&force, 0.0, 1.0).is_none());
    }
}
