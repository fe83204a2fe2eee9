//! Free-free frequencies of a reduced link beside those of its full mesh.

use std::ops::Range;

use faer::{Mat, MatRef};
use pliant_mesh::LinkMesh;
use pliant_sparse::{Symmetric, generalised_eigen_semidefinite, product, symmetric_eigen};

use crate::ReduceError;
use crate::basis::{Basis, FixedInterface};
use crate::health::rigid_rows;
use crate::shapes::LinkFrame;
use crate::substructure::Substructure;

/// Frequencies compared between the reduced and the full link where nobody asks for more.
const COMPARED: usize = 12;
/// A combination of unit vectors that is shorter than this is rounding: its square is what the Gram matrix can still tell from zero.
const DEPENDENT: f64 = 1e-6;
/// Columns multiplied with a mesh matrix at a time.
const COLUMNS: usize = 4;

/// The mesh that a link was reduced from.
pub(crate) struct FullLink<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
}

/// Motions of the whole mesh, u = R·rigid + T·free: one column each.
#[derive(Clone, Copy)]
struct Motions<'a> {
    /// 6 × m.
    rigid: MatRef<'a, f64>,
    /// Free components × m.
    free: MatRef<'a, f64>,
}

impl Motions<'_> {
    fn count(&self) -> usize {
        self.rigid.ncols()
    }
}

/// RᵀMu and TᵀMu of motions u.
struct Weighed {
    rigid: Mat<f64>,
    free: Mat<f64>,
}

impl FullLink<'_> {
    /// Free-free elastic frequencies (Hz) of the reduced link, twelve or as many as lie up to `compared_hz`, and on the full mesh by one block inverse
    /// iteration from the reduced shapes with a Rayleigh–Ritz step over [R, W, K⁺MW].
    ///
    /// K⁺ is the inverse of the clamped mesh between inertia-relief projections; the factor of K_ii serves it, so no other
    /// factorisation is needed. The Ritz values bound the full mesh's from above with an error of the fourth power of the
    /// angle that is left.
    ///
    /// # Errors
    /// A failed dense eigenproblem.
    pub(crate) fn frequencies(
        &self,
        basis: &Basis,
        compared_hz: f64,
    ) -> Result<Vec<(f64, f64)>, ReduceError> {
        let rows = rigid_rows(self.mesh, self.frame, self.part);
        let R = Mat::from_fn(rows.len(), 6, |i, c| rows[i][c]);
        drop(rows);
        let (one, nothing) = (Mat::<f64>::identity(6, 6), Mat::<f64>::zeros(self.part.free_count(), 6));
        let rigid = Motions { rigid: one.as_ref(), free: nothing.as_ref() };
        let (lambda, Y) = self.free_free_modes(&R, rigid, basis)?;
        // One above the limit, so that its reader sees that none is missing below.
        let limit = (std::f64::consts::TAU * compared_hz * self.frame.units.time).powi(2);
        let in_range = lambda.partition_point(|lambda| *lambda <= limit) + 1;
        let count = lambda.len().min(in_range.max(COMPARED));
        if count == 0 {
            return Ok(Vec::new());
        }
        let q = Y.submatrix(6, 0, basis.V.ncols(), count);
        let W_free = product(basis.V.as_ref(), q);
        let W = Motions { rigid: Y.submatrix(0, 0, 6, count), free: W_free.as_ref() };
        let Some(F) = self.self_equilibrated_loads(&R, rigid, W) else { return Ok(Vec::new()) };
        let X_free = self.fixed.solve(F.clone())?;
        let clamped = Mat::zeros(6, count);
        let X = Motions { rigid: clamped.as_ref(), free: X_free.as_ref() };
        // KX is the self-equilibrated load, KR = 0, and WᵀKW is that of the basis: K itself is not needed. That it is diagonal holds up to
        // rounding beside the largest eigenvalue of the link, not beside its own.
        let mut K = Mat::zeros(6 + 2 * count, 6 + 2 * count);
        let K_W = product(q.transpose(), product(basis.K.as_ref(), q).as_ref());
        let (W_F, X_F) = (product(W.free.transpose(), F.as_ref()), product(X.free.transpose(), F.as_ref()));
        drop(F);
        for i in 0..count {
            for j in 0..count {
                K[(6 + i, 6 + j)] = 0.5 * (K_W[(i, j)] + K_W[(j, i)]);
                K[(6 + i, 6 + count + j)] = W_F[(i, j)];
                K[(6 + count + j, 6 + i)] = W_F[(i, j)];
                K[(6 + count + i, 6 + count + j)] = 0.5 * (X_F[(i, j)] + X_F[(j, i)]);
            }
        }
        let full = ritz_values(K, self.gram(&R, &[rigid, W, X]))?;
        let hertz = |lambda: f64| lambda.max(0.0).sqrt() / (std::f64::consts::TAU * self.frame.units.time);
        let pairs = lambda.iter().zip(full.iter().skip(6)).take(count);
        Ok(pairs.map(|(reduced, full)| (hertz(*reduced), hertz(*full))).collect())
    }

    /// Free-free elastic eigenvalues ω² and shapes [rigid; q] of the reduced link, u = R·rigid + T V q. Deck units.
    fn free_free_modes(
        &self,
        R: &Mat<f64>,
        rigid: Motions<'_>,
        basis: &Basis,
    ) -> Result<(Vec<f64>, Mat<f64>), ReduceError> {
        let n = basis.V.ncols();
        let clamped = Mat::zeros(6, n);
        let M = self.gram(R, &[rigid, Motions { rigid: clamped.as_ref(), free: basis.V.as_ref() }]);
        let mut K = Mat::zeros(6 + n, 6 + n);
        K.as_mut().submatrix_mut(6, 6, n, n).copy_from(&basis.K);
        let modes = generalised_eigen_semidefinite(K.as_ref(), M.as_ref())?;
        // The six rigid motions come first.
        let rigid = modes.lambda.len().min(6);
        let elastic = modes.lambda.len() - rigid;
        Ok((modes.lambda[rigid..].to_vec(), modes.Phi.subcols(rigid, elastic).to_owned()))
    }

    /// Tᵀ(MW − MR a), where what is left of rigid acceleration is taken out: Rᵀ(MW − MR a) = 0. `None` without mass.
    fn self_equilibrated_loads(&self, R: &Mat<f64>, rigid: Motions<'_>, W: Motions<'_>) -> Option<Mat<f64>> {
        let of_rigid = self.weighed(R, rigid, 0..6);
        let G = nalgebra::Matrix6::from_fn(|i, j| of_rigid.rigid[(i, j)]);
        let inverse = G.try_inverse()?;
        let inverse = Mat::from_fn(6, 6, |i, j| inverse[(i, j)]);
        let mut F = Mat::zeros(self.part.free_count(), W.count());
        for columns in groups(W.count()) {
            let weighed = self.weighed(R, W, columns.clone());
            let acceleration = product(inverse.as_ref(), weighed.rigid.as_ref());
            let load = weighed.free - product(of_rigid.free.as_ref(), acceleration.as_ref());
            F.as_mut().subcols_mut(columns.start, columns.len()).copy_from(&load);
        }
        Some(F)
    }

    /// ZᵀMZ of several groups of motions Z side by side.
    fn gram(&self, R: &Mat<f64>, parts: &[Motions<'_>]) -> Mat<f64> {
        let n = parts.iter().map(Motions::count).sum();
        let mut G = Mat::zeros(n, n);
        let mut column = 0;
        for right in parts {
            for columns in groups(right.count()) {
                let Weighed { rigid, free } = self.weighed(R, *right, columns.clone());
                let mut row = 0;
                for left in parts {
                    let part = product(left.rigid.transpose(), rigid.as_ref())
                        + product(left.free.transpose(), free.as_ref());
                    G.as_mut().submatrix_mut(row, column, part.nrows(), part.ncols()).copy_from(&part);
                    row += left.count();
                }
                column += columns.len();
            }
        }
        Mat::from_fn(n, n, |i, j| 0.5 * (G[(i, j)] + G[(j, i)]))
    }

    fn weighed(&self, R: &Mat<f64>, motions: Motions<'_>, columns: Range<usize>) -> Weighed {
        let (T, first, width) = (&self.part.constraints.T, columns.start, columns.len());
        let mut u = product(R.as_ref(), motions.rigid.subcols(first, width));
        for (row, column, value) in T.triplet_iter() {
            (0..width).for_each(|k| u[(row, k)] += value * motions.free[(column, first + k)]);
        }
        let mut Mu = Mat::zeros(u.nrows(), width);
        Symmetric::new(&self.part.system.M).multiply(u.as_ref(), Mu.as_mut());
        drop(u);
        let mut free = Mat::zeros(T.ncols(), width);
        for (row, column, value) in T.triplet_iter() {
            (0..width).for_each(|k| free[(column, k)] += value * Mu[(row, k)]);
        }
        Weighed { rigid: product(R.transpose(), Mu.as_ref()), free }
    }
}

/// Columns in groups of [`COLUMNS`].
fn groups(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(COLUMNS).map(move |first| first..count.min(first + COLUMNS))
}

/// Eigenvalues of Kz = λMz within the span of vectors of which some all but depend on each other. With unit vectors, the directions that
/// M says are shorter than [`DEPENDENT`] are rounding and left out.
fn ritz_values(mut K: Mat<f64>, mut M: Mat<f64>) -> Result<Vec<f64>, ReduceError> {
    let n = M.nrows();
    let unit: Vec<f64> = (0..n).map(|i| 1.0 / M[(i, i)].max(f64::MIN_POSITIVE).sqrt()).collect();
    for A in [&mut K, &mut M] {
        *A = Mat::from_fn(n, n, |i, j| A[(i, j)] * unit[i] * unit[j]);
    }
    let own = symmetric_eigen(M.as_ref())?;
    let kept = own.lambda.iter().position(|lambda| *lambda > DEPENDENT * DEPENDENT).unwrap_or(n);
    let U = Mat::from_fn(n, n - kept, |i, k| own.Phi[(i, kept + k)] / own.lambda[kept + k].sqrt());
    let K = product(U.transpose(), product(K.as_ref(), U.as_ref()).as_ref());
    let K = Mat::from_fn(K.nrows(), K.ncols(), |i, j| 0.5 * (K[(i, j)] + K[(j, i)]));
    Ok(symmetric_eigen(K.as_ref())?.lambda)
}
