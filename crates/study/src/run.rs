//! Cases on this machine: links first, then cases side by side, the longest first.

mod gate;

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pliant::Case;
use pliant_dynamics::StepControl;
use pliant_reduce::LinkRequest;
use pliant_reduce::request::Modes;
use pliant_store::Cache;
use rayon::prelude::*;

use crate::case::ParsedCases;
use crate::error::StudyError;
use crate::links::{Library, Signature, Wanted, signature};
use crate::manifest::Study;
use crate::segment::{Identity, Row, Writer};
use crate::worker::Worker;
use gate::Gate;

/// Most rows of a segment.
const SEGMENT_ROWS: usize = 512;
/// Longest time between commits.
const SLOWEST: Duration = Duration::from_secs(60);

/// Hears how it goes. Called from several threads.
pub trait Progress: Sync {
    /// So many links that several cases share are to be reduced or loaded.
    fn links(&self, count: usize) {
        let _ = count;
    }
    /// One of them is there.
    fn link(&self, name: &str) {
        let _ = name;
    }
    /// So many cases are to be run.
    fn cases(&self, count: usize) {
        let _ = count;
    }
    /// A case begins.
    fn begin(&self, case: usize) {
        let _ = case;
    }
    /// A case has its row.
    fn end(&self, row: &Row) {
        let _ = row;
    }
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {}

/// How cases are run.
pub struct Options<'a> {
    /// Cases side by side.
    pub threads: usize,
    /// Reduced links on disk.
    pub cache: Option<&'a Cache>,
    /// Set when the work is to stop.
    pub stop: &'a AtomicBool,
    /// Hears how it goes.
    pub progress: &'a dyn Progress,
    /// Who writes the segments.
    pub identity: Identity,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// Cases that got their row.
    pub finished: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// True when it was stopped before all cases had run.
    pub stopped: bool,
    /// Links that were reduced or loaded from the cache.
    pub links: usize,
    /// From beginning to end.
    pub seconds: f64,
}

/// Holds a study for one process on this machine.
#[derive(Debug)]
pub struct Hold {
    _file: File,
}

impl Hold {
    /// Takes the study. The system gives it back when this process ends in any way.
    ///
    /// # Errors
    /// Another process has it, or the folder cannot be written.
    pub fn take(study: &Study) -> Result<Self, StudyError> {
        let path = study.folder.join("lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| StudyError::io("write", &path, &error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process is running the study in {}", study.folder.display());
                Err(StudyError::new(message).hint("`pliant status` shows how far it is"))
            }
            // A file system without locks: the segments stay right, at worst cases run twice.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _file: file }),
        }
    }
}

/// What one case takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Reducing or loading its links (s).
    pub links: f64,
    /// All else (s).
    pub case: f64,
    /// False when the case was cut off by the limit, or failed.
    pub whole: bool,
}

/// Runs one case for its time; nothing is written but links into the cache.
pub fn time(study: &Study, case: usize, cache: Option<&Cache>, stop: &AtomicBool, limit: f64) -> Timed {
    let library = Library::new(cache, usize::MAX);
    let start = Instant::now();
    let cases = ParsedCases::new(study);
    let prepared = prepare(&cases, case);
    let wanted = wanted_links(&cases, &[prepared], 1);
    library.fill(&wanted, 1, stop, &|_| {});
    let links = start.elapsed().as_secs_f64();
    let worker = Worker { study, cases: &cases, library: &library, stop, limit: Some(limit + links) };
    let row = worker.run(case);
    let whole = row.is_some_and(|row| row.status == crate::Status::Done);
    Timed { links, case: start.elapsed().as_secs_f64() - links, whole }
}

/// What a case takes, before it runs.
struct Prepared {
    case: usize,
    /// Steps times coordinates, more or less.
    cost: f64,
    links: Vec<Signature>,
}

/// Runs cases of a study and commits their rows.
///
/// # Errors
/// A segment that cannot be written; what was committed before is safe.
pub fn run(study: &Study, cases: &[usize], options: Options<'_>) -> Result<Ended, StudyError> {
    let start = Instant::now();
    let library = Library::new(options.cache, gate::room_for_links());
    let parsed = ParsedCases::new(study);
    let mut prepared: Vec<Prepared> = cases.par_iter().map(|case| prepare(&parsed, *case)).collect();
    // One that a single case wants is made with that case: a thousand of them are not kept at once.
    let wanted = wanted_links(&parsed, &prepared, 2);
    options.progress.links(wanted.len());
    library.fill(&wanted, options.threads, options.stop, &|name| options.progress.link(name));
    drop(wanted);
    prepared.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.case.cmp(&b.case)));
    options.progress.cases(prepared.len());

    let (send, receive) = channel();
    let next = AtomicUsize::new(0);
    let gate = Gate::new();
    let limit = study.table.time_limit;
    let worker = Worker { study, cases: &parsed, library: &library, stop: options.stop, limit };
    let folder = study.folder.join("segments");
    let mut writer = Writer::new(&folder, options.identity, &study.manifest.hash, &study.columns());
    let ended = thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, prepared.len().max(1)) {
            let send = send.clone();
            let (next, prepared, worker, gate) = (&next, &prepared, &worker, &gate);
            let (stop, progress) = (options.stop, options.progress);
            scope.spawn(move || {
                while let Some(this) = prepared.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _turn = gate.enter(stop);
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    progress.begin(this.case);
                    let Some(row) = worker.run(this.case) else { return };
                    progress.end(&row);
                    // The receiver goes first only when it could not write; then stop is set.
                    if send.send(row).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let ended = collect(&receive, &mut writer, study.table.commit);
        if ended.is_err() {
            options.stop.store(true, Ordering::Relaxed);
        }
        ended
    });
    let (finished, failed) = ended?;
    Ok(Ended {
        finished,
        failed,
        stopped: finished < cases.len(),
        links: library.made.load(Ordering::Relaxed),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Takes rows as they come and commits them: at the latest after `commit` seconds, or after a hundredth of
/// the time so far where that is longer, so that a long night leaves some hundred files and not some ten
/// thousand.
fn collect(rows: &Receiver<Row>, writer: &mut Writer, commit: f64) -> Result<(usize, usize), StudyError> {
    let start = Instant::now();
    let (mut finished, mut failed) = (0, 0);
    let mut waiting: Vec<Row> = Vec::new();
    let mut last = start;
    loop {
        let pause = start.elapsed().div_f64(100.0).min(SLOWEST).max(Duration::from_secs_f64(commit));
        let left = pause.saturating_sub(last.elapsed());
        let over = match rows.recv_timeout(left) {
            Ok(row) => {
                finished += 1;
                failed += usize::from(row.reason.is_some());
                waiting.push(row);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        if over || waiting.len() >= SEGMENT_ROWS || last.elapsed() >= pause {
            if !waiting.is_empty() {
                waiting.sort_by_key(|row| row.case);
                writer.commit(&waiting).map_err(|(path, error)| {
                    let count = waiting.len();
                    let reported = StudyError::io("write", &path, &error);
                    StudyError {
                        message: format!("{}; {count} finished cases are lost", reported.message),
                        ..reported
                    }
                })?;
                waiting.clear();
            }
            last = Instant::now();
        }
        if over {
            return Ok((finished, failed));
        }
    }
}

fn prepare(cases: &ParsedCases<'_>, case: usize) -> Prepared {
    let bad = || Prepared { case, cost: 0.0, links: Vec::new() };
    cases.prepare(case, |parsed| prepared(case, parsed)).unwrap_or_else(bad)
}

fn prepared(case: usize, parsed: &Case) -> Prepared {
    let settings = parsed.settings();
    let step = match settings.step {
        StepControl::Fixed { step } => step,
        StepControl::ErrorControlled { max_step, .. } => max_step,
    };
    let flexible: Vec<_> = parsed.links().requests.iter().filter(|link| link.is_flexible()).collect();
    let modes = |link: &&LinkRequest| match link.modes {
        Some(Modes::Count(count)) => count as f64,
        _ => 20.0,
    };
    let coordinates: f64 = flexible.iter().map(modes).sum();
    let steps = (settings.t_end - settings.t_start) / step;
    let links = flexible.iter().map(|link| signature(link)).collect();
    Prepared { case, cost: steps * (10.0 + coordinates), links }
}

/// How often a link is used, and where first: the case, and the index among its flexible links.
struct LinkUse {
    case: usize,
    position: usize,
    count: usize,
}

/// The links that at least so many cases want.
fn wanted_links(cases: &ParsedCases<'_>, prepared: &[Prepared], least: usize) -> Vec<Wanted> {
    let mut uses: HashMap<Signature, LinkUse> = HashMap::new();
    for this in prepared {
        for (position, signature) in this.links.iter().enumerate() {
            uses.entry(*signature).or_insert(LinkUse { case: this.case, position, count: 0 }).count += 1;
        }
    }
    let mut shared: Vec<_> = uses.into_iter().filter(|(_, link)| link.count >= least).collect();
    shared.sort_unstable_by_key(|(signature, link)| (link.case, link.position, *signature));
    let wanted = |(signature, LinkUse { case, position, count: uses }): (Signature, LinkUse)| {
        let link = |parsed: &Case| {
            let mut flexible = parsed.links().requests.iter().filter(|link| link.is_flexible());
            flexible.nth(position).cloned()
        };
        Some(Wanted { link: cases.look(case, link)??, signature, uses })
    };
    shared.into_iter().filter_map(wanted).collect()
}
