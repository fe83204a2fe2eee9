//! The facts for people, on a terminal of a hundred columns.

use std::io::{self, Write};

use pliant::facts::{LinkFacts, ReducedFacts};
use pliant_reduce::Completeness;

use super::super::links::print_problems;
use super::Facts;
use crate::number::{bytes, count, counted, real, seconds};
use crate::terminal::Style;

/// Columns of the names of links; a longer one is cut.
const NAME: usize = 16;
/// Frequencies shown of a link.
const SHOWN: usize = 6;

/// Problems first, then a row for each link, then frequencies, then the sum.
pub(super) fn print(out: &mut impl Write, style: Style, facts: &Facts<'_>, quiet: bool) -> io::Result<()> {
    print_problems(out, style, (&facts.diagnostics, &facts.links), facts.sources, quiet)?;
    if quiet || facts.links.is_empty() {
        return Ok(());
    }
    links(out, style, facts)?;
    frequencies(out, style, facts)?;
    completeness(out, style, facts)?;
    summary(out, style, facts)
}

fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return format!("{name:NAME$}");
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

fn links(out: &mut impl Write, style: Style, facts: &Facts<'_>) -> io::Result<()> {
    let head = format!(
        "  {:NAME$} {:>9} {:>7} {:>9} {:>8} {:>8} {:>8} {:>14}  {:>10}",
        "link", "dof", "kept", "mass kg", "m error", "I error", "ground", "eff. mass xyz", "time"
    );
    writeln!(out, "{}", style.faint(head.trim_end()))?;
    for link in &facts.links {
        let mark = if link.is_good() { style.green("✓") } else { style.red("✗") };
        let name = style.bold(&short(&link.name));
        let row = link.reduced.as_ref().map_or_else(|| style.red("no link"), |reduced| row(link, reduced));
        writeln!(out, "{mark} {name} {row}")?;
    }
    Ok(())
}

fn row(link: &LinkFacts, reduced: &ReducedFacts) -> String {
    let health = &reduced.health;
    // Nothing to compare with.
    let compared = |error: f64| match link.kind {
        "rigid" | "imported" => "-".to_owned(),
        _ => format!("{error:.0e}"),
    };
    let grounding = if link.kind == "rigid" { "-".to_owned() } else { format!("{:.0e}", health.grounding) };
    let modes = health.coordinates - reduced.interface_dofs;
    let kept = format!("{}+{modes}", reduced.interface_dofs);
    let effective: Vec<_> = health.effective_mass.iter().map(|part| format!("{:.0}", 100.0 * part)).collect();
    let effective = if effective.is_empty() { "-".to_owned() } else { format!("{} %", effective.join(" ")) };
    let time = if reduced.from_cache { "cached".to_owned() } else { seconds(reduced.seconds) };
    format!(
        "{:>9} {kept:>7} {:>9} {:>8} {:>8} {grounding:>8} {effective:>14}  {time:>10}",
        count(health.mesh_dofs),
        narrow(health.mass),
        compared(health.mass_error),
        compared(health.inertia_error),
    )
}

/// A number in at most nine columns.
fn narrow(number: f64) -> String {
    let text = real(number);
    if text.len() <= 9 { text } else { format!("{number:.2e}") }
}

fn frequencies(out: &mut impl Write, style: Style, facts: &Facts<'_>) -> io::Result<()> {
    let compared: Vec<_> = facts
        .links
        .iter()
        .filter_map(|link| Some((link, link.reduced.as_ref()?)))
        .filter(|(_, reduced)| !reduced.health.frequencies_hz.is_empty())
        .collect();
    if compared.is_empty() {
        return Ok(());
    }
    let title = "  free-free elastic frequencies (Hz): full mesh, and error of the reduced link";
    writeln!(out, "\n{}", style.faint(title))?;
    for (link, reduced) in compared {
        beside_full(out, style, &link.name, &reduced.health.frequencies_hz)?;
    }
    if !facts.joined.is_empty() {
        let title = "  segments joined again: full mesh of the entire deck, and error of the joined segments";
        writeln!(out, "{}", style.faint(title))?;
    }
    facts.joined.iter().try_for_each(|joined| beside_full(out, style, &joined.name, &joined.frequencies_hz))
}

/// Whether modes may be missing, for links that have modes; links with the same answer share a line.
fn completeness(out: &mut impl Write, style: Style, facts: &Facts<'_>) -> io::Result<()> {
    let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
    for link in &facts.links {
        let Some(reduced) = link.reduced.as_ref() else { continue };
        let found = &reduced.health.completeness;
        if *found == Completeness::NoModes {
            continue;
        }
        let answer = match found {
            Completeness::Proven { .. } => "proven by a Sturm count".to_owned(),
            other => other.to_string(),
        };
        match answers.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, names)) => names.push(&link.name),
            None => answers.push((answer, vec![&link.name])),
        }
    }
    if answers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.faint("  completeness: no mode is missing up to the last one kept"))?;
    for (answer, names) in answers {
        let all = answers_for(&names, facts.links.len());
        writeln!(out, "  {} {answer}", style.bold(&short(&all)))?;
    }
    Ok(())
}

/// The links that an answer is for, in the width of a name.
fn answers_for(names: &[&str], links: usize) -> String {
    match names {
        [one] => (*one).to_owned(),
        [first, ..] if names.len() < links => format!("{first} + {}", names.len() - 1),
        _ => format!("{} links", names.len()),
    }
}

/// Frequencies of the full mesh, and below them the errors of others.
fn beside_full(out: &mut impl Write, style: Style, name: &str, pairs: &[(f64, f64)]) -> io::Result<()> {
    let shown = &pairs[..pairs.len().min(SHOWN)];
    let full: Vec<_> = shown.iter().map(|(_, full)| format!("{:>12}", real(*full))).collect();
    let errors: Vec<_> = shown.iter().map(|(found, full)| format!("{:>12}", error(*found, *full))).collect();
    writeln!(out, "  {} {}", style.bold(&short(name)), full.concat())?;
    writeln!(out, "  {:NAME$} {}", "", errors.concat())
}

/// The relative error in words that fit a column.
fn error(reduced: f64, full: f64) -> String {
    if full > 0.0 { format!("{:+.0e}", reduced / full - 1.0) } else { "-".to_owned() }
}

fn summary(out: &mut impl Write, style: Style, facts: &Facts<'_>) -> io::Result<()> {
    let bad = facts.links.iter().filter(|link| !link.is_good()).count();
    let cached = facts.links.iter().filter_map(|link| link.reduced.as_ref()).filter(|r| r.from_cache).count();
    let mut parts = vec![counted(facts.links.len(), "link")];
    if bad > 0 {
        parts.push(style.red(&format!("{bad} not usable")));
    }
    if cached > 0 {
        parts.push(format!("{cached} from the cache"));
    }
    parts.push(seconds(facts.seconds));
    parts.extend(facts.peak_memory.map(|memory| format!("peak memory {}", bytes(memory))));
    writeln!(out, "\n{}", parts.join(", "))?;
    match facts.cache {
        Some(folder) => writeln!(out, "{}", style.faint(&format!("cache: {}", folder.display()))),
        None => Ok(()),
    }
}
