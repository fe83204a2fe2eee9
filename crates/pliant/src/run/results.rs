//! The results file of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_diag::Diagnostic;
use pliant_store::results::{
    AnalysisInfo, Keep, LinkShape, RESULTS_EXTENSION, Recorder, ResultsError, ResultsWriter, RunInfo,
};

use crate::case::Case;
use crate::links::MachineLink;

/// Where and what a run stores.
#[derive(Clone, Debug)]
pub struct ResultsTarget {
    /// The file.
    pub path: PathBuf,
    /// What is kept of each output.
    pub keep: Keep,
    /// What becomes of the file of a run that does not reach its end.
    pub partial: Partial,
}

/// What becomes of the results of a run that does not reach its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partial {
    /// The outputs so far are kept, as a file that says so.
    Keep,
    /// They are removed.
    Remove,
}

/// Where results go by default: `results/` in the current folder, named as the pipeline file.
pub fn default_results_path(pipeline: &Path) -> PathBuf {
    let stem = pipeline.file_stem().unwrap_or(pipeline.as_os_str());
    Path::new("results").join(stem).with_extension(RESULTS_EXTENSION)
}

/// Creates the file with its complete layout.
pub(super) fn create(
    target: &ResultsTarget,
    case: &Case,
    links: &[Arc<MachineLink>],
    analyses: &[AnalysisInfo<'_>],
) -> Result<(ResultsWriter, Vec<Recorder>), ResultsError> {
    let provenance = case.provenance();
    let files = links.iter().flat_map(|link| link.files.iter().cloned());
    let info = RunInfo {
        title: provenance.title.clone(),
        pipeline: provenance.pipeline.clone(),
        files: provenance.files.iter().cloned().chain(files).collect(),
        links: links.iter().map(|link| link.info.clone()).collect(),
        joints: case.table().joints.iter().map(|(name, _)| name.to_owned()).collect(),
    };
    let shapes: Vec<Arc<LinkShape>> = links.iter().filter_map(|link| link.shape.clone()).collect();
    ResultsWriter::create(&target.path, &info, analyses, &target.keep, &shapes)
}

/// A file that could not be written, and what is left of it.
pub(super) fn write_error(error: &ResultsError, part: &Path) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("the results cannot be written: {error}"));
    if part.exists() && !matches!(error, ResultsError::Unknown { .. }) {
        let hint = format!("the results written before are kept: pliant recover {}", part.display());
        return diagnostic.hint(hint);
    }
    diagnostic
}
