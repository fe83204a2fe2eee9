//! Patch tests on distorted meshes of every shape.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::element::{ElementRef, SolidShape};
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{LinkMesh, NodeIndex};

use super::super::build;
use super::block::{Block, SHAPES, isotropic, mesh, shake};
use crate::element::patch::check_patch;
use crate::element::{Element, ElementContext};

fn elements(mesh: &LinkMesh) -> Vec<Box<dyn Element>> {
    (0..mesh.solids.len() as u32)
        .map(|i| build(ElementContext { mesh, extra_nsm: 0.0 }, ElementRef::Solid(i)).unwrap())
        .collect()
}

/// u = H x with the displacement gradient of MacNeal and Harder's solid patch test, in a distorted 2×2×2
/// block.
fn patch(shape: SolidShape, integration: SolidIntegration, nu: f64) {
    let H: Matrix3<f64> = Matrix3::new(2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0) * 0.5e-3;
    // The sides stay plane, so that the volume is known; nodes move within them, the middle one freely.
    let on_side = |v: f64| v == 0.0 || v == 1.0;
    let map = |p: Vector3<f64>| {
        let moved = shake(p, 0.07);
        Vector3::from_fn(|k, _| if on_side(p[k]) { p[k] } else { moved[k] })
    };
    let block = Block {
        shape,
        cells: [2, 2, 2],
        map: &map,
        curved: false,
        integration,
        material: isotropic(1e6, nu, 0.0),
    };
    let (mesh, parameters) = mesh(&block);
    let interior: Vec<NodeIndex> = parameters
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.iter().any(|v| on_side(*v)))
        .map(|(i, _)| NodeIndex::from(i))
        .collect();
    assert!(!interior.is_empty());
    // ½ ε:σ times the unit volume.
    let (lambda, mu) = (1e6 * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 1e6 / (2.0 * (1.0 + nu)));
    let strain: Matrix3<f64> = 0.5 * (H + H.transpose());
    let energy = 0.5 * lambda * strain.trace().powi(2) + mu * strain.norm_squared();
    check_patch(
        &format!("{shape:?} {integration:?}"),
        &elements(&mesh),
        |node| mesh.node(node).position,
        &interior,
        |x| {
            let u = H * x;
            [u.x, u.y, u.z, 0.0, 0.0, 0.0]
        },
        energy,
        // Rounding of a solve of some hundred unknowns, made worse by 1/(1−2ν).
        1e-11 / (1.0 - 2.0 * nu),
    );
}

#[test]
fn constant_strain_is_exact_in_distorted_meshes() {
    for shape in SHAPES {
        for integration in [SolidIntegration::Default, SolidIntegration::Full] {
            patch(shape, integration, 0.25);
        }
        patch(shape, SolidIntegration::Default, 0.4999);
    }
}
