//! AUTOSPC: components without stiffness at their grid are fixed, and listed.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix3};
use nalgebra_sparse::CscMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

use super::Resolved;
use crate::dof::DofMap;

/// Nastran's EPZERO: a stiffness below this part of the largest at its grid is singular.
const EPZERO: f64 = 1e-8;
/// A complete 3×3 below this part of the largest of the model is rounding of zero.
const ROUNDING: f64 = 1e-14;

/// A direction whose coefficients on other axes are below this is one of the axes.
const ALONG_AN_AXIS: f64 = 1e-10;

/// What AUTOSPC holds.
#[derive(Default)]
pub(super) struct Held {
    /// The components that are no longer free, by node.
    pub(super) components: Vec<(NodeIndex, Components)>,
    /// For directions between the axes: the row that is no longer free, and what it follows, u_row = Σ
    /// coefficient · u_term.
    pub(super) following: Resolved,
}

/// Directions without stiffness after the multi-point constraints are applied (the n-set).
///
/// Translations and rotations of each grid are looked at as 3×3 blocks of K_nn. A direction v without
/// stiffness is held, v·u = 0, and the component nearest to it is no longer free. Holding that component
/// alone, as Nastran does, gives the same forces and the same motion across v, but moves along v where the
/// axes are skew: K does not see that, geometric stiffness and mass do, and the buckling load of a bar
/// without torsional stiffness would depend on its orientation.
pub(super) fn singular_directions(
    dofs: &DofMap,
    K: &CscMatrix<f64>,
    resolved: &Resolved,
    is_fixed: impl Fn(usize) -> bool,
) -> Held {
    let blocks = node_blocks(dofs, K, resolved);
    let mut largest = [0.0_f64; 2];
    for pair in &blocks {
        for (kind, block) in pair.iter().enumerate() {
            largest[kind] = largest[kind].max(block.diagonal().max());
        }
    }
    let mut held = Held::default();
    for (node, pair) in blocks.iter().enumerate() {
        let node = NodeIndex::from(node);
        let rows = dofs.rows_of(node);
        let mut singular = Components::NONE;
        for (kind, block) in pair.iter().enumerate() {
            let first = rows.start + 3 * kind;
            let open: Vec<usize> = (0..3)
                .filter(|i| {
                    let row = first + i;
                    row < rows.end && !is_fixed(row) && !resolved.contains_key(&row)
                })
                .collect();
            let scale = block.diagonal().max();
            for (i, terms) in singular_rows(block, &open, scale, ROUNDING * largest[kind]) {
                singular = singular.with(Component::from_row(3 * kind + i));
                if !terms.is_empty() {
                    let terms = terms.into_iter().map(|(j, value)| (first + j, value)).collect();
                    held.following.insert(first + i, terms);
                }
            }
        }
        if !singular.is_empty() {
            held.components.push((node, singular));
        }
    }
    held
}

/// Components that nothing acts on: no stiffness of their own, none that reaches them through a dependent
/// component, and no mass (`heavy`). Holding them changes nothing, so this is done even where AUTOSPC is off.
pub(super) fn null_components(
    dofs: &DofMap,
    K: &CscMatrix<f64>,
    resolved: &Resolved,
    heavy: &[bool],
    is_fixed: impl Fn(usize) -> bool,
) -> Vec<(NodeIndex, Components)> {
    let mut acts = vec![false; dofs.count()];
    heavy.iter().zip(&mut acts).for_each(|(heavy, acts)| *acts = *heavy);
    for (row, column, _) in K.triplet_iter().filter(|(_, _, value)| **value != 0.0) {
        acts[row] = true;
        acts[column] = true;
    }
    for (row, terms) in resolved {
        if acts[*row] {
            // Terms are not dependent themselves, so one pass is enough.
            terms.iter().for_each(|(term, _)| acts[*term] = true);
        }
    }
    let mut found: Vec<(NodeIndex, Components)> = Vec::new();
    for row in (0..acts.len()).filter(|row| !acts[*row] && !is_fixed(*row) && !resolved.contains_key(row)) {
        let (node, component) = dofs.node_and_component(row);
        match found.last_mut() {
            Some((last, components)) if *last == node => *components = components.with(component),
            _ => found.push((node, Components::one(component))),
        }
    }
    found
}

/// A component of a block that is no longer free, and the open ones that it follows.
type HeldRow = (usize, Vec<(usize, f64)>);

/// What holds the directions of a block without stiffness, among the open components.
fn singular_rows(block: &Matrix3<f64>, open: &[usize], scale: f64, rounding: f64) -> Vec<HeldRow> {
    if scale <= rounding {
        return open.iter().map(|i| (*i, Vec::new())).collect();
    }
    if open.is_empty() || (open.len() == 3 && is_stiff(block, EPZERO * scale)) {
        return Vec::new();
    }
    let sub = DMatrix::from_fn(open.len(), open.len(), |i, j| block[(open[i], open[j])]);
    let eigen = sub.symmetric_eigen();
    let soft: Vec<usize> = (0..open.len()).filter(|k| eigen.eigenvalues[*k] < EPZERO * scale).collect();
    let directions = DMatrix::from_fn(soft.len(), open.len(), |i, j| eigen.eigenvectors[(j, soft[i])]);
    let equations = reduced_echelon(directions);
    let held = |i: usize| equations.iter().any(|(pivot, _)| *pivot == i);
    equations
        .iter()
        .map(|(pivot, row)| {
            let others = (0..open.len()).filter(|j| !held(*j) && row[*j].abs() > ALONG_AN_AXIS);
            (open[*pivot], others.map(|j| (open[j], -row[j])).collect())
        })
        .collect()
}

/// The equations A u = 0, each solved for one component: its index, where the row has 1 and the other rows
/// have 0. The largest entry that is left is the next pivot.
fn reduced_echelon(mut A: DMatrix<f64>) -> Vec<(usize, Vec<f64>)> {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for _ in 0..A.nrows() {
        let left = (0..A.nrows()).filter(|i| pivots.iter().all(|(row, _)| row != i));
        let entries = left.flat_map(|i| (0..A.ncols()).map(move |j| (i, j)));
        let Some((i, j)) = entries.max_by(|a, b| A[*a].abs().total_cmp(&A[*b].abs())) else { break };
        let row = A.row(i) / A[(i, j)];
        for other in (0..A.nrows()).filter(|other| *other != i) {
            let factor = A[(other, j)];
            let changed = A.row(other) - &row * factor;
            A.set_row(other, &changed);
        }
        A.set_row(i, &row);
        pivots.push((i, j));
    }
    pivots.into_iter().map(|(i, j)| (j, A.row(i).iter().copied().collect())).collect()
}

/// Whether a bound says that no eigenvalue is below `limit`: λ₁ = det/(λ₂λ₃) ≥ det/(½ trace)² of a positive
/// definite block.
fn is_stiff(block: &Matrix3<f64>, limit: f64) -> bool {
    block.cholesky().is_some_and(|factor| factor.determinant() >= limit * (0.5 * block.trace()).powi(2))
}

/// The 3×3 diagonal blocks (translations, rotations) of K_nn at each node.
fn node_blocks(dofs: &DofMap, K: &CscMatrix<f64>, resolved: &Resolved) -> Vec<[Matrix3<f64>; 2]> {
    let mut blocks = vec![[Matrix3::zeros(); 2]; dofs.node_count()];
    let mut node_of = Vec::with_capacity(dofs.count());
    let mut dependent = vec![false; dofs.count()];
    for node in 0..dofs.node_count() {
        node_of.resize(dofs.rows_of(NodeIndex::from(node)).end, node as u32);
    }
    resolved.keys().for_each(|row| dependent[*row] = true);
    let mut add = |a: usize, b: usize, value: f64| {
        if node_of[a] != node_of[b] {
            return;
        }
        let first = dofs.rows_of(NodeIndex(node_of[a])).start;
        let (i, j) = (a - first, b - first);
        if i / 3 == j / 3 {
            blocks[node_of[a] as usize][i / 3][(i % 3, j % 3)] += value;
        }
    };
    for (column, entries) in K.col_iter().enumerate() {
        let own_column = [(column, 1.0)];
        let right = if dependent[column] { &resolved[&column][..] } else { &own_column[..] };
        for (row, value) in entries.row_indices().iter().zip(entries.values()) {
            let own_row = [(*row, 1.0)];
            let left = if dependent[*row] { &resolved[row][..] } else { &own_row[..] };
            for (a, t_a) in left {
                for (b, t_b) in right {
                    let term = t_a * value * t_b;
                    add(*a, *b, term);
                    if row != &column {
                        add(*b, *a, term);
                    }
                }
            }
        }
    }
    blocks
}

/// The list, as a note. Solids give their grids no rotations; that is reported in a word, not grid by grid.
pub(super) fn note(mesh: &LinkMesh, found: &[(NodeIndex, Components)]) -> Option<Diagnostic> {
    if found.is_empty() {
        return None;
    }
    let mut of_solid = vec![false; mesh.nodes.len()];
    for node in mesh.solid_nodes.iter().filter(|node| node.is_some()) {
        of_solid[node.index()] = true;
    }
    let (expected, rest): (Vec<_>, Vec<_>) = found.iter().copied().partition(|(node, components)| {
        of_solid[node.index()] && components.intersection(Components::TRANSLATIONS).is_empty()
    });
    let rotations =
        format!("AUTOSPC fixed the rotations of {} grids of solids, which have none", expected.len());
    if rest.is_empty() {
        return Some(Diagnostic::note(rotations));
    }
    let count: usize = rest.iter().map(|(_, c)| c.len()).sum();
    let mut by_components: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (node, components) in rest {
        by_components.entry(components.to_string()).or_default().push(mesh.node(node).id.0);
    }
    let list: Vec<String> = by_components
        .iter()
        .map(|(components, grids)| {
            let shown: Vec<String> = grids.iter().take(8).map(u32::to_string).collect();
            let more = if grids.len() > 8 { format!(" and {} more", grids.len() - 8) } else { String::new() };
            format!("{components} of GRID {}{more}", shown.join(" "))
        })
        .collect();
    let what = format!("{count} components without stiffness: {}", list.join("; "));
    let message = if expected.is_empty() {
        format!("AUTOSPC fixed {what}")
    } else {
        format!("{rotations}, and {what}")
    };
    Some(Diagnostic::note(message).hint(
        "PARAM,AUTOSPC,NO leaves them free; the answer is then singular unless they are held otherwise",
    ))
}
