//! The static answer for people.

use std::io::{self, Write};

use pliant_fem::solve::StaticSubcase;
use pliant_mesh::LinkMesh;

use super::super::solve::{SHOWN, forces_text, stress_text};
use super::{Found, components};
use crate::number::real;
use crate::terminal::Style;

/// Each subcase, with all grids or those that move most.
pub(super) fn print(
    out: &mut impl Write,
    style: Style,
    mesh: &LinkMesh,
    Found { statics, answer }: &Found,
    all: bool,
) -> io::Result<()> {
    for (k, subcase) in statics.subcases.iter().enumerate() {
        writeln!(out)?;
        facts(out, style, subcase)?;
        let vectors = [("displacement", &subcase.u), ("force of the supports", &subcase.spc_forces)];
        for (name, vector) in vectors {
            let six = |i| (i, components(statics, vector, i));
            let rows = (0..mesh.nodes.len()).map(six).filter(|(_, v)| v.iter().any(|x| *x != 0.0)).collect();
            table(out, style, &format!("{name} (CD frame)"), mesh, rows, all)?;
        }
        forces_text(out, style, mesh, &answer.forces[k], all)?;
        if let Some(stress) = answer.stress.get(k) {
            stress_text(out, style, mesh, stress, all)?;
        }
    }
    Ok(())
}

fn facts(out: &mut impl Write, style: Style, subcase: &StaticSubcase) -> io::Result<()> {
    let label = if subcase.label.is_empty() { String::new() } else { format!("  {}", subcase.label) };
    writeln!(out, "{}{label}", style.bold(&format!("subcase {}", subcase.id)))?;
    let fact = |name: &str| style.blue(&format!("{name:<10}"));
    let six = |values: &[f64; 6]| values.map(|v| format!("{:>12}", real(clean(v, values)))).join("");
    let e = &subcase.equilibrium;
    writeln!(out, "  {} {}", fact("loads"), six(&e.applied))?;
    writeln!(out, "  {} {}", fact("supports"), six(&e.reactions))?;
    writeln!(
        out,
        "  {} unbalanced: {:.1e} of the forces, {:.1e} of the moments; epsilon {:.1e}; strain energy {}",
        fact("balance"),
        e.force_error,
        e.moment_error,
        subcase.epsilon,
        real(subcase.strain_energy)
    )
}

/// Rounding beside the largest value is shown as zero.
fn clean(value: f64, beside: &[f64; 6]) -> f64 {
    let largest = beside.iter().map(|v| v.abs()).fold(0.0, f64::max);
    if value.abs() < 1e-10 * largest { 0.0 } else { value }
}

/// A table of the largest, or of all.
fn table(
    out: &mut impl Write,
    style: Style,
    title: &str,
    mesh: &LinkMesh,
    mut rows: Vec<(usize, [f64; 6])>,
    all: bool,
) -> io::Result<()> {
    let total = rows.len();
    if !all {
        // Largest translation first, ties by grid.
        let size = |v: &[f64; 6]| v[..3].iter().map(|x| x * x).sum::<f64>();
        rows.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
        rows.truncate(SHOWN);
    }
    let shown =
        if rows.len() < total { format!(", largest {} of {total}", rows.len()) } else { String::new() };
    writeln!(out, "  {}", style.blue(&format!("{title}{shown}")))?;
    let head = ["1", "2", "3", "4", "5", "6"].map(|c| format!("{c:>13}")).join("");
    writeln!(out, "{}", style.faint(&format!("{:>10}{head}", "grid")))?;
    for (node, six) in rows {
        let values = six.map(|v| format!("{v:>13.5e}")).join("");
        writeln!(out, "{:>10}{values}", mesh.nodes[node].id)?;
    }
    Ok(())
}
