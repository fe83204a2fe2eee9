//! Craig and Bampton's basis: constraint modes Ψ and fixed-interface modes Φ from one factorisation.
//!
//! ```text
//! Ψ = −K_ii⁻¹ K_ib        K_ii Φ = M_ii Φ Ω²        V = [ Ψ Φ ; 1 0 ]
//! VᵀKV = diag(K_bb + K_biΨ, Ω²)
//! ```
//!
//! R. R. Craig and M. C. C. Bampton, *Coupling of substructures for dynamic analyses*, AIAA Journal 6 (1968) 1313–1319.

use std::sync::{Arc, OnceLock};

use faer::{Mat, MatRef};
use nalgebra::Vector3;
use nalgebra_sparse::CscMatrix;
use pliant_mesh::LinkMesh;
use pliant_sparse::{
    Eigen, EigenInfo, EigenParams, Factor, FactorParams, Kind, Ordering, OrderingMethod, Symbolic,
    add_product, lowest_borrowing, product, release_memory, shifted,
};

use super::{Basis, Column};
use crate::ReduceError;
use crate::partition::{Partition, partition, principal_part};
use crate::rigid::RigidMass;
use crate::substructure::Substructure;

/// Most loads that are solved for at a time, where memory is fullest.
const LOADS: usize = 8;

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

/// K of a substructure in its parts, and M_ii where [`FixedInterface::count_below`] will be asked.
#[derive(Debug)]
pub struct Partitions {
    interior: Vec<usize>,
    K: Partition,
    M_ii: Option<CscMatrix<f64>>,
}

impl Partitions {
    /// Of a substructure whose stiffness has not been forgotten, `counting` modes below a frequency or not.
    pub fn new(part: &Substructure, counting: bool) -> Self {
        let interior = part.interior();
        let (system, T, boundary) = (&part.system, &part.constraints.T, &part.boundary);
        let M_ii = counting.then(|| principal_part(&system.M, T, &interior));
        let K = partition(&system.K, T, &interior, boundary);
        Self { interior, K, M_ii }
    }
}

/// Factors K_ii.
///
/// # Errors
/// A singular K_ii: part of the mesh is not held by its interfaces, named by grid and component.
pub fn fixed_interface(part: &Substructure, parts: Partitions) -> Result<FixedInterface, ReduceError> {
    let Partitions { interior, K: Partition { ii: K_ii, ib: K_ib, bb: K_bb }, M_ii } = parts;
    let boundary = part.boundary.clone();
    let groups = part.groups(&interior);
    let A = match M_ii {
        // The pattern of K − σM, so that the same analysis serves a Sturm count.
        Some(M_ii) => shifted(&K_ii, &M_ii, 0.0),
        None => K_ii,
    };
    let ordering = Ordering::new(&A, Some(&groups), OrderingMethod::Auto);
    let symbolic = Arc::new(Symbolic::new(&A, &ordering));
    let factor = Factor::new(A, symbolic, &FactorParams::default())
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

    /// How many modes with all interfaces fixed lie below ω² = λ: the inertia of K_ii − λM_ii. `part` is what this was made of.
    ///
    /// # Errors
    /// A factor that is too large, or λ on an eigenvalue.
    pub fn count_below(&self, part: &Substructure, lambda: f64) -> Result<usize, ReduceError> {
        let params = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
        let of_interior = |A| principal_part(A, &part.constraints.T, &self.interior);
        let A = shifted(&of_interior(&part.system.K), &of_interior(&part.system.M), lambda);
        let counter = Factor::new(A, self.factor.symbolic().clone(), &params);
        Ok(counter.map_err(ReduceError::Factor)?.inertia())
    }

    /// The lowest modes with all interfaces fixed; `None` when there are none to keep. `part` is what this was made of.
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

    /// X = K⁻¹ F on all free components, in place of F, interface loads included, through K_ii and the condensed stiffness:
    /// x_b = K_c⁻¹ (f_b + Ψᵀ f_i), x_i = K_ii⁻¹ f_i + Ψ x_b.
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

    /// Quasi-static responses of the interior, interfaces fixed, to the inertia loads of unit accelerations: of each boundary
    /// component through its constraint mode, and of the link frame along and about its axes. Free components × loads:
    ///
    /// ```text
    /// X_i = K_ii⁻¹ [ M_iiΨ + M_ib   (TᵀMR)_i ],   X_b = 0
    /// ```
    ///
    /// What modes beyond a cut-off do at lower frequencies is these responses up to the square of the frequency ratio.
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
