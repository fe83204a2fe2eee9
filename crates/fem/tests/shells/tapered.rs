//! Cantilevers that bend in the plane of their shells, one layer of trapezoids or a few of triangles deep:
//! what the thresholds and the words of `check` rest on (`src/plausibility/membrane.rs` prints this table).

use nalgebra::Vector3;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate};

const PLATE: Plate = Plate { youngs_modulus: 1e7, poisson_ratio: 0.3, density: 0.0, thickness: 0.1 };

/// Deflection of a cantilever 1 deep under a force at its tip, over that of Timoshenko's beam,
/// PL³/3EI + 6PL/5GA.
fn deflection(shape: ShellShape, length: f64, cells: (usize, usize), tangent: f64) -> f64 {
    let step = length / cells.0 as f64;
    let mut model = Model::new(shape, PLATE, cells, |xi, eta| {
        let edge = (xi * cells.0 as f64).round() as usize;
        let inside = edge > 0 && edge < cells.0;
        let lean = if inside { tangent * (eta - 0.5) } else { 0.0 };
        Vector3::new(step * edge as f64 + if edge.is_multiple_of(2) { lean } else { -lean }, eta, 0.0)
    });
    model.fix_where("345", |_, _| true);
    model.fix_where("126", |i, _| i == 0);
    let (last, top) = model.last();
    model.push_column(last, 1, 1.0);
    let u = model.solve();
    let tip = 0.5 * (u[model.lattice[&(last, 0)]][1] + u[model.lattice[&(last, top)]][1]);
    let (modulus, shear_modulus, t) = (1e7, 1e7 / 2.6, 0.1);
    tip / (length.powi(3) / (3.0 * modulus * t / 12.0) + 1.2 * length / (shear_modulus * t))
}

/// Against a prototype of QM6 in Python, and above the estimate of the energy, 1/(1 + 3τ²), which takes both
/// ends of every cell as slanted.
#[test]
fn trapezoids_lose_what_their_taper_says() {
    for (tau, wanted) in
        [(5.0, 0.0515), (2.0, 0.1786), (1.0, 0.4023), (0.5, 0.6954), (0.2, 0.9252), (0.1, 0.9749)]
    {
        // MacNeal and Harder's beam is the first: six cells five times as long as deep, sides at 45°.
        let found = deflection(ShellShape::Quad4, 30.0, (6, 1), tau / 5.0);
        let energy = 1.0 / (1.0 + 3.0 * tau * tau);
        println!("trapezoids, τ = {tau}: {found:.3}, energy {energy:.3}");
        // Printed digits, and K6ROT, which the prototype has not.
        assert!((found / wanted - 1.0).abs() < 0.005, "{tau}: {found}");
        assert!(found > energy, "{tau}: {found} {energy}");
    }
}

/// Squares cut in two by parallel diagonals.
#[test]
fn triangles_lose_what_check_says() {
    for (layers, wanted) in [(1, 0.23), (2, 0.54), (4, 0.82)] {
        let found = deflection(ShellShape::Tria3, 10.0, (10 * layers, layers), 0.0);
        println!("CTRIA3, {layers} across: {found:.3}");
        assert!((found - wanted).abs() < 0.02, "{layers}: {found}");
    }
}
