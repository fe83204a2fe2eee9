//! Loads of joints and on interfaces against the nonlinear run, by a multisine.

use std::f64::consts::TAU;

use nalgebra::Complex;
use pliant::run::{CaseObserver, Ending, RunOptions, run};
use pliant_dynamics::{Flow, Frame, ObserverError};

use crate::support::{prepare, respond};

fn machine(extra: &str, end: f64) -> String {
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
        drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = 20 }}, position_gain = 9000, rate_gain = 60 }} }}
        [joints.elbow]
        parent = "upper.tip"
        child = "fore"
        type = "revolute"
        axis = "-y"
        drive = {{ servo = {{ follow = {{ profile = "hold", value_deg = -50 }}, position_gain = 5000, rate_gain = 30 }} }}
        [payload]
        at = "fore.tip"
        mass = 3
        [analysis]
        end = {end}
        step = 2.5e-4
        [output]
        tip = "fore.tip"
        every = 1e-3
        {extra}
        "#,
        link(0.7),
        link(0.6)
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
    let (_folder, case, links) = prepare(text, &[]);
    let mut series = Series { times: Vec::new(), rows: Vec::new() };
    let result = run(&case, &links, &RunOptions { modes: false, ..RunOptions::of(&case) }, &mut series);
    assert_eq!(result.ending, Ending::Complete, "{:?}", result.diagnostics);
    series
}

/// Lines of the multisine (Hz), integers by its period of one second; phases after Schroeder, so that
/// the peak stays low.
const LINES: [f64; 9] = [2.0, 3.0, 5.0, 8.0, 13.0, 19.0, 28.0, 41.0, 60.0];

#[test]
fn loads_in_the_run_are_those_of_the_linear_machine() {
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
    let series = simulated(&machine(&shake, end));
    let outputs = ["tip.position_z", "elbow.motor_rate", "shoulder.load_z", "fore.tip.load_x"];
    let asked = format!(
        "[response]\ninputs = [\"tip.force_z\"]\noutputs = {outputs:?}\nfrequencies = {{ values = {LINES:?} }}"
    );
    let result = respond(&machine(&asked, end), &[]);
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
