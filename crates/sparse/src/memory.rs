//! How much memory the machine can still give.

/// Bytes the system says are available, less a tenth for everyone else; unlimited where it does not say.
#[must_use]
pub fn available_memory() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok())
        .map_or(usize::MAX, |kilobytes| kilobytes * 1024 / 10 * 9)
}
