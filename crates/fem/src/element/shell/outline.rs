//! What the sides of three-node shells are in their mesh.
//!
//! A *free edge* is a side of one shell only, without a bar along it and not at a corner of the outline, where the twisting moments of two edges meet; see
//! [`super::free_edge`]. A side of one shell only *at a corner* of the outline is one where forces of a deck leave moments unbalanced; see [`super::opt`]. In a strip one cell wide
//! that is its end, between two corners, and not the long sides, which bend. Beside a four-node shell a side counts as well.
//!
//! A triangle is in a *strip one cell wide* when all its corners are on the outline and one of its sides too, ends of strips not counted; that side is the axis. A pair of triangles on its own, all four
//! corners of which are corners of the outline, is such a strip along the longer of its medians, unless it is about as wide as long. A side has the mean axis of the triangles that share it; see
//! [`super::strip`].

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_mesh::element::{Shell, ShellShape};
use pliant_mesh::{LinkMesh, NodeIndex};

use super::joint::SMOOTH;

/// What a side is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Between two triangles, or nothing of the following.
    #[default]
    Inner,
    /// A free edge.
    Free,
    /// At a corner of the outline.
    AtCorner,
    /// Shared with a four-node shell.
    BesideQuadrilateral,
}

/// A side, with its axis as a vector in space, or in the plane of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Side<V = Vector3<f64>> {
    pub(super) kind: Kind,
    /// Unit vector along the strip one cell wide that it crosses or ends.
    pub(super) axis: Option<V>,
}

/// The inner angle of the mesh at a grid below which it is a corner of the outline, 150°.
const CORNER: f64 = 150.0 / 180.0 * std::f64::consts::PI;

/// The least ratio of the medians of a pair that is a strip.
const OBLONG: f64 = 1.1;

/// The sides and triangles of a mesh that are anything special.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Each from the lower to the higher grid, in order.
    sides: Vec<([NodeIndex; 2], Side)>,
    /// Of the triangles in strips, by row.
    axes: BTreeMap<u32, Vector3<f64>>,
}

/// What has a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// The shell of this row.
    Triangle(u32),
    Quadrilateral,
    Quadratic,
    Bar,
}

fn owner(row: usize, shell: &Shell) -> Owner {
    match shell.shape {
        ShellShape::Tria3 | ShellShape::TriaR => Owner::Triangle(row as u32),
        ShellShape::Quad4 | ShellShape::QuadR => Owner::Quadrilateral,
        ShellShape::Tria6 | ShellShape::Quad8 => Owner::Quadratic,
    }
}

/// The two ends of a side, the lower first.
pub(super) fn ascending([a, b]: [NodeIndex; 2]) -> [NodeIndex; 2] {
    if a.0 < b.0 { [a, b] } else { [b, a] }
}

/// A side and what has it.
type Owned = ([NodeIndex; 2], Owner);

fn single(owners: &[Owned]) -> bool {
    owners.len() == 1 && owners[0].1 != Owner::Bar
}

impl Outline {
    /// Finds them; nothing to find in a mesh without three-node shells.
    pub(super) fn of(mesh: &LinkMesh) -> Self {
        if !mesh.shells.iter().any(|shell| matches!(owner(0, shell), Owner::Triangle(_))) {
            return Self::default();
        }
        let mut owned: Vec<Owned> = Vec::new();
        let mut angle = vec![0.0; mesh.nodes.len()];
        for (row, shell) in mesh.shells.iter().enumerate() {
            let corners = &mesh.nodes_of_shell(shell)[..shell.shape.corner_count()];
            let count = corners.len();
            for k in 0..count {
                let [before, here, after] = [k + count - 1, k, k + 1].map(|i| corners[i % count]);
                owned.push((ascending([here, after]), owner(row, shell)));
                let [a, b] = [before, after].map(|n| mesh.node(n).position - mesh.node(here).position);
                angle[here.index()] += a.angle(&b);
            }
        }
        owned.extend(mesh.bars.iter().map(|bar| (ascending(bar.nodes), Owner::Bar)));
        owned.sort_unstable();
        let shared: Vec<_> = owned.chunk_by(|a, b| a.0 == b.0).collect();
        let edges: Vec<Owned> =
            shared.iter().filter(|owners| single(owners)).map(|owners| owners[0]).collect();
        let turns = turns(mesh, edges.iter().map(|edge| edge.0));
        let corner: Vec<bool> = angle.iter().map(|angle| *angle < CORNER).collect();
        let end = |side: &[NodeIndex; 2]| side.iter().all(|n| corner[n.index()]);
        let mut at_end = vec![false; mesh.nodes.len()];
        for node in edges.iter().filter(|edge| end(&edge.0)).flat_map(|edge| edge.0) {
            at_end[node.index()] = true;
        }
        let axes = axes(mesh, &shared, end);
        let mut sides = Vec::new();
        for owners in shared {
            let side = owners[0].0;
            let has = |is: fn(&Owner) -> bool| owners.iter().any(|(_, owner)| is(owner));
            if !has(|owner| matches!(owner, Owner::Triangle(_))) {
                continue;
            }
            let axis = common_axis(owners, &axes);
            let kind = if single(owners) && !side.iter().any(|n| turns[n.index()]) {
                Kind::Free
            } else if single(owners)
                && (end(&side)
                    || axis.is_none() && side.iter().any(|n| corner[n.index()] && !at_end[n.index()]))
            {
                Kind::AtCorner
            } else if has(|owner| *owner == Owner::Quadrilateral) {
                Kind::BesideQuadrilateral
            } else {
                Kind::Inner
            };
            let found = Side { kind, axis };
            if found != Side::default() {
                sides.push((side, found));
            }
        }
        Self { sides, axes }
    }

    /// What the side between two grids is.
    pub(super) fn side(&self, side: [NodeIndex; 2]) -> Side {
        let side = ascending(side);
        let row = self.sides.binary_search_by_key(&side, |(s, _)| *s);
        row.map_or_else(|_| Side::default(), |row| self.sides[row].1)
    }

    /// The axis of the strip that the shell of a row is in.
    pub(super) fn axis(&self, row: u32) -> Option<Vector3<f64>> {
        self.axes.get(&row).copied()
    }
}

/// The axis of each triangle in a strip, from the owners of each side and whether a side of one shell only is an `end`.
fn axes(
    mesh: &LinkMesh,
    shared: &[&[Owned]],
    end: impl Fn(&[NodeIndex; 2]) -> bool,
) -> BTreeMap<u32, Vector3<f64>> {
    let position = |n: NodeIndex| mesh.node(n).position;
    let corners = |row: u32| mesh.nodes_of_shell(&mesh.shells[row as usize]).iter().copied();
    let mut on_outline = vec![false; mesh.nodes.len()];
    // Sides of each triangle that are ends, and that are not.
    let mut counts: BTreeMap<u32, [u8; 2]> = BTreeMap::new();
    let mut axes = BTreeMap::new();
    for (side, owner) in shared.iter().filter(|owners| single(owners)).map(|owners| owners[0]) {
        side.iter().for_each(|n| on_outline[n.index()] = true);
        if let Owner::Triangle(row) = owner {
            counts.entry(row).or_default()[usize::from(!end(&side))] += 1;
            if !end(&side) {
                axes.insert(row, (position(side[1]) - position(side[0])).normalize());
            }
        }
    }
    axes.retain(|row, _| counts[row][1] == 1 && corners(*row).all(|n| on_outline[n.index()]));
    for owners in shared {
        let [([a, c], Owner::Triangle(first)), (_, Owner::Triangle(second))] = **owners else { continue };
        if [first, second].iter().any(|row| counts.get(row) != Some(&[2, 0])) {
            continue;
        }
        let third = |row: u32| corners(row).find(|n| *n != a && *n != c);
        let (Some(b), Some(d)) = (third(first), third(second)) else { continue };
        let [a, b, c, d] = [a, b, c, d].map(position);
        let [one, other] = [a + b - c - d, b + c - d - a];
        let [shorter, longer] = if one.norm() < other.norm() { [one, other] } else { [other, one] };
        if longer.norm() > OBLONG * shorter.norm() {
            axes.extend([first, second].map(|row| (row, longer.normalize())));
        }
    }
    axes
}

/// The mean of the axes of triangles beside a side, if all have one and about the same.
fn common_axis(owners: &[Owned], axes: &BTreeMap<u32, Vector3<f64>>) -> Option<Vector3<f64>> {
    let axis = |owner: &Owned| match owner.1 {
        Owner::Triangle(row) => axes.get(&row).copied(),
        _ => None,
    };
    let first = axis(&owners[0])?;
    match owners {
        [_] => Some(first),
        [_, other] => {
            let other = axis(other)?;
            let cosine = first.dot(&other);
            (cosine.abs() > SMOOTH).then(|| (first + other * cosine.signum()).normalize())
        }
        _ => None,
    }
}

/// The grids at which sides of the outline meet at an angle.
fn turns(mesh: &LinkMesh, outline: impl Iterator<Item = [NodeIndex; 2]>) -> Vec<bool> {
    let mut first: Vec<Option<Vector3<f64>>> = vec![None; mesh.nodes.len()];
    let mut turns = vec![false; mesh.nodes.len()];
    for [a, b] in outline {
        let along = (mesh.node(b).position - mesh.node(a).position).normalize();
        for node in [a, b] {
            match first[node.index()] {
                None => first[node.index()] = Some(along),
                Some(other) => turns[node.index()] |= other.dot(&along).abs() < SMOOTH,
            }
        }
    }
    turns
}
