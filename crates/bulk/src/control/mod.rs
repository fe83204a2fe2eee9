//! Executive and case control: what stands above BEGIN BULK.

use pliant_diag::Span;
use pliant_mesh::{CaseControl, NamedSet};

use crate::card::Card;

/// What stands above BEGIN BULK.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// SOL, TITLE and the subcases.
    pub case: CaseControl,
    /// SET n = …
    pub sets: Vec<NamedSet>,
    /// PARAM entries above BEGIN BULK; [`CardFile::fields`](crate::CardFile::fields) takes them apart like any card.
    pub parameters: Vec<Card>,
    /// Statements that have no meaning here, kept as text: name and place.
    pub others: Vec<(String, Span)>,
}
