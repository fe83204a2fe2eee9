//! `--export`: the links as files for other codes.

use std::path::Path;

use pliant::export::{LinkKind, link as export_link};
use pliant::link::CachedLink;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_store::{FileKind, Output, may_write, write_file};

use super::work::Work;
use crate::argument::ArgumentError;

/// What is written of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its mesh with its spiders.
    Mesh,
    /// The reduced link for another code.
    Reduced(LinkKind),
}

/// A value of `--export`.
pub(super) fn kind(text: &str) -> Result<Kind, ArgumentError> {
    let known = LinkKind::ALL.into_iter().find(|kind| kind.word() == text).map(Kind::Reduced);
    known.or((text == "mesh").then_some(Kind::Mesh)).ok_or_else(|| {
        let words: Vec<&str> = LinkKind::ALL.into_iter().map(LinkKind::word).collect();
        ArgumentError::Expected(format!("mesh, {}; `--into` names the folder", words.join(", ")))
    })
}

/// The name of a link as that of a file: the user's name is no path.
fn stem(link: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    link.chars().map(safe).collect()
}

impl Work<'_> {
    /// Writes what is asked for of a link; returns notes and problems.
    pub(super) fn export(&self, name: &str, made: &CachedLink) -> Diagnostics {
        let mut found = Diagnostics::new();
        for kind in self.export {
            if let Err(problem) = self.export_kind(*kind, name, made, &mut found) {
                found.push(*problem);
            }
        }
        found
    }

    fn export_kind(
        &self,
        kind: Kind,
        name: &str,
        made: &CachedLink,
        found: &mut Diagnostics,
    ) -> Result<(), Box<Diagnostic>> {
        let (files, file_kind) = match (kind, made.mesh.as_deref()) {
            (Kind::Mesh, None) => return Ok(()),
            (Kind::Mesh, Some(mesh)) => {
                if let Some(what) = pliant_bulk::inexpressible(mesh) {
                    found.push(Diagnostic::warning(format!("link `{name}`, exported: {what}")));
                }
                let text = format!("$ Written by pliant: the mesh of a link\n{}", pliant_bulk::write(mesh));
                (vec![("bdf", text.into_bytes())], FileKind::Bulk)
            }
            (Kind::Reduced(_), _) if made.link.coordinate_count() == 0 => {
                found.push(Diagnostic::note(format!("link `{name}` is rigid and is not exported")));
                return Ok(());
            }
            (Kind::Reduced(kind), _) => {
                let exported = export_link(&made.link, kind)?;
                found.extend(exported.notes);
                let what =
                    format!("link `{name}` as {kind}: read back, differs by {:.0e}", exported.difference);
                found.push(Diagnostic::note(what));
                let is_mat = kind == LinkKind::Simscape;
                (exported.files, if is_mat { FileKind::Mat } else { FileKind::Link })
            }
        };
        for (ending, bytes) in files {
            self.write_file_of(name, ending, &bytes, file_kind)?;
        }
        Ok(())
    }

    fn write_file_of(
        &self,
        name: &str,
        ending: &str,
        bytes: &[u8],
        kind: FileKind,
    ) -> Result<(), Box<Diagnostic>> {
        let file = format!("{}.{ending}", stem(name));
        let earlier = self.links.requests.iter().map(|link| &link.name).take_while(|other| *other != name);
        if let Some(other) = earlier.into_iter().find(|other| stem(other) == stem(name)) {
            let message =
                format!("links `{other}` and `{name}` would both be exported as {file}; rename one");
            return Err(Diagnostic::boxed(message));
        }
        let path = self.into.join(file);
        let inputs = self.links.requests.iter().flat_map(|link| {
            let (decks, matrices) = link.source.files();
            decks.into_iter().chain(matrices)
        });
        let inputs: Vec<_> = inputs.collect();
        let sources = self.file.sources.files().map(|(_, file)| file.path());
        // A folder of links takes no other files of ours away.
        let target = Output { path: &path, kind, force: false };
        may_write(target, sources.chain(inputs.iter().map(|path| -> &Path { path })))
            .and_then(|()| write_file(&path, bytes))
            .map_err(|error| Diagnostic::boxed(format!("{}: {error}", path.display())))
    }
}
