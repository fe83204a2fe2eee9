//! The links of a pipeline file as requests: the one location where `[links]` tables become what the
//! reduction understands.
//!
//! A link that is cut into segments becomes several requests, and a [`Chain`] that says how they belong
//! together.

mod request;
mod segments;

use std::path::Path;

use pliant_diag::{Diagnostics, Warned};
use pliant_pipeline::PipelineFile;
use pliant_reduce::LinkRequest;
use pliant_reduce::request::SecondOrderKind;

pub(crate) use request::damping_ratio;
pub use request::material;
pub use segments::Chain;

/// The links of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// In the order of the file; the segments of a link follow each other, the inboard one first.
    pub requests: Vec<LinkRequest>,
    /// The links that are cut into segments.
    pub chains: Vec<Chain>,
}

/// Turns the `[links]` of a file into requests. Every problem has its location in the file; what has one is
/// left out of its request.
pub fn links(file: &PipelineFile) -> Warned<Links> {
    let mut problems = Diagnostics::new();
    let mut links = Links::default();
    let Some(table) = &file.table else { return Warned { output: links, diagnostics: problems } };
    for (name, link) in &table.links.entries {
        // The problems of a table that is no link were reported when the file was read.
        let resolve = |path: &Path| file.resolve(path);
        let Some(request) = request::request(&name.value, link, resolve, &mut problems) else { continue };
        let (requests, chain) = segments::divided(request, link);
        links.requests.extend(requests);
        links.chains.extend(chain);
    }
    if table.analysis.as_ref().is_some_and(|analysis| !analysis.second_order) {
        links.requests.iter_mut().for_each(|link| link.second_order = SecondOrderKind::Off);
    }
    Warned { output: links, diagnostics: problems }
}

impl Links {
    /// The request of a link or segment.
    pub fn get(&self, name: &str) -> Option<&LinkRequest> {
        self.requests.iter().find(|request| request.name == name)
    }

    /// Names of all links and segments.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.requests.iter().map(|request| request.name.as_str())
    }

    /// The link of the file that a segment belongs to; the name itself for an undivided link.
    pub fn link_of<'a>(&'a self, name: &'a str) -> &'a str {
        let chain = self.chains.iter().find(|chain| chain.links.iter().any(|segment| segment == name));
        chain.map_or(name, Chain::name)
    }

    /// Whether the name of a link in a list of the file stands for this link or segment: that of a divided
    /// link stands for all segments.
    pub fn stands_for(&self, listed: &str, name: &str) -> bool {
        listed == name || self.link_of(name) == listed
    }

    /// The segment that has an interface of a link of the file; the link itself when it is not divided, or
    /// when no segment has it.
    pub(crate) fn owner<'a>(&'a self, link: &'a str, interface: &str) -> &'a str {
        let chain = self.chains.iter().find(|chain| chain.name() == link);
        chain.and_then(|chain| chain.owner(interface)).unwrap_or(link)
    }
}
