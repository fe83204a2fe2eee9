//! The state of a machine.

use std::ops::Range;

use pliant_mechanism::{Drive, Hinge, JointCoordinate, Model};

/// All hinges with their coordinates and indices among positions and velocities: of the tree, then of loop
/// joints.
pub(crate) fn hinges(
    model: &Model,
) -> impl Iterator<Item = (&Hinge, &[JointCoordinate], Range<usize>, Range<usize>)> {
    let tree = model
        .bodies()
        .iter()
        .map(|b| (&b.hinge, b.coordinates.as_slice(), b.hinge_positions(), b.hinge_velocities()));
    let closing = model.closures().joints.iter();
    tree.chain(closing.map(|j| (&j.hinge, j.coordinates.as_slice(), j.positions(), j.velocities())))
}

/// Positions, velocities and accelerations at one time. Body after body: joint, bearing, elastic coordinates.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Time (s).
    pub t: f64,
    /// Positions; quaternions take four entries.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations, which satisfy the equations of motion at `t`.
    pub a: Vec<f64>,
    /// Algorithmic accelerations of generalised-α; equal to `a` for Newmark's rule.
    pub(crate) a_bar: Vec<f64>,
    /// Multipliers of closures and grips, row by row.
    pub(crate) multipliers: Vec<f64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let Self { t, q, v, a, a_bar, multipliers } = self;
        Self {
            t: *t,
            q: q.clone(),
            v: v.clone(),
            a: a.clone(),
            a_bar: a_bar.clone(),
            multipliers: multipliers.clone(),
        }
    }

    /// Into the memory that is there: of the same machine nothing is allocated.
    fn clone_from(&mut self, source: &Self) {
        let Self { t, q, v, a, a_bar, multipliers } = source;
        self.t = *t;
        self.q.clone_from(q);
        self.v.clone_from(v);
        self.a.clone_from(a);
        self.a_bar.clone_from(a_bar);
        self.multipliers.clone_from(multipliers);
    }
}

impl State {
    /// At time `t`: undeformed, joints at their initial displacements and rates, prescribed ones where their
    /// motion puts them. Accelerations of unknown coordinates are zero until they are solved for.
    pub fn initial(model: &Model, t: f64) -> Self {
        let velocities = model.velocity_count();
        let mut state = Self {
            t,
            q: vec![0.0; model.position_count()],
            v: vec![0.0; velocities],
            a: vec![0.0; velocities],
            a_bar: vec![0.0; velocities],
            multipliers: vec![0.0; model.row_count()],
        };
        for (hinge, coordinates, q, v) in hinges(model) {
            let mut zero = vec![0.0; q.len()];
            hinge.set_zero(&mut zero);
            let mut delta = vec![0.0; v.len()];
            for (i, coordinate) in coordinates.iter().enumerate() {
                delta[i] = coordinate.initial;
                state.v[v.start + i] = coordinate.initial_rate;
                if let Drive::Servo(_) | Drive::Hydraulic(_) = &coordinate.drive
                    && let Some(command) = coordinate.drive.command()
                {
                    let command = command.at(t);
                    delta[i] += command.value;
                    state.v[v.start + i] += command.rate;
                }
            }
            hinge.advance(&zero, &delta, &mut state.q[q]);
        }
        state.prescribe(model, t);
        state
    }

    /// Puts prescribed coordinates where their motion has them at `t`.
    pub(crate) fn prescribe(&mut self, model: &Model, t: f64) {
        self.t = t;
        for (_, coordinates, q, v) in hinges(model) {
            let (q, v) = (q.start, v.start);
            for (i, coordinate) in coordinates.iter().enumerate() {
                if let Some(motion) = coordinate.motion() {
                    let sample = motion.at(t);
                    self.q[q + i] = sample.value;
                    self.v[v + i] = sample.rate;
                    self.a[v + i] = sample.acceleration;
                    self.a_bar[v + i] = sample.acceleration;
                }
            }
        }
    }
}
