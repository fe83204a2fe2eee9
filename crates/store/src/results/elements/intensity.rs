//! The one number that stands for an element, for eight frames at once.
//!
//! Equivalent stress and principal strain are norms of the numbers at a point, and these are linear in the
//! coordinates q of the link: σ = S q. With the norm as a sum of squares,
//!
//! ```text
//!     solid   σ_v² = ¾(σx − σy)² + (σz − ½(σx + σy))² + 3(τxy² + τyz² + τzx²)
//!     plane   σ_v² = ¾(σx − σy)² + ¼(σx + σy)² + 3τ²
//!             ε_1  = ½|εx + εy| + √(¼(εx − εy)² + ¼γ²)
//! ```
//!
//! each term is one row: B q.
//!
//! For bounds, rows and coordinates are turned together, B q = (B M)(M⁻¹ q), to coordinates p of which few
//! are large. With q scaled by the largest number of each column, G = ΣBᵀB over some elements = VΛVᵀ and C =
//! Σqqᵀ over some frames, y = Λ^½Vᵀq has stresses of the same size for a unit of each coordinate, and p = Uᵀy
//! with the eigenvectors U of Λ^½VᵀCVΛ^½, the largest first, has most of the stress of the motion in its
//! first coordinates.

use nalgebra::{DMatrix, DVector};
use pliant_reduce::recovery::{ElementModes, Quantity, RowKind};
use pliant_simd::{Lanes, widest, with_wide_registers};
use rayon::prelude::*;

use super::form::Form;
use super::layout::{ElementRows, Layout, Turned, add_square, axes};

/// A number of each of eight frames.
pub(in crate::results) type Eight = [f64; 8];

/// Elements that one task takes, so that the choice of registers costs nothing.
const TOGETHER: usize = 128;
/// Elements whose rows choose the axes of p. Any choice is right; a good one prunes more.
const SAMPLED: usize = 1000;
/// Λ is not taken smaller than this part of its largest, so that M and M⁻¹ are the inverse of each other to a
/// thousand times the rounding unit at worst.
const SMALLEST: f64 = 1e-6;
/// Coordinates that are at most this part of the largest, by their stress, are not among the first.
const SMALL: f64 = 0.01;

/// The rows of all elements of a link.
#[derive(Clone, Debug)]
pub(in crate::results) struct Intensities {
    coordinates: usize,
    /// How many coordinates p, the first ones, have most of the stress; fewer than half of them, or none.
    leading: usize,
    /// M⁻¹ row by row.
    turn: Vec<f64>,
    /// Of each tile its columns, one after the other.
    B: Vec<f64>,
    elements: Vec<ElementRows>,
    /// Of each element the intensity for a unit of each coordinate p, or a little more.
    weights: Vec<f64>,
}

impl Intensities {
    /// Of the modes of a link, in its own coordinates.
    pub(super) fn plain(modes: &ElementModes) -> Self {
        let n = modes.S.ncols();
        let layout = Layout::new(modes);
        let pieces = (0..layout.elements.len()).into_par_iter();
        let pieces: Vec<_> =
            pieces.map(|at| layout.tiled(at, &layout.rows(modes, at, &vec![1.0; n]))).collect();
        let mut turn = vec![0.0; n * n];
        (0..n).for_each(|k| turn[n * k + k] = 1.0);
        let (B, elements) = (pieces.concat(), layout.elements);
        Self { coordinates: n, leading: 0, turn, B, elements, weights: Vec::new() }
    }

    /// The same in the coordinates that suit a motion; `q` has those of its frames, one after the other.
    pub(super) fn turned(modes: &ElementModes, q: &[f64]) -> Self {
        let n = modes.S.ncols();
        let layout = Layout::new(modes);
        let largest = |s: nalgebra::DVectorView<'_, f64>| {
            let counted = layout.ranges.iter().flat_map(|range| &s.as_slice()[range.clone()]);
            counted.fold(0.0, |a, x| f64::max(a, x.abs()))
        };
        let sizes = modes.S.column_iter().map(largest);
        let sizes: Vec<f64> = sizes.map(|size| if size > 0.0 { size } else { 1.0 }).collect();
        let scales: Vec<f64> = sizes.iter().map(|size| 1.0 / size).collect();
        let count = layout.elements.len();
        let mut gram = DMatrix::<f64>::zeros(n, n);
        for at in (0..count).step_by(count.div_ceil(SAMPLED).max(1)) {
            for row in layout.rows(modes, at, &scales).chunks_exact(n.max(1)) {
                add_square(&mut gram, row);
            }
        }
        let (V, roots) = axes(gram);
        let floor = SMALLEST.sqrt() * roots.amax();
        let roots = roots.map(|root| if floor > 0.0 { root.max(floor) } else { 1.0 });
        // y = Λ^½ Vᵀ D q.
        let to_y = DMatrix::from_fn(n, n, |i, k| roots[i] * V[(k, i)] * sizes[k]);
        let mut motion = DMatrix::<f64>::zeros(n, n);
        for q in q.chunks_exact(n.max(1)) {
            let y = &to_y * DVector::from_column_slice(q);
            add_square(&mut motion, y.as_slice());
        }
        let (U, amounts) = axes(motion);
        let leading = amounts.iter().take_while(|amount| **amount > SMALL * amounts[0]).count();
        let turn = (U.transpose() * to_y).transpose().as_slice().to_vec();
        let M = DMatrix::from_fn(n, n, |k, i| V[(k, i)] / roots[i]) * U;
        let M = M.transpose().as_slice().to_vec();
        let piece = |at: usize| {
            let rows = layout.rows(modes, at, &scales);
            let mut turned = vec![0.0; rows.len()];
            with_wide_registers(Turned { rows: &rows, M: &M, n, turned: &mut turned });
            layout.tiled(at, &turned)
        };
        let pieces: Vec<_> = (0..count).into_par_iter().map(piece).collect();
        let leading = if 2 * leading < n { leading } else { 0 };
        let (B, elements) = (pieces.concat(), layout.elements);
        let mut this = Self { coordinates: n, leading, turn, B, elements, weights: Vec::new() };
        this.weights = this.weights();
        this
    }

    /// Of each element the intensity of each unit coordinate.
    fn weights(&self) -> Vec<f64> {
        let n = self.coordinates;
        let mut weights = vec![0.0; n * self.elements.len()];
        for first in (0..n).step_by(8) {
            let mut units = vec![[0.0; 8]; n];
            (first..n.min(first + 8)).for_each(|k| units[k][k - first] = 1.0);
            for (at, upper) in self.evaluate(&units, true).into_iter().enumerate() {
                let lanes = n.min(first + 8) - first;
                weights[n * at + first..n * at + first + lanes].copy_from_slice(&upper[..lanes]);
            }
        }
        weights
    }

    /// Number of coordinates.
    pub(in crate::results) fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// Number of the coordinates that have most of the stress; 0 where there are no such.
    pub(super) fn leading(&self) -> usize {
        self.leading
    }

    /// p = M⁻¹ q into lane `lane`. A rigid analysis has no coordinates, whatever the link has.
    pub(in crate::results) fn turn(&self, q: &[f64], p: &mut [Eight], lane: usize) {
        for (p, row) in p.iter_mut().zip(self.turn.chunks_exact(self.coordinates.max(1))) {
            p[lane] = row.iter().zip(q).map(|(t, q)| t * q).sum();
        }
    }

    /// `more` + Σ w_k |r_k| over the coordinates from number `from` on: no intensity of such r is larger.
    #[inline(always)]
    pub(super) fn bound<L: Lanes>(&self, at: usize, from: usize, r: &[Eight], more: L) -> L {
        let weights = &self.weights[at * self.coordinates..(at + 1) * self.coordinates];
        let mut sum = more;
        for (weight, r) in weights[from..].iter().zip(&r[from..]) {
            sum = L::load(r).size().fused(L::splat(*weight), sum);
        }
        sum
    }

    /// Intensities of all elements in eight frames.
    pub(in crate::results) fn frames(&self, p: &[Eight]) -> Vec<Eight> {
        self.evaluate(p, false)
    }

    /// Of all elements, or their upper bounds.
    fn evaluate(&self, p: &[Eight], upper: bool) -> Vec<Eight> {
        let mut all = vec![[0.0; 8]; self.elements.len()];
        all.par_chunks_mut(TOGETHER).enumerate().for_each(|(chunk, out)| {
            evaluate(Evaluation { of: self, first: chunk * TOGETHER, p, upper, out });
        });
        all
    }

    /// Raises `best` to the intensity of element `at` in each of eight frames. Returns an upper bound of the
    /// intensities themselves, which is the intensity but for principal strains of solids.
    #[inline(always)]
    pub(super) fn raise<L: Lanes>(&self, at: usize, p: &[Eight], best: &mut Eight) -> L {
        let ElementRows { form, first, tiles } = self.elements[at];
        let size = self.coordinates * form.rows();
        let all = self.B[first..first + tiles * size].chunks_exact(size.max(1));
        let mut upper = L::splat(0.0);
        match form {
            Form::Axial => {
                for tile in all {
                    let [a, b, c, d] = products::<4, L>(tile, p);
                    upper = upper.larger(a.size().larger(b.size())).larger(c.size().larger(d.size()));
                }
            }
            Form::Plane => {
                for tile in all {
                    let [a, b, c, d, e, f] = products::<6, L>(tile, p);
                    let (bottom, top) =
                        (a.fused(a, b.fused(b, c.times(c))), d.fused(d, e.fused(e, f.times(f))));
                    upper = upper.larger(bottom).larger(top);
                }
                upper = upper.root();
            }
            Form::Solid => {
                for tile in all {
                    let [a, b, c, d, e] = products::<5, L>(tile, p);
                    let sum = a.fused(a, b.fused(b, c.fused(c, d.fused(d, e.times(e)))));
                    upper = upper.larger(sum);
                }
                upper = upper.root();
            }
            Form::PlanePrincipal => {
                let one = L::splat(1.0);
                for tile in all {
                    let [a, b, c, d, e, f] = products::<6, L>(tile, p);
                    let bottom = a.size().fused(one, b.fused(b, c.times(c)).root());
                    upper = upper.larger(bottom).larger(d.size().fused(one, e.fused(e, f.times(f)).root()));
                }
            }
            Form::SolidPrincipal => {
                for tile in all {
                    let rows = products::<6, L>(tile, p);
                    let bound = principal_bound(&rows);
                    upper = upper.larger(bound);
                    raise_principal(&rows, bound, best);
                }
                return upper;
            }
        }
        let mut exact = [0.0; 8];
        upper.larger(L::load(best)).store(&mut exact);
        *best = exact;
        upper
    }
}

/// The products of the rows of a tile with eight columns of coordinates.
#[inline(always)]
fn products<const R: usize, L: Lanes>(tile: &[f64], p: &[Eight]) -> [L; R] {
    let mut sums = [L::splat(0.0); R];
    for (column, p) in tile.as_chunks::<R>().0.iter().zip(p) {
        let p = L::load(p);
        for r in 0..R {
            sums[r] = p.fused(L::splat(column[r]), sums[r]);
        }
    }
    sums
}

/// m + 2p, which no principal strain exceeds: m is the mean, 6p² the square of the deviator.
#[inline(always)]
fn principal_bound<L: Lanes>([x, y, z, xy, yz, zx]: &[L; 6]) -> L {
    let one = L::splat(1.0);
    let minus = L::splat(-1.0);
    let mean = x.fused(one, y.fused(one, *z)).times(L::splat(1.0 / 3.0));
    let [x, y, z] = [mean.fused(minus, *x), mean.fused(minus, *y), mean.fused(minus, *z)];
    let shear = xy.fused(*xy, yz.fused(*yz, zx.times(*zx))).times(L::splat(0.5));
    // 4p² = ⅔ of the square of the deviator.
    let deviator = x.fused(x, y.fused(y, z.fused(z, shear))).times(L::splat(2.0 / 3.0)).root();
    mean.size().fused(one, deviator)
}

/// Raises `best` by principal strains, which are found one by one where they might be larger.
#[inline(always)]
fn raise_principal<L: Lanes>(rows: &[L; 6], bound: L, best: &mut Eight) {
    let (mut upper, mut e) = ([0.0; 8], [[0.0; 8]; 6]);
    bound.store(&mut upper);
    if (0..8).all(|lane| upper[lane] <= best[lane]) {
        return;
    }
    (0..6).for_each(|r| rows[r].store(&mut e[r]));
    for lane in 0..8 {
        if upper[lane] > best[lane] {
            let one = std::array::from_fn::<f64, 6, _>(|r| e[r][lane]);
            let exact = RowKind::Solid { corners: 0 }.intensity(Quantity::Strain, &one);
            best[lane] = best[lane].max(exact);
        }
    }
}

struct Evaluation<'a> {
    of: &'a Intensities,
    first: usize,
    p: &'a [Eight],
    upper: bool,
    out: &'a mut [Eight],
}

widest! {
    fn evaluate[](task: Evaluation<'_>) = evaluate_with
}

#[inline(always)]
fn evaluate_with<L: Lanes>(task: Evaluation<'_>) {
    let Evaluation { of, first, p, upper, out } = task;
    for (at, out) in (first..).zip(out) {
        let mut best = [0.0; 8];
        let bound = of.raise::<L>(at, p, &mut best);
        *out = best;
        if upper {
            bound.store(out);
        }
    }
}
