//! The links, side by side.

use std::io;
use std::path::Path;
use std::sync::Arc;

use pliant::facts::LinkFacts;
use pliant::link::CachedLink;
use pliant::segments::{Joined, joined};
use pliant_diag::Diagnostic;
use pliant_machine::Links;
use pliant_pipeline::PipelineFile;
use pliant_reduce::LinkSource;
use pliant_store::{Cache, FileKind, Output, may_write, write_file};

use crate::commands::links::LinkProgress;

/// What all links share.
pub(super) struct Work<'a> {
    pub(super) file: &'a PipelineFile,
    pub(super) links: &'a Links,
    pub(super) cache: Option<&'a Cache>,
    pub(super) export: Option<&'a Path>,
    pub(super) show_progress: bool,
}

/// What the exported mesh of a link cannot represent.
fn lost(made: &CachedLink) -> Option<Diagnostic> {
    let what = pliant_bulk::inexpressible(made.mesh.as_deref()?)?;
    Some(Diagnostic::warning(format!("link `{}`, exported: {what}", made.link.name)))
}

/// The file of an exported mesh: the user's name is no path.
fn file_name(link: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    format!("{}.bdf", link.chars().map(safe).collect::<String>())
}

impl Work<'_> {
    /// Reduces all links, side by side, and joins the segments of those that are cut.
    pub(super) fn all(&self) -> (Vec<LinkFacts>, Vec<Joined>) {
        let progress = LinkProgress::new(self.links.requests.len(), self.show_progress);
        let made = pliant::links::links(&self.links.requests, self.cache, &progress, |link, outcome| {
            let name = &link.name;
            let exported = match &outcome {
                Ok(made) => self.export(name, made).err(),
                Err(_) => None,
            };
            // Matrices are kept of segments alone, which are joined again.
            let is_segment = matches!(link.source, LinkSource::Deck { segment: Some(_), .. });
            let segment = outcome.as_ref().ok().filter(|_| is_segment);
            let segment = segment.map(|made| (name.clone(), Arc::new(made.link.clone())));
            let lost = self.export.and(outcome.as_ref().ok()).and_then(lost);
            let mut facts = LinkFacts::new(link, outcome);
            facts.request.extend(lost.map(|lost| lost.at(link.origin.0)));
            facts
                .request
                .extend(exported.map(|error| Diagnostic::error(error.to_string()).at(link.origin.0)));
            (facts, segment)
        });
        drop(progress);
        let (facts, segments): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        let segments: Vec<_> = segments.into_iter().flatten().collect();
        let joined = joined(self.links, &segments, self.cache);
        (facts, joined)
    }

    fn export(&self, name: &str, made: &CachedLink) -> io::Result<()> {
        let (Some(folder), Some(mesh)) = (self.export, made.mesh.as_deref()) else { return Ok(()) };
        let file = file_name(name);
        let earlier = self.links.requests.iter().map(|link| &link.name).take_while(|other| *other != name);
        if let Some(other) = earlier.into_iter().find(|other| file_name(other) == file) {
            let message =
                format!("links `{other}` and `{name}` would both be exported as {file}; rename one");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        let path = folder.join(file);
        let sources = self.file.sources.files().chain(made.sources.inputs());
        let text = format!("$ Written by pliant: the mesh of a link\n{}", pliant_bulk::write(mesh));
        // A folder of meshes takes no other files of ours away.
        let target = Output { path: &path, kind: FileKind::Bulk, force: false };
        may_write(target, sources.map(|(_, file)| file.path()))
            .and_then(|()| write_file(&path, text.as_bytes()))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }
}
