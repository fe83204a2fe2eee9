//! Contracts, patch tests and sections of the shells, on meshes of a few elements.

use nalgebra::{Rotation3, Vector3};
use pliant_diag::Origin;
use pliant_mesh::element::{ElementRef, MaterialDirection, Shell, ShellShape};
use pliant_mesh::property::{LaminateKind, LaminateProperty, Ply, Property, PropertyKind, ShellProperty};
use pliant_mesh::{
    ElementId, LinkMesh, Material, MaterialId, MaterialIndex, MaterialLaw, NodeIndex, PropertyId,
    PropertyIndex,
};

use crate::element::{Element, ElementContext, build};

mod contract;
mod patch;
mod projected;
mod sections;
mod slanted;

const E: f64 = 2.1e5;
const NU: f64 = 0.3;
const RHO: f64 = 7.8e-3;

fn material(mesh: &mut LinkMesh, law: MaterialLaw) -> MaterialIndex {
    mesh.materials.push(Material {
        id: MaterialId(mesh.materials.len() as u32 + 1),
        density: RHO,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law,
        source: Origin::default(),
    });
    MaterialIndex::from(mesh.materials.len() - 1)
}

fn isotropic() -> MaterialLaw {
    MaterialLaw::Isotropic {
        youngs_modulus: E,
        shear_modulus: E / (2.0 * (1.0 + NU)),
        poisson_ratio: NU,
        thermal_expansion: 0.0,
    }
}

fn carbon() -> MaterialLaw {
    MaterialLaw::Orthotropic2d {
        e1: 1.4e5,
        e2: 1.0e4,
        nu12: 0.3,
        g12: 5.0e3,
        g1z: Some(5.0e3),
        g2z: Some(3.0e3),
        thermal_expansion: [0.0; 2],
        strengths: [None; 5],
    }
}

fn plate(thickness: f64) -> ShellProperty {
    ShellProperty {
        membrane: Some(MaterialIndex(0)),
        thickness: Some(thickness),
        bending: Some(MaterialIndex(0)),
        plane_strain: false,
        bending_ratio: 1.0,
        shear: Some(MaterialIndex(0)),
        shear_ratio: 5.0 / 6.0,
        nsm: 0.0,
        fibre_distances: [None; 2],
        coupling: None,
    }
}

fn laminate(plies: &[(f64, f64)], kind: LaminateKind, bottom: Option<f64>) -> LaminateProperty {
    LaminateProperty {
        global_plies: false,
        bottom,
        nsm: 0.0,
        shear_allowable: None,
        failure_theory: String::new(),
        reference_temperature: 0.0,
        structural_damping: 0.0,
        kind,
        plies: plies
            .iter()
            .map(|(thickness, angle)| Ply {
                id: None,
                material: MaterialIndex(0),
                thickness: *thickness,
                angle: *angle,
                stress_output: false,
            })
            .collect(),
    }
}

fn add_property(mesh: &mut LinkMesh, kind: PropertyKind) {
    mesh.properties.push(Property { id: PropertyId(1), kind, source: Origin::default() });
}

fn add_shell(mesh: &mut LinkMesh, shape: ShellShape, nodes: &[NodeIndex], offset: Option<f64>) -> ElementRef {
    let first_node = mesh.shell_nodes.len() as u32;
    mesh.shell_nodes.extend(nodes);
    mesh.shells.push(Shell {
        id: ElementId(mesh.shells.len() as u32 + 1),
        shape,
        property: PropertyIndex(0),
        first_node,
        material_direction: MaterialDirection::Angle(20.0),
        offset,
        corner_thickness: [None; 4],
        source: Origin::default(),
    });
    ElementRef::Shell(mesh.shells.len() as u32 - 1)
}

fn element(mesh: &LinkMesh, which: ElementRef) -> Box<dyn Element> {
    build(ElementContext { mesh, extra_nsm: 0.0 }, which).unwrap()
}

/// A frame that is no axis of anything.
fn oblique() -> Rotation3<f64> {
    Rotation3::from_euler_angles(0.7, -0.4, 1.1)
}

/// Corners of a distorted flat quadrilateral or triangle, with slightly bowed mid-side nodes where the shape
/// has them.
fn corners(shape: ShellShape, bow: f64) -> Vec<Vector3<f64>> {
    let mut flat =
        vec![Vector3::new(0.0, 0.0, 0.0), Vector3::new(2.3, 0.2, 0.0), Vector3::new(1.9, 1.7, 0.0)];
    if shape.corner_count() == 4 {
        flat.push(Vector3::new(-0.2, 1.2, 0.0));
    }
    let count = flat.len();
    if shape.node_count() > count {
        for i in 0..count {
            let middle = (flat[i] + flat[(i + 1) % count]) * 0.5;
            flat.push(middle + Vector3::new(0.3 * bow, -0.2 * bow, bow));
        }
    }
    flat
}

const SHAPES: [ShellShape; 6] = [
    ShellShape::Quad4,
    ShellShape::QuadR,
    ShellShape::Quad8,
    ShellShape::Tria3,
    ShellShape::TriaR,
    ShellShape::Tria6,
];
