//! DMIG matrices that the case selects: K2GG, M2GG, B2GG and the loads P2G.
//!
//! ```text
//! K ← K + CK2 Σ fᵢKᵢ,   M ← M + CM2 Σ fᵢMᵢ,   D ← D + CB2 Σ fᵢDᵢ,   p of subcase j ← p + CP2 Σ fᵢPᵢ(:, j)
//! ```
//!
//! before any constraint is applied, in displacement frames. WTMASS does not act on M2GG (MSC Nastran Quick
//! Reference Guide, case control commands K2GG, M2GG, B2GG, P2G and parameters CK2, CM2, CB2, CP2).

use std::collections::BTreeMap;

use nalgebra_sparse::{CooMatrix, CscMatrix};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::{Component, DirectMatrix, DirectMatrixForm, GridId, LinkMesh, NodeIndex};

use super::System;
use crate::dof::DofMap;

/// Adds the selected matrices to the lower triangles of a system.
pub(super) fn add_direct_matrices(mesh: &LinkMesh, system: &mut System) -> Result<(), Diagnostics> {
    let direct = &mesh.case_control.direct;
    let selected = [
        ("K2GG", "CK2", &direct.stiffness, &mut system.K),
        ("M2GG", "CM2", &direct.mass, &mut system.M),
        ("B2GG", "CB2", &direct.damping, &mut system.D),
    ];
    for (command, parameter, terms, A) in selected {
        if terms.is_empty() {
            continue;
        }
        let scale = mesh.real_parameter(parameter).unwrap_or(1.0);
        let mut sum = CooMatrix::new(A.nrows(), A.ncols());
        for (factor, name) in terms {
            let matrix = find(mesh, command, name, DirectMatrixForm::Symmetric)?;
            for (row, column, value) in lower_terms(mesh, &system.dofs, matrix) {
                sum.push(row, column, scale * factor * value);
            }
        }
        *A = &*A + CscMatrix::from(&sum);
    }
    Ok(())
}

/// The load vector that P2G gives to the subcase with an index.
///
/// # Errors
/// A selected DMIG that is not there, or that does not consist of columns.
pub(crate) fn direct_loads(mesh: &LinkMesh, dofs: &DofMap, subcase: usize) -> Result<Vec<f64>, Diagnostics> {
    let mut f = vec![0.0; dofs.count()];
    let scale = mesh.real_parameter("CP2").unwrap_or(1.0);
    for (factor, name) in &mesh.case_control.direct.loads {
        let matrix = find(mesh, "P2G", name, DirectMatrixForm::Rectangular)?;
        for term in matrix.terms.iter().filter(|term| term.column.0.0 as usize == subcase + 1) {
            f[row(mesh, dofs, term.row)] += scale * factor * term.value;
        }
    }
    Ok(f)
}

/// K₂ u of the selected K2GG.
///
/// # Errors
/// A selected DMIG that is not there.
pub(crate) fn direct_stiffness_product(
    mesh: &LinkMesh,
    dofs: &DofMap,
    u: &[f64],
) -> Result<Vec<f64>, Diagnostics> {
    let mut f = vec![0.0; dofs.count()];
    let scale = mesh.real_parameter("CK2").unwrap_or(1.0);
    for (factor, name) in &mesh.case_control.direct.stiffness {
        let matrix = find(mesh, "K2GG", name, DirectMatrixForm::Symmetric)?;
        for (row, column, value) in lower_terms(mesh, dofs, matrix) {
            f[row] += scale * factor * value * u[column];
            if row != column {
                f[column] += scale * factor * value * u[row];
            }
        }
    }
    Ok(f)
}

/// Row and column by node and component, and the value.
pub(crate) type NodalTerm = ([(NodeIndex, Component); 2], f64);

/// All terms of M2GG, both triangles, scaled.
pub(crate) fn direct_mass_terms(mesh: &LinkMesh) -> Result<Vec<NodalTerm>, Diagnostics> {
    let mut all = Vec::new();
    let scale = mesh.real_parameter("CM2").unwrap_or(1.0);
    let at = |(id, component): (GridId, Component)| (node(mesh, id), component);
    for (factor, name) in &mesh.case_control.direct.mass {
        let matrix = find(mesh, "M2GG", name, DirectMatrixForm::Symmetric)?;
        for ((row, column), value) in symmetric_pairs(matrix) {
            let value = scale * factor * value;
            all.push(([at(row), at(column)], value));
            if row != column {
                all.push(([at(column), at(row)], value));
            }
        }
    }
    Ok(all)
}

fn find<'m>(
    mesh: &'m LinkMesh,
    command: &str,
    name: &str,
    form: DirectMatrixForm,
) -> Result<&'m DirectMatrix, Diagnostics> {
    let found = mesh.direct_matrices.iter().find(|matrix| matrix.name == name && matrix.form == form);
    found.ok_or_else(|| {
        let message =
            format!("{command} selects DMIG {name}, which the deck does not have in the form that is needed");
        Diagnostics::from_iter([Diagnostic::error(message).at(mesh.case_control.direct.source.0)])
    })
}

/// Grid and component.
type DirectRow = (GridId, Component);

/// Each pair of a symmetric matrix once. A pair may be given in either triangle; given twice, the last counts
/// once.
fn symmetric_pairs(matrix: &DirectMatrix) -> BTreeMap<(DirectRow, DirectRow), f64> {
    let ordered = |a: DirectRow, b: DirectRow| if a >= b { (a, b) } else { (b, a) };
    matrix.terms.iter().map(|term| (ordered(term.row, term.column), term.value)).collect()
}

/// Rows and columns of the lower triangle.
fn lower_terms(mesh: &LinkMesh, dofs: &DofMap, matrix: &DirectMatrix) -> Vec<(usize, usize, f64)> {
    let term = |((a, b), value): ((DirectRow, DirectRow), f64)| {
        let (i, j) = (row(mesh, dofs, a), row(mesh, dofs, b));
        (i.max(j), i.min(j), value)
    };
    symmetric_pairs(matrix).into_iter().map(term).collect()
}

fn node(mesh: &LinkMesh, id: GridId) -> NodeIndex {
    mesh.node_by_id(id).expect("invariant: the reader looked every grid of a DMIG up")
}

fn row(mesh: &LinkMesh, dofs: &DofMap, (id, component): DirectRow) -> usize {
    dofs.row(node(mesh, id), component).expect("invariant: the reader looked every component of a DMIG up")
}
