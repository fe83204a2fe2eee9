//! What happens when the system gives no more memory: a message and exit code 1. Rust's own way is to abort,
//! which scripts take for a crash. `ulimit`, control groups and damaged files lead here; the largest needs
//! are compared with what is available before they are asked for (`pliant_sparse::available_memory`).

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

/// Whether the process is to abort all the same: the parent of a reader tells what it had begun to write by
/// its death.
static ABORTS: AtomicBool = AtomicBool::new(false);

/// From now on the process aborts.
pub(crate) fn abort_instead() {
    ABORTS.store(true, Ordering::Relaxed);
}

/// The allocator of the system, which ends the process where it has nothing more to give.
struct OrExit;

// SAFETY: each method passes its arguments on to the allocator of the system, unchanged, and returns what
// that returns unless it is null; `or_exit` allocates nothing and does not return then.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        or_exit(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        or_exit(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        or_exit(unsafe { System.realloc(pointer, layout, size) })
    }
}

#[inline]
fn or_exit(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        end();
    }
    pointer
}

#[cold]
fn end() -> ! {
    const MESSAGE: &[u8] = b"error: out of memory: the system gives no more to this process\n";
    #[cfg(unix)]
    if !ABORTS.load(Ordering::Relaxed) {
        // SAFETY: both calls are safe at any time, allocate nothing, and the bytes outlive the first. `_exit`
        // runs no handlers, so that nothing that was half built is written.
        unsafe {
            libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(1);
        }
    }
    std::process::abort()
}
