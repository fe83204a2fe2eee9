//! The parts of the picture: links at their poses, joints and what else connects them, triads, loads, paths.

use nalgebra::{Matrix3, Vector3};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mechanism::{Load, LoadFrame, Model};
use pliant_pipeline::PipelineFile;
use pliant_reduce::LinkSource;
use pliant_report::{Arrow, ArrowKind, Cells, Machine, Part, Path, Symbol, SymbolEnd, Triad};
use pliant_store::results::symbols;

use super::attempt::Attempt;
use super::links::ViewedLink;
use super::poses::{Poses, poses, rows};
use crate::report::{drawn_symbol, payload_radius};

/// Points of a commanded path.
const POINTS: usize = 400;
/// Times at which a load is looked at for its largest value.
const SAMPLES: usize = 200;
/// A line in VTK's numbers.
const LINE: u8 = 3;

/// The picture, and what is wrong with it.
pub(super) struct Drawn {
    pub(super) machine: Machine,
    pub(super) problems: Diagnostics,
}

/// Draws all links: those of the machine where it has them, others at the origin of the world.
pub(super) fn machine(file: &PipelineFile, attempt: &Attempt) -> Drawn {
    let mut problems = Diagnostics::new();
    let mut machine = Machine { up: up(file), ..Machine::default() };
    let mut placed: Vec<&str> = Vec::new();
    if let Some(model) = &attempt.model {
        let tip = attempt.tip.as_ref().and_then(|(link, at)| model.interface(link, at));
        let poses = poses(model, &attempt.settings, tip, &mut problems);
        for (b, body) in model.bodies().iter().enumerate() {
            let Some(link) = attempt.links.iter().find(|link| link.request.name == body.name) else {
                continue;
            };
            placed.push(&body.name);
            machine.parts.push(part(link, poses.links.iter().map(|links| links[b]).collect()));
            machine.triads.extend(triads(link, machine.parts.len() - 1));
        }
        machine.symbols = symbols(model).iter().map(drawn_symbol).collect();
        machine.arrows = model
            .loads()
            .iter()
            .enumerate()
            .map(|(k, load)| arrow(k, load, model, attempt, &poses))
            .collect();
        machine.path = path(model, &poses);
        machine.times = poses.times;
    }
    if machine.times.is_empty() {
        machine.times = vec![0.0];
    }
    for link in attempt.links.iter().filter(|link| !placed.contains(&link.request.name.as_str())) {
        let name = &link.request.name;
        let message = format!("link `{name}` is in no machine yet: it is drawn at the origin of the world");
        problems.push(Diagnostic::note(message).at(link.request.origin.0));
        let at_origin = rows(&Matrix3::identity(), &Vector3::zeros());
        machine.parts.push(part(link, vec![at_origin; machine.times.len()]));
        machine.triads.extend(triads(link, machine.parts.len() - 1));
    }
    for (k, part) in machine.parts.iter().enumerate() {
        let link = attempt.links.iter().find(|link| link.request.name == part.name);
        machine.symbols.extend(link.and_then(|link| mass(link, k)));
    }
    Drawn { machine, problems }
}

/// Against gravity.
fn up(file: &PipelineFile) -> [f64; 3] {
    let gravity = file.table.as_ref().map_or([0.0; 3], |table| table.gravity);
    let gravity = Vector3::from(gravity);
    if gravity.norm() > 0.0 { (-gravity.normalize()).into() } else { [0.0; 3] }
}

fn part(link: &ViewedLink, poses: Vec<[f32; 12]>) -> Part {
    let drawing = &link.shape.drawing;
    // A line without a property that is an element is a rigid one.
    let rigid =
        |k: usize| drawing.cell_types[k] == LINE && drawing.properties[k] == 0 && drawing.elements[k] != 0;
    Part {
        name: link.request.name.clone(),
        positions: link.shape.positions.iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect(),
        grids: drawing.grids.clone(),
        cells: Cells {
            types: drawing.cell_types.clone(),
            offsets: drawing.offsets.clone(),
            connectivity: drawing.connectivity.clone(),
            rigid: (0..drawing.cell_types.len()).map(rigid).collect(),
            profiles: link.profiles.clone(),
            sections: link.sections.clone(),
        },
        interfaces: link.interfaces.clone(),
        poses,
        ..Part::default()
    }
}

/// The outboard interfaces of a link.
fn triads(link: &ViewedLink, part: usize) -> Vec<Triad> {
    let triad = |interface: &pliant_link::Interface| Triad {
        name: format!("{}.{}", link.request.name, interface.name),
        part: Some(part),
        pose: rows(&interface.X_LT.R, &interface.X_LT.p),
    };
    link.stand_in.interfaces.iter().map(triad).collect()
}

/// The mass of a rigid link as a ball of steel.
fn mass(link: &ViewedLink, part: usize) -> Option<Symbol> {
    let LinkSource::Rigid(rigid) = &link.request.source else { return None };
    let point = rigid.centre.map(|x| x as f32);
    let end = SymbolEnd { part: Some(part), interface: point, point, ..SymbolEnd::default() };
    Some(Symbol {
        name: format!("{}: {} kg", link.request.name, pliant_diag::real(rigid.mass)),
        kind: "mass".to_owned(),
        ends: [end.clone(), end],
        radius: payload_radius(rigid.mass),
        ..Symbol::default()
    })
}

/// A load over time; of a machine that stands still its largest value.
fn arrow(k: usize, load: &Load, model: &Model, attempt: &Attempt, poses: &Poses) -> Arrow {
    let (start, end) = (attempt.settings.t_start, attempt.settings.t_end);
    let size = |t: &f64| load.at(*t).norm();
    let samples = (0..=SAMPLES).map(|i| start + (end - start) * i as f64 / SAMPLES as f64);
    let largest = samples.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(start);
    let in_world = |frame: usize| {
        let t = if poses.times.len() == 1 { largest } else { poses.times[frame] };
        let wrench = load.at(t);
        let turned = |first: usize| {
            let v = Vector3::from_fn(|c, _| wrench[first + c]);
            let v = if load.frame == LoadFrame::Triad { poses.loads[frame][k] * v } else { v };
            [v.x as f32, v.y as f32, v.z as f32]
        };
        (turned(0), turned(3))
    };
    let (forces, moments) = (0..poses.links.len()).map(in_world).unzip();
    let p = model.bodies()[load.on.body].link.interfaces[load.on.interface.0].X_LT.p;
    Arrow {
        name: load.name.clone(),
        kind: ArrowKind::Load,
        part: Some(load.on.body.0),
        point: [p.x as f32, p.y as f32, p.z as f32],
        moved: Vec::new(),
        forces,
        moments,
    }
}

/// The commanded path of the tip, or the way that it has in the pictures.
fn path(model: &Model, poses: &Poses) -> Path {
    let nominal: Vec<[f32; 3]> = match model.tip_path() {
        Some((_, path)) => {
            let (start, end) = (path.moves.first().map_or(0.0, |first| first.start), path.end());
            let at = |k: usize| {
                let p = path.at(start + (end - start) * k as f64 / (POINTS - 1) as f64).X.p;
                [p.x as f32, p.y as f32, p.z as f32]
            };
            (0..POINTS).map(at).collect()
        }
        None => poses.tip.clone(),
    };
    Path { error: vec![[0.0; 3]; nominal.len()], nominal }
}
