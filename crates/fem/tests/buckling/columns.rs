//! Columns and a frame (S. P. Timoshenko and J. M. Gere, *Theory of Elastic Stability*, 2nd ed., chapter 2).

use std::f64::consts::PI;

use crate::deck::{Bulk, compare};

const E: f64 = 7e10;
const I: f64 = 2e-8;

/// Euler's column of CBARs, clamped at the foot; the top is free, pinned or guided.
fn column(elements: usize, top: &str, load: f64) -> Vec<f64> {
    let mut bulk = Bulk::default();
    for i in 0..=elements {
        bulk.grid(i + 1, [0.0, 0.0, 2.0 * i as f64 / elements as f64]);
    }
    for i in 1..=elements {
        bulk.card(format_args!("CBAR,{i},1,{i},{},1.,0.,0.", i + 1));
    }
    bulk.card(format_args!("MAT1,1,{E:.9e},,0.3\nPBAR,1,1,4.-4,{I:.9e},{:.9e},1.-7", 3.0 * I));
    bulk.card(format_args!("SPC1,1,123456,1"));
    if !top.is_empty() {
        bulk.card(format_args!("SPC1,1,{top},{}", elements + 1));
    }
    bulk.card(format_args!("FORCE,1,{},,{load:.9e},0.,0.,-1.", elements + 1));
    bulk.factors(2)
}

#[test]
fn euler_columns() {
    let euler = PI * PI * E * I / 4.0;
    let free = column(10, "", 1.0);
    compare("clamped and free", free[0], euler / 4.0, 1e-4);
    compare("clamped and free, stiff plane", free[1], 3.0 * euler / 4.0, 1e-4);
    // tan kL = kL.
    compare("clamped and pinned", column(10, "12", 1.0)[0], 4.493_409_458_f64.powi(2) * E * I / 4.0, 1e-3);
    compare("clamped and clamped", column(10, "12456", 1.0)[0], 4.0 * euler, 1e-3);
    compare("clamped and guided", column(10, "456", 1.0)[0], euler, 1e-3);
    // Pulled instead of pushed: only a reversed load buckles it.
    compare("in tension", column(10, "", -1.0)[0], -euler / 4.0, 1e-4);
}

/// A column without torsional stiffness (J blank), clamped and free, along any direction: AUTOSPC holds its
/// twist, which has no stiffness but the geometric one of Wagner's term. Holding a component of the axes
/// instead gave 0.93 of Euler's load to a skew one.
#[test]
fn a_column_without_torsional_stiffness_buckles_alike_in_any_orientation() {
    let (length, elements) = (2.0, 10);
    let factors = |[axis, side]: [[f64; 3]; 2]| {
        let mut bulk = Bulk::default();
        for i in 0..=elements {
            bulk.grid(i + 1, axis.map(|a| a * length * i as f64 / elements as f64));
        }
        let [v1, v2, v3] = side;
        for i in 1..=elements {
            bulk.card(format_args!("CBAR,{i},1,{i},{},{v1:.9},{v2:.9},{v3:.9}", i + 1));
        }
        bulk.card(format_args!("MAT1,1,{E:.9e},,0.3\nPBAR,1,1,4.-4,{I:.9e},{:.9e}", 3.0 * I));
        let [x, y, z] = axis.map(|a| -a);
        bulk.card(format_args!("SPC1,1,123456,1\nFORCE,1,{},,1.,{x:.9},{y:.9},{z:.9}", elements + 1));
        bulk.factors(2)
    };
    let (r2, r3, r6) = (2f64.sqrt(), 3f64.sqrt(), 6f64.sqrt());
    let directions = [
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        [[0.0, 0.6, 0.8], [1.0, 0.0, 0.0]],
        [[1.0 / r3, 1.0 / r3, 1.0 / r3], [1.0 / r2, -1.0 / r2, 0.0]],
        [[2.0 / r6, -1.0 / r6, 1.0 / r6], [0.0, 1.0 / r2, 1.0 / r2]],
    ];
    for direction in directions {
        let found = factors(direction);
        for (factor, planes) in found.iter().zip([1.0, 3.0]) {
            let exact = planes * PI * PI * E * I / (4.0 * length * length);
            compare(&format!("along {:.3?}", direction[0]), *factor, exact, 1e-4);
        }
    }
}

/// Too large for the dense solver: the iteration and its Sturm count; and the order of convergence.
#[test]
fn a_fine_column_goes_through_lanczos() {
    let found = column(80, "", 1.0);
    compare("80 elements", found[0], PI * PI * E * I / 16.0, 1e-7);
    let error = |n: usize| column(n, "", 1.0)[0] / (PI * PI * E * I / 16.0) - 1.0;
    let order = (error(2) / error(4)).log2();
    println!("order of the cubic beam: {order:.2}");
    assert!((order - 4.0).abs() < 0.2);
}

/// A portal frame, columns and beam of the same EI/L, loaded at both knees: it sways at kL·cot kL = −6 with
/// fixed feet and at kL·tan kL = 6 with hinged ones (Timoshenko and Gere, §2.4 with the stiffness of the
/// beam).
#[test]
fn portal_frames_sway() {
    for (feet, name, exact) in [("123456", "fixed", 2.716_465), ("12346", "hinged", 1.349_553)] {
        let (mut bulk, n) = (Bulk::default(), 6);
        let mut last = 0;
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        bulk.grid(1, corners[0]);
        for side in 0..3 {
            for i in 1..=n {
                let t = i as f64 / n as f64;
                let x = [0, 1, 2].map(|k| corners[side][k] + t * (corners[side + 1][k] - corners[side][k]));
                last += 1;
                bulk.grid(last + 1, x);
                bulk.card(format_args!("CBAR,{last},1,{last},{},0.,1.,0.", last + 1));
            }
        }
        bulk.card(format_args!("MAT1,1,{E:.9e},,0.3\nPBAR,1,1,1.-2,{:.9e},{I:.9e},1.-4", 1e3 * I));
        bulk.card(format_args!("SPC1,1,{feet},1,{}\nSPC1,1,246,1,THRU,{}", last + 1, last + 1));
        bulk.card(format_args!("FORCE,1,{},,1.,0.,0.,-1.\nFORCE,1,{},,1.,0.,0.,-1.", n + 1, 2 * n + 1));
        // Axial strain of the columns (EA = 7e8 N against P = 1e4 N) is a part in 10⁵.
        compare(name, bulk.factors(1)[0], exact * exact * E * I, 1e-3);
    }
}

/// A clamped column of solids, pushed evenly on its top face: Euler's load lowered by shear, 1/(1 + 1.2 P/GA)
/// (Timoshenko and Gere, §2.17).
#[test]
fn columns_of_solids() {
    let (side, length, nu) = (0.05_f64, 1.0_f64, 0.3);
    let euler = PI * PI * E * side.powi(4) / 12.0 / (4.0 * length * length);
    let shear = E / (2.0 * (1.0 + nu)) * side * side / 1.2;
    let exact = euler / (1.0 + euler / shear);
    for quadratic in [false, true] {
        let (mut bulk, m) = (Bulk::default(), if quadratic { 10 } else { 20 });
        let id = |i: usize, j: usize, k: usize| 1 + i + 5 * j + 25 * k;
        for k in 0..=2 * m {
            for j in 0..=4 {
                for i in 0..=4 {
                    let odd = i % 2 + j % 2 + k % 2;
                    if odd == 0 || (quadratic && odd == 1) {
                        let z = length * k as f64 / (2 * m) as f64;
                        bulk.grid(id(i, j, k), [side * i as f64 / 4.0, side * j as f64 / 4.0, z]);
                    }
                }
            }
        }
        let mut element = 0;
        for (i, j, k) in (0..m).flat_map(|k| (0..4).map(move |ij| (2 * (ij % 2), 2 * (ij / 2), 2 * k))) {
            element += 1;
            let corner = |a: usize, b: usize, c: usize| id(i + a, j + b, k + c);
            let mut nodes = vec![
                corner(0, 0, 0),
                corner(2, 0, 0),
                corner(2, 2, 0),
                corner(0, 2, 0),
                corner(0, 0, 2),
                corner(2, 0, 2),
                corner(2, 2, 2),
                corner(0, 2, 2),
            ];
            if quadratic {
                let ring = [(1, 0), (2, 1), (1, 2), (0, 1)];
                nodes.extend(ring.map(|(a, b)| corner(a, b, 0)));
                nodes.extend([(0, 0), (2, 0), (2, 2), (0, 2)].map(|(a, b)| corner(a, b, 1)));
                nodes.extend(ring.map(|(a, b)| corner(a, b, 2)));
            }
            let mut line = format!("CHEXA,{element},1");
            for (index, node) in nodes.iter().enumerate() {
                line += &format!(",{node}");
                if index == 5 || index == 13 {
                    line += ",\n";
                }
            }
            bulk.card(format_args!("{line}"));
            if k == 2 * (m - 1) {
                bulk.card(format_args!(
                    "PLOAD4,1,{element},{:.9e},,,,{},{}",
                    1.0 / (side * side),
                    nodes[4],
                    nodes[6]
                ));
            }
            if k == 0 {
                bulk.card(format_args!("SPC1,1,123,{},{},{},{}", nodes[0], nodes[1], nodes[2], nodes[3]));
                if quadratic {
                    bulk.card(format_args!(
                        "SPC1,1,123,{},{},{},{}",
                        nodes[8], nodes[9], nodes[10], nodes[11]
                    ));
                }
            }
        }
        bulk.card(format_args!("MAT1,1,{E:.9e},,{nu:.9e}\nPSOLID,1,1"));
        let found = bulk.factors(1)[0];
        compare(if quadratic { "CHEXA 20" } else { "CHEXA 8" }, found, exact, 0.01);
    }
}
