//! Natural frequencies and mode shapes: K φ = λ M φ.

use std::f64::consts::TAU;

use faer::Mat;
use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::{Components, LinkMesh, NodeIndex, Normalisation};
use pliant_sparse::{
    DenseError, Eigen, EigenError, EigenInfo, EigenParams, Factor, FactorParams, Kind, Ordering,
    OrderingMethod, Symbolic, generalised_eigen_semidefinite, lowest, shifted,
};

use super::boundary::{Boundary, Kept};
use super::condense::{CondenseFailure, condensed_basis, projected};
use super::effective_mass::{EffectiveMass, effective_mass};
use super::groups;
use super::singular::Failed;
use crate::assembly::{AssemblyOptions, Masses, System, assemble, transformed};
use crate::constraint::{ConstraintOptions, Constraints, constrain};
use crate::density::{massless_materials, massless_structure};
use crate::dof::DofMap;
use crate::element::beam_warnings;

/// Modes found when nothing says how many.
const DEFAULT_COUNT: usize = 10;

/// Whether a deck's ASET, BSET, OMIT and QSET cards shape the modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reduction {
    /// They do, as in Nastran.
    #[default]
    OfDeck,
    /// The entire mesh is used.
    None,
}

/// Which modes of which structure.
#[derive(Clone, Debug, PartialEq)]
pub struct ModesOptions {
    /// Constraints.
    pub constraints: ConstraintOptions,
    /// Mass matrix and NSM set.
    pub assembly: AssemblyOptions,
    /// How many at most.
    pub count: Option<usize>,
    /// Only those at or above this frequency.
    pub above_hz: Option<f64>,
    /// Only those below this frequency.
    pub below_hz: Option<f64>,
    /// Scaling of the shapes.
    pub normalisation: Normalisation,
    /// Whether the deck's sets count.
    pub reduction: Reduction,
}

impl ModesOptions {
    /// What the deck's first subcase with a METHOD asks for (its first subcase when none has one).
    ///
    /// # Errors
    /// METHOD selects an EIGR or EIGRL card that does not exist; STATSUB asks for stressed modes.
    pub fn of_deck(mesh: &LinkMesh) -> Result<Self, Diagnostics> {
        let subcases = &mesh.case_control.subcases;
        let subcase = subcases.iter().find(|s| s.method.is_some()).or_else(|| subcases.first());
        let mut options = Self {
            constraints: subcase.map(ConstraintOptions::of_subcase).unwrap_or_default(),
            assembly: AssemblyOptions::of_deck(mesh),
            count: None,
            above_hz: None,
            below_hz: None,
            normalisation: Normalisation::Mass,
            reduction: Reduction::OfDeck,
        };
        options.assembly.nsm = subcase.and_then(|s| s.nsm);
        if mesh.case_control.solution != Some(105)
            && let Some(prestressed) = subcase.filter(|s| s.static_subcase.is_some())
        {
            let message = "STATSUB asks for the modes of the stressed structure, which are not available";
            let problem = Diagnostic::error(message).at(prestressed.source.0);
            let hint = "remove STATSUB for the modes without stress";
            return Err([problem.hint(hint)].into_iter().collect());
        }
        let Some(set) = subcase.and_then(|s| s.method) else { return Ok(options) };
        let Some(method) = mesh.eigen_methods.iter().find(|m| m.set == set) else {
            let problem = Diagnostic::error(format!("METHOD = {set} selects no EIGRL or EIGR card"))
                .at(subcase.and_then(|s| s.source.0));
            return Err([problem].into_iter().collect());
        };
        options.count = method.count.map(|n| n as usize).filter(|n| *n > 0);
        options.above_hz = method.above_hz.filter(|f| *f > 0.0);
        options.below_hz = method.below_hz.filter(|f| *f > 0.0);
        options.normalisation = method.normalisation;
        Ok(options)
    }

    /// The same structure without the deck's SPC set (permanent single-point constraints stay) and without
    /// its reduction.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.constraints.spc = None;
        self.reduction = Reduction::None;
        self
    }
}

/// Modes, lowest first.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Numbering of the shapes.
    pub dofs: DofMap,
    /// λ = ω², ascending.
    pub lambda: Vec<f64>,
    /// √λ/2π; 0 where rounding made a rigid-body λ negative.
    pub frequencies_hz: Vec<f64>,
    /// Shapes on every component in the displacement frames, scaled as asked for.
    pub shapes: Vec<Vec<f64>>,
    /// ‖Kφ − λMφ‖ / ((‖K‖ + λ‖M‖)‖φ‖).
    pub residuals: Vec<f64>,
    /// φᵀMφ of the shapes as scaled.
    pub generalised_masses: Vec<f64>,
    /// How many are motions without strain.
    pub rigid_body_modes: usize,
    /// Effective masses.
    pub effective_mass: EffectiveMass,
    /// Components that AUTOSPC fixed.
    pub autospc: Vec<(NodeIndex, Components)>,
    /// Size of the eigenproblem.
    pub free_components: usize,
    /// How they were found, with the Sturm count.
    pub info: EigenInfo,
}

/// Natural frequencies and mode shapes of a mesh.
///
/// # Errors
/// Everything that is wrong with elements or constraints; a structure without mass; motions without stiffness
/// or mass.
pub fn modes(mesh: &LinkMesh, options: &ModesOptions) -> Result<Warned<Modes>, Diagnostics> {
    let system = assemble(mesh, options.assembly)?;
    let mut diagnostics = Diagnostics::new();
    diagnostics.extend(massless_materials(mesh));
    diagnostics.extend(beam_warnings(mesh));
    let mut constraint_options = options.constraints.clone();
    let boundary = match options.reduction {
        Reduction::OfDeck => Boundary::of_deck(mesh),
        Reduction::None => Boundary::default(),
    };
    constraint_options.clamped.extend(boundary.clamped.iter().copied());
    constraint_options.heavy = rows_with_mass(&system);
    let constrained = constrain(mesh, &system.dofs, &system.K, &constraint_options)?;
    diagnostics.extend(constrained.diagnostics);
    let constraints = constrained.output;
    if constraints.free.is_empty() {
        return Err([Diagnostic::error("every component is fixed: the structure has no modes")]
            .into_iter()
            .collect());
    }
    let eigen = match &boundary.kept {
        Some(kept) => condensed_modes(mesh, &system, &constraints, kept, options)
            .map(|eigen| (eigen, system.dofs, system.M)),
        None => {
            let System { dofs, K, M, .. } = system;
            full_modes(mesh, K, Masses { dofs: &dofs, M: &M }, &constraints, options)
                .map(|eigen| (eigen, dofs, M))
        }
    };
    let (eigen, dofs, M) = eigen.map_err(|problem| [*problem].into_iter().collect::<Diagnostics>())?;
    let output = finish(mesh, (dofs, M), &constraints, eigen, options);
    if output.residuals.iter().any(|r| *r > 1e-8) {
        diagnostics.push(Diagnostic::warning("some modes have a residual above 1e-8; see the table"));
    }
    Ok(Warned { output, diagnostics })
}

/// True for every component with a term in the mass matrix.
fn rows_with_mass(system: &System) -> Vec<bool> {
    let mut heavy = vec![false; system.dofs.count()];
    for (row, column, _) in system.M.triplet_iter().filter(|(_, _, value)| **value != 0.0) {
        heavy[row] = true;
        heavy[column] = true;
    }
    heavy
}

fn lambda_of(hz: f64) -> f64 {
    (TAU * hz).powi(2)
}

/// Modes of all free components. The stiffness of all components is given back here: the factor needs its
/// memory.
fn full_modes(
    mesh: &LinkMesh,
    K: CscMatrix<f64>,
    system: Masses<'_>,
    constraints: &Constraints,
    options: &ModesOptions,
) -> Result<Eigen, Box<Diagnostic>> {
    let of_free = transformed(&K, &constraints.T);
    drop(K);
    let K = of_free;
    let M = transformed(system.M, &constraints.T);
    let groups = groups(system.dofs, constraints);
    let explain = |error: EigenError| {
        // Only a failure needs this third matrix: K + τM, soft only where there is neither stiffness nor
        // mass.
        let largest = |A: &CscMatrix<f64>| A.values().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let A = shifted(&K, &M, -largest(&K) / largest(&M).max(f64::MIN_POSITIVE));
        let system = &assemble(mesh, options.assembly).expect("invariant: it has been assembled once");
        let failed = Failed { mesh, system, constraints, A: &A, rows: &constraints.free, with_mass: true };
        Box::new(explain(&failed, error))
    };
    let mut params = match options.below_hz {
        Some(hz) => EigenParams::below(lambda_of(hz)),
        None => EigenParams::count(options.count.unwrap_or(DEFAULT_COUNT)),
    };
    if let (Some(above), None) = (options.above_hz, options.below_hz) {
        // As many as lie below the lower bound come on top.
        let A = shifted(&K, &M, lambda_of(above));
        let ordering = Ordering::new(&A, Some(&groups), OrderingMethod::Auto);
        let symbolic = std::sync::Arc::new(Symbolic::new(&A, &ordering));
        let factor_params = FactorParams { kind: Kind::Indefinite, ..FactorParams::default() };
        let factor = Factor::new(&A, symbolic, &factor_params).map_err(|e| explain(e.into()))?;
        params = EigenParams::count(options.count.unwrap_or(DEFAULT_COUNT) + factor.inertia());
    }
    lowest(&K, &M, Some(&groups), &params).map_err(explain)
}

fn condensed_modes(
    mesh: &LinkMesh,
    system: &System,
    constraints: &Constraints,
    kept: &Kept,
    options: &ModesOptions,
) -> Result<Eigen, Box<Diagnostic>> {
    let K = transformed(&system.K, &constraints.T);
    let M = transformed(&system.M, &constraints.T);
    let columns = kept.columns(&system.dofs, constraints)?;
    let failed = |rows: &[usize], A: &CscMatrix<f64>, error: EigenError, with_mass: bool| {
        Box::new(explain(&Failed { mesh, system, constraints, A, rows, with_mass }, error))
    };
    let V = match condensed_basis(&K, &M, &columns, kept.generalised) {
        Ok(V) => V,
        Err(failure) => {
            let CondenseFailure { error, K_oo, omitted } = *failure;
            let rows: Vec<usize> = omitted.iter().map(|i| constraints.free[*i]).collect();
            let problem = failed(&rows, &K_oo, error, false);
            return Err(Box::new(problem.hint("this is the omitted set with the a-set (ASET, OMIT) held")));
        }
    };
    let (K_r, M_r) = (projected(&K, V.as_ref()), projected(&M, V.as_ref()));
    let small = generalised_eigen_semidefinite(K_r.as_ref(), M_r.as_ref())
        .map_err(|e| failed(&constraints.free, &K, e.into(), true))?;
    let wanted = match options.below_hz {
        Some(hz) => small.lambda.partition_point(|l| *l < lambda_of(hz)),
        None => options.count.unwrap_or(DEFAULT_COUNT).min(small.lambda.len()),
    };
    let Phi = &V * small.Phi.as_ref().subcols(0, wanted);
    let lambda = small.lambda[..wanted].to_vec();
    // Residuals of the condensed problem: the shapes solve that one, not the complete one.
    let residuals = residuals(&K_r, &M_r, &lambda, &small.Phi);
    Ok(Eigen { residuals, lambda, Phi, info: EigenInfo { exhausted: true, ..EigenInfo::default() } })
}

fn residuals(K: &Mat<f64>, M: &Mat<f64>, lambda: &[f64], Phi: &Mat<f64>) -> Vec<f64> {
    let (norm_K, norm_M) = (K.norm_l2(), M.norm_l2());
    lambda
        .iter()
        .enumerate()
        .map(|(j, value)| {
            let phi = Phi.col(j);
            let r = K * phi - faer::Scale(*value) * (M * phi);
            r.norm_l2() / ((norm_K + value.abs() * norm_M) * phi.norm_l2())
        })
        .collect()
}

fn explain(failed: &Failed<'_>, error: EigenError) -> Diagnostic {
    match error {
        EigenError::NoMass => massless_structure(failed.mesh),
        EigenError::NegativeMass { row } => {
            Diagnostic::error(format!("{} has negative mass", failed.system.dofs.name(failed.rows[row])))
        }
        EigenError::Factor(error) => failed.explain(&error),
        EigenError::Dense(DenseError::MasslessMechanism) => failed.massless_mechanism(),
        other => Diagnostic::error(format!("the modes could not be found: {other}")),
    }
}

fn finish(
    mesh: &LinkMesh,
    (dofs, M): (DofMap, CscMatrix<f64>),
    constraints: &Constraints,
    eigen: Eigen,
    options: &ModesOptions,
) -> Modes {
    let first = options.above_hz.map_or(0, |hz| eigen.lambda.partition_point(|l| *l < lambda_of(hz)));
    let last = options.count.map_or(eigen.lambda.len(), |n| eigen.lambda.len().min(first + n));
    let nothing = vec![0.0; constraints.fixed.len()];
    let mut shapes: Vec<Vec<f64>> = (first..last)
        .map(|j| {
            let column: Vec<f64> = eigen.Phi.col(j).iter().copied().collect();
            constraints.expand(&column, &nothing)
        })
        .collect();
    let effective_mass = effective_mass(mesh, Masses { dofs: &dofs, M: &M }, &shapes);
    let mut generalised_masses = vec![1.0; shapes.len()];
    if options.normalisation == Normalisation::Max {
        for (shape, mass) in shapes.iter_mut().zip(&mut generalised_masses) {
            let largest = shape.iter().copied().fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
            if largest != 0.0 {
                shape.iter_mut().for_each(|v| *v /= largest);
                *mass = largest.powi(-2);
            }
        }
    }
    let lambda = eigen.lambda[first..last].to_vec();
    Modes {
        frequencies_hz: lambda.iter().map(|l| l.max(0.0).sqrt() / TAU).collect(),
        lambda,
        shapes,
        residuals: eigen.residuals[first..last].to_vec(),
        generalised_masses,
        rigid_body_modes: eigen.info.rigid_body_modes.saturating_sub(first),
        effective_mass,
        autospc: constraints.autospc.clone(),
        free_components: constraints.free.len(),
        info: eigen.info,
        dofs,
    }
}
