//! The nonlinear run says the same as the linear machine: responses by a multisine, ring-down, the limit of
//! stability, and the modes of one mesh of all links.

use std::f64::consts::{PI, TAU};

use nalgebra::Complex;
use pliant::run::{CaseObserver, Ending, RunOptions, run};
use pliant_dynamics::{Flow, Frame, ObserverError};

use crate::support::{close, prepare, respond};

/// Height of the tip of `fore`, where there is one, and value of the joint `elbow` or `motor`, at every
/// output.
#[derive(Default)]
struct Watch {
    times: Vec<f64>,
    tip: Vec<f64>,
    joint: Vec<f64>,
}

impl CaseObserver for Watch {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        self.times.push(frame.state.t);
        let tip = frame.model.interface("fore", "tip");
        self.tip.push(tip.map_or(0.0, |tip| frame.work.X_WT(tip).p.z));
        let joint = ["elbow", "motor"].iter().find_map(|name| frame.model.joint_coordinate(name, 0));
        let entry = frame.model.state_entry(joint.expect("an elbow or a motor"));
        self.joint.push(frame.state.q[entry.position]);
        Ok(Flow::Continue)
    }
}

fn watched(text: &str, extra: &[(&str, &str)]) -> Watch {
    let (_folder, case, links) = prepare(text, extra);
    let mut watch = Watch::default();
    let options = RunOptions { modes: false, ..RunOptions::of(&case) };
    let result = run(&case, &links, &options, &mut watch);
    assert_eq!(result.ending, Ending::Complete, "{:#?}", result.diagnostics);
    watch
}

/// Servos with an integral, which stand on their commands under gravity as the poses of a response do.
fn servos() -> [String; 2] {
    [(0.5, 60e3, 900.0), (-1.1, 30e3, 150.0)].map(|(at, position, rate)| {
        format!(
            "servo = {{ follow = {{ profile = \"hold\", value = {at} }}, position_gain = {position}, rate_gain = {rate}, integral_gain = {} }}",
            10.0 * position
        )
    })
}

/// Two tubes on two joints, in balance with gravity and a force at the tip.
fn arm(drives: &[String; 2], force: &str, end: f64, step: f64, response: &str) -> String {
    let tube = |name: &str| {
        format!(
            "[links.{name}]\nbeam = {{ length = 0.8, elements = 12, section = {{ tube = {{ od = 0.05, t = 0.003 }} }}, material = \"steel\" }}\n\
             modes = {{ count = 8 }}\ndamping = {{ rayleigh = {{ beta = 1e-4 }} }}\n"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, drive: &str| {
        format!(
            "[joints.{name}]\nparent = \"{parent}\"\nchild = \"{child}\"\ntype = \"revolute\"\naxis = \"-y\"\n\
             rotor = {{ inertia = 0.3 }}\ndrive = {{ {drive} }}\n"
        )
    };
    [
        "gravity = [0, 0, -9.81]\n".to_owned(),
        tube("upper"),
        tube("fore"),
        joint("shoulder", "ground", "upper", &drives[0]),
        joint("elbow", "upper.tip", "fore", &drives[1]),
        "[payload]\nat = \"fore.tip\"\nmass = 2\n".to_owned(),
        format!("[loads.shaker]\nat = \"fore.tip\"\nforce = [0, 0, {force}]\n"),
        format!("[analysis]\nend = {end}\nstep = {step}\nstart = \"equilibrium\"\n"),
        "[output]\ntip = \"fore.tip\"\n".to_owned(),
        response.to_owned(),
    ]
    .concat()
}

/// H1 = S_yu/S_uu of a periodic signal that has settled: Y/U at each line of its period.
fn line(values: &[f64], k: usize) -> Complex<f64> {
    let turn = |i: usize| Complex::new(0.0, -TAU * (k * i) as f64 / values.len() as f64).exp();
    values.iter().enumerate().map(|(i, value)| turn(i) * *value).sum()
}

/// A small multisine at the tip through `run`: forty lines from 2.5 to 100 Hz, of which every one agrees with
/// the response within 0.3 dB and 2°.
#[test]
fn a_multisine_through_the_nonlinear_run_gives_the_response() {
    let (spacing, lines, step) = (2.5, 40, 1e-4);
    // Schroeder's phases keep the peak low (IEEE Trans. Inf. Theory 16 (1970) 85); the sum begins at zero
    // force nowhere, so what the start excites has died away before the last period is looked at.
    let phase = |k: usize| -PI * (k * (k - 1)) as f64 / lines as f64;
    let terms: Vec<String> =
        (1..=lines).map(|k| format!("sin({:.15}*t{:+.15})", TAU * spacing * k as f64, phase(k))).collect();
    let force = |t: f64| -> f64 {
        0.05 * (1..=lines).map(|k| (TAU * spacing * k as f64 * t + phase(k)).sin()).sum::<f64>()
    };
    let period = 1.0 / spacing;
    let text = arm(
        &servos(),
        &format!("\"0.05*({})\"", terms.join("+")),
        10.0 * period,
        step,
        &format!(
            "[response]\nabout = \"equilibrium\"\ninputs = [\"tip.force_z\"]\noutputs = [\"tip.position_z\", \"elbow.position\"]\n\
             frequencies = {{ from = {spacing}, to = {}, count = {lines}, spacing = \"linear\" }}\n",
            spacing * lines as f64
        ),
    );
    let watch = watched(&text, &[]);
    let samples = (period / step).round() as usize;
    let last = watch.times.len() - 1 - samples..watch.times.len() - 1;
    // It has settled: the last period repeats the one before.
    let before = last.start - samples..last.start;
    let spread =
        |values: &[f64]| values.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
    for values in [&watch.tip, &watch.joint] {
        let (low, high) = spread(&values[last.clone()]);
        for (a, b) in values[before.clone()].iter().zip(&values[last.clone()]) {
            assert!((a - b).abs() < 1e-3 * (high - low), "{a} and {b} of {low} to {high}");
        }
    }
    let input: Vec<f64> = watch.times[last.clone()].iter().map(|t| force(*t)).collect();
    let expected = &respond(&text, &[]).poses[0].response;
    let mut worst = [0.0_f64; 2];
    for (k, expected) in (1..=lines).zip(expected) {
        for (row, values) in [&watch.tip, &watch.joint].into_iter().enumerate() {
            let found = line(&values[last.clone()], k) / line(&input, k);
            let ratio = found / expected[(row, 0)];
            let (db, degrees) = (20.0 * ratio.norm().log10(), ratio.arg().to_degrees());
            worst = [worst[0].max(db.abs()), worst[1].max(degrees.abs())];
            let hz = spacing * k as f64;
            assert!(db.abs() < 0.3 && degrees.abs() < 2.0, "output {row}, {hz} Hz: {db} dB, {degrees}°");
        }
    }
    println!("multisine: within {:.3} dB and {:.3} degrees", worst[0], worst[1]);
}

/// Frequency (rad/s) and decay (1/s) of the last part of a signal with one mode left: times and rates of its
/// upward crossings of its final value.
fn ring_down(times: &[f64], values: &[f64], rest: f64) -> [f64; 2] {
    let mut crossings = Vec::new();
    for i in 1..values.len() - 2 {
        let (a, b) = (values[i] - rest, values[i + 1] - rest);
        if a < 0.0 && b >= 0.0 {
            let h = times[i + 1] - times[i];
            let part = a / (a - b);
            // Slopes at both ends of the interval, and the one at the crossing.
            let slope = |i: usize| (values[i + 1] - values[i - 1]) / (2.0 * h);
            crossings.push((times[i] + part * h, (1.0 - part) * slope(i) + part * slope(i + 1)));
        }
    }
    let ((t0, v0), (t1, v1)) = (crossings[0], *crossings.last().expect("it crosses"));
    let count = (crossings.len() - 1) as f64;
    [TAU * count / (t1 - t0), (v0 / v1).ln() / (t1 - t0)]
}

/// The tip is let go: what rings down has the frequency of the first damped mode of its plane to 0.1 % and
/// the damping to 2 %.
#[test]
fn a_ring_down_has_frequency_and_damping_of_its_mode() {
    let held = [0.5, -1.1].map(|at| format!("motion = {{ profile = \"hold\", value = {at} }}"));
    let text = |force: &str| arm(&held, force, 2.0, 1e-4, "[response]\nabout = \"equilibrium\"\n");
    // 2 N until it is let go at 1 ms; a jump is stepped to.
    let release = ("release.csv", "t,force\n0,2\n0.001,0\n");
    let watch = watched(&text("{ file = \"release.csv\", interpolation = \"step\" }"), &[release]);
    let at_rest = watched(&text("0").replace("end = 2", "end = 0.01"), &[]);
    let rest = *at_rest.tip.last().expect("outputs");
    let response = respond(&text("0"), &[]);
    // The first mode bends the arm out of its plane; the load excites the second.
    let mode = &response.poses[0].damped.as_ref().expect("damped modes").modes[1];
    let period = 1.0 / mode.frequency_hz;
    // The second mode has died away against the first after some periods; six periods are looked at.
    let from = watch.times.iter().position(|t| *t > 2.0 * period).expect("long enough");
    let to = watch.times.iter().position(|t| *t > 8.5 * period).expect("long enough");
    let [omega, decay] = ring_down(&watch.times[from..to], &watch.tip[from..to], rest);
    let natural = omega.hypot(decay);
    println!(
        "ring-down: {} Hz for {}, zeta {} for {}",
        natural / TAU,
        mode.frequency_hz,
        decay / natural,
        mode.ratio
    );
    close("frequency", natural / TAU, mode.frequency_hz, 1e-3);
    close("damping ratio", decay / natural, mode.ratio, 0.02);
}

/// A sampled servo on a flexible joint whose gains are 0.5 % below and above what its gain margin allows: the
/// nonlinear run rings down and grows.
#[test]
fn the_gain_margin_is_the_limit_of_the_nonlinear_run() {
    let machine = |factor: f64| {
        format!(
            "[links.load]\nrigid = {{ mass = 1, inertia = [4, 4, 4] }}\n\
             [joints.motor]\nparent = \"ground\"\nchild = \"load\"\ntype = \"revolute\"\naxis = \"z\"\nrotor = {{ inertia = 0.8, ratio = 1 }}\n\
             friction = {{ viscous = 0.5 }}\nbearing = {{ rz = {{ stiffness = 30000, damping = 6 }} }}\nstart = {{ value = 1e-3 }}\n\
             drive = {{ servo = {{ follow = {{ profile = \"hold\" }}, position_gain = {}, rate_gain = {}, integral_gain = {}, sample = 1e-3, delay = 1e-3 }} }}\n\
             [analysis]\nend = 3\nstep = 1e-4\n[response]\nmargins = true\n",
            6000.0 * factor,
            160.0 * factor,
            20000.0 * factor
        )
    };
    let margins = |factor: f64| respond(&machine(factor), &[]).poses[0].margins[0].clone();
    let nominal = margins(1.0);
    assert!(nominal.stable);
    let crossings = &nominal.margins.phase_crossings;
    let limit = crossings.iter().map(|c| c.gain_factor).filter(|g| *g > 1.0).fold(f64::INFINITY, f64::min);
    for (factor, grows) in [(0.995 * limit, false), (1.005 * limit, true)] {
        assert_eq!(margins(factor).stable, !grows, "{factor}");
        let watch = watched(&machine(factor), &[]);
        let largest = |from: f64, to: f64| -> f64 {
            let part = watch.times.iter().zip(&watch.joint).filter(|(t, _)| (from..to).contains(*t));
            part.map(|(_, q)| q.abs()).fold(0.0, f64::max)
        };
        let (early, late) = (largest(1.0, 1.5), largest(2.5, 3.0));
        println!("gains of {factor:.4} times: {early:.3e} rad, 1.5 s later {late:.3e} rad");
        assert!(if grows { late > 1.5 * early } else { late < 0.75 * early }, "{factor}: {early} and {late}");
    }
}
