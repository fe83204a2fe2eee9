//! The static answer of a deck with the stress of its elements.

use std::sync::Arc;

use pliant_diag::Diagnostics;
use pliant_fem::Statics;
use pliant_mesh::LinkMesh;
use pliant_reduce::recovery::mesh_recovery;
use pliant_store::results::{ElementField, ElementPeak, ModeQuantity, ModeShapes};

use crate::export::mode_shapes;

/// Displacements of all subcases and the stress and strain of all elements in them.
#[derive(Clone, Debug)]
pub struct StaticStress {
    /// For ParaView: one step for each subcase.
    pub shapes: ModeShapes,
    /// Of each subcase.
    pub subcases: Vec<SubcaseStress>,
}

/// The stress of a subcase.
#[derive(Clone, Debug)]
pub struct SubcaseStress {
    /// Numbers of the elements.
    pub elements: Vec<u32>,
    /// Of each the von Mises stress (Pa), the largest at any of its points; of a bar or rod the largest size of
    /// the axial stress.
    pub von_mises: Vec<f64>,
    /// The largest; none without elements that have stress.
    pub peak: Option<ElementPeak>,
}

/// Stress and strain in the displacements of all subcases.
///
/// # Errors
/// Elements that cannot be made.
pub fn static_stress(mesh: &LinkMesh, found: &Statics) -> Result<StaticStress, Diagnostics> {
    let displacements: Vec<Vec<f64>> = found.subcases.iter().map(|subcase| subcase.u.clone()).collect();
    let numbers: Vec<f64> = found.subcases.iter().map(|subcase| f64::from(subcase.id)).collect();
    let mut shapes = mode_shapes(mesh, &found.dofs, &displacements, ModeQuantity::Subcase, &numbers);
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
    Ok(StaticStress { shapes, subcases })
}
