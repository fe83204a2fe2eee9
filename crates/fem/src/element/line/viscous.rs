//! CVISC: a viscous rod, CE along its axis and CR about it.

#![cfg_attr(test, expect(non_snake_case, reason = "matrices keep the letters of the equations"))]

use nalgebra::{DMatrix, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::{PropertyKind, ViscousProperty};

use super::frame::{axis, node_dofs};
use crate::element::{Element, ElementContext, ElementDof, MassKind, element_error};

#[derive(Debug)]
struct ViscousRodElement {
    dofs: Vec<ElementDof>,
    axis: Vector3<f64>,
    property: ViscousProperty,
}

/// Builds one.
///
/// # Errors
/// Grids that coincide, or a property of another kind.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::ViscousRod(row) = which else { unreachable!("invariant: the registry sends these here") };
    let mesh = context.mesh;
    let rod = &mesh.viscous_rods[row as usize];
    let PropertyKind::Viscous(property) = mesh.properties[rod.property.index()].kind else {
        return Err(element_error(mesh, which, "its property is of another kind"));
    };
    let [a, b] = rod.nodes.map(|n| mesh.node(n).position);
    let (axis, _) = axis(a, b).map_err(|e| element_error(mesh, which, e.message()))?;
    Ok(Box::new(ViscousRodElement { dofs: node_dofs(&rod.nodes, 6), axis, property }))
}

impl Element for ViscousRodElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        None
    }

    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        None
    }

    fn damping(&self) -> Option<DMatrix<f64>> {
        let along = self.axis * self.axis.transpose();
        Some(DMatrix::from_fn(12, 12, |i, j| {
            let (a, b) = (i % 6, j % 6);
            let sign = if i / 6 == j / 6 { 1.0 } else { -1.0 };
            match (a / 3, b / 3) {
                (0, 0) => sign * self.property.axial * along[(a, b)],
                (1, 1) => sign * self.property.torsional * along[(a - 3, b - 3)],
                _ => 0.0,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use pliant_diag::Origin;
    use pliant_mesh::element::ViscousRod;
    use pliant_mesh::{ElementId, NodeIndex, PropertyIndex};

    use super::super::bar_fixture::property;
    use super::*;
    use crate::element::contract::{self, Contract, Placement};
    use crate::element::registry;

    fn rod(placement: &Placement) -> Box<dyn Element> {
        let mut mesh = placement.mesh();
        mesh.properties.push(property(PropertyKind::Viscous(ViscousProperty { axial: 3.0, torsional: 0.5 })));
        mesh.viscous_rods.push(ViscousRod {
            id: ElementId(1),
            property: PropertyIndex(0),
            nodes: [placement.nodes[0], placement.nodes[1]],
            source: Origin::default(),
        });
        registry::build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::ViscousRod(0)).unwrap()
    }

    #[test]
    fn a_viscous_rod_keeps_the_contract() {
        let positions = vec![Vector3::new(0.4, -0.2, 0.7), Vector3::new(1.3, 0.5, 1.1)];
        contract::check(&Contract {
            name: "CVISC",
            positions,
            build: &rod,
            zero_energy_modes: 12,
            mass: None,
        });
    }

    #[test]
    fn it_resists_stretching_and_twisting() {
        let placement = Placement {
            positions: vec![Vector3::zeros(), Vector3::z() * 2.0],
            nodes: vec![NodeIndex(0), NodeIndex(1)],
            rotation: nalgebra::Matrix3::identity(),
        };
        let D = rod(&placement).damping().unwrap();
        assert_eq!((D[(2, 2)], D[(2, 8)]), (3.0, -3.0));
        assert_eq!((D[(5, 5)], D[(5, 11)]), (0.5, -0.5));
        assert_eq!(D.sum(), 0.0);
    }
}
