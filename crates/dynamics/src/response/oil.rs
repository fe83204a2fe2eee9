//! Hydraulic drives in a linear machine.

use nalgebra::{Complex, DMatrix, DVector, RowDVector};
use pliant_mechanism::{Compensator, CoordinateRef, Hydraulic};

/// A hydraulic drive in a linear machine: its oil column with closed valve is a spring in K, the rest are
/// states.
#[derive(Clone, Debug)]
pub(crate) struct LinearOil {
    pub(crate) name: String,
    pub(crate) coordinate: CoordinateRef,
    /// Its index among the unknowns.
    pub(crate) unknown: usize,
    pub(crate) drive: Hydraulic,
    /// θ = row·y.
    pub(crate) row: RowDVector<f64>,
    /// θ̇ = row·ẏ + rate·y.
    pub(crate) rate: RowDVector<f64>,
    /// Units of the joint: `rad` or `m`.
    pub(crate) units: &'static str,
    /// Its electronics act; else its valve gets the input of the machine alone.
    pub(crate) closed: bool,
}

/// `ż = A z + P (θ, θ̇) + E (θ_c, θ̇_c, θ̈_c) + b u`, torque `√k z₀ − kθ` with the oil stiffness k.
///
/// The first state is `z₀ = √C p + √k θ` with C = V/4β, so that `½(z₀ − √k θ)²` is the energy of the oil, and
/// z₀ stands still while the valve is closed and nothing leaks. The spool follows as `σx`, `σẋ/ω_v`,
/// `σ = K_q/(√C ω_v)`: entries of A are of the size of frequencies.
#[derive(Clone, Debug)]
pub(crate) struct OilMatrices {
    pub(crate) A: DMatrix<f64>,
    pub(crate) P: DMatrix<f64>,
    pub(crate) E: DMatrix<f64>,
    pub(crate) b: DVector<f64>,
    /// y by z, θ and θ̇.
    pub(crate) tachometer: (RowDVector<f64>, [f64; 2]),
    pub(crate) states: Vec<String>,
    /// Their units.
    pub(crate) units: Vec<String>,
}

/// Sections of the delay, of second order each.
const SECTIONS: usize = 4;

/// Columns behind those of the states.
const THETA: usize = 0;
const RATE: usize = 1;
const COMMAND: usize = 2;
const INPUT: usize = 5;
const OTHERS: usize = 6;

/// Rows under construction: numbers by the states found so far and by what comes from outside.
struct Rows {
    names: Vec<String>,
    units: Vec<String>,
    /// Rows by outside quantities and states, in that order.
    rates: Vec<Row>,
}

type Row = Vec<f64>;

/// Units of states whose half square is an energy.
pub(crate) const ROOT_OF_ENERGY: &str = "J^(1/2)";

/// Units of an integral over time.
pub(crate) fn over_time(units: &str) -> String {
    if units == "1" { "s".to_owned() } else { format!("{units}·s") }
}

fn outside(column: usize, value: f64) -> Row {
    let mut row = vec![0.0; OTHERS.max(column + 1)];
    row[column] = value;
    row
}

fn sum(a: &[f64], b: &[f64]) -> Row {
    let n = a.len().max(b.len());
    (0..n).map(|k| a.get(k).unwrap_or(&0.0) + b.get(k).unwrap_or(&0.0)).collect()
}

fn times(a: &[f64], factor: f64) -> Row {
    a.iter().map(|a| a * factor).collect()
}

impl Rows {
    /// A new state; its rate comes later.
    fn state(&mut self, name: &str, units: &str) -> (usize, Row) {
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.units.push(units.to_owned());
        self.rates.push(Vec::new());
        (index, outside(OTHERS + index, 1.0))
    }

    /// Output of a compensator for an error.
    fn compensate(&mut self, c: &Compensator, error: &[f64], (name, units): (&str, &str)) -> Row {
        let mut passed = error.to_vec();
        if c.lag > 0.0 {
            let (index, filtered) = self.state(&format!("{name} filter"), units);
            let left = sum(error, &times(&filtered, -1.0));
            self.rates[index] = times(&left, 1.0 / c.lag);
            passed = sum(&filtered, &times(&left, c.passes()));
        }
        let mut out = times(&passed, c.gain);
        if c.integral_gain > 0.0 {
            let (index, integral) = self.state(&format!("{name} integral"), &over_time(units));
            self.rates[index] = passed;
            out = sum(&out, &times(&integral, c.integral_gain));
        }
        out
    }

    /// `exp(−sT)` as sections `(1 − x/2 + x²/12)/(1 + x/2 + x²/12)`, x = sT over their number (Padé): less
    /// than 0.3° off up to ωT = 4.
    fn delay(&mut self, signal: Row, time: f64) -> Row {
        let part = SECTIONS as f64 / time;
        let mut signal = signal;
        for section in 0..SECTIONS {
            let (first, v1) = self.state(&format!("delay {}a", section + 1), "1");
            let (second, v2) = self.state(&format!("delay {}b", section + 1), "1");
            // √12 makes the section alike in both states: its matrix is part·[0 √12; −√12 −6].
            let root = 12f64.sqrt();
            self.rates[first] = times(&v2, part * root);
            let pull = sum(&times(&v1, -root), &times(&v2, -6.0));
            self.rates[second] = times(&sum(&pull, &signal), part);
            signal = sum(&signal, &times(&v2, -12.0));
        }
        signal
    }
}

impl LinearOil {
    /// Matrices of the drive.
    pub(crate) fn matrices(&self) -> OilMatrices {
        let drive = &self.drive;
        let (C, k, leak) = (drive.compliance(), drive.oil_stiffness(), drive.total_leakage());
        let valve = &drive.valve;
        let omega = valve.frequency;
        let sigma = valve.flow_gain / (C.sqrt() * omega);
        let mut rows = Rows { names: Vec::new(), units: Vec::new(), rates: Vec::new() };
        let (oil, z0) = rows.state("oil", ROOT_OF_ENERGY);
        let (spool, z1) = rows.state("spool", ROOT_OF_ENERGY);
        let (spool_rate, z2) = rows.state("spool rate", ROOT_OF_ENERGY);
        let pressure = sum(&z0, &outside(THETA, -k.sqrt()));
        rows.rates[oil] = sum(&times(&z1, omega), &times(&pressure, -leak / C));
        rows.rates[spool] = times(&z2, omega);
        let tachometer = match drive.tachometer.time_constant {
            time if time > 0.0 => {
                let (index, y) = rows.state("tachometer", "1");
                let left = sum(&outside(RATE, drive.tachometer.gain), &times(&y, -1.0));
                rows.rates[index] = times(&left, 1.0 / time);
                y
            }
            _ => outside(RATE, drive.tachometer.gain),
        };
        let mut input = outside(INPUT, 1.0);
        if self.closed {
            let feed = drive.feed_forward;
            let mut asked = sum(&outside(COMMAND + 1, feed[0]), &outside(COMMAND + 2, feed[1]));
            if let Some(c) = &drive.position {
                let error = sum(&outside(COMMAND, 1.0), &outside(THETA, -1.0));
                asked = sum(&asked, &rows.compensate(c, &error, ("position", self.units)));
            }
            let error = sum(&times(&asked, drive.tachometer.gain), &times(&tachometer, -1.0));
            let mut u = rows.compensate(&drive.rate, &error, ("rate", "1"));
            if drive.delay > 0.0 && drive.sample.is_none() {
                u = rows.delay(u, drive.delay);
            }
            input = sum(&input, &u);
        }
        let pull = sum(&times(&input, sigma * valve.gain), &times(&z1, -1.0));
        rows.rates[spool_rate] = times(&sum(&pull, &times(&z2, -2.0 * valve.damping)), omega);
        let n = rows.names.len();
        let at = |row: &Row, column: usize| row.get(column).copied().unwrap_or(0.0);
        let part =
            |first: usize, count: usize| DMatrix::from_fn(n, count, |i, j| at(&rows.rates[i], first + j));
        let signal = RowDVector::from_fn(n, |_, j| at(&tachometer, OTHERS + j));
        OilMatrices {
            A: part(OTHERS, n),
            P: part(THETA, 2),
            E: part(COMMAND, 3),
            b: part(INPUT, 1).column(0).into_owned(),
            tachometer: (signal, [at(&tachometer, THETA), at(&tachometer, RATE)]),
            states: rows.names.iter().map(|state| format!("hydraulic {} {state}", self.name)).collect(),
            units: rows.units,
        }
    }
}

/// An integral, which without a gain is nothing at rest too.
pub(crate) fn integrated(gain: f64, over: Complex<f64>) -> Complex<f64> {
    if gain == 0.0 { Complex::new(0.0, 0.0) } else { over * gain }
}

/// `(k + k_i/s)(1 + T₁ s)/(1 + T₂ s)`.
fn continuous(c: &Compensator, s: Complex<f64>) -> Complex<f64> {
    let lead = if c.lag > 0.0 { (s * c.lead + 1.0) / (s * c.lag + 1.0) } else { Complex::new(1.0, 0.0) };
    (Complex::new(c.gain, 0.0) + integrated(c.integral_gain, s.inv())) * lead
}

/// The same of samples every T: lead and lag by the trapezoidal rule, s = 2(z − 1)/(T(z + 1)), the integral
/// with the present sample, `T z/(z − 1)`.
fn sampled(c: &Compensator, z: Complex<f64>, T: f64) -> Complex<f64> {
    let s = (z - 1.0) / (z + 1.0) * (2.0 / T);
    let lead = if c.lag > 0.0 { (s * c.lead + 1.0) / (s * c.lag + 1.0) } else { Complex::new(1.0, 0.0) };
    (Complex::new(c.gain, 0.0) + integrated(c.integral_gain * T, z / (z - 1.0))) * lead
}

/// What minus the valve input takes of position and tachometer.
pub(crate) fn weights(drive: &Hydraulic, at: impl Fn(&Compensator) -> Complex<f64>) -> [Complex<f64>; 2] {
    let rate = at(&drive.rate);
    let position = drive.position.as_ref().map_or(Complex::new(0.0, 0.0), at);
    [rate * position * drive.tachometer.gain, rate]
}

pub(crate) fn continuous_weights(drive: &Hydraulic, s: Complex<f64>) -> [Complex<f64>; 2] {
    let late = (-s * drive.delay).exp();
    weights(drive, |c| continuous(c, s)).map(|weight| weight * late)
}

pub(crate) fn sampled_weights(drive: &Hydraulic, z: Complex<f64>, T: f64) -> [Complex<f64>; 2] {
    weights(drive, |c| sampled(c, z, T))
}

/// A controller that samples: `c⁺ = A c + B m` with the measurements m, minus its output `C c + D m`.
#[derive(Clone, Debug)]
pub(crate) struct SampledController {
    pub(crate) A: DMatrix<f64>,
    pub(crate) B: DMatrix<f64>,
    pub(crate) C: RowDVector<f64>,
    pub(crate) D: RowDVector<f64>,
}

impl SampledController {
    /// That of a hydraulic drive, from position and tachometer.
    pub(crate) fn of(drive: &Hydraulic, T: f64) -> Self {
        // Measurements stand in the columns 0 and 1, states behind them; signals are rows of both.
        let mut next: Vec<Row> = Vec::new();
        let unit = |column: usize| {
            let mut row = vec![0.0; column + 1];
            row[column] = 1.0;
            row
        };
        let mut compensate = |c: &Compensator, error: Row| -> Row {
            let mut passed = error.clone();
            if c.lag > 0.0 {
                // w_k = (w_{k−1}(1 − p) + p(e_{k−1} + e_k))/(1 + p), p = T/2T₂; the state is w_{k−1}(1 − p)
                // + p e_{k−1}, all that the present needs of the past.
                let p = 0.5 * T / c.lag;
                let index = next.len();
                next.push(Vec::new());
                let past = unit(2 + index);
                let filtered = times(&sum(&past, &times(&error, p)), 1.0 / (1.0 + p));
                next[index] = sum(&times(&filtered, 1.0 - p), &times(&error, p));
                passed = sum(&filtered, &times(&sum(&error, &times(&filtered, -1.0)), c.passes()));
            }
            let mut out = times(&passed, c.gain);
            if c.integral_gain > 0.0 {
                let index = next.len();
                next.push(Vec::new());
                let integral = sum(&unit(2 + index), &times(&passed, T));
                next[index] = integral.clone();
                out = sum(&out, &times(&integral, c.integral_gain));
            }
            out
        };
        let asked = drive.position.as_ref().map(|c| compensate(c, unit(0))).unwrap_or_default();
        let error = sum(&times(&asked, drive.tachometer.gain), &unit(1));
        let out = compensate(&drive.rate, error);
        Self::of_rows(&next, &out)
    }

    /// That of a servo with position, rate and integral gain, from position and rate.
    pub(crate) fn of_gains([position, rate, integral]: [f64; 3], T: f64) -> Self {
        if integral > 0.0 {
            return Self::of_rows(&[vec![T, 0.0, 1.0]], &[position + integral * T, rate, integral]);
        }
        Self::of_rows(&[], &[position, rate])
    }

    fn of_rows(next: &[Row], out: &[f64]) -> Self {
        let n = next.len();
        let at = |row: &[f64], column: usize| row.get(column).copied().unwrap_or(0.0);
        Self {
            A: DMatrix::from_fn(n, n, |i, j| at(&next[i], 2 + j)),
            B: DMatrix::from_fn(n, 2, |i, j| at(&next[i], j)),
            C: RowDVector::from_fn(n, |_, j| at(out, 2 + j)),
            D: RowDVector::from_fn(2, |_, j| at(out, j)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a delay T have gain 1 and the phase −ωT.
    #[test]
    fn a_delay_turns_the_phase_alone() {
        let mut rows = Rows { names: Vec::new(), units: Vec::new(), rates: Vec::new() };
        let time = 2e-3;
        let out = rows.delay(outside(INPUT, 1.0), time);
        let n = rows.names.len();
        let at = |row: &Row, column: usize| row.get(column).copied().unwrap_or(0.0);
        let A = DMatrix::from_fn(n, n, |i, j| Complex::new(at(&rows.rates[i], OTHERS + j), 0.0));
        let b = DVector::from_fn(n, |i, _| Complex::new(at(&rows.rates[i], INPUT), 0.0));
        let c = RowDVector::from_fn(n, |_, j| Complex::new(at(&out, OTHERS + j), 0.0));
        for (omega, tolerance) in [(10.0, 1e-12), (500.0, 2e-5), (2000.0, 6e-3)] {
            let s = Complex::new(0.0, omega);
            let x = (DMatrix::from_diagonal_element(n, n, s) - &A).lu().solve(&b).unwrap();
            let found = (&c * x)[0] + at(&out, INPUT);
            let exact = (-s * time).exp();
            // 4·(ωT/4)⁵/720 of each section's error.
            assert!((found - exact).norm() < tolerance, "{omega}: {found} for {exact}");
        }
    }
}
