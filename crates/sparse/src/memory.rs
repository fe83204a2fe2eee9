//! How much memory the machine can still give, and giving it back.

/// Bytes the system says are available, less a tenth for everyone else; unlimited where it does not say.
#[must_use]
pub fn available_memory() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok())
        .map_or(usize::MAX, |kilobytes| kilobytes * 1024 / 10 * 9)
}

/// Gives freed memory back to the system. The allocator keeps what lies between pieces still in use; before a large matrix is made, that adds to
/// the peak.
pub fn release_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: malloc_trim takes any number and may be called at any time from any thread.
        unsafe { malloc_trim(0) };
    }
}

/// Lets all threads allocate from one heap. [`release_memory`] gives back what was freed at the end of the first heap alone, and each thread would
/// have its own: where one thread does the work, this keeps the peak lower. To be called before threads are started.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Of glibc's malloc.h.
        const M_ARENA_MAX: i32 = -8;
        unsafe extern "C" {
            fn mallopt(parameter: i32, value: i32) -> i32;
        }
        // SAFETY: mallopt takes any numbers and refuses what it does not know.
        unsafe { mallopt(M_ARENA_MAX, 1) };
    }
}
