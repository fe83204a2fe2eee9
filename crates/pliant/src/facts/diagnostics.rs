//! Diagnostics with their locations as lines and columns.

use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use serde::Serialize;

/// One diagnostic.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticFacts {
    severity: &'static str,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    card: Option<String>,
    /// Number as in the quick reference guide.
    field: Option<u32>,
    field_name: Option<String>,
    message: String,
    hint: Option<String>,
}

/// All of them.
pub fn diagnostics(diagnostics: &Diagnostics, sources: &SourceMap) -> Vec<DiagnosticFacts> {
    diagnostics.iter().map(|d| facts(d, sources)).collect()
}

fn facts(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticFacts {
    let at = diagnostic.span.map(|span| sources.line_column(span));
    let file =
        diagnostic.span.map(|span| sources.file(sources.shown(span).file).path().display().to_string());
    let hint = (!diagnostic.hints.is_empty()).then(|| diagnostic.hints.join("; "));
    DiagnosticFacts {
        severity: diagnostic.severity.as_str(),
        file,
        line: at.map(|at| at.line),
        column: at.map(|at| at.column),
        card: diagnostic.card.clone(),
        field: diagnostic.field.as_ref().map(|f| f.number),
        field_name: diagnostic.field.as_ref().map(|f| f.name.clone()),
        message: diagnostic.message.clone(),
        hint,
    }
}
