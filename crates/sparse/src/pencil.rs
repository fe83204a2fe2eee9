//! The pair (K, M): K − σM on the union of their patterns, scales, what makes them unfit.

use faer::{Mat, MatRef};
use nalgebra_sparse::CscMatrix;

use crate::eigen::EigenError;
use crate::product::{Operator, Symmetric};

/// |shift| as a fraction of the typical local stiffness to mass ratio.
const SHIFT_FRACTION: f64 = 1e-8;

/// A mode whose strain energy is this part of the sum of its absolute terms is no motion without strain.
const CLEARLY_ELASTIC: f64 = 1e-10;
/// The energies of the last motion without strain and of the first elastic mode differ by at least this
/// factor.
const RIGID_GAP: f64 = 30.0;

/// K − σM (lower triangles) on the union of both patterns, whatever σ, so that one symbolic analysis
/// serves all shifts.
///
/// # Panics
/// When the shapes differ.
#[must_use]
pub fn shifted(K: &CscMatrix<f64>, M: &CscMatrix<f64>, shift: f64) -> CscMatrix<f64> {
    let n = K.ncols();
    assert!(K.nrows() == n && M.nrows() == n && M.ncols() == n, "K and M have the same shape");
    let mut offsets = Vec::with_capacity(n + 1);
    let mut rows = Vec::with_capacity(K.nnz());
    let mut values = Vec::with_capacity(K.nnz());
    offsets.push(0);
    for j in 0..n {
        let (k, m) = (K.col(j), M.col(j));
        let mut stiffness = k.row_indices().iter().copied().zip(k.values().iter().copied()).peekable();
        let mut mass = m.row_indices().iter().copied().zip(m.values().iter().copied()).peekable();
        loop {
            let next = match (stiffness.peek(), mass.peek()) {
                (None, None) => break,
                (Some(&(i, _)), None) | (None, Some(&(i, _))) => i,
                (Some(&(a, _)), Some(&(b, _))) => a.min(b),
            };
            let mut value = 0.0;
            if let Some((_, entry)) = stiffness.next_if(|&(i, _)| i == next) {
                value += entry;
            }
            if let Some((_, entry)) = mass.next_if(|&(i, _)| i == next) {
                value -= shift * entry;
            }
            rows.push(next);
            values.push(value);
        }
        offsets.push(rows.len());
    }
    CscMatrix::try_from_csc_data(n, n, offsets, rows, values).expect("invariant: merged columns are sorted")
}

/// Refuses what cannot have modes.
pub(crate) fn check(M: &dyn Operator) -> Result<(), EigenError> {
    let mass = M.diagonal();
    if let Some(row) = mass.iter().position(|&m| m < 0.0) {
        return Err(EigenError::NegativeMass { row });
    }
    if mass.iter().all(|&m| m == 0.0) {
        return Err(EigenError::NoMass);
    }
    Ok(())
}

/// A negative shift well below the lowest elastic eigenvalue of any sensible mesh and well above the
/// rounding error of K: a fixed fraction of the median of K_ii / M_ii over rows with mass. The median is
/// not led astray by a few stiff springs or tiny masses.
pub(crate) fn automatic_shift(K: &CscMatrix<f64>, M: &CscMatrix<f64>) -> f64 {
    let mut ratios: Vec<f64> = Symmetric::new(K)
        .diagonal()
        .into_iter()
        .zip(Symmetric::new(M).diagonal())
        .filter(|&(k, m)| k > 0.0 && m > 0.0)
        .map(|(k, m)| k / m)
        .collect();
    ratios.sort_by(f64::total_cmp);
    // Masses without any stiffness: every shift is as good, all eigenvalues are zero.
    let typical = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0 / SHIFT_FRACTION);
    -SHIFT_FRACTION * typical
}

/// The number of leading shapes that are motions without strain.
///
/// The strain energy φᵀKφ of such a motion beside the sum of its absolute terms is rounding error, below
/// 1e-14 or so, while elastic modes of slender meshes come down to 1e-12. No fixed limit separates the two
/// for every mesh, but rounding errors are followed by a gap and the spectrum of a slender mesh is not.
pub(crate) fn rigid_body_modes(K: &CscMatrix<f64>, Phi: MatRef<'_, f64>) -> usize {
    let relative_energy = |j: usize| {
        let x = Phi.col(j);
        let (mut energy, mut absolute) = (0.0_f64, 0.0_f64);
        for (i, k, &value) in K.triplet_iter() {
            let term = value * x[i] * x[k] * if i == k { 1.0 } else { 2.0 };
            energy += term;
            absolute += term.abs();
        }
        // Below this all is rounding error, and how far below says nothing.
        if absolute > 0.0 { (energy.abs() / absolute).max(1e-15) } else { 1e-15 }
    };
    let mut energies = Vec::new();
    for j in 0..Phi.ncols() {
        energies.push(relative_energy(j));
        if energies[j] > CLEARLY_ELASTIC {
            break;
        }
    }
    let gap = |count: usize| energies.get(count).copied().unwrap_or(CLEARLY_ELASTIC) / energies[count - 1];
    let possible = (1..=energies.len()).filter(|&count| energies[count - 1] <= 1e-12);
    let best = possible.max_by(|&a, &b| gap(a).total_cmp(&gap(b)));
    best.filter(|&count| gap(count) >= RIGID_GAP).unwrap_or(0)
}

/// Both triangles as a dense matrix.
pub(crate) fn dense(A: &CscMatrix<f64>) -> Mat<f64> {
    let mut D = Mat::zeros(A.nrows(), A.ncols());
    for (i, j, &value) in A.triplet_iter() {
        D[(i, j)] = value;
        D[(j, i)] = value;
    }
    D
}
