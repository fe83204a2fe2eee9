//! The file of `pliant response`: modes, responses and state space at poses.

use std::io;
use std::path::Path;

use hdf5::types::VarLenUnicode;
use hdf5::{File, Group};
use nalgebra::{Complex, DMatrix};
use pliant_dynamics::response::{
    DampedModes, LoopMargins, StateSpace, Tracks, Truncated, UndampedMode, energy_label,
};

use crate::dataset::{Meaning, meaning, put, put_matrix, put_text, short};
use crate::image::image;
use crate::new_file::write_file;
use crate::results::seal;
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
    /// Responses by frequency.
    pub response: &'a [DMatrix<Complex<f64>>],
    /// A, B, C, D.
    pub state_space: Option<&'a StateSpace>,
    /// The same with fewer states.
    pub truncated: Option<&'a Truncated>,
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
        let bytes = image(|file| self.fill(file));
        let mut bytes = bytes.map_err(|error| io::Error::other(short(&error)))?;
        bytes.extend(seal::of(&bytes));
        write_file(path, &bytes)
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
        let shapes: Vec<f64> = all()
            .flat_map(|(k, m)| of(k, m).map_or_else(|| vec![f64::NAN; n], |mode| mode.shape.clone()))
            .collect();
        let what = meaning("m, rad, 1", "shapes by the coordinates of the machine, φᵀMφ = 1");
        put(group, "shape", &[count, modes, n], &shapes, what)?;
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
                meaning("1", "1: the closed loop decays; 0: it does not, and the others are no margins"),
            ),
            (
                "gain",
                number(&|m| m.margins.gain_margin()),
                meaning("1", "smallest factor above 1 that makes the loop unstable"),
            ),
            (
                "gain_reduction",
                number(&|m| m.margins.gain_reduction()),
                meaning("1", "largest factor below 1 that does; 0: none"),
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
        let what = "of the response, by pose, frequency, output and input; time factor exp(+jωt)";
        let units = "output units per input units";
        let (re, im) = (part(&|h| h.re), part(&|h| h.im));
        put_described(group, "real", &shape, &re, units, &format!("real part {what}"))?;
        put_described(group, "imag", &shape, &im, units, &format!("imaginary part {what}"))
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
    let what = "names of the columns of B and D; a command goes in with its rate and acceleration";
    words(group, "columns", system.column_names.iter(), what)?;
    words(group, "outputs", system.outputs.iter().map(|o| &o[0]), "names of the rows of C and D")
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

fn word_table(
    group: &Group,
    name: &str,
    shape: &[usize],
    all: &[String],
    description: &str,
) -> hdf5::Result<()> {
    let text = |word: &String| word.replace('\0', " ").parse().unwrap_or_default();
    let values: Vec<VarLenUnicode> = all.iter().map(text).collect();
    let dataset = group.new_dataset::<VarLenUnicode>().shape(shape).create(name)?;
    dataset.write_raw(&values)?;
    put_text(&dataset, "units", "")?;
    put_text(&dataset, "description", description)
}
