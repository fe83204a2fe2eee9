//! How a run hands out its results.

use pliant_mechanism::{CoordinateRef, Drive, InterfaceRef, Model, StateEntry};
use pliant_spatial::{Transform, rotation_log};

use std::fmt;

use nalgebra::Vector3;
use pliant_diag::real;

use crate::{Energy, Nominal, ObserverError, SolverStatistics, State, Workspace};

/// Something the user should know though the run goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Time at which it was first seen (s).
    pub t: f64,
    /// Link or joint.
    pub subject: String,
    /// What, with its size.
    pub message: String,
}

impl fmt::Display for Warning {
    /// `t = 0.5 s, link: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The start of a step that ends at zero is a rounding away from it.
        let t = if self.t.abs() < 1e-12 { 0.0 } else { self.t };
        write!(f, "t = {} s, {}: {}", real(t), self.subject, self.message)
    }
}

/// One output time. Everything is a view: copy what is to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The machine.
    pub model: &'a Model,
    /// Positions, velocities, accelerations.
    pub state: &'a State,
    /// Poses, twists and wrenches of links and interfaces.
    pub work: &'a Workspace,
    /// Energies.
    pub energy: &'a Energy,
    /// The same machine with rigid links.
    pub nominal: &'a Nominal<'a>,
    /// Counters of the solver.
    pub statistics: &'a SolverStatistics,
}

impl Frame<'_> {
    /// Generalised drive force of a joint coordinate: the one a prescribed motion takes, or the given one
    /// (N·m, N). Zero for a free one.
    pub fn drive_force(&self, coordinate: CoordinateRef) -> f64 {
        drive_force(self.model, self.state, self.work, coordinate)
    }

    /// The same for the rigid machine.
    pub fn nominal_drive_force(&self, coordinate: CoordinateRef) -> f64 {
        drive_force(self.nominal.model(), self.nominal.state(), self.nominal.work(), coordinate)
    }

    /// Actual and nominal pose of an outboard triad in the world; where there is no nominal motion, that of
    /// the rigid machine when there last was one.
    pub fn poses(&self, at: InterfaceRef) -> (&Transform, &Transform) {
        let nominal = self.nominal.X_WT(at);
        (self.work.X_WT(at), nominal.unwrap_or_else(|| self.nominal.work().X_WT(at)))
    }

    /// Whether an outboard triad has a nominal pose to be compared with.
    pub fn has_nominal(&self, at: InterfaceRef) -> bool {
        self.nominal.X_WT(at).is_some()
    }

    /// Error of an outboard triad against the nominal motion, in world axes: displacement (m) and rotation
    /// vector (rad).
    pub fn error(&self, at: InterfaceRef) -> (Vector3<f64>, Vector3<f64>) {
        let (actual, nominal) = self.poses(at);
        (actual.p - nominal.p, rotation_log(&(actual.R * nominal.R.transpose())))
    }
}

fn drive_force(model: &Model, state: &State, work: &Workspace, at: CoordinateRef) -> f64 {
    let joint = model.joint(at.joint);
    let (c, StateEntry { position: q, velocity: v }) =
        (&joint.coordinates[at.coordinate], model.state_entry(at));
    // Joints with quaternions take no drive that depends on the position.
    let position = if joint.hinge.joint.has_scalar_coordinates() { state.q[q] } else { 0.0 };
    let given = c.drive.force(state.t, position, state.v[v], &work.memory[v]);
    match &c.drive {
        // What is left of the equation of a servo's coordinate is zero where it moves; in a quasi-static
        // analysis, where it is put on its command, it is what the servo does not say.
        Drive::Servo(_) | Drive::Hydraulic(_) => given.unwrap_or(0.0) + work.r[v],
        Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) => given.unwrap_or(work.r[v]),
    }
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run here, as if its end time had come.
    Stop,
}

/// Takes the frames of a run.
pub trait Observer {
    /// An output time.
    ///
    /// # Errors
    /// An error ends the run with [`SimulationError::Output`](crate::SimulationError::Output).
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError>;

    /// Something the user should know.
    fn warning(&mut self, warning: &Warning) {
        let _ = warning;
    }
}

impl<F: FnMut(&Frame<'_>)> Observer for F {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        self(frame);
        Ok(Flow::Continue)
    }
}
