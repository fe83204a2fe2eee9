//! Signals that ask the work to stop: Ctrl-C, TERM, HUP, and USR1 that Slurm sends before the time limit.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// Whether the work is to stop.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    pub(super) stop: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. A second Ctrl-C ends the program at once; the segments survive that too.
    pub(super) fn listen() -> io::Result<Self> {
        let signals = Self::default();
        flag::register_conditional_shutdown(SIGINT, 128 + SIGINT, Arc::clone(&signals.stop))?;
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] {
            flag::register(signal, Arc::clone(&signals.stop))?;
        }
        Ok(signals)
    }

    /// One came.
    pub(super) fn came(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
