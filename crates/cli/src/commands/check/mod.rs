//! `pliant check DECK…`: what is in a deck, and what is wrong with it.

mod facts;
mod json;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use pliant_diag::Severity;

use super::Outcome;
use crate::Common;
use crate::deck::DeckOptions;
use crate::terminal::output;

pub(crate) use facts::Facts;

/// Arguments of `pliant check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Decks (bulk data files); their INCLUDEs are read with them
    #[arg(required = true, value_name = "DECK")]
    decks: Vec<PathBuf>,
    #[command(flatten)]
    reading: DeckOptions,
}

/// Checks one deck after another; a bad one does not stop the rest.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let (mut out, style) = output();
    let mut outcome = Outcome::Good;
    let mut report = json::Report::new(arguments.decks.len());
    for (i, deck) in arguments.decks.iter().enumerate() {
        let facts = Facts::of(deck, &arguments.reading);
        if facts.diagnostics.has_errors() {
            outcome = Outcome::Bad;
        }
        if common.json {
            report.push(&facts);
        } else {
            if i > 0 && !common.quiet {
                writeln!(out)?;
            }
            text::print(&mut out, style, &facts, common.quiet)?;
            out.flush()?;
        }
    }
    if common.json {
        report.print(&mut out)?;
    } else if arguments.decks.len() > 1 && !common.quiet {
        writeln!(out)?;
    }
    out.flush()?;
    Ok(outcome)
}

/// `2 errors, 1 warning`; `no problems`.
fn problem_summary(facts: &Facts) -> String {
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let parts: Vec<String> = counts
        .iter()
        .map(|(severity, name)| (facts.diagnostics.count(*severity), name))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| crate::number::counted(count, name))
        .collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}
