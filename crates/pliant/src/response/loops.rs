//! The open loops of servos for Nyquist and Nichols plots.

use pliant_diag::Diagnostic;
use pliant_dynamics::response::ServoLoop;
use pliant_machine::ResponsePlan;
use pliant_store::LoopRecord;
use rayon::prelude::*;

use super::PoseResponse;

/// Poses of which open loops are kept.
const POSES: usize = 25;

/// Which of `count` poses these are: evenly, the first and the last among them.
pub(super) fn kept(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let wanted = count.min(POSES);
    (0..wanted).map(|k| k * last / wanted.saturating_sub(1).max(1)).collect()
}

/// Collects the loops of the poses that are kept.
pub(super) fn records(poses: &[&[ServoLoop]], count: usize) -> Vec<LoopRecord> {
    let Some(first) = poses.first() else { return Vec::new() };
    let record = |(k, servo): (usize, &ServoLoop)| {
        let curves = poses.par_iter().map(|loops| loops[k].curve(count).into_iter().unzip());
        let (frequencies_hz, values) = curves.unzip();
        LoopRecord { servo: servo.name.clone(), frequencies_hz, values }
    };
    first.iter().enumerate().map(record).collect()
}

/// Says where drives that sample count as continuous in the loops of others.
pub(super) fn approximate(plan: &ResponsePlan, poses: &[PoseResponse]) -> Option<Diagnostic> {
    let loops = &poses.first()?.margins;
    let names: Vec<&str> = loops.iter().filter(|of| !of.exact).map(|of| of.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "margins of `{}`: other drives that sample count as continuous there, since their clocks do not all have one cycle with a single \
         sample of the loop; whether the machine is stable is found with all clocks where they have a common cycle",
        names.join("`, `")
    );
    let hint = "equal sample times give exact margins";
    Some(Diagnostic::note(message).at(plan.span).hint(hint))
}
