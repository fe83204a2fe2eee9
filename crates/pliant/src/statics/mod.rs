//! The static answer of a deck with the stress of its elements and the balance of forces at its grids; that
//! under whose stress it buckles.

mod forces;

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_fem::solve::{BucklingSubcase, GridForces};
use pliant_fem::{Buckling, Statics};
use pliant_mesh::{LinkMesh, Load, LoadKind, SetId};
use pliant_reduce::recovery::{ElementModes, mesh_recovery};
use pliant_store::results::{ElementField, ElementPeak, ModeQuantity, ModeShapes};

pub use forces::{ListedGrids, force_origin};

use crate::export::mode_shapes;

/// Stress and strain are recovered from the displacements of the grids alone: not where loads act within
/// elements, which have stress of their own then.
const WITHIN: &str = "stress is not recovered: ";

/// Displacements of all subcases, the stress and strain of all elements in them, and the forces on grids.
#[derive(Clone, Debug)]
pub struct StaticAnswer {
    /// For ParaView and the report: one step for each subcase.
    pub shapes: ModeShapes,
    /// Of each subcase; empty where stress is not recovered.
    pub stress: Vec<SubcaseStress>,
    /// Of each subcase, in units of the deck and displacement frames.
    pub forces: Vec<GridForces>,
}

/// The stress of a subcase.
#[derive(Clone, Debug)]
pub struct SubcaseStress {
    /// Numbers of the elements.
    pub elements: Vec<u32>,
    /// Of each the von Mises stress (Pa), the largest at any of its points; of a bar or rod the largest size
    /// of the axial stress.
    pub von_mises: Vec<f64>,
    /// The largest; none without elements that have stress.
    pub peak: Option<ElementPeak>,
}

/// Stress and strain in the displacements of all subcases, and the forces on some of its grids. A deck whose
/// subcases load elements from within, by temperatures or along bars, has a note instead: displacements of
/// grids do not give their stress.
///
/// # Errors
/// Elements that cannot be made.
pub fn static_answer(
    mesh: &LinkMesh,
    found: &Statics,
    listed: ListedGrids,
) -> Result<Warned<StaticAnswer>, Diagnostics> {
    let displacements: Vec<Vec<f64>> = found.subcases.iter().map(|subcase| subcase.u.clone()).collect();
    let numbers: Vec<f64> = found.subcases.iter().map(|subcase| f64::from(subcase.id)).collect();
    let mut shapes = mode_shapes(mesh, &found.dofs, &displacements, ModeQuantity::Subcase, &numbers);
    shapes.points = forces::of_points(mesh, found);
    let forces = forces::all(mesh, found, listed)?;
    shapes.forces = forces::rows(mesh, found, &forces);
    if let Some(note) = loaded_within(mesh) {
        let diagnostics = Diagnostics::from_iter([note]);
        return Ok(Warned { output: StaticAnswer { shapes, stress: Vec::new(), forces }, diagnostics });
    }
    let modes = mesh_recovery(mesh, &shapes.shapes)?;
    let order: Vec<usize> = (0..numbers.len()).collect();
    let fields = modes.map(|modes| field(modes, &order));
    let [stress, _] = &fields;
    let of_subcase = |k: usize| {
        let q: Vec<f64> = (0..numbers.len()).map(|column| f64::from(u8::from(column == k))).collect();
        SubcaseStress {
            elements: stress.modes.elements.iter().map(|element| element.id).collect(),
            von_mises: stress.values(&q),
            peak: stress.peak(&q),
        }
    };
    let diagnostics = crate::recovery::bars_without_stress_points("", &stress.modes).into_iter().collect();
    let of_subcases = order.iter().map(|k| of_subcase(*k)).collect();
    shapes.elements = fields.into_iter().filter(|field| !field.modes.elements.is_empty()).collect();
    Ok(Warned { output: StaticAnswer { shapes, stress: of_subcases, forces }, diagnostics })
}

/// A quantity with a column for each shape: that of a column of `modes`.
fn field(modes: ElementModes, columns: &[usize]) -> Arc<ElementField> {
    let modes = ElementModes { S: modes.S.select_columns(columns), ..modes };
    let limits = modes.limits.clone();
    Arc::new(ElementField::new(modes, Vec::new(), limits))
}

/// The shapes of all buckling subcases, one after the other. Each has the stress and strain of the loads
/// under which it buckles (at a factor of 1), as [`static_answer`] has found them.
pub fn buckling_shapes(mesh: &LinkMesh, found: &Buckling, preload: &StaticAnswer) -> ModeShapes {
    let all: Vec<Vec<f64>> = found.subcases.iter().flat_map(|s| s.shapes.iter().cloned()).collect();
    let factors: Vec<f64> = found.subcases.iter().flat_map(|s| s.factors.iter().copied()).collect();
    let mut shapes = mode_shapes(mesh, &found.preload.dofs, &all, ModeQuantity::LoadFactor, &factors);
    let loads = &found.preload.subcases;
    let column = |id: u32| loads.iter().position(|answer| answer.id == id).expect("invariant: it was solved");
    let of_subcase = |s: &BucklingSubcase| vec![column(s.static_subcase); s.factors.len()];
    let columns: Vec<usize> = found.subcases.iter().flat_map(of_subcase).collect();
    let own = preload.shapes.elements.iter();
    shapes.elements = own.map(|stress| field(stress.modes.clone(), &columns)).collect();
    shapes.forces.clone_from(&preload.shapes.forces);
    shapes
}

/// Why stress does not follow from displacements.
fn loaded_within(mesh: &LinkMesh) -> Option<Diagnostic> {
    let subcases = &mesh.case_control.subcases;
    if let Some(subcase) = subcases.iter().find(|subcase| subcase.temperature.is_some()) {
        let message = format!("{WITHIN}subcase {} has temperatures, whose strain is not stress", subcase.id);
        return Some(Diagnostic::note(message).at(subcase.source.0));
    }
    let is_selected = |set: SetId| {
        let terms = mesh.load_combinations.iter().filter(|combined| combined.set == set);
        let within = |load: &&Load| {
            load.set == set || terms.clone().flat_map(|c| &c.terms).any(|(_, term)| *term == load.set)
        };
        mesh.loads.iter().filter(|load| matches!(load.kind, LoadKind::Bar(_))).find(within)
    };
    let load = subcases.iter().filter_map(|subcase| subcase.load).find_map(is_selected)?;
    let message = format!("{WITHIN}a PLOAD1 loads a bar between its ends");
    Some(Diagnostic::note(message).at(load.source.0))
}
