//! The segments of a deck joined again, beside the whole deck: what its cuts have done to it.

use std::sync::Arc;

use pliant_dynamics::{Settings, natural_frequencies};
use pliant_link::ReducedLink;
use pliant_machine::chain;
use pliant_mechanism::joint::Free;
use pliant_pipeline::PipelineFile;
use pliant_pipeline::link::LinkTable;
use pliant_store::{Cache, link_for};

/// Rigid motions of a body that nothing holds.
const RIGID: usize = 6;

/// The frequencies of a deck in segments.
pub(super) struct Joined {
    /// Name of the first segment: that of the link in the file.
    pub(super) name: String,
    /// Free-free and elastic (Hz): of the segments joined rigidly, and of the whole mesh.
    pub(super) frequencies_hz: Vec<(f64, f64)>,
}

/// All decks of a file that are cut, from their segments. One that is no link as a whole, or not without its cuts, is left out: its own
/// problems say why.
pub(super) fn joined(
    file: &PipelineFile,
    segments: &[(String, Arc<ReducedLink>)],
    cache: Option<&Cache>,
) -> Vec<Joined> {
    let tables = file.table.iter().flat_map(|table| table.links.iter());
    let firsts = tables.filter(|(_, table)| table.segment == Some(1));
    firsts.filter_map(|(name, table)| of_link(name, table, file, segments, cache)).collect()
}

fn of_link(
    name: &str,
    table: &LinkTable,
    file: &PipelineFile,
    segments: &[(String, Arc<ReducedLink>)],
    cache: Option<&Cache>,
) -> Option<Joined> {
    let links = &file.table.as_ref()?.links;
    let count = table.cuts.as_ref()?.len() + 1;
    let names: Vec<String> =
        (1..=count).map(|k| if k == 1 { name.to_owned() } else { format!("{name}#{k}") }).collect();
    let find = |name: &String| segments.iter().find(|(found, _)| found == name).cloned();
    let segments: Vec<_> = names.iter().map(find).collect::<Option<_>>()?;
    let mut whole = LinkTable { cuts: None, segment: None, ..table.clone() };
    let others = names[1..].iter().filter_map(|name| links.get(name));
    whole.interfaces.entries.extend(others.flat_map(|other| other.interfaces.entries.clone()));
    let whole = link_for(name, &whole, file, cache).ok()?;
    let joined = natural_frequencies(&chain(segments, Box::new(Free)).ok()?, &Settings::default()).ok()?;
    let full = whole.health.frequencies_hz.iter().map(|(_, full)| *full);
    let frequencies_hz = joined.into_iter().skip(RIGID).zip(full).collect();
    Some(Joined { name: name.to_owned(), frequencies_hz })
}
