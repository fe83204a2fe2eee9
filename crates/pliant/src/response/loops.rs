//! The open loops of servos for Nyquist and Nichols plots.

use pliant_dynamics::response::ServoLoop;
use pliant_store::LoopRecord;

/// Poses of which open loops are kept.
const POSES: usize = 25;

/// Which of `count` poses these are: evenly, the first and the last among them.
pub(super) fn kept(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let wanted = count.min(POSES);
    (0..wanted).map(|k| k * last / wanted.saturating_sub(1).max(1)).collect()
}

/// Collects the loops of the poses that are kept, each at the frequencies of the first pose.
pub(super) fn records(poses: &[&[ServoLoop]], count: usize, highest_hz: f64) -> Vec<LoopRecord> {
    let Some(first) = poses.first() else { return Vec::new() };
    let record = |(k, servo): (usize, &ServoLoop)| {
        let frequencies_hz = servo.frequencies_hz(count, highest_hz);
        let at = |loops: &&[ServoLoop]| {
            let of = |hz: &f64| loops[k].at(std::f64::consts::TAU * hz);
            frequencies_hz.iter().map(of).collect()
        };
        let values = poses.iter().map(at).collect();
        LoopRecord { servo: servo.name.clone(), frequencies_hz, values }
    };
    first.iter().enumerate().map(record).collect()
}
