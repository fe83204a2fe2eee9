//! A case: a pipeline file whose tables have been read and checked, before its links are reduced.

use std::path::Path;
use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, SourceMap, Warned};
use pliant_dynamics::{AnalysisKind, Settings};
use pliant_link::ReducedLink;
use pliant_machine::{Links, Plan, ResponsePlan, Settling};
use pliant_mechanism::{InterfaceRef, Model};
use pliant_pipeline::{Document, KeyPath, PipelineFile, PipelineTable, Value};
use pliant_store::results::{InputFile, colliding_names};

use crate::controller::JointController;
use crate::durability::DurabilityPlan;

/// A pipeline file without errors.
#[derive(Debug)]
pub struct Case {
    file: PipelineFile,
    links: Links,
    kinds: Vec<AnalysisKind>,
    settings: Settings,
    settling: Option<Settling>,
    response: Option<ResponsePlan>,
    durability: Option<DurabilityPlan>,
    tip: Option<(String, String)>,
    provenance: Provenance,
    controllers: Vec<JointController>,
}

/// What results files say about where they come from.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Title.
    pub title: String,
    /// Text of the pipeline file.
    pub pipeline: String,
    /// The pipeline file.
    pub files: Vec<InputFile>,
}

impl Provenance {
    /// Of a file that was read.
    pub fn of(file: &PipelineFile) -> Self {
        let text = file.sources.files().next().map(|(_, file)| String::from_utf8_lossy(file.bytes()));
        Self {
            title: file.table.as_ref().map(|table| table.title.clone()).unwrap_or_default(),
            pipeline: text.map(std::borrow::Cow::into_owned).unwrap_or_default(),
            files: file.sources.files().map(|(_, file)| InputFile::new(file.path(), file.bytes())).collect(),
        }
    }
}

/// Why a pipeline file is no case.
#[derive(Debug)]
pub struct LoadFailure {
    /// The file as far as it was read, with the text that the diagnostics refer to.
    pub file: PipelineFile,
    /// All problems.
    pub diagnostics: Diagnostics,
}

/// Reads and checks a pipeline file.
///
/// # Errors
/// Every problem of the file, with its location.
pub fn load(path: &Path) -> Result<Warned<Case>, Box<LoadFailure>> {
    Case::new(pliant_pipeline::read(path))
}

impl Case {
    /// Checks the tables of a file that was read.
    ///
    /// # Errors
    /// Every problem of the file, with its location.
    pub fn new(read: Warned<PipelineFile>) -> Result<Warned<Self>, Box<LoadFailure>> {
        let Warned { output: file, mut diagnostics } = read;
        if diagnostics.has_errors() {
            return Err(LoadFailure { file, diagnostics }.into());
        }
        let planned = Plan::new(&file);
        diagnostics.extend(planned.diagnostics);
        diagnostics.extend(one_name_for_two(&file));
        let mut durability = None;
        if let Some(plan) = &planned.output {
            diagnostics.extend(crate::recovery::unknown_links(&file, &plan.links));
            match DurabilityPlan::new(&file, plan) {
                Ok(found) => durability = found,
                Err(problems) => diagnostics.extend(problems),
            }
        }
        match planned.output {
            Some(plan) if !diagnostics.has_errors() => {
                let Plan { links, kinds, settings, settling, response, tip, .. } = plan;
                let provenance = Provenance::of(&file);
                let controllers = Vec::new();
                let output = Self {
                    file,
                    links,
                    kinds,
                    settings,
                    settling,
                    response,
                    durability,
                    tip,
                    provenance,
                    controllers,
                };
                Ok(Warned { output, diagnostics })
            }
            _ => Err(LoadFailure { file, diagnostics }.into()),
        }
    }

    /// The same case with other values at some keys, such as `payload.mass`.
    ///
    /// # Errors
    /// Every problem that the new values cause.
    pub fn with(&self, values: &[(&str, Value)]) -> Result<Warned<Self>, Box<LoadFailure>> {
        let mut document: Document = self.file.document.clone();
        let mut diagnostics = Diagnostics::new();
        for (key, value) in values {
            if let Err(error) = KeyPath::parse(key).and_then(|key| key.set(&mut document, value)) {
                diagnostics.push(Diagnostic::error(error.to_string()));
            }
        }
        let mut read = self.file.case(document);
        read.diagnostics.extend(diagnostics);
        let mut case = Self::new(read)?;
        case.output.provenance = self.provenance.clone();
        case.output.controllers.clone_from(&self.controllers);
        for (key, value) in values {
            let text = &mut case.output.provenance.pipeline;
            text.insert_str(0, &format!("# {key} = {}\n", value.kind));
        }
        Ok(case)
    }

    /// The same case with a controller from outside on a joint. Its drive becomes a sampled servo that
    /// follows the motion it has now, with the limits it has now, and whose torque is what the controller
    /// computes.
    ///
    /// # Errors
    /// A joint that does not exist or has no motion to follow, and times that make no sense.
    pub fn with_controller(&self, controller: &JointController) -> Result<Warned<Self>, Box<LoadFailure>> {
        let drive = controller.drive(self.table(), &self.file.document).map_err(|problem| {
            let mut failed = self.file.case(self.file.document.clone());
            failed.diagnostics.push(*problem);
            LoadFailure { file: failed.output, diagnostics: failed.diagnostics }
        })?;
        let mut case = self.with(&[(&controller.drive_key(self.table()), drive)])?;
        let text = &mut case.output.provenance.pipeline;
        text.insert_str(
            0,
            &format!("# joint {}: the torque comes from a controller outside this file\n", controller.joint),
        );
        let controllers = &mut case.output.controllers;
        controllers.retain(|other| other.joint != controller.joint);
        controllers.push(controller.clone());
        Ok(case)
    }

    /// Joints whose controllers come from outside.
    pub fn controlled_joints(&self) -> impl Iterator<Item = &str> {
        self.controllers.iter().map(|controller| controller.joint.as_str())
    }

    /// The same case with other words about where it comes from.
    #[must_use]
    pub fn from_provenance(self, provenance: Provenance) -> Self {
        Self { provenance, ..self }
    }

    /// What results files say about where they come from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The file with its tables.
    pub fn file(&self) -> &PipelineFile {
        &self.file
    }

    /// What its links are asked to be.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The file, given back.
    pub fn into_file(self) -> PipelineFile {
        self.file
    }

    /// The tables.
    pub fn table(&self) -> &PipelineTable {
        self.file.table.as_ref().expect("invariant: a file without errors has its tables")
    }

    /// The text that diagnostics refer to.
    pub fn sources(&self) -> &SourceMap {
        &self.file.sources
    }

    /// The kinds of analysis, in the order of the file; there is at least one.
    pub fn kinds(&self) -> &[AnalysisKind] {
        &self.kinds
    }

    /// How the analyses are computed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// When the tip counts as settled.
    pub fn settling(&self) -> Option<Settling> {
        self.settling
    }

    /// What is asked of the machine in the frequency domain.
    pub fn response(&self) -> Option<&ResponsePlan> {
        self.response.as_ref()
    }

    /// What is asked of the durability of its elements.
    pub(crate) fn durability(&self) -> Option<&DurabilityPlan> {
        self.durability.as_ref()
    }

    /// The machine with its links, by name.
    ///
    /// # Errors
    /// Every problem of the assembled machine, with its location.
    pub fn machine(&self, links: Vec<(String, Arc<ReducedLink>)>) -> Result<Machine, Diagnostics> {
        let mut model = Plan::model_of(&self.file, links)?;
        for controller in &self.controllers {
            controller
                .put_into(self.table(), &mut model)
                .map_err(|problem| Diagnostics::from_iter([*problem]))?;
        }
        let tip = self
            .tip
            .as_ref()
            .and_then(|(link, interface)| model.interface(link.as_str(), interface.as_str()));
        Ok(Machine { rigid: model.rigid(), model, tip })
    }
}

/// Names that would be one in the results file.
fn one_name_for_two(file: &PipelineFile) -> Option<Diagnostic> {
    let table = file.table.as_ref()?;
    let links = colliding_names(table.links.iter().map(|(name, _)| name)).map(|pair| ("links", pair));
    let joints = || colliding_names(table.joints.iter().map(|(name, _)| name)).map(|pair| ("joints", pair));
    let (kind, (first, second)) = links.or_else(joints)?;
    let message = format!("{kind} `{first}` and `{second}` would have the same name in the results");
    Some(Diagnostic::error(message).hint("`/` becomes `_` there; rename one of them"))
}

/// The models of a case.
#[derive(Debug)]
pub struct Machine {
    model: Model,
    /// The rigid analysis has frames of the machine without elasticity.
    rigid: Model,
    /// The tip.
    pub tip: Option<InterfaceRef>,
}

impl Machine {
    /// The model that an analysis is about.
    pub fn model(&self, kind: AnalysisKind) -> &Model {
        if kind == AnalysisKind::Rigid { &self.rigid } else { &self.model }
    }
}
