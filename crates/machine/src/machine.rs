//! The tables of a machine together with its links.

use std::ops::Deref;

use pliant_pipeline::PipelineTable;

use crate::links::Links;

/// The tables of a file, with its links as requests instead of `[links]`.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) table: &'a PipelineTable,
    pub(crate) links: &'a Links,
}

impl Deref for Machine<'_> {
    type Target = PipelineTable;

    fn deref(&self) -> &PipelineTable {
        self.table
    }
}
