//! Craig and Bampton's basis: constraint modes Ψ and fixed-interface modes Φ from one factorisation.
//!
//! ```text
//! Ψ = −K_ii⁻¹ K_ib        K_ii Φ = M_ii Φ Ω²        V = [ Ψ Φ ; 1 0 ]
//! VᵀKV = diag(K_bb + K_biΨ, Ω²)
//! ```
//!
//! R. R. Craig and M. C. C. Bampton, *Coupling of substructures for dynamic analyses*, AIAA Journal 6 (1968) 1313–1319.

use std::sync::Arc;

use faer::Mat;
use nalgebra::Vector3;
use pliant_fem::assembly::symmetric_product;
use pliant_fem::dof::rigid_row;
use pliant_mesh::LinkMesh;
use pliant_sparse::{
    Eigen, EigenInfo, EigenParams, Factor, FactorParams, Kind, Ordering, OrderingMethod, Symbolic,
    lowest_borrowing, product, shifted,
};

use super::{Basis, Column};
use crate::ReduceError;
use crate::partition::{Partition, partition, principal_part};
use crate::substructure::Substructure;

/// Loads that are solved for at a time, where memory is fullest.
const LOADS: usize = 16;

/// The factored interior of a substructure with what Craig–Bampton needs of it.
#[derive(Debug)]
pub struct FixedInterface {
    /// Interior columns among the free ones.
    pub interior: Vec<usize>,
    /// Boundary columns among the free ones.
    pub boundary: Vec<usize>,
    /// Parts of M.
    pub M: Partition,
    /// Constraint modes, interior × boundary.
    pub Psi: Mat<f64>,
    /// K_bb + K_biΨ: the statically condensed stiffness.
    pub K_condensed: Mat<f64>,
    /// Factor of K_ii.
    pub factor: Factor,
}

/// K and M of a substructure, each in its parts.
#[derive(Debug)]
pub struct Partitions {
    interior: Vec<usize>,
    K: Partition,
    M: Partition,
}

impl Partitions {
    /// Of a substructure whose stiffness has not been forgotten.
    pub fn new(part: &Substructure) -> Self {
        let interior = part.interior();
        let (system, T, boundary) = (&part.system, &part.constraints.T, &part.boundary);
        let M = partition(&system.M, T, &interior, boundary);
        let K = partition(&system.K, T, &interior, boundary);
        Self { interior, K, M }
    }
}

/// Factors K_ii and solves for the constraint modes.
///
/// # Errors
/// A singular K_ii: part of the mesh is not held by its interfaces, named by grid and component.
pub fn fixed_interface(part: &Substructure, parts: Partitions) -> Result<FixedInterface, ReduceError> {
    let Partitions { interior, K: Partition { ii: K_ii, ib: K_ib, bb: K_bb }, M } = parts;
    let boundary = part.boundary.clone();
    let groups = part.groups(&interior);
    // The pattern of K − σM, so that the same analysis serves a Sturm count.
    let A = shifted(&K_ii, &M.ii, 0.0);
    drop(K_ii);
    let ordering = Ordering::new(&A, Some(&groups), OrderingMethod::Auto);
    let symbolic = Arc::new(Symbolic::new(&A, &ordering));
    let factor = Factor::new(A, symbolic, &FactorParams::default())
        .map_err(|error| ReduceError::factor(error, |row| part.name(interior[row])))?;
    let mut Psi = Mat::zeros(interior.len(), boundary.len());
    for (i, b, value) in K_ib.triplet_iter() {
        Psi[(i, b)] = -value;
    }
    factor.solve_in_place(Psi.as_mut());
    let mut K_condensed = K_bb;
    for (i, b, value) in K_ib.triplet_iter() {
        (0..boundary.len()).for_each(|c| K_condensed[(b, c)] += value * Psi[(i, c)]);
    }
    symmetrise(&mut K_condensed);
    Ok(FixedInterface { interior, boundary, M, Psi, K_condensed, factor })
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
    /// How many modes with all interfaces fixed lie below ω² = λ: the inertia of K_ii − λM_ii. `part` is what this was made of.
    ///
    /// # Errors
    /// A factor that is too large, or λ on an eigenvalue.
    pub fn count_below(&self, part: &Substructure, lambda: f64) -> Result<usize, ReduceError> {
        let params = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
        let K_ii = principal_part(&part.system.K, &part.constraints.T, &self.interior);
        let A = shifted(&K_ii, &self.M.ii, lambda);
        drop(K_ii);
        let counter = Factor::new(A, self.factor.symbolic().clone(), &params);
        Ok(counter.map_err(ReduceError::Factor)?.inertia())
    }

    /// The lowest modes with all interfaces fixed; `None` when there are none to keep.
    ///
    /// # Errors
    /// No mass, or no convergence.
    pub fn modes(&self, count: usize) -> Result<Option<Eigen>, ReduceError> {
        if self.interior.is_empty() || count == 0 {
            return Ok(None);
        }
        let params = EigenParams { prove: false, ..EigenParams::count(count) };
        Ok(Some(lowest_borrowing(&self.M.ii, &self.factor, 0.0, count, &params)?))
    }

    /// V = [Ψ Φ; 1 0] of the chosen columns.
    pub fn basis(&self, constraint_modes: bool, modes: Option<&Eigen>) -> Basis {
        let boundary = if constraint_modes { self.boundary.len() } else { 0 };
        let count = modes.map_or(0, |modes| modes.lambda.len());
        let (size, n) = (self.interior.len() + self.boundary.len(), boundary + count);
        let mut V = Mat::zeros(size, n);
        for k in 0..boundary {
            V[(self.boundary[k], k)] = 1.0;
            for (i, row) in self.interior.iter().enumerate() {
                V[(*row, k)] = self.Psi[(i, k)];
            }
        }
        let mut K = Mat::zeros(n, n);
        K.as_mut()
            .submatrix_mut(0, 0, boundary, boundary)
            .copy_from(self.K_condensed.submatrix(0, 0, boundary, boundary));
        let mut columns: Vec<_> = (0..boundary).map(Column::Boundary).collect();
        if let Some(modes) = modes {
            for (m, lambda) in modes.lambda.iter().enumerate() {
                for (i, row) in self.interior.iter().enumerate() {
                    V[(*row, boundary + m)] = modes.Phi[(i, m)];
                }
                K[(boundary + m, boundary + m)] = *lambda;
                columns.push(Column::Mode(*lambda));
            }
        }
        let info = modes.map_or_else(EigenInfo::default, |modes| modes.info.clone());
        Basis { V, columns, K, info }
    }

    /// VᵀMV of a basis on the free components.
    pub fn reduced_mass(&self, basis: &Basis) -> Mat<f64> {
        let mut M = product(basis.V.transpose(), self.mass_product(&basis.V).as_ref());
        symmetrise(&mut M);
        M
    }

    /// X = K⁻¹ F on all free components, in place of F, interface loads included, through K_ii and the condensed stiffness:
    /// x_b = K_c⁻¹ (f_b + Ψᵀ f_i), x_i = K_ii⁻¹ f_i + Ψ x_b.
    ///
    /// # Errors
    /// When the boundary is not held by the rest.
    pub fn solve(&self, mut F: Mat<f64>) -> Result<Mat<f64>, ReduceError> {
        let (ni, nb) = (self.interior.len(), self.boundary.len());
        for first in (0..F.ncols()).step_by(LOADS) {
            let m = LOADS.min(F.ncols() - first);
            let mut F = F.as_mut().subcols_mut(first, m);
            let mut X_i = Mat::from_fn(ni, m, |i, k| F[(self.interior[i], k)]);
            let mut f_b = product(self.Psi.transpose(), X_i.as_ref());
            for k in 0..m {
                (0..nb).for_each(|b| f_b[(b, k)] += F[(self.boundary[b], k)]);
            }
            self.factor.solve_in_place(X_i.as_mut());
            let x_b = condensed_solve(&self.K_condensed, &f_b)?;
            X_i += product(self.Psi.as_ref(), x_b.as_ref());
            for k in 0..m {
                (0..ni).for_each(|i| F[(self.interior[i], k)] = X_i[(i, k)]);
                (0..nb).for_each(|b| F[(self.boundary[b], k)] = x_b[(b, k)]);
            }
        }
        Ok(F)
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
        let (size, nb) = (part.free_count(), self.boundary.len());
        let constraint_modes = self.mass_product(&self.basis(true, None).V);
        let dofs = &part.system.dofs;
        let rows: Vec<[f64; 6]> = (0..dofs.count())
            .map(|row| {
                let (node, component) = dofs.place(row);
                rigid_row(mesh, node, component, origin)
            })
            .collect();
        let rigid: Vec<Vec<f64>> = (0..6)
            .map(|k| {
                let motion: Vec<f64> = rows.iter().map(|row| row[k]).collect();
                part.constraints.reduce(&symmetric_product(&part.system.M, &motion))
            })
            .collect();
        let mut X_i = Mat::from_fn(self.interior.len(), nb + 6, |i, k| {
            let row = self.interior[i];
            if k < nb { constraint_modes[(row, k)] } else { rigid[k - nb][row] }
        });
        self.factor.solve_in_place(X_i.as_mut());
        let mut X = Mat::zeros(size, nb + 6);
        for k in 0..nb + 6 {
            for (i, row) in self.interior.iter().enumerate() {
                X[(*row, k)] = X_i[(i, k)];
            }
        }
        X
    }

    /// M V on the free components, with V given on them.
    pub fn mass_product(&self, V: &Mat<f64>) -> Mat<f64> {
        let (ni, nb, m) = (self.interior.len(), self.boundary.len(), V.ncols());
        let V_i = Mat::from_fn(ni, m, |i, k| V[(self.interior[i], k)]);
        let V_b = Mat::from_fn(nb, m, |b, k| V[(self.boundary[b], k)]);
        let mut Y_i = Mat::zeros(ni, m);
        pliant_sparse::Symmetric::new(&self.M.ii).multiply(V_i.as_ref(), Y_i.as_mut());
        let mut Y_b = product(self.M.bb.as_ref(), V_b.as_ref());
        for (i, b, value) in self.M.ib.triplet_iter() {
            for k in 0..m {
                Y_i[(i, k)] += value * V_b[(b, k)];
                Y_b[(b, k)] += value * V_i[(i, k)];
            }
        }
        let mut Y = Mat::zeros(ni + nb, m);
        for k in 0..m {
            for i in 0..ni {
                Y[(self.interior[i], k)] = Y_i[(i, k)];
            }
            for b in 0..nb {
                Y[(self.boundary[b], k)] = Y_b[(b, k)];
            }
        }
        Y
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
