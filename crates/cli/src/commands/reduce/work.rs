//! The links, side by side.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use pliant_diag::Diagnostic;
use pliant_pipeline::{PipelineFile, PipelineTable};
use pliant_store::{Cache, CachedLink, link_for};

use super::facts::LinkFacts;

/// What all links share.
pub(super) struct Work<'a> {
    pub(super) file: &'a PipelineFile,
    pub(super) cache: Option<&'a Cache>,
    pub(super) export: Option<&'a Path>,
    pub(super) show_progress: bool,
}

/// What the exported mesh of a link cannot say.
fn lost(made: &CachedLink) -> Option<Diagnostic> {
    let what = pliant_bulk::inexpressible(made.mesh.as_deref()?)?;
    Some(Diagnostic::warning(format!("link `{}`, exported: {what}", made.link.name)))
}

impl Work<'_> {
    /// Reduces all links, in file order as they come free.
    ///
    /// Links run on threads of their own beside the pool that assembles and factorises: a link may wait for another process
    /// that reduces the same one, and a thread of the pool that waits could hold back the work of its neighbours.
    ///
    /// # Errors
    /// A mesh that cannot be exported.
    pub(super) fn all(&self, table: &PipelineTable) -> io::Result<Vec<LinkFacts>> {
        let links: Vec<_> = table.links.iter().collect();
        let bar = self.progress(links.len());
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..rayon::current_num_threads().min(links.len()) {
                scope.spawn(|| {
                    while let Some((name, table)) = links.get(next.fetch_add(1, Ordering::Relaxed)) {
                        bar.set_message((*name).to_owned());
                        let outcome = link_for(name, table, self.file, self.cache);
                        let exported = match &outcome {
                            Ok(made) => self.export(name, made.mesh.as_deref()),
                            Err(_) => Ok(()),
                        };
                        let lost = self.export.and(outcome.as_ref().ok()).and_then(lost);
                        let mut facts = LinkFacts::new(name, table, outcome);
                        facts.request.extend(lost.map(|lost| lost.at(table.source.0)));
                        bar.inc(1);
                        let mut done = done.lock().expect("invariant: nobody panics with the list");
                        done.push(exported.map(|()| facts));
                    }
                });
            }
        });
        bar.finish_and_clear();
        let done = done.into_inner().expect("invariant: nobody panics with the list");
        let mut facts = done.into_iter().collect::<io::Result<Vec<_>>>()?;
        facts.sort_by_key(|link| links.iter().position(|(name, _)| *name == link.name));
        Ok(facts)
    }

    /// On a terminal only; indicatif draws on stderr and knows whether that is one.
    fn progress(&self, count: usize) -> ProgressBar {
        if !self.show_progress {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(count as u64);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} links  {wide_bar}  {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        bar
    }

    fn export(&self, name: &str, mesh: Option<&pliant_mesh::LinkMesh>) -> io::Result<()> {
        let (Some(folder), Some(mesh)) = (self.export, mesh) else { return Ok(()) };
        // The user's name is no path.
        let safe: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        let path = folder.join(format!("{safe}.bdf"));
        std::fs::write(&path, pliant_bulk::write(mesh))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }
}
