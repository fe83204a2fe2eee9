//! A second process that wants the same link waits for the first instead of doing the work again.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::{Cache, Key};

/// How long to wait for another process before reducing the link as well: both will succeed and agree.
const PATIENCE: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(20);

/// An advisory lock on a key. The system gives it back when it is dropped, or when its process dies in any
/// way.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Opens or creates the file of a lock. A symbolic link is not followed, and a FIFO is not waited for.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options.open(path)
}

impl Cache {
    /// Waits for whoever makes the entry now, then makes others wait. `None` when that is not possible; the
    /// work may go on without.
    ///
    /// On a rayon worker it does not wait: the worker's own stack may hold another lock, under a job that was
    /// stolen while that one waited for a subtask, and two processes could wait for each other.
    pub fn lock(&self, key: &Key) -> Option<Lock> {
        std::fs::create_dir_all(self.folder()).ok()?;
        let file = open_lock(&self.folder().join(format!("{key}.lock"))).ok()?;
        let patience = if rayon::current_thread_index().is_some() { Duration::ZERO } else { PATIENCE };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => thread::sleep(PAUSE),
                Err(_) => return None,
            }
        }
    }
}
