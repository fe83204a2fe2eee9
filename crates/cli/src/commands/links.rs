//! Progress of the links of a file.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::links::LinkObserver;

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
