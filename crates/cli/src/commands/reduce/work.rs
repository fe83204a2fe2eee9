//! The links, side by side.

use std::path::Path;
use std::sync::Arc;

use pliant::facts::LinkFacts;
use pliant::segments::{Joined, joined};
use pliant_diag::Diagnostics;
use pliant_machine::Links;
use pliant_pipeline::PipelineFile;
use pliant_reduce::LinkSource;
use pliant_store::Cache;

use super::export::Kind;
use crate::commands::links::LinkProgress;

/// What all links share.
pub(super) struct Work<'a> {
    pub(super) file: &'a PipelineFile,
    pub(super) links: &'a Links,
    pub(super) cache: Option<&'a Cache>,
    /// What is written of each link, and where.
    pub(super) export: &'a [Kind],
    pub(super) into: &'a Path,
    pub(super) show_progress: bool,
}

impl Work<'_> {
    /// Reduces all links, side by side, and joins the segments of those that are cut.
    pub(super) fn all(&self) -> (Vec<LinkFacts>, Vec<Joined>) {
        let progress = LinkProgress::new(self.links.requests.len(), self.show_progress);
        let made = pliant::links::links(&self.links.requests, self.cache, &progress, |link, outcome| {
            let name = &link.name;
            let exported = match &outcome {
                Ok(made) => self.export(name, made),
                Err(_) => Diagnostics::new(),
            };
            // Matrices are kept of segments alone, which are joined again.
            let is_segment = matches!(link.source, LinkSource::Deck { segment: Some(_), .. });
            let segment = outcome.as_ref().ok().filter(|_| is_segment);
            let segment = segment.map(|made| (name.clone(), Arc::new(made.link.clone())));
            let mut facts = LinkFacts::new(link, outcome);
            facts.request.extend(exported.into_iter().map(|problem| problem.at(link.origin.0)));
            (facts, segment)
        });
        drop(progress);
        let (facts, segments): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        let segments: Vec<_> = segments.into_iter().flatten().collect();
        let joined = joined(self.links, &segments, self.cache);
        (facts, joined)
    }
}
