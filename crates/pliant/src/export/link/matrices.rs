//! Nastran's forms of a reduction: DMIG in bulk data, and OUTPUT4 with bulk data that says what its rows are.
//! Both are what a link with `imported` reads, and are read again that way.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_diag::Origin;
use pliant_mesh::{
    Component, Components, CoordIndex, DirectMatrix, DirectMatrixForm, DirectMatrixTerm, DofSets, GridId,
    LinkMesh, Node, NodeIndex, NodeKind,
};
use pliant_reduce::import::read_op4;
use pliant_reduce::request::{DeckSource, ImportedSource, Matrices};
use pliant_reduce::source::imported_matrices;

use super::{Support, Written};

/// Number of the first scalar point: interfaces have 1, 2, ….
const FIRST_POINT: u32 = 1001;

/// Grid and component of every row.
fn rows(support: &Support<'_>) -> Vec<(GridId, Component)> {
    let grids = (1..=support.origins.len() as u32).flat_map(|id| (0..6).map(move |c| (GridId(id), c)));
    let points = (0..support.modes() as u32).map(|k| (GridId(FIRST_POINT + k), 0));
    grids.chain(points).map(|(id, c)| (id, Component::from_row(c))).collect()
}

/// Grids at the interfaces, scalar points for the modes.
fn mesh(support: &Support<'_>) -> LinkMesh {
    let node = |id: u32, kind: NodeKind, position| Node {
        id: GridId(id),
        kind,
        position,
        displacement_frame: CoordIndex(0),
        permanent_spc: Components::NONE,
        source: Origin::default(),
    };
    let grids = support.origins.iter().zip(1..).map(|(p, id)| node(id, NodeKind::Grid, *p));
    let points = (0..support.modes() as u32)
        .map(|k| node(FIRST_POINT + k, NodeKind::Scalar, nalgebra::Vector3::zeros()));
    LinkMesh { nodes: grids.chain(points).collect(), ..LinkMesh::default() }
}

fn head(support: &Support<'_>) -> String {
    let names = support.link.interfaces.iter().zip(2..).map(|(i, id)| format!(", GRID {id} {}", i.name));
    format!(
        "$ Written by pliant: link {} in SI; GRID 1 inboard{}\n",
        support.link.name,
        names.collect::<String>()
    )
}

pub(super) fn write_dmig(support: &Support<'_>) -> Written {
    let rows = rows(support);
    let matrix = |name: &str, A: &DMatrix<f64>| {
        let lower = (0..rows.len()).flat_map(|j| (j..rows.len()).map(move |i| (i, j)));
        let term =
            |(i, j): (usize, usize)| DirectMatrixTerm { column: rows[j], row: rows[i], value: A[(i, j)] };
        DirectMatrix {
            name: name.to_owned(),
            form: DirectMatrixForm::Symmetric,
            columns: None,
            terms: lower.filter(|at| A[*at] != 0.0).map(term).collect(),
            source: Origin::default(),
        }
    };
    let mut mesh = mesh(support);
    mesh.direct_matrices = vec![matrix("KAAX", &support.K), matrix("MAAX", &support.M)];
    let text = head(support) + &pliant_bulk::write(&mesh);
    let compared = compared(support, &text, Matrices::Dmig, None);
    (vec![("dmig.bdf", text.into_bytes())], compared)
}

pub(super) fn write_op4(support: &Support<'_>) -> Written {
    let mut mesh = mesh(support);
    let nodes = (0..mesh.nodes.len()).map(|k| {
        let components =
            if mesh.nodes[k].kind == NodeKind::Grid { Components::ALL } else { Components::NONE };
        (NodeIndex::from(k), components)
    });
    let external = nodes.map(|(node, components)| {
        let scalar = Components::from_iter([Component::from_row(0)]);
        (node, if components == Components::NONE { scalar } else { components })
    });
    mesh.dof_sets = DofSets { external: external.collect(), ..DofSets::default() };
    let text = head(support) + &pliant_bulk::write(&mesh);
    let mut binary = Vec::new();
    matrix(&mut binary, "PLIANT", &DMatrix::from_element(1, 1, 1.0));
    for (name, A) in [("KAAX", &support.K), ("MAAX", &support.M), ("BAAX", &support.D)] {
        matrix(&mut binary, name, A);
    }
    let compared = compared(support, &text, Matrices::Dmig, Some(&binary));
    (vec![("op4", binary), ("op4.bdf", text.into_bytes())], compared)
}

/// A square matrix as little-endian records, double precision, every column dense.
fn matrix(out: &mut Vec<u8>, name: &str, A: &DMatrix<f64>) {
    let mut record = |words: &[i32], rest: &[u8]| {
        let length = (4 * words.len() + rest.len()) as i32;
        out.extend(length.to_le_bytes());
        words.iter().for_each(|word| out.extend(word.to_le_bytes()));
        out.extend(rest);
        out.extend(length.to_le_bytes());
    };
    let size = A.nrows() as i32;
    let name = format!("{name:<8}");
    // Symmetric, double precision.
    record(&[size, size, 6, 2], name.as_bytes());
    for (j, column) in A.column_iter().enumerate() {
        let values: Vec<u8> = column.iter().flat_map(|x| x.to_le_bytes()).collect();
        record(&[j as i32 + 1, 1, 2 * size], &values);
    }
    record(&[size + 1, 1, 2], &1f64.to_le_bytes());
}

/// What an import makes of the files.
fn compared(
    support: &Support<'_>,
    deck: &str,
    matrices: Matrices,
    op4: Option<&[u8]>,
) -> Result<f64, String> {
    let mut none = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let cards = read_cards_from("link.bdf", deck.as_bytes().to_vec(), &mut none);
    let read = deck_from_cards(cards, &Options::default());
    if let Some(problem) = read.diagnostics.iter().find(|d| d.severity == pliant_diag::Severity::Error) {
        return Err(problem.message.clone());
    }
    let order: BTreeMap<_, _> = rows(support).into_iter().enumerate().map(|(k, row)| (row, k)).collect();
    let source = ImportedSource {
        origin: Origin::default(),
        deck: DeckSource::default(),
        stiffness: "KAAX".to_owned(),
        mass: "MAAX".to_owned(),
        matrices,
    };
    let (K, M) = match op4 {
        Some(bytes) => {
            let found = read_op4(bytes).map_err(|error| error.to_string())?;
            let find = |name: &str| {
                let matrix = found.iter().find(|matrix| matrix.name == name);
                matrix.map(|matrix| matrix.values()).ok_or_else(|| format!("matrix {name} is missing"))
            };
            let external: usize =
                read.output.mesh.dof_sets.external.iter().map(|(_, c)| c.iter().count()).sum();
            if external != order.len() {
                return Err(format!("EXTRN names {external} rows, the matrices have {}", order.len()));
            }
            (find("KAAX")?, find("MAAX")?)
        }
        None => {
            let found = imported_matrices(&read.output.mesh, &source).map_err(|problem| problem.message)?;
            let at: Option<Vec<usize>> = found
                .rows
                .iter()
                .map(|row| order.get(&(row.id, Component::from_row(row.component))).copied())
                .collect();
            let at = at.ok_or("a row is not one of the link")?;
            let placed = |A: &DMatrix<f64>| {
                let mut all = DMatrix::zeros(order.len(), order.len());
                for i in 0..at.len() {
                    (0..at.len()).for_each(|j| all[(at[i], at[j])] = A[(i, j)]);
                }
                all
            };
            (placed(&found.K), placed(&found.M))
        }
    };
    support.difference(&K, &M)
}
