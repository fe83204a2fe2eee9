//! Stations of a rail: grids with rotations, or cross-sections of a mesh that has none.
//!
//! A grid of a solid does not turn. What a grip holds there is the section around it, which moves as the mean of its grids does, as
//! the reference grid of an RBE3 would: with r_j their places from the line,
//!
//! ```text
//! Σ |u_j − t − φ × r_j|² least:   [t; φ] = A⁻¹ Σ S_jᵀ u_j,   S_j = [I, −r̃_j],   A = Σ S_jᵀ S_j
//! ```

use nalgebra::{Matrix3, Matrix3x6, Matrix6, Matrix6xX, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_fem::constraint::DofState;
use pliant_mesh::{GridId, NodeIndex};

use super::RailSource;
use crate::ReduceError;
use crate::shapes::NodalShapes;
use crate::substructure::Substructure;

/// How far a grid may lie off the straight line of the rail, in parts of its length: decks are written with seven digits.
const STRAIGHT: f64 = 1e-5;

/// A place on the rail and what moves there: u = Σ W_j u_j, link axes and SI.
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

    /// How far grids reach across the line: the mean square in the direction in which it is smaller (m²).
    fn breadth(&self, grids: &[Member]) -> f64 {
        let count = grids.len() as f64;
        let mean = grids.iter().map(|member| member.point).sum::<Vector3<f64>>() / count;
        let across = |member: &Member| {
            let r = member.point - mean;
            r - self.direction * self.direction.dot(&r)
        };
        let squares: Matrix3<f64> = grids.iter().map(|m| across(m) * across(m).transpose()).sum();
        // Nothing of it is along the line, which is the smallest of the three.
        let mut found = squares.symmetric_eigenvalues().data.0[0];
        found.sort_by(f64::total_cmp);
        found[1] / count
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
        return Err(source.refusal(Diagnostic::error("the rail begins and ends at the same place")));
    };
    let line = Line { foot: first - direction * direction.dot(&first), direction };
    let places: Vec<f64> = marks.iter().map(|mark| line.along(&mark.point)).collect();
    for (i, mark) in marks.iter().enumerate() {
        if line.distance(&mark.point) > STRAIGHT * (last - first).norm() {
            let message = format!("{} does not lie on the straight line of the rail", mark.name);
            let hint = "rails are straight in the undeformed link; a curved one cannot be gripped";
            return Err(source.refusal(Diagnostic::error(message).hint(hint)));
        }
        if i > 0 && places[i] <= places[i - 1] {
            let message = format!("{} does not come after the one before it along the rail", mark.name);
            return Err(source.refusal(Diagnostic::error(message)));
        }
    }
    let sections = Sections::new(source, &line);
    let station = |(i, mark): (usize, Mark)| match mark.node.filter(|node| has_rotations(source, *node)) {
        Some(node) => {
            Ok(Station { name: mark.name, at: places[i], members: vec![(node, Matrix6::identity())] })
        }
        None => sections.station(source, &line, (&places, i), mark.name),
    };
    let found = marks.into_iter().enumerate().map(station).collect::<Result<Vec<_>, _>>()?;
    Ok((line, found))
}

/// A place that the table asks for.
struct Mark {
    name: String,
    node: Option<NodeIndex>,
    point: Vector3<f64>,
}

/// The grids of the table, the places on its line, or all grids of a beam.
fn marks(source: &RailSource<'_>) -> Result<Vec<Mark>, ReduceError> {
    let (mesh, frame, table) = (source.mesh, source.frame, source.table);
    if let (Some([from, to]), Some(count)) = (table.line, table.stations) {
        let (from, to) = (frame.position(from.into()), frame.position(to.into()));
        let mark = |k: u32| {
            let part = f64::from(k) / f64::from(count - 1);
            Mark { name: format!("station {} of the rail", k + 1), node: None, point: from.lerp(&to, part) }
        };
        return Ok((0..count).map(mark).collect());
    }
    let mut nodes = Vec::new();
    match &table.grids {
        Some(grids) => {
            for id in grids {
                let missing =
                    || source.refusal(Diagnostic::error(format!("there is no GRID {id} for the rail")));
                nodes.push(mesh.node_by_id(GridId(*id)).ok_or_else(missing)?);
            }
        }
        None => {
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
    let Substructure { system, constraints, .. } = source.part;
    let moves = |row: usize| !matches!(constraints.states[row], DofState::Fixed(_));
    node == source.inboard || system.dofs.rows_of(node).skip(3).all(moves)
}

/// A grid of a solid or a shell, its place in L (m) and along the rail.
#[derive(Clone, Copy)]
struct Member {
    at: f64,
    point: Vector3<f64>,
    node: NodeIndex,
}

/// Those near the rail, in their order along it.
struct Sections(Vec<Member>);

impl Sections {
    fn new(source: &RailSource<'_>, line: &Line) -> Self {
        let (mesh, frame) = (source.mesh, source.frame);
        let mut nodes: Vec<NodeIndex> =
            mesh.solid_nodes.iter().chain(&mesh.shell_nodes).copied().filter(|node| node.is_some()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let reach = source.table.radius.map_or(f64::INFINITY, |radius| radius * frame.units.length);
        let member = |node: NodeIndex| {
            let point = frame.position(mesh.node(node).position);
            Member { at: line.along(&point), point, node }
        };
        let mut near: Vec<Member> =
            nodes.into_iter().map(member).filter(|member| line.distance(&member.point) <= reach).collect();
        near.sort_by(|a, b| a.at.total_cmp(&b.at));
        Self(near)
    }

    fn between(&self, low: f64, high: f64) -> &[Member] {
        let first = self.0.partition_point(|member| member.at < low);
        let last = self.0.partition_point(|member| member.at <= high);
        &self.0[first..last]
    }

    /// The section around place `i`. Of the grids nearer to it than halfway to its neighbours those of the layer next to it, where the mesh has
    /// layers: a section holds the boom over its own thickness. Otherwise all.
    fn around(&self, line: &Line, places: &[f64], i: usize) -> &[Member] {
        let gaps = [i.checked_sub(1), Some(i)].map(|k| Some(places.get(k? + 1)? - places[k?]));
        // Mid-side grids halfway between two layers belong to neither.
        let half = 0.5 * (1.0 - STRAIGHT) * gaps.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let all = self.between(places[i] - half, places[i] + half);
        let distance = |member: &&Member| (member.at - places[i]).abs();
        let Some(next) = all.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return all };
        let layer = self.between(next.at - 1e-3 * half, next.at + 1e-3 * half);
        if line.breadth(layer) > 0.5 * line.breadth(all) { layer } else { all }
    }

    /// The station of that section, at the mean of its grids.
    fn station(
        &self,
        source: &RailSource<'_>,
        line: &Line,
        (places, i): (&[f64], usize),
        name: String,
    ) -> Result<Station, ReduceError> {
        let grids = self.around(line, places, i);
        let count = grids.len() as f64;
        let at = grids.iter().map(|member| member.at).sum::<f64>() / count;
        let centre = line.foot + line.direction * at;
        let size =
            (grids.iter().map(|member| (member.point - centre).norm_squared()).sum::<f64>() / count).sqrt();
        // S with rotations in parts of the size, so that A does not depend on units.
        let S = |member: &Member| {
            let mut S = Matrix3x6::identity();
            S.fixed_columns_mut::<3>(3).copy_from(&(-(member.point - centre) / size).cross_matrix());
            S
        };
        let A: Matrix6<f64> = grids.iter().map(|member| S(member).tr_mul(&S(member))).sum();
        let enough = grids.len() > 2 && A.symmetric_eigenvalues().min() > 1e-6 * count;
        let Some(inverse) = A.try_inverse().filter(|_| enough) else {
            let message = format!(
                "{name}: its section has {} grids, and three that are not on a line are needed",
                grids.len()
            );
            let hint =
                "stations further apart have more grids around them, and `radius` may leave too many out";
            return Err(source.refusal(Diagnostic::error(message).hint(hint)));
        };
        let unscaled = Matrix6::from_diagonal(&Vector6::from_fn(|c, _| if c < 3 { 1.0 } else { 1.0 / size }));
        let weight = |member: &Member| {
            let mut W = Matrix6::zeros();
            W.fixed_columns_mut::<3>(0).copy_from(&(unscaled * inverse * S(member).transpose()));
            (member.node, W)
        };
        Ok(Station { name, at, members: grids.iter().map(weight).collect() })
    }
}
