//! What the cases say together.

use pliant_sampling::{Effect, SobolIndex, indices, pareto_front};
use serde::Serialize;

use crate::case::parameter_number;
use crate::manifest::Study;
use crate::scan::Scan;
use crate::segment::{Row, Status};

/// A metric over all cases that have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricSummary {
    /// Its name.
    pub name: String,
    /// Cases that have it.
    pub count: usize,
    /// Smallest, and its case.
    pub min: Option<(f64, usize)>,
    /// Mean.
    pub mean: Option<f64>,
    /// Largest, and its case.
    pub max: Option<(f64, usize)>,
}

/// What the cases say together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Findings {
    /// Each metric.
    pub metrics: Vec<MetricSummary>,
    /// Name of each constraint, and how many cases pass.
    pub constraints: Vec<(String, usize)>,
    /// Each parameter on each metric.
    pub effects: Vec<Effect>,
    /// Sobol's indices, when the cases were drawn for them.
    pub sobol: Vec<SobolIndex>,
    /// Names of the two metrics, and the cases that no other beats in both.
    pub pareto: Option<([String; 2], Vec<usize>)>,
}

impl Findings {
    /// Looks at the rows of a study.
    pub fn of(study: &Study, scan: &Scan) -> Self {
        let good: Vec<&Row> = scan.rows.iter().flatten().filter(|row| row.status == Status::Done).collect();
        let questions = &study.questions;
        let columns: Vec<Vec<(usize, f64)>> = (0..questions.metrics.len())
            .map(|k| good.iter().filter_map(|row| row.values[k].map(|x| (row.case, x))).collect())
            .collect();
        let summary = |(k, metric): (usize, &crate::metric::Metric)| summary(&metric.name, &columns[k]);
        let passes =
            |k: usize| good.iter().filter(|row| row.values[questions.metrics.len() + k] == Some(1.0)).count();
        let mut findings = Self {
            metrics: questions.metrics.iter().enumerate().map(summary).collect(),
            constraints: questions
                .constraints
                .iter()
                .enumerate()
                .map(|(k, c)| (c.name.clone(), passes(k)))
                .collect(),
            ..Self::default()
        };
        for (index, parameter) in study.parameters.iter().enumerate() {
            let number = |case: usize| {
                parameter_number(parameter, study.cases[case][index].as_ref(), &study.file.document)
            };
            for (metric, column) in questions.metrics.iter().zip(&columns) {
                let pairs: Option<Vec<_>> =
                    column.iter().map(|(case, y)| Some((number(*case)?, *y))).collect();
                findings.effects.extend(pairs.and_then(|p| Effect::of(&parameter.name, &metric.name, &p)));
            }
        }
        if let Some(base) = study.manifest.sobol_base {
            let names: Vec<_> = study.parameters.iter().map(|p| p.name.as_str()).collect();
            for (k, metric) in questions.metrics.iter().enumerate() {
                let value = |case: usize| scan.rows[case].as_ref().and_then(|row| row.values[k]);
                findings.sobol.extend(indices(&metric.name, &names, base, &value));
            }
        }
        findings.pareto = questions.pareto.map(|[(first, first_large), (second, second_large)]| {
            let sign = |large: bool| if large { -1.0 } else { 1.0 };
            let point = |row: &&Row| {
                let (a, b) = (row.values[first]?, row.values[second]?);
                Some((row.case, [sign(first_large) * a, sign(second_large) * b]))
            };
            let passing = |row: &&&Row| row.values[questions.metrics.len()..].iter().all(|v| *v == Some(1.0));
            let points: Vec<_> = good.iter().filter(passing).filter_map(point).collect();
            let names = [&questions.metrics[first], &questions.metrics[second]].map(|m| m.name.clone());
            (names, pareto_front(&points))
        });
        findings
    }
}

fn summary(name: &str, column: &[(usize, f64)]) -> MetricSummary {
    let best = |better: fn(&f64, &f64) -> bool| {
        let pick = |best: (f64, usize), (case, x): &(usize, f64)| {
            if better(x, &best.0) { (*x, *case) } else { best }
        };
        column.first().map(|(case, x)| column.iter().fold((*x, *case), pick))
    };
    let count = column.len();
    let mean = (count > 0).then(|| column.iter().map(|(_, x)| x).sum::<f64>() / count as f64);
    MetricSummary { name: name.to_owned(), count, min: best(f64::lt), mean, max: best(f64::gt) }
}
