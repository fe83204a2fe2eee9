//! A number between two scalar connections, v [1 −1; −1 1], or one to ground: what CELAS, CMASS and CDAMP share.

use nalgebra::DMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, ScalarConnection};

use crate::element::{ElementContext, ElementDof, element_error};

/// Where a scalar element acts, in the displacement frames of its grids.
#[derive(Clone, Debug)]
pub(super) struct ScalarPair {
    pub(super) dofs: Vec<ElementDof>,
}

impl ScalarPair {
    /// # Errors
    /// Both ends on the ground or on the same component.
    pub(super) fn new(
        context: ElementContext<'_>,
        which: ElementRef,
        ends: [ScalarConnection; 2],
    ) -> Result<Self, Box<Diagnostic>> {
        let dofs: Vec<ElementDof> = ends
            .into_iter()
            .filter_map(|end| match end {
                ScalarConnection::Ground => None,
                ScalarConnection::Dof(node, component) => Some(ElementDof { node, component }),
            })
            .collect();
        match dofs.as_slice() {
            [] => Err(element_error(context.mesh, which, "both ends are grounded")),
            [a, b] if a == b => Err(element_error(context.mesh, which, "both ends are the same component")),
            _ => Ok(Self { dofs }),
        }
    }

    /// The matrix of `value`.
    pub(super) fn matrix(&self, value: f64) -> DMatrix<f64> {
        let size = self.dofs.len();
        DMatrix::from_fn(size, size, |i, j| if i == j { value } else { -value })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};
    use pliant_diag::Origin;
    use pliant_mesh::element::{ScalarDamper, ScalarMass, ScalarSpring, ScalarValue};
    use pliant_mesh::property::{PropertyKind, SpringProperty};
    use pliant_mesh::{Component, ElementId, LinkMesh, NodeIndex, PropertyIndex};

    use super::*;
    use crate::element::contract::Placement;
    use crate::element::line::bar_fixture::property;
    use crate::element::{DofAxes, MassKind, registry};

    fn mesh(ends: [ScalarConnection; 2]) -> LinkMesh {
        let placement = Placement {
            positions: vec![Vector3::zeros(), Vector3::x()],
            nodes: vec![NodeIndex(0), NodeIndex(1)],
            rotation: Matrix3::identity(),
        };
        let mut mesh = placement.mesh();
        let spring = SpringProperty { stiffness: 5.0, structural_damping: 0.0, stress_coefficient: 0.0 };
        mesh.properties.push(property(PropertyKind::Spring(spring)));
        let (id, source) = (ElementId(9), Origin::default());
        mesh.springs.push(ScalarSpring {
            id,
            stiffness: ScalarValue::Property(PropertyIndex(0)),
            structural_damping: 0.0,
            stress_coefficient: 0.0,
            ends,
            source,
        });
        mesh.scalar_masses.push(ScalarMass { id, mass: ScalarValue::Own(2.0), ends, source });
        mesh.dampers.push(ScalarDamper { id, damping: ScalarValue::Own(3.0), ends, source });
        mesh
    }

    fn end(node: u32, digit: u32) -> ScalarConnection {
        ScalarConnection::Dof(NodeIndex(node), Component::from_digit(digit).unwrap())
    }

    #[test]
    fn two_ends_make_a_difference() {
        let mesh = mesh([end(0, 2), end(1, 5)]);
        let context = ElementContext { mesh: &mesh, extra_nsm: 0.0 };
        let difference = |v: f64| DMatrix::from_row_slice(2, 2, &[v, -v, -v, v]);
        let spring = registry::build(context, ElementRef::Spring(0)).unwrap();
        assert_eq!(spring.axes(), DofAxes::Displacement);
        assert_eq!(spring.stiffness(), Some(difference(5.0)));
        assert_eq!(spring.dofs()[1].component.digit(), 5);
        let mass = registry::build(context, ElementRef::ScalarMass(0)).unwrap();
        assert_eq!(mass.mass(MassKind::Lumped), Some(difference(2.0)));
        let damper = registry::build(context, ElementRef::Damper(0)).unwrap();
        assert_eq!(damper.damping(), Some(difference(3.0)));
    }

    #[test]
    fn one_end_acts_against_the_ground() {
        let mesh = mesh([ScalarConnection::Ground, end(1, 3)]);
        let context = ElementContext { mesh: &mesh, extra_nsm: 0.0 };
        let spring = registry::build(context, ElementRef::Spring(0)).unwrap();
        assert_eq!(spring.dofs().len(), 1);
        assert_eq!(spring.stiffness(), Some(DMatrix::from_element(1, 1, 5.0)));
    }

    #[test]
    fn useless_ends_are_refused() {
        for ends in [[ScalarConnection::Ground; 2], [end(0, 1); 2]] {
            let mesh = mesh(ends);
            let context = ElementContext { mesh: &mesh, extra_nsm: 0.0 };
            let error = registry::build(context, ElementRef::Spring(0)).err().unwrap();
            assert!(error.headline().starts_with("CELAS 9: both ends are"), "{}", error.headline());
        }
    }
}
