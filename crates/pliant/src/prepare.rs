//! The links of a case before it is run, with all that forbids the run.

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_store::{Cache, Output};

use crate::case::Case;
use crate::facts::LinkFacts;
use crate::links::{LinkObserver, MachineLink, links};

/// Links that are ready for a run.
#[derive(Debug)]
pub struct Prepared {
    /// In the order of the file; none when one of them may not be used, or when the case or a link reads the
    /// file that is to be written.
    pub links: Option<Vec<Arc<MachineLink>>>,
    /// What was found of each link, with its diagnostics.
    pub facts: Vec<LinkFacts>,
    /// What else is wrong.
    pub diagnostics: Diagnostics,
}

/// Reduces all links of a case that writes `target`, with what the results hold of them. Neither a file that
/// is read nor one that somebody else wrote is replaced.
pub fn prepare(
    case: &Case,
    target: Output<'_>,
    cache: Option<&Cache>,
    observer: &dyn LinkObserver,
) -> Prepared {
    let refused = |inputs| refused_target(target, inputs);
    let mut diagnostics: Diagnostics = refused(case.sources()).into_iter().collect();
    if diagnostics.has_errors() {
        return Prepared { links: None, facts: Vec::new(), diagnostics };
    }
    let made = links(&case.links().requests, cache, observer, |request, outcome| {
        let mut link = None;
        let outcome = outcome.and_then(|made| {
            link = Some(Arc::new(MachineLink::complete(request, case, &made)?));
            Ok(made)
        });
        (link, LinkFacts::new(request, outcome))
    });
    let (links, facts): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let refused: Vec<_> = facts.iter().filter_map(|link| refused(&link.sources)).collect();
    let complete = facts.len() == case.links().requests.len();
    let good = complete && refused.is_empty() && facts.iter().all(LinkFacts::is_good);
    diagnostics.extend(refused);
    Prepared { links: if good { links.into_iter().collect() } else { None }, facts, diagnostics }
}

/// Why a file may not be written by a command that reads these; none when it may.
pub fn refused_target(target: Output<'_>, inputs: &SourceMap) -> Option<Diagnostic> {
    let error = pliant_store::may_write(target, inputs.files().map(|(_, file)| file.path())).err()?;
    Some(Diagnostic::error(format!("{} cannot be written: {error}", target.path.display())))
}
