//! A flat bar with a deep notch in each side, bent in its plane.

use super::*;

/// Half the width between the notches (m), thickness (m), and the ratio of that half width to the radius of
/// the notches.
const HALF: f64 = 0.01;
const THICKNESS: f64 = 0.005;
const RATIO: f64 = 4.0;

/// Notches that are hyperbolas, in elliptic coordinates x = c sinh u cos v, y = c cosh u sin v: the notches
/// are v = ±v₀ with tan² v₀ = a/ρ, c = a/sin v₀, and the bar ends at u = ±3, ten times as wide. A moment of 1
/// N m.
fn notched_bar() -> String {
    let (along, across, reach) = (60, 32, 3.0);
    let v0 = RATIO.sqrt().atan();
    let c = HALF / v0.sin();
    let mut deck = HEAD.to_owned();
    // Corners have even numbers in both directions, the grids between them one odd one.
    let id = |i: usize, j: usize| 100 + i + (2 * along + 1) * j;
    for j in 0..=2 * across {
        for i in (0..=2 * along).filter(|i| (i % 2) * (j % 2) == 0) {
            let u = reach * (i as f64 / along as f64 - 1.0);
            let v = v0 * (j as f64 / across as f64 - 1.0);
            let (x, y) = (c * u.sinh() * v.cos(), c * u.cosh() * v.sin());
            writeln!(deck, "GRID,{},,{x:.12},{y:.12},0.", id(i, j)).unwrap();
        }
    }
    let mut element = 0;
    for j in (0..2 * across).step_by(2) {
        for i in (0..2 * along).step_by(2) {
            element += 1;
            let corners = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1)].map(|(p, q)| id(i + p, j + q));
            let list = corners.map(|grid| grid.to_string()).join(",");
            writeln!(deck, "CQUAD8,{element},2,{list}\n,{},{}", id(i + 1, j + 2), id(i, j + 1)).unwrap();
        }
    }
    // The ends are rigid.
    for (number, centre, i) in [(9001, 1, 0), (9002, 2, 2 * along)] {
        let x = c * reach.sinh() * if i == 0 { -1.0 } else { 1.0 };
        writeln!(deck, "GRID,{centre},,{x:.12},0.,0.").unwrap();
        write!(deck, "RBE2,{number},{centre},123456").unwrap();
        let mut room = 5;
        for j in 0..=2 * across {
            if room == 0 {
                deck += "\n";
                room = 8;
            }
            write!(deck, ",{}", id(i, j)).unwrap();
            room -= 1;
        }
        deck += "\n";
    }
    deck + &format!("PSHELL,2,1,{THICKNESS},1\nMAT1,1,2.1+11,,.3,7850.\nMOMENT,7,2,0,1.,0.,0.,1.\nENDDATA\n")
}

/// H. Neuber, Kerbspannungslehre, deep notches on both sides of a flat bar in bending:
///
/// ```text
/// K_t = 4 r √r / (3 (√r + (r − 1) arctan √r)),   r = a/ρ,   of σ = 3M/(2a²t)
/// ```
#[test]
fn a_notched_bar_has_the_stress_concentration_of_neuber() {
    let bench = Bench::new(&notched_bar(), "interfaces = { tip = 2 }\nmodes = { count = 2 }\n");
    let found = bench.compared(&[]);
    let root = RATIO.sqrt();
    let neuber = 4.0 * RATIO * root / (3.0 * (root + (RATIO - 1.0) * root.atan()));
    let nominal = 1.5 / (HALF * HALF * THICKNESS);
    let largest = found.elements().iter().map(|element| {
        let rows = &found.stress.as_slice()[element.first..][..element.kind.rows(Quantity::Stress)];
        element.kind.intensity(Quantity::Stress, rows)
    });
    let factor = largest.fold(0.0, f64::max) / nominal;
    println!("notch: K_t {factor:.4}, Neuber {neuber:.4}");
    assert!((factor / neuber - 1.0).abs() < 0.02, "{factor} {neuber}");
    // A moment that comes and goes: the life is that of the stress at the root.
    let load = 400e6 / (neuber * nominal);
    let (life, edge) = (found.pulsating(load, &|_| true), goodman(400e6));
    println!("notch: amplitude of the life {life:.4e} Pa, of Neuber's stress {edge:.4e} Pa");
    assert!((life / edge - 1.0).abs() < 0.025, "{life} {edge}");
}
