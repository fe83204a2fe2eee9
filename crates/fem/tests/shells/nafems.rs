//! NAFEMS free-vibration cases of plates (F. Abbassian, D. J. Dawswell and N. C. Knowles, "Selected
//! benchmarks for natural frequency analysis", NAFEMS, 1987), consistent mass. Each prints computed /
//! reference.

use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_fem::element::MassKind;
use pliant_mesh::element::ShellShape;

use crate::plates::{Model, Plate, SHAPES};

/// E = 200 GPa, ν = 0.3, ρ = 8000 kg/m³.
const STEEL: Plate = Plate { youngs_modulus: 200e9, poisson_ratio: 0.3, density: 8000.0, thickness: 0.05 };

/// Tolerances: discretisation error of the meshes NAFEMS gives, largest in the highest modes, which have two
/// half-waves or more across eight to ten linear elements.
///
/// Prints and asserts frequencies against the reference to `tolerance` (relative).
fn compare(case: &str, shape: ShellShape, found: &[f64], reference: &[f64], tolerance: f64) {
    print!("{case:<30} {:<7}", shape.card());
    for (f, r) in found.iter().zip(reference) {
        print!(" {f:9.4} ({:.4})", f / r);
    }
    println!();
    for (i, (f, r)) in found.iter().zip(reference).enumerate() {
        assert!(
            (f / r - 1.0).abs() < tolerance,
            "{case}, {}: mode {} at {f} Hz for {r}",
            shape.card(),
            i + 1
        );
    }
}

/// Cells along an edge: quadratic elements get half as many.
fn cells(shape: ShellShape, linear: usize) -> usize {
    if shape.node_count() > shape.corner_count() { linear / 2 } else { linear }
}

/// FV12: free thin square plate 10 × 10 × 0.05, modes 4 to 10 of the plate after its three rigid-body ones.
/// Reference frequencies are NAFEMS's target values (analytical, thin plate).
#[test]
fn fv12_free_thin_square_plate() {
    for shape in SHAPES {
        let n = cells(shape, 8);
        let mut model = Model::new(shape, STEEL, (n, n), |xi, eta| Vector3::new(10.0 * xi, 10.0 * eta, 0.0));
        model.fix_where("126", |_, _| true);
        let found = model.frequencies(MassKind::Consistent, 0.1, 10);
        assert!(found[2] < 1e-3, "three rigid-body modes: {found:?}");
        let reference = [1.622, 2.360, 2.922, 4.190, 4.190, 7.356, 7.356];
        compare("FV12 free square plate", shape, &found[3..], &reference, 0.06);
    }
}

/// FV16: cantilevered thin square plate 10 × 10 × 0.05.
#[test]
fn fv16_cantilevered_thin_square_plate() {
    for shape in SHAPES {
        let n = cells(shape, 8);
        let mut model = Model::new(shape, STEEL, (n, n), |xi, eta| Vector3::new(10.0 * xi, 10.0 * eta, 0.0));
        model.fix_where("126", |_, _| true);
        model.fix_where("345", |i, _| i == 0);
        let found = model.frequencies(MassKind::Consistent, 0.1, 6);
        let reference = [0.421, 1.029, 2.582, 3.306, 3.753, 6.555];
        compare("FV16 cantilevered square plate", shape, &found, &reference, 0.07);
    }
}

/// FV22: clamped thick rhombic plate, sides of 10 m at 45°, 1 m thick.
#[test]
fn fv22_clamped_thick_rhombic_plate() {
    for shape in SHAPES {
        // Meshes of quadratic elements and of triangles are finer than NAFEMS's: five and ten across do not
        // resolve the fifth mode.
        let n = if shape == ShellShape::Tria3 || shape == ShellShape::TriaR {
            14
        } else {
            cells(shape, 10).max(7)
        };
        let plate = Plate { thickness: 1.0, ..STEEL };
        let mut model = Model::new(shape, plate, (n, n), |xi, eta| {
            let (sin, cos) = (0.25 * PI).sin_cos();
            Vector3::new(10.0 * (xi + eta * cos), 10.0 * eta * sin, 0.0)
        });
        let (last_i, last_j) = model.last();
        model.fix_where("126", |_, _| true);
        model.fix_where("345", |i, j| i == 0 || j == 0 || i == last_i || j == last_j);
        let found = model.frequencies(MassKind::Consistent, 1.0, 6);
        let reference = [133.95, 201.41, 265.81, 282.74, 334.45, 386.62];
        compare("FV22 clamped rhombic plate", shape, &found, &reference, 0.09);
    }
}

/// FV32: cantilevered tapered membrane, 10 m long, 5 m deep at the root and 1 m at the tip, 0.05 m thick.
#[test]
fn fv32_cantilevered_tapered_membrane() {
    for shape in SHAPES {
        let (n, m) = (cells(shape, 16), cells(shape, 8));
        let mut model = Model::new(shape, STEEL, (n, m), |xi, eta| {
            Vector3::new(10.0 * xi, (eta - 0.5) * (5.0 - 4.0 * xi), 0.0)
        });
        model.fix_where("345", |_, _| true);
        model.fix_where("126", |i, _| i == 0);
        let found = model.frequencies(MassKind::Consistent, 1.0, 6);
        let reference = [44.623, 130.03, 162.70, 246.05, 379.90, 391.44];
        // Triangles of constant strain bend too little in their plane: 6 % on this mesh.
        let tolerance = if shape == ShellShape::Tria3 { 0.06 } else { 0.04 };
        compare("FV32 tapered membrane", shape, &found, &reference, tolerance);
    }
}
