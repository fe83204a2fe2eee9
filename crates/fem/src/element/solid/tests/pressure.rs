//! Pressure on faces: resultants by the divergence theorem.

use nalgebra::Vector3;
use pliant_mesh::NodeIndex;
use pliant_mesh::property::SolidIntegration;

use super::block::{Block, SHAPES, isotropic, mesh};
use super::solve::{face_load, faces_where};
use crate::DofMap;
use crate::element::FacePressure;

/// Resultant force and moment about the origin of a load vector.
fn resultant(mesh: &pliant_mesh::LinkMesh, f: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
    let dofs = DofMap::new(mesh);
    let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
    for (i, node) in mesh.nodes.iter().enumerate() {
        let at = dofs.rows_of(NodeIndex::from(i)).start;
        let nodal = Vector3::new(f[at], f[at + 1], f[at + 2]);
        force += nodal;
        moment += node.position.cross(&nodal);
    }
    (force, moment)
}

/// One cell of every shape with plane sides: p = x + 2y − 3z on its surface is a buoyancy of −∇p times the volume through the
/// centre; a uniform pressure has no resultant.
#[test]
fn pressure_on_the_whole_surface_is_buoyancy() {
    let skew = |p: Vector3<f64>| {
        Vector3::new(1.0, 2.0, -0.5)
            + p.x * Vector3::new(2.0, 0.1, 0.3)
            + p.y * Vector3::new(-0.2, 1.5, 0.4)
            + p.z * Vector3::new(0.5, -0.3, 1.2)
    };
    let axes = nalgebra::Matrix3::from_columns(&[
        Vector3::new(2.0, 0.1, 0.3),
        Vector3::new(-0.2, 1.5, 0.4),
        Vector3::new(0.5, -0.3, 1.2),
    ]);
    let volume = axes.determinant();
    let centre = skew(Vector3::repeat(0.5));
    for shape in SHAPES {
        let block = Block {
            shape,
            cells: [2, 1, 1],
            map: &skew,
            curved: false,
            integration: SolidIntegration::Default,
            material: isotropic(1.0, 0.3, 1.0),
        };
        let (mesh, parameters) = mesh(&block);
        let gradient = Vector3::new(1.0, 2.0, -3.0);
        let load = |pressure: &dyn Fn(Vector3<f64>) -> f64| {
            let mut loads = Vec::new();
            for (k, side) in (0..3).flat_map(|k| [(k, 0.0), (k, 1.0)]) {
                for (row, corners) in faces_where(&mesh, |n| parameters[n.index()][k] == side) {
                    let pressures = corners.iter().map(|n| pressure(mesh.node(*n).position)).collect();
                    loads.push((row, FacePressure { corners, pressures, direction: None }));
                }
            }
            resultant(&mesh, &face_load(&mesh, &loads))
        };
        let (force, moment) = load(&|_| 3.7);
        assert!(force.norm() < 1e-13 && moment.norm() < 1e-13, "{shape:?}: {force} {moment}");
        let (force, moment) = load(&|p| gradient.dot(&p));
        let wanted = -volume * gradient;
        assert!((force - wanted).norm() < 1e-12, "{shape:?}: {force} for {wanted}");
        // The moment of −∇p dV about the origin is that of the resultant at the centre.
        assert!((moment - centre.cross(&wanted)).norm() < 1e-12, "{shape:?}: {moment}");
    }
}

/// With a direction the traction is p·d per true area, whatever the length of the given vector.
#[test]
fn a_direction_turns_pressure_into_traction() {
    for shape in SHAPES {
        let map = |p: Vector3<f64>| Vector3::new(3.0 * p.x, 2.0 * p.y, p.z);
        let block = Block {
            shape,
            cells: [1, 1, 1],
            map: &map,
            curved: false,
            integration: SolidIntegration::Default,
            material: isotropic(1.0, 0.3, 1.0),
        };
        let (mesh, parameters) = mesh(&block);
        let direction = Vector3::new(0.0, 3.0, -4.0);
        let loads: Vec<_> = faces_where(&mesh, |n| parameters[n.index()].z == 1.0)
            .into_iter()
            .map(|(row, corners)| {
                let pressures = vec![0.5; corners.len()];
                (row, FacePressure { corners, pressures, direction: Some(direction) })
            })
            .collect();
        let (force, _) = resultant(&mesh, &face_load(&mesh, &loads));
        assert!((force - 0.5 * 6.0 * direction / 5.0).norm() < 1e-13, "{shape:?}: {force}");
    }
}
