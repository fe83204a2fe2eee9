//! The tip: its error, how it settles, what it vibrates at.

use super::{Band, Line, Marker, PlotData, SeriesData, Time, over_time};
use crate::array::Arrays;
use crate::quantity::{Scale, largest, quantity_text, significant};
use crate::run::{Run, Tip};
use crate::spectrum::{Spectrum, spectrum};
use crate::thin::{LIMIT, Thinning};

fn motion_end(run: &Run) -> Vec<Marker> {
    let last = run.times[run.times.len() - 1];
    let end = run.motion_end.filter(|end| *end > run.times[0] && *end < last);
    end.map(|x| Marker { x, label: "motion ends".to_owned(), row: 0 }).into_iter().collect()
}

/// Components and size of the error.
pub(super) fn error(run: &Run, tip: &Tip, time: &Time, arrays: &mut Arrays) -> Option<PlotData> {
    let norm = norm(&tip.error, [0.0; 3]);
    let scale = Scale::of(largest(&norm), "m");
    let mut lines: Vec<Line<'_>> =
        ["x", "y", "z"].iter().zip(&tip.error).map(|(name, values)| Line::solid(*name, values)).collect();
    lines.push(Line { name: "norm".to_owned(), dash: "dashed", colour: Some(7), values: &norm });
    let mut plot = over_time("tip-error".into(), "Tip error".into(), "error", lines, &scale, time, arrays)?;
    plot.markers = motion_end(run);
    Some(plot)
}

/// Norm of the error about a position.
pub(super) fn norm(error: &[Vec<f64>; 3], about: [f64; 3]) -> Vec<f64> {
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

/// How far the tip is from its rest after the motion, with the band that counts as settled.
pub(super) fn settling(run: &Run, tip: &Tip, arrays: &mut Arrays) -> Option<PlotData> {
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
    let (id, title) = ("settling".to_owned(), "Settling after the motion".to_owned());
    let plot = PlotData::over_time(id, title, "distance from rest", &scale, vec![series])?;
    Some(PlotData {
        from_zero: true,
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
        ..plot
    })
}

/// Spectra of the error after the motion.
pub(super) fn residual_spectrum(run: &Run, tip: &Tip, arrays: &mut Arrays) -> Option<PlotData> {
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
        // A thousandth of the highest is seen by nobody.
        if shown.len() < 3
            && peak.1 > 1e-3 * highest
            && shown.iter().all(|other| (other.0 - peak.0).abs() > 0.05 * peak.0)
        {
            shown.push(peak);
        }
    }
    let reported: Vec<String> = shown
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
        note: (!reported.is_empty()).then(|| format!("Highest peaks: {}. Hann window.", reported.join(", "))),
    })
}
