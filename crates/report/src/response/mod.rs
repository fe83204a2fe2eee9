//! The report of a machine in the frequency domain.

mod numbers;

use std::f64::consts::TAU;

use serde::Serialize;

use crate::array::{Arrays, Reference};
use crate::machine::{Machine, MachineData, Part};
use crate::page::{About, Section, messages, page};
use crate::run::stage;
use crate::surface::Cells;
use crate::symbol::Symbol;

/// Pictures of one oscillation.
const PHASES: usize = 16;
/// Numbers of all pictures of all modes at most: above, the last modes are not drawn.
const NUMBERS: usize = 60_000_000;

/// Modes, responses and margins at poses.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// Where it comes from.
    pub about: About,
    /// Along what the poses are: `time` in `s`, or their number.
    pub axis: Axis,
    /// Each pose in a few words.
    pub poses: Vec<String>,
    /// Modes without damping, followed from pose to pose: Hz, NaN where one is not known.
    pub tracks: Vec<Vec<f64>>,
    /// The modes of one pose.
    pub modes: Vec<ModeRow>,
    /// Which pose that is, from 0.
    pub modes_pose: usize,
    /// Names and units of inputs.
    pub inputs: Vec<[String; 2]>,
    /// Names and units of outputs.
    pub outputs: Vec<[String; 2]>,
    /// Of the responses (Hz).
    pub frequencies: Vec<f64>,
    /// Poses that responses are shown of.
    pub response_poses: Vec<usize>,
    /// By pose, frequency, output, input: real part.
    pub real: Vec<f64>,
    /// Imaginary part.
    pub imag: Vec<f64>,
    /// Open loops of servos.
    pub loops: Vec<Loop>,
    /// Poses that loops are shown of.
    pub loop_poses: Vec<usize>,
    /// Margins of the servos, the worst over the poses.
    pub margins: Vec<MarginRow>,
    /// Quantities over a grid of two joints.
    pub maps: Option<Maps>,
    /// The machine with the shapes of its modes.
    pub drawn: Option<DrawnModes>,
    /// Warnings in words.
    pub warnings: Vec<String>,
}

/// Values with a name.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Name.
    pub name: String,
    /// Units; empty for none.
    pub units: String,
    /// Values.
    pub values: Vec<f64>,
}

/// A mode of the pose that is drawn.
#[derive(Clone, Debug, Default)]
pub struct ModeRow {
    /// Without damping (Hz).
    pub frequency: f64,
    /// The mode grows, and has no frequency.
    pub grows: bool,
    /// With damping: frequency (Hz) and ratio of the mode nearest in frequency.
    pub damped: Option<(f64, f64)>,
    /// Parts of the machine that it lives in.
    pub label: String,
    /// Share of the inertia that each drive sees.
    pub drives: Vec<(String, f64)>,
}

/// The open loop of a servo.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// Joint.
    pub servo: String,
    /// By pose and frequency (Hz).
    pub frequencies: Vec<f64>,
    /// The same: real part of L.
    pub real: Vec<f64>,
    /// Imaginary part.
    pub imag: Vec<f64>,
}

/// Margins of a servo with the number of the pose of each, from 1.
#[derive(Clone, Debug, Default)]
pub struct MarginRow {
    /// Joint.
    pub servo: String,
    /// False where one pose is unstable.
    pub stable: bool,
    /// Gain margin upwards.
    pub gain: (f64, usize),
    /// Gain margin downwards; 0 for none.
    pub gain_reduction: (f64, usize),
    /// Phase margin (rad).
    pub phase: (f64, usize),
    /// Delay margin (s).
    pub delay: (f64, usize),
    /// Disk margin.
    pub disk: (f64, usize),
}

/// Quantities over a grid of poses, the second axis fastest.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    /// Over what: `joints` or `plane`.
    pub over: String,
    /// First joint, or distance along the first edge.
    pub first: Axis,
    /// The second.
    pub second: Axis,
    /// Name, units and values, NaN where there is no pose.
    pub quantities: Vec<(String, String, Vec<f64>)>,
    /// Where the tip is (m); empty where the file has none.
    pub tips: Vec<[f64; 3]>,
}

/// The machine at a pose: points in the world and how each mode moves them.
#[derive(Clone, Debug, Default)]
pub struct DrawnModes {
    /// The links: name, points, cells, and displacements of each mode, three numbers a point.
    pub links: Vec<DrawnLink>,
    /// Joints, rods, …: ends in the world, and of each mode the displacement of interface and point.
    pub symbols: Vec<Symbol>,
    /// Direction that is up.
    pub up: [f64; 3],
}

/// A link of it.
#[derive(Clone, Debug, Default)]
pub struct DrawnLink {
    /// Name.
    pub name: String,
    /// Points in the world (m).
    pub positions: Vec<[f32; 3]>,
    /// Numbers of the GRIDs.
    pub grids: Vec<u32>,
    /// Cells.
    pub cells: Cells,
    /// Of each mode.
    pub modes: Vec<Vec<f32>>,
}

#[derive(Serialize)]
struct AxisData {
    name: String,
    units: String,
    values: Reference,
}

#[derive(Serialize)]
struct LoopData {
    servo: String,
    frequencies: Reference,
    real: Reference,
    imag: Reference,
}

#[derive(Serialize)]
struct MapData {
    over: String,
    first: AxisData,
    second: AxisData,
    quantities: Vec<QuantityData>,
    tips: Option<Reference>,
}

#[derive(Serialize)]
struct QuantityData {
    name: String,
    units: String,
    values: Reference,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseData {
    kind: &'static str,
    axis: AxisData,
    poses: Vec<String>,
    tracks: Vec<Reference>,
    modes: Vec<String>,
    phases: usize,
    inputs: Vec<[String; 2]>,
    outputs: Vec<[String; 2]>,
    frequencies: Reference,
    response_poses: Vec<usize>,
    real: Reference,
    imag: Reference,
    loops: Vec<LoopData>,
    loop_poses: Vec<usize>,
    maps: Option<MapData>,
    machine: Option<MachineData>,
}

/// Where `assets/response.js` puts a plot and its choices.
fn figures(choices: &str, ids: &[&str]) -> String {
    let figure = |id: &&str| format!("<figure class=\"plot\" id=\"plot-{id}\"></figure>\n");
    let figures: String = ids.iter().map(figure).collect();
    format!("<div class=\"choices\" id=\"{choices}\"></div>\n<div class=\"plots\">\n{figures}</div>\n")
}

impl Response {
    /// The page.
    pub fn into_html(mut self) -> String {
        let mut arrays = Arrays::default();
        let section = |id, heading, markup| Section { id, heading, markup };
        let mut sections = vec![section("summary", "Summary", numbers::summary(&self))];
        let drawn = self.drawn.take().and_then(|drawn| drawn.machine());
        if drawn.is_some() {
            let heading = "Mode shapes";
            sections.push(section("machine", heading, stage::modes_markup()));
        }
        if !self.modes.is_empty() {
            sections.push(section("modes", "Modes", numbers::modes(&self)));
        }
        if self.poses.len() > 1 && !self.tracks.is_empty() {
            sections.push(section(
                "campbell",
                "Frequencies along the poses",
                figures("campbell-choices", &["campbell"]),
            ));
        }
        if !self.frequencies.is_empty() {
            sections.push(section(
                "bode",
                "Frequency responses",
                figures("bode-choices", &["magnitude", "phase"]),
            ));
        }
        if !self.margins.is_empty() {
            let plots = if self.loops.is_empty() {
                String::new()
            } else {
                figures("loop-choices", &["nyquist", "nichols"])
            };
            sections.push(section("loops", "Servo loops", numbers::margins(&self) + &plots));
        }
        if self.maps.is_some() {
            sections.push(section("maps", "Maps", figures("map-choices", &["map"])));
        }
        sections.push(section(
            "warnings",
            "Warnings",
            match self.warnings.is_empty() {
                true => "<p class=\"muted\">Nothing to report.</p>\n".to_owned(),
                false => messages(&self.warnings),
            },
        ));
        let modes_drawn = drawn.as_ref().map_or(0, |machine| machine.times.len() / PHASES);
        let label = |(k, mode): (usize, &ModeRow)| numbers::mode_label(k, mode);
        let data = ResponseData {
            kind: "response",
            modes: self.modes.iter().enumerate().take(modes_drawn).map(label).collect(),
            phases: PHASES,
            axis: axis(&self.axis, &mut arrays),
            tracks: self.tracks.iter().map(|hz| arrays.f64(hz)).collect(),
            frequencies: arrays.f64(&self.frequencies),
            real: arrays.single(&self.real),
            imag: arrays.single(&self.imag),
            loops: self.loops.iter().map(|of| loop_data(of, &mut arrays)).collect(),
            maps: self.maps.as_ref().map(|maps| map_data(maps, &mut arrays)),
            machine: drawn.map(|machine| machine.into_data(&mut arrays)),
            poses: self.poses,
            inputs: self.inputs,
            outputs: self.outputs,
            response_poses: self.response_poses,
            loop_poses: self.loop_poses,
        };
        page(&self.about, &sections, &data, arrays)
    }
}

fn axis(axis: &Axis, arrays: &mut Arrays) -> AxisData {
    AxisData { name: axis.name.clone(), units: axis.units.clone(), values: arrays.f64(&axis.values) }
}

fn loop_data(of: &Loop, arrays: &mut Arrays) -> LoopData {
    LoopData {
        servo: of.servo.clone(),
        frequencies: arrays.f64(&of.frequencies),
        real: arrays.single(&of.real),
        imag: arrays.single(&of.imag),
    }
}

fn map_data(maps: &Maps, arrays: &mut Arrays) -> MapData {
    let tips: Vec<f64> = maps.tips.iter().flatten().copied().collect();
    MapData {
        over: maps.over.clone(),
        first: axis(&maps.first, arrays),
        second: axis(&maps.second, arrays),
        quantities: maps
            .quantities
            .iter()
            .map(|(name, units, values)| QuantityData {
                name: name.clone(),
                units: units.clone(),
                values: arrays.f64(values),
            })
            .collect(),
        tips: (!tips.is_empty()).then(|| arrays.f64(&tips)),
    }
}

impl DrawnModes {
    /// A machine whose frames are pictures of one oscillation of each mode after the other; `None` without
    /// modes.
    fn machine(self) -> Option<Machine> {
        let points: usize = self.links.iter().map(|link| link.positions.len()).sum();
        let all = self.links.iter().map(|link| link.modes.len()).min()?;
        let modes = all.min(NUMBERS / (3 * PHASES * points.max(1))).max(1).min(all);
        if modes == 0 {
            return None;
        }
        let sines: Vec<f32> = (0..PHASES).map(|k| (TAU * k as f64 / PHASES as f64).sin() as f32).collect();
        let frames = || (0..modes).flat_map(|mode| sines.iter().map(move |sine| (mode, *sine)));
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let part = |link: DrawnLink| {
            let frame = |(mode, sine): (usize, f32)| link.modes[mode].iter().map(|u| sine * u).collect();
            Part {
                displacements: frames().map(frame).collect(),
                poses: vec![identity; modes * PHASES],
                name: link.name,
                positions: link.positions,
                grids: link.grids,
                cells: link.cells,
                ..Part::default()
            }
        };
        let parts = self.links.into_iter().map(part).collect();
        let symbol = |mut symbol: Symbol| {
            for end in symbol.ends.iter_mut().filter(|end| end.part.is_some()) {
                let of = |modes: &[[f32; 3]]| -> Vec<[f32; 3]> {
                    frames().map(|(mode, sine)| modes[mode].map(|u| sine * u)).collect()
                };
                (end.interface_moved, end.point_moved) = (of(&end.interface_moved), of(&end.point_moved));
            }
            symbol
        };
        let times = (0..modes * PHASES).map(|k| k as f64).collect();
        let symbols = self.symbols.into_iter().map(symbol).collect();
        Some(Machine { times, parts, symbols, up: self.up, ..Machine::default() })
            .filter(Machine::is_drawable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_drawn_as_one_oscillation() {
        let link = DrawnLink {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0]],
            modes: vec![vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0]; 3],
            ..DrawnLink::default()
        };
        let machine = DrawnModes { links: vec![link], ..DrawnModes::default() }.machine().unwrap();
        assert_eq!(machine.times.len(), 3 * PHASES);
        let tip = |frame: usize| machine.parts[0].displacements[frame][4];
        // A quarter of the way through the oscillation of the second mode, and three quarters.
        assert_eq!((tip(PHASES), tip(PHASES + PHASES / 4)), (0.0, 2.0));
        assert!((tip(PHASES + 3 * PHASES / 4) + 2.0).abs() < 1e-6);
    }
}
