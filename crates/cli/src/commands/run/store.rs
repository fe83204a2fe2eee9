//! From the run to its results file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_diag::Diagnostic;
use pliant_pipeline::PipelineFile;
use pliant_pipeline::output::KeepWord;
use pliant_store::results::{
    AnalysisInfo, InputFile, Keep, LinkShape, RESULTS_EXTENSION, Recorder, ResultsError, ResultsWriter,
    RunInfo,
};

use super::super::reduce::facts::LinkFacts;

/// Where results go when the user does not say: `results/` where the program was started, named as the pipeline file.
pub(super) fn default_path(pipeline: &Path) -> PathBuf {
    let stem = pipeline.file_stem().unwrap_or(pipeline.as_os_str());
    Path::new("results").join(stem).with_extension(RESULTS_EXTENSION)
}

/// What `[output]` keeps.
fn keep(file: &PipelineFile) -> Keep {
    let output = file.table.as_ref().and_then(|table| table.output.as_ref());
    let Some(output) = output else { return Keep::default() };
    let (compress, frames) = (output.compress, output.frames as usize);
    let Some(words) = &output.keep else { return Keep { compress, frames, ..Keep::default() } };
    let has = |word: KeepWord| words.contains(&word);
    Keep {
        joints: has(KeepWord::Joints),
        links: has(KeepWord::Links),
        rates: has(KeepWord::Rates),
        loads: has(KeepWord::Loads),
        tip: has(KeepWord::Tip),
        energy: has(KeepWord::Energy),
        solver: has(KeepWord::Solver),
        frames,
        compress,
    }
}

/// What the run is made of.
fn run_info(file: &PipelineFile, links: &[LinkFacts]) -> RunInfo {
    let decks = links.iter().map(|link| &link.sources);
    let sources = std::iter::once(&file.sources).chain(decks);
    let files: Vec<InputFile> = sources
        .flat_map(|sources| sources.files().map(|(_, file)| InputFile::new(file.path(), file.bytes())))
        .collect();
    let text =
        file.sources.files().next().map(|(_, file)| String::from_utf8_lossy(file.bytes()).into_owned());
    let title = file.table.as_ref().map(|table| table.title.clone()).unwrap_or_default();
    RunInfo { title, pipeline: text.unwrap_or_default(), files }
}

/// Lays the file out.
pub(super) fn create(
    path: &Path,
    file: &PipelineFile,
    links: &[LinkFacts],
    analysis: AnalysisInfo<'_>,
    shapes: &[Arc<LinkShape>],
) -> Result<(ResultsWriter, Recorder), ResultsError> {
    let info = run_info(file, links);
    let (writer, mut recorders) = ResultsWriter::create(path, &info, &[analysis], &keep(file), shapes)?;
    Ok((writer, recorders.remove(0)))
}

/// A file that could not be written, and what is left of it.
pub(super) fn complaint(error: &ResultsError, part: &Path) -> Diagnostic {
    let complaint = Diagnostic::error(format!("the results cannot be written: {error}"));
    if part.exists() {
        let hint = format!("what was written before is kept: pliant recover {}", part.display());
        return complaint.hint(hint);
    }
    complaint
}
