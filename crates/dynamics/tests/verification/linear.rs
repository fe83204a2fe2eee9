//! Linear and quasi-static analyses beside the nonlinear one: Naganathan's planar arm.

use nalgebra::Vector3;
use pliant_dynamics::{AnalysisKind, Frame, Settings, StepControl, simulate};
use pliant_mechanism::motion::Cycloidal;
use pliant_mechanism::{BodyIndex, Model, ModelBuilder};

use crate::support::{Beam, ROD, driven, named, revolute};

/// Two rods that both turn by `degrees` in 2.5 s and rest to 5 s.
fn arm(degrees: f64) -> Model {
    let slew = Cycloidal { from: 0.0, to: degrees.to_radians(), start: 0.0, duration: 2.5 };
    let rod = Beam { modes: 4, elements: 8, ..ROD };
    ModelBuilder {
        links: vec![named(rod.link("one")), named(rod.link("two"))],
        joints: vec![
            driven(revolute("first", "", "one", Vector3::z()), slew),
            driven(revolute("second", "one", "two", Vector3::z()), slew),
        ],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Tip error across the second link's rigid axis and torque of the first drive, every 10 ms.
fn histories(model: &Model, kind: AnalysisKind) -> Vec<[f64; 2]> {
    let settings = Settings {
        t_end: 5.0,
        step: StepControl::Fixed { step: 1e-3 },
        output_interval: 1e-2,
        ..Settings::default()
    };
    let mut out = Vec::new();
    simulate(model, kind, &settings, &mut |frame: &Frame<'_>| {
        let (error, _) = frame.error(BodyIndex(1).interface(0));
        let across = frame.poses(BodyIndex(1).interface(0)).1.R * Vector3::y();
        out.push([error.dot(&across), frame.drive_force(BodyIndex(0).coordinate(0))]);
    })
    .unwrap();
    out
}

fn peak(history: &[[f64; 2]], k: usize) -> f64 {
    history.iter().map(|row| row[k].abs()).fold(0.0, f64::max)
}

fn difference(a: &[[f64; 2]], b: &[[f64; 2]], k: usize) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

#[test]
fn linear_tends_to_nonlinear_as_the_motion_becomes_small() {
    println!("degrees  peak nonlinear  peak linear  peak quasi-static (mm)  difference linear  torque");
    let mut relative = Vec::new();
    for degrees in [60.0, 12.0] {
        let model = arm(degrees);
        let kinds = [AnalysisKind::Nonlinear, AnalysisKind::Linear, AnalysisKind::QuasiStatic];
        let [nonlinear, linear, balanced] = kinds.map(|kind| histories(&model, kind));
        let apart = difference(&nonlinear, &linear, 0) / peak(&nonlinear, 0);
        let torque = difference(&nonlinear, &linear, 1) / peak(&nonlinear, 1);
        println!(
            "{degrees:7}  {:14.4}  {:11.4}  {:17.4}  {:22.5}  {torque:.5}",
            1e3 * peak(&nonlinear, 0),
            1e3 * peak(&linear, 0),
            1e3 * peak(&balanced, 0),
            apart
        );
        relative.push(apart);
        // Naganathan reports nonlinear peaks 15 to 25 % above the linear ones. The linearisation here is
        // exact, with the change of inertia forces by the deformation in it, and does not show that: what it
        // leaves out is of second order in the deflection.
        assert!(apart < 2e-3 && torque < 2e-3);
        // The vibration goes on about the quasi-static deflection and beyond it.
        let (quasi_static, vibrating) = (peak(&balanced, 0), peak(&nonlinear, 0));
        assert!((1.05..1.15).contains(&(vibrating / quasi_static)), "{vibrating} {quasi_static}");
    }
    // What is left out falls with the square of the motion; at a fifth of it, by far more than five.
    assert!(relative[1] < 0.2 * relative[0]);
}
