//! From the folder of a study to the report's plain numbers.

use std::path::Path;

use pliant_report::{About, CaseFile, Column, ColumnValues, Effect, Role, Study};
use pliant_store::ColumnData;
use pliant_study::merge::table;
use pliant_study::scan::Scan;
use pliant_study::{Findings, StudyError};

/// What is done of a study.
pub(super) fn study(folder: &Path) -> Result<Study, StudyError> {
    let study = pliant_study::Study::open_manifest(folder)?;
    let scan = Scan::of(&study)?;
    let findings = Findings::of(&study, &scan);
    let there: Vec<usize> = (0..scan.rows.len()).filter(|case| scan.rows[*case].is_some()).collect();
    let mut columns = Vec::new();
    for column in table(&study, &scan, &findings).columns {
        let role = match (column.group.as_str(), column.name.as_str()) {
            ("parameters", _) => Role::Parameter,
            ("metrics", _) => Role::Metric,
            ("constraints", _) => Role::Constraint,
            ("cases", "seconds" | "pareto") => Role::Other,
            _ => continue,
        };
        let values = match column.data {
            ColumnData::Numbers(all) => ColumnValues::Numbers(there.iter().map(|case| all[*case]).collect()),
            ColumnData::Integers(all) => {
                ColumnValues::Numbers(there.iter().map(|case| all[*case] as f64).collect())
            }
            ColumnData::Words(all) => {
                ColumnValues::Words(there.iter().map(|case| all[*case].clone()).collect())
            }
        };
        columns.push(Column { name: column.name, units: column.units, role, values });
    }
    let reason = |(index, case): (usize, &usize)| {
        let row = scan.rows[*case].as_ref().filter(|row| row.status == pliant_study::Status::Failed)?;
        Some((index, row.reason.clone().unwrap_or_else(|| "no reason was recorded".to_owned())))
    };
    let effect = |effect: &pliant_study::Effect| Effect {
        parameter: effect.parameter.clone(),
        metric: effect.metric.clone(),
        rank_correlation: effect.rank_correlation,
        variance_share: effect.variance_share,
    };
    let mut warnings: Vec<String> = scan
        .damaged
        .iter()
        .map(|(path, why)| format!("{}: {why}; its rows are left out", path.display()))
        .collect();
    let differing = scan.differing.iter();
    warnings.extend(differing.map(|(case, path)| {
        format!("case {case} has a different result in {}: the first is kept", path.display())
    }));
    let file = |(index, case): (usize, &usize)| {
        let path = study.results_path(*case);
        let inside = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let page = path.with_extension("html");
        let page = page.is_file().then(|| inside(&page));
        path.is_file().then(|| (index, CaseFile { path: inside(&path), page }))
    };
    let front = study.front().map(|of| of.map(|(metric, more)| (metric.to_owned(), more)));
    let manifest = &study.manifest;
    let title = if manifest.title.is_empty() { "Study".to_owned() } else { manifest.title.clone() };
    Ok(Study {
        about: About {
            title,
            source: folder.display().to_string(),
            program: format!("pliant {}", manifest.program),
            created: String::new(),
            remarks: vec![format!("study {}", manifest.hash.chars().take(12).collect::<String>())],
        },
        failures: there.iter().enumerate().filter_map(reason).collect(),
        missing: scan.rows.len() - there.len(),
        cases: there.iter().map(|case| u32::try_from(*case).unwrap_or(u32::MAX)).collect(),
        effects: findings.effects.iter().map(effect).collect(),
        columns,
        warnings,
        files: there.iter().enumerate().filter_map(file).collect(),
        folder: folder.display().to_string(),
        sobol_base: manifest.sobol_base,
        front,
    })
}
