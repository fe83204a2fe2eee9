//! Problems as exceptions of the package, with their diagnostics.

use pliant::facts::DiagnosticFacts;
use pliant_diag::Severity;
use pyo3::prelude::*;

/// A class of `pliant.errors`.
#[derive(Clone, Copy)]
pub(crate) enum Failure {
    /// A file, a key or a deck is wrong.
    Input,
    /// A run did not reach its end.
    Run,
    /// A study cannot go on.
    Study,
}

/// Facts for Python: a list of objects.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("invariant: facts are plain data")
}

impl Failure {
    /// The exception with its diagnostics.
    pub(crate) fn with(self, py: Python<'_>, diagnostics: &[DiagnosticFacts]) -> PyErr {
        let name = match self {
            Self::Input => "InputError",
            Self::Run => "RunError",
            Self::Study => "StudyError",
        };
        let made = py
            .import("pliant.errors")
            .and_then(|module| module.getattr(name)?.call_method1("from_json", (json(&diagnostics),)));
        made.map_or_else(|error| error, PyErr::from_value)
    }
}

/// True when one of them is an error.
pub(crate) fn has_error(severities: impl IntoIterator<Item = Severity>) -> bool {
    severities.into_iter().any(|severity| severity == Severity::Error)
}
