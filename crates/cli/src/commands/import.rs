//! `pliant import ROBOT.urdf`: a robot description as a folder with a pipeline file.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use pliant_diag::{LARGEST_TABLE, read_text};
use pliant_store::write_file;
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::render;
use crate::terminal::{complain, emit};

/// Arguments of `pliant import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A robot description (URDF)
    #[arg(value_name = "ROBOT")]
    robot: PathBuf,
    /// The folder to make; it must not be there yet. The name of the robot when left out
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the folder. Nothing that is there is touched.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let text = match read_text(&arguments.robot, LARGEST_TABLE) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!("error: {}: {error}", arguments.robot.display()));
            return Ok(Outcome::Bad);
        }
    };
    let (read, sources) = pliant_robot::read(&arguments.robot, text);
    let mut diagnostics = read.diagnostics;
    let mut text = String::new();
    if !diagnostics.has_errors() {
        let written = pliant_robot::pipeline(&read.output);
        diagnostics.extend(written.diagnostics);
        text = written.output;
    }
    let safe = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let folder = arguments
        .out
        .clone()
        .unwrap_or_else(|| read.output.name.chars().map(safe).collect::<String>().into());
    let shown = folder.display().to_string();
    let pipeline = folder.join("machine.toml");
    let mut failed = diagnostics.has_errors();
    if !failed
        && let Err(error) = fs::create_dir(&folder).and_then(|()| write_file(&pipeline, text.as_bytes()))
    {
        complain(format_args!("error: {shown}: {error}"));
        failed = true;
    }
    emit(
        common,
        |out| {
            let problems = pliant::facts::diagnostics(&diagnostics, &sources);
            let made = (!failed).then(|| pipeline.display().to_string());
            writeln!(out, "{}", json!({ "folder": shown, "pipeline": made, "diagnostics": problems }))
        },
        |out, style| {
            render::diagnostics(out, style, &sources, &diagnostics, common.quiet)?;
            if !failed && !common.quiet {
                writeln!(
                    out,
                    "{shown}: {}; run it with: pliant run {}",
                    read.output.name,
                    pipeline.display()
                )?;
            }
            Ok(())
        },
    )?;
    Ok(if failed { Outcome::Bad } else { Outcome::Good })
}
