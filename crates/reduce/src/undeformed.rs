//! A link before it is reduced: its mesh with the spiders of its interfaces, in the link frame. What is drawn
//! of a machine of which nothing has been computed.

use nalgebra::{DMatrix, Matrix3, Matrix6xX, Vector3};
use pliant_diag::Diagnostics;
use pliant_link::{Rail, ReducedLink};
use pliant_mesh::{GridId, LinkMesh, NodeIndex};
use pliant_spatial::Transform;

use crate::MeshedLink;
use crate::interface::MeshInterface;
use crate::link::made_interfaces;
use crate::request::{LinkRequest, RailRequest, RailStations};
use crate::shapes::{LinkFrame, NodalShapes, no_shapes};

/// A link that has not been reduced.
#[derive(Debug)]
pub struct UndeformedLink {
    /// The mesh with the spiders that were made.
    pub mesh: LinkMesh,
    /// The link frame.
    pub frame: LinkFrame,
    /// The grids in it.
    pub shapes: NodalShapes,
    /// The interfaces that could be made, the inboard one first.
    pub interfaces: Vec<MeshInterface>,
    /// A rigid body with these interfaces and a mass of 1 kg, to place the link in a machine.
    pub stand_in: ReducedLink,
    /// What is wrong with its interfaces.
    pub problems: Diagnostics,
}

/// A mesh in its link frame. Interfaces that cannot be made are reported and left out; without an inboard
/// one the link frame is that of the deck.
pub fn undeformed(request: &LinkRequest, meshed: MeshedLink) -> UndeformedLink {
    let MeshedLink { mut mesh, interfaces: requested } = meshed;
    mesh.units = request.units;
    let (interfaces, problems) = made_interfaces(&mut mesh, &requested, request.origin);
    let inboard = interfaces.first().filter(|interface| interface.name == "inboard");
    let frame = match inboard {
        Some(inboard) => LinkFrame::new(&mesh, inboard),
        None => LinkFrame { origin: Vector3::zeros(), axes: Matrix3::identity(), units: mesh.units },
    };
    let triad = |interface: &MeshInterface| {
        let p = frame.position(mesh.node(interface.node).position);
        (interface.name.clone(), Transform::new(frame.axes.tr_mul(&interface.axes), p))
    };
    let outboard = interfaces.iter().skip(usize::from(inboard.is_some())).map(triad);
    let mut stand_in =
        ReducedLink::rigid(&request.name, 1.0, Vector3::zeros(), Matrix3::identity(), outboard);
    stand_in.rail = request.rail.as_ref().and_then(|asked| rail(&mesh, &frame, asked));
    let shapes = no_shapes(&mesh, &frame);
    UndeformedLink { mesh, frame, shapes, interfaces, stand_in, problems }
}

/// Stations of a rail: enough for rollers anywhere on it.
const STATIONS: usize = 33;

/// The line of a rail with even stations: where a boom is. A grip needs that it gives way; how much does not
/// matter to where things are.
fn rail(mesh: &LinkMesh, frame: &LinkFrame, asked: &RailRequest) -> Option<Rail> {
    let at = |node: NodeIndex| frame.position(mesh.node(node).position);
    let ends = match &asked.stations {
        RailStations::Grids(ids) => {
            let node = |id: &u32| mesh.node_by_id(GridId(*id)).map(at);
            [node(ids.first()?)?, node(ids.last()?)?]
        }
        RailStations::Line { ends, .. } => ends.map(|end| frame.position(end.into())),
        RailStations::Beam => {
            let last = mesh.bars.last()?;
            [at(mesh.bars.first()?.nodes[0]), at(last.nodes[1])]
        }
    };
    let direction = (ends[1] - ends[0]).try_normalize(0.0)?;
    let [first, last] = ends.map(|end| direction.dot(&end));
    let foot = ends[0] - direction * first;
    let range = (asked.from.unwrap_or(first), asked.to.unwrap_or(last));
    let station = |k: usize| first + (last - first) * k as f64 / (STATIONS - 1) as f64;
    let stations = (0..STATIONS).map(station).collect();
    // Each station gives way alone, and half as much with any other.
    let flexibility = |i: usize, j: usize| match i % 6 == j % 6 {
        true if i == j => 1e-6,
        true => 0.5e-6,
        false => 0.0,
    };
    let F = DMatrix::from_fn(6 * STATIONS, 6 * STATIONS, flexibility);
    let V = vec![Matrix6xX::zeros(0); STATIONS];
    let well_formed = first <= range.0 && range.0 < range.1 && range.1 <= last;
    well_formed.then_some(Rail { foot, direction, stations, range, V, F })
}

#[cfg(test)]
mod tests {
    use pliant_diag::Located;

    use super::*;
    use crate::request::{
        BeamElement, BeamPath, BeamSource, Grids, InterfaceRequest, IsotropicMaterial, LinkSource, Section,
    };
    use crate::source::beam_mesh;

    fn beam() -> BeamSource {
        BeamSource {
            origin: Default::default(),
            path: BeamPath::Straight(2.0),
            tip_offset: [0.0, 0.3, 0.0],
            section: Located::at(None, Section::Rod { diameter: 0.1 }),
            orientation: [0.0, 1.0, 0.0],
            material: IsotropicMaterial { e: 2.1e11, nu: 0.3, rho: 7850.0 },
            elements: 4,
            element: BeamElement::Hermite,
        }
    }

    #[test]
    fn the_stand_in_has_the_interfaces_of_the_mesh() {
        let beam = beam();
        let request = LinkRequest::new("arm", LinkSource::Beam(beam.clone()));
        let link = undeformed(&request, beam_mesh(&beam).unwrap());
        assert!(link.problems.is_empty());
        let tip = &link.stand_in.interfaces[0];
        assert_eq!((tip.name.as_str(), tip.X_LT.p), ("tip", Vector3::new(2.0, 0.3, 0.0)));
        assert_eq!(link.shapes.positions.len(), 6);
    }

    #[test]
    fn an_interface_without_its_grid_is_reported_and_the_others_stay() {
        let beam = beam();
        let request = LinkRequest::new("arm", LinkSource::Beam(beam.clone()));
        let mut meshed = beam_mesh(&beam).unwrap();
        let missing = Located::at(None, InterfaceRequest::new(Grids::One(99)));
        meshed.interfaces.outboard.push(("lug".to_owned(), missing));
        let link = undeformed(&request, meshed);
        assert_eq!(link.problems.len(), 1);
        assert_eq!(link.stand_in.interfaces.len(), 1);
    }

    #[test]
    fn a_rail_runs_from_the_first_grid_to_the_last() {
        let beam = BeamSource { tip_offset: [0.0; 3], ..beam() };
        let rail = RailRequest {
            origin: Default::default(),
            stations: RailStations::Beam,
            radius: None,
            from: Some(0.25),
            to: None,
        };
        let request =
            LinkRequest { rail: Some(rail), ..LinkRequest::new("boom", LinkSource::Beam(beam.clone())) };
        let link = undeformed(&request, beam_mesh(&beam).unwrap());
        let rail = link.stand_in.rail.as_ref().unwrap();
        assert_eq!((rail.direction, rail.range), (Vector3::x(), (0.25, 2.0)));
        assert!(link.stand_in.validate().is_ok());
    }
}
