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
