//! Lateral buckling, where moments and torques matter (Timoshenko and Gere, chapter 6): narrow strips without
//! warping stiffness.

use std::f64::consts::PI;

use crate::deck::{Bulk, compare};

const E: f64 = 7e10;
const NU: f64 = 0.3;

/// A cantilever strip under a force at its end: 4.013 √(EI GJ)/L². One on two forks under equal moments: π
/// √(EI GJ)/L.
#[test]
fn strips_of_beams() {
    let (i_strong, i_weak, j) = (1e-4, 1e-8, 4e-8);
    let g = E / (2.0 * (1.0 + NU));
    let n = 16;
    for (case, exact) in [("force", 4.0126), ("moment", PI)] {
        let mut bulk = Bulk::default();
        for i in 0..=n {
            bulk.grid(i + 1, [i as f64 / n as f64, 0.0, 0.0]);
        }
        for i in 1..=n {
            bulk.card(format_args!("CBAR,{i},1,{i},{},0.,0.,1.", i + 1));
        }
        bulk.card(format_args!(
            "MAT1,1,{E:.9e},,{NU:.9e}\nPBAR,1,1,1.-2,{i_strong:.9e},{i_weak:.9e},{j:.9e}"
        ));
        if case == "force" {
            bulk.card(format_args!("SPC1,1,123456,1\nFORCE,1,{},,1.,0.,0.,-1.", n + 1));
        } else {
            bulk.card(format_args!("SPC1,1,1234,1\nSPC1,1,234,{}", n + 1));
            bulk.card(format_args!("MOMENT,1,1,,1.,0.,1.,0.\nMOMENT,1,{},,1.,0.,-1.,0.", n + 1));
        }
        let found = bulk.factors(2).into_iter().find(|f| *f > 0.0).unwrap();
        compare(case, found, exact * (E * i_weak * g * j).sqrt(), 0.005);
    }
}

/// The cantilever strip as a plate standing on edge: bending in its plane is membrane stress.
#[test]
fn a_strip_of_shells() {
    let (height, thickness, length) = (0.05_f64, 0.002_f64, 3.0_f64);
    let (n, m) = (120, 4);
    let mut bulk = Bulk::default();
    let id = |i: usize, j: usize| 1 + i * (m + 1) + j;
    for i in 0..=n {
        for j in 0..=m {
            let (x, z) = (length * i as f64 / n as f64, height * (j as f64 / m as f64 - 0.5));
            bulk.grid(id(i, j), [x, 0.0, z]);
        }
    }
    for i in 0..n {
        for j in 0..m {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            bulk.card(format_args!("CQUAD4,{},1,{a},{b},{c},{d}", 1 + i * m + j));
        }
    }
    bulk.card(format_args!("MAT1,1,{E:.9e},,{NU:.9e}\nPSHELL,1,1,{thickness:.9e},1,,1"));
    bulk.card(format_args!("SPC1,1,123456,1,THRU,{}", m + 1));
    bulk.card(format_args!("FORCE,1,{},,1.,0.,0.,-1.", id(n, m / 2)));
    let found = bulk.factors(2).into_iter().find(|f| *f > 0.0).unwrap();
    let torsion =
        E / (2.0 * (1.0 + NU)) * height * thickness.powi(3) / 3.0 * (1.0 - 0.63 * thickness / height);
    let bending = E * height * thickness.powi(3) / 12.0;
    // Clamped against warping, its first half height or so hardly twists: 1.5 % above the beam when 20 times
    // as long as high.
    compare("strip of CQUAD4", found, 4.0126 * (bending * torsion).sqrt() / length.powi(2), 0.01);
}
