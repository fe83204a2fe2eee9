//! Time per step, iterations per step, and growth with the number of links. `cargo bench -p pliant-dynamics
//! --bench steps`, with `-- 3R`, `-- four-bar`, `-- chains` or `-- loops` one part of it.
#![expect(non_snake_case, dead_code, reason = "shares the machines of the verification tests")]
#![expect(clippy::unwrap_used, reason = "a benchmark may stop")]

#[path = "../tests/verification/support.rs"]
mod support;

#[path = "../tests/loops/n_four_bar_model.rs"]
mod n_four_bar_model;

use std::time::Instant;

use n_four_bar_model::n_four_bar;
use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation, Start};
use pliant_mechanism::motion::{Cycloidal, SpinUp};
use pliant_mechanism::{Model, ModelBuilder, Placement};
use pliant_spatial::Transform;
use support::{Beam, ROD, TUBE, driven, named, point_payload, revolute, rigid};

fn arm3r(modes: usize, second_order: bool) -> Model {
    let slew = |degrees: f64| Cycloidal { from: 0.0, to: degrees.to_radians(), start: 0.0, duration: 1.0 };
    let kink = Transform::translation(Vector3::z() * 0.5);
    let hip =
        rigid("hip", 0.0, Vector3::zeros(), Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 0.02)), kink);
    let tube = Beam { modes, second_order, ..TUBE };
    let link = |name: &str| named(tube.link(name));
    ModelBuilder {
        gravity: Vector3::new(0.0, 0.0, -9.81),
        links: vec![named(hip), link("upper"), link("fore")],
        joints: vec![
            driven(revolute("hip", "", "hip", Vector3::z()), slew(60.0)),
            driven(revolute("shoulder", "hip", "upper", -Vector3::y()), slew(45.0)),
            driven(revolute("elbow", "upper", "fore", -Vector3::y()), slew(-60.0)),
        ],
        payloads: vec![point_payload("fore", 10.0)],
        loads: Vec::new(),
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// The flexible four-bar of the peers' folder with one coupler link, at speed from the start.
fn four_bar(modes: usize, second_order: bool) -> Model {
    let [ground, a, b, c] = [0.254, 0.108, 0.2794, 0.2705];
    let I = 25.4e-3 * 1.6e-3f64.powi(3) / 12.0;
    let section = Beam { A: 25.4e-3 * 1.6e-3, I, J: 2.0 * I, E: 7.1e10, nu: 0.33, rho: 2770.0, ..TUBE };
    let coupler = Beam { length: b, shear: 5.0 / 6.0, modes, second_order, ..section };
    let along = |x: f64| Transform::translation(Vector3::x() * x);
    let crank = rigid("crank", 0.0, Vector3::zeros(), Matrix3::zeros(), along(a));
    let mass = section.A * section.rho * c;
    let inertia = Matrix3::identity() * (mass * c * c / 12.0);
    let rocker = rigid("rocker", mass, Vector3::x() * (0.5 * c), inertia, along(c));
    let mut carried = revolute("rocker", "", "rocker", Vector3::z());
    carried.placement = Placement::Frames { X_TP: along(ground), X_LC: Transform::identity() };
    carried.coordinates[0].initial = 2.0;
    let mut elbow = revolute("elbow", "crank", "coupler", Vector3::z());
    elbow.coordinates[0].initial = 1.2;
    let mut pin = revolute("pin", "coupler", "rocker", Vector3::z());
    pin.child_interface = Some("tip".into());
    let spin = SpinUp { from: 0.0, rate: 17.8, start: 0.0, duration: 0.5 };
    ModelBuilder {
        links: vec![named(crank), named(coupler.link("coupler")), named(rocker)],
        joints: vec![driven(revolute("crank", "", "crank", Vector3::z()), spin), elbow, carried, pin],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

fn chain(links: usize, second_order: bool) -> Model {
    let names: Vec<String> = (0..links).map(|i| format!("link{i}")).collect();
    // The same reach of the entire chain, so that all lengths ask for about the same iterations.
    let slew = Cycloidal { from: 0.0, to: 2.0 / links as f64, start: 0.0, duration: 1.0 };
    let joints = (0..links).map(|i| {
        let parent = if i == 0 { "" } else { &names[i - 1] };
        let axis = if i % 2 == 0 { Vector3::z() } else { Vector3::y() };
        driven(revolute(&format!("joint{i}"), parent, &names[i], axis), slew)
    });
    let stiff = Beam { length: 0.2, I: 1e-7, second_order, ..ROD };
    ModelBuilder {
        links: names.iter().map(|name| named(stiff.link(name))).collect(),
        joints: joints.collect(),
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Microseconds and iterations per step. The run is cut into short windows, each timed as the best of seven
/// repetitions: other work on the machine only adds.
fn measure(model: &Model, start: Start, h: f64, windows: usize, window: usize) -> (f64, f64) {
    let settings = Settings { start, ..Settings::default() };
    let mut best = vec![f64::INFINITY; windows];
    let mut iterations = 0.0;
    for _ in 0..7 {
        let mut simulation = Simulation::new(model, &settings).unwrap();
        for best in &mut best {
            let begin = Instant::now();
            for _ in 0..window {
                simulation.advance(h).unwrap();
            }
            *best = best.min(begin.elapsed().as_secs_f64() * 1e6);
        }
        iterations = simulation.statistics().iterations as f64;
    }
    let steps = (windows * window) as f64;
    (best.iter().sum::<f64>() / steps, iterations / steps)
}

/// What the second order adds, from two times of the same machine.
fn added(first: f64, second: f64) -> String {
    format!("second order adds {:.0} %", 100.0 * (second / first - 1.0))
}

fn arms() {
    println!("3R arm, Newmark, 2,000 steps of 1 ms");
    let time = |modes: usize, second_order: bool| {
        let model = arm3r(modes, second_order);
        let (time, iterations) = measure(&model, Start::StaticEquilibrium, 1e-3, 40, 50);
        let order = if second_order { ", second order" } else { "" };
        println!("  {modes:2} modes per link{order}: {time:7.2} us per step, {iterations:.2} iterations");
        time
    };
    for modes in [2, 8, 16] {
        println!("  {}", added(time(modes, false), time(modes, true)));
    }
    let (time, iterations) = measure(&arm3r(8, true), Start::StaticEquilibrium, 2.5e-4, 80, 50);
    println!("  with steps of 0.25 ms: {time:.2} us per step, {iterations:.2} iterations");
}

fn four_bars() {
    println!("flexible four-bar, Newmark, 5,000 steps of 0.1 ms");
    let time = |second_order: bool| {
        let model = four_bar(8, second_order);
        let (time, iterations) = measure(&model, Start::Undeformed, 1e-4, 100, 50);
        let order = if second_order { ", second order" } else { "" };
        println!("   8 modes{order}: {time:7.2} us per step, {iterations:.2} iterations");
        time
    };
    println!("  {}", added(time(false), time(true)));
}

fn chains() {
    println!("chains of flexible links of second order with 8 modes, 100 steps of 1 ms");
    let mut times: Vec<(f64, f64)> = Vec::new();
    let exponent = |a: (f64, f64), b: (f64, f64)| (b.1 / a.1).ln() / (b.0 / a.0).ln();
    for links in [3, 6, 12, 24, 48] {
        let (time, iterations) = measure(&chain(links, true), Start::Undeformed, 1e-3, 20, 5);
        let now = (links as f64, time);
        let growth =
            times.last().map_or(String::new(), |last| format!(", grows as N^{:.2}", exponent(*last, now)));
        println!("  {links:2} links: {time:8.2} us per step, {iterations:.2} iterations{growth}");
        times.push(now);
    }
    println!("  from first to last as N^{:.2}", exponent(times[0], times[times.len() - 1]));
}

/// The benchmark with N four-bars side by side, from its start to the first singular position.
fn loops() {
    println!("rigid N-four-bar, 400 steps of 1 ms");
    let mut last: Option<(f64, f64)> = None;
    for count in [1, 2, 5, 10, 20, 40] {
        let (time, iterations) = measure(&n_four_bar(count), Start::Undeformed, 1e-3, 20, 20);
        let now = (count as f64, time);
        let growth = last.map_or(String::new(), |last| {
            format!(", grows as N^{:.2}", (now.1 / last.1).ln() / (now.0 / last.0).ln())
        });
        println!("  {count:2} loops: {time:8.2} us per step, {iterations:.2} iterations{growth}");
        last = Some(now);
    }
}

fn main() {
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let parts: [(&str, fn()); 4] =
        [("3R", arms), ("four-bar", four_bars), ("chains", chains), ("loops", loops)];
    for (_, part) in parts.iter().filter(|(name, _)| asked.as_ref().is_none_or(|asked| asked == name)) {
        part();
    }
}
