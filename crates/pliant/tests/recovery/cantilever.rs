//! A cantilever of bars, shells and solids.

use super::*;

#[test]
fn a_cantilever_has_the_stress_of_beam_theory() {
    let mut deck = HEAD.to_owned();
    for k in 0..=8 {
        writeln!(deck, "GRID,{},,{:?},0.,0.", k + 1, 0.25 * f64::from(k)).unwrap();
    }
    for k in 1..=8 {
        writeln!(deck, "CBAR,{k},3,{k},{},0.,1.,0.", k + 1).unwrap();
    }
    // 40 by 20 mm, stress points at the corners.
    deck += "PBAR,3,1,8.-4,1.0666667-7,2.6666667-8,7.3-8\n,.02,.01,-.02,.01,-.02,-.01,.02,-.01\n\
             MAT1,1,2.1+11,,.3,7850.\nFORCE,7,9,0,1.,100.,300.,50.\n\
             MOMENT,7,9,0,1.,20.,0.,0.\nENDDATA\n";
    let bench = Bench::new(&deck, "interfaces = { tip = 9 }\nmodes = { count = 3 }\n");
    let found = bench.compared(&[]);
    let (E, G) = (2.1e11, 2.1e11 / 2.6);
    for (element, of_strain) in found.elements().iter().zip(&found.modes[1].elements) {
        let rows = &found.stress.as_slice()[element.first..];
        let strain = &found.strain.as_slice()[of_strain.first..];
        let (a, b) = (f64::from(element.id - 1) * 0.25, f64::from(element.id) * 0.25);
        for (end, x) in [(0, a), (1, b)] {
            let forces = &rows[6 * end..6 * end + 6];
            // The part beyond pulls with the load of the tip.
            let expected = [100.0, 300.0, 50.0, 20.0, 300.0 * (2.0 - x), 50.0 * (2.0 - x)];
            for (found, expected) in forces.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-6 * 600.0,
                    "{} {end}: {forces:?} {expected}",
                    element.id
                );
            }
            // ε = N/EA, φ′ = T/GJ, κ = M/EI.
            let of_section = [
                100.0 / (E * 8e-4),
                20.0 / (G * 7.3e-8),
                expected[4] / (E * 1.066_666_7e-7),
                expected[5] / (E * 2.666_666_7e-8),
            ];
            for (found, expected) in strain[4 * end..4 * end + 4].iter().zip(of_section) {
                // Of the largest curvature; that of the tip is zero.
                assert!((found - expected).abs() < 1e-6 * 0.02, "{} {end}: {found} {expected}", element.id);
            }
            // A load along +y stretches the side of −y: σ = N/A − M1 y/I1 − M2 z/I2.
            for (k, [y, z]) in [[0.02, 0.01], [-0.02, 0.01], [-0.02, -0.01], [0.02, -0.01]].iter().enumerate()
            {
                let expected =
                    100.0 / 8e-4 - expected[4] * y / 1.066_666_7e-7 - expected[5] * z / 2.666_666_7e-8;
                let found = rows[12 + 4 * end + k];
                let strain = strain[8 + 4 * end + k];
                assert!((strain * E / found - 1.0).abs() < 1e-12, "{strain} {found}");
                assert!(
                    (found / expected - 1.0).abs() < 1e-6,
                    "{} {end} {k}: {found} {expected}",
                    element.id
                );
            }
        }
    }
}
