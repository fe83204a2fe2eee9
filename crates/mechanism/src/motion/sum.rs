//! Sum of motions.

use super::{Motion, MotionSample};

/// All parts added: a slow move with a vibration on top.
#[derive(Debug)]
pub struct Sum {
    /// The parts.
    pub parts: Vec<Box<dyn Motion>>,
}

impl Motion for Sum {
    fn at(&self, t: f64) -> MotionSample {
        self.parts.iter().map(|p| p.at(t)).fold(MotionSample::default(), |a, b| MotionSample {
            value: a.value + b.value,
            rate: a.rate + b.rate,
            acceleration: a.acceleration + b.acceleration,
        })
    }

    fn end(&self) -> f64 {
        self.parts.iter().map(|p| p.end()).fold(0.0, f64::max)
    }

    fn kinks(&self) -> Vec<f64> {
        let mut kinks: Vec<f64> = self.parts.iter().flat_map(|p| p.kinks()).collect();
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        kinks
    }
}
