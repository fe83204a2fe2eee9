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

/// Collects the loops of the poses that are kept.
pub(super) fn records(poses: &[&[ServoLoop]], count: usize, highest_hz: f64) -> Vec<LoopRecord> {
    let Some(first) = poses.first() else { return Vec::new() };
    let record = |(k, servo): (usize, &ServoLoop)| {
        let hz = |loops: &&[ServoLoop]| loops[k].frequencies_hz(count, highest_hz);
        let frequencies_hz: Vec<Vec<f64>> = poses.iter().map(hz).collect();
        let at = |(loops, frequencies): (&&[ServoLoop], &Vec<f64>)| {
            frequencies.iter().map(|hz| loops[k].at(std::f64::consts::TAU * hz)).collect()
        };
        let values = poses.iter().zip(&frequencies_hz).map(at).collect();
        LoopRecord { servo: servo.name.clone(), frequencies_hz, values }
    };
    first.iter().enumerate().map(record).collect()
}
