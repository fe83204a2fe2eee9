//! Elastic natural frequencies.

use pliant_fem::{ModesOptions, modes};

use crate::reference::{Known, Line, Run, first_few, judge, mesh, runs};

const KNOWN: &[Known] = &[Known {
    name: "pyn_satk_bar_conm2/",
    allowed: Some(2.6e-5),
    reason: "NX 2022.1 adds the rotary inertia ρI of the bars to their lumped mass, MSC and NX 9 do not: with the \
                 tip-loaded shape (shear included) it lowers the first pair by ½·1.2·ρI/L·0.956/5.02 = 2.43e-5, the \
                 entire difference",
}];

/// Part superelements (BEGIN SUPER) are no meshes of one link; the deck of one bar only gives matrices.
fn out_of_scope(run: &Run) -> bool {
    run.name.contains("/part_super") || run.json["frequencies_hz"].as_array().is_none_or(Vec::is_empty)
}

#[test]
fn elastic_frequencies() {
    let Some(runs) = runs() else { return };
    let lines: Vec<Line> = runs
        .iter()
        .filter(|r| r.kind == "modes" && !out_of_scope(r))
        .map(|run| Line { name: run.name.clone(), tolerance: run.tolerance, result: compare(run) })
        .collect();
    judge("Natural frequencies against MSC, NX and MYSTRAN (elastic modes)", &lines, KNOWN);
}

/// Skewed and sharp CQUAD4 bend as MSC's do: all 20 frequencies of ha145e to the seven digits that it prints.
#[test]
fn skewed_and_sharp_plates_bend_as_in_msc() {
    let Some(runs) = runs() else { return };
    let run =
        runs.iter().find(|r| r.name.starts_with("pyn_ha145e_plate_aset/")).expect("it is among the runs");
    let (worst, note) = compare(run).unwrap();
    println!("ha145e: {worst:.1e}, {note}");
    assert!(worst < 1e-6, "{worst:e}, {note}");
}

fn compare(run: &Run) -> Result<(f64, String), String> {
    let mesh = mesh(&run.deck)?;
    let lines = |d: pliant_diag::Diagnostics| first_few(&d.iter().map(|d| d.headline()).collect::<Vec<_>>());
    let mut options = ModesOptions::of_deck(&mesh).map_err(lines)?;
    let mut reference: Vec<f64> =
        run.json["frequencies_hz"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).collect();
    // Residual vectors follow the normal modes, which end at the deck's own upper bound.
    if let Some(limit) = options.below_hz {
        reference.retain(|f| *f <= limit);
    } else {
        options.count = Some(reference.len() + 6);
    }
    // Rigid-body modes are solver noise; tables end where the frequencies stop rising (what follows was
    // misread).
    let largest = reference.iter().copied().fold(0.0, f64::max);
    let first = reference.iter().position(|f| *f > 1e-5 * largest).unwrap_or(0);
    reference.drain(..first);
    let end = (1..reference.len()).find(|i| reference[*i] < 0.999 * reference[i - 1]);
    reference.truncate(end.unwrap_or(reference.len()));
    let found = modes(&mesh, &options).map_err(lines)?.output;
    let ours = &found.frequencies_hz[found.rigid_body_modes..];
    if ours.len() < reference.len() {
        return Err(format!(
            "{} elastic modes found, {} in the reference: {ours:?} {reference:?}",
            ours.len(),
            reference.len()
        ));
    }
    let errors: Vec<f64> = reference.iter().zip(ours).map(|(r, f)| (f / r - 1.0).abs()).collect();
    let worst = errors.iter().copied().fold(0.0, f64::max);
    let index = errors.iter().position(|e| *e == worst).unwrap_or(0);
    let note = format!(
        "{} modes, worst is {}: {:.6} Hz for {:.6} Hz",
        reference.len(),
        index + 1,
        ours[index],
        reference[index]
    );
    Ok((worst, note))
}
