//! The facts for people.

use std::io::{self, Write};

use pliant::run::{
    AnalysisResult, CaseResult, Ending, ModeSummary, ModesSummary, PeakSummary, Summary, TipSummary,
    kind_name,
};
use pliant_dynamics::AnalysisKind;

use super::Report;
use crate::number::{count, counted, real, seconds};
use crate::terminal::Style;

/// Problems first, then what was found.
pub(super) fn print<W: Write>(
    out: &mut W,
    style: Style,
    report: &Report<CaseResult>,
    quiet: bool,
) -> io::Result<()> {
    report.print(out, style, quiet, |out, result| {
        if let (Some(first), Ending::Complete) = (result.analyses.first(), result.ending) {
            found(out, style, first, report.seconds)?;
        }
        if result.analyses.len() > 1 { compare(out, style, &result.analyses) } else { Ok(()) }
    })
}

fn found(out: &mut impl Write, style: Style, analysis: &AnalysisResult, total: f64) -> io::Result<()> {
    let report = &analysis.summary;
    if let Some(tip) = &report.tip {
        tip_lines(out, style, tip, report.motion_ends)?;
    } else if report.lost_nominal {
        writeln!(out, "{} {}", style.bold("tip"), style.yellow("no error: the nominal motion was lost"))?;
    }
    for (kind, all) in [("drive", &report.drives), ("force", &report.forces)] {
        for (name, drive) in all {
            writeln!(
                out,
                "{} {name}: peak {} {} (rigid {}), rms {}",
                style.bold(kind),
                real(drive.peak),
                drive.units,
                drive.rigid_peak.map_or_else(|| "–".to_owned(), real),
                real(drive.rms)
            )?;
        }
    }
    stress(out, style, report)?;
    life(out, style, report)?;
    energy(out, style, analysis)?;
    modes(out, style, &report.modes)?;
    let s = &report.solver;
    let mean = s.iterations as f64 / s.steps.max(1) as f64;
    writeln!(
        out,
        "{} {}, {mean:.2} iterations a step (at most {}), {} halved, {} rejected, {}, {} of {}",
        style.bold("solver"),
        counted(usize::try_from(s.steps).unwrap_or(usize::MAX), "step"),
        s.worst_iterations,
        count(usize::try_from(s.cuts).unwrap_or(usize::MAX)),
        count(usize::try_from(s.rejected).unwrap_or(usize::MAX)),
        counted(usize::try_from(s.outputs).unwrap_or(usize::MAX), "output"),
        seconds(s.seconds),
        seconds(total)
    )
}

/// Of each link the largest stress and strain, and its margin; of each gauge its largest strain.
fn stress(out: &mut impl Write, style: Style, report: &Summary) -> io::Result<()> {
    for (link, found) in &report.stress {
        if let Some(peak) = &found.stress {
            let at = place(peak);
            writeln!(out, "{} {link}: peak {} MPa {at}", style.bold("stress"), real(1e-6 * peak.value))?;
        }
        if let Some(margin) = &found.margin {
            let text = format!(
                "{} to {} MPa (element {}, {} MPa at t = {} s)",
                real(margin.margin),
                real(1e-6 * margin.allowable),
                margin.element,
                real(1e-6 * margin.value),
                real(margin.time)
            );
            let text = if margin.margin < 0.0 { style.yellow(&text) } else { text };
            writeln!(out, "{} {link}: {text}", style.bold("margin"))?;
        }
        if let Some(peak) = &found.strain {
            let at = place(peak);
            writeln!(out, "{} {link}: peak {} µm/m {at}", style.bold("strain"), real(1e6 * peak.value))?;
        }
    }
    for (name, gauge) in &report.gauges {
        let (peak, t) = (real(1e6 * gauge.peak), real(gauge.time));
        writeln!(out, "{} {name}: peak {peak} µm/m at t = {t} s", style.bold("gauge"))?;
    }
    Ok(())
}

/// Where and when a peak is.
fn place(peak: &PeakSummary) -> String {
    format!("in element {} ({}) at t = {} s", peak.element, peak.component, real(peak.time))
}

/// Damage and life of each link that is assessed.
fn life(out: &mut impl Write, style: Style, report: &Summary) -> io::Result<()> {
    for (link, life) in &report.durability {
        let title = style.bold("life");
        let Some(element) = life.element else {
            let elements = counted(life.elements, "element");
            writeln!(out, "{title} {link}: no damage in {elements}")?;
            continue;
        };
        let text = format!(
            "{} repeats, {} h: damage {} in element {element}",
            real(life.life),
            real(life.hours),
            real(life.damage)
        );
        let text = if life.damage >= 1.0 { style.yellow(&text) } else { text };
        writeln!(out, "{title} {link}: {text}")?;
    }
    Ok(())
}

fn energy(out: &mut impl Write, style: Style, analysis: &AnalysisResult) -> io::Result<()> {
    let (e, title) = (&analysis.summary.energy, style.bold("energy"));
    if matches!(analysis.kind, AnalysisKind::Static | AnalysisKind::QuasiStatic) {
        let (strain, gravity) = (real(e.strain), real(e.gravity));
        return writeln!(
            out,
            "{title} strain {strain}, gravity {gravity} J; equilibria have no work and no balance"
        );
    }
    writeln!(
        out,
        "{title} kinetic {}, strain {}, gravity {}, drives {}, loads {}, dissipated {} J; balance within {:.1e} J",
        real(e.kinetic),
        real(e.strain),
        real(e.gravity),
        real(e.drive_work),
        real(e.load_work),
        real(e.dissipated),
        e.worst_balance
    )
}

fn modes(out: &mut impl Write, style: Style, modes: &ModesSummary) -> io::Result<()> {
    for (end, modes) in modes.ends().into_iter().filter(|(_, modes)| !modes.is_empty()) {
        let one = |mode: &ModeSummary| {
            // |λ|/2π of λ = σ > 0.
            if mode.ratio <= -1.0 {
                let rate = real(std::f64::consts::TAU * mode.frequency);
                return style.yellow(&format!("unstable: grows by {rate} 1/s without oscillation"));
            }
            let text = format!("{} Hz (ζ {})", real(mode.frequency), real(mode.ratio));
            if mode.ratio < 0.0 { style.yellow(&format!("{text} grows")) } else { text }
        };
        let all: Vec<String> = modes.iter().map(one).collect();
        writeln!(out, "{} at the {end}: {}", style.bold("modes"), all.join(", "))?;
    }
    Ok(())
}

fn tip_lines(out: &mut impl Write, style: Style, tip: &TipSummary, motion_ends: bool) -> io::Result<()> {
    let after = if motion_ends {
        format!("; residual error {} mm after the motion", real(1e3 * tip.residual_error))
    } else {
        String::new()
    };
    writeln!(
        out,
        "{} peak error {} mm at t = {} s, rms error {} mm, peak rotation {} mrad{after}",
        style.bold("tip"),
        real(1e3 * tip.peak_error),
        real(tip.peak_time),
        real(1e3 * tip.rms_error),
        real(1e3 * tip.peak_rotation),
    )?;
    let Some(tolerance) = tip.settle_tolerance else { return Ok(()) };
    let within = real(1e3 * tolerance);
    match tip.settling_time {
        // It has never been outside: a time of zero alone would read as if it had been measured.
        Some(time) if time <= 0.0 => writeln!(
            out,
            "{} is within {within} mm from the end of the motion on (largest departure {} mm)",
            style.bold("tip"),
            real(1e3 * tip.residual_error)
        ),
        Some(time) => writeln!(
            out,
            "{} settling time {} s after the end of the motion, to within {within} mm",
            style.bold("tip"),
            real(time)
        ),
        None => writeln!(
            out,
            "{} {}",
            style.bold("tip"),
            style.yellow(&format!("not settled to {within} mm within the run"))
        ),
    }
}

/// A number of the tip, when there is one.
type TipNumber = fn(&TipSummary) -> Option<f64>;

/// The kinds of analysis beside each other: numbers of the tip, then the peaks of drives and force elements.
fn compare(out: &mut impl Write, style: Style, analyses: &[AnalysisResult]) -> io::Result<()> {
    let Some(first) = analyses.first().map(|analysis| &analysis.summary) else { return Ok(()) };
    let mut columns: Vec<(&str, TipNumber)> = Vec::new();
    if first.tip.is_some() {
        columns.push(("tip peak error mm", |tip| Some(1e3 * tip.peak_error)));
        columns.push(("tip rms error mm", |tip| Some(1e3 * tip.rms_error)));
        if first.tip.as_ref().is_some_and(|tip| tip.settle_tolerance.is_some()) {
            columns.push(("tip settling time s", |tip| tip.settling_time));
        }
    }
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), real);
    let mut table = vec![vec![String::new()]];
    table[0].extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    let pushes = || first.drives.iter().chain(&first.forces);
    table[0].extend(pushes().map(|(name, drive)| format!("{name} {}", drive.units)));
    for analysis in analyses {
        let mut row = vec![kind_name(analysis.kind).to_owned()];
        let summary = &analysis.summary;
        let number = |value: &TipNumber| summary.tip.as_ref().and_then(value);
        row.extend(columns.iter().map(|(_, value)| shown(number(value))));
        let found = |name: &String| summary.drives.get(name).or_else(|| summary.forces.get(name));
        row.extend(pushes().map(|(name, _)| shown(found(name).map(|drive| drive.peak))));
        table.push(row);
    }
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
    writeln!(out, "{} of the analyses; drives and forces by their peaks", style.bold("comparison"))?;
    for row in &table {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        writeln!(out, "  {}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
