//! Nearly incompressible materials: the default linear hexahedron must not lock.

use nalgebra::{Matrix3, Vector3};
use pliant_diag::Origin;
use pliant_mesh::element::SolidShape;
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{
    Component, Components, CoordId, CoordIndex, CoordinateKind, CoordinateSystem, LinkMesh, NodeIndex,
};

use super::block::{Block, isotropic, mesh};
use super::solve::{displacements, face_load, faces_where};
use crate::element::FacePressure;

/// Radii of MacNeal and Harder's mesh of the thick-walled cylinder.
const RADII: [f64; 6] = [3.0, 3.5, 4.2, 5.2, 6.75, 9.0];

/// Radius at a fraction of the five layers.
fn radius(x: f64) -> f64 {
    let at = (x * 5.0).min(4.999_999_999);
    let k = at as usize;
    RADII[k] + (at - k as f64) * (RADII[k + 1] - RADII[k])
}

/// Puts every node into the coordinate system, fixes its components, applies unit pressure on the inside and
/// gives the mean radial displacement there.
fn inner_displacement(
    mut mesh: LinkMesh,
    parameters: &[Vector3<f64>],
    kind: CoordinateKind,
    fixed: Components,
) -> f64 {
    mesh.coordinates.push(CoordinateSystem {
        id: CoordId(1),
        kind,
        origin: Vector3::zeros(),
        axes: Matrix3::identity(),
        source: Origin::default(),
    });
    for node in &mut mesh.nodes {
        node.permanent_spc = fixed.union(Components::ROTATIONS);
    }
    let inside: Vec<NodeIndex> =
        (0..parameters.len()).map(NodeIndex::from).filter(|n| parameters[n.index()].x == 0.0).collect();
    let loads: Vec<_> = faces_where(&mesh, |n| parameters[n.index()].x == 0.0)
        .into_iter()
        .map(|(row, corners)| {
            (row, FacePressure { pressures: vec![1.0; corners.len()], corners, direction: None })
        })
        .collect();
    // Loads come in the basic frame; the solver works in displacement frames.
    let mut f = face_load(&mesh, &loads);
    for node in &mut mesh.nodes {
        node.displacement_frame = CoordIndex(1);
    }
    for (i, node) in mesh.nodes.iter().enumerate() {
        let triad = mesh.coordinates[1].triad_at(node.position);
        let nodal = triad.transpose() * Vector3::new(f[6 * i], f[6 * i + 1], f[6 * i + 2]);
        f[6 * i..6 * i + 3].copy_from_slice(nodal.as_slice());
    }
    let (dofs, u) = displacements(&mesh, &f, &|_, _| 0.0);
    let radial = |n: &NodeIndex| u[dofs.row(*n, Component::from_row(0)).unwrap()];
    inside.iter().map(radial).sum::<f64>() / inside.len() as f64
}

fn block_mesh(
    shape: SolidShape,
    cells: [usize; 3],
    integration: SolidIntegration,
    nu: f64,
    map: &dyn Fn(Vector3<f64>) -> Vector3<f64>,
) -> (LinkMesh, Vec<Vector3<f64>>) {
    mesh(&Block { shape, cells, map, curved: true, integration, material: isotropic(1000.0, nu, 0.0) })
}

/// MacNeal and Harder (1985), thick-walled cylinder under internal pressure in plane strain, 5 elements
/// through the wall and a sector of 10°. Radial displacement at the inner radius: 5.0399e-3, 5.0602e-3,
/// 5.0623e-3.
#[test]
fn thick_cylinder_does_not_lock() {
    println!("MacNeal–Harder thick-walled cylinder, radial displacement over theory");
    println!("{:>10} {:>9} {:>9} {:>9} {:>9} {:>9}", "ν", "Hexa8", "isopar.", "Hexa20", "reduced", "Penta6");
    for (nu, theory) in [(0.49, 5.0399e-3), (0.499, 5.0602e-3), (0.4999, 5.0623e-3)] {
        let map = |p: Vector3<f64>| {
            let (sin, cos) = (10.0 * p.y - 5.0_f64).to_radians().sin_cos();
            Vector3::new(radius(p.x) * cos, radius(p.x) * sin, p.z)
        };
        // Symmetry planes hold the circumferential component, plane strain the axial one.
        let fixed = Components::one(Component::from_row(1)).with(Component::from_row(2));
        let ratio = |shape, integration| {
            let (mesh, parameters) = block_mesh(shape, [5, 1, 1], integration, nu, &map);
            inner_displacement(mesh, &parameters, CoordinateKind::Cylindrical, fixed) / theory
        };
        let hexa8 = ratio(SolidShape::Hexa8, SolidIntegration::Default);
        let plain = ratio(SolidShape::Hexa8, SolidIntegration::Full);
        let hexa20 = ratio(SolidShape::Hexa20, SolidIntegration::Default);
        let penta6 = ratio(SolidShape::Penta6, SolidIntegration::Default);
        let reduced = ratio(SolidShape::Hexa20, SolidIntegration::Reduced);
        println!("{nu:>10} {hexa8:>9.4} {plain:>9.4} {hexa20:>9.4} {reduced:>9.4} {penta6:>9.4}");
        // Grade A of MacNeal and Harder: within 2 %. The fully integrated 20-node element is known to stiffen
        // at the last ν.
        assert!((hexa8 - 1.0).abs() < 0.02, "ν = {nu}: {hexa8}");
        assert!((reduced - 1.0).abs() < 0.02, "ν = {nu}: {reduced}");
        assert!(nu > 0.499 || (hexa20 - 1.0).abs() < 0.02, "ν = {nu}: {hexa20}");
    }
}

/// Thick sphere under internal pressure (Lamé): u(a) = p a/(E (b³−a³)) ((1−2ν) a³ + (1+ν) b³/2), with a = 3,
/// b = 9. A sector of 6° by 6° on the equator.
#[test]
fn thick_sphere_does_not_lock() {
    println!("Thick sphere, radial displacement over Lamé's");
    println!("{:>10} {:>9} {:>9}", "ν", "Hexa8", "isopar.");
    for nu in [0.49, 0.499, 0.4999] {
        let (a, b): (f64, f64) = (3.0, 9.0);
        let theory = a / (1000.0 * (b.powi(3) - a.powi(3)))
            * ((1.0 - 2.0 * nu) * a.powi(3) + (1.0 + nu) * b.powi(3) / 2.0);
        let map = |p: Vector3<f64>| {
            let (sin_phi, cos_phi) = (6.0 * p.y - 3.0_f64).to_radians().sin_cos();
            let (sin, cos) = (6.0 * p.z - 3.0_f64).to_radians().sin_cos();
            radius(p.x) * Vector3::new(cos * cos_phi, cos * sin_phi, sin)
        };
        let fixed = Components::one(Component::from_row(1)).with(Component::from_row(2));
        let ratio = |integration| {
            let (mesh, parameters) = block_mesh(SolidShape::Hexa8, [5, 1, 1], integration, nu, &map);
            inner_displacement(mesh, &parameters, CoordinateKind::Spherical, fixed) / theory
        };
        let (hexa8, plain) = (ratio(SolidIntegration::Default), ratio(SolidIntegration::Full));
        println!("{nu:>10} {hexa8:>9.4} {plain:>9.4}");
        // Five layers that grow by 1.3 from each to the next leave 3 % of discretisation error at every ν.
        assert!((hexa8 - 1.0).abs() < 0.05, "ν = {nu}: {hexa8}");
    }
}

/// A cantilever of nearly incompressible material in a distorted 3D mesh, against a finer mesh of 20-node
/// elements with reduced integration, which is known to be free of locking.
#[test]
fn bending_at_nu_near_half_does_not_lock() {
    let deflection = |shape: SolidShape, cells: [usize; 3], integration: SolidIntegration| {
        let map = |p: Vector3<f64>| {
            let inner = |v: f64| v * (1.0 - v);
            let bow = 1.2 * inner(p.x) * inner(p.y) * inner(p.z);
            Vector3::new(8.0 * p.x + 2.0 * bow, p.y + bow, p.z - bow)
        };
        let (mut mesh, parameters) = block_mesh(shape, cells, integration, 0.4999, &map);
        for (node, p) in mesh.nodes.iter_mut().zip(&parameters) {
            node.permanent_spc = if p.x == 0.0 { Components::ALL } else { Components::ROTATIONS };
        }
        let loads: Vec<_> = faces_where(&mesh, |n| parameters[n.index()].x == 1.0)
            .into_iter()
            .map(|(row, corners)| {
                let direction = Some(Vector3::y());
                (row, FacePressure { pressures: vec![1.0; corners.len()], corners, direction })
            })
            .collect();
        let (dofs, u) = displacements(&mesh, &face_load(&mesh, &loads), &|_, _| 0.0);
        let tip = parameters.iter().position(|p| *p == Vector3::x()).unwrap();
        u[dofs.row(NodeIndex::from(tip), Component::from_row(1)).unwrap()]
    };
    let reference = deflection(SolidShape::Hexa20, [12, 3, 3], SolidIntegration::Reduced);
    println!("cantilever 8×1×1 at ν = 0.4999, deflection over that of 12×3×3 Hexa20 reduced");
    let ratio = |cells, integration| deflection(SolidShape::Hexa8, cells, integration) / reference;
    let coarse = ratio([8, 2, 2], SolidIntegration::Default);
    let fine = ratio([16, 4, 4], SolidIntegration::Default);
    let plain = ratio([16, 4, 4], SolidIntegration::Full);
    println!("  Hexa8 8×2×2 {coarse:.4}, 16×4×4 {fine:.4}; isoparametric 16×4×4 {plain:.4}");
    assert!((fine - 1.0).abs() < 0.03, "{fine}");
    assert!(plain < 0.5, "the plain element should lock here, or the test says nothing: {plain}");
}
