//! CELAS1–4: a spring between two components, force = k (u₁ − u₂).

use nalgebra::DMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, ScalarValue};
use pliant_mesh::property::PropertyKind;

use super::scalar_pair::ScalarPair;
use crate::element::{DofAxes, Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct SpringElement {
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
    let ElementRef::Spring(row) = which else { unreachable!("invariant: the registry sends these here") };
    let card = &context.mesh.springs[row as usize];
    let value = match card.stiffness {
        ScalarValue::Own(value) => value,
        ScalarValue::Property(index) => match &context.mesh.properties[index.index()].kind {
            PropertyKind::Spring(p) => p.stiffness,
            _ => return Err(element_error(context.mesh, which, "its property is of another kind")),
        },
    };
    Ok(Box::new(SpringElement { pair: ScalarPair::new(context, which, card.ends)?, value }))
}

impl Element for SpringElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.pair.dofs
    }

    fn axes(&self) -> DofAxes {
        DofAxes::Displacement
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        Some(self.pair.matrix(self.value))
    }

    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        None
    }
}
