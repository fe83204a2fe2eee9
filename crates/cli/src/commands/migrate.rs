//! `pliant migrate`: pipeline files in the present format.

use std::io::{self, Write};
use std::path::PathBuf;

use pliant::facts::diagnostics;
use pliant::migrate::migrate;
use pliant_diag::{LARGEST_TABLE, read_text};
use pliant_store::write_file;
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::number::counted;
use crate::render;
use crate::terminal::{complain, emit};

/// Arguments of `pliant migrate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file; it is not changed
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// Write the file in the present format here, instead of standard output; nothing may be there yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing; exit code 1 when something would change
    #[arg(long, conflicts_with = "out")]
    check: bool,
}

/// Prints or writes the file in the present format; what changed goes to standard error.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let path = &arguments.pipeline;
    let shown = path.display();
    let text = match read_text(path, LARGEST_TABLE) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!("error: cannot read {shown}: {error}"));
            return Ok(Outcome::Bad);
        }
    };
    if let Some(out) = arguments.out.as_ref().filter(|out| out.symlink_metadata().is_ok()) {
        let out = out.display();
        complain(format_args!("error: {out} exists already\n   = hint: name a file that does not exist"));
        return Ok(Outcome::Bad);
    }
    let migrated = migrate(path, &text);
    let migration = migrated.output;
    if let (Some(text), Some(out)) = (&migration.text, &arguments.out) {
        write_file(out, text.as_bytes())?;
    }
    let is_bad = migration.text.is_none() || arguments.check && !migration.changes.is_empty();
    let prints = !arguments.check && arguments.out.is_none();
    emit(
        common,
        |out| {
            let facts = json!({
                "pipeline": shown.to_string(),
                "changes": migration.changes,
                "text": migration.text,
                "diagnostics": diagnostics(&migrated.diagnostics, &migration.file.sources),
            });
            crate::terminal::json(out, &facts)
        },
        |out, style| match &migration.text {
            None => {
                render::diagnostics(out, style, &migration.file.sources, &migrated.diagnostics, common.quiet)
            }
            Some(text) if prints => out.write_all(text.as_bytes()),
            Some(_) => Ok(()),
        },
    )?;
    if !common.json && !common.quiet && migration.text.is_some() {
        for change in &migration.changes {
            complain(format_args!("{shown}: {change}"));
        }
        let count = counted(migration.changes.len(), "change");
        complain(format_args!("{shown}: {count}"));
    }
    Ok(if is_bad { Outcome::Bad } else { Outcome::Good })
}
