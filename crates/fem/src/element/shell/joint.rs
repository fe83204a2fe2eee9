//! What a shell has to know of its mesh: joints, folds and its outline ([`super::outline`]).
//!
//! Joints are grids whose rotation about a shell's normal belongs to something else: a shell at an angle, a bar.
//! There Nastran's CQUAD4 and CTRIA3 leave that rotation to the others (K6ROT apart), and a shell of which every grid is such a one, a wall of a coarse box or a
//! bay between stringers, gets the same membrane here, without drilling rotations. Elsewhere they are the shell's own and make it bend better in its plane.
//!
//! Where shells meet at a smaller angle the surface is curved or folded a little, and a grid's rotation about the normal of one is in part one about the tangents of its
//! neighbours; the membrane of a quadrilateral has to know ([`super::hybrid`]).

use nalgebra::Vector3;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

use super::geometry::plane_frame;
use super::outline::{Kind, Outline, Side};

/// cos 30°: neighbours at a smaller angle are one smooth surface.
pub(super) const SMOOTH: f64 = 0.866;

/// Which grids of a mesh are joints, how much shells are folded there, which components of each are held, and the outline.
#[derive(Clone, Debug, Default)]
pub struct ShellJoints {
    joint: Vec<bool>,
    /// sin² of the largest angle between normals of shells at each grid.
    fold: Vec<f64>,
    held: Vec<Components>,
    outline: Outline,
}

impl ShellJoints {
    /// Finds the joints of a mesh in one pass over its shells and bars.
    pub fn of(mesh: &LinkMesh) -> Self {
        let mut joint = vec![false; mesh.nodes.len()];
        let mut fold = vec![0.0_f64; mesh.nodes.len()];
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
                    Some(other) => {
                        joint[node.index()] |= other.dot(&normal).abs() < SMOOTH;
                        let fold = &mut fold[node.index()];
                        *fold = fold.max(other.cross(&normal).norm_squared());
                    }
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
        Self { joint, fold, held, outline: Outline::of(mesh) }
    }

    /// What the side between two grids of a three-node shell with this normal is. Where a rotation about an axis in the plane is held at
    /// both ends, as on a clamped edge or a plane of symmetry, it is no free edge.
    pub(super) fn side(&self, mesh: &LinkMesh, side: [NodeIndex; 2], normal: Vector3<f64>) -> Side {
        let guided = |index: NodeIndex| {
            let node = mesh.node(index);
            let triad = mesh.coordinates[node.displacement_frame.index()].triad_at(node.position);
            let held = self.held(mesh, index);
            (0..3).any(|k| {
                held.contains(Component::from_row(3 + k)) && triad.column(k).dot(&normal).abs() < SMOOTH
            })
        };
        let mut found = self.outline.side(side);
        if found.kind == Kind::Free && side.into_iter().all(guided) {
            found.kind = Kind::Inner;
        }
        found
    }

    /// Along the strip one cell wide that the three-node shell of this row is in.
    pub(super) fn axis(&self, row: u32) -> Option<Vector3<f64>> {
        self.outline.axis(row)
    }

    /// Components of a grid that its GRID card or any SPC holds.
    pub(super) fn held(&self, mesh: &LinkMesh, node: NodeIndex) -> Components {
        if let Some(held) = self.held.get(node.index()) {
            return *held;
        }
        let spcs = mesh.spcs.iter().filter(|spc| spc.node == node);
        spcs.flat_map(|spc| spc.components.iter()).fold(mesh.node(node).permanent_spc, Components::with)
    }

    /// sin² of the largest angle between normals of shells at these grids.
    pub(super) fn fold(&self, nodes: &[NodeIndex]) -> f64 {
        nodes.iter().filter_map(|n| self.fold.get(n.index())).copied().fold(0.0, f64::max)
    }

    /// True when all of these grids are joints.
    pub(super) fn all(&self, nodes: &[NodeIndex]) -> bool {
        nodes.iter().all(|n| self.joint.get(n.index()).copied().unwrap_or(false))
    }
}
