//! What a shell has to know of its mesh: joints and free edges.
//!
//! Joints are grids whose rotation about a shell's normal belongs to something else: a shell at an angle, a bar.
//! There Nastran's CQUAD4 and CTRIA3 leave that rotation to the others (K6ROT apart), and a shell of which every grid is such a one, a wall of a coarse box or a
//! bay between stringers, gets the same membrane here, without drilling rotations. Elsewhere they are the shell's own and make it bend better in its plane.
//!
//! A free edge is a side of one shell only, without a bar along it; see [`super::free_edge`]. At a corner of the outline, where the twisting moments of two edges meet, there
//! is none.

use nalgebra::Vector3;
use pliant_mesh::element::{Shell, ShellShape};
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

use super::geometry::plane_frame;

/// cos 30°: neighbours at a smaller angle are one smooth surface.
const SMOOTH: f64 = 0.866;

/// Which grids of a mesh are joints, which components of each are held, and which sides are free edges.
#[derive(Clone, Debug, Default)]
pub struct ShellJoints {
    joint: Vec<bool>,
    held: Vec<Components>,
    /// Free edges, each from the lower to the higher grid, in order.
    edges: Vec<[NodeIndex; 2]>,
}

impl ShellJoints {
    /// Finds the joints of a mesh in one pass over its shells and bars.
    pub fn of(mesh: &LinkMesh) -> Self {
        let mut joint = vec![false; mesh.nodes.len()];
        let mut first: Vec<Option<Vector3<f64>>> = vec![None; mesh.nodes.len()];
        for shell in &mesh.shells {
            let nodes = mesh.nodes_of_shell(shell);
            let corners: Vec<_> =
                nodes[..shell.shape.corner_count()].iter().map(|n| mesh.node(*n).position).collect();
            // A shell without area is refused when it is built.
            let Some(frame) = plane_frame(&corners) else { continue };
            let normal = frame.column(2).into_owned();
            for node in nodes.iter().filter(|n| n.is_some()) {
                match first[node.index()] {
                    None => first[node.index()] = Some(normal),
                    Some(other) => joint[node.index()] |= other.dot(&normal).abs() < SMOOTH,
                }
            }
        }
        for node in mesh.bars.iter().flat_map(|bar| bar.nodes) {
            joint[node.index()] = true;
        }
        let mut held: Vec<Components> = mesh.nodes.iter().map(|node| node.permanent_spc).collect();
        for spc in &mesh.spcs {
            let components = &mut held[spc.node.index()];
            *components = spc.components.iter().fold(*components, Components::with);
        }
        Self { joint, held, edges: edges(mesh) }
    }

    /// True when the side between two grids of a shell with this normal is a free edge. Where a rotation about an axis in the plane is held at
    /// both ends, as on a clamped edge or a plane of symmetry, it is not.
    pub(super) fn free(&self, mesh: &LinkMesh, side: [NodeIndex; 2], normal: Vector3<f64>) -> bool {
        let guided = |index: NodeIndex| {
            let node = mesh.node(index);
            let triad = mesh.coordinates[node.displacement_frame.index()].triad_at(node.position);
            let held = self.held(mesh, index);
            (0..3).any(|k| {
                held.contains(Component::from_row(3 + k)) && triad.column(k).dot(&normal).abs() < SMOOTH
            })
        };
        self.edges.binary_search(&ascending(side)).is_ok() && !side.into_iter().all(guided)
    }

    /// Components of a grid that its GRID card or any SPC holds.
    pub(super) fn held(&self, mesh: &LinkMesh, node: NodeIndex) -> Components {
        if let Some(held) = self.held.get(node.index()) {
            return *held;
        }
        let spcs = mesh.spcs.iter().filter(|spc| spc.node == node);
        spcs.flat_map(|spc| spc.components.iter()).fold(mesh.node(node).permanent_spc, Components::with)
    }

    /// True when all of these grids are joints.
    pub(super) fn all(&self, nodes: &[NodeIndex]) -> bool {
        nodes.iter().all(|n| self.joint.get(n.index()).copied().unwrap_or(false))
    }
}

fn ascending([a, b]: [NodeIndex; 2]) -> [NodeIndex; 2] {
    if a.0 < b.0 { [a, b] } else { [b, a] }
}

/// The sides of one shell only, without a bar along them and not at a corner of the outline.
fn edges(mesh: &LinkMesh) -> Vec<[NodeIndex; 2]> {
    let three = |shell: &Shell| matches!(shell.shape, ShellShape::Tria3 | ShellShape::TriaR);
    if !mesh.shells.iter().any(three) {
        return Vec::new();
    }
    let mut sides: Vec<[NodeIndex; 2]> = Vec::new();
    for shell in &mesh.shells {
        let corners = &mesh.nodes_of_shell(shell)[..shell.shape.corner_count()];
        sides.extend((0..corners.len()).map(|k| ascending([corners[k], corners[(k + 1) % corners.len()]])));
    }
    // Twice: a bar makes any side one of several.
    sides.extend(mesh.bars.iter().flat_map(|bar| [ascending(bar.nodes); 2]));
    sides.sort_unstable();
    let mut edges: Vec<_> =
        sides.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect();
    let mut first: Vec<Option<Vector3<f64>>> = vec![None; mesh.nodes.len()];
    let mut turns = vec![false; mesh.nodes.len()];
    for [a, b] in &edges {
        let along = (mesh.node(*b).position - mesh.node(*a).position).normalize();
        for node in [a, b] {
            match first[node.index()] {
                None => first[node.index()] = Some(along),
                Some(other) => turns[node.index()] |= other.dot(&along).abs() < SMOOTH,
            }
        }
    }
    edges.retain(|side| !side.iter().any(|node| turns[node.index()]));
    edges
}
