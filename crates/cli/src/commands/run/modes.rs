//! The first modes of the machine with the damping they have, at the start and at the end of a run.

use std::io::{self, Write};

use pliant_dynamics::{Settings, State, VibrationMode, vibration_modes, vibration_modes_at};
use pliant_mechanism::Model;
use serde::Serialize;

use crate::number::real;
use crate::terminal::Style;

/// Modes that are reported.
const SHOWN: usize = 6;

/// A machine of more velocity coordinates has none computed: dense eigenproblems of a thousand take many seconds.
const MOST_COORDINATES: usize = 1000;

/// A mode of small vibration about a pose.
#[derive(Clone, Copy, Serialize)]
pub(super) struct ModeReport {
    /// Hz.
    pub(super) frequency: f64,
    /// ζ.
    pub(super) ratio: f64,
}

/// The lowest modes at the two ends of a run.
#[derive(Clone, Default, Serialize)]
pub(super) struct ModesReport {
    pub(super) start: Vec<ModeReport>,
    pub(super) end: Vec<ModeReport>,
}

fn first(modes: Vec<VibrationMode>) -> Vec<ModeReport> {
    let report = |mode: VibrationMode| ModeReport { frequency: mode.frequency_hz, ratio: mode.ratio };
    modes.into_iter().take(SHOWN).map(report).collect()
}

/// The modes where a run starts. A machine that cannot start says why in its run.
pub(super) fn at_start(model: &Model, settings: &Settings) -> ModesReport {
    let mut found = ModesReport::default();
    if model.velocity_count() <= MOST_COORDINATES {
        found.start = vibration_modes(model, settings).map(first).unwrap_or_default();
    }
    found
}

impl ModesReport {
    /// Adds those of the last state of the run.
    pub(super) fn at_end(&mut self, model: &Model, settings: &Settings, state: &State) {
        if model.velocity_count() <= MOST_COORDINATES {
            self.end = vibration_modes_at(model, settings, state).map(first).unwrap_or_default();
        }
    }

    /// Both ends by name.
    pub(super) fn ends(&self) -> [(&'static str, &[ModeReport]); 2] {
        [("start", &self.start), ("end", &self.end)]
    }

    pub(super) fn print(&self, out: &mut impl Write, style: Style) -> io::Result<()> {
        for (end, modes) in self.ends().into_iter().filter(|(_, modes)| !modes.is_empty()) {
            let one = |mode: &ModeReport| {
                let text = format!("{} Hz (ζ {})", real(mode.frequency), real(mode.ratio));
                if mode.ratio < 0.0 { style.yellow(&format!("{text} grows")) } else { text }
            };
            let all: Vec<String> = modes.iter().map(one).collect();
            writeln!(out, "{} at the {end}: {}", style.bold("modes"), all.join(", "))?;
        }
        Ok(())
    }
}
