//! The worst over the poses: what `pliant response` prints and studies ask for.

use super::{PoseResponse, ResponseResult};

/// The worst of a quantity, and the index of the pose that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Its value.
    pub value: f64,
    /// Which pose.
    pub pose: usize,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl ResponseResult {
    /// The smallest of a quantity over the poses; none where no pose has it.
    pub(super) fn least(&self, of: impl Fn(&PoseResponse) -> Option<f64>) -> Option<Worst> {
        self.extreme(of, |a, b| a < b)
    }

    /// The largest of a quantity over the poses; none where no pose has it.
    pub fn most(&self, of: impl Fn(&PoseResponse) -> Option<f64>) -> Option<Worst> {
        self.extreme(of, |a, b| a > b)
    }

    fn extreme(
        &self,
        of: impl Fn(&PoseResponse) -> Option<f64>,
        beats: impl Fn(f64, f64) -> bool,
    ) -> Option<Worst> {
        let mut worst: Option<Worst> = None;
        for (pose, at) in self.poses.iter().enumerate() {
            let Some(value) = of(at).filter(|value| !value.is_nan()) else { continue };
            if worst.is_none_or(|worst| beats(value, worst.value)) {
                worst = Some(Worst { value, pose });
            }
        }
        worst
    }

    /// Every metric of the catalogue that this response has, by name: the worst over the poses.
    pub fn metrics(&self) -> Vec<(String, Worst)> {
        let mut all = Vec::new();
        let mut add = |name: String, worst: Option<Worst>| all.extend(worst.map(|worst| (name, worst)));
        let modes = self.poses.iter().map(|pose| pose.undamped.len()).min().unwrap_or(0);
        for k in 0..modes {
            add(format!("mode_{}_hz", k + 1), self.least(|pose| Some(pose.undamped[k].frequency_hz)));
            let damping = |pose: &PoseResponse| {
                let modes = pose.damped.as_ref()?.modes.iter();
                modes.filter(|mode| mode.s[1] > 0.0).nth(k).map(|mode| mode.ratio)
            };
            add(format!("mode_{}_damping", k + 1), self.least(damping));
        }
        for (k, servo) in self.poses.iter().flat_map(|pose| pose.margins.first()).take(1).flat_map(|_| {
            let names = self.poses[0].margins.iter().map(|found| found.name.clone());
            names.enumerate().collect::<Vec<_>>()
        }) {
            // An unstable loop has no margin.
            let stable = |pose: &PoseResponse, value: f64| if pose.margins[k].stable { value } else { 0.0 };
            let gain = self.least(|pose| Some(stable(pose, pose.margins[k].margins.gain_margin())));
            add(format!("gain_margin_{servo}"), gain);
            let phase = |pose: &PoseResponse| {
                Some(stable(pose, pose.margins[k].margins.phase_margin_deg().to_radians()))
            };
            add(format!("phase_margin_{servo}"), self.least(phase));
            let disk = self.least(|pose| Some(stable(pose, pose.margins[k].margins.disk.alpha)));
            add(format!("disk_margin_{servo}"), disk);
        }
        for (k, axis) in AXES.iter().enumerate() {
            add(format!("compliance_{axis}"), self.most(|pose| Some(pose.compliance?.at_rest[k])));
            add(format!("dynamic_compliance_{axis}"), self.most(|pose| Some(pose.compliance?.largest[k])));
        }
        all
    }
}
