//! Booms on two rollers: beams with an overhang on both sides.

use nalgebra::DMatrix;
use pliant_dynamics::natural_frequencies;
use pliant_mechanism::BodyIndex;

use crate::solids::{LAYERS, SIDE, as_beam, even, hexahedra, line, link, scattered, tetrahedra, with};
use crate::support::{EI, LENGTH, TO, boom, machine, run, sliding};

fn on_rollers(distance: f64, displacement: f64) -> String {
    sliding(&format!(
        "rollers = {distance}\ndrive = {{ motion = {{ profile = 'hold', value = {displacement} }} }}"
    ))
}

/// β of a beam that lies over two supports `distance` apart, both of its ends free: roots of the determinant
/// of w = w⁻ = 0, w′ = w′⁻ and w″ = w″⁻ on both supports and w″ = w‴ = 0 at both ends, for w = A cos βx + B
/// sin βx + C e^(−βx) + D e^(−β(l−x)) on each of the parts.
fn over_two_supports(parts: [f64; 3], count: usize) -> Vec<f64> {
    let determinant = |beta: f64| {
        let mut A = DMatrix::<f64>::zeros(12, 12);
        // The k-th derivative over βᵏ at the start or the end of a part, added to a row.
        let mut add = |row: usize, part: usize, at_end: bool, k: i32, sign: f64| {
            let (b, turn) = (beta * parts[part], std::f64::consts::FRAC_PI_2 * f64::from(k));
            let (x, decay) = if at_end { (b, [(-b).exp(), 1.0]) } else { (0.0, [1.0, (-b).exp()]) };
            let values = [(x + turn).cos(), (x + turn).sin(), (-1.0f64).powi(k) * decay[0], decay[1]];
            values.iter().enumerate().for_each(|(c, value)| A[(row, 4 * part + c)] += sign * value);
        };
        for (row, part, at_end) in [(0, 0, false), (2, 2, true)] {
            add(row, part, at_end, 2, 1.0);
            add(row + 1, part, at_end, 3, 1.0);
        }
        for support in 0..2 {
            let row = 4 + 4 * support;
            add(row, support, true, 0, 1.0);
            add(row + 1, support + 1, false, 0, 1.0);
            for k in [1, 2] {
                add(row + 1 + k as usize, support, true, k, 1.0);
                add(row + 1 + k as usize, support + 1, false, k, -1.0);
            }
        }
        A.determinant()
    };
    let (mut roots, mut at, step) = (Vec::new(), 0.5, 0.01);
    while roots.len() < count {
        let (mut low, mut high) = (at, at + step);
        if determinant(low) * determinant(high) < 0.0 {
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if determinant(low) * determinant(middle) < 0.0 { high = middle } else { low = middle }
            }
            roots.push(low);
        }
        at += step;
    }
    roots
}

#[test]
fn frequencies_on_two_rollers_are_those_of_a_beam_over_two_supports() {
    let distance = 0.2;
    for displacement in [0.15, 0.4, 0.6125] {
        let text =
            format!("{}{}[analysis]\nend = 1\nstep = 1e-3\n", boom(36), on_rollers(distance, displacement));
        let (model, settings) = machine(&text);
        let found = natural_frequencies(&model, &settings).unwrap();
        let outside = LENGTH - TO + displacement - 0.5 * distance;
        let parts = [LENGTH - distance - outside, distance, outside];
        for (k, beta) in over_two_supports(parts, 3).into_iter().enumerate() {
            let expected = beta * beta * EI.sqrt() / std::f64::consts::TAU;
            // Twice each, as that of a clamp; the mass of shapes that are not kept is worth as much here.
            for found in [found[2 * k], found[2 * k + 1]] {
                let error = found / expected - 1.0;
                println!("{displacement} m out, {k}: {found:.4} Hz, {error:.1e}");
                assert!(error.abs() < 1e-3, "{displacement} m out, {k}: {found} Hz, {expected} Hz");
            }
        }
    }
}

/// Deflection of the tip under 1 N (m), with the shear of the overhang and of the span, where it is Pa/d: P
/// a²(a + d)/3EI + (1 + a/d) Pa/kGA.
fn overhang(length: f64, d: f64) -> f64 {
    let (b, E) = (1e-3 * SIDE, 2.1e11);
    let (bending, shear) = (E * b.powi(4) / 12.0, E / 2.6 * b * b * 5.0 / 6.0);
    let a = length - 0.5 * d;
    a * a * (a + d) / (3.0 * bending) + (1.0 + a / d) * a / shear
}

#[test]
fn a_bar_of_solids_on_two_rollers_is_its_mesh_on_two_rollers() {
    // Distance, length outside, tip (mm) under 100 N by `pliant static` of the same mesh: an RBE3 in each of
    // the two sections, on springs of 1e10 N/mm, which give way by 4e-5 of the deflection and less.
    let cases = [
        (0.05, 0.3, 0.019_468_70, 0.025),
        (0.1, 0.3, 0.016_840_53, 0.015),
        (0.2, 0.3, 0.012_159_67, 0.010),
        (0.2, 0.7, 0.215_810_77, 0.004),
    ];
    with(&hexahedra(), |path| {
        for (distance, length, tip, from_beam) in cases {
            let text = format!(
                "{}{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 100, 0]\n[analysis]\nend = 1e-3\nstep = 1e-3\nstart = 'equilibrium'\n",
                link(path, &line(LAYERS + 1)),
                on_rollers(distance, length - 0.1)
            );
            run(&text, |frame| {
                let found = 1e3 * frame.work.X_WT(BodyIndex(0).interface(0)).p.y;
                let error = found / tip - 1.0;
                // Two elements over the height have the shear of a bar of k = 1, and rollers near each other
                // much of it: on a mesh twice as fine the first is 0.8 % from the beam and the third 0.35 %.
                let apart = found / (1e5 * overhang(length, distance)) - 1.0;
                println!("rollers {distance} m, {length} m outside: {error:.1e}, from Timoshenko's beam {apart:.1e}");
                assert!(error.abs() < 5e-5 && apart.abs() < from_beam, "{found} for {tip} mm");
            })
            .unwrap();
        }
    });
}

#[test]
fn a_bar_of_solids_on_two_rollers_slides_slowly_as_a_beam_with_an_overhang() {
    let (d, drive) = (0.15, "drive = { motion = { profile = 'cycloidal', from = 0.2, to = 0.7, time = 4 } }");
    let worst = |deck: &str| {
        let mut worst = 0.0f64;
        with(deck, |path| {
            let text = format!(
                "{}{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 100, 50]\n[analysis]\nend = 4\nstep = 2e-2\nstart = 'equilibrium'\n",
                link(path, &line(LAYERS + 1)),
                sliding(&format!("rollers = {d}\n{drive}"))
            );
            run(&text, |frame| {
                let (tip, expected) =
                    (frame.work.X_WT(BodyIndex(0).interface(0)).p, overhang(0.1 + frame.state.q[0], d));
                let apart = [tip.y / (100.0 * expected) - 1.0, tip.z / (50.0 * expected) - 1.0];
                worst = apart.iter().fold(worst, |m, x| m.max(x.abs()));
            })
            .unwrap();
        });
        worst
    };
    let [bricks, layers, without] =
        [hexahedra(), tetrahedra(even), tetrahedra(scattered)].map(|deck| worst(&deck));
    println!(
        "slow slide on rollers: {bricks:.2e}, tetrahedra in layers {layers:.2e}, scattered {without:.2e}"
    );
    // The mesh's own shear, see above; tetrahedra with mid-side grids have that of a beam. Where elements are
    // cut, a roller holds over a part of one.
    assert!(bricks < 0.012 && layers < 5e-3 && without < 0.012, "{bricks:.1e}, {layers:.1e}, {without:.1e}");
}

#[test]
fn frequencies_of_a_bar_of_solids_on_two_rollers_are_those_of_its_mesh_and_of_a_beam() {
    let found = |link: String, displacement: f64| {
        let link = link.replace("count = 20", "count = 40");
        let text = format!("{link}{}[analysis]\nend = 1\nstep = 1e-3\n", on_rollers(0.2, displacement));
        let (model, settings) = machine(&text);
        natural_frequencies(&model, &settings).unwrap()
    };
    // By `pliant modes` of the same mesh with PARAM,COUPMASS,1, an RBE3 in each section on springs of 1e10
    // N/mm; each comes twice.
    let cases = [(0.25, [89.8507, 368.8563, 597.5818]), (0.5, [106.6307, 271.2839, 709.6076])];
    with(&hexahedra(), |path| {
        for (displacement, of_mesh) in cases {
            let solid = found(link(path, &line(LAYERS + 1)), displacement);
            let beam = found(as_beam(), displacement);
            for k in 0..6 {
                let (error, apart) = (solid[k] / of_mesh[k / 2] - 1.0, solid[k] / beam[k] - 1.0);
                println!(
                    "{displacement} m out, {k}: {:.3} Hz, {error:.1e}, from the beam {apart:.1e}",
                    solid[k]
                );
                // The mass of shapes that are not kept; and the mesh's own shear again, of which half is left
                // on one twice as fine.
                assert!(error.abs() < 5e-4, "{displacement} m out: {} for {} Hz", solid[k], of_mesh[k / 2]);
                assert!(apart.abs() < 0.01, "{displacement} m out: {} for {} Hz", solid[k], beam[k]);
            }
        }
    });
}

#[test]
fn energy_is_balanced_while_solids_slide_on_rollers() {
    with(&hexahedra(), |path| {
        let imbalance = |step: f64| {
            let joint =
                "start = { value = 0.2, hold = true }\ndrive = { torque = '400*cos(30*t)' }\nrollers = 0.15";
            let text = format!(
                "gravity = [0, -9.81, 3]\n{}{}[analysis]\nend = 0.1\nstep = {step}\nstart = 'equilibrium'\n",
                link(path, &line(LAYERS + 1)),
                sliding(joint)
            );
            let (mut balance, mut size) = (0.0f64, 0.0f64);
            run(&text, |frame| {
                balance = balance.max(frame.energy.balance.abs());
                size = size.max(frame.energy.kinetic).max(frame.energy.drive_work.abs());
            })
            .unwrap();
            balance / size
        };
        let (coarse, fine) = (imbalance(5e-4), imbalance(2.5e-4));
        let order = (coarse / fine).log2();
        println!("energy of solids on rollers: {coarse:.1e}, {fine:.1e}, order {order:.2}");
        assert!(fine < 1e-4 && (1.7..2.3).contains(&order), "{coarse:.1e}, {fine:.1e}, order {order:.2}");
    });
}
