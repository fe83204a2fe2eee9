//! The plane on which a multiaxial history does most damage.

mod frames;

use crate::assessment::{Assessment, Criterion};
use crate::rainflow::Rainflow;
use frames::Frame;

pub use frames::Search;

/// What a history is made of, sample by sample (Pa).
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// Stress along an axis: bars and rods.
    Axial(&'a [f64]),
    /// xx, yy and xy at a free surface whose normal is z: shells.
    Surface(&'a [[f64; 3]]),
    /// xx, yy, zz, xy, yz and zx.
    Solid(&'a [[f64; 6]]),
}

impl Points<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Axial(history) => history.len(),
            Self::Surface(history) => history.len(),
            Self::Solid(history) => history.len(),
        }
    }

    /// The traction of a plane along a direction: aᵀσb at each sample times `scale`.
    fn project(&self, a: [f64; 3], b: [f64; 3], scale: f64, found: &mut Vec<f64>) {
        found.clear();
        let normal: [f64; 3] = std::array::from_fn(|i| scale * a[i] * b[i]);
        let shear: [f64; 3] = std::array::from_fn(|i| {
            let j = (i + 1) % 3;
            scale * (a[i] * b[j] + a[j] * b[i])
        });
        match self {
            Self::Axial(history) => found.extend(history.iter().map(|s| normal[0] * s)),
            Self::Surface(history) => {
                found.extend(history.iter().map(|s| normal[0] * s[0] + normal[1] * s[1] + shear[0] * s[2]));
            }
            Self::Solid(history) => found.extend(history.iter().map(|s| {
                let direct = normal[0] * s[0] + normal[1] * s[1] + normal[2] * s[2];
                direct + shear[0] * s[3] + shear[1] * s[4] + shear[2] * s[5]
            })),
        }
    }
}

/// A part of a history that happens several times.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its samples.
    pub samples: std::ops::Range<usize>,
    /// How often it happens.
    pub repeats: f64,
}

/// Damage on the plane where it is largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneDamage {
    /// D = Σ n/N over all blocks and their repeats; infinite where the strength is reached.
    pub damage: f64,
    /// Normal of the plane, in the axes of the history.
    pub normal: [f64; 3],
}

/// Memory for the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    rainflow: Rainflow,
    normal: Vec<f64>,
    shear: Vec<f64>,
}

/// Damage on the plane of a frame; `least` of it is of interest: less may come out as 0.
pub(crate) fn on_plane(
    assessment: &Assessment,
    points: Points<'_>,
    blocks: &[Block],
    frame: &Frame,
    least: f64,
    scratch: &mut Scratch,
) -> f64 {
    let Scratch { rainflow, normal, shear } = scratch;
    points.project(frame.normal, frame.normal, assessment.factors.on_stress(), normal);
    let counted = match assessment.criterion {
        Criterion::Normal => &*normal,
        Criterion::Findley { .. } => {
            points.project(frame.direction, frame.normal, assessment.factors.on_stress(), shear);
            &*shear
        }
    };
    // What all cycles together do at most: as many as fit, each as large as the history.
    let bound = |block: &Block| {
        let range = |history: &[f64]| {
            let all = history[block.samples.clone()].iter();
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(*s), high.max(*s)))
        };
        let largest = match assessment.criterion {
            Criterion::Normal => {
                let (low, high) = range(normal);
                assessment.largest_equivalent(low, high)
            }
            Criterion::Findley { .. } => {
                let (low, high) = range(counted);
                assessment.findley(0.5 * (high - low), range(normal).1)
            }
        };
        block.repeats * 0.5 * block.samples.len() as f64 * assessment.damage_of(largest)
    };
    if blocks.iter().map(bound).sum::<f64>() <= least {
        return 0.0;
    }
    let mut damage = 0.0;
    for block in blocks {
        let (history, across) = (&counted[block.samples.clone()], &normal[block.samples.clone()]);
        let mut sum = 0.0;
        rainflow.count(history, assessment.residue, |cycle| {
            let equivalent = match assessment.criterion {
                Criterion::Normal => assessment.equivalent(cycle.amplitude(), cycle.mean()),
                Criterion::Findley { .. } => {
                    let [from, to] = cycle.samples;
                    let largest = |part: &[f64]| part.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                    let largest = if from <= to {
                        largest(&across[from..=to])
                    } else {
                        largest(&across[from..]).max(largest(&across[..=to]))
                    };
                    assessment.findley(cycle.amplitude(), largest)
                }
            };
            sum += cycle.count * assessment.damage_of(equivalent);
        });
        damage += block.repeats * sum;
    }
    damage
}

/// The largest damage over the planes of a search, when it is larger than `least`.
pub(crate) fn worst(
    assessment: &Assessment,
    points: Points<'_>,
    blocks: &[Block],
    search: &Search,
    least: f64,
    scratch: &mut Scratch,
) -> Option<PlaneDamage> {
    debug_assert!(blocks.iter().all(|block| block.samples.end <= points.len()));
    let set = search.of(points, assessment.criterion);
    let mut best: Option<(f64, Frame)> = None;
    let mut damage = least;
    for frame in &set.frames {
        let found = on_plane(assessment, points, blocks, frame, damage, scratch);
        if found > damage {
            damage = found;
            best = Some((found, *frame));
        }
    }
    // Downhill from the best: the frame turns about its axes by steps that halve.
    let (mut damage, mut at) = best?;
    let mut step = 0.5 * set.step;
    while step > Search::FINEST && damage.is_finite() {
        let mut better = false;
        for axis in set.axes {
            for sign in [1.0, -1.0] {
                let turned = at.turned(*axis, sign * step);
                let found = on_plane(assessment, points, blocks, &turned, damage, scratch);
                if found > damage {
                    (damage, at, better) = (found, turned, true);
                }
            }
        }
        if !better {
            step *= 0.5;
        }
    }
    Some(PlaneDamage { damage, normal: at.normal })
}
