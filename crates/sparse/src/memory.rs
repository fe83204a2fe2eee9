//! How much memory the machine can still give, and giving it back.

use std::fs;
use std::path::Path;

/// Bytes that this process may still have, less a tenth for everyone else: the least of what the machine, the
/// control groups (containers, Slurm), `ulimit -v` and `ulimit -d` leave. Unlimited where none of them says.
#[must_use]
pub fn available_memory() -> usize {
    let machine = number_after(&text("/proc/meminfo"), "MemAvailable:").map(|kilobytes| kilobytes * 1024);
    let limits = [("Max address space", "VmSize:"), ("Max data size", "VmData:")].map(of_limit);
    let left = [machine, of_control_groups()].into_iter().chain(limits).flatten().min();
    left.map_or(usize::MAX, |bytes| usize::try_from(bytes / 10 * 9).unwrap_or(usize::MAX))
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The number behind the first of these words.
fn number_after(text: &str, words: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(words))?.split_whitespace().next()?.parse().ok()
}

/// The least that a control group of this process leaves: `memory.max` less `memory.current` of version 2,
/// and the same of version 1, of the group and those above it.
fn of_control_groups() -> Option<u64> {
    let groups = text("/proc/self/cgroup");
    let number = |path: &Path| text(path).trim().parse::<u64>().ok();
    let left = |root: &str, group: &str, names: [&str; 2]| {
        let folder = Path::new(root).join(group.trim_start_matches('/'));
        let each = |folder: &Path| {
            let limit = number(&folder.join(names[0]))?;
            Some(limit.saturating_sub(number(&folder.join(names[1])).unwrap_or(0)))
        };
        folder.ancestors().take_while(|folder| folder.starts_with(root)).filter_map(each).min()
    };
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            left("/sys/fs/cgroup", group, ["memory.max", "memory.current"])
        } else if controllers.split(',').any(|name| name == "memory") {
            left("/sys/fs/cgroup/memory", group, ["memory.limit_in_bytes", "memory.usage_in_bytes"])
        } else {
            None
        }
    };
    groups.lines().filter_map(of_line).min()
}

/// What `ulimit -v` or `ulimit -d` leaves.
fn of_limit((limit, used): (&str, &str)) -> Option<u64> {
    let limit = number_after(&text("/proc/self/limits"), limit)?;
    let used = number_after(&text("/proc/self/status"), used).unwrap_or(0) * 1024;
    Some(limit.saturating_sub(used))
}

/// Gives freed memory back to the system. The allocator keeps what lies between pieces still in use; before a
/// large matrix is made, that adds to the peak.
pub fn release_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: malloc_trim takes any number and may be called at any time from any thread.
        unsafe { libc::malloc_trim(0) };
    }
}

/// Lets all threads allocate from one heap. [`release_memory`] gives back what was freed at the end of the
/// first heap alone, and each thread would have its own: where one thread does the work, this keeps the peak
/// lower. To be called before threads are started.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: mallopt takes any numbers and refuses what it does not know.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_behind_their_words() {
        let limits =
            "Limit  Soft  Hard\nMax address space         8589934592           unlimited            bytes\n";
        assert_eq!(number_after(limits, "Max address space"), Some(8_589_934_592));
        assert_eq!(number_after("Max address space  unlimited  unlimited bytes", "Max address space"), None);
        assert!(available_memory() > 1 << 20);
    }
}
