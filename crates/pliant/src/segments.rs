//! Frequencies of reduced links by themselves: of one that is held, and of the segments of a deck joined
//! again, beside the undivided deck, which shows what its cuts have done to it.

use std::sync::Arc;

use pliant_dynamics::{Settings, SimulationError, natural_frequencies};
use pliant_link::ReducedLink;
use pliant_machine::{Chain, Links, chain};
use pliant_mechanism::joint::{Fixed, Free};
use pliant_reduce::{LinkRequest, LinkSource};
use pliant_store::Cache;

use crate::link::reduce;

/// Rigid motions of a body that nothing holds.
const RIGID: usize = 6;

/// The frequencies of a deck in segments.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Name of the first segment: that of the link in the file.
    pub name: String,
    /// Free-free and elastic (Hz): of the segments joined rigidly, and of the undivided mesh.
    pub frequencies_hz: Vec<(f64, f64)>,
}

/// All decks of a file that are cut, from their segments. One that is no link undivided is left out: its own
/// problems say why.
pub fn joined(links: &Links, segments: &[(String, Arc<ReducedLink>)], cache: Option<&Cache>) -> Vec<Joined> {
    links.chains.iter().filter_map(|chain| of_link(chain, links, segments, cache)).collect()
}

/// Natural frequencies of a reduced link that is held at its inboard interface (Hz): those of its matrices K
/// and VᵀMV.
///
/// # Errors
/// Matrices without a solution.
pub fn held_frequencies(link: &Arc<ReducedLink>) -> Result<Vec<f64>, SimulationError> {
    if link.coordinate_count() == 0 {
        return Ok(Vec::new());
    }
    let held = chain(vec![(link.name.clone(), Arc::clone(link))], Box::new(Fixed));
    natural_frequencies(&held.expect("invariant: a single link is a machine"), &Settings::default())
}

fn of_link(
    cut: &Chain,
    links: &Links,
    segments: &[(String, Arc<ReducedLink>)],
    cache: Option<&Cache>,
) -> Option<Joined> {
    let find = |name: &String| segments.iter().find(|(found, _)| found == name).cloned();
    let segments: Vec<_> = cut.links.iter().map(find).collect::<Option<_>>()?;
    let undivided = reduce(&undivided(cut, links)?, cache).ok()?;
    let joined = natural_frequencies(&chain(segments, Box::new(Free)).ok()?, &Settings::default()).ok()?;
    let full = undivided.health.frequencies_hz.iter().map(|(_, full)| *full);
    let frequencies_hz = joined.into_iter().skip(RIGID).zip(full).collect();
    Some(Joined { name: cut.name().to_owned(), frequencies_hz })
}

/// The request for the deck without its cuts, with the interfaces of all segments; `None` for a beam.
fn undivided(cut: &Chain, links: &Links) -> Option<LinkRequest> {
    let mut request = links.get(cut.name())?.clone();
    let LinkSource::Deck { segment, .. } = &mut request.source else { return None };
    *segment = None;
    let others = cut.links[1..].iter().filter_map(|name| links.get(name));
    request.interfaces.outboard.extend(others.flat_map(|other| other.interfaces.outboard.clone()));
    Some(request)
}
