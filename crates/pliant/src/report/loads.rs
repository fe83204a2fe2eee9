//! What joints, bearings and force elements of a run carry.

use pliant_report::{History, LoadRow};
use pliant_store::results::{ResultsError, ResultsFile, Series};

use super::run::optional;

/// A row for each joint and force element whose load is kept, the largest forces first.
pub(super) fn loads(file: &ResultsFile, times: &[f64]) -> Result<Vec<LoadRow>, ResultsError> {
    let mut rows = Vec::new();
    for symbol in file.symbols()?.unwrap_or_default().all {
        let name = symbol.name.replace('/', "_");
        let load = match optional(file, &format!("/joints/{name}/load"))? {
            Some(load) => Some(load),
            None => optional(file, &format!("/forces/{name}/load"))?,
        };
        let row =
            |force, moment| LoadRow { name: symbol.name.clone(), kind: symbol.kind.clone(), force, moment };
        if let Some(load) = load.filter(|load| load.width() == 6) {
            rows.push(row(largest(&load, 0..3, times), Some(largest(&load, 3..6, times))));
        } else if let Some(push) = optional(file, &format!("/forces/{name}/push"))? {
            rows.push(row(largest(&push, 0..1, times), None));
        } else if let Some(reaction) = optional(file, &format!("/forces/{name}/reaction"))? {
            rows.push(row(largest(&reaction, 0..3, times), None));
        }
    }
    // A bearing carries what its joint does.
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    for symbol in file.symbols()?.unwrap_or_default().all.iter().filter(|symbol| symbol.kind == "bearing") {
        let joint = symbol.name.trim_end_matches(": bearing");
        if let Some(k) = names.iter().position(|name| name == joint) {
            rows[k].kind.push_str(", bearing");
        }
    }
    rows.sort_by(|a, b| b.force.0.total_cmp(&a.force.0));
    Ok(rows)
}

/// The largest size of some components, and when.
fn largest(series: &Series, components: std::ops::Range<usize>, times: &[f64]) -> (f64, f64) {
    let sizes = sizes(series, components);
    let worst = (0..sizes.len()).max_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
    worst.map_or((0.0, f64::NAN), |k| (sizes[k], times.get(k).copied().unwrap_or(f64::NAN)))
}

fn sizes(series: &Series, components: std::ops::Range<usize>) -> Vec<f64> {
    let size = |row: &[f64]| row[components.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
    series.values.chunks_exact(series.width()).map(size).collect()
}

/// Forces and moments of joints over time, and pushes of force elements.
pub(super) fn histories(file: &ResultsFile) -> Result<Vec<History>, ResultsError> {
    let (mut forces, mut moments, mut pushes) = (Vec::new(), Vec::new(), Vec::new());
    for joint in file.joints("") {
        let Some(load) = optional(file, &format!("/joints/{joint}/load"))? else { continue };
        if load.width() == 6 {
            forces.push((joint.clone(), sizes(&load, 0..3)));
            moments.push((joint, sizes(&load, 3..6)));
        }
    }
    for force in file.names("/forces") {
        if let Some(push) = optional(file, &format!("/forces/{force}/push"))? {
            pushes.push((force, push.values));
        }
    }
    let plot = |title: &str, quantity: &str, units: &str, lines, note: &str| History {
        title: title.to_owned(),
        quantity: quantity.to_owned(),
        units: units.to_owned(),
        lines,
        note: Some(note.to_owned()),
    };
    let given = "Size of what each joint gives to its child.";
    let all = [
        plot("Forces in joints", "force", "N", forces, given),
        plot("Moments in joints", "moment", "N m", moments, given),
        plot("Force elements and rods", "force", "N", pushes, "Pushes are positive, tension is negative."),
    ];
    Ok(all.into_iter().filter(|plot| !plot.lines.is_empty()).collect())
}
