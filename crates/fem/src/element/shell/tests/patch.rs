//! MacNeal and Harder's patch tests.

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, MaterialLaw, NodeIndex};

use super::{SHAPES, add_property, add_shell, material, oblique, plate};
use crate::element::contract::Placement;
use crate::element::patch::check_patch;
use crate::element::{Element, ElementContext, build};

/// MacNeal and Harder's patch: 0.24 × 0.12 with four inner nodes; a shape for each cell, which triangles cut
/// in two.
pub(super) fn patch(shapes: [ShellShape; 5], t: f64) -> (LinkMesh, Vec<Box<dyn Element>>, Vec<NodeIndex>) {
    let turn = oblique();
    let points = [
        (0.0, 0.0),
        (0.24, 0.0),
        (0.24, 0.12),
        (0.0, 0.12),
        (0.04, 0.02),
        (0.18, 0.03),
        (0.16, 0.08),
        (0.08, 0.08),
    ];
    let mut positions: Vec<_> = points.iter().map(|(x, y)| Vector3::new(*x, *y, 0.0)).collect();
    let cells = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]];
    let faces: Vec<(ShellShape, Vec<usize>)> = cells
        .iter()
        .zip(shapes)
        .flat_map(|(c, shape)| {
            if shape.corner_count() == 4 {
                vec![(shape, c.to_vec())]
            } else {
                vec![(shape, vec![c[0], c[1], c[2]]), (shape, vec![c[0], c[2], c[3]])]
            }
        })
        .collect();
    let mut interior = vec![4, 5, 6, 7];
    let mut full = Vec::new();
    for (shape, face) in faces {
        let mut nodes = face.clone();
        if shape.node_count() > shape.corner_count() {
            for i in 0..face.len() {
                let (a, b) = (face[i], face[(i + 1) % face.len()]);
                let middle = (positions[a] + positions[b]) * 0.5;
                let node = positions.iter().position(|p| (p - middle).norm() < 1e-12).unwrap_or_else(|| {
                    positions.push(middle);
                    positions.len() - 1
                });
                let edge =
                    middle.x < 1e-9 || middle.y < 1e-9 || middle.x > 0.24 - 1e-9 || middle.y > 0.12 - 1e-9;
                if !edge && !interior.contains(&node) {
                    interior.push(node);
                }
                nodes.push(node);
            }
        }
        full.push((shape, nodes));
    }
    let placement = Placement {
        positions: positions.iter().map(|p| turn * p).collect(),
        nodes: (0..positions.len()).map(NodeIndex::from).collect(),
        rotation: *turn.matrix(),
    };
    let mut mesh = placement.mesh();
    material(
        &mut mesh,
        MaterialLaw::Isotropic {
            youngs_modulus: 1e6,
            shear_modulus: 4e5,
            poisson_ratio: 0.25,
            thermal_expansion: 0.0,
        },
    );
    add_property(&mut mesh, PropertyKind::Shell(Box::new(plate(t))));
    let which: Vec<_> = full
        .iter()
        .map(|(shape, nodes)| {
            let nodes: Vec<_> = nodes.iter().map(|n| NodeIndex::from(*n)).collect();
            add_shell(&mut mesh, *shape, &nodes, None)
        })
        .collect();
    let context = ElementContext { mesh: &mesh, extra_nsm: 0.0 };
    let elements = which.iter().map(|w| build(context, *w).unwrap()).collect();
    (mesh, elements, interior.into_iter().map(NodeIndex::from).collect())
}

/// Field of MacNeal and Harder's patch tests in turned axes: u = 10⁻³(x + y/2), v = 10⁻³(y + x/2), here with
/// a rigid rotation that makes it u = 10⁻³(x + y), v = 10⁻³y, and w = 10⁻³(x² + xy + y²)/2 with its
/// rotations.
fn field(p: Vector3<f64>, membrane: bool) -> [f64; 6] {
    let turn = oblique();
    let x = turn.inverse() * p;
    let (u, r) = if membrane {
        (Vector3::new(x.x + x.y, x.y, 0.0), Vector3::new(0.0, 0.0, -0.5))
    } else {
        let w = 0.5 * (x.x * x.x + x.x * x.y + x.y * x.y);
        // θx = w,y and θy = −w,x.
        (Vector3::new(0.0, 0.0, w), Vector3::new(0.5 * x.x + x.y, -x.x - 0.5 * x.y, 0.0))
    };
    let (u, r) = (turn * u * 1e-3, turn * r * 1e-3);
    [u.x, u.y, u.z, r.x, r.y, r.z]
}

#[test]
fn every_shell_passes_the_patch_tests() {
    let area = 0.24 * 0.12;
    for t in [0.001, 0.05] {
        // εx = εy = γ = 1e-3: ½ ε·Cε, and κ = −1e-3 likewise.
        let density = 0.5e-6 * (1e6 / (1.0 - 0.0625) * 2.0 * 1.25 + 4e5);
        let (four, three) = (ShellShape::Quad4, ShellShape::Tria3);
        let mixed = [[four, three, four, four, three], [three, four, four, three, four]];
        for shapes in SHAPES.map(|shape| [shape; 5]).into_iter().chain(mixed) {
            let (mesh, elements, interior) = patch(shapes, t);
            for membrane in [true, false] {
                let thickness = if membrane { t } else { t.powi(3) / 12.0 };
                // A state that has no shear strain: exact to rounding, amplified by the spread of stiffnesses
                // (L/t)².
                check_patch(
                    &format!("{shapes:?} t = {t} membrane = {membrane}"),
                    &elements,
                    |n| mesh.node(n).position,
                    &interior,
                    |p| field(p, membrane),
                    density * area * thickness,
                    1e-8,
                );
            }
        }
    }
}
