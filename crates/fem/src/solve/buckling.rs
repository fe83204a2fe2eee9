//! Linear buckling: (K + λK_g)φ = 0 for the stress of a deck's own loads.

use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::{LinkMesh, Subcase};
use pliant_sparse::{BucklingParams, EigenError};

use super::groups;
use super::singular::Failed;
use super::statics::{StaticSubcase, Statics, statics};
use crate::assembly::{
    AssemblyOptions, State, assemble, geometric_stiffness, symmetric_product, transformed,
};
use crate::constraint::{ConstraintOptions, constrain};

/// Load factors found when nothing says how many.
const DEFAULT_COUNT: usize = 5;

/// What to find.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BucklingOptions {
    /// How many; the EIGRL of the deck when not given.
    pub count: Option<usize>,
}

/// Load factors of all buckling subcases.
#[derive(Clone, Debug)]
pub struct Buckling {
    /// The static answers under whose stress it buckles, with the numbering of the shapes.
    pub preload: Statics,
    /// In the order of the deck.
    pub subcases: Vec<BucklingSubcase>,
}

/// Load factors of one subcase.
#[derive(Clone, Debug)]
pub struct BucklingSubcase {
    /// Number.
    pub id: u32,
    /// Label.
    pub label: String,
    /// The static subcase whose loads are scaled.
    pub static_subcase: u32,
    /// λ by which the loads must be multiplied, smallest magnitude first. Negative: the loads must be
    /// reversed.
    pub factors: Vec<f64>,
    /// Shapes on every component in the displacement frames, the largest component ±1.
    pub shapes: Vec<Vec<f64>>,
    /// ‖K_gφ − μKφ‖ / ((‖K_g‖ + |μ|‖K‖)‖φ‖), μ = −1/λ.
    pub residuals: Vec<f64>,
    /// Sturm counts of positive and of negative factors: the limit and how many lie before it.
    pub counted: [Option<(f64, usize)>; 2],
    /// Size of the eigenproblem.
    pub free_components: usize,
}

/// Linear buckling of a deck (SOL 105): every subcase with a METHOD is solved for the stress of the subcase
/// named by its STATSUB, by default the first one; a single subcase with LOAD and METHOD is both.
///
/// K_g is that of the linear stress, the loads keep their directions, and nothing is known about what happens
/// before: imperfections and prebuckling bending lower real loads.
///
/// # Errors
/// Whatever statics refuse; no loads; temperatures, whose stress is not known here; a stress that cannot
/// buckle anything.
pub fn buckling(mesh: &LinkMesh, options: BucklingOptions) -> Result<Warned<Buckling>, Diagnostics> {
    let one = |problem: Diagnostic| Diagnostics::from_iter([problem]);
    let subcases = &mesh.case_control.subcases;
    let mut asked: Vec<&Subcase> = subcases.iter().filter(|s| s.method.is_some()).collect();
    if asked.is_empty() {
        asked.extend(subcases.last());
    }
    let Warned { output: solved, mut diagnostics } = statics(mesh)?;
    let mut found = Vec::new();
    for subcase in asked {
        let id = subcase.static_subcase.unwrap_or(subcases[0].id);
        let (Some(load), Some(answer)) =
            (subcases.iter().find(|s| s.id == id), solved.subcases.iter().find(|s| s.id == id))
        else {
            let message = format!("STATSUB = {id} of subcase {} is not a subcase", subcase.id);
            return Err(one(Diagnostic::error(message).at(subcase.source.0)));
        };
        if load.temperature.is_some() {
            let message = format!(
                "subcase {id} has thermal loads: the geometric stiffness does not include the stress of restrained expansion"
            );
            return Err(one(Diagnostic::error(message)
                .at(load.source.0)
                .hint("replace the temperatures by the forces they cause")));
        }
        if answer.u.iter().all(|u| *u == 0.0) {
            let message = format!("subcase {id} has no loads that deform the structure, so nothing buckles");
            return Err(one(Diagnostic::error(message)
                .at(load.source.0)
                .hint("the static subcase that STATSUB names needs LOAD = sid")));
        }
        found.push(solve(mesh, subcase, answer, options, &mut diagnostics)?);
    }
    let Statics { dofs, subcases: mut preload } = solved;
    preload.retain(|answer| found.iter().any(|subcase| subcase.static_subcase == answer.id));
    let preload = Statics { dofs, subcases: preload };
    Ok(Warned { output: Buckling { preload, subcases: found }, diagnostics })
}

fn solve(
    mesh: &LinkMesh,
    subcase: &Subcase,
    answer: &StaticSubcase,
    options: BucklingOptions,
    diagnostics: &mut Diagnostics,
) -> Result<BucklingSubcase, Diagnostics> {
    let one = |problem: Diagnostic| Diagnostics::from_iter([problem]);
    let method = match subcase.method {
        None => None,
        Some(set) => Some(mesh.eigen_methods.iter().find(|m| m.set == set).ok_or_else(|| {
            let message = format!("METHOD = {set} selects no EIGRL or EIGR card");
            one(Diagnostic::error(message).at(subcase.source.0))
        })?),
    };
    let system = assemble(mesh, AssemblyOptions::of_deck(mesh))?;
    // What AUTOSPC says here it has said about the statics.
    let constraints =
        constrain(mesh, &system.dofs, &system.K, &ConstraintOptions::of_subcase(subcase))?.output;
    let internal = symmetric_product(&system.K, &answer.u);
    let unbalanced: Vec<f64> = internal.iter().zip(&answer.applied).map(|(k, f)| k - f).collect();
    let K_g = geometric_stiffness(mesh, &system.dofs, State { u: &answer.u, unbalanced: &unbalanced })?;
    let K = transformed(&system.K, &constraints.T);
    let K_g = transformed(&K_g, &constraints.T);
    if K_g.values().iter().all(|k| *k == 0.0) {
        let message = "the elements under load have no geometric stiffness, so nothing buckles";
        return Err(one(Diagnostic::error(message).at(subcase.source.0)));
    }
    let asked = method.and_then(|m| m.count).map(|n| n as usize);
    let range = method.filter(|_| options.count.is_none());
    let (above, below) = range.map_or((None, None), |m| (m.above_hz, m.below_hz));
    let count = options.count.or(asked).unwrap_or(DEFAULT_COUNT);
    // A range that leaves a sign out needs more candidates to choose from.
    let candidates = if above.is_some() || below.is_some() { 4 * count + 8 } else { count };
    let params = BucklingParams { count: candidates, tolerance: 1e-7 };
    let groups = groups(&system.dofs, &constraints);
    let eigen = pliant_sparse::buckling(&K, &K_g, Some(&groups), params).map_err(|error| {
        one(match error {
            EigenError::Factor(error) => {
                let (mesh, system, constraints) = (mesh, &system, &constraints);
                let rows = &constraints.free;
                Failed { mesh, system, constraints, A: &K, rows, with_mass: false }.explain(&error)
            }
            other => Diagnostic::error(format!("the load factors could not be found: {other}")),
        })
    })?;
    let inside = |factor: f64| above.is_none_or(|a| factor >= a) && below.is_none_or(|b| factor <= b);
    let chosen: Vec<usize> =
        (0..eigen.lambda.len()).filter(|k| inside(eigen.lambda[*k])).take(count).collect();
    if chosen.is_empty() {
        diagnostics.push(
            Diagnostic::warning(format!(
                "subcase {}: no load factor lies in the range asked for",
                subcase.id
            ))
            .at(subcase.source.0),
        );
    }
    let nothing = vec![0.0; constraints.fixed.len()];
    let shape = |k: &usize| {
        let column: Vec<f64> = eigen.Phi.col(*k).iter().copied().collect();
        let mut shape = constraints.expand(&column, &nothing);
        let largest = shape.iter().fold(0.0_f64, |a, b| if b.abs() > a.abs() { *b } else { a });
        if largest != 0.0 {
            shape.iter_mut().for_each(|v| *v /= largest);
        }
        shape
    };
    Ok(BucklingSubcase {
        id: subcase.id,
        label: subcase.label.clone(),
        static_subcase: answer.id,
        factors: chosen.iter().map(|k| eigen.lambda[*k]).collect(),
        shapes: chosen.iter().map(shape).collect(),
        residuals: chosen.iter().map(|k| eigen.residuals[*k]).collect(),
        counted: eigen.counted,
        free_components: constraints.free.len(),
    })
}
