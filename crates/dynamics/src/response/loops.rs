//! The loop of each servo, broken at its torque while the other servos act.

use nalgebra::{Complex, DMatrix};
use pliant_mechanism::{Model, Sampling};

use crate::response::channels::{Channel, Input, Order, Output, Side};
use crate::response::evd::eigen;
use crate::response::frequency::FrequencyResponse;
use crate::response::machine::LinearMachine;
use crate::response::margins::{Margins, margins, nyquist};
use crate::response::state_space::StateSpace;

/// The loop of a servo: from the torque that comes into force back to the torque that is asked for, with the
/// sign of `1 + L = 0`.
#[derive(Clone, Debug)]
pub struct ServoLoop {
    /// Joint of the servo.
    pub name: String,
    /// Sample time and delay; nothing of a continuous servo.
    pub sampling: Option<Sampling>,
    gains: [f64; 3],
    /// Torque to position and rate of the motor: in s, or of what is sampled in z.
    plant: FrequencyResponse,
    /// Delay in samples.
    samples: i32,
    /// Poles of the plant, in s.
    poles: Vec<Complex<f64>>,
    /// The loop is stable: its poles, closed, decay.
    pub stable: bool,
    /// Largest |z| of a sampled loop, largest Re s of a continuous one.
    pub largest_pole: f64,
}

/// Margins of the loop of a servo.
#[derive(Clone, Debug)]
pub struct LoopMargins {
    /// Joint of the servo.
    pub name: String,
    /// True when the loop was sampled exactly, false when it is continuous.
    pub sampled: bool,
    /// The closed loop decays.
    pub stable: bool,
    /// Its margins.
    pub margins: Margins,
}

/// The loops of all servos that act in a linear machine. The others count as continuous in each.
pub fn servo_loops(open: &Model, machine: &LinearMachine) -> Vec<ServoLoop> {
    let (all, _) = StateSpace::modal(machine);
    let closed = eigen(&all).map(|found| found.values).unwrap_or_default();
    let least = machine.free.sqrt();
    let stability =
        closed.iter().filter(|s| s.norm() > least).map(|s| s.re).fold(f64::NEG_INFINITY, f64::max);
    (0..machine.servos.len()).filter_map(|k| servo_loop(open, machine, k, stability)).collect()
}

fn servo_loop(open: &Model, machine: &LinearMachine, k: usize, largest: f64) -> Option<ServoLoop> {
    let servo = &machine.servos[k];
    let broken = machine.with_open_loop(k)?;
    let at = servo.coordinate;
    let input = [Channel { name: "torque".to_owned(), kind: Input::Torque(at) }];
    let measured = |order| Channel { name: String::new(), kind: Output::Joint(at, Side::Motor, order) };
    let output = [measured(Order::Position), measured(Order::Rate)];
    let system = StateSpace::new(open, &broken, &input, &output).ok()?;
    let poles = eigen(&system.A)?.values;
    let gains = [servo.servo.position_gain, servo.servo.rate_gain, servo.servo.integral_gain];
    let (plant, samples, stable, largest_pole) = match servo.servo.sampling {
        None => (FrequencyResponse::new(&system), 0, largest < 1e-9, largest),
        Some(sampling) => {
            let clock = Clock::new(&system, sampling);
            let size = clock.closed_size(&system.C, gains, sampling.time)?;
            (clock.response(&system.C), clock.samples, size < 1.0 - 1e-12, size)
        }
    };
    let (name, sampling) = (servo.name.clone(), servo.servo.sampling);
    Some(ServoLoop { name, sampling, gains, plant, samples, poles, stable, largest_pole })
}

impl ServoLoop {
    /// L at an angular frequency: `(k_p + k_i/s) P_θ + k_v P_θ̇`; of a sampled servo the exact loop of what
    /// it sees, `(k_p + k_i T z/(z − 1)) P_θ(z) + k_v P_θ̇(z)`, z = exp(jωT), with hold and delay in P.
    pub fn at(&self, omega: f64) -> Complex<f64> {
        let [position, rate, integral] = self.gains;
        let Some(sampling) = self.sampling else {
            let s = Complex::new(0.0, omega);
            let P = self.plant.at(s);
            return P[(0, 0)] * (Complex::new(position, 0.0) + integral / s) + P[(1, 0)] * rate;
        };
        let z = Complex::from_polar(1.0, omega * sampling.time);
        let P = self.plant.at(z);
        // The second column is what is still in force from the sample before.
        let delayed = |i: usize| (P[(i, 0)] + P[(i, 1)] / z) * z.powi(-self.samples);
        let controller = Complex::new(position, 0.0) + z / (z - 1.0) * (integral * sampling.time);
        delayed(0) * controller + delayed(1) * rate
    }

    /// Frequencies (Hz) at which the loop is worth drawing: from a tenth of its lowest pole to ten times the
    /// highest that matters, or to half the sampling frequency. Half of them are spaced by equal factors, the
    /// others stand about the poles, where a loop turns within their damping ratio: with x = ln ω they are
    /// evenly spaced in `x/X + Σ atan((x − x_p)/ζ_p)/(π n)`.
    pub fn frequencies_hz(&self, count: usize, highest_hz: f64) -> Vec<f64> {
        let sizes = || self.poles.iter().map(|s| s.norm()).filter(|size| *size > 0.0);
        let highest = sizes().fold(1.0, f64::max);
        let lowest = sizes().filter(|size| *size > 1e-6 * highest).fold(highest, f64::min);
        let top = (10.0 * highest).min(std::f64::consts::TAU * highest_hz);
        let to = self.sampling.map_or(top, |sampling| top.min(nyquist(sampling.time) * (1.0 - 1e-9)));
        let from = (0.1 * lowest).min(0.01 * to);
        let (x0, x1) = (from.ln(), to.ln());
        let inside = self.poles.iter().filter(|s| s.im > from && s.im < to);
        // A turn sharper than a millionth of the frequency has points enough.
        let poles: Vec<[f64; 2]> = inside.map(|s| [s.im.ln(), (s.re.abs() / s.norm()).max(1e-6)]).collect();
        let n = poles.len().max(1) as f64;
        let position = |x: f64| {
            let near = poles.iter().map(|[p, ratio]| ((x - p) / ratio).atan() / (std::f64::consts::PI * n));
            (x - x0) / (x1 - x0) + near.sum::<f64>()
        };
        let (first, last) = (position(x0), position(x1));
        let steps = count.max(2) - 1;
        let at = |k: usize| {
            let wanted = first + (last - first) * k as f64 / steps as f64;
            let (mut low, mut high) = (x0, x1);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if position(middle) < wanted { low = middle } else { high = middle }
            }
            (0.5 * (low + high)).exp() / std::f64::consts::TAU
        };
        (0..count).map(at).collect()
    }

    /// Its margins.
    pub fn margins(&self) -> LoopMargins {
        let sizes = || self.poles.iter().map(|s| s.norm()).filter(|size| *size > 0.0);
        let highest = sizes().fold(1.0, f64::max);
        let lowest = sizes().filter(|size| *size > 1e-6 * highest).fold(highest, f64::min);
        let to = self.sampling.map_or(10.0 * highest, |sampling| nyquist(sampling.time) * (1.0 - 1e-9));
        let from = (1e-3 * lowest).min(1e-3 * to);
        let near: Vec<(f64, f64)> =
            self.poles.iter().filter(|s| s.im > 0.0).map(|s| (s.im, s.re.abs() / s.norm())).collect();
        LoopMargins {
            name: self.name.clone(),
            sampled: self.sampling.is_some(),
            stable: self.stable,
            margins: margins(&|omega| self.at(omega), [from, to], &near),
        }
    }
}

/// A plant as a sampled servo sees it. With the delay `T_d = m T + δ` a torque comes into force δ after a
/// sample: `x⁺ = Φ x + Γ₁ u_{k−m−1} + Γ₀ u_{k−m}`.
struct Clock {
    Phi: DMatrix<f64>,
    /// Γ₀, Γ₁.
    Gamma: DMatrix<f64>,
    samples: i32,
    late: bool,
}

impl Clock {
    fn new(system: &StateSpace, sampling: Sampling) -> Self {
        let ratio = sampling.delay / sampling.time;
        // A delay that is a multiple of the sample time but for rounding is one.
        let samples = if (ratio - ratio.round()).abs() < 1e-9 { ratio.round() } else { ratio.floor() };
        let rest = (ratio - samples).max(0.0) * sampling.time;
        let late = rest > 1e-9 * sampling.time;
        let (before, Gamma_before) = propagate(system, if late { rest } else { 0.0 });
        let (after, Gamma_after) = propagate(system, sampling.time - if late { rest } else { 0.0 });
        let n = system.A.nrows();
        let mut Gamma = DMatrix::zeros(n, 2);
        Gamma.column_mut(0).copy_from(&Gamma_after.column(0));
        Gamma.column_mut(1).copy_from(&(&after * Gamma_before).column(0));
        Self { Phi: after * before, Gamma, samples: samples as i32, late }
    }

    fn response(&self, C: &DMatrix<f64>) -> FrequencyResponse {
        let D = DMatrix::zeros(C.nrows(), 2);
        FrequencyResponse::of([&self.Phi, &self.Gamma, C, &D], vec![(0, 0), (1, 0)], 2)
    }

    /// Largest |z| of the closed loop: states x, the integral of the sample before, torques on their way.
    fn closed_size(&self, C: &DMatrix<f64>, [position, rate, integral]: [f64; 3], T: f64) -> Option<f64> {
        let n = self.Phi.nrows();
        let waiting = self.samples as usize + usize::from(self.late);
        let with_integral = integral > 0.0;
        let size = n + usize::from(with_integral) + waiting;
        let first = n + usize::from(with_integral);
        // u = row·state: minus all gains, the present sample of the integral included.
        let mut u = nalgebra::RowDVector::zeros(size);
        u.columns_mut(0, n).copy_from(&(-(C.row(0) * (position + integral * T) + C.row(1) * rate)));
        if with_integral {
            u[n] = -integral;
        }
        let mut A = DMatrix::zeros(size, size);
        A.view_mut((0, 0), (n, n)).copy_from(&self.Phi);
        let mut add = |age: i32, column: usize| {
            let Gamma = self.Gamma.column(column);
            match age {
                0 => {
                    let mut rows = A.rows_mut(0, n);
                    rows += Gamma * &u;
                }
                age => {
                    let mut to = A.view_mut((0, first + age as usize - 1), (n, 1));
                    to += Gamma;
                }
            }
        };
        add(self.samples, 0);
        if self.late {
            add(self.samples + 1, 1);
        }
        if with_integral {
            A.view_mut((n, 0), (1, n)).copy_from(&(C.row(0) * T));
            A[(n, n)] = 1.0;
        }
        if waiting > 0 {
            A.row_mut(first).copy_from(&u);
            (1..waiting).for_each(|k| A[(first + k, first + k - 1)] = 1.0);
        }
        Some(eigen(&A)?.values.iter().map(|z| z.norm()).fold(0.0, f64::max))
    }
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
