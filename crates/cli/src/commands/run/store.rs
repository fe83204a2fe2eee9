//! From the run to its results file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_diag::Diagnostic;
use pliant_pipeline::PipelineFile;
use pliant_store::results::{
    AnalysisInfo, InputFile, Keep, LinkInfo, LinkShape, MetricInfo, RESULTS_EXTENSION, Recorder,
    ResultsError, ResultsWriter, RunInfo, colliding_names,
};

use super::super::reduce::facts::LinkFacts;

/// Where results go when the user does not say: `results/` where the program was started, named as the pipeline file.
pub(super) fn default_path(pipeline: &Path) -> PathBuf {
    let stem = pipeline.file_stem().unwrap_or(pipeline.as_os_str());
    Path::new("results").join(stem).with_extension(RESULTS_EXTENSION)
}

/// Names that would be one in the results file.
pub(super) fn one_name_for_two(file: &PipelineFile) -> Option<Diagnostic> {
    let table = file.table.as_ref()?;
    let links = colliding_names(table.links.iter().map(|(name, _)| name)).map(|pair| ("links", pair));
    let joints = || colliding_names(table.joints.iter().map(|(name, _)| name)).map(|pair| ("joints", pair));
    let (kind, (first, second)) = links.or_else(joints)?;
    let message = format!("{kind} `{first}` and `{second}` would have one name in the results");
    Some(Diagnostic::error(message).hint("`/` becomes `_` there; rename one of them"))
}

/// A link with the numbers of its health.
fn link_info(link: &LinkFacts) -> Option<LinkInfo> {
    let reduced = link.reduced.as_ref()?;
    let health = &reduced.health;
    let (first, first_of_mesh) = health.frequencies_hz.first().copied().unzip();
    let all = [
        ("mass", "kg", "mass of the link", Some(health.mass)),
        (
            "mass_error",
            "1",
            "relative difference between the mass of the reduced link and of its elements",
            Some(health.mass_error),
        ),
        (
            "inertia_error",
            "1",
            "the same for the inertia about the centre of mass",
            Some(health.inertia_error),
        ),
        (
            "grounding",
            "1",
            "largest strain energy of a rigid motion over the sum of its absolute terms",
            Some(health.grounding),
        ),
        (
            "mesh_components",
            "1",
            "free components of the mesh with the link clamped",
            Some(health.mesh_dofs as f64),
        ),
        ("coordinates", "1", "elastic coordinates kept", Some(health.coordinates as f64)),
        ("first_frequency", "Hz", "first free-free elastic frequency of the reduced link", first),
        ("first_frequency_of_mesh", "Hz", "the same of the full mesh", first_of_mesh),
    ];
    let number = |(name, units, description, value): (&str, &str, &str, Option<f64>)| {
        let info = MetricInfo {
            name: name.to_owned(),
            units: units.to_owned(),
            description: description.to_owned(),
        };
        value.map(|value| (info, value))
    };
    Some(LinkInfo {
        name: link.name.clone(),
        numbers: all.into_iter().filter_map(number).collect(),
        modes_hz: health.modes_hz.clone(),
        accepted: reduced.failed.iter().map(|(_, message, _)| message.clone()).collect(),
    })
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
    let links = links.iter().filter_map(link_info).collect();
    RunInfo { title, pipeline: text.unwrap_or_default(), files, links }
}

/// Lays the file out.
pub(super) fn create(
    path: &Path,
    file: &PipelineFile,
    links: &[LinkFacts],
    analyses: &[AnalysisInfo<'_>],
    shapes: &[Arc<LinkShape>],
) -> Result<(ResultsWriter, Vec<Recorder>), ResultsError> {
    ResultsWriter::create(path, &run_info(file, links), analyses, &Keep::of(file), shapes)
}

/// A file that could not be written, and what is left of it.
pub(super) fn complaint(error: &ResultsError, part: &Path) -> Diagnostic {
    let complaint = Diagnostic::error(format!("the results cannot be written: {error}"));
    if part.exists() && !matches!(error, ResultsError::Unknown { .. }) {
        let hint = format!("what was written before is kept: pliant recover {}", part.display());
        return complaint.hint(hint);
    }
    complaint
}
