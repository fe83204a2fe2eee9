//! `[durability]`: from its tables to assessments of links, and from the motion to damage and life.

mod assessment;
mod damage;
mod other_run;

use std::path::Path;
use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_durability::{Assessment, Block};
use pliant_machine::{Links, Plan};
use pliant_pipeline::PipelineFile;
use pliant_pipeline::durability::DurabilityTable;
use pliant_pipeline::output::ElementsTable;

pub(crate) use damage::{DamageWatch, LinkDamage};
use other_run::OtherRun;

/// What `[durability]` asks for.
#[derive(Clone, Debug)]
pub(crate) struct DurabilityPlan {
    /// By the name of the link in the file.
    links: Vec<(String, Arc<Assessment>)>,
    often: Often,
    /// The other runs that parts are of.
    others: Vec<Arc<OtherRun>>,
}

/// How often the run, or parts of it and of others, happen.
#[derive(Clone, Debug)]
enum Often {
    /// The entire run.
    Repeat(f64),
    /// Each part.
    Blocks(Vec<Part>),
}

/// A part of a run.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Which of the other runs; this one when there is none.
    run: Option<usize>,
    /// Start (s).
    from: f64,
    /// End (s).
    to: f64,
    /// How often it happens.
    repeats: f64,
}

impl DurabilityPlan {
    /// Reads the table, when there is one.
    ///
    /// # Errors
    /// Every problem of the table, with its location.
    pub(crate) fn new(file: &PipelineFile, plan: &Plan) -> Result<Option<Self>, Diagnostics> {
        let (links, file_of) = (&plan.links, file);
        let Some(file) = &file.table else { return Ok(None) };
        let Some(table) = &file.durability else { return Ok(None) };
        let stress = file.output.as_ref().and_then(|output| output.stress.as_ref());
        let mut problems = Diagnostics::new();
        if stress.is_none() {
            let message = "[durability] assesses the elements whose stress is recovered, and there are none";
            let hint = "[output] stress = {} recovers it in all elements";
            problems.push(Diagnostic::error(message).at(table.source.0).hint(hint));
        }
        let mut assessed = Vec::new();
        for (name, link) in &table.links.entries {
            if let Some(problem) = not_recovered(&name.value, stress, links) {
                problems.push(problem.at(name.span()));
            }
            match assessment::of_table(link, table) {
                Ok(found) => assessed.push((name.value.clone(), Arc::new(found))),
                Err(found) => problems.extend(found),
            }
        }
        let span = (plan.settings.t_start, plan.settings.t_end);
        let found = match often(table, span, &|path| file_of.resolve(path)) {
            Ok((often, others)) => Self { links: assessed, often, others },
            Err(found) => {
                problems.extend(found);
                return Err(problems);
            }
        };
        if problems.has_errors() { Err(problems) } else { Ok(Some(found)) }
    }

    /// The assessment of a link or segment.
    fn of_link(&self, links: &Links, name: &str) -> Option<&Arc<Assessment>> {
        let listed = self.links.iter().find(|(listed, _)| links.stands_for(listed, name));
        listed.map(|(_, assessment)| assessment)
    }

    /// The links of the table.
    fn listed(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(|(name, _)| name.as_str())
    }

    /// Samples and repeats of each part, the samples of the other runs behind those of this one, which are at
    /// `times`. A part without two outputs has no cycle and is left out.
    fn blocks(&self, times: &[f64]) -> Vec<Block> {
        match &self.often {
            Often::Repeat(repeats) => vec![Block { samples: 0..times.len(), repeats: *repeats }],
            Often::Blocks(all) => {
                let one = |part: &Part| {
                    let before = |run: usize| self.others[..run].iter().map(|other| other.times.len());
                    let (first, times) = match part.run {
                        None => (0, times),
                        Some(run) => {
                            (times.len() + before(run).sum::<usize>(), self.others[run].times.as_slice())
                        }
                    };
                    // Times of outputs are rounded.
                    let slack = 1e-9 * (part.to - part.from);
                    let start = times.partition_point(|t| *t < part.from - slack);
                    let end = times.partition_point(|t| *t <= part.to + slack);
                    Block { samples: first + start..first + end.max(start), repeats: part.repeats }
                };
                all.iter().map(one).filter(|block| block.samples.len() > 1).collect()
            }
        }
    }

    /// Repeats of which life is counted, for a damage of all of them: those of the run, or one sequence of
    /// all parts.
    fn repeats(&self) -> f64 {
        match self.often {
            Often::Repeat(repeats) => repeats,
            Often::Blocks(_) => 1.0,
        }
    }

    /// How long one repeat is (s).
    fn duration(&self, times: &[f64]) -> f64 {
        match &self.often {
            Often::Repeat(_) => times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0),
            Often::Blocks(all) => all.iter().map(|part| part.repeats * (part.to - part.from)).sum(),
        }
    }
}

/// What the table says, with the other runs it names, each once. `span` is that of this run.
fn often(
    table: &DurabilityTable,
    span: (f64, f64),
    resolve: &dyn Fn(&Path) -> std::path::PathBuf,
) -> Result<(Often, Vec<Arc<OtherRun>>), Diagnostics> {
    let Some(blocks) = &table.blocks else {
        return Ok((Often::Repeat(table.repeat.unwrap_or(1.0)), Vec::new()));
    };
    let (mut parts, mut others, mut problems) = (Vec::new(), Vec::<Arc<OtherRun>>::new(), Diagnostics::new());
    for block in blocks {
        let mut run = None;
        let mut own = span;
        if let Some(path) = &block.run {
            let file = resolve(&path.value);
            let known = others.iter().position(|other| other.path == file);
            let at = match known.map_or_else(|| OtherRun::read(&file).map(Some), |_| Ok(None)) {
                Ok(None) => known.unwrap_or_default(),
                Ok(Some(other)) => {
                    others.push(Arc::new(other));
                    others.len() - 1
                }
                Err(message) => {
                    let hint = "pliant run of its pipeline file writes it";
                    problems.push(Diagnostic::error(message).at(path.span()).hint(hint));
                    continue;
                }
            };
            (run, own) = (Some(at), others[at].span());
        }
        let (from, to) = (block.from.unwrap_or(own.0), block.to.unwrap_or(own.1));
        let slack = 1e-9 * (own.1 - own.0);
        if from < own.0 - slack || to > own.1 + slack || from >= to {
            let what = if run.is_some() { "the run" } else { "the analysis" };
            let message =
                format!("a block reaches from {from} to {to} s, {what} from {} to {} s", own.0, own.1);
            problems.push(Diagnostic::error(message).at(block.source.0));
        }
        parts.push(Part { run, from, to, repeats: block.repeat });
    }
    if problems.has_errors() { Err(problems) } else { Ok((Often::Blocks(parts), others)) }
}

/// Why a link of the table cannot be assessed.
fn not_recovered(name: &str, stress: Option<&ElementsTable>, links: &Links) -> Option<Diagnostic> {
    if links.get(name).is_none() {
        let hint = format!("the links are {}", links.names().collect::<Vec<_>>().join(", "));
        return Some(Diagnostic::error(format!("there is no link `{name}`")).hint(hint));
    }
    let listed = stress?.links.as_ref()?;
    if listed.iter().any(|listed| listed.value == name || links.stands_for(&listed.value, name)) {
        return None;
    }
    let hint = format!("add \"{name}\" to `links` of `stress` in [output]");
    Some(Diagnostic::error(format!("the stress of link `{name}` is not recovered")).hint(hint))
}
