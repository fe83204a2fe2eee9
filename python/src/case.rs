//! A case: a machine with its analyses.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant::facts::{AnalysisFacts, DiagnosticFacts, LinkFacts, diagnostics};
use pliant::links::{LinkObserver, MachineLink};
use pliant::run::{CaseObserver, CaseResult, Ending, Partial, ResultsTarget, RunOptions, kind_name, run};
use pliant::{JointController, LoadFailure, Machine, Prepared, prepare};
use pliant_diag::{Diagnostics, Warned};
use pliant_dynamics::{AnalysisKind, Flow, Frame, ObserverError};
use pliant_pipeline::{KeyPath, Value};
use pliant_store::{Cache, FileKind, Output};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::controller::{Callable, Raised};
use crate::failure::{Failure, has_error, json};
use crate::interrupt::{PAUSE, Stop, interruptible};
use crate::value::{python, value};

/// A machine with its analyses.
#[pyclass(frozen, module = "pliant._engine")]
#[derive(Debug)]
pub(crate) struct Case {
    /// As it was read: its sources are those that diagnostics refer to.
    read: Arc<pliant::Case>,
    /// With other values.
    case: Arc<pliant::Case>,
    /// Warnings and notes of its reading.
    found: Vec<DiagnosticFacts>,
    /// What controllers raise.
    raised: Raised,
}

/// The outcome of a run.
#[derive(Serialize)]
struct RunFacts<'a> {
    analyses: Vec<AnalysisFacts<'a>>,
    diagnostics: &'a [DiagnosticFacts],
    results: Option<String>,
    seconds: f64,
}

/// The outcome of a response.
#[derive(Serialize)]
struct ResponseOutcome<'a> {
    diagnostics: &'a [DiagnosticFacts],
    results: String,
    seconds: f64,
}

#[pymethods]
impl Case {
    /// Reads a pipeline file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py, py.detach(|| pliant::load(&path)))
    }

    /// A pipeline file that is not on disk; its paths are relative to the folder of `path`.
    #[staticmethod]
    fn from_text(py: Python<'_>, path: PathBuf, text: String) -> PyResult<Self> {
        Self::new(py, py.detach(|| pliant::Case::new(pliant_pipeline::from_text(&path, text))))
    }

    /// The same case with other values at some keys.
    fn set(&self, py: Python<'_>, keys: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let values: PyResult<Vec<(String, Value)>> =
            keys.into_iter().map(|(key, given)| Ok((key, value(&given)?))).collect();
        let values = values?;
        let with: Vec<_> = values.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        self.changed(py, py.detach(|| self.case.with(&with)))
    }

    /// The value of a key.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let missing = |why: String| PyKeyError::new_err(why);
        let path = KeyPath::parse(key).map_err(|error| missing(error.to_string()))?;
        let found = path.value(&self.case.file().document);
        python(py, found.ok_or_else(|| missing(format!("the file has no `{key}`")))?)
    }

    /// The tables as a dict.
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.case.file().document.root)
    }

    /// The text of a pipeline file of this case.
    fn to_toml(&self) -> String {
        self.case.file().document.to_toml()
    }

    /// Where the pipeline file is.
    #[getter]
    fn path(&self) -> PathBuf {
        self.read.file().path.clone()
    }

    /// Joints with controllers.
    #[getter]
    fn controlled(&self) -> Vec<String> {
        self.case.controlled_joints().map(str::to_owned).collect()
    }

    /// Warnings and notes of its reading, as JSON.
    #[getter]
    fn diagnostics(&self) -> String {
        json(&self.found)
    }

    /// The same case with a callable as the controller of a joint.
    fn with_controller(
        &self,
        py: Python<'_>,
        joint: String,
        function: Py<PyAny>,
        sample: f64,
        delay: f64,
    ) -> PyResult<Self> {
        let law = Arc::new(Callable { function: Arc::new(function), raised: Arc::clone(&self.raised) });
        self.changed(py, self.case.with_controller(&JointController { joint, sample, delay, law }))
    }

    /// Reduces the links and runs the analyses. `progress` is called with the kind of analysis, the time, the
    /// end time and the iterations a step. Returns JSON.
    fn run(
        &self,
        py: Python<'_>,
        out: PathBuf,
        keep_partial: bool,
        cache: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let start = Instant::now();
        let mut found = self.found.clone();
        let links = self.links(py, &out, FileKind::Results, cache, &mut found)?;
        let partial = if keep_partial { Partial::Keep } else { Partial::Remove };
        let results = ResultsTarget { path: out, keep: pliant::keep(self.case.file()), partial };
        let options = RunOptions { results: Some(results), ..RunOptions::of(&self.case) };
        let end = self.case.settings().t_end;
        let mut watch = Watch { progress, end, kind: "", last: None, raised: None };
        let result = py.detach(|| run(&self.case, &links, &options, &mut watch));
        self.report(&mut found, &result.diagnostics);
        let raised = self.raised.lock().expect("invariant: nobody panics with the exception").take();
        // Ctrl-C, and what the caller's own functions raise, arrives as it is.
        if let Some(error) = watch.raised.or(raised) {
            return Err(error);
        }
        let CaseResult { analyses, results, ending, .. } = &result;
        if *ending != Ending::Complete {
            return Err(Failure::Run.with(py, &found));
        }
        Ok(json(&RunFacts {
            analyses: analyses.iter().map(AnalysisFacts::new).collect(),
            diagnostics: &found,
            results: results.as_ref().map(|path| path.display().to_string()),
            seconds: start.elapsed().as_secs_f64(),
        }))
    }

    /// Computes what `[response]` asks for and writes it into a file. Returns JSON.
    fn response(&self, py: Python<'_>, out: PathBuf, cache: bool) -> PyResult<String> {
        let start = Instant::now();
        let mut found = self.found.clone();
        let links = self.links(py, &out, FileKind::Response, cache, &mut found)?;
        let (case, stop) = (Arc::clone(&self.case), Stop::default());
        let computed = interruptible(py, &stop, false, &mut |_| Ok(()), move || {
            pliant::response::response(&case, &links)
        })?;
        let result = match computed {
            Ok(result) => result,
            Err(problems) => {
                self.report(&mut found, &problems);
                return Err(Failure::Run.with(py, &found));
            }
        };
        self.report(&mut found, &result.diagnostics);
        py.detach(|| pliant::response::write(&result, &self.case, &out))?;
        let (results, seconds) = (out.display().to_string(), start.elapsed().as_secs_f64());
        Ok(json(&ResponseOutcome { diagnostics: &found, results, seconds }))
    }
}

impl Case {
    fn new(py: Python<'_>, loaded: Result<Warned<pliant::Case>, Box<LoadFailure>>) -> PyResult<Self> {
        let loaded = loaded.map_err(|failure| {
            let LoadFailure { file, diagnostics: problems } = *failure;
            Failure::Input.with(py, &diagnostics(&problems, &file.sources))
        })?;
        let read = Arc::new(loaded.output);
        let found = diagnostics(&loaded.diagnostics, read.sources());
        Ok(Self { case: Arc::clone(&read), read, found, raised: Raised::default() })
    }

    /// The case with other values, or what they cause.
    fn changed(
        &self,
        py: Python<'_>,
        changed: Result<Warned<pliant::Case>, Box<LoadFailure>>,
    ) -> PyResult<Self> {
        let facts = |found: &Diagnostics| diagnostics(found, self.read.sources());
        let changed = changed.map_err(|failure| Failure::Input.with(py, &facts(&failure.diagnostics)))?;
        Ok(Self {
            read: Arc::clone(&self.read),
            case: Arc::new(changed.output),
            found: facts(&changed.diagnostics),
            raised: Arc::clone(&self.raised),
        })
    }

    fn report(&self, found: &mut Vec<DiagnosticFacts>, more: &Diagnostics) {
        found.extend(diagnostics(more, self.read.sources()));
    }

    /// The links, reduced; what is found of them is added to `found`.
    fn links(
        &self,
        py: Python<'_>,
        out: &std::path::Path,
        kind: FileKind,
        cache: bool,
        found: &mut Vec<DiagnosticFacts>,
    ) -> PyResult<Vec<Arc<MachineLink>>> {
        let (case, out, stop) = (Arc::clone(&self.case), out.to_owned(), Stop::default());
        let cache = if cache { Cache::of_user() } else { None };
        let watched = Cancelled(stop.clone());
        let prepared = interruptible(py, &stop, false, &mut |_| Ok(()), move || {
            prepare(&case, Output { path: &out, kind, force: false }, cache.as_ref(), &watched)
        })?;
        let Prepared { links, facts, diagnostics: problems } = prepared;
        self.report(found, &problems);
        for LinkFacts { sources, deck, request, .. } in &facts {
            found.extend(diagnostics(deck, sources));
            self.report(found, request);
        }
        let all =
            problems.iter().chain(facts.iter().flat_map(|link| link.deck.iter().chain(link.request.iter())));
        debug_assert!(links.is_some() || has_error(all.map(|problem| problem.severity)));
        links.ok_or_else(|| Failure::Input.with(py, found))
    }
}

/// Ends the reduction of links that nobody waits for.
pub(crate) struct Cancelled(pub(crate) Stop);

impl LinkObserver for Cancelled {
    fn is_cancelled(&self) -> bool {
        self.0.came()
    }
}

/// Looks for Ctrl-C while a run goes on, and shows how far it is.
struct Watch {
    progress: Option<Py<PyAny>>,
    end: f64,
    kind: &'static str,
    /// The last look.
    last: Option<Instant>,
    /// What ends the run.
    raised: Option<PyErr>,
}

impl CaseObserver for Watch {
    fn start(&mut self, kind: AnalysisKind, _: &Machine) -> Result<(), ObserverError> {
        (self.kind, self.last) = (kind_name(kind), None);
        Ok(())
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        let (t, statistics) = (frame.state.t, frame.statistics);
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) && t < self.end {
            return Ok(Flow::Continue);
        }
        self.last = Some(Instant::now());
        let looked = Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = &self.progress else { return Ok(()) };
            let mean = statistics.iterations as f64 / statistics.steps.max(1) as f64;
            progress.bind(py).call1((self.kind, t, self.end, mean)).map(|_| ())
        });
        self.raised = looked.err();
        Ok(if self.raised.is_some() { Flow::Stop } else { Flow::Continue })
    }
}
