//! The links of a file, side by side.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::link::{CachedLink, LinkFailure, reduce};
use pliant_reduce::LinkRequest;
use pliant_store::Cache;

/// Reduces all links of a machine, as many at a time as there are threads, and hands each outcome to `each`. What that returns comes back in
/// the order of the file.
///
/// Links run on threads of their own beside the pool that assembles and factorises: a link may wait for another process that reduces the
/// same one, and a thread of the pool that waits could hold back the work of its neighbours.
pub(super) fn side_by_side<T: Send>(
    links: &[LinkRequest],
    cache: Option<&Cache>,
    show_progress: bool,
    each: impl Fn(&LinkRequest, Result<CachedLink, Box<LinkFailure>>) -> T + Sync,
) -> Vec<T> {
    let bar = progress(links.len(), show_progress);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(links.len()) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(link) = links.get(place) else { break };
                    bar.set_message(link.name.clone());
                    let made = each(link, reduce(link, cache));
                    bar.inc(1);
                    done.lock().expect("invariant: nobody panics with the list").push((place, made));
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut done = done.into_inner().expect("invariant: nobody panics with the list");
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, made)| made).collect()
}

/// On a terminal only; indicatif draws on stderr and knows whether that is one.
fn progress(count: usize, show: bool) -> ProgressBar {
    if !show {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    let style = ProgressStyle::with_template("{spinner} {pos}/{len} links  {wide_bar}  {elapsed}  {msg}");
    bar.set_style(style.expect("invariant: the template is ours"));
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}
