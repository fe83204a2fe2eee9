//! The machine of a file that may have errors: what is wrong is left out, one key after the other, until the
//! rest can be put together.

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Severity};
use pliant_dynamics::Settings;
use pliant_machine::Plan;
use pliant_mechanism::Model;
use pliant_pipeline::{Document, Key, PipelineFile, Value, ValueKind};
use pliant_reduce::LinkRequest;

use super::key;
use super::links::ViewedLink;

/// Keys that are left out at most.
const ROUNDS: usize = 200;

/// Tables that say nothing about where the machine is.
const UNSEEN: [&str; 6] = ["analysis", "output", "damping", "durability", "response", "study"];

/// A machine, as far as its file describes one.
pub(super) struct Attempt {
    /// The machine with rigid stand-ins for its links; `None` when no part of it hangs together.
    pub(super) model: Option<Model>,
    /// When it starts and ends.
    pub(super) settings: Settings,
    /// Link and interface of the tip.
    pub(super) tip: Option<(String, String)>,
    /// The links, those that are in no machine included.
    pub(super) links: Vec<ViewedLink>,
    /// What is wrong beyond what was known.
    pub(super) problems: Diagnostics,
}

/// What came of the tables of a document.
enum Outcome {
    Built(Box<Built>),
    Wrong(Diagnostics),
}

/// A machine that could be put together.
struct Built {
    model: Model,
    settings: Settings,
    tip: Option<(String, String)>,
}

impl Attempt {
    pub(super) fn of(file: &PipelineFile, known: &Diagnostics) -> Self {
        let mut document = placed(file);
        let mut attempt = Self {
            model: None,
            settings: Settings::default(),
            tip: None,
            links: Vec::new(),
            problems: Diagnostics::new(),
        };
        let mut left_out: Vec<String> = Vec::new();
        for round in 0..ROUNDS {
            let wrong = match attempt.outcome(file, &document) {
                Outcome::Built(built) => {
                    let Built { model, settings, tip } = *built;
                    (attempt.model, attempt.settings, attempt.tip) = (Some(model), settings, tip);
                    break;
                }
                Outcome::Wrong(wrong) => wrong,
            };
            let mut removed = false;
            for problem in wrong.iter().filter(|problem| problem.severity == Severity::Error) {
                // What was left out is missed where it is named.
                let follows = round > 0 && left_out.iter().any(|name| mentions(&problem.message, name));
                if !follows && !known.iter().chain(&attempt.problems).any(|other| other == problem) {
                    attempt.problems.push(problem.clone());
                }
                let path = problem.span.and_then(|span| key::at(&document.root, span));
                if let Some(path) = path.filter(|path| key::remove(&mut document, path)) {
                    left_out.extend(path.last().cloned());
                    removed = true;
                }
            }
            if !removed {
                break;
            }
        }
        attempt
    }

    /// The model of a document.
    fn outcome(&mut self, file: &PipelineFile, document: &Document) -> Outcome {
        let read = file.case(document.clone());
        if read.diagnostics.has_errors() || read.output.table.is_none() {
            return Outcome::Wrong(read.diagnostics);
        }
        let file = read.output;
        let requests = pliant_machine::links(&file).output.requests;
        requests.iter().for_each(|request| self.take_link(request));
        let planned = Plan::new(&file);
        let Some(plan) = planned.output else { return Outcome::Wrong(planned.diagnostics) };
        let Plan { settings, tip, .. } = plan;
        let stand_in = |request: &LinkRequest| {
            let link = self.links.iter().find(|link| link.request == *request)?;
            Some((request.name.clone(), Arc::clone(&link.stand_in)))
        };
        match Plan::model_of(&file, requests.iter().filter_map(stand_in).collect()) {
            Ok(model) => Outcome::Built(Box::new(Built { model, settings, tip })),
            Err(wrong) => Outcome::Wrong(wrong),
        }
    }

    /// Reads the mesh of a link, once.
    fn take_link(&mut self, request: &LinkRequest) {
        if self.links.iter().any(|link| link.request == *request) {
            return;
        }
        let link = ViewedLink::of(request);
        let is_new = |problem: &&Diagnostic| !self.problems.iter().any(|other| other == *problem);
        let new: Vec<Diagnostic> = link.problems.iter().filter(is_new).cloned().collect();
        self.problems.extend(new);
        match self.links.iter_mut().find(|other| other.request.name == request.name) {
            Some(other) => *other = link,
            None => self.links.push(link),
        }
    }
}

/// The document with an analysis that every machine has, and without what is not seen.
fn placed(file: &PipelineFile) -> Document {
    let root = &file.document.root;
    let number = |name: &str| root.get(&["analysis", name]).and_then(Value::number);
    let end = number("end").filter(|end| end.is_finite() && *end > 0.0 && *end < 1e6).unwrap_or(1.0);
    let entry =
        |name: &str, kind: ValueKind| (Key { name: name.to_owned(), span: None }, Value { kind, span: None });
    let text = |text: &str| ValueKind::String(text.to_owned());
    let mut document = file.document.clone();
    let ValueKind::Table(entries) = &mut document.root.kind else { return document };
    entries.retain(|(key, _)| !UNSEEN.contains(&key.name.as_str()));
    // Rigid links repeat constraints that elastic ones do not.
    let analysis = vec![
        entry("end", ValueKind::Float(end)),
        entry("step", ValueKind::Float(end / 1000.0)),
        entry("redundant", text("least-norm")),
    ];
    entries.push(entry("analysis", ValueKind::Table(analysis)));
    if let Some(tip) = root.get(&["output", "tip"]) {
        let tip = (Key { name: "tip".to_owned(), span: None }, tip.clone());
        entries.push(entry("output", ValueKind::Table(vec![tip])));
    }
    document
}

/// Whether a message is about this name.
fn mentions(message: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    message.split(|c: char| !is_word(c)).any(|word| word == name)
}
