//! The facts about the links of a file that `reduce` prints.

use std::path::Path;

use pliant::link::{CachedLink, LinkFailure};
use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_link::Coordinate;
use pliant_reduce::{Health, LinkRequest};

use super::segments::Joined;

/// All facts of a run.
pub(super) struct Facts<'a> {
    pub(super) path: &'a Path,
    /// The pipeline file's text.
    pub(super) sources: &'a SourceMap,
    /// Of the pipeline file.
    pub(super) diagnostics: Diagnostics,
    /// In file order.
    pub(super) links: Vec<LinkFacts>,
    /// Decks that are cut.
    pub(super) joined: Vec<Joined>,
    pub(super) cache: Option<&'a Path>,
    pub(super) seconds: f64,
    /// Of this process, in bytes, where the system tells.
    pub(super) peak_memory: Option<u64>,
}

/// All facts of a link.
pub(in crate::commands) struct LinkFacts {
    pub(in crate::commands) name: String,
    /// `deck`, `beam`, `rigid` or `imported`.
    pub(in crate::commands) kind: &'static str,
    /// The deck's text.
    pub(in crate::commands) sources: SourceMap,
    /// With locations in the deck.
    pub(in crate::commands) deck: Diagnostics,
    /// With locations in the pipeline file, or none.
    pub(in crate::commands) request: Diagnostics,
    /// `None` when there is no link.
    pub(in crate::commands) reduced: Option<Reduced>,
}

/// A link that could be made, healthy or not.
pub(in crate::commands) struct Reduced {
    pub(super) interfaces: Vec<String>,
    pub(super) interface_dofs: usize,
    pub(in crate::commands) health: Health,
    /// Checks that fail: name, message, accepted.
    pub(in crate::commands) failed: Vec<(&'static str, String, bool)>,
    pub(super) from_cache: bool,
    pub(super) seconds: f64,
}

impl LinkFacts {
    /// What is said about the outcome of a link; its matrices are not kept.
    pub(in crate::commands) fn new(
        link: &LinkRequest,
        outcome: Result<CachedLink, Box<LinkFailure>>,
    ) -> Self {
        let kind = link.source.kind();
        let name = link.name.clone();
        match outcome {
            Ok(made) => {
                let (reduced, request) = Reduced::new(link, &made);
                let CachedLink { sources, diagnostics, .. } = made;
                let deck = named(&name, diagnostics);
                Self { name, kind, sources, deck, request, reduced: Some(reduced) }
            }
            Err(failure) => {
                let LinkFailure { sources, deck, request, reason } = *failure;
                let (deck, mut request) = (named(&name, deck), named(&name, request));
                if let Some(reason) = reason {
                    let message = format!("link `{name}`: {reason}");
                    request.push(Diagnostic::error(message).at(link.origin.0));
                }
                Self { name, kind, sources, deck, request, reduced: None }
            }
        }
    }

    /// It may be used.
    pub(in crate::commands) fn is_good(&self) -> bool {
        self.reduced.is_some() && !self.deck.has_errors() && !self.request.has_errors()
    }
}

/// What has no location is reported with the name of its link.
fn named(link: &str, diagnostics: Diagnostics) -> Diagnostics {
    let name = |mut diagnostic: Diagnostic| {
        if diagnostic.span.is_none() {
            diagnostic.message = format!("link `{link}`: {}", diagnostic.message);
        }
        diagnostic
    };
    diagnostics.into_iter().map(name).collect()
}

impl Reduced {
    fn new(link: &LinkRequest, made: &CachedLink) -> (Self, Diagnostics) {
        let name = &link.name;
        let mut request = named(name, made.cache_warnings.clone());
        for check in &made.refused {
            let message = format!("link `{name}` fails its health check `{}`: {}", check.name, check.message);
            let accept = format!("if this is intended, write accept = [\"{}\"] into the link", check.name);
            let hint = check.remedy.clone().unwrap_or(accept);
            request.push(Diagnostic::error(message).at(link.origin.0).hint(hint));
        }
        for check in &made.accepted {
            let message = format!("link `{name}`, accepted: {}", check.message);
            request.push(Diagnostic::note(message).at(link.origin.0));
        }
        let failed = made.refused.iter().map(|check| (check, false));
        let failed = failed.chain(made.accepted.iter().map(|check| (check, true)));
        let of_interfaces = |c: &&Coordinate| matches!(c, Coordinate::Interface { .. });
        let reduced = Self {
            interfaces: made.link.interfaces.iter().map(|interface| interface.name.clone()).collect(),
            interface_dofs: made.link.coordinates.iter().filter(of_interfaces).count(),
            health: made.health.clone(),
            failed: failed.map(|(check, accepted)| (check.name, check.message.clone(), accepted)).collect(),
            from_cache: made.from_cache,
            seconds: made.seconds,
        };
        (reduced, request)
    }
}

/// The largest memory this process has had, from Linux's `/proc`.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
