//! CONM1 and CONM2: mass at a grid.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, PointMassKind};

use crate::element::line::frame::node_dofs;
use crate::element::{Element, ElementContext, ElementDof, MassKind};

#[derive(Debug)]
struct PointMassElement {
    dofs: Vec<ElementDof>,
    M: Matrix6<f64>,
}

/// Builds one; it cannot fail.
///
/// # Errors
/// None.
pub(in crate::element) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let ElementRef::PointMass(row) = which else { unreachable!("invariant: the registry sends these here") };
    let card = &context.mesh.point_masses[row as usize];
    let M = match &card.kind {
        PointMassKind::Body { mass, offset, inertia } => body(*mass, *offset, inertia),
        PointMassKind::Matrix(M) => **M,
    };
    Ok(Box::new(PointMassElement { dofs: node_dofs(&[card.node], 6), M }))
}

/// Mass about the grid of a body with its centre at `offset` r and inertia J about that centre:
/// [m 1, −m[r]×; m[r]×, J − m[r]×²].
fn body(mass: f64, offset: Vector3<f64>, inertia: &Matrix3<f64>) -> Matrix6<f64> {
    let cross = offset.cross_matrix();
    let mut M = Matrix6::zeros();
    M.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * mass));
    M.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-mass * cross));
    M.fixed_view_mut::<3, 3>(3, 0).copy_from(&(mass * cross));
    M.fixed_view_mut::<3, 3>(3, 3).copy_from(&(inertia - mass * cross * cross));
    M
}

impl Element for PointMassElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        None
    }

    /// The same whichever is asked for.
    fn mass(&self, _: MassKind) -> Option<DMatrix<f64>> {
        Some(DMatrix::from_fn(6, 6, |i, j| self.M[(i, j)]))
    }
}

#[cfg(test)]
mod tests {
    use pliant_diag::Origin;
    use pliant_mesh::ElementId;
    use pliant_mesh::element::PointMass;

    use super::*;
    use crate::element::contract::{self, Contract, MassFacts};
    use crate::element::registry;

    #[test]
    fn an_offset_body_keeps_the_contract() {
        let grid = Vector3::new(0.4, -0.2, 0.7);
        let offset = Vector3::new(0.1, 0.3, -0.2);
        let inertia = Matrix3::new(3.0, -0.2, 0.1, -0.2, 4.0, 0.3, 0.1, 0.3, 5.0);
        contract::check(&Contract {
            name: "CONM2",
            positions: vec![grid],
            build: &|placement| {
                let mut mesh = placement.mesh();
                let Q = placement.rotation;
                mesh.point_masses.push(PointMass {
                    id: ElementId(1),
                    node: placement.nodes[0],
                    kind: PointMassKind::Body {
                        mass: 7.0,
                        offset: placement.turn(offset),
                        inertia: Q * inertia * Q.transpose(),
                    },
                    source: Origin::default(),
                });
                registry::build(ElementContext { mesh: &mesh, extra_nsm: 0.0 }, ElementRef::PointMass(0))
                    .unwrap()
            },
            zero_energy_modes: 6,
            mass: Some(MassFacts { mass: 7.0, centre: grid + offset, inertia_about_centre: Some(inertia) }),
        });
    }
}
