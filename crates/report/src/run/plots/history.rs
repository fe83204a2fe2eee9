//! Stress, forces and strain of chosen elements over time.

use super::{Line, PlotData, Time, over_time};
use crate::array::Arrays;
use crate::quantity::{Scale, largest};
use crate::run::History;

/// One plot for each history.
pub(super) fn all(histories: &[History], time: &Time, arrays: &mut Arrays) -> Vec<PlotData> {
    let plot = |(k, history): (usize, &History)| {
        let largest = history.lines.iter().map(|(_, values)| largest(values)).fold(0.0, f64::max);
        let scale = Scale::of(largest, &history.units);
        let lines = history.lines.iter().map(|(name, values)| Line::solid(name.clone(), values)).collect();
        let (id, title) = (format!("history-{k}"), history.title.clone());
        let mut plot = over_time(id, title, &history.quantity, lines, &scale, time, arrays)?;
        if plot.note.is_none() {
            plot.note.clone_from(&history.note);
        }
        Some(plot)
    };
    histories.iter().enumerate().filter_map(plot).collect()
}
