//! Bars for the study and the running cases.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pliant_study::run::Progress;
use pliant_study::{Row, Status};

use crate::terminal::printable;

/// Draws on stderr, when that is a terminal.
pub(super) struct Bars {
    bar: ProgressBar,
    running: Mutex<(BTreeSet<usize>, usize)>,
}

impl Bars {
    pub(super) fn new(show: bool) -> Self {
        let bar = if show { ProgressBar::new(0) } else { ProgressBar::hidden() };
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, running: Mutex::default() }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.bar.set_style(style.expect("invariant: the templates are ours"));
    }

    fn update(&self, change: impl FnOnce(&mut BTreeSet<usize>, &mut usize)) {
        let mut running = self.running.lock().expect("invariant: nobody panics with the set");
        let (cases, failed) = &mut *running;
        change(cases, failed);
        if self.bar.is_hidden() {
            return;
        }
        let list: Vec<_> = cases.iter().take(8).map(|case| format!("#{case}")).collect();
        let failures = if *failed > 0 { format!("  {failed} failed") } else { String::new() };
        self.bar.set_message(format!("{}{failures}", list.join(" ")));
    }
}

impl Progress for Bars {
    fn links(&self, count: usize) {
        self.style("{spinner} links {pos}/{len}  {wide_bar}  {elapsed}  {msg}");
        self.bar.set_length(count as u64);
    }

    fn link(&self, name: &str) {
        self.bar.set_message(printable(name));
        self.bar.inc(1);
    }

    fn cases(&self, count: usize) {
        self.style("{spinner} cases {pos}/{len}  {wide_bar}  {elapsed}, {eta} left  {msg}");
        self.bar.set_length(count as u64);
        self.bar.set_position(0);
        self.bar.reset_eta();
    }

    fn begin(&self, case: usize) {
        self.update(|cases, _| {
            cases.insert(case);
        });
    }

    fn end(&self, row: &Row) {
        self.update(|cases, failed| {
            cases.remove(&row.case);
            *failed += usize::from(row.status == Status::Failed);
        });
        self.bar.inc(1);
    }
}
