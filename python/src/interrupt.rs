//! Ctrl-C while the engine works.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Between two looks for Ctrl-C.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// Whether somebody still waits for the work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The flag itself.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    pub(crate) fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Works in a thread of its own while this one looks for Ctrl-C; then `stop` is set and `KeyboardInterrupt`
/// raised. With `wait` the work has ended by then; without it may still finish what cannot be interrupted
/// (a factorisation), and nothing comes of it.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &Stop,
    wait: bool,
    each: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    thread::spawn(move || {
        // Nobody receives once the work was interrupted.
        let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
    });
    let receive = Mutex::new(receive);
    let look =
        |py: Python<'_>| py.detach(|| next(&receive.lock().expect("invariant: one thread receives"), PAUSE));
    loop {
        if let Some(done) = look(py) {
            return Ok(done.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        if let Err(interrupt) = py.check_signals().and_then(|()| each(py)) {
            stop.0.store(true, Ordering::Relaxed);
            while wait && look(py).is_none() {}
            return Err(interrupt);
        }
    }
}

type Outcome<T> = Result<T, Box<dyn Any + Send>>;

/// The outcome; none when it takes longer.
fn next<T>(receive: &Receiver<Outcome<T>>, pause: Duration) -> Option<Outcome<T>> {
    match receive.recv_timeout(pause) {
        Ok(outcome) => Some(outcome),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            unreachable!("invariant: the work sends its outcome, a panic too")
        }
    }
}
