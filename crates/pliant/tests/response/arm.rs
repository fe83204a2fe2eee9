//! 2. The spatial arm with three joints, at five poses.

use crate::support::{Table, close, close_response, complex, respond, shared};

const POSES: &str =
    "hip_deg, shoulder_deg, elbow_deg\n0, 0, 0\n60, 45, -60\n0, 30, -90\n30, 60, -120\n-45, 10, 45\n";

fn machine(gravity: f64, link: &str, rate_gains: bool, response: &str) -> String {
    let servo = |position: f64, rate: f64| {
        let rate = if rate_gains { rate } else { 0.0 };
        format!(
            "drive = {{ servo = {{ follow = {{ profile = \"hold\" }}, position_gain = {position}, rate_gain = {rate} }} }}"
        )
    };
    let tube = format!(
        "beam = {{ length = 1.0, elements = 40, section = {{ values = {{ area = 915e-6, i1 = 1.08e-6, k = [0.5306, 0.5306] }} }}, material = {{ e = 2.07e11, nu = 0.3, rho = 7850 }} }}\n{link}"
    );
    format!(
        r#"
        gravity = [0, 0, {gravity}]
        [links.hip]
        rigid = {{ mass = 1, inertia = [0.02, 0.02, 0.02], interfaces = {{ shoulder = [0, 0, 0.5] }} }}
        [links.upper]
        {tube}
        [links.fore]
        {tube}
        [joints.hip]
        parent = "ground"
        child = "hip"
        type = "revolute"
        axis = "z"
        {}
        [joints.shoulder]
        parent = "hip.shoulder"
        child = "upper"
        type = "revolute"
        axis = "-y"
        {}
        [joints.elbow]
        parent = "upper.tip"
        child = "fore"
        type = "revolute"
        axis = "-y"
        {}
        [payload]
        at = "fore.tip"
        mass = 10.0
        [analysis]
        end = 1
        step = 1e-3
        [output]
        tip = "fore.tip"
        [response]
        {response}
        "#,
        servo(40e3, 600.0),
        servo(50e3, 700.0),
        servo(20e3, 150.0)
    )
}

fn frequencies(file: &str, text: &str, tolerance: impl Fn(usize) -> f64) {
    let Some(reference) = shared(file) else { return };
    let table = Table::new(&reference);
    let result = respond(text, &[("poses.csv", POSES)]);
    for row in &table.rows {
        let (pose, mode) = (table.number(row, "pose") as usize, table.number(row, "mode") as usize);
        let found = result.poses[pose].undamped[mode - 1].frequency_hz;
        close(
            &format!("{file}: pose {pose}, mode {mode}"),
            found,
            table.number(row, "f_hz"),
            tolerance(mode),
        );
    }
}

/// Undamped frequencies: 1e-4 to mode 8, 5e-4 to 12. Links with 30 modes each.
fn tolerance(mode: usize) -> f64 {
    if mode <= 8 { 1e-4 } else { 5e-4 }
}

#[test]
fn frequencies_with_locked_joints() {
    let asked = "servos = \"held\"\ndamped = false\nposes = { csv = \"poses.csv\" }";
    frequencies("2_arm3r_locked.csv", &machine(0.0, "modes = { count = 30 }", true, asked), tolerance);
}

#[test]
fn frequencies_about_the_equilibrium_under_gravity() {
    let asked = "servos = \"held\"\ndamped = false\nabout = \"equilibrium\"\nposes = { csv = \"poses.csv\" }";
    // The weight of a link changes its own higher modes: as one body 1.2e-4 at worst (pose 4, mode 7), in
    // four segments 5e-5.
    let link = "modes = { count = 12 }\nsegments = 4";
    frequencies("2_arm3r_locked_gravity.csv", &machine(-9.81, link, true, asked), tolerance);
}

#[test]
fn frequencies_on_servo_springs() {
    let asked = "damped = false\nposes = { csv = \"poses.csv\" }";
    frequencies(
        "2_arm3r_servo_undamped.csv",
        &machine(0.0, "modes = { count = 30 }", false, asked),
        tolerance,
    );
}

const DAMPED: &str = "modes = { count = 30 }\ndamping = { rayleigh = { beta = 2e-5 } }";

#[test]
fn roots_with_servos() {
    let Some(reference) = shared("2_arm3r_servo.csv") else { return };
    let table = Table::new(&reference);
    let asked = "modes = 16\nposes = { csv = \"poses.csv\" }";
    let result = respond(&machine(0.0, DAMPED, true, asked), &[("poses.csv", POSES)]);
    for row in &table.rows {
        let number = |name: &str| table.number(row, name);
        let (re, im) = (number("s_re"), number("s_im"));
        let size = re.hypot(im);
        let roots = &result.poses[number("pose") as usize].damped.as_ref().unwrap().modes;
        let near = |s: [f64; 2]| (s[0] - re).hypot(s[1] - im) / size;
        let best = roots.iter().min_by(|a, b| near(a.s).total_cmp(&near(b.s))).unwrap();
        assert!(near(best.s) < 1e-3, "{:?}: {:?}, {:.1e}", row, best.s, near(best.s));
        let zeta = number("zeta");
        assert!((best.ratio - zeta).abs() <= 0.01 * zeta, "{row:?}: {} for {zeta}", best.ratio);
    }
}

#[test]
fn responses_with_servos() {
    let Some(reference) = shared("2_arm3r_frf.csv") else { return };
    let table = Table::new(&reference);
    let all: Vec<&str> = table.rows.iter().map(|row| table.text(row, "f_hz")).collect();
    let asked = format!(
        "damped = false\nposes = {{ csv = \"poses.csv\" }}\ninputs = [\"hip.torque\"]\noutputs = [\"hip.rate\", \"tip.position_x\", \"tip.position_y\"]\nfrequencies = {{ values = [{}] }}",
        all.join(", ")
    );
    let result = respond(&machine(0.0, DAMPED, true, &asked), &[("poses.csv", POSES)]);
    let pose = &result.poses[1];
    for (k, name) in ["hip_rate", "tip_x", "tip_y"].into_iter().enumerate() {
        let found: Vec<_> = pose.response.iter().map(|matrix| matrix[(k, 0)]).collect();
        close_response(name, &all, &found, &complex(&table, name));
    }
}
