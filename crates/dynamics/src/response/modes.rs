//! Modes of small vibration with the parts of the machine that they live in.

use std::f64::consts::TAU;

use nalgebra::{Complex, DVector};
use pliant_mechanism::Model;

use crate::response::evd::eigen;
use crate::response::machine::LinearMachine;
use crate::response::state_space::StateSpace;
use crate::{SimulationError, kinematics::state::hinges};

/// Shares below this are not listed.
const LISTED: f64 = 1e-3;

/// How a mode moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// It oscillates.
    Oscillating,
    /// It comes back, or creeps, without oscillation.
    Real,
    /// Nothing holds it.
    Free,
    /// It grows.
    Unstable,
}

/// Part of a mode's energy of deformation that a part of the machine has.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyShare {
    /// `link upper`, `joint hip`, `servo hip`, `bearing hip`, `force lift`; `loads` is what gravity, loads,
    /// reactions and motion add to the stiffness.
    pub part: String,
    /// Share of the sum of the sizes of all parts.
    pub share: f64,
}

/// A mode without damping.
#[derive(Clone, Debug)]
pub struct UndampedMode {
    /// Frequency (Hz); 0 where it does not oscillate.
    pub frequency_hz: f64,
    /// How it moves.
    pub kind: ModeKind,
    /// Unknowns of the machine, with φᵀMφ = 1.
    pub shape: Vec<f64>,
    /// Mass of the machine times the shape.
    pub momentum: Vec<f64>,
    /// Where its energy of deformation is, largest first.
    pub shares: Vec<EnergyShare>,
    /// For each of [`LinearMachine::drives`] its effective inertia (kg·m², kg): `(φᵀ M r)²`, r the motion of
    /// the machine with its other coordinates at rest when the drive moves by one. Over all modes they add up
    /// to the inertia `rᵀ M r` that the drive sees.
    pub effective: Vec<f64>,
}

/// A mode with damping, of a pair or alone: an eigenvalue s with Im s ≥ 0.
#[derive(Clone, Debug)]
pub struct DampedMode {
    /// Re s, Im s (1/s).
    pub s: [f64; 2],
    /// |s|/2π (Hz).
    pub frequency_hz: f64,
    /// ζ = −Re s/|s|.
    pub ratio: f64,
    /// How it moves.
    pub kind: ModeKind,
    /// Unknowns of the machine, real and imaginary parts; the largest entry in energy is real.
    pub shape: Vec<[f64; 2]>,
    /// Where its energy of deformation is, largest first.
    pub shares: Vec<EnergyShare>,
}

/// Modes with damping, and how many eigenvalues of all are of motions that nothing holds or that grow.
#[derive(Clone, Debug)]
pub struct DampedModes {
    /// The lowest.
    pub modes: Vec<DampedMode>,
    /// Eigenvalues at zero.
    pub free: usize,
    /// Eigenvalues with a positive real part.
    pub growing: usize,
}

/// The parts of the machine that a mode lives in, in words: up to three, with at least a twentieth each.
pub fn energy_label(shares: &[EnergyShare]) -> String {
    let large = shares.iter().filter(|share| share.share.abs() >= 0.05).take(3);
    let words: Vec<String> =
        large.map(|share| format!("{} {:.0} %", share.part, 100.0 * share.share)).collect();
    if words.is_empty() { "no deformation".to_owned() } else { words.join(", ") }
}

impl LinearMachine {
    /// The modes without damping, ascending: `K φ = ω² M φ` with the symmetric part of K. At most `count`.
    pub fn undamped_modes(&self, open: &Model, count: usize) -> Vec<UndampedMode> {
        let shapes = self.real.shapes.column_iter();
        let all = self.real.squares.iter().zip(shapes).take(count);
        all.map(|(square, y)| {
            let kind = match *square {
                square if square.abs() <= self.free => ModeKind::Free,
                square if square < 0.0 => ModeKind::Unstable,
                _ => ModeKind::Oscillating,
            };
            let frequency_hz = if kind == ModeKind::Oscillating { square.sqrt() / TAU } else { 0.0 };
            let x = self.unknowns_of(&y.into_owned());
            let shares = self.shares(open, &x.map(|x| Complex::new(x, 0.0)));
            let momentum = (&self.all.M * &x).as_slice().to_vec();
            let effective = self.drives.iter().map(|drive| drive.of_mode(y)).collect();
            UndampedMode { frequency_hz, kind, shape: x.as_slice().to_vec(), momentum, shares, effective }
        })
        .collect()
    }

    /// The modes with damping and servos: eigenvalues of A with Im ≥ 0 by |s|. At most `count` that
    /// oscillate, with what stands between them.
    ///
    /// # Errors
    /// Entries that are not finite.
    pub fn damped_modes(&self, open: &Model, count: usize) -> Result<DampedModes, SimulationError> {
        let n = self.M.nrows();
        let (A, back) = StateSpace::modal(self);
        let Some(found) = eigen(&A) else {
            return Err(SimulationError::Singular { t: self.t, subject: "the eigenvalues".to_owned() });
        };
        // Below this an eigenvalue is a zero that rounding has moved.
        let least = self.free.sqrt();
        let mut order: Vec<usize> = (0..found.values.len()).filter(|k| found.values[*k].im >= 0.0).collect();
        order.sort_by(|a, b| found.values[*a].norm().total_cmp(&found.values[*b].norm()));
        let is_free = |s: &Complex<f64>| s.norm() <= least;
        let grows = |s: &Complex<f64>| !is_free(s) && s.re > self.undamped * s.norm();
        let free = found.values.iter().filter(|s| is_free(s)).count();
        let growing = found.values.iter().filter(|s| grows(s)).count();
        let (mut modes, mut pairs) = (Vec::new(), 0);
        for k in order {
            if pairs == count {
                break;
            }
            let s = found.values[k];
            let size = s.norm();
            let mut ratio = if size > 0.0 { -s.re / size } else { 0.0 };
            if ratio.abs() < self.undamped {
                ratio = 0.0;
            }
            let kind = match s {
                s if is_free(&s) => ModeKind::Free,
                s if grows(&s) => ModeKind::Unstable,
                s if s.im > 1e-9 * size => ModeKind::Oscillating,
                _ => ModeKind::Real,
            };
            pairs += usize::from(s.im > 1e-9 * size && kind != ModeKind::Free);
            let state = found.vectors.column(k);
            let y = &back * DVector::from_iterator(n, state.iter().take(n).copied());
            let mut x = self.N[0].map(|x| Complex::new(x, 0.0)) * y;
            let largest = x.iter().enumerate().max_by(|a, b| {
                let energy = |(i, x): &(usize, &Complex<f64>)| x.norm_sqr() * self.all.M[(*i, *i)];
                energy(a).total_cmp(&energy(b))
            });
            if let Some(turn) = largest.map(|(_, x)| x.conj() / x.norm()).filter(|turn| turn.is_finite()) {
                x *= turn;
            }
            let shares = self.shares(open, &x);
            let shape = x.iter().map(|x| [x.re, x.im]).collect();
            modes.push(DampedMode { s: [s.re, s.im], frequency_hz: size / TAU, ratio, kind, shape, shares });
        }
        Ok(DampedModes { modes, free, growing })
    }

    /// Energies `½ x̄ᵀ K_part x` of the parts over the sum of their sizes.
    fn shares(&self, open: &Model, x: &DVector<Complex<f64>>) -> Vec<EnergyShare> {
        let at = |velocity: usize| {
            // Unknowns stand in ascending order.
            self.all.unknowns.binary_search(&velocity).map_or(Complex::new(0.0, 0.0), |i| x[i])
        };
        let mut parts: Vec<(String, f64)> = Vec::new();
        for body in open.bodies() {
            let own: Vec<Complex<f64>> = body.elastic_velocities().map(at).collect();
            parts.push((format!("link {}", body.name), quadratic(&body.link.K, &own)));
        }
        let tree = open.bodies().iter().map(|body| body.joint_name.as_str());
        let names = tree.chain(open.closures().joints.iter().map(|joint| joint.name.as_str()));
        for ((hinge, coordinates, _, range), name) in hinges(open).zip(names) {
            let spring = coordinates.iter().zip(range.clone());
            let spring: f64 = spring.map(|(c, j)| c.spring.stiffness * at(j).norm_sqr()).sum();
            parts.push((format!("joint {name}"), spring));
            let first = range.start + hinge.joint.velocity_count();
            let bearing = hinge.bearing.compliant().enumerate();
            let bearing: f64 = bearing.map(|(c, (_, k, _))| k * at(first + c).norm_sqr()).sum();
            parts.push((format!("bearing {name}"), bearing));
        }
        for row in &self.all.stiffness {
            let own: Vec<Complex<f64>> = (0..row.J.nrows())
                .map(|i| row.J.row(i).iter().zip(x.iter()).map(|(J, x)| x * *J).sum())
                .collect();
            parts.push((format!("force {}", row.name), quadratic(&row.k, &own)));
        }
        let elastic: f64 = parts.iter().map(|(_, energy)| energy).sum();
        let total = quadratic(&self.all.K, x.as_slice());
        // What is left below a millionth of all is rounding.
        let loads = total - elastic;
        if loads.abs() > 1e-6 * (total.abs() + elastic.abs()) {
            parts.push(("loads".to_owned(), loads));
        }
        for servo in &self.servos {
            let velocity = open.state_entry(servo.coordinate).velocity;
            let energy = servo.servo.position_gain * at(velocity).norm_sqr();
            parts.push((format!("servo {}", servo.name), energy));
        }
        let sum: f64 = parts.iter().map(|(_, energy)| energy.abs()).sum();
        let mut shares: Vec<EnergyShare> = parts
            .into_iter()
            .map(|(part, energy)| EnergyShare { part, share: if sum > 0.0 { energy / sum } else { 0.0 } })
            .filter(|share| share.share.abs() >= LISTED)
            .collect();
        shares.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
        shares
    }
}

fn quadratic(K: &nalgebra::DMatrix<f64>, x: &[Complex<f64>]) -> f64 {
    let mut sum = 0.0;
    for (j, column) in K.column_iter().enumerate() {
        let force: Complex<f64> = column.iter().zip(x).map(|(k, x)| x.conj() * *k).sum();
        sum += (force * x[j]).re;
    }
    sum
}
