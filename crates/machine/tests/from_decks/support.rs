//! From the text of a pipeline file to its frames.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_dynamics::{AnalysisKind, Frame, Observer, simulate};
use pliant_machine::Plan;

/// A folder of ../shared, or `None` with a visible line when it is not there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(path);
    if full.exists() {
        return Some(std::fs::canonicalize(full).unwrap());
    }
    println!("SKIPPED: {} is not here", full.display());
    None
}

/// Rows of a CSV file without its header.
pub(crate) fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(|x| x.trim().parse().unwrap()).collect()).collect()
}

/// Reduces the links of a file in `folder` and runs it. Every problem fails the test.
pub(crate) fn run(folder: &Path, text: &str, mut each: impl FnMut(&Frame<'_>)) {
    run_kinds(folder, text, |_, frame| each(frame));
}

/// The same for every analysis that the file lists.
pub(crate) fn run_kinds(folder: &Path, text: &str, mut each: impl FnMut(AnalysisKind, &Frame<'_>)) {
    let path = folder.join("machine.toml");
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    assert!(read.diagnostics.is_empty(), "{:#?}", read.diagnostics);
    let file = read.output;
    let requests = pliant_machine::links(&file).output.requests;
    let links = requests.iter().map(|request| {
        let (name, made) = (&request.name, pliant::link::reduce(request, None).unwrap());
        assert!(made.refused.is_empty(), "{name}: {:?}", made.refused);
        (name.clone(), Arc::new(made.link))
    });
    let links = links.collect();
    let planned = Plan::new(&file);
    assert!(planned.diagnostics.is_empty(), "{:#?}", planned.diagnostics);
    let plan = planned.output.unwrap();
    let (kinds, settings) = (plan.kinds.clone(), plan.settings);
    let model = plan.model(links, &file.document).unwrap();
    for kind in kinds {
        let observer: &mut dyn Observer = &mut |frame: &Frame<'_>| each(kind, frame);
        simulate(&model, kind, &settings, observer).unwrap();
    }
}
