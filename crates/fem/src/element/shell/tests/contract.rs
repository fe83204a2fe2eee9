//! Every shell keeps the contract of elements: flat, warped, offset, of regular shape, without some mid-side
//! nodes.

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_mesh::NodeIndex;
use pliant_mesh::element::ShellShape;
use pliant_mesh::property::{LaminateKind, PropertyKind};

use super::{
    RHO, SHAPES, add_property, add_shell, carbon, corners, element, isotropic, laminate, material, oblique,
    plate,
};
use crate::element::contract::{self, Contract, MassFacts, Placement};

/// Mass, centre and inertia of a flat polygon of thickness t, from its fan of triangles.
fn polygon_mass(corners: &[Vector3<f64>], t: f64) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    for i in 1..corners.len() - 1 {
        let [a, b, c] = [corners[0], corners[i], corners[i + 1]];
        let m = 0.5 * RHO * t * (b - a).cross(&(c - a)).norm();
        mass += m;
        first += (a + b + c) * (m / 3.0);
        // The three mid-side points integrate second moments exactly.
        for p in [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5] {
            second += p * p.transpose() * (m / 3.0);
        }
    }
    let centre = first / mass;
    let mut about = second - centre * centre.transpose() * mass;
    // Spread over the thickness. A shell's normals have no inertia about themselves beyond this.
    about += normal * normal.transpose() * (mass * t * t / 12.0);
    let inertia = Matrix3::identity() * about.trace() - about;
    // βx and βy carry ρt³/12; the trace term above gives the drilling axis none of it, as for the solid body.
    (mass, centre, inertia)
}

#[test]
fn flat_shells_keep_the_contract() {
    let t = 0.13;
    for shape in SHAPES {
        let positions: Vec<_> =
            corners(shape, 0.0).iter().map(|p| oblique() * p + Vector3::new(1.0, -2.0, 0.5)).collect();
        let (mass, centre, inertia) = polygon_mass(&positions[..shape.corner_count()], t);
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(t))));
            let which = add_shell(&mut mesh, shape, &placement.nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: Some(MassFacts { mass, centre, inertia_about_centre: Some(inertia) }),
        });
    }
}

#[test]
fn warped_offset_laminates_keep_the_contract() {
    for shape in SHAPES {
        let mut flat = corners(shape, 0.1);
        flat[2].z += 0.4;
        let positions: Vec<_> = flat.iter().map(|p| oblique() * p).collect();
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, carbon());
            mesh.materials[0].density = 0.0;
            let plies = [(0.02, 0.0), (0.03, 45.0), (0.01, 90.0)];
            let property = laminate(&plies, LaminateKind::General, Some(0.01));
            add_property(&mut mesh, PropertyKind::Laminate(Box::new(property)));
            let which = add_shell(&mut mesh, shape, &placement.nodes, Some(0.2));
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

/// Regular shapes, where terms that a distorted one has may vanish.
#[test]
fn rectangles_move_without_strain_only_when_rigid() {
    for shape in SHAPES {
        let mut flat = vec![Vector3::zeros(), Vector3::new(2.0, 0.0, 0.0), Vector3::new(2.0, 1.0, 0.0)];
        if shape.corner_count() == 4 {
            flat.push(Vector3::new(0.0, 1.0, 0.0));
        }
        let count = flat.len();
        if shape.node_count() > count {
            flat.extend((0..count).map(|i| (flat[i] + flat[(i + 1) % count]) * 0.5).collect::<Vec<_>>());
        }
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            mesh.materials[0].density = 0.0;
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
            let which = add_shell(&mut mesh, shape, &placement.nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions: flat.iter().map(|p| oblique() * p).collect(),
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

#[test]
fn quadratic_shells_without_some_mid_side_nodes_keep_the_contract() {
    for (shape, missing) in [(ShellShape::Quad8, 5), (ShellShape::Quad8, 7), (ShellShape::Tria6, 4)] {
        let mut positions: Vec<_> = corners(shape, 0.05).iter().map(|p| oblique() * p).collect();
        positions.remove(missing);
        let make = |placement: &Placement| {
            let mut mesh = placement.mesh();
            material(&mut mesh, isotropic());
            mesh.materials[0].density = 0.0;
            add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
            let mut nodes = placement.nodes.clone();
            nodes.insert(missing, NodeIndex::NONE);
            let which = add_shell(&mut mesh, shape, &nodes, None);
            element(&mesh, which)
        };
        contract::check(&Contract {
            name: shape.card(),
            positions,
            build: &make,
            zero_energy_modes: 6,
            mass: None,
        });
    }
}

/// A quadrilateral has no first corner: with any other, and turned over, the stiffness is the same.
#[test]
fn quadrilaterals_do_not_depend_on_which_corner_comes_first() {
    for shape in [ShellShape::Quad4, ShellShape::QuadR] {
        for warp in [0.0, 0.4] {
            let mut positions = corners(shape, 0.0);
            positions[2].z += warp;
            // K in the order of `positions` of the element whose card has them in this order.
            let stiffness = |order: [usize; 4]| {
                let placement = Placement {
                    positions: positions.clone(),
                    nodes: (0..4).map(NodeIndex::from).collect(),
                    rotation: Matrix3::identity(),
                };
                let mut mesh = placement.mesh();
                material(&mut mesh, isotropic());
                add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(0.1))));
                let which = add_shell(&mut mesh, shape, &order.map(NodeIndex::from), None);
                let thickness = [0.1, 0.12, 0.2, 0.0];
                mesh.shells[0].corner_thickness = order.map(|corner| Some(thickness[corner]));
                let K = element(&mesh, which).stiffness().unwrap();
                let reordered = |row: usize| 6 * order.iter().position(|c| *c == row / 6).unwrap() + row % 6;
                DMatrix::from_fn(24, 24, |i, j| K[(reordered(i), reordered(j))])
            };
            let K = stiffness([0, 1, 2, 3]);
            for order in [[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2], [3, 2, 1, 0], [0, 3, 2, 1]] {
                let off = (stiffness(order) - &K).amax() / K.amax();
                assert!(off < 1e-12, "{} {order:?}, warp {warp}: {off:e}", shape.card());
            }
        }
    }
}
