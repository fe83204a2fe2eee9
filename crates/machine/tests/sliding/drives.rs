//! How a boom is driven, how it is held by a deck's rail, and where a slide ends.

use std::fmt::Write;

use pliant_dynamics::{AnalysisKind, SimulationError};
use pliant_mechanism::BodyIndex;

use crate::support::{EI, LENGTH, TO, boom, run, run_as, sliding};

/// Displacement and speed of the joint at the end of a second.
fn end(joint: &str) -> (f64, f64) {
    let text = format!("{}{}[analysis]\nend = 1\nstep = 1e-3\n", boom(12), sliding(joint));
    let mut last = (0.0, 0.0);
    run(&text, |frame| last = (frame.state.q[0], frame.state.v[0])).unwrap();
    last
}

#[test]
fn a_straight_boom_moves_as_a_mass() {
    // 1 kg: s = s₀ + F t²/2m. The push comes all at once, so that the boom rings along its axis: by FL/EA =
    // 1.2e-7 m at 0.8 kHz.
    let (displacement, speed) = end("start = { value = 0.1 }\ndrive = { torque = 1.2 }");
    assert!((displacement - 0.7).abs() < 1e-6 && (speed - 1.2).abs() < 1e-3, "{displacement}, {speed}");
    // Viscous friction c = 2 kg/s: v = (F/c)(1 − e^(−ct/m)).
    let (_, speed) = end("start = { value = 0.1 }\ndrive = { torque = 1.2 }\nfriction = { viscous = 2 }");
    assert!((speed - 0.6 * (1.0 - (-2.0f64).exp())).abs() < 1e-3, "{speed}");
}

#[test]
fn a_servo_brings_the_boom_where_it_is_told() {
    let follow = "follow = { profile = 'cycloidal', from = 0.2, to = 0.8, time = 0.6 }";
    let (displacement, speed) = end(&format!("drive = {{ servo = {{ {follow}, f0_hz = 20 }} }}"));
    // Critically damped at 10 Hz: e^(−20π·0.4) of the lag is left after 0.4 s at rest.
    assert!((displacement - 0.8).abs() < 1e-6 && speed.abs() < 1e-4, "{displacement}, {speed}");
}

#[test]
fn the_grip_carries_what_hangs_outside() {
    // Weight of the boom, and its moment about the grip: parts outside and inside balance partly.
    let drive = "drive = { motion = { profile = 'hold', value = 0.65 } }";
    let text = format!(
        "gravity = [0, -10, 0]\n{}{}[analysis]\nend = 0.01\nstep = 1e-3\nstart = 'equilibrium'\n",
        boom(12),
        sliding(drive)
    );
    run(&text, |frame| {
        let X_TP = frame.model.bodies()[0].hinge.X_TP;
        let load = frame.work.hinge_wrench_on_parent(BodyIndex(0), &X_TP);
        let outside = LENGTH - TO + 0.65;
        let moment = 10.0 * 0.5 * (outside * outside - (LENGTH - outside).powi(2));
        // Joint axes are those of the world here. Deflections of the order of 1e-2 turn forces by as much.
        assert!((load[1] - 10.0).abs() < 1e-6 && (load[5] - moment).abs() < 1e-3 * moment, "{load}");
    })
    .unwrap();
}

#[test]
fn leaving_the_rail_is_an_error_with_joint_and_time() {
    let joint = "start = { value = 0.5, rate = 1 }";
    let text = format!("{}{}[analysis]\nend = 1\nstep = 1e-3\n", boom(12), sliding(joint));
    let error = run(&text, |_| {}).unwrap_err();
    let at = match &error {
        SimulationError::OffTheRail { t, joint, .. } if joint == "slide" => *t,
        _ => panic!("{error}"),
    };
    // The rail is 0.9 m long.
    assert!((at - 0.401).abs() < 1.5e-3, "{error}");
}

/// A square tube of shells in mm, t, s: 60 sections of four sides with two elements each, RBE3 in every
/// section, its ends rigid.
fn tube() -> String {
    let (side, wall, sections, pitch) = (40.0, 2.0, 60, 1000.0 / 60.0);
    let mut deck = String::from("BEGIN BULK\nMAT1,1,70000.,,0.3,2.7-9\n");
    writeln!(deck, "PSHELL,1,1,{wall:.1},1,,1").unwrap();
    let ring: Vec<(f64, f64)> = vec![
        (-1.0, -1.0),
        (0.0, -1.0),
        (1.0, -1.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (-1.0, 1.0),
        (-1.0, 0.0),
    ];
    for k in 0..=sections {
        let x = pitch * f64::from(k);
        writeln!(deck, "GRID,{},,{x:.6},0.,0.", 1000 + k).unwrap();
        for (j, (y, z)) in ring.iter().enumerate() {
            writeln!(
                deck,
                "GRID,{},,{x:.6},{:.3},{:.3}",
                10 * k + j as i32 + 2001,
                0.5 * side * y,
                0.5 * side * z
            )
            .unwrap();
        }
        let first = 10 * k + 2001;
        let all: Vec<String> = (first..first + 8).map(|id| id.to_string()).collect();
        if k == 0 || k == sections {
            writeln!(
                deck,
                "RBE2,{},{},123456,{},\n,{}",
                9000 + k,
                1000 + k,
                all[..4].join(","),
                all[4..].join(",")
            )
            .unwrap();
        } else {
            writeln!(
                deck,
                "RBE3,{},,{},123456,1.,123,{},{}\n,{}",
                9000 + k,
                1000 + k,
                all[0],
                all[1],
                all[2..].join(",")
            )
            .unwrap();
        }
        if k < sections {
            for j in 0..8 {
                let (a, b) = (first + j, first + (j + 1) % 8);
                writeln!(deck, "CQUAD4,{},1,{a},{b},{},{}", 10 * k + j + 1, b + 10, a + 10).unwrap();
            }
        }
    }
    deck + "ENDDATA\n"
}

#[test]
fn a_deck_of_shells_is_gripped_at_its_rail() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tube.bdf"), tube()).unwrap();
    let grids: Vec<i32> = (1000..=1060).collect();
    let text = format!(
        "[links.boom]\ndeck = '{}'\nunits = 'mm-t-s'\ninboard = 1000\ninterfaces = {{ tip = 1060 }}\nmodes = {{ count = 20 }}\n\
         rail = {{ grids = {grids:?}, from = 0.1, to = 0.9 }}\n{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 10, 0]\n\
         [analysis]\nend = 4\nstep = 2e-2\nstart = 'equilibrium'\n",
        folder.path().join("tube.bdf").display(),
        sliding("drive = { motion = { profile = 'cycloidal', from = 0.2, to = 0.75, time = 4 } }")
    );
    // Thin square tube on its middle line: A = 4bt, I = 2b³t/3, and half of it carries the shear.
    let (b, t, E, G) = (0.04f64, 0.002, 7e10, 7e10 / 2.6);
    let (bending, shear) = (E * 2.0 / 3.0 * b.powi(3) * t, G * 2.0 * b * t);
    run(&text, |frame| {
        let length = 0.1 + frame.state.q[0];
        let expected = 10.0 * (length.powi(3) / (3.0 * bending) + length / shear);
        let error = frame.work.X_WT(BodyIndex(0).interface(0)).p.y / expected - 1.0;
        // The section is held by the mean of its grids, and its walls give way around the grip: some
        // millimetres of length, which beam theory does not know, are 3 % of the deflection of 0.3 m and 0.8
        // % of that of 0.85 m.
        let limit = if length > 0.7 { 0.01 } else { 0.035 };
        assert!(error.abs() < limit, "{length} m outside: {error:.1e}");
    })
    .unwrap();
}

#[test]
fn grids_of_a_wall_are_told() {
    // The corner of a section, held alone, lets the tip go nine times as far as the section does.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tube.bdf"), tube()).unwrap();
    let reported = |first: i32, pitch: i32| {
        let grids: Vec<i32> = (1..60).map(|k| first + pitch * k).collect();
        let path = folder.path().join("machine.toml");
        let rail = format!("rail = {{ grids = {grids:?} }}");
        let ends =
            "inboard = 1000\ninterfaces = { tip = 1060 }\nmodes = { count = 2 }\naccept = ['frequencies']";
        std::fs::write(&path, format!("[links.boom]\ndeck = 'tube.bdf'\nunits = 'mm-t-s'\n{ends}\n{rail}\n"))
            .unwrap();
        let file = pliant_pipeline::read(&path).output;
        let made = pliant::link::reduce(&pliant_machine::links(&file).output.requests[0], None).unwrap();
        made.diagnostics.iter().any(|d| d.message.contains("GRID 2011 of the rail is on a wall of shells"))
    };
    assert!(reported(2001, 10) && !reported(1000, 1));
}

#[test]
fn a_bent_boom_pushes_itself_out_of_its_grip() {
    // With a load P at the tip the potential is −P²l³/6EI, its derivative the force M²/2EI outwards (F. Bosi,
    // D. Misseroni, F. Dal Corso and D. Bigoni, *An elastica arm scale*, Proc. R. Soc. A 470 (2014): the
    // Eshelby-like force of a sliding sleeve). The drive holds it.
    for displacement in [0.4, 0.41, 0.6] {
        let drive = format!("drive = {{ motion = {{ profile = 'hold', value = {displacement} }} }}");
        let text = format!(
            "{}{}[loads.tip]\nat = 'boom.tip'\nforce = [0, 2, 0]\n[analysis]\nend = 0.01\nstep = 1e-3\nstart = 'equilibrium'\n",
            boom(28),
            sliding(&drive)
        );
        let moment = 2.0 * (LENGTH - TO + displacement);
        let expected = -moment * moment / (2.0 * EI);
        run(&text, |frame| {
            let force = frame.drive_force(BodyIndex(0).coordinate(0));
            // The derivatives of splines, and the turn of the load's line of action by the slope: 1 % each at
            // most.
            assert!((force / expected - 1.0).abs() < 0.02, "{displacement}: {force} for {expected} N");
        })
        .unwrap();
    }
}

#[test]
fn the_force_of_a_bent_boom_is_of_second_order_and_not_in_linear() {
    // Under its own weight q the boom is bent on both sides of the grip, and what is inside pulls harder than
    // what is outside: the drive holds (M_i² − M_o²)/2EI, M = ql²/2. It is a square of the deflection, which
    // `linear` leaves out.
    let drive = "drive = { motion = { profile = 'hold', value = 0.25 } }";
    let text = format!(
        "gravity = [0, -10, 0]\n{}{}[analysis]\nend = 0.01\nstep = 1e-3\nstart = 'equilibrium'\n",
        boom(28),
        sliding(drive)
    );
    let force = |kind| {
        let mut found = 0.0;
        run_as(&text, kind, |frame| found = frame.drive_force(BodyIndex(0).coordinate(0))).unwrap();
        found
    };
    let outside = LENGTH - TO + 0.25;
    let square = |length: f64| (10.0 * length * length / 2.0).powi(2) / (2.0 * EI);
    let expected = square(LENGTH - outside) - square(outside);
    let found = force(AnalysisKind::Nonlinear) - force(AnalysisKind::Linear);
    assert!((found / expected - 1.0).abs() < 0.03, "{found} for {expected} N");
}
