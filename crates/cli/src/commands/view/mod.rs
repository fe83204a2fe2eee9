//! `pliant view PIPELINE`: the machine of a file as a page, before anything is computed.

mod http;
mod serve;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant::Viewed;
use pliant_report::Severity;
use pliant_store::{FileKind, Output, may_write, write_file};
use serde::Serialize;

use super::Outcome;
use crate::Common;
use crate::number::{bytes, counted};
use crate::terminal::{complain, json, output};

/// Arguments of `pliant view`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file; what is wrong in it is left out of the picture and marked
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// The page (results/PIPELINE.view.html when left out)
    #[arg(long, short, value_name = "FILE", conflicts_with = "serve")]
    out: Option<PathBuf>,
    /// Serve the page on this computer instead, made anew whenever the file or a deck is saved, until Ctrl-C
    #[arg(long)]
    serve: bool,
    /// For --serve: the port (a free one when left out)
    #[arg(long, value_name = "PORT", requires = "serve", default_value_t = 0)]
    port: u16,
    /// Replace files of other kinds that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

/// The facts for machines.
#[derive(Serialize)]
struct Facts {
    pipeline: String,
    /// Null when none could be written.
    view: Option<String>,
    bytes: u64,
    links: usize,
    errors: usize,
    warnings: usize,
    /// Null when all went well.
    error: Option<String>,
}

/// Reads, draws, writes or serves.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    if arguments.serve {
        return serve::serve(&arguments.pipeline, arguments.port, common);
    }
    let Viewed { page, files, has_errors } = pliant::view(&arguments.pipeline);
    let count = |severity| page.problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let links = page.machine.as_ref().map_or(0, |machine| machine.parts.len());
    let path = arguments.out.clone().unwrap_or_else(|| default_path(&arguments.pipeline));
    let written = write(&path, arguments.force, &files, || page.into_html());
    let (mut facts, unwritten) = (
        Facts {
            pipeline: arguments.pipeline.display().to_string(),
            view: None,
            bytes: 0,
            links,
            errors,
            warnings,
            error: None,
        },
        written.is_err(),
    );
    match written {
        Ok(size) => (facts.view, facts.bytes) = (Some(path.display().to_string()), size),
        Err(error) => facts.error = Some(format!("{} cannot be written: {error}", path.display())),
    }
    let (mut out, _) = output();
    if common.json {
        json(&mut out, &facts)?;
    } else if let Some(error) = &facts.error {
        complain(format_args!("error: {error}"));
    } else if !common.quiet {
        let found = summary(errors, warnings);
        writeln!(
            out,
            "view: {} ({}), {}, {found}",
            path.display(),
            bytes(facts.bytes),
            counted(links, "link")
        )?;
    }
    out.flush()?;
    Ok(if has_errors || unwritten { Outcome::Bad } else { Outcome::Good })
}

/// `2 errors, 1 warning`.
fn summary(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (0, 0) => "no problems".to_owned(),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

fn write(path: &Path, force: bool, inputs: &[PathBuf], html: impl FnOnce() -> String) -> io::Result<u64> {
    let target = Output { path, kind: FileKind::Report, force };
    may_write(target, inputs.iter().map(PathBuf::as_path))?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let html = html();
    write_file(path, html.as_bytes())?;
    Ok(html.len() as u64)
}

/// Beside the results of runs.
fn default_path(pipeline: &Path) -> PathBuf {
    let stem = pipeline.file_stem().unwrap_or_default().to_string_lossy();
    Path::new("results").join(format!("{stem}.view.html"))
}
