//! Headline numbers and tables, readable without a script.

use super::{Analysis, Energy, ExtremeElement, Extremes, Input, LinkHealth, LoadRow, MachineMode, Run};
use crate::page::{Tone, card, escape, messages, table};
use crate::quantity::{count, largest, quantity, quantity_text, significant};

/// Cards, and the table of drives.
pub(super) fn summary(run: &Run) -> String {
    let mut cards = String::new();
    tip(run, &mut cards);
    for of in &run.extremes {
        let Some(worst) = of.elements.first() else { continue };
        let when = quantity_text(worst.time, "s");
        let note = format!("{}, element {}, at {when}", worst.link, worst.element);
        let title = format!("Peak {}", of.quantity);
        cards.push_str(&card(&title, quantity(worst.value, &of.units), &note, Tone::Plain));
    }
    // In equilibria no work is integrated, and there is no balance.
    let moves = |energy: &&Energy| {
        [&energy.kinetic, &energy.drive_work, &energy.load_work]
            .into_iter()
            .any(|values| largest(values) > 0.0)
    };
    if let Some(energy) = run.energy.as_ref().filter(moves) {
        let worst = largest(&energy.balance);
        let moved = largest(&energy.kinetic).max(largest(&energy.strain)).max(largest(&energy.drive_work));
        let share = if moved > 0.0 { worst / moved } else { 0.0 };
        let note = format!("{} of the largest energy", percent(share));
        let tone = if share > 1e-2 { Tone::Warn } else { Tone::Good };
        cards.push_str(&card("Largest energy error", quantity(worst, "J"), &note, tone));
    }
    if let Some(solver) = &run.solver {
        let mean = solver.iterations as f64 / solver.steps.max(1) as f64;
        let mut note = format!("{} iterations a step", significant(mean, 2));
        for (number, what) in [(solver.cuts, "halved"), (solver.rejected, "rejected")] {
            if number > 0 {
                note.push_str(&format!(", {} {what}", count(number)));
            }
        }
        if let Some(seconds) = solver.seconds {
            note.push_str(&format!(", {}", quantity_text(seconds, "s")));
        }
        cards.push_str(&card("Steps", (count(solver.steps), String::new()), &note, Tone::Plain));
    }
    let (note, tone) = match run.warnings.len() {
        0 => ("nothing to report", Tone::Good),
        _ => ("listed below", Tone::Warn),
    };
    cards.push_str(&card("Warnings", (count(run.warnings.len() as u64), String::new()), note, tone));
    format!("<div class=\"cards\">\n{cards}</div>\n{}{}", drives(run), modes(run))
}

/// The first modes of the machine with the damping they have.
fn modes(run: &Run) -> String {
    let cells = |mode: Option<(f64, f64)>| match mode {
        // ζ = −1: it grows without oscillation.
        Some((_, ratio)) if ratio <= -1.0 => ["unstable".to_owned(), significant(ratio, 3)],
        Some((hz, ratio)) => [format!("{} Hz", significant(hz, 4)), significant(ratio, 3)],
        None => ["–".to_owned(), "–".to_owned()],
    };
    let row = |(k, mode): (usize, &MachineMode)| {
        let [start, start_ratio] = cells(mode.start);
        let [end, end_ratio] = cells(mode.end);
        vec![(k + 1).to_string(), start, start_ratio, end, end_ratio]
    };
    let rows: Vec<Vec<String>> = run.modes.iter().enumerate().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    table("Modes of the machine", &["mode of the machine", "at the start", "ζ", "at the end", "ζ"], &rows)
}

/// Labels are the names of the catalogue of metrics, with blanks.
fn tip(run: &Run, cards: &mut String) {
    let Some(tip) = &run.tip else { return };
    let numbers = &tip.numbers;
    let mut add = |label: &str, value: Option<f64>, units: &str, note: String, tone| {
        if let Some(value) = value {
            cards.push_str(&card(label, quantity(value, units), &note, tone));
        }
    };
    let when = numbers.peak_time.map_or(String::new(), |t| format!("at {}", quantity_text(t, "s")));
    add("Tip peak error", numbers.peak, "m", when, Tone::Plain);
    add("Tip rms error", numbers.rms, "m", format!("{} against the rigid machine", tip.name), Tone::Plain);
    add(
        "Tip peak rotation",
        numbers.peak_rotation,
        "rad",
        "against the rigid machine".to_owned(),
        Tone::Plain,
    );
    let after =
        run.motion_end.map_or("after the motion".to_owned(), |t| format!("after {}", quantity_text(t, "s")));
    add("Tip residual error", numbers.residual_peak, "m", after, Tone::Plain);
    if let Some(settling) = &tip.settling {
        let about = if settling.about_final_mean { "about its final mean" } else { "about the rigid tip" };
        let note = format!("within {} {about}", quantity_text(settling.tolerance, "m"));
        match numbers.settling_time {
            Some(time) => cards.push_str(&card("Tip settling time", quantity(time, "s"), &note, Tone::Good)),
            None => {
                let never = ("not settled within the run".to_owned(), String::new());
                cards.push_str(&card("Tip settling time", never, &note, Tone::Bad));
            }
        }
    }
}

fn drives(run: &Run) -> String {
    let mut rows = Vec::new();
    for joint in &run.joints {
        let Some(drive) = &joint.drive else { continue };
        let units = if joint.is_angle { "N m" } else { "N" };
        let rms =
            |values: &[f64]| (values.iter().map(|x| x * x).sum::<f64>() / values.len().max(1) as f64).sqrt();
        let (flexible, rigid) = (largest(&drive.flexible), largest(&drive.rigid));
        let no_rigid = drive.rigid.is_empty();
        let text = |value: f64| if no_rigid { "–".to_owned() } else { quantity_text(value, units) };
        let ratio =
            if no_rigid || rigid == 0.0 { "–".to_owned() } else { significant(flexible / rigid, 3) };
        rows.push(vec![
            escape(&joint.name),
            quantity_text(flexible, units),
            text(rigid),
            ratio,
            quantity_text(rms(&drive.flexible), units),
            text(rms(&drive.rigid)),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["drive", "peak, flexible", "peak, rigid", "flexible / rigid", "rms, flexible", "rms, rigid"];
    table("Torques of the drives", &heads, &rows)
}

/// What each analysis comes to.
pub(super) fn analyses(analyses: &[Analysis]) -> String {
    let mut heads: Vec<String> = [
        "analysis",
        "tip peak error",
        "tip peak time",
        "tip rms error",
        "tip residual error",
        "tip settling time",
    ]
    .map(str::to_owned)
    .to_vec();
    let drives = analyses.first().map_or(&[][..], |first| &first.drives[..]);
    heads.extend(drives.iter().map(|drive| format!("drive peak {}", escape(&drive.name))));
    heads.extend(["solver steps", "solver seconds"].map(str::to_owned));
    let text = |value: Option<f64>, units: &str| value.map_or("–".to_owned(), |x| quantity_text(x, units));
    let row = |analysis: &Analysis| {
        let n = &analysis.numbers;
        let mut row = vec![
            escape(&analysis.kind),
            text(n.peak, "m"),
            text(n.peak_time, "s"),
            text(n.rms, "m"),
            text(n.residual_peak, "m"),
            text(n.settling_time, "s"),
        ];
        for drive in drives {
            let units = if drive.is_angle { "N m" } else { "N" };
            let found = analysis.drives.iter().find(|other| other.name == drive.name);
            row.push(text(found.map(|found| largest(&found.values)), units));
        }
        row.push(analysis.solver.map_or("–".to_owned(), |solver| count(solver.steps)));
        row.push(text(analysis.solver.and_then(|solver| solver.seconds), "s"));
        row
    };
    let rows: Vec<Vec<String>> = analyses.iter().map(row).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    table("Analyses compared", &heads, &rows)
}

/// The elements of largest stress or strain.
pub(super) fn extremes(of: &Extremes) -> String {
    let limits = of.elements.iter().any(|one| one.allowable.is_some());
    let row = |one: &ExtremeElement| {
        let property = if one.property == 0 { "–".to_owned() } else { one.property.to_string() };
        let mut row = vec![
            format!("{}, element {}", escape(&one.link), one.element),
            property,
            quantity_text(one.value, &of.units),
            quantity_text(one.time, "s"),
        ];
        if limits {
            let (allowed, margin) = match one.allowable {
                Some(allowed) if one.value > 0.0 => {
                    let margin = allowed / one.value - 1.0;
                    let class = if margin < 0.0 { "badge bad" } else { "badge good" };
                    let text = significant(margin, 3);
                    (quantity_text(allowed, &of.units), format!("<span class=\"{class}\">{text}</span>"))
                }
                Some(allowed) => (quantity_text(allowed, &of.units), "–".to_owned()),
                None => ("–".to_owned(), "–".to_owned()),
            };
            row.extend([allowed, margin]);
        }
        row
    };
    let rows: Vec<Vec<String>> = of.elements.iter().map(row).collect();
    let largest = format!("{}, largest", of.what);
    let title = format!("Largest {}", of.quantity);
    let mut heads = vec!["element", "property", &largest, "at"];
    if limits {
        heads.extend(["allowed", "margin"]);
    }
    let table = table(&title, &heads, &rows);
    format!("<h3 class=\"above\">{}</h3>\n{table}", escape(&title))
}

/// Health of the links.
pub(super) fn links(links: &[LinkHealth]) -> String {
    let optional = |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map_or("–".to_owned(), show);
    let number = |value: Option<u64>| value.map_or("–".to_owned(), count);
    let rows: Vec<Vec<String>> = links
        .iter()
        .map(|link| {
            let state = if link.failed.is_empty() {
                "<span class=\"badge good\">healthy</span>".to_owned()
            } else {
                format!("<span class=\"badge bad\">{}</span>", escape(&link.failed.join("; ")))
            };
            let first = link.first_frequency.map_or("–".to_owned(), |(reduced, full)| {
                let off = signed_percent((reduced - full) / full);
                format!("{} Hz <span class=\"muted\">({off})</span>", significant(reduced, 4))
            });
            let error = |value| optional(value, &|x| significant(x, 2));
            let modes: Vec<String> = link.modes_hz.iter().take(4).map(|hz| significant(*hz, 3)).collect();
            let more = if link.modes_hz.len() > 4 { ", …" } else { "" };
            let modes =
                if modes.is_empty() { "–".to_owned() } else { format!("{}{more}", modes.join(", ")) };
            vec![
                escape(&link.name),
                state,
                optional(link.mass, &|mass| format!("{} kg", significant(mass, 4))),
                number(link.mesh_dofs),
                number(link.coordinates),
                modes,
                first,
                error(link.mass_error),
                error(link.inertia_error),
                error(link.grounding),
            ]
        })
        .collect();
    let heads = [
        "link",
        "state",
        "mass",
        "mesh components",
        "kept",
        "modes (Hz)",
        "first free–free (against mesh)",
        "mass error",
        "inertia error",
        "grounding",
    ];
    table("Health of the links", &heads, &rows)
}

/// Warnings in words.
pub(super) fn warnings(warnings: &[String]) -> String {
    if warnings.is_empty() {
        return "<p class=\"muted\">None.</p>\n".to_owned();
    }
    messages(warnings)
}

/// Files and their hashes.
pub(super) fn inputs(inputs: &[Input]) -> String {
    let row = |input: &Input| {
        let hash = format!("<span class=\"hash\">{}</span>", escape(&input.sha256));
        vec![format!("<code>{}</code>", escape(&input.path)), hash]
    };
    let rows: Vec<Vec<String>> = inputs.iter().map(row).collect();
    table("Input files", &["file", "SHA-256"], &rows)
}

/// With its sign, to a hundredth; what rounds to nothing has none.
fn signed_percent(share: f64) -> String {
    match format!("{:+.2}", 100.0 * share).as_str() {
        "+0.00" | "-0.00" => "0 %".to_owned(),
        text => format!("{} %", text.replace('-', "−")),
    }
}

/// What joints, bearings and force elements carry at most.
pub(super) fn loads(loads: &[LoadRow]) -> String {
    let row = |load: &LoadRow| {
        let quantity =
            |(value, at): (f64, f64), units: &str| [quantity_text(value, units), quantity_text(at, "s")];
        let [force, force_at] = quantity(load.force, "N");
        let none = || ["–".to_owned(), "–".to_owned()];
        let [moment, moment_at] = load.moment.map_or_else(none, |moment| quantity(moment, "N m"));
        vec![escape(&load.name), escape(&load.kind), force, force_at, moment, moment_at]
    };
    let rows: Vec<Vec<String>> = loads.iter().map(row).collect();
    let heads = ["joint or element", "kind", "largest force", "at", "largest moment", "at"];
    table("Loads of joints, bearings and force elements", &heads, &rows)
}

fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(signed_percent(-1e-6), "0 %");
        assert_eq!(signed_percent(4e-5), "0 %");
        assert_eq!(signed_percent(-0.0123), "−1.23 %");
        assert_eq!(signed_percent(0.005), "+0.50 %");
    }
}
