//! Craig and Bampton's basis: constraint modes Ψ and fixed-interface modes Φ from one factorisation.
//!
//! ```text
//! Ψ = −K_ii⁻¹ K_ib        K_ii Φ = M_ii Φ Ω²        V = [ Ψ Φ ; 1 0 ]
//! VᵀKV = diag(K_bb + K_biΨ, Ω²)
//! ```
//!
//! R. R. Craig and M. C. C. Bampton, *Coupling of substructures for dynamic analyses*, AIAA Journal 6 (1968)
//! 1313–1319.

use std::sync::{Arc, OnceLock};

use faer::{Mat, MatRef};
use nalgebra::Vector3;
use nalgebra_sparse::CscMatrix;
use pliant_mesh::LinkMesh;
use pliant_sparse::{
    Eigen, EigenError, EigenInfo, EigenParams, Factor, FactorParams, Inertia, Kind, Ordering, OrderingMethod,
    SturmCount, Symbolic, SymbolicInfo, add_product, inertia, lowest_borrowing, product, recover,
    release_memory, shifted,
};

use super::{Basis, Column};
use crate::ReduceError;
use crate::partition::{Partition, partition, principal_part};
use crate::rigid::RigidMass;
use crate::substructure::Substructure;

/// Most loads that are solved for at a time, where memory is fullest.
const LOADS: usize = 8;

/// A pivot this much smaller than its diagonal entry says that a limit lies on a mode.
const ON_A_MODE: f64 = 1e-10;
/// Such a limit is lowered by this fraction: a mode on the limit is not below it.
const STEP_ASIDE: f64 = 1e-7;

/// The factored interior of a substructure with what Craig–Bampton needs of it.
#[derive(Debug)]
pub struct FixedInterface {
    /// Interior columns among the free ones.
    pub interior: Vec<usize>,
    /// Boundary columns among the free ones.
    pub boundary: Vec<usize>,
    /// Factor of K_ii.
    pub factor: Factor,
    K_ib: CscMatrix<f64>,
    K_bb: Mat<f64>,
    condensed: OnceLock<Condensed>,
}

/// What static condensation gives.
#[derive(Debug)]
struct Condensed {
    /// [Ψ; 1], free components × boundary.
    constraint_modes: Arc<Mat<f64>>,
    /// K_bb + K_biΨ.
    K: Mat<f64>,
}

/// What loads on the boundary do, without a vector of mesh size for each.
#[derive(Debug)]
pub struct BoundaryResponses {
    constraint_modes: Arc<Mat<f64>>,
    /// Boundary components × loads.
    x_b: Mat<f64>,
}

impl BoundaryResponses {
    /// [Ψ; 1] x_b, free components × loads.
    pub fn on_free_components(&self) -> Mat<f64> {
        product(self.constraint_modes.as_ref().as_ref(), self.x_b.as_ref())
    }
}

/// K of a substructure in its parts, and the structure of the factor of K_ii.
#[derive(Debug)]
pub struct Partitions {
    interior: Vec<usize>,
    K: Partition,
    symbolic: Arc<Symbolic>,
}

impl Partitions {
    /// Of a substructure and its stiffness.
    pub fn new(part: &Substructure, K: &CscMatrix<f64>) -> Self {
        let interior = part.interior();
        let K = partition(K, &part.constraints.T, &interior, &part.boundary);
        let symbolic = Arc::new(analysed(&K.ii, &part.groups(&interior)));
        Self { interior, K, symbolic }
    }

    /// What a factor of K_ii, or of K_ii − σM_ii, will cost.
    pub fn cost(&self) -> &SymbolicInfo {
        self.symbolic.info()
    }

    /// What a Sturm count needs when the factor has been given back.
    pub fn counter(&self) -> ModeCounter {
        ModeCounter { interior: self.interior.clone(), symbolic: Arc::clone(&self.symbolic) }
    }
}

/// Counts modes with all interfaces fixed without the factor of K_ii.
#[derive(Debug)]
pub struct ModeCounter {
    interior: Vec<usize>,
    symbolic: Arc<Symbolic>,
}

impl ModeCounter {
    /// As [`FixedInterface::count_below`], with the stiffness of all components given for it.
    ///
    /// # Errors
    /// An elimination without pivoting that is not stable.
    pub fn count_below(
        &self,
        part: &Substructure,
        K: CscMatrix<f64>,
        lambda: f64,
    ) -> Result<SturmCount, ReduceError> {
        let K_ii = principal_part(&K, &part.constraints.T, &self.interior);
        drop(K);
        count_below(part, &K_ii, &self.interior, &self.symbolic, lambda)
    }
}

/// The number of modes below λ, or a little below that where a mode lies on it.
fn count_below(
    part: &Substructure,
    K_ii: &CscMatrix<f64>,
    interior: &[usize],
    symbolic: &Symbolic,
    lambda: f64,
) -> Result<SturmCount, ReduceError> {
    let M_ii = principal_part(&part.M, &part.constraints.T, interior);
    let inertia_at = |shift: f64| {
        let A = shifted(K_ii, &M_ii, shift);
        // It lies within the pattern of K_ii unless masses couple what has no stiffness.
        let own = (A.nnz() != K_ii.nnz()).then(|| analysed(&A, &part.groups(interior)));
        let symbolic = own.as_ref().unwrap_or(symbolic);
        inertia(A, symbolic, FactorParams::default().parallel).map_err(ReduceError::Factor)
    };
    let mut shift = lambda;
    let mut found: Inertia = inertia_at(shift)?;
    if found.smallest_pivot_ratio < ON_A_MODE {
        shift = lambda * (1.0 - STEP_ASIDE);
        found = inertia_at(shift)?;
    }
    Ok(SturmCount { shift, count: found.negative })
}

fn analysed(A: &CscMatrix<f64>, groups: &[usize]) -> Symbolic {
    Symbolic::new(A, &Ordering::new(A, Some(groups), OrderingMethod::Auto))
}

/// Factors K_ii.
///
/// # Errors
/// A singular K_ii: part of the mesh is not held by its interfaces, named by grid and component.
pub fn fixed_interface(part: &Substructure, parts: Partitions) -> Result<FixedInterface, ReduceError> {
    let Partitions { interior, K: Partition { ii: K_ii, ib: K_ib, bb: K_bb }, symbolic } = parts;
    let boundary = part.boundary.clone();
    let factor = Factor::new(K_ii, symbolic, &FactorParams::default())
        .map_err(|error| ReduceError::factor(error, |row| part.name(interior[row])))?;
    Ok(FixedInterface { interior, boundary, factor, K_ib, K_bb, condensed: OnceLock::new() })
}

/// Vectors on some of `size` rows as vectors on all, zero elsewhere.
fn scattered(X: &Mat<f64>, rows: &[usize], size: usize) -> Mat<f64> {
    let mut all = Mat::zeros(size, X.ncols());
    for k in 0..X.ncols() {
        rows.iter().enumerate().for_each(|(i, row)| all[(*row, k)] = X[(i, k)]);
    }
    all
}

/// Averages a matrix with its transpose.
pub(super) fn symmetrise(A: &mut Mat<f64>) {
    for j in 0..A.ncols() {
        for i in 0..j {
            let mean = 0.5 * (A[(i, j)] + A[(j, i)]);
            A[(i, j)] = mean;
            A[(j, i)] = mean;
        }
    }
}

impl FixedInterface {
    /// Free components.
    fn size(&self) -> usize {
        self.interior.len() + self.boundary.len()
    }

    /// Solved for when first asked for: the search for modes, where memory is full, comes before.
    fn condensed(&self) -> &Condensed {
        self.condensed.get_or_init(|| {
            let mut Psi = Mat::zeros(self.interior.len(), self.boundary.len());
            for (i, b, value) in self.K_ib.triplet_iter() {
                Psi[(i, b)] = -value;
            }
            self.factor.solve_in_place(Psi.as_mut());
            let mut K = self.K_bb.clone();
            for (i, b, value) in self.K_ib.triplet_iter() {
                (0..K.ncols()).for_each(|c| K[(b, c)] += value * Psi[(i, c)]);
            }
            symmetrise(&mut K);
            let mut constraint_modes = scattered(&Psi, &self.interior, self.size());
            self.boundary.iter().enumerate().for_each(|(b, row)| constraint_modes[(*row, b)] = 1.0);
            Condensed { constraint_modes: Arc::new(constraint_modes), K }
        })
    }

    /// [Ψ; 1], free components × boundary.
    fn constraint_modes(&self) -> MatRef<'_, f64> {
        self.condensed().constraint_modes.as_ref().as_ref()
    }

    /// How many modes with all interfaces fixed lie below ω² = λ: the inertia of K_ii − λM_ii, without
    /// keeping its factor. λ is lowered a little where a mode lies on it. `part` and `K` are what this was
    /// made of.
    ///
    /// # Errors
    /// An elimination without pivoting that is not stable.
    pub fn count_below(
        &self,
        part: &Substructure,
        K: &CscMatrix<f64>,
        lambda: f64,
    ) -> Result<SturmCount, ReduceError> {
        let K_ii = principal_part(K, &part.constraints.T, &self.interior);
        count_below(part, &K_ii, &self.interior, self.factor.symbolic(), lambda)
    }

    /// Modes that were found, after a Sturm count above the last of them: where it has more, all below it are
    /// searched for again.
    ///
    /// # Errors
    /// Fewer modes counted than found, or modes that a second search does not find either.
    pub fn proven(
        &self,
        part: &Substructure,
        K: &CscMatrix<f64>,
        mut found: Eigen,
    ) -> Result<Eigen, ReduceError> {
        // Without a next mode, all that there are were found.
        let Some(expected) = found.info.found else { return Ok(found) };
        let counted = self.count_below(part, K, expected.shift)?;
        if counted.count < expected.count {
            let SturmCount { shift, count: found } = expected;
            return Err(EigenError::Inconsistent { found, counted: counted.count, shift }.into());
        }
        if counted.count > expected.count {
            let count = found.lambda.len();
            return self.recovered(part, K, &found, counted, count);
        }
        found.info.sturm = Some(counted);
        Ok(found)
    }

    /// The modes below a limit that were counted first; `None` when there are none. What the search took from
    /// above the limit in place of a mode below it is searched for again.
    ///
    /// # Errors
    /// No mass, or modes that a second search does not find either.
    pub fn modes_below(
        &self,
        part: &Substructure,
        K: &CscMatrix<f64>,
        lambda: f64,
    ) -> Result<Option<Eigen>, ReduceError> {
        let counted = self.count_below(part, K, lambda)?;
        let Some(mut found) = self.modes(part, counted.count)? else { return Ok(None) };
        if found.lambda.last().is_some_and(|last| *last >= counted.shift)
            || found.lambda.len() < counted.count
        {
            return self.recovered(part, K, &found, counted, counted.count).map(Some);
        }
        found.info.sturm = Some(counted);
        Ok(Some(found))
    }

    /// The lowest `count` modes, from all below a shift that were counted and some of them.
    fn recovered(
        &self,
        part: &Substructure,
        K: &CscMatrix<f64>,
        found: &Eigen,
        counted: SturmCount,
        count: usize,
    ) -> Result<Eigen, ReduceError> {
        let params = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
        let of_interior = |A| principal_part(A, &part.constraints.T, &self.interior);
        let A = shifted(&of_interior(K), &of_interior(&part.M), counted.shift);
        let symbolic = Arc::new(analysed(&A, &part.groups(&self.interior)));
        let factor = Factor::new(A, symbolic, &params).map_err(ReduceError::Factor)?;
        let params = EigenParams { prove: false, ..EigenParams::count(count) };
        Ok(recover(&part.mass_of(&self.interior), &factor, counted, found, count, &params)?)
    }

    /// The lowest modes with all interfaces fixed; `None` when there are none to keep. `part` is what this
    /// was made of.
    ///
    /// # Errors
    /// No mass, or no convergence.
    pub fn modes(&self, part: &Substructure, count: usize) -> Result<Option<Eigen>, ReduceError> {
        if self.interior.is_empty() || count == 0 {
            return Ok(None);
        }
        let params = EigenParams { prove: false, ..EigenParams::count(count) };
        // What the matrices before the factor left behind would add to the Krylov space.
        release_memory();
        Ok(Some(lowest_borrowing(&part.mass_of(&self.interior), &self.factor, 0.0, count, &params)?))
    }

    /// V = [Ψ Φ; 1 0] of the chosen columns.
    pub fn basis(&self, constraint_modes: bool, modes: Option<&Eigen>) -> Basis {
        let boundary = if constraint_modes { self.boundary.len() } else { 0 };
        let count = modes.map_or(0, |modes| modes.lambda.len());
        let (size, n) = (self.size(), boundary + count);
        let constraint_modes = if constraint_modes {
            self.condensed().constraint_modes.clone()
        } else {
            Arc::new(Mat::zeros(size, 0))
        };
        let others =
            modes.map_or_else(|| Mat::zeros(size, 0), |modes| scattered(&modes.Phi, &self.interior, size));
        let mut K = Mat::zeros(n, n);
        if boundary > 0 {
            K.as_mut().submatrix_mut(0, 0, boundary, boundary).copy_from(&self.condensed().K);
        }
        let mut columns: Vec<_> = (0..boundary).map(Column::Boundary).collect();
        if let Some(modes) = modes {
            for (m, lambda) in modes.lambda.iter().enumerate() {
                K[(boundary + m, boundary + m)] = *lambda;
                columns.push(Column::Mode(*lambda));
            }
        }
        let info = modes.map_or_else(EigenInfo::default, |modes| modes.info.clone());
        Basis { constraint_modes, others, columns, K, info }
    }

    /// X = K⁻¹ F on all free components, in place of F, interface loads included, through K_ii and the
    /// condensed stiffness: x_b = K_c⁻¹ (f_b + Ψᵀ f_i), x_i = K_ii⁻¹ f_i + Ψ x_b.
    ///
    /// # Errors
    /// When the boundary is not held by the rest.
    pub fn solve(&self, mut F: Mat<f64>) -> Result<Mat<f64>, ReduceError> {
        let constraint_modes = self.constraint_modes();
        // Equal groups: a few loads cost nearly as much as twice as many.
        let group = F.ncols().div_ceil(F.ncols().div_ceil(LOADS).max(1)).max(1);
        for first in (0..F.ncols()).step_by(group) {
            let m = group.min(F.ncols() - first);
            let mut F = F.as_mut().subcols_mut(first, m);
            let f_b = product(constraint_modes.transpose(), F.as_ref());
            let x_b = condensed_solve(&self.condensed().K, &f_b)?;
            let mut X_i = Mat::from_fn(self.interior.len(), m, |i, k| F[(self.interior[i], k)]);
            self.factor.solve_in_place(X_i.as_mut());
            for k in 0..m {
                self.interior.iter().enumerate().for_each(|(i, row)| F[(*row, k)] = X_i[(i, k)]);
                self.boundary.iter().for_each(|row| F[(*row, k)] = 0.0);
            }
            add_product(F, constraint_modes, x_b.as_ref(), 1.0);
        }
        Ok(F)
    }

    /// What loads on the boundary do, boundary components × loads: x_b = K_c⁻¹ f_b, x_i = Ψ x_b.
    ///
    /// # Errors
    /// When the boundary is not held by the rest.
    pub fn boundary_responses(&self, f_b: &Mat<f64>) -> Result<BoundaryResponses, ReduceError> {
        let Condensed { constraint_modes, K } = self.condensed();
        Ok(BoundaryResponses { constraint_modes: constraint_modes.clone(), x_b: condensed_solve(K, f_b)? })
    }

    /// Quasi-static responses of the interior, interfaces fixed, to the inertia loads of unit accelerations:
    /// of each boundary component through its constraint mode, and of the link frame along and about its
    /// axes. Free components × loads:
    ///
    /// ```text
    /// X_i = K_ii⁻¹ [ M_iiΨ + M_ib   (TᵀMR)_i ],   X_b = 0
    /// ```
    ///
    /// What modes beyond a cut-off do at lower frequencies is these responses up to the square of the
    /// frequency ratio.
    pub fn inertia_responses(&self, mesh: &LinkMesh, part: &Substructure, origin: Vector3<f64>) -> Mat<f64> {
        let nb = self.boundary.len();
        let constraint_modes = part.mass_product(self.constraint_modes());
        let rigid = RigidMass::new(mesh, part, origin).on_free;
        let mut X_i = Mat::from_fn(self.interior.len(), nb + 6, |i, k| {
            let row = self.interior[i];
            if k < nb { constraint_modes[(row, k)] } else { rigid[(row, k - nb)] }
        });
        self.factor.solve_in_place(X_i.as_mut());
        scattered(&X_i, &self.interior, part.free_count())
    }
}

/// K_c x = f by Cholesky's method.
fn condensed_solve(K: &Mat<f64>, f: &Mat<f64>) -> Result<Mat<f64>, ReduceError> {
    use faer::linalg::solvers::Solve;
    if K.nrows() == 0 {
        return Ok(f.clone());
    }
    let factor = K.llt(faer::Side::Lower).map_err(|_| ReduceError::LooseInterface)?;
    Ok(factor.solve(f))
}
