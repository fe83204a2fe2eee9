//! The machine of a case in the frequency domain: modes, responses and state space at poses.

mod deck;

pub use deck::deck;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::{Complex, DMatrix};
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::response::{
    About, DampedModes, FrequencyResponse, LinearMachine, LoopMargins, ModeKind, PoseState, StateSpace,
    TrackedPose, Tracks, Truncated, UndampedMode, pose_states, servo_loops, track,
};
use pliant_dynamics::{AnalysisKind, SimulationError};
use pliant_machine::{ResponsePlan, ResponseRequest};
use pliant_mechanism::{CoordinateRef, Model};
use pliant_store::{PoseRecord, ResponseFile};
use rayon::prelude::*;

use crate::case::Case;
use crate::links::MachineLink;

/// The machine at one pose.
#[derive(Clone, Debug)]
pub struct PoseResponse {
    /// Time of the pose (s).
    pub time: f64,
    /// Values of the joint coordinates (rad, m), in the order of [`ResponseResult::joints`].
    pub joints: Vec<f64>,
    /// Modes without damping.
    pub undamped: Vec<UndampedMode>,
    /// Modes with damping, where they are asked for.
    pub damped: Option<DampedModes>,
    /// Margins of the loops of servos, where they are asked for.
    pub margins: Vec<LoopMargins>,
    /// Responses, outputs by inputs, for each frequency.
    pub response: Vec<DMatrix<Complex<f64>>>,
    /// A, B, C, D, where they are asked for.
    pub state_space: Option<StateSpace>,
    /// The same with fewer states, where it is asked for.
    pub truncated: Option<Truncated>,
}

impl PoseResponse {
    /// Motions that nothing holds, and motions that grow.
    pub fn free_and_growing(&self) -> (usize, usize) {
        match &self.damped {
            Some(damped) => (damped.free, damped.growing),
            None => {
                let count = |kind| self.undamped.iter().filter(|mode| mode.kind == kind).count();
                (count(ModeKind::Free), count(ModeKind::Unstable))
            }
        }
    }
}

/// The outcome.
#[derive(Clone, Debug)]
pub struct ResponseResult {
    /// Title of the file.
    pub title: String,
    /// Names of the joint coordinates.
    pub joints: Vec<String>,
    /// Names of the coordinates that shapes of modes have.
    pub coordinates: Vec<String>,
    /// Names and units of inputs.
    pub inputs: Vec<[String; 2]>,
    /// Names and units of outputs.
    pub outputs: Vec<[String; 2]>,
    /// Frequencies of the responses (Hz).
    pub frequencies_hz: Vec<f64>,
    /// The poses, in order.
    pub poses: Vec<PoseResponse>,
    /// Modes without damping, followed from pose to pose.
    pub tracks: Tracks,
    /// Warnings and notes.
    pub diagnostics: Diagnostics,
}

/// Computes what `[response]` asks for.
///
/// # Errors
/// A file without the table, a machine that cannot be assembled, a pose that it cannot take, channels that
/// mean nothing: each at its line.
pub fn response(case: &Case, links: &[Arc<MachineLink>]) -> Result<ResponseResult, Diagnostics> {
    let one = |diagnostic: Diagnostic| Diagnostics::from_iter([diagnostic]);
    let Some(plan) = case.response() else {
        return Err(one(no_table()));
    };
    let by_name = links.iter().map(|link| (link.info.name.clone(), Arc::clone(&link.link))).collect();
    let machine = case.machine(by_name)?;
    let model = machine.model(AnalysisKind::Nonlinear);
    let open = model.without_servos();
    let request = plan.resolve(model)?;
    let states = pose_states(model, &open, case.settings(), &request.poses, plan.about);
    let states =
        states.map_err(|(index, error)| one(at_pose(plan.span, index, request.poses.len(), &error)))?;
    let work = Work { plan, request: &request, model, open: &open };
    let poses: Vec<Result<_, Box<Diagnostic>>> =
        states.par_iter().enumerate().map(|(index, state)| work.at(index, state)).collect();
    let mut diagnostics = Diagnostics::new();
    let (mut done, mut coordinates) = (Vec::new(), Vec::new());
    for pose in poses {
        match pose {
            Ok((pose, names)) => {
                done.push(pose);
                coordinates = names;
            }
            // One message for one cause, however many poses it has.
            Err(problem) if diagnostics.iter().all(|other| other.message != problem.message) => {
                diagnostics.push(*problem);
            }
            Err(_) => {}
        }
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    diagnostics.extend(verdict(plan, &done));
    let units = |name: &str, units: &str| [name.to_owned(), units.to_owned()];
    Ok(ResponseResult {
        title: case.table().title.clone(),
        joints: joint_names(&open),
        coordinates,
        inputs: request.inputs.iter().map(|i| units(&i.name, i.kind.units(&open))).collect(),
        outputs: request.outputs.iter().map(|o| units(&o.name, o.kind.units(&open))).collect(),
        frequencies_hz: plan.frequencies_hz.clone(),
        tracks: tracked(&done),
        poses: done,
        diagnostics,
    })
}

fn no_table() -> Diagnostic {
    let hint = "`[response]` alone computes the modes at the start; docs/response.md shows more";
    Diagnostic::error("the file has no `[response]`").hint(hint)
}

struct Work<'a> {
    plan: &'a ResponsePlan,
    request: &'a ResponseRequest,
    model: &'a Model,
    open: &'a Model,
}

impl Work<'_> {
    /// The pose with the names of the coordinates of its shapes.
    fn at(&self, index: usize, state: &PoseState) -> Result<(PoseResponse, Vec<String>), Box<Diagnostic>> {
        let Self { plan, request, model, open } = self;
        let fail = |error: SimulationError| Box::new(at_pose(plan.span, index, request.poses.len(), &error));
        let models = (*model, *open);
        let machine = LinearMachine::new(models, state, plan.servos, &request.inputs, &request.outputs);
        let machine = machine.map_err(fail)?;
        let damped = plan.damped.then(|| machine.damped_modes(open, plan.modes)).transpose().map_err(fail)?;
        let wanted = plan.state_space || !request.inputs.is_empty();
        let system = wanted
            .then(|| StateSpace::new(open, &machine, &request.inputs, &request.outputs))
            .transpose()
            .map_err(|error| {
                let name = error.channel().to_owned();
                Box::new(Diagnostic::error(error.to_string()).at(plan.span_of(&name)))
            })?;
        let truncated = system.as_ref().zip(plan.truncation).map(|(system, how)| system.truncated(how));
        let truncated = truncated.transpose().map_err(|error| {
            let hint = "`truncate = { modal = … }` takes any machine";
            Box::new(Diagnostic::error(error.to_string()).at(plan.span).hint(hint))
        })?;
        let sweep = |system: &StateSpace| FrequencyResponse::new(system).sweep(&plan.frequencies_hz);
        let pose = PoseResponse {
            time: state.time(),
            joints: scalar_coordinates(open).map(|c| state.joint(open, c)).collect(),
            undamped: machine.undamped_modes(open, plan.modes),
            damped,
            margins: match plan.margins {
                true => servo_loops(open, &machine).iter().map(|servo| servo.margins()).collect(),
                false => Vec::new(),
            },
            response: system
                .as_ref()
                .filter(|_| !plan.frequencies_hz.is_empty())
                .map(sweep)
                .unwrap_or_default(),
            state_space: system.filter(|_| plan.state_space),
            truncated,
        };
        Ok((pose, machine.shape_names().to_vec()))
    }
}

/// Follows the modes without damping along the poses.
fn tracked(poses: &[PoseResponse]) -> Tracks {
    let pose = |pose: &PoseResponse| TrackedPose {
        frequencies_hz: pose.undamped.iter().map(|mode| mode.frequency_hz).collect(),
        shapes: pose.undamped.iter().map(|mode| mode.shape.clone()).collect(),
        momenta: pose.undamped.iter().map(|mode| mode.momentum.clone()).collect(),
    };
    track(&poses.iter().map(pose).collect::<Vec<_>>())
}

fn at_pose(span: Option<Span>, index: usize, count: usize, error: &SimulationError) -> Diagnostic {
    let message = match count {
        1 => error.to_string(),
        _ => format!("pose {} of {count}: {error}", index + 1),
    };
    Diagnostic::error(message).at(span)
}

/// Says that a machine is free or unstable.
fn verdict(plan: &ResponsePlan, poses: &[PoseResponse]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let growing: Vec<usize> = (0..poses.len()).filter(|k| poses[*k].free_and_growing().1 > 0).collect();
    if let Some(first) = growing.first() {
        let pose = format!(
            "at {} of {} poses, the first at t = {:.6} s (pose {})",
            growing.len(),
            poses.len(),
            poses[*first].time,
            first + 1
        );
        found.push(match plan.about {
            // Of equations that change in time eigenvalues prove nothing; a machine that spins steadily is
            // another case.
            About::Motion => {
                let message = format!("the equations, frozen in time, have solutions that grow {pose}");
                let hint = "in a steady motion the machine is unstable; in one that changes a run decides";
                Diagnostic::warning(message).at(plan.span).hint(hint)
            }
            About::Undeformed | About::Equilibrium => {
                let message = format!("the machine is unstable {pose}: a small motion grows");
                Diagnostic::warning(message).at(plan.span)
            }
        });
    }
    let free = poses.iter().map(|pose| pose.free_and_growing().0).max().unwrap_or(0);
    if free > 0 {
        let message = "the machine has motions that nothing holds: they count as 0 Hz";
        let hint =
            "a servo, a spring or a given motion holds a joint; `servos = \"held\"` holds those of servos";
        found.push(Diagnostic::note(message).at(plan.span).hint(hint));
    }
    found
}

/// Joint coordinates that are one number: those of ball joints are not.
fn scalar_coordinates(model: &Model) -> impl Iterator<Item = CoordinateRef> {
    model.coordinate_refs().filter(|c| model.joint(c.joint).hinge.joint.has_scalar_coordinates())
}

/// Names of all joint coordinates that are one number.
fn joint_names(model: &Model) -> Vec<String> {
    let name = |coordinate: CoordinateRef| {
        let (view, k) = (model.joint(coordinate.joint), coordinate.coordinate);
        let (hinge, joint) = (view.hinge, view.name);
        match hinge.joint.coordinates() {
            [_] => joint.to_owned(),
            names => format!("{joint}.{}", names[k]),
        }
    };
    scalar_coordinates(model).map(name).collect()
}

/// Where the results go by default: `results/NAME.response.h5` in the current folder.
pub fn default_response_path(pipeline: &Path) -> PathBuf {
    let mut name = pipeline.file_stem().unwrap_or(pipeline.as_os_str()).to_owned();
    name.push(".response.h5");
    Path::new("results").join(name)
}

/// Writes the outcome as an HDF5 file: complete or not at all.
///
/// # Errors
/// What the system refuses.
pub fn write(result: &ResponseResult, case: &Case, path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let poses = result.poses.iter().map(|pose| PoseRecord {
        time: pose.time,
        joints: &pose.joints,
        undamped: &pose.undamped,
        damped: pose.damped.as_ref(),
        margins: &pose.margins,
        response: &pose.response,
        state_space: pose.state_space.as_ref(),
        truncated: pose.truncated.as_ref(),
    });
    ResponseFile {
        title: &result.title,
        pipeline: &case.provenance().pipeline,
        joints: &result.joints,
        coordinates: &result.coordinates,
        inputs: &result.inputs,
        outputs: &result.outputs,
        frequencies_hz: &result.frequencies_hz,
        tracks: &result.tracks,
        poses: poses.collect(),
    }
    .write(path)
}
