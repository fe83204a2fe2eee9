//! Machines with drives that sample, each by its own clock, all of them exactly.
//!
//! The state is that of the plant, of the controllers, of what each drive holds, and of values that wait for
//! their delay. Samples and values that come into force are events; between them the plant moves freely. All
//! clocks begin together, so that the events repeat after the least common multiple of the sample times: one
//! cycle is a matrix, and the machine is stable where its eigenvalues lie inside the unit circle. In a cycle
//! as long as the clock of a broken loop that loop has one sample, and its plant a response in z.

use std::collections::VecDeque;

use nalgebra::{DMatrix, DVector, RowDVector};

use crate::response::oil::SampledController;
use crate::response::state_space::StateSpace;

/// Sample times are multiples of a common one to this part of it, …
const COMMENSURATE: f64 = 1e-9;
/// … with numbers no larger than this.
const LARGEST_MULTIPLE: f64 = 1000.0;
/// A cycle with more samples than this is not followed.
const MOST_SAMPLES: usize = 200;

/// Events closer to each other than this part of a cycle are at one time.
const SHORTEST: f64 = 1e-12;

/// A drive that samples. It is an input of the plant, and two of its outputs.
#[derive(Clone, Debug)]
pub(crate) struct SampledDrive {
    pub(crate) controller: SampledController,
    pub(crate) time: f64,
    /// Entire samples of the delay.
    samples: usize,
    /// The rest of it (s).
    rest: f64,
}

impl SampledDrive {
    pub(crate) fn new(controller: SampledController, time: f64, delay: f64) -> Self {
        let ratio = delay / time;
        // A delay that is a multiple of the sample time but for rounding is one.
        let samples = if (ratio - ratio.round()).abs() < 1e-9 { ratio.round() } else { ratio.floor() };
        let rest = (ratio - samples).max(0.0) * time;
        let rest = if rest > 1e-9 * time { rest } else { 0.0 };
        Self { controller, time, samples: samples as usize, rest }
    }
}

/// A plant with drives that sample.
#[derive(Debug)]
pub(crate) struct Clocked<'a> {
    /// All of these drives broken.
    plant: &'a StateSpace,
    drives: Vec<SampledDrive>,
    /// Samples of each drive in a cycle.
    counts: Vec<usize>,
    /// Length of a cycle (s).
    cycle: f64,
    /// Free motion of the plant between events.
    flows: Vec<Flow>,
}

/// `x⁺ = Φ x + Γ h` over a time (s).
#[derive(Debug)]
struct Flow {
    step: f64,
    Phi: DMatrix<f64>,
    Gamma: DMatrix<f64>,
}

/// One cycle: `ξ⁺ = M ξ + b u`, u the value that a broken loop computes at its sample.
pub(crate) struct Cycle {
    pub(crate) M: DMatrix<f64>,
    pub(crate) b: DVector<f64>,
}

enum Event {
    Sample(usize),
    InForce(usize),
}

impl<'a> Clocked<'a> {
    /// Nothing where the clocks have no common cycle that is short enough.
    pub(crate) fn new(plant: &'a StateSpace, drives: Vec<SampledDrive>) -> Option<Self> {
        let counts = samples_of(&drives.iter().map(|drive| drive.time).collect::<Vec<_>>())?;
        let cycle = drives.first()?.time * counts[0] as f64;
        let mut clocked = Self { plant, drives, counts, cycle, flows: Vec::new() };
        let mut t = 0.0;
        for at in clocked.events().into_iter().map(|(at, _)| at).chain([cycle]) {
            let step = at - t;
            if step <= SHORTEST * cycle {
                continue;
            }
            t = at;
            if clocked.flow(step).is_none() {
                let (Phi, Gamma) = propagate(plant, step);
                clocked.flows.push(Flow { step, Phi, Gamma });
            }
        }
        Some(clocked)
    }

    fn flow(&self, step: f64) -> Option<&Flow> {
        self.flows.iter().find(|known| (known.step - step).abs() <= SHORTEST * self.cycle)
    }

    /// Length of a cycle (s).
    pub(crate) fn cycle_time(&self) -> f64 {
        self.cycle
    }

    /// Whether a drive has one sample in a cycle.
    pub(crate) fn is_slowest(&self, drive: usize) -> bool {
        self.counts[drive] == 1
    }

    /// One cycle, one of the loops broken or none.
    pub(crate) fn cycle(&self, broken: Option<usize>) -> Cycle {
        let n = self.plant.A.nrows();
        let inputs = self.drives.len();
        let states = |k: usize| if broken == Some(k) { 0 } else { self.drives[k].controller.A.nrows() };
        let size = n + (0..inputs).map(|k| 1 + states(k) + self.drives[k].samples).sum::<usize>();
        // Rows by the state at the begin and, last, u.
        let unit = |j: usize| RowDVector::from_fn(size + 1, |_, i| f64::from(u8::from(i == j)));
        let mut x = DMatrix::identity(n, size + 1);
        let mut held = DMatrix::zeros(inputs, size + 1);
        let mut controllers = Vec::new();
        let mut queues: Vec<VecDeque<RowDVector<f64>>> = Vec::new();
        let mut next = n;
        for k in 0..inputs {
            held.set_row(k, &unit(next));
            let first = next + 1;
            controllers
                .push(DMatrix::from_fn(states(k), size + 1, |i, j| f64::from(u8::from(j == first + i))));
            let waiting = first + states(k);
            queues.push((0..self.drives[k].samples).map(|i| unit(waiting + i)).collect());
            next = waiting + self.drives[k].samples;
        }
        let mut t = 0.0;
        let mut move_to = |to: f64, x: &mut DMatrix<f64>, held: &DMatrix<f64>| {
            let step = to - t;
            if step <= SHORTEST * self.cycle {
                return;
            }
            t = to;
            let Flow { Phi, Gamma, .. } = self.flow(step).expect("invariant: all steps are known");
            *x = Phi * &*x + Gamma * held;
        };
        for (at, event) in self.events() {
            move_to(at, &mut x, &held);
            match event {
                Event::Sample(k) if broken == Some(k) => queues[k].push_back(unit(size)),
                Event::Sample(k) => {
                    let own = &self.drives[k].controller;
                    let measured = x.tr_mul(&self.plant.C.rows(2 * k, 2).transpose()).transpose();
                    let u = -(&own.D * &measured + &own.C * &controllers[k]);
                    controllers[k] = &own.A * &controllers[k] + &own.B * &measured;
                    queues[k].push_back(u);
                }
                Event::InForce(k) => {
                    let u = queues[k].pop_front().expect("invariant: a value waits for each time");
                    held.set_row(k, &u);
                }
            }
        }
        move_to(self.cycle, &mut x, &held);
        let mut rows = DMatrix::zeros(size, size + 1);
        rows.rows_mut(0, n).copy_from(&x);
        let mut next = n;
        for k in 0..inputs {
            rows.set_row(next, &held.row(k));
            rows.rows_mut(next + 1, states(k)).copy_from(&controllers[k]);
            next += 1 + states(k);
            for waiting in &queues[k] {
                rows.set_row(next, waiting);
                next += 1;
            }
        }
        Cycle { M: rows.columns(0, size).into_owned(), b: rows.column(size).into_owned() }
    }

    /// Events of a cycle in their order; a value may come into force as soon as it is computed.
    fn events(&self) -> Vec<(f64, Event)> {
        let mut events = Vec::new();
        for (k, (drive, count)) in self.drives.iter().zip(&self.counts).enumerate() {
            for j in 0..*count {
                let at = j as f64 * drive.time;
                events.push((at, Event::Sample(k)));
                events.push((at + drive.rest, Event::InForce(k)));
            }
        }
        // Sorting is stable: of one drive the sample comes first.
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        events
    }
}

/// How many samples each clock has in the shortest cycle of all.
fn samples_of(times: &[f64]) -> Option<Vec<usize>> {
    let first = *times.first()?;
    // Each time as a fraction of the first one; the common unit has the least common multiple below.
    let mut fractions = Vec::new();
    let mut below = 1u64;
    for time in times {
        let (p, q) = fraction(time / first)?;
        fractions.push((p, q));
        below = lcm(below, q);
    }
    let units: Vec<u64> = fractions.iter().map(|(p, q)| p * (below / q)).collect();
    let cycle = units.iter().copied().fold(1, lcm);
    let counts: Vec<usize> = units.iter().map(|unit| (cycle / unit) as usize).collect();
    (counts.iter().sum::<usize>() <= MOST_SAMPLES).then_some(counts)
}

/// A ratio as p/q in small numbers, by its continued fraction.
fn fraction(ratio: f64) -> Option<(u64, u64)> {
    let (mut p, mut q) = ([1.0, ratio.floor()], [0.0, 1.0]);
    let mut rest = ratio - ratio.floor();
    loop {
        if p[1] > LARGEST_MULTIPLE || q[1] > LARGEST_MULTIPLE {
            return None;
        }
        if p[1] > 0.0 && (p[1] / q[1] - ratio).abs() <= COMMENSURATE * ratio {
            return Some((p[1] as u64, q[1] as u64));
        }
        let next = 1.0 / rest;
        rest = next - next.floor();
        (p, q) = ([p[1], next.floor() * p[1] + p[0]], [q[1], next.floor() * q[1] + q[0]]);
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// `exp(A t)` and `∫₀ᵗ exp(A s) ds B`, both from one exponential of `[A B; 0 0] t`.
fn propagate(system: &StateSpace, t: f64) -> (DMatrix<f64>, DMatrix<f64>) {
    let (n, m) = (system.A.nrows(), system.B.ncols());
    let mut all = DMatrix::zeros(n + m, n + m);
    all.view_mut((0, 0), (n, n)).copy_from(&(&system.A * t));
    all.view_mut((0, n), (n, m)).copy_from(&(&system.B * t));
    let all = all.exp();
    (all.view((0, 0), (n, n)).into_owned(), all.view((0, n), (n, m)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_a_common_cycle() {
        assert_eq!(samples_of(&[1e-3, 1e-3]), Some(vec![1, 1]));
        assert_eq!(samples_of(&[1e-3, 5e-4]), Some(vec![1, 2]));
        assert_eq!(samples_of(&[1e-3, 7e-4, 2e-3]), Some(vec![14, 20, 7]));
        assert_eq!(samples_of(&[0.1, 0.3]), Some(vec![3, 1]));
        assert_eq!(samples_of(&[1e-3, 1e-3 * 2f64.sqrt()]), None);
        assert_eq!(samples_of(&[1e-3, 1.001e-3]), None);
    }
}
