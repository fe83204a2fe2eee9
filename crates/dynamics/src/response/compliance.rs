//! Compliance of a point: how far it goes under a force at itself.

use crate::response::frequency::FrequencyResponse;
use crate::response::machine::LinearMachine;
use crate::response::state_space::StateSpace;

/// Displacement of a point along each axis of the world by a force along the same axis (m/N).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// Under a constant force; not finite where nothing holds the machine along the axis.
    pub at_rest: [f64; 3],
    /// The largest over the frequencies.
    pub largest: [f64; 3],
    /// Where that is (Hz).
    pub largest_hz: [f64; 3],
}

/// Points of the first grid between two modes.
const BETWEEN: usize = 12;
/// Steps of the golden section: each leaves 0.618 of an interval, all together a hundred-millionth.
const STEPS: usize = 40;

impl Compliance {
    /// Of a state space whose three inputs are the forces and whose three outputs the positions of the point,
    /// up to the highest of `modes` modes.
    ///
    /// The static one is `H(0)`. The largest one is looked for at, between and beside the modes without
    /// damping and refined by golden section about each maximum of that grid; it may be at the highest mode.
    pub fn new(system: &StateSpace, machine: &LinearMachine, modes: usize) -> Self {
        let H = FrequencyResponse::new(system);
        let held = machine.real.squares.iter().filter(|square| **square > machine.free).take(modes);
        let hz: Vec<f64> = held.map(|square| square.sqrt() / std::f64::consts::TAU).collect();
        let mut grid = vec![0.0];
        for (k, f) in hz.iter().enumerate() {
            let from = if k == 0 { 0.0 } else { hz[k - 1] };
            grid.extend((1..=BETWEEN).map(|i| from + (f - from) * i as f64 / BETWEEN as f64));
        }
        grid.extend(hz.last().map(|last| 1.05 * last));
        let all = H.sweep(&grid);
        let size = |axis: usize, f: f64| H.sweep(&[f])[0][(axis, axis)].norm();
        let mut found = Self { at_rest: [0.0; 3], largest: [0.0; 3], largest_hz: [0.0; 3] };
        for axis in 0..3 {
            let at = |k: usize| all[k][(axis, axis)].norm();
            found.at_rest[axis] = all[0][(axis, axis)].re;
            let mut best = (at(0), 0.0);
            for k in 1..grid.len().saturating_sub(1) {
                if at(k) > best.0 {
                    best = (at(k), grid[k]);
                }
                if at(k) >= at(k - 1) && at(k) >= at(k + 1) {
                    let f = golden(&|f| size(axis, f), grid[k - 1], grid[k + 1]);
                    let peak = (size(axis, f), f);
                    if peak.0 > best.0 || !best.0.is_finite() {
                        best = peak;
                    }
                }
            }
            (found.largest[axis], found.largest_hz[axis]) = best;
        }
        found
    }
}

/// Where a function with one maximum between `a` and `b` has it.
fn golden(f: &dyn Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let part = 0.5 * (5_f64.sqrt() - 1.0);
    let (mut x1, mut x2) = (b - part * (b - a), a + part * (b - a));
    let (mut f1, mut f2) = (f(x1), f(x2));
    for _ in 0..STEPS {
        if f1 > f2 {
            (b, x2, f2) = (x2, x1, f1);
            x1 = b - part * (b - a);
            f1 = f(x1);
        } else {
            (a, x1, f1) = (x1, x2, f2);
            x2 = a + part * (b - a);
            f2 = f(x2);
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_section_finds_a_maximum() {
        let found = golden(&|x| -(x - 0.3) * (x - 0.3), -1.0, 2.0);
        // The square root of the rounding of the function: a maximum is flat.
        assert!((found - 0.3).abs() < 1e-7, "{found}");
    }
}
