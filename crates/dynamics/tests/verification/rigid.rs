//! Rigid machines against closed forms and independent formulations.

use std::f64::consts::{FRAC_PI_2, TAU};

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_dynamics::{AnalysisKind, Frame, Scheme, Settings, StepControl, simulate};
use pliant_mechanism::joint::{Free, Spherical};
use pliant_mechanism::motion::Harmonic;
use pliant_mechanism::{BodyIndex, DhConvention, Model, ModelBuilder, Motion, Placement};
use pliant_spatial::Transform;

use crate::support::{SCHEMES, driven, named, revolute, rigid, run_to};

/// One link of a six-axis arm: a, α, d (modified Denavit–Hartenberg), mass, centre, inertia about the centre.
type ArmLink = (f64, f64, f64, f64, Vector3<f64>, Matrix3<f64>);

/// A six-axis arm with the proportions of a PUMA 560 and full inertia tensors.
fn arm6() -> Vec<ArmLink> {
    let parameters = [
        (0.0, 0.0, 0.0, 12.0),
        (0.0, -FRAC_PI_2, 0.2435, 17.4),
        (0.4318, 0.0, -0.0934, 4.8),
        (-0.0203, FRAC_PI_2, 0.4331, 0.82),
        (0.0, -FRAC_PI_2, 0.0, 0.34),
        (0.0, FRAC_PI_2, 0.0, 0.09),
    ];
    let link = |(i, (a, alpha, d, m)): (usize, (f64, f64, f64, f64))| {
        let s = i as f64;
        let c = Vector3::new(0.1 - 0.02 * s, -0.05 + 0.03 * s, 0.04 * (s - 2.0));
        let turn = Rotation3::new(Vector3::new(0.3 * s, 0.2, -0.1 * s)).into_inner();
        let I =
            turn * Matrix3::from_diagonal(&Vector3::new(0.13, 0.52, 0.53)) * turn.transpose() * (m / 17.4);
        (a, alpha, d, m, c, I)
    };
    parameters.into_iter().enumerate().map(link).collect()
}

fn joint_motion(i: usize) -> Harmonic {
    let s = i as f64;
    Harmonic { mean: 0.2 * s, amplitude: 1.0 - 0.1 * s, freq_hz: 0.4 + 0.15 * s, phase: 0.5 * s }
}

/// Newton–Euler with 3-vectors in world axes, written from the textbook equations of moving bodies and
/// sharing nothing with the program: absolute angular velocity and acceleration, acceleration of the centres,
/// then forces and moments about each joint from the tip inwards.
fn newton_euler(arm: &[ArmLink], t: f64, g: Vector3<f64>) -> Vec<f64> {
    let n = arm.len();
    let (mut R, mut p) = (Matrix3::identity(), Vector3::zeros());
    let (mut w, mut dw, mut acc): (Vector3<f64>, Vector3<f64>, Vector3<f64>) = Default::default();
    let mut bodies = Vec::new();
    for (i, (a, alpha, d, m, c, I)) in arm.iter().enumerate() {
        let s = joint_motion(i).at(t);
        let ((sa, ca), (st, ct)) = (alpha.sin_cos(), s.value.sin_cos());
        let local = Matrix3::new(ct, -st, 0.0, st * ca, ct * ca, -sa, st * sa, ct * sa, ca);
        let arm_vector = R * Vector3::new(*a, -sa * d, ca * d);
        acc += dw.cross(&arm_vector) + w.cross(&w.cross(&arm_vector));
        p += arm_vector;
        R *= local;
        let z = R.column(2).into_owned();
        dw += z * s.acceleration + w.cross(&z) * s.rate;
        w += z * s.rate;
        let r = R * c;
        let centre_acc = acc + dw.cross(&r) + w.cross(&w.cross(&r));
        let I_world = R * I * R.transpose();
        let force = (centre_acc - g) * *m;
        let moment = I_world * dw + w.cross(&(I_world * w));
        bodies.push((p, z, p + r, force, moment));
    }
    (0..n)
        .map(|i| {
            let (joint, z) = (bodies[i].0, bodies[i].1);
            let about_joint = bodies[i..].iter().map(|(_, _, c, f, m)| m + (c - joint).cross(f));
            z.dot(&about_joint.sum::<Vector3<f64>>())
        })
        .collect()
}

#[test]
fn torques_of_a_six_axis_arm_are_newton_eulers() {
    let arm = arm6();
    let names: Vec<String> = (1..=6).map(|i| format!("link{i}")).collect();
    let g = Vector3::new(1.0, -2.0, -9.4);
    let mut builder = ModelBuilder { gravity: g, ..ModelBuilder::default() };
    for (i, (a, alpha, d, m, c, I)) in arm.iter().enumerate() {
        builder.links.push(named(rigid(&names[i], *m, *c, *I, Transform::identity())));
        let parent = if i == 0 { "" } else { &names[i - 1] };
        let mut joint =
            driven(revolute(&format!("joint{i}"), parent, &names[i], Vector3::z()), joint_motion(i));
        let (convention, a, alpha, d) = (DhConvention::Modified, *a, *alpha, *d);
        joint.placement = Placement::DenavitHartenberg { convention, a, alpha, d, theta: 0.0 };
        builder.joints.push(joint);
    }
    let model = builder.build().unwrap();
    let settings =
        Settings { step: StepControl::Fixed { step: 0.01 }, output_interval: 0.01, ..Settings::default() };
    let (mut worst, mut largest) = (0.0f64, 0.0f64);
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        for (i, expected) in newton_euler(&arm, frame.state.t, g).into_iter().enumerate() {
            worst = worst.max((frame.drive_force(BodyIndex(i).coordinate(0)) - expected).abs());
            largest = largest.max(expected.abs());
        }
    })
    .unwrap();
    println!("6R torques: worst difference {worst:.2e} N m of {largest:.1} N m");
    assert!(worst < 1e-9 && largest > 10.0);
}

/// A top on a ball joint: body axis z, pivot inertias A (across) and C (along).
fn top(tilt: f64, precession: f64) -> (Model, f64) {
    let (m, l, g) = (0.5, 0.1, 9.81);
    let (across, along) = (4e-4, 6e-4);
    let pivot_inertia = across + m * l * l;
    // Steady precession: A Ω² cos θ − C ω₃ Ω + m g l = 0.
    let spin_3 = (pivot_inertia * precession * precession * tilt.cos() + m * g * l) / (along * precession);
    let I = Matrix3::from_diagonal(&Vector3::new(across, across, along));
    let mut joint = revolute("ball", "", "top", Vector3::z());
    joint.joint = Box::new(Spherical);
    let R = Rotation3::new(Vector3::y() * tilt).into_inner();
    let own_spin = spin_3 - precession * tilt.cos();
    let w = R.transpose() * Vector3::z() * precession + Vector3::z() * own_spin;
    joint.coordinates = (0..3).map(|_| Default::default()).collect();
    joint.coordinates[1].initial = tilt;
    for i in 0..3 {
        joint.coordinates[i].initial_rate = w[i];
    }
    let model = ModelBuilder {
        gravity: Vector3::z() * -g,
        links: vec![named(rigid("top", m, Vector3::z() * l, I, Transform::translation(Vector3::z())))],
        joints: vec![joint],
        ..ModelBuilder::default()
    };
    (model.build().unwrap(), spin_3)
}

#[test]
fn a_spinning_top_precesses_steadily() {
    let (tilt, precession) = (0.6f64, 5.0);
    let (model, spin_3) = top(tilt, precession);
    let end = 1.0;
    let error = |h: f64| {
        let (state, work) = run_to(&model, Scheme::Newmark, end, h);
        let axis = work.X_WL(BodyIndex(0)).R.column(2).into_owned();
        let expected =
            Rotation3::new(Vector3::z() * precession * end) * Vector3::new(tilt.sin(), 0.0, tilt.cos());
        assert!(
            (state.v[2] - spin_3).abs() < 1e-6 * spin_3,
            "the spin about the axis of symmetry is constant"
        );
        (axis - expected).norm()
    };
    let (coarse, fine) = (error(4e-5), error(2e-5));
    println!(
        "top: spin {spin_3:.1} rad/s, axis error {coarse:.2e} and {fine:.2e}, order {:.2}",
        (coarse / fine).log2()
    );
    // (ω₃h)² = 1.6e-5 for the finer step, times 5 rad of precession.
    assert!(fine < 8e-5 && (coarse / fine).log2() > 1.9);
}

/// Jacobi's sn, cn, dn by the arithmetic–geometric mean (Abramowitz and Stegun 16.4).
fn jacobi(u: f64, m: f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut c) = (vec![1.0f64], (1.0 - m).sqrt(), vec![m.sqrt()]);
    // Converges quadratically: eight halvings reach rounding from any modulus used here.
    for _ in 0..8 {
        let last = a[a.len() - 1];
        a.push(0.5 * (last + b));
        c.push(0.5 * (last - b));
        b = (last * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = 2f64.powi(n as i32) * a[n] * u;
    for k in (1..=n).rev() {
        phi = 0.5 * (phi + (c[k] / a[k] * phi.sin()).asin());
    }
    let sn = phi.sin();
    (sn, phi.cos(), (1.0 - m * sn * sn).sqrt())
}

fn free_body(I: Vector3<f64>, w: Vector3<f64>) -> Model {
    let mut joint = revolute("flight", "", "body", Vector3::z());
    joint.joint = Box::new(Free);
    joint.coordinates = (0..6).map(|_| Default::default()).collect();
    joint.coordinates[0].initial_rate = 0.3;
    for i in 0..3 {
        joint.coordinates[3 + i].initial_rate = w[i];
    }
    let body = rigid("body", 2.0, Vector3::zeros(), Matrix3::from_diagonal(&I), Transform::identity());
    ModelBuilder { links: vec![named(body)], joints: vec![joint], ..ModelBuilder::default() }.build().unwrap()
}

#[test]
fn a_free_body_tumbles_as_eulers_solution() {
    let I = Vector3::new(1.0, 2.0, 3.0);
    let w = Vector3::new(1.0, 0.0, 1.2);
    let energy2 = I.component_mul(&w).dot(&w);
    let momentum2 = I.component_mul(&w).norm_squared();
    let (p, q): (f64, f64) = (energy2 * I.z - momentum2, momentum2 - energy2 * I.x);
    assert!(momentum2 > energy2 * I.y, "the case of the formulas (Landau and Lifshitz, Mechanics, §37)");
    let rate = ((I.z - I.y) * q / (I.x * I.y * I.z)).sqrt();
    let modulus = (I.y - I.x) * p / ((I.z - I.y) * q);
    let exact = |t: f64| {
        let (sn, cn, dn) = jacobi(rate * t, modulus);
        Vector3::new(
            (p / (I.x * (I.z - I.x))).sqrt() * cn,
            (p / (I.y * (I.z - I.y))).sqrt() * sn,
            (q / (I.z * (I.z - I.x))).sqrt() * dn,
        )
    };
    assert!((exact(0.0) - w).norm() < 1e-14);
    let model = free_body(I, w);
    for scheme in SCHEMES {
        let error = |h: f64| {
            let (state, work) = run_to(&model, scheme, 6.0, h);
            assert!((work.X_WL(BodyIndex(0)).p.x - 1.8).abs() < 1e-12, "the centre drifts straight");
            (Vector3::new(state.v[3], state.v[4], state.v[5]) - exact(6.0)).norm()
        };
        let (coarse, fine) = (error(4e-3), error(2e-3));
        let order = (coarse / fine).log2();
        println!("free body, {scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!(fine < 1e-4 && (order - 2.0).abs() < 0.1);
    }
}

/// The Dzhanibekov effect: a body that turns about its middle axis, nearly, flips over at equal times,
/// 2K(m)/rate apart (Landau and Lifshitz, Mechanics, §37, near the separatrix).
#[test]
fn a_body_that_turns_about_its_middle_axis_flips_at_equal_times() {
    let I = Vector3::new(1.0, 2.0, 3.0);
    // On the separatrix w_x² I_x (I_y − I_x) = w_z² I_z (I_z − I_y).
    let w = Vector3::new(1.0, 0.0, 1.0001 * (1.0f64 / 3.0).sqrt()) * 6.0;
    let energy2 = I.component_mul(&w).dot(&w);
    let momentum2 = I.component_mul(&w).norm_squared();
    let (p, q): (f64, f64) = (energy2 * I.z - momentum2, momentum2 - energy2 * I.x);
    let rate = ((I.z - I.y) * q / (I.x * I.y * I.z)).sqrt();
    let modulus = (I.y - I.x) * p / ((I.z - I.y) * q);
    assert!((0.999..1.0).contains(&modulus), "{modulus}");
    let (mut a, mut b) = (1.0, (1.0 - modulus).sqrt());
    for _ in 0..12 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let flip = std::f64::consts::PI / a / rate;
    let model = free_body(I, w);
    let settings = Settings {
        t_end: 5.2 * flip,
        step: StepControl::Fixed { step: 2e-4 },
        output_interval: 2e-4,
        ..Settings::default()
    };
    let (mut flips, mut last) = (Vec::new(), (0.0, 0.0));
    simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        let now = (frame.state.t, frame.state.v[4]);
        if last.1 * now.1 < 0.0 {
            flips.push(last.0 + (now.0 - last.0) * last.1 / (last.1 - now.1));
        }
        last = now;
    })
    .unwrap();
    assert_eq!(flips.len(), 5, "{flips:?}");
    for (k, t) in (1..).zip(&flips) {
        // The time of a flip goes with the logarithm of the distance from the separatrix, which the step's
        // error moves by a part of 1e-4.
        assert!(
            (t / (flip * f64::from(k)) - 1.0).abs() < 1e-3,
            "flip {k} at {t}, expected {}",
            flip * f64::from(k)
        );
    }
}

/// The double pendulum of point masses by the classical Runge–Kutta method on the textbook equations, angles
/// from the vertical; with steps of 1e-5 its error is below 1e-14.
fn double_pendulum(m: [f64; 2], l: [f64; 2], g: f64, start: [f64; 2], end: f64) -> [f64; 4] {
    let f = |y: [f64; 4]| {
        let (d, [a, b, wa, wb]) = (y[0] - y[1], y);
        let total = m[0] + m[1];
        let k = m[0] + m[1] * d.sin() * d.sin();
        let da = (-m[1] * d.sin() * (l[0] * wa * wa * d.cos() + l[1] * wb * wb)
            - g * (total * a.sin() - m[1] * b.sin() * d.cos()))
            / (l[0] * k);
        let db = (total * l[0] * wa * wa * d.sin()
            + m[1] * l[1] * wb * wb * d.sin() * d.cos()
            + g * total * (a.sin() * d.cos() - b.sin()))
            / (l[1] * k);
        [wa, wb, da, db]
    };
    let n = (end / 1e-5).round() as usize;
    let h = end / n as f64;
    let add = |y: [f64; 4], k: [f64; 4], s: f64| [0, 1, 2, 3].map(|i| y[i] + s * k[i]);
    let mut y = [start[0], start[1], 0.0, 0.0];
    for _ in 0..n {
        let k1 = f(y);
        let k2 = f(add(y, k1, h / 2.0));
        let k3 = f(add(y, k2, h / 2.0));
        let k4 = f(add(y, k3, h));
        y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

#[test]
fn a_double_pendulum_swings_as_its_textbook_equations() {
    let (m, l, g, start) = ([1.3, 0.7], [0.6, 0.9], 9.81, [1.2, 0.4]);
    let exact = double_pendulum(m, l, g, start, 1.0);
    let bob = |name: &str, m: f64, l: f64| {
        let arm = Vector3::x() * l;
        named(rigid(name, m, arm, Matrix3::zeros(), Transform::translation(arm)))
    };
    let mut joints =
        vec![revolute("pivot", "", "upper", Vector3::z()), revolute("elbow", "upper", "lower", Vector3::z())];
    joints[0].coordinates[0].initial = start[0] - TAU / 4.0;
    joints[1].coordinates[0].initial = start[1] - start[0];
    let model = ModelBuilder {
        gravity: Vector3::y() * -g,
        links: vec![bob("upper", m[0], l[0]), bob("lower", m[1], l[1])],
        joints,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    for scheme in SCHEMES {
        let error = |h: f64| {
            let (state, _) = run_to(&model, scheme, 1.0, h);
            let (a, b) = (state.q[0] + TAU / 4.0, state.q[0] + state.q[1] + TAU / 4.0);
            (a - exact[0]).abs().max((b - exact[1]).abs())
        };
        let (coarse, fine) = (error(1e-3), error(5e-4));
        let order = (coarse / fine).log2();
        println!("double pendulum, {scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!(fine < 1e-4 && (order - 2.0).abs() < 0.1);
    }
}
