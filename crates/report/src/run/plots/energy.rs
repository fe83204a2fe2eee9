//! Energies and their balance.

use super::{Line, PlotData, Time, over_time};
use crate::array::Arrays;
use crate::quantity::{Scale, largest};
use crate::run::Run;

pub(super) fn all(run: &Run, time: &Time, arrays: &mut Arrays, plots: &mut Vec<PlotData>) {
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
        let reported = "Stored energy minus works plus losses, minus its value at the start: the error of the integration.";
        plot.note = Some(reported.to_owned());
        plots.push(plot);
    }
}
