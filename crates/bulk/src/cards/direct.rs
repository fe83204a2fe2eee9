//! DMIG.

use std::collections::{HashMap, HashSet};

use pliant_diag::Severity;
use pliant_mesh::{Component, DirectMatrix, DirectMatrixForm, DirectMatrixTerm, GridId};

use super::{CardType, rest};
use crate::resolve::Builder;
use crate::typed::Reader;

pub(super) const CARDS: &[CardType] = &[rest("DMIG", dmig)];

/// Rows of the matrices in the mesh by name, and those that are complex and left out.
#[derive(Debug, Default)]
pub(crate) struct DirectHeaders {
    rows: HashMap<String, usize>,
    refused: HashSet<String>,
    complex: HashSet<String>,
}

impl DirectHeaders {
    /// True for a matrix that was left out because it is complex.
    pub(crate) fn is_complex(&self, name: &str) -> bool {
        self.complex.contains(name)
    }

    /// True for a matrix whose header is bad, or that was left out.
    pub(crate) fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(name)
    }
}

/// ```text
/// | DMIG | NAME | 0  | IFO | TIN | TOUT | POLAR |    | NCOL |      the header
/// | DMIG | NAME | GJ | CJ  |     | G1   | C1    | A1 | B1   |      a column
/// |      | G2   | C2 | A2  | B2  | G3   | …                  |
/// ```
/// Real matrices only (TIN = 1 or 2): a complex one cannot be in the undamped link.
fn dmig(r: &mut Reader<'_>, b: &mut Builder) -> Option<()> {
    let name = r.word(0, "NAME")?;
    if r.fields().get(1).text == b"0" {
        let good = header(r, b, name.clone());
        if good.is_none() {
            // Its columns say nothing more.
            b.direct_headers.refused.insert(name);
        }
        return good;
    }
    if b.direct_headers.refused.contains(&name) {
        return Some(());
    }
    let Some(row) = b.direct_headers.rows.get(&name).copied() else {
        let problem = r
            .problem(Severity::Error, 0, "NAME", format!("matrix {name} has no header before this column"))
            .hint("its first card has 0 in field 3 and gives the form of the matrix");
        r.report(problem);
        return None;
    };
    let rectangular = b.mesh.direct_matrices[row].form == DirectMatrixForm::Rectangular;
    let column = row_index(r, b, 1, ["GJ", "CJ"], rectangular);
    let mut terms = Vec::new();
    let mut good = true;
    let groups = std::iter::once(4).chain((8..r.len()).step_by(4));
    for slot in groups {
        if (slot..slot + 4).all(|slot| r.is_blank(slot)) {
            continue;
        }
        let at = row_index(r, b, slot, ["G", "C"], false);
        let value = r.real(slot + 2, "A");
        match (column, at, value) {
            (Some(column), Some(row), Some(value)) => terms.push(DirectMatrixTerm { column, row, value }),
            _ => good = false,
        }
    }
    if good {
        b.mesh.direct_matrices[row].terms.extend(terms);
    }
    good.then_some(())
}

fn header(r: &mut Reader<'_>, b: &mut Builder, name: String) -> Option<()> {
    let form = r.integer(2, "IFO");
    let kind = r.integer(3, "TIN");
    let columns = r.optional_id(7, "NCOL");
    let form = match form? {
        1 => DirectMatrixForm::Square,
        2 | 9 => DirectMatrixForm::Rectangular,
        6 => DirectMatrixForm::Symmetric,
        other => {
            r.error(2, "IFO", format!("{other} is not a form; use 1, 2, 6 or 9"));
            return None;
        }
    };
    if matches!(kind?, 3 | 4) {
        r.warning(3, "TIN", format!("matrix {name} is complex and is left out"));
        b.direct_headers.complex.insert(name.clone());
        b.direct_headers.refused.insert(name);
        return Some(());
    }
    if b.direct_headers.rows.contains_key(&name) {
        r.error(0, "NAME", format!("matrix {name} has two headers"));
        return None;
    }
    let columns = columns?;
    b.direct_headers.rows.insert(name.clone(), b.mesh.direct_matrices.len());
    b.mesh.direct_matrices.push(DirectMatrix {
        name,
        form,
        columns,
        terms: Vec::new(),
        source: r.span().into(),
    });
    Some(())
}

/// Grid and component; the column of a rectangular matrix is a plain number.
fn row_index(
    r: &mut Reader<'_>,
    b: &Builder,
    slot: usize,
    names: [&str; 2],
    plain: bool,
) -> Option<(GridId, Component)> {
    if plain {
        return Some((GridId(r.id(slot, names[0])?), Component::from_row(0)));
    }
    let node = b.node(r, slot, names[0])?;
    let component = b.component_of(r, slot + 1, names[1], node)?;
    Some((b.mesh.nodes[node.index()].id, component))
}
