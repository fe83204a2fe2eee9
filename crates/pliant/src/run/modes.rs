//! The first modes of the machine with the damping they have, at the start and at the end of a run.

use pliant_dynamics::{Settings, State, VibrationMode, vibration_modes, vibration_modes_at};
use pliant_mechanism::Model;
use serde::Serialize;

/// Modes that are reported, from the lowest on.
pub const REPORTED_MODES: usize = 6;

/// A machine of more velocity coordinates has none computed: dense eigenproblems of a thousand take many
/// seconds.
const MOST_COORDINATES: usize = 1000;

/// A mode of small vibration about a pose.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ModeSummary {
    /// Hz.
    pub frequency: f64,
    /// Damping ratio ζ.
    pub ratio: f64,
}

/// The lowest modes at the two ends of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ModesSummary {
    /// About the pose at the start.
    pub start: Vec<ModeSummary>,
    /// About the last pose.
    pub end: Vec<ModeSummary>,
}

fn first(modes: Vec<VibrationMode>) -> Vec<ModeSummary> {
    let summary = |mode: VibrationMode| ModeSummary { frequency: mode.frequency_hz, ratio: mode.ratio };
    modes.into_iter().take(REPORTED_MODES).map(summary).collect()
}

/// The modes where a run starts. A machine that cannot start says why in its run.
pub(super) fn at_start(model: &Model, settings: &Settings) -> Vec<ModeSummary> {
    if model.velocity_count() > MOST_COORDINATES {
        return Vec::new();
    }
    vibration_modes(model, settings).map(first).unwrap_or_default()
}

/// Those of the last state of the run.
pub(super) fn at_end(model: &Model, settings: &Settings, state: &State) -> Vec<ModeSummary> {
    if model.velocity_count() > MOST_COORDINATES {
        return Vec::new();
    }
    vibration_modes_at(model, settings, state).map(first).unwrap_or_default()
}

impl ModesSummary {
    /// Both ends by name.
    pub fn ends(&self) -> [(&'static str, &[ModeSummary]); 2] {
        [("start", &self.start), ("end", &self.end)]
    }
}
