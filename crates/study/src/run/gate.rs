//! Memory: a case starts only when there is room for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Memory that stays free for everything else.
const RESERVE: u64 = 256 << 20;
/// How long a look at the memory stays good.
const FRESH: Duration = Duration::from_millis(100);

/// Lets cases in while memory lasts; one is always let in.
pub(super) struct Gate {
    inside: Mutex<Inside>,
    left: Condvar,
}

struct Inside {
    running: usize,
    looked: Option<(Instant, bool)>,
}

/// A case that is running.
pub(super) struct Turn<'a>(&'a Gate);

impl Gate {
    pub(super) fn new() -> Self {
        Self { inside: Mutex::new(Inside { running: 0, looked: None }), left: Condvar::new() }
    }

    /// Waits until there is room, or nothing else runs, or the work is to stop.
    pub(super) fn enter(&self, stop: &AtomicBool) -> Turn<'_> {
        let mut inside = self.inside.lock().expect("invariant: nobody panics in the gate");
        while inside.running > 0 && !stop.load(Ordering::Relaxed) && !inside.has_room() {
            let waited = self.left.wait_timeout(inside, FRESH);
            inside = waited.expect("invariant: nobody panics in the gate").0;
        }
        inside.running += 1;
        Turn(self)
    }
}

impl Inside {
    /// Room for one more of the size that the running ones have on average.
    fn has_room(&mut self) -> bool {
        if let Some((when, room)) = self.looked
            && when.elapsed() < FRESH
        {
            return room;
        }
        let used = memory("/proc/self/status", "VmRSS:").unwrap_or(0);
        let each = used / self.running.max(1) as u64;
        // Where the system does not report it, there is room.
        let room = available().is_none_or(|free| free > RESERVE + each);
        self.looked = Some((Instant::now(), room));
        room
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // A poisoned gate is one whose study is ending anyway.
        if let Ok(mut inside) = self.0.inside.lock() {
            inside.running -= 1;
        }
        self.0.left.notify_one();
    }
}

/// Bytes that a line of one of Linux's reports tells.
fn memory(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Memory that may still be had: of the machine, and of the job where Slurm gives it a limit.
fn available() -> Option<u64> {
    let machine = memory("/proc/meminfo", "MemAvailable:")?;
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let cpus = number("SLURM_CPUS_ON_NODE").unwrap_or(1);
    let limit = number("SLURM_MEM_PER_NODE").or_else(|| number("SLURM_MEM_PER_CPU").map(|each| each * cpus));
    let used = memory("/proc/self/status", "VmRSS:").unwrap_or(0);
    Some(limit.map_or(machine, |limit| machine.min((limit << 20).saturating_sub(used))))
}

/// Memory for links that several cases share: a quarter of what is there.
pub(super) fn room_for_links() -> usize {
    available().map_or(1 << 30, |bytes| usize::try_from(bytes / 4).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_room_one_case_runs_at_a_time() {
        let gate = Gate::new();
        let stop = AtomicBool::new(false);
        let turn = gate.enter(&stop);
        gate.inside.lock().unwrap().looked = Some((Instant::now() + Duration::from_secs(60), false));
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let start = Instant::now();
                let _turn = gate.enter(&stop);
                start.elapsed()
            });
            std::thread::sleep(Duration::from_millis(50));
            assert!(!second.is_finished(), "it waits");
            drop(turn);
            second.join().unwrap();
        });
    }
}
