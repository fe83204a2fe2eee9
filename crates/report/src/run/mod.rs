//! The report of a run.

mod numbers;
pub(crate) mod plots;
pub(crate) mod stage;

use serde::Serialize;

use crate::annotation::Path;
use crate::array::Arrays;
use crate::machine::{Machine, MachineData};
use crate::page::{About, Section, page};
use plots::PlotData;

/// A run, as plain numbers in SI. Series have one entry for each of `times`.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Where it comes from.
    pub about: About,
    /// Time of each output (s), rising.
    pub times: Vec<f64>,
    /// When the last prescribed motion has come to its end (s); what is left is residual vibration.
    pub motion_end: Option<f64>,
    /// The tip.
    pub tip: Option<Tip>,
    /// Joint coordinates.
    pub joints: Vec<JointMotion>,
    /// Energies.
    pub energy: Option<Energy>,
    /// What the solver did.
    pub solver: Option<Solver>,
    /// The lowest modes of the machine.
    pub modes: Vec<MachineMode>,
    /// The links.
    pub links: Vec<LinkHealth>,
    /// Warnings, in words.
    pub warnings: Vec<String>,
    /// Files it was made from.
    pub inputs: Vec<Input>,
    /// The machine in 3D.
    pub machine: Option<Machine>,
    /// Stress, forces and strain at chosen elements, a plot each.
    pub histories: Vec<History>,
    /// The elements of largest stress and of largest strain.
    pub extremes: Vec<Extremes>,
    /// What joints, bearings and force elements carry.
    pub loads: Vec<LoadRow>,
    /// All analyses of the run, the one shown elsewhere first; empty when there is one only.
    pub analyses: Vec<Analysis>,
}

/// A mode of small vibration of the machine: frequency (Hz) and damping ratio; none where it does not
/// oscillate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MachineMode {
    /// Where the run starts.
    pub start: Option<(f64, f64)>,
    /// Where it ends.
    pub end: Option<(f64, f64)>,
}

/// Numbers over time that share a plot.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// `"upper-arm, element 12: stress"`.
    pub title: String,
    /// What the numbers are: `"stress"`.
    pub quantity: String,
    /// Of the values, in SI.
    pub units: String,
    /// Lines by name.
    pub lines: Vec<(String, Vec<f64>)>,
    /// More in a few words.
    pub note: Option<String>,
}

/// The elements that have seen most of a quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extremes {
    /// `"stress"`.
    pub quantity: String,
    /// What of it: `"von Mises stress"`.
    pub what: String,
    /// Of the values, in SI.
    pub units: String,
    /// The worst first.
    pub elements: Vec<ExtremeElement>,
}

/// An element and the largest stress or strain it has seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtremeElement {
    /// Name of its link.
    pub link: String,
    /// Its number.
    pub element: u32,
    /// Number of its property; 0 for none.
    pub property: u32,
    /// How much.
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// The stress that is allowed of it, where it is known.
    pub allowable: Option<f64>,
}

/// The largest load of a joint, a bearing or a force element over a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadRow {
    /// Name.
    pub name: String,
    /// `revolute`, `bearing`, `spring`, …
    pub kind: String,
    /// Largest force (N), and when (s).
    pub force: (f64, f64),
    /// Largest moment (N m), and when (s); none of what carries none.
    pub moment: Option<(f64, f64)>,
}

/// One of several analyses of the same machine.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// `"nonlinear"`, `"linear"`, …
    pub kind: String,
    /// Time of each output (s).
    pub times: Vec<f64>,
    /// Components of the tip error (m); empty without a tip.
    pub error: [Vec<f64>; 3],
    /// Headline numbers of the tip.
    pub numbers: TipNumbers,
    /// Its drives.
    pub drives: Vec<AnalysisDrive>,
    /// What the solver did.
    pub solver: Option<Solver>,
}

/// What a drive gives in an analysis.
#[derive(Clone, Debug, Default)]
pub struct AnalysisDrive {
    /// Joint, or joint and coordinate.
    pub name: String,
    /// A torque (N m), else a force (N).
    pub is_angle: bool,
    /// Over time.
    pub values: Vec<f64>,
}

/// The tip against the machine with rigid links.
#[derive(Clone, Debug, Default)]
pub struct Tip {
    /// `"fore.tip"`.
    pub name: String,
    /// Components of actual minus nominal position in world axes (m).
    pub error: [Vec<f64>; 3],
    /// Nominal position in the world (m); empty when not kept.
    pub nominal: [Vec<f64>; 3],
    /// What counts as settled.
    pub settling: Option<Settling>,
    /// Headline numbers.
    pub numbers: TipNumbers,
}

/// What counts as settled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settling {
    /// The error stays within this (m).
    pub tolerance: f64,
    /// About the mean error after the motion, rather than about the nominal tip.
    pub about_final_mean: bool,
}

/// Headline numbers of the tip; `None` where the run has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TipNumbers {
    /// Largest error (m).
    pub peak: Option<f64>,
    /// When (s).
    pub peak_time: Option<f64>,
    /// Root mean square (m).
    pub rms: Option<f64>,
    /// Largest rotation error (rad).
    pub peak_rotation: Option<f64>,
    /// Largest error after the motion has ended (m).
    pub residual_peak: Option<f64>,
    /// From the end of the motion until the error stays within the tolerance (s).
    pub settling_time: Option<f64>,
}

/// One coordinate of a joint.
#[derive(Clone, Debug, Default)]
pub struct JointMotion {
    /// Joint, or joint and coordinate.
    pub name: String,
    /// An angle (rad), else a length (m).
    pub is_angle: bool,
    /// Position.
    pub position: Vec<f64>,
    /// Position in the rigid machine, where it differs.
    pub nominal_position: Vec<f64>,
    /// Velocity; empty when not kept.
    pub velocity: Vec<f64>,
    /// Its drive, if it has one.
    pub drive: Option<Drive>,
}

/// Torque of a drive, or force of a sliding one (N m, N).
#[derive(Clone, Debug, Default)]
pub struct Drive {
    /// With flexible links.
    pub flexible: Vec<f64>,
    /// With rigid links; empty when not kept.
    pub rigid: Vec<f64>,
}

/// Energies (J).
#[derive(Clone, Debug, Default)]
pub struct Energy {
    /// Kinetic.
    pub kinetic: Vec<f64>,
    /// Strain.
    pub strain: Vec<f64>,
    /// Potential of gravity.
    pub gravity: Vec<f64>,
    /// Work of drives since the start.
    pub drive_work: Vec<f64>,
    /// Work of loads since the start.
    pub load_work: Vec<f64>,
    /// Lost since the start.
    pub dissipated: Vec<f64>,
    /// Stored minus works plus losses, minus its value at the start.
    pub balance: Vec<f64>,
}

/// What the solver did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solver {
    /// Steps taken.
    pub steps: u64,
    /// Equilibrium iterations.
    pub iterations: u64,
    /// Steps halved.
    pub cuts: u64,
    /// Steps refused by the error control.
    pub rejected: u64,
    /// Wall time (s).
    pub seconds: Option<f64>,
}

/// A reduced link, as an engineer looks at it before trusting it.
#[derive(Clone, Debug, Default)]
pub struct LinkHealth {
    /// Name.
    pub name: String,
    /// Mass (kg).
    pub mass: Option<f64>,
    /// Free components of the mesh.
    pub mesh_dofs: Option<u64>,
    /// Elastic coordinates kept.
    pub coordinates: Option<u64>,
    /// Frequencies of the modes kept (Hz).
    pub modes_hz: Vec<f64>,
    /// Relative error of the mass.
    pub mass_error: Option<f64>,
    /// Relative error of the inertia.
    pub inertia_error: Option<f64>,
    /// Strain energy of rigid motion, relative.
    pub grounding: Option<f64>,
    /// First free-free elastic frequency (Hz): reduced, and on the full mesh.
    pub first_frequency: Option<(f64, f64)>,
    /// Checks that failed, in words.
    pub failed: Vec<String>,
}

/// A file that the run was made from.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Path.
    pub path: String,
    /// SHA-256 of its content.
    pub sha256: String,
}

#[derive(Serialize)]
struct RunData {
    kind: &'static str,
    plots: Vec<PlotData>,
    machine: Option<MachineData>,
}

impl Run {
    /// The page.
    pub fn into_html(self) -> String {
        let mut arrays = Arrays::default();
        let mut plots = plots::all(&self, &mut arrays);
        let of_analyses = plots::of_analyses(&self, &mut arrays);
        let mut sections =
            vec![Section { id: "summary", heading: "Summary", markup: numbers::summary(&self) }];
        let drawable = self.machine.as_ref().is_some_and(Machine::is_drawable);
        if drawable {
            sections.push(Section { id: "machine", heading: "Machine", markup: stage::MARKUP.to_owned() });
        }
        if !plots.is_empty() {
            sections.push(Section { id: "plots", heading: "Plots", markup: plots::markup(&plots) });
        }
        if !self.analyses.is_empty() {
            let markup = numbers::analyses(&self.analyses) + &plots::markup(&of_analyses);
            sections.push(Section { id: "analyses", heading: "Analyses compared", markup });
        }
        plots.extend(of_analyses);
        if !self.extremes.is_empty() {
            let markup = self.extremes.iter().map(numbers::extremes).collect();
            sections.push(Section { id: "elements", heading: "Elements", markup });
        }
        if !self.loads.is_empty() {
            let markup = numbers::loads(&self.loads);
            sections.push(Section { id: "loads", heading: "Loads", markup });
        }
        if !self.links.is_empty() {
            sections.push(Section { id: "links", heading: "Links", markup: numbers::links(&self.links) });
        }
        sections.push(Section {
            id: "warnings",
            heading: "Warnings",
            markup: numbers::warnings(&self.warnings),
        });
        if !self.inputs.is_empty() {
            sections.push(Section { id: "inputs", heading: "Inputs", markup: numbers::inputs(&self.inputs) });
        }
        let path = self.tip_path();
        let machine = if drawable { self.machine } else { None };
        let machine = machine.map(|machine| Machine { path, ..machine }.into_data(&mut arrays));
        page(&self.about, &sections, &RunData { kind: "run", plots, machine }, arrays)
    }

    /// The way of the tip, a few thousand points at most.
    fn tip_path(&self) -> Path {
        let Some(tip) = &self.tip else { return Path::default() };
        let count = tip.nominal[0].len();
        if count == 0 || tip.error[0].len() != count {
            return Path::default();
        }
        let stride = count.div_ceil(4000);
        let points = |of: &[Vec<f64>; 3]| -> Vec<[f32; 3]> {
            (0..count).step_by(stride).map(|k| [0, 1, 2].map(|c| of[c][k] as f32)).collect()
        };
        Path { nominal: points(&tip.nominal), error: points(&tip.error) }
    }
}
