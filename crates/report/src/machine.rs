//! The machine in 3D: links with their surfaces, where the rigid machine has them, and how the flexible one
//! differs.

use serde::Serialize;

use crate::annotation::{Arrow, ArrowData, ArrowScale, Mark, MarkData, Path, PathData, Triad, TriadData};
use crate::array::{Arrays, Reference};
use crate::low_rank::low_rank;
use crate::profile::Profile;
use crate::quantity::Scale;
use crate::surface::{Cells, Surface};
use crate::symbol::{Symbol, SymbolData};

/// Error of a drawn displacement over the largest one of the run: a tenth of a pixel where that fills a
/// screen.
const TOLERANCE: f32 = 1e-4;

/// Share of the machine's size at which the largest displacement is drawn at first.
const DRAWN: f64 = 0.06;

/// The machine at some times.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Time of each frame (s).
    pub times: Vec<f64>,
    /// The links.
    pub parts: Vec<Part>,
    /// Joints, rods, springs, cylinders, payloads.
    pub symbols: Vec<Symbol>,
    /// Direction that is up in the picture; z where it is zero.
    pub up: [f64; 3],
    /// Frames of interfaces.
    pub triads: Vec<Triad>,
    /// Loads and reactions.
    pub arrows: Vec<Arrow>,
    /// Points to look at.
    pub marks: Vec<Mark>,
    /// The way of the tip.
    pub path: Path,
    /// Names of the machines in one picture, as those of several runs; empty for a single one.
    pub groups: Vec<String>,
}

/// A link: nodes in its own frame L, and in each frame the nominal pose of L and displacements from there. A
/// node is drawn at X_WL (p + s u), s the exaggeration, so that links stay together at any s.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Name of the link.
    pub name: String,
    /// Positions in L (m).
    pub positions: Vec<[f32; 3]>,
    /// Number of the GRID of each node; empty when unknown.
    pub grids: Vec<u32>,
    /// The cells.
    pub cells: Cells,
    /// Nodes at joints, drawn as balls.
    pub interfaces: Vec<u32>,
    /// Rows of [R | p] of the nominal X_WL in each frame.
    pub poses: Vec<[f32; 12]>,
    /// Three components in L for each node, in each frame (m); empty where it does not deform.
    pub displacements: Vec<Vec<f32>>,
    /// What else it can be coloured by.
    pub fields: Vec<Field>,
    /// Which of the machines in one picture, from 0.
    pub group: usize,
}

/// A number at each node.
#[derive(Clone, Debug)]
pub struct Field {
    /// For the list of choices: `"von Mises stress"`.
    pub name: String,
    /// Of the values, in SI: `"Pa"`.
    pub units: String,
    /// The values.
    pub values: Values,
}

/// Values of a field, none of them negative; NaN where there is none.
#[derive(Clone, Debug)]
pub enum Values {
    /// The same in all frames, as an envelope is.
    Steady(Vec<f32>),
    /// In each frame.
    Frames(Vec<Vec<f32>>),
}

#[derive(Serialize)]
pub(crate) struct MachineData {
    times: Reference,
    parts: Vec<PartData>,
    symbols: Vec<SymbolData>,
    /// Rows of the rotation from world axes to axes of which z is up.
    upright: [[f64; 3]; 3],
    /// In upright axes, as `floor`.
    centre: [f64; 3],
    size: f64,
    floor: f64,
    scale: f64,
    /// Frame shown first: the one of largest displacement.
    first: usize,
    displacement: Choice,
    fields: Vec<Choice>,
    tip: Option<PathData>,
    triads: Vec<TriadData>,
    arrows: Vec<ArrowData>,
    arrow_scale: ArrowScale,
    marks: Vec<MarkData>,
    groups: Vec<String>,
}

#[derive(Clone, Serialize)]
struct Choice {
    name: String,
    units: String,
    factor: f64,
    max: f64,
}

#[derive(Serialize)]
struct PartData {
    name: String,
    points: Reference,
    grids: Option<Reference>,
    triangles: Reference,
    edges: Reference,
    lines: Reference,
    thin: Reference,
    balls: Reference,
    rank: usize,
    shapes: Reference,
    coefficients: Reference,
    poses: Reference,
    fields: Vec<FieldData>,
    group: usize,
    closed: bool,
    profiles: Vec<Profile>,
    /// For each line its profile, from 1; 0 without.
    sections: Reference,
    /// For each line the direction of the profile's y.
    across: Reference,
}

#[derive(Serialize)]
struct FieldData {
    name: String,
    steady: bool,
    /// Value of one unit of the stored integers.
    step: f64,
    values: Reference,
}

impl Machine {
    /// True when there is something to draw.
    pub(crate) fn is_drawable(&self) -> bool {
        let frames = self.times.len();
        let complete = |part: &Part| {
            part.poses.len() == frames
                && (part.displacements.is_empty() || part.displacements.len() == frames)
                && part.displacements.iter().all(|u| u.len() == 3 * part.positions.len())
        };
        let parts = self.parts.len();
        frames > 0
            && parts > 0
            && self.parts.iter().all(complete)
            && self.symbols.iter().all(|symbol| symbol.is_complete(frames, parts))
            && self.arrows.iter().all(|arrow| arrow.is_complete(frames, parts))
    }

    /// Writes the arrays and describes them. The machine must be drawable.
    pub(crate) fn into_data(self, arrays: &mut Arrays) -> MachineData {
        assert!(self.is_drawable(), "invariant: only a complete machine is written");
        let upright = upright(self.up);
        let (low, high) = self.limits(&upright);
        let centre = [0, 1, 2].map(|c| f64::midpoint(low[c], high[c]));
        let diagonal = (0..3).map(|c| (high[c] - low[c]).powi(2)).sum::<f64>().sqrt();
        let size = if diagonal > 0.0 { diagonal } else { 1.0 };
        let (first, largest) = self.largest_displacement();
        let unit = Scale::of(largest, "m");
        let displacement =
            Choice { name: "displacement".to_owned(), units: unit.units, factor: unit.factor, max: largest };
        let fields = self.choices();
        let parts = self.parts.into_iter().map(|part| part.into_data(&fields, arrays)).collect();
        let symbols = self.symbols.into_iter().map(|symbol| symbol.into_data(arrays)).collect();
        MachineData {
            times: arrays.f64(&self.times),
            parts,
            symbols,
            upright,
            centre,
            size,
            floor: low[2],
            scale: first_scale(largest, size),
            first,
            displacement,
            fields,
            tip: self.path.is_drawable().then(|| self.path.into_data(arrays)),
            triads: self.triads.into_iter().map(Triad::into_data).collect(),
            arrow_scale: ArrowScale::of(&self.arrows),
            arrows: self.arrows.into_iter().map(|arrow| arrow.into_data(arrays)).collect(),
            marks: self.marks.into_iter().map(Mark::into_data).collect(),
            groups: self.groups,
        }
    }

    /// Corners of the box around the nominal machine in all frames, in upright axes.
    fn limits(&self, upright: &[[f64; 3]; 3]) -> ([f64; 3], [f64; 3]) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut take = |x: [f64; 3]| {
            for (c, row) in upright.iter().enumerate() {
                let x = (0..3).map(|k| row[k] * x[k]).sum::<f64>();
                low[c] = low[c].min(x);
                high[c] = high[c].max(x);
            }
        };
        let at = |pose: &[f32; 12], p: &[f32; 3]| {
            [0, 1, 2].map(|c| {
                let [a, b, d, e] = [0, 1, 2, 3].map(|k| pose[4 * c + k]);
                f64::from(a * p[0] + b * p[1] + d * p[2] + e)
            })
        };
        for part in &self.parts {
            for pose in &part.poses {
                part.positions.iter().for_each(|p| take(at(pose, p)));
            }
        }
        for end in self.symbols.iter().flat_map(|symbol| &symbol.ends) {
            match end.part {
                Some(part) => self.parts[part].poses.iter().for_each(|pose| take(at(pose, &end.point))),
                None => take(end.point.map(f64::from)),
            }
        }
        if low[0] > high[0] { ([0.0; 3], [0.0; 3]) } else { (low, high) }
    }

    /// Frame and size of the largest displacement of a node.
    fn largest_displacement(&self) -> (usize, f64) {
        let mut found = (0, 0.0);
        for part in &self.parts {
            for (f, u) in part.displacements.iter().enumerate() {
                for u in u.chunks_exact(3) {
                    let size = u.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
                    if size > found.1 {
                        found = (f, size);
                    }
                }
            }
        }
        found
    }

    /// The fields of all links by name, with their largest value.
    fn choices(&self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        for field in self.parts.iter().flat_map(|part| &part.fields) {
            let max = f64::from(field.values.all().fold(0.0_f32, |max, x| max.max(*x)));
            match choices.iter_mut().find(|choice| choice.name == field.name) {
                Some(choice) => choice.max = choice.max.max(max),
                None => {
                    let (name, units) = (field.name.clone(), field.units.clone());
                    choices.push(Choice { name, units, factor: 1.0, max });
                }
            }
        }
        for choice in &mut choices {
            let unit = Scale::of(choice.max, &choice.units);
            (choice.factor, choice.units) = (unit.factor, unit.units);
        }
        choices
    }
}

/// Rows of a rotation that takes `up` to z; the identity for z itself, and where there is no direction.
fn upright(up: [f64; 3]) -> [[f64; 3]; 3] {
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|c| a[c] * b[c]).sum::<f64>();
    let unit = |a: [f64; 3]| a.map(|x| x / dot(a, a).sqrt());
    if dot(up, up) <= 0.0 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let z = unit(up);
    // The world axis x stays to the right unless it points up.
    let right = if z[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let along = dot(right, z);
    let x = unit([0, 1, 2].map(|c| right[c] - along * z[c]));
    let y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    [x, y, z]
}

/// A round number (1, 2 or 5 times a power of ten, not below one) that shows the largest displacement well.
fn first_scale(largest: f64, size: f64) -> f64 {
    if largest <= 0.0 {
        return 1.0;
    }
    let wanted = DRAWN * size / largest;
    let power = 10_f64.powf(wanted.log10().floor());
    let lead = [5.0, 2.0, 1.0].into_iter().find(|lead| lead * power <= wanted).unwrap_or(1.0);
    (lead * power).max(1.0)
}

impl Values {
    fn all(&self) -> Box<dyn Iterator<Item = &f32> + '_> {
        match self {
            Self::Steady(values) => Box::new(values.iter()),
            Self::Frames(frames) => Box::new(frames.iter().flatten()),
        }
    }
}

impl Part {
    fn into_data(self, choices: &[Choice], arrays: &mut Arrays) -> PartData {
        let mut surface = Surface::of(&self.cells, self.positions.len());
        // Joints are drawn even where no element is seen.
        let mut balls = Vec::new();
        for node in self.interfaces.iter().filter(|node| (**node as usize) < self.positions.len()) {
            let at = surface.nodes.iter().position(|seen| seen == node).unwrap_or_else(|| {
                surface.nodes.push(*node);
                surface.nodes.len() - 1
            });
            balls.push(at as u32);
        }
        let seen: Vec<usize> = surface.nodes.iter().map(|node| *node as usize).collect();
        let points: Vec<f32> = seen.iter().flat_map(|node| self.positions[*node]).collect();
        let of_seen =
            |u: &Vec<f32>| seen.iter().flat_map(|node| [0, 1, 2].map(|c| u[3 * node + c])).collect();
        let fields = self.fields.iter().map(|field| field_data(field, &seen, choices, arrays)).collect();
        let moved = low_rank(self.displacements.iter().map(of_seen).collect(), TOLERANCE);
        let own = |bar: &u32| bar.checked_sub(1).map(|index| self.cells.sections[index as usize]);
        let bars: Vec<_> = surface.bars.iter().map(own).collect();
        let sections: Vec<u32> = bars.iter().map(|bar| bar.map_or(0, |bar| bar.profile + 1)).collect();
        let across: Vec<f32> = bars.iter().flat_map(|bar| bar.map_or([0.0; 3], |bar| bar.across)).collect();
        let grids: Vec<u32> = seen.iter().filter_map(|node| self.grids.get(*node).copied()).collect();
        PartData {
            name: self.name,
            points: arrays.f32(&points),
            grids: (grids.len() == seen.len()).then(|| arrays.u32(&grids)),
            triangles: arrays.u32(&surface.triangles),
            edges: arrays.u32(&surface.edges),
            lines: arrays.u32(&surface.lines),
            thin: arrays.u32(&surface.thin),
            balls: arrays.u32(&balls),
            rank: moved.rank,
            shapes: arrays.f32(&moved.shapes),
            coefficients: arrays.f32(&moved.coefficients),
            poses: arrays.f32(self.poses.as_flattened()),
            fields,
            group: self.group,
            closed: surface.closed,
            profiles: self.cells.profiles,
            sections: arrays.u32(&sections),
            across: arrays.f32(&across),
        }
    }
}

/// The integer that stands for no value.
const NO_VALUE: u16 = u16::MAX;

/// Values as integers below [`NO_VALUE`], of the largest value of the machine.
fn field_data(field: &Field, seen: &[usize], choices: &[Choice], arrays: &mut Arrays) -> FieldData {
    let max = choices.iter().find(|choice| choice.name == field.name).map_or(0.0, |choice| choice.max);
    let step = if max > 0.0 { max / f64::from(NO_VALUE - 1) } else { 1.0 };
    let quantised = |values: &Vec<f32>| -> Vec<u16> {
        let known = |node: &usize| values.get(*node).filter(|x| x.is_finite());
        let at = |node: &usize| known(node).map_or(NO_VALUE, |x| (f64::from(*x) / step).round() as u16);
        seen.iter().map(at).collect()
    };
    let (steady, values) = match &field.values {
        Values::Steady(values) => (true, quantised(values)),
        Values::Frames(frames) => (false, frames.iter().flat_map(quantised).collect()),
    };
    FieldData { name: field.name.clone(), steady, step, values: arrays.u16(&values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_exaggeration_is_round_and_never_below_one() {
        assert_eq!(first_scale(1e-3, 2.0), 100.0);
        assert_eq!(first_scale(5.0, 2.0), 1.0);
        assert_eq!(first_scale(0.0, 2.0), 1.0);
    }

    #[test]
    fn what_is_against_gravity_is_up() {
        assert_eq!(upright([0.0; 3]), upright([0.0, 0.0, 2.0]));
        assert_eq!(upright([0.0, 9.81, 0.0]), [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
        assert_eq!(upright([1.0, 0.0, 0.0])[2], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_machine_with_missing_frames_is_not_drawn() {
        let part = Part { positions: vec![[0.0; 3]], poses: Vec::new(), ..Part::default() };
        let machine = Machine { times: vec![0.0], parts: vec![part], ..Machine::default() };
        assert!(!machine.is_drawable());
    }
}
