//! A driver without libFuzzer: damages seeds, calls a reader, and watches panics, time and memory.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::memory::peak_of;
use crate::mutate::damaged;
use crate::{Random, Target};

/// Longest time of an execution.
pub const LONGEST: Duration = Duration::from_secs(10);
/// An execution that has not ended by then ends the process.
const ENDLESS: u64 = 60;
/// Memory of a process that has read nothing yet.
const BASE: usize = 8 << 20;

/// Most bytes that a reader may allocate for a damaged input when an intact one takes `intact`: the process
/// may take twice the memory, 2 (BASE + intact), and BASE of that is its own.
const fn most(intact: usize) -> usize {
    2 * (BASE + intact) - BASE
}

/// How much is asked of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Executions, at most.
    pub executions: u64,
    /// Time, at most.
    pub time: Duration,
    /// Begin of the random numbers.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Executions.
    pub executions: u64,
    /// Time of all.
    pub time: Duration,
    /// Time of the slowest.
    pub slowest: Duration,
    /// Most bytes that an execution allocated.
    pub most_memory: usize,
    /// Most bytes that an intact seed took.
    pub seed_memory: usize,
    /// What went wrong, and the input that shows it.
    pub defects: Vec<(String, PathBuf)>,
}

impl Found {
    /// One line for people.
    pub fn line(&self, name: &str) -> String {
        format!(
            "{name:>10}: {:9} executions, {:7.1} s, slowest {:6.3} s, most memory {:6.1} MB (intact {:.1} MB), {} defects",
            self.executions,
            self.time.as_secs_f64(),
            self.slowest.as_secs_f64(),
            self.most_memory as f64 / 1e6,
            self.seed_memory as f64 / 1e6,
            self.defects.len(),
        )
    }
}

/// What the watchdog looks at: the beginning of the execution in milliseconds, 0 for none, and its input.
struct Watch {
    start: Instant,
    began: AtomicU64,
    input: Mutex<Vec<u8>>,
}

impl Watch {
    fn begin(&self, input: &[u8]) {
        if let Ok(mut kept) = self.input.lock() {
            kept.clear();
            kept.extend_from_slice(input);
        }
        self.began.store(self.start.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.began.store(0, Ordering::Relaxed);
    }

    fn look(&self, name: &str) {
        let (began, now) = (self.began.load(Ordering::Relaxed), self.start.elapsed().as_millis() as u64);
        if began > 0 && now > began + 1000 * ENDLESS {
            let input = self.input.lock().map(|input| input.clone()).unwrap_or_default();
            let path = keep(name, "endless", &input);
            eprintln!("{name}: no end after {ENDLESS} s: {}", path.display());
            std::process::abort();
        }
    }
}

/// Keeps an input that shows a defect.
fn keep(name: &str, what: &str, input: &[u8]) -> PathBuf {
    let folder = std::env::var_os("PLIANT_FUZZ_DEFECTS").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("pliant-fuzz-{name}-{what}-{:08x}", crc(input)));
    if let Err(error) = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input)) {
        eprintln!("{} cannot be written: {error}", path.display());
    }
    path
}

/// A short name for bytes (FNV-1a).
fn crc(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Runs a target with damaged seeds.
pub fn run(target: &Target, request: Request) -> Found {
    let seeds = (target.seeds)();
    let watch = Arc::new(Watch { start: Instant::now(), began: AtomicU64::new(0), input: Mutex::default() });
    let (watched, name) = (Arc::downgrade(&watch), target.name);
    std::thread::spawn(move || {
        while let Some(watch) = watched.upgrade() {
            watch.look(name);
            drop(watch);
            std::thread::sleep(Duration::from_secs(1));
        }
    });
    let mut found = Found::default();
    let mut random = Random::new(request.seed);
    // The first call of some readers builds tables that stay.
    seeds.iter().for_each(|seed| (target.read)(seed));
    let intact: Vec<usize> = seeds.iter().map(|seed| peak_of(|| (target.read)(seed))).collect();
    found.seed_memory = intact.iter().copied().max().unwrap_or(0);
    let start = Instant::now();
    while found.executions < request.executions && start.elapsed() < request.time && found.defects.len() < 20
    {
        let which = random.below(seeds.len());
        let other = random.below(seeds.len());
        let input = damaged(&seeds[which], &seeds[other], target.dictionary, &mut random);
        watch.begin(&input);
        let began = Instant::now();
        let mut outcome = Ok(());
        let memory = peak_of(|| outcome = catch_unwind(AssertUnwindSafe(|| (target.read)(&input))));
        let time = began.elapsed();
        watch.end();
        found.executions += 1;
        found.slowest = found.slowest.max(time);
        found.most_memory = found.most_memory.max(memory);
        let mut defect = |what: &str, text: String| {
            found.defects.push((text, keep(target.name, what, &input)));
        };
        if let Err(panic) = outcome {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            defect("panic", format!("panic: {}", text.unwrap_or_default()));
        }
        if time > LONGEST {
            defect("slow", format!("{:.1} s", time.as_secs_f64()));
        }
        if memory > most(intact[which]) {
            // The input may have become a short form of a larger one that is legal, as `=(90000)` in a deck.
            let written_out = target.written_out.map(|write| write(&input));
            let complete = written_out.map_or(0, |input| peak_of(|| (target.read)(&input)));
            if memory > most(intact[which].max(complete)) {
                let intact = intact[which];
                defect("memory", format!("{memory} bytes, intact {intact}, written out {complete}"));
            }
        }
    }
    found.time = start.elapsed();
    found
}
