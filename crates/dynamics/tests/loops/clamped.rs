//! A beam clamped at both ends: its rigid twin cannot move at all, and six constraints of the loop are all
//! that it has.

use std::f64::consts::TAU;

use nalgebra::Vector3;
use pliant_dynamics::{AnalysisKind, Frame, Settings, Start, StepControl, natural_frequencies, simulate};
use pliant_mechanism::joint::Fixed;
use pliant_mechanism::{JointSpec, LoopIndex, Model, ModelBuilder, Placement};
use pliant_spatial::Transform;

use crate::support::{Beam, ROD, named, revolute};

const GRAVITY: f64 = 9.81;

fn clamped(second_order: bool) -> Model {
    let clamp = |name: &str| {
        let joint = revolute(name, "", "beam", Vector3::z());
        JointSpec { joint: Box::new(Fixed), coordinates: Vec::new(), ..joint }
    };
    let mut right = clamp("right");
    right.child_interface = Some("tip".into());
    let X_TP = Transform::translation(Vector3::x() * ROD.length);
    right.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    ModelBuilder {
        gravity: Vector3::y() * -GRAVITY,
        links: vec![named(Beam { second_order, ..ROD }.link("beam"))],
        joints: vec![clamp("left"), right],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

fn settings(start: Start) -> Settings {
    Settings { start, t_end: 0.05, step: StepControl::Fixed { step: 1e-4 }, ..Settings::default() }
}

#[test]
fn it_vibrates_at_the_frequency_of_the_textbook() {
    let Beam { length, A, I, E, rho, .. } = ROD;
    // cos βl cosh βl = 1: βl = 4.730041 (4.7300 in Thomson, *Theory of Vibration with Applications*, appendix
    // D.1).
    let expected = 4.730_041f64.powi(2) / (TAU * length * length) * (E * I / (rho * A)).sqrt();
    let found = natural_frequencies(&clamped(false), &Settings::default()).unwrap();
    // Shear and rotary inertia lower it by about (r/l)² times 100, r = 5.3 mm.
    assert!((found[0] / expected - 1.0).abs() < 5e-3, "{} for {expected}", found[0]);
}

#[test]
fn at_rest_each_end_carries_half_of_the_weight_and_its_moment() {
    let Beam { length, A, rho, .. } = ROD;
    let weight = rho * A * GRAVITY * length;
    let mut last = None;
    let mut take = |frame: &Frame<'_>| last = Some(frame.work.loop_wrench(LoopIndex(0)));
    simulate(&clamped(false), AnalysisKind::Nonlinear, &settings(Start::StaticEquilibrium), &mut take)
        .unwrap();
    let F = last.unwrap();
    assert!((F[1] / (0.5 * weight) - 1.0).abs() < 1e-6, "{F}");
    // wl²/12; it stays at rest to rounding of the start.
    assert!((F[5].abs() / (weight * length / 12.0) - 1.0).abs() < 1e-5, "{F}");
}

#[test]
fn every_analysis_runs_beside_a_rigid_twin_that_cannot_move() {
    use AnalysisKind::{Linear, Nonlinear, QuasiStatic, Rigid};
    for kind in [Nonlinear, Linear, QuasiStatic, Rigid] {
        let (mut balance, mut kinetic) = (0.0f64, 0.0f64);
        let mut take = |frame: &Frame<'_>| {
            balance = balance.max(frame.energy.balance.abs());
            kinetic = kinetic.max(frame.energy.kinetic);
        };
        simulate(&clamped(true), kind, &settings(Start::Undeformed), &mut take).unwrap();
        let moves = matches!(kind, Nonlinear | Linear);
        // Under its weight, all at once, it swings by twice its static sag; the energy at play is 5 mJ.
        assert_eq!(kinetic > 1e-5, moves, "{kind:?}: {kinetic}");
        assert!(!moves || balance < 1e-2 * kinetic, "{kind:?}: {balance} of {kinetic}");
    }
}
