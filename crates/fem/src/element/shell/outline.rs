//! The sides of three-node shells that are more than inner sides between two of their kind.
//!
//! A *free edge* is a side of one shell only, without a bar along it and not at a corner of the outline, where the twisting moments of two edges meet; see
//! [`super::free_edge`]. A side of one shell only *at a corner* of the outline is one where forces of a deck leave moments unbalanced; see [`super::opt`]. In a strip one cell wide
//! that is its end, between two corners, and not the long sides, which bend. Beside a four-node shell a side counts as well.

use nalgebra::Vector3;
use pliant_mesh::element::{Shell, ShellShape};
use pliant_mesh::{LinkMesh, NodeIndex};

use super::joint::SMOOTH;

/// What a side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// A free edge.
    Free,
    /// At a corner of the outline.
    AtCorner,
    /// Shared with a four-node shell.
    BesideQuadrilateral,
}

/// The inner angle of the mesh at a grid below which it is a corner of the outline, 150°.
const CORNER: f64 = 150.0 / 180.0 * std::f64::consts::PI;

/// Those sides of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Each from the lower to the higher grid, in order.
    sides: Vec<([NodeIndex; 2], Side)>,
}

/// What has a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Triangle,
    Quadrilateral,
    Quadratic,
    Bar,
}

fn owner(shell: &Shell) -> Owner {
    match shell.shape {
        ShellShape::Tria3 | ShellShape::TriaR => Owner::Triangle,
        ShellShape::Quad4 | ShellShape::QuadR => Owner::Quadrilateral,
        ShellShape::Tria6 | ShellShape::Quad8 => Owner::Quadratic,
    }
}

fn ascending([a, b]: [NodeIndex; 2]) -> [NodeIndex; 2] {
    if a.0 < b.0 { [a, b] } else { [b, a] }
}

impl Outline {
    /// Finds them; nothing to find in a mesh without three-node shells.
    pub(super) fn of(mesh: &LinkMesh) -> Self {
        if !mesh.shells.iter().any(|shell| owner(shell) == Owner::Triangle) {
            return Self::default();
        }
        let mut owned: Vec<([NodeIndex; 2], Owner)> = Vec::new();
        let mut angle = vec![0.0; mesh.nodes.len()];
        for shell in &mesh.shells {
            let corners = &mesh.nodes_of_shell(shell)[..shell.shape.corner_count()];
            let count = corners.len();
            for k in 0..count {
                let [before, here, after] = [k + count - 1, k, k + 1].map(|i| corners[i % count]);
                owned.push((ascending([here, after]), owner(shell)));
                let [a, b] = [before, after].map(|n| mesh.node(n).position - mesh.node(here).position);
                angle[here.index()] += a.angle(&b);
            }
        }
        owned.extend(mesh.bars.iter().map(|bar| (ascending(bar.nodes), Owner::Bar)));
        owned.sort_unstable();
        let shared: Vec<_> = owned.chunk_by(|a, b| a.0 == b.0).collect();
        let single = |owners: &[([NodeIndex; 2], Owner)]| owners.len() == 1 && owners[0].1 != Owner::Bar;
        let turns = turns(mesh, shared.iter().filter(|owners| single(owners)).map(|owners| owners[0].0));
        let corner = |node: &NodeIndex| angle[node.index()] < CORNER;
        let mut at_end = vec![false; mesh.nodes.len()];
        for owners in shared.iter().filter(|owners| single(owners) && owners[0].0.iter().all(corner)) {
            owners[0].0.iter().for_each(|node| at_end[node.index()] = true);
        }
        let mut sides = Vec::new();
        for owners in shared {
            let side = owners[0].0;
            let has = |owner: Owner| owners.iter().any(|(_, o)| *o == owner);
            let kind = if !has(Owner::Triangle) {
                None
            } else if single(owners) && !side.iter().any(|n| turns[n.index()]) {
                Some(Side::Free)
            } else if single(owners)
                && (side.iter().all(corner) || side.iter().any(|n| corner(n) && !at_end[n.index()]))
            {
                Some(Side::AtCorner)
            } else {
                has(Owner::Quadrilateral).then_some(Side::BesideQuadrilateral)
            };
            sides.extend(kind.map(|kind| (side, kind)));
        }
        Self { sides }
    }

    /// What the side between two grids is.
    pub(super) fn side(&self, side: [NodeIndex; 2]) -> Option<Side> {
        let side = ascending(side);
        self.sides.binary_search_by_key(&side, |(s, _)| *s).ok().map(|row| self.sides[row].1)
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
