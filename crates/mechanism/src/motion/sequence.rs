//! Motions one after the other.

use thiserror::Error;

use super::{Motion, MotionSample};

/// Parts that follow each other, each on its own clock that starts at zero when the part begins.
#[derive(Debug)]
pub struct Sequence {
    parts: Vec<(f64, Box<dyn Motion>)>,
    end: f64,
}

/// Why parts cannot follow each other.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SequenceError {
    /// There is no part.
    #[error("a sequence needs at least one motion")]
    Empty,
    /// A part that never ends stands before another.
    #[error("part {part} never ends, so the next one never begins")]
    Endless {
        /// From 1.
        part: usize,
    },
    /// The next part begins elsewhere or with another rate.
    #[error("between part {part} and the next the {what} jumps by {jump:.6e}")]
    Jump {
        /// From 1.
        part: usize,
        /// `value` or `rate`.
        what: &'static str,
        /// How much.
        jump: f64,
    },
}

impl Sequence {
    /// Chains the parts.
    ///
    /// # Errors
    /// When value or rate jump between parts (more than 1e-9 of their size), or a part never ends.
    pub fn new(motions: Vec<Box<dyn Motion>>) -> Result<Self, SequenceError> {
        if motions.is_empty() {
            return Err(SequenceError::Empty);
        }
        let (mut parts, mut t) = (Vec::with_capacity(motions.len()), 0.0);
        let mut before: Option<MotionSample> = None;
        for (i, motion) in motions.into_iter().enumerate() {
            if let Some(before) = before {
                if !f64::is_finite(t) {
                    return Err(SequenceError::Endless { part: i });
                }
                let after = motion.at(0.0);
                for (what, a, b) in [("value", before.value, after.value), ("rate", before.rate, after.rate)]
                {
                    if (a - b).abs() > 1e-9 * (1.0 + a.abs().max(b.abs())) {
                        return Err(SequenceError::Jump { part: i, what, jump: b - a });
                    }
                }
            }
            let end = motion.end();
            before = end.is_finite().then(|| motion.at(end)).or(Some(MotionSample::default()));
            parts.push((t, motion));
            t += end;
        }
        Ok(Self { parts, end: t })
    }
}

impl Motion for Sequence {
    fn at(&self, t: f64) -> MotionSample {
        let i = self.parts.partition_point(|(start, _)| *start <= t).max(1) - 1;
        let (start, motion) = &self.parts[i];
        motion.at(t - start)
    }

    fn end(&self) -> f64 {
        self.end
    }

    fn kinks(&self) -> Vec<f64> {
        let shifted = |(start, motion): &(f64, Box<dyn Motion>)| {
            let start = *start;
            motion.kinks().into_iter().map(move |k| k + start).collect::<Vec<_>>()
        };
        let mut kinks: Vec<f64> = self.parts.iter().flat_map(shifted).collect();
        kinks.dedup();
        kinks
    }
}
