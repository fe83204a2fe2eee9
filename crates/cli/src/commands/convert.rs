//! `pliant convert A B`: a mesh in another format.

use std::io;
use std::path::PathBuf;

use pliant_diag::{Diagnostic, Warned};
use pliant_exchange::Target;
use pliant_store::{FileKind, Output, write_file};

use super::Outcome;
use crate::Common;
use crate::deck::DeckOptions;
use crate::render;
use crate::terminal::{complain, emit, json};

/// Arguments of `pliant convert`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Bulk data, or a mesh of Gmsh (.msh), Abaqus or CalculiX (.inp), Ansys (.cdb) or a universal file
    /// (.unv)
    #[arg(value_name = "A")]
    from: PathBuf,
    /// What is written; the ending says the format: .bdf, .dat or .nas (bulk data), .msh, .inp, .cdb, .unv or
    /// .vtu (VTK)
    #[arg(value_name = "B")]
    to: PathBuf,
    #[command(flatten)]
    reading: DeckOptions,
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
}

/// Endings of bulk data.
const BULK: [&str; 5] = ["bdf", "dat", "nas", "bulk", "nastran"];

/// Reads, writes, and lists what is lost.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let ending = arguments.to.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let target = Target::of(&arguments.to);
    let is_bulk = BULK.contains(&ending.as_str());
    if target.is_none() && !is_bulk {
        let name = arguments.to.display();
        complain(format_args!(
            "error: the ending of {name} names no format: expected .bdf, {}",
            Target::ENDINGS
        ));
        return Ok(Outcome::Bad);
    }
    let Warned { output: deck, mut diagnostics } = arguments.reading.read(&arguments.from);
    let mut text = String::new();
    if !diagnostics.has_errors() {
        match target {
            Some(target) => {
                let written = pliant_exchange::write(&deck.mesh, target);
                diagnostics.extend(written.diagnostics);
                text = written.output;
            }
            None => match pliant_bulk::inexpressible(&deck.mesh) {
                Some(what) => diagnostics
                    .push(Diagnostic::error(format!("the mesh cannot be written as bulk data: {what}"))),
                None => text = format!("$ Written by pliant\n{}", pliant_bulk::write(&deck.mesh)),
            },
        }
    }
    let kind = if is_bulk { FileKind::Bulk } else { FileKind::Mesh };
    let output = Output { path: &arguments.to, kind, force: arguments.force };
    diagnostics.extend(pliant::refused_target(output, &deck.sources));
    let written =
        if diagnostics.has_errors() { None } else { Some(write_file(&arguments.to, text.as_bytes())) };
    if let Some(Err(error)) = &written {
        diagnostics.push(Diagnostic::error(format!("{}: {error}", arguments.to.display())));
    }
    emit(
        common,
        |out| {
            let file = arguments.to.display().to_string();
            let problems = pliant::facts::diagnostics(&diagnostics, &deck.sources);
            json(out, &serde_json::json!({ "file": file, "diagnostics": problems }))
        },
        |out, style| render::diagnostics(out, style, &deck.sources, &diagnostics, common.quiet),
    )?;
    Ok(if diagnostics.has_errors() { Outcome::Bad } else { Outcome::Good })
}
