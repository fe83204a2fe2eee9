//! The worker: one case from its values to its row. The same on a laptop and on a cluster.

use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use pliant::Case;
use pliant::links::MachineLink;
use pliant::run::{Ending, RunOptions};
use pliant_diag::Diagnostics;
use pliant_pipeline::study::KeepWord;
use pliant_reduce::LinkRequest;
use thiserror::Error;

use crate::case::{ParsedCases, one_line};
use crate::links::{Library, LinkError};
use crate::manifest::Study;
use crate::metric::{Answers, StopReason};
use crate::segment::{Row, Status};
use crate::series::Kept;

/// What workers share.
pub(crate) struct Worker<'a> {
    pub(crate) study: &'a Study,
    pub(crate) cases: &'a ParsedCases<'a>,
    pub(crate) library: &'a Library<'a>,
    pub(crate) stop: &'a AtomicBool,
    /// Longest time of a case (s).
    pub(crate) limit: Option<f64>,
}

/// Why a case failed: the reason in its row.
#[derive(Debug, Error)]
pub(crate) enum CaseFailure {
    #[error("bad parameters: {}", one_line(.0))]
    Parameters(Diagnostics),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error("time limit: not finished after {0} s")]
    TimeLimit(f64),
    #[error("{}", one_line(.0))]
    Run(Diagnostics),
    #[error("its results cannot be kept: {0}")]
    Results(#[from] io::Error),
    #[error("internal error: {0}")]
    Panic(String),
}

thread_local! {
    /// The message of the panic that this thread is about to catch.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static CATCHING: RefCell<bool> = const { RefCell::new(false) };
}

impl Worker<'_> {
    /// The row of a case; `None` when it was stopped.
    pub(crate) fn run(&self, case: usize) -> Option<Row> {
        let start = Instant::now();
        let result = catch_panic(|| self.values(case, start));
        let width = self.study.columns().len();
        let (status, reason, values) = match result {
            Ok(Some(values)) => (Status::Done, None, values),
            Ok(None) => return None,
            Err(failure) => (Status::Failed, Some(failure.to_string()), vec![None; width]),
        };
        let input = self.study.case_hash(case);
        Some(Row { case, input, status, reason, seconds: start.elapsed().as_secs_f64(), values })
    }

    fn values(&self, index: usize, start: Instant) -> Result<Option<Vec<Option<f64>>>, CaseFailure> {
        let study = self.study;
        let case = self.cases.take(index).map_err(CaseFailure::Parameters)?;
        let links = self.links(&case)?;
        let deadline = self.limit.map(|limit| start + Duration::from_secs_f64(limit));
        let mut questions = Answers::new(study, index, self.stop, deadline);
        let kept = (study.table.keep == KeepWord::All).then(|| Kept::new(study, index, &case));
        let options = RunOptions {
            kinds: case.kinds().iter().take(1).copied().collect(),
            results: kept.as_ref().map(Kept::target),
            // A complete results file has them; else they take time that nobody asked for.
            modes: kept.is_some() || study.questions.uses_modes(),
            natural_frequency: study.questions.uses("natural_frequency_1"),
            response: study.questions.uses_response(),
        };
        let result = pliant::run::run(&case, &links, &options, &mut questions);
        match (questions.ending, result.ending) {
            (Some(StopReason::Requested), _) => return Ok(None),
            (Some(StopReason::TimeLimit), _) => {
                return Err(CaseFailure::TimeLimit(self.limit.unwrap_or_default()));
            }
            (None, Ending::Complete) => {}
            (None, _) => return Err(CaseFailure::Run(result.diagnostics)),
        }
        if let Some(kept) = kept {
            kept.publish()?;
        }
        let values = result.analyses.into_iter().next().map(|analysis| analysis.declared).unwrap_or_default();
        Ok(Some(values.into_iter().map(|x| Some(x).filter(|x| x.is_finite())).collect()))
    }

    fn links(&self, case: &Case) -> Result<Vec<Arc<MachineLink>>, LinkError> {
        if self.study.questions.uses_elements() {
            let recovered = |request: &LinkRequest| self.library.recovered(request, case);
            return case.links().requests.iter().map(recovered).collect();
        }
        let named = |request: &LinkRequest| {
            // Links that are alike are reduced once, whatever their names.
            let mut link = MachineLink::clone(&*self.library.get(request)?);
            link.info.name.clone_from(&request.name);
            Ok(Arc::new(link))
        };
        case.links().requests.iter().map(named).collect()
    }
}

/// Turns a panic into a failure. A panic in a case is our bug, but the study goes on.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, CaseFailure>) -> Result<T, CaseFailure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if CATCHING.with(|catching| *catching.borrow()) {
                PANIC.with(|message| *message.borrow_mut() = Some(info.to_string().replace('\n', " ")));
            } else {
                before(info);
            }
        }));
    });
    CATCHING.with(|catching| *catching.borrow_mut() = true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.with(|catching| *catching.borrow_mut() = false);
    result.unwrap_or_else(|_| {
        let message = PANIC.with(|message| message.borrow_mut().take());
        Err(CaseFailure::Panic(message.unwrap_or_else(|| "a panic".to_owned())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        let reason = catch_panic::<()>(|| panic!("far out")).unwrap_err().to_string();
        assert!(reason.starts_with("internal error: ") && reason.contains("far out"), "{reason}");
        assert_eq!(catch_panic(|| Ok(3)).unwrap(), 3);
    }
}
