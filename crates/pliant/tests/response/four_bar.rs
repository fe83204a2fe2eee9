//! 3. Planar four-bar linkage with its crank held: loops, and constraints that repeat each other.

use crate::support::{Table, close, respond, shared};

const LENGTHS: [f64; 4] = [0.254, 0.108, 0.2794, 0.2705];

/// Angles of coupler and rocker against the x axis for a crank angle, the pin above the line to the pivot.
fn closed(crank: f64) -> (f64, f64) {
    let [ground, a, b, c] = LENGTHS;
    let pin = [a * crank.cos(), a * crank.sin()];
    let (dx, dy) = (ground - pin[0], -pin[1]);
    let d = dx.hypot(dy);
    let along = (b * b - c * c + d * d) / (2.0 * d);
    let above = (b * b - along * along).sqrt();
    let (ux, uy) = (dx / d, dy / d);
    let at = [pin[0] + along * ux - above * uy, pin[1] + along * uy + above * ux];
    ((at[1] - pin[1]).atan2(at[0] - pin[0]), at[1].atan2(at[0] - ground))
}

fn machine(crank_deg: f64, all: bool) -> String {
    let [ground, a, b, c] = LENGTHS;
    let (width, height, rho) = (0.0254, 0.0016, 2770.0);
    let area = width * height;
    let (i1, i2) = (width * height * height * height / 12.0, height * width * width * width / 12.0);
    let link = |length: f64, flexible: bool| match flexible {
        true => format!(
            "beam = {{ length = {length}, elements = 100, section = {{ values = {{ area = {area:e}, i1 = {i1:e}, i2 = {i2:e}, k = [0.833333333333, 0.833333333333] }} }}, material = {{ e = 7.1e10, nu = 0.33, rho = {rho} }} }}\nmodes = {{ count = 60 }}"
        ),
        false => {
            let m = rho * area * length;
            let inertia = m * length * length / 12.0;
            format!(
                "rigid = {{ mass = {m:e}, centre = [{}, 0, 0], inertia = [{inertia:e}, {inertia:e}, {inertia:e}], interfaces = {{ tip = [{length}, 0, 0] }} }}",
                0.5 * length
            )
        }
    };
    let crank = crank_deg.to_radians();
    let (coupler, rocker) = closed(crank);
    format!(
        r#"
        [links.crank]
        {}
        [links.coupler]
        {}
        [links.rocker]
        {}
        [joints.crank]
        parent = "ground"
        child = "crank"
        type = "revolute"
        axis = "z"
        drive = {{ motion = {{ profile = "hold", value_deg = {crank_deg} }} }}
        [joints.coupler]
        parent = "crank.tip"
        child = "coupler"
        type = "revolute"
        axis = "z"
        start = {{ value = {} }}
        [joints.rocker]
        parent = "ground"
        origin = [{ground}, 0, 0]
        child = "rocker"
        type = "revolute"
        axis = "z"
        start = {{ value = {rocker} }}
        [joints.pin]
        parent = "coupler.tip"
        child = "rocker.tip"
        type = "revolute"
        axis = "z"
        start = {{ value = {} }}
        [analysis]
        end = 1
        step = 1e-3
        redundant = "least-norm"
        [response]
        modes = 60
        damped = false
        "#,
        link(a, all),
        link(b, true),
        link(c, all),
        coupler - crank,
        rocker - coupler
    )
}

#[test]
fn frequencies_of_the_coupler_and_of_all_links() {
    let Some(text) = shared("3_fourbar.csv") else { return };
    let table = Table::new(&text);
    for variant in ["coupler", "all"] {
        for angle in ["0", "75", "210"] {
            let result = respond(&machine(angle.parse().unwrap(), variant == "all"), &[]);
            // Modes out of the plane do not turn the joints, whose axes are normal to it.
            let joints: Vec<usize> =
                (0..result.coordinates.len()).filter(|k| result.coordinates[*k].ends_with("angle")).collect();
            assert_eq!(joints.len(), 3, "{:?}", result.coordinates);
            let largest = |mode: &pliant_dynamics::response::UndampedMode| {
                joints.iter().map(|k| mode.shape[*k].abs()).fold(0.0, f64::max)
            };
            let modes = &result.poses[0].undamped;
            let most = modes.iter().map(largest).fold(0.0, f64::max);
            let found: Vec<f64> = modes
                .iter()
                .filter(|mode| largest(mode) > 1e-4 * most)
                .map(|mode| mode.frequency_hz)
                .collect();
            let of = |row: &&Vec<String>| {
                table.text(row, "variant") == variant
                    && table.number(row, "crank_deg") == angle.parse::<f64>().unwrap()
            };
            for row in table.rows.iter().filter(of) {
                let mode = table.number(row, "mode") as usize;
                let tolerance = if mode <= 8 { 1e-4 } else { 5e-4 };
                let what = format!("{variant}, {angle}°, mode {mode}");
                close(&what, found[mode - 1], table.number(row, "f_hz"), tolerance);
            }
        }
    }
}
