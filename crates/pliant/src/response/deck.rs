//! The machine at a pose as one Nastran deck.

use std::fmt::Write;
use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::AnalysisKind;
use pliant_dynamics::response::{PhysicalCoordinate, PhysicalMachine, pose_states};
use pliant_mechanism::{InterfaceRef, Model};

use crate::case::Case;
use crate::links::MachineLink;
use crate::response::{at_pose, no_table, unreached};

/// Numbers of the first coordinate that is no motion of an interface, and of the first ground GRID.
const OWN: usize = 1_000_001;
const GROUND: usize = 900_001;
/// Parts of a row below this part of the largest, and terms of a matrix below this part of the mean of their
/// diagonal terms, are rounding.
const LEAST: f64 = 1e-13;

/// Writes the machine at a pose (from 1) as bulk data: K, M and, where there is damping, B as DMIG on the
/// GRIDs of its interfaces, in world axes, and on SPOINTs for joints and elastic coordinates that these do
/// not determine. Loops are eliminated; components of interfaces that follow others do so by MPC, those that
/// nothing moves are in an SPC. PLOTELs draw the links. SI units.
///
/// # Errors
/// A file without `[response]`, a pose that it does not have or that the machine cannot take.
pub fn deck(case: &Case, links: &[Arc<MachineLink>], pose: usize) -> Result<String, Diagnostics> {
    let one = |diagnostic: Diagnostic| Diagnostics::from_iter([diagnostic]);
    let Some(plan) = case.response() else { return Err(one(no_table())) };
    let by_name = links.iter().map(|link| (link.info.name.clone(), Arc::clone(&link.link))).collect();
    let machine = case.machine(by_name)?;
    let model = machine.model(AnalysisKind::Nonlinear);
    let open = model.without_servos();
    let poses = plan.poses(model, case.settings())?.poses;
    let count = poses.len();
    if !(1..=count).contains(&pose) {
        let message = format!("`--pose` must be 1 to {count}, the poses of the file; found {pose}");
        return Err(one(Diagnostic::error(message).at(plan.span)));
    }
    let fail = |error| one(at_pose(plan.poses_span, pose - 1, count, &error));
    let states = pose_states(model, &open, case.settings(), &poses[..pose], (plan.about, plan.commands));
    let states = states.map_err(|(index, error)| one(unreached(model, plan, index, count, &error)))?;
    let state = states.last().expect("invariant: there is a first pose");
    let machine = PhysicalMachine::new((model, &open), state, plan.servos);
    let machine = machine.map_err(fail)?;
    let title: String = case.table().title.chars().filter(|c| c.is_ascii() && !c.is_control()).collect();
    let mut text =
        format!("$ Written by pliant: {title:.50}\n$ Pose {pose} at t = {:.6} s; m, kg, s.\n", state.time());
    write(&mut text, &open, &machine).expect("invariant: writing to memory does not fail");
    Ok(text)
}

/// A number in 16 columns, with the twelve digits that fit: an exponent of Nastran has no letter.
fn number(x: f64) -> String {
    let text = |digits: usize| {
        let text = format!("{x:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').expect("invariant: an exponent");
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        format!("{mantissa}{sign}{exponent}")
    };
    (0..=11).rev().map(text).find(|text| text.len() <= 16).expect("invariant: one digit fits")
}

/// GRID or SPOINT and component of a coordinate; those of SPOINTs count among themselves.
fn points(machine: &PhysicalMachine) -> Vec<(usize, usize)> {
    let mut next = OWN;
    let point = |coordinate: &PhysicalCoordinate| match coordinate {
        PhysicalCoordinate::Frame { frame, component } => (frame + 1, component + 1),
        PhysicalCoordinate::Own(_) => {
            next += 1;
            (next - 1, 0)
        }
    };
    machine.coordinates.iter().map(point).collect()
}

fn write(text: &mut String, model: &Model, machine: &PhysicalMachine) -> std::fmt::Result {
    let points = points(machine);
    let damped = machine.C.amax() > 0.0;
    for (size, units, what) in [
        (machine.gyroscopic, "1/s", "Gyroscopic terms up to {} are not in B"),
        (machine.circulatory, "1/s2", "Circulatory terms up to {} are not in K"),
    ] {
        let least = if units == "1/s" { 1e-9 } else { 1e-6 };
        if size > least {
            let what = what.replace("{}", &format!("{size:.3e} {units}"));
            writeln!(text, "$ {what}, which is symmetric.")?;
        }
    }
    writeln!(
        text,
        "SOL 103\nCEND\nTITLE = MACHINE AT A POSE\nMETHOD = 1\nMPC = 1\nSPC = 1\nDISPLACEMENT = ALL"
    )?;
    writeln!(text, "K2GG = KMACH\nM2GG = MMACH{}", if damped { "\nB2GG = BMACH" } else { "" })?;
    writeln!(text, "BEGIN BULK\nEIGRL   1                       {}", points.len())?;
    geometry(text, model, machine)?;
    writeln!(text, "$ Coordinates that no interface has")?;
    for (coordinate, (point, _)) in machine.coordinates.iter().zip(&points) {
        if let PhysicalCoordinate::Own(name) = coordinate {
            let name: String = name.chars().filter(char::is_ascii).collect();
            writeln!(text, "$ {name}\nSPOINT  {point}")?;
        }
    }
    for (k, frame) in machine.frames.iter().enumerate() {
        for (c, row) in frame.P.row_iter().enumerate() {
            let own = (k + 1, c + 1);
            let largest = row.amax();
            if points.contains(&own) {
                continue;
            }
            if largest == 0.0 {
                writeln!(text, "SPC1    1       {:<8}{}", c + 1, k + 1)?;
                continue;
            }
            let terms = points.iter().zip(row.iter()).filter(|(_, x)| x.abs() > LEAST * largest);
            constraint(text, own, terms.map(|((point, component), x)| (*point, *component, *x)))?;
        }
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|k| points[*k]);
    for (name, matrix) in [("KMACH", &machine.K), ("MMACH", &machine.M), ("BMACH", &machine.C)] {
        if name == "BMACH" && !damped {
            continue;
        }
        writeln!(text, "DMIG    {name:<8}0       6       2       0")?;
        for (at, &j) in order.iter().enumerate() {
            let keep = |i: usize| {
                let x = matrix[(i, j)];
                i == j || (x != 0.0 && x.abs() > LEAST * (matrix[(i, i)] * matrix[(j, j)]).abs().sqrt())
            };
            let (point, component) = points[j];
            writeln!(text, "DMIG*   {name:<16}{point:<16}{component:<16}")?;
            // One triangle; the diagonal always, so that no column is empty.
            for &i in order[at..].iter().filter(|i| keep(**i)) {
                let (point, component) = points[i];
                writeln!(text, "*       {point:<16}{component:<16}{:<16}", number(matrix[(i, j)]))?;
            }
        }
    }
    writeln!(text, "ENDDATA")
}

/// GRIDs of interfaces and of the ground, and PLOTELs from where a link hangs to its interfaces.
fn geometry(text: &mut String, model: &Model, machine: &PhysicalMachine) -> std::fmt::Result {
    let grid_of = |at: InterfaceRef| machine.frames.iter().position(|frame| frame.at == at).map(|k| k + 1);
    let grid = |text: &mut String, id: usize, p: &nalgebra::Vector3<f64>| {
        let [x, y, z] = [p.x, p.y, p.z].map(number);
        writeln!(text, "GRID*   {id:<16}{:16}{x:<16}{y:<16}\n*       {z:<16}", "")
    };
    for (k, frame) in machine.frames.iter().enumerate() {
        let body = &model.bodies()[frame.at.body];
        writeln!(text, "$ {}.{}", body.name, body.link.interfaces[frame.at.interface.0].name)?;
        grid(text, k + 1, &frame.position)?;
    }
    let mut element = 0;
    for ((body, own), origin) in model.indexed_bodies().zip(&machine.origins) {
        let from = match own.parent {
            Some(parent) => grid_of(parent),
            None => {
                let id = GROUND + body.0;
                grid(text, id, origin)?;
                writeln!(text, "SPC1    1       123456  {id}")?;
                Some(id)
            }
        };
        let to = machine.frames.iter().enumerate().filter(|(_, frame)| frame.at.body == body);
        for (from, (k, _)) in from.into_iter().cycle().zip(to) {
            element += 1;
            writeln!(text, "PLOTEL  {element:<8}{from:<8}{}", k + 1)?;
        }
    }
    Ok(())
}

/// `−u + Σ c z = 0`.
fn constraint(
    text: &mut String,
    (grid, component): (usize, usize),
    terms: impl Iterator<Item = (usize, usize, f64)>,
) -> std::fmt::Result {
    write!(text, "MPC*    {:<16}{grid:<16}{component:<16}{:<16}", 1, number(-1.0))?;
    // The first line has one term, all others two halves: a term behind a blank, a term before one.
    for (k, (point, component, x)) in terms.enumerate() {
        match k % 2 {
            0 => write!(text, "\n*       {point:<16}{component:<16}{:<16}", number(x))?,
            _ => write!(text, "\n*       {:16}{point:<16}{component:<16}{:<16}", "", number(x))?,
        }
    }
    writeln!(text)
}
