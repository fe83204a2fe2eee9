//! The machine as it is drawn: the meshes of its links, moved with their frames and deformed by their coordinates.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_dynamics::Frame;
use pliant_link::ReducedLink;
use pliant_mechanism::Model;
use pliant_reduce::NodalShapes;
use pliant_spatial::Transform;

use crate::Drawing;

/// What it takes to draw a link: points, how each coordinate moves them, and the cells over them.
#[derive(Clone, Debug)]
pub struct LinkShape {
    /// Name of the link.
    pub name: String,
    /// Points in the link frame, undeformed (m).
    pub positions: Vec<Vector3<f64>>,
    /// For each elastic coordinate six numbers for each point, in link axes.
    pub columns: Vec<Vec<f64>>,
    /// The cells.
    pub drawing: Drawing,
}

impl LinkShape {
    /// Of a link. One without a mesh, as a rigid one, is drawn as sticks from its frame to its interfaces.
    pub fn new(name: &str, link: &ReducedLink, shapes: &NodalShapes, drawing: &Drawing) -> Self {
        let name = name.to_owned();
        if !shapes.nodes.is_empty() {
            let (positions, columns) = (shapes.positions.clone(), shapes.columns.clone());
            return Self { name, positions, columns, drawing: drawing.clone() };
        }
        let ends = link.interfaces.iter().map(|interface| interface.X_LT.p);
        let positions: Vec<_> = std::iter::once(Vector3::zeros()).chain(ends).collect();
        let interfaces = |k: usize| {
            let of =
                link.interfaces.iter().flat_map(move |i| i.V.column(k).iter().copied().collect::<Vec<_>>());
            std::iter::repeat_n(0.0, 6).chain(of).collect()
        };
        let columns = (0..link.coordinate_count()).map(interfaces).collect();
        let drawing = Drawing::sticks(u32::try_from(positions.len()).unwrap_or(0));
        Self { name, positions, columns, drawing }
    }
}

/// The links of a machine in the order of its bodies.
#[derive(Clone, Debug)]
pub(super) struct MachineShape {
    pub(super) links: Vec<Arc<LinkShape>>,
    pub(super) points: usize,
}

/// Where the links are and how they are deformed at one time.
#[derive(Clone, Debug)]
pub(super) struct Posture {
    pub(super) t: f64,
    pub(super) links: Vec<(Transform, Vec<f64>)>,
}

/// The points of a machine at one time, three numbers each.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) points: Vec<f32>,
    pub(super) displacement: Vec<f32>,
    pub(super) rotation: Vec<f32>,
}

impl MachineShape {
    /// The shapes of a model's links; `None` when one is missing.
    pub(super) fn new(model: &Model, shapes: &[Arc<LinkShape>]) -> Option<Self> {
        let of = |name: &str| shapes.iter().find(|shape| shape.name == name).map(Arc::clone);
        let links: Vec<_> = model.bodies().iter().map(|body| of(&body.name)).collect::<Option<_>>()?;
        let points = links.iter().map(|link| link.positions.len()).sum();
        Some(Self { links, points })
    }

    /// A mesh alone.
    pub(super) fn single(link: Arc<LinkShape>) -> Self {
        Self { points: link.positions.len(), links: vec![link] }
    }

    /// Points in the world (m), elastic displacement (m) and rotation (rad) in world axes:
    /// x = X_WL (r + V_t q), d = R_WL V_t q, φ = R_WL V_r q.
    pub(super) fn place(&self, posture: &Posture) -> Placed {
        let mut placed = Placed::default();
        for (link, (X_WL, q)) in self.links.iter().zip(&posture.links) {
            let mut u = vec![0.0; 6 * link.positions.len()];
            // A rigid analysis has no coordinates, whatever the link has.
            for (column, q) in link.columns.iter().zip(q).filter(|(_, q)| **q != 0.0) {
                u.iter_mut().zip(column).for_each(|(u, v)| *u += v * q);
            }
            for (r, u) in link.positions.iter().zip(u.chunks_exact(6)) {
                let d = X_WL.R * Vector3::from_column_slice(&u[..3]);
                let turn = X_WL.R * Vector3::from_column_slice(&u[3..]);
                let x = X_WL.point(r) + d;
                placed.points.extend(x.iter().map(|x| *x as f32));
                placed.displacement.extend(d.iter().map(|x| *x as f32));
                placed.rotation.extend(turn.iter().map(|x| *x as f32));
            }
        }
        placed
    }
}

impl Posture {
    /// Of a frame.
    pub(super) fn new(frame: &Frame<'_>) -> Self {
        let links = frame
            .model
            .bodies()
            .iter()
            .enumerate()
            .map(|(b, body)| (*frame.work.X_WL(b), frame.state.q[body.elastic_positions()].to_vec()));
        Self { t: frame.state.t, links: links.collect() }
    }
}
