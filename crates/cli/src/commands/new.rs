//! `pliant new NAME`: a starting folder that runs as it is.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant_store::write_file;
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::terminal::{complain, output};

/// Arguments of `pliant new`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder to create; it must not exist yet
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

/// The pipeline file of the folder.
const PIPELINE: &str = "machine.toml";

/// What the folder holds.
const FILES: [(&str, &str); 2] = [
    (PIPELINE, include_str!("../../templates/machine.toml")),
    ("upper.bdf", include_str!("../../templates/upper.bdf")),
];

/// Makes the folder. Nothing that is there is touched.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let folder = &arguments.name;
    let shown = folder.display();
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| about(parent, &error))?;
    }
    if let Err(error) = fs::create_dir(folder) {
        if error.kind() == io::ErrorKind::AlreadyExists {
            complain(format_args!("error: {shown} exists already\n   = hint: choose another name"));
            return Ok(Outcome::Bad);
        }
        return Err(about(folder, &error));
    }
    for (name, text) in FILES {
        let path = folder.join(name);
        if let Err(error) = write_file(&path, text.as_bytes()) {
            // The folder was made by this command.
            let _ = fs::remove_dir_all(folder);
            complain(format_args!("error: {}", about(&path, &error)));
            return Ok(Outcome::Bad);
        }
    }
    let pipeline = folder.join(PIPELINE);
    let (mut out, _) = output();
    if common.json {
        let files: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
        let (folder, pipeline) = (shown.to_string(), pipeline.display().to_string());
        writeln!(out, "{}", json!({ "folder": folder, "pipeline": pipeline, "files": files }))?;
    } else if !common.quiet {
        writeln!(out, "{shown}: a two-link arm, one link from a Nastran deck, one a beam")?;
        writeln!(out, "run it with: pliant run {}", pipeline.display())?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The error with the path it is about.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
