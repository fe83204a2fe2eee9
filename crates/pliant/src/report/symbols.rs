//! Joints, rods, springs, cylinders and payloads as the report draws them: points that move with their links.
#![expect(non_snake_case, reason = "rotations keep the letters of the equations")]

use std::ops::Range;

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_report::{Arrow, ArrowKind, Symbol, SymbolEnd};
use pliant_store::results::{ResultsError, ResultsFile, Series, ShapeFrame};

use super::run::optional;

/// Where a link is: rotation and position of its frame.
pub(super) type Pose = (Rotation3<f64>, Vector3<f64>);

/// Density of steel (kg/m³): a payload is drawn as a ball of steel of its mass.
const STEEL: f64 = 7850.0;

/// Collects the symbols of a file frame by frame.
pub(super) struct Symbols {
    symbols: Vec<pliant_store::results::Symbol>,
    /// For each end its node among those of its link.
    nodes: Vec<[Option<usize>; 2]>,
    drawn: Vec<Symbol>,
    /// Of joints whose loads are kept: which symbol, the loads, the arrow.
    reactions: Vec<(usize, Series, Arrow)>,
    up: [f64; 3],
}

impl Symbols {
    /// Of a file; none in files that do not keep them. `rest` has the undeformed nodes of each link.
    pub(super) fn new(file: &ResultsFile, rest: &[Vec<Vector3<f64>>]) -> Result<Self, ResultsError> {
        let pliant_store::results::Symbols { all: symbols, gravity } = file.symbols()?.unwrap_or_default();
        // A symbol on a link that the file does not draw has nowhere to be.
        let is_drawn =
            |s: &pliant_store::results::Symbol| s.ends.iter().all(|e| e.link as usize <= rest.len());
        let symbols: Vec<_> = symbols.into_iter().filter(is_drawn).collect();
        let nodes = symbols.iter().map(|s| s.ends.map(|end| node(end, rest))).collect();
        let drawn = symbols.iter().map(drawn).collect();
        let mut reactions = Vec::new();
        for (k, symbol) in symbols.iter().enumerate() {
            let path = format!("/joints/{}/load", symbol.name.replace('/', "_"));
            // Files of former programs do not say in which axes loads are.
            if symbol.frame == [[0.0; 3]; 3] {
                continue;
            }
            let Some(loads) = optional(file, &path)?.filter(|loads| loads.width() == 6) else { continue };
            let (name, kind) = (symbol.name.clone(), ArrowKind::Reaction);
            reactions.push((k, loads, Arrow { name, kind, ..Arrow::default() }));
        }
        let gravity = Vector3::from(gravity);
        let up = if gravity.norm() > 0.0 { -gravity.normalize() } else { Vector3::z() };
        Ok(Self { symbols, nodes, drawn, reactions, up: up.into() })
    }

    /// Takes a frame in, of an output: actual and nominal pose of each link.
    pub(super) fn frame(
        &mut self,
        shape: &ShapeFrame,
        ranges: &[Range<usize>],
        poses: &[(Pose, Pose)],
        output: usize,
    ) {
        for (k, loads, arrow) in &mut self.reactions {
            let (symbol, end) = (&self.symbols[*k], &self.symbols[*k].ends[1]);
            let link = (end.link as usize).checked_sub(1);
            let R_a = link.map_or_else(Rotation3::identity, |link| poses[link].0.0);
            let turn = link.zip(self.nodes[*k][1]).map_or_else(Vector3::zeros, |(link, node)| {
                let at = 3 * (ranges[link].start + node);
                Vector3::from_fn(|c, _| f64::from(shape.rotation[at + c]))
            });
            let frame = Matrix3::from_fn(|row, column| symbol.frame[row][column]);
            let R = Rotation3::new(turn) * R_a * frame;
            let load = loads.values.get(6 * output..6 * output + 6).unwrap_or(&[0.0; 6]);
            let in_world = |first: usize| {
                let v = R * Vector3::from_column_slice(&load[first..first + 3]);
                [v.x as f32, v.y as f32, v.z as f32]
            };
            arrow.forces.push(in_world(0));
            arrow.moments.push(in_world(3));
        }
        for ((symbol, nodes), drawn) in self.symbols.iter().zip(&self.nodes).zip(&mut self.drawn) {
            for ((end, node), drawn) in symbol.ends.iter().zip(nodes).zip(&mut drawn.ends) {
                let Some(link) = drawn.part else { continue };
                let ((R_a, p_a), (R_n, p_n)) = &poses[link];
                let of = |values: &[f32], i: usize| Vector3::from_fn(|c, _| f64::from(values[3 * i + c]));
                let (d, turn) = node.map_or_else(Default::default, |node| {
                    let at = ranges[link].start + node;
                    (of(&shape.displacement, at), of(&shape.rotation, at))
                });
                let (r, point) = (Vector3::from(end.interface), Vector3::from(end.point));
                let interface = p_a + R_a * r + d;
                let moved = interface + Rotation3::new(turn) * (R_a * (point - r));
                let from_nominal = |x: Vector3<f64>, r: Vector3<f64>| {
                    let u = R_n.inverse_transform_vector(&(x - p_n)) - r;
                    [u.x as f32, u.y as f32, u.z as f32]
                };
                drawn.interface_moved.push(from_nominal(interface, r));
                drawn.point_moved.push(from_nominal(moved, point));
            }
        }
    }

    /// The symbols, the reactions, and the direction against gravity.
    pub(super) fn finish(self) -> (Vec<Symbol>, Vec<Arrow>, [f64; 3]) {
        let drawn = &self.drawn;
        let placed = |(k, _, arrow): (usize, Series, Arrow)| {
            let SymbolEnd { part, point, point_moved, .. } = drawn[k].ends[1].clone();
            Arrow { part, point, moved: point_moved, ..arrow }
        };
        let arrows = self.reactions.into_iter().map(placed).collect();
        (self.drawn, arrows, self.up)
    }
}

/// A symbol without how it moves.
pub(crate) fn drawn(symbol: &pliant_store::results::Symbol) -> Symbol {
    let single = |x: [f64; 3]| x.map(|x| x as f32);
    let ends = symbol.ends.map(|end| SymbolEnd {
        part: (end.link as usize).checked_sub(1),
        interface: single(end.interface),
        point: single(end.point),
        ..SymbolEnd::default()
    });
    Symbol {
        name: symbol.name.clone(),
        kind: symbol.kind.clone(),
        ends,
        axis: single(symbol.axis),
        radius: payload_radius(symbol.mass),
        group: 0,
    }
}

/// Radius of the ball (m): m = 4/3 π r³ ρ.
pub(crate) fn payload_radius(mass: f64) -> f64 {
    (mass / (4.0 / 3.0 * std::f64::consts::PI * STEEL)).cbrt()
}

/// The node on an interface; none for an end on the link frame, which does not move against the link.
fn node(end: pliant_store::results::SymbolEnd, rest: &[Vec<Vector3<f64>>]) -> Option<usize> {
    let at = Vector3::from(end.interface);
    let nodes = rest.get((end.link as usize).checked_sub(1)?)?;
    if at == Vector3::zeros() {
        return None;
    }
    let distance = |k: &usize| (nodes[*k] - at).norm_squared();
    (0..nodes.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
