//! The manifest: what a study is, written once.
//!
//! A study's folder has `study.json` (what is asked, hashes of all inputs), `pipeline.toml` (the file as it
//! was), `cases.csv` (the values of every case) and, as it runs, `segments/`. The hash in `study.json` covers
//! all of it; nothing here ever changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant_pipeline::study::{SlurmTable, StudyTable};
use pliant_pipeline::{KeyPath, PipelineFile, Value};
use pliant_store::results::RESULTS_EXTENSION;
use pliant_store::write_file;
use serde::{Deserialize, Serialize};

use crate::case::{Cases, HeldCases};
use crate::cells;
use crate::error::StudyError;
use crate::expand::Expansion;
use crate::files::{InputFile, hash};
use crate::links::signature;
use crate::metric::{Questions, parse};
use crate::parameter::{Computed, Parameter};
use crate::plan::Plan;

/// Version of the files in a study's folder: manifest, cases and segments. Raised with a new golden file, see
/// CONTRIBUTING.md.
pub const STUDY_FORMAT: u32 = 1;

/// `study.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of these files.
    pub format: u32,
    /// Hash of all else here.
    pub hash: String,
    /// Of the pipeline.
    pub title: String,
    /// Version of the program that made it; another one is refused, its numbers may differ.
    pub program: String,
    /// Where the pipeline file was; its paths are relative to there.
    pub pipeline: PathBuf,
    /// Of `pipeline.toml`.
    pub pipeline_sha256: String,
    /// How many.
    pub cases: usize,
    /// Of `cases.csv`.
    pub cases_sha256: String,
    /// Columns of `cases.csv` and the keys they set.
    pub parameters: Vec<ParameterEntry>,
    /// Columns of the segments.
    pub metrics: Vec<Asked>,
    /// Columns of the segments behind those.
    pub constraints: Vec<Asked>,
    /// Base points, when the cases serve Sobol's indices.
    pub sobol_base: Option<usize>,
    /// Distinct flexible links.
    pub reductions: usize,
    /// Files that cases depend on.
    pub inputs: Vec<InputFile>,
}

/// A parameter in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterEntry {
    /// Name.
    pub name: String,
    /// Keys, in parts.
    pub sets: Vec<Vec<String>>,
}

/// A metric or constraint in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Name.
    pub name: String,
    /// As written.
    pub expression: String,
}

impl Manifest {
    /// The hash that [`Manifest::hash`] must be.
    pub fn own_hash(&self) -> String {
        let bare = Self { hash: String::new(), ..self.clone() };
        hash(serde_json::to_string(&bare).expect("invariant: a manifest is plain data").as_bytes())
    }
}

/// A study with its folder.
pub struct Study {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub manifest: Manifest,
    pub(crate) file: PipelineFile,
    pub(crate) table: StudyTable,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) computed: Vec<Computed>,
    pub(crate) cases: Vec<Vec<Option<Value>>>,
    pub(crate) questions: Questions,
    /// Cases that were read when the study was planned, until a run takes them.
    pub(crate) held: Mutex<HeldCases>,
}

/// `cases.csv`.
pub(crate) fn cases_csv(expansion: &Expansion) -> String {
    let mut text = String::from("case");
    for parameter in &expansion.parameters {
        text.push(',');
        text.push_str(&cells::quoted(&parameter.name));
    }
    text.push('\n');
    for (i, values) in expansion.cases.iter().enumerate() {
        text.push_str(&i.to_string());
        for value in values {
            text.push(',');
            text.push_str(&value.as_ref().map_or(String::new(), |v| cells::quoted(&v.kind.to_string())));
        }
        text.push('\n');
    }
    text
}

/// Writes a plan into a folder, or finds it there.
pub(crate) fn save(plan: Plan, folder: &Path, manifest: Manifest) -> Result<Study, StudyError> {
    let path = folder.join("study.json");
    if let Ok(bytes) = fs::read(&path) {
        let other = serde_json::from_slice::<Manifest>(&bytes).map(|found| found.hash);
        if other.is_ok_and(|hash| hash == manifest.hash) {
            return Study::open(folder);
        }
        let message = format!("{} holds another study, or this one with other inputs", folder.display());
        let hint = "`--out DIR` names another folder; `pliant resume` continues the study that is there";
        return Err(StudyError::new(message).hint(hint));
    }
    let made = |what: &Path, result: std::io::Result<()>| {
        result.map_err(|error| StudyError::io("write the study's files:", what, &error))
    };
    let files = [
        ("pipeline.toml", plan.text.clone()),
        ("cases.csv", cases_csv(&plan.expansion)),
        ("study.json", serde_json::to_string_pretty(&manifest).expect("invariant: a manifest is plain data")),
    ];
    if let Some(stranger) = stranger(folder, &files) {
        let message = format!("{} holds other files and no study: {stranger}", folder.display());
        return Err(StudyError::new(message).hint("`--out DIR` names another folder"));
    }
    let segments = folder.join("segments");
    made(&segments, fs::create_dir_all(&segments))?;
    for (name, text) in files.iter().filter(|(name, _)| !folder.join(name).exists()) {
        let path = folder.join(name);
        made(&path, write_file(&path, text.as_bytes()))?;
    }
    Study::open(folder)
}

/// A file in a folder without `study.json` that a study cannot have left there. A kill, or a failed write,
/// while the manifest is written leaves some of its files as they are to be, temporary ones, and an empty
/// folder for segments; all else is somebody's.
fn stranger(folder: &Path, files: &[(&str, String)]) -> Option<String> {
    let ours = |name: &str| match files.iter().find(|(ours, _)| *ours == name) {
        Some((_, text)) => fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes()),
        None if name == "segments" => {
            fs::read_dir(folder.join(name)).is_ok_and(|mut entries| entries.next().is_none())
        }
        None => name.ends_with(".part") && files.iter().any(|(ours, _)| name.starts_with(ours)),
    };
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).find(|name| !ours(name))
}

impl Study {
    /// Reads a study and proves that nothing has changed since it was made.
    ///
    /// # Errors
    /// A folder without a study, a manifest or an input that has changed, another version of the program.
    pub fn open(folder: &Path) -> Result<Self, StudyError> {
        let study = Self::open_manifest(folder)?;
        if study.manifest.program != env!("CARGO_PKG_VERSION") {
            let message = format!(
                "the study was begun by version {} of the program, and this is {}: their numbers may differ",
                study.manifest.program,
                env!("CARGO_PKG_VERSION")
            );
            return Err(StudyError::new(message)
                .hint("finish it with that version, or begin it again in another folder"));
        }
        let changed: Vec<_> = study
            .manifest
            .inputs
            .iter()
            .filter(|input| !InputFile::now(&input.path).is_ok_and(|now| now == **input))
            .map(|input| input.path.display().to_string())
            .collect();
        if !changed.is_empty() {
            let message = format!("changed since the study began: {}", changed.join(", "));
            let hint = "restore it to continue, or begin a new study in another folder; `pliant status` and `pliant merge` \
                        still show the finished cases";
            return Err(StudyError::new(message).hint(hint));
        }
        Ok(study)
    }

    /// Reads a study without looking at its inputs: enough to see and merge what was done.
    ///
    /// # Errors
    /// A folder without a study, or one whose manifest has changed.
    pub fn open_manifest(folder: &Path) -> Result<Self, StudyError> {
        let read = |name: &str| {
            let path = folder.join(name);
            pliant_diag::read_text(&path, pliant_diag::LARGEST_INPUT).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => StudyError::new(format!(
                    "{} is not the folder of a study: it has no {name}",
                    folder.display()
                )),
                _ => StudyError::io("read", &path, &error),
            })
        };
        Self::from_parts(folder, &read("study.json")?, read("pipeline.toml")?, &read("cases.csv")?)
    }

    /// A study of the texts of its `study.json`, `pipeline.toml` and `cases.csv`.
    ///
    /// # Errors
    /// The first of them that has changed, or another format.
    pub fn from_parts(folder: &Path, json: &str, text: String, csv: &str) -> Result<Self, StudyError> {
        let damaged = |what: &str| {
            StudyError::new(format!("{} has been changed or damaged", folder.join(what).display()))
                .hint("a manifest never changes; begin a new study in another folder")
        };
        let manifest: Manifest = serde_json::from_str(json).map_err(|_| damaged("study.json"))?;
        if manifest.format != STUDY_FORMAT {
            let message = format!(
                "{} has format {}, this program reads {STUDY_FORMAT}",
                folder.display(),
                manifest.format
            );
            return Err(StudyError::new(message));
        }
        if manifest.own_hash() != manifest.hash {
            return Err(damaged("study.json"));
        }
        for (name, content, expected) in [
            ("pipeline.toml", text.as_str(), &manifest.pipeline_sha256),
            ("cases.csv", csv, &manifest.cases_sha256),
        ] {
            if hash(content.as_bytes()) != *expected {
                return Err(damaged(name));
            }
        }
        let file = pliant_pipeline::from_text(&manifest.pipeline, text).output;
        let table = file.table.as_ref().and_then(|table| table.study.clone());
        let (Some(machine), Some(table)) = (&file.table, table) else { return Err(damaged("pipeline.toml")) };
        let parameters: Vec<_> = manifest
            .parameters
            .iter()
            .map(|entry| Parameter {
                name: entry.name.clone(),
                targets: entry.sets.iter().map(|parts| KeyPath { parts: parts.clone() }).collect(),
            })
            .collect();
        let names: Vec<_> = parameters.iter().map(|p| p.name.clone()).collect();
        let questions = Questions::new(&table, machine, &names).map_err(|_| damaged("pipeline.toml"))?;
        let computed = computed(&table).ok_or_else(|| damaged("pipeline.toml"))?;
        let cases = cases(csv, parameters.len()).ok_or_else(|| damaged("cases.csv"))?;
        let folder = folder.to_owned();
        let held = Mutex::default();
        Ok(Self { folder, manifest, table, parameters, computed, cases, questions, file, held })
    }

    pub(crate) fn maker(&self) -> Cases<'_> {
        Cases { file: &self.file, parameters: &self.parameters, computed: &self.computed }
    }

    /// Names of what each case answers: metrics, then constraints.
    pub(crate) fn columns(&self) -> Vec<&str> {
        let asked = self.questions.metrics.iter().chain(&self.questions.constraints);
        asked.map(|metric| metric.name.as_str()).collect()
    }

    /// Hash of what a case is made of.
    pub(crate) fn case_hash(&self, case: usize) -> String {
        let mut text = format!("{} {case}", self.manifest.hash);
        for value in &self.cases[case] {
            text.push('\n');
            text.push_str(&value.as_ref().map_or(String::new(), |v| v.kind.to_string()));
        }
        let mut hash = hash(text.as_bytes());
        hash.truncate(16);
        hash
    }

    /// How it runs on a cluster.
    pub fn slurm(&self) -> SlurmTable {
        self.table.slurm.clone().unwrap_or_else(SlurmTable::usual)
    }

    /// Distinct flexible links of a case.
    pub fn distinct_links(&self, case: usize) -> usize {
        let Ok(file) = self.maker().file(&self.cases[case]) else { return 0 };
        let links = pliant_machine::links(&file).output.requests;
        let mut all: Vec<_> = links.iter().filter(|link| link.is_flexible()).map(signature).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// Where the results file of a case is, when it is kept.
    pub fn results_path(&self, case: usize) -> PathBuf {
        self.folder.join("results").join(format!("case-{case:06}.{RESULTS_EXTENSION}"))
    }

    /// The two metrics of the front that is asked for, and whether more of each is better.
    pub fn front(&self) -> Option<[(&str, bool); 2]> {
        self.questions.pareto.map(|of| of.map(|(k, more)| (self.questions.metrics[k].name.as_str(), more)))
    }
}

fn computed(table: &StudyTable) -> Option<Vec<Computed>> {
    let one = |(key, text): (&str, &pliant_pipeline::schema::Located<String>)| {
        let expression = parse(&text.value).ok()?;
        Some(Computed { target: KeyPath::parse(key).ok()?, text: text.value.clone(), expression })
    };
    table.set.iter().map(one).collect()
}

fn cases(csv: &str, width: usize) -> Option<Vec<Vec<Option<Value>>>> {
    let lines = cells::lines(csv).ok()?;
    let case = |(_, row): &(usize, Vec<String>)| {
        let values = row.get(1..).filter(|values| values.len() == width)?;
        values.iter().map(|cell| cells::value(cell).ok()).collect()
    };
    lines.get(1..)?.iter().map(case).collect()
}
