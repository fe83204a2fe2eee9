//! `pliant reduce PIPELINE`: the links of a pipeline file, reduced, with their health.

mod export;
mod json;
mod text;
mod work;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant::facts::LinkFacts;
use pliant::segments::Joined;
use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_store::Cache;

use super::Outcome;
use crate::Common;
use crate::terminal::emit;

/// Arguments of `pliant reduce`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// Reduce every link again and store nothing in the cache
    #[arg(long)]
    no_cache: bool,
    /// Write each link for another code and read it again: `sid` (SID_FEM), `exudyn` (.npz), `simscape`
    /// (.mat), `mbdyn` (.fem), `dmig` (bulk data), `op4`; or `mesh`, its mesh with the spiders of its
    /// interfaces as bulk data. Several are separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = export::kind)]
    export: Vec<export::Kind>,
    /// The folder that --export writes into
    #[arg(long, value_name = "DIR", default_value = ".", requires = "export")]
    into: PathBuf,
}

/// The outcome, for text and JSON.
struct Facts<'a> {
    path: &'a Path,
    /// The pipeline file's text.
    sources: &'a SourceMap,
    /// Of the pipeline file.
    diagnostics: Diagnostics,
    /// In file order.
    links: Vec<LinkFacts>,
    /// Decks that are cut.
    joined: Vec<Joined>,
    cache: Option<&'a Path>,
    seconds: f64,
    /// Of this process, in bytes, where the system reports it.
    peak_memory: Option<u64>,
}

/// Reduces all links; a bad one does not stop the rest.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let read = pliant_pipeline::read(&arguments.pipeline);
    let mut diagnostics = read.diagnostics;
    // An export needs the mesh, which the cache does not keep.
    let wanted = !arguments.no_cache && !arguments.export.contains(&export::Kind::Mesh);
    let cache = if wanted { user_cache(&mut diagnostics) } else { None };
    if !arguments.export.is_empty() {
        std::fs::create_dir_all(&arguments.into)?;
    }
    let (mut links, mut joined) = (Vec::new(), Vec::new());
    if !diagnostics.has_errors()
        && let Some(table) = &read.output.table
    {
        if table.links.is_empty() {
            diagnostics.push(Diagnostic::warning("the file has no links"));
        }
        let asked = pliant_machine::links(&read.output);
        diagnostics.extend(asked.diagnostics);
        let work = work::Work {
            file: &read.output,
            links: &asked.output,
            cache: cache.as_ref(),
            export: &arguments.export,
            into: &arguments.into,
            show_progress: !common.quiet && !common.json,
        };
        (links, joined) = work.all();
    }
    let facts = Facts {
        path: &arguments.pipeline,
        sources: &read.output.sources,
        diagnostics,
        links,
        joined,
        cache: cache.as_ref().map(Cache::folder),
        seconds: start.elapsed().as_secs_f64(),
        peak_memory: peak_memory(),
    };
    emit(common, |out| json::print(out, &facts), |out, style| text::print(out, style, &facts, common.quiet))?;
    let good = !facts.diagnostics.has_errors() && facts.links.iter().all(LinkFacts::is_good);
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

pub(super) fn user_cache(diagnostics: &mut Diagnostics) -> Option<Cache> {
    let cache = Cache::of_user();
    if cache.is_none() {
        let message = "there is no cache: none of PLIANT_CACHE, XDG_CACHE_HOME and HOME is set";
        diagnostics.push(Diagnostic::warning(message));
    }
    cache
}

/// The largest memory this process has had, from Linux's `/proc`.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
