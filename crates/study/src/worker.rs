//! The worker: one case from its values to its row. The same on a laptop and on a cluster.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use pliant_dynamics::{AnalysisKind, natural_frequencies, nominal_motion, simulate};
use pliant_machine::{Links, Plan};
use pliant_pipeline::PipelineTable;
use pliant_pipeline::study::KeepWord;

use crate::case::{one_line, parameter_number};
use crate::links::Library;
use crate::manifest::Study;
use crate::metric::{Ending, Recorder, look_up, number};
use crate::segment::{Row, Status};
use crate::series::Kept;

/// What workers share.
pub(crate) struct Worker<'a> {
    pub(crate) study: &'a Study,
    pub(crate) library: &'a Library<'a>,
    pub(crate) stop: &'a AtomicBool,
    /// Longest time of a case (s).
    pub(crate) limit: Option<f64>,
}

thread_local! {
    /// Where the panic that this thread is about to catch happened.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static CATCHING: RefCell<bool> = const { RefCell::new(false) };
}

impl Worker<'_> {
    /// The row of a case; `None` when it was stopped.
    pub(crate) fn run(&self, case: usize) -> Option<Row> {
        let start = Instant::now();
        let result = caught(|| self.values(case, start));
        let width = self.study.columns().len();
        let (status, reason, values) = match result {
            Ok(Some(values)) => (Status::Done, None, values),
            Ok(None) => return None,
            Err(reason) => (Status::Failed, Some(reason), vec![None; width]),
        };
        let input = self.study.case_hash(case);
        Some(Row { case, input, status, reason, seconds: start.elapsed().as_secs_f64(), values })
    }

    fn values(&self, case: usize, start: Instant) -> Result<Option<Vec<Option<f64>>>, String> {
        let (study, given) = (self.study, &self.study.cases[case]);
        let bad = |reason: String| format!("bad parameters: {reason}");
        let file = study.maker().file(given).map_err(|problems| bad(problems.reason()))?;
        let table = file.table.as_ref().expect("invariant: a case without errors has its tables");
        let planned = Plan::new(&file);
        let plan = planned.output.ok_or_else(|| bad(one_line(&planned.diagnostics)))?;
        let links = self.links(&plan.links)?;
        let mass = mass(table, &links);
        let (kind, settings) = (plan.kind, plan.settings);
        let (tip, settling) = (plan.tip.clone(), plan.settling);
        let model = plan.model(links, &file.document).map_err(|problems| bad(one_line(&problems)))?;
        // The rigid analysis hands out frames of the machine without elasticity.
        let model = if kind == AnalysisKind::Rigid { model.rigid() } else { model };
        let tip = tip.and_then(|(link, interface)| model.interface(&link, &interface));
        let deadline = self.limit.map(|limit| start + Duration::from_secs_f64(limit));
        let signals = study.questions.signals();
        let first_mode = match study.questions.uses("first_mode_hz") {
            true => {
                let all = natural_frequencies(&model, &settings).map_err(|error| error.to_string())?;
                all.into_iter().next().unwrap_or(f64::NAN)
            }
            false => f64::NAN,
        };
        let mut recorder = Recorder::new(&signals, &model, tip, settling, self.stop, deadline)?;
        let mut kept = None;
        if study.table.keep == KeepWord::All {
            let nominal = nominal_motion(&model, kind, &settings);
            let (file, keeper) = Kept::create(study, case, &file, &model, tip, (&settings, nominal))?;
            recorder.keeper = Some(keeper);
            kept = Some(file);
        }
        let statistics =
            simulate(&model, kind, &settings, &mut recorder).map_err(|error| error.to_string())?;
        match recorder.ending {
            Ending::Whole => {}
            Ending::Stopped => return Ok(None),
            Ending::TimeLimit => {
                let limit = self.limit.unwrap_or_default();
                return Err(format!("time limit: not finished after {limit} s"));
            }
        }
        let mut numbers: Vec<(String, f64)> = vec![
            ("mass".to_owned(), mass),
            ("first_mode_hz".to_owned(), first_mode),
            ("steps".to_owned(), statistics.steps as f64),
            ("iterations".to_owned(), statistics.iterations as f64),
        ];
        let of_tip = recorder.tip_numbers().map_err(|error| error.to_string())?;
        numbers.extend(of_tip.into_iter().map(|(name, x)| (name.to_owned(), x)));
        for (parameter, given) in study.parameters.iter().zip(given) {
            // The study's own names come first: a parameter may be called `mass`.
            if let Some(x) = parameter_number(parameter, given.as_ref(), &study.file.document) {
                numbers.insert(0, (parameter.name.clone(), x));
            }
        }
        let keeper = recorder.keeper.take();
        let signals = recorder.found();
        let mut values = Vec::new();
        let questions = &study.questions;
        for metric in questions.metrics.iter().chain(&questions.constraints) {
            let x = number(&metric.node, &look_up(&numbers, &signals))
                .map_err(|error| format!("metric `{}`: {error}", metric.name))?;
            values.push(Some(x).filter(|x| x.is_finite()));
            numbers.insert(0, (metric.name.clone(), x));
        }
        if let (Some(keeper), Some(kept)) = (keeper, kept) {
            keeper.finish(values.iter().map(|value| value.unwrap_or(f64::NAN)).collect())?;
            kept.finish()?;
        }
        Ok(Some(values))
    }

    fn links(
        &self,
        links: &Links,
    ) -> Result<Vec<(String, std::sync::Arc<pliant_link::ReducedLink>)>, String> {
        links.requests.iter().map(|link| Ok((link.name.clone(), self.library.get(link)?))).collect()
    }
}

/// Mass of all links and payloads (kg).
fn mass(table: &PipelineTable, links: &[(String, std::sync::Arc<pliant_link::ReducedLink>)]) -> f64 {
    let payloads = table.payload.iter().chain(table.payloads.iter().map(|(_, payload)| payload));
    let links: f64 = links.iter().map(|(_, link)| link.invariants.mass()).sum();
    links + payloads.map(|payload| payload.mass).sum::<f64>()
}

/// Turns a panic into a reason. A panic in a case is our bug, but the night goes on.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if CATCHING.with(|catching| *catching.borrow()) {
                PANIC.with(|place| *place.borrow_mut() = Some(info.to_string().replace('\n', " ")));
            } else {
                before(info);
            }
        }));
    });
    CATCHING.with(|catching| *catching.borrow_mut() = true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.with(|catching| *catching.borrow_mut() = false);
    result.unwrap_or_else(|_| {
        let told = PANIC.with(|place| place.borrow_mut().take());
        Err(format!("internal error: {}", told.unwrap_or_else(|| "a panic".to_owned())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        let reason = caught::<()>(|| panic!("far out")).unwrap_err();
        assert!(reason.starts_with("internal error: ") && reason.contains("far out"), "{reason}");
        assert_eq!(caught(|| Ok(3)), Ok(3));
    }
}
