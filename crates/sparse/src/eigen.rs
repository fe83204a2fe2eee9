//! The lowest modes of Kφ = λMφ: what to ask for, what comes back, and the proof that none is missing.

use std::sync::Arc;

use faer::{Mat, MatRef};
use nalgebra_sparse::CscMatrix;

use crate::dense::{DenseEigen, DenseError, fix_signs, generalised_eigen_semidefinite};
use crate::factor::{Factor, FactorError, FactorParams, Kind};
use crate::lanczos::{Found, Search, Target, complete_clusters};
use crate::ordering::{Ordering, OrderingMethod};
use crate::pencil::{automatic_shift, check, dense, rigid_body_modes, shifted};
use crate::product::{Operator, Symmetric};
use crate::symbolic::{Symbolic, SymbolicInfo};

/// A pivot this much smaller than its diagonal entry says that a limit lies on an eigenvalue.
const ON_AN_EIGENVALUE: f64 = 1e-10;
/// Such a limit is lowered by this fraction: an eigenvalue equal to the limit is not below it.
const STEP_ASIDE: f64 = 1e-7;

/// Which modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Want {
    /// This many of the lowest, rigid-body modes included.
    Count(usize),
    /// All with λ below this value.
    Below(f64),
}

/// How to look for modes.
#[derive(Clone, Debug)]
pub struct EigenParams {
    /// Which modes.
    pub want: Want,
    /// Shift σ < 0 of the factorisation; by default a small negative one from the scale of K and M,
    /// which also suits structures without supports.
    pub shift: Option<f64>,
    /// Bound on ‖OPφ − θφ‖_M / |θ|, OP = (K − σM)⁻¹M: relative error of a mode shape. The error of λ is its
    /// square.
    pub tolerance: f64,
    /// Vectors per block; by default from the number of modes.
    pub block: Option<usize>,
    /// Prove by a Sturm count that no mode is missing (one more factorisation for [`Want::Count`]).
    pub prove: bool,
    /// Up to this many rows the problem is solved densely.
    pub dense_rows: usize,
    /// Fill-reducing ordering.
    pub ordering: OrderingMethod,
    /// Parallelism and memory of the factorisations; its `kind` is set here.
    pub factor: FactorParams,
}

impl EigenParams {
    /// The lowest `count` modes, other choices by default.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self::new(Want::Count(count))
    }

    /// All modes with λ below `lambda`, other choices by default.
    #[must_use]
    pub fn below(lambda: f64) -> Self {
        Self::new(Want::Below(lambda))
    }

    fn new(want: Want) -> Self {
        Self {
            want,
            shift: None,
            tolerance: 1e-8,
            block: None,
            prove: true,
            dense_rows: 150,
            ordering: OrderingMethod::Auto,
            factor: FactorParams::default(),
        }
    }
}

/// The number of eigenvalues below a shift, from the inertia of K − σM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SturmCount {
    /// σ.
    pub shift: f64,
    /// Eigenvalues below it.
    pub count: usize,
}

/// How the modes were found.
#[derive(Clone, Debug, Default)]
pub struct EigenInfo {
    /// Shift of the first factorisation; `None` when solved densely.
    pub shift: Option<f64>,
    /// Blocks to which the operator was applied.
    pub blocks: usize,
    /// Right-hand sides solved.
    pub solves: usize,
    /// Restarts of the Krylov space.
    pub restarts: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Proof that no mode below its shift is missing. `None` when not asked for, or when the
    /// problem was solved densely or all its modes were found.
    pub sturm: Option<SturmCount>,
    /// A value between the last mode found and the next, with the number of modes found below it: what a
    /// Sturm count there must say. `None` when there is no next, or when modes were counted first.
    pub found: Option<SturmCount>,
    /// Modes that the Sturm count showed to be missing at first.
    pub recovered: usize,
    /// Modes whose strain energy is rounding error.
    pub rigid_body_modes: usize,
    /// Modes beyond those asked for that share a cluster with the last of them: its shape is then one of many
    /// that rounding chose between.
    pub cut: usize,
    /// All modes with finite frequency were found, whatever was asked for.
    pub exhausted: bool,
    /// The analysis of the factorised pattern; `None` when solved densely.
    pub symbolic: Option<SymbolicInfo>,
}

/// Modes, lowest first.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// Eigenvalues λ = ω², ascending.
    pub lambda: Vec<f64>,
    /// Shapes by column: ΦᵀMΦ = I, the largest component of each positive.
    pub Phi: Mat<f64>,
    /// ‖Kφ − λMφ‖ / ((‖K‖ + |λ|‖M‖)‖φ‖) of each mode; empty when K was not at hand.
    pub residuals: Vec<f64>,
    /// How they were found.
    pub info: EigenInfo,
}

/// Why there are no modes.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EigenError {
    /// M is zero.
    #[error("the structure has no mass")]
    NoMass,
    /// A diagonal entry of M is negative.
    #[error("row {row} has negative mass")]
    NegativeMass {
        /// Row.
        row: usize,
    },
    /// K − σM could not be factorised: what has neither stiffness nor mass, or too large.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// The dense solver refused.
    #[error(transparent)]
    Dense(#[from] DenseError),
    /// The iteration ended before all wanted modes converged.
    #[error(
        "{converged} of {wanted} modes converged after {blocks} blocks; the worst residual is {worst:.1e}"
    )]
    NotConverged {
        /// Modes that converged.
        converged: usize,
        /// Modes that had to.
        wanted: usize,
        /// Blocks used.
        blocks: usize,
        /// Largest relative residual among the wanted.
        worst: f64,
    },
    /// More modes were found than the Sturm count allows.
    #[error("{found} modes found below λ = {shift:.6e} but the Sturm count says {counted}")]
    Inconsistent {
        /// Modes found below the shift.
        found: usize,
        /// Modes counted.
        counted: usize,
        /// The shift.
        shift: f64,
    },
}

/// The lowest modes of Kφ = λMφ, K and M symmetric positive semi-definite, lower triangles given.
///
/// Shift-invert block Lanczos (Grimes, Lewis & Simon, SIAM J. Matrix Anal. Appl. 15, 1994). M may have
/// rows without mass. `groups` is as for [`Ordering::new`]. The bits of the answer do not
/// depend on the number of threads.
///
/// # Errors
/// See [`EigenError`].
pub fn lowest(
    K: &CscMatrix<f64>,
    M: &CscMatrix<f64>,
    groups: Option<&[usize]>,
    params: &EigenParams,
) -> Result<Eigen, EigenError> {
    check(&Symmetric::new(M))?;
    let n = K.ncols();
    let many = matches!(params.want, Want::Count(count) if 3 * count > n);
    if n <= params.dense_rows || (many && n <= 2000) {
        return densely(K, M, params);
    }
    let factor_at = |shift: f64, kind: Kind| -> Result<Factor, FactorError> {
        let A = shifted(K, M, shift);
        let ordering = Ordering::new(&A, groups, params.ordering);
        let symbolic = Arc::new(Symbolic::new(&A, &ordering));
        Factor::new(A, symbolic, &FactorParams { kind, ..params.factor.clone() })
    };
    match params.want {
        Want::Count(_) => {
            let shift = params.shift.unwrap_or_else(|| automatic_shift(K, M));
            lowest_with(K, M, factor_at(shift, Kind::Definite)?, shift, params)
        }
        Want::Below(limit) => all_below(K, M, limit, factor_at(limit, Kind::Indefinite)?, 1, params),
    }
}

/// As [`lowest`] with a factor of [`shifted`]`(K, M, shift)` that already exists, shift ≤ 0: one
/// factorisation serves constraint modes and Lanczos. Its memory is used again for the Sturm count and, with
/// [`Want::Below`], for the one factor at the limit that counts and finds the modes.
///
/// # Errors
/// See [`EigenError`].
pub fn lowest_with(
    K: &CscMatrix<f64>,
    M: &CscMatrix<f64>,
    factor: Factor,
    shift: f64,
    params: &EigenParams,
) -> Result<Eigen, EigenError> {
    let mass = Symmetric::new(M);
    check(&mass)?;
    let indefinite = FactorParams { kind: Kind::Indefinite, ..params.factor.clone() };
    let count = match params.want {
        Want::Count(count) => count,
        Want::Below(limit) => {
            let factor = factor.replace(shifted(K, M, limit), &indefinite)?;
            return all_below(K, M, limit, factor, 2, params);
        }
    };
    let mut info = EigenInfo {
        shift: Some(shift),
        factorisations: 1,
        symbolic: Some(*factor.symbolic().info()),
        ..EigenInfo::default()
    };
    let mut search = Search { M: &mass, params, info: &mut info };
    let nothing = (Mat::zeros(K.ncols(), 0), Vec::new());
    let mut found = search.run(&factor, shift, (nothing.0.as_ref(), &nothing.1), Target::Lowest(count))?;
    if let Some(gap) = found.gap.filter(|_| params.prove) {
        let factor = factor.replace(shifted(K, M, gap), &indefinite)?;
        search.info.factorisations += 1;
        let (counted, have) = (factor.inertia(), found.lambda.len());
        search.info.sturm = Some(SturmCount { shift: gap, count: counted });
        if counted < have {
            return Err(EigenError::Inconsistent { found: have, counted, shift: gap });
        }
        if counted > have {
            search.info.recovered = counted - have;
            let theta: Vec<f64> = found.lambda.iter().map(|lambda| 1.0 / (lambda - gap)).collect();
            found = search.run(&factor, gap, (found.Phi.as_ref(), &theta), Target::BelowShift(counted))?;
        }
    }
    Ok(finish(K, M, found, count, info))
}

/// As [`lowest_with`] for the lowest `count` modes and the factor of a definite K − σM that is needed again
/// afterwards: without a Sturm count, whatever `params` say; `found` says what it must be. K itself is not
/// needed, so that its memory can be given back; residuals, which it would take, are not there.
///
/// # Errors
/// See [`EigenError`].
pub fn lowest_borrowing(
    M: &dyn Operator,
    factor: &Factor,
    shift: f64,
    count: usize,
    params: &EigenParams,
) -> Result<Eigen, EigenError> {
    check(M)?;
    let symbolic = Some(*factor.symbolic().info());
    let mut info = EigenInfo { shift: Some(shift), factorisations: 1, symbolic, ..EigenInfo::default() };
    let mut search = Search { M, params, info: &mut info };
    let nothing = (Mat::zeros(factor.rows(), 0), Vec::new());
    let found = search.run(factor, shift, (nothing.0.as_ref(), &nothing.1), Target::Lowest(count))?;
    info.found = found.gap.map(|gap| SturmCount { shift: gap, count: found.lambda.len() });
    let (lambda, Phi) = trimmed(found, count, &mut info);
    Ok(Eigen { lambda, Phi, residuals: Vec::new(), info })
}

/// The lowest `count` modes where a Sturm count found more below its shift than [`lowest_borrowing`] did: all
/// of them are searched for with the factor of K − σM at that shift, beside those that are known.
///
/// # Errors
/// See [`EigenError`]; fewer modes counted than known are inconsistent.
pub fn recover(
    M: &dyn Operator,
    factor: &Factor,
    counted: SturmCount,
    known: &Eigen,
    count: usize,
    params: &EigenParams,
) -> Result<Eigen, EigenError> {
    let SturmCount { shift, count: below } = counted;
    let have = known.lambda.partition_point(|lambda| *lambda < shift);
    if below < have {
        return Err(EigenError::Inconsistent { found: have, counted: below, shift });
    }
    // Those that completed a cluster were found too, and not kept.
    let seen = known.info.found.filter(|found| found.shift == shift).map_or(have, |found| found.count);
    let mut info = EigenInfo {
        factorisations: known.info.factorisations + 1,
        sturm: Some(counted),
        found: None,
        recovered: below.saturating_sub(seen),
        ..known.info.clone()
    };
    let theta: Vec<f64> = known.lambda[..have].iter().map(|lambda| 1.0 / (lambda - shift)).collect();
    let mut search = Search { M, params, info: &mut info };
    let known = known.Phi.subcols(0, have);
    let found = search.run(factor, shift, (known, &theta), Target::BelowShift(below))?;
    let (lambda, Phi) = trimmed(found, count, &mut info);
    Ok(Eigen { lambda, Phi, residuals: Vec::new(), info })
}

/// The modes below a limit, counted and found with one indefinite factor at the limit.
fn all_below(
    K: &CscMatrix<f64>,
    M: &CscMatrix<f64>,
    limit: f64,
    mut factor: Factor,
    mut factorisations: usize,
    params: &EigenParams,
) -> Result<Eigen, EigenError> {
    let mut shift = limit;
    if factor.info().smallest_pivot_ratio < ON_AN_EIGENVALUE {
        shift = limit * (1.0 - STEP_ASIDE);
        let indefinite = FactorParams { kind: Kind::Indefinite, ..params.factor.clone() };
        factor = factor.replace(shifted(K, M, shift), &indefinite)?;
        factorisations += 1;
    }
    let count = factor.inertia();
    let mut info = EigenInfo {
        shift: Some(shift),
        factorisations,
        sturm: Some(SturmCount { shift, count }),
        symbolic: Some(*factor.symbolic().info()),
        ..EigenInfo::default()
    };
    let nothing = (Mat::zeros(K.ncols(), 0), Vec::new());
    let found = if count == 0 {
        Found { lambda: Vec::new(), Phi: nothing.0, gap: None }
    } else {
        let mut search = Search { M: &Symmetric::new(M), params, info: &mut info };
        search.run(&factor, shift, (nothing.0.as_ref(), &nothing.1), Target::BelowShift(count))?
    };
    Ok(finish(K, M, found, count, info))
}

fn densely(K: &CscMatrix<f64>, M: &CscMatrix<f64>, params: &EigenParams) -> Result<Eigen, EigenError> {
    let DenseEigen { lambda, Phi } = generalised_eigen_semidefinite(dense(K).as_ref(), dense(M).as_ref())?;
    let count = match params.want {
        Want::Count(count) => count.min(lambda.len()),
        Want::Below(limit) => lambda.partition_point(|&value| value < limit),
    };
    let info = EigenInfo { exhausted: count == lambda.len(), ..EigenInfo::default() };
    Ok(finish(K, M, Found { lambda, Phi, gap: None }, count, info))
}

/// Trims to what was asked for, settles signs, measures residuals.
fn finish(K: &CscMatrix<f64>, M: &CscMatrix<f64>, found: Found, count: usize, mut info: EigenInfo) -> Eigen {
    let (lambda, Phi) = trimmed(found, count, &mut info);
    info.rigid_body_modes = rigid_body_modes(K, Phi.as_ref());
    let residuals = residuals(K, M, &lambda, Phi.as_ref());
    Eigen { lambda, Phi, residuals, info }
}

/// The lowest `count` at most, with settled signs; says whether that cuts a cluster.
fn trimmed(found: Found, count: usize, info: &mut EigenInfo) -> (Vec<f64>, Mat<f64>) {
    let Found { mut lambda, mut Phi, .. } = found;
    info.cut = complete_clusters(&lambda, count, info.shift.unwrap_or(0.0)).saturating_sub(count);
    lambda.truncate(count);
    Phi.truncate(Phi.nrows(), lambda.len());
    fix_signs(&mut Phi);
    (lambda, Phi)
}

fn residuals(K: &CscMatrix<f64>, M: &CscMatrix<f64>, lambda: &[f64], Phi: MatRef<'_, f64>) -> Vec<f64> {
    let (K, M) = (Symmetric::new(K), Symmetric::new(M));
    let mut KPhi = Mat::zeros(Phi.nrows(), Phi.ncols());
    let mut MPhi = Mat::zeros(Phi.nrows(), Phi.ncols());
    K.multiply(Phi, KPhi.as_mut());
    M.multiply(Phi, MPhi.as_mut());
    let (norm_K, norm_M) = (K.norm(), M.norm());
    lambda
        .iter()
        .enumerate()
        .map(|(j, &value)| {
            let squares = KPhi.col(j).iter().zip(MPhi.col(j).iter()).map(|(k, m)| (k - value * m).powi(2));
            squares.sum::<f64>().sqrt() / ((norm_K + value.abs() * norm_M) * Phi.col(j).norm_l2())
        })
        .collect()
}
