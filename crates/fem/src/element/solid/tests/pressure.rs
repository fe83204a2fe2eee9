//! Pressure on faces: resultants by the divergence theorem, and the answer of a column.

use nalgebra::Vector3;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{Component, Components, Load, LoadKind, NodeIndex, PressureFace, SetId, Subcase};

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

/// One cell of every shape with plane sides: p = x + 2y − 3z on its surface is a buoyancy of −∇p times the
/// volume through the centre; a uniform pressure has no resultant.
#[test]
fn pressure_on_the_entire_surface_is_buoyancy() {
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

/// A column under PLOAD4 pressures that differ from corner to corner of every face: p = 3 − x + ½y on its
/// top, ν = 0. Then σz = −p everywhere, u_z = −pz/E, u_x = −z²/(2E), u_y = z²/(4E), which quadratic shapes
/// hold exactly; the reactions of all shapes balance the load.
#[test]
fn a_column_under_a_slanting_pressure() {
    let (length, modulus) = (2.0, 50.0);
    let map = |p: Vector3<f64>| Vector3::new(p.x, 1.5 * p.y, length * p.z);
    let pressure = |p: Vector3<f64>| 3.0 - p.x + 0.5 * p.y;
    for shape in SHAPES {
        let block = Block {
            shape,
            cells: [2, 1, 2],
            map: &map,
            curved: false,
            integration: SolidIntegration::Default,
            material: isotropic(modulus, 0.0, 1.0),
        };
        let (mut mesh, parameters) = mesh(&block);
        for (node, parameter) in mesh.nodes.iter_mut().zip(&parameters) {
            let held = |row: usize| Components::one(Component::from_row(row));
            if parameter.z == 0.0 {
                node.permanent_spc = if parameter.x == 0.0 && parameter.y == 0.0 {
                    Components::ALL
                } else if parameter.y == 0.0 {
                    held(2).iter().fold(held(1), Components::with)
                } else {
                    held(2)
                };
            }
        }
        for (row, corners) in faces_where(&mesh, |n| parameters[n.index()].z == 1.0) {
            // Corners turn about the outward normal, as PLOAD4 counts them; the load may start at any of
            // them.
            let corners: Vec<NodeIndex> = (1..=corners.len()).map(|k| corners[k % corners.len()]).collect();
            let mut pressures = [0.0; 4];
            for (value, node) in pressures.iter_mut().zip(&corners) {
                *value = pressure(mesh.node(*node).position);
            }
            let solid = &mesh.solids[row as usize];
            let face = if corners.len() == 4 {
                PressureFace::Diagonal(corners[0], corners[2])
            } else {
                let all = &mesh.nodes_of_solid(solid)[..shape.corner_count()];
                let off = all.iter().find(|n| !corners.contains(n)).copied();
                PressureFace::Corner(corners[0], off.filter(|_| shape.corner_count() == 4))
            };
            let kind =
                LoadKind::Pressure { element: ElementRef::Solid(row), pressures, face, direction: None };
            mesh.loads.push(Load { set: SetId(1), kind, source: Default::default() });
        }
        mesh.case_control.subcases = vec![Subcase { id: 1, load: Some(SetId(1)), ..Subcase::default() }];
        let answer = crate::statics(&mesh).expect("the column can be solved").output;
        let case = &answer.subcases[0];
        // ∫p over 1 × 1.5 = 1.5 (3 − ½ + ½·¾).
        let total: f64 = (0..mesh.nodes.len())
            .map(|i| case.applied[answer.dofs.rows_of(NodeIndex::from(i)).start + 2])
            .sum();
        assert!((total + 1.5 * 2.875).abs() < 1e-12, "{shape:?}: {total}");
        if shape.node_count() == shape.corner_count() {
            continue;
        }
        for (i, node) in mesh.nodes.iter().enumerate() {
            let at = answer.dofs.rows_of(NodeIndex::from(i)).start;
            let p = node.position;
            let wanted =
                Vector3::new(-0.5 * p.z * p.z, 0.25 * p.z * p.z, -pressure(p) * p.z).scale(1.0 / modulus);
            let found = Vector3::new(case.u[at], case.u[at + 1], case.u[at + 2]);
            assert!((found - wanted).norm() < 1e-10, "{shape:?} at {p}: {found} for {wanted}");
        }
    }
}
