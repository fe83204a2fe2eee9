//! Free-free frequencies of a reduced link beside those of its full mesh.

use std::ops::Range;

use faer::{Mat, MatRef};
use pliant_mesh::LinkMesh;
use pliant_sparse::{
    Congruent, Operator, add_product, generalised_eigen_semidefinite, product, symmetric_eigen,
};

use crate::ReduceError;
use crate::basis::{Basis, FixedInterface};
use crate::rigid::RigidMass;
use crate::shapes::LinkFrame;
use crate::substructure::Substructure;

/// Frequencies compared between the reduced and the full link where nobody asks for more.
const COMPARED: usize = 12;
/// A combination of unit vectors that is shorter than this is rounding: its square is what the Gram matrix
/// can still distinguish from zero.
const DEPENDENT: f64 = 1e-6;
/// Columns multiplied with a mesh matrix at a time.
const COLUMNS: usize = 4;

/// The mesh that a link was reduced from.
pub(crate) struct FullLink<'a> {
    frame: &'a LinkFrame,
    fixed: &'a FixedInterface,
    rigid: RigidMass,
    /// TᵀMT.
    mass: Congruent<'a>,
}

/// Motions of the entire mesh, u = R·rigid + T·free: one column each.
#[derive(Clone, Copy)]
struct Motions<'a> {
    /// 6 × m.
    rigid: MatRef<'a, f64>,
    /// Free components × m; rigid motions have none.
    free: Option<MatRef<'a, f64>>,
}

impl Motions<'_> {
    fn count(&self) -> usize {
        self.rigid.ncols()
    }
}

/// Free-free modes of a reduced link, u = R·rigid + T V q. Deck units.
struct FreeFree {
    /// [R TV]ᵀM[R TV].
    M: Mat<f64>,
    /// Elastic eigenvalues ω².
    lambda: Vec<f64>,
    /// Their shapes [rigid; q].
    Y: Mat<f64>,
}

/// RᵀMu and TᵀMu of motions u.
struct Weighed {
    rigid: Mat<f64>,
    free: Mat<f64>,
}

impl<'a> FullLink<'a> {
    /// Of a substructure and its factor.
    pub(crate) fn new(
        mesh: &LinkMesh,
        frame: &'a LinkFrame,
        part: &'a Substructure,
        fixed: &'a FixedInterface,
    ) -> Self {
        let all: Vec<usize> = (0..part.free_count()).collect();
        Self { frame, fixed, rigid: RigidMass::new(mesh, part, frame.origin), mass: part.mass_of(&all) }
    }

    /// Free-free elastic frequencies (Hz) of the reduced link, twelve or as many as lie up to `compared_hz`,
    /// and on the full mesh by one block inverse iteration from the reduced shapes with a Rayleigh–Ritz step
    /// over [R, W, K⁺MW].
    ///
    /// K⁺ is the inverse of the clamped mesh between inertia-relief projections; the factor of K_ii serves
    /// it, so no other factorisation is needed. The Ritz values bound the full mesh's from above with an
    /// error of the fourth power of the angle that is left.
    ///
    /// # Errors
    /// A failed dense eigenproblem.
    pub(crate) fn frequencies(
        &self,
        basis: &Basis,
        compared_hz: f64,
    ) -> Result<Vec<(f64, f64)>, ReduceError> {
        let FreeFree { M, lambda, Y } = self.free_free_modes(basis)?;
        // One above the limit, so that its reader sees that none is missing below.
        let limit = (std::f64::consts::TAU * compared_hz * self.frame.units.time).powi(2);
        let in_range = lambda.partition_point(|lambda| *lambda <= limit) + 1;
        let count = lambda.len().min(in_range.max(COMPARED));
        if count == 0 {
            return Ok(Vec::new());
        }
        let Y = Y.subcols(0, count);
        let q = Y.subrows(6, basis.columns.len());
        let W_free = basis.times(q);
        let W = Motions { rigid: Y.subrows(0, 6), free: Some(W_free.as_ref()) };
        let Some((F, a)) = self.self_equilibrated_loads(W) else { return Ok(Vec::new()) };
        drop(W_free);
        let X = self.fixed.solve(F)?;
        let M = self.ritz_mass(basis, M.as_ref(), Y, X.as_ref());
        let K = ritz_stiffness(&M, &a, product(q.transpose(), product(basis.K.as_ref(), q).as_ref()));
        let full = ritz_values(K, M)?;
        let hertz = |lambda: f64| lambda.max(0.0).sqrt() / (std::f64::consts::TAU * self.frame.units.time);
        let pairs = lambda.iter().zip(full.iter().skip(6)).take(count);
        Ok(pairs.map(|(reduced, full)| (hertz(*reduced), hertz(*full))).collect())
    }

    /// Free-free modes of the reduced link.
    fn free_free_modes(&self, basis: &Basis) -> Result<FreeFree, ReduceError> {
        let n = basis.columns.len();
        let one = Mat::<f64>::identity(6, 6);
        let rigid = Motions { rigid: one.as_ref(), free: None };
        let clamped = Mat::zeros(6, n);
        let elastic =
            basis.blocks().map(|V| Motions { rigid: clamped.as_ref().subcols(0, V.ncols()), free: Some(V) });
        let M = self.gram(&[rigid, elastic[0], elastic[1]]);
        let mut K = Mat::zeros(6 + n, 6 + n);
        K.as_mut().submatrix_mut(6, 6, n, n).copy_from(&basis.K);
        let modes = generalised_eigen_semidefinite(K.as_ref(), M.as_ref())?;
        // The six rigid motions come first.
        let rigid = modes.lambda.len().min(6);
        let Y = modes.Phi.subcols(rigid, modes.lambda.len() - rigid).to_owned();
        Ok(FreeFree { M, lambda: modes.lambda[rigid..].to_vec(), Y })
    }

    /// [R W X]ᵀM[R W X] for W = [R TV]Y and motions X of the free components, from `M_reduced` = [R TV]ᵀM[R
    /// TV]: M is multiplied with X alone.
    fn ritz_mass(
        &self,
        basis: &Basis,
        M_reduced: MatRef<'_, f64>,
        Y: MatRef<'_, f64>,
        X: MatRef<'_, f64>,
    ) -> Mat<f64> {
        let (n, count) = (M_reduced.nrows(), X.ncols());
        let mut with_basis = Mat::zeros(n, count);
        let mut own = Mat::zeros(count, count);
        let clamped = Mat::zeros(6, count);
        for columns in groups(count) {
            let (first, width) = (columns.start, columns.len());
            let Weighed { rigid, free } =
                self.weighed(Motions { rigid: clamped.as_ref(), free: Some(X) }, columns);
            let elastic = basis.transposed_times(free.as_ref());
            with_basis.as_mut().submatrix_mut(0, first, 6, width).copy_from(&rigid);
            with_basis.as_mut().submatrix_mut(6, first, n - 6, width).copy_from(&elastic);
            own.as_mut().subcols_mut(first, width).copy_from(product(X.transpose(), free.as_ref()));
        }
        // [R W] = [R TV] Z.
        let Z = Mat::from_fn(n, 6 + count, |i, k| match k.checked_sub(6) {
            None => f64::from(i == k),
            Some(mode) => Y[(i, mode)],
        });
        let of_reduced = product(Z.transpose(), product(M_reduced, Z.as_ref()).as_ref());
        let between = product(Z.transpose(), with_basis.as_ref());
        let X = 6 + count;
        Mat::from_fn(X + count, X + count, |i, j| match (i < X, j < X) {
            (true, true) => 0.5 * (of_reduced[(i, j)] + of_reduced[(j, i)]),
            (true, false) => between[(i, j - X)],
            (false, true) => between[(j, i - X)],
            (false, false) => 0.5 * (own[(i - X, j - X)] + own[(j - X, i - X)]),
        })
    }

    /// Loads F = Tᵀ(MW − MR a) and a, where what is left of rigid acceleration is taken out: Rᵀ(MW − MR a) =
    /// 0. `None` without mass.
    fn self_equilibrated_loads(&self, W: Motions<'_>) -> Option<(Mat<f64>, Mat<f64>)> {
        let G = nalgebra::Matrix6::from_fn(|i, j| self.rigid.own[(i, j)]);
        let inverse = G.try_inverse()?;
        let inverse = Mat::from_fn(6, 6, |i, j| inverse[(i, j)]);
        let mut F = Mat::zeros(self.rigid.on_free.nrows(), W.count());
        let mut a = Mat::zeros(6, W.count());
        for columns in groups(W.count()) {
            let (first, width) = (columns.start, columns.len());
            let weighed = self.weighed(W, columns);
            let acceleration = product(inverse.as_ref(), weighed.rigid.as_ref());
            let mut load = F.as_mut().subcols_mut(first, width);
            load.copy_from(&weighed.free);
            add_product(load, self.rigid.on_free.as_ref(), acceleration.as_ref(), -1.0);
            a.as_mut().subcols_mut(first, width).copy_from(&acceleration);
        }
        Some((F, a))
    }

    /// ZᵀMZ of several groups of motions Z side by side.
    fn gram(&self, parts: &[Motions<'_>]) -> Mat<f64> {
        let n = parts.iter().map(Motions::count).sum();
        let mut G = Mat::zeros(n, n);
        let mut column = 0;
        for right in parts {
            for columns in groups(right.count()) {
                let Weighed { rigid, free } = self.weighed(*right, columns.clone());
                let mut row = 0;
                for left in parts {
                    let mut part = product(left.rigid.transpose(), rigid.as_ref());
                    if let Some(left) = left.free {
                        part += product(left.transpose(), free.as_ref());
                    }
                    G.as_mut().submatrix_mut(row, column, part.nrows(), part.ncols()).copy_from(&part);
                    row += left.count();
                }
                column += columns.len();
            }
        }
        Mat::from_fn(n, n, |i, j| 0.5 * (G[(i, j)] + G[(j, i)]))
    }

    /// RᵀMu = RᵀMR·rigid + RᵀMT·free and TᵀMu = TᵀMR·rigid + TᵀMT·free of some columns.
    fn weighed(&self, motions: Motions<'_>, columns: Range<usize>) -> Weighed {
        let (first, width) = (columns.start, columns.len());
        let by_rigid = motions.rigid.subcols(first, width);
        let mut rigid = product(self.rigid.own.as_ref(), by_rigid);
        let mut free = Mat::zeros(self.rigid.on_free.nrows(), width);
        if let Some(by_free) = motions.free.map(|all| all.subcols(first, width)) {
            rigid += product(self.rigid.on_free.transpose(), by_free);
            self.mass.multiply(by_free, free.as_mut());
        }
        add_product(free.as_mut(), self.rigid.on_free.as_ref(), by_rigid, 1.0);
        Weighed { rigid, free }
    }
}

/// [R W X]ᵀK[R W X] for KX = M(W − R a), from M = [R W X]ᵀM[R W X] and WᵀKW, which is that of the basis: K
/// itself is not needed, nor the loads. KR = 0. That WᵀKW is diagonal holds up to rounding beside the largest
/// eigenvalue of the link, not beside its own.
fn ritz_stiffness(M: &Mat<f64>, a: &Mat<f64>, K_W: Mat<f64>) -> Mat<f64> {
    let count = a.ncols();
    let (R, W, X) = (0, 6, 6 + count);
    let mut K = Mat::zeros(6 + 2 * count, 6 + 2 * count);
    let work = |row: usize, j: usize| {
        let of_rigid: f64 = (0..6).map(|k| M[(row, R + k)] * a[(k, j)]).sum();
        M[(row, W + j)] - of_rigid
    };
    for i in 0..count {
        for j in 0..count {
            K[(W + i, W + j)] = 0.5 * (K_W[(i, j)] + K_W[(j, i)]);
            K[(W + i, X + j)] = work(W + i, j);
            K[(X + j, W + i)] = K[(W + i, X + j)];
            K[(X + i, X + j)] = 0.5 * (work(X + i, j) + work(X + j, i));
        }
    }
    K
}

/// Columns in groups of [`COLUMNS`].
fn groups(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(COLUMNS).map(move |first| first..count.min(first + COLUMNS))
}

/// Eigenvalues of Kz = λMz within the span of vectors of which some all but depend on each other. With unit
/// vectors, the directions that M says are shorter than [`DEPENDENT`] are rounding and left out.
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
