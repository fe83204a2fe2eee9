//! Thermal loads: a linear temperature leaves a free body without stress.

use nalgebra::{Matrix6, Vector3, Vector6};
use pliant_mesh::element::{ElementRef, SolidShape};
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{Component, Components, MaterialLaw, NodeIndex};

use super::super::build;
use super::block::{Block, SHAPES, isotropic, mesh};
use super::solve::displacements;
use crate::DofMap;
use crate::element::ElementContext;

const ALPHA: f64 = 1.2e-3;

/// T − T_ref = 10 + 4y in a block held without constraint: u = ∫ α T, which is quadratic.
fn exact(p: Vector3<f64>) -> Vector3<f64> {
    let bend = Vector3::new(p.x * p.y, 0.5 * (p.y * p.y - p.x * p.x - p.z * p.z), p.y * p.z);
    ALPHA * (10.0 * p + 4.0 * bend)
}

fn check(shape: SolidShape, uniform: bool, anisotropic: bool) {
    let map = |p: Vector3<f64>| Vector3::new(2.0 * p.x, p.y, 1.5 * p.z);
    let mut material = isotropic(100.0, 0.3, 0.0);
    material.reference_temperature = 20.0;
    if let MaterialLaw::Isotropic { thermal_expansion, .. } = &mut material.law {
        *thermal_expansion = ALPHA;
    }
    if anisotropic {
        // Any D: a free body under a linear temperature has no stress as long as the expansion is the same in
        // all directions.
        let stiffness =
            Matrix6::from_fn(|i, j| if i == j { 10.0 + i as f64 } else { 1.0 / (1 + i + j) as f64 });
        let thermal_expansion = Vector6::new(ALPHA, ALPHA, ALPHA, 0.0, 0.0, 0.0);
        material.law = MaterialLaw::Anisotropic3d { stiffness: Box::new(stiffness), thermal_expansion };
    }
    let block = Block {
        shape,
        cells: [2, 2, 2],
        map: &map,
        curved: false,
        integration: SolidIntegration::Default,
        material,
    };
    let (mut mesh, parameters) = mesh(&block);
    let wanted = |p: Vector3<f64>| if uniform { ALPHA * 10.0 * p } else { exact(p) };
    let dofs = DofMap::new(&mesh);
    let mut f = vec![0.0; dofs.count()];
    let temperature = |n: NodeIndex| 30.0 + if uniform { 0.0 } else { 4.0 * mesh.node(n).position.y };
    for row in 0..mesh.solids.len() as u32 {
        let element = build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(row)).unwrap();
        let load = element.thermal_load(&temperature).unwrap();
        for (value, row) in load.iter().zip(dofs.rows_of_element(element.as_ref())) {
            f[row as usize] += value;
        }
    }
    // Six supports at three corners, at the exact displacements there.
    for (node, p) in mesh.nodes.iter_mut().zip(&parameters) {
        node.permanent_spc = Components::ROTATIONS;
        let held: &[usize] = if *p == Vector3::zeros() {
            &[0, 1, 2]
        } else if *p == Vector3::x() {
            &[1, 2]
        } else if *p == Vector3::y() {
            &[2]
        } else {
            &[]
        };
        node.permanent_spc =
            held.iter().fold(node.permanent_spc, |all, row| all.with(Component::from_row(*row)));
    }
    let positions: Vec<_> = mesh.nodes.iter().map(|n| n.position).collect();
    let enforced = |n: NodeIndex, row: usize| if row < 3 { wanted(positions[n.index()])[row] } else { 0.0 };
    let u = displacements(&mesh, &f, &enforced).1;
    for (i, p) in positions.iter().enumerate() {
        let found = Vector3::new(u[6 * i], u[6 * i + 1], u[6 * i + 2]);
        // Rounding of a few hundred unknowns.
        assert!((found - wanted(*p)).norm() < 1e-12, "{shape:?} at {p:?}: {found} for {}", wanted(*p));
    }
}

#[test]
fn a_uniform_temperature_expands_every_shape_freely() {
    for shape in SHAPES {
        check(shape, true, false);
        check(shape, true, true);
    }
}

#[test]
fn a_linear_temperature_bends_without_stress() {
    for shape in [SolidShape::Tetra10, SolidShape::Penta15, SolidShape::Hexa20, SolidShape::Hexa8] {
        check(shape, false, false);
        check(shape, false, true);
    }
}
