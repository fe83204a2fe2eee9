//! Geometric stiffness projected onto shapes against the assembled matrix.

use nalgebra::Vector3;
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ShellShape;
use pliant_mesh::property::{LaminateKind, PropertyKind};

use super::patch::patch;
use super::{SHAPES, add_property, carbon, laminate, material};
use crate::assembly::projected_check::check_projected;

/// The patch out of its plane, warped and with offsets.
fn warped(shapes: [ShellShape; 5]) -> LinkMesh {
    let (mut mesh, ..) = patch(shapes, 0.01);
    for node in &mut mesh.nodes {
        let x = node.position;
        node.position += Vector3::new(0.3, -0.2, 0.7) * (2.0 * x.x * x.y + x.z * x.z);
    }
    mesh.shells.iter_mut().step_by(2).for_each(|shell| shell.offset = Some(0.004));
    mesh
}

/// Of every shape, plates and laminates whose bending makes membrane forces.
#[test]
fn projected_is_assembled() {
    let (four, three, eight) = (ShellShape::Quad4, ShellShape::Tria3, ShellShape::Quad8);
    let mixed = [four, three, eight, four, three];
    for shapes in SHAPES.map(|shape| [shape; 5]).into_iter().chain([mixed]) {
        check_projected(&format!("{shapes:?}"), warped(shapes));
        let mut mesh = warped(shapes);
        mesh.properties.clear();
        mesh.materials.clear();
        material(&mut mesh, carbon());
        let plies = [(0.002, 0.0), (0.003, 90.0), (0.002, 30.0)];
        let kind = LaminateKind::General;
        add_property(&mut mesh, PropertyKind::Laminate(Box::new(laminate(&plies, kind, None))));
        check_projected(&format!("laminate of {shapes:?}"), mesh);
    }
}
