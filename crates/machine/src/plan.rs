//! A run before its links are reduced.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_dynamics::{AnalysisKind, Settings, SettleAbout};
use pliant_link::ReducedLink;
use pliant_mechanism::{
    Attachment, JointSpec, LoadFrame, LoadSpec, Model, ModelBuilder, PayloadSpec, TimeFunction,
};
use pliant_pipeline::analysis::NominalWord;
use pliant_pipeline::load::{LoadFrameWord, LoadTable};
use pliant_pipeline::output::SettleWord;
use pliant_pipeline::payload::PayloadTable;
use pliant_pipeline::{Document, PipelineFile};
use pliant_reduce::LinkRequest;
use pliant_spatial::Transform;

use crate::attachment::interface;
use crate::closure::{Closing, closing};
use crate::damping::{self, PlannedDamping};
use crate::function::function;
use crate::joint::joint;
use crate::key_span::key_span;
use crate::links::{Links, links};
use crate::machine::Machine;
use crate::path::{PlannedPath, planned};
use crate::problems::Problems;
use crate::response::{self, ResponsePlan};
use crate::servo::{ToComplete, complete, to_complete};
use crate::settings;

/// When a tip counts as settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    /// Its error stays within this (m).
    pub tolerance: f64,
    /// About what.
    pub about: SettleAbout,
}

/// All of a run but its links, checked.
#[derive(Debug)]
pub struct Plan {
    /// What its links are asked to be.
    pub links: Links,
    /// Which equations are solved: the first of `kinds`.
    pub kind: AnalysisKind,
    /// All that run side by side; there is at least one.
    pub kinds: Vec<AnalysisKind>,
    /// How.
    pub settings: Settings,
    /// Link and interface of the tip.
    pub tip: Option<(String, String)>,
    /// When it counts as settled.
    pub settling: Option<Settling>,
    /// What is asked of the machine in the frequency domain.
    pub response: Option<ResponsePlan>,
    gravity: Vector3<f64>,
    joints: Vec<JointSpec>,
    payloads: Vec<PayloadSpec>,
    loads: Vec<LoadSpec>,
    path: Option<PlannedPath>,
    servos: Vec<ToComplete>,
    closing: Closing,
    damping: PlannedDamping,
}

impl Plan {
    /// Turns tables into specifications. `None` when something is wrong; then the diagnostics say all of it.
    pub fn new(file: &PipelineFile) -> Warned<Option<Self>> {
        let mut problems = Problems::new(file);
        let Warned { output: links, diagnostics: about_links } = links(file);
        let machine = file.table.as_ref().map(|table| Machine { table, links: &links });
        let planned = machine.and_then(|machine| plan(&machine, &mut problems));
        let mut diagnostics = problems.diagnostics;
        diagnostics.extend(about_links);
        if let (Some(machine), false) = (machine, diagnostics.has_errors()) {
            diagnostics.extend(structure(&machine, file));
        }
        diagnostics.sort_by_location();
        Warned { output: planned.filter(|_| !diagnostics.has_errors()), diagnostics }
    }

    /// The model of a file that has a plan, with the links by name.
    ///
    /// # Errors
    /// Everything that is wrong with the assembled machine, with its location in the file.
    pub fn model_of(
        file: &PipelineFile,
        links: Vec<(String, Arc<ReducedLink>)>,
    ) -> Result<Model, Diagnostics> {
        let mut problems = Problems::new(file);
        let requests = crate::links::links(file).output;
        let machine = file.table.as_ref().map(|table| Machine { table, links: &requests });
        match machine.and_then(|machine| plan(&machine, &mut problems)) {
            Some(plan) if !problems.diagnostics.has_errors() => plan.model(links, &file.document),
            _ => Err(problems.diagnostics),
        }
    }

    /// The model, with the links by name.
    ///
    /// # Errors
    /// Everything that is wrong with the complete file, at its line.
    pub fn model(
        self,
        links: Vec<(String, Arc<ReducedLink>)>,
        document: &Document,
    ) -> Result<Model, Diagnostics> {
        let Self { gravity, joints, payloads, loads, closing, path, servos, settings, damping, .. } = self;
        let Closing { constraints, couplings, forces, redundancy } = closing;
        let built = ModelBuilder {
            gravity,
            links: links.clone(),
            joints,
            payloads,
            loads,
            constraints,
            couplings,
            forces,
            redundancy,
        }
        .build();
        let mut model = built.map_err(|errors| {
            let diagnostic = |error: &pliant_mechanism::ModelError| {
                Diagnostic::error(error.to_string()).at(key_span(&document.root, &error.key))
            };
            let mut diagnostics: Diagnostics = errors.iter().map(diagnostic).collect();
            diagnostics.sort_by_location();
            diagnostics
        })?;
        if let Some(path) = path {
            path.solve(&mut model)?;
        }
        damping.add(&mut model, &links)?;
        complete(&servos, &mut model, &settings)?;
        Ok(model)
    }
}

/// What is wrong with the assembled machine, such as a link that nothing carries, found with stand-ins for
/// the links: it is reported before the first of them is reduced. A model takes its plan, so that a second
/// one is made for it.
fn structure(machine: &Machine<'_>, file: &PipelineFile) -> Diagnostics {
    let stand_in = |link: &LinkRequest| {
        let triads = link.outboard_names().into_iter().map(|name| (name.to_owned(), Transform::identity()));
        let triads: Vec<_> = triads.collect();
        let body = ReducedLink::rigid(&link.name, 1.0, Vector3::zeros(), Matrix3::identity(), triads);
        (link.name.clone(), Arc::new(body))
    };
    let links = machine.links.requests.iter().map(stand_in).collect();
    // Where the tip can go, what servos move and how modes are damped depends on the links themselves.
    let again = plan(machine, &mut Problems::new(file)).map(|plan| Plan {
        path: None,
        servos: Vec::new(),
        damping: PlannedDamping::default(),
        ..plan
    });
    again.and_then(|plan| plan.model(links, &file.document).err()).unwrap_or_default()
}

fn plan(table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<Plan> {
    let joints: Vec<_> = table.joints.iter().map(|(name, j)| joint(name, j, table, problems)).collect();
    let single = table.payload.iter().map(|payload| ("payload", payload));
    let payloads: Vec<_> =
        single.chain(table.payloads.iter()).map(|(name, p)| payload(name, p, table, problems)).collect();
    let loads: Vec<_> = table.loads.iter().map(|(name, l)| load(name, l, table, problems)).collect();
    let path = planned(table, problems);
    let closing = closing(table, problems);
    let damping = damping::planned(table, problems);
    let output = table.output.as_ref();
    let tip = match output.and_then(|output| output.tip.as_ref()) {
        Some(text) => match interface(text, table, problems)? {
            Attachment::Interface { link, interface } => Some((link, interface)),
            Attachment::Ground => None,
        },
        None => None,
    };
    let settling = output.and_then(|output| output.settle.as_ref()).map(|settle| Settling {
        tolerance: settle.tolerance,
        about: match settle.about {
            SettleWord::Nominal => SettleAbout::Nominal,
            SettleWord::FinalMean => SettleAbout::FinalMean,
        },
    });
    let Some(analysis) = &table.analysis else {
        let hint = "add [analysis] with `end` and `step`";
        return problems.error_with_hint(None, "the file has no `[analysis]`", hint);
    };
    if analysis.nominal == NominalWord::Path && table.path.is_none() {
        let span = problems.span(&["analysis", "nominal"]);
        let hint = "add [path], or compare with nominal = \"rigid\" or with \"none\"";
        let message = "nominal = \"path\" compares the tip with `[path]`, but the file has none";
        problems.error_with_hint::<()>(span, message, hint);
    }
    let kinds = settings::kinds(analysis);
    let settings = settings::settings(analysis, output);
    let response = response::planned(table, &settings, problems);
    let joints: Option<Vec<_>> = joints.into_iter().collect();
    // Those between the segments of links come after the joints of the file.
    let between = table.links.chains.iter().flat_map(|chain| chain.joints());
    Some(Plan {
        links: table.links.clone(),
        kind: *kinds.first()?,
        kinds,
        settings,
        tip,
        settling,
        response: response?,
        gravity: table.gravity.into(),
        joints: joints?.into_iter().chain(between).collect(),
        servos: to_complete(table),
        payloads: payloads.into_iter().collect::<Option<_>>()?,
        loads: loads.into_iter().collect::<Option<_>>()?,
        path: path?,
        closing: closing?,
        damping: damping?,
    })
}

fn payload(
    name: &str,
    payload: &PayloadTable,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<PayloadSpec> {
    let at = interface(&payload.at, table, problems)?;
    let ([xx, yy, zz], [xy, yz, zx]) = (payload.inertia, payload.products);
    let inertia = Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
    Some(PayloadSpec {
        name: name.to_owned(),
        at,
        mass: payload.mass,
        centre: payload.centre.into(),
        inertia,
    })
}

fn load(name: &str, load: &LoadTable, table: &Machine<'_>, problems: &mut Problems<'_>) -> Option<LoadSpec> {
    let at = interface(&load.at, table, problems);
    let mut components: [Option<Arc<dyn TimeFunction>>; 6] = Default::default();
    let given = [(0, &load.force), (3, &load.moment)];
    let mut all_good = true;
    for (first, three) in given {
        for (i, spec) in three.iter().flatten().enumerate() {
            components[first + i] = function(spec, problems);
            all_good &= components[first + i].is_some();
        }
    }
    let frame = match load.frame {
        LoadFrameWord::World => LoadFrame::World,
        LoadFrameWord::Triad => LoadFrame::Triad,
    };
    let at = at?;
    all_good.then(|| LoadSpec { name: name.to_owned(), at, frame, components })
}
