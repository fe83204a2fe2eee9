//! The machine of a case in the frequency domain: modes, responses and state space at poses.

mod deck;
mod loops;
mod mat;
mod shapes;
mod worst;

pub use deck::deck;
pub use mat::state_spaces;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::{Complex, DMatrix};
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::response::{
    About, Channel, Compliance, DampedModes, ElasticRow, FrequencyResponse, Input, LinearMachine,
    LoopMargins, ModeKind, Order, Output, PoseState, ServoLoop, StateSpace, TrackedPose, Tracks, Truncated,
    UndampedMode, pose_states, servo_loops, track,
};
use pliant_dynamics::{AnalysisKind, SimulationError};
use pliant_machine::{ElasticError, ElasticName, PlanePoints, ResponsePlan, ResponseRequest};
use pliant_mechanism::{CoordinateRef, InterfaceRef, Model};
use pliant_store::results::{LinkElements, PoseShapes};
use pliant_store::{LoopRecord, PlaneRecord, PoseRecord, ResponseFile};
use rayon::prelude::*;

use crate::case::Case;
use crate::links::MachineLink;

pub use worst::Worst;

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
    /// Open loops of servos, where they are asked for.
    loops: Vec<ServoLoop>,
    /// Compliance of the tip, where it is asked for.
    pub compliance: Option<Compliance>,
    /// Position of the tip (m), where the file has one.
    pub tip: Option<[f64; 3]>,
    /// Inertia that each drive sees (kg·m², kg), in the order of [`ResponseResult::drives`].
    pub drive_inertia: Vec<f64>,
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
#[derive(Debug)]
pub struct ResponseResult {
    /// Title of the file.
    pub title: String,
    /// Names of the joint coordinates.
    pub joints: Vec<String>,
    /// Units of the joint coordinates: `rad` or `m`.
    pub joint_units: Vec<&'static str>,
    /// Drives whose inertia modes are compared with.
    pub drives: Vec<String>,
    /// Open loops of servos.
    pub loops: Vec<LoopRecord>,
    /// Poses that open loops are kept of.
    pub loop_poses: Vec<usize>,
    /// Joints of the grid of poses, and their numbers of values.
    pub grid: Vec<(String, usize)>,
    /// The plane that the poses are points of, where they are.
    pub plane: Option<PlanePoints>,
    /// The pose that is drawn, with the shapes of its modes.
    pub shapes: Option<(usize, PoseShapes)>,
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
    if let Some(joint) = case.controlled_joints().next() {
        let message =
            format!("joint `{joint}` has a controller from outside, which has no frequency response");
        let hint = "ask for the response of the case without it, with the gains of a `servo` in its place";
        return Err(one(Diagnostic::error(message).hint(hint)));
    }
    let by_name = links.iter().map(|link| (link.info.name.clone(), Arc::clone(&link.link))).collect();
    let machine = case.machine(by_name)?;
    let model = machine.model(AnalysisKind::Nonlinear);
    let open = model.without_servos();
    let request = plan.resolve((model, case.settings()), &|name| elastic(model, links, name))?;
    let poses = &request.at.poses;
    let size = stored(plan, &request, &open);
    if size > MOST_NUMBERS {
        let message = format!("the results would hold {size:.1e} numbers, more than {MOST_NUMBERS:.1e}");
        let hint = "ask for fewer poses, frequencies, channels or modes, or leave out `state_space`";
        return Err(one(Diagnostic::error(message).at(plan.span).hint(hint)));
    }
    let states = pose_states(model, &open, case.settings(), poses, (plan.about, plan.commands));
    let states = states.map_err(|(index, error)| one(unreached(model, plan, index, poses.len(), &error)))?;
    if let Some(pose) = plan.shapes.filter(|pose| *pose > 0 && *pose >= states.len()) {
        let message = format!("`shapes`: expected a pose from 1 to {}, found {}", states.len(), pose + 1);
        return Err(one(Diagnostic::error(message).at(plan.shapes_span.or(plan.span))));
    }
    let work = Work { plan, request: &request, model, open: &open, tip: machine.tip };
    let poses: Vec<Result<_, Box<Diagnostic>>> =
        states.par_iter().enumerate().map(|(index, state)| work.at(index, state)).collect();
    let mut diagnostics: Diagnostics = request.at.note.iter().cloned().collect();
    let mut done = Vec::new();
    let mut last = None;
    for pose in poses {
        match pose {
            Ok((pose, machine)) => {
                done.push(pose);
                last = Some(machine);
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
    diagnostics.extend(loops::approximate(plan, &done));
    let Names { coordinates, drives, unknowns } = last.unwrap_or_default();
    let loop_poses = if plan.loops > 0 { loops::kept(done.len()) } else { Vec::new() };
    let kept: Vec<&[ServoLoop]> = loop_poses.iter().map(|pose| done[*pose].loops.as_slice()).collect();
    let loops = loops::records(&kept, plan.loops);
    let shapes = plan.shapes.and_then(|pose| {
        let drawn = shapes::drawn(&open, links, &states[pose], &unknowns, &done[pose].undamped);
        drawn.map(|drawn| (pose, drawn))
    });
    let units = |name: &str, units: &str| [name.to_owned(), units.to_owned()];
    Ok(ResponseResult {
        title: case.table().title.clone(),
        joints: joint_names(&open),
        joint_units: joint_units(&open),
        drives,
        loops,
        loop_poses,
        grid: plan.grid(),
        plane: request.at.plane.clone(),
        shapes,
        coordinates,
        inputs: request.inputs.iter().map(|i| units(&i.name, i.kind.units(&open))).collect(),
        outputs: request.outputs.iter().map(|o| units(&o.name, o.kind.units(&open))).collect(),
        frequencies_hz: plan.frequencies_hz.clone(),
        tracks: tracked(&done),
        poses: done,
        diagnostics,
    })
}

/// Numbers that results may hold: two gigabytes.
const MOST_NUMBERS: f64 = 268_435_456.0;

/// How many numbers results hold, about.
fn stored(plan: &ResponsePlan, request: &ResponseRequest, model: &Model) -> f64 {
    let of = |count: usize| count as f64;
    let (poses, n) = (of(request.at.poses.len()), of(model.velocity_count()));
    let channels = of(request.inputs.len()) * of(request.outputs.len());
    let shapes = of(plan.modes).min(n) * n * if plan.damped { 3.0 } else { 1.0 };
    let states = if plan.state_space { 4.0 * n * n } else { 0.0 };
    // The machine at each pose is kept too while the next ones are found.
    poses * (2.0 * of(plan.frequencies_hz.len()) * channels + shapes + states + 10.0 * n)
}

fn no_table() -> Diagnostic {
    let hint = "`[response]` alone computes the modes at the start; docs/response.md shows more";
    Diagnostic::error("the file has no `[response]`").hint(hint)
}

/// The strain of a gauge, or a component of the stress or strain of an element.
fn elastic(
    model: &Model,
    links: &[Arc<MachineLink>],
    name: ElasticName<'_>,
) -> Result<ElasticRow, ElasticError> {
    let recovered = || links.iter().filter_map(|link| link.elements.as_ref());
    let row = |link: &str, row: Vec<f64>, units: &'static str| {
        let body = model.body(link).ok_or(ElasticError::NotRecovered)?;
        Ok(ElasticRow { body, row: row.into(), units })
    };
    match name {
        ElasticName::Gauge(name) => {
            let of = |link: &'_ LinkElements| {
                let (_, row) = link.gauges.iter().find(|(known, _)| known == name)?;
                Some((link.name.clone(), row.clone()))
            };
            let (link, strain) = recovered().find_map(|link| of(link)).ok_or(ElasticError::NotRecovered)?;
            row(&link, strain, "m/m")
        }
        ElasticName::Element { link, element, quantity, component } => {
            let found = recovered().find(|known| known.name == link).ok_or(ElasticError::NotRecovered)?;
            let fields = found.fields.iter().find(|field| field.modes.quantity == quantity);
            let modes = &fields.ok_or(ElasticError::NotRecovered)?.modes;
            let of = modes.elements.iter().find(|known| known.id == element);
            let of = of.ok_or(ElasticError::NotRecovered)?;
            let labels = of.kind.labels(quantity);
            let Some(k) = labels.iter().position(|label| label == component) else {
                return Err(ElasticError::NoComponent(labels));
            };
            let (values, units) = (modes.S.row(of.first + k), of.kind.units(quantity, component));
            row(link, values.iter().copied().collect(), units)
        }
    }
}

struct Work<'a> {
    plan: &'a ResponsePlan,
    request: &'a ResponseRequest,
    model: &'a Model,
    open: &'a Model,
    tip: Option<InterfaceRef>,
}

/// What shapes and effective inertias refer to.
#[derive(Default)]
struct Names {
    coordinates: Vec<String>,
    drives: Vec<String>,
    /// Velocity coordinates of the shapes.
    unknowns: Vec<usize>,
}

/// Forces on the tip and its positions.
fn tip_channels(at: InterfaceRef) -> (Vec<Channel<Input>>, Vec<Channel<Output>>) {
    let name = String::new;
    let force = |component| Channel { name: name(), kind: Input::Force { at, component } };
    let order = Order::Position;
    let position = |component| Channel { name: name(), kind: Output::Interface { at, component, order } };
    ((0..3).map(force).collect(), (0..3).map(position).collect())
}

impl Work<'_> {
    /// The pose with what its shapes refer to.
    fn at(&self, index: usize, state: &PoseState) -> Result<(PoseResponse, Names), Box<Diagnostic>> {
        let Self { plan, request, model, open, tip } = self;
        let fail = |error: SimulationError| {
            Box::new(at_pose(plan.poses_span, index, request.at.poses.len(), &error))
        };
        let models = (*model, *open);
        let (tip_inputs, tip_outputs) = match tip.filter(|_| plan.compliance) {
            Some(at) => tip_channels(at),
            None => (Vec::new(), Vec::new()),
        };
        let inputs: Vec<_> = request.inputs.iter().chain(&tip_inputs).cloned().collect();
        let outputs: Vec<_> = request.outputs.iter().chain(&tip_outputs).cloned().collect();
        let machine = LinearMachine::new(models, state, plan.servos, &inputs, &outputs);
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
            Box::new(Diagnostic::error(error.to_string()).at(plan.truncation_span.or(plan.span)).hint(hint))
        })?;
        let sweep = |system: &StateSpace| FrequencyResponse::new(system).sweep(&plan.frequencies_hz);
        let compliance = (!tip_inputs.is_empty())
            .then(|| StateSpace::new(open, &machine, &tip_inputs, &tip_outputs))
            .and_then(Result::ok)
            .map(|system| Compliance::new(&system, &machine, plan.modes));
        let loops = if plan.margins { servo_loops(open, &machine) } else { Vec::new() };
        let pose = PoseResponse {
            time: state.time(),
            joints: scalar_coordinates(open).map(|c| state.joint(open, c)).collect(),
            undamped: machine.undamped_modes(open, plan.modes),
            damped,
            margins: loops.iter().map(ServoLoop::margins).collect(),
            loops,
            compliance,
            tip: tip.map(|at| state.interface(open, at)),
            drive_inertia: machine.drives().iter().map(|drive| drive.total).collect(),
            response: system
                .as_ref()
                .filter(|_| !plan.frequencies_hz.is_empty())
                .map(sweep)
                .unwrap_or_default(),
            state_space: system.filter(|_| plan.state_space),
            truncated,
        };
        let names = Names {
            coordinates: machine.shape_names().to_vec(),
            drives: machine.drives().iter().map(|drive| drive.name.clone()).collect(),
            unknowns: machine.unknowns().to_vec(),
        };
        Ok((pose, names))
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

/// A pose that the machine cannot take.
fn unreached(
    model: &Model,
    plan: &ResponsePlan,
    index: usize,
    count: usize,
    error: &SimulationError,
) -> Diagnostic {
    let found = at_pose(plan.poses_span, index, count, error);
    if model.closures().constraint_count() == 0 {
        return found;
    }
    let hint = "poses are where the commands bring the machine with rigid links; where its loops cannot follow, a run goes on with elastic \
                links and without a nominal motion; a `start` of the joints away from singular configurations may help";
    found.hint(hint)
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
    let name = |at: CoordinateRef| model.joint(at.joint).coordinate_name(at.coordinate);
    scalar_coordinates(model).map(name).collect()
}

/// Units of the same.
fn joint_units(model: &Model) -> Vec<&'static str> {
    let is_angle = |c: CoordinateRef| model.joint(c.joint).hinge.joint.is_angle(c.coordinate);
    scalar_coordinates(model).map(|c| if is_angle(c) { "rad" } else { "m" }).collect()
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
        compliance: pose.compliance.as_ref(),
        tip: pose.tip,
        drive_inertia: &pose.drive_inertia,
        response: &pose.response,
        state_space: pose.state_space.as_ref(),
        truncated: pose.truncated.as_ref(),
    });
    ResponseFile {
        title: &result.title,
        pipeline: &case.provenance().pipeline,
        joints: &result.joints,
        joint_units: &result.joint_units,
        drives: &result.drives,
        loops: &result.loops,
        loop_poses: &result.loop_poses,
        grid: &result.grid,
        plane: result.plane.as_ref().map(|plane| PlaneRecord {
            origin: plane.origin,
            edges: plane.edges,
            counts: plane.counts,
            points: &plane.points,
        }),
        shapes: result.shapes.as_ref().map(|(pose, shapes)| (*pose, shapes)),
        coordinates: &result.coordinates,
        inputs: &result.inputs,
        outputs: &result.outputs,
        frequencies_hz: &result.frequencies_hz,
        tracks: &result.tracks,
        poses: poses.collect(),
    }
    .write(path)
}
