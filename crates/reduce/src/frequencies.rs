//! Free-free frequencies of a reduced link beside those of its full mesh.

use faer::{Mat, MatRef};
use nalgebra::{DMatrix, Vector3};
use nalgebra_sparse::CscMatrix;
use pliant_link::ReducedLink;
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
const COLUMNS: usize = 8;

/// The mesh that a link was reduced from.
pub(crate) struct FullLink<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
}

/// Self-equilibrated loads F and X = K⁺F, on every component.
struct Responses {
    F: Mat<f64>,
    X: Mat<f64>,
}

impl FullLink<'_> {
    /// Free-free elastic frequencies (Hz) of the reduced link, twelve or as many as lie up to `compared_hz`, and on the full mesh by one block inverse
    /// iteration from the reduced shapes with a Rayleigh–Ritz step over [R, W, K⁺MW].
    ///
    /// K⁺ is the inverse of the clamped mesh between inertia-relief projections; the factor of K_ii serves it, so no other
    /// factorisation is needed. The Ritz values bound the full mesh's from above with an error of the fourth power of the
    /// angle that is left. `S` is the change of coordinates between the basis and the link.
    ///
    /// # Errors
    /// A failed dense eigenproblem.
    pub(crate) fn frequencies(
        &self,
        basis: &Basis,
        S: &DMatrix<f64>,
        link: &ReducedLink,
        compared_hz: f64,
    ) -> Result<Vec<(f64, f64)>, ReduceError> {
        let (lambda, Y) = free_free_modes(link)?;
        // One above the limit, so that its reader sees that none is missing below.
        let limit = (std::f64::consts::TAU * compared_hz).powi(2);
        let in_range = lambda.partition_point(|lambda| *lambda <= limit) + 1;
        let count = lambda.len().min(in_range.max(COMPARED));
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = rigid_rows(self.mesh, self.frame, self.part);
        let R = Mat::from_fn(rows.len(), 6, |i, c| rows[i][c]);
        drop(rows);
        let W = self.deck_shapes(basis, S, &R, Y.subcols(0, count));
        let Some(Responses { F, X }) = self.responses(&R, &W)? else { return Ok(Vec::new()) };
        // KX = F because F is self-equilibrated, KR = 0, and WᵀKW is known from the reduced link: K itself is not needed.
        let mut K = Mat::zeros(6 + 2 * count, 6 + 2 * count);
        let LinkFrame { units, .. } = self.frame;
        let energy = units.mass * (units.length / units.time).powi(2);
        for (m, lambda) in lambda[..count].iter().enumerate() {
            K[(6 + m, 6 + m)] = lambda / energy;
        }
        let (W_F, X_F) = (product(W.transpose(), F.as_ref()), product(X.transpose(), F.as_ref()));
        drop(F);
        for i in 0..count {
            for j in 0..count {
                K[(6 + i, 6 + count + j)] = W_F[(i, j)];
                K[(6 + count + j, 6 + i)] = W_F[(i, j)];
                K[(6 + count + i, 6 + count + j)] = 0.5 * (X_F[(i, j)] + X_F[(j, i)]);
            }
        }
        let M = gram(&self.part.system.M, &[R.as_ref(), W.as_ref(), X.as_ref()]);
        let full = ritz_values(K, M)?.into_iter().skip(6).map(|lambda| lambda / units.time.powi(2));
        let hertz = |lambda: f64| lambda.max(0.0).sqrt() / std::f64::consts::TAU;
        let pairs = lambda.iter().zip(full).take(count);
        Ok(pairs.map(|(reduced, full)| (hertz(*reduced), hertz(full))).collect())
    }

    /// Shapes [twist; q] of the reduced link on every component of the deck: W = R·twist + T V S q.
    fn deck_shapes(&self, basis: &Basis, S: &DMatrix<f64>, R: &Mat<f64>, Y: MatRef<'_, f64>) -> Mat<f64> {
        let S = Mat::from_fn(S.nrows(), S.ncols(), |i, j| S[(i, j)]);
        let q = product(S.as_ref(), Y.subrows(6, S.ncols()));
        let free = product(basis.V.as_ref(), q.as_ref());
        let LinkFrame { axes, units, .. } = self.frame;
        let mut twist = Mat::zeros(6, Y.ncols());
        for m in 0..Y.ncols() {
            let part = |first: usize| axes * Vector3::from_fn(|k, _| Y[(first + k, m)]);
            let (translation, rotation) = (part(0) / units.length, part(3));
            for k in 0..3 {
                twist[(k, m)] = translation[k];
                twist[(3 + k, m)] = rotation[k];
            }
        }
        product(R.as_ref(), twist.as_ref()) + self.expanded(&free)
    }

    /// F = MW without its resultant, and X = K⁺F, on every component; `None` without mass.
    fn responses(&self, R: &Mat<f64>, W: &Mat<f64>) -> Result<Option<Responses>, ReduceError> {
        let M = &self.part.system.M;
        let MR = times(M, R.as_ref());
        let G = product(R.transpose(), MR.as_ref());
        let G = nalgebra::Matrix6::from_fn(|i, j| G[(i, j)]);
        let Some(inverse) = G.try_inverse() else { return Ok(None) };
        let inverse = Mat::from_fn(6, 6, |i, j| inverse[(i, j)]);
        // Self-equilibrated: what is left of rigid acceleration is taken out.
        let mut F = times(M, W.as_ref());
        let acceleration = product(inverse.as_ref(), product(R.transpose(), F.as_ref()).as_ref());
        F -= product(MR.as_ref(), acceleration.as_ref());
        let mut loads = Mat::zeros(self.part.free_count(), F.ncols());
        for (row, column, value) in self.part.constraints.T.triplet_iter() {
            (0..F.ncols()).for_each(|m| loads[(column, m)] += value * F[(row, m)]);
        }
        let X = self.expanded(&self.fixed.solve(&loads)?);
        Ok(Some(Responses { F, X }))
    }

    /// Motions of the free components on every component.
    fn expanded(&self, free: &Mat<f64>) -> Mat<f64> {
        let T = &self.part.constraints.T;
        let mut all = Mat::zeros(T.nrows(), free.ncols());
        for (row, column, value) in T.triplet_iter() {
            (0..free.ncols()).for_each(|m| all[(row, m)] += value * free[(column, m)]);
        }
        all
    }
}

/// Free-free elastic eigenvalues ω² and shapes [twist; q] of a reduced link.
fn free_free_modes(link: &ReducedLink) -> Result<(Vec<f64>, Mat<f64>), ReduceError> {
    let n = link.coordinate_count();
    let inv = &link.invariants;
    let mut M = Mat::zeros(6 + n, 6 + n);
    let mut K = Mat::zeros(6 + n, 6 + n);
    for i in 0..6 {
        for j in 0..6 {
            M[(i, j)] = inv.M0[(i, j)];
        }
        for j in 0..n {
            M[(i, 6 + j)] = inv.C0[(i, j)];
            M[(6 + j, i)] = inv.C0[(i, j)];
        }
    }
    for i in 0..n {
        for j in 0..n {
            M[(6 + i, 6 + j)] = inv.M_EE[(i, j)];
            K[(6 + i, 6 + j)] = link.K[(i, j)];
        }
    }
    let modes = generalised_eigen_semidefinite(K.as_ref(), M.as_ref())?;
    // The six rigid motions come first.
    let rigid = modes.lambda.len().min(6);
    let elastic = modes.lambda.len() - rigid;
    Ok((modes.lambda[rigid..].to_vec(), modes.Phi.subcols(rigid, elastic).to_owned()))
}

/// AX of a mesh matrix.
fn times(A: &CscMatrix<f64>, X: MatRef<'_, f64>) -> Mat<f64> {
    let mut Y = Mat::zeros(X.nrows(), X.ncols());
    Symmetric::new(A).multiply(X, Y.as_mut());
    Y
}

/// ZᵀAZ of several blocks Z side by side.
fn gram(A: &CscMatrix<f64>, blocks: &[MatRef<'_, f64>]) -> Mat<f64> {
    let n = blocks.iter().map(|block| block.ncols()).sum();
    let mut G = Mat::zeros(n, n);
    let mut column = 0;
    for right in blocks {
        for first in (0..right.ncols()).step_by(COLUMNS) {
            let width = COLUMNS.min(right.ncols() - first);
            let AZ = times(A, right.subcols(first, width));
            let mut row = 0;
            for left in blocks {
                let part = product(left.transpose(), AZ.as_ref());
                G.as_mut().submatrix_mut(row, column, left.ncols(), width).copy_from(&part);
                row += left.ncols();
            }
            column += width;
        }
    }
    Mat::from_fn(n, n, |i, j| 0.5 * (G[(i, j)] + G[(j, i)]))
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
