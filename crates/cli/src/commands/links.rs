//! The links of a file, with a bar that shows how far they are.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::Case;
use pliant::links::{LinkObserver, MachineLink};
use pliant_diag::Diagnostics;

use super::reduce::facts::LinkFacts;
use super::reduce::user_cache;

/// All links of a case, or none when one of them may not be used, and what there is to say of each.
pub(super) fn machine_links(
    case: &Case,
    no_cache: bool,
    show: bool,
    diagnostics: &mut Diagnostics,
) -> (Option<Vec<Arc<MachineLink>>>, Vec<LinkFacts>) {
    let cache = if no_cache { None } else { user_cache(diagnostics) };
    let requests = &case.links().requests;
    let progress = LinkProgress::new(requests.len(), show);
    let made = pliant::links::links(requests, cache.as_ref(), &progress, |request, outcome| {
        let mut link = None;
        let outcome = outcome.and_then(|made| {
            link = Some(Arc::new(MachineLink::complete(request, case, &made)?));
            Ok(made)
        });
        (link, LinkFacts::new(request, outcome))
    });
    let (links, facts): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    let good = facts.iter().all(LinkFacts::is_good);
    (if good { links.into_iter().collect() } else { None }, facts)
}

/// A bar on a terminal; indicatif draws on stderr and knows whether that is one.
pub(super) struct LinkProgress(ProgressBar);

impl LinkProgress {
    pub(super) fn new(count: usize, show: bool) -> Self {
        if !show {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(count as u64);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} links  {wide_bar}  {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }
}

impl LinkObserver for LinkProgress {
    fn begin(&self, name: &str) {
        self.0.set_message(name.to_owned());
    }

    fn end(&self) {
        self.0.inc(1);
    }
}

impl Drop for LinkProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
