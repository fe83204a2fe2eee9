//! Stress of elements and forces on grids for people, in units of the deck.

use std::io::{self, Write};

use pliant::statics::{SubcaseStress, force_origin};
use pliant_fem::solve::GridForces;
use pliant_mesh::LinkMesh;

use super::pressure;
use crate::number::real;
use crate::terminal::Style;

/// Grids and elements shown when not all are asked for.
pub(in super::super) const SHOWN: usize = 12;

/// The largest stress and where it is, then elements, the worst first.
pub(in super::super) fn stress_text(
    out: &mut impl Write,
    style: Style,
    mesh: &LinkMesh,
    stress: &SubcaseStress,
    all: bool,
) -> io::Result<()> {
    let Some(peak) = &stress.peak else { return Ok(()) };
    let unit = 1.0 / pressure(mesh);
    let mut rows: Vec<(u32, f64)> =
        stress.elements.iter().copied().zip(stress.von_mises.iter().map(|value| value * unit)).collect();
    let total = rows.len();
    if !all {
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows.truncate(SHOWN);
    }
    let shown =
        if rows.len() < total { format!(", largest {} of {total}", rows.len()) } else { String::new() };
    let title = format!("von Mises stress (bars: axial), element by element{shown}");
    writeln!(out, "  {}", style.blue(&title))?;
    let (value, component) = (real(peak.value * unit), real(peak.component_value * unit));
    writeln!(out, "  largest {value} in element {}, where {} = {component}", peak.element, peak.component)?;
    for (element, value) in rows {
        writeln!(out, "{element:>10}{value:>13.5e}")?;
    }
    Ok(())
}

/// What acts on each grid, and the sum of it.
pub(in super::super) fn forces_text(
    out: &mut impl Write,
    style: Style,
    mesh: &LinkMesh,
    forces: &GridForces,
    all: bool,
) -> io::Result<()> {
    let GridForces { totals, force_error, moment_error, .. } = forces;
    let shown = if all { totals.len() } else { totals.len().min(SHOWN) };
    let which = if all { "" } else { " with loads and supports" };
    let more =
        if shown < totals.len() { format!(", first {shown} of {}", totals.len()) } else { String::new() };
    let title = format!("forces on grids{which} (CD frame){more}");
    writeln!(out, "  {}", style.blue(&title))?;
    writeln!(
        out,
        "  all grids unbalanced: {force_error:.1e} of the forces, {moment_error:.1e} of the moments"
    )?;
    let head = ["1", "2", "3", "4", "5", "6"].map(|c| format!("{c:>13}")).join("");
    writeln!(out, "{}", style.faint(&format!("{:>10}  {:<14}{head}", "grid", "from")))?;
    for (node, own, sum) in forces.by_grid().take(shown) {
        let id = mesh.node(node).id.to_string();
        let parts = own.iter().map(|force| (force_origin(mesh, force.origin), force.force));
        for (k, (origin, six)) in parts.chain([("sum".to_owned(), *sum)]).enumerate() {
            let id = if k == 0 { id.as_str() } else { "" };
            let values = six.map(|v| format!("{v:>13.5e}")).join("");
            writeln!(out, "{id:>10}  {origin:<14}{values}")?;
        }
    }
    Ok(())
}
