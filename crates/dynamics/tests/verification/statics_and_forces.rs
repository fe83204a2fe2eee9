//! Loads, friction, springs, rotors, bearings, damping and static starts against closed forms.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{AnalysisKind, Frame, Settings, Simulation, Start, StepControl, simulate};
use pliant_mechanism::joint::{Fixed, Prismatic};
use pliant_mechanism::motion::{Cycloidal, SpinUp};
use pliant_mechanism::{
    Attachment, BodyIndex, Constant, Drive, Expression, Friction, JointSpec, LoadFrame, LoadSpec,
    ModelBuilder, Rotor, Stiffness,
};
use pliant_spatial::Transform;

use crate::support::{Beam, ROD, TUBE, driven, named, point_payload, revolute, rigid, tight};

fn clamped(child: &str) -> JointSpec {
    let mut joint = revolute("clamp", "", child, Vector3::z());
    joint.joint = Box::new(Fixed);
    joint.coordinates.clear();
    joint
}

#[test]
fn a_cantilever_sags_as_beam_theory_says() {
    // Own weight and a tip load: wL⁴/8EI + wL²/2kGA, PL³/3EI + PL/kGA.
    let (g, P) = (9.81, 50.0);
    let mut force: [Option<Arc<dyn pliant_mechanism::TimeFunction>>; 6] = Default::default();
    force[2] = Some(Arc::new(Constant(-P)));
    let load = |at| LoadSpec { name: "push".into(), at, frame: LoadFrame::World, components: force.clone() };
    let model = ModelBuilder {
        gravity: Vector3::z() * -g,
        links: vec![named(TUBE.link("beam"))],
        joints: vec![clamped("beam")],
        loads: vec![load(Attachment::interface("beam", "tip"))],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings { start: Start::StaticEquilibrium, ..Settings::default() };
    let mut simulation = Simulation::new(&model, &settings).unwrap();
    let (E, I, shear) = (TUBE.E, TUBE.I, TUBE.shear * TUBE.E / (2.0 * (1.0 + TUBE.nu)) * TUBE.A);
    let w = TUBE.rho * TUBE.A * g;
    let expected = w / (8.0 * E * I) + w / (2.0 * shear) + P / (3.0 * E * I) + P / shear;
    let sag = -simulation.work().X_WT(BodyIndex(0).interface(0)).p.z;
    // Nodal loads of the exact shape functions make the tip exact; what is left is the finite rotation.
    assert!((sag - expected).abs() < 1e-6 * expected, "{sag} against {expected}");
    // In equilibrium nothing moves, and the clamp carries weight and load.
    simulation.advance(1e-3).unwrap();
    assert!(simulation.energy().kinetic < 1e-20);
    let reaction = simulation.work().hinge_wrench(BodyIndex(0));
    assert!((reaction[2] - (w + P)).abs() < 1e-8 * (w + P), "{reaction}");
}

#[test]
fn a_spinning_rod_stretches_as_the_closed_form() {
    // Steady extension ρω²L³/3E.
    let omega = 40.0;
    let spin = SpinUp { from: 0.0, rate: omega, start: 0.0, duration: 0.4 };
    let model = ModelBuilder {
        links: vec![named(Beam { modes: 2, ..ROD }.link("rod"))],
        joints: vec![driven(revolute("hub", "", "rod", Vector3::z()), spin)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings {
        t_end: 0.5,
        step: StepControl::Fixed { step: 1e-4 },
        output_interval: 1e-3,
        ..Settings::default()
    };
    let (mut sum, mut count) = (0.0, 0.0);
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        if frame.state.t > 0.4 {
            // The axial coordinate of the tip; bending shortens nothing in a link of first order.
            sum += frame.state.q[frame.model.bodies()[0].elastic_positions().start];
            count += 1.0;
        }
    })
    .unwrap();
    let (mean, expected) = (sum / count, ROD.rho * omega * omega / (3.0 * ROD.E));
    // Residual vibration over a tenth of a second leaves a little of the mean.
    assert!((mean - expected).abs() < 2e-3 * expected, "{mean} against {expected}");
}

/// A rigid wheel of inertia 0.5 about z on a revolute joint.
fn wheel(change: impl FnOnce(&mut JointSpec)) -> pliant_mechanism::Model {
    let mut joint = revolute("axle", "", "wheel", Vector3::z());
    change(&mut joint);
    let I = Matrix3::from_diagonal(&Vector3::new(0.3, 0.3, 0.5));
    let link = rigid("wheel", 2.0, Vector3::zeros(), I, Transform::identity());
    ModelBuilder { links: vec![named(link)], joints: vec![joint], ..ModelBuilder::default() }.build().unwrap()
}

fn rate_after(model: &pliant_mechanism::Model, end: f64, h: f64) -> (f64, f64, f64) {
    let mut simulation =
        Simulation::new(model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
    for _ in 0..(end / h).round() as usize {
        simulation.advance(h).unwrap();
    }
    let balance = simulation.energy().balance;
    (simulation.state().q[0], simulation.state().v[0], balance)
}

#[test]
fn torque_rotor_and_viscous_friction_give_the_exponential() {
    let (torque, c, rotor) = (3.0, 0.8, Rotor { inertia: 1e-4, ratio: 50.0 });
    let inertia = 0.5 + 0.25;
    let model = wheel(|joint| {
        joint.coordinates[0].drive = Drive::Torque(Arc::new(Constant(torque)));
        joint.coordinates[0].friction = Friction { viscous: c, ..Friction::default() };
        joint.coordinates[0].rotor = rotor;
    });
    let (_, rate, balance) = rate_after(&model, 1.0, 1e-3);
    let expected = torque / c * (1.0 - f64::exp(-c / inertia));
    // Second order: (h c/I)²/12 ≈ 1e-7.
    assert!((rate - expected).abs() < 1e-6 * expected, "{rate} against {expected}");
    // The trapezoidal sum of powers has the same order: (h c/I)² = 1.1e-6 of a few joules.
    assert!(balance.abs() < 3e-6, "{balance}");
}

#[test]
fn coulomb_friction_takes_its_torque_and_stops_the_wheel() {
    let friction = Friction { viscous: 0.0, coulomb: 0.4, slip_rate: 1e-3 };
    let model = wheel(|joint| {
        joint.coordinates[0].initial_rate = 1.0;
        joint.coordinates[0].friction = friction;
    });
    // Decelerates at F/I = 0.8 rad/s²: 0.6 rad/s after half a second, at rest after 1.25 s.
    let (_, rate, _) = rate_after(&model, 0.5, 1e-4);
    assert!((rate - 0.6).abs() < 1e-6, "{rate}");
    let (_, rate, balance) = rate_after(&model, 1.5, 1e-4);
    assert!(rate.abs() < 1e-6, "{rate}");
    assert!(balance.abs() < 1e-5, "{balance}");
}

#[test]
fn a_spring_and_an_expression_torque_give_the_driven_oscillator() {
    // I θ̈ + k θ = T sin Ωt from rest: θ = T/(k − IΩ²) (sin Ωt − Ω/ω sin ωt).
    let (k, T, drive) = (8.0, 2.0, 3.0f64);
    let omega = (k / 0.5f64).sqrt();
    let model = wheel(|joint| {
        joint.coordinates[0].spring = Stiffness { stiffness: k, neutral: 0.0 };
        joint.coordinates[0].drive = Drive::Torque(Arc::new(Expression::parse("2*sin(3*t)").unwrap()));
    });
    let t = 2.0;
    let (angle, _, balance) = rate_after(&model, t, 5e-4);
    let expected = T / (k - 0.5 * drive * drive) * ((drive * t).sin() - drive / omega * (omega * t).sin());
    // Phase error (ωh)²/12·ωt ≈ 3e-6.
    assert!((angle - expected).abs() < 1e-5, "{angle} against {expected}");
    assert!(balance.abs() < 1e-5);
}

#[test]
fn a_bearing_gives_way_and_rings_at_its_frequency() {
    // A 3 kg block on a locked slide whose bearing is soft along z: sag mg/k, frequency √(k/m).
    let (m, k, g) = (3.0, 1200.0, 9.81);
    let mut joint = revolute("slide", "", "block", Vector3::z());
    joint.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
    joint = driven(joint, Cycloidal { from: 0.0, to: 0.1, start: 5.0, duration: 1.0 });
    joint.bearing.components[2] = Some((k, 0.0));
    let block = rigid("block", m, Vector3::zeros(), Matrix3::identity(), Transform::identity());
    let model = ModelBuilder {
        gravity: Vector3::z() * -g,
        links: vec![named(block)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings { start: Start::StaticEquilibrium, ..Settings::default() };
    let simulation = Simulation::new(&model, &settings).unwrap();
    assert!((simulation.work().X_WL(BodyIndex(0)).p.z + m * g / k).abs() < 1e-15);
    // Undeformed it falls and swings: z = −(mg/k)(1 − cos ωt).
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    for _ in 0..1000 {
        simulation.advance(5e-4).unwrap();
    }
    let expected = -m * g / k * (1.0 - (k / m).sqrt().mul_add(0.5, 0.0).cos());
    let z = simulation.work().X_WL(BodyIndex(0)).p.z;
    // Phase error (ωh)²/12·ωt ≈ 8e-5 of the swing.
    assert!((z - expected).abs() < 1e-5, "{z} against {expected}");
}

#[test]
fn damping_takes_what_the_balance_says() {
    let damped = Beam { rayleigh_beta: 2e-4, ..ROD };
    let slew = Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.5 };
    let model = ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(damped.link("one")), named(damped.link("two"))],
        joints: vec![
            driven(revolute("first", "", "one", Vector3::z()), slew),
            revolute("second", "one", "two", Vector3::z()),
        ],
        payloads: vec![point_payload("two", 0.2)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let run = |h: f64| {
        let mut simulation =
            Simulation::new(&model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
        for _ in 0..(0.3 / h).round() as usize {
            simulation.advance(h).unwrap();
        }
        *simulation.energy()
    };
    let (coarse, fine) = (run(2e-4), run(1e-4));
    println!("damped arm: {fine:?}");
    assert!(fine.dissipated > 1e-4 && fine.drive_work.abs() > 1.0);
    assert!(fine.balance.abs() < 1e-3 * fine.dissipated, "{}", fine.balance);
    assert!((coarse.balance / fine.balance).abs().log2() > 1.7);
}

#[test]
fn stiff_links_tend_to_the_rigid_arm() {
    // The peak tip error falls as 1/E.
    let peaks = |factor: f64| {
        let rod = Beam { E: ROD.E * factor, modes: 2, elements: 8, ..ROD };
        let slew = Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.5 };
        let model = ModelBuilder {
            links: vec![named(rod.link("one")), named(rod.link("two"))],
            joints: vec![
                driven(revolute("first", "", "one", Vector3::z()), slew),
                driven(revolute("second", "one", "two", Vector3::z()), slew),
            ],
            ..ModelBuilder::default()
        }
        .build()
        .unwrap();
        let settings = Settings {
            t_end: 0.5,
            step: StepControl::Fixed { step: 5e-4 },
            output_interval: 5e-4,
            newton: tight(),
            ..Settings::default()
        };
        let (mut tip, mut torque) = (0.0f64, 0.0f64);
        simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
            tip = tip.max(frame.error(BodyIndex(1).interface(0)).0.norm());
            torque = torque.max(
                (frame.drive_force(BodyIndex(0).coordinate(0))
                    - frame.nominal_drive_force(BodyIndex(0).coordinate(0)))
                .abs(),
            );
        })
        .unwrap();
        (tip, torque)
    };
    let (two, four) = (peaks(1e2), peaks(1e4));
    println!("E × 1e2: {two:?}, E × 1e4: {four:?}");
    // The ratio is 100 when only the quasi-static deflection is left; ringing at E × 1e2 adds a little.
    assert!((two.0 / four.0 / 100.0 - 1.0).abs() < 0.1, "{}", two.0 / four.0);
    // The torque rings after the step in jerk at the start, with an amplitude of jerk over frequency: E^-½.
    assert!((two.1 / four.1 / 10.0 - 1.0).abs() < 0.2, "{}", two.1 / four.1);
}

#[test]
fn quasi_static_deflection_of_an_accelerated_rod_is_the_closed_form() {
    // Load −ρAαx along a cantilever: tip deflection −ρAα(11L⁵/120EI + L³/3kGA); rotary inertia, a moment
    // −ρIα per length, adds −ρIα L³/3EI.
    let slew = Cycloidal { from: 0.0, to: 0.2, start: 0.0, duration: 1.0 };
    let model = ModelBuilder {
        links: vec![named(ROD.link("rod"))],
        joints: vec![driven(revolute("hub", "", "rod", Vector3::z()), slew)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings =
        Settings { step: StepControl::Fixed { step: 0.01 }, output_interval: 0.01, ..Settings::default() };
    let shear = ROD.shear * ROD.E / (2.0 * (1.0 + ROD.nu)) * ROD.A;
    let (EI, rho_A) = (ROD.E * ROD.I, ROD.rho * ROD.A);
    let mut peak = 0.0f64;
    simulate(&model, AnalysisKind::QuasiStatic, &settings, &mut |frame: &Frame<'_>| {
        let alpha = pliant_mechanism::Motion::at(&slew, frame.state.t).acceleration;
        let expected =
            -alpha * (rho_A * (11.0 / (120.0 * EI) + 1.0 / (3.0 * shear)) + ROD.rho * ROD.I / (3.0 * EI));
        let (_, nominal) = frame.poses(BodyIndex(0).interface(0));
        let deflection = (nominal.R.transpose() * frame.error(BodyIndex(0).interface(0)).0).y;
        // Centrifugal load on the deflected rod, ω² against the bending frequency squared, is 3e-4 of it.
        assert!(
            (deflection - expected).abs() < 1e-3 * expected.abs() + 1e-12,
            "{deflection} against {expected}"
        );
        peak = peak.max(deflection.abs());
    })
    .unwrap();
    assert!(peak > 1e-4);
}
