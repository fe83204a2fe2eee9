//! Observed order of convergence on smooth problems.

use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate, SHAPES};

/// D = 1 and so thin that transverse shear adds less than 2e-5.
const PLATE: Plate = Plate { youngs_modulus: 10.92e9, poisson_ratio: 0.3, density: 0.0, thickness: 0.001 };

/// Centre deflection of a unit square plate under unit pressure, a quarter of it with `cells` linear elements
/// along an edge, or half as many quadratic ones.
fn centre(shape: ShellShape, cells: usize, clamped: bool) -> f64 {
    let quadratic = shape.node_count() > shape.corner_count();
    let n = if quadratic { cells / 2 } else { cells };
    let mut model = Model::new(shape, PLATE, (n, n), |xi, eta| Vector3::new(0.5 * xi, 0.5 * eta, 0.0));
    let (last_i, last_j) = model.last();
    model.fix_where("126", |_, _| true);
    model.fix_where(if clamped { "345" } else { "34" }, |i, _| i == 0);
    model.fix_where(if clamped { "345" } else { "35" }, |_, j| j == 0);
    model.fix_where("5", |i, _| i == last_i);
    model.fix_where("4", |_, j| j == last_j);
    model.pressure(1.0, None);
    model.solve()[model.lattice[&(last_i, last_j)]][2]
}

/// Series values of S. Timoshenko and S. Woinowsky-Krieger, Theory of Plates and Shells, 1959 (tables 8 and
/// 35), with more digits: 0.00406235 qa⁴/D supported and 0.00126532 qa⁴/D clamped. Linear elements are
/// watched on the clamped plate, where they are farther off; quadratic ones on the supported one. All of them
/// converge with the square of the element size or better.
#[test]
fn square_plates() {
    for shape in SHAPES {
        let quadratic = shape.node_count() > shape.corner_count();
        let (clamped, exact, meshes) =
            if quadratic { (false, 0.004_062_35, [4, 8]) } else { (true, 0.001_265_32, [8, 16]) };
        let errors = meshes.map(|cells| (centre(shape, cells, clamped) / exact - 1.0).abs());
        let order = (errors[0] / errors[1]).log2();
        println!(
            "square plate, {:<7} errors {:.2e} {:.2e}, order {order:.2}",
            shape.card(),
            errors[0],
            errors[1]
        );
        // 2 in the limit; coarse meshes of linear elements approach it from below.
        assert!(order > 1.6, "{shape:?}: order {order}");
    }
}

/// In the plane, u = ∇φ of the harmonic φ = sin 2x sinh 2y / 10 solves Navier's equations without body force
/// for every ν and does not turn the material. It is imposed on the boundary of a smoothly distorted square.
fn in_plane_error(shape: ShellShape, cells: usize) -> f64 {
    let plate = Plate { youngs_modulus: 1.0, poisson_ratio: 0.3, density: 0.0, thickness: 0.1 };
    let mut model = Model::new(shape, plate, (cells, cells), |xi, eta| {
        let bump = 0.06 * (PI * xi).sin() * (PI * eta).sin();
        Vector3::new(xi + bump, eta - 0.7 * bump, 0.0)
    });
    let exact = |p: Vector3<f64>| {
        let (x, y) = (2.0 * p.x, 2.0 * p.y);
        [0.2 * x.cos() * y.sinh(), 0.2 * x.sin() * y.cosh()]
    };
    let (last_i, last_j) = model.last();
    model.fix_where("345", |_, _| true);
    let mut inside = Vec::new();
    for ((i, j), node) in model.lattice.clone() {
        if i == 0 || j == 0 || i == last_i || j == last_j {
            let [u, v] = exact(model.mesh.nodes[node].position);
            for (row, value) in [(0, u), (1, v), (5, 0.0)] {
                model.hold_at(node, row, value);
            }
        } else {
            inside.push(node);
        }
    }
    let found = model.solve();
    let squares = inside.iter().map(|node| {
        let [u, v] = exact(model.mesh.nodes[*node].position);
        (found[*node][0] - u).powi(2) + (found[*node][1] - v).powi(2)
    });
    (squares.sum::<f64>() / inside.len() as f64).sqrt()
}

/// Order 2 for linear shapes, 3 for CQUAD8; CTRIA6, whose membrane strain is tied to be linear (see
/// tying.rs), has 2 where its sides are curved, as here. The margin is for meshes that are still coarse.
#[test]
fn stretched_and_sheared_in_the_plane() {
    for shape in SHAPES {
        let quadratic = shape.node_count() > shape.corner_count();
        let meshes = if quadratic { [3, 6] } else { [6, 12] };
        let errors = meshes.map(|cells| in_plane_error(shape, cells));
        let order = (errors[0] / errors[1]).log2();
        println!(
            "in its plane, {:<7} errors {:.2e} {:.2e}, order {order:.2}",
            shape.card(),
            errors[0],
            errors[1]
        );
        let wanted = if shape == ShellShape::Quad8 { 3.0 } else { 2.0 };
        assert!(order > wanted - 0.3, "{shape:?}: order {order}");
    }
}
