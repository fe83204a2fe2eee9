//! `/solver`.

use pliant_dynamics::SolverStatistics;

use crate::results::channel::{Channels, Number};
use crate::results::schema::{self, Item};

type Of = fn(&SolverStatistics) -> u64;

pub(super) fn declare(channels: &mut Channels) {
    let all: [(Item, Of); 4] = [
        (schema::SOLVER_STEPS, |s| s.steps),
        (schema::SOLVER_ITERATIONS, |s| s.iterations),
        (schema::SOLVER_CUTS, |s| s.cuts),
        (schema::SOLVER_REJECTED, |s| s.rejected),
    ];
    for (item, of) in all {
        channels.scalar(item, Number::Count, move |frame| of(frame.statistics) as f64);
    }
}
