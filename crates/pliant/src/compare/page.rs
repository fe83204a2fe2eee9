//! The page of a comparison.

use pliant_report::{
    About, Arrow, ComparedMetric, Comparison as Page, Field, Machine, Overlay, Part, Values,
};
use pliant_store::results::{ResultsError, ResultsFile};

use crate::report::machine;

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
    let (files_named, machine) = (comparison.files.clone(), together(files)?);
    Ok(Page { about, files: files_named, tolerance, metrics, overlays, left_out, missing, machine })
}

/// The machines of all files in one picture, at the frames of the first; `None` when a file has no shapes.
fn together(files: &[ResultsFile]) -> Result<Option<Machine>, ResultsError> {
    let mut all: Option<Machine> = None;
    for (group, file) in files.iter().enumerate() {
        let times = file.series("/time")?.values;
        let Some(machine) = machine(file, &times, None)? else { return Ok(None) };
        match &mut all {
            None => all = Some(machine),
            Some(all) => join(all, machine, group),
        }
    }
    Ok(all)
}

/// Puts another machine into a picture; its frames are those nearest in time.
fn join(all: &mut Machine, other: Machine, group: usize) {
    let gap = |t: f64, k: usize| (other.times[k] - t).abs();
    let nearest = |t: &f64| (0..other.times.len()).min_by(|a, b| gap(*t, *a).total_cmp(&gap(*t, *b)));
    let frames: Vec<usize> = all.times.iter().filter_map(nearest).collect();
    let first = all.parts.len();
    for part in other.parts {
        let fields = part.fields.into_iter().map(|field| Field {
            values: match field.values {
                Values::Frames(values) => Values::Frames(at(&values, &frames)),
                steady => steady,
            },
            ..field
        });
        all.parts.push(Part {
            poses: at(&part.poses, &frames),
            displacements: at(&part.displacements, &frames),
            fields: fields.collect(),
            group,
            ..part
        });
    }
    for mut symbol in other.symbols {
        symbol.group = group;
        for end in &mut symbol.ends {
            end.part = end.part.map(|part| part + first);
            end.interface_moved = at(&end.interface_moved, &frames);
            end.point_moved = at(&end.point_moved, &frames);
        }
        all.symbols.push(symbol);
    }
    for arrow in other.arrows {
        all.arrows.push(Arrow {
            part: arrow.part.map(|part| part + first),
            moved: at(&arrow.moved, &frames),
            forces: at(&arrow.forces, &frames),
            moments: at(&arrow.moments, &frames),
            ..arrow
        });
    }
}

fn at<T: Clone>(values: &[T], frames: &[usize]) -> Vec<T> {
    if values.is_empty() { Vec::new() } else { frames.iter().map(|frame| values[*frame].clone()).collect() }
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
