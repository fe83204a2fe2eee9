//! CELAS1–4, CMASS1–4, CDAMP1–4: a number between two components, v [1 −1; −1 1], or from one to ground.

use nalgebra::DMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, ScalarConnection, ScalarValue};
use pliant_mesh::property::PropertyKind;

use crate::element::{DofAxes, Element, ElementContext, ElementDof, MassKind, element_error};

/// What the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// CELAS: force = k (u₁ − u₂).
    Stiffness,
    /// CMASS: the same whichever mass is asked for.
    Mass,
    /// CDAMP.
    Damping,
}

/// A scalar element, in the displacement frames of its grids.
#[derive(Clone, Debug)]
struct ScalarElement {
    dofs: Vec<ElementDof>,
    role: Role,
    value: f64,
}

/// Builds one.
///
/// # Errors
/// A property of another kind; both ends on the ground or on the same component.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let mesh = context.mesh;
    let error = |message: &str| element_error(mesh, which, message);
    let (role, value, ends) = match which {
        ElementRef::Spring(row) => {
            let card = &mesh.springs[row as usize];
            (Role::Stiffness, card.stiffness, card.ends)
        }
        ElementRef::ScalarMass(row) => {
            let card = &mesh.scalar_masses[row as usize];
            (Role::Mass, card.mass, card.ends)
        }
        ElementRef::Damper(row) => {
            let card = &mesh.dampers[row as usize];
            (Role::Damping, card.damping, card.ends)
        }
        _ => unreachable!("invariant: the registry sends scalar elements here"),
    };
    let value = match value {
        ScalarValue::Own(value) => value,
        ScalarValue::Property(index) => match (role, &mesh.properties[index.index()].kind) {
            (Role::Stiffness, PropertyKind::Spring(p)) => p.stiffness,
            (Role::Mass, PropertyKind::Mass(p)) => p.mass,
            (Role::Damping, PropertyKind::Damper(p)) => p.damping,
            _ => return Err(error("its property is of another kind")),
        },
    };
    let dofs: Vec<ElementDof> = ends
        .into_iter()
        .filter_map(|end| match end {
            ScalarConnection::Ground => None,
            ScalarConnection::Dof(node, component) => Some(ElementDof { node, component }),
        })
        .collect();
    match dofs.as_slice() {
        [] => Err(error("both ends are grounded")),
        [a, b] if a == b => Err(error("both ends are the same component")),
        _ => Ok(Box::new(ScalarElement { dofs, role, value })),
    }
}

impl ScalarElement {
    /// Its matrix, if it has this role.
    fn matrix(&self, role: Role) -> Option<DMatrix<f64>> {
        let size = self.dofs.len();
        let entry = |i: usize, j: usize| if i == j { self.value } else { -self.value };
        (role == self.role).then(|| DMatrix::from_fn(size, size, entry))
    }
}

impl Element for ScalarElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn axes(&self) -> DofAxes {
        DofAxes::Displacement
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        self.matrix(Role::Stiffness)
    }

    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        self.matrix(Role::Mass)
    }

    fn damping(&self) -> Option<DMatrix<f64>> {
        self.matrix(Role::Damping)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};
    use pliant_diag::Origin;
    use pliant_mesh::element::{ScalarDamper, ScalarMass, ScalarSpring};
    use pliant_mesh::property::SpringProperty;
    use pliant_mesh::{Component, ElementId, LinkMesh, NodeIndex, PropertyIndex};

    use super::*;
    use crate::element::contract::Placement;
    use crate::element::line::bar_fixture::property;
    use crate::element::registry;

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
            assert!(error.headline().contains(" 9: both ends are"), "{}", error.headline());
        }
    }
}
