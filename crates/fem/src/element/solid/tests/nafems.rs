//! NAFEMS FV52: simply supported solid square plate.

use nalgebra::Vector3;
use pliant_mesh::element::SolidShape;
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{Component, Components};

use super::block::{Block, isotropic, mesh};
use super::solve::frequencies;

/// 10 × 10 × 1 m, E = 200 GPa, ν = 0.3, ρ = 8000 kg/m³; z is held along the four lower edges; three rigid
/// motions in its plane remain. Reference values of the benchmark (NAFEMS, *The Standard NAFEMS Benchmarks*,
/// 1990), modes 4 to 10.
const REFERENCE: [f64; 7] = [45.897, 109.44, 109.44, 167.89, 193.59, 206.19, 206.19];

#[test]
fn fv52_simply_supported_solid_plate() {
    println!("NAFEMS FV52, modes 4 to 10 in Hz; reference {REFERENCE:?}");
    for (shape, cells, tolerance) in [
        // The benchmark's own meshes. Linear elements with consistent mass err by (kh)²/24 per direction, 2.6
        // % for the four elements per half wave of modes 5 to 7.
        (SolidShape::Hexa8, [8, 8, 3], 0.05),
        (SolidShape::Hexa20, [4, 4, 1], 0.03),
        // Its 4 × 4 squares cut into wedges lose their symmetry: modes 5 and 6 part.
        (SolidShape::Penta15, [4, 4, 1], 0.08),
    ] {
        let map = |p: Vector3<f64>| Vector3::new(10.0 * p.x, 10.0 * p.y, p.z - 0.5);
        let block = Block {
            shape,
            cells,
            map: &map,
            curved: false,
            integration: SolidIntegration::Default,
            material: isotropic(200e9, 0.3, 8000.0),
        };
        let (mut mesh, parameters) = mesh(&block);
        for (node, p) in mesh.nodes.iter_mut().zip(&parameters) {
            node.permanent_spc = Components::ROTATIONS;
            let on_edge = |v: f64| v == 0.0 || v == 1.0;
            if p.z == 0.0 && (on_edge(p.x) || on_edge(p.y)) {
                node.permanent_spc = node.permanent_spc.with(Component::from_row(2));
            }
        }
        let found = frequencies(&mesh);
        // Rounding of a zero eigenvalue beside 1e10 of the stiffest.
        assert!(found[2] < 0.5 && found[3] > 40.0, "{shape:?}: three rigid motions, found {:?}", &found[..4]);
        println!("  {shape:?} {cells:?}: {:.3?}", &found[3..10]);
        for (value, reference) in found[3..10].iter().zip(REFERENCE) {
            assert!((value / reference - 1.0).abs() < tolerance, "{shape:?}: {value} for {reference}");
        }
    }
}
