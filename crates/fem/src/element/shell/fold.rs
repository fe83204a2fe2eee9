//! How much a surface is curved across a quadrilateral.
//!
//! A surface that bends by κ along a line at which shells meet at an angle φ turns the grids there by components about the normals of both, which change sign from one side of a
//! shell to the other ([`super::hybrid`]). In a smooth surface it does so without stretching, and counts as curved across a shell by the larger angle at two opposite sides. At a sharp edge, of a box or a profile, it cannot: a
//! wall of two or more shells between its edges would have to bend in its plane, which costs it far more. So an edge counts only where the shell has one on the opposite side too. Where one of two
//! sides is an edge of the mesh, the other counts.

use nalgebra::Vector3;
use pliant_mesh::{LinkMesh, NodeIndex};

use super::joint::SMOOTH;
use super::outline::ascending;

/// sin² of the angle from which shells meet at an edge.
const SHARP: f64 = 1.0 - SMOOTH * SMOOTH;

/// sin² of the largest angle between the normals of the shells that meet at each side that has more than one.
#[derive(Clone, Debug, Default)]
pub(super) struct Folds {
    /// Each side from the lower to the higher grid, in order.
    sides: Vec<([NodeIndex; 2], f64)>,
}

impl Folds {
    /// Finds them; `normals` are those of the shells of the mesh, `None` without area.
    pub(super) fn of(mesh: &LinkMesh, normals: &[Option<Vector3<f64>>]) -> Self {
        let mut owned: Vec<([NodeIndex; 2], Vector3<f64>)> = Vec::with_capacity(4 * mesh.shells.len());
        for (shell, normal) in mesh.shells.iter().zip(normals) {
            let Some(normal) = normal else { continue };
            let corners = &mesh.nodes_of_shell(shell)[..shell.shape.corner_count()];
            for k in 0..corners.len() {
                owned.push((ascending([corners[k], corners[(k + 1) % corners.len()]]), *normal));
            }
        }
        owned.sort_by_key(|(side, _)| *side);
        let shared = owned.chunk_by(|a, b| a.0 == b.0).filter(|owners| owners.len() > 1);
        let sides = shared.map(|owners| {
            let angles = owners[1..].iter().map(|(_, normal)| owners[0].1.cross(normal).norm_squared());
            (owners[0].0, angles.fold(0.0, f64::max))
        });
        Self { sides: sides.collect() }
    }

    /// sin² of the angle by which the surface turns across a quadrilateral, one pair of sides after the other.
    pub(super) fn across(&self, corners: &[NodeIndex]) -> f64 {
        let at = |k: usize| {
            let side = ascending([corners[k], corners[(k + 1) % 4]]);
            self.sides.binary_search_by_key(&side, |(s, _)| *s).ok().map(|row| self.sides[row].1)
        };
        let pair = |k: usize| match (at(k), at(k + 2)) {
            (Some(a), Some(b)) if a.max(b) > SHARP => a.min(b),
            (Some(a), Some(b)) => a.max(b),
            (a, b) => a.or(b).unwrap_or(0.0),
        };
        pair(0) + pair(1)
    }
}
