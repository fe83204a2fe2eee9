//! Machines from text, as a run builds them.

use std::path::Path;
use std::sync::Arc;

use pliant_dynamics::{Settings, VibrationMode, vibration_modes};
use pliant_machine::Plan;
use pliant_mechanism::{InterfaceRef, Model};

/// The machine of a file with its tip, built as a run builds it.
pub(crate) fn machine(folder: &Path, text: &str) -> (Model, InterfaceRef, Settings) {
    let path = folder.join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    let file = read.output;
    let plan = Plan::new(&file);
    assert!(plan.diagnostics.is_empty(), "{:#?}", plan.diagnostics);
    let plan = plan.output.unwrap();
    let links = plan.links.requests.iter().map(|request| {
        let made = pliant::link::reduce(request, None).unwrap_or_else(|failure| panic!("{failure:?}"));
        (request.name.clone(), Arc::new(made.link))
    });
    let links = links.collect();
    let (settings, (link, interface)) = (plan.settings, plan.tip.clone().unwrap());
    let model = plan.model(links, &file.document).unwrap();
    let tip = model.interface(&link, &interface).unwrap();
    (model, tip, settings)
}

/// A column of four segments, clamped below, with a force at its tip. `link` has its beam and its modes.
pub(crate) fn column(link: &str, force: &str, analysis: &str) -> String {
    format!(
        "[links.c]
{link}
segments = 4
[joints.j]
parent = 'ground'
child = 'c'
type = 'fixed'
[loads.l]
at = 'c.tip'
force = {force}
[analysis]
{analysis}
[output]
tip = 'c.tip'
"
    )
}

/// First root of a function above `low`: in steps of `step` to a change of sign, then by bisection.
pub(crate) fn first_root(f: impl Fn(f64) -> f64, mut low: f64, step: f64) -> f64 {
    let mut high = step;
    while f(low) * f(high) > 0.0 {
        high += step;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(low) * f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Modes of damped vibration where the run of a file starts.
pub(crate) fn modes(folder: &Path, text: &str) -> Vec<VibrationMode> {
    let (model, _, settings) = machine(folder, text);
    vibration_modes(&model, &settings).unwrap()
}

/// What is wrong with a file, in lines.
pub(crate) fn problems(folder: &Path, text: &str) -> String {
    let path = folder.join("bad.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    let planned = Plan::new(&read.output);
    let all = read.diagnostics.iter().chain(planned.diagnostics.iter());
    all.map(|d| format!("{} {:?}", d.message, d.hints)).collect::<Vec<_>>().join("\n")
}
