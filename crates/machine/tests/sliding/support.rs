//! Machines from the text of a pipeline file.

use std::sync::Arc;

use pliant_dynamics::{AnalysisKind, Frame, Settings, SimulationError, simulate};
use pliant_machine::Plan;
use pliant_mechanism::Model;
use pliant_reduce::LinkRequest;

/// A boom of 1 m along x, EI = 100 N·m², 1 kg/m, too slender for shear and rotary inertia to matter.
pub(crate) const EI: f64 = 100.0;
pub(crate) const LENGTH: f64 = 1.0;

/// Where its rail ends (m): what is outside at displacement zero is the rest.
pub(crate) const TO: f64 = 0.95;

/// The boom with the number of modes kept of it: radius of gyration 3.2 mm.
pub(crate) fn boom(modes: usize) -> String {
    boom_of(1e-4, modes)
}

/// The same with a radius of gyration of 0.3 mm: no rotary inertia to speak of, and all modes of interest are
/// those of bending.
pub(crate) fn slender_boom(modes: usize) -> String {
    boom_of(1e-2, modes)
}

fn boom_of(area: f64, modes: usize) -> String {
    format!(
        "[links.boom]\nbeam = {{ length = {LENGTH}, elements = 60, section = {{ values = {{ area = {area}, i1 = 1e-9 }} }}, \
         material = {{ e = 1e11, nu = 0.3, rho = {} }} }}\nmodes = {{ count = {modes} }}\nrail = {{ from = 0.05, to = {TO} }}\n",
        1.0 / area
    )
}

/// A joint that holds it in the world with x as its axis; `more` are lines of the joint.
pub(crate) fn sliding(more: &str) -> String {
    format!("[joints.slide]\nparent = 'ground'\nchild = 'boom'\ntype = 'sliding'\naxis = 'x'\n{more}\n")
}

/// A model and the settings of its run.
pub(crate) fn machine(text: &str) -> (Model, Settings) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    let file = read.output;
    let link = |request: &LinkRequest| match pliant::link::reduce(request, None) {
        Ok(made) => (request.name.clone(), Arc::new(made.link)),
        Err(failure) => panic!("{failure:#?}"),
    };
    let links = pliant_machine::links(&file).output.requests.iter().map(link).collect();
    let planned = Plan::new(&file);
    assert!(!planned.diagnostics.has_errors(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let settings = plan.settings;
    (plan.model(links, &file.document).unwrap(), settings)
}

/// Runs a machine and hands each frame to `look`.
pub(crate) fn run(text: &str, look: impl FnMut(&Frame<'_>)) -> Result<(), SimulationError> {
    run_as(text, AnalysisKind::Nonlinear, look)
}

/// The same for any analysis.
pub(crate) fn run_as(
    text: &str,
    kind: AnalysisKind,
    mut look: impl FnMut(&Frame<'_>),
) -> Result<(), SimulationError> {
    let (model, settings) = machine(text);
    simulate(&model, kind, &settings, &mut |frame: &Frame<'_>| look(frame)).map(|_| ())
}
