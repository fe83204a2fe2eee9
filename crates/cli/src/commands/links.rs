//! Progress of the links of a file.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pliant::links::LinkObserver;
use pliant_reduce::Need;

use crate::number::{bytes, count};
use crate::terminal::{complain, printable};

/// A bar on a terminal; indicatif draws on stderr and knows whether that is one.
pub(super) struct LinkProgress {
    bar: ProgressBar,
    show: bool,
}

/// Bytes from which the need of a reduction is printed: less than that the program takes by itself.
const SHOWN: usize = 16 << 20;

impl LinkProgress {
    pub(super) fn new(count: usize, show: bool) -> Self {
        if !show {
            return Self { bar: ProgressBar::hidden(), show };
        }
        let bar = ProgressBar::new(count as u64);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} links  {wide_bar}  {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, show }
    }
}

impl LinkObserver for LinkProgress {
    fn begin(&self, name: &str) {
        self.bar.set_message(printable(name));
    }

    fn need(&self, name: &str, need: Need) {
        if !self.show || need.bytes < SHOWN {
            return;
        }
        let (needed, available) = (bytes(need.bytes as u64), bytes(need.available as u64));
        let line = format!(
            "{}: {} freedoms; the factor needs {needed} of the {available} that are available",
            printable(name),
            count(need.freedoms)
        );
        self.bar.suspend(|| complain(line));
    }

    fn end(&self) {
        self.bar.inc(1);
    }
}

impl Drop for LinkProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
