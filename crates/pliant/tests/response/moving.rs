//! Loads about a motion, lengths of cylinders as inputs, and poses by commands, against closed forms.

use std::f64::consts::TAU;

use nalgebra::Complex;

use crate::support::{close, respond};

fn same(what: &str, found: Complex<f64>, expected: Complex<f64>, part: f64) {
    assert!((found - expected).norm() <= part * expected.norm(), "{what}: {found} for {expected}");
}

/// A mass m at l on a hinge with a spring and a damper, at r from a hub that spins with Ω. With the hinge
/// along the spin (lag) `m l² ζ̈ + d ζ̇ + (k + m Ω² r l) ζ = F l`; the joint gives `−2 m Ω l ζ̇` along the
/// arm and `m (l ζ̈ + Ω² r ζ) − F` across it. Across the spin (flap)
/// `m l² β̈ + d β̇ + (k + m Ω² (r + l) l) β = F l` and `m (l β̈ + Ω² (r + l) β) − F`.
#[test]
fn loads_about_a_spin_have_coriolis_and_centrifugal_forces() {
    let (m, r, l, k, d) = (3.0, 0.2, 0.5, 400.0, 10.0);
    // Whole turns at 3.65 s: the spin-up lags by half of its 0.1 s.
    let omega = 2.0 * TAU / 0.45;
    let hz = [1e-3, 1.0, 4.0, 9.0];
    for (name, axis, force, restoring) in [("lag", "z", "y", r), ("flap", "-y", "z", r + l)] {
        let text = format!(
            r#"
            [links.hub]
            rigid = {{ mass = 1, inertia = [1, 1, 1], interfaces = {{ hinge = [{r}, 0, 0] }} }}
            [links.arm]
            rigid = {{ mass = {m}, centre = [{l}, 0, 0], inertia = [0, 0, 0], interfaces = {{ tip = [{l}, 0, 0] }} }}
            [joints.spin]
            parent = "ground"
            child = "hub"
            type = "revolute"
            axis = "z"
            drive = {{ motion = {{ profile = "spin-up", rate = {omega:?}, time = 0.1 }} }}
            [joints.hinge]
            parent = "hub.hinge"
            child = "arm"
            type = "revolute"
            axis = "{axis}"
            stiffness = {{ k = {k}, neutral = 0 }}
            friction = {{ viscous = {d} }}
            [analysis]
            end = 4
            step = 1e-3
            [output]
            tip = "arm.tip"
            [response]
            about = "motion"
            poses = {{ times = [3.65] }}
            inputs = ["tip.force_{force}"]
            outputs = ["hinge.position", "hinge.load_x", "hinge.load_{force}"]
            frequencies = {{ values = {hz:?} }}
            "#
        );
        let result = respond(&text, &[]);
        // Thrown about while the hub speeds up, the arm has come to rest: e^(−6 · 3.5).
        let angle = result.poses[0].joints[1];
        assert!(angle.abs() < 1e-8, "{name}: hinge at {angle:.3e} rad");
        for (f, H) in hz.iter().zip(&result.poses[0].response) {
            let s = Complex::new(0.0, TAU * f);
            let x = l / (s * s * (m * l * l) + s * d + k + m * omega * omega * restoring * l);
            same(&format!("{name} at {f} Hz"), H[(0, 0)], x, 1e-6);
            let across = (l * s * s + omega * omega * restoring) * x * m - 1.0;
            same(&format!("{name}, across at {f} Hz"), H[(2, 0)], across, 1e-6);
            if name == "lag" {
                same(&format!("{name}, along at {f} Hz"), H[(1, 0)], s * x * (-2.0 * m * omega * l), 1e-6);
            }
        }
    }
}

/// A cart that a cylinder without oil moves, with a mass on a spring on it: the slide of the mass is
/// `−m s² l/(m s² + d s + k)`, and the cylinder moves the cart by its geometry.
#[test]
fn a_cylinder_without_oil_moves_a_cart_by_its_geometry() {
    let (m, k, d) = (4.0, 9e3, 12.0);
    let hz = [0.5, 5.0, 7.5, 30.0];
    let text = format!(
        r#"
        [links.cart]
        rigid = {{ mass = 20, inertia = [1, 1, 1], interfaces = {{ top = [0, 0, 0.1] }} }}
        [links.mass]
        rigid = {{ mass = {m}, inertia = [1, 1, 1] }}
        [joints.way]
        parent = "ground"
        child = "cart"
        type = "prismatic"
        axis = "x"
        start = {{ value = 1.0 }}
        [joints.slide]
        parent = "cart.top"
        child = "mass"
        type = "prismatic"
        axis = "x"
        stiffness = {{ k = {k}, neutral = 0 }}
        friction = {{ viscous = {d} }}
        [forces.lift]
        from = "ground"
        to = "cart"
        length = {{ profile = "hold", value = 1.0 }}
        [analysis]
        end = 1
        step = 1e-3
        [response]
        inputs = ["lift.command"]
        outputs = ["way.position", "way.acceleration", "slide.position", "slide.rate", "slide.load_x", "cart.top.acceleration_x"]
        frequencies = {{ values = {hz:?} }}
        "#
    );
    let result = respond(&text, &[]);
    for (f, H) in hz.iter().zip(&result.poses[0].response) {
        let s = Complex::new(0.0, TAU * f);
        let slide = -s * s * m / (s * s * m + s * d + k);
        let expected = [Complex::from(1.0), s * s, slide, s * slide, (s * s + s * s * slide) * m, s * s];
        for (o, expected) in expected.into_iter().enumerate() {
            same(&format!("{} at {f} Hz", result.outputs[o][0]), H[(o, 0)], expected, 1e-7);
        }
    }
}

/// A boom that a cylinder lifts: `l² = a² + b² − 2ab cos γ`, so that `dγ/dl = l/(ab sin γ)` at rest.
#[test]
fn a_cylinder_lifts_a_boom_by_the_rule_of_cosines() {
    let (a, b, gamma) = (0.6f64, 0.9f64, 70f64.to_radians());
    let length = (a * a + b * b - 2.0 * a * b * gamma.cos()).sqrt();
    let text = format!(
        r#"
        [links.heel]
        rigid = {{ mass = 20, inertia = [1, 1, 1], interfaces = {{ lug = [{b}, 0, 0] }} }}
        [links.boom]
        beam = {{ length = 2, elements = 10, section = {{ tube = {{ od = 0.1, t = 0.004 }} }}, material = "steel" }}
        modes = {{ count = 4 }}
        [joints.pivot]
        parent = "ground"
        child = "heel"
        type = "revolute"
        axis = "-y"
        start = {{ value_deg = -20 }}
        [joints.weld]
        parent = "heel.lug"
        child = "boom"
        type = "fixed"
        [forces.lift]
        from = "ground"
        from_at = [0, 0, {}]
        to = "heel.lug"
        length = {{ profile = "hold", value = {length:?} }}
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "boom.tip"
        [response]
        inputs = ["lift.command"]
        outputs = ["pivot.position", "tip.rotation_y", "pivot.motor_rate"]
        frequencies = {{ values = [1e-3] }}
        "#,
        -a
    );
    let result = respond(&text, &[]);
    let turn = length / (a * b * gamma.sin());
    let H = &result.poses[0].response[0];
    close("pivot", H[(0, 0)].re, turn, 1e-7);
    close("tip", H[(1, 0)].re, -turn, 1e-6);
    same("rate", H[(2, 0)], Complex::new(0.0, TAU * 1e-3) * turn, 1e-6);
}

/// A bar on a servo sags by `m g L/2 cos θ = Kp (θ_c − θ)`; about there the gravity has the stiffness
/// `−m g L/2 sin θ`.
#[test]
fn a_servo_without_integral_sags_from_its_command() {
    let (m, l, kp, g) = (12.0, 0.8, 900.0, 9.81);
    let machine = |gains: &str, commands: bool| {
        format!(
            r#"
            gravity = [0, 0, -{g}]
            [links.bar]
            rigid = {{ mass = {m}, centre = [{}, 0, 0], inertia = [0.01, 0.6, 0.6], interfaces = {{ tip = [{l}, 0, 0] }} }}
            [joints.hub]
            parent = "ground"
            child = "bar"
            type = "revolute"
            axis = "-y"
            drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = 30 }}, position_gain = {kp}, rate_gain = 10{gains} }} }}
            [analysis]
            end = 1
            step = 1e-3
            [response]
            about = "equilibrium"
            commands = {commands}
            "#,
            0.5 * l
        )
    };
    let command = 30f64.to_radians();
    let mut theta = command;
    for _ in 0..50 {
        theta = command - 0.5 * m * g * l * theta.cos() / kp;
    }
    let at = |text: &str| {
        let pose = respond(text, &[]).poses.remove(0);
        (pose.joints[0], pose.undamped[0].frequency_hz)
    };
    let (found, hz) = at(&machine("", true));
    close("sag", found - command, theta - command, 1e-9);
    let inertia = 0.6 + 0.25 * m * l * l;
    let stiffness = kp - 0.5 * m * g * l * theta.sin();
    close("frequency", hz, (stiffness / inertia).sqrt() / TAU, 1e-7);
    // The pose itself, and a servo with integral, stand on the command.
    close("pose", at(&machine("", false)).0, command, 1e-12);
    close("integral", at(&machine(", integral_gain = 50", true)).0, command, 1e-12);
}
