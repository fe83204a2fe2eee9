//! Drives that sample, all with their clocks, and margins at both ends of the frequencies, against closed
//! forms and exact discrete models.

use crate::support::{close, respond};

/// Two links of 0.6 and 0.5 m behind geared motors, each with a servo.
fn two_links(servos: [&str; 2]) -> String {
    let joint = |name: &str, ends: [&str; 2], friction: f64, rotor: &str, gear: &str, servo: &str| {
        let [parent, child] = ends;
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"z\"\n\
             friction = {{ viscous = {friction} }}\nrotor = {{ {rotor} }}\nbearing = {{ rz = {{ {gear} }} }}\n\
             drive = {{ servo = {{ follow = {{ profile = \"hold\", value_deg = {} }}, {servo} }} }}\n",
            if name == "j1" { 10 } else { 50 }
        )
    };
    [
        "[links.a]\nrigid = { mass = 4.0, centre = [0.3, 0, 0], inertia = [0.1, 0.1, 0.12], interfaces = { e = [0.6, 0, 0] } }\n".to_owned(),
        "[links.b]\nrigid = { mass = 3.0, centre = [0.25, 0, 0], inertia = [0.05, 0.05, 0.06], interfaces = { t = [0.5, 0, 0] } }\n".to_owned(),
        joint("j1", ["ground", "a"], 2.0, "inertia = 0.0008, ratio = 50", "stiffness = 20000, damping = 8.0", servos[0]),
        joint("j2", ["a.e", "b"], 1.0, "inertia = 0.0004, ratio = 40", "stiffness = 9000, damping = 3.0", servos[1]),
        "[analysis]\nend = 1\nstep = 5e-4\n[response]\nmargins = true\n".to_owned(),
    ]
    .concat()
}

/// The exact discrete model of both has |z| = 1.063, and the nonlinear run grows by it; one loop beside a
/// continuous one would be called stable.
#[test]
fn two_samplers_are_unstable_together() {
    let late = two_links([
        "position_gain = 1450, rate_gain = 132, sample = 0.01, delay = 0.03",
        "position_gain = 320, rate_gain = 73, sample = 0.01, delay = 0.01",
    ]);
    for found in &respond(&late, &[]).poses[0].margins {
        assert!(found.sampled && found.exact && !found.stable, "{}", found.name);
    }
}

/// Both sampled exactly: numbers of a discrete model of both.
#[test]
fn margins_beside_another_sampler() {
    let gains = |p: f64, v: f64, i: f64| {
        format!("position_gain = {p}, rate_gain = {v}, integral_gain = {i}, sample = 1e-3, delay = 1e-3")
    };
    let machine = two_links([&gains(4000.0, 120.0, 8000.0), &gains(1500.0, 40.0, 3000.0)]);
    let result = respond(&machine, &[]);
    let found = &result.poses[0].margins[1];
    assert!(found.exact && found.stable && found.name == "j2");
    close("disk margin", found.margins.disk.alpha, 1.03361, 1e-5);
    close("phase margin", found.margins.phase_margin_deg(), 57.146, 1e-5);
    // Faster clocks beside the slower one have a common cycle with one sample of it; the faster one has not.
    let other = machine.replacen("sample = 1e-3, delay = 1e-3", "sample = 5e-4, delay = 2e-4", 1);
    let result = respond(&other, &[]);
    let loops = &result.poses[0].margins;
    assert!(!loops[0].exact && loops[1].exact && loops.iter().all(|of| of.stable));
    assert!(result.diagnostics.iter().any(|found| found.message.contains("margins of `j1`")));
}

/// L(z = −1) = −k_v T/2m.
#[test]
fn a_gain_margin_at_half_the_sampling_frequency() {
    let result = respond(
        "[links.cart]\nrigid = { mass = 2, inertia = [1, 1, 1] }\n[joints.x]\nparent = \"ground\"\nchild = \"cart\"\ntype = \"prismatic\"\n\
         drive = { servo = { follow = { profile = \"hold\" }, position_gain = 1, rate_gain = 380, sample = 0.01 } }\n\
         [analysis]\nend = 1\nstep = 1e-3\n[response]\nmargins = true\n",
        &[],
    );
    let found = &result.poses[0].margins[0];
    assert!(found.stable);
    close("gain margin", found.margins.gain_margin(), 1.0 / 0.95, 1e-9);
}

/// A pendulum on its head: below m g l/k_p of its gain it falls.
#[test]
fn a_gain_margin_at_rest() {
    let result = respond(
        "gravity = [-9.81, 0, 0]\n[links.rod]\nrigid = { mass = 2, centre = [0.3, 0, 0], inertia = [0.03, 0.03, 0.03] }\n\
         [joints.pivot]\nparent = \"ground\"\nchild = \"rod\"\ntype = \"revolute\"\n\
         drive = { servo = { follow = { profile = \"hold\" }, position_gain = 20, rate_gain = 2 } }\n\
         [analysis]\nend = 1\nstep = 1e-3\n[response]\nmargins = true\n",
        &[],
    );
    let found = &result.poses[0].margins[0];
    assert!(found.stable);
    close("gain reduction", found.margins.gain_reduction(), 2.0 * 9.81 * 0.3 / 20.0, 1e-9);
}

/// A slow integral: |z| = 1 − 8.5e-13.
#[test]
fn a_slow_integral_is_stable() {
    let gains = |i: f64| {
        format!("position_gain = 1500, rate_gain = 40, integral_gain = {i}, sample = 1e-3, delay = 1e-3")
    };
    let machine = two_links([&gains(1e-6), &gains(1e-6)]);
    assert!(respond(&machine, &[]).poses[0].margins.iter().all(|found| found.stable));
}
