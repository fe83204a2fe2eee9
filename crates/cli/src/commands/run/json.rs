//! The outcome of a run for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant::metrics::metrics;
use pliant::run::{AnalysisResult, Summary, kind_name};
use pliant_pipeline::PipelineFile;
use serde::Serialize;

use super::Report;
use crate::report::{DiagnosticReport, diagnostics};

#[derive(Serialize)]
struct Analysis<'a> {
    kind: &'static str,
    /// Every metric of the catalogue by name; null where the run has no such number.
    metrics: BTreeMap<String, Option<f64>>,
    #[serde(flatten)]
    summary: &'a Summary,
    seconds: f64,
}

impl<'a> Analysis<'a> {
    fn new(analysis: &'a AnalysisResult, seconds: f64) -> Self {
        let numbers = metrics(&analysis.summary).into_iter();
        let metrics = numbers.map(|m| (m.info.name, m.value.filter(|x| x.is_finite()))).collect();
        Self { kind: kind_name(analysis.kind), metrics, summary: &analysis.summary, seconds }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    pipeline: String,
    /// The results file; null when there is none.
    results: Option<String>,
    /// The first kind of analysis; null when the run did not reach its end.
    run: Option<Analysis<'a>>,
    /// All kinds of analysis, the first included, in the order of the file.
    analyses: Vec<Analysis<'a>>,
    diagnostics: Vec<DiagnosticReport>,
}

pub(super) fn print(out: &mut impl Write, report: &Report, file: &PipelineFile) -> io::Result<()> {
    let mut all = diagnostics(&report.diagnostics, &file.sources);
    for link in &report.links {
        all.extend(diagnostics(&link.deck, &link.sources));
        all.extend(diagnostics(&link.request, &file.sources));
    }
    let analysis = |analysis| Analysis::new(analysis, report.seconds);
    let document = Document {
        pipeline: file.path.display().to_string(),
        results: report.results.as_ref().map(|path| path.display().to_string()),
        run: report.analyses.first().filter(|_| report.complete).map(analysis),
        analyses: report.analyses.iter().map(analysis).collect(),
        diagnostics: all,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
