//! Stations of a rail: grids with rotations, or cross-sections of a mesh that has none.
//!
//! A grid of a solid does not turn. What a grip holds there is the section across the rail: the points where
//! its plane cuts the edges of solids and shells, which move as the grids at the ends of an edge do and
//! together as the reference grid of an RBE3 would. With r_j their positions from the line,
//!
//! ```text
//! Σ |u_j − t − φ × r_j|² least:   [t; φ] = A⁻¹ Σ S_jᵀ u_j,   S_j = [I, −r̃_j],   A = Σ S_jᵀ S_j
//! ```

use std::collections::BTreeMap;

use nalgebra::{Matrix3x6, Matrix6, Matrix6xX, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_fem::constraint::DofState;
use pliant_mesh::{GridId, NodeIndex};

use super::RailSource;
use crate::ReduceError;
use crate::request::RailStations;
use crate::shapes::NodalShapes;
use crate::substructure::Substructure;

/// How far a grid may lie off the straight line of the rail, in parts of its length: decks are written with
/// seven digits.
const STRAIGHT: f64 = 1e-5;

/// A station of the rail and what moves there: u = Σ W_j u_j, link axes and SI.
pub(super) struct Station {
    /// For messages.
    pub(super) name: String,
    /// Along the rail, from the point of it nearest to the link frame (m).
    pub(super) at: f64,
    /// Grids with their W.
    pub(super) members: Vec<(NodeIndex, Matrix6<f64>)>,
}

impl Station {
    /// Rows of V.
    pub(super) fn rows(&self, shapes: &NodalShapes) -> Matrix6xX<f64> {
        let mut V = Matrix6xX::zeros(shapes.columns.len());
        for (node, W) in &self.members {
            V += W * shapes.rows(*node);
        }
        V
    }

    /// Its motion where those of its grids are `of`.
    pub(super) fn motion(&self, of: impl Fn(NodeIndex) -> Vector6<f64>) -> Vector6<f64> {
        self.members.iter().map(|(node, W)| W * of(*node)).sum()
    }
}

/// A straight line in the link frame.
pub(super) struct Line {
    /// Its point nearest to the link frame (m).
    pub(super) foot: Vector3<f64>,
    /// Unit vector outwards.
    pub(super) direction: Vector3<f64>,
}

impl Line {
    fn along(&self, point: &Vector3<f64>) -> f64 {
        self.direction.dot(point)
    }

    fn distance(&self, point: &Vector3<f64>) -> f64 {
        (point - self.foot - self.direction * self.along(point)).norm()
    }
}

/// The line of a rail and its stations in order.
///
/// # Errors
/// Grids that do not exist or do not follow each other on a straight line; sections with too few grids.
pub(super) fn stations(source: &RailSource<'_>) -> Result<(Line, Vec<Station>), ReduceError> {
    let marks = marks(source)?;
    let (first, last) = (marks[0].point, marks[marks.len() - 1].point);
    let Some(direction) = (last - first).try_normalize(0.0) else {
        return Err(source.refusal(Diagnostic::error("the two ends of the rail coincide")));
    };
    let line = Line { foot: first - direction * direction.dot(&first), direction };
    let positions: Vec<f64> = marks.iter().map(|mark| line.along(&mark.point)).collect();
    for (i, mark) in marks.iter().enumerate() {
        if line.distance(&mark.point) > STRAIGHT * (last - first).norm() {
            let message = format!("{} does not lie on the straight line of the rail", mark.name);
            let hint = "rails are straight in the undeformed link; a curved one cannot be gripped";
            return Err(source.refusal(Diagnostic::error(message).hint(hint)));
        }
        if i > 0 && positions[i] <= positions[i - 1] {
            let message = format!("{} does not come after the one before it along the rail", mark.name);
            return Err(source.refusal(Diagnostic::error(message)));
        }
    }
    let edges = Edges::new(source, &line);
    let station = |(i, mark): (usize, Mark)| match mark.node.filter(|node| has_rotations(source, *node)) {
        Some(node) => {
            Ok(Station { name: mark.name, at: positions[i], members: vec![(node, Matrix6::identity())] })
        }
        None => {
            let at = if mark.node.is_some() { positions[i] } else { edges.nearest_grid(&positions, i) };
            edges.section(source, &line, at, mark.name)
        }
    };
    let found = marks.into_iter().enumerate().map(station).collect::<Result<Vec<_>, _>>()?;
    Ok((line, found))
}

/// A station that is asked for.
struct Mark {
    name: String,
    node: Option<NodeIndex>,
    point: Vector3<f64>,
}

/// The grids of the request, the stations on its line, or all grids of a beam.
fn marks(source: &RailSource<'_>) -> Result<Vec<Mark>, ReduceError> {
    let (mesh, frame) = (source.mesh, source.frame);
    let mut nodes = Vec::new();
    match &source.request.stations {
        RailStations::Line { ends: [from, to], count } => {
            let (from, to) = (frame.position((*from).into()), frame.position((*to).into()));
            let mark = |k: u32| {
                let part = f64::from(k) / f64::from(*count - 1);
                Mark {
                    name: format!("station {} of the rail", k + 1),
                    node: None,
                    point: from.lerp(&to, part),
                }
            };
            return Ok((0..*count).map(mark).collect());
        }
        RailStations::Grids(grids) => {
            for id in grids {
                let missing =
                    || source.refusal(Diagnostic::error(format!("there is no GRID {id} for the rail")));
                nodes.push(mesh.node_by_id(GridId(*id)).ok_or_else(missing)?);
            }
        }
        RailStations::Beam => {
            nodes.extend(mesh.bars.iter().take(1).map(|bar| bar.nodes[0]));
            nodes.extend(mesh.bars.iter().map(|bar| bar.nodes[1]));
        }
    }
    if nodes.len() < 4 {
        let message = format!("a rail needs four grids or more, this one has {}", nodes.len());
        return Err(source.refusal(Diagnostic::error(message)));
    }
    let mark = |node: NodeIndex| Mark {
        name: format!("GRID {}", mesh.node(node).id),
        node: Some(node),
        point: frame.position(mesh.node(node).position),
    };
    Ok(nodes.into_iter().map(mark).collect())
}

/// False for grids of solids, whose rotations nothing resists.
fn has_rotations(source: &RailSource<'_>, node: NodeIndex) -> bool {
    let Substructure { dofs, constraints, .. } = source.part;
    let moves = |row: usize| !matches!(constraints.states[row], DofState::Fixed(_));
    node == source.inboard || dofs.rows_of(node).skip(3).all(moves)
}

/// A grid of a solid or a shell, its position in L (m) and along the rail.
#[derive(Clone, Copy)]
struct Corner {
    at: f64,
    point: Vector3<f64>,
    node: NodeIndex,
}

/// A point of a section, and the grids that it moves with in their shares.
struct Point {
    position: Vector3<f64>,
    shares: [(NodeIndex, f64); 2],
}

/// The edges of solids and shells, from grid to grid: two where there is a mid-side grid.
struct Edges {
    all: Vec<[Corner; 2]>,
    /// How near to a plane a grid is on it (m).
    tolerance: f64,
}

impl Edges {
    fn new(source: &RailSource<'_>, line: &Line) -> Self {
        let (mesh, frame) = (source.mesh, source.frame);
        let mut pairs = Vec::new();
        let mut add = |[a, b]: [NodeIndex; 2], middle: Option<&NodeIndex>| match middle {
            Some(m) if m.is_some() => pairs.extend([[a.min(*m), a.max(*m)], [b.min(*m), b.max(*m)]]),
            _ => pairs.push([a.min(b), a.max(b)]),
        };
        for solid in &mesh.solids {
            let nodes = mesh.nodes_of_solid(solid);
            for (k, [a, b]) in solid.shape.edges().iter().enumerate() {
                add([nodes[*a], nodes[*b]], nodes.get(solid.shape.corner_count() + k));
            }
        }
        for shell in &mesh.shells {
            let (nodes, corners) = (mesh.nodes_of_shell(shell), shell.shape.corner_count());
            for k in 0..corners {
                add([nodes[k], nodes[(k + 1) % corners]], nodes.get(corners + k));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let corner = |node: NodeIndex| {
            let point = frame.position(mesh.node(node).position);
            Corner { at: line.along(&point), point, node }
        };
        let reach = source.request.radius.map_or(f64::INFINITY, |radius| radius * frame.units.length);
        let near = |edge: &[Corner; 2]| edge.iter().all(|corner| line.distance(&corner.point) <= reach);
        let all: Vec<[Corner; 2]> = pairs.into_iter().map(|edge| edge.map(corner)).filter(near).collect();
        let longest = all.iter().flatten().map(|corner| corner.at.abs()).fold(0.0, f64::max);
        Self { all, tolerance: STRAIGHT * longest }
    }

    /// Where along the rail the grid nearest to station `i` is, at most halfway to its neighbours: a mesh in
    /// layers is held at them, for an edge cannot bend sharply where it is cut.
    fn nearest_grid(&self, positions: &[f64], i: usize) -> f64 {
        let gaps = [i.checked_sub(1), Some(i)].map(|k| Some(positions.get(k? + 1)? - positions[k?]));
        let half = 0.5 * (1.0 - STRAIGHT) * gaps.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let offsets = self.all.iter().flatten().map(|corner| corner.at - positions[i]);
        let nearest = offsets.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
        positions[i] + if nearest.abs() < half { nearest } else { 0.0 }
    }

    /// Where the plane across the rail cuts them.
    fn cut(&self, at: f64) -> Vec<Point> {
        let on = |corner: &Corner| (corner.at - at).abs() <= self.tolerance;
        let grids = self.all.iter().flatten().filter(|corner| on(corner));
        let grids: BTreeMap<NodeIndex, Vector3<f64>> =
            grids.map(|corner| (corner.node, corner.point)).collect();
        let crossed = self.all.iter().filter(|[a, b]| !on(a) && !on(b) && (a.at < at) != (b.at < at));
        let between = crossed.map(|[a, b]| {
            let share = (at - a.at) / (b.at - a.at);
            let shares = [(a.node, 1.0 - share), (b.node, share)];
            Point { position: a.point.lerp(&b.point, share), shares }
        });
        let grids_alone = grids
            .iter()
            .map(|(node, position)| Point { position: *position, shares: [(*node, 1.0), (*node, 0.0)] });
        grids_alone.chain(between).collect()
    }

    fn section(
        &self,
        source: &RailSource<'_>,
        line: &Line,
        at: f64,
        name: String,
    ) -> Result<Station, ReduceError> {
        let points = self.cut(at);
        let centre = line.foot + line.direction * at;
        let count = points.len() as f64;
        let size =
            (points.iter().map(|point| (point.position - centre).norm_squared()).sum::<f64>() / count).sqrt();
        // S with rotations in parts of the size, so that A does not depend on units.
        let S = |point: &Point| {
            let mut S = Matrix3x6::identity();
            S.fixed_columns_mut::<3>(3).copy_from(&(-(point.position - centre) / size).cross_matrix());
            S
        };
        let A: Matrix6<f64> = points.iter().map(|point| S(point).tr_mul(&S(point))).sum();
        let enough = points.len() > 2 && A.symmetric_eigenvalues().min() > 1e-6 * count;
        let Some(inverse) = A.try_inverse().filter(|_| enough) else {
            let message = format!(
                "{name}: its section cuts {} edges of elements, and three points that are not on a line are needed",
                points.len()
            );
            let hint = "the rail must lie within the length of the mesh, and `radius` may leave too much out";
            return Err(source.refusal(Diagnostic::error(message).hint(hint)));
        };
        let unscaled = Matrix6::from_diagonal(&Vector6::from_fn(|c, _| if c < 3 { 1.0 } else { 1.0 / size }));
        let mut members = BTreeMap::new();
        for point in &points {
            let W = unscaled * inverse * S(point).transpose();
            for (node, share) in point.shares.iter().filter(|(_, share)| *share > 0.0) {
                let member: &mut Matrix6<f64> = members.entry(*node).or_insert_with(Matrix6::zeros);
                let mut translations = member.fixed_columns_mut::<3>(0);
                translations += W * *share;
            }
        }
        Ok(Station { name, at, members: members.into_iter().collect() })
    }
}
