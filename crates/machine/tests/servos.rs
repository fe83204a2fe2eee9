//! Servos that take their inertia and torque from the rigid machine.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use pliant_dynamics::{AnalysisKind, Frame, simulate};
use pliant_machine::Plan;
use pliant_mechanism::{Drive, Model};
use pliant_store::link_for;

/// Two rods in the vertical plane, both joints with servos.
fn arm(servo: &str) -> (Model, pliant_dynamics::Settings) {
    let folder = tempfile::tempdir().unwrap();
    let rod = "rigid = { mass = 3, centre = [0.5, 0, 0], inertia = [0, 0.25, 0.25], interfaces = { tip = [1, 0, 0] } }";
    let joint = |name: &str, parent: &str, child: &str, to: f64| {
        format!(
            "[joints.{name}]\nparent = '{parent}'\nchild = '{child}'\ntype = 'revolute'\naxis = 'z'\nrotor = {{ inertia = 1e-4, ratio = 50 }}\n\
             drive = {{ servo = {{ follow = {{ profile = 'cycloidal', to_deg = {to}, time = 1 }}, {servo} }} }}\n"
        )
    };
    let text = format!(
        "gravity = [0, -9.81, 0]\n[links.one]\n{rod}\n[links.two]\n{rod}\n{}{}[analysis]\nkind = 'rigid'\nend = 1.5\nstep = 1e-3\n",
        joint("a", "ground", "one", 70.0),
        joint("b", "one.tip", "two", -110.0)
    );
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    let file = read.output;
    let table = file.table.as_ref().unwrap();
    let links = table
        .links
        .iter()
        .map(|(name, table)| (name.to_owned(), Arc::new(link_for(name, table, &file, None).unwrap().link)));
    let links = links.collect();
    let planned = Plan::new(&file);
    assert!(planned.diagnostics.is_empty(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let settings = plan.settings;
    (plan.model(links, &file.document).unwrap(), settings)
}

/// Largest error of either joint against its command.
fn lag(servo: &str) -> f64 {
    let (model, settings) = arm(servo);
    let mut worst = 0.0f64;
    simulate(&model, AnalysisKind::Rigid, &settings, &mut |frame: &Frame<'_>| {
        for k in 0..2 {
            worst = worst.max((frame.state.q[k] - frame.nominal.state().q[k]).abs());
        }
    })
    .unwrap();
    worst
}

#[test]
fn the_inertia_that_a_joint_moves_is_the_largest_on_the_way() {
    let (model, _) = arm("f0_hz = 10");
    let gain = |body: usize| match &model.bodies()[body].coordinates[0].drive {
        Drive::Servo(servo) => servo.position_gain,
        other => panic!("{other:?}"),
    };
    let reflected = 1e-4 * 2500.0;
    // Straight at the start: rods of m L²/3 each, the second carried at a distance of 1 to 2 m; then the elbow alone.
    let outstretched = 3.0 / 3.0 + (0.25 + 3.0 * 1.5 * 1.5) + reflected;
    let expected = std::f64::consts::PI.powi(2) * 100.0;
    assert!((gain(0) / (expected * outstretched) - 1.0).abs() < 1e-12, "{}", gain(0) / expected);
    assert!((gain(1) / (expected * (1.0 + reflected)) - 1.0).abs() < 1e-12, "{}", gain(1) / expected);
}

#[test]
fn the_torque_of_the_rigid_machine_fed_forward_leaves_no_error() {
    let without = lag("f0_hz = 10");
    let with = lag("f0_hz = 10, rigid_torque = true");
    println!("lag {without:.2e} rad, with the rigid torque {with:.2e}");
    // Gravity alone makes 1e-2 rad without; with it only the error of the integration is left, h² of the motion.
    assert!(without > 1e-2 && with < 1e-5, "{without} {with}");
    // A computer of 1 kHz holds each torque for 1 ms: half a millisecond late in the mean.
    let sampled = lag("f0_hz = 10, rigid_torque = true, sample = 1e-3");
    assert!(sampled < 2e-3, "{sampled}");
}

#[test]
fn a_quasi_static_servo_tells_the_torque_that_its_motion_takes() {
    let (model, settings) = arm("f0_hz = 10");
    simulate(&model, AnalysisKind::QuasiStatic, &settings, &mut |frame: &Frame<'_>| {
        for k in 0..2 {
            let (found, rigid) = (frame.drive_force(k, 0), frame.nominal_drive_force(k, 0));
            assert!((found - rigid).abs() < 1e-9 * rigid.abs().max(1.0), "{found} {rigid}");
        }
    })
    .unwrap();
}
