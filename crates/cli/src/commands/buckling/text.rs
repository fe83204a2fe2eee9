//! The load factors for people.

use std::io::{self, Write};

use pliant_fem::solve::BucklingSubcase;
use pliant_mesh::LinkMesh;

use super::super::solve::{forces_text, stress_text};
use super::Found;
use crate::number::{count, counted, real};
use crate::terminal::Style;

/// Facts and a table for each subcase, then the forces on grids and the stress under the loads themselves.
pub(super) fn print(
    out: &mut impl Write,
    style: Style,
    mesh: &LinkMesh,
    Found { buckling, preload }: &Found,
    quiet: bool,
    all: bool,
) -> io::Result<()> {
    for subcase in &buckling.subcases {
        if !quiet {
            let fact = |name: &str| style.blue(&format!("{name:<10}"));
            let free = counted(subcase.free_components, "free component");
            writeln!(
                out,
                "  {} {} for the loads of subcase {}",
                fact("subcase"),
                subcase.id,
                subcase.static_subcase
            )?;
            writeln!(out, "  {} {free}", fact("size"))?;
            writeln!(out, "  {} {}", fact("proof"), proof(subcase))?;
            writeln!(out)?;
        }
        writeln!(out, "{}", style.bold(&format!("{:>6} {:>16} {:>12}", "mode", "load factor", "residual")))?;
        for (i, factor) in subcase.factors.iter().enumerate() {
            let residual = subcase.residuals[i];
            writeln!(out, "{:>6} {factor:>16.6} {residual:>12.1e}", count(i + 1))?;
        }
        if subcase.factors.iter().any(|f| *f < 0.0) {
            writeln!(out, "{}", style.faint("a negative factor is one for reversed loads"))?;
        }
    }
    if quiet && !all {
        return Ok(());
    }
    for (k, subcase) in buckling.preload.subcases.iter().enumerate() {
        writeln!(out)?;
        writeln!(out, "{}", style.bold(&format!("loads of subcase {}", subcase.id)))?;
        forces_text(out, style, mesh, &preload.forces[k], all)?;
        if let Some(stress) = preload.stress.get(k) {
            stress_text(out, style, mesh, stress, all)?;
        }
    }
    Ok(())
}

/// Why no factor is missing.
fn proof(subcase: &BucklingSubcase) -> String {
    let counts: Vec<String> = subcase
        .counted
        .iter()
        .flatten()
        .map(|(limit, count)| format!("{} up to {}", counted(*count, "factor"), real(*limit)))
        .collect();
    if counts.is_empty() {
        "not counted: solved as a dense problem, or equal factors at the end of the list".to_owned()
    } else {
        format!("Sturm count: {}, none is missing", counts.join(", "))
    }
}
