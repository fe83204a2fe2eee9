//! Commands of servos that are fed the torque of the rigid machine and of cylinders with oil, and the shipped
//! example.

use nalgebra::Complex;

use crate::support::{close, respond};

/// Two rigid links under gravity, both servos with `rigid_torque`.
fn machine(response: &str) -> String {
    let joint = |name: &str, ends: [&str; 2], from: i32, gains: &str| {
        let [parent, child] = ends;
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"-y\"\nfriction = {{ viscous = 3 }}\n\
             drive = {{ servo = {{ follow = {{ profile = \"cycloidal\", from_deg = {from}, to_deg = 60, time = 1.0 }}, {gains}, rigid_torque = true }} }}\n"
        )
    };
    [
        "gravity = [0, 0, -9.81]\n[links.l]\nrigid = { mass = 20.0, centre = [0.4, 0, 0], inertia = [0.3, 0.3, 0.5], interfaces = { p = [0.8, 0, 0] } }\n".to_owned(),
        "[links.m]\nrigid = { mass = 10.0, centre = [0.3, 0, 0], inertia = [0.3, 0.3, 0.5], interfaces = { p = [0.6, 0, 0] } }\n".to_owned(),
        joint("a", ["ground", "l"], 10, "position_gain = 3000, rate_gain = 100"),
        joint("b", ["l.p", "m"], -20, "position_gain = 800, rate_gain = 30"),
        format!("[analysis]\nend = 1\nstep = 1e-3\n[output]\ntip = \"m.p\"\n[response]\n{response}"),
    ]
    .concat()
}

/// The rigid machine goes where it is commanded, whatever the gains.
#[test]
fn computed_torque_is_the_inverse_of_the_rigid_machine() {
    let result = respond(
        &machine(
            "inputs = [\"a.command\", \"b.command\"]\noutputs = [\"a.position\", \"b.position\"]\nfrequencies = { values = [0.2, 5, 80] }\n",
        ),
        &[],
    );
    for H in &result.poses[0].response {
        for i in 0..2 {
            for j in 0..2 {
                let expected = f64::from(u8::from(i == j));
                // Rounding of matrices beside ω² of 80 Hz.
                assert!((H[(i, j)] - expected).norm() < 1e-9, "{H}");
            }
        }
    }
    // Poses that are commands: nothing sags.
    let result = respond(&machine("about = \"equilibrium\"\ncommands = true\n"), &[]);
    for (found, expected) in result.poses[0].joints.iter().zip([10f64, -20.0]) {
        close("joint", *found, expected.to_radians(), 1e-8);
    }
}

/// pipelines/response-3r.toml: shapes of neighbouring poses differ by a factor, their mass changes.
#[test]
fn the_shipped_example_keeps_its_modes_and_its_largest_compliance() {
    let text = include_str!("../../../../pipelines/response-3r.toml");
    // The eighth mode crosses the ninth.
    let result = respond(&text.replace("modes       = 8", "modes = 10"), &[]);
    for (k, modes) in result.tracks.modes.iter().enumerate() {
        assert!(modes[..9].iter().all(Option::is_some), "pose {}: {modes:?}", k + 1);
    }
    let result = respond(text, &[]);
    // At the highest mode that is kept, where the response rises beyond.
    let compliance = result.poses[0].compliance.unwrap();
    assert!(compliance.largest[0] > 4.3e-8 && compliance.largest_hz[0] > 340.0, "{compliance:?}");
}

/// A link of inertia I and mass m on a hinge, moved at its end, 1 m away, by a cylinder with oil: the hinge
/// gives it `m c θ̈ − F` with F = I θ̈.
#[test]
fn a_load_beside_a_commanded_length_with_oil() {
    let result = respond(
        "[links.l]\nrigid = { mass = 10, centre = [0.5, 0, 0], inertia = [1, 1, 1], interfaces = { p = [1, 0, 0] } }\n\
         [joints.j]\nparent = \"ground\"\nchild = \"l\"\ntype = \"revolute\"\naxis = \"z\"\n\
         [forces.cyl]\nfrom = \"ground\"\nfrom_at = [1, -1, 0]\nto = \"l.p\"\nlength = { profile = \"hold\", value = 1.0 }\n\
         oil = { stiffness = 1e6, damping = 1e3 }\n[analysis]\nend = 1\nstep = 1e-3\n\
         [response]\ninputs = [\"cyl.command\"]\noutputs = [\"j.load_y\"]\nfrequencies = { values = [0.5, 1, 200] }\n",
        &[],
    );
    let inertia = 1.0 + 10.0 * 0.25;
    for (H, hz) in result.poses[0].response.iter().zip([0.5, 1.0, 200.0]) {
        let s = Complex::new(0.0, std::f64::consts::TAU * hz);
        let oil = s * 1e3 + 1e6;
        let expected = (10.0 * 0.5 - inertia) * s * s * oil / (s * s * inertia + oil);
        // Derivatives of loads by differences: eight digits of the force of the oil, 1e6 N/m.
        assert!(
            (H[(0, 0)] - expected).norm() < 0.03 + 1e-6 * expected.norm(),
            "{hz} Hz: {} for {expected}",
            H[(0, 0)]
        );
    }
}
