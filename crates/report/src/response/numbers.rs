//! Headline numbers and tables, readable without a script.

use super::{MarginRow, ModeRow, Response};
use crate::page::{Tone, card, escape, table};
use crate::quantity::{count, quantity, significant};

/// A mode in a few words.
pub(super) fn mode_label(k: usize, mode: &ModeRow) -> String {
    let hz = match (mode.frequency > 0.0, mode.grows) {
        (true, _) => format!("{} Hz", significant(mode.frequency, 4)),
        (false, true) => "grows".to_owned(),
        (false, false) => "free".to_owned(),
    };
    format!("{}: {hz}, {}", k + 1, mode.label)
}

/// A share; less than a hundredth of a percent is left out.
fn share_text(share: f64) -> String {
    if share < 5e-5 { "0".to_owned() } else { format!("{} %", significant(100.0 * share, 3)) }
}

pub(super) fn summary(response: &Response) -> String {
    let mut cards = String::new();
    let mut add = |label: &str, value: (String, String), note: &str, tone| {
        cards.push_str(&card(label, value, note, tone));
    };
    let first: Vec<f64> = response.tracks.iter().flatten().copied().filter(|hz| *hz > 0.0).collect();
    if let Some(lowest) = first.iter().copied().reduce(f64::min) {
        add("Lowest frequency", quantity(lowest, "Hz"), "without damping, over all poses", Tone::Plain);
    }
    let damped = response.modes.iter().filter_map(|mode| mode.damped).map(|(_, ratio)| ratio);
    if let Some(least) = damped.reduce(f64::min) {
        let tone = if least < 0.0 { Tone::Bad } else { Tone::Plain };
        let note = format!("of the modes at pose {}", response.modes_pose + 1);
        add("Smallest damping ratio", (significant(least, 3), String::new()), &note, tone);
    }
    if let Some(worst) = response.margins.iter().min_by(|a, b| a.disk.0.total_cmp(&b.disk.0)) {
        let unstable = response.margins.iter().find(|row| !row.stable);
        match unstable {
            Some(row) => add("Servo loops", ("unstable".to_owned(), String::new()), &row.servo, Tone::Bad),
            None => {
                let note = format!("{}, pose {}", worst.servo, worst.disk.1);
                // 0.5 is 30° and a factor of 1.7 at once: what textbooks take for sound.
                let tone = if worst.disk.0 < 0.5 { Tone::Warn } else { Tone::Good };
                add("Smallest disk margin", (significant(worst.disk.0, 3), String::new()), &note, tone);
            }
        }
    }
    add("Poses", (count(response.poses.len() as u64), String::new()), "", Tone::Plain);
    format!("<div class=\"cards\">\n{cards}</div>\n")
}

pub(super) fn modes(response: &Response) -> String {
    let drives: Vec<String> = response
        .modes
        .first()
        .map(|mode| mode.drives.iter().map(|(name, _)| name.clone()).collect())
        .unwrap_or_default();
    let heads = ["mode", "Hz", "with damping", "ζ", "energy of deformation"];
    let shares: Vec<String> = drives.iter().map(|drive| format!("inertia of {}", escape(drive))).collect();
    let heads: Vec<&str> = heads.into_iter().chain(shares.iter().map(String::as_str)).collect();
    let row = |(k, mode): (usize, &ModeRow)| {
        let (hz, ratio) = match mode.damped {
            Some((hz, ratio)) => (significant(hz, 5), significant(ratio, 3)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        let hz_undamped = match (mode.frequency > 0.0, mode.grows) {
            (true, _) => significant(mode.frequency, 5),
            (false, true) => "grows".to_owned(),
            (false, false) => "free".to_owned(),
        };
        let mut cells = vec![(k + 1).to_string(), hz_undamped, hz, ratio, escape(&mode.label)];
        cells.extend(mode.drives.iter().map(|(_, share)| share_text(*share)));
        cells
    };
    let rows: Vec<Vec<String>> = response.modes.iter().enumerate().map(row).collect();
    let pose = response.poses.get(response.modes_pose).map_or(String::new(), |pose| escape(pose));
    format!("<p class=\"muted\">{pose}</p>\n{}", table("Modes", &heads, &rows))
}

pub(super) fn margins(response: &Response) -> String {
    let many = response.poses.len() > 1;
    let at = |text: String, pose: usize, value: f64| match many && value.is_finite() {
        true => format!("{text} (pose {pose})"),
        false => text,
    };
    let row = |row: &MarginRow| {
        if !row.stable {
            return vec![
                escape(&row.servo),
                "unstable".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
            ];
        }
        let db = |(factor, pose): (f64, usize)| {
            let known = factor.is_finite() && factor > 0.0;
            known.then(|| at(format!("{} dB", significant(20.0 * factor.log10(), 3)), pose, factor))
        };
        let gain: Vec<String> = [row.gain, row.gain_reduction].into_iter().filter_map(db).collect();
        let gain = if gain.is_empty() { "none".to_owned() } else { gain.join(", ") };
        let phase = format!("{} °", significant(row.phase.0.to_degrees(), 3));
        vec![
            escape(&row.servo),
            gain,
            at(phase, row.phase.1, row.phase.0),
            at(format!("{} ms", significant(1e3 * row.delay.0, 4)), row.delay.1, row.delay.0),
            at(significant(row.disk.0, 3), row.disk.1, row.disk.0),
        ]
    };
    let rows: Vec<Vec<String>> = response.margins.iter().map(row).collect();
    table("Margins", &["servo", "gain margin", "phase margin", "delay margin", "disk margin"], &rows)
}
