//! Geometric stiffness projected onto shapes against the assembled matrix.

use nalgebra::Vector3;
use pliant_mesh::property::SolidIntegration;

use super::block::{Block, SHAPES, isotropic, mesh, shake};
use crate::assembly::projected_check::check_projected;

/// Of every shape in a distorted block, the last element first.
#[test]
fn projected_is_assembled() {
    for shape in SHAPES {
        let map = |p: Vector3<f64>| shake(p, 0.03);
        let block = Block {
            shape,
            cells: [2, 3, 2],
            map: &map,
            curved: true,
            integration: SolidIntegration::Default,
            material: isotropic(1e6, 0.3, 0.0),
        };
        let (mut mesh, _) = mesh(&block);
        mesh.solids.reverse();
        check_projected(&format!("{shape:?}"), mesh);
    }
}
