//! The file of `pliant response`: modes, responses and state space at poses.

use std::io;
use std::path::Path;

use hdf5::types::VarLenUnicode;
use hdf5::{File, Group};
use nalgebra::{Complex, DMatrix};
use pliant_dynamics::response::{
    Compliance, DampedModes, LoopMargins, ModeKind, StateSpace, Tracks, Truncated, UndampedMode, energy_label,
};

use crate::dataset::{Meaning, meaning, put, put_matrix, put_text, write_texts};
use crate::image::write_sealed;
use crate::results::PoseShapes;
use crate::target::RESPONSE_MARK;

/// Version of the layout.
const FORMAT: &str = "1";

/// A pose.
#[derive(Clone, Debug)]
pub struct PoseRecord<'a> {
    /// Time (s).
    pub time: f64,
    /// Joint coordinates (rad, m).
    pub joints: &'a [f64],
    /// Modes without damping.
    pub undamped: &'a [UndampedMode],
    /// Modes with damping.
    pub damped: Option<&'a DampedModes>,
    /// Margins of the loops of servos.
    pub margins: &'a [LoopMargins],
    /// Compliance of the tip.
    pub compliance: Option<&'a Compliance>,
    /// Position of the tip (m).
    pub tip: Option<[f64; 3]>,
    /// Inertia that each drive sees (kg·m², kg).
    pub drive_inertia: &'a [f64],
    /// Responses by frequency.
    pub response: &'a [DMatrix<Complex<f64>>],
    /// A, B, C, D.
    pub state_space: Option<&'a StateSpace>,
    /// The same with fewer states.
    pub truncated: Option<&'a Truncated>,
}

/// The open loop of a servo at some poses.
#[derive(Clone, Debug, Default)]
pub struct LoopRecord {
    /// Joint of the servo.
    pub servo: String,
    /// Frequencies of each pose (Hz).
    pub frequencies_hz: Vec<Vec<f64>>,
    /// L at each pose, frequency after frequency.
    pub values: Vec<Vec<Complex<f64>>>,
}

/// The plane whose points poses have.
#[derive(Clone, Debug)]
pub struct PlaneRecord<'a> {
    /// A corner (m).
    pub origin: [f64; 3],
    /// Both edges from there (m).
    pub edges: [[f64; 3]; 2],
    /// Numbers of points along them.
    pub counts: [usize; 2],
    /// For each pose the index of its point; points of the second edge follow each other.
    pub points: &'a [usize],
}

/// All that the file holds.
#[derive(Clone, Debug)]
pub struct ResponseFile<'a> {
    /// Title.
    pub title: &'a str,
    /// Text of the pipeline file.
    pub pipeline: &'a str,
    /// Names of the joint coordinates.
    pub joints: &'a [String],
    /// Units of the joint coordinates.
    pub joint_units: &'a [&'static str],
    /// Names of the drives whose effective inertias modes have.
    pub drives: &'a [String],
    /// Open loops of servos.
    pub loops: &'a [LoopRecord],
    /// Poses that open loops are kept of.
    pub loop_poses: &'a [usize],
    /// Joints and lengths of a grid of poses; empty without one.
    pub grid: &'a [(String, usize)],
    /// The plane that the poses are points of, where they are.
    pub plane: Option<PlaneRecord<'a>>,
    /// Index of the pose that is drawn, with the shapes of its modes.
    pub shapes: Option<(usize, &'a PoseShapes)>,
    /// Names of the coordinates of shapes.
    pub coordinates: &'a [String],
    /// Names and units of inputs.
    pub inputs: &'a [[String; 2]],
    /// Names and units of outputs.
    pub outputs: &'a [[String; 2]],
    /// Frequencies (Hz).
    pub frequencies_hz: &'a [f64],
    /// Modes along the poses.
    pub tracks: &'a Tracks,
    /// Poses.
    pub poses: Vec<PoseRecord<'a>>,
}

impl ResponseFile<'_> {
    /// Writes it: complete or not at all.
    ///
    /// # Errors
    /// What the system or libhdf5 refuses, in the system's words where there are any.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_sealed(path, |file| self.fill(file))
    }

    fn fill(&self, file: &File) -> hdf5::Result<()> {
        put_text(file, "program", "pliant")?;
        put_text(file, "program_version", env!("CARGO_PKG_VERSION"))?;
        put_text(file, RESPONSE_MARK, FORMAT)?;
        put_text(file, "title", &self.title.replace('\0', " "))?;
        let poses = file.create_group("poses")?;
        let count = self.poses.len();
        let of = |f: &dyn Fn(&PoseRecord<'_>) -> f64| self.poses.iter().map(f).collect::<Vec<f64>>();
        put(&poses, "time", &[count], &of(&|pose| pose.time), meaning("s", "time of the pose"))?;
        let joints: Vec<f64> = self.poses.iter().flat_map(|pose| pose.joints.iter().copied()).collect();
        let what = meaning("rad, m", "joint coordinates of each pose, in the order of joint_names");
        put(&poses, "joints", &[count, self.joints.len()], &joints, what)?;
        words(&poses, "joint_names", self.joints.iter(), "names of the joint coordinates")?;
        let units: Vec<String> = self.joint_units.iter().map(|units| (*units).to_owned()).collect();
        words(&poses, "joint_units", units.iter(), "units of the joint coordinates")?;
        self.more_of_poses(file, &poses)?;
        words(file, "coordinates", self.coordinates.iter(), "names of the coordinates that shapes have")?;
        words(file, "pipeline", [self.pipeline.to_owned()].iter(), "text of the pipeline file")?;
        self.undamped(&file.create_group("undamped")?)?;
        if self.poses.iter().all(|pose| pose.damped.is_some()) {
            self.damped(&file.create_group("damped")?)?;
        }
        for (name, channels) in [("inputs", self.inputs), ("outputs", self.outputs)] {
            let group = file.create_group(name)?;
            words(&group, "name", channels.iter().map(|c| &c[0]), "names")?;
            words(&group, "units", channels.iter().map(|c| &c[1]), "units")?;
        }
        if self.poses.iter().any(|pose| !pose.margins.is_empty()) {
            self.margins(&file.create_group("margins")?)?;
        }
        if !self.frequencies_hz.is_empty() {
            self.responses(&file.create_group("response")?)?;
        }
        if self.poses.iter().any(|pose| pose.state_space.is_some()) {
            let group = file.create_group("state_space")?;
            for (k, pose) in self.poses.iter().enumerate() {
                if let Some(system) = pose.state_space {
                    let group = group.create_group(&format!("pose_{}", k + 1))?;
                    state_space(&group, system)?;
                    if let Some(less) = pose.truncated {
                        truncated(&group.create_group("truncated")?, less)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn undamped(&self, group: &Group) -> hdf5::Result<()> {
        let (count, n) = (self.poses.len(), self.coordinates.len());
        let modes = self.poses.iter().map(|pose| pose.undamped.len()).max().unwrap_or(0);
        let of = |k: usize, m: usize| self.poses[k].undamped.get(m);
        let all = || (0..count).flat_map(move |k| (0..modes).map(move |m| (k, m)));
        let hz: Vec<f64> = all().map(|(k, m)| of(k, m).map_or(f64::NAN, |mode| mode.frequency_hz)).collect();
        let what = meaning("Hz", "frequencies without damping of each pose, ascending; 0: free or unstable");
        put(group, "frequency", &[count, modes], &hz, what)?;
        let grows = |mode: &UndampedMode| i64::from(mode.kind == ModeKind::Unstable);
        let unstable: Vec<i64> = all().map(|(k, m)| of(k, m).map_or(0, grows)).collect();
        put(group, "unstable", &[count, modes], &unstable, meaning("1", "1: the mode grows"))?;
        let shapes: Vec<f64> = all()
            .flat_map(|(k, m)| of(k, m).map_or_else(|| vec![f64::NAN; n], |mode| mode.shape.clone()))
            .collect();
        let what = meaning("m, rad, 1", "shapes by the coordinates of the machine, φᵀMφ = 1");
        put(group, "shape", &[count, modes, n], &shapes, what)?;
        if !self.drives.is_empty() {
            let drives = self.drives.len();
            words(group, "drives", self.drives.iter(), "drives of effective_inertia")?;
            let none = || vec![f64::NAN; drives];
            let values: Vec<f64> =
                all().flat_map(|(k, m)| of(k, m).map_or_else(none, |mode| mode.effective.clone())).collect();
            let what = meaning("kg m2, kg", "effective inertia of each mode for each drive: (φᵀMr)²");
            put(group, "effective_inertia", &[count, modes, drives], &values, what)?;
            let totals: Vec<f64> = self.poses.iter().flat_map(|pose| pose.drive_inertia.to_vec()).collect();
            let what = meaning("kg m2, kg", "inertia that each drive sees: the sum over all modes");
            put(group, "drive_inertia", &[count, drives], &totals, what)?;
        }
        let labels: Vec<String> = all()
            .map(|(k, m)| of(k, m).map_or_else(String::new, |mode| energy_label(&mode.shares)))
            .collect();
        word_table(
            group,
            "label",
            &[count, modes],
            &labels,
            "parts of the machine by energy of deformation",
        )?;
        let tracks = self.tracks.modes.first().map_or(0, Vec::len);
        let tracked = self.tracks.modes.iter().flatten();
        let tracked: Vec<i64> = tracked.map(|mode| mode.map_or(0, |mode| mode as i64 + 1)).collect();
        let what = meaning("1", "mode of each pose and track, from 1; 0 where the track is not among them");
        put(group, "track", &[count, tracks], &tracked, what)
    }

    /// Grid, tip and compliance of the poses, the open loops, and what is drawn.
    fn more_of_poses(&self, file: &File, poses: &Group) -> hdf5::Result<()> {
        let count = self.poses.len();
        if !self.grid.is_empty() {
            words(
                poses,
                "grid_joints",
                self.grid.iter().map(|(name, _)| name),
                "joints of the grid of poses",
            )?;
            let lengths: Vec<i64> = self.grid.iter().map(|(_, length)| *length as i64).collect();
            let what = meaning("1", "values of each joint of the grid; the last one changes fastest");
            put(poses, "grid_lengths", &[lengths.len()], &lengths, what)?;
        }
        if let Some(plane) = &self.plane {
            let lengths = plane.counts.map(|count| count as i64);
            let what = "points along each edge of the plane; those of the second edge follow each other";
            put(poses, "grid_lengths", &[2], &lengths, meaning("1", what))?;
            let points: Vec<i64> = plane.points.iter().map(|point| *point as i64).collect();
            let what =
                "index of each pose among the points of the plane, from 0; points out of reach are missing";
            put(poses, "grid_point", &[count], &points, meaning("1", what))?;
            let what = "a corner of the plane in the world";
            put(poses, "plane_origin", &[3], &plane.origin, meaning("m", what))?;
            let what = "both edges of the plane from there";
            put(poses, "plane_edges", &[2, 3], &plane.edges.concat(), meaning("m", what))?;
        }
        let three = |of: &dyn Fn(&PoseRecord<'_>) -> Option<[f64; 3]>| -> Option<Vec<f64>> {
            let all: Option<Vec<[f64; 3]>> = self.poses.iter().map(of).collect();
            all.map(|all| all.concat())
        };
        if let Some(tips) = three(&|pose| pose.tip) {
            put(poses, "tip", &[count, 3], &tips, meaning("m", "position of the tip in the world"))?;
        }
        if let Some(at_rest) = three(&|pose| pose.compliance.map(|c| c.at_rest)) {
            let group = file.create_group("compliance")?;
            let what = "displacement of the tip along x, y, z by a constant force along the same axis";
            put(&group, "at_rest", &[count, 3], &at_rest, meaning("m/N", what))?;
            let largest = three(&|pose| pose.compliance.map(|c| c.largest)).unwrap_or_default();
            let what =
                meaning("m/N", "largest displacement of the tip by a harmonic force, over the frequencies");
            put(&group, "largest", &[count, 3], &largest, what)?;
            let hz = three(&|pose| pose.compliance.map(|c| c.largest_hz)).unwrap_or_default();
            put(&group, "largest_frequency", &[count, 3], &hz, meaning("Hz", "frequency of that maximum"))?;
        }
        if let Some(first) = self.loops.first() {
            let group = file.create_group("loops")?;
            words(&group, "servo", self.loops.iter().map(|of| &of.servo), "joints of the servos")?;
            let kept: Vec<i64> = self.loop_poses.iter().map(|pose| *pose as i64 + 1).collect();
            put(&group, "pose", &[kept.len()], &kept, meaning("1", "numbers of the poses, from 1"))?;
            let n = first.frequencies_hz.first().map_or(0, Vec::len);
            let shape = [self.loops.len(), kept.len(), n];
            let hz: Vec<f64> = self.loops.iter().flat_map(|of| of.frequencies_hz.concat()).collect();
            put(&group, "frequency", &shape, &hz, meaning("Hz", "frequencies of each loop at each pose"))?;
            let part = |f: fn(&Complex<f64>) -> f64| -> Vec<f64> {
                self.loops.iter().flat_map(|of| of.values.iter().flatten().map(f)).collect()
            };
            let shape = [self.loops.len(), kept.len(), n];
            let what =
                "part of the open loop by servo, pose and frequency; stable while 1 + L turns as it must";
            put_described(&group, "real", &shape, &part(|l| l.re), "1", &format!("real {what}"))?;
            put_described(&group, "imag", &shape, &part(|l| l.im), "1", &format!("imaginary {what}"))?;
        }
        let Some((pose, shapes)) = self.shapes else { return Ok(()) };
        put(
            file,
            "drawn_pose",
            &[1],
            &[pose as i64 + 1],
            meaning("1", "pose whose modes /VTKHDF has, from 1"),
        )?;
        shapes.fill(file)
    }

    fn margins(&self, group: &Group) -> hdf5::Result<()> {
        let loops = self.poses.first().map_or(&[][..], |pose| pose.margins);
        let names: Vec<String> = loops.iter().map(|found| found.name.clone()).collect();
        words(group, "servo", names.iter(), "joints of the servos")?;
        let shape = [self.poses.len(), names.len()];
        let number = |f: &dyn Fn(&LoopMargins) -> f64| -> Vec<f64> {
            self.poses.iter().flat_map(|pose| pose.margins.iter().map(f)).collect()
        };
        let columns: [(&str, Vec<f64>, Meaning); 8] = [
            (
                "stable",
                number(&|m| f64::from(m.stable)),
                meaning(
                    "1",
                    "1: the closed loop is stable; 0: it is not, and the other numbers are not margins",
                ),
            ),
            (
                "gain",
                number(&|m| m.margins.gain_margin()),
                meaning("1", "smallest factor above 1 that makes the loop unstable"),
            ),
            (
                "gain_reduction",
                number(&|m| m.margins.gain_reduction()),
                meaning("1", "largest factor below 1 that makes the loop unstable; 0: none"),
            ),
            (
                "phase",
                number(&|m| m.margins.phase_margin_deg().to_radians()),
                meaning("rad", "smallest phase margin"),
            ),
            ("delay", number(&|m| m.margins.delay_margin()), meaning("s", "smallest delay margin")),
            ("disk", number(&|m| m.margins.disk.alpha), meaning("1", "balanced disk margin α")),
            (
                "peak_sensitivity",
                number(&|m| m.margins.peak_sensitivity[0]),
                meaning("1", "largest |1/(1 + L)|"),
            ),
            (
                "peak_complementary",
                number(&|m| m.margins.peak_complementary[0]),
                meaning("1", "largest |L/(1 + L)|"),
            ),
        ];
        for (name, values, what) in columns {
            put(group, name, &shape, &values, what)?;
        }
        Ok(())
    }

    fn damped(&self, group: &Group) -> hdf5::Result<()> {
        let (count, n) = (self.poses.len(), self.coordinates.len());
        let of = |k: usize, m: usize| self.poses[k].damped.and_then(|damped| damped.modes.get(m));
        let modes = self.poses.iter().filter_map(|pose| pose.damped).map(|damped| damped.modes.len());
        let modes = modes.max().unwrap_or(0);
        let all = || (0..count).flat_map(move |k| (0..modes).map(move |m| (k, m)));
        let number = |f: &dyn Fn(&pliant_dynamics::response::DampedMode) -> f64| -> Vec<f64> {
            all().map(|(k, m)| of(k, m).map_or(f64::NAN, f)).collect()
        };
        let columns: [(&str, Vec<f64>, Meaning); 4] = [
            (
                "frequency",
                number(&|mode| mode.frequency_hz),
                meaning("Hz", "|s|/2π, ascending; NaN: no more"),
            ),
            ("damping_ratio", number(&|mode| mode.ratio), meaning("1", "−Re s/|s|")),
            ("s_real", number(&|mode| mode.s[0]), meaning("1/s", "real parts of the eigenvalues")),
            ("s_imag", number(&|mode| mode.s[1]), meaning("1/s", "imaginary parts, not negative")),
        ];
        for (name, values, what) in columns {
            put(group, name, &[count, modes], &values, what)?;
        }
        let (what_re, what_im) = ("real parts of the shapes", "imaginary parts of the shapes");
        for (part, name, what) in [(0, "shape_real", what_re), (1, "shape_imag", what_im)] {
            let shapes: Vec<f64> = all()
                .flat_map(|(k, m)| match of(k, m) {
                    Some(mode) => mode.shape.iter().map(|x| x[part]).collect(),
                    None => vec![f64::NAN; n],
                })
                .collect();
            put(group, name, &[count, modes, n], &shapes, meaning("m, rad, 1", what))?;
        }
        let growing = |f: &dyn Fn(&DampedModes) -> usize| -> Vec<f64> {
            self.poses.iter().map(|pose| pose.damped.map_or(f64::NAN, |damped| f(damped) as f64)).collect()
        };
        let what = meaning("1", "eigenvalues with a positive real part; 0: stable");
        put(group, "growing", &[count], &growing(&|damped| damped.growing), what)?;
        let what = meaning("1", "eigenvalues at zero: motions that nothing holds");
        put(group, "free", &[count], &growing(&|damped| damped.free), what)?;
        let labels: Vec<String> = all()
            .map(|(k, m)| of(k, m).map_or_else(String::new, |mode| energy_label(&mode.shares)))
            .collect();
        word_table(group, "label", &[count, modes], &labels, "parts of the machine by energy of deformation")
    }

    fn responses(&self, group: &Group) -> hdf5::Result<()> {
        let frequencies = self.frequencies_hz.len();
        put(group, "frequency", &[frequencies], self.frequencies_hz, meaning("Hz", "frequencies"))?;
        let shape = [self.poses.len(), frequencies, self.outputs.len(), self.inputs.len()];
        let part = |f: &dyn Fn(&Complex<f64>) -> f64| -> Vec<f64> {
            let matrices = self.poses.iter().flat_map(|pose| pose.response.iter());
            matrices.flat_map(|H| H.transpose().iter().map(f).collect::<Vec<_>>()).collect()
        };
        let worst = self.worst();
        let pairs = [self.outputs.len(), self.inputs.len()];
        let column = |of: fn(&Worst) -> f64| worst.iter().map(of).collect::<Vec<f64>>();
        let what = "largest magnitude over poses and frequencies";
        put_described(group, "peak", &pairs, &column(|w| w.size), "output units per input units", what)?;
        put(group, "peak_frequency", &pairs, &column(|w| w.hz), meaning("Hz", "frequency of the peak"))?;
        let pose = column(|w| (w.pose + 1) as f64);
        put(group, "peak_pose", &pairs, &pose, meaning("1", "pose of the peak, from 1"))?;
        let what = "of the response, by pose, frequency, output and input; time factor exp(+jωt)";
        let units = "output units per input units";
        let (re, im) = (part(&|h| h.re), part(&|h| h.im));
        put_described(group, "real", &shape, &re, units, &format!("real part {what}"))?;
        put_described(group, "imag", &shape, &im, units, &format!("imaginary part {what}"))
    }
}

/// Largest magnitude of a response.
struct Worst {
    size: f64,
    hz: f64,
    pose: usize,
}

impl ResponseFile<'_> {
    /// Of each output and input.
    fn worst(&self) -> Vec<Worst> {
        let pairs = (0..self.outputs.len()).flat_map(|o| (0..self.inputs.len()).map(move |i| (o, i)));
        let of = |(o, i): (usize, usize)| {
            let mut worst = Worst { size: f64::NEG_INFINITY, hz: 0.0, pose: 0 };
            for (pose, record) in self.poses.iter().enumerate() {
                for (H, hz) in record.response.iter().zip(self.frequencies_hz) {
                    let size = H[(o, i)].norm();
                    // A pole on the frequency has no number: nothing is larger.
                    let size = if size.is_finite() { size } else { f64::INFINITY };
                    if size > worst.size {
                        worst = Worst { size, hz: *hz, pose };
                    }
                }
            }
            worst
        };
        pairs.map(of).collect()
    }
}

fn state_space(group: &Group, system: &StateSpace) -> hdf5::Result<()> {
    put_matrix(group, "A", &system.A, meaning("1/s", "ẋ = A x + B u"))?;
    put_matrix(group, "B", &system.B, meaning("", "ẋ = A x + B u; columns are those of `columns`"))?;
    put_matrix(group, "C", &system.C, meaning("", "y = C x + D u"))?;
    put_matrix(group, "D", &system.D, meaning("", "y = C x + D u; columns are those of `columns`"))?;
    let what = "coordinates of the machine by states";
    put_matrix(group, "shapes", &system.shapes, meaning("", what))?;
    words(group, "states", system.states.iter(), "names of the states")?;
    words(group, "state_units", system.state_units.iter(), "units of the states")?;
    let what = "names of the columns of B and D; a command goes in with its rate and acceleration";
    words(group, "columns", system.column_names.iter(), what)?;
    words(group, "column_units", system.column_units().iter(), "units of the columns of B and D")?;
    words(group, "outputs", system.outputs.iter().map(|o| &o[0]), "names of the rows of C and D")?;
    words(group, "output_units", system.outputs.iter().map(|o| &o[1]), "units of the rows of C and D")
}

fn truncated(group: &Group, system: &Truncated) -> hdf5::Result<()> {
    put_matrix(group, "A", &system.A, meaning("", "fewer states"))?;
    put_matrix(group, "B", &system.B, meaning("", "columns as of the full state space"))?;
    put_matrix(group, "C", &system.C, meaning("", "rows as of the full state space"))?;
    put_matrix(group, "D", &system.D, meaning("", "as of the full state space"))?;
    let what = "largest singular value of the error of the response over all frequencies, at most";
    put(group, "error_bound", &[1], &[system.bound], meaning("", what))?;
    let what = "Hankel singular values of all states, falling; none of a modal truncation";
    put(group, "hankel", &[system.hankel.len()], &system.hankel, meaning("", what))
}

fn put_described(
    group: &Group,
    name: &str,
    shape: &[usize],
    values: &[f64],
    units: &str,
    description: &str,
) -> hdf5::Result<()> {
    let dataset = group.new_dataset::<f64>().shape(shape).create(name)?;
    dataset.write_raw(values)?;
    put_text(&dataset, "units", units)?;
    put_text(&dataset, "description", description)
}

fn words<'s>(
    group: &Group,
    name: &str,
    all: impl Iterator<Item = &'s String>,
    description: &str,
) -> hdf5::Result<()> {
    let all: Vec<String> = all.cloned().collect();
    word_table(group, name, &[all.len()], &all, description)
}

pub(crate) fn word_table(
    group: &Group,
    name: &str,
    shape: &[usize],
    all: &[String],
    description: &str,
) -> hdf5::Result<()> {
    let text = |word: &String| word.replace('\0', " ").parse().unwrap_or_default();
    let values: Vec<VarLenUnicode> = all.iter().map(text).collect();
    let dataset = group.new_dataset::<VarLenUnicode>().shape(shape).create(name)?;
    write_texts(&dataset, &values)?;
    put_text(&dataset, "units", "")?;
    put_text(&dataset, "description", description)
}
