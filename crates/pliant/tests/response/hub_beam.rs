//! 1. Hub, beam and payload in a plane.

use serde_json::Value;

use crate::support::{Table, close, close_response, complex, respond, shared};

/// The beam bends over its thickness in the plane of rotation. Out of the plane it is the same beam over its
/// width; those modes are left out by the motion of the tip.
fn machine(damping: &str, gains: [f64; 2], response: &str) -> String {
    let [position, rate] = gains;
    let i1 = 0.04 * 0.005f64.powi(3) / 12.0;
    let i2 = 0.005 * 0.04f64.powi(3) / 12.0;
    format!(
        r#"
        [links.hub]
        rigid = {{ mass = 1, inertia = [0.15, 0.15, 0.15], interfaces = {{ root = [0, 0, 0] }} }}
        [links.beam]
        beam = {{ length = 1.2, elements = 60, section = {{ values = {{ area = 2e-4, i1 = {i1:e}, i2 = {i2:e}, k = [0.833333333333, 0.833333333333] }} }}, material = {{ e = 7e10, nu = 0.33, rho = 2700 }} }}
        modes = {{ count = 40 }}
        {damping}
        [joints.hub]
        parent = "ground"
        child = "hub"
        type = "revolute"
        axis = "z"
        drive = {{ servo = {{ follow = {{ profile = "hold" }}, position_gain = {position}, rate_gain = {rate} }} }}
        [joints.root]
        parent = "hub.root"
        child = "beam"
        type = "fixed"
        [payload]
        at = "beam.tip"
        mass = 0.35
        inertia = [0.0012, 0.0012, 0.0012]
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "beam.tip"
        [response]
        {response}
        "#
    )
}

/// Frequencies of the modes that move the tip in the plane.
fn in_plane(text: &str) -> Vec<f64> {
    let result = respond(text, &[]);
    let at = |component: usize| {
        let end = format!("interface `tip`, component {component}");
        result.coordinates.iter().position(|name| name.ends_with(&end)).unwrap()
    };
    let (y, z, turn) = (at(2), at(3), at(4));
    let modes = result.poses[0].undamped.iter().filter(|mode| {
        let size = |i: usize| mode.shape[i].abs();
        size(y) > 1e3 * size(z) && size(y) > 1e3 * size(turn)
    });
    modes.map(|mode| mode.frequency_hz).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn frequencies_of_the_locked_free_and_sprung_hub() {
    let Some(text) = shared("1_hub_beam_modes.json") else { return };
    let reference: Value = serde_json::from_str(&text).unwrap();
    let reference = &reference["results"]["timoshenko"];
    for (servos, key) in
        [("open", "hub_free_hz"), ("held", "hub_locked_hz"), ("closed", "hub_kp_only_undamped_hz")]
    {
        let text = machine("", [120.0, 0.0], &format!("servos = \"{servos}\"\nmodes = 40\ndamped = false"));
        let found: Vec<f64> = in_plane(&text).into_iter().filter(|hz| *hz > 0.0).collect();
        for (k, expected) in numbers(&reference[key]).into_iter().enumerate() {
            close(&format!("{key} {}", k + 1), found[k], expected, 1e-4);
        }
    }
}

#[test]
fn roots_with_a_servo_and_damping_in_the_beam() {
    let Some(text) = shared("1_hub_beam_modes.json") else { return };
    let reference: Value = serde_json::from_str(&text).unwrap();
    let reference = &reference["results"]["timoshenko"];
    for (damping, key) in
        [("", "hub_pd_beam_undamped"), ("damping = { rayleigh = { beta = 2e-4 } }", "hub_pd_beam_damped")]
    {
        let result = respond(&machine(damping, [120.0, 9.0], "modes = 40"), &[]);
        let roots = &result.poses[0].damped.as_ref().unwrap().modes;
        for expected in reference[key].as_array().unwrap() {
            let number = |name: &str| expected[name].as_f64().unwrap();
            let size = number("re").hypot(number("im"));
            let near = |s: [f64; 2]| (s[0] - number("re")).hypot(s[1] - number("im")) / size;
            let best = roots.iter().min_by(|a, b| near(a.s).total_cmp(&near(b.s))).unwrap();
            // Tolerances of the reference: 1e-3 of |s|, 1 % of the damping ratio.
            assert!(near(best.s) < 1e-3, "{key}: {:?} for {expected}", best.s);
            let zeta = number("zeta");
            assert!((best.ratio - zeta).abs() <= 0.01 * zeta + 1e-9, "{key}: {} for {zeta}", best.ratio);
        }
    }
}

#[test]
fn responses_of_the_free_hub() {
    let Some(text) = shared("1_hub_beam_frf_timoshenko.csv") else { return };
    let table = Table::new(&text);
    let frequencies: Vec<&str> = table.rows.iter().map(|row| table.text(row, "f_hz")).collect();
    let asked = format!(
        "servos = \"open\"\ninputs = [\"hub.torque\"]\noutputs = [\"hub.rate\", \"tip.acceleration_y\"]\nfrequencies = {{ values = [{}] }}",
        frequencies.join(", ")
    );
    let result = respond(&machine("damping = { rayleigh = { beta = 2e-4 } }", [120.0, 9.0], &asked), &[]);
    for (k, name) in ["hub_rate", "tip_acc"].into_iter().enumerate() {
        let found: Vec<_> = result.poses[0].response.iter().map(|matrix| matrix[(k, 0)]).collect();
        close_response(name, &frequencies, &found, &complex(&table, name));
    }
}
