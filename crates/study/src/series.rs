//! Time series of cases that are kept: a results file of its own for each.

use std::path::PathBuf;

use pliant_dynamics::{NominalKind, Settings};
use pliant_mechanism::Model;
use pliant_pipeline::PipelineFile;
use pliant_store::results::{AnalysisInfo, Keep, MetricInfo, Recorder, ResultsWriter, RunInfo};

use crate::cells;
use crate::manifest::Study;

/// The results file of a running case.
pub(crate) struct Kept {
    /// None once it is finished.
    writer: Option<ResultsWriter>,
    path: PathBuf,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Of a case that did not come to its end nothing is kept; what cannot be removed is in nobody's way.
        if let Some(writer) = &self.writer {
            let _ = std::fs::remove_file(writer.part());
        }
    }
}

impl Kept {
    /// Lays the file out, under a name that no other process uses: the same case may run twice at once, here and as an orphan
    /// of a node that was given up. Deformed shapes are not kept.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn create(
        study: &Study,
        case: usize,
        file: &PipelineFile,
        model: &Model,
        tip: Option<(usize, usize)>,
        (settings, nominal): (&Settings, NominalKind),
    ) -> Result<(Self, Recorder), String> {
        let path = study.results_path(case);
        let unique = path.with_extension(format!("{}.part.{}", std::process::id(), ending(&path)));
        let metric = |metric: &crate::metric::Metric| MetricInfo {
            name: metric.name.clone(),
            units: String::new(),
            description: metric.text.clone(),
        };
        let questions = &study.questions;
        let kind = file.table.as_ref().and_then(|table| table.analysis.as_ref());
        let analysis = AnalysisInfo {
            kind: kind.and_then(|analysis| analysis.kind.0.first()).map_or("nonlinear", |kind| kind.as_str()),
            model,
            nominal,
            tip,
            outputs: ((settings.t_end - settings.t_start) / settings.output_interval).ceil() as usize + 1,
            span: (settings.t_start, settings.t_end),
            // A study keeps numbers, not stress.
            elements: Vec::new(),
            metrics: questions.metrics.iter().chain(&questions.constraints).map(metric).collect(),
        };
        let keep = Keep { frames: 0, ..pliant::keep(file) };
        let (writer, mut recorders) =
            ResultsWriter::create(&unique, &run_info(study, case), &[analysis], &keep, &[])
                .map_err(|error| format!("its results cannot be kept: {error}"))?;
        Ok((Self { writer: Some(writer), path }, recorders.remove(0)))
    }

    /// Makes the file whole.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn finish(mut self) -> Result<(), String> {
        let told = |error: &dyn std::fmt::Display| format!("its results cannot be kept: {error}");
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let finished = writer.finish().map_err(|error| told(&error))?;
        std::fs::rename(&finished.path, &self.path).map_err(|error| told(&error))
    }
}

fn ending(path: &std::path::Path) -> String {
    path.extension().map_or(String::new(), |ending| ending.to_string_lossy().into_owned())
}

/// The file of the study, with the values of the case in front.
fn run_info(study: &Study, case: usize) -> RunInfo {
    let source =
        study.file.sources.files().next().map(|(_, file)| String::from_utf8_lossy(file.bytes()).into_owned());
    let mut text = format!("# case {case} of study {}\n", study.manifest.hash);
    for (parameter, given) in study.parameters.iter().zip(&study.cases[case]) {
        let shown = given.as_ref().map_or("as below".to_owned(), |value| cells::text(&value.kind));
        text.push_str(&format!("# {} = {shown}\n", parameter.name));
    }
    RunInfo {
        title: format!("{}, case {case}", study.manifest.title),
        pipeline: text + &source.unwrap_or_default(),
        files: Vec::new(),
        links: Vec::new(),
    }
}
