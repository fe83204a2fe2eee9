//! Load vectors of a deck's own load sets.

mod body;
mod face;
mod pressure;
mod thermal;

use nalgebra::Vector3;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::{BarLoad, Component, LinkMesh, Load, LoadKind, NodeIndex, SetId, Subcase};

use crate::assembly::{Masses, direct_loads};
use crate::dof::{displacement_triad, load_to_displacement_axes};
use crate::element::{Element, ElementContext, build, element_error};

/// The loads of a subcase.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LoadCase {
    /// Force on every component (the g-set), displacement frames.
    pub f: Vec<f64>,
    /// Enforced displacements (SPCD): row and value.
    pub enforced: Vec<(usize, f64)>,
}

/// Loads of a subcase: its LOAD set (scaled and combined by LOAD cards), its TEMPERATURE(LOAD) set and its
/// column of P2G.
///
/// # Errors
/// A set that does not exist, loads of kinds that are not available, a load on something that cannot take it,
/// thermal loads on elements that have none.
pub fn load_case(mesh: &LinkMesh, system: Masses<'_>, subcase: &Subcase) -> Result<LoadCase, Diagnostics> {
    let mut case = LoadCase { f: vec![0.0; system.dofs.count()], enforced: Vec::new() };
    let mut diagnostics = Diagnostics::new();
    if let Some(set) = subcase.load {
        for (factor, set) in combination(mesh, set) {
            let mut any = false;
            for load in mesh.loads.iter().filter(|l| l.set == set) {
                any = true;
                if let Err(problem) = add(mesh, system, load, factor, &mut case) {
                    diagnostics.push(*problem);
                }
            }
            if !any {
                diagnostics
                    .push(Diagnostic::error(format!("LOAD = {set} selects no load")).at(subcase.source.0));
            }
        }
    }
    let index = mesh.case_control.subcases.iter().position(|other| other.id == subcase.id);
    if let Some(index) = index.filter(|_| !mesh.case_control.direct.loads.is_empty()) {
        match direct_loads(mesh, system.dofs, index) {
            Ok(f) => case.f.iter_mut().zip(f).for_each(|(sum, f)| *sum += f),
            Err(problems) => diagnostics.extend(problems),
        }
    }
    diagnostics.extend(unavailable_selections(subcase));
    if let Some(set) = subcase.temperature {
        match thermal::thermal_loads(mesh, system.dofs, set) {
            Ok(f) => case.f.iter_mut().zip(f).for_each(|(sum, f)| *sum += f),
            Err(problems) => diagnostics.extend(problems),
        }
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(case) }
}

/// Loads that the subcase selects and that are not available. An initial temperature counts only where
/// temperatures load.
fn unavailable_selections(subcase: &Subcase) -> impl Iterator<Item = Diagnostic> {
    let acts = |command: &str| command != "TEMPERATURE(INITIAL)" || subcase.temperature.is_some();
    subcase.unavailable.iter().filter(move |selection| acts(&selection.command)).map(|selection| {
        let (command, set, id) = (&selection.command, selection.set, subcase.id);
        Diagnostic::error(format!(
            "{command} = {set} of subcase {id} is not available: its loads would be missing"
        ))
        .at(selection.source.0)
    })
}

/// The sets behind a LOAD selection with their factors.
fn combination(mesh: &LinkMesh, set: SetId) -> Vec<(f64, SetId)> {
    let mut terms: Vec<(f64, SetId)> = Vec::new();
    for combined in mesh.load_combinations.iter().filter(|c| c.set == set) {
        terms.extend(combined.terms.iter().map(|(factor, set)| (combined.scale * factor, *set)));
    }
    if terms.is_empty() || mesh.loads.iter().any(|l| l.set == set) {
        terms.push((1.0, set));
    }
    terms
}

fn add(
    mesh: &LinkMesh,
    system: Masses<'_>,
    load: &Load,
    factor: f64,
    case: &mut LoadCase,
) -> Result<(), Box<Diagnostic>> {
    let at = |problem: Diagnostic| Box::new(problem.at(load.source.0));
    match &load.kind {
        LoadKind::Force { node, force } => add_vector(mesh, system, *node, 0, factor * force, &mut case.f),
        LoadKind::Moment { node, moment } => add_vector(mesh, system, *node, 3, factor * moment, &mut case.f),
        LoadKind::Scalar { node, force } => {
            let row = system.dofs.row(*node, Component::from_row(0));
            case.f[row.expect("invariant: every node has a first component")] += factor * force;
        }
        LoadKind::Bar(bar) => add_bar(mesh, system, bar, factor, &mut case.f)?,
        LoadKind::Pressure { element, pressures, face, direction } => {
            let shape =
                face::face_pressure(mesh, *element, *face, *pressures, *direction).map_err(|message| {
                    let mut problem = element_error(mesh, *element, message);
                    problem.span = load.source.0.or(problem.span);
                    problem
                })?;
            let built = build(ElementContext { mesh, extra_nsm: 0.0 }, *element)?;
            let f = built.pressure_load(&shape).ok_or_else(|| {
                at(*element_error(mesh, *element, "pressure loads are not available for this element"))
            })?;
            add_element(mesh, system, built.as_ref(), factor, f, &mut case.f);
        }
        LoadKind::PressureOnGrids { pressure, nodes } => {
            for (node, force) in pressure::pressure_on_grids(mesh, factor * pressure, *nodes) {
                add_vector(mesh, system, node, 0, force, &mut case.f);
            }
        }
        LoadKind::Gravity { acceleration } => body::gravity(mesh, system, factor * acceleration, &mut case.f),
        LoadKind::GridAcceleration { acceleration, nodes } => {
            body::grid_acceleration(mesh, system, factor * acceleration, nodes, &mut case.f);
        }
        LoadKind::Unavailable { card } => {
            let message = format!("{card} of set {} is not available, and the case selects it", load.set);
            return Err(at(Diagnostic::error(message)));
        }
        LoadKind::Rotation { centre, omega, alpha } => {
            body::rotation(mesh, system, *centre, *omega, *alpha, factor, &mut case.f);
        }
        LoadKind::EnforcedDisplacement { node, components, value } => {
            for component in components.iter() {
                let row = system.dofs.row(*node, component).ok_or_else(|| {
                    at(Diagnostic::error(format!(
                        "node {} has no component {component}",
                        mesh.node(*node).id
                    )))
                })?;
                case.enforced.push((row, factor * value));
            }
        }
        // Temperatures are loads only where TEMPERATURE(LOAD) asks for them.
        LoadKind::Temperature { .. } | LoadKind::DefaultTemperature { .. } | LoadKind::BarTemperature(_) => {}
    }
    Ok(())
}

/// Adds a basic vector on the translations (`first` = 0) or rotations (3) of a grid.
fn add_vector(
    mesh: &LinkMesh,
    system: Masses<'_>,
    node: NodeIndex,
    first: usize,
    vector: Vector3<f64>,
    f: &mut [f64],
) {
    let local = displacement_triad(mesh, node).map_or(vector, |triad| triad.transpose() * vector);
    for k in 0..3 {
        if let Some(row) = system.dofs.row(node, Component::from_row(first + k)) {
            f[row] += local[k];
        }
    }
}

fn add_bar(
    mesh: &LinkMesh,
    system: Masses<'_>,
    bar: &BarLoad,
    factor: f64,
    f: &mut [f64],
) -> Result<(), Box<Diagnostic>> {
    let element = build(ElementContext { mesh, extra_nsm: 0.0 }, bar.element)?;
    let load = element
        .bar_load(bar)
        .ok_or_else(|| element_error(mesh, bar.element, "PLOAD1 is not available for this element"))?;
    add_element(mesh, system, element.as_ref(), factor, load, f);
    Ok(())
}

fn add_element(
    mesh: &LinkMesh,
    system: Masses<'_>,
    element: &dyn Element,
    factor: f64,
    mut load: nalgebra::DVector<f64>,
    f: &mut [f64],
) {
    load_to_displacement_axes(mesh, element, &mut load);
    for (row, value) in system.dofs.rows_of_element(element).into_iter().zip(load.iter()) {
        f[row as usize] += factor * value;
    }
}
