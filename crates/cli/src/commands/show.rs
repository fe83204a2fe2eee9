//! `pliant show FILE`: a quick look at results.

use std::io::{self, Write};
use std::path::PathBuf;

use pliant_store::results::{ResultsError, ResultsFile, Series, ShapeValues, WarningRow};
use serde_json::{Map, Value, json};

use super::Outcome;
use crate::Common;
use crate::guarded;
use crate::number::{count, real};
use crate::terminal::{Style, complain, output};

/// Arguments of `pliant show`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A results file, or the shapes that `modes`, `buckling` or `static` wrote with --out
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

/// Columns of a sparkline.
const COLUMNS: usize = 60;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What is shown of an analysis.
struct Look {
    kind: String,
    outputs: usize,
    span: (f64, f64),
    metrics: Vec<Series>,
    /// Name, units, numbers over time.
    curves: Vec<(String, String, Vec<f64>)>,
    warnings: Vec<WarningRow>,
}

/// Reads and prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    match ShapeValues::read(&arguments.file) {
        Ok(Some(shapes)) => return show_shapes(&shapes, arguments, common),
        Ok(None) => {}
        Err(error) => {
            complain(format_args!("error: {error}"));
            return Ok(Outcome::Bad);
        }
    }
    let looks = guarded::open(&arguments.file).and_then(|file| {
        let looks = file.analyses().into_iter().map(|(kind, prefix)| look(&file, kind, &prefix));
        looks.collect::<Result<Vec<_>, _>>().map(|looks| (file, looks))
    });
    let (file, looks) = match looks {
        Ok(found) => found,
        Err(error) => {
            complain(format_args!("error: {error}"));
            return Ok(Outcome::Bad);
        }
    };
    let (mut out, style) = output();
    if common.json {
        let analyses: Vec<Value> = looks.iter().map(as_json).collect();
        let attribute = |name: &str| file.attribute(name);
        let reported = json!({
            "file": arguments.file.display().to_string(),
            "title": attribute("title"),
            "state": attribute("state"),
            "created": attribute("created"),
            "program_version": attribute("program_version"),
            "analyses": analyses,
        });
        writeln!(out, "{reported:#}")?;
    } else {
        writeln!(out, "{}", style.bold(&file.attribute("title")))?;
        let (state, created) = (file.attribute("state"), file.attribute("created"));
        let state = if state == "complete" { state } else { style.yellow(&state) };
        writeln!(out, "{state}, {created}, pliant {}", file.attribute("program_version"))?;
        for look in &looks {
            print(&mut out, style, look)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The shapes of `pliant modes`, `buckling` or `static` with `--out`.
fn show_shapes(shapes: &ShapeValues, arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let (mut out, style) = output();
    let ShapeValues { title, name, units, values, von_mises } = shapes;
    if common.json {
        let mut reported = json!({
            "file": arguments.file.display().to_string(),
            "title": title,
            "units": units,
            "von_mises_max": von_mises,
        });
        reported[name] = json!(values);
        writeln!(out, "{reported:#}")?;
    } else {
        writeln!(out, "{}", style.bold(title))?;
        let units = if units == "1" { "" } else { units };
        for (k, value) in values.iter().enumerate() {
            let stress = von_mises.get(k);
            let stress = stress.map(|x| format!("  von Mises stress at most {} MPa", real(1e-6 * x)));
            writeln!(out, "{:>4}  {name} {} {units}{}", k + 1, real(*value), stress.unwrap_or_default())?;
        }
    }
    out.flush()?;
    Ok(Outcome::Good)
}

fn look(file: &ResultsFile, kind: String, prefix: &str) -> Result<Look, ResultsError> {
    let time = file.series(&format!("{prefix}/time"))?.values;
    let mut curves = Vec::new();
    let tip = format!("{prefix}/tip/error");
    if file.has(&tip) {
        let error = file.series(&tip)?;
        let size = error.values.chunks_exact(3).map(|e| e.iter().map(|x| x * x).sum::<f64>().sqrt());
        curves.push(("tip error".to_owned(), error.units.clone(), size.collect()));
    }
    for joint in file.joints(prefix) {
        let path = format!("{prefix}/joints/{joint}/torque");
        if file.has(&path) {
            let torque = file.series(&path)?;
            for k in 0..torque.width() {
                let name = match torque.labels.get(k) {
                    Some(label) => format!("{joint}.{label} torque"),
                    None => format!("{joint} torque"),
                };
                curves.push((name, torque.units.clone(), torque.column(k).collect()));
            }
        }
    }
    let balance = format!("{prefix}/energy/balance");
    if file.has(&balance) {
        let balance = file.series(&balance)?;
        curves.push(("energy balance".to_owned(), balance.units.clone(), balance.values));
    }
    let ends = (time.first().copied().unwrap_or(0.0), time.last().copied().unwrap_or(0.0));
    let (metrics, warnings) = (file.metrics(prefix)?, file.warnings(prefix)?);
    Ok(Look { kind, outputs: time.len(), span: ends, metrics, curves, warnings })
}

fn name_of(metric: &Series) -> &str {
    metric.path.rsplit('/').next().unwrap_or_default()
}

/// What is infinite has not come: JSON has no word for it but null.
fn as_json(look: &Look) -> Value {
    let metric = |m: &Series| {
        let value = m.values.first().copied().filter(|x| x.is_finite());
        (name_of(m).to_owned(), json!({ "value": value, "units": m.units, "description": m.description }))
    };
    let metrics: Map<String, Value> = look.metrics.iter().map(metric).collect();
    let warning = |w: &WarningRow| json!({ "t": w.t, "place": w.subject, "message": w.message });
    json!({
        "kind": look.kind,
        "outputs": look.outputs,
        "t_start": look.span.0,
        "t_end": look.span.1,
        "metrics": metrics,
        "warnings": look.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}

fn print(out: &mut impl Write, style: Style, look: &Look) -> io::Result<()> {
    let (from, to) = look.span;
    writeln!(out)?;
    let outputs = count(look.outputs);
    writeln!(out, "{} {outputs} outputs, t = {} to {} s", style.bold(&look.kind), real(from), real(to))?;
    let width = look.metrics.iter().map(|m| name_of(m).len()).max().unwrap_or(0);
    for metric in &look.metrics {
        let value = metric.values.first().copied().unwrap_or(f64::INFINITY);
        let units = if metric.units == "1" { "" } else { &metric.units };
        let value = if value.is_finite() { real(value) } else { "–".to_owned() };
        writeln!(out, "  {:width$}  {value} {units}", name_of(metric))?;
    }
    let width = look.curves.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    for (name, units, values) in &look.curves {
        let (low, high) = range(values);
        let line = sparkline(values, low, high);
        writeln!(out, "  {name:width$}  {line}  {} to {} {units}", real(low), real(high))?;
    }
    for warning in &look.warnings {
        let t = real(warning.t);
        writeln!(out, "{}: t = {t} s, {}: {}", style.yellow("warning"), warning.subject, warning.message)?;
    }
    Ok(())
}

fn range(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() { (0.0, 0.0) } else { (low, high) }
}

/// One bar for each part of the curve: its number farthest from the mean of all, so that no peak is lost.
fn sparkline(values: &[f64], low: f64, high: f64) -> String {
    let columns = COLUMNS.min(values.len());
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let bar = |column: usize| {
        let part = &values[column * values.len() / columns..(column + 1) * values.len() / columns];
        let extreme = part.iter().copied().max_by(|a, b| (a - mean).abs().total_cmp(&(b - mean).abs()));
        let height = (extreme.unwrap_or(mean) - low) / (high - low);
        // A flat curve has no range: 0/0 lies at the bottom.
        BARS[((height * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    (0..columns).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_goes_from_the_lowest_to_the_highest() {
        let rise: Vec<f64> = (0..8).map(f64::from).collect();
        assert_eq!(sparkline(&rise, 0.0, 7.0), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[2.0, 2.0], 2.0, 2.0), "▁▁");
        // One peak among many stays visible.
        let mut flat = vec![0.0; 6000];
        flat[3000] = 1.0;
        assert_eq!(sparkline(&flat, 0.0, 1.0).matches('█').count(), 1);
        assert_eq!(sparkline(&[], 0.0, 0.0), "");
    }
}
