//! The reduced links of all cases, each made once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pliant::Case;
use pliant::link::{CachedLink, LinkFailure};
use pliant::links::{MachineLink, side_by_side};
use pliant_link::ReducedLink;
use pliant_reduce::LinkRequest;
use pliant_reduce::request::IdentityOf;
use pliant_store::Cache;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::case::one_line;

/// Identifies what is asked of a link: links with the same one are the same link.
pub(crate) type Signature = [u8; 16];

/// The signature of a request. Two links of one machine may share theirs.
pub(crate) fn signature(link: &LinkRequest) -> Signature {
    let hash = Sha256::digest(link.identity(IdentityOf::Request));
    std::array::from_fn(|i| hash[i])
}

/// Why a link cannot be reduced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum LinkError {
    #[error("link `{link}` fails its health checks: {}", checks.join("; "))]
    Unhealthy { link: String, checks: Vec<String> },
    #[error("link `{link}`: {}", reasons.join("; "))]
    NotReduced { link: String, reasons: Vec<String> },
}

/// A reduced link, or why there is none.
pub(crate) type Made = Result<Arc<MachineLink>, LinkError>;

/// Links that several cases use, kept until the last of these has run.
pub(crate) struct Library<'a> {
    cache: Option<&'a Cache>,
    kept: Mutex<HashMap<Signature, Kept>>,
    /// Most bytes of links that are kept.
    room: usize,
    /// Times that a link was made or loaded.
    pub(crate) made: AtomicUsize,
}

struct Kept {
    link: Made,
    uses_left: usize,
}

/// A link that several cases want.
pub(crate) struct Wanted {
    pub(crate) link: LinkRequest,
    pub(crate) signature: Signature,
    pub(crate) uses: usize,
}

impl<'a> Library<'a> {
    pub(crate) fn new(cache: Option<&'a Cache>, room: usize) -> Self {
        Self { cache, kept: Mutex::default(), room, made: AtomicUsize::new(0) }
    }

    /// Reduces the links that several cases want, side by side.
    pub(crate) fn fill(
        &self,
        wanted: &[Wanted],
        threads: usize,
        stop: &AtomicBool,
        done: &(dyn Fn(&str) + Sync),
    ) {
        side_by_side(threads, wanted, |_, wanted| {
            if !stop.load(Ordering::Relaxed) {
                self.keep(wanted, self.make(&wanted.link));
                done(&wanted.link.name);
            }
        });
    }

    fn keep(&self, wanted: &Wanted, link: Made) {
        let mut kept = self.kept.lock().expect("invariant: nobody panics with the map");
        let used: usize =
            kept.values().filter_map(|kept| kept.link.as_ref().ok()).map(|link| bytes(&link.link)).sum();
        // What does not fit comes from the cache on disk again.
        if link.as_ref().map_or(0, |link| bytes(&link.link)) + used <= self.room {
            kept.insert(wanted.signature, Kept { link, uses_left: wanted.uses });
        }
    }

    /// A link of a case: one that is kept, or one that only this case wants.
    pub(crate) fn get(&self, link: &LinkRequest) -> Made {
        let signature = signature(link);
        {
            let mut kept = self.kept.lock().expect("invariant: nobody panics with the map");
            if let Some(found) = kept.get_mut(&signature) {
                found.uses_left = found.uses_left.saturating_sub(1);
                let link = found.link.clone();
                if found.uses_left == 0 {
                    kept.remove(&signature);
                }
                return link;
            }
        }
        self.make(link)
    }

    /// A link of a case with what is recovered of its elements, which is the case's own.
    pub(crate) fn recovered(&self, link: &LinkRequest, case: &Case) -> Made {
        let made = self.reduced(link)?;
        let complete = MachineLink::complete(link, case, &made);
        let mut complete = complete.map_err(|failure| not_reduced(&link.name, *failure))?;
        // Links that are alike share what is in the cache, whatever their names.
        complete.info.name.clone_from(&link.name);
        Ok(Arc::new(complete))
    }

    fn make(&self, link: &LinkRequest) -> Made {
        self.reduced(link).map(|made| Arc::new(MachineLink::bare(made)))
    }

    fn reduced(&self, link: &LinkRequest) -> Result<CachedLink, LinkError> {
        self.made.fetch_add(1, Ordering::Relaxed);
        match pliant::link::reduce(link, self.cache) {
            Ok(made) if made.refused.is_empty() => Ok(made),
            Ok(made) => {
                let failed = made.refused.iter().map(|check| match &check.remedy {
                    Some(remedy) => format!("{} ({remedy})", check.message),
                    None => check.message.clone(),
                });
                Err(LinkError::Unhealthy { link: link.name.clone(), checks: failed.collect() })
            }
            Err(failure) => Err(not_reduced(&link.name, *failure)),
        }
    }
}

fn not_reduced(name: &str, failure: LinkFailure) -> LinkError {
    let mut reasons = vec![one_line(&failure.deck), one_line(&failure.request)];
    reasons.extend(failure.reason.map(|reason| reason.to_string()));
    reasons.retain(|text| !text.is_empty());
    LinkError::NotReduced { link: name.to_owned(), reasons }
}

/// Size of a link in memory: its matrices.
fn bytes(link: &ReducedLink) -> usize {
    let n = link.coordinates.len();
    let stiffening = link.invariants.second_order.as_ref().map_or(0, |mass| mass.count());
    let of_interface =
        |interface: &pliant_link::Interface| 6 * n + if interface.G.is_some() { 6 * n * n } else { 0 };
    let interfaces: usize = link.interfaces.iter().map(of_interface).sum();
    8 * (n * n * (3 + stiffening) + 51 * n + interfaces)
}
