//! One file of all segments: `study.h5` for programs, `results.csv` for people.

use std::path::PathBuf;

use pliant_store::{Column, ColumnData, ColumnFile, write_file};

use crate::analysis::Findings;
use crate::case::parameter_number;
use crate::cells;
use crate::error::StudyError;
use crate::manifest::Study;
use crate::scan::Scan;
use crate::segment::{Row, Status};

/// What was merged.
pub struct Merged {
    /// The HDF5 file.
    pub file: PathBuf,
    /// The table as text. The same rows give the same bytes, whoever ran them.
    pub table: PathBuf,
    /// The rows.
    pub scan: Scan,
    /// What they say together.
    pub findings: Findings,
}

/// Merges what is done.
///
/// # Errors
/// A folder that cannot be read or written.
pub fn merge(study: &Study) -> Result<Merged, StudyError> {
    let scan = Scan::of(study)?;
    let findings = Findings::of(study, &scan);
    let (file, table) = (study.folder.join("study.h5"), study.folder.join("results.csv"));
    let write = |path: &PathBuf, result: std::io::Result<()>| {
        result.map_err(|error| StudyError::io("write", path, &error))
    };
    write(&table, write_file(&table, csv(study, &scan).as_bytes()))?;
    write(&file, self::table(study, &scan, &findings).write(&file))?;
    Ok(Merged { file, table, scan, findings })
}

fn status(row: Option<&Row>) -> &'static str {
    match row.map(|row| row.status) {
        None => "missing",
        Some(Status::Done) => "done",
        Some(Status::Failed) => "failed",
    }
}

fn csv(study: &Study, scan: &Scan) -> String {
    let mut names = vec!["case"];
    names.extend(study.parameters.iter().map(|p| p.name.as_str()));
    names.push("status");
    names.extend(study.columns());
    names.push("reason");
    let mut text = names.iter().map(|name| cells::shown(name)).collect::<Vec<_>>().join(",") + "\n";
    for (case, row) in scan.rows.iter().enumerate() {
        let row = row.as_ref();
        let mut line = vec![case.to_string()];
        let given = study.cases[case].iter();
        // Words among them stand in quotes of their own, so none begins as a formula.
        line.extend(given.map(|v| v.as_ref().map_or(String::new(), |v| cells::quoted(&v.kind.to_string()))));
        line.push(status(row).to_owned());
        let values = (0..study.columns().len()).map(|k| row.and_then(|row| row.values[k]));
        line.extend(values.map(|x| x.map_or(String::new(), |x| format!("{x:?}"))));
        line.push(cells::shown(row.and_then(|row| row.reason.as_deref()).unwrap_or_default()));
        text.push_str(&line.join(","));
        text.push('\n');
    }
    text
}

/// What is done as columns: those of `study.h5`.
pub fn table(study: &Study, scan: &Scan, findings: &Findings) -> ColumnFile {
    let manifest = &study.manifest;
    let rows = &scan.rows;
    let column = |group: &str, name: &str, units: &str, description: &str, data| Column {
        group: group.to_owned(),
        name: name.to_owned(),
        units: units.to_owned(),
        description: description.to_owned(),
        data,
    };
    let each = |pick: &dyn Fn(usize) -> f64| ColumnData::Numbers((0..rows.len()).map(pick).collect());
    let words = |pick: &dyn Fn(usize) -> String| ColumnData::Words((0..rows.len()).map(pick).collect());
    let number = |case: usize| case as i64;
    let mut columns = vec![
        column(
            "cases",
            "case",
            "",
            "number of the case",
            ColumnData::Integers((0..rows.len()).map(number).collect()),
        ),
        column(
            "cases",
            "status",
            "",
            "done, failed or missing",
            words(&|case| status(rows[case].as_ref()).to_owned()),
        ),
        column(
            "cases",
            "reason",
            "",
            "why it failed",
            words(&|case| rows[case].as_ref().and_then(|row| row.reason.clone()).unwrap_or_default()),
        ),
        column(
            "cases",
            "seconds",
            "s",
            "time it took",
            each(&|case| rows[case].as_ref().map_or(f64::NAN, |row| row.seconds)),
        ),
    ];
    for (index, parameter) in study.parameters.iter().enumerate() {
        let keys: Vec<_> = parameter.targets.iter().map(|target| target.parts.join(".")).collect();
        let given = |case: usize| study.cases[case][index].as_ref();
        let numbers: Option<Vec<f64>> = (0..rows.len())
            .map(|case| parameter_number(parameter, given(case), &study.file.document))
            .collect();
        let data = match numbers {
            Some(numbers) => ColumnData::Numbers(numbers),
            None => words(&|case| given(case).map_or(String::new(), |v| v.kind.to_string())),
        };
        columns.push(column("parameters", &parameter.name, "", &format!("sets {}", keys.join(", ")), data));
    }
    let asked = study.questions.metrics.iter().map(|m| ("metrics", m));
    let asked = asked.chain(study.questions.constraints.iter().map(|c| ("constraints", c)));
    for (k, (group, metric)) in asked.enumerate() {
        let value = |case: usize| rows[case].as_ref().and_then(|row| row.values[k]).unwrap_or(f64::NAN);
        columns.push(column(group, &metric.name, metric.units(), &metric.text, each(&value)));
    }
    if let Some((names, front)) = &findings.pareto {
        let text = format!("1 for cases that no other beats in {} and {}", names[0], names[1]);
        let marked = (0..rows.len()).map(|case| i64::from(front.contains(&case))).collect();
        columns.push(column("cases", "pareto", "", &text, ColumnData::Integers(marked)));
    }
    columns.extend(sensitivity(findings));
    let links = (0..rows.len()).filter(|case| study.results_path(*case).exists());
    let links = links.map(|case| {
        let relative =
            study.results_path(case).strip_prefix(&study.folder).map(PathBuf::from).unwrap_or_default();
        ("series".to_owned(), format!("case-{case:06}"), relative)
    });
    let attribute = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let attributes = vec![
        attribute("kind", "pliant study"),
        attribute("schema_version", "1"),
        attribute("title", &manifest.title),
        attribute("program", &format!("pliant {}", manifest.program)),
        attribute("study", &manifest.hash),
        attribute("pipeline_sha256", &manifest.pipeline_sha256),
    ];
    ColumnFile { attributes, columns, links: links.collect() }
}

/// One row for each pair of parameter and metric.
fn sensitivity(findings: &Findings) -> Vec<Column> {
    let column = |name: &str, description: &str, data| Column {
        group: "sensitivity".to_owned(),
        name: name.to_owned(),
        units: String::new(),
        description: description.to_owned(),
        data,
    };
    let effects = &findings.effects;
    let words = |pick: fn(&crate::Effect) -> &String| {
        ColumnData::Words(effects.iter().map(|e| pick(e).clone()).collect())
    };
    let numbers = |pick: fn(&crate::Effect) -> f64| ColumnData::Numbers(effects.iter().map(pick).collect());
    let index = |pick: fn(&crate::SobolIndex) -> f64| {
        let find = |e: &crate::Effect| {
            let same = |s: &&crate::SobolIndex| s.parameter == e.parameter && s.metric == e.metric;
            findings.sobol.iter().find(same).map_or(f64::NAN, pick)
        };
        ColumnData::Numbers(effects.iter().map(find).collect())
    };
    vec![
        column("parameter", "parameter of each row", words(|e| &e.parameter)),
        column("metric", "metric of each row", words(|e| &e.metric)),
        column("rank_correlation", "Spearman's rank correlation", numbers(|e| e.rank_correlation)),
        column(
            "main_effect",
            "largest minus smallest mean of the metric over levels of the parameter",
            numbers(|e| e.main_effect),
        ),
        column(
            "variance_share",
            "share of the metric's variance between levels of the parameter",
            numbers(|e| e.variance_share),
        ),
        column("sobol_first", "Sobol's first-order index; NaN unless sampled for it", index(|s| s.first)),
        column("sobol_total", "Sobol's total index; NaN unless sampled for it", index(|s| s.total)),
    ]
}
