//! A study on this machine.

use std::io;

use pliant_diag::Diagnostics;
use pliant_store::Cache;
use pliant_study::run::{Hold, Options};
use pliant_study::{Identity, Study};

use super::super::reduce::user_cache;
use super::progress::Bars;
use super::signals::Signals;
use super::{Outcome, findings, refuse};
use crate::Common;
use crate::terminal::complain;

/// Runs cases, merges and prints.
pub(super) fn run(study: &Study, cases: &[usize], no_cache: bool, common: &Common) -> io::Result<Outcome> {
    let _hold = match Hold::take(study) {
        Ok(hold) => hold,
        Err(error) => return refuse(&error, common),
    };
    let cache = if no_cache { None } else { the_cache() };
    let signals = Signals::listen()?;
    let bars = Bars::new(!common.quiet && !common.json);
    let options = Options {
        threads: rayon::current_num_threads(),
        cache: cache.as_ref(),
        stop: &signals.stop,
        progress: &bars,
        identity: Identity::of_process(),
    };
    let ended = pliant_study::run::run(study, cases, options);
    bars.clear();
    match ended {
        Ok(ended) => findings::merge_and_print(study, Some(ended), common),
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
