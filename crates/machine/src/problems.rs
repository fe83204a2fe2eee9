//! What is wrong, and where files are.

use std::path::{Path, PathBuf};

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_pipeline::PipelineFile;

/// Collects problems while tables become specifications.
pub(crate) struct Problems<'a> {
    file: &'a PipelineFile,
    pub(crate) diagnostics: Diagnostics,
}

impl<'a> Problems<'a> {
    pub(crate) fn new(file: &'a PipelineFile) -> Self {
        Self { file, diagnostics: Diagnostics::new() }
    }

    /// An error; `None`, for the caller to hand on.
    pub(crate) fn error<T>(&mut self, span: Option<Span>, message: impl Into<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(message).at(span));
        None
    }

    /// An error with a hint.
    pub(crate) fn error_with_hint<T>(
        &mut self,
        span: Option<Span>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(message).at(span).hint(hint));
        None
    }

    /// A problem with its location; `None`, for the caller to hand on.
    pub(crate) fn add<T>(&mut self, problem: Diagnostic) -> Option<T> {
        self.diagnostics.push(problem);
        None
    }

    pub(crate) fn warning(&mut self, span: Option<Span>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(message).at(span));
    }

    pub(crate) fn warning_with_hint(
        &mut self,
        span: Option<Span>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::warning(message).at(span).hint(hint));
    }

    /// When the run ends (s).
    pub(crate) fn end(&self) -> Option<f64> {
        self.file.table.as_ref()?.analysis.as_ref().map(|analysis| analysis.end)
    }

    /// Location of the value of a key.
    pub(crate) fn span(&self, keys: &[&str]) -> Option<Span> {
        self.file.document.root.get(keys)?.span
    }

    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        self.file.resolve(path)
    }
}
