//! Guides in a plane, and loops whose measures were rounded.

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation, SimulationError};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::Free;
use pliant_mechanism::{ConstraintSpec, End, Guide, ModelBuilder, Placement, Redundancy};
use pliant_spatial::Transform;

use crate::four_bar::{LENGTHS, closed_form, joints, rod};
use crate::support::{named, revolute};

#[test]
fn a_body_slides_down_a_plane() {
    let block = ReducedLink::rigid("block", 2.0, Vector3::zeros(), Matrix3::identity() * 1e-3, []);
    let mut fly = revolute("fly", "", "block", Vector3::z());
    fly.joint = Box::new(Free);
    fly.coordinates = vec![Default::default(); 6];
    let slope = 0.5f64;
    let normal = Vector3::new(-slope.sin(), slope.cos(), 0.0);
    let model = ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(block)],
        joints: vec![fly],
        constraints: vec![ConstraintSpec {
            name: "plane".into(),
            parent: End::Ground(Transform::identity()),
            child: End::Frame { link: "block".into(), X: Transform::identity() },
            kind: Box::new(Guide::in_plane(normal).unwrap()),
        }],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    for _ in 0..100 {
        simulation.advance(1e-2).unwrap();
    }
    // ½ g sin α t² down the slope; constant, so that the scheme is exact.
    let way = 0.5 * 9.81 * slope.sin();
    let q = &simulation.state().q;
    let expected = Vector3::new(-slope.cos(), -slope.sin(), 0.0) * way;
    assert!((Vector3::new(q[0], q[1], q[2]) - expected).norm() < 1e-10, "{q:?} {expected}");
    // The plane carries m g cos α.
    assert!((simulation.work().multipliers()[0] - 2.0 * 9.81 * slope.cos()).abs() < 1e-10);
}

#[test]
fn repeated_constraints_may_be_off_by_what_measures_are_rounded_by() {
    let [g, a, b, c] = LENGTHS;
    // The rocker's bearing stands out of the plane, where nothing can give way.
    let build = |off: f64| {
        let mut joints = joints(g);
        let X_TP = Transform::translation(Vector3::new(g, 0.0, off));
        joints[2].placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
        (joints[1].coordinates[0].initial, joints[2].coordinates[0].initial) = (0.5, 1.2);
        joints[0].coordinates[0].initial = 0.3;
        joints[0].coordinates[0].initial_rate = 17.0;
        joints[0].coordinates[0].exact = true;
        ModelBuilder {
            links: vec![
                named(rod("crank", a, 0.1)),
                named(rod("coupler", b, 0.3)),
                named(rod("rocker", c, 0.2)),
            ],
            joints,
            redundancy: Redundancy::LeastNorm,
            ..ModelBuilder::default()
        }
        .build()
        .unwrap()
    };
    let model = build(1e-8);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    for _ in 0..500 {
        simulation.advance(1e-3).unwrap();
    }
    let q = &simulation.state().q;
    let (coupler, _) = closed_form(q[0]);
    let difference = (q[0] + q[1] - coupler).sin();
    assert!(q[0] > 6.0 && difference.abs() < 1e-7, "{q:?} {coupler}");
    // A millimetre is no rounding.
    let error = Simulation::new(&build(1e-3), &Settings::default()).unwrap_err();
    let SimulationError::NotAssembled { misfit, .. } = &error else { panic!("{error}") };
    assert!((misfit - 1e-3).abs() < 1e-9, "{error}");
    // The nominal machine of links that bend is made to fit.
    assert!(Simulation::new(&build(1e-3).nominal(), &Settings::default()).is_ok());
}
