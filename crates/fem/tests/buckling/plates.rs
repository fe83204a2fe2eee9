//! A simply supported square plate (Timoshenko and Gere, chapter 9): N = 4π²D/a² pushed along one axis,
//! 2π²D/a² along both, 9.34π²D/a² in shear.

use std::f64::consts::PI;

use crate::deck::{Bulk, compare};

const E: f64 = 2e11;
const NU: f64 = 0.3;
const T: f64 = 0.005;

/// How the plate is loaded by unit forces per length.
#[derive(Clone, Copy, PartialEq)]
enum Push {
    OneAxis,
    BothAxes,
    Shear,
}

/// The lowest positive factor of a unit square of n×n cells.
fn plate(shape: &str, n: usize, push: Push, property: &str) -> f64 {
    let mut bulk = Bulk::default();
    let quadratic = shape == "CQUAD8" || shape == "CTRIA6";
    let step = if quadratic { 2 } else { 1 };
    let m = n * step;
    let id = |i: usize, j: usize| 1 + i + (m + 1) * j;
    for j in 0..=m {
        for i in 0..=m {
            if shape == "CQUAD8" && i % 2 == 1 && j % 2 == 1 {
                continue;
            }
            let x = [i as f64 / m as f64, j as f64 / m as f64];
            bulk.grid(id(i, j), [x[0], x[1], 0.0]);
            let edge = |k: usize| k == 0 || k == m;
            // w, and the rotation of the normal along the edge: hard support.
            if edge(i) || edge(j) {
                let rotations = match (edge(i), edge(j)) {
                    (true, true) => "345",
                    (true, false) => "34",
                    _ => "35",
                };
                bulk.card(format_args!("SPC1,1,{rotations},{}", id(i, j)));
            }
            // Consistent forces of a unit pull on an edge of cells.
            let share = |k: usize| match (quadratic, k == 0 || k == m) {
                (false, true) => 0.5,
                (false, false) => 1.0,
                (true, true) => 1.0 / 6.0,
                (true, false) if k % 2 == 1 => 4.0 / 6.0,
                (true, false) => 2.0 / 6.0,
            } / n as f64;
            let sign = |k: usize| if k == 0 { 1.0 } else { -1.0 };
            let mut force = [0.0; 2];
            if edge(i) {
                match push {
                    Push::Shear => force[1] -= sign(i) * share(j),
                    _ => force[0] += sign(i) * share(j),
                }
            }
            if edge(j) {
                match push {
                    Push::Shear => force[0] -= sign(j) * share(i),
                    Push::BothAxes => force[1] += sign(j) * share(i),
                    Push::OneAxis => {}
                }
            }
            if force != [0.0; 2] {
                bulk.card(format_args!("FORCE,1,{},,1.,{:.9},{:.9},0.", id(i, j), force[0], force[1]));
            }
        }
    }
    let mut element = 0;
    for (i, j) in (0..n * n).map(|c| (step * (c % n), step * (c / n))) {
        element += 2;
        let g = |a: usize, b: usize| id(i + a, j + b);
        match shape {
            "CQUAD4" => {
                bulk.card(format_args!("CQUAD4,{element},1,{},{},{},{}", g(0, 0), g(1, 0), g(1, 1), g(0, 1)))
            }
            "CTRIA3" => {
                bulk.card(format_args!("CTRIA3,{element},1,{},{},{}", g(0, 0), g(1, 0), g(1, 1)));
                bulk.card(format_args!("CTRIA3,{},1,{},{},{}", element + 1, g(0, 0), g(1, 1), g(0, 1)));
            }
            "CQUAD8" => bulk.card(format_args!(
                "CQUAD8,{element},1,{},{},{},{},{},{},\n,{},{}",
                g(0, 0),
                g(2, 0),
                g(2, 2),
                g(0, 2),
                g(1, 0),
                g(2, 1),
                g(1, 2),
                g(0, 1)
            )),
            _ => {
                let first = [g(0, 0), g(2, 0), g(2, 2), g(1, 0), g(2, 1), g(1, 1)];
                let second = [g(0, 0), g(2, 2), g(0, 2), g(1, 1), g(1, 2), g(0, 1)];
                for (k, [a, b, c, d, e, f]) in [first, second].into_iter().enumerate() {
                    bulk.card(format_args!("CTRIA6,{},1,{a},{b},{c},{d},{e},{f}", element + k));
                }
            }
        }
    }
    bulk.card(format_args!("MAT1,1,{E:.9e},,{NU:.9e}\n{property}"));
    // The plate does not slide away or turn in its plane.
    let middle = id(m / 2, m / 2);
    bulk.card(format_args!("SPC1,1,12,{middle}\nSPC1,1,2,{}", id(0, m / 2)));
    bulk.factors(3).into_iter().find(|f| *f > 0.0).unwrap()
}

#[test]
fn squares_of_every_shell() {
    let stiffness = E * T.powi(3) / (12.0 * (1.0 - NU * NU));
    let unit = PI * PI * stiffness;
    let plain = format!("PSHELL,1,1,{T:.9e},1,,1");
    for (shape, n) in [("CQUAD4", 24), ("CTRIA3", 16), ("CQUAD8", 6), ("CTRIA6", 6)] {
        compare(&format!("{shape} along x"), plate(shape, n, Push::OneAxis, &plain), 4.0 * unit, 0.01);
        compare(&format!("{shape} along both"), plate(shape, n, Push::BothAxes, &plain), 2.0 * unit, 0.01);
    }
    // Shear has a finer pattern of buckles; 9.325 is the converged factor.
    compare("CQUAD4 in shear", plate("CQUAD4", 40, Push::Shear, &plain), 9.325 * unit, 0.01);
}

/// The same plate of four plies of one isotropic material is the same plate.
#[test]
fn a_laminate_of_one_material_is_a_plate() {
    let plain = plate("CQUAD4", 6, Push::OneAxis, &format!("PSHELL,1,1,{T:.9e},1,,1"));
    let quarter = T / 4.0;
    let plies = format!("PCOMP,1,,,,,,,SYM,\n,1,{quarter:.9e},0.,,1,{quarter:.9e},90.");
    let laminate = plate("CQUAD4", 6, Push::OneAxis, &plies);
    compare("laminate", laminate, plain, 2e-3);
}
