//! The loop of each servo, broken at its torque, and of each hydraulic drive, broken at the input of its
//! valve, while the others act.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use nalgebra::Complex;
use pliant_mechanism::{Hydraulic, Model, Sampling};
use rayon::prelude::*;

use crate::response::channels::{Channel, Input, Order, Output, Side};
use crate::response::clocks::{Clocked, SampledDrive};
use crate::response::evd::eigenvalues;
use crate::response::machine::LinearMachine;
use crate::response::margins::{Margins, margins, nyquist};
use crate::response::oil::{SampledController, continuous_weights, integrated, sampled_weights};
use crate::response::single_input::SingleInput;
use crate::response::state_space::StateSpace;

/// The loop of a servo: from the torque that comes into force back to the torque that is asked for, with the
/// sign of `1 + L = 0`.
#[derive(Clone, Debug)]
pub struct ServoLoop {
    /// Joint of the servo.
    pub name: String,
    /// Sample time and delay; nothing of a continuous servo.
    pub sampling: Option<Sampling>,
    control: Control,
    /// Torque to position and rate of the motor, or valve to position and tachometer: in s, or of what is
    /// sampled in z.
    plant: SingleInput,
    /// Poles of the plant, in s.
    poles: Vec<Complex<f64>>,
    /// Others that sample do so in the plant; else they count as continuous.
    pub exact: bool,
    /// The machine is stable: its poles, all loops closed, decay.
    pub stable: bool,
}

/// What is fed back.
#[derive(Clone, Debug)]
enum Control {
    /// Position, rate and integral gain of a servo.
    Gains([f64; 3]),
    /// The electronics of a hydraulic drive.
    Hydraulic(Box<Hydraulic>),
}

impl Control {
    fn sampled(&self, T: f64) -> SampledController {
        match self {
            Self::Gains(gains) => SampledController::of_gains(*gains, T),
            Self::Hydraulic(drive) => SampledController::of(drive, T),
        }
    }

    /// What minus the torque or valve input takes of both measurements, continuous.
    fn at(&self, s: Complex<f64>) -> [Complex<f64>; 2] {
        match self {
            Self::Gains([position, rate, integral]) => {
                [Complex::new(*position, 0.0) + integrated(*integral, s.inv()), Complex::new(*rate, 0.0)]
            }
            Self::Hydraulic(drive) => continuous_weights(drive, s),
        }
    }

    /// The same of samples every T.
    fn at_samples(&self, z: Complex<f64>, T: f64) -> [Complex<f64>; 2] {
        match self {
            Self::Gains([position, rate, integral]) => {
                let integral = integrated(integral * T, z / (z - 1.0));
                [Complex::new(*position, 0.0) + integral, Complex::new(*rate, 0.0)]
            }
            Self::Hydraulic(drive) => sampled_weights(drive, z, T),
        }
    }
}

/// Margins of the loop of a servo.
#[derive(Clone, Debug)]
pub struct LoopMargins {
    /// Joint of the servo.
    pub name: String,
    /// True when the loop was sampled exactly, false when it is continuous.
    pub sampled: bool,
    /// Others that sample do so in it; else they count as continuous.
    pub exact: bool,
    /// The machine decays with all its loops closed.
    pub stable: bool,
    /// Its margins.
    pub margins: Margins,
}

/// A drive whose loop is broken: a servo or a hydraulic drive by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    Servo(usize),
    Valve(usize),
}

impl Broken {
    fn all(machine: &LinearMachine) -> Vec<Self> {
        let valves = (0..machine.oils.len()).filter(|k| machine.oils[*k].closed);
        (0..machine.servos.len()).map(Self::Servo).chain(valves.map(Self::Valve)).collect()
    }

    fn name(self, machine: &LinearMachine) -> &str {
        match self {
            Self::Servo(k) => &machine.servos[k].name,
            Self::Valve(k) => &machine.oils[k].name,
        }
    }

    fn sampling(self, machine: &LinearMachine) -> Option<Sampling> {
        match self {
            Self::Servo(k) => machine.servos[k].servo.sampling,
            Self::Valve(k) => machine.oils[k].drive.sampling(),
        }
    }

    fn control(self, machine: &LinearMachine) -> Control {
        match self {
            Self::Servo(k) => {
                let servo = &machine.servos[k].servo;
                Control::Gains([servo.position_gain, servo.rate_gain, servo.integral_gain])
            }
            Self::Valve(k) => Control::Hydraulic(Box::new(machine.oils[k].drive.clone())),
        }
    }

    /// Torque or valve, position and rate or tachometer.
    fn channels(self, machine: &LinearMachine) -> (Channel<Input>, [Channel<Output>; 2]) {
        let named = |kind| Channel { name: String::new(), kind };
        let joint = |at, order| named(Output::Joint(at, Side::Motor, order));
        match self {
            Self::Servo(k) => {
                let at = machine.servos[k].coordinate;
                let input = Channel { name: "torque".to_owned(), kind: Input::Torque(at) };
                (input, [joint(at, Order::Position), joint(at, Order::Rate)])
            }
            Self::Valve(k) => {
                let at = machine.oils[k].coordinate;
                let input = Channel { name: "valve".to_owned(), kind: Input::Valve(at) };
                (input, [joint(at, Order::Position), named(Output::Tachometer(at))])
            }
        }
    }
}

/// The machine with these loops broken, as a plant with two outputs for each.
fn plant(open: &Model, machine: &LinearMachine, broken: &[Broken]) -> Option<StateSpace> {
    let servos: Vec<usize> =
        broken.iter().filter_map(|b| if let Broken::Servo(k) = b { Some(*k) } else { None }).collect();
    let valves: Vec<usize> =
        broken.iter().filter_map(|b| if let Broken::Valve(k) = b { Some(*k) } else { None }).collect();
    let (inputs, outputs): (Vec<_>, Vec<_>) = broken.iter().map(|b| b.channels(machine)).unzip();
    StateSpace::new(open, &machine.with_open(&servos, &valves)?, &inputs, &outputs.concat()).ok()
}

/// The loops of all servos and hydraulic drives that act in a linear machine. The machine is stable with all
/// clocks as they are, where they have a common cycle; in the plant of a loop others that sample do so where
/// the cycle is the sample time of the loop, else they count as continuous.
pub fn servo_loops(open: &Model, machine: &LinearMachine) -> Vec<ServoLoop> {
    let least = machine.free.sqrt();
    let all = Broken::all(machine);
    let sampled: Vec<(Broken, Sampling)> =
        all.iter().filter_map(|b| Some((*b, b.sampling(machine)?))).collect();
    let broken: Vec<Broken> = sampled.iter().map(|(b, _)| *b).collect();
    let open_plant = (!broken.is_empty()).then(|| plant(open, machine, &broken)).flatten();
    let drive = |(b, sampling): &(Broken, Sampling)| {
        SampledDrive::new(b.control(machine).sampled(sampling.time), sampling.time, sampling.delay)
    };
    let drives: Vec<SampledDrive> = sampled.iter().map(drive).collect();
    let clocked = open_plant.as_ref().and_then(|plant| Clocked::new(plant, drives));
    let stable = match &clocked {
        Some(clocked) => {
            let (values, T) = (eigenvalues(&clocked.cycle(None).M).unwrap_or_default(), clocked.cycle_time());
            largest_growth(values.iter().map(|z| logarithm(*z, T)), least) < GROWING.max(ROUNDING / T)
        }
        None => {
            let (A, _) = StateSpace::modal(machine);
            largest_growth(eigenvalues(&A).unwrap_or_default().into_iter(), least) < GROWING
        }
    };
    let of = |b: &Broken| {
        let name = b.name(machine).to_owned();
        let (sampling, control) = (b.sampling(machine), b.control(machine));
        let own = broken.iter().position(|known| known == b);
        let exact = clocked.as_ref().zip(own).filter(|(clocked, k)| clocked.is_slowest(*k));
        let (plant, poles, exact) = match (exact, sampling) {
            (Some((clocked, k)), Some(sampling)) => {
                let cycle = clocked.cycle(Some(k));
                let poles = eigenvalues(&cycle.M)?;
                let plant = open_plant.as_ref()?.C.rows(2 * k, 2).into_owned();
                let C = plant.resize_horizontally(cycle.M.nrows(), 0.0);
                let poles = poles.into_iter().map(|z| logarithm(z, sampling.time)).collect();
                (SingleInput::new(&cycle.M, &cycle.b, &C), poles, true)
            }
            (_, Some(sampling)) => {
                let system = plant(open, machine, &[*b])?;
                let alone = SampledDrive::new(control.sampled(sampling.time), sampling.time, sampling.delay);
                let cycle = Clocked::new(&system, vec![alone])?.cycle(Some(0));
                let C = system.C.clone().resize_horizontally(cycle.M.nrows(), 0.0);
                (SingleInput::new(&cycle.M, &cycle.b, &C), eigenvalues(&system.A)?, false)
            }
            (_, None) => {
                let system = plant(open, machine, &[*b])?;
                let plant = SingleInput::new(&system.A, &system.B.column(0).into_owned(), &system.C);
                (plant, eigenvalues(&system.A)?, broken.is_empty())
            }
        };
        Some(ServoLoop { name, sampling, control, plant, poles, exact, stable })
    };
    all.par_iter().filter_map(of).collect()
}

/// A machine whose motions grow more slowly than this (1/s) does not.
const GROWING: f64 = 1e-9;
/// Eigenvalues of a cycle are right to this.
const ROUNDING: f64 = 1e-11;

/// The largest real part of eigenvalues in s that are no free motion.
fn largest_growth(values: impl Iterator<Item = Complex<f64>>, least: f64) -> f64 {
    values.filter(|s| s.norm() > least).map(|s| s.re).fold(f64::NEG_INFINITY, f64::max)
}

/// `s = ln z / T`, where z = exp(sT) decays at once at a value that waits.
fn logarithm(z: Complex<f64>, T: f64) -> Complex<f64> {
    z.ln() / T
}

/// A part of a loop between two frequencies.
struct Arc {
    length: f64,
    ends: [(f64, Complex<f64>); 2],
}

impl Arc {
    fn new(a: (f64, Complex<f64>), b: (f64, Complex<f64>)) -> Self {
        let size = |z: Complex<f64>| (1.0 + z.norm_sqr()).sqrt();
        let length = (a.1 - b.1).norm() / (size(a.1) * size(b.1));
        // On a pole there is no number, and nothing to draw.
        Self { length: if length.is_finite() { length } else { 0.0 }, ends: [a, b] }
    }
}

impl Ord for Arc {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equal ones that at the lower frequency comes first.
        self.length.total_cmp(&other.length).then(other.ends[0].0.total_cmp(&self.ends[0].0))
    }
}

impl PartialOrd for Arc {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Arc {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Arc {}

impl ServoLoop {
    /// L at an angular frequency: `(k_p + k_i/s) P_θ + k_v P_θ̇`; of a sampled servo the exact loop of what
    /// it sees, `(k_p + k_i T z/(z − 1)) P_θ(z) + k_v P_θ̇(z)`, z = exp(jωT), with hold and delay in P.
    pub fn at(&self, omega: f64) -> Complex<f64> {
        let Some(sampling) = self.sampling else {
            let s = Complex::new(0.0, omega);
            let (P, weights) = (self.plant.at(s), self.control.at(s));
            return P[0] * weights[0] + P[1] * weights[1];
        };
        let z = Complex::from_polar(1.0, omega * sampling.time);
        let (P, weights) = (self.plant.at(z), self.control.at_samples(z, sampling.time));
        P[0] * weights[0] + P[1] * weights[1]
    }

    /// The loop at `count` frequencies (Hz), ascending, as it is drawn: a third of them as
    /// `frequencies_hz` has them, the others each in the middle of the arc that is then the longest on the
    /// sphere of complex numbers, where `|a − b|/√((1 + |a|²)(1 + |b|²))` is half a chord.
    pub fn curve(&self, count: usize) -> Vec<(f64, Complex<f64>)> {
        let at = |hz: f64| (hz, self.at(std::f64::consts::TAU * hz));
        let mut points: Vec<_> = self.frequencies_hz(count.div_ceil(3)).into_iter().map(at).collect();
        let mut arcs: BinaryHeap<Arc> = points.windows(2).map(|pair| Arc::new(pair[0], pair[1])).collect();
        while points.len() < count
            && let Some(Arc { ends: [a, b], .. }) = arcs.pop()
        {
            let middle = at((a.0 * b.0).sqrt());
            points.push(middle);
            arcs.extend([Arc::new(a, middle), Arc::new(middle, b)]);
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// Frequencies (Hz) at which the loop is worth a look: from a tenth of its lowest pole to ten times the
    /// highest that matters, or to half the sampling frequency. Half of them are spaced by equal factors, the
    /// others stand about the poles, where a loop turns within their damping ratio: with x = ln ω they are
    /// evenly spaced in `x/X + Σ atan((x − x_p)/ζ_p)/(π n)`.
    fn frequencies_hz(&self, count: usize) -> Vec<f64> {
        let sizes = || self.poles.iter().map(|s| s.norm()).filter(|size| *size > 0.0 && size.is_finite());
        let highest = sizes().fold(1.0, f64::max);
        let lowest = sizes().filter(|size| *size > 1e-6 * highest).fold(highest, f64::min);
        let to = self.sampling.map_or(10.0 * highest, |sampling| nyquist(sampling.time) * (1.0 - 1e-9));
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
        let sizes = || self.poles.iter().map(|s| s.norm()).filter(|size| *size > 0.0 && size.is_finite());
        let highest = sizes().fold(1.0, f64::max);
        let lowest = sizes().filter(|size| *size > 1e-6 * highest).fold(highest, f64::min);
        let to = self.sampling.map_or(10.0 * highest, |sampling| nyquist(sampling.time) * (1.0 - 1e-9));
        let from = (1e-3 * lowest).min(1e-3 * to);
        let near: Vec<(f64, f64)> =
            self.poles.iter().filter(|s| s.im > 0.0).map(|s| (s.im, s.re.abs() / s.norm())).collect();
        // At rest and at half the sampling frequency L is real.
        let ends = [Some(0.0), self.sampling.map(|sampling| nyquist(sampling.time))];
        let ends: Vec<f64> = ends.into_iter().flatten().collect();
        LoopMargins {
            name: self.name.clone(),
            sampled: self.sampling.is_some(),
            exact: self.exact,
            stable: self.stable,
            margins: margins(&|omega| self.at(omega), [from, to], &near, &ends),
        }
    }
}
