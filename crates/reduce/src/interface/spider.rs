//! Spiders: rigid (RBE2) or averaging (RBE3) ties from a centre grid to others.

use nalgebra::{DMatrix, Vector3, Vector6};
use pliant_diag::{Diagnostic, Origin};
use pliant_mesh::{
    Component, Components, CoordIndex, ElementId, GridId, LinkMesh, Node, NodeIndex, NodeKind, Rigid,
    RigidKind, WeightGroup,
};

use crate::request::Spider;

/// Adds a grid at `centre` and ties it to `grids`.
pub(super) fn tie(
    mesh: &mut LinkMesh,
    centre: Vector3<f64>,
    grids: &[NodeIndex],
    kind: Spider,
) -> Result<NodeIndex, Box<Diagnostic>> {
    if grids.is_empty() {
        return Err(Diagnostic::boxed("the interface has no grids"));
    }
    if kind == Spider::Rigid
        && let Some((grid, owner)) =
            grids.iter().find_map(|g| super::is_dependent(mesh, *g).map(|owner| (*g, owner)))
    {
        let id = mesh.node(grid).id;
        return Err(Diagnostic::boxed(format!(
            "GRID {id} already follows {owner}; name that element's independent grid instead"
        )));
    }
    let id = mesh.nodes.last().map_or(1, |node| node.id.0 + 1);
    let reference = NodeIndex::from(mesh.nodes.len());
    mesh.nodes.push(Node {
        id: GridId(id),
        kind: NodeKind::Grid,
        position: centre,
        displacement_frame: CoordIndex::BASIC,
        permanent_spc: Components::NONE,
        source: Origin::default(),
    });
    let kind = match kind {
        Spider::Rigid => RigidKind::Rbe2 {
            independent: reference,
            components: Components::ALL,
            dependents: grids.to_vec(),
        },
        Spider::Average => {
            let groups = vec![WeightGroup {
                weight: 1.0,
                components: Components::TRANSLATIONS,
                nodes: grids.to_vec(),
            }];
            RigidKind::Rbe3 { reference, components: Components::ALL, groups, dependents: Vec::new() }
        }
    };
    let element = mesh.rigids.iter().map(|rigid| rigid.id.0).max().unwrap_or(0) + 1;
    mesh.rigids.push(Rigid { id: ElementId(element), kind, source: Origin::default() });
    free_reference(mesh, reference)?;
    Ok(reference)
}

/// Where `node` is the dependent reference of an RBE3, makes components of three of the averaged grids
/// dependent instead (Nastran's UM), so that the interface can be held or moved.
///
/// An RBE3 says `u_ref = A⁻¹ Σ w_j S_jᵀ u_j` with S_j the row of rigid-body motion of component j. Any six
/// components whose S_j are independent can be solved for; the best-conditioned six are picked by pivoted
/// orthogonalisation.
pub(super) fn free_reference(mesh: &mut LinkMesh, node: NodeIndex) -> Result<(), Box<Diagnostic>> {
    let found = mesh.rigids.iter().position(|rigid| match &rigid.kind {
        RigidKind::Rbe3 { reference, dependents, .. } => *reference == node && dependents.is_empty(),
        _ => false,
    });
    let Some(found) = found else { return Ok(()) };
    let RigidKind::Rbe3 { components, groups, .. } = &mesh.rigids[found].kind else { return Ok(()) };
    let id = mesh.rigids[found].id;
    if *components != Components::ALL {
        return Err(Diagnostic::boxed(format!(
            "RBE3 {id} ties only components {components}; an interface needs 123456"
        )));
    }
    let translated: Vec<NodeIndex> = groups
        .iter()
        .filter(|group| group.components.intersection(Components::TRANSLATIONS) == Components::TRANSLATIONS)
        .flat_map(|group| group.nodes.iter().copied())
        .collect();
    let chosen = well_spread(mesh, &translated)
        .and_then(|nodes| pick_components(mesh, mesh.node(node).position, &nodes))
        .ok_or_else(|| {
            Diagnostic::boxed(format!(
                "RBE3 {id} does not hold its reference: it needs three grids that are not in line"
            ))
        })?;
    let RigidKind::Rbe3 { dependents, .. } = &mut mesh.rigids[found].kind else { return Ok(()) };
    *dependents = chosen;
    Ok(())
}

/// Three grids far apart: the farthest from the first, the farthest from that one, the farthest from their
/// line.
fn well_spread(mesh: &LinkMesh, grids: &[NodeIndex]) -> Option<[NodeIndex; 3]> {
    let position = |node: NodeIndex| mesh.node(node).position;
    let farthest = |measure: &dyn Fn(NodeIndex) -> f64| {
        grids.iter().copied().max_by(|a, b| measure(*a).total_cmp(&measure(*b)).then(b.cmp(a)))
    };
    let first = *grids.first()?;
    let a = farthest(&|n| (position(n) - position(first)).norm())?;
    let b = farthest(&|n| (position(n) - position(a)).norm())?;
    let line = position(b) - position(a);
    let c = farthest(&|n| (position(n) - position(a)).cross(&line).norm())?;
    let spread = (position(c) - position(a)).cross(&line).norm();
    (spread > 1e-6 * line.norm_squared()).then_some([a, b, c])
}

/// Six of the nine translations of three grids whose rigid-body rows are best independent.
fn pick_components(
    mesh: &LinkMesh,
    centre: Vector3<f64>,
    grids: &[NodeIndex; 3],
) -> Option<Vec<(NodeIndex, Components)>> {
    let size = grids.iter().map(|n| (mesh.node(*n).position - centre).norm()).fold(0.0, f64::max);
    let mut rows: Vec<(usize, Component, Vector6<f64>)> = Vec::new();
    for (which, node) in grids.iter().enumerate() {
        let node = mesh.node(*node);
        let triad = mesh.coordinates[node.displacement_frame.index()].triad_at(node.position);
        let arm = (node.position - centre) / size;
        for k in 0..3 {
            let direction = triad.column(k).into_owned();
            let moment = arm.cross(&direction);
            let row = Vector6::from_iterator(direction.iter().chain(moment.iter()).copied());
            rows.push((which, Component::from_row(k), row));
        }
    }
    let mut chosen = [Components::NONE; 3];
    let mut matrix = DMatrix::from_fn(9, 6, |i, j| rows[i].2[j]);
    for _ in 0..6 {
        let best = (0..9).max_by(|a, b| matrix.row(*a).norm().total_cmp(&matrix.row(*b).norm()))?;
        let pivot = matrix.row(best).into_owned();
        if pivot.norm() < 1e-6 {
            return None;
        }
        let (which, component, _) = rows[best];
        chosen[which] = chosen[which].with(component);
        for i in 0..9 {
            let along = matrix.row(i).dot(&pivot) / pivot.norm_squared();
            let mut row = matrix.row_mut(i);
            row -= &pivot * along;
        }
        matrix.row_mut(best).fill(0.0);
    }
    let picked = grids.iter().zip(chosen).filter(|(_, components)| !components.is_empty());
    Some(picked.map(|(node, components)| (*node, components)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Region, RegionShape, make_interface};
    use super::*;
    use crate::request::{Grids, InterfaceRequest};

    /// Two rings of 8 grids: radius 2 at z = 0 and z = 1, and radius 3 at z = 0.
    fn rings() -> LinkMesh {
        let mut mesh = LinkMesh::default();
        for (radius, z) in [(2.0, 0.0), (2.0, 1.0), (3.0, 0.0)] {
            for k in 0..8 {
                let angle = f64::from(k) * std::f64::consts::FRAC_PI_4;
                mesh.nodes.push(Node {
                    id: GridId(mesh.nodes.len() as u32 + 1),
                    kind: NodeKind::Grid,
                    position: Vector3::new(5.0 + radius * angle.cos(), radius * angle.sin(), z),
                    displacement_frame: CoordIndex::BASIC,
                    permanent_spc: Components::NONE,
                    source: Origin::default(),
                });
            }
        }
        mesh
    }

    fn hole(radius: f64, spider: Spider) -> InterfaceRequest {
        let cylinder = RegionShape::Cylinder {
            axis: Vector3::new(0.0, 0.0, 2.0),
            through: Vector3::new(5.0, 0.0, -7.0),
            radius,
            along: None,
        };
        InterfaceRequest { spider, ..InterfaceRequest::new(Grids::On(Region::new(cylinder, None))) }
    }

    #[test]
    fn a_bearing_hole_gets_a_spider_to_its_centre() {
        let mut mesh = rings();
        let interface = make_interface(&mut mesh, "hip", &hole(2.0, Spider::Rigid), None).unwrap();
        assert_eq!(interface.spider.len(), 16);
        assert_eq!(mesh.node(interface.node).position, Vector3::new(5.0, 0.0, 0.5));
        assert_eq!(mesh.node(interface.node).id, GridId(25));
        let RigidKind::Rbe2 { dependents, .. } = &mesh.rigids[0].kind else { panic!() };
        assert_eq!(dependents, &interface.spider);
        // The same hole once more: its grids are taken.
        let again = make_interface(&mut mesh, "twice", &hole(2.0, Spider::Rigid), None).unwrap_err();
        assert!(again.message.contains("GRID 1 already follows rigid element 1"), "{}", again.message);
    }

    #[test]
    fn an_averaging_spider_leaves_its_centre_independent() {
        let mut mesh = rings();
        make_interface(&mut mesh, "hip", &hole(3.0, Spider::Average), None).unwrap();
        let RigidKind::Rbe3 { dependents, .. } = &mesh.rigids[0].kind else { panic!() };
        assert_eq!(dependents.iter().map(|(_, c)| c.len()).sum::<usize>(), 6);
    }

    #[test]
    fn nothing_there_says_how_far_the_nearest_grid_is() {
        let error = make_interface(&mut rings(), "hip", &hole(2.5, Spider::Rigid), None).unwrap_err();
        assert!(error.message.contains("no grid lies there; the nearest is GRID"), "{}", error.message);
        assert!(error.message.contains("5.0000e-1"), "{}", error.message);
    }

    #[test]
    fn a_wrong_axis_is_seen_by_the_arc_and_a_line_is_refused() {
        use super::super::about_spiders;
        use crate::request::{Interfaces, Located};
        let messages = |through: f64, radius: f64| {
            let mut mesh = rings();
            let cylinder = RegionShape::Cylinder {
                axis: Vector3::z(),
                through: Vector3::new(through, 0.0, 0.0),
                radius,
                along: None,
            };
            let request = InterfaceRequest::new(Grids::On(Region::new(cylinder, Some(0.3))));
            let made = make_interface(&mut mesh, "pin", &request, None)?;
            let requested = Interfaces { inboard: Some(Located::at(None, request)), outboard: Vec::new() };
            let found = about_spiders(&mesh, &requested, &[made]);
            Ok::<_, Box<Diagnostic>>(found.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>())
        };
        let right = messages(5.0, 2.0).unwrap();
        assert_eq!(
            right,
            ["interfaces, in deck units: `pin` 16 grids around 360° of the cylinder, centre (5, 0, 0.5)"]
        );
        // Three grids of the outer ring by chance, on one side.
        let wrong = messages(2.0, 5.75).unwrap();
        assert!(wrong[0].contains("has 3 grids, around 45°"), "{wrong:?}");
        let line = messages(9.0, 2.0).unwrap_err();
        assert!(line.message.contains("lie in one line"), "{}", line.message);
    }
}
