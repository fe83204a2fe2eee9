//! What commands on a pipeline file share: they read it, reduce its links, work, and print one report.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant::facts::{DiagnosticFacts, LinkFacts, diagnostics};
use pliant::links::MachineLink;
use pliant::{Case, LoadFailure};
use pliant_diag::{Diagnostics, Warned};
use pliant_pipeline::PipelineFile;
use pliant_store::{FileKind, Output};
use serde::Serialize;

use super::links::{machine_links, print_problems};
use crate::Common;
use crate::terminal::Style;

/// Options of the results file and of the cache.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Replace a file of another kind that Pliant wrote; other files are never replaced
    #[arg(long)]
    pub(super) force: bool,
    /// Reduce every link again and store nothing in the cache
    #[arg(long)]
    pub(super) no_cache: bool,
}

/// What a command did to a case.
pub(super) struct Done<T> {
    pub(super) outcome: T,
    /// The results file, once it is complete.
    pub(super) results: Option<PathBuf>,
}

/// The outcome of a command, for text and JSON.
pub(super) struct Report<T> {
    file: PipelineFile,
    /// With locations in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    /// None when the case or its links are bad.
    pub(super) done: Option<Done<T>>,
    /// Of the complete command.
    pub(super) seconds: f64,
}

/// Reduces the links of a case and works on it, each only when the step before went well.
pub(super) fn report<T>(
    start: Instant,
    loaded: Result<Warned<Case>, Box<LoadFailure>>,
    (path, kind): (PathBuf, FileKind),
    options: &Options,
    common: &Common,
    work: impl FnOnce(&Case, &[Arc<MachineLink>], PathBuf, &mut Diagnostics) -> Done<T>,
) -> Report<T> {
    let (mut links, mut done) = (Vec::new(), None);
    let (file, diagnostics) = match loaded {
        Ok(Warned { output: case, mut diagnostics }) => {
            let target = Output { path: &path, kind, force: options.force };
            let made;
            (made, links) = machine_links(&case, target, options.no_cache, common, &mut diagnostics);
            done = made.map(|links| work(&case, &links, path, &mut diagnostics));
            (case.into_file(), diagnostics)
        }
        Err(failure) => (failure.file, failure.diagnostics),
    };
    Report { file, diagnostics, links, done, seconds: start.elapsed().as_secs_f64() }
}

/// The document that every such command prints, with the facts of its own.
#[derive(Serialize)]
struct Document<F> {
    pipeline: String,
    /// The results file; null when there is none.
    results: Option<String>,
    #[serde(flatten)]
    facts: F,
    diagnostics: Vec<DiagnosticFacts>,
}

impl<T> Report<T> {
    /// No error, and every link may be used.
    pub(super) fn is_good(&self) -> bool {
        !self.diagnostics.has_errors() && self.links.iter().all(LinkFacts::is_good)
    }

    fn results(&self) -> Option<&PathBuf> {
        self.done.as_ref()?.results.as_ref()
    }

    /// For people: problems first, then what `facts` prints unless they want quiet, then the results file.
    pub(super) fn print<W: Write>(
        &self,
        out: &mut W,
        style: Style,
        quiet: bool,
        facts: impl FnOnce(&mut W, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        print_problems(out, style, (&self.diagnostics, &self.links), &self.file.sources, quiet)?;
        let Some(done) = self.done.as_ref().filter(|_| !quiet) else { return Ok(()) };
        facts(out, &done.outcome)?;
        match &done.results {
            Some(path) => writeln!(out, "{} {}", style.bold("results"), path.display()),
            None => Ok(()),
        }
    }

    /// For programs.
    pub(super) fn print_json(&self, out: &mut impl Write, facts: impl Serialize) -> io::Result<()> {
        let mut all = diagnostics(&self.diagnostics, &self.file.sources);
        for link in &self.links {
            all.extend(diagnostics(&link.deck, &link.sources));
            all.extend(diagnostics(&link.request, &self.file.sources));
        }
        let document = Document {
            pipeline: self.file.path.display().to_string(),
            results: self.results().map(|path| path.display().to_string()),
            facts,
            diagnostics: all,
        };
        crate::terminal::json(out, &document)
    }
}
