//! The arms of ../shared/exudyn: peers' answers, converged in step and mesh.

use crate::support::{ROD, TUBE, driven, named, point_payload, reference, revolute, rigid};
use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{AnalysisKind, Frame, Settings, Start, StepControl, simulate};
use pliant_mechanism::motion::Cycloidal;
use pliant_mechanism::{BodyIndex, ModelBuilder};
use pliant_spatial::Transform;

fn slew(degrees: f64, duration: f64) -> Cycloidal {
    Cycloidal { from: 0.0, to: degrees.to_radians(), start: 0.0, duration }
}

#[test]
fn spatial_3r_arm_follows_the_craig_bampton_reference() {
    let Some(rows) = reference("exudyn/arm3r-craig-bampton.csv") else { return };
    let kink = Transform::translation(Vector3::z() * 0.5);
    let hip =
        rigid("hip", 0.0, Vector3::zeros(), Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 0.02)), kink);
    let model = ModelBuilder {
        gravity: Vector3::new(0.0, 0.0, -9.81),
        links: vec![named(hip), named(TUBE.link("upper")), named(TUBE.link("fore"))],
        joints: vec![
            driven(revolute("hip", "", "hip", Vector3::z()), slew(60.0, 1.0)),
            driven(revolute("shoulder", "hip", "upper", -Vector3::y()), slew(45.0, 1.0)),
            driven(revolute("elbow", "upper", "fore", -Vector3::y()), slew(-60.0, 1.0)),
        ],
        payloads: vec![point_payload("fore", 10.0)],
        loads: Vec::new(),
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings {
        t_end: 2.0,
        step: StepControl::Fixed { step: 1e-4 },
        output_interval: 1e-3,
        start: Start::StaticEquilibrium,
        ..Settings::default()
    };
    let (mut worst_tip, mut worst_torque, mut n) = (0.0f64, 0.0f64, 0);
    let mut balance = 0.0f64;
    let statistics = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        let row = &rows[n];
        n += 1;
        assert!((frame.state.t - row[0]).abs() < 1e-9);
        let (e, _) = frame.error(BodyIndex(2).interface(0));
        worst_tip = worst_tip.max((e - Vector3::new(row[1], row[2], row[3])).norm());
        for k in 0..3 {
            worst_torque =
                worst_torque.max((frame.drive_force(BodyIndex(k).coordinate(0)) - row[7 + k]).abs());
        }
        balance = balance.max(frame.energy.balance.abs());
    })
    .unwrap();
    println!("3R: tip {:.3} um, torque {worst_torque:.4} N m, balance {balance:.2e} J", worst_tip * 1e6);
    println!("{statistics:?}");
    assert_eq!(n, rows.len());
    assert!(worst_tip < 5e-6, "{worst_tip}");
    assert!(worst_torque < 0.5, "{worst_torque}");
}

#[test]
fn planar_2r_arm_follows_the_craig_bampton_reference() {
    let Some(rows) = reference("exudyn/arm2r-craig-bampton.csv") else { return };
    let model = ModelBuilder {
        links: vec![named(ROD.link("one")), named(ROD.link("two"))],
        joints: vec![
            driven(revolute("first", "", "one", Vector3::z()), slew(60.0, 2.5)),
            driven(revolute("second", "one", "two", Vector3::z()), slew(60.0, 2.5)),
        ],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings {
        t_end: 5.0,
        step: StepControl::Fixed { step: 2.5e-4 },
        output_interval: 1e-3,
        ..Settings::default()
    };
    let (mut worst_tip, mut worst_torque, mut n) = (0.0f64, 0.0f64, 0);
    let statistics = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        let row = &rows[n];
        n += 1;
        let (e, _) = frame.error(BodyIndex(1).interface(0));
        let (_, nominal) = frame.poses(BodyIndex(1).interface(0));
        let e = nominal.R.transpose() * e;
        worst_tip = worst_tip.max((e.x - row[1]).hypot(e.y - row[2]));
        for k in 0..2 {
            worst_torque =
                worst_torque.max((frame.drive_force(BodyIndex(k).coordinate(0)) - row[3 + k]).abs());
        }
    })
    .unwrap();
    println!("2R: tip {:.3} um, torque {worst_torque:.5} N m", worst_tip * 1e6);
    println!("{statistics:?}");
    assert_eq!(n, rows.len());
    assert!(worst_tip < 3e-6, "{worst_tip}");
    // The README gives torques to 1 mN m.
    assert!(worst_torque < 5e-3, "{worst_torque}");
}
