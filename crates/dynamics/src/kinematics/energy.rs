//! Energy accounting: what is stored, what was put in, what was lost, and whether it adds up.

use pliant_diag::real;
use pliant_mechanism::Model;

use crate::integration::resolution::RateJump;
use crate::kinematics::coupled_damping;
use crate::kinematics::residual::multiply_add;
use crate::kinematics::workspace::Workspace;
use crate::{Scheme, State, Warning};

/// Energies and works since the start (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic, rotors included.
    pub kinetic: f64,
    /// Strain of links, bearings, joint springs and grips.
    pub strain: f64,
    /// Potential of gravity, zero at the world's origin.
    pub gravity: f64,
    /// Work of drives.
    pub drive_work: f64,
    /// Work of loads.
    pub load_work: f64,
    /// Lost in damping and friction.
    pub dissipated: f64,
    /// `kinetic + strain + gravity − drive_work − load_work + dissipated` minus its value at the start: zero
    /// but for the error of the integration.
    pub balance: f64,
}

impl Energy {
    /// Adds the works of a step.
    pub(crate) fn add(&mut self, works: &Works) {
        self.drive_work += works.drive;
        self.load_work += works.load;
        self.dissipated += works.dissipated;
    }

    /// Takes the energies stored now (kinetic, strain, gravity), and what the balance is with `initial`
    /// stored at the start.
    pub(crate) fn store(&mut self, stored: (f64, f64, f64), initial: f64) {
        (self.kinetic, self.strain, self.gravity) = stored;
        let sum = self.kinetic + self.strain + self.gravity;
        self.balance = sum - initial - self.drive_work - self.load_work + self.dissipated;
    }
}

/// Watches how far the balance is off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BalanceWatch {
    /// Gravity energy at the start.
    gravity: Option<f64>,
    /// Largest energy or work so far.
    at_play: f64,
    /// Largest imbalance, and when.
    worst: (f64, f64),
}

impl BalanceWatch {
    /// Part of the largest energy that may be missing.
    const TOLERANCE: f64 = 0.01;

    pub(crate) fn take(&mut self, t: f64, energy: &Energy) {
        let start = *self.gravity.get_or_insert(energy.gravity);
        // Of a large potential only rounding moves in a machine at rest.
        self.at_play = self.at_play.max(1e-9 * start.abs());
        let gravity = energy.gravity - start;
        let Energy { kinetic, strain, drive_work, load_work, dissipated, .. } = *energy;
        let all = [kinetic, strain, gravity, drive_work, load_work, dissipated];
        self.at_play = all.iter().fold(self.at_play, |most, e| most.max(e.abs()));
        if energy.balance.abs() > self.worst.0.abs() {
            self.worst = (energy.balance, t);
        }
    }

    /// A warning when more than a hundredth of the largest energy is missing or too much. Where the rate of a
    /// motion jumps before that, it is the cause, largest first in `jumps`.
    pub(crate) fn warning(&self, scheme: &Scheme, jumps: &[RateJump]) -> Option<Warning> {
        let (balance, t) = self.worst;
        if balance.abs() <= Self::TOLERANCE * self.at_play {
            return None;
        }
        let (size, part) = (balance.abs(), 100.0 * balance.abs() / self.at_play);
        let what = if balance > 0.0 { "appear without a source" } else { "are lost" };
        if let Some(jump) = jumps.iter().find(|jump| jump.t <= t) {
            let message = format!(
                "{} J {what}, {part:.1} % of the largest energy ({} J): {}, an infinite force that no step resolves; end the motion at rest (a table \
                 with interpolation = \"monotone\", or more rows there)",
                real(size),
                real(self.at_play),
                jump.describe()
            );
            return Some(Warning { t, subject: "energy balance".to_owned(), message });
        }
        let remedy = if *scheme == Scheme::Newmark || balance > 0.0 {
            "use a smaller step"
        } else {
            "numerical damping dissipates it: use a smaller step, or less damping (`alpha`, `rho_inf`)"
        };
        let message = format!(
            "{} J {what}, {part:.1} % of the largest energy ({} J): the integration is not accurate; {remedy}",
            real(size),
            real(self.at_play)
        );
        Some(Warning { t, subject: "energy balance".to_owned(), message })
    }
}

/// What does work at one time, as pairs of a force and the rate at which it works. The order is always the
/// same.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ports {
    drive: Vec<[f64; 2]>,
    load: Vec<[f64; 2]>,
    loss: Vec<[f64; 2]>,
}

/// Works over one step (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Works {
    pub(crate) drive: f64,
    pub(crate) load: f64,
    pub(crate) dissipated: f64,
}

impl Ports {
    /// Works from `self` to `now`, a step of length `h` later: mean force times mean rate,
    /// `h·½(f₀ + f₁)·½(v₀ + v₁)`. By Newmark's rule `M(v₁ − v₀) = h·½(f₀ + f₁)`, so that with constant M
    /// these works are exactly the change of the kinetic energy.
    pub(crate) fn works(&self, now: &Self, h: f64) -> Works {
        let work = |before: &[[f64; 2]], now: &[[f64; 2]]| {
            let products = before.iter().zip(now).map(|([f0, v0], [f1, v1])| (f0 + f1) * (v0 + v1));
            0.25 * h * products.sum::<f64>()
        };
        Works {
            drive: work(&self.drive, &now.drive),
            load: work(&self.load, &now.load),
            dissipated: work(&self.loss, &now.loss),
        }
    }
}

/// `½ xᵀ A x` for a square matrix stored column by column.
fn half_quadratic(A: &[f64], x: &[f64]) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    let columns = A.chunks_exact(x.len()).zip(x);
    0.5 * columns
        .map(|(column, x_k)| x_k * column.iter().zip(x).map(|(a, x)| a * x).sum::<f64>())
        .sum::<f64>()
}

/// Kinetic, strain and gravity energy of a state whose residual has been evaluated into `work`.
pub(crate) fn stored(model: &Model, state: &State, work: &Workspace) -> (f64, f64, f64) {
    let (mut kinetic, mut strain, mut potential) = (0.0, 0.0, 0.0);
    let g = model.gravity();
    for (body, w) in model.bodies().iter().zip(&work.bodies) {
        let link = &body.link;
        let (q, v) = (&state.q[body.elastic_positions()], &state.v[body.elastic_velocities()]);
        kinetic += w.inertia.kinetic_energy(&link.invariants, v, &w.V);
        strain += half_quadratic(link.K.as_slice(), q);
        let moment = w.X_WL.p * link.invariants.mass() + w.X_WL.R * w.inertia.first_moment;
        potential -= g.dot(&moment);
        for T in &w.interfaces {
            if let Some((m, s, I)) = &T.payload {
                kinetic += 0.5 * T.V.dot(&(I * T.V));
                potential -= g.dot(&(T.X_WT.p * *m + T.X_WT.R * s));
            }
        }
        let (hinge_q, hinge_v) = (&state.q[body.hinge_positions()], &state.v[body.hinge_velocities()]);
        for (k, c) in body.coordinates.iter().enumerate() {
            kinetic += 0.5 * c.rotor.reflected() * hinge_v[k] * hinge_v[k];
            if c.spring.stiffness > 0.0 {
                let stretch = hinge_q[k] - c.spring.neutral;
                strain += 0.5 * c.spring.stiffness * stretch * stretch;
            }
        }
        let first = body.hinge.joint.position_count();
        for (k, (_, stiffness, _)) in body.hinge.bearing.compliant().enumerate() {
            strain += 0.5 * stiffness * hinge_q[first + k] * hinge_q[first + k];
        }
    }
    for joint in &model.closures().joints {
        let (q, v) = (&state.q[joint.positions()], &state.v[joint.velocities()]);
        for (k, c) in joint.coordinates.iter().enumerate() {
            kinetic += 0.5 * c.rotor.reflected() * v[k] * v[k];
            if c.spring.stiffness > 0.0 {
                let stretch = q[k] - c.spring.neutral;
                strain += 0.5 * c.spring.stiffness * stretch * stretch;
            }
        }
        let first = joint.hinge.joint.position_count();
        for (k, (_, stiffness, _)) in joint.hinge.bearing.compliant().enumerate() {
            strain += 0.5 * stiffness * q[first + k] * q[first + k];
        }
    }
    let mut at = work.closure.constraints;
    for force in &model.closures().forces {
        let count = force.kind.row_count();
        strain += force.kind.stored(state.t, &work.closure.rows[at..at + count]);
        at += count;
    }
    strain += work.closure.grips.iter().map(|grip| grip.state.energy()).sum::<f64>();
    (kinetic, strain, potential)
}

/// What drives, loads and dissipation do at a state whose residual has been evaluated into `work`. Uses the
/// bodies' scratch.
pub(crate) fn measure(model: &Model, state: &State, work: &mut Workspace, ports: &mut Ports) {
    ports.drive.clear();
    ports.load.clear();
    ports.loss.clear();
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        let hinge = body.hinge_velocities();
        let v = &state.v[hinge.clone()];
        for (k, c) in body.coordinates.iter().enumerate() {
            let position = state.q[body.hinge_positions().start + k];
            let at = hinge.start + k;
            let force = c.drive.force(state.t, position, v[k], &work.memory[at]).unwrap_or(work.r[at]);
            ports.drive.push([force, v[k]]);
            ports.loss.push([c.friction.resistance(v[k]).0, v[k]]);
        }
        let first = body.hinge.joint.velocity_count();
        for (k, (_, _, damping)) in body.hinge.bearing.compliant().enumerate() {
            ports.loss.push([damping * v[first + k], v[first + k]]);
        }
        if w.damped {
            let rates = &state.v[body.elastic_velocities()];
            w.y.fill(0.0);
            multiply_add(body.link.D.as_slice(), rates, &mut w.y);
            ports.loss.extend(w.y.iter().zip(rates).map(|(y, v)| [*y, *v]));
        }
    }
    for (i, load) in model.loads().iter().enumerate() {
        // The wrench of an interface is the sum of its loads: it works once.
        if model.loads()[..i].iter().all(|other| other.on != load.on) {
            let T = &work.bodies[load.on.body].interfaces[load.on.interface];
            // In world axes, which do not turn from step to step.
            for part in [0, 3] {
                let force = T.X_WT.R * T.load.fixed_rows::<3>(part);
                let rate = T.X_WT.R * T.V.fixed_rows::<3>(part);
                ports.load.extend((0..3).map(|k| [force[k], rate[k]]));
            }
        }
    }
    coupled_damping::losses(model, &state.v, work, &mut ports.loss);
    measure_closures(model, state, work, ports);
}

fn measure_closures(model: &Model, state: &State, work: &Workspace, ports: &mut Ports) {
    let closures = model.closures();
    for joint in &closures.joints {
        let velocities = joint.velocities();
        let v = &state.v[velocities.clone()];
        for (k, c) in joint.coordinates.iter().enumerate() {
            let position = state.q[joint.positions().start + k];
            let at = velocities.start + k;
            let force = c.drive.force(state.t, position, v[k], &work.memory[at]).unwrap_or(work.r[at]);
            ports.drive.push([force, v[k]]);
            ports.loss.push([c.friction.resistance(v[k]).0, v[k]]);
        }
        let first = joint.hinge.joint.velocity_count();
        for (k, (_, _, damping)) in joint.hinge.bearing.compliant().enumerate() {
            ports.loss.push([damping * v[first + k], v[first + k]]);
        }
    }
    let c = &work.closure;
    let mut at = 6 * closures.joints.len();
    for constraint in &closures.constraints {
        let rate = constraint.kind.drive_rate(state.t);
        for multiplier in &c.multipliers[at..at + constraint.kind.row_count()] {
            ports.drive.push([*multiplier, rate]);
        }
        at += constraint.kind.row_count();
    }
    at = c.constraints;
    for force in &closures.forces {
        let count = force.kind.row_count();
        let power = force.kind.power(state.t, &c.rows[at..at + count]);
        ports.drive.push(power.drive);
        ports.loss.extend_from_slice(&power.loss[..count]);
        at += count;
    }
}
