//! Servos that take their inertia and torque from the rigid machine.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use pliant_dynamics::{AnalysisKind, Frame, Settings, simulate};
use pliant_machine::Plan;
use pliant_mechanism::{BodyIndex, Drive, JointRef, Model};

/// Two rods in the vertical plane, both joints with servos.
fn arm(servo: &str) -> (Model, Settings) {
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
    machine(&text)
}

fn machine(text: &str) -> (Model, Settings) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    let file = read.output;
    let planned = Plan::new(&file);
    assert!(planned.diagnostics.is_empty(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let links = plan.links.requests.iter().map(|request| {
        let link = pliant::link::reduce(request, None).unwrap().link;
        (request.name.clone(), Arc::new(link))
    });
    let links = links.collect();
    let settings = plan.settings;
    (plan.model(links, &file.document).unwrap(), settings)
}

/// Largest error of either joint against its command.
fn lag(servo: &str) -> f64 {
    let (model, settings) = arm(servo);
    largest(&model, &settings, AnalysisKind::Rigid, &[0, 1])
}

/// Largest difference of positions from those of the nominal machine.
fn largest(model: &Model, settings: &Settings, kind: AnalysisKind, positions: &[usize]) -> f64 {
    let mut worst = 0.0f64;
    simulate(model, kind, settings, &mut |frame: &Frame<'_>| {
        for &k in positions {
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
    // Straight at the start: rods of m L²/3 each, the second carried at a distance of 1 to 2 m; then the
    // elbow alone.
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
    // Gravity alone makes 1e-2 rad without; with it only the error of the integration is left, h² of the
    // motion.
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
            let (found, rigid) = (
                frame.drive_force(BodyIndex(k).coordinate(0)),
                frame.nominal_drive_force(BodyIndex(k).coordinate(0)),
            );
            assert!((found - rigid).abs() < 1e-9 * rigid.abs().max(1.0), "{found} {rigid}");
        }
    })
    .unwrap();
}

/// A parallelogram of two cranks and a bar in the vertical plane, swung by a servo on its left crank. That
/// joint carries the crank, or closes the loop.
fn parallelogram(servo: &str, closing: bool) -> (Model, Settings) {
    let rod = |mass: f64, length: f64| {
        let centre = 0.5 * length;
        format!(
            "rigid = {{ mass = {mass}, centre = [{centre}, 0, 0], inertia = [0, 0.02, 0.02], interfaces = {{ tip = [{length}, 0, 0] }} }}"
        )
    };
    // Where it closes the loop, the bar hangs on the right crank and carries the left one.
    let (closes, bar) = if closing {
        let bar = "parent = 'right.tip'\nchild = 'bar'\ntype = 'revolute'\nstart = { value_deg = 140 }\n\
             [joints.pin]\nparent = 'bar.tip'\nchild = 'left'\nchild_origin = [0.6, 0, 0]\ntype = 'revolute'\nstart = { value_deg = -140 }";
        ("closes_loop = true", bar)
    } else {
        let bar = "parent = 'left.tip'\nchild = 'bar'\ntype = 'revolute'\nstart = { value_deg = -40 }\n\
             [joints.pin]\nparent = 'bar.tip'\nchild = 'right.tip'\ntype = 'revolute'";
        ("", bar)
    };
    machine(&format!(
        "gravity = [0, -9.81, 0]\n[links.left]\n{}\n[links.right]\n{}\n[links.bar]\n{}\n\
         [joints.left]\nparent = 'ground'\nchild = 'left'\ntype = 'revolute'\n{closes}\n\
         drive = {{ servo = {{ follow = {{ profile = 'cycloidal', from_deg = 40, to_deg = 130, time = 1 }}, {servo} }} }}\n\
         [joints.right]\nparent = 'ground'\nchild = 'right'\ntype = 'revolute'\norigin = [1, 0, 0]\nstart = {{ value_deg = 40 }}\n\
         [joints.bar]\n{bar}\n\
         [analysis]\nkind = 'rigid'\nend = 1.5\nstep = 1e-3\nredundant = 'least-norm'\n",
        rod(1.0, 0.6),
        rod(1.0, 0.6),
        rod(2.0, 1.0)
    ))
}

#[test]
fn servos_in_and_on_a_closed_loop_take_inertia_and_torque_of_the_entire_loop() {
    let mut lags = Vec::new();
    for closing in [false, true] {
        let (model, settings) = parallelogram("f0_hz = 10", closing);
        let entry = model.joint_coordinate("left", 0).unwrap();
        assert_eq!(matches!(entry.joint, JointRef::Closing(_)), closing);
        let drive = &model.joint(entry.joint).coordinates[entry.coordinate].drive;
        let Drive::Servo(servo) = drive else { panic!("{drive:?}") };
        // Two cranks about their pivots, and the bar on a circle of 0.6 m.
        let inertia = 2.0 * (0.02 + 0.3 * 0.3) + 2.0 * 0.6 * 0.6;
        let expected = std::f64::consts::PI.powi(2) * 100.0 * inertia;
        assert!((servo.position_gain / expected - 1.0).abs() < 1e-9, "{} {expected}", servo.position_gain);
        let left = model.state_entry(entry).position;
        let without = largest(&model, &settings, AnalysisKind::Rigid, &[left]);
        // A small error about the motion: what the linear analysis leaves out is of second order in it.
        let linear = largest(&model, &settings, AnalysisKind::Linear, &[left]);
        assert!((linear / without - 1.0).abs() < 2.0 * without, "{linear} {without}");
        let (model, settings) = parallelogram("f0_hz = 10, rigid_torque = true", closing);
        let with = largest(&model, &settings, AnalysisKind::Rigid, &[left]);
        println!(
            "closing {closing}: {without:.6} rad, linear {linear:.6}, with the torque fed forward {with:.2e}"
        );
        // The torque is that of the nominal machine's own steps.
        assert!(with < 1e-4 * without);
        lags.push(without);
    }
    assert!((lags[0] / lags[1] - 1.0).abs() < 1e-6, "{lags:?}");
}
