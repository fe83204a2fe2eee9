//! Which plots a run has.

mod analyses;
mod energy;
mod history;
mod joints;
mod overlay;
mod tip;

pub(crate) use overlay::overlaid;

use serde::Serialize;

use super::Run;
use crate::array::{Arrays, Reference};
use crate::page::escape;
use crate::quantity::Scale;
use crate::thin::{LIMIT, Thinning};

/// A plot as `assets/plot.js` takes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlotData {
    id: String,
    title: String,
    x_title: String,
    x_name: String,
    x_units: String,
    y_title: String,
    y_units: String,
    x_log: bool,
    y_log: bool,
    /// y begins at zero.
    from_zero: bool,
    /// x is the time of the machine.
    time: bool,
    series: Vec<SeriesData>,
    bands: Vec<Band>,
    markers: Vec<Marker>,
    note: Option<String>,
}

#[derive(Serialize)]
struct SeriesData {
    name: String,
    dash: &'static str,
    colour: Option<String>,
    x: Reference,
    y: Reference,
}

#[derive(Serialize)]
struct Band {
    from: f64,
    to: f64,
    label: String,
}

#[derive(Serialize)]
struct Marker {
    x: f64,
    label: String,
    row: u32,
}

/// Times shared by the plots of a run.
struct Time {
    reference: Reference,
    thinning: Thinning,
    count: usize,
}

/// A line of a plot: name, dash, colour, values in SI.
struct Line<'a> {
    name: String,
    dash: &'static str,
    colour: Option<usize>,
    values: &'a [f64],
}

impl<'a> Line<'a> {
    fn solid(name: impl Into<String>, values: &'a [f64]) -> Self {
        Self { name: name.into(), dash: "solid", colour: None, values }
    }
}

/// Plots that lay the analyses of a run over each other; none of a single one.
pub(super) fn of_analyses(run: &Run, arrays: &mut Arrays) -> Vec<PlotData> {
    analyses::all(&run.analyses, arrays)
}

/// Positions of the figures.
pub(crate) fn markup(plots: &[PlotData]) -> String {
    let figure =
        |plot: &PlotData| format!("<figure class=\"plot\" id=\"plot-{}\"></figure>\n", escape(&plot.id));
    format!("<div class=\"plots\">\n{}</div>\n", plots.iter().map(figure).collect::<String>())
}

/// All plots that the run has numbers for.
pub(super) fn all(run: &Run, arrays: &mut Arrays) -> Vec<PlotData> {
    if run.times.is_empty() {
        return Vec::new();
    }
    let thinning = Thinning::of(run.times.len(), LIMIT);
    let time = Time { reference: arrays.f64(&thinning.times(&run.times)), thinning, count: run.times.len() };
    let mut plots = Vec::new();
    if let Some(found) = &run.tip {
        plots.extend(tip::error(run, found, &time, arrays));
        plots.extend(tip::settling(run, found, arrays));
        plots.extend(tip::residual_spectrum(run, found, arrays));
    }
    plots.extend(joints::motion(run, &time, arrays));
    for joint in &run.joints {
        plots.extend(joints::torque(joint, plots.len(), &time, arrays));
    }
    plots.extend(history::all(&run.histories, &time, arrays));
    energy::all(run, &time, arrays, &mut plots);
    plots
}

/// A plot over time; lines that do not cover all times are left out.
fn over_time(
    id: String,
    title: String,
    y_name: &str,
    lines: Vec<Line<'_>>,
    scale: &Scale,
    time: &Time,
    arrays: &mut Arrays,
) -> Option<PlotData> {
    let series: Vec<SeriesData> = lines
        .into_iter()
        .filter(|line| line.values.len() == time.count)
        .map(|line| SeriesData {
            name: line.name,
            dash: line.dash,
            colour: line.colour.map(|k| format!("var(--s{k})")),
            x: time.reference,
            y: arrays.single(&scale.apply(&time.thinning.values(line.values))),
        })
        .collect();
    let note = time.thinning.is_thinned().then(|| {
        "Least and greatest values of short stretches; every sample is in the results file.".to_owned()
    });
    PlotData::over_time(id, title, y_name, scale, series).map(|plot| PlotData { note, ..plot })
}

impl PlotData {
    /// Series over the time of the machine, on plain axes; `None` without any.
    fn over_time(
        id: String,
        title: String,
        y_name: &str,
        scale: &Scale,
        series: Vec<SeriesData>,
    ) -> Option<Self> {
        (!series.is_empty()).then(|| Self {
            id,
            title,
            x_title: "time (s)".to_owned(),
            x_name: "time".to_owned(),
            x_units: "s".to_owned(),
            y_title: format!("{y_name} ({})", scale.units),
            y_units: scale.units.clone(),
            x_log: false,
            y_log: false,
            from_zero: false,
            time: true,
            series,
            bands: Vec::new(),
            markers: Vec::new(),
            note: None,
        })
    }
}
