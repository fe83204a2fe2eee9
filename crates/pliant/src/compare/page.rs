//! The page of a comparison.

use pliant_report::{About, ComparedMetric, Comparison as Page, Overlay};
use pliant_store::results::{ResultsError, ResultsFile};

use super::{AnalysisComparison, Comparison, CurveRow};

/// Curves that are drawn at most: those that an engineer looks at first, then those that differ most.
const PLOTS: usize = 60;

/// Quantities that are drawn whether they differ or not.
const FIRST: [&str; 3] = ["tip/error", "/torque", "/position"];

/// What the page shows, read from the files of a comparison.
///
/// # Errors
/// A file cannot be read.
pub fn page(
    comparison: &Comparison,
    files: &[ResultsFile],
    tolerance: Option<f64>,
) -> Result<Page, ResultsError> {
    let several = comparison.analyses.len() > 1;
    let named = |analysis: &AnalysisComparison, name: &str| match several {
        true => format!("{}: {name}", analysis.kind),
        false => name.to_owned(),
    };
    let (mut metrics, mut overlays, mut left_out) = (Vec::new(), Vec::new(), 0);
    for analysis in &comparison.analyses {
        metrics.extend(analysis.metrics.iter().map(|row| ComparedMetric {
            name: named(analysis, &row.name),
            units: if row.units == "1" { String::new() } else { row.units.clone() },
            description: row.description.clone(),
            values: row.values.clone(),
            difference: row.difference,
            beyond: row.judged && tolerance.is_some_and(|most| row.difference > most),
        }));
        let is_first = |row: &CurveRow| FIRST.iter().any(|name| row.quantity.ends_with(name));
        let mut rows: Vec<&CurveRow> = analysis.curves.iter().collect();
        rows.sort_by_key(|row| !is_first(row));
        rows.retain(|row| is_first(row) || row.difference > 0.0);
        left_out += rows.len().saturating_sub(PLOTS);
        for row in rows.into_iter().take(PLOTS) {
            overlays.push(overlay(analysis, row, files, named(analysis, &title(row)))?);
        }
    }
    let mut missing = comparison.missing.clone();
    for analysis in &comparison.analyses {
        missing.extend(analysis.missing.iter().map(|name| named(analysis, name)));
    }
    let first = &files[0];
    let about = About {
        title: format!("Comparison: {}", first.attribute("title")),
        source: comparison.files.join(", "),
        program: format!("{} {}", first.attribute("program"), env!("CARGO_PKG_VERSION")),
        created: String::new(),
        remarks: Vec::new(),
    };
    Ok(Page { about, files: comparison.files.clone(), tolerance, metrics, overlays, left_out, missing })
}

fn title(row: &CurveRow) -> String {
    let quantity = row.quantity.replace('/', " ");
    if row.component.is_empty() { quantity } else { format!("{quantity}, {}", row.component) }
}

fn overlay(
    analysis: &AnalysisComparison,
    row: &CurveRow,
    files: &[ResultsFile],
    title: String,
) -> Result<Overlay, ResultsError> {
    let mut lines = Vec::new();
    for (file, prefix) in files.iter().zip(&analysis.prefixes) {
        let times = file.series(&format!("{prefix}/time"))?.values;
        let series = file.series(&format!("{prefix}/{}", row.quantity))?;
        lines.push((times, series.column(row.column).collect()));
    }
    let name = row.quantity.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(Overlay { title, quantity: name, units: row.units.clone(), difference: row.difference, lines })
}
