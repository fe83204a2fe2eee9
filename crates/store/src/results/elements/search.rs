//! The largest intensity of each element over many frames, of which few are evaluated.
//!
//! The intensity f(p) of an element is a norm of a linear function of the coordinates p, so it is convex, and
//! f(a + b) ≤ f(a) + Σ w_k |b_k| with w_k = f(unit k). In a part of 64 frames,
//!
//! ```text
//!     f(p) ≤ f(m) + Σ w_k r_k                          m, r: middle and half width of the box of all frames
//!     f(p) ≤ (1 − α) f(a) + α f(b) + Σ w_k |d_k|       p = (1 − α) a + α b + d between the frames a and b
//!     f(p) ≤ f(p₁ … p_l, 0 …) + Σ_k>l w_k |p_k|        the first l coordinates have most of the stress
//! ```
//!
//! Whatever these bounds leave below the largest so far is not evaluated, and bounds of the frames a and b do
//! as well as their intensities. Between two frames nine outputs apart d is of second order in time.

use pliant_simd::{Lanes, widest};
use rayon::prelude::*;

use super::intensity::{Eight, Intensities};

/// Frames of a part: eight that are evaluated (the first, then every ninth), and eight between each two.
const PART: usize = 64;
/// Parts of a block.
const PARTS: usize = 8;
/// Frames of a block.
pub(super) const BLOCK: usize = PART * PARTS;
const STRIDE: usize = 9;
/// Elements that one task takes.
const TOGETHER: usize = 128;
/// A frame may be left out when it could exceed the largest so far by this fraction at most: otherwise
/// rounding would have every frame of a machine at rest evaluated.
const SLACK: f64 = 1.0 + 1e-12;

/// Frames of a link that are searched together.
pub(super) struct Block {
    times: Vec<f64>,
    /// Of each part, in its lane: the middle and the half width of the box of its frames.
    middle: Vec<Eight>,
    radius: Vec<Eight>,
    parts: Vec<Part>,
}

struct Part {
    /// Frames 0, 9, …, 63.
    knots: Vec<Eight>,
    /// Between each two of them: the largest |d_k|.
    width: Vec<Eight>,
    between: Vec<Between>,
}

/// The eight frames between two knots.
struct Between {
    frames: Vec<Eight>,
    alpha: Eight,
    /// |d|.
    off: Vec<Eight>,
}

impl Block {
    /// Of at most [`BLOCK`] frames; `q` has `width` coordinates for each time.
    pub(super) fn new(of: &Intensities, times: &[f64], q: &[f64], width: usize) -> Self {
        let n = of.coordinates();
        // What is missing in the last part is its last frame again.
        let count = times.len().next_multiple_of(PART);
        let padded = |frame: usize| frame.min(times.len() - 1);
        let mut all = vec![[0.0; 8]; n * count / 8];
        for frame in 0..count {
            let q = &q[padded(frame) * width..][..width];
            of.turn(q, &mut all[n * (frame / 8)..][..n], frame % 8);
        }
        let p = |frame: usize, k: usize| all[n * (frame / 8) + k][frame % 8];
        let (mut middle, mut radius) = (vec![[0.0; 8]; n], vec![[0.0; 8]; n]);
        let parts = (0..count / PART).map(|part| {
            let start = part * PART;
            for k in 0..n {
                let values = (start..start + PART).map(|frame| p(frame, k));
                let (low, high) = values
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
                let centre = 0.5 * (low + high);
                (middle[k][part], radius[k][part]) = (centre, (high - centre).max(centre - low));
            }
            Part::new(n, |frame, k| p(start + frame, k))
        });
        let parts = parts.collect();
        Self { times: (0..count).map(|frame| times[padded(frame)]).collect(), middle, radius, parts }
    }
}

impl Part {
    fn new(n: usize, p: impl Fn(usize, usize) -> f64) -> Self {
        let eight = |first: usize, stride: usize| {
            let lanes = |k: usize| std::array::from_fn(|lane| p(first + stride * lane, k));
            (0..n).map(lanes).collect::<Vec<Eight>>()
        };
        let mut width = vec![[0.0; 8]; n];
        let between = (0..7).map(|s| {
            let (a, b, first) = (STRIDE * s, STRIDE * (s + 1), STRIDE * s + 1);
            let length: f64 = (0..n).map(|k| (p(b, k) - p(a, k)).powi(2)).sum();
            // The nearest point on the chord; any α gives a bound.
            let alpha = std::array::from_fn(|lane| {
                let along = |k: usize| (p(first + lane, k) - p(a, k)) * (p(b, k) - p(a, k));
                let along: f64 = (0..n).map(along).sum();
                if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 }
            });
            let off: Vec<Eight> = (0..n)
                .map(|k| {
                    std::array::from_fn(|lane| {
                        let chord = (1.0 - alpha[lane]) * p(a, k) + alpha[lane] * p(b, k);
                        (p(first + lane, k) - chord).abs()
                    })
                })
                .collect();
            for (width, off) in width.iter_mut().zip(&off) {
                width[s] = off.iter().fold(0.0, |a, b| f64::max(a, *b));
            }
            Between { frames: eight(first, 1), alpha, off }
        });
        let between = between.collect();
        Self { knots: eight(0, STRIDE), width, between }
    }
}

/// Raises the largest of each element, and the time of it, by the frames of a block.
pub(super) fn search(of: &Intensities, block: &Block, largest: &mut [f64], times: &mut [f64]) {
    let tasks = largest.par_chunks_mut(TOGETHER).zip(times.par_chunks_mut(TOGETHER));
    tasks.enumerate().for_each(|(chunk, (largest, times))| {
        search_some(Search { of, block, first: chunk * TOGETHER, largest, times });
    });
}

struct Search<'a> {
    of: &'a Intensities,
    block: &'a Block,
    first: usize,
    largest: &'a mut [f64],
    times: &'a mut [f64],
}

widest! {
    fn search_some[](task: Search<'_>) = search_with
}

#[inline(always)]
fn search_with<L: Lanes>(task: Search<'_>) {
    let Search { of, block, first, largest, times } = task;
    for (at, (largest, time)) in (first..).zip(largest.iter_mut().zip(times)) {
        let mut found = Found { largest: *largest, time: *time };
        element::<L>(of, block, at, &mut found);
        (*largest, *time) = (found.largest, found.time);
    }
}

/// The largest of an element so far.
struct Found {
    largest: f64,
    time: f64,
}

impl Found {
    /// Whether a bound leaves the frame out.
    #[inline(always)]
    fn covers(&self, bound: f64) -> bool {
        bound <= self.largest * SLACK
    }

    /// Takes eight frames in, the first of which has the first time, unless their bounds leave them out;
    /// returns upper bounds.
    #[inline(always)]
    fn take_or_bound<L: Lanes>(
        &mut self,
        of: &Intensities,
        at: usize,
        p: &[Eight],
        times: &[f64],
        stride: usize,
    ) -> Eight {
        let leading = of.leading();
        if leading > 0 {
            let (mut nothing, mut upper) = ([f64::INFINITY; 8], [0.0; 8]);
            let most = of.raise::<L>(at, &p[..leading], &mut nothing);
            of.bound(at, leading, p, most).store(&mut upper);
            if upper.iter().all(|bound| self.covers(*bound)) {
                return upper;
            }
        }
        self.take::<L>(of, at, p, times, stride)
    }

    /// Evaluates eight frames, the first of which has the first time; returns upper bounds.
    #[inline(always)]
    fn take<L: Lanes>(
        &mut self,
        of: &Intensities,
        at: usize,
        p: &[Eight],
        times: &[f64],
        stride: usize,
    ) -> Eight {
        let (mut best, mut upper) = ([self.largest; 8], [0.0; 8]);
        of.raise::<L>(at, p, &mut best).store(&mut upper);
        for (lane, value) in best.into_iter().enumerate() {
            let time = times[stride * lane];
            // Of equal ones the first.
            let earlier = value == self.largest && upper[lane] >= value && time < self.time;
            if value > self.largest || earlier {
                (self.largest, self.time) = (value, time);
            }
        }
        upper
    }
}

#[inline(always)]
fn element<L: Lanes>(of: &Intensities, block: &Block, at: usize, found: &mut Found) {
    let (mut bounds, mut nothing) = ([0.0; 8], [f64::INFINITY; 8]);
    let centre = of.raise::<L>(at, &block.middle, &mut nothing);
    of.bound(at, 0, &block.radius, centre).store(&mut bounds);
    let mut knots = [[0.0; 8]; PARTS];
    let mut open = [false; PARTS];
    // The knots of all parts first: what is between them is held against the largest of them all.
    for (k, part) in block.parts.iter().enumerate() {
        open[k] = !found.covers(bounds[k]);
        if open[k] {
            knots[k] = found.take_or_bound::<L>(of, at, &part.knots, &block.times[PART * k..], STRIDE);
        }
    }
    for (k, part) in block.parts.iter().enumerate().filter(|(k, _)| open[*k]) {
        let mut widths = [0.0; 8];
        of.bound(at, 0, &part.width, L::splat(0.0)).store(&mut widths);
        for (s, between) in part.between.iter().enumerate() {
            let (a, b) = (knots[k][s], knots[k][s + 1]);
            if found.covers(a.max(b) + widths[s]) {
                continue;
            }
            let chord = L::load(&between.alpha).fused(L::splat(b - a), L::splat(a));
            let mut each = [0.0; 8];
            of.bound(at, 0, &between.off, chord).store(&mut each);
            if each.iter().all(|bound| found.covers(*bound)) {
                continue;
            }
            let times = &block.times[PART * k + STRIDE * s + 1..];
            found.take_or_bound::<L>(of, at, &between.frames, times, 1);
        }
    }
}
