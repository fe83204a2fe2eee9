//! The search for modes in a growing and restarted Krylov space.

use faer::{Mat, MatRef};

use crate::dense::{add_product, generalised_eigen, multiply_in_place, product, symmetrised_mean};
use crate::eigen::{EigenError, EigenInfo, EigenParams};
use crate::factor::Factor;
use crate::krylov::{Krylov, Ritz};
use crate::product::Operator;

/// Neighbouring eigenvalues closer than this (relative to their distance from the shift) are one cluster,
/// which is completed before a Sturm shift is put above it.
const CLUSTER: f64 = 1e-4;

/// As many eigenvalues this close together as a block has vectors may be more of them: a block finds no more.
const BUNCH: f64 = 1e-3;

/// Blocks after which rough vectors that came in have shown what the space did not have.
const PROBE: usize = 6;

/// Columns taken together where memory is short: what one narrow sweep over a sparse matrix takes.
const COLUMNS: usize = 4;

/// How many of ascending eigenvalues λ > σ the first `count` are together with those that share a cluster
/// with the last of them: `count` where a gap follows.
#[must_use]
pub fn complete_clusters(lambda: &[f64], count: usize, shift: f64) -> usize {
    let mut complete = count.min(lambda.len());
    while complete > 0
        && lambda.get(complete).is_some_and(|above| above - lambda[complete - 1] < CLUSTER * (above - shift))
    {
        complete += 1;
    }
    complete
}

/// What a search must find.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// This many lowest; the shift is below all of them.
    Lowest(usize),
    /// The known number of modes below the shift.
    BelowShift(usize),
}

/// Modes found, lowest first.
pub(crate) struct Found {
    pub(crate) lambda: Vec<f64>,
    pub(crate) Phi: Mat<f64>,
    /// A shift between the last mode and the next; `None` when there is no next.
    pub(crate) gap: Option<f64>,
}

pub(crate) struct Search<'a> {
    pub(crate) M: &'a dyn Operator,
    pub(crate) params: &'a EigenParams,
    pub(crate) info: &'a mut EigenInfo,
}

/// The state of a search: which Ritz pairs are wanted, lowest first, and how many must converge.
struct Wanted {
    order: Vec<usize>,
    needed: usize,
    complete: bool,
}

impl Search<'_> {
    /// Searches with OP = (K − σM)⁻¹M, starting beside known eigenvectors (with their θ).
    pub(crate) fn run(
        &mut self,
        factor: &Factor,
        shift: f64,
        known: (MatRef<'_, f64>, &[f64]),
        target: Target,
    ) -> Result<Found, EigenError> {
        let count = match target {
            Target::Lowest(count) | Target::BelowShift(count) => count,
        };
        let usual = match count {
            ..=16 => 4,
            17..=60 => 8,
            _ => 16,
        };
        let block = self.params.block.unwrap_or(usual).clamp(1, factor.rows());
        let capacity = |block: usize| {
            let margin = match target {
                Target::Lowest(_) => count.max(10 * block),
                Target::BelowShift(_) => (2 * count).max(12 * block),
            };
            (count + margin).min(factor.rows())
        };
        let mut krylov = Krylov::new(factor, self.M, known, block, capacity(block));
        let mut tolerance = self.params.tolerance;
        let (mut worst, mut converged) = (f64::INFINITY, 0);
        let limit = 40 * (capacity(block) / block + 4);
        let mut probed = PROBE;
        for blocks in 1..=limit {
            let exhausted = !krylov.expand();
            self.info.blocks += usize::from(!exhausted);
            probed += 1;
            // A space that cannot hold the modes and the next one need not be looked into.
            if krylov.size() <= count && !exhausted && !krylov.is_full() {
                continue;
            }
            let ritz = krylov.ritz()?;
            let wanted = wanted(&ritz, shift, target, exhausted);
            let inside = &wanted.order[..wanted.needed.min(wanted.order.len())];
            worst = inside.iter().fold(0.0, |worst, &k| ritz.residual[k].max(worst));
            converged = inside.iter().filter(|&&k| ritz.residual[k] <= tolerance).count();
            // More copies than modes are wanted would not change which frequencies these have.
            let wide_enough = exhausted || krylov.block() > count || {
                let lambda: Vec<f64> = inside.iter().map(|&k| shift + 1.0 / ritz.H.lambda[k]).collect();
                largest_bunch(&lambda, shift) < krylov.block()
            };
            let settled = wanted.complete && converged == inside.len() && (probed >= PROBE || exhausted);
            // Known numbers of modes that do not show are copies of those that do.
            let stuck = krylov.is_full() && !wanted.complete && matches!(target, Target::BelowShift(_));
            if !wide_enough && (settled || stuck) {
                krylov.widen(capacity(2 * krylov.block()));
                probed = 0;
                continue;
            }
            if settled {
                let (found, true_residual) = self.settle(factor, shift, &mut krylov, &ritz, &wanted)?;
                if true_residual <= 10.0 * self.params.tolerance || exhausted {
                    self.info.solves += krylov.solves;
                    self.info.exhausted = exhausted;
                    return Ok(found);
                }
                worst = true_residual;
                tolerance *= 0.1;
                continue;
            }
            if exhausted {
                break;
            }
            if krylov.is_full() && blocks < limit {
                self.info.restarts += 1;
                krylov.restart(&ritz, &kept(&ritz, &wanted, krylov.size(), krylov.block()));
            }
        }
        self.info.solves += krylov.solves;
        Err(EigenError::NotConverged { converged, wanted: count, blocks: self.info.blocks, worst })
    }

    /// The wanted Ritz vectors after [`Search::refine`], with the error they had before. The space is
    /// compressed to them and to a block of the next ones, with which the search can go on: the refined
    /// vectors beside all of it would come where memory is fullest.
    fn settle(
        &mut self,
        factor: &Factor,
        shift: f64,
        krylov: &mut Krylov<'_>,
        ritz: &Ritz,
        wanted: &Wanted,
    ) -> Result<(Found, f64), EigenError> {
        let needed = wanted.needed.min(wanted.order.len());
        let chosen = &wanted.order[..needed];
        let theta: Vec<f64> = chosen.iter().map(|&k| ritz.H.lambda[k]).collect();
        krylov.restart(ritz, &wanted.order[..wanted.order.len().min(needed + krylov.block())]);
        krylov.give_back();
        let (lambda, Phi, error) = self.refine(factor, shift, krylov.vectors(needed), &theta)?;
        let gap = wanted.order.get(needed).map(|&next| {
            let next = shift + 1.0 / ritz.H.lambda[next];
            let last = lambda.last().copied().unwrap_or(shift);
            last + 0.3 * (next - last)
        });
        Ok((Found { lambda, Phi, gap }, error))
    }

    /// One more step of inverse iteration on vectors with XᵀMX = I and a Rayleigh–Ritz projection. It yields
    /// λ, the vectors and the true residual of what the recurrence called converged, removes components
    /// without mass, and squares the error.
    ///
    /// With Y = OP·X·Θ⁻¹: Yᵀ(K − σM)Y = YᵀMXΘ⁻¹, so λ − σ follows from YᵀMXΘ⁻¹z = (λ − σ)YᵀMYz.
    fn refine(
        &mut self,
        factor: &Factor,
        shift: f64,
        X: MatRef<'_, f64>,
        theta: &[f64],
    ) -> Result<(Vec<f64>, Mat<f64>, f64), EigenError> {
        let needed = theta.len();
        let mut Y = Mat::zeros(X.nrows(), needed);
        self.M.multiply(X, Y.as_mut());
        factor.solve_in_place(Y.as_mut());
        self.info.solves += needed;
        for (k, &value) in theta.iter().enumerate() {
            Y.col_mut(k).iter_mut().for_each(|y| *y /= value);
        }
        let (B, G, worst) = self.compare(X, &Y);
        // G = XᵀMY, so that YᵀMXΘ⁻¹ = GᵀΘ⁻¹.
        let A = symmetrised_mean(Mat::from_fn(needed, needed, |i, k| G[(k, i)] / theta[k]).as_ref());
        let small = generalised_eigen(A.as_ref(), B.as_ref())?;
        let lambda: Vec<f64> = small.lambda.iter().map(|value| shift + value).collect();
        multiply_in_place(Y.as_mut(), small.Phi.as_ref());
        Ok((lambda, Y, worst))
    }

    /// YᵀMY, XᵀMY, and the largest distance, in the norm of M, of a column of Y from the space of X, where
    /// XᵀMX = I. What lies within the space is no error, as the projection sorts it out: above all rounding
    /// errors along rigid motions, which the operator magnifies most. A few columns at a time, as memory is
    /// fullest here.
    fn compare(&self, X: MatRef<'_, f64>, Y: &Mat<f64>) -> (Mat<f64>, Mat<f64>, f64) {
        let (n, count) = (Y.nrows(), Y.ncols());
        let (mut B, mut G) = (Mat::zeros(count, count), Mat::zeros(count, count));
        let mut worst = 0.0_f64;
        for first in (0..count).step_by(COLUMNS) {
            let width = COLUMNS.min(count - first);
            let mut rest = Y.as_ref().subcols(first, width).to_owned();
            let mut MY = Mat::zeros(n, width);
            self.M.multiply(rest.as_ref(), MY.as_mut());
            B.as_mut().subcols_mut(first, width).copy_from(product(Y.transpose(), MY.as_ref()));
            let inside = product(X.transpose(), MY.as_ref());
            add_product(rest.as_mut(), X, inside.as_ref(), -1.0);
            G.as_mut().subcols_mut(first, width).copy_from(&inside);
            self.M.multiply(rest.as_ref(), MY.as_mut());
            for k in 0..width {
                let square: f64 = rest.col(k).iter().zip(MY.col(k).iter()).map(|(r, m)| r * m).sum();
                worst = worst.max(square.max(0.0).sqrt());
            }
        }
        (symmetrised_mean(B.as_ref()), G, worst)
    }
}

/// How many of the eigenvalues (lowest first, on one side of the shift) lie next to each other at most.
fn largest_bunch(lambda: &[f64], shift: f64) -> usize {
    let in_reach = |k: usize| {
        let reach = BUNCH * (lambda[k] - shift).abs();
        lambda[k..].iter().take_while(|value| (**value - lambda[k]).abs() <= reach).count()
    };
    (0..lambda.len()).map(in_reach).max().unwrap_or(0)
}

/// Sorts out which Ritz pairs matter.
fn wanted(ritz: &Ritz, shift: f64, target: Target, exhausted: bool) -> Wanted {
    let theta = &ritz.H.lambda;
    match target {
        Target::Lowest(count) => {
            // θ ascending, so the lowest λ are at the end.
            let order: Vec<usize> = (0..theta.len()).rev().take_while(|&k| theta[k] > 0.0).collect();
            let lambda: Vec<f64> = order.iter().map(|&k| shift + 1.0 / theta[k]).collect();
            let needed = complete_clusters(&lambda, count, shift).max(count);
            // The next mode must be known roughly, to place a Sturm shift below it.
            let next_is_known = order.get(needed).is_some_and(|&k| ritz.residual[k] < 0.05);
            Wanted { complete: exhausted || next_is_known, needed, order }
        }
        Target::BelowShift(count) => {
            let negative = theta.partition_point(|&value| value < 0.0);
            // λ − σ = 1/θ: the negative θ nearest zero is the lowest λ. With λ ≥ 0 no eigenvalue lies between
            // −1/σ and zero, but Ritz values on their way from one side to the other do: only the `count`
            // most negative are wanted.
            let order: Vec<usize> = (0..negative.min(count)).rev().collect();
            Wanted { complete: order.len() >= count, needed: count, order }
        }
    }
}

/// Ritz vectors that survive a restart: the wanted and the best of the others.
fn kept(ritz: &Ritz, wanted: &Wanted, size: usize, block: usize) -> Vec<usize> {
    let target =
        (wanted.needed + (size.saturating_sub(wanted.needed)) / 2).min(size.saturating_sub(2 * block));
    let mut keep: Vec<usize> = wanted.order.iter().copied().take(wanted.needed).collect();
    let mut others: Vec<usize> = (0..size).filter(|k| !keep.contains(k)).collect();
    others.sort_by(|&a, &b| ritz.H.lambda[b].abs().total_cmp(&ritz.H.lambda[a].abs()));
    let room = target.saturating_sub(keep.len());
    keep.extend(others.into_iter().take(room));
    keep.sort_unstable();
    keep
}
