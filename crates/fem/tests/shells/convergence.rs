//! Observed order of convergence on smooth problems.

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate, SHAPES};

/// D = 1 and so thin that transverse shear adds less than 2e-5.
const PLATE: Plate = Plate { youngs_modulus: 10.92e9, poisson_ratio: 0.3, density: 0.0, thickness: 0.001 };

/// Centre deflection of a unit square plate under unit pressure, a quarter of it with `cells` linear elements along an edge, or half as many quadratic ones.
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

/// Series values of S. Timoshenko and S. Woinowsky-Krieger, Theory of Plates and Shells, 1959 (tables 8 and 35), with more digits: 0.00406235 qa⁴/D
/// supported and 0.00126532 qa⁴/D clamped. Linear elements are watched on the clamped plate, where they are farther off; quadratic ones on
/// the supported one. All of them converge with the square of the element size or better.
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
