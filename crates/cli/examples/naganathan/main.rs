//! The evidence of docs/evidence/naganathan.md: his three planar arms, each nonlinear, linear and
//! quasi-static.
//!
//! `cargo run --release -p pliant-cli --example naganathan` writes docs/evidence/naganathan/*.svg and prints
//! the tables.
#![expect(clippy::unwrap_used, reason = "an example may stop")]

#[path = "../stiffening/plot.rs"]
mod plot;

use std::path::Path;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_dynamics::{AnalysisKind, Frame, simulate};
use pliant_machine::Plan;
use plot::{Curve, Plot};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Time (s) and tip error across the rigid arm's last link (mm).
type History = Vec<(f64, f64)>;

/// One analysis of a pipeline; `across` is a direction of the tip's own triad.
fn history(name: &str, kind: AnalysisKind, across: Vector3<f64>) -> History {
    let read = pliant_pipeline::read(&Path::new(ROOT).join("pipelines").join(name));
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    let file = read.output;
    let plan = Plan::new(&file).output.unwrap();
    let links = plan.links.requests.iter().map(|request| {
        let made = pliant::link::reduce(request, None).unwrap();
        (request.name.clone(), Arc::new(made.link))
    });
    let links = links.collect();
    let (settings, (link, interface)) = (plan.settings, plan.tip.clone().unwrap());
    let model = plan.model(links, &file.document).unwrap();
    let model = if kind == AnalysisKind::Rigid { model.rigid() } else { model };
    let tip = model.interface(&link, &interface).unwrap();
    let mut out = History::new();
    simulate(&model, kind, &settings, &mut |frame: &Frame<'_>| {
        let direction = frame.poses(tip).1.R * across;
        out.push((frame.state.t, 1e3 * frame.error(tip).0.dot(&direction)));
    })
    .unwrap();
    out
}

fn rms(history: &[(f64, f64)]) -> f64 {
    (history.iter().map(|p| p.1 * p.1).sum::<f64>() / history.len() as f64).sqrt()
}

/// Prints the table of an arm and draws it.
fn arm(title: &str, name: &str, across: Vector3<f64>, kinds: &[(&str, AnalysisKind)]) {
    let all: Vec<_> = kinds.iter().map(|(word, kind)| (*word, history(name, *kind, across))).collect();
    let first = &all[0].1;
    println!(
        "\n| {title} | first peak (mm) | second peak (mm) | rms (mm) | from the nonlinear one, rms (mm) |\n|---|---|---|---|---|"
    );
    for (word, history) in &all {
        let largest = history.iter().map(|p| p.1).fold(0.0, f64::max);
        let least = history.iter().map(|p| p.1).fold(0.0, f64::min);
        let apart: Vec<_> = history.iter().zip(first).map(|(a, b)| (a.0, a.1 - b.1)).collect();
        println!("| {word} | {least:.4} | {largest:.4} | {:.4} | {:.4} |", rms(history), rms(&apart));
    }
    let curves = all.into_iter().map(|(word, points)| Curve { name: word.to_owned(), points, dots: false });
    let plot = Plot {
        title: format!("{title}: tip error across the last link"),
        x: "t (s)".to_owned(),
        y: "mm".to_owned(),
        curves: curves.collect(),
    };
    let file = name.replace(".toml", ".svg");
    plot.write(&Path::new(ROOT).join("docs/evidence/naganathan").join(file));
}

fn main() {
    std::fs::create_dir_all(Path::new(ROOT).join("docs/evidence/naganathan")).unwrap();
    let three = [
        ("nonlinear", AnalysisKind::Nonlinear),
        ("linear", AnalysisKind::Linear),
        ("quasi-static", AnalysisKind::QuasiStatic),
    ];
    arm("2R arm", "planar-2r.toml", Vector3::y(), &three);
    arm("stiff tubular arm", "tubular-arm.toml", Vector3::z(), &three);
    let four = [three[0], three[1], three[2], ("rigid links, same servos", AnalysisKind::Rigid)];
    arm("2R arm with servos", "planar-2r-servo.toml", Vector3::y(), &four);
}
