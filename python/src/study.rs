//! Studies on this machine.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant::facts::diagnostics;
use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_store::Cache;
use pliant_study::here::{Asked, Outcome, run_here};
use pliant_study::plan::Plan;
use pliant_study::run::Progress;
use pliant_study::{Findings, Row, Status, StudyError};
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::{Failure, json};
use crate::interrupt::{Stop, interruptible};

/// What came of a study.
#[derive(Serialize)]
struct StudyFacts<'a> {
    folder: String,
    cases: usize,
    done: usize,
    failed: usize,
    seconds: f64,
    findings: &'a Findings,
}

/// How far it is.
#[derive(Default)]
struct Count {
    cases: AtomicUsize,
    ended: AtomicUsize,
    failed: AtomicUsize,
}

struct Shared(Arc<Count>);

impl Progress for Shared {
    fn cases(&self, count: usize) {
        self.0.cases.store(count, Ordering::Relaxed);
    }

    fn end(&self, row: &Row) {
        self.0.failed.fetch_add(usize::from(row.status == Status::Failed), Ordering::Relaxed);
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs the study of a pipeline file in a folder, or goes on with it. `progress` is called with the cases
/// that have ended, their number, and how many of them failed. Returns JSON.
#[pyfunction]
pub(crate) fn run_study(
    py: Python<'_>,
    path: PathBuf,
    text: String,
    folder: PathBuf,
    retry_failed: bool,
    cache: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let read = pliant_pipeline::from_text(&path, text);
    if read.diagnostics.has_errors() {
        return Err(Failure::Input.with(py, &diagnostics(&read.diagnostics, &read.output.sources)));
    }
    let (planned, file) = py.detach(|| Plan::new(read.output));
    let Some(plan) = planned.output else {
        let nothing = SourceMap::new();
        let sources = file.as_ref().map_or(&nothing, |file| &file.sources);
        return Err(Failure::Input.with(py, &diagnostics(&planned.diagnostics, sources)));
    };
    let study = py.detach(|| plan.save(&folder)).map_err(|error| refused(py, &error))?;
    let (stop, count) = (Stop::default(), Arc::new(Count::default()));
    let (asked_to_stop, shared) = (stop.clone(), Shared(Arc::clone(&count)));
    let cache = if cache { Cache::of_user() } else { None };
    let mut shown = usize::MAX;
    let mut each = |py: Python<'_>| {
        let [ended, cases, failed] =
            [&count.ended, &count.cases, &count.failed].map(|of| of.load(Ordering::Relaxed));
        match &progress {
            Some(progress) if ended != shown && cases > 0 => {
                shown = ended;
                progress.bind(py).call1((ended, cases, failed)).map(|_| ())
            }
            _ => Ok(()),
        }
    };
    // The cases that run end at their next output; what is finished is committed.
    let ended = interruptible(py, &stop, true, &mut each, move || {
        let asked =
            Asked { retry_failed, cache: cache.as_ref(), stop: asked_to_stop.flag(), progress: &shared };
        run_here(&study, &asked)
    })?;
    each(py)?;
    let Outcome { ended, merged } = ended.map_err(|error| refused(py, &error))?;
    let failed = merged.scan.failed().len();
    Ok(json(&StudyFacts {
        folder: folder.display().to_string(),
        cases: merged.scan.rows.len(),
        done: merged.scan.done() - failed,
        failed,
        seconds: ended.seconds,
        findings: &merged.findings,
    }))
}

fn refused(py: Python<'_>, error: &StudyError) -> PyErr {
    let problem = Diagnostic::error(error.message.clone());
    let problem = match &error.hint {
        Some(hint) => problem.hint(hint.clone()),
        None => problem,
    };
    Failure::Study.with(py, &diagnostics(&Diagnostics::from_iter([problem]), &SourceMap::new()))
}
