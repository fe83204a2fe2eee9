//! 6. Hydraulic servo: valve to tachometer, margins, and the nonlinear analysis on both sides of the margin.

use std::f64::consts::TAU;

use nalgebra::Complex;
use pliant_dynamics::AnalysisKind;
use pliant_dynamics::response::ModeKind;
use serde_json::Value;

use crate::joint_loop::compare;
use crate::support::{Table, close, complex, geared, respond, run, run_as, shared};

fn machine(electronics: &str, start: &str, rest: &str) -> String {
    format!(
        r#"
        {}
        {start}
        [joints.base.drive.hydraulic]
        follow = {{ profile = "hold" }}
        valve = {{ natural_hz = 60, damping = 0.7, flow_gain = 1.4e-3, pressure_flow = 6e-12 }}
        oil = {{ volume = 1.6e-3, bulk_modulus = 1.1e9, leakage = 1e-12 }}
        piston = {{ area = 2.8e-3, lever = 0.22 }}
        tachometer = {{ time_constant = 1.5e-3 }}
        {electronics}
        {rest}
        "#,
        geared("base", [55.0, 18.0], 60.0, [450e3, 250.0])
    )
}

fn loop_of(gain: f64, integral: f64, delay: f64) -> String {
    format!("rate = {{ gain = {gain}, integral_gain = {integral} }}\ndelay = {delay}")
}

const CASES: [(&str, f64, f64, f64); 3] =
    [("low", 0.02, 0.4, 0.0), ("nominal", 0.04, 0.8, 0.002), ("unstable", 0.25, 1.5, 0.002)];

#[test]
fn margins_and_poles_of_the_given_loops() {
    let Some(text) = shared("6_hydraulic.json") else { return };
    let reference: Value = serde_json::from_str(&text).unwrap();
    for (name, gain, integral, delay) in CASES {
        let case = &reference["cases"][name];
        let rest = "[analysis]\nend = 1\nstep = 1e-3\n[response]\nmargins = true";
        let result = respond(&machine(&loop_of(gain, integral, delay), "", rest), &[]);
        let found = &result.poses[0].margins[0];
        assert_eq!(found.stable, case["stable"].as_bool().unwrap(), "{name}");
        // A delay has infinitely many crossings of the axis: those of the reference end at 2 kHz, ours where
        // the loop is long dead.
        let mut expected = case.clone();
        let all = expected["phase_crossings"].as_array_mut().unwrap();
        all.retain(|crossing| crossing["f_hz"].as_f64().unwrap() < 1000.0);
        // |T| of these loops is largest where ω goes to 0: at the first frequency of either table.
        if expected["Mt_hz"].as_f64().unwrap() < 0.01 {
            assert!((0.99..1.0).contains(&found.margins.peak_complementary[0]), "{name}");
            expected["Mt"] = found.margins.peak_complementary[0].into();
        }
        compare(name, &found.margins, &expected);
        // Poles that oscillate or grow, but for those that stand for the delay.
        let modes = &result.poses[0].damped.as_ref().unwrap().modes;
        for pole in case["closed_loop_poles"].as_array().unwrap() {
            let s = Complex::new(pole[0].as_f64().unwrap(), pole[1].as_f64().unwrap());
            if s.norm() < 400.0 {
                let distance = |s0: &[f64; 2]| (Complex::new(s0[0], s0[1]) - s).norm() / s.norm();
                let nearest = modes.iter().map(|mode| distance(&mode.s)).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-4, "{name}: {s}, {nearest:.1e}");
            }
        }
        let grows = modes.iter().any(|mode| mode.kind == ModeKind::Unstable);
        assert_eq!(grows, !found.stable, "{name}");
        let oil = modes.iter().flat_map(|mode| &mode.shares).any(|s| s.part == "oil base" && s.share > 0.3);
        assert!(oil, "{name}: no mode lives in the oil");
    }
}

#[test]
fn valve_to_tachometer_is_the_closed_form() {
    let Some(text) = shared("6_hydraulic_L.csv") else { return };
    let table = Table::new(&text);
    let hz: Vec<&str> = table.rows.iter().map(|row| table.text(row, "f_hz")).collect();
    let rest = format!(
        "[analysis]\nend = 1\nstep = 1e-3\n[response]\nservos = \"open\"\ninputs = [\"base.valve\"]\n\
         outputs = [\"base.tachometer\"]\nfrequencies = {{ values = [{}] }}",
        hz.join(", ")
    );
    let result = respond(&machine(&loop_of(0.02, 0.4, 0.0), "", &rest), &[]);
    let worst = complex(&table, "G")
        .iter()
        .zip(&result.poses[0].response)
        .map(|(expected, found)| (found[(0, 0)] / expected - 1.0).norm())
        .fold(0.0, f64::max);
    // The table has ten digits.
    assert!(worst < 1e-8, "{worst:.1e}");
}

/// Largest acceleration of the joint in each of the last two half seconds of a run.
fn last(electronics: &str) -> [f64; 2] {
    let rest = "[analysis]\nend = 3\nstep = 5e-5";
    let text = machine(electronics, "start = { rate = 1e-3 }", rest);
    let mut largest = [0.0f64; 2];
    run(&text, |frame| {
        let half = (frame.state.t / 0.5 - 1e-9) as usize;
        if let Some(largest) = half.checked_sub(4).and_then(|k| largest.get_mut(k)) {
            *largest = largest.max(frame.state.a[0].abs());
        }
    });
    largest
}

/// The gain margin of the nominal loop is 2.69883: a loop with 5 % less decays in the nonlinear analysis, one
/// with 5 % more grows, each at the rate of its eigenvalue.
#[test]
fn the_nonlinear_run_grows_beyond_the_margin_and_not_inside() {
    for (factor, unstable) in [(0.95, false), (1.05, true)] {
        let (gain, integral) = (0.04 * 2.698_832 * factor, 0.8 * 2.698_832 * factor);
        let rest = "[analysis]\nend = 1\nstep = 1e-3\n[response]";
        let result = respond(&machine(&loop_of(gain, integral, 0.002), "", rest), &[]);
        let modes = &result.poses[0].damped.as_ref().unwrap().modes;
        let critical = modes.iter().find(|mode| (mode.s[1] / TAU - 44.8).abs() < 1.0).unwrap();
        assert_eq!(critical.kind == ModeKind::Unstable, unstable, "{:?}", critical.s);
        let [before, now] = last(&loop_of(gain, integral, 0.002));
        let rate = (now / before).ln() / 0.5;
        // The step h = 5e-5 s turns phases by (ωh)²/12 of ω, 0.005/s beside a rate of 0.8/s.
        close("growth", rate, critical.s[0], 0.02);
    }
}

/// All that the electronics can have: position loop with lead and lag, rate loop with integral, lead and lag,
/// a clock and a delay that is no multiple of it. Scaled by its gain margin the loop is on the border.
#[test]
fn a_sampled_drive_has_the_margin_that_its_run_has() {
    let electronics = |factor: f64| {
        format!(
            "position = {{ gain = 3, integral_gain = 1, lead = 0.02, lag = 0.005 }}\n\
             rate = {{ gain = {}, integral_gain = {}, lead = 0.004, lag = 0.008 }}\n\
             sample = 2e-3\ndelay = 5e-4\nfeed_forward = 0.5",
            0.06 * factor,
            0.5 * factor
        )
    };
    let rest = "[analysis]\nend = 1\nstep = 1e-3\n[response]\nmargins = true";
    let margins =
        |factor: f64| respond(&machine(&electronics(factor), "", rest), &[]).poses[0].margins[0].clone();
    let nominal = margins(1.0);
    assert!(nominal.stable && nominal.sampled);
    let border = nominal.margins.gain_margin();
    assert!(border > 1.2 && border < 50.0, "{border}");
    for (factor, stable) in [(0.96, true), (1.04, false)] {
        assert_eq!(margins(border * factor).stable, stable, "{factor}");
        let [before, now] = last(&electronics(border * factor));
        assert_eq!(now < before, stable, "{factor}: {before} {now}");
        assert!((now / before).ln().abs() > 0.05, "{factor}: {before} {now}");
    }
}

/// The machine is linear, so that the linear analysis must go the same way: both follow a command and ring.
#[test]
fn the_linear_analysis_goes_the_same_way() {
    let electronics = "position = { gain = 8, lead = 0.02, lag = 0.01 }\nrate = { gain = 0.05, integral_gain = 0.4 }\ndelay = 7.3e-4";
    let rest = "[analysis]\nend = 0.6\nstep = 2e-4";
    let moves = "{ profile = \"cycloidal\", to_deg = 10, time = 0.3 }";
    let text = machine(electronics, "start = { rate = 0.05 }", rest).replace("{ profile = \"hold\" }", moves);
    let path = |kind: AnalysisKind| {
        let mut found = Vec::new();
        run_as(kind, &text, |frame| found.push((frame.state.q[0], frame.state.a[1])));
        found
    };
    let (nonlinear, linear) = (path(AnalysisKind::Nonlinear), path(AnalysisKind::Linear));
    assert_eq!(nonlinear.len(), linear.len());
    let size = |k: usize| nonlinear.iter().map(|at| [at.0, at.1][k].abs()).fold(0.0, f64::max);
    let (angle, acceleration) = (size(0), size(1));
    assert!(angle > 0.1, "{angle}");
    for ((q, a), (q_linear, a_linear)) in nonlinear.iter().zip(&linear) {
        // The equilibrium iteration leaves 1e-5 of a step, the root of its energy criterion.
        assert!((q - q_linear).abs() < 1e-6 * angle, "{q} {q_linear}");
        assert!((a - a_linear).abs() < 1e-5 * acceleration, "{a} {a_linear}");
    }
}

/// An arm that is held up by oil: from equilibrium it stays where it is, by an integral or by the null of its
/// valve, and the oil is under the pressure that the weight needs. From an undeformed start it sinks.
#[test]
fn a_loaded_drive_starts_in_equilibrium() {
    for (electronics, start) in [
        ("position = { gain = 5 }\nrate = { gain = 0.05, integral_gain = 0.4 }", "equilibrium"),
        ("position = { gain = 5 }\nrate = { gain = 0.05 }\nsample = 2e-3", "equilibrium"),
        ("position = { gain = 5 }\nrate = { gain = 0.05 }", "undeformed"),
    ] {
        let rest = format!("[analysis]\nend = 0.2\nstep = 1e-3\nstart = \"{start}\"");
        let text = machine(electronics, "", &rest)
            .replace("{ mass = 1,", "{ mass = 100, centre = [1, 0, 0],")
            .replace("valve = { ", "valve = { deadband = 0.02, ");
        let mut moved = 0.0f64;
        run(&format!("gravity = [0, -9.81, 0]\n{text}"), |frame| moved = moved.max(frame.state.q[0].abs()));
        match start {
            "undeformed" => assert!(moved > 1e-4, "{moved}"),
            // Rounding, held by a spring of 1e6 N·m/rad against 1e3 N·m.
            _ => assert!(moved < 1e-12, "{electronics}: {moved}"),
        }
    }
}
