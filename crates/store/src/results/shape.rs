//! The machine as it is drawn: the meshes of its links, moved with their frames and deformed by their
//! coordinates.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Frame, NominalKind, State, Workspace};
use pliant_link::{Coordinate, ReducedLink};
use pliant_mechanism::Model;
use pliant_reduce::NodalShapes;
use pliant_simd::{Kernel, with_wide_registers};
use pliant_spatial::Transform;

use super::second_order::{Offset, line_tree, second_order_of_lines, spread};
use crate::Drawing;

/// What it takes to draw a link: points, how each coordinate moves them, and the cells over them.
#[derive(Clone, Debug)]
pub struct LinkShape {
    /// Name of the link.
    pub name: String,
    /// Points in the link frame, undeformed (m).
    pub positions: Vec<Vector3<f64>>,
    /// For each elastic coordinate six numbers for each point, in link axes. In single precision, as what is
    /// drawn of them: a frame takes the time it takes to read them.
    pub columns: Vec<Vec<f32>>,
    /// The cells.
    pub drawing: Drawing,
}

impl LinkShape {
    /// Of a link. One without a mesh, as a rigid one, is drawn as sticks from its frame to its interfaces.
    pub fn new(name: &str, link: &ReducedLink, shapes: &NodalShapes, drawing: &Drawing) -> Self {
        let name = name.to_owned();
        if !shapes.nodes.is_empty() {
            let single = |column: &Vec<f64>| column.iter().map(|x| *x as f32).collect();
            let (positions, columns) =
                (shapes.positions.clone(), shapes.columns.iter().map(single).collect());
            return Self { name, positions, columns, drawing: drawing.clone() };
        }
        let ends = link.interfaces.iter().map(|interface| interface.X_LT.p);
        let positions: Vec<_> = std::iter::once(Vector3::zeros()).chain(ends).collect();
        let interfaces = |k: usize| {
            let of = link
                .interfaces
                .iter()
                .flat_map(move |i| i.V.column(k).iter().map(|x| *x as f32).collect::<Vec<_>>());
            std::iter::repeat_n(0.0, 6).chain(of).collect()
        };
        let columns = (0..link.coordinate_count()).map(interfaces).collect();
        let drawing = Drawing::sticks(u32::try_from(positions.len()).unwrap_or(0));
        Self { name, positions, columns, drawing }
    }
}

/// Frames and points computed together: the columns of so few points stay in the nearest cache, and are read
/// from further away once for all frames.
pub(super) const FRAMES_TOGETHER: usize = 8;
const POINTS_TOGETHER: usize = 8;
const BLOCK: usize = 6 * POINTS_TOGETHER;

/// The links of a machine in the order of its bodies.
#[derive(Clone, Debug)]
pub(super) struct MachineShape {
    pub(super) links: Vec<Arc<LinkShape>>,
    pub(super) points: usize,
    /// Of each link that is made of lines the pairs of points (inboard, outboard) from its frame outward.
    trees: Vec<Option<Vec<[usize; 2]>>>,
}

/// Where the links are and how they are deformed at one time.
#[derive(Clone, Debug)]
pub(super) struct Posture {
    pub(super) t: f64,
    pub(super) links: Vec<LinkPosture>,
}

/// Where one link is.
#[derive(Clone, Debug)]
pub(super) struct LinkPosture {
    X_WL: Transform,
    /// Where the link is in the rigid machine.
    rigid: Option<Transform>,
    /// Elastic coordinates.
    pub(super) q: Vec<f64>,
    /// The same with the second-order displacement of the interfaces whose displacements are coordinates.
    drawn: Vec<f64>,
    /// Second-order displacements of all interfaces, those that are in `drawn` last.
    offsets: Vec<Offset>,
    /// How many of them are not in `drawn`.
    left: usize,
    /// True when the link is of second order within, not only where it ends.
    second_order: bool,
}

/// The points of a machine at one time, three numbers each.
#[derive(Clone, Debug, Default)]
pub(super) struct Posed {
    pub(super) points: Vec<f32>,
    pub(super) displacement: Vec<f32>,
    pub(super) rotation: Vec<f32>,
    /// Zero where no rigid machine is known.
    pub(super) deviation: Vec<f32>,
}

impl MachineShape {
    /// The shapes of a model's links; `None` when one is missing.
    pub(super) fn new(model: &Model, shapes: &[Arc<LinkShape>]) -> Option<Self> {
        let of = |name: &str| shapes.iter().find(|shape| shape.name == name).map(Arc::clone);
        let links: Vec<_> = model.bodies().iter().map(|body| of(&body.name)).collect::<Option<_>>()?;
        let points = links.iter().map(|link| link.positions.len()).sum();
        let trees = links.iter().map(|link| line_tree(link)).collect();
        Some(Self { links, points, trees })
    }

    /// A mesh alone.
    pub(super) fn single(link: Arc<LinkShape>) -> Self {
        Self { points: link.positions.len(), links: vec![link], trees: vec![None] }
    }

    /// Points in the world (m), elastic displacement (m) and rotation (rad), and the displacement from the
    /// rigid machine (m), in world axes, frame after frame: x = X_WL (r + V_t q + u₂), d = R_WL (V_t q + u₂),
    /// φ = R_WL V_r q, and x − X_WL⁰ r with the frame X_WL⁰ of the link in the rigid machine. Links meet at
    /// their joints in both machines, so they do in any multiple of the last. The displacement u₂ of second
    /// order is exact at interfaces, so that joints and tips are drawn where they are. Between them, in a
    /// link of bars, it is that of bars that keep their length; in a mesh of shells or solids it follows as
    /// the mesh does statically when its interfaces are moved, or, in a basis without coordinates of the
    /// interfaces, as a mean weighted with the distances from them.
    pub(super) fn pose(&self, postures: &[Posture], posed: &mut Posed) {
        for numbers in [&mut posed.points, &mut posed.displacement, &mut posed.rotation, &mut posed.deviation]
        {
            numbers.resize(3 * self.points * postures.len(), 0.0);
        }
        for (frames, together) in postures.chunks(FRAMES_TOGETHER).enumerate() {
            let mut first = frames * FRAMES_TOGETHER * self.points;
            for (k, link) in self.links.iter().enumerate() {
                self.pose_link(link, k, together, first, posed);
                first += link.positions.len();
            }
        }
    }

    /// Link `k` in a few frames; `first` is the index of its first point in the first of them.
    fn pose_link(&self, link: &LinkShape, k: usize, postures: &[Posture], first: usize, posed: &mut Posed) {
        let tree = self.trees[k].as_deref();
        let second: Vec<_> =
            postures.iter().map(|posture| posture.links[k].second_order(link, tree)).collect();
        for (block, positions) in link.positions.chunks(POINTS_TOGETHER).enumerate() {
            for (f, posture) in postures.iter().enumerate() {
                let LinkPosture { X_WL, rigid, .. } = &posture.links[k];
                let R: Matrix3<f32> = X_WL.R.cast();
                let (q, more) = &second[f];
                let mut u = displaced(&link.columns, BLOCK * block, q);
                let more = more.get(POINTS_TOGETHER * block..).unwrap_or_default();
                for (u, more) in u.chunks_exact_mut(6).zip(more) {
                    (0..3).for_each(|c| u[c] += more[c] as f32);
                }
                let at = 3 * (first + f * self.points + POINTS_TOGETHER * block);
                let range = at..at + 3 * positions.len();
                let out = posed.points[range.clone()].chunks_exact_mut(3);
                let out = out.zip(posed.displacement[range.clone()].chunks_exact_mut(3));
                let out = out.zip(posed.rotation[range.clone()].chunks_exact_mut(3));
                let out = out.zip(posed.deviation[range].chunks_exact_mut(3));
                for ((r, u), (((x, d), turn), off)) in positions.iter().zip(u.chunks_exact(6)).zip(out) {
                    let moved = R * Vector3::new(u[0], u[1], u[2]);
                    let turned = R * Vector3::new(u[3], u[4], u[5]);
                    let point = X_WL.point(r) + moved.cast();
                    let from_rigid = rigid.map_or(Vector3::zeros(), |rigid| point - rigid.point(r));
                    for c in 0..3 {
                        (x[c], d[c], turn[c]) = (point[c] as f32, moved[c], turned[c]);
                        off[c] = from_rigid[c] as f32;
                    }
                }
            }
        }
    }
}

/// Vq of the block of points that starts at `start` in each column, into zeros. Points past the last stay 0.
/// A rigid analysis has no coordinates, whatever the link has.
///
/// A product and a sum each are rounded, in the order of the columns: the same bits on any processor.
struct SumOfColumns<'a> {
    columns: &'a [Vec<f32>],
    start: usize,
    q: &'a [f64],
    u: &'a mut [f32; BLOCK],
}

impl Kernel for SumOfColumns<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { columns, start, q, u } = self;
        if columns.iter().take(q.len()).all(|column| column.len() >= start + BLOCK) {
            // By value, in sixteens: so the sums stay in registers from column to column.
            let mut sums = [[0.0; 16]; BLOCK / 16];
            for (column, q) in columns.iter().zip(q) {
                let ((block, _), q) = (column[start..start + BLOCK].as_chunks::<16>(), *q as f32);
                for (sum, v) in sums.iter_mut().zip(block) {
                    *sum = std::array::from_fn(|i| sum[i] + v[i] * q);
                }
            }
            u.copy_from_slice(sums.as_flattened());
            return;
        }
        for (column, q) in columns.iter().zip(q) {
            for (u, v) in u.iter_mut().zip(&column[start..]) {
                *u += v * *q as f32;
            }
        }
    }
}

fn displaced(columns: &[Vec<f32>], start: usize, q: &[f64]) -> [f32; BLOCK] {
    let mut u = [0.0; BLOCK];
    with_wide_registers(SumOfColumns { columns, start, q, u: &mut u });
    u
}

impl LinkPosture {
    /// The coordinates to draw the link with, and what is to be added to its points in link axes: nothing
    /// where the list is empty.
    fn second_order(&self, link: &LinkShape, tree: Option<&[[usize; 2]]>) -> (&[f64], Vec<Vector3<f64>>) {
        if let (Some(tree), true) = (tree, self.second_order) {
            let mut u = Vec::with_capacity(6 * link.positions.len());
            for block in 0..link.positions.len().div_ceil(POINTS_TOGETHER) {
                u.extend(displaced(&link.columns, BLOCK * block, &self.q));
            }
            let mut second = second_order_of_lines(&link.positions, &u, tree);
            spread(&link.positions, &self.offsets, &mut second);
            return (&self.q, second);
        }
        let mut second = Vec::new();
        if self.left > 0 {
            second.resize(link.positions.len(), Vector3::zeros());
            spread(&link.positions, &self.offsets[..self.left], &mut second);
        }
        (&self.drawn, second)
    }
}

impl Posture {
    /// Of a mesh alone, in the shape of number `k` from 0 of `count`.
    pub(super) fn of_shape(k: usize, count: usize) -> Self {
        let q: Vec<f64> = (0..count).map(|column| f64::from(u8::from(column == k))).collect();
        let (X_WL, drawn) = (Transform::identity(), q.clone());
        let link =
            LinkPosture { X_WL, rigid: None, q, drawn, offsets: Vec::new(), left: 0, second_order: false };
        Self { t: 0.0, links: vec![link] }
    }

    /// Of a frame.
    pub(super) fn new(frame: &Frame<'_>) -> Self {
        let mut this = Self::of(frame.model, frame.state, frame.work);
        if frame.nominal.known() == NominalKind::Rigid {
            for ((b, _), link) in frame.model.indexed_bodies().zip(&mut this.links) {
                link.rigid = Some(*frame.nominal.work().X_WL(b));
            }
        }
        this
    }

    /// Of a machine at a state that has been evaluated.
    pub(super) fn of(model: &Model, state: &State, work: &Workspace) -> Self {
        let links = model.indexed_bodies().map(|(b, body)| {
            let (X_WL, q) = (*work.X_WL(b), state.q[body.elastic_positions()].to_vec());
            let offset = |interface: usize| {
                let (triad, X_WT) = (&body.link.interfaces[interface], work.X_WT(b.interface(interface)));
                let linear = |c: usize| (0..q.len()).map(|j| triad.V[(c, j)] * q[j]).sum();
                let linear = Vector3::from_fn(|c, _| linear(c));
                Offset { at: triad.X_LT.p, u: (X_WL.inverse() * *X_WT).p - triad.X_LT.p - linear }
            };
            // A rigid analysis has no coordinates, whatever the link has.
            let count = if q.is_empty() { 0 } else { body.link.interfaces.len() };
            let (mut drawn, mut offsets) = (q.clone(), (0..count).map(offset).collect::<Vec<_>>());
            let mut held = vec![false; offsets.len()];
            for (k, coordinate) in body.link.coordinates.iter().enumerate().take(q.len()) {
                if let Coordinate::Interface { interface, component: component @ 1..=3 } = *coordinate {
                    drawn[k] += offsets[interface].u[usize::from(component) - 1];
                    held[interface] = true;
                }
            }
            let (later, first): (Vec<_>, Vec<_>) = offsets.drain(..).zip(held).partition(|(_, held)| *held);
            let left = first.len();
            let offsets = first.into_iter().chain(later).map(|(offset, _)| offset).collect();
            let second_order = body.link.interfaces.iter().any(|interface| interface.G.is_some());
            LinkPosture { X_WL, rigid: None, q, drawn, offsets, left, second_order }
        });
        Self { t: state.t, links: links.collect() }
    }
}
