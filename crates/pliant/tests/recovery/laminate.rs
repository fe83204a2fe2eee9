//! Plies of a laminate.

use super::*;

/// A strip of 2 m by 0.1 m of two plies of 2 mm, at 0 and 90 degrees to its length, pulled and bent at its
/// end.
fn cross_ply_strip() -> String {
    let (along, across) = (40, 4);
    let mut deck = HEAD.to_owned();
    deck += "GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\n";
    let id = |i: usize, j: usize| 100 + j + (across + 1) * i;
    for i in 0..=along {
        for j in 0..=across {
            let (x, y) = (2.0 * i as f64 / along as f64, 0.1 * (j as f64 / across as f64 - 0.5));
            writeln!(deck, "GRID,{},,{x:?},{y:?},0.", id(i, j)).unwrap();
        }
    }
    for i in 0..along {
        for j in 0..across {
            let corners = format!("{},{},{},{}", id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
            writeln!(deck, "CQUAD4,{},2,{corners}", 1000 + j + across * i).unwrap();
        }
    }
    for (number, centre, i) in [(9001, 1, 0), (9002, 2, along)] {
        let ends: String = (0..=across).map(|j| format!(",{}", id(i, j))).collect();
        writeln!(deck, "RBE2,{number},{centre},123456{ends}").unwrap();
    }
    deck += "PCOMP,2\n,1,.002,0.,,1,.002,90.\nMAT8,1,1.4+11,1.+10,.3,5.+9,5.+9,5.+9,1600.\n\
             FORCE,7,2,0,1.,2000.,0.,0.\nMOMENT,7,2,0,1.,0.,3.,0.\nENDDATA\n";
    deck
}

#[test]
fn plies_have_the_stress_of_lamination_theory() {
    let table = "interfaces = { tip = 2 }\nmodes = { count = 4 }\n";
    let recovered = Bench::new(&cross_ply_strip(), table).compared(&[]);
    recovered.agrees_with(&plane_compliance(1.4e11, 1e10, 0.3, 5e9));
    let stress = &recovered.stress;
    // Nx = 20 kN/m and, since a moment about +y stretches the side of +z, Mx = 30 N m/m; Ny = My = 0 as both
    // edges are free. Classical lamination theory (R. M. Jones, Mechanics of Composite Materials, section
    // 4.2): N = Aε + Bκ, M = Bε + Dκ, σ = Q(ε + zκ).
    let (e1, e2, nu, t) = (1.4e11, 1e10, 0.3, 2e-3);
    let f = 1.0 - nu * nu * e2 / e1;
    let (q11, q12, q22) = (e1 / f, nu * e2 / f, e2 / f);
    let plies = [nalgebra::Matrix2::new(q11, q12, q12, q22), nalgebra::Matrix2::new(q22, q12, q12, q11)];
    let heights = [-t, 0.0, t];
    let sum = |power: i32| -> nalgebra::Matrix2<f64> {
        let n = f64::from(power);
        (0..2)
            .map(|k| plies[k] * ((f64::powi(heights[k + 1], power) - f64::powi(heights[k], power)) / n))
            .sum()
    };
    let mut abd = nalgebra::Matrix4::zeros();
    for (block, power) in [((0, 0), 1), ((0, 2), 2), ((2, 0), 2), ((2, 2), 3)] {
        abd.fixed_view_mut::<2, 2>(block.0, block.1).copy_from(&sum(power));
    }
    let state = abd.try_inverse().unwrap() * nalgebra::Vector4::new(2e4, 0.0, 30.0, 0.0);
    let at = |ply: usize, z: f64| plies[ply] * (state.fixed_rows::<2>(0) + state.fixed_rows::<2>(2) * z);
    // Between the two rows in the middle of the strip, ten widths from its ends.
    let middle: Vec<_> =
        recovered.elements().iter().filter(|e| (1000 + 4 * 20..1000 + 4 * 21).contains(&e.id)).collect();
    assert_eq!(middle.len(), 4);
    for element in middle {
        let found = &stress.as_slice()[element.first..element.first + 12];
        for (ply, face) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let s = at(ply, heights[ply + face]);
            // The second ply has its fibres across: what lies along x is its 22.
            let expected = if ply == 0 { [s.x, s.y] } else { [s.y, s.x] };
            let found = &found[6 * ply + 3 * face..6 * ply + 3 * face + 3];
            println!("{} ply {ply} face {face}: {found:?}, theory {expected:?}", element.id);
            // Of the largest, about 20 MPa: four elements across follow the saddle that the strip bends to.
            for (found, expected) in found.iter().zip([expected[0], expected[1], 0.0]) {
                assert!(
                    (found - expected).abs() < 0.01 * at(0, -t).x.abs().max(at(0, 0.0).x.abs()),
                    "{found} {expected}"
                );
            }
        }
    }
}
