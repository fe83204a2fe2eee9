//! Which plots a run has.

use serde::Serialize;

use super::{JointMotion, Run, Tip};
use crate::array::{Arrays, Reference};
use crate::page::escape;
use crate::quantity::{Scale, largest, quantity_text, significant};
use crate::spectrum::{Spectrum, spectrum};
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

/// Places of the figures.
pub(super) fn markup(plots: &[PlotData]) -> String {
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
    if let Some(tip) = &run.tip {
        plots.extend(tip_error(run, tip, &time, arrays));
        plots.extend(settling(run, tip, arrays));
        plots.extend(residual_spectrum(run, tip, arrays));
    }
    plots.extend(joints(run, &time, arrays));
    for joint in &run.joints {
        plots.extend(torque(joint, plots.len(), &time, arrays));
    }
    energy(run, &time, arrays, &mut plots);
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
    (!series.is_empty()).then(|| PlotData {
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
        note,
    })
}

fn motion_end(run: &Run) -> Vec<Marker> {
    let last = run.times[run.times.len() - 1];
    let end = run.motion_end.filter(|end| *end > run.times[0] && *end < last);
    end.map(|x| Marker { x, label: "motion ends".to_owned(), row: 0 }).into_iter().collect()
}

fn tip_error(run: &Run, tip: &Tip, time: &Time, arrays: &mut Arrays) -> Option<PlotData> {
    let norm = norm(&tip.error, [0.0; 3]);
    let scale = Scale::of(largest(&norm), "m");
    let mut lines: Vec<Line<'_>> =
        ["x", "y", "z"].iter().zip(&tip.error).map(|(name, values)| Line::solid(*name, values)).collect();
    lines.push(Line { name: "norm".to_owned(), dash: "dashed", colour: Some(7), values: &norm });
    let mut plot = over_time("tip-error".into(), "Tip error".into(), "error", lines, &scale, time, arrays)?;
    plot.markers = motion_end(run);
    Some(plot)
}

/// Norm of the error about a place.
fn norm(error: &[Vec<f64>; 3], about: [f64; 3]) -> Vec<f64> {
    let [x, y, z] = error;
    let at = |((x, y), z): ((&f64, &f64), &f64)| {
        ((x - about[0]).powi(2) + (y - about[1]).powi(2) + (z - about[2]).powi(2)).sqrt()
    };
    x.iter().zip(y).zip(z).map(at).collect()
}

/// The samples after the motion.
fn after_motion(run: &Run) -> std::ops::Range<usize> {
    let first = run.motion_end.map_or(0, |end| run.times.partition_point(|t| *t < end));
    first..run.times.len()
}

fn settling(run: &Run, tip: &Tip, arrays: &mut Arrays) -> Option<PlotData> {
    let settling = tip.settling?;
    let end = run.motion_end?;
    let after = after_motion(run);
    if after.len() < 2 || tip.error[0].len() != run.times.len() {
        return None;
    }
    let mean = |values: &Vec<f64>| values[after.clone()].iter().sum::<f64>() / after.len() as f64;
    let about = if settling.about_final_mean { [0, 1, 2].map(|c| mean(&tip.error[c])) } else { [0.0; 3] };
    let values = norm(&tip.error, about)[after.clone()].to_vec();
    let scale = Scale::of(largest(&values).max(settling.tolerance), "m");
    let thinning = Thinning::of(values.len(), LIMIT);
    let series = SeriesData {
        name: "distance".to_owned(),
        dash: "solid",
        colour: None,
        x: arrays.f64(&thinning.times(&run.times[after])),
        y: arrays.single(&scale.apply(&thinning.values(&values))),
    };
    let settled = tip.numbers.settling_time.filter(|time| *time > 0.0);
    let marker =
        |time: f64| Marker { x: end + time, label: format!("settled: {}", quantity_text(time, "s")), row: 1 };
    Some(PlotData {
        id: "settling".to_owned(),
        title: "Settling after the motion".to_owned(),
        x_title: "time (s)".to_owned(),
        x_name: "time".to_owned(),
        x_units: "s".to_owned(),
        y_title: format!("distance from rest ({})", scale.units),
        y_units: scale.units.clone(),
        x_log: false,
        y_log: false,
        from_zero: true,
        time: true,
        series: vec![series],
        bands: vec![Band {
            from: 0.0,
            to: settling.tolerance * scale.factor,
            label: format!("within {}", quantity_text(settling.tolerance, "m")),
        }],
        markers: settled.map(marker).into_iter().collect(),
        note: Some(if settling.about_final_mean {
            "About the mean error after the motion: residual vibration alone counts.".to_owned()
        } else {
            "About the tip of the rigid machine: a static sag counts.".to_owned()
        }),
    })
}

fn residual_spectrum(run: &Run, tip: &Tip, arrays: &mut Arrays) -> Option<PlotData> {
    let after = after_motion(run);
    run.motion_end?;
    let times = &run.times[after.clone()];
    if times.len() < 16 || tip.error[0].len() != run.times.len() {
        return None;
    }
    let step = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
    // A transform takes equal steps; a thousandth of one moves no peak that can be seen.
    if times.windows(2).any(|pair| (pair[1] - pair[0] - step).abs() > 1e-3 * step) {
        return None;
    }
    let spectra: Vec<Spectrum> =
        tip.error.iter().map(|error| spectrum(&error[after.clone()], step)).collect::<Option<_>>()?;
    let highest = spectra.iter().map(|s| largest(&s.amplitudes)).fold(0.0, f64::max);
    let scale = Scale::of(highest, "m");
    let x = arrays.single(&spectra[0].frequencies_hz);
    let mut peaks: Vec<(f64, f64)> = spectra.iter().flat_map(|s| s.peaks(3)).collect();
    peaks.sort_by(|p, q| q.1.total_cmp(&p.1));
    let mut shown: Vec<(f64, f64)> = Vec::new();
    for peak in peaks {
        if shown.len() < 3 && shown.iter().all(|other| (other.0 - peak.0).abs() > 0.05 * peak.0) {
            shown.push(peak);
        }
    }
    let told: Vec<String> = shown
        .iter()
        .map(|(hz, a)| format!("{} Hz ({})", significant(*hz, 3), quantity_text(*a, "m")))
        .collect();
    let names = ["x", "y", "z"];
    let series = names.iter().zip(&spectra).map(|(name, s)| SeriesData {
        name: (*name).to_owned(),
        dash: "solid",
        colour: None,
        x,
        y: arrays.single(&scale.apply(&s.amplitudes)),
    });
    Some(PlotData {
        id: "spectrum".to_owned(),
        title: "Spectrum of the residual vibration".to_owned(),
        x_title: "frequency (Hz)".to_owned(),
        x_name: "frequency".to_owned(),
        x_units: "Hz".to_owned(),
        y_title: format!("amplitude ({})", scale.units),
        y_units: scale.units.clone(),
        x_log: true,
        y_log: true,
        from_zero: false,
        time: false,
        series: series.collect(),
        bands: Vec::new(),
        markers: Vec::new(),
        note: (!told.is_empty()).then(|| format!("Highest peaks: {}. Hann window.", told.join(", "))),
    })
}

fn joints(run: &Run, time: &Time, arrays: &mut Arrays) -> Vec<PlotData> {
    let mut plots = Vec::new();
    for (is_angle, kind) in [(true, "angles"), (false, "slides")] {
        let of: Vec<&JointMotion> = run.joints.iter().filter(|joint| joint.is_angle == is_angle).collect();
        if of.is_empty() {
            continue;
        }
        let mut positions = Vec::new();
        for (k, joint) in of.iter().enumerate() {
            let colour = Some(k % 8);
            positions.push(Line { colour, ..Line::solid(joint.name.clone(), &joint.position) });
            if !joint.nominal_position.is_empty() {
                let name = format!("{}, rigid", joint.name);
                positions.push(Line { name, dash: "dashed", colour, values: &joint.nominal_position });
            }
        }
        let velocities: Vec<Line<'_>> =
            of.iter().map(|joint| Line::solid(joint.name.clone(), &joint.velocity)).collect();
        let length = |lines: &[Line<'_>]| {
            Scale::of(lines.iter().map(|line| largest(line.values)).fold(0.0, f64::max), "m")
        };
        let (scale, rate) = if is_angle {
            (Scale::degrees(), Scale { units: "°/s".to_owned(), ..Scale::degrees() })
        } else {
            let (scale, rate) = (length(&positions), length(&velocities));
            (scale, Scale { units: format!("{}/s", rate.units), ..rate })
        };
        let id = format!("joint-{kind}");
        plots.extend(over_time(id, format!("Joint {kind}"), "position", positions, &scale, time, arrays));
        let id = format!("joint-rates-{kind}");
        let title = if is_angle { "Joint speeds" } else { "Sliding speeds" };
        plots.extend(over_time(id, title.to_owned(), "speed", velocities, &rate, time, arrays));
    }
    plots
}

fn torque(joint: &JointMotion, place: usize, time: &Time, arrays: &mut Arrays) -> Option<PlotData> {
    let drive = joint.drive.as_ref()?;
    let (title, name, units) =
        if joint.is_angle { ("Torque", "torque", "N m") } else { ("Force", "force", "N") };
    let scale = Scale::of(largest(&drive.flexible).max(largest(&drive.rigid)), units);
    let lines = vec![
        Line::solid("flexible", &drive.flexible),
        Line { name: "rigid".to_owned(), dash: "dashed", colour: Some(1), values: &drive.rigid },
    ];
    over_time(
        format!("torque-{place}"),
        format!("{title}: {}", joint.name),
        name,
        lines,
        &scale,
        time,
        arrays,
    )
}

fn energy(run: &Run, time: &Time, arrays: &mut Arrays, plots: &mut Vec<PlotData>) {
    let Some(energy) = &run.energy else { return };
    // The potential has no zero of its own: shown against the start.
    let start = energy.gravity.first().copied().unwrap_or(0.0);
    let gravity: Vec<f64> = energy.gravity.iter().map(|x| x - start).collect();
    let all = [
        ("kinetic", &energy.kinetic),
        ("strain", &energy.strain),
        ("gravity, from the start", &gravity),
        ("work of drives", &energy.drive_work),
        ("work of loads", &energy.load_work),
        ("dissipated", &energy.dissipated),
    ];
    let scale = Scale::of(all.iter().map(|(_, values)| largest(*values)).fold(0.0, f64::max), "J");
    let lines = all.iter().filter(|(_, values)| largest(*values) > 0.0);
    let lines = lines.map(|(name, values)| Line::solid(*name, values)).collect();
    plots.extend(over_time("energy".into(), "Energy".into(), "energy", lines, &scale, time, arrays));
    let scale = Scale::of(largest(&energy.balance), "J");
    let lines = vec![Line::solid("balance", &energy.balance)];
    if let Some(mut plot) =
        over_time("balance".into(), "Energy balance".into(), "balance", lines, &scale, time, arrays)
    {
        let told = "Stored energy minus works plus losses, minus its value at the start: the error of the integration.";
        plot.note = Some(told.to_owned());
        plots.push(plot);
    }
}
