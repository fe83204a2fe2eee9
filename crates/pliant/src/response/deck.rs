//! The machine at a pose as one Nastran deck.

use std::fmt::Write;
use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::AnalysisKind;
use pliant_dynamics::response::{ModalMachine, pose_states};
use pliant_mechanism::{InterfaceRef, Model};

use crate::case::Case;
use crate::links::MachineLink;
use crate::response::{at_pose, no_table};

/// Numbers of the first mode and of the first ground GRID.
const MODES: usize = 1_000_001;
const GROUND: usize = 900_001;
/// Parts of a shape below this part of the largest are rounding.
const LEAST: f64 = 1e-13;

/// Writes the machine at a pose (from 1) as bulk data: its modes without damping are SPOINTs with K = Λ, M =
/// 1 and, where there is damping, B = ΦᵀCΦ as DMIG, so that no small frequency stands beside large
/// stiffnesses; its interfaces are GRIDs that follow them by MPC, with PLOTELs between them. SI units.
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
    let poses = plan.poses(model);
    let count = poses.len();
    if !(1..=count).contains(&pose) {
        let message = format!("`--pose` must be 1 to {count}, the poses of the file; found {pose}");
        return Err(one(Diagnostic::error(message).at(plan.span)));
    }
    let fail = |(index, error)| one(at_pose(plan.span, index, count, &error));
    let states = pose_states(model, &open, case.settings(), &poses[..pose], plan.about);
    let states = states.map_err(fail)?;
    let state = states.last().expect("invariant: there is a first pose");
    let modal = ModalMachine::new((model, &open), state, plan.servos).map_err(|e| fail((pose - 1, e)))?;
    let title: String = case.table().title.chars().filter(|c| c.is_ascii() && !c.is_control()).collect();
    let mut text =
        format!("$ Written by pliant: {title:.50}\n$ Pose {pose} at t = {:.6} s; m, kg, s.\n", state.time());
    write(&mut text, &open, &modal).expect("invariant: writing to memory does not fail");
    Ok(text)
}

/// A number in 16 columns.
fn number(x: f64) -> String {
    format!("{x:.9e}").replace('e', "D")
}

fn write(text: &mut String, model: &Model, modal: &ModalMachine) -> std::fmt::Result {
    let n = modal.squares.len();
    let damped = modal.damping.amax() > 0.0;
    if modal.gyroscopic > 1e-9 * modal.damping.amax().max(1e-9) {
        writeln!(
            text,
            "$ Gyroscopic terms up to {:.3e} 1/s are not in B, which is symmetric.",
            modal.gyroscopic
        )?;
    }
    writeln!(
        text,
        "SOL 103\nCEND\nTITLE = MACHINE AT A POSE\nMETHOD = 1\nMPC = 1\nSPC = 1\nDISPLACEMENT = ALL"
    )?;
    writeln!(text, "K2GG = KMODES\nM2GG = MMODES{}", if damped { "\nB2GG = BMODES" } else { "" })?;
    writeln!(text, "BEGIN BULK\nEIGRL   1                       {n}")?;
    let grid_of = |at: InterfaceRef| modal.frames.iter().position(|frame| frame.at == at).map(|k| k + 1);
    let grid = |text: &mut String, id: usize, p: &nalgebra::Vector3<f64>| {
        writeln!(
            text,
            "GRID*   {id:<16}{:16}{:<16}{:<16}\n*       {:<16}",
            "",
            number(p.x),
            number(p.y),
            number(p.z)
        )
    };
    for (k, frame) in modal.frames.iter().enumerate() {
        let body = &model.bodies()[frame.at.body];
        writeln!(text, "$ {}.{}", body.name, body.link.interfaces[frame.at.interface.0].name)?;
        grid(text, k + 1, &frame.position)?;
    }
    let mut element = 0;
    for ((body, own), origin) in model.indexed_bodies().zip(&modal.origins) {
        let from = match own.parent {
            Some(parent) => grid_of(parent),
            None => {
                let id = GROUND + body.0;
                grid(text, id, origin)?;
                writeln!(text, "SPC1    1       123456  {id}")?;
                Some(id)
            }
        };
        let to = modal.frames.iter().enumerate().filter(|(_, frame)| frame.at.body == body);
        for (from, (k, _)) in from.into_iter().cycle().zip(to) {
            element += 1;
            writeln!(text, "PLOTEL  {element:<8}{from:<8}{}", k + 1)?;
        }
    }
    writeln!(text, "$ Modes\nSPOINT  {MODES:<8}THRU    {}", MODES + n - 1)?;
    for (k, frame) in modal.frames.iter().enumerate() {
        for (c, row) in frame.shape.row_iter().enumerate() {
            let largest = row.amax();
            if largest == 0.0 {
                writeln!(text, "SPC1    1       {:<8}{}", c + 1, k + 1)?;
                continue;
            }
            let terms = row.iter().enumerate().filter(|(_, x)| x.abs() > LEAST * largest);
            let terms = terms.map(|(mode, x)| (MODES + mode, 0, *x));
            constraint(text, (k + 1, c + 1), terms)?;
        }
    }
    let diagonal = |name: &str, text: &mut String, value: &dyn Fn(usize) -> f64| {
        writeln!(text, "DMIG    {name:<8}0       6       2       0")?;
        for k in 0..n {
            column(text, name, k, std::iter::once((k, value(k))))?;
        }
        Ok(())
    };
    diagonal("KMODES", text, &|k| modal.squares[k])?;
    diagonal("MMODES", text, &|_| 1.0)?;
    if damped {
        writeln!(text, "DMIG    BMODES  0       6       2       0")?;
        for k in 0..n {
            // The lower triangle; the diagonal always, so that no column is empty.
            column(
                text,
                "BMODES",
                k,
                (k..n).map(|i| (i, modal.damping[(i, k)])).filter(|(i, x)| *i == k || *x != 0.0),
            )?;
        }
    }
    writeln!(text, "ENDDATA")
}

/// `−u + Σ φ η = 0`.
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

fn column(
    text: &mut String,
    name: &str,
    column: usize,
    terms: impl Iterator<Item = (usize, f64)>,
) -> std::fmt::Result {
    writeln!(text, "DMIG*   {name:<16}{:<16}{:<16}", MODES + column, 0)?;
    for (row, x) in terms {
        writeln!(text, "*       {:<16}{:<16}{:<16}", MODES + row, 0, number(x))?;
    }
    Ok(())
}
