//! The commands, one file or folder each.

pub(crate) mod buckling;
pub(crate) mod cache;
mod case;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod export;
pub(crate) mod import;
mod links;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod modes;
pub(crate) mod new;
pub(crate) mod part;
pub(crate) mod recover;
pub(crate) mod reduce;
pub(crate) mod report;
pub(crate) mod response;
mod robot;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod show;
mod solve;
pub(crate) mod statics;
pub(crate) mod study;
pub(crate) mod view;

use std::io;
use std::path::{Path, PathBuf};

use crate::Common;
use crate::guarded;
use crate::terminal::complain;

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Read decks and report what they contain and what is wrong with them
    Check(check::Arguments),
    /// Compute the natural frequencies of a deck
    Modes(modes::Arguments),
    /// Compute the linear static response to the loads and constraints of a deck
    Static(statics::Arguments),
    /// Compute the buckling load factors of the loads of a deck
    Buckling(buckling::Arguments),
    /// Write a mesh in another format: bulk data, Gmsh, Abaqus, Ansys, universal file, VTK
    Convert(convert::Arguments),
    /// Draw the machine of a pipeline file before anything is computed, its problems where they are
    View(view::Arguments),
    /// List solids, holes and plane faces of a STEP file with the names that a pipeline file can use
    Inspect(part::InspectArguments),
    /// Mesh a STEP file with gmsh and write the deck
    Mesh(part::MeshArguments),
    /// Reduce the links of a pipeline file, report on their health and fill the cache
    Reduce(reduce::Arguments),
    /// Reduce the links of a pipeline file, move the machine and report how well its tip follows
    Run(run::Arguments),
    /// Compute modes, frequency responses and state space of the machine at poses
    Response(response::Arguments),
    /// Print an overview of results: metrics, curves, warnings
    Show(show::Arguments),
    /// Compare results: metrics side by side, and how far curves differ
    Compare(compare::Arguments),
    /// Export results as CSV, a MAT-file or channels of fatigue programs, deformed shapes for ParaView or as
    /// bulk data; a machine as URDF
    Export(export::Arguments),
    /// Make a results file of what an interrupted run has written
    Recover(recover::Arguments),
    /// Write one HTML page of results: numbers, plots, the machine in 3D
    Report(report::Arguments),
    /// Continue a study
    Resume(study::ResumeArguments),
    /// Print the progress of a study
    Status(study::FolderArguments),
    /// Cancel the cluster jobs of a study
    Cancel(study::FolderArguments),
    /// Merge the finished cases of a study into one file
    Merge(study::FolderArguments),
    /// A task of an array job
    #[command(hide = true)]
    Worker(study::WorkerArguments),
    /// List, measure or prune the cache of reduced links
    Cache(cache::Arguments),
    /// Create a folder with the pipeline file of a robot description (URDF)
    Import(import::Arguments),
    /// Create a folder with an example that runs
    New(new::Arguments),
    /// Write a pipeline file in the present format
    Migrate(migrate::Arguments),
    /// Print the JSON schema of the pipeline file, or its reference page
    Schema(schema::Arguments),
    /// Write shell completions and manual pages into a folder
    #[command(hide = true)]
    Manual(manual::Arguments),
}

impl Command {
    /// The HDF5 file that it reads, when that may come from anywhere. The folder of a study holds text.
    fn results_file(&self) -> Option<&Path> {
        match self {
            Self::Show(arguments) => Some(&arguments.file),
            Self::Compare(arguments) => arguments.files.first().map(PathBuf::as_path),
            // A pipeline file, of which a robot description is made, is text.
            Self::Export(arguments) => Some(arguments.file.as_path()).filter(|_| arguments.urdf.is_none()),
            Self::Report(arguments) => Some(arguments.results.as_path()).filter(|path| !path.is_dir()),
            Self::Recover(arguments) => Some(&arguments.part),
            _ => None,
        }
    }

    /// The folders that a reader of results writes into.
    fn output_folders(&self) -> Vec<&Path> {
        fn of(path: &Path) -> &Path {
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
        }
        match self {
            Self::Export(a) => [&a.csv, &a.mat, &a.channels, &a.vtkhdf]
                .into_iter()
                .flatten()
                .map(|path| of(path))
                .chain(a.bulk.as_deref())
                .collect(),
            Self::Compare(a) => a.out.iter().map(|out| of(out)).collect(),
            Self::Report(a) => vec![of(a.out.as_ref().unwrap_or(&a.results))],
            Self::Recover(a) => vec![of(a.out.as_ref().unwrap_or(&a.part))],
            _ => Vec::new(),
        }
    }
}

/// How a command ended, when it could start at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All well.
    Good,
    /// The input, or some of the cases, are bad; what was wrong has been said.
    Bad,
}

/// Runs a command. Exit 0: all well; 1: the input or some cases are bad; 2: could not start.
pub(crate) fn run(command: Command, common: &Common) -> u8 {
    if let Some(file) = command.results_file() {
        if !guarded::is_child() {
            return guarded::run(file, &command.output_folders());
        }
        guarded::limit(file);
    }
    let outcome = match command {
        Command::Check(arguments) => check::run(&arguments, common),
        Command::Modes(arguments) => modes::run(&arguments, common),
        Command::Static(arguments) => statics::run(&arguments, common),
        Command::Buckling(arguments) => buckling::run(&arguments, common),
        Command::View(arguments) => view::run(&arguments, common),
        Command::Inspect(arguments) => part::inspect(&arguments, common),
        Command::Mesh(arguments) => part::mesh(&arguments, common),
        Command::Reduce(arguments) => reduce::run(&arguments, common),
        Command::Run(arguments) => run::run(&arguments, common),
        Command::Response(arguments) => response::run(&arguments, common),
        Command::Show(arguments) => show::run(&arguments, common),
        Command::Compare(arguments) => compare::run(&arguments, common),
        Command::Export(arguments) => export::run(&arguments, common),
        Command::Recover(arguments) => recover::run(&arguments, common),
        Command::Report(arguments) => report::run(&arguments, common),
        Command::Resume(arguments) => study::resume(&arguments, common),
        Command::Status(arguments) => study::status(&arguments, common),
        Command::Cancel(arguments) => study::cancel(&arguments, common),
        Command::Merge(arguments) => study::merge(&arguments, common),
        Command::Convert(arguments) => convert::run(&arguments, common),
        Command::Worker(arguments) => study::work(&arguments, common),
        Command::Cache(arguments) => cache::run(&arguments, common),
        Command::Import(arguments) => import::run(&arguments, common),
        Command::New(arguments) => new::run(&arguments, common),
        Command::Migrate(arguments) => migrate::run(&arguments, common),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Manual(arguments) => manual::run(&arguments),
    };
    match outcome {
        Ok(Outcome::Good) => 0,
        Ok(Outcome::Bad) => 1,
        // Whoever read our output (`head`, for example) has enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            complain(format_args!("error: {error}"));
            2
        }
    }
}
