//! A study on this machine.

use std::io;

use pliant_diag::Diagnostics;
use pliant_store::Cache;
use pliant_study::Study;
use pliant_study::here::{self, Asked, run_here};

use super::super::reduce::user_cache;
use super::progress::Bars;
use super::signals::Signals;
use super::{Outcome, findings, refuse};
use crate::Common;
use crate::terminal::complain;

/// Runs cases, merges and prints.
pub(super) fn run(study: &Study, retry_failed: bool, no_cache: bool, common: &Common) -> io::Result<Outcome> {
    let cache = if no_cache { None } else { the_cache() };
    let signals = Signals::listen()?;
    let bars = Bars::new(!common.quiet && !common.json);
    let asked = Asked { retry_failed, cache: cache.as_ref(), stop: &signals.stop, progress: &bars };
    let outcome = run_here(study, &asked);
    bars.clear();
    match outcome {
        Ok(here::Outcome { ended, merged }) => findings::print(study, &merged, Some(ended), common),
        Err(error) => refuse(&error, common),
    }
}

/// The user's cache; without one every worker reduces the links again, and is reported so.
pub(super) fn the_cache() -> Option<Cache> {
    let mut warnings = Diagnostics::new();
    let cache = user_cache(&mut warnings);
    for warning in &warnings {
        let message = &warning.message;
        complain(format_args!("warning: {message}; every start of the study reduces its links again"));
    }
    cache
}
