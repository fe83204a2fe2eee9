//! `pliant run PIPELINE`: from the links to the motion of the machine.

mod observer;
mod report;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::simulate;
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_pipeline::PipelineFile;
use pliant_store::link_for;

use super::Outcome;
use super::reduce::facts::LinkFacts;
use super::reduce::user_cache;
use crate::Common;
use crate::terminal::Style;

use observer::Watch;
use report::Report;

/// Arguments of `pliant run`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// Reduce every link anew and keep nothing
    #[arg(long)]
    no_cache: bool,
}

/// What a run has come to.
#[derive(Default)]
struct Run {
    /// With places in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    report: Option<Report>,
}

/// Reads, plans, reduces, moves; each only when the one before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let read = pliant_pipeline::read(&arguments.pipeline);
    let file = &read.output;
    let mut run = Run { diagnostics: read.diagnostics, ..Run::default() };
    run.work(file, arguments, common);
    if let Some(report) = &mut run.report {
        report.seconds = start.elapsed().as_secs_f64();
    }
    let stdout = io::stdout().lock();
    let style = Style::of(&stdout);
    let mut out = BufWriter::new(stdout);
    if common.json {
        report::print(&mut out, &run, file)?;
    } else {
        text::print(&mut out, style, &run, file, common.quiet)?;
    }
    out.flush()?;
    let good =
        run.report.is_some() && !run.diagnostics.has_errors() && run.links.iter().all(LinkFacts::is_good);
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

impl Run {
    fn work(&mut self, file: &PipelineFile, arguments: &Arguments, common: &Common) {
        if self.diagnostics.has_errors() {
            return;
        }
        let planned = Plan::new(file);
        self.diagnostics.extend(planned.diagnostics);
        let Some(plan) = planned.output else { return };
        let Some(links) = self.links(file, arguments) else { return };
        let (kind, settings) = (plan.kind, plan.settings);
        let (tip, settling) = (plan.tip.clone(), plan.settling);
        let model = match plan.model(links, &file.document) {
            Ok(model) => model,
            Err(problems) => return self.diagnostics.extend(problems),
        };
        let tip = tip.and_then(|(link, interface)| model.interface(&link, &interface));
        let show = !common.quiet && !common.json;
        let mut watch = Watch::new(tip, settling, settings.t_end, show);
        let start = Instant::now();
        let ended = simulate(&model, kind, &settings, &mut watch);
        watch.finish();
        let seconds = start.elapsed().as_secs_f64();
        self.diagnostics.extend(std::mem::take(&mut watch.warnings));
        match ended {
            Ok(statistics) => self.report = Some(Report::new(&model, &watch, statistics, seconds)),
            Err(error) => self.diagnostics.push(Diagnostic::error(error.to_string())),
        }
    }

    /// All links, or none when one of them may not be used.
    fn links(
        &mut self,
        file: &PipelineFile,
        arguments: &Arguments,
    ) -> Option<Vec<(String, Arc<ReducedLink>)>> {
        let cache = if arguments.no_cache { None } else { user_cache(&mut self.diagnostics) };
        let mut links = Vec::new();
        for (name, table) in file.table.iter().flat_map(|table| table.links.iter()) {
            let outcome = link_for(name, table, file, cache.as_ref());
            if let Ok(made) = &outcome {
                links.push((name.to_owned(), Arc::new(made.link.clone())));
            }
            self.links.push(LinkFacts::new(name, table, outcome));
        }
        self.links.iter().all(LinkFacts::is_good).then_some(links)
    }
}
