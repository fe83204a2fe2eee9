//! Variants of pipelines, run as `pliant run` does, with the tip watched.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant::link::reduce;
use pliant_dynamics::{Flow, Frame, Observer, Warning, simulate};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_mechanism::{BodyIndex, InterfaceRef};
use pliant_reduce::LinkRequest;

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Tip against time, in the axes of the first link.
pub(crate) struct Tip {
    interface: InterfaceRef,
    length: f64,
    /// Time, along, across.
    pub(crate) rows: Vec<[f64; 3]>,
}

impl Tip {
    /// Time and size of the largest lag.
    pub(crate) fn lag(&self) -> (f64, f64) {
        self.rows.iter().fold((0.0, 0.0), |worst, r| if -r[2] > worst.1 { (r[0], -r[2]) } else { worst })
    }

    fn after(&self) -> impl Iterator<Item = &[f64; 3]> {
        self.rows.iter().filter(|r| r[0] > 15.0)
    }

    /// Largest deflection once the speed is constant.
    pub(crate) fn residual(&self) -> f64 {
        self.after().map(|r| r[2].abs()).fold(0.0, f64::max)
    }

    /// Mean stretch once the speed is constant.
    pub(crate) fn stretch(&self) -> f64 {
        self.after().map(|r| r[1]).sum::<f64>() / self.after().count() as f64
    }
}

impl Observer for Tip {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        let X_LT = frame.work.X_WL(BodyIndex(0)).inverse() * *frame.work.X_WT(self.interface);
        self.rows.push([frame.state.t, X_LT.p.x - self.length, X_LT.p.y]);
        Ok(Flow::Continue)
    }

    fn warning(&mut self, _: &Warning) {}
}

/// The links of a pipeline file, by name.
pub(crate) fn links(file: &pliant_pipeline::PipelineFile) -> Vec<(String, Arc<ReducedLink>)> {
    let links = pliant_machine::links(file).output;
    let link = |request: &LinkRequest| (request.name.clone(), Arc::new(reduce(request, None).unwrap().link));
    links.requests.iter().map(link).collect()
}

/// A pipeline with some of its text replaced.
pub(crate) fn variant(name: &str, changes: &[(&str, &str)]) -> pliant_pipeline::PipelineFile {
    let folder = Path::new(ROOT).join("pipelines");
    let mut text = std::fs::read_to_string(folder.join(name)).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".variant-{}-{number}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let read = pliant_pipeline::read(&path);
    std::fs::remove_file(&path).unwrap();
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.output
}

/// Runs a variant of Kane's spin-up; what ended it early comes back as text.
pub(crate) fn spin_up(name: &str, changes: &[(&str, &str)]) -> (Tip, Option<String>) {
    let file = variant(name, changes);
    let plan = Plan::new(&file).output.unwrap();
    let (kind, settings, tip) = (plan.kind, plan.settings, plan.tip.clone().unwrap());
    let model = plan.model(links(&file), &file.document).unwrap();
    let interface = model.interface(&tip.0, &tip.1).unwrap();
    let mut watch = Tip { interface, length: 10.0, rows: Vec::new() };
    let ended = simulate(&model, kind, &settings, &mut watch);
    (watch, ended.err().map(|error| error.to_string()))
}
