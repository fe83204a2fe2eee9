//! The link of a basis that has been chosen: all that is made from the mesh and its mass, when the factor of
//! its stiffness is gone.

use pliant_link::{Coordinate, Interface, ReducedLink};
use pliant_mesh::LinkMesh;
use pliant_spatial::Transform;

use crate::ReduceError;
use crate::basis::{Basis, Column};
use crate::damping::{asked_damping, deck_dampers};
use crate::interface::MeshInterface;
use crate::nodal_mass::invariants;
use crate::request::{LinkRequest, SecondOrderKind};
use crate::second_order::{SecondOrder, UnitResponses};
use crate::shapes::{LinkFrame, NodalShapes, changed, coordinate_change, nodal_shapes};
use crate::substructure::Substructure;

/// What a link is made from beside its basis.
pub(crate) struct Ingredients<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) request: &'a LinkRequest,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) outboard: &'a [MeshInterface],
}

impl Ingredients<'_> {
    /// The link and the shapes of its coordinates, without rail and second order.
    ///
    /// # Errors
    /// Damping that cannot be.
    pub(crate) fn link(&self, basis: &Basis) -> Result<(ReducedLink, NodalShapes), ReduceError> {
        let S = &coordinate_change(self.mesh, self.frame, self.outboard, &basis.columns);
        let shapes = nodal_shapes(self.mesh, self.frame, self.part, basis, S);
        let units = &self.frame.units;
        let energy = units.mass * units.length * units.length;
        let K = changed(&basis.K, S, energy / units.time.powi(2));
        let invariants = invariants(self.mesh, self.frame, self.part, &shapes);
        let mut D = changed(&deck_dampers(self.part, basis), S, energy / units.time);
        if let Some(damping) = &self.request.damping {
            D += asked_damping(damping, &K, &invariants.M_EE)?;
        }
        let hertz = |lambda: f64| lambda.max(0.0).sqrt() / (std::f64::consts::TAU * units.time);
        let coordinates = basis.columns.iter().map(|column| match *column {
            Column::Boundary(index) => {
                Coordinate::Interface { interface: index / 6, component: (index % 6) as u8 + 1 }
            }
            Column::Mode(lambda) | Column::Residual(lambda) => Coordinate::Mode { freq_hz: hertz(lambda) },
        });
        let interfaces = self.outboard.iter().map(|interface| {
            let index =
                shapes.nodes.binary_search(&interface.node).expect("invariant: an interface is a grid");
            Interface {
                name: interface.name.clone(),
                X_LT: Transform::new(self.frame.axes.tr_mul(&interface.axes), shapes.positions[index]),
                V: shapes.rows(interface.node),
                G: None,
            }
        });
        let size = shapes.positions.iter().map(|x| x.norm()).fold(0.0, f64::max);
        let link = ReducedLink {
            name: self.request.name.clone(),
            interfaces: interfaces.collect(),
            coordinates: coordinates.collect(),
            K,
            D,
            invariants,
            size,
            rail: None,
        };
        Ok((link, shapes))
    }

    /// Displacement of second order of a link with these shapes, as asked.
    ///
    /// # Errors
    /// Elements that cannot be built.
    pub(crate) fn add_second_order(
        &self,
        shapes: &NodalShapes,
        responses: Option<UnitResponses>,
        link: &mut ReducedLink,
    ) -> Result<(), ReduceError> {
        let Self { mesh, frame, part, outboard, .. } = *self;
        let second_order = SecondOrder { mesh, frame, part, outboard, shapes };
        match (self.request.second_order, responses) {
            (SecondOrderKind::Full, Some(responses)) => second_order.add_to(link, responses),
            (SecondOrderKind::Chord, _) => {
                second_order.carry_to_chord(link);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
