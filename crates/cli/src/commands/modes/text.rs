//! The modes for people.

use std::io::{self, Write};

use pliant_fem::Modes;

use super::Found;
use crate::number::{count, counted, real};
use crate::terminal::Style;

/// Facts, then the table. `unit` is that of mass.
pub(super) fn print(
    out: &mut impl Write,
    style: Style,
    Found { modes, mass }: &Found,
    unit: &str,
    quiet: bool,
) -> io::Result<()> {
    if !quiet {
        let fact = |name: &str| style.blue(&format!("{name:<10}"));
        let free = counted(modes.free_components, "free component");
        let rigid = counted(modes.rigid_body_modes, "rigid-body mode");
        writeln!(out, "  {} {free}, {rigid}", fact("size"))?;
        writeln!(out, "  {} {} {unit}", fact("mass"), real(mass.mass))?;
        writeln!(out, "  {} {}", fact("proof"), proof(modes))?;
        writeln!(out)?;
    }
    table(out, style, modes)
}

/// Why no mode is missing.
fn proof(modes: &Modes) -> String {
    match modes.info.sturm {
        Some(sturm) => {
            let hz = sturm.shift.max(0.0).sqrt() / std::f64::consts::TAU;
            format!("Sturm count: {} below {} Hz, none is missing", counted(sturm.count, "mode"), real(hz))
        }
        None => "solved as a dense problem, none is missing".to_owned(),
    }
}

fn table(out: &mut impl Write, style: Style, modes: &Modes) -> io::Result<()> {
    let head = format!(
        "{:>6} {:>14}  {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  {:>9}",
        "mode", "Hz", "x", "y", "z", "rx", "ry", "rz", "residual"
    );
    writeln!(out, "{:>23}  {}", "", style.faint("effective mass, % of the total"))?;
    writeln!(out, "{}", style.bold(&head))?;
    let total = modes.effective_mass.total;
    let percent = |value: f64, k: usize| {
        if total[k] <= 0.0 { format!("{:>7}", "") } else { format!("{:>7.2}", 100.0 * value / total[k]) }
    };
    let mut sums = [0.0; 6];
    for (i, hz) in modes.frequencies_hz.iter().enumerate() {
        let masses = modes.effective_mass.effective[i];
        sums.iter_mut().zip(masses).for_each(|(sum, m)| *sum += m);
        let shares: Vec<String> = (0..6).map(|k| percent(masses[k], k)).collect();
        let hz = if i < modes.rigid_body_modes { "rigid".to_owned() } else { format!("{hz:.6}") };
        let number = count(i + 1);
        writeln!(out, "{number:>6} {hz:>14}  {}  {:>9.1e}", shares.join(" "), modes.residuals[i])?;
    }
    let shares: Vec<String> = (0..6).map(|k| percent(sums[k], k)).collect();
    writeln!(out, "{:>6} {:>14}  {}", "", style.faint("sum"), shares.join(" "))
}
