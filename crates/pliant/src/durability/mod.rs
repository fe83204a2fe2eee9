//! `[durability]`: from its tables to assessments of links, and from the motion to damage and life.

mod assessment;
mod damage;

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_durability::{Assessment, Block};
use pliant_machine::{Links, Plan};
use pliant_pipeline::PipelineFile;
use pliant_pipeline::durability::{BlockTable, DurabilityTable};
use pliant_pipeline::output::ElementsTable;

pub(crate) use damage::{DamageWatch, LinkDamage};

/// What `[durability]` asks for.
#[derive(Clone, Debug)]
pub(crate) struct DurabilityPlan {
    /// By the name of the link in the file.
    links: Vec<(String, Arc<Assessment>)>,
    often: Often,
}

/// How often the run, or parts of it, happen.
#[derive(Clone, Debug)]
enum Often {
    /// The entire run.
    Repeat(f64),
    /// From, to (s) and repeats of each part.
    Blocks(Vec<[f64; 3]>),
}

impl DurabilityPlan {
    /// Reads the table, when there is one.
    ///
    /// # Errors
    /// Every problem of the table, with its location.
    pub(crate) fn new(file: &PipelineFile, plan: &Plan) -> Result<Option<Self>, Diagnostics> {
        let links = &plan.links;
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
        let found = Self { links: assessed, often: often(table) };
        let (start, end) = (plan.settings.t_start, plan.settings.t_end);
        problems
            .extend(found.beyond(start, end).map(|message| Diagnostic::error(message).at(table.source.0)));
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

    /// Samples and repeats of each part of a run with outputs at these times. A part without two outputs has
    /// no cycle and is left out.
    fn blocks(&self, times: &[f64]) -> Vec<Block> {
        match &self.often {
            Often::Repeat(repeats) => vec![Block { samples: 0..times.len(), repeats: *repeats }],
            Often::Blocks(all) => {
                let one = |[from, to, repeats]: &[f64; 3]| {
                    // Times of outputs are rounded.
                    let slack = 1e-9 * (to - from);
                    let start = times.partition_point(|t| *t < from - slack);
                    let end = times.partition_point(|t| *t <= to + slack);
                    Block { samples: start..end.max(start), repeats: *repeats }
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
            Often::Blocks(all) => all.iter().map(|[from, to, repeats]| repeats * (to - from)).sum(),
        }
    }

    /// Parts that reach beyond the time of the analysis.
    fn beyond(&self, start: f64, end: f64) -> Option<String> {
        let Often::Blocks(all) = &self.often else { return None };
        let slack = 1e-9 * (end - start);
        let beyond = all.iter().find(|[from, to, _]| *from < start - slack || *to > end + slack)?;
        Some(format!(
            "a block reaches from {} to {} s, the analysis from {start} to {end} s",
            beyond[0], beyond[1]
        ))
    }
}

fn often(table: &DurabilityTable) -> Often {
    match &table.blocks {
        Some(blocks) => Often::Blocks(
            blocks.iter().map(|BlockTable { from, to, repeat, .. }| [*from, *to, *repeat]).collect(),
        ),
        None => Often::Repeat(table.repeat.unwrap_or(1.0)),
    }
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
