//! `sample`: points between 0 and 1, and from them values.

use pliant_pipeline::study::{MethodWord, SampleTable};
use pliant_sampling::{Method, SOBOL_DIMENSIONS, points, saltelli};

use super::{Block, Reader, distribution};

/// The points of a sample, with indices those of Saltelli's design.
fn design(table: &SampleTable, width: usize) -> Vec<Vec<f64>> {
    let method = match table.method {
        MethodWord::Random => Method::Random,
        MethodWord::LatinHypercube => Method::LatinHypercube,
        MethodWord::Sobol => Method::Sobol,
    };
    let made = if table.indices { saltelli } else { points };
    made(method, table.seed, table.count as usize, width)
}

impl Reader<'_> {
    pub(super) fn sample(&mut self) -> Result<Option<Block>, ()> {
        let Some(table) = &self.table.sample else { return Ok(None) };
        let width = table.over.entries.len();
        let dimensions = if table.indices { 2 * width } else { width };
        if table.method == MethodWord::Sobol && dimensions > SOBOL_DIMENSIONS {
            let message = format!(
                "Sobol's sequence has {SOBOL_DIMENSIONS} dimensions here, and {dimensions} are wanted"
            );
            self.hinted(table.source.0, message, "\"latin-hypercube\" has no such limit");
            return Err(());
        }
        let rows = if table.indices { table.count as usize * (width + 2) } else { table.count as usize };
        if rows > super::MOST {
            self.error(table.source.0, format!("the sample has more than {} cases", super::MOST));
            return Err(());
        }
        let parameters =
            table.over.entries.iter().map(|(name, _)| (name.value.clone(), name.span())).collect();
        let draw = |point: Vec<f64>| {
            let distributions = table.over.iter().map(|(_, table)| &table.value);
            distributions.zip(point).map(|(table, u)| distribution::value(table, u)).collect()
        };
        Ok(Some(Block { parameters, rows: design(table, width).into_iter().map(draw).collect() }))
    }
}
