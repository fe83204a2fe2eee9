//! The contract of every shape, and refusals.

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_mesh::element::{ElementRef, SolidShape};
use pliant_mesh::property::{PropertyKind, SolidIntegration};
use pliant_mesh::{CoordIndex, LinkMesh, Material, MaterialLaw, NodeIndex};

use super::super::{build, family_of};
use super::block::{SHAPES, grid, isotropic, psolid, push_solid};
use crate::element::contract::{Contract, MassFacts, Placement, check};
use crate::element::{Element, ElementContext};

/// A skewed, shifted and (for linear shapes) tapered image of the reference shape, mid-side nodes in the
/// middle.
fn positions(shape: SolidShape, taper: f64) -> Vec<Vector3<f64>> {
    let family = family_of(shape);
    let map = |[x, y, z]: [f64; 3]| {
        // Planes stay planes: the section shrinks about its own corner along z.
        let s = 1.0 - taper * (z + 1.0);
        Vector3::new(2.0, -1.0, 0.5)
            + Vector3::new(1.1, 0.2, -0.1) * x * s
            + Vector3::new(-0.3, 0.8, 0.15) * y * s
            + Vector3::new(0.2, -0.25, 1.4) * z
    };
    let corner: Vec<_> = family.corners.iter().map(|c| map(*c)).collect();
    let mids = family.edges.iter().map(|[i, j]| (corner[*i] + corner[*j]) * 0.5);
    let mut all = corner.clone();
    if shape.node_count() > shape.corner_count() {
        all.extend(mids);
    }
    all
}

/// Mass, centre and inertia of the polyhedron on the corners, as a sum of tetrahedra from its first corner to
/// every face: exact for plane faces, and independent of shape functions and rules.
fn mass_facts(shape: SolidShape, positions: &[Vector3<f64>], density: f64) -> MassFacts {
    let apex = positions[0];
    let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for face in family_of(shape).faces {
        for k in 1..face.len() - 1 {
            let p = [apex, positions[face[0]], positions[face[k]], positions[face[k + 1]]];
            let volume = (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(p[3] - p[0])) / 6.0;
            let sum: Vector3<f64> = p.iter().sum();
            mass += density * volume;
            first += density * volume * sum / 4.0;
            // ∫ x xᵀ dV = V/20 (Σ p pᵀ + (Σp)(Σp)ᵀ).
            let squares: Matrix3<f64> = p.iter().map(|q| q * q.transpose()).sum();
            second += density * volume / 20.0 * (squares + sum * sum.transpose());
        }
    }
    let centre = first / mass;
    let about_centre = second - mass * centre * centre.transpose();
    let inertia = Matrix3::identity() * about_centre.trace() - about_centre;
    MassFacts { mass, centre, inertia_about_centre: Some(inertia) }
}

fn built(
    placement: &Placement,
    shape: SolidShape,
    integration: SolidIntegration,
    material: Material,
) -> Box<dyn Element> {
    let mut mesh = placement.mesh();
    mesh.materials.push(material);
    mesh.properties.push(psolid(integration, Some(CoordIndex::BASIC)));
    push_solid(&mut mesh, shape, &placement.nodes);
    build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0)).unwrap()
}

#[test]
fn every_shape_keeps_the_contract() {
    for shape in SHAPES {
        for integration in [SolidIntegration::Default, SolidIntegration::Full] {
            // The rules of quadratic shapes integrate M exactly for an unskewed Jacobian only.
            let taper = if shape.node_count() == shape.corner_count() { 0.15 } else { 0.0 };
            let positions = positions(shape, taper);
            let facts = mass_facts(shape, &positions, 7.8);
            check(&Contract {
                name: &format!("{shape:?} {integration:?}"),
                positions,
                build: &|placement| built(placement, shape, integration, isotropic(210.0, 0.3, 7.8)),
                zero_energy_modes: 6,
                mass: Some(facts),
            });
        }
    }
}

/// The same for curved edges and for a nearly incompressible material, where only K matters.
#[test]
fn curved_and_nearly_incompressible_shapes_keep_the_contract() {
    for shape in SHAPES {
        let mut positions = positions(shape, 0.1);
        for p in &mut positions {
            *p += 0.04 * Vector3::new((3.0 * p.y).sin(), (4.0 * p.z).cos(), (5.0 * p.x).sin());
        }
        for nu in [0.3, 0.499] {
            check(&Contract {
                name: &format!("curved {shape:?}, ν = {nu}"),
                positions: positions.clone(),
                build: &|placement| {
                    built(placement, shape, SolidIntegration::Default, isotropic(210.0, nu, 0.0))
                },
                zero_energy_modes: 6,
                mass: None,
            });
        }
    }
}

/// A MAT9 in the element frame turns with the element; one that is isotropic gives the K of the MAT1.
#[test]
fn mat9_in_the_element_frame_turns_with_the_element() {
    let orthotropic = Matrix6::from_fn(|i, j| match (i, j) {
        (0, 0) => 150.0,
        (1, 1) => 20.0,
        (2, 2) => 12.0,
        (i, j) if i == j => 3.0 + i as f64,
        (i, j) if i < 3 && j < 3 => 4.0 + (i + j) as f64,
        _ => 0.0,
    });
    for shape in SHAPES {
        check(&Contract {
            name: &format!("{shape:?} MAT9"),
            positions: positions(shape, 0.1),
            build: &|placement| {
                let mut mesh = placement.mesh();
                mesh.materials.push(anisotropic(orthotropic));
                mesh.properties.push(psolid(SolidIntegration::Default, None));
                push_solid(&mut mesh, shape, &placement.nodes);
                build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0)).unwrap()
            },
            zero_energy_modes: 6,
            mass: None,
        });
        let (lambda, mu) = (0.9, 0.6);
        let isotropic_9 = Matrix6::from_fn(|i, j| {
            let normal = if i < 3 && j < 3 { lambda } else { 0.0 };
            normal
                + if i != j {
                    0.0
                } else if i < 3 {
                    2.0 * mu
                } else {
                    mu
                }
        });
        let stiffness = |material: Material| {
            let mut mesh = single(shape, &positions(shape, 0.1));
            mesh.materials[0] = material;
            build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0))
                .unwrap()
                .stiffness()
                .unwrap()
        };
        let nu = lambda / (2.0 * (lambda + mu));
        let difference =
            stiffness(anisotropic(isotropic_9)) - stiffness(isotropic(2.0 * mu * (1.0 + nu), nu, 0.0));
        assert!(difference.amax() < 1e-13, "{shape:?}: {:e}", difference.amax());
    }
}

fn anisotropic(stiffness: Matrix6<f64>) -> Material {
    let law = MaterialLaw::Anisotropic3d {
        stiffness: Box::new(stiffness),
        thermal_expansion: nalgebra::Vector6::zeros(),
    };
    Material { law, ..isotropic(1.0, 0.3, 0.0) }
}

/// A mesh of one element.
fn single(shape: SolidShape, positions: &[Vector3<f64>]) -> LinkMesh {
    let mut mesh = LinkMesh {
        nodes: positions.iter().enumerate().map(|(i, p)| grid(10 * i as u32 + 10, *p)).collect(),
        materials: vec![isotropic(1.0, 0.3, 1.0)],
        properties: vec![psolid(SolidIntegration::Default, Some(CoordIndex::BASIC))],
        ..LinkMesh::default()
    };
    let nodes: Vec<NodeIndex> = (0..positions.len()).map(NodeIndex::from).collect();
    push_solid(&mut mesh, shape, &nodes);
    mesh
}

fn refusal(mesh: &LinkMesh) -> String {
    match build(ElementContext { mesh, extra_nsm: 0.0 }, ElementRef::Solid(0)) {
        Ok(_) => String::from("accepted"),
        Err(diagnostic) => diagnostic.headline(),
    }
}

#[test]
fn bad_shapes_are_refused_by_name_and_corner() {
    for shape in SHAPES {
        let good = positions(shape, 0.1);
        assert_eq!(refusal(&single(shape, &good)), "accepted", "{shape:?}");
        let mirrored: Vec<_> = good.iter().map(|p| Vector3::new(-p.x, p.y, p.z)).collect();
        let message = refusal(&single(shape, &mirrored));
        assert!(message.starts_with(shape.card()) && message.contains("inside out"), "{shape:?}: {message}");
        let flat: Vec<_> = good.iter().map(|p| Vector3::new(p.x, p.y, 0.0)).collect();
        let message = refusal(&single(shape, &flat));
        assert!(message.contains("collapsed") && message.contains("GRID"), "{shape:?}: {message}");
    }
    // G7 pushed through the opposite corner: only that end is folded.
    let mut folded = positions(SolidShape::Hexa8, 0.0);
    folded[6] = folded[0] * 1.2 - folded[6] * 0.2;
    let message = refusal(&single(SolidShape::Hexa8, &folded));
    assert!(
        message.contains("CHEXA 1") && message.contains("corner G") && message.contains("folds"),
        "{message}"
    );
    let mut mesh = single(SolidShape::Hexa8, &positions(SolidShape::Hexa8, 0.0));
    mesh.solid_nodes[7] = mesh.solid_nodes[6];
    assert!(refusal(&mesh).contains("GRID 70 is used twice, as G7 and as G8"), "{}", refusal(&mesh));
}

#[test]
fn bad_materials_are_refused() {
    let mut mesh = single(SolidShape::Hexa8, &positions(SolidShape::Hexa8, 0.0));
    for (material, word) in [
        (isotropic(1.0, 0.5, 0.0), "ν must lie"),
        (isotropic(0.0, 0.3, 0.0), "E must be positive"),
        (anisotropic(Matrix6::zeros()), "not positive definite"),
    ] {
        mesh.materials[0] = material;
        assert!(refusal(&mesh).contains(word), "{}", refusal(&mesh));
    }
}

/// PSOLID with IN = 3 keeps all points of a quadratic shape, IN = 2 takes the smaller rule, which leaves a
/// lone 20-node hexahedron six mechanisms (48 strains at 8 points for 54 deformations).
#[test]
fn psolid_in_chooses_the_rule() {
    let zeros = |points: &str| {
        let mut mesh = single(SolidShape::Hexa20, &positions(SolidShape::Hexa20, 0.0));
        mesh.properties[0] = psolid(SolidIntegration::Reduced, Some(CoordIndex::BASIC));
        if let PropertyKind::Solid(_, property) = &mut mesh.properties[0].kind {
            property.card_fields[0] = points.into();
        }
        let element = build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::Solid(0)).unwrap();
        let values = element.stiffness().unwrap().symmetric_eigenvalues();
        let largest = values.max();
        values.iter().filter(|v| **v < 1e-9 * largest).count()
    };
    assert_eq!(zeros("3"), 6);
    assert_eq!(zeros("2"), 12);
}
