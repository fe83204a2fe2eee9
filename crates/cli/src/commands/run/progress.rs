//! How far a run is, and Ctrl-C.

use indicatif::{ProgressBar, ProgressStyle};
use pliant::Machine;
use pliant::run::{CaseObserver, kind_name};
use pliant_dynamics::{AnalysisKind, Flow, Frame, ObserverError};

use crate::interrupt::Interrupt;

/// Parts of the progress bar.
const PARTS: f64 = 1000.0;

/// Shows a bar on a terminal and ends the run when the user asks for it.
pub(super) struct Progress {
    interrupt: Interrupt,
    end: f64,
    show: bool,
    many: bool,
    bar: ProgressBar,
}

impl Progress {
    pub(super) fn new(interrupt: Interrupt, end: f64, show: bool, many: bool) -> Self {
        Self { interrupt, end, show, many, bar: ProgressBar::hidden() }
    }
}

impl CaseObserver for Progress {
    fn start(&mut self, kind: AnalysisKind, _: &Machine) -> Result<(), ObserverError> {
        self.bar = if self.show { ProgressBar::new(PARTS as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {prefix}{wide_bar} {elapsed}  {msg}");
        self.bar.set_style(style.expect("invariant: the template is ours"));
        if self.many {
            self.bar.set_prefix(format!("{} ", kind_name(kind)));
        }
        Ok(())
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        let (t, statistics) = (frame.state.t, frame.statistics);
        self.bar.set_position((PARTS * t / self.end) as u64);
        let mean = statistics.iterations as f64 / statistics.steps.max(1) as f64;
        self.bar.set_message(format!("t = {t:.3} s, {mean:.1} iterations a step"));
        Ok(if self.interrupt.came() { Flow::Stop } else { Flow::Continue })
    }

    fn end(&mut self) {
        self.bar.finish_and_clear();
    }
}
