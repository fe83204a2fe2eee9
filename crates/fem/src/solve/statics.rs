//! Linear statics: K u = f for every subcase.

use faer::Mat;
use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::{Components, LinkMesh, NodeIndex, Subcase, SubcaseCombination};
use pliant_sparse::{Factor, FactorParams, Ordering, OrderingMethod, Symbolic};

use super::singular::Failed;
use super::{Equilibrium, groups};
use crate::assembly::{AssemblyOptions, System, assemble, symmetric_product, transformed};
use crate::constraint::{ConstraintOptions, Constraints, DofState, constrain};
use crate::dof::DofMap;
use crate::element::beam_warnings;
use crate::load::{LoadCase, load_case};

/// Nastran calls a solution doubtful above this ε.
const DOUBTFUL: f64 = 1e-3;

/// A force on an AUTOSPC component above this part of the largest of its kind is more than rounding.
const LOADED: f64 = 1e-6;

/// Answers of all subcases.
#[derive(Clone, Debug)]
pub struct Statics {
    /// Numbering of the vectors below.
    pub dofs: DofMap,
    /// In the order of the deck.
    pub subcases: Vec<StaticSubcase>,
}

/// Answer of a subcase. Vectors hold every component in the displacement frames.
#[derive(Clone, Debug)]
pub struct StaticSubcase {
    /// Number.
    pub id: u32,
    /// Label.
    pub label: String,
    /// Displacements.
    pub u: Vec<f64>,
    /// Applied loads.
    pub applied: Vec<f64>,
    /// Forces of the single-point constraints.
    pub spc_forces: Vec<f64>,
    /// Forces of MPC and rigid elements.
    pub mpc_forces: Vec<f64>,
    /// Components that AUTOSPC fixed.
    pub autospc: Vec<(NodeIndex, Components)>,
    /// Resultants and balance.
    pub equilibrium: Equilibrium,
    /// ε = u_fᵀ(K_ff u_f − f_f) / u_fᵀf_f: the work of what is left over.
    pub epsilon: f64,
    /// ½uᵀKu.
    pub strain_energy: f64,
}

/// Linear statics of a deck: one factorisation per distinct pair of SPC and MPC sets, then u = T u_f + T_s
/// u_s with
///
/// ```text
/// TᵀKT u_f = Tᵀ(f − K T_s u_s),     reactions q_s = T_sᵀ(K u − f).
/// ```
///
/// # Errors
/// Everything that is wrong with elements, constraints or loads; a singular stiffness with grid, component
/// and cause.
pub fn statics(mesh: &LinkMesh) -> Result<Warned<Statics>, Diagnostics> {
    let system = assemble(mesh, AssemblyOptions::of_deck(mesh))?;
    let mut diagnostics: Diagnostics = beam_warnings(mesh).into_iter().collect();
    if mesh.case_control.subcases.is_empty() {
        diagnostics.push(
            Diagnostic::error("the deck has no case control, so no load is selected")
                .hint("add LOAD = sid and SPC = sid above BEGIN BULK"),
        );
        return Err(diagnostics);
    }
    let unavailable = unavailable(mesh);
    if unavailable.has_errors() {
        return Err(unavailable);
    }
    let first = &mesh.case_control.subcases[0];
    if let Some(other) = mesh.case_control.subcases.iter().find(|s| s.nsm != first.nsm) {
        diagnostics.push(
            Diagnostic::error(format!(
                "subcases {} and {} select different NSM sets; one run has one mass",
                first.id, other.id
            ))
            .at(other.source.0)
            .hint("run the subcases from separate decks"),
        );
        return Err(diagnostics);
    }
    let mut answers: Vec<Option<StaticSubcase>> = vec![None; mesh.case_control.subcases.len()];
    let mut failures = Diagnostics::new();
    for members in same_constraints(&mesh.case_control.subcases) {
        let first = &mesh.case_control.subcases[members[0]];
        match solve_group(mesh, &system, first, &members, &mut diagnostics) {
            Ok(found) => {
                for (index, answer) in members.iter().zip(found) {
                    answers[*index] = Some(answer);
                }
            }
            Err(problems) => failures.extend(problems),
        }
    }
    if failures.has_errors() {
        diagnostics.extend(failures);
        return Err(diagnostics);
    }
    let mut subcases: Vec<StaticSubcase> = answers.into_iter().flatten().collect();
    for combination in &mesh.case_control.combinations {
        let sum = combine(mesh, &system, combination, &subcases);
        subcases.push(sum);
    }
    Ok(Warned { output: Statics { dofs: system.dofs, subcases }, diagnostics })
}

/// What a deck asks of statics that is not available: inertia relief, and supports (SUPORT), which Nastran
/// holds or releases by it.
fn unavailable(mesh: &LinkMesh) -> Diagnostics {
    let mut problems = Diagnostics::new();
    let inertia_relief = mesh.integer_parameter("INREL").is_some_and(|value| value != 0);
    if inertia_relief && let Some(parameter) = mesh.parameters.get("INREL") {
        let message = "inertia relief (INREL) is not supported: loads would not be balanced by inertia";
        let problem = Diagnostic::error(message).at(parameter.source.0).card("PARAM");
        problems.push(
            problem
                .hint("hold the structure with an SPC set, and apply the inertia as ACCEL1, GRAV or RFORCE"),
        );
    } else if let Some((node, components)) = mesh.dof_sets.support.first() {
        let node = &mesh.nodes[node.index()];
        let message = format!(
            "SUPORT of GRID {}, components {components}, is not supported in statics: Nastran holds it, or frees it by inertia relief",
            node.id
        );
        let problem = Diagnostic::error(message).at(node.source.0);
        problems.push(problem.hint("write it as SPC1 to hold it, or remove it"));
    }
    problems
}

/// SUBCOM: the sum of answers, Σ fᵢuᵢ. Every vector of the answer is linear in the loads; the energy is that
/// of the sum.
fn combine(
    mesh: &LinkMesh,
    system: &System,
    combination: &SubcaseCombination,
    answers: &[StaticSubcase],
) -> StaticSubcase {
    let n = system.dofs.count();
    let [mut u, mut applied, mut spc_forces, mut mpc_forces] = std::array::from_fn(|_| vec![0.0; n]);
    let mut autospc: Vec<(NodeIndex, Components)> = Vec::new();
    let mut epsilon = 0.0_f64;
    for (id, factor) in &combination.terms {
        let Some(term) = answers.iter().find(|answer| answer.id == *id) else { continue };
        let sums = [
            (&mut u, &term.u),
            (&mut applied, &term.applied),
            (&mut spc_forces, &term.spc_forces),
            (&mut mpc_forces, &term.mpc_forces),
        ];
        for (sum, values) in sums {
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
        }
        let more: Vec<_> = term.autospc.iter().filter(|fixed| !autospc.contains(fixed)).copied().collect();
        autospc.extend(more);
        epsilon = if term.epsilon.abs() > epsilon.abs() { term.epsilon } else { epsilon };
    }
    let internal = symmetric_product(&system.K, &u);
    StaticSubcase {
        id: combination.id,
        label: combination.label.clone(),
        equilibrium: Equilibrium::new(mesh, &system.dofs, &applied, &spc_forces),
        strain_energy: 0.5 * u.iter().zip(&internal).map(|(u, k)| u * k).sum::<f64>(),
        epsilon,
        u,
        applied,
        spc_forces,
        mpc_forces,
        autospc,
    }
}

/// Subcases by their pair of SPC and MPC sets, in order of appearance.
fn same_constraints(subcases: &[Subcase]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (index, subcase) in subcases.iter().enumerate() {
        let same = |members: &Vec<usize>| {
            let first = &subcases[members[0]];
            first.spc == subcase.spc && first.mpc == subcase.mpc
        };
        match found.iter_mut().find(|members| same(members)) {
            Some(members) => members.push(index),
            None => found.push(vec![index]),
        }
    }
    found
}

fn solve_group(
    mesh: &LinkMesh,
    system: &System,
    first: &Subcase,
    members: &[usize],
    diagnostics: &mut Diagnostics,
) -> Result<Vec<StaticSubcase>, Diagnostics> {
    let constrained = constrain(mesh, &system.dofs, &system.K, &ConstraintOptions::of_subcase(first))?;
    let constraints = constrained.output;
    diagnostics.extend(constrained.diagnostics);
    let mut problems = Diagnostics::new();
    let mut cases = Vec::new();
    for index in members {
        let subcase = &mesh.case_control.subcases[*index];
        match load_case(mesh, system.masses(), subcase)
            .and_then(|case| enforce(system, &constraints, subcase, case))
        {
            Ok(case) => cases.push((subcase, case)),
            Err(more) => problems.extend(more),
        }
    }
    if problems.has_errors() {
        return Err(problems);
    }
    let K_ff = transformed(&system.K, &constraints.T);
    let n = K_ff.ncols();
    let mut B = Mat::zeros(n, cases.len());
    for (j, (_, case)) in cases.iter().enumerate() {
        let held = constraints.expand(&vec![0.0; n], &case.u_s);
        let internal = symmetric_product(&system.K, &held);
        let load: Vec<f64> = case.f.iter().zip(internal).map(|(f, k)| f - k).collect();
        B.col_mut(j).iter_mut().zip(constraints.reduce(&load)).for_each(|(b, f)| *b = f);
    }
    let X = solve(mesh, system, &constraints, &K_ff, &B)?;
    Ok(cases
        .iter()
        .enumerate()
        .map(|(j, (subcase, case))| {
            let u_f: Vec<f64> = X.col(j).iter().copied().collect();
            let f_f: Vec<f64> = B.col(j).iter().copied().collect();
            let answer = recover(mesh, system, &constraints, subcase, case, &u_f, &f_f, &K_ff);
            if answer.epsilon.abs() > DOUBTFUL {
                diagnostics.push(Diagnostic::warning(format!(
                    "subcase {}: epsilon is {:.1e}: the stiffness is so badly conditioned that the answer is doubtful",
                    subcase.id, answer.epsilon
                )));
            }
            diagnostics.extend(loaded_autospc(&system.dofs, &answer));
            if answer.applied.iter().chain(&answer.u).all(|x| *x == 0.0) {
                let message = format!("subcase {}: no load acts, so that the answer is zero", subcase.id);
                let hint = "LOAD = sid selects a set of loads";
                diagnostics.push(Diagnostic::warning(message).at(subcase.source.0).hint(hint));
            }
            answer
        })
        .collect())
}

/// Loads that end in components which AUTOSPC fixed: the structure does not carry them.
fn loaded_autospc(dofs: &DofMap, answer: &StaticSubcase) -> Option<Diagnostic> {
    let largest = |kind: usize| {
        let of_kind = |vector: &[f64]| {
            let rows = vector
                .iter()
                .enumerate()
                .filter(|(row, _)| dofs.node_and_component(*row).1.row() / 3 == kind);
            rows.map(|(_, f)| f.abs()).fold(0.0, f64::max)
        };
        of_kind(&answer.applied).max(of_kind(&answer.spc_forces))
    };
    let limits = [LOADED * largest(0), LOADED * largest(1)];
    let mut loaded = Vec::new();
    for (node, components) in &answer.autospc {
        for component in components.iter() {
            let row = dofs.row(*node, component).expect("invariant: AUTOSPC fixes what exists");
            if answer.spc_forces[row].abs() > limits[component.row() / 3] {
                loaded.push((row, answer.spc_forces[row]));
            }
        }
    }
    let (worst, force) = *loaded.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    Some(
        Diagnostic::warning(format!(
            "subcase {}: {} loads end in components that AUTOSPC fixed, the largest ({force:.4e}) at {}",
            answer.id,
            loaded.len(),
            dofs.name(worst)
        ))
        .hint("nothing in the structure carries them; give these components stiffness, or hold them with an SPC on purpose"),
    )
}

/// Loads with the values of every fixed component.
struct HeldCase {
    f: Vec<f64>,
    u_s: Vec<f64>,
}

/// Puts SPCD values where SPC cards hold the component.
fn enforce(
    system: &System,
    constraints: &Constraints,
    subcase: &Subcase,
    case: LoadCase,
) -> Result<HeldCase, Diagnostics> {
    let mut u_s = constraints.enforced.clone();
    let mut problems = Diagnostics::new();
    for (row, value) in case.enforced {
        match constraints.states[row] {
            DofState::Fixed(column) => u_s[column as usize] = value,
            _ => problems.push(
                Diagnostic::error(format!(
                    "SPCD of subcase {} enforces {}, which no SPC of the subcase holds",
                    subcase.id,
                    system.dofs.name(row)
                ))
                .at(subcase.source.0)
                .hint("an SPCD only changes the value of a component that an SPC or SPC1 card fixes"),
            ),
        }
    }
    if problems.is_empty() { Ok(HeldCase { f: case.f, u_s }) } else { Err(problems) }
}

fn solve(
    mesh: &LinkMesh,
    system: &System,
    constraints: &Constraints,
    K_ff: &CscMatrix<f64>,
    B: &Mat<f64>,
) -> Result<Mat<f64>, Diagnostics> {
    let mut X = B.clone();
    if K_ff.ncols() == 0 {
        return Ok(X);
    }
    let ordering = Ordering::new(K_ff, Some(&groups(&system.dofs, constraints)), OrderingMethod::Auto);
    let symbolic = std::sync::Arc::new(Symbolic::new(K_ff, &ordering));
    let factor = Factor::new(K_ff, symbolic, &FactorParams::default()).map_err(|error| {
        let failed = Failed { mesh, system, constraints, A: K_ff, rows: &constraints.free, with_mass: false };
        [failed.explain(&error)].into_iter().collect::<Diagnostics>()
    })?;
    factor.solve_in_place(X.as_mut());
    // One step of refinement: slender structures lose digits in the factor, not in the residual.
    let mut R = B.clone();
    for j in 0..B.ncols() {
        let x: Vec<f64> = X.col(j).iter().copied().collect();
        R.col_mut(j).iter_mut().zip(symmetric_product(K_ff, &x)).for_each(|(r, k)| *r -= k);
    }
    factor.solve_in_place(R.as_mut());
    X += &R;
    Ok(X)
}

#[expect(clippy::too_many_arguments, reason = "what one subcase needs, gathered by its only caller")]
fn recover(
    mesh: &LinkMesh,
    system: &System,
    constraints: &Constraints,
    subcase: &Subcase,
    case: &HeldCase,
    u_f: &[f64],
    f_f: &[f64],
    K_ff: &CscMatrix<f64>,
) -> StaticSubcase {
    let u = constraints.expand(u_f, &case.u_s);
    let internal = symmetric_product(&system.K, &u);
    let strain_energy = 0.5 * u.iter().zip(&internal).map(|(u, k)| u * k).sum::<f64>();
    let unbalanced: Vec<f64> = internal.iter().zip(&case.f).map(|(k, f)| k - f).collect();
    let mut spc_forces = vec![0.0; u.len()];
    for (row, force) in constraints.fixed.iter().zip(constraints.reduce_to_fixed(&unbalanced)) {
        spc_forces[*row] = force;
    }
    // What is left over where nothing holds a component is an error of the solution, and stays one.
    let mut mpc_forces = vec![0.0; u.len()];
    for (row, connected) in constraints.connected().into_iter().enumerate() {
        if connected {
            mpc_forces[row] = unbalanced[row] - spc_forces[row];
        }
    }
    let left: f64 =
        symmetric_product(K_ff, u_f).iter().zip(f_f).zip(u_f).map(|((k, f), u)| u * (k - f)).sum();
    let work: f64 = u_f.iter().zip(f_f).map(|(u, f)| u * f).sum();
    StaticSubcase {
        id: subcase.id,
        label: subcase.label.clone(),
        equilibrium: Equilibrium::new(mesh, &system.dofs, &case.f, &spc_forces),
        epsilon: if work == 0.0 { 0.0 } else { left / work },
        u,
        applied: case.f.clone(),
        spc_forces,
        mpc_forces,
        autospc: constraints.autospc.clone(),
        strain_energy,
    }
}
