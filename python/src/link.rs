//! A link by itself.

use std::path::PathBuf;
use std::sync::Arc;

use nalgebra::DMatrix;
use pliant::facts::{DiagnosticFacts, LinkFacts, LinkNumbers, diagnostics};
use pliant::links::links;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_link::{Coordinate, ReducedLink};
use pliant_store::Cache;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::case::Cancelled;
use crate::failure::{Failure, has_error, json};
use crate::interrupt::{Stop, interruptible};

/// A matrix: rows, columns, and its numbers column by column as bytes.
type Matrix<'py> = (usize, usize, Bound<'py, PyBytes>);

/// A reduced link.
#[pyclass(frozen, module = "pliant._engine")]
#[derive(Debug)]
pub(crate) struct Link {
    link: Arc<ReducedLink>,
    frequencies: Vec<f64>,
    found: Vec<DiagnosticFacts>,
    numbers: LinkNumbers,
}

#[pymethods]
impl Link {
    /// Name.
    #[getter]
    fn name(&self) -> &str {
        &self.link.name
    }

    /// One of its matrices: K, D, M, rigid_mass, coupling.
    fn matrix<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Matrix<'py>> {
        let inertia = &self.link.invariants;
        Ok(match name {
            "K" => matrix(py, &self.link.K),
            "D" => matrix(py, &self.link.D),
            "M" => matrix(py, &inertia.M_EE),
            "coupling" => matrix(py, &inertia.C0),
            "rigid_mass" => matrix(py, &DMatrix::from_iterator(6, 6, inertia.M0.iter().copied())),
            _ => {
                let message = format!("a link has no matrix {name:?}");
                return Err(pyo3::exceptions::PyValueError::new_err(message));
            }
        })
    }

    /// What each coordinate is: `tip.1`, or `mode.3` with its frequency.
    #[getter]
    fn coordinates(&self) -> Vec<String> {
        let mut modes = 0;
        let name = |coordinate: &Coordinate| match coordinate {
            Coordinate::Interface { interface, component } => {
                format!("{}.{component}", self.link.interfaces[*interface].name)
            }
            Coordinate::Mode { .. } => {
                modes += 1;
                format!("mode.{modes}")
            }
        };
        self.link.coordinates.iter().map(name).collect()
    }

    /// Name, position and rotation (row by row) of each outboard interface in the link frame.
    #[getter]
    fn interfaces(&self) -> Vec<(String, [f64; 3], [[f64; 3]; 3])> {
        let triad = |interface: &pliant_link::Interface| {
            let (p, R) = (interface.X_LT.p, interface.X_LT.R);
            (interface.name.clone(), p.into(), std::array::from_fn(|i| std::array::from_fn(|j| R[(i, j)])))
        };
        self.link.interfaces.iter().map(triad).collect()
    }

    /// Natural frequencies, held at the inboard interface (Hz).
    #[getter]
    fn frequencies(&self) -> Vec<f64> {
        self.frequencies.clone()
    }

    /// The numbers of the reduction, as JSON.
    #[getter]
    fn numbers(&self) -> String {
        json(&self.numbers)
    }

    /// Warnings and notes, as JSON.
    #[getter]
    fn diagnostics(&self) -> String {
        json(&self.found)
    }
}

fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> Matrix<'py> {
    let bytes: Vec<u8> = matrix.as_slice().iter().flat_map(|x| x.to_ne_bytes()).collect();
    (matrix.nrows(), matrix.ncols(), PyBytes::new(py, &bytes))
}

/// Reduces the first link of a pipeline file that is not on disk; its paths are relative to the folder of
/// `path`.
#[pyfunction]
pub(crate) fn reduce(py: Python<'_>, path: PathBuf, text: String, cache: bool) -> PyResult<Link> {
    let Warned { output: file, diagnostics: mut problems } = pliant_pipeline::from_text(&path, text);
    let mut requests = Vec::new();
    if !problems.has_errors() {
        let asked = pliant_machine::links(&file);
        problems.extend(asked.diagnostics);
        requests = asked.output.requests;
    }
    if problems.has_errors() {
        return Err(Failure::Input.with(py, &diagnostics(&problems, &file.sources)));
    }
    requests.truncate(1);
    let (stop, cache) = (Stop::default(), if cache { Cache::of_user() } else { None });
    let watched = Cancelled(stop.clone());
    let made = interruptible(py, &stop, false, &mut |_| Ok(()), move || {
        links(&requests, cache.as_ref(), &watched, |request, outcome| {
            let link = outcome.as_ref().ok().map(|made| Arc::new(made.link.clone()));
            let frequencies = link.as_ref().map(pliant::segments::held_frequencies);
            (link, frequencies, LinkFacts::new(request, outcome))
        })
    })?;
    let mut found = diagnostics(&problems, &file.sources);
    for (link, frequencies, mut facts) in made {
        let frequencies = frequencies.transpose().unwrap_or_else(|error| {
            let message = format!("link `{}` has no natural frequencies: {error}", facts.name);
            facts.request.push(Diagnostic::error(message));
            None
        });
        found.extend(diagnostics(&facts.deck, &facts.sources));
        found.extend(diagnostics(&facts.request, &file.sources));
        if let (Some(link), Some(frequencies), true) = (link, frequencies, facts.is_good()) {
            return Ok(Link { link, frequencies, found, numbers: LinkNumbers::new(&facts, &file.sources) });
        }
        let all: Diagnostics = facts.deck.iter().chain(facts.request.iter()).cloned().collect();
        debug_assert!(has_error(all.iter().map(|problem| problem.severity)));
    }
    Err(Failure::Input.with(py, &found))
}
