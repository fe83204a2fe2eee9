//! Links, joints and what else a machine has, in words.

use pliant_diag::real;
use pliant_pipeline::{PipelineFile, Value, ValueKind};
use pliant_reduce::LinkSource;
use pliant_report::ViewedPart;
use pliant_store::results::{SymbolEnd, symbols};

use super::attempt::Attempt;
use super::links::ViewedLink;

/// A row for each link.
pub(super) fn links(attempt: &Attempt) -> Vec<ViewedPart> {
    attempt.links.iter().map(link).collect()
}

fn link(link: &ViewedLink) -> ViewedPart {
    let mut facts = Vec::new();
    if let Some((grids, elements)) = link.counts {
        facts.push(format!("{grids} grids, {elements} elements"));
    }
    if let LinkSource::Rigid(rigid) = &link.request.source {
        facts.push(format!("{} kg", real(rigid.mass)));
    }
    let names = link.request.outboard_names();
    if !names.is_empty() {
        facts.push(format!("interfaces {}", names.join(", ")));
    }
    let name = link.request.name.clone();
    ViewedPart { name, kind: link.request.source.kind().to_owned(), facts }
}

/// A row for each joint of the file, those that are not drawn included.
pub(super) fn joints(file: &PipelineFile, attempt: &Attempt) -> Vec<ViewedPart> {
    let Some(Value { kind: ValueKind::Table(entries), .. }) = file.document.root.get(&["joints"]) else {
        return Vec::new();
    };
    let drawn = |name: &str| {
        attempt.model.as_ref().is_some_and(|model| model.joints().any(|(_, joint)| joint.name == name))
    };
    let joint = |(key, value): &(pliant_pipeline::Key, Value)| {
        let text = |name: &str| match value.get(&[name]).map(|value| &value.kind) {
            Some(ValueKind::String(text)) => text.clone(),
            _ => "–".to_owned(),
        };
        let mut facts = vec![format!("{} → {}", text("parent"), text("child"))];
        facts.extend(is_driven(value).then(|| "driven".to_owned()));
        if !drawn(&key.name) {
            facts.push("not drawn".to_owned());
        }
        ViewedPart { name: key.name.clone(), kind: text("type"), facts }
    };
    entries.iter().map(joint).collect()
}

/// What is neither link nor joint.
pub(super) fn others(attempt: &Attempt) -> Vec<ViewedPart> {
    let Some(model) = &attempt.model else { return Vec::new() };
    let on = |end: &SymbolEnd| match (end.link as usize).checked_sub(1) {
        Some(body) => model.bodies()[body_index(body)].name.clone(),
        None => "ground".to_owned(),
    };
    let is_joint = |name: &str| model.joints().any(|(_, joint)| joint.name == name);
    let symbols = symbols(model).into_iter().filter(|symbol| !is_joint(&symbol.name)).map(|symbol| {
        let [from, to] = &symbol.ends;
        let between = match symbol.mass > 0.0 {
            true => format!("{} kg on {}", real(symbol.mass), on(to)),
            false => format!("{} to {}", on(from), on(to)),
        };
        ViewedPart { name: symbol.name, kind: symbol.kind, facts: vec![between] }
    });
    let loads = model.loads().iter().map(|load| {
        let body = &model.bodies()[load.on.body];
        let at = format!("{}.{}", body.name, body.link.interfaces[load.on.interface.0].name);
        ViewedPart { name: load.name.clone(), kind: "load".to_owned(), facts: vec![at] }
    });
    symbols.chain(loads).collect()
}

/// Whether the joint or one of its coordinates has a drive.
fn is_driven(value: &Value) -> bool {
    let ValueKind::Table(entries) = &value.kind else { return false };
    entries.iter().any(|(key, inner)| key.name == "drive" || is_driven(inner))
}

fn body_index(body: usize) -> pliant_mechanism::BodyIndex {
    pliant_mechanism::BodyIndex(body)
}
