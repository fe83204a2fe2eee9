//! CMASS1–4: a mass on a component, or on the difference of two.

use nalgebra::DMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, ScalarValue};
use pliant_mesh::property::PropertyKind;

use super::scalar_pair::ScalarPair;
use crate::element::{DofAxes, Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct ScalarMassElement {
    pair: ScalarPair,
    value: f64,
}

/// Builds one.
///
/// # Errors
/// No end to act on, or a property of another kind.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::ScalarMass(row) = which else { unreachable!("invariant: the registry sends these here") };
    let card = &context.mesh.scalar_masses[row as usize];
    let value = match card.mass {
        ScalarValue::Own(value) => value,
        ScalarValue::Property(index) => match &context.mesh.properties[index.index()].kind {
            PropertyKind::Mass(p) => p.mass,
            _ => return Err(element_error(context.mesh, which, "its property is of another kind")),
        },
    };
    Ok(Box::new(ScalarMassElement { pair: ScalarPair::new(context, which, card.ends)?, value }))
}

impl Element for ScalarMassElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.pair.dofs
    }

    fn axes(&self) -> DofAxes {
        DofAxes::Displacement
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        None
    }

    /// The same whichever is asked for: m [1 −1; −1 1], or m to ground.
    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        Some(self.pair.matrix(self.value))
    }
}
