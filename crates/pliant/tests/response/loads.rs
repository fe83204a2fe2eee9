//! Loads, stress, compliance, inertias and cylinders against closed forms.

use nalgebra::Complex;

use crate::support::{close, respond};

const E: f64 = 2.1e11;
const AREA: f64 = 8e-4;
const I: f64 = 4e-8;
const L: f64 = 0.8;

fn beam(length: f64) -> String {
    format!(
        "beam = {{ length = {length}, elements = 10, section = {{ values = {{ area = {AREA:e}, i1 = {I:e}, i2 = {I:e}, j = 8e-8 }} }}, material = {{ e = {E:e}, nu = 0.3, rho = 7800 }} }}\nmodes = {{ count = 8 }}"
    )
}

fn cantilever(response: &str) -> String {
    format!(
        r#"
        [links.beam]
        {}
        [joints.root]
        parent = "ground"
        child = "beam"
        type = "fixed"
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "beam.tip"
        stress = {{ links = ["beam"] }}
        [response]
        {response}
        "#,
        beam(L)
    )
}

/// A force at rest, so to speak: the first mode is at 51 Hz, and `1/(1 − (f/f₁)²)` is 4e-10 above one.
const SLOW: &str = "frequencies = { values = [1e-3] }";

#[test]
fn a_cantilever_passes_on_the_force_and_its_moment() {
    let outputs = [
        "root.load_z",
        "root.load_ry",
        "root.load_x",
        "root.load_rz",
        "root.load_y",
        "beam.1.stress.A.M1",
        "beam.1.stress.A.M2",
        "beam.1.stress.A.V1",
        "beam.1.stress.A.V2",
    ];
    let asked = format!(
        "compliance = true\ninputs = [\"tip.force_z\", \"tip.force_x\", \"tip.moment_z\"]\noutputs = {outputs:?}\n{SLOW}"
    );
    let result = respond(&cantilever(&asked), &[]);
    let H = &result.poses[0].response[0];
    let at = |output: &str, input: usize| {
        let o = outputs.iter().position(|name| *name == output).unwrap();
        H[(o, input)].re
    };
    // The joint gives to the beam what holds it: −F at the root, and r × F + M = 0.
    let part = 1e-7;
    close("force", at("root.load_z", 0), -1.0, part);
    close("moment", at("root.load_ry", 0), L, part);
    close("tension", at("root.load_x", 1), -1.0, part);
    close("torque", at("root.load_rz", 2), -1.0, part);
    assert!(at("root.load_y", 0).abs() < 1e-9 && at("root.load_x", 0).abs() < 1e-9);
    // One of the two planes of the first bar has the moment F L at its end A and the shear F.
    let moment = at("beam.1.stress.A.M1", 0).hypot(at("beam.1.stress.A.M2", 0));
    let shear = at("beam.1.stress.A.V1", 0).hypot(at("beam.1.stress.A.V2", 0));
    close("moment of the bar", moment, L, 1e-6);
    close("shear of the bar", shear, 1.0, 1e-6);
    // δ = L³/3EI, without shear flexibility; along the axis L/EA.
    let compliance = result.poses[0].compliance.unwrap();
    close("bending", compliance.at_rest[2], L.powi(3) / (3.0 * E * I), 1e-6);
    close("stretching", compliance.at_rest[0], L / (E * AREA), 1e-6);
    let units: Vec<&str> = result.outputs.iter().map(|[_, units]| units.as_str()).collect();
    assert_eq!(units, ["N", "N·m", "N", "N·m", "N", "N·m", "N·m", "N", "N"]);
}

#[test]
fn the_ground_shakes_the_mass_of_all_links() {
    let asked = format!(
        "inputs = [\"ground.acceleration_z\"]\noutputs = [\"root.load_z\", \"root.load_ry\"]\n{SLOW}"
    );
    let result = respond(&cantilever(&asked), &[]);
    let H = &result.poses[0].response[0];
    let mass = 7800.0 * AREA * L;
    // A beam that follows the ground takes m a at its root and m a L/2 about it.
    close("force", H[(0, 0)].re, mass, 1e-7);
    close("moment", H[(1, 0)].re, -0.5 * mass * L, 1e-7);
}

/// Two bars that lean on each other, pinned at the ground and at the top: each takes half of a weight there.
#[test]
fn the_joints_of_a_loop_share_a_weight() {
    let length = 1.0_f64;
    let angle = 60f64.to_radians();
    let base = 2.0 * length * angle.cos();
    let text = format!(
        r#"
        [links.a]
        {}
        [links.b]
        {}
        [joints.left]
        parent = "ground"
        child = "a"
        type = "revolute"
        axis = "-y"
        start = {{ value_deg = 60 }}
        [joints.right]
        parent = "ground"
        child = "b"
        type = "revolute"
        axis = "-y"
        origin = [{base}, 0, 0]
        start = {{ value_deg = 120 }}
        [joints.top]
        parent = "a.tip"
        child = "b.tip"
        type = "spherical"
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "a.tip"
        [response]
        inputs = ["tip.force_z"]
        outputs = ["left.load_x", "left.load_z", "right.load_x", "right.load_z"]
        {SLOW}
        "#,
        beam(length),
        beam(length)
    );
    let result = respond(&text, &[]);
    let H = &result.poses[0].response[0];
    // In the axes of each bar, x along it: pinned bars carry along themselves alone, 2 N sin α = F, and what
    // the pin gives to its bar points up it when F pulls.
    let along = -1.0 / (2.0 * angle.sin());
    close("left", H[(0, 0)].re, along, 1e-6);
    close("right", H[(2, 0)].re, along, 1e-6);
    assert!(H[(1, 0)].re.abs() < 1e-6 && H[(3, 0)].re.abs() < 1e-6, "{} {}", H[(1, 0)], H[(3, 0)]);
}

/// m ẍ + d (ẋ − u̇) + k (x − u) = 0.
#[test]
fn a_cylinder_moves_a_mass_through_its_oil() {
    let (m, k, d) = (250.0, 4e6, 6e3);
    let hz = [0.1, 5.0, 20.0, 60.0];
    let text = format!(
        r#"
        [links.cart]
        rigid = {{ mass = {m}, inertia = [1, 1, 1] }}
        [joints.way]
        parent = "ground"
        child = "cart"
        type = "prismatic"
        axis = "x"
        start = {{ value = 1.0 }}
        [forces.lift]
        from = "ground"
        to = "cart"
        length = {{ profile = "hold", value = 1.0 }}
        oil = {{ stiffness = {k}, damping = {d} }}
        [analysis]
        end = 1
        step = 1e-3
        [response]
        inputs = ["lift.command", "lift.push"]
        outputs = ["lift.length", "way.load_y", "way.acceleration"]
        frequencies = {{ values = {hz:?} }}
        "#
    );
    let result = respond(&text, &[]);
    for (f, H) in hz.iter().zip(&result.poses[0].response) {
        let s = Complex::new(0.0, std::f64::consts::TAU * f);
        let below = s * s * m + s * d + k;
        for (input, above) in [(0, s * d + k), (1, Complex::new(1.0, 0.0))] {
            let expected = above / below;
            assert!((H[(0, input)] - expected).norm() < 1e-9 * expected.norm(), "{f} Hz: {}", H[(0, input)]);
            assert!((H[(2, input)] - s * s * expected).norm() < 1e-9 * (s * s * expected).norm());
            assert!(H[(1, input)].norm() < 1e-9 * m, "nothing presses on the way");
        }
    }
}

/// A bar that a servo turns: ρAL³/3 + payload m L² + rotor; all modes together have all of it.
#[test]
fn modes_share_the_inertia_that_a_drive_sees() {
    let machine = |servos: &str| {
        format!(
            r#"
            [links.beam]
            {}
            [joints.hub]
            parent = "ground"
            child = "beam"
            type = "revolute"
            axis = "y"
            rotor = {{ inertia = 1e-4, ratio = 50 }}
            drive = {{ servo = {{ follow = {{ profile = "hold" }}, position_gain = 3000, rate_gain = 10 }} }}
            [payload]
            at = "beam.tip"
            mass = 2
            [analysis]
            end = 1
            step = 1e-3
            [response]
            modes = 1000
            damped = false
            servos = "{servos}"
            "#,
            beam(L)
        )
    };
    let rho_a = 7800.0 * AREA;
    // The sections turn too: ρ I L, 4e-4 of all of it.
    let rigid = rho_a * L.powi(3) / 3.0 + 7800.0 * I * L + 2.0 * L * L;
    for (servos, expected) in [("closed", rigid + 1e-4 * 2500.0), ("held", rigid + 1e-4 * 2500.0)] {
        let result = respond(&machine(servos), &[]);
        let pose = &result.poses[0];
        assert_eq!(result.drives, ["hub"]);
        close(servos, pose.drive_inertia[0], expected, 1e-3);
        let sum: f64 = pose.undamped.iter().map(|mode| mode.effective[0]).sum();
        if servos == "closed" {
            close("sum", sum, pose.drive_inertia[0], 1e-9);
        } else {
            // What is rigidly on the held joint is in no mode: the rotor and the mass at the root.
            assert!(sum < pose.drive_inertia[0] && sum > 0.9 * rigid, "{sum} of {rigid}");
        }
    }
}
