//! The matrices of an imported link: DMIG of a deck, or an OP4 file with a map of its rows.

use std::collections::BTreeSet;
use std::path::Path;

use nalgebra::DMatrix;
use pliant_diag::{Diagnostic, Span};
use pliant_mesh::{Components, DirectMatrix, DirectMatrixForm, GridId, LinkMesh, NodeIndex};

use crate::import::{ImportedMatrices, MatrixRow, read_op4};
use crate::request::{ImportedSource, Matrices};

/// The stiffness and mass that are asked for.
///
/// # Errors
/// A matrix that is not there, an unreadable OP4 file, a row map that does not fit.
pub fn imported_matrices(
    mesh: &LinkMesh,
    source: &ImportedSource,
) -> Result<ImportedMatrices, Box<Diagnostic>> {
    let span = source.origin.0;
    match &source.matrices {
        Matrices::Op4 { file, rows } => from_op4(mesh, source, file, rows.as_deref(), span),
        // Standard input data has its matrices by itself.
        Matrices::Dmig | Matrices::Sid => from_dmig(mesh, source, span),
    }
}

fn problem(message: String, span: Option<Span>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(message).at(span))
}

fn from_dmig(
    mesh: &LinkMesh,
    source: &ImportedSource,
    span: Option<Span>,
) -> Result<ImportedMatrices, Box<Diagnostic>> {
    let find = |name: &str| {
        mesh.direct_matrices.iter().find(|m| m.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = mesh.direct_matrices.iter().map(|m| m.name.as_str()).collect();
            problem(format!("the deck has no DMIG {name}; it has {}", known.join(", ")), span)
        })
    };
    let (stiffness, mass) = (find(&source.stiffness)?, find(&source.mass)?);
    let ends = |matrix: &DirectMatrix| {
        let pairs = matrix.terms.iter().flat_map(|term| [term.column, term.row]);
        pairs.map(|(id, component)| MatrixRow { id, component: component.row() }).collect::<Vec<_>>()
    };
    let rows: BTreeSet<MatrixRow> = ends(stiffness).into_iter().chain(ends(mass)).collect();
    let rows: Vec<MatrixRow> = rows.into_iter().collect();
    let dense = |matrix: &DirectMatrix| {
        if matrix.form == DirectMatrixForm::Rectangular {
            return Err(problem(
                format!("DMIG {} is rectangular; a link needs a square matrix", matrix.name),
                span,
            ));
        }
        let row_of = |(id, component): (GridId, pliant_mesh::Component)| {
            let row = rows.binary_search(&MatrixRow { id, component: component.row() });
            row.expect("invariant: every row was collected")
        };
        let mut A = DMatrix::zeros(rows.len(), rows.len());
        for term in &matrix.terms {
            let (i, j) = (row_of(term.row), row_of(term.column));
            A[(i, j)] = term.value;
            if matrix.form == DirectMatrixForm::Symmetric {
                A[(j, i)] = term.value;
            }
        }
        Ok(A)
    };
    let (K, M) = (dense(stiffness)?, dense(mass)?);
    Ok(ImportedMatrices { rows, K, M })
}

fn from_op4(
    mesh: &LinkMesh,
    source: &ImportedSource,
    path: &Path,
    rows: Option<&[[u32; 2]]>,
    span: Option<Span>,
) -> Result<ImportedMatrices, Box<Diagnostic>> {
    let shown = path.display();
    let bytes = pliant_diag::read_input(path, pliant_diag::LARGEST_INPUT)
        .map_err(|error| problem(format!("cannot read {shown}: {error}"), span))?;
    let matrices = read_op4(&bytes).map_err(|error| problem(format!("{shown}: {error}"), span))?;
    let find = |name: &str| {
        matrices.iter().find(|m| m.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = matrices.iter().map(|m| m.name.as_str()).collect();
            problem(format!("{shown} has no matrix {name}; it has {}", known.join(", ")), span)
        })
    };
    let (K, M) = (find(&source.stiffness)?, find(&source.mass)?);
    let (whose, rows) = match rows {
        Some(map) => ("`rows`", listed_rows(map).map_err(|problem| Box::new(problem.at(span)))?),
        None if mesh.dof_sets.external.is_empty() => {
            let message =
                "`op4` needs `rows`, the order of its rows as [grid, component] pairs, or a deck with EXTRN";
            return Err(problem(message.to_owned(), span));
        }
        None => ("EXTRN", external_rows(mesh)),
    };
    let size = rows.len();
    if K.shape != (size, size) || M.shape != (size, size) {
        let message = format!(
            "{whose} lists {size} rows, but the matrices of {shown} are {:?} and {:?}",
            K.shape, M.shape
        );
        return Err(problem(message, span));
    }
    Ok(ImportedMatrices { rows, K: K.values(), M: M.values() })
}

/// Pairs of grid and component, 0 or 1 for a scalar point.
fn listed_rows(map: &[[u32; 2]]) -> Result<Vec<MatrixRow>, Box<Diagnostic>> {
    if let Some([id, component]) = map.iter().find(|[_, component]| *component > 6) {
        return Err(Diagnostic::boxed(format!(
            "`rows`: component {component} of {id}; components are 1 to 6"
        )));
    }
    let row = |[id, component]: &[u32; 2]| MatrixRow {
        id: GridId(*id),
        component: (*component as usize).saturating_sub(1),
    };
    Ok(map.iter().map(row).collect())
}

/// All components of one point after those of the other.
fn external_rows(mesh: &LinkMesh) -> Vec<MatrixRow> {
    let points = mesh.dof_sets.external.iter();
    let of_point = |(node, components): &(NodeIndex, Components)| {
        let id = mesh.node(*node).id;
        let rows: Vec<_> = components.iter().map(|c| MatrixRow { id, component: c.row() }).collect();
        rows
    };
    points.flat_map(of_point).collect()
}
