//! `pliant export FILE`: results as other files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant::export::{bulk, channels, csv, mat};
use pliant_store::results::ResultsError;
use pliant_store::{FileKind, Output, may_write};

use super::Outcome;
use crate::Common;
use crate::guarded;
use crate::terminal::{complain, output};

/// Arguments of `pliant export`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("to").required(true).multiple(true))]
#[command(group = clap::ArgGroup::new("chosen").multiple(true).args(["csv", "channels"]))]
pub(crate) struct Arguments {
    /// The results file; with --urdf, the pipeline file
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// All numbers over time as tidy CSV: one row for each time, quantity and component
    #[arg(long, value_name = "FILE", group = "to")]
    pub(super) csv: Option<PathBuf>,
    /// Channels for fatigue programs, one column each: stress of the elements kept over time and strain of
    /// gauges, or what --only chooses; RPC III where the name ends in .rsp, .rpc or .tim, else CSV
    #[arg(long, value_name = "FILE", group = "to")]
    pub(super) channels: Option<PathBuf>,
    /// For --csv and --channels: only quantities whose path begins with it, such as `tip` or `joints/elbow`
    #[arg(long, value_name = "PATH", requires = "chosen")]
    only: Vec<String>,
    /// All numbers over time and all metrics as a MAT-file: variables such as `tip_error`, a row for each
    /// time
    #[arg(long, value_name = "FILE", group = "to")]
    pub(super) mat: Option<PathBuf>,
    /// The deformed shapes alone, for ParaView
    #[arg(long, value_name = "FILE", group = "to")]
    pub(super) vtkhdf: Option<PathBuf>,
    /// A bulk data file for each deformed shape: GRIDs at their positions, and PLOTELs along the edges of
    /// the elements
    #[arg(long, value_name = "FOLDER", group = "to")]
    pub(super) bulk: Option<PathBuf>,
    /// The machine of a pipeline file with rigid links as a robot description (URDF)
    #[arg(long, value_name = "FILE", group = "to", conflicts_with_all = ["csv", "mat", "vtkhdf", "bulk"])]
    pub(super) urdf: Option<PathBuf>,
    /// Replace files of other kinds that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

/// Exports all that is asked for.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    if let Some(target) = &arguments.urdf {
        let output = Output { path: target, kind: FileKind::Robot, force: arguments.force };
        return super::robot::run(&arguments.file, output, common);
    }
    match export(arguments, common) {
        Ok(()) => Ok(Outcome::Good),
        Err(error) => {
            complain(format_args!("error: {error}"));
            Ok(Outcome::Bad)
        }
    }
}

/// Each output has its own file: the second would replace the first without a word.
fn distinct(arguments: &Arguments) -> Result<(), ResultsError> {
    let targets: Vec<&PathBuf> = [&arguments.csv, &arguments.mat, &arguments.channels, &arguments.vtkhdf]
        .into_iter()
        .flatten()
        .collect();
    // Two names of a file that is not there yet differ by their folders alone.
    let canonical = |path: &PathBuf| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (folder.canonicalize().ok(), path.file_name().map(ToOwned::to_owned))
    };
    for (k, path) in targets.iter().enumerate() {
        if targets[..k].iter().any(|other| canonical(other) == canonical(path)) {
            let message = "two outputs have this name; choose different ones".to_owned();
            return Err(ResultsError::Unknown { path: (*path).clone(), message });
        }
    }
    Ok(())
}

fn export(arguments: &Arguments, common: &Common) -> Result<(), ResultsError> {
    distinct(arguments)?;
    let file = guarded::open(&arguments.file)?;
    let io_error = |path: &PathBuf| {
        let path = path.clone();
        move |source: io::Error| ResultsError::Io { path: path.clone(), source }
    };
    let report = |path: &PathBuf, what: String| -> Result<(), ResultsError> {
        if !common.quiet {
            let mut out = output().0;
            writeln!(out, "{}: {what}", path.display()).and_then(|()| out.flush()).map_err(io_error(path))?;
        }
        Ok(())
    };
    let targets = [
        (&arguments.csv, FileKind::Csv),
        (&arguments.mat, FileKind::Mat),
        (&arguments.channels, FileKind::Channels),
        (&arguments.vtkhdf, FileKind::Shapes),
    ];
    for (path, kind) in targets.iter().filter_map(|(path, kind)| Some((path.as_ref()?, *kind))) {
        let target = Output { path, kind, force: arguments.force };
        may_write(target, [arguments.file.as_path()]).map_err(io_error(path))?;
    }
    if let Some(path) = &arguments.csv {
        let rows = csv(&file, path, &arguments.only, io_error(path))?;
        report(path, format!("{} rows", crate::number::count(rows)))?;
    }
    if let Some(path) = &arguments.mat {
        let variables = mat(&file, path, io_error(path))?;
        report(path, format!("{} variables", crate::number::count(variables)))?;
    }
    if let Some(path) = &arguments.channels {
        let count = channels(&file, path, &arguments.only, io_error(path))?;
        report(path, crate::number::counted(count, "channel"))?;
    }
    if let Some(path) = &arguments.vtkhdf {
        file.export_vtk(path)?;
        report(path, "deformed shapes".to_owned())?;
    }
    if let Some(folder) = &arguments.bulk {
        let frames = bulk(&file, folder, arguments.force, io_error(folder))?;
        report(folder, crate::number::counted(frames, "deck"))?;
    }
    Ok(())
}
