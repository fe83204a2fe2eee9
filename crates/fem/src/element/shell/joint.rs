//! Grids whose rotation about a shell's normal belongs to something else: a shell at an angle, a bar.
//!
//! There Nastran's CQUAD4 and CTRIA3 leave that rotation to the others (K6ROT apart), and a shell of which every grid is such a one, a wall of a coarse box or a
//! bay between stringers, gets the same membrane here, without drilling rotations. Elsewhere they are the shell's own and make it bend better in its plane.

use nalgebra::Vector3;
use pliant_mesh::{Components, LinkMesh, NodeIndex};

use super::geometry::plane_frame;

/// cos 30°: neighbours at a smaller angle are one smooth surface.
const SMOOTH: f64 = 0.866;

/// Which grids of a mesh are joints, and which components of each are held.
#[derive(Clone, Debug, Default)]
pub struct ShellJoints {
    joint: Vec<bool>,
    held: Vec<Components>,
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
        Self { joint, held }
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
