//! A plate with a hole.

use super::*;

/// A plate of 1 m by 3 m with a hole of 0.2 m in its middle, pulled along x by 1 N/mm² of its ends.
fn plate_with_hole() -> String {
    let (around, out, a) = (48, 10, 0.1);
    let mut deck = HEAD.to_owned();
    let id = |i: usize, j: usize| 100 + (i % around) + around * j;
    for j in 0..=out {
        for i in 0..around {
            let angle = TAU * i as f64 / around as f64;
            let (c, s) = (angle.cos(), angle.sin());
            // From the circle to the square around it, closer where stress changes fast.
            let edge = 0.5 / c.abs().max(s.abs());
            let share = (j as f64 / out as f64).powf(1.6);
            let r = a + (edge - a) * share;
            writeln!(deck, "GRID,{},,{:?},{:?},0.", id(i, j), r * c, r * s).unwrap();
        }
    }
    let mut element = 1000;
    for j in 0..out {
        for i in 0..around {
            element += 1;
            let (g, h) = (id(i, j), id(i + 1, j));
            writeln!(deck, "CQUAD4,{element},2,{g},{},{},{h}", id(i, j + 1), id(i + 1, j + 1)).unwrap();
        }
    }
    // The grids of the two sides across the pull, from bottom to top, and strips of plate that carry it on.
    for (side, sign) in [(1, 1.0), (2, -1.0)] {
        let mut column: Vec<(f64, usize)> = (0..around)
            .filter_map(|i| {
                let angle = TAU * i as f64 / around as f64;
                let (c, s) = (angle.cos(), angle.sin());
                (c * sign > s.abs() - 1e-9).then(|| (0.5 / c.abs() * s, id(i, out)))
            })
            .collect();
        column.sort_by(|a, b| a.0.total_cmp(&b.0));
        let strips = 8;
        for k in 1..=strips {
            for (n, (y, _)) in column.iter().enumerate() {
                let x = sign * (0.5 + f64::from(k as u32) / 8.0);
                writeln!(deck, "GRID,{},,{x:?},{y:?},0.", 10_000 * side + 100 * k + n).unwrap();
            }
            for n in 0..column.len() - 1 {
                element += 1;
                let inner = |n: usize| if k == 1 { column[n].1 } else { 10_000 * side + 100 * (k - 1) + n };
                let outer = |n: usize| 10_000 * side + 100 * k + n;
                writeln!(
                    deck,
                    "CQUAD4,{element},2,{},{},{},{}",
                    inner(n),
                    outer(n),
                    outer(n + 1),
                    inner(n + 1)
                )
                .unwrap();
            }
        }
        let ends: String =
            (0..column.len()).map(|n| format!(",{}", 10_000 * side + 100 * strips + n)).collect();
        let (centre, x) = if side == 1 { (2, 1.5) } else { (1, -1.5) };
        writeln!(deck, "GRID,{centre},,{x:?},0.,0.").unwrap();
        // Cards of eight fields.
        let fields: Vec<&str> = ends.trim_start_matches(',').split(',').collect();
        write!(deck, "RBE2,{},{centre},123456", 5000 + side).unwrap();
        let mut room = 5;
        for field in fields {
            if room == 0 {
                deck += "\n";
                room = 8;
            }
            write!(deck, ",{field}").unwrap();
            room -= 1;
        }
        deck += "\n";
    }
    deck += "PSHELL,2,1,.01,1,,1\nMAT1,1,2.+11,,.3,7850.\nFORCE,7,2,0,1.,1.+4,0.,0.\nENDDATA\n";
    deck
}

#[test]
fn a_plate_with_a_hole_has_the_stress_concentration_of_kirsch() {
    // On the grids of the hole across the pull: its edge, both faces alike.
    let gauge = Gauge { position: Vector3::new(0.0, 0.1, 0.0), direction: Vector3::x(), top: true };
    let far = Gauge { position: Vector3::new(0.9, 0.0, 0.0), direction: Vector3::x(), top: false };
    let bench = Bench::new(&plate_with_hole(), "interfaces = { tip = 2 }\nmodes = { count = 4 }\n");
    let found = bench.compared(&[gauge, far]);
    found.agrees_with(&plane_compliance(2e11, 2e11, 0.3, 2e11 / 2.6));
    let (stress, strains) = (&found.stress, &found.gauges);
    let largest = found.elements().iter().map(|element| {
        let rows = &stress.as_slice()[element.first..element.first + 6];
        element.kind.intensity(Quantity::Stress, rows)
    });
    let largest = largest.fold(0.0, f64::max);
    // Pull over the entire width 10⁴ N / (1 m · 10 mm) = 1 MPa. In the middle of the first ring of elements,
    // 5 mm from the edge, Kirsch's plate has σ/2 (2 + (a/r)² + 3 (a/r)⁴); a width of five diameters adds a
    // few per cent.
    let ring = 0.1 + 0.5 * (0.5 - 0.1) * 0.1_f64.powf(1.6);
    let kirsch = 0.5e6 * (2.0 + (0.1 / ring).powi(2) + 3.0 * (0.1 / ring).powi(4));
    println!(
        "hole: {largest:.4e} Pa, Kirsch {kirsch:.4e} Pa, gauge {:.4e}, far {:.4e}",
        strains[0], strains[1]
    );
    assert!(largest / kirsch > 0.97 && largest / kirsch < 1.06, "{largest} {kirsch}");
    // Away from the hole the plate is pulled evenly: σ/E. At its edge Heywood's factor of the entire width is
    // (2 + (1 − d/W)³)/(1 − d/W).
    let even = 1e6 / 2e11;
    assert!((strains[1] / even - 1.0).abs() < 0.02, "{strains:?}");
    let heywood = (2.0 + 0.8_f64.powi(3)) / 0.8;
    assert!((strains[0] / even / heywood - 1.0).abs() < 0.02, "{strains:?} {heywood}");
    // Two hundred times the load comes and goes: the life is that of the stress at the edge, which the
    // corners of the first ring have.
    let (life, edge) = (found.pulsating(200.0, &|_| true), goodman(200.0 * 1e6 * heywood));
    println!("hole: amplitude of the life {life:.4e} Pa, of Heywood's stress {edge:.4e} Pa");
    assert!((life / edge - 1.0).abs() < 0.03, "{life} {edge}");
}
