//! A study on this machine, from what is done already to one file of all.

use std::sync::atomic::AtomicBool;

use pliant_store::Cache;

use crate::error::StudyError;
use crate::manifest::Study;
use crate::merge::{Merged, merge};
use crate::run::{Ended, Hold, Options, Progress, run};
use crate::scan::Scan;
use crate::segment::Identity;

/// How a study is run here.
pub struct Asked<'a> {
    /// Run failed cases again, too.
    pub retry_failed: bool,
    /// Reduced links on disk.
    pub cache: Option<&'a Cache>,
    /// Set when the work is to stop.
    pub stop: &'a AtomicBool,
    /// Hears how it goes.
    pub progress: &'a dyn Progress,
}

/// What came of it.
pub struct Outcome {
    /// Of the run.
    pub ended: Ended,
    /// All that is done, merged.
    pub merged: Merged,
}

/// Runs the cases of a study that are not done, as many side by side as there are threads, and merges all
/// rows.
///
/// # Errors
/// Another process runs the study, or its folder cannot be read or written.
pub fn run_here(study: &Study, asked: &Asked<'_>) -> Result<Outcome, StudyError> {
    let cases = unfinished(study, asked.retry_failed)?;
    let _hold = Hold::take(study)?;
    let options = Options {
        threads: rayon::current_num_threads(),
        cache: asked.cache,
        stop: asked.stop,
        progress: asked.progress,
        identity: Identity::of_process(),
    };
    let ended = run(study, &cases, options)?;
    Ok(Outcome { ended, merged: merge(study)? })
}

/// Cases that have no row, and with `failed` those that failed.
///
/// # Errors
/// A folder that cannot be read.
pub fn unfinished(study: &Study, failed: bool) -> Result<Vec<usize>, StudyError> {
    let scan = Scan::of(study)?;
    let mut cases = scan.missing();
    if failed {
        cases.extend(scan.failed());
        cases.sort_unstable();
    }
    Ok(cases)
}
