//! The outcome of a reduction: diagnostics under the name of the link, and its numbers.

use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_link::Coordinate;
use pliant_reduce::{Health, LinkRequest};

use crate::link::{CachedLink, LinkFailure};

/// All facts of a link; its matrices are not kept.
#[derive(Debug)]
pub struct LinkFacts {
    /// Name.
    pub name: String,
    /// `deck`, `beam`, `rigid` or `imported`.
    pub kind: &'static str,
    /// The deck's text.
    pub sources: SourceMap,
    /// With locations in the deck.
    pub deck: Diagnostics,
    /// With locations in the pipeline file, or none.
    pub request: Diagnostics,
    /// `None` when there is no link.
    pub reduced: Option<ReducedFacts>,
}

/// A link that could be made, healthy or not.
#[derive(Debug)]
pub struct ReducedFacts {
    /// Names of the outboard interfaces.
    pub interfaces: Vec<String>,
    /// Coordinates of interfaces among those of the link.
    pub interface_dofs: usize,
    /// What an engineer looks at.
    pub health: Health,
    /// Checks that fail: name, message, accepted.
    pub failed: Vec<(&'static str, String, bool)>,
    /// It was not reduced now.
    pub from_cache: bool,
    /// From the files to the link.
    pub seconds: f64,
}

impl LinkFacts {
    /// The facts of an outcome.
    pub fn new(link: &LinkRequest, outcome: Result<CachedLink, Box<LinkFailure>>) -> Self {
        let kind = link.source.kind();
        let name = link.name.clone();
        match outcome {
            Ok(made) => {
                let (reduced, request) = ReducedFacts::new(link, &made);
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
    pub fn is_good(&self) -> bool {
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

impl ReducedFacts {
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
