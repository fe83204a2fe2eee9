//! Results beside each other: metrics, and curves by how far they differ from those of the first file.

mod curve;
mod page;

pub use page::page;

use std::collections::BTreeMap;

use pliant_store::results::{ResultsError, ResultsFile, Series};
use serde::Serialize;

use curve::{Reference, differences};

/// Differences below this part of the largest number of the same units are rounding.
const ROUNDING: f64 = 1e-12;

/// Metrics of the computer and not of the machine: shown and not judged.
const OF_THE_SOLVER: &str = "solver_";

/// What several files have in common and where they differ. The first one is the reference.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The files.
    pub files: Vec<String>,
    /// Analyses that all of them have.
    pub analyses: Vec<AnalysisComparison>,
    /// Analyses that some do not have.
    pub missing: Vec<String>,
}

/// One analysis.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisComparison {
    /// `"nonlinear"`, …
    pub kind: String,
    /// Time that all files have (s).
    pub span: (f64, f64),
    /// Metrics.
    pub metrics: Vec<MetricRow>,
    /// Curves, those that differ most first.
    pub curves: Vec<CurveRow>,
    /// Quantities that some files do not have, or have with another shape.
    pub missing: Vec<String>,
    /// Where the analysis stands in each file.
    #[serde(skip)]
    prefixes: Vec<String>,
}

/// A metric.
#[derive(Clone, Debug, Serialize)]
pub struct MetricRow {
    /// Its name in the catalogue.
    pub name: String,
    /// Units.
    pub units: String,
    /// What it is.
    pub description: String,
    /// Of each file; nothing where it is infinite or absent.
    pub values: Vec<Option<f64>>,
    /// Largest relative difference from the first file; infinite where one has the metric and one has not.
    pub difference: f64,
    /// False for numbers of the solver, which say nothing about the machine.
    pub judged: bool,
}

/// A component of a quantity over time.
#[derive(Clone, Debug, Serialize)]
pub struct CurveRow {
    /// Its path below the analysis, such as `joints/elbow/torque`.
    pub quantity: String,
    /// Its component; empty where it has one only.
    pub component: String,
    /// Units.
    pub units: String,
    /// Largest magnitude in the first file, of all components of the same units (of energies, of all of
    /// them): what differences are compared with.
    pub size: f64,
    /// Of each further file.
    pub differences: Vec<CurveDifference>,
    /// Largest difference as a part of `size`.
    pub difference: f64,
    #[serde(skip)]
    column: usize,
}

/// How far a curve is from that of the first file.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CurveDifference {
    /// Largest magnitude of the difference.
    pub largest: f64,
    /// When (s).
    pub time: f64,
    /// Root mean square of the difference.
    pub rms: f64,
}

impl Comparison {
    /// Compares files with the first; `only` leaves the quantities and metrics whose names begin so.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn new(files: &[ResultsFile], only: &[String]) -> Result<Self, ResultsError> {
        let kinds: Vec<BTreeMap<String, String>> =
            files.iter().map(|file| file.analyses().into_iter().collect()).collect();
        let (mut analyses, mut missing) = (Vec::new(), Vec::new());
        for (kind, _) in files.first().map(ResultsFile::analyses).unwrap_or_default() {
            let prefixes: Option<Vec<String>> = kinds.iter().map(|own| own.get(&kind).cloned()).collect();
            match prefixes {
                Some(prefixes) => analyses.push(AnalysisComparison::new(files, kind, prefixes, only)?),
                None => missing.push(kind),
            }
        }
        let others = kinds.iter().skip(1).flat_map(BTreeMap::keys);
        let first = kinds.first();
        missing.extend(others.filter(|kind| first.is_some_and(|own| !own.contains_key(*kind))).cloned());
        missing.dedup();
        Ok(Self {
            files: files.iter().map(|file| file.path().display().to_string()).collect(),
            analyses,
            missing,
        })
    }

    /// Everything in which the files differ by more than a part of the reference, or that one of them does
    /// not have.
    pub fn beyond(&self, tolerance: f64) -> usize {
        let of = |analysis: &AnalysisComparison| {
            let metrics = analysis.metrics.iter().filter(|row| row.judged && row.difference > tolerance);
            let curves = analysis.curves.iter().filter(|row| row.difference > tolerance);
            metrics.count() + curves.count() + analysis.missing.len()
        };
        self.missing.len() + self.analyses.iter().map(of).sum::<usize>()
    }
}

impl AnalysisComparison {
    fn new(
        files: &[ResultsFile],
        kind: String,
        prefixes: Vec<String>,
        only: &[String],
    ) -> Result<Self, ResultsError> {
        let wanted =
            |name: &str| only.is_empty() || only.iter().any(|start| name.starts_with(start.as_str()));
        let mut times = Vec::new();
        for (file, prefix) in files.iter().zip(&prefixes) {
            times.push(file.series(&format!("{prefix}/time"))?.values);
        }
        let mut missing = Vec::new();
        let mut curves = Vec::new();
        for quantity in quantities(files, &prefixes)? {
            if !wanted(&quantity) || quantity.starts_with("solver/") {
                continue;
            }
            let mut all: Vec<Series> = Vec::new();
            for (file, prefix) in files.iter().zip(&prefixes) {
                let path = format!("{prefix}/{quantity}");
                if file.has(&path) {
                    all.push(file.series(&path)?);
                }
            }
            let alike = |series: &Series| {
                (series.width(), &series.labels, &series.units)
                    == (all[0].width(), &all[0].labels, &all[0].units)
            };
            if all.len() < files.len() || !all.iter().all(alike) {
                missing.push(quantity);
                continue;
            }
            curves.extend(rows(&quantity, &times, &all));
        }
        let mut metrics = metrics(files, &prefixes, &wanted)?;
        measure_by_all_energies(&mut metrics, &mut curves);
        forgive_rounding(&mut metrics, &mut curves);
        curves.sort_by(|a, b| b.difference.total_cmp(&a.difference));
        let begin = times.iter().filter_map(|t| t.first().copied()).fold(f64::NEG_INFINITY, f64::max);
        let end = times.iter().filter_map(|t| t.last().copied()).fold(f64::INFINITY, f64::min);
        Ok(Self { kind, span: (begin, end), metrics, curves, missing, prefixes })
    }
}

/// Paths of all that is along time in any of the files, below the analysis.
fn quantities(files: &[ResultsFile], prefixes: &[String]) -> Result<Vec<String>, ResultsError> {
    let mut all = Vec::new();
    for (file, prefix) in files.iter().zip(prefixes) {
        let paths = file.along_time(prefix)?;
        all.extend(paths.iter().map(|path| path[prefix.len()..].trim_start_matches('/').to_owned()));
    }
    all.sort();
    all.dedup();
    Ok(all)
}

fn rows(quantity: &str, times: &[Vec<f64>], all: &[Series]) -> Vec<CurveRow> {
    let row = |column: usize| {
        let (units, alike) = kind(&all[0], column);
        let size = alike.flat_map(|k| all[0].column(k)).filter(|x| x.is_finite());
        let size = size.fold(0.0, |size: f64, x| size.max(x.abs()));
        let values: Vec<f64> = all[0].column(column).collect();
        let reference = Reference { times: &times[0], values: &values };
        let each = all.iter().zip(times).skip(1);
        let differences: Vec<CurveDifference> = each
            .map(|(series, times)| differences(&reference, times, &series.column(column).collect::<Vec<_>>()))
            .collect();
        let largest = differences.iter().map(|d| d.largest).fold(0.0, f64::max);
        CurveRow {
            quantity: quantity.to_owned(),
            component: component(&all[0], column),
            units,
            size,
            difference: relative(largest, size),
            differences,
            column,
        }
    };
    (0..all[0].width()).map(row).collect()
}

/// Units of a component, and the components that have the same: forces and moments, or translations and
/// rotations, stand in one series of six. Coordinates of a link are each its own, and which of the units they
/// have stands elsewhere.
fn kind(series: &Series, column: usize) -> (String, std::ops::Range<usize>) {
    let units: Vec<&str> = series.units.split(", ").collect();
    match (units.as_slice(), series.width()) {
        ([_], width) => (series.units.clone(), 0..width),
        ([first, second], 6) => {
            let half = column / 3;
            ((*if half == 0 { first } else { second }).to_owned(), 3 * half..3 * half + 3)
        }
        _ => (String::new(), column..column + 1),
    }
}

/// The name of a component: its label, or its number.
fn component(series: &Series, column: usize) -> String {
    match (series.labels.get(column), series.width()) {
        (_, 1) => String::new(),
        (Some(label), _) => label.clone(),
        (None, _) => (column + 1).to_string(),
    }
}

/// A difference as a part of a size.
fn relative(difference: f64, size: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / size }
}

fn metrics(
    files: &[ResultsFile],
    prefixes: &[String],
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<MetricRow>, ResultsError> {
    let mut rows: Vec<MetricRow> = Vec::new();
    for (k, (file, prefix)) in files.iter().zip(prefixes).enumerate() {
        for metric in file.metrics(prefix)? {
            let name = metric.path.rsplit('/').next().unwrap_or_default().to_owned();
            let value = metric.values.first().copied().filter(|x| x.is_finite());
            let row = match rows.iter().position(|row| row.name == name) {
                Some(row) => row,
                None if !wanted(&name) => continue,
                None => {
                    rows.push(MetricRow {
                        judged: !name.starts_with(OF_THE_SOLVER),
                        name,
                        units: metric.units,
                        description: metric.description,
                        values: vec![None; files.len()],
                        difference: 0.0,
                    });
                    rows.len() - 1
                }
            };
            rows[row].values[k] = value;
        }
    }
    for row in &mut rows {
        let first = row.values[0];
        let difference = |value: &Option<f64>| match (first, value) {
            (Some(a), Some(b)) => relative((b - a).abs(), a.abs()),
            (None, None) => 0.0,
            _ => f64::INFINITY,
        };
        row.difference = row.values.iter().map(difference).fold(0.0, f64::max);
    }
    Ok(rows)
}

/// The energy balance is a sum of energies: its differences are parts of the largest of them.
fn measure_by_all_energies(metrics: &mut [MetricRow], curves: &mut [CurveRow]) {
    let is_energy = |row: &CurveRow| row.quantity.starts_with("energy/");
    let size = curves.iter().filter(|row| is_energy(row)).map(|row| row.size).fold(0.0, f64::max);
    for row in curves.iter_mut().filter(|row| is_energy(row)) {
        let largest = row.differences.iter().map(|d| d.largest).fold(0.0, f64::max);
        (row.size, row.difference) = (size, relative(largest, size));
    }
    for row in metrics.iter_mut().filter(|row| row.name == "energy_worst_balance" && size > 0.0) {
        let Some(first) = row.values[0] else { continue };
        let largest = row.values.iter().flatten().map(|x| (x - first).abs()).fold(0.0, f64::max);
        if row.difference.is_finite() {
            row.difference = largest / size;
        }
    }
}

/// What is below rounding of the largest number of its units is no difference: the components across the
/// plane of a planar machine, and what should be zero.
fn forgive_rounding(metrics: &mut [MetricRow], curves: &mut [CurveRow]) {
    let mut largest: BTreeMap<String, f64> = BTreeMap::new();
    for row in curves.iter() {
        let entry = largest.entry(row.units.clone()).or_default();
        *entry = entry.max(row.size);
    }
    for row in metrics.iter() {
        let entry = largest.entry(row.units.clone()).or_default();
        *entry = row.values.iter().flatten().fold(*entry, |size, x| size.max(x.abs()));
    }
    let floor = |units: &str| ROUNDING * largest.get(units).copied().unwrap_or(0.0);
    for row in curves {
        if row.differences.iter().all(|d| d.largest <= floor(&row.units)) {
            row.difference = 0.0;
        }
    }
    for row in metrics {
        let Some(first) = row.values[0] else { continue };
        if row.values.iter().all(|value| value.is_some_and(|x| (x - first).abs() <= floor(&row.units))) {
            row.difference = 0.0;
        }
    }
}
