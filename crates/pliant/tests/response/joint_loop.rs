//! 5. Flexible joint with a sampled servo: loop, margins and stability.

use serde_json::Value;

use crate::support::{close, geared, respond, shared};

fn machine(gains: [f64; 3], sampled: bool) -> String {
    let [position, integral, rate] = gains;
    let clock = if sampled { ", sample = 1e-3, delay = 1e-3" } else { "" };
    format!(
        r#"
        {}
        drive = {{ servo = {{ follow = {{ profile = "hold" }}, position_gain = {position}, rate_gain = {rate}, integral_gain = {integral}{clock} }} }}
        [analysis]
        end = 1
        step = 1e-3
        [response]
        margins = true
        "#,
        geared("motor", [4.0, 0.8], 0.5, [30000.0, 6.0])
    )
}

const CASES: [(&str, [f64; 3]); 4] = [
    ("soft", [1500.0, 3000.0, 60.0]),
    ("nominal", [6000.0, 20000.0, 160.0]),
    ("stiff", [16000.0, 80000.0, 330.0]),
    ("unstable", [20000.0, 100_000.0, 1100.0]),
];

#[test]
fn margins_of_the_sampled_and_of_the_ideal_loop() {
    let Some(text) = shared("5_flexible_joint.json") else { return };
    let reference: Value = serde_json::from_str(&text).unwrap();
    for (name, gains) in CASES {
        let case = &reference["cases"][name];
        let result = respond(&machine(gains, true), &[]);
        let found = &result.poses[0].margins[0];
        assert_eq!(found.stable, case["stable"].as_bool().unwrap(), "{name}");
        assert!(found.sampled);
        compare(name, &found.margins, &case["sampled"]);
    }
}

pub(crate) fn compare(name: &str, found: &pliant_dynamics::response::Margins, expected: &Value) {
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
    // Margins on the given loops: 1e-4.
    let gain = expected["gain_crossings"].as_array().unwrap();
    assert_eq!(found.gain_crossings.len(), gain.len(), "{name}: {:?}", found.gain_crossings);
    for (found, expected) in found.gain_crossings.iter().zip(gain) {
        close(name, found.frequency_hz, number(expected, "f_hz"), 1e-4);
        close(name, found.phase_margin_deg, number(expected, "phase_margin_deg"), 1e-4);
        close(name, found.delay_margin, number(expected, "delay_margin_s"), 1e-4);
    }
    let phase = expected["phase_crossings"].as_array().unwrap();
    assert_eq!(found.phase_crossings.len(), phase.len(), "{name}: {:?}", found.phase_crossings);
    for (found, expected) in found.phase_crossings.iter().zip(phase) {
        close(name, found.frequency_hz, number(expected, "f_hz"), 1e-4);
        close(name, found.gain_factor, number(expected, "gain_factor"), 1e-4);
    }
    close(name, found.disk.alpha, number(&expected["disk"], "alpha"), 1e-4);
    close(name, found.disk.phase_deg(), number(&expected["disk"], "phase_deg"), 1e-4);
    close(name, found.peak_sensitivity[0], number(expected, "Ms"), 1e-4);
    close(name, found.peak_complementary[0], number(expected, "Mt"), 1e-4);
}
