//! Load factors of linear buckling: (K + λK_g)φ = 0 with K positive definite and K_g of any sign.
//!
//! K_gφ = μKφ with μ = −1/λ: the factors nearest zero are the largest |μ|, of either sign, of OP = K⁻¹K_g,
//! which is self-adjoint in the inner product of K. Block Lanczos with full reorthogonalisation in that
//! product finds them; the signs of the pivots of K + λK_g prove that none is missing (Sylvester's law of
//! inertia; K. J. Bathe, *Finite Element Procedures*, §6.8.2 and §11.6).

use std::sync::Arc;

use faer::{Mat, MatRef};
use nalgebra_sparse::CscMatrix;

use crate::dense::{fix_signs, generalised_eigen, product, symmetric_eigen, symmetrised_mean};
use crate::eigen::EigenError;
use crate::factor::{Factor, FactorParams, Kind};
use crate::ordering::{Ordering, OrderingMethod};
use crate::pencil::{dense, shifted};
use crate::product::Symmetric;
use crate::solve::rough;
use crate::symbolic::Symbolic;

/// Up to this many rows the problem is solved densely.
const DENSE_ROWS: usize = 200;
/// Vectors per block.
const BLOCK: usize = 4;
/// A direction whose length falls to this fraction of the operator's norm is rounding error.
const NEGLIGIBLE: f64 = 1e-12;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucklingParams {
    /// How many of the smallest |λ|.
    pub count: usize,
    /// Bound on ‖OPφ − μφ‖_K / |μ|.
    pub tolerance: f64,
}

/// Load factors, smallest |λ| first.
#[derive(Clone, Debug)]
pub struct Buckling {
    /// λ.
    pub lambda: Vec<f64>,
    /// Shapes by column: φᵀKφ = 1, the largest component of each positive.
    pub Phi: Mat<f64>,
    /// ‖K_gφ − μKφ‖ / ((‖K_g‖ + |μ|‖K‖)‖φ‖).
    pub residuals: Vec<f64>,
    /// Load factors in (0, a) and in (−b, 0) by the Sturm count, with a and b just beyond those found. `None`
    /// for a sign that was not found, or when the problem was solved densely.
    pub counted: [Option<(f64, usize)>; 2],
}

/// The load factors of smallest magnitude. K and K_g are lower triangles.
///
/// # Errors
/// A singular K; no convergence; a Sturm count that differs from what was found.
pub fn buckling(
    K: &CscMatrix<f64>,
    K_g: &CscMatrix<f64>,
    groups: Option<&[usize]>,
    params: BucklingParams,
) -> Result<Buckling, EigenError> {
    let n = K.ncols();
    if n <= DENSE_ROWS {
        let all = generalised_eigen(dense(K_g).as_ref(), dense(K).as_ref())?;
        let found = Pairs { mu: all.lambda, Phi: all.Phi };
        return Ok(finish(K, K_g, &found, params.count, [None; 2]));
    }
    let pattern = shifted(K, K_g, 0.0);
    let ordering = Ordering::new(&pattern, groups, OrderingMethod::Auto);
    let symbolic = Arc::new(Symbolic::new(&pattern, &ordering));
    let factor = Factor::new(&pattern, symbolic, &FactorParams::default())?;
    let mut space = Space::new(K, K_g, &factor);
    let capacity = n.min(40 * params.count + 400);
    loop {
        let exhausted = !space.expand()?;
        let (pairs, residuals) = space.ritz()?;
        let order = by_magnitude(&pairs.mu);
        let wanted = &order[..params.count.min(order.len())];
        let worst = wanted.iter().map(|k| residuals[*k]).fold(0.0, f64::max);
        let enough = order.len() > params.count && worst <= params.tolerance;
        if exhausted || enough {
            let counted = prove(K, K_g, factor, &pairs, params.count)?;
            return Ok(finish(K, K_g, &pairs, params.count, counted));
        }
        if space.applied >= capacity {
            let converged = wanted.iter().filter(|k| residuals[**k] <= params.tolerance).count();
            let blocks = space.applied / BLOCK;
            return Err(EigenError::NotConverged { converged, wanted: params.count, blocks, worst });
        }
    }
}

/// Ritz pairs.
struct Pairs {
    mu: Vec<f64>,
    Phi: Mat<f64>,
}

/// Pairs that are no rounding error, largest |μ| first.
fn by_magnitude(mu: &[f64]) -> Vec<usize> {
    let largest = mu.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let mut order: Vec<usize> = (0..mu.len()).filter(|k| mu[*k].abs() > 1e-11 * largest).collect();
    order.sort_by(|a, b| mu[*b].abs().total_cmp(&mu[*a].abs()));
    order
}

/// An orthonormal basis in the product of K, with OP applied to all but its last block.
struct Space<'a> {
    K: Symmetric<'a>,
    K_g: Symmetric<'a>,
    factor: &'a Factor,
    Q: Mat<f64>,
    KQ: Mat<f64>,
    /// QᵀK_gQ over the columns applied.
    H: Mat<f64>,
    applied: usize,
    /// Coupling of the next block to the last one.
    tail: Mat<f64>,
    norm: f64,
}

impl<'a> Space<'a> {
    fn new(K: &'a CscMatrix<f64>, K_g: &'a CscMatrix<f64>, factor: &'a Factor) -> Self {
        let n = K.ncols();
        Self {
            K: Symmetric::new(K),
            K_g: Symmetric::new(K_g),
            factor,
            Q: Mat::zeros(n, 0),
            KQ: Mat::zeros(n, 0),
            H: Mat::zeros(0, 0),
            applied: 0,
            tail: Mat::zeros(0, 0),
            norm: 0.0,
        }
    }

    fn times(A: Symmetric<'_>, X: MatRef<'_, f64>) -> Mat<f64> {
        let mut Y = Mat::zeros(X.nrows(), X.ncols());
        A.multiply(X, Y.as_mut());
        Y
    }

    /// Applies OP to the last block and appends what is new; false when nothing is.
    fn expand(&mut self) -> Result<bool, EigenError> {
        let n = self.factor.rows();
        if self.Q.ncols() == 0 {
            // Rough vectors, put through OP so that they start where K_g acts.
            let mut R = Mat::from_fn(n, BLOCK, |i, j| rough(j * n + i));
            R = Self::times(self.K_g, R.as_ref());
            self.factor.solve_in_place(R.as_mut());
            self.norm = R.norm_max();
            self.append(R, 0.0)?;
            self.norm = 0.0;
        }
        let (from, width) = (self.applied, self.Q.ncols() - self.applied);
        if width == 0 {
            return Ok(false);
        }
        let G = Self::times(self.K_g, self.Q.as_ref().subcols(from, width));
        let column = product(self.Q.transpose(), G.as_ref());
        let mut H = Mat::zeros(from + width, from + width);
        H.as_mut().submatrix_mut(0, 0, from, from).copy_from(&self.H);
        for k in 0..width {
            for i in 0..from + width {
                H[(i, from + k)] = column[(i, k)];
                H[(from + k, i)] = column[(i, k)];
            }
        }
        self.H = H;
        self.applied += width;
        let mut W = G;
        self.factor.solve_in_place(W.as_mut());
        self.norm = self.norm.max(self.H.norm_max());
        self.tail = self.append(W, self.norm)?;
        Ok(self.Q.ncols() > self.applied)
    }

    /// Orthogonalises W against the space and appends its directions longer than rounding; returns T with W ≈
    /// Q₊T.
    fn append(&mut self, mut W: Mat<f64>, norm: f64) -> Result<Mat<f64>, EigenError> {
        for _ in 0..2 {
            let C = product(self.KQ.transpose(), W.as_ref());
            W -= product(self.Q.as_ref(), C.as_ref());
        }
        let mut T: Option<Mat<f64>> = None;
        // Twice: the second pass mends what the first lost to cancellation.
        for _ in 0..2 {
            let KW = Self::times(self.K, W.as_ref());
            let gram = symmetrised_mean(product(W.transpose(), KW.as_ref()).as_ref());
            let eigen = symmetric_eigen(gram.as_ref())?;
            let largest = eigen.lambda.last().copied().unwrap_or(0.0).max(norm * norm);
            let kept: Vec<usize> =
                (0..eigen.lambda.len()).filter(|k| eigen.lambda[*k] > NEGLIGIBLE.powi(2) * largest).collect();
            let X = Mat::from_fn(W.ncols(), kept.len(), |i, k| {
                eigen.Phi[(i, kept[k])] / eigen.lambda[kept[k]].sqrt()
            });
            let back = Mat::from_fn(kept.len(), W.ncols(), |k, i| {
                eigen.Phi[(i, kept[k])] * eigen.lambda[kept[k]].sqrt()
            });
            W = product(W.as_ref(), X.as_ref());
            let C = product(self.KQ.transpose(), W.as_ref());
            W -= product(self.Q.as_ref(), C.as_ref());
            T = Some(match T {
                None => back,
                Some(T) => product(back.as_ref(), T.as_ref()),
            });
        }
        let KW = Self::times(self.K, W.as_ref());
        self.Q = beside(&self.Q, &W);
        self.KQ = beside(&self.KQ, &KW);
        Ok(T.unwrap_or_else(|| Mat::zeros(0, 0)))
    }

    /// Ritz pairs and ‖OPx − μx‖_K / |μ|.
    fn ritz(&self) -> Result<(Pairs, Vec<f64>), EigenError> {
        let small = symmetric_eigen(self.H.as_ref())?;
        let count = small.lambda.len();
        let last = self.tail.ncols();
        let S = small.Phi.as_ref().submatrix(count - last, 0, last, count);
        let R = product(self.tail.as_ref(), S);
        let residuals = (0..count).map(|k| R.col(k).norm_l2() / small.lambda[k].abs()).collect();
        let Phi = product(self.Q.as_ref().subcols(0, count), small.Phi.as_ref());
        Ok((Pairs { mu: small.lambda, Phi }, residuals))
    }
}

fn beside(A: &Mat<f64>, B: &Mat<f64>) -> Mat<f64> {
    let mut both = Mat::zeros(B.nrows(), A.ncols() + B.ncols());
    both.as_mut().subcols_mut(0, A.ncols()).copy_from(A);
    both.as_mut().subcols_mut(A.ncols(), B.ncols()).copy_from(B);
    both
}

/// Counts the factors of each sign up to just beyond the last one found.
fn prove(
    K: &CscMatrix<f64>,
    K_g: &CscMatrix<f64>,
    mut factor: Factor,
    pairs: &Pairs,
    count: usize,
) -> Result<[Option<(f64, usize)>; 2], EigenError> {
    let order = by_magnitude(&pairs.mu);
    let wanted = count.min(order.len());
    let params = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
    let mut counted = [None; 2];
    for (slot, sign) in counted.iter_mut().zip([1.0, -1.0]) {
        let of_sign = |k: &&usize| -pairs.mu[**k] * sign > 0.0;
        let found = order[..wanted].iter().filter(of_sign).count();
        let Some(last) = order[..wanted].iter().rfind(of_sign) else { continue };
        let last = 1.0 / pairs.mu[*last].abs();
        let next = order[wanted..].iter().find(of_sign).map_or(2.0 * last, |k| 1.0 / pairs.mu[*k].abs());
        // A pair of equal factors cut in two cannot be counted.
        if next - last < 1e-4 * last {
            continue;
        }
        let limit = sign * (last + 0.3 * (next - last).min(last));
        factor = factor.replace(shifted(K, K_g, -limit), &params)?;
        let inertia = factor.inertia();
        if inertia != found {
            return Err(EigenError::Inconsistent { found, counted: inertia, shift: limit });
        }
        *slot = Some((limit, inertia));
    }
    Ok(counted)
}

fn finish(
    K: &CscMatrix<f64>,
    K_g: &CscMatrix<f64>,
    pairs: &Pairs,
    count: usize,
    counted: [Option<(f64, usize)>; 2],
) -> Buckling {
    let mut order = by_magnitude(&pairs.mu);
    order.truncate(count);
    let mut Phi = Mat::from_fn(pairs.Phi.nrows(), order.len(), |i, k| pairs.Phi[(i, order[k])]);
    fix_signs(&mut Phi);
    let (K, K_g) = (Symmetric::new(K), Symmetric::new(K_g));
    let (KPhi, GPhi) = (Space::times(K, Phi.as_ref()), Space::times(K_g, Phi.as_ref()));
    let (norm_K, norm_g) = (K.norm(), K_g.norm());
    let residual = |(j, k): (usize, &usize)| {
        let mu = pairs.mu[*k];
        let squares = GPhi.col(j).iter().zip(KPhi.col(j).iter()).map(|(g, k)| (g - mu * k).powi(2));
        squares.sum::<f64>().sqrt() / ((norm_g + mu.abs() * norm_K) * Phi.col(j).norm_l2())
    };
    Buckling {
        lambda: order.iter().map(|k| -1.0 / pairs.mu[*k]).collect(),
        residuals: order.iter().enumerate().map(residual).collect(),
        Phi,
        counted,
    }
}
