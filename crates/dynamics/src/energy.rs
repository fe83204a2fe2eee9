//! Energy accounting: what is stored, what was put in, what was lost, and whether it adds up.

use pliant_mechanism::Model;

use crate::State;
use crate::coupled_damping;
use crate::residual::multiply_add;
use crate::workspace::Workspace;

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
    /// `kinetic + strain + gravity − drive_work − load_work + dissipated` minus its value at the start: zero but
    /// for the error of the integration.
    pub balance: f64,
}

/// Powers at one time (W).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Power {
    pub(crate) drive: f64,
    pub(crate) load: f64,
    pub(crate) dissipation: f64,
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

/// Powers of drives, loads and dissipation at a state whose residual has been evaluated into `work`. Uses the
/// bodies' scratch.
pub(crate) fn power(model: &Model, state: &State, work: &mut Workspace) -> Power {
    let mut power = Power::default();
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        let hinge = body.hinge_velocities();
        let v = &state.v[hinge.clone()];
        for (k, c) in body.coordinates.iter().enumerate() {
            let position = state.q[body.hinge_positions().start + k];
            let at = hinge.start + k;
            let force = c.drive.force(state.t, position, v[k], work.memory[at]).unwrap_or(work.r[at]);
            power.drive += v[k] * force;
            power.dissipation += v[k] * c.friction.resistance(v[k]).0;
        }
        let first = body.hinge.joint.velocity_count();
        for (k, (_, _, damping)) in body.hinge.bearing.compliant().enumerate() {
            power.dissipation += damping * v[first + k] * v[first + k];
        }
        if w.damped {
            let rates = &state.v[body.elastic_velocities()];
            w.y.fill(0.0);
            multiply_add(body.link.D.as_slice(), rates, &mut w.y);
            power.dissipation += w.y.iter().zip(rates).map(|(y, v)| y * v).sum::<f64>();
        }
        for T in &w.interfaces {
            power.load += T.load.dot(&T.V);
        }
    }
    power.dissipation += coupled_damping::dissipation(model, &state.v, work);
    closure_power(model, state, work, &mut power);
    power
}

fn closure_power(model: &Model, state: &State, work: &Workspace, power: &mut Power) {
    let closures = model.closures();
    for joint in &closures.joints {
        let velocities = joint.velocities();
        let v = &state.v[velocities.clone()];
        for (k, c) in joint.coordinates.iter().enumerate() {
            let position = state.q[joint.positions().start + k];
            let at = velocities.start + k;
            let force = c.drive.force(state.t, position, v[k], work.memory[at]).unwrap_or(work.r[at]);
            power.drive += v[k] * force;
            power.dissipation += v[k] * c.friction.resistance(v[k]).0;
        }
        let first = joint.hinge.joint.velocity_count();
        for (k, (_, _, damping)) in joint.hinge.bearing.compliant().enumerate() {
            power.dissipation += damping * v[first + k] * v[first + k];
        }
    }
    let c = &work.closure;
    let mut at = 6 * closures.joints.len();
    for constraint in &closures.constraints {
        let rate = constraint.kind.drive_rate(state.t);
        for multiplier in &c.multipliers[at..at + constraint.kind.row_count()] {
            power.drive += multiplier * rate;
        }
        at += constraint.kind.row_count();
    }
    at = c.constraints;
    for force in &closures.forces {
        let count = force.kind.row_count();
        let (drive, lost) = force.kind.power(state.t, &c.rows[at..at + count]);
        power.drive += drive;
        power.dissipation += lost;
        at += count;
    }
}
