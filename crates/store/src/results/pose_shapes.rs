//! Modes of the machine at a pose as deformed shapes: one step of `/VTKHDF` for each.
#![expect(non_snake_case, reason = "transforms keep the letters of the equations")]

use std::sync::Arc;

use hdf5::{File, Group, Result};
use nalgebra::{Rotation3, Vector3};
use pliant_dynamics::{State, Workspace};
use pliant_mechanism::Model;

use super::axes::Axes;
use super::shape::{LinkShape, MachineShape, Posed, Posture};
use super::symbols::{Symbol, symbols};
use super::vtk::{self, Frames};
use crate::dataset::{meaning, put};

/// The largest translation of a drawn mode over the size of the machine, as `pliant modes --out` has it.
const DRAWN: f64 = 0.1;
/// The same of the two machines whose difference a shape is: small enough for its geometry, large enough for
/// points in single precision.
const MEASURED: f64 = 0.01;
/// Amplitude at which the size of a shape is found out, in the largest of its coordinates (rad, m, kg^½ m).
const PROBED: f64 = 1e-4;

/// The machine at a pose with the shapes of its modes.
#[derive(Debug)]
pub struct PoseShapes {
    machine: MachineShape,
    points: Vec<f32>,
    /// Displacement and rotation of each mode.
    modes: Vec<[Vec<f32>; 2]>,
    symbols: Vec<Placement>,
    gravity: [f64; 3],
}

/// A symbol at the pose, in world axes.
#[derive(Debug)]
struct Placement {
    symbol: Symbol,
    /// Point of `/VTKHDF` that each end moves with; −1: the ground.
    rows: [i64; 2],
    interfaces: [[f64; 3]; 2],
    points: [[f64; 3]; 2],
    axis: [f64; 3],
}

impl PoseShapes {
    /// Draws `count` modes; `displaced` has the machine moved by a mode, whose largest coordinate is the
    /// amplitude. `None` where a link has no shape.
    pub fn new(
        model: &Model,
        shapes: &[Arc<LinkShape>],
        count: usize,
        displaced: &dyn Fn(usize, f64) -> (State, Workspace),
    ) -> Option<Self> {
        let machine = MachineShape::new(model, shapes)?;
        let posed_at = |mode: usize, amplitude: f64| {
            let (state, work) = displaced(mode, amplitude);
            let mut posed = Posed::default();
            machine.pose(&[Posture::of(model, &state, &work)], &mut posed);
            (posed, work)
        };
        let (rest, work) = posed_at(0, 0.0);
        let size = extent(&rest.points);
        let mut modes = Vec::new();
        for mode in 0..count {
            let pair = |amplitude: f64| (posed_at(mode, amplitude), posed_at(mode, -amplitude));
            let ((above, _), (below, _)) = pair(PROBED);
            let probed = difference(&above.points, &below.points, 1.0);
            let largest = probed.chunks_exact(3).map(norm).fold(0.0, f64::max);
            if largest <= 0.0 {
                modes.push([vec![0.0; rest.points.len()], vec![0.0; rest.points.len()]]);
                continue;
            }
            let ((above, work_above), (below, work_below)) = pair(PROBED * MEASURED * size / largest);
            let scale = DRAWN / MEASURED;
            let displacement = difference(&above.points, &below.points, scale);
            let mut rotation = difference(&above.rotation, &below.rotation, scale);
            let mut first = 0;
            for ((b, _), link) in model.indexed_bodies().zip(&machine.links) {
                let R = work_above.X_WL(b).R * work_below.X_WL(b).R.transpose();
                let turn = Rotation3::from_matrix_unchecked(R).scaled_axis() * (0.5 * scale);
                for row in rotation[3 * first..3 * (first + link.positions.len())].chunks_exact_mut(3) {
                    row.iter_mut().zip(turn.iter()).for_each(|(x, t)| *x += *t as f32);
                }
                first += link.positions.len();
            }
            modes.push([displacement, rotation]);
        }
        let symbols =
            symbols(model).into_iter().map(|s| placement(s, model, &machine, &rest, &work)).collect();
        Some(Self { points: rest.points, machine, modes, symbols, gravity: model.gravity().into() })
    }

    /// Writes `/VTKHDF` and `/symbols`.
    pub(crate) fn fill(&self, file: &File) -> Result<()> {
        let mut axes = Axes::new(file);
        super::create::vector_axis(&mut axes)?;
        let frames =
            Frames { planned: self.modes.len(), units: "1", what: "number of the mode", deviation: false };
        let mut sink = vtk::lay_out(file, &mut axes, self.machine.clone(), frames, &[], &[])?;
        axes.close()?;
        for (k, [displacement, rotation]) in self.modes.iter().enumerate() {
            let posed = Posed {
                points: self.points.clone(),
                displacement: displacement.clone(),
                rotation: rotation.clone(),
                deviation: Vec::new(),
            };
            sink.append(&[(k + 1) as f64], &posed, &[])?;
        }
        self.put_symbols(&file.create_group("symbols")?)
    }

    fn put_symbols(&self, group: &Group) -> Result<()> {
        let all = &self.symbols;
        let n = all.len();
        let words =
            |of: fn(&Symbol) -> &str| all.iter().map(|p| of(&p.symbol).to_owned()).collect::<Vec<_>>();
        crate::response::word_table(
            group,
            "name",
            &[n],
            &words(|s| &s.name),
            "joints, rods, springs, payloads",
        )?;
        crate::response::word_table(group, "kind", &[n], &words(|s| &s.kind), "kind of each")?;
        let rows: Vec<i64> = all.iter().flat_map(|p| p.rows).collect();
        put(
            group,
            "row",
            &[n, 2],
            &rows,
            meaning("1", "point of /VTKHDF that each end moves with, from 0; −1: ground"),
        )?;
        let flat =
            |of: fn(&Placement) -> [[f64; 3]; 2]| all.iter().flat_map(of).flatten().collect::<Vec<_>>();
        let what = meaning("m", "interface of each end in the world, at the pose");
        put(group, "interface", &[n, 2, 3], &flat(|p| p.interfaces), what)?;
        put(
            group,
            "point",
            &[n, 2, 3],
            &flat(|p| p.points),
            meaning("m", "each end in the world, at the pose"),
        )?;
        let axes: Vec<f64> = all.iter().flat_map(|p| p.axis).collect();
        put(
            group,
            "axis",
            &[n, 3],
            &axes,
            meaning("1", "axis of a joint or guide in the world; zero without one"),
        )?;
        let masses: Vec<f64> = all.iter().map(|p| p.symbol.mass).collect();
        put(group, "mass", &[n], &masses, meaning("kg", "mass of a payload; 0 for the others"))?;
        put(group, "gravity", &[3], &self.gravity, meaning("m/s2", "acceleration of gravity"))
    }
}

fn placement(
    symbol: Symbol,
    model: &Model,
    machine: &MachineShape,
    rest: &Posed,
    work: &Workspace,
) -> Placement {
    let mut starts = vec![0];
    starts.extend(machine.links.iter().scan(0, |sum, link| {
        *sum += link.positions.len();
        Some(*sum)
    }));
    let frames: Vec<_> = model.indexed_bodies().map(|(b, _)| *work.X_WL(b)).collect();
    let mut rows = [-1; 2];
    let (mut interfaces, mut points) = ([[0.0; 3]; 2], [[0.0; 3]; 2]);
    for (k, end) in symbol.ends.iter().enumerate() {
        let Some(link) = (end.link as usize).checked_sub(1) else {
            (interfaces[k], points[k]) = (end.interface, end.point);
            continue;
        };
        let (at, point) = (Vector3::from(end.interface), Vector3::from(end.point));
        let positions = &machine.links[link].positions;
        let distance = |i: &usize| (positions[*i] - at).norm_squared();
        let Some(nearest) = (0..positions.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
            continue;
        };
        let row = starts[link] + nearest;
        let x = Vector3::from_fn(|c, _| f64::from(rest.points[3 * row + c]));
        rows[k] = row as i64;
        interfaces[k] = x.into();
        points[k] = (x + frames[link].R * (point - at)).into();
    }
    let axis = Vector3::from(symbol.axis);
    let of_first = ["line", "plane"].contains(&symbol.kind.as_str());
    let axis = match (symbol.ends[usize::from(!of_first)].link as usize).checked_sub(1) {
        Some(link) => frames[link].R * axis,
        None => axis,
    };
    Placement { symbol, rows, interfaces, points, axis: axis.into() }
}

fn norm(x: &[f32]) -> f64 {
    x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// Half of `(above − below)`, times a factor.
fn difference(above: &[f32], below: &[f32], factor: f64) -> Vec<f32> {
    let half = |(a, b): (&f32, &f32)| (0.5 * factor * (f64::from(*a) - f64::from(*b))) as f32;
    above.iter().zip(below).map(half).collect()
}

/// Diagonal of the box around points.
fn extent(points: &[f32]) -> f64 {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for p in points.chunks_exact(3) {
        for c in 0..3 {
            low[c] = low[c].min(p[c]);
            high[c] = high[c].max(p[c]);
        }
    }
    let diagonal = norm(&[0, 1, 2].map(|c| high[c] - low[c]));
    if diagonal.is_finite() && diagonal > 0.0 { diagonal } else { 1.0 }
}
