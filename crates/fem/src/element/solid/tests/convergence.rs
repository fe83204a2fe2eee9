//! Observed order of convergence of every shape on a smooth problem.

use nalgebra::Vector3;
use pliant_mesh::element::SolidShape;
use pliant_mesh::property::SolidIntegration;
use pliant_mesh::{Components, NodeIndex};

use super::block::{Block, SHAPES, isotropic, mesh};
use super::solve::displacements;
use crate::element::patch::observed_order;

/// u = ∇φ of a harmonic φ = sin(x) sin(2y) e^(√5 z)/10: without divergence and without body force, so it
/// solves Navier's equations for every ν.
fn exact(p: Vector3<f64>) -> Vector3<f64> {
    let c = 5.0_f64.sqrt();
    let e = 0.1 * (c * p.z).exp();
    Vector3::new(
        e * p.x.cos() * (2.0 * p.y).sin(),
        2.0 * e * p.x.sin() * (2.0 * p.y).cos(),
        c * e * p.x.sin() * (2.0 * p.y).sin(),
    )
}

/// Root mean square of the error at the nodes inside, displacements imposed on the surface of a smoothly
/// distorted cube.
fn error(shape: SolidShape, cells: usize) -> f64 {
    let map = |p: Vector3<f64>| {
        let bump = |v: f64| (std::f64::consts::PI * v).sin();
        p + 0.08 * bump(p.x) * bump(p.y) * bump(p.z) * Vector3::new(1.0, -0.7, 0.5)
    };
    let block = Block {
        shape,
        cells: [cells; 3],
        map: &map,
        curved: true,
        integration: SolidIntegration::Default,
        material: isotropic(1.0, 0.3, 0.0),
    };
    let (mut mesh, parameters) = mesh(&block);
    for (node, p) in mesh.nodes.iter_mut().zip(&parameters) {
        if p.iter().any(|v| *v == 0.0 || *v == 1.0) {
            node.permanent_spc = Components::ALL;
        }
    }
    let positions: Vec<Vector3<f64>> = mesh.nodes.iter().map(|n| n.position).collect();
    let enforced =
        |node: NodeIndex, row: usize| if row < 3 { exact(positions[node.index()])[row] } else { 0.0 };
    let (dofs, u) = displacements(&mesh, &vec![0.0; 6 * mesh.nodes.len()], &enforced);
    let inside = parameters.iter().enumerate().filter(|(_, p)| !p.iter().any(|v| *v == 0.0 || *v == 1.0));
    let (mut sum, mut count) = (0.0, 0.0);
    for (i, _) in inside {
        let at = dofs.rows_of(NodeIndex::from(i)).start;
        sum += (Vector3::new(u[at], u[at + 1], u[at + 2]) - exact(positions[i])).norm_squared();
        count += 1.0;
    }
    f64::sqrt(sum / count)
}

/// Displacements converge with order p + 1: 2 for linear shapes, 3 for quadratic ones. The margin is for
/// meshes that are still coarse.
#[test]
fn displacements_converge_with_the_order_of_the_shape() {
    for shape in SHAPES {
        let quadratic = shape.node_count() > shape.corner_count();
        let cells: &[usize] = if quadratic { &[2, 3, 4] } else { &[2, 4, 6] };
        let sizes: Vec<f64> = cells.iter().map(|n| 1.0 / *n as f64).collect();
        let errors: Vec<f64> = cells.iter().map(|n| error(shape, *n)).collect();
        let order = observed_order(&format!("{shape:?}"), &sizes, &errors);
        let wanted = if quadratic { 3.0 } else { 2.0 };
        assert!(order > wanted - 0.3, "{shape:?}: order {order:.2}");
    }
}
