//! Dependent components: from MPC cards and rigid elements to combinations of independent ones.

use std::collections::{BTreeMap, BTreeSet};

use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::{LinkMesh, RigidKind, SetId};

use super::{ConstraintOptions, Resolved, rbe3, rigid_body};
use crate::dof::DofMap;

/// u_row = Σ coefficient · u_term, with the card that says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The dependent row.
    pub row: usize,
    /// The rows it follows, with their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The card, such as `RBE2 12`.
    pub card: String,
    /// Where it is.
    pub source: Origin,
}

/// Every dependency of the rigid elements and of the selected MPC set, one equation per dependent component.
/// What is wrong goes to `diagnostics`.
pub fn dependencies(
    mesh: &LinkMesh,
    dofs: &DofMap,
    options: &ConstraintOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Dependency> {
    let mut equations = multi_point(mesh, dofs, options, diagnostics);
    for rigid in &mesh.rigids {
        let name = match rigid.kind {
            RigidKind::Rbe1 { .. } => "RBE1",
            RigidKind::Rbe2 { .. } => "RBE2",
            RigidKind::Rbe3 { .. } => "RBE3",
            RigidKind::Rbar { .. } => "RBAR",
            RigidKind::Rrod { .. } => "RROD",
        };
        let card = format!("{name} {}", rigid.id);
        let found = match &rigid.kind {
            RigidKind::Rbe2 { independent, components, dependents } => {
                rigid_body::rbe2(mesh, dofs, *independent, *components, dependents)
            }
            RigidKind::Rbe1 { independents, dependents } => {
                rigid_body::rbe1(mesh, dofs, independents, dependents)
            }
            RigidKind::Rbar { nodes, independents, dependents } => {
                rigid_body::rbar(mesh, dofs, *nodes, *independents, *dependents)
            }
            RigidKind::Rrod { nodes, dependents } => rigid_body::rrod(mesh, dofs, *nodes, *dependents),
            RigidKind::Rbe3 { reference, components, groups, dependents } => {
                rbe3::rbe3(mesh, dofs, *reference, *components, groups, dependents)
            }
        };
        match found {
            Ok(rows) => equations.extend(rows.into_iter().map(|(row, terms)| Dependency {
                row,
                terms,
                card: card.clone(),
                source: rigid.source,
            })),
            Err(problem) => diagnostics.push(problem.card(card).at(rigid.source.0)),
        }
    }
    each_once(mesh, dofs, equations, diagnostics)
}

/// A row with its terms.
pub(super) type Row = (usize, Vec<(usize, f64)>);

fn multi_point(
    mesh: &LinkMesh,
    dofs: &DofMap,
    options: &ConstraintOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Dependency> {
    let Some(set) = options.mpc else { return Vec::new() };
    let members: BTreeSet<SetId> = mesh
        .mpc_combinations
        .iter()
        .filter(|c| c.set == set)
        .flat_map(|c| c.members.iter().copied())
        .chain([set])
        .collect();
    let mut equations = Vec::new();
    for mpc in mesh.mpcs.iter().filter(|m| members.contains(&m.set)) {
        let card = format!("MPC of set {}", mpc.set);
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        let mut rows = mpc.terms.iter().filter_map(|term| {
            let row = dofs.row(term.node, term.component)?;
            *sums.entry(row).or_default() += term.coefficient;
            Some(row)
        });
        let first = rows.next();
        rows.for_each(drop);
        let leading = first.and_then(|row| sums.remove(&row).map(|leading| (row, leading)));
        match leading {
            Some((row, leading)) if leading != 0.0 => equations.push(Dependency {
                row,
                terms: sums
                    .into_iter()
                    .filter(|(_, value)| *value != 0.0)
                    .map(|(row, value)| (row, -value / leading))
                    .collect(),
                card,
                source: mpc.source,
            }),
            _ => diagnostics.push(
                Diagnostic::error("the coefficient of the first (dependent) term is zero")
                    .card(card)
                    .at(mpc.source.0),
            ),
        }
    }
    if equations.is_empty()
        && !diagnostics.has_errors()
        && !mesh.mpc_combinations.iter().any(|c| c.set == set)
    {
        let message = format!("MPC = {set} selects no MPC or MPCADD card, so it has no effect");
        diagnostics.push(Diagnostic::warning(message).at(options.source.0));
    }
    equations
}

/// The equations with each dependent component once. A component that two cards tie to the same grids in the
/// same way (two spiders of a preprocessor that share grids and a centre) is said twice and counted once,
/// with a warning; any other is an error.
fn each_once(
    mesh: &LinkMesh,
    dofs: &DofMap,
    equations: Vec<Dependency>,
    diagnostics: &mut Diagnostics,
) -> Vec<Dependency> {
    let mut by_row: BTreeMap<usize, usize> = BTreeMap::new();
    let mut kept: Vec<Dependency> = Vec::with_capacity(equations.len());
    let mut repeated: BTreeMap<[String; 2], (Origin, Origin, BTreeSet<u32>)> = BTreeMap::new();
    for equation in equations {
        let Some(&index) = by_row.get(&equation.row) else {
            by_row.insert(equation.row, kept.len());
            kept.push(equation);
            continue;
        };
        let first = &kept[index];
        if says_the_same(first, &equation) {
            let grid = mesh.node(dofs.node_and_component(equation.row).0).id.0;
            let sources = || (equation.source, first.source, BTreeSet::new());
            repeated.entry([equation.card, first.card.clone()]).or_insert_with(sources).2.insert(grid);
        } else {
            diagnostics.push(twice(dofs, first, &equation));
        }
    }
    for ([card, first], (source, first_source, grids)) in repeated {
        let grids: Vec<String> = grids.iter().map(u32::to_string).collect();
        let message =
            format!("{first} moves grids {} in the same way; they are counted once", grids.join(" "));
        let mut warning = Diagnostic::warning(message).card(card).at(source.0);
        if let Some(span) = first_source.0 {
            warning = warning.related(span, format!("{first} gives it first"));
        }
        diagnostics.push(warning);
    }
    kept
}

/// The same terms, to the rounding of eight-column fields.
fn says_the_same(a: &Dependency, b: &Dependency) -> bool {
    let size = a.terms.iter().fold(0.0_f64, |size, (_, value)| size.max(value.abs()));
    let missing = |from: &Dependency, to: &Dependency| {
        from.terms.iter().any(|(row, value)| {
            let other = to.terms.iter().find(|(other, _)| other == row).map_or(0.0, |(_, value)| *value);
            (other - value).abs() > 1e-9 * size
        })
    };
    !missing(a, b) && !missing(b, a)
}

/// A component made dependent in two ways.
fn twice(dofs: &DofMap, first: &Dependency, second: &Dependency) -> Diagnostic {
    let message = format!("{} is already dependent by {}", dofs.name(second.row), first.card);
    let problem = Diagnostic::error(message).card(second.card.clone()).at(second.source.0).hint(
        "let one of the two cards leave this component out, or exchange its dependent and independent grids",
    );
    match first.source.0 {
        Some(span) => problem.related(span, format!("{} makes it dependent first", first.card)),
        None => problem,
    }
}

/// Substitutes chains until every term is independent. A cycle is an error that names its cards.
pub(super) fn resolve(dofs: &DofMap, equations: Vec<Dependency>, diagnostics: &mut Diagnostics) -> Resolved {
    let by_row: BTreeMap<usize, Dependency> = equations.into_iter().map(|e| (e.row, e)).collect();
    let mut resolved = Resolved::new();
    let mut in_cycle = BTreeSet::new();
    for start in by_row.keys() {
        // Depth first, with an explicit stack: (row, terms that have been looked at).
        let mut path: Vec<(usize, usize)> = vec![(*start, 0)];
        while let Some((row, next)) = path.pop() {
            if resolved.contains_key(&row) || in_cycle.contains(&row) {
                continue;
            }
            let equation = &by_row[&row];
            let open = (next..equation.terms.len()).find(|k| {
                let term = equation.terms[*k].0;
                by_row.contains_key(&term) && !resolved.contains_key(&term)
            });
            let Some(open) = open else {
                resolved.insert(row, substitute(equation, &resolved));
                continue;
            };
            let term = equation.terms[open].0;
            path.push((row, open));
            if in_cycle.contains(&term) || path.iter().any(|(seen, _)| *seen == term) {
                report_cycle(dofs, &by_row, &path, term, diagnostics);
                in_cycle.extend(path.drain(..).map(|(row, _)| row));
            } else {
                path.push((term, 0));
            }
        }
    }
    resolved
}

fn substitute(equation: &Dependency, resolved: &Resolved) -> Vec<(usize, f64)> {
    if equation.terms.iter().all(|(term, _)| !resolved.contains_key(term)) {
        return equation.terms.clone();
    }
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (term, coefficient) in &equation.terms {
        match resolved.get(term) {
            Some(terms) => {
                for (deeper, factor) in terms {
                    *sums.entry(*deeper).or_default() += coefficient * factor;
                }
            }
            None => *sums.entry(*term).or_default() += coefficient,
        }
    }
    sums.into_iter().filter(|(_, value)| *value != 0.0).collect()
}

fn report_cycle(
    dofs: &DofMap,
    by_row: &BTreeMap<usize, Dependency>,
    path: &[(usize, usize)],
    back: usize,
    diagnostics: &mut Diagnostics,
) {
    let Some(begin) = path.iter().position(|(row, _)| *row == back) else { return };
    let cycle = &path[begin..];
    let first = &by_row[&cycle[0].0];
    let names: Vec<String> =
        cycle.iter().map(|(row, _)| format!("{} ({})", dofs.name(*row), by_row[row].card)).collect();
    let mut problem = Diagnostic::error(format!("dependent components form a cycle: {}", names.join(" → ")))
        .card(first.card.clone())
        .at(first.source.0)
        .hint("a component cannot depend on itself; make another component of the cycle independent");
    for (row, _) in &cycle[1..] {
        if let Some(span) = by_row[row].source.0 {
            problem = problem.related(span, format!("{} is part of the cycle", by_row[row].card));
        }
    }
    diagnostics.push(problem);
}
