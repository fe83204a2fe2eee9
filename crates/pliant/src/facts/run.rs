//! The numbers of a run for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::metrics::metrics;
use crate::run::{AnalysisResult, Summary, kind_name};

/// One analysis that reached its end.
#[derive(Debug, Serialize)]
pub struct AnalysisFacts<'a> {
    kind: &'static str,
    /// Every metric of the catalogue by name; null where the run has no such number.
    metrics: BTreeMap<String, Option<f64>>,
    #[serde(flatten)]
    summary: &'a Summary,
}

impl<'a> AnalysisFacts<'a> {
    /// Of an outcome.
    pub fn new(analysis: &'a AnalysisResult) -> Self {
        let numbers = metrics(&analysis.summary).into_iter();
        let metrics = numbers.map(|m| (m.info.name, m.value.filter(|x| x.is_finite()))).collect();
        Self { kind: kind_name(analysis.kind), metrics, summary: &analysis.summary }
    }
}
