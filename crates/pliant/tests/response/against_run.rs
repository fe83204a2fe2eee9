//! The linear machine against the nonlinear run: frequency responses estimated from a multisine, and the
//! free decay of a mode.

use std::f64::consts::TAU;
use std::sync::Arc;

use nalgebra::Complex;
use pliant::links::MachineLink;
use pliant::run::{CaseObserver, Ending, RunOptions, run};
use pliant_dynamics::{Flow, Frame, ObserverError};

use crate::support::{close, respond};

fn machine(extra: &str, start_deg: f64, rate_gain: f64, end: f64) -> String {
    let link = |length: f64| {
        format!(
            "beam = {{ length = {length}, elements = 10, section = {{ values = {{ area = 6e-4, i1 = 5e-8, i2 = 5e-8, j = 1e-7 }} }}, material = {{ e = 7e10, nu = 0.3, rho = 2700 }} }}\nmodes = {{ count = 6 }}\ndamping = {{ ratio = 0.03 }}"
        )
    };
    format!(
        r#"
        [links.upper]
        {}
        [links.fore]
        {}
        [joints.shoulder]
        parent = "ground"
        child = "upper"
        type = "revolute"
        axis = "-y"
        start = {{ value_deg = {} }}
        drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = 20 }}, position_gain = 9000, rate_gain = {rate_gain} }} }}
        [joints.elbow]
        parent = "upper.tip"
        child = "fore"
        type = "revolute"
        axis = "-y"
        start = {{ value_deg = -50 }}
        drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = -50 }}, position_gain = 5000, rate_gain = {} }} }}
        [payload]
        at = "fore.tip"
        mass = 3
        [analysis]
        end = {end}
        step = 2.5e-4
        output_interval = 1e-3
        [output]
        tip = "fore.tip"
        {extra}
        "#,
        link(0.7),
        link(0.6),
        20.0 + start_deg,
        rate_gain * 0.5
    )
}

/// Keeps some numbers of every output.
struct Series {
    times: Vec<f64>,
    rows: Vec<[f64; 4]>,
}

impl CaseObserver for Series {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        let model = frame.model;
        let tip = model.interface("fore", "tip").unwrap();
        let (shoulder, elbow) = (model.body("upper").unwrap(), model.body("fore").unwrap());
        let X_CL = model.bodies()[shoulder].hinge.X_CL;
        let load = X_CL.return_wrench(frame.work.hinge_wrench(shoulder));
        let rate = frame.state.v[model.bodies()[elbow].hinge_velocities().start];
        self.times.push(frame.state.t);
        self.rows.push([frame.work.X_WT(tip).p.z, rate, load[2], frame.work.interface_wrench(tip)[0]]);
        Ok(Flow::Continue)
    }
}

fn simulated(text: &str) -> Series {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let case = pliant::load(&path).unwrap_or_else(|failure| panic!("{:#?}", failure.diagnostics)).output;
    let reduced = |request: &_| {
        let made = pliant::link::reduce(request, None).unwrap_or_else(|failure| panic!("{failure:?}"));
        Arc::new(MachineLink::bare(made))
    };
    let links: Vec<_> = case.links().requests.iter().map(reduced).collect();
    let mut series = Series { times: Vec::new(), rows: Vec::new() };
    let result = run(&case, &links, &RunOptions { modes: false, ..RunOptions::of(&case) }, &mut series);
    assert_eq!(result.ending, Ending::Complete, "{:?}", result.diagnostics);
    series
}

/// Lines of the multisine (Hz), whole numbers of its period of one second; phases after Schroeder, so that the
/// peak stays low.
const LINES: [f64; 9] = [2.0, 3.0, 5.0, 8.0, 13.0, 19.0, 28.0, 41.0, 60.0];

#[test]
fn a_multisine_through_the_run_has_the_same_response() {
    let terms: Vec<String> = LINES
        .iter()
        .enumerate()
        .map(|(k, hz)| {
            let phase = -std::f64::consts::PI * (k * k) as f64 / LINES.len() as f64;
            format!("cos({TAU}*{hz}*t + {phase})")
        })
        .collect();
    let force = format!("0.2*({})", terms.join(" + "));
    let shake = format!("[loads.shake]\nat = \"fore.tip\"\nforce = [0, 0, \"{force}\"]");
    let end = 8.0;
    let series = simulated(&machine(&shake, 0.0, 60.0, end));
    let outputs = ["tip.position_z", "elbow.motor_rate", "shoulder.load_z", "fore.tip.load_x"];
    let asked = format!(
        "[response]\ninputs = [\"tip.force_z\"]\noutputs = {outputs:?}\nfrequencies = {{ values = {LINES:?} }}"
    );
    let result = respond(&machine(&asked, 0.0, 60.0, end), &[]);
    // The last two periods: what the start has excited has died out by e⁻¹² and more.
    let first = series.times.iter().position(|t| *t > end - 2.0 + 1e-6).unwrap();
    let (times, rows) = (&series.times[first..], &series.rows[first..]);
    let line = |values: &dyn Fn(usize) -> f64, hz: f64| -> Complex<f64> {
        let part = |k: usize| Complex::from_polar(values(k), -TAU * hz * times[k]);
        (0..times.len()).map(part).sum::<Complex<f64>>() * (2.0 / times.len() as f64)
    };
    for (k, hz) in LINES.iter().enumerate() {
        let phase = -std::f64::consts::PI * (k * k) as f64 / LINES.len() as f64;
        let input = Complex::from_polar(0.2, phase);
        for (o, name) in outputs.iter().enumerate() {
            let estimated = line(&|i| rows[i][o], *hz) / input;
            let ratio = estimated / result.poses[0].response[k][(o, 0)];
            let (db, degrees) = (20.0 * ratio.norm().log10(), ratio.arg().to_degrees());
            println!("{name} at {hz} Hz: {db:+.4} dB, {degrees:+.3}°");
            assert!(db.abs() < 0.3 && degrees.abs() < 2.0, "{name} at {hz} Hz: {db} dB, {degrees}°");
        }
    }
}

#[test]
fn a_mode_rings_down_as_its_root_says() {
    let end = 6.0;
    // The lowest mode alone is left after the first second; its amplitude is small enough to be linear.
    let series = simulated(&machine("", 0.02, 12.0, end));
    let result = respond(&machine("[response]\n", 0.02, 12.0, end), &[]);
    let modes = &result.poses[0].damped.as_ref().unwrap().modes;
    let lowest = modes.iter().find(|mode| mode.s[1] > 0.0).unwrap();
    let rest = series.rows.last().unwrap()[0];
    let z: Vec<f64> = series.rows.iter().map(|row| row[0] - rest).collect();
    // Rising zeros by straight lines between samples, from one second on.
    let from = series.times.iter().position(|t| *t >= 1.0).unwrap();
    let mut zeros = Vec::new();
    let mut peaks = Vec::new();
    for k in from..z.len() - 1 {
        if z[k] < 0.0 && z[k + 1] >= 0.0 {
            let dt = series.times[k + 1] - series.times[k];
            zeros.push(series.times[k] - z[k] * dt / (z[k + 1] - z[k]));
        }
        if k > from && z[k] > z[k - 1] && z[k] >= z[k + 1] {
            peaks.push(z[k]);
        }
    }
    let periods = 8;
    assert!(zeros.len() > periods && peaks.len() > periods, "{} zeros", zeros.len());
    let omega = TAU * periods as f64 / (zeros[periods] - zeros[0]);
    let decay = (peaks[0] / peaks[periods]).ln() / (zeros[periods] - zeros[0]);
    println!("ω {omega} for {}, σ {decay} for {}", lowest.s[1], -lowest.s[0]);
    close("frequency", omega, lowest.s[1], 1e-3);
    close("damping", decay / omega.hypot(decay), lowest.ratio, 2e-2);
}
