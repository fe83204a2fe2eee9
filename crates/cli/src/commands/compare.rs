//! `pliant compare A B …`: results beside each other.

use std::io::{self, Write};
use std::path::PathBuf;

use pliant::compare::{AnalysisComparison, Comparison, CurveRow, MetricRow};
use pliant_store::results::{ResultsError, ResultsFile};
use pliant_store::{FileKind, Output, may_write, write_file};
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::argument::ArgumentError;
use crate::guarded;
use crate::number::{counted, real};
use crate::terminal::{Style, complain, json, output};

/// Curves that are listed at most.
const LISTED: usize = 12;

/// Arguments of `pliant compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Results files; the first is the reference
    #[arg(value_name = "FILE", num_args = 2.., required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Largest relative difference of metrics and curves that is accepted; exit code 1 beyond it
    #[arg(long, value_name = "PART", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Only quantities and metrics whose names begin with it, such as tip, joints/elbow, drive_peak
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Write an HTML page with the curves over each other
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Replace a page that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

fn tolerance(text: &str) -> Result<f64, ArgumentError> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| ArgumentError::Expected("a number of 0 or more, such as 1e-6".to_owned()))
}

/// Reads, compares and prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    match compared(arguments) {
        Ok((comparison, beyond)) => {
            let (mut out, style) = output();
            if common.json {
                let page = arguments.out.as_ref().map(|path| path.display().to_string());
                let facts = json!({
                    "comparison": comparison, "tolerance": arguments.tolerance, "beyond": beyond, "report": page,
                });
                json(&mut out, &facts)?;
            } else if !common.quiet {
                print(&mut out, style, &comparison, arguments)?;
            }
            out.flush()?;
            if let Some(beyond) = beyond.filter(|beyond| *beyond > 0) {
                let most = real(arguments.tolerance.unwrap_or_default());
                complain(format_args!(
                    "error: {} beyond the tolerance of {most}",
                    counted(beyond, "difference")
                ));
                return Ok(Outcome::Bad);
            }
            Ok(Outcome::Good)
        }
        Err(message) => {
            complain(format_args!("error: {message}"));
            Ok(Outcome::Bad)
        }
    }
}

/// The comparison, and with a tolerance how many quantities are beyond it.
fn compared(arguments: &Arguments) -> Result<(Comparison, Option<usize>), String> {
    let words = |error: ResultsError| error.to_string();
    if let Some(out) = &arguments.out {
        let target = Output { path: out, kind: FileKind::Report, force: arguments.force };
        let allowed = may_write(target, arguments.files.iter().map(PathBuf::as_path));
        allowed.map_err(|error| format!("{} cannot be written: {error}", out.display()))?;
    }
    let mut files = Vec::new();
    for path in &arguments.files {
        guarded::limit(path);
        files.push(guarded::open(path).map_err(words)?);
    }
    // All of them are read by one process.
    guarded::allow(&arguments.files[0], files.iter().map(ResultsFile::bytes).sum());
    let comparison = Comparison::new(&files, &arguments.only).map_err(words)?;
    if comparison.analyses.iter().all(|analysis| analysis.metrics.is_empty() && analysis.curves.is_empty()) {
        return Err(match arguments.only.as_slice() {
            [] => "the files have no analysis in common".to_owned(),
            only => format!("no metric and no quantity of these files begins with {}", only.join(" or ")),
        });
    }
    if let Some(out) = &arguments.out {
        let page = pliant::compare::page(&comparison, &files, arguments.tolerance).map_err(words)?;
        let written = write_file(out, page.into_html().as_bytes());
        written.map_err(|error| format!("{} cannot be written: {error}", out.display()))?;
    }
    let beyond = arguments.tolerance.map(|tolerance| comparison.beyond(tolerance));
    Ok((comparison, beyond))
}

fn print(
    out: &mut impl Write,
    style: Style,
    comparison: &Comparison,
    arguments: &Arguments,
) -> io::Result<()> {
    for (k, file) in comparison.files.iter().enumerate() {
        writeln!(out, "{} {file}{}", k + 1, if k == 0 { " (reference)" } else { "" })?;
    }
    let limit = arguments.tolerance.unwrap_or(f64::INFINITY);
    for analysis in &comparison.analyses {
        let (from, to) = analysis.span;
        writeln!(out, "\n{} t = {} to {} s", style.bold(&analysis.kind), real(from), real(to))?;
        metrics(out, style, &analysis.metrics, limit)?;
        curves(out, style, analysis, limit)?;
    }
    for name in comparison.missing.iter().chain(comparison.analyses.iter().flat_map(|a| &a.missing)) {
        writeln!(out, "{}: {name}: missing in a file, or of another shape", style.yellow("not compared"))?;
    }
    if let Some(page) = &arguments.out {
        writeln!(out, "\nreport {}", page.display())?;
    }
    Ok(())
}

fn metrics(out: &mut impl Write, style: Style, rows: &[MetricRow], limit: f64) -> io::Result<()> {
    let name = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in rows {
        let cell = |value: &Option<f64>| format!("{:>12}", value.map_or("–".to_owned(), real));
        let values: Vec<String> = row.values.iter().map(cell).collect();
        let units = if row.units == "1" { "" } else { &row.units };
        let difference = percent(row.difference);
        let difference =
            if row.judged && row.difference > limit { style.yellow(&difference) } else { difference };
        writeln!(out, "  {:name$} {}  {units:8} {difference}", row.name, values.join(" "))?;
    }
    Ok(())
}

fn curves(out: &mut impl Write, style: Style, analysis: &AnalysisComparison, limit: f64) -> io::Result<()> {
    let differing: Vec<&CurveRow> = analysis.curves.iter().filter(|row| row.difference > 0.0).collect();
    if differing.is_empty() {
        return writeln!(out, "  {}, no difference", counted(analysis.curves.len(), "curve"));
    }
    let all = counted(analysis.curves.len(), "curve");
    writeln!(out, "  {all}, {} with a difference; largest, at, root mean square:", differing.len())?;
    let name = |row: &CurveRow| format!("{} {}", row.quantity, row.component).trim_end().to_owned();
    let width = differing.iter().take(LISTED).map(|row| name(row).chars().count()).max().unwrap_or(0);
    for row in differing.iter().take(LISTED) {
        let part = percent(row.difference);
        let part = if row.difference > limit { style.yellow(&part) } else { part };
        let each = row.differences.iter().map(|d| {
            let units = if row.units == "1" { "" } else { &row.units };
            let largest = format!("{} {units}", real(d.largest));
            format!("{} at {} s ({})", largest.trim_end(), real(d.time), real(d.rms))
        });
        writeln!(out, "  {:width$}  {part}: {}", name(row), each.collect::<Vec<_>>().join(", "))?;
    }
    if differing.len() > LISTED {
        writeln!(out, "  and {} with smaller differences", differing.len() - LISTED)?;
    }
    Ok(())
}

fn percent(difference: f64) -> String {
    match difference {
        0.0 => "0".to_owned(),
        d if d.is_finite() => format!("{} %", real(100.0 * d)),
        _ => "only in some".to_owned(),
    }
}
