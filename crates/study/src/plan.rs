//! A study before it is written down.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant::Case;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_pipeline::study::StudyTable;
use pliant_pipeline::{PipelineFile, Value};
use rayon::prelude::*;

use crate::case::{Cases, HELD, HeldCases, one_line};
use crate::error::StudyError;
use crate::expand::{Expansion, expand};
use crate::files::{InputFile, csv_files, hash};
use crate::links::{Signature, signature};
use crate::manifest::{Asked, Manifest, ParameterEntry, Study};
use crate::metric::Questions;

/// A study that could be.
pub struct Plan {
    pub(crate) file: PipelineFile,
    pub(crate) text: String,
    pub(crate) table: StudyTable,
    pub(crate) expansion: Expansion,
    pub(crate) questions: Questions,
    /// Cases whose values the pipeline refuses: number and reason. They will be rows too.
    pub bad_cases: Vec<(usize, String)>,
    /// Distinct flexible links over all cases.
    pub reductions: usize,
    pub(crate) inputs: Vec<InputFile>,
    held: HeldCases,
}

impl Plan {
    /// Expands the `[study]` of a pipeline file that was read without errors. `None` when something is wrong;
    /// then the diagnostics say all of it.
    pub fn new(mut file: PipelineFile) -> (Warned<Option<Self>>, Option<PipelineFile>) {
        // The path that the manifest keeps, so that a case is the same whoever reads it.
        file.path = std::path::absolute(&file.path).unwrap_or(file.path);
        match Self::build(&file) {
            Ok(parts) => {
                let Parts { text, table, expansion, questions, bad_cases, reductions, inputs, held } = parts;
                let plan =
                    Self { file, text, table, expansion, questions, bad_cases, reductions, inputs, held };
                (Warned { output: Some(plan), diagnostics: Diagnostics::new() }, None)
            }
            Err(diagnostics) => (Warned { output: None, diagnostics }, Some(file)),
        }
    }

    fn build(file: &PipelineFile) -> Result<Parts, Diagnostics> {
        let one = |message: &str| -> Diagnostics { [Diagnostic::error(message)].into_iter().collect() };
        let machine = file.table.as_ref().ok_or_else(|| one("the file cannot be read"))?;
        if file.path.to_str().is_none() {
            return Err(one(
                "the path of a study is kept in its manifest and must be UTF-8; rename the folder",
            ));
        }
        let table = machine.study.clone().ok_or_else(|| one("the file has no `[study]`"))?;
        let expansion = expand(file, &table)?;
        let names: Vec<_> = expansion.parameters.iter().map(|p| p.name.clone()).collect();
        let questions = Questions::new(&table, machine, &names)?;
        let cases = Cases { file, parameters: &expansion.parameters, computed: &expansion.computed };
        let seen: Vec<_> = expansion
            .cases
            .par_iter()
            .enumerate()
            .map(|(index, values)| {
                let case = cases.case(values);
                (case.as_ref().map(links_of).map_err(Clone::clone), (index < HELD).then_some((index, case)))
            })
            .collect();
        let (seen, held): (Vec<_>, Vec<_>) = seen.into_iter().unzip();
        let held = held.into_iter().flatten().collect();
        let mut bad_cases = Vec::new();
        let mut links: HashMap<Signature, LinkFiles> = HashMap::new();
        for (i, seen) in seen.into_iter().enumerate() {
            match seen {
                Ok(found) => links.extend(found),
                Err(problems) if i == 0 => {
                    // A key that does not exist fails every case: report it at its line.
                    let all = expansion.cases.len();
                    let others = [all / 2, all - 1].map(|k| cases.case(&expansion.cases[k]).is_err());
                    if others == [true, true] {
                        return Err(problems.into_iter().map(|p| p.or_at(table.source.0)).collect());
                    }
                    bad_cases.push((i, one_line(&problems)));
                }
                Err(problems) => bad_cases.push((i, one_line(&problems))),
            }
        }
        let reductions = links.len();
        // Links that differ in numbers alone share their decks: look into each set of decks once.
        let mut files: Vec<_> = links.into_values().collect();
        files.sort();
        files.dedup();
        let mut paths: Vec<PathBuf> = Vec::new();
        for (decks, other) in files.into_iter().filter(|(decks, _)| !decks.is_empty()) {
            paths.extend(pliant::link::deck_files(&decks));
            paths.extend(other);
        }
        csv_files(&file.document.root, file, &mut paths);
        for value in expansion.cases.iter().flatten().flatten() {
            csv_files(value, file, &mut paths);
        }
        paths.sort();
        paths.dedup();
        let inputs: std::io::Result<Vec<_>> = paths.iter().map(|path| InputFile::now(path)).collect();
        let inputs = inputs.map_err(|error| {
            [Diagnostic::error(format!("cannot read {error}"))].into_iter().collect::<Diagnostics>()
        })?;
        let (_, source) = file.sources.files().next().expect("invariant: a file that was read has its text");
        let text = String::from_utf8_lossy(source.bytes()).into_owned();
        Ok(Parts { text, table, expansion, questions, bad_cases, reductions, inputs, held })
    }

    /// Number of cases.
    pub fn cases(&self) -> usize {
        self.expansion.cases.len()
    }

    /// Names of the parameters.
    pub fn parameters(&self) -> Vec<&str> {
        self.expansion.parameters.iter().map(|p| p.name.as_str()).collect()
    }

    /// The values of a case as text, `-` where the file's own stays.
    pub fn values(&self, case: usize) -> Vec<String> {
        let shown = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), |v| v.kind.to_string());
        self.expansion.cases[case].iter().map(shown).collect()
    }

    /// Writes the manifest into a folder, or finds the same study there.
    ///
    /// # Errors
    /// A folder with another study or other files, or one that cannot be written.
    pub fn save(mut self, folder: &Path) -> Result<Study, StudyError> {
        let manifest = self.manifest();
        let held = std::mem::take(&mut self.held);
        let study = crate::manifest::save(self, folder, manifest)?;
        Ok(Study { held: Mutex::new(held), ..study })
    }

    /// The study without its folder, to look at: nothing is written.
    pub fn unsaved(self) -> Study {
        let manifest = self.manifest();
        let Self { file, table, expansion, questions, held, .. } = self;
        let held = Mutex::new(held);
        let Expansion { parameters, computed, cases, .. } = expansion;
        let folder = PathBuf::new();
        Study { folder, manifest, file, table, parameters, computed, cases, questions, held }
    }

    fn manifest(&self) -> Manifest {
        let asked = |metrics: &[crate::metric::Metric]| {
            metrics.iter().map(|m| Asked { name: m.name.clone(), expression: m.text.clone() }).collect()
        };
        let parameters = self.expansion.parameters.iter().map(|p| ParameterEntry {
            name: p.name.clone(),
            sets: p.targets.iter().map(|target| target.parts.clone()).collect(),
        });
        let mut manifest = Manifest {
            format: crate::manifest::STUDY_FORMAT,
            hash: String::new(),
            title: self.file.table.as_ref().map_or(String::new(), |table| table.title.clone()),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            pipeline: self.file.path.clone(),
            pipeline_sha256: hash(self.text.as_bytes()),
            cases: self.cases(),
            cases_sha256: hash(crate::manifest::cases_csv(&self.expansion).as_bytes()),
            parameters: parameters.collect(),
            metrics: asked(&self.questions.metrics),
            constraints: asked(&self.questions.constraints),
            sobol_base: self.expansion.sobol_base,
            reductions: self.reductions,
            inputs: self.inputs.clone(),
        };
        manifest.hash = manifest.own_hash();
        manifest
    }
}

struct Parts {
    text: String,
    table: StudyTable,
    expansion: Expansion,
    questions: Questions,
    bad_cases: Vec<(usize, String)>,
    reductions: usize,
    inputs: Vec<InputFile>,
    held: HeldCases,
}

/// Decks and another file of a link.
type LinkFiles = (Vec<PathBuf>, Option<PathBuf>);

/// The flexible links of a case, with their files.
fn links_of(case: &Case) -> Vec<(Signature, LinkFiles)> {
    let flexible = case.links().requests.iter().filter(|link| link.is_flexible());
    flexible.map(|link| (signature(link), link.source.files())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::ParsedCases;

    const STUDY: &str = r#"
        [links.rod]
        rigid = { mass = 1, inertia = [1, 1, 1], interfaces = { tip = [1, 0, 0] } }
        [joints.hub]
        parent = "ground"
        child = "rod"
        type = "revolute"
        axis = "z"
        drive = { motion = { profile = "cycloidal", to = 1, time = 1 } }
        [payload]
        at = "rod.tip"
        mass = 1
        [analysis]
        end = 0.1
        step = 0.01
        [output]
        tip = "rod.tip"
        [study]
        grid = { "payload.mass" = [0.1, 0.2, -1] }
        metrics = { peak = "max(abs(tip.error))" }
    "#;

    /// A case is read when the study is planned; the run takes what was read.
    #[test]
    fn a_case_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rod.toml");
        let read = pliant_pipeline::from_text(&path, STUDY.to_owned());
        assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
        let plan = Plan::new(read.output).0.output.unwrap();
        assert_eq!(plan.bad_cases.len(), 1, "a negative mass");
        let mut study = plan.save(&folder.path().join("study")).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(study.held.get_mut().unwrap().len(), 3);
        // What would be read again is another mass.
        study.cases.iter_mut().for_each(|values| values[0] = Some(Value::from(7.0)));
        let parsed = ParsedCases::new(&study);
        let mass = |case: &Case| case.table().payload.as_ref().unwrap().mass;
        assert_eq!(parsed.prepare(1, mass), Some(0.2));
        assert_eq!(mass(&parsed.take(1).unwrap()), 0.2);
        assert!(parsed.take(2).is_err());
        assert_eq!(study.held.get_mut().unwrap().len(), 1, "cases 1 and 2 are taken");
    }
}
