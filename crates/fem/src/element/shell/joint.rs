//! What a shell has to know of its mesh: joints, folds and its outline ([`super::outline`]).
//!
//! Joints are grids whose rotation about a shell's normal belongs to something else: a shell at an angle, a bar.
//! There Nastran's CQUAD4 and CTRIA3 leave that rotation to the others (K6ROT apart), and a shell of which every grid is such a one, a wall of a coarse box or a
//! bay between stringers, gets the same membrane here, without drilling rotations. Elsewhere they are the shell's own and make it bend better in its plane.
//!
//! Where the surface is curved, a grid's rotation about the normal of one shell is in part one about the tangents of its neighbours; the membrane of a quadrilateral has to know
//! ([`super::fold`], [`super::hybrid`]).

use nalgebra::Vector3;
use pliant_mesh::element::Shell;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

use super::fold::Folds;
use super::geometry::plane_frame;
use super::outline::{Kind, Outline, Side};

/// cos 30°: neighbours at a smaller angle are one smooth surface.
pub(super) const SMOOTH: f64 = 0.866;

/// sin² of an angle between normals that is rounding.
const FLAT: f64 = 1e-20;

/// Which grids of a mesh are joints, how much its shells are folded, which components of each grid are held, and the outline.
#[derive(Clone, Debug, Default)]
pub struct ShellJoints {
    joint: Vec<bool>,
    folds: Folds,
    held: Vec<Components>,
    outline: Outline,
}

impl ShellJoints {
    /// Finds the joints of a mesh in one pass over its shells and bars.
    pub fn of(mesh: &LinkMesh) -> Self {
        let mut joint = vec![false; mesh.nodes.len()];
        let mut first: Vec<Option<Vector3<f64>>> = vec![None; mesh.nodes.len()];
        let mut flat = true;
        // A shell without area is refused when it is built.
        let normals: Vec<_> = mesh.shells.iter().map(|shell| normal(mesh, shell)).collect();
        for (shell, normal) in mesh.shells.iter().zip(&normals) {
            let Some(normal) = normal else { continue };
            for node in mesh.nodes_of_shell(shell).iter().filter(|n| n.is_some()) {
                match first[node.index()] {
                    None => first[node.index()] = Some(*normal),
                    Some(other) => {
                        joint[node.index()] |= other.dot(normal).abs() < SMOOTH;
                        flat &= other.cross(normal).norm_squared() < FLAT;
                    }
                }
            }
        }
        let folds = if flat { Folds::default() } else { Folds::of(mesh, &normals) };
        for node in mesh.bars.iter().flat_map(|bar| bar.nodes) {
            joint[node.index()] = true;
        }
        let mut held: Vec<Components> = mesh.nodes.iter().map(|node| node.permanent_spc).collect();
        for spc in &mesh.spcs {
            let components = &mut held[spc.node.index()];
            *components = spc.components.iter().fold(*components, Components::with);
        }
        Self { joint, folds, held, outline: Outline::of(mesh) }
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

    /// sin² of the angle by which the surface turns across a quadrilateral with these corners.
    pub(super) fn fold(&self, corners: &[NodeIndex]) -> f64 {
        self.folds.across(corners)
    }

    /// True when all of these grids are joints.
    pub(super) fn all(&self, nodes: &[NodeIndex]) -> bool {
        nodes.iter().all(|n| self.joint.get(n.index()).copied().unwrap_or(false))
    }
}

/// Normal of a shell's corners; `None` without area.
fn normal(mesh: &LinkMesh, shell: &Shell) -> Option<Vector3<f64>> {
    let corners = &mesh.nodes_of_shell(shell)[..shell.shape.corner_count()];
    let positions: Vec<_> = corners.iter().map(|n| mesh.node(*n).position).collect();
    plane_frame(&positions).map(|frame| frame.column(2).into_owned())
}
