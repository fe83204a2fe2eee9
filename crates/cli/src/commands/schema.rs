//! `pliant schema`: the keys of a pipeline file, for editors and for people.

use std::io::{self, Write};

use pliant_pipeline::{file_reference, file_schema};

use super::Outcome;

/// Arguments of `pliant schema`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The reference page in Markdown instead of the JSON schema
    #[arg(long)]
    page: bool,
}

/// Prints the schema or the page.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Outcome> {
    let text = if arguments.page { file_reference() } else { file_schema() };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Outcome::Good)
}
