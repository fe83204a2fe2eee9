//! CDAMP1–4: a viscous damper between two components.

use nalgebra::DMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, ScalarValue};
use pliant_mesh::property::PropertyKind;

use super::scalar_pair::ScalarPair;
use crate::element::{DofAxes, Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct DamperElement {
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
    let ElementRef::Damper(row) = which else { unreachable!("invariant: the registry sends these here") };
    let card = &context.mesh.dampers[row as usize];
    let value = match card.damping {
        ScalarValue::Own(value) => value,
        ScalarValue::Property(index) => match &context.mesh.properties[index.index()].kind {
            PropertyKind::Damper(p) => p.damping,
            _ => return Err(element_error(context.mesh, which, "its property is of another kind")),
        },
    };
    Ok(Box::new(DamperElement { pair: ScalarPair::new(context, which, card.ends)?, value }))
}

impl Element for DamperElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.pair.dofs
    }

    fn axes(&self) -> DofAxes {
        DofAxes::Displacement
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        None
    }

    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        None
    }

    fn damping(&self) -> Option<DMatrix<f64>> {
        Some(self.pair.matrix(self.value))
    }
}
