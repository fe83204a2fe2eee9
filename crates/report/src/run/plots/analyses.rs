//! The analyses of a run over each other: nonlinear, linear, quasi-static, rigid.

use super::tip::norm;
use super::{PlotData, SeriesData};
use crate::array::Arrays;
use crate::quantity::{Scale, largest};
use crate::run::Analysis;
use crate::thin::{LIMIT, Thinning};

/// Dashes, so that lines that lie on each other are distinguished.
const DASHES: [&str; 4] = ["solid", "dashed", "dotted", "dashed"];

/// A line: of which analysis, over its times, in SI.
pub(super) struct Curve<'a> {
    pub(super) of: usize,
    pub(super) name: &'a str,
    pub(super) times: &'a [f64],
    pub(super) values: Vec<f64>,
}

/// A curve of each analysis that has one.
fn curves<'a>(analyses: &'a [Analysis], of: impl Fn(&Analysis) -> Option<Vec<f64>>) -> Vec<Curve<'a>> {
    let curve = |(k, analysis): (usize, &'a Analysis)| {
        let values = of(analysis).filter(|values| values.len() == analysis.times.len())?;
        Some(Curve { of: k, name: &analysis.kind, times: &analysis.times, values })
    };
    analyses.iter().enumerate().filter_map(curve).collect()
}

/// Tip errors, their differences from the first analysis, and torques.
pub(super) fn all(analyses: &[Analysis], arrays: &mut Arrays) -> Vec<PlotData> {
    let [first, _, ..] = analyses else { return Vec::new() };
    let mut plots = Vec::new();
    let size = curves(analyses, |analysis| Some(norm(&analysis.error, [0.0; 3])));
    let largest_size = size.iter().map(|curve| largest(&curve.values)).fold(0.0, f64::max);
    plots.extend(plot("analyses-tip", "Size of the tip error".to_owned(), "error", "m", size, arrays));
    for (c, axis) in ["x", "y", "z"].iter().enumerate() {
        let along = curves(analyses, |analysis| Some(analysis.error[c].clone()));
        // A planar machine has nothing but rounding across its plane.
        if along.iter().any(|curve| largest(&curve.values) > 1e-6 * largest_size) {
            let title = format!("Tip error along {axis}");
            plots.extend(plot(&format!("analyses-tip-{axis}"), title, "error", "m", along, arrays));
        }
    }
    let away = curves(analyses, |analysis| {
        let comparable = analysis.times == first.times && analysis.kind != first.kind;
        let less = |c: usize| analysis.error[c].iter().zip(&first.error[c]).map(|(a, b)| a - b).collect();
        comparable.then(|| norm(&[0, 1, 2].map(less), [0.0; 3]))
    });
    let title = format!("Distance of the tip from that of the {} analysis", first.kind);
    plots.extend(plot("analyses-away", title, "distance", "m", away, arrays));
    for (k, drive) in first.drives.iter().enumerate() {
        let of = |analysis: &Analysis| {
            analysis.drives.iter().find(|other| other.name == drive.name).map(|other| other.values.clone())
        };
        let (title, word, units) =
            if drive.is_angle { ("Torque", "torque", "N m") } else { ("Force", "force", "N") };
        let id = format!("analyses-drive-{k}");
        let title = format!("{title}: {}", drive.name);
        plots.extend(plot(&id, title, word, units, curves(analyses, of), arrays));
    }
    plots
}

pub(super) fn plot(
    id: &str,
    title: String,
    y_name: &str,
    units: &str,
    curves: Vec<Curve<'_>>,
    arrays: &mut Arrays,
) -> Option<PlotData> {
    let scale = Scale::of(curves.iter().map(|curve| largest(&curve.values)).fold(0.0, f64::max), units);
    let series: Vec<SeriesData> = curves
        .into_iter()
        .map(|curve| {
            let thinning = Thinning::of(curve.times.len(), LIMIT);
            SeriesData {
                name: curve.name.to_owned(),
                dash: DASHES[curve.of % DASHES.len()],
                // The same colour for an analysis in all plots.
                colour: Some(format!("var(--s{})", curve.of % 8)),
                x: arrays.f64(&thinning.times(curve.times)),
                y: arrays.single(&scale.apply(&thinning.values(&curve.values))),
            }
        })
        .collect();
    PlotData::over_time(id.to_owned(), title, y_name, &scale, series)
}
