//! The facts for people.

use std::io::{self, Write};

use pliant_pipeline::PipelineFile;

use super::Run;
use super::report::{Report, TipReport};
use crate::commands::reduce::text::problems;
use crate::number::{count, counted, real, seconds};
use crate::terminal::Style;

/// Problems first, then what was found.
pub(super) fn print(
    out: &mut impl Write,
    style: Style,
    run: &Run,
    file: &PipelineFile,
    quiet: bool,
) -> io::Result<()> {
    problems(out, style, &file.sources, &run.diagnostics, quiet)?;
    for link in &run.links {
        problems(out, style, &link.sources, &link.deck, quiet)?;
        problems(out, style, &file.sources, &link.request, quiet)?;
    }
    match &run.report {
        Some(report) if !quiet => found(out, style, report)?,
        _ => {}
    }
    match &run.results {
        Some(path) if !quiet => writeln!(out, "{} {}", style.bold("results"), path.display()),
        _ => Ok(()),
    }
}

fn found(out: &mut impl Write, style: Style, report: &Report) -> io::Result<()> {
    if let Some(tip) = &report.tip {
        tip_lines(out, style, tip)?;
    }
    for (name, drive) in &report.drives {
        writeln!(out, "{} {name}: peak {} {}", style.bold("drive"), real(drive.peak), drive.units)?;
    }
    let e = &report.energy;
    writeln!(
        out,
        "{} kinetic {}, strain {}, gravity {}, drives {}, loads {}, dissipated {} J; balance within {:.1e} J",
        style.bold("energy"),
        real(e.kinetic),
        real(e.strain),
        real(e.gravity),
        real(e.drive_work),
        real(e.load_work),
        real(e.dissipated),
        e.worst_balance
    )?;
    let s = &report.solver;
    let mean = s.iterations as f64 / s.steps.max(1) as f64;
    writeln!(
        out,
        "{} {} steps, {mean:.2} iterations a step (at most {}), {} cut, {} refused, {}, {} of {}",
        style.bold("solver"),
        count(usize::try_from(s.steps).unwrap_or(usize::MAX)),
        s.worst_iterations,
        s.cuts,
        s.rejected,
        counted(usize::try_from(s.outputs).unwrap_or(usize::MAX), "output"),
        seconds(s.seconds),
        seconds(report.seconds)
    )
}

fn tip_lines(out: &mut impl Write, style: Style, tip: &TipReport) -> io::Result<()> {
    writeln!(
        out,
        "{} error: peak {} mm at t = {} s, rms {} mm, rotation {} mrad; {} mm after the motion",
        style.bold("tip"),
        real(1e3 * tip.peak_error),
        real(tip.peak_time),
        real(1e3 * tip.rms_error),
        real(1e3 * tip.peak_rotation),
        real(1e3 * tip.residual_peak)
    )?;
    let Some(tolerance) = tip.settle_tolerance else { return Ok(()) };
    let within = real(1e3 * tolerance);
    match tip.settling_time {
        Some(time) => {
            writeln!(out, "{} settles within {within} mm after {} s", style.bold("tip"), real(time))
        }
        None => writeln!(
            out,
            "{} {}",
            style.bold("tip"),
            style.yellow(&format!("does not settle within {within} mm"))
        ),
    }
}
