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
//! with the eigenvectors U of Λ^½VᵀCVΛ^½, the largest first, has most of the stress of the motion in its first
//! coordinates.

use nalgebra::{DMatrix, DVector};
use pliant_reduce::recovery::{ElementModes, Quantity, RecoveredElement, RowKind};
use pliant_simd::{Kernel, Lanes, widest, with_wide_registers};
use rayon::prelude::*;

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
/// A centre is left out when each number at it is the mean of those at the corners to this much of the
/// largest: a norm is convex, so a corner has at least as much.
const IS_MEAN: f64 = 1e-13;

/// Which numbers a point has and what stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Sizes.
    Axial,
    /// Von Mises in a plane.
    Plane,
    /// Von Mises.
    Solid,
    /// Principal strain in a plane.
    PlanePrincipal,
    /// Principal strain.
    SolidPrincipal,
}

/// The rows of an element, tile by tile. A tile has as many rows as fill the registers: four points of a
/// line, both faces of a shell, one point of a solid.
#[derive(Clone, Copy, Debug)]
struct ElementRows {
    form: Form,
    /// Its first number in `B`.
    first: usize,
    tiles: usize,
}

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

impl Form {
    fn of(kind: RowKind, quantity: Quantity) -> Self {
        match (kind, quantity) {
            (RowKind::Line, _) => Self::Axial,
            (RowKind::Shell { .. } | RowKind::Laminate { .. }, Quantity::Stress) => Self::Plane,
            (RowKind::Shell { .. } | RowKind::Laminate { .. }, Quantity::Strain) => Self::PlanePrincipal,
            (RowKind::Solid { .. }, Quantity::Stress) => Self::Solid,
            (RowKind::Solid { .. }, Quantity::Strain) => Self::SolidPrincipal,
        }
    }

    /// Rows of a tile.
    fn rows(self) -> usize {
        match self {
            Self::Axial => 4,
            Self::Solid => 5,
            Self::Plane | Self::PlanePrincipal | Self::SolidPrincipal => 6,
        }
    }

    /// Numbers of an element that make a tile.
    fn numbers(self) -> usize {
        if self == Self::Axial { 4 } else { 6 }
    }

    /// The rows of a tile from the numbers of an element.
    fn combine(self, s: &[f64], mut row: impl FnMut(f64)) {
        let root_3 = 3f64.sqrt();
        match self {
            Self::Axial | Self::SolidPrincipal => s.iter().for_each(|s| row(*s)),
            Self::Plane => s.chunks_exact(3).for_each(|s| {
                row(0.5 * root_3 * (s[0] - s[1]));
                row(0.5 * (s[0] + s[1]));
                row(root_3 * s[2]);
            }),
            Self::PlanePrincipal => s.chunks_exact(3).for_each(|s| {
                row(0.5 * (s[0] + s[1]));
                row(0.5 * (s[0] - s[1]));
                row(0.5 * s[2]);
            }),
            Self::Solid => {
                row(0.5 * root_3 * (s[0] - s[1]));
                row(s[2] - 0.5 * (s[0] + s[1]));
                s[3..].iter().for_each(|shear| row(root_3 * shear));
            }
        }
    }
}

/// The numbers of an element that count, as a range of its rows in `S`.
fn counted(modes: &ElementModes, element: &RecoveredElement) -> std::ops::Range<usize> {
    let (first, count) = (element.first, element.kind.rows(modes.quantity));
    let all = first..first + count;
    match element.kind {
        RowKind::Line => all.end - 8..all.end,
        RowKind::Laminate { .. } => all,
        RowKind::Shell { corners } | RowKind::Solid { corners } => {
            let is_mean = corners > 0
                && modes.S.column_iter().all(|s| {
                    let s = &s.as_slice()[all.clone()];
                    let largest = s.iter().fold(0.0, |largest, x| f64::max(largest, x.abs()));
                    let mean = |c: usize| s[6..].iter().skip(c).step_by(6).sum::<f64>() / corners as f64;
                    (0..6).all(|c| (s[c] - mean(c)).abs() <= IS_MEAN * largest)
                });
            if is_mean { all.start + 6..all.end } else { all }
        }
    }
}

/// Which numbers of elements count, and where their rows are.
struct Layout {
    coordinates: usize,
    ranges: Vec<std::ops::Range<usize>>,
    elements: Vec<ElementRows>,
}

impl Layout {
    fn new(modes: &ElementModes) -> Self {
        let coordinates = modes.S.ncols();
        let ranges: Vec<_> = modes.elements.par_iter().map(|element| counted(modes, element)).collect();
        let mut first = 0;
        let element = |(element, range): (&RecoveredElement, &std::ops::Range<usize>)| {
            let form = Form::of(element.kind, modes.quantity);
            let tiles = range.len() / form.numbers();
            let rows = ElementRows { form, first, tiles };
            first += coordinates * tiles * form.rows();
            rows
        };
        let elements = modes.elements.iter().zip(&ranges).map(element).collect();
        Self { coordinates, ranges, elements }
    }

    /// The rows of an element, a number for each coordinate, times a scale for each.
    fn rows(&self, modes: &ElementModes, at: usize, scales: &[f64]) -> Vec<f64> {
        let ElementRows { form, tiles, .. } = self.elements[at];
        let n = self.coordinates;
        let mut rows = vec![0.0; n * tiles * form.rows()];
        for (k, (s, scale)) in modes.S.column_iter().zip(scales).enumerate() {
            let mut i = k;
            for s in s.as_slice()[self.ranges[at].clone()].chunks_exact(form.numbers()) {
                form.combine(s, |x| {
                    rows[i] = x * scale;
                    i += n;
                });
            }
        }
        rows
    }

    /// The rows of an element tile by tile, of each tile its columns one after the other.
    fn tiled(&self, at: usize, rows: &[f64]) -> Vec<f64> {
        let (n, height) = (self.coordinates, self.elements[at].form.rows());
        let tile =
            |tile: &[f64]| (0..n * height).map(|i| tile[n * (i % height) + i / height]).collect::<Vec<_>>();
        rows.chunks_exact((n * height).max(1)).flat_map(tile).collect()
    }
}

/// `sum` += x xᵀ.
fn add_square(sum: &mut DMatrix<f64>, x: &[f64]) {
    for (mut column, b) in sum.column_iter_mut().zip(x) {
        column.iter_mut().zip(x).for_each(|(sum, a)| *sum += a * b);
    }
}

/// Eigenvectors, those of the largest eigenvalues first, and the roots of these.
fn axes(matrix: DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let n = matrix.nrows();
    if n == 0 {
        return (matrix, DVector::zeros(0));
    }
    let found = matrix.symmetric_eigen();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| found.eigenvalues[*b].total_cmp(&found.eigenvalues[*a]));
    let roots = order.iter().map(|k| found.eigenvalues[*k].max(0.0).sqrt());
    (found.eigenvectors.select_columns(&order), DVector::from_iterator(n, roots))
}

/// Rows times M, whose rows follow each other. Products and sums are rounded in the order of the columns.
struct Turned<'a> {
    rows: &'a [f64],
    M: &'a [f64],
    n: usize,
    turned: &'a mut [f64],
}

impl Kernel for Turned<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { rows, M, n, turned } = self;
        for (row, turned) in rows.chunks_exact(n).zip(turned.chunks_exact_mut(n)) {
            for (x, m) in row.iter().zip(M.chunks_exact(n)) {
                for (sum, m) in turned.iter_mut().zip(m) {
                    *sum += x * m;
                }
            }
        }
    }
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
        for (weight, r) in weights.iter().zip(r).skip(from) {
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
