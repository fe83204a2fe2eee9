//! Published problems: large deflections of beams, a top, a governor.

use std::f64::consts::PI;
use std::sync::Arc;

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, Observer, Scheme, Settings, StepControl, Warning, simulate,
};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Fixed, Prismatic, Spherical};
use pliant_mechanism::{
    Attachment, BodyIndex, End, Expression, ForceSpec, LoadFrame, LoadSpec, Model, ModelBuilder,
    SpringDamper, SpringLaw, TimeFunction,
};
use pliant_spatial::Transform;

use crate::support::{Beam, named, revolute, rigid, run_to};

/// A beam cut into bodies that are welded together, clamped to the ground, with forces over time at its tip
/// (world x, y).
fn cantilever(beam: &Beam, segments: usize, forces: [&str; 2]) -> Model {
    let part = Beam { length: beam.length / segments as f64, elements: (16 / segments).max(4), ..*beam };
    let name = |k: usize| format!("b{k}");
    let joints = (0..segments).map(|k| {
        let parent = if k == 0 { String::new() } else { name(k - 1) };
        let mut weld = revolute(&format!("w{k}"), &parent, &name(k), Vector3::z());
        weld.joint = Box::new(Fixed);
        weld.coordinates.clear();
        weld
    });
    let force =
        |text: &str| -> Option<Arc<dyn TimeFunction>> { Some(Arc::new(Expression::parse(text).unwrap())) };
    let load = LoadSpec {
        name: "tip".into(),
        at: Attachment::interface(name(segments - 1), "tip"),
        frame: LoadFrame::World,
        components: [force(forces[0]), force(forces[1]), None, None, None, None],
    };
    ModelBuilder {
        links: (0..segments).map(|k| named(part.link(&name(k)))).collect(),
        joints: joints.collect(),
        loads: vec![load],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Where the tip comes to rest, and what the run warns of.
#[derive(Default)]
struct Rest {
    tip: Vector3<f64>,
    speed: f64,
    warnings: Vec<String>,
}

impl Observer for Rest {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        let tip = frame.work.X_WT(BodyIndex(frame.model.bodies().len() - 1).interface(0)).p;
        self.speed = (tip - self.tip).norm();
        self.tip = tip;
        Ok(Flow::Continue)
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(format!("{}: {}", warning.subject, warning.message));
    }
}

fn come_to_rest(model: &Model, end: f64, step: f64) -> Rest {
    let mut rest = Rest::default();
    let settings = Settings {
        scheme: Scheme::GeneralizedAlpha { rho_inf: 0.5 },
        t_end: end,
        step: StepControl::Fixed { step },
        output_interval: step,
        ..Settings::default()
    };
    simulate(model, AnalysisKind::Nonlinear, &settings, &mut rest).unwrap();
    rest
}

/// Tip deflection over length of the elastica under a dead force across its root: `θ'' = −α cos θ`, θ(0) = 0,
/// θ'(1) = 0, by shooting with Runge and Kutta's rule.
fn elastica_tip(alpha: f64) -> f64 {
    let shoot = |slope: f64| {
        let (n, mut state) = (2000, [0.0, slope, 0.0]);
        let h = 1.0 / f64::from(n);
        let f = |s: [f64; 3]| [s[1], -alpha * s[0].cos(), s[0].sin()];
        for _ in 0..n {
            state = rk4(state, h, &f);
        }
        state
    };
    let (mut low, mut high) = (0.0, alpha);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 { high = middle } else { low = middle }
    }
    shoot(low)[2]
}

fn rk4<const N: usize>(x: [f64; N], h: f64, f: &impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let ahead = |k: [f64; N], part: f64| std::array::from_fn(|i| x[i] + part * h * k[i]);
    let k1 = f(x);
    let k2 = f(ahead(k1, 0.5));
    let k3 = f(ahead(k2, 0.5));
    let k4 = f(ahead(k3, 1.0));
    std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// The Princeton beam (Dowell and Traybar, 1975; data as in Bauchau and others, J. Comput. Nonlinear Dyn. 11
/// (2016)): aluminium, 0.508 m × 12.77 mm × 3.2024 mm, bent flatwise by dead loads of 4.448, 8.896 and 13.345
/// N at its tip.
#[test]
fn the_princeton_beam_is_warned_of_as_one_body_and_right_as_four() {
    let (width, thickness, length, E) = (12.77e-3, 3.2024e-3, 0.508f64, 71.7e9);
    let I = width * thickness * thickness * thickness / 12.0;
    let rho = 2800.0;
    // First mode near 10 Hz; damped so that it creeps to rest.
    let omega = 3.516 * (E * I / (rho * width * thickness * length.powi(4))).sqrt();
    let beam = Beam {
        length,
        A: width * thickness,
        I,
        J: 2.0 * I,
        E,
        nu: 0.31,
        rho,
        shear: 5.0 / 6.0,
        elements: 16,
        modes: 2,
        rayleigh_beta: 1.6 / omega,
        second_order: true,
        chord: false,
    };
    let period = 2.0 * PI / omega;
    for load in [4.448, 8.896, 13.345] {
        let exact = length * elastica_tip(load * length * length / (E * I));
        let force = format!("{load}*min(1, t/{:e})", 3.0 * period);
        let run = |segments: usize| {
            come_to_rest(&cantilever(&beam, segments, ["0", &force]), 9.0 * period, period / 60.0)
        };
        let (one, four) = (run(1), run(4));
        let error = |rest: &Rest| rest.tip.y / exact - 1.0;
        println!(
            "Princeton, {load} N: {exact:.5} m; one body {:+.2} %, four {:+.3} %; {:?}",
            100.0 * error(&one),
            100.0 * error(&four),
            one.warnings
        );
        assert!(four.speed < 1e-6 * length, "at rest: {}", four.speed);
        assert!(error(&four).abs() < 3e-3, "four segments: {}", error(&four));
        assert!(one.warnings.iter().any(|w| w.contains("segments")), "{:?}", one.warnings);
    }
}

/// Timoshenko and Gere, *Theory of Elastic Stability*, table of the elastica: angle of the tip (deg), P/P_cr,
/// x_a/l and y_a/l of a cantilever column beyond its buckling load.
const ELASTICA: [(f64, f64, f64, f64); 3] =
    [(40.0, 1.063, 0.881, 0.422), (60.0, 1.152, 0.741, 0.593), (80.0, 1.293, 0.560, 0.719)];

/// K(k) and E(k) by the arithmetic-geometric mean: K = π/2a, E = K(1 − Σ 2ⁿ⁻¹ c_n²).
fn complete_integrals(k: f64) -> (f64, f64) {
    let (mut a, mut b, mut sum, mut weight) = (1.0, (1.0 - k * k).sqrt(), 0.5 * k * k, 0.5);
    for _ in 0..20 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
        weight *= 2.0;
        sum += weight * c * c;
    }
    let K = 0.5 * PI / a;
    (K, K * (1.0 - sum))
}

#[test]
fn a_column_beyond_its_buckling_load_follows_the_table_of_the_elastica() {
    let (length, side, E, rho) = (1.0, 0.01f64, 7e10, 2700.0);
    let (A, I) = (side * side, side.powi(4) / 12.0);
    let omega = 3.516 * (E * I / (rho * A)).sqrt();
    let beam = Beam {
        length,
        A,
        I,
        J: 2.0 * I,
        E,
        nu: 0.3,
        rho,
        shear: 5.0 / 6.0,
        elements: 16,
        modes: 2,
        rayleigh_beta: 1.0 / omega,
        second_order: true,
        chord: false,
    };
    let period = 2.0 * PI / omega;
    let critical = PI * PI * E * I / (4.0 * length * length);
    for (degrees, ratio, x, y) in ELASTICA {
        // The printed numbers are (2K/π)², 2E/K − 1 and 2k/K with k = sin(α/2), to about a unit of their last
        // digit.
        let k = (0.5 * degrees.to_radians()).sin();
        let (K, E_k) = complete_integrals(k);
        let (exact, exact_x, exact_y) = ((2.0 / PI * K).powi(2), 2.0 * E_k / K - 1.0, 2.0 * k / K);
        for (printed, exact) in [(ratio, exact), (x, exact_x), (y, exact_y)] {
            assert!((exact - printed).abs() < 1e-3, "{degrees}: {exact} for {printed}");
        }
        let push = format!("-{:e}*min(1, t/{:e})", exact * critical, 3.0 * period);
        // A nudge that is gone long before the end says to which side.
        let nudge = format!("{:e}*max(0, 1 - t/{:e})", 0.05 * critical, 8.0 * period);
        let [coarse, fine] = [6, 12].map(|bodies| {
            come_to_rest(&cantilever(&beam, bodies, [&push, &nudge]), 30.0 * period, period / 40.0).tip
        });
        let exact = Vector3::new(exact_x, exact_y, 0.0);
        let order = ((coarse - exact).norm() / (fine - exact).norm()).log2();
        println!(
            "elastica {degrees}°: {:.2e} m with 6 bodies, {:.2e} m with 12, order {order:.2}",
            (coarse - exact).norm(),
            (fine - exact).norm()
        );
        // A body that is turned by φ at its end has its shape right but for terms of φ³; n bodies with φ ~
        // 1/n each leave n φ³ ~ 1/n². The error is that against the integrals, so that a limit beside them
        // would lower the order.
        assert!(order > 1.8, "{degrees}: order {order:.2}");
    }
}

/// The heavy top of Brüls and Cardona (J. Comput. Nonlinear Dyn. 5 (2010) 031002): 15 kg, centre of mass at y
/// = 1 m from the pivot, inertia about it diag(0.234375, 0.46875, 0.234375) kg·m², Ω₀ = (0, 150, −4.61538)
/// rad/s, gravity along −z. Against Euler's equations about the pivot.
#[test]
fn the_heavy_top_nutates_as_eulers_equations_say() {
    let (m, g) = (15.0, 9.81);
    let J = Vector3::new(0.234_375, 0.468_75, 0.234_375);
    let w0 = Vector3::new(0.0, 150.0, -4.615_38);
    let mut joint = revolute("ball", "", "top", Vector3::z());
    joint.joint = Box::new(Spherical);
    joint.coordinates = (0..3).map(|_| Default::default()).collect();
    for i in 0..3 {
        joint.coordinates[i].initial_rate = w0[i];
    }
    let body =
        rigid("top", m, Vector3::y(), Matrix3::from_diagonal(&J), Transform::translation(Vector3::y()));
    let model = ModelBuilder {
        gravity: Vector3::z() * -g,
        links: vec![named(body)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    // About the pivot; the weight acts at y = 1 in the body, its direction γ in body axes follows γ' = γ × ω.
    let I = J + Vector3::new(m, 0.0, m);
    let f = |x: [f64; 6]| {
        let (w, down) = (Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]));
        let moment = Vector3::y().cross(&down) * (m * g);
        let rate = (moment - w.cross(&I.component_mul(&w))).component_div(&I);
        let turn = down.cross(&w);
        [rate.x, rate.y, rate.z, turn.x, turn.y, turn.z]
    };
    let mut x = [w0.x, w0.y, w0.z, 0.0, 0.0, -1.0];
    let (end, n) = (1.0, 100_000);
    for _ in 0..n {
        x = rk4(x, end / f64::from(n), &f);
    }
    let error = |h: f64| {
        let (state, work) = run_to(&model, Scheme::Newmark, end, h);
        let height = work.X_WT(BodyIndex(0).interface(0)).p.z;
        assert!((state.v[1] - 150.0).abs() < 1e-6, "the spin stays: {}", state.v[1]);
        // Height of the centre of mass: minus the component of "down" along the body's y.
        (height + x[4]).abs()
    };
    let (coarse, fine) = (error(2.5e-4), error(6.25e-5));
    let order = (coarse / fine).log2() / 2.0;
    println!("heavy top: height {:.6} m, errors {coarse:.2e}, {fine:.2e}, order {order:.2}", -x[4]);
    // 106 steps in a turn of the top: a phase error of (ωh)²/12 = 7e-6 in 24 turns.
    assert!(fine < 4e-4 && order > 1.7, "{coarse:.3e} {fine:.3e}");
}

/// The stiff flyball governor of the IFToMM library (A05): shaft and rods 1 m × 10 mm × 10 mm, slider 0.1 m
/// cube, 3000 kg/m³, 5 kg at the rods' ends, springs of 8e5 N/m and 4e4 N·s/m from the rods' middles to the
/// slider, rods 30° below the horizontal, spinning at 2π rad/s. By symmetry it has two coordinates besides
/// the spin, whose angular momentum is constant; their equations of Lagrange are integrated here, and all of
/// it was computed with Exudyn as well.
#[test]
fn the_stiff_flyball_governor_follows_lagranges_equations() {
    let (rho, width, k, c, free, offset, ball, g) = (3000.0, 0.01f64, 8e5, 4e4, 0.5, 0.05, 5.0, 9.81);
    let rod = rho * width * width;
    let (slider, cube) = (rho * 1e-3, 0.1f64);
    let thin = rod * width * width / 12.0;
    // Moments of mass along a rod from its hinge.
    let (first, second) = (0.5 * rod + ball, rod / 3.0 + ball);
    let (tilt, spin, end) = (PI / 6.0, 2.0 * PI, 1.0);

    let shaft = ReducedLink::rigid(
        "shaft",
        rod,
        Vector3::zeros(),
        Matrix3::from_diagonal(&Vector3::new(rod / 12.0 + thin, rod / 12.0 + thin, 2.0 * thin)),
        [
            ("slider".to_owned(), Transform::identity()),
            ("right".to_owned(), hinge(offset, tilt)),
            ("left".to_owned(), hinge(-offset, PI - tilt)),
        ],
    );
    let block = Matrix3::identity() * (slider * cube * cube / 6.0);
    let slide = ReducedLink::rigid("slider", slider, Vector3::zeros(), block, []);
    let arm = |name: &str| {
        let centre = first / (rod + ball);
        let across = second + thin - (rod + ball) * centre * centre;
        let I = Matrix3::from_diagonal(&Vector3::new(2.0 * thin, across, across));
        ReducedLink::rigid(name, rod + ball, Vector3::x() * centre, I, [])
    };
    let mut turn = revolute("turn", "", "shaft", Vector3::z());
    turn.coordinates[0].initial_rate = spin;
    let mut glide = revolute("glide", "", "slider", Vector3::z());
    glide.parent = Attachment::interface("shaft", "slider");
    glide.joint = Box::new(Prismatic::new(Vector3::z()).unwrap());
    let swing = |name: &str| {
        let mut joint = revolute(&format!("swing {name}"), "", name, Vector3::y());
        joint.parent = Attachment::interface("shaft", name);
        joint
    };
    let spring = |name: &str, side: f64| ForceSpec {
        name: format!("spring {name}"),
        parent: End::Frame { link: "slider".into(), X: Transform::translation(Vector3::x() * side * offset) },
        child: End::Frame { link: name.into(), X: Transform::translation(Vector3::x() * 0.5) },
        kind: Box::new(SpringDamper {
            spring: SpringLaw::Linear(k),
            damper: SpringLaw::Linear(c),
            free_length: free,
        }),
    };
    let model = ModelBuilder {
        gravity: Vector3::z() * -g,
        links: vec![named(shaft), named(slide), named(arm("right")), named(arm("left"))],
        joints: vec![turn, glide, swing("right"), swing("left")],
        forces: vec![spring("right", 1.0), spring("left", -1.0)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let (state, _) = run_to(&model, Scheme::Newmark, end, 1e-4);

    // Inertia about the shaft at an angle b below the horizontal, and its derivative.
    let inertia = |b: f64| {
        let (s, o) = b.sin_cos();
        let rods =
            (rod + ball) * offset * offset + 2.0 * offset * o * first + o * o * second + (s * s + 1.0) * thin;
        2.0 * rods + 2.0 * thin + slider * cube * cube / 6.0
    };
    let inertia_slope = |b: f64| {
        let (s, o) = b.sin_cos();
        2.0 * (-2.0 * offset * s * first - 2.0 * o * s * second + 2.0 * s * o * thin)
    };
    let momentum = inertia(tilt) * spin;
    // x = (b, z, b', z'): b below the horizontal, z of the slider from where it starts, half a metre under
    // the hinges.
    let f = |x: [f64; 4]| {
        let (s, o) = x[0].sin_cos();
        let (across, up) = (0.5 * o, 0.5 - 0.5 * s - x[1]);
        let length = across.hypot(up);
        // Derivatives of the length: by b and by z.
        let (by_b, by_z) = ((-0.5 * s * across - 0.5 * o * up) / length, -up / length);
        let tension = k * (length - free) + c * (by_b * x[2] + by_z * x[3]);
        let rate = momentum / inertia(x[0]);
        // Two rods and two springs.
        let b = (0.5 * rate * rate * inertia_slope(x[0]) + 2.0 * g * first * o - 2.0 * tension * by_b)
            / (2.0 * (second + thin));
        [x[2], x[3], b, -g - 2.0 * tension * by_z / slider]
    };
    let (n, mut x) = (200_000, [tilt, 0.0, 0.0, 0.0]);
    for _ in 0..n {
        x = rk4(x, end / f64::from(n), &f);
    }
    // Exudyn 1.13.6, kinematic tree in minimal coordinates, explicit rule of sixth order at 20 µs
    // (tests/peers/exudyn_machines.py): slider (m, m/s), rate of the shaft, turn of a rod.
    let [height, climb, whirl, fold] = [0.501_420_922, -0.122_151_49, 6.271_125_742, -0.001_765_474];
    // Two explicit rules with the error of rounding.
    assert!((0.5 + x[1] - height).abs() < 1e-8 && (x[3] - climb).abs() < 1e-7, "{} {}", 0.5 + x[1], x[3]);
    let at = |joint: &str| {
        let body = model.bodies().iter().find(|b| b.joint_name == joint).unwrap();
        (state.q[body.hinge_positions().start], state.v[body.hinge_velocities().start])
    };
    let (z, z_rate) = at("glide");
    println!(
        "governor at {end} s: slider {:.6} m ({:.6}), rate {z_rate:.5} ({:.5})",
        0.5 + z,
        0.5 + x[1],
        x[3]
    );
    // Steps of 0.1 ms: (ωh)²/12 of the motion, whose frequencies are about 2π rad/s, is 3e-8; the dampers,
    // 0.1 ms to rest, leave more.
    assert!((0.5 + z - height).abs() < 1e-5, "{z} for {}", x[1]);
    assert!((z_rate - climb).abs() < 1e-4, "{z_rate} for {}", x[3]);
    assert!((at("turn").1 - whirl).abs() < 1e-4 && (whirl - momentum / inertia(x[0])).abs() < 1e-7);
    assert!((at("swing right").0 - fold).abs() < 1e-5, "{}", at("swing right").0);
    assert!((at("swing right").0 - at("swing left").0.abs().copysign(at("swing right").0)).abs() < 1e-8);
}

/// A hinge at the top of the shaft whose rod lies `angle` about y from the x axis.
fn hinge(offset: f64, angle: f64) -> Transform {
    Transform::new(Rotation3::new(Vector3::y() * angle).into_inner(), Vector3::new(offset, 0.0, 0.5))
}
