//! The static answer of a deck with the stress of its elements.

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_fem::Statics;
use pliant_mesh::{LinkMesh, Load, LoadKind, SetId};
use pliant_reduce::recovery::mesh_recovery;
use pliant_store::results::{ElementField, ElementPeak, ModeQuantity, ModeShapes};

use crate::export::mode_shapes;

/// Stress and strain are recovered from the displacements of the grids alone: not where loads act within
/// elements, which have stress of their own then.
const WITHIN: &str = "stress is not recovered: ";

/// Displacements of all subcases and the stress and strain of all elements in them.
#[derive(Clone, Debug)]
pub struct StaticStress {
    /// For ParaView: one step for each subcase.
    pub shapes: ModeShapes,
    /// Of each subcase; empty where stress is not recovered.
    pub subcases: Vec<SubcaseStress>,
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

/// Stress and strain in the displacements of all subcases. A deck whose subcases load elements from within,
/// by temperatures or along bars, has a note instead: displacements of grids do not give their stress.
///
/// # Errors
/// Elements that cannot be made.
pub fn static_stress(mesh: &LinkMesh, found: &Statics) -> Result<Warned<StaticStress>, Diagnostics> {
    let displacements: Vec<Vec<f64>> = found.subcases.iter().map(|subcase| subcase.u.clone()).collect();
    let numbers: Vec<f64> = found.subcases.iter().map(|subcase| f64::from(subcase.id)).collect();
    let mut shapes = mode_shapes(mesh, &found.dofs, &displacements, ModeQuantity::Subcase, &numbers);
    if let Some(note) = loaded_within(mesh) {
        let diagnostics = Diagnostics::from_iter([note]);
        return Ok(Warned { output: StaticStress { shapes, subcases: Vec::new() }, diagnostics });
    }
    let fields = mesh_recovery(mesh, &shapes.shapes)?.map(|modes| {
        let limits = modes.limits.clone();
        Arc::new(ElementField::new(modes, Vec::new(), limits))
    });
    let [stress, _] = &fields;
    let of_subcase = |k: usize| {
        let q: Vec<f64> = (0..numbers.len()).map(|column| f64::from(u8::from(column == k))).collect();
        SubcaseStress {
            elements: stress.modes.elements.iter().map(|element| element.id).collect(),
            von_mises: stress.values(&q),
            peak: stress.peak(&q),
        }
    };
    let subcases = (0..numbers.len()).map(of_subcase).collect();
    let has_elements = fields.iter().filter(|field| !field.modes.elements.is_empty());
    shapes.elements = has_elements.cloned().collect();
    Ok(Warned { output: StaticStress { shapes, subcases }, diagnostics: Diagnostics::new() })
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
