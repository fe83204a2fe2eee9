//! Sparse assembly: the pattern first, then the values, in parallel and with the same bits for any number of
//! threads.
//!
//! Elements are built twice (once for their rows, once for their matrices) so that no more than one batch of
//! element matrices is in memory. Every entry is a sum in the order of the elements whatever thread adds it.

mod direct;
mod geometric;
mod node_pairs;
mod pair_sum;
mod pattern;
mod projected;
#[cfg(test)]
pub(crate) mod projected_check;
mod scatter;
mod square_sum;
mod symmetric;
#[cfg(test)]
mod tests;

pub(crate) use direct::{NodalTerm, direct_loads, direct_mass_terms, direct_stiffness_product};
pub use geometric::State;
pub(crate) use geometric::geometric_stiffness;
pub use projected::projected_geometric_stiffness;
pub use symmetric::{symmetric_product, transformed};

use nalgebra::DMatrix;
use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, SetId};
use rayon::prelude::*;

use crate::dof::{DofMap, matrix_to_displacement_axes};
use crate::element::{ElementContext, MassKind, all_elements, build, element_error};
use crate::nsm::{ExtraNsm, extra_nsm};
use pattern::{ElementRows, lower_pattern};
use scatter::{Batch, scatter};

/// Elements whose matrices are in memory at one time.
const BATCH: usize = 256;

/// What to assemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssemblyOptions {
    /// Which mass matrix.
    pub mass: MassKind,
    /// NSM set of the subcase.
    pub nsm: Option<SetId>,
}

impl AssemblyOptions {
    /// What the deck itself asks for: PARAM,COUPMASS, and the NSM set of its first subcase.
    pub fn of_deck(mesh: &LinkMesh) -> Self {
        Self {
            mass: if mesh.coupled_mass() { MassKind::Coupled } else { MassKind::Lumped },
            nsm: mesh.case_control.subcases.first().and_then(|s| s.nsm),
        }
    }
}

/// The matrices of all components of a mesh (the g-set), in displacement frames. Lower triangles only.
#[derive(Clone, Debug)]
pub struct System {
    /// Numbering.
    pub dofs: DofMap,
    /// Stiffness K, lower triangle.
    pub K: CscMatrix<f64>,
    /// Mass M, lower triangle, WTMASS applied.
    pub M: CscMatrix<f64>,
    /// Viscous damping D, lower triangle.
    pub D: CscMatrix<f64>,
}

/// Numbering and mass of a system: what loads need of it.
#[derive(Clone, Copy, Debug)]
pub struct Masses<'a> {
    /// Numbering.
    pub dofs: &'a DofMap,
    /// Mass M, lower triangle.
    pub M: &'a CscMatrix<f64>,
}

impl System {
    /// What loads need.
    pub fn masses(&self) -> Masses<'_> {
        Masses { dofs: &self.dofs, M: &self.M }
    }
}

/// Assembles K, M and D of a mesh.
///
/// K = Σ Lₑᵀ Tₑᵀ Kₑ Tₑ Lₑ, M = WTMASS · Σ …, with Tₑ the displacement triads of the element's nodes, plus the
/// DMIG matrices that the case selects. Constraints are not applied. Deck units.
///
/// # Errors
/// The diagnostics of every element that cannot be built; a selected DMIG that is not there.
pub fn assemble(mesh: &LinkMesh, options: AssemblyOptions) -> Result<System, Diagnostics> {
    assembled(mesh, Some(options.mass), options.nsm)
}

/// K of a mesh alone, bit for bit that of [`assemble`]: for those who give it back and need it once more.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_stiffness(mesh: &LinkMesh, nsm: Option<SetId>) -> Result<CscMatrix<f64>, Diagnostics> {
    assembled(mesh, None, nsm).map(|system| system.K)
}

/// Without a kind of mass M and D stay empty.
fn assembled(mesh: &LinkMesh, mass: Option<MassKind>, nsm: Option<SetId>) -> Result<System, Diagnostics> {
    let elements = all_elements(mesh);
    let nsm = extra_nsm(mesh, nsm)?;
    let dofs = DofMap::new(mesh);
    let rows = element_rows(mesh, &dofs, &elements, &nsm)?;
    let pattern = lower_pattern(dofs.count(), &rows);
    // Zeros that the system has ready cost no memory before they are written to: a mesh without dampers pays
    // nothing for D.
    let mut values = std::array::from_fn(|_| vec![0.0; pattern.rows.len()]);
    let [K, M, D] = &mut values;
    let mut is_damped = false;
    for (chunk_index, chunk) in elements.chunks(BATCH).enumerate() {
        let matrices = element_matrices(mesh, mass, chunk, &nsm)?;
        let batch = Batch { rows: &rows, first: chunk_index * BATCH, matrices: &matrices };
        scatter(&pattern, &batch, [K, M, D]);
        is_damped |= matrices.iter().any(|[_, _, damping]| damping.is_some());
    }
    let wtmass = mesh.wtmass();
    if mass.is_some() {
        M.iter_mut().for_each(|m| *m *= wtmass);
    }
    let [K, M, D] = values;
    let M = if mass.is_some() { pattern.compact(M) } else { pattern.zeros() };
    let D = if is_damped { pattern.compact(D) } else { pattern.zeros() };
    // The last user of the pattern takes it.
    let K = pattern.compacted(K);
    let mut system = System { dofs, K, M, D };
    direct::add_direct_matrices(mesh, &mut system)?;
    Ok(system)
}

/// Rows of every element, and every element that cannot be built.
fn element_rows(
    mesh: &LinkMesh,
    dofs: &DofMap,
    elements: &[ElementRef],
    nsm: &ExtraNsm,
) -> Result<ElementRows, Diagnostics> {
    let found: Vec<Result<Vec<u32>, Box<Diagnostic>>> = elements
        .par_iter()
        .map(|which| {
            let extra_nsm = nsm.get(which).copied().unwrap_or(0.0);
            build(ElementContext { mesh, extra_nsm }, *which).map(|e| dofs.rows_of_element(e.as_ref()))
        })
        .collect();
    let mut rows = ElementRows::default();
    let mut problems = Diagnostics::new();
    for element in found {
        match element {
            Ok(element) => rows.push(&element),
            Err(problem) => problems.push(*problem),
        }
    }
    if problems.is_empty() { Ok(rows) } else { Err(problems) }
}

/// K, M and D of one element.
type Matrices = [Option<DMatrix<f64>>; 3];

/// K, M and D of some elements, in displacement frames; K alone without a kind of mass.
fn element_matrices(
    mesh: &LinkMesh,
    mass: Option<MassKind>,
    elements: &[ElementRef],
    nsm: &ExtraNsm,
) -> Result<Vec<Matrices>, Diagnostics> {
    let found: Vec<Result<Matrices, Box<Diagnostic>>> = elements
        .par_iter()
        .map(|which| {
            let extra_nsm = nsm.get(which).copied().unwrap_or(0.0);
            let element = build(ElementContext { mesh, extra_nsm }, *which)?;
            let mut matrices = match mass {
                Some(mass) => [element.stiffness(), element.mass(mass), element.damping()],
                None => [element.stiffness(), None, None],
            };
            for A in matrices.iter_mut().flatten() {
                if !all_finite(A.as_slice()) {
                    return Err(element_error(mesh, *which, "its matrices are not finite"));
                }
                matrix_to_displacement_axes(mesh, element.as_ref(), A);
            }
            Ok(matrices)
        })
        .collect();
    let mut matrices = Vec::with_capacity(elements.len());
    let mut problems = Diagnostics::new();
    for element in found {
        match element {
            Ok(element) => matrices.push(element),
            Err(problem) => problems.push(*problem),
        }
    }
    if problems.is_empty() { Ok(matrices) } else { Err(problems) }
}

/// True when none of the values is infinite or not a number. Without a branch for each: one more in the
/// exponent of such a value reaches the sign.
fn all_finite(values: &[f64]) -> bool {
    let exponents = |value: &f64| (value.to_bits() & (u64::MAX >> 1)) + (1 << 52);
    values.iter().fold(0, |seen, value| seen | exponents(value)) >> 63 == 0
}
