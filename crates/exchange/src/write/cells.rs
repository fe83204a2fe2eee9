//! The cells of a mesh, whatever family their elements are of.

use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::element::{RodSection, ShellShape};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind, PropertyIndex};

use crate::shape::{Order, Shape, bulk_slots};

/// One cell; nodes by number in the order of bulk data.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) id: u32,
    pub(super) shape: Shape,
    pub(super) nodes: Vec<u32>,
    pub(super) property: Option<PropertyIndex>,
    /// True for a rod.
    pub(super) rod: bool,
    pub(super) source: Origin,
}

/// All cells, ascending by the number of their elements.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) cells: Vec<Cell>,
}

impl Cell {
    /// Its nodes as a format lists them.
    pub(super) fn in_order(&self, order: Order) -> Vec<u32> {
        bulk_slots(self.shape, order).into_iter().map(|slot| self.nodes[slot]).collect()
    }

    /// Number of its property; 0 without one.
    pub(super) fn property_id(&self, mesh: &LinkMesh) -> u32 {
        self.property.map_or(0, |property| mesh.properties[property.index()].id.0)
    }
}

impl Cells {
    pub(super) fn of(mesh: &LinkMesh, diagnostics: &mut Diagnostics) -> Self {
        let mut cells = Vec::new();
        let mut partial = None;
        let mut numbers = |nodes: &[NodeIndex], shape: Shape, source: Origin| -> Option<(Shape, Vec<u32>)> {
            let ids =
                |nodes: &[NodeIndex]| nodes.iter().map(|node| mesh.node(*node).id.0).collect::<Vec<_>>();
            let corners = shape.corner_count();
            let left_out = nodes[corners..].iter().filter(|node| !node.is_some()).count();
            if left_out == 0 {
                return Some((shape, ids(nodes)));
            }
            if left_out == nodes.len() - corners {
                return Some((shape.linear(), ids(&nodes[..corners])));
            }
            partial.get_or_insert(source);
            None
        };
        for rod in &mesh.rods {
            let property = match rod.section {
                RodSection::Property(property) => Some(property),
                RodSection::Own(..) => None,
            };
            let nodes = rod.nodes.map(|node| mesh.node(node).id.0).to_vec();
            cells.push(Cell {
                id: rod.id.0,
                shape: Shape::Line2,
                nodes,
                property,
                rod: true,
                source: rod.source,
            });
        }
        for bar in &mesh.bars {
            let nodes = bar.nodes.map(|node| mesh.node(node).id.0).to_vec();
            let property = Some(bar.property);
            cells.push(Cell {
                id: bar.id.0,
                shape: Shape::Line2,
                nodes,
                property,
                rod: false,
                source: bar.source,
            });
        }
        for shell in &mesh.shells {
            let shape = match shell.shape {
                ShellShape::Tria3 | ShellShape::TriaR => Shape::Tria3,
                ShellShape::Quad4 | ShellShape::QuadR => Shape::Quad4,
                ShellShape::Tria6 => Shape::Tria6,
                ShellShape::Quad8 => Shape::Quad8,
            };
            if let Some((shape, nodes)) = numbers(mesh.nodes_of_shell(shell), shape, shell.source) {
                let property = Some(shell.property);
                cells.push(Cell { id: shell.id.0, shape, nodes, property, rod: false, source: shell.source });
            }
        }
        for solid in &mesh.solids {
            let shape = Shape::Solid(solid.shape);
            if let Some((shape, nodes)) = numbers(mesh.nodes_of_solid(solid), shape, solid.source) {
                let property = Some(solid.property);
                cells.push(Cell { id: solid.id.0, shape, nodes, property, rod: false, source: solid.source });
            }
        }
        if let Some(source) = partial {
            let message = "an element with some of its mid-side grids and not all cannot be written";
            diagnostics.push(Diagnostic::error(message).at(source.0));
        }
        cells.sort_by_key(|cell| cell.id);
        Self { cells }
    }

    /// The shapes that occur.
    pub(super) fn shapes(&self) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = self.cells.iter().map(|cell| cell.shape).collect();
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }
}

/// Grids with their positions; scalar points have none.
pub(super) fn grids(mesh: &LinkMesh) -> impl Iterator<Item = (u32, [f64; 3])> {
    mesh.nodes.iter().filter(|node| node.kind == NodeKind::Grid).map(|node| (node.id.0, node.position.into()))
}

/// Sets of grids with their names; a set without a name is called by its number.
pub(super) fn sets(mesh: &LinkMesh) -> Vec<(u32, String, Vec<u32>)> {
    let name = |id: u32| mesh.names.sets.get(&id).cloned().unwrap_or_else(|| format!("set-{id}"));
    let known = |id: &u32| mesh.node_by_id(pliant_mesh::GridId(*id)).is_some();
    let sets = mesh
        .sets
        .iter()
        .map(|set| (set.id.0, name(set.id.0), set.members.iter().copied().filter(known).collect::<Vec<_>>()));
    sets.filter(|(.., members)| !members.is_empty()).collect()
}

/// Name of a property: its own, or its number.
pub(super) fn property_name(mesh: &LinkMesh, property: PropertyIndex) -> String {
    let id = mesh.properties[property.index()].id.0;
    mesh.names.properties.get(&id).cloned().unwrap_or_else(|| format!("property-{id}"))
}

/// A note about what a format without structure leaves out.
pub(super) fn not_of_meshes(mesh: &LinkMesh) -> Option<Diagnostic> {
    let counts = [
        ("materials", mesh.materials.len()),
        ("masses", mesh.point_masses.len() + mesh.scalar_masses.len()),
        ("springs and bushes", mesh.springs.len() + mesh.bushes.len()),
        ("dampers", mesh.dampers.len() + mesh.viscous_rods.len()),
        ("shear panels", mesh.shear_panels.len()),
        ("rigid elements", mesh.rigids.len()),
        ("constraint equations", mesh.mpcs.len()),
        ("supports", mesh.spcs.len()),
        ("loads", mesh.loads.len()),
        ("matrices", mesh.direct_matrices.len()),
    ];
    let given: Vec<String> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{n} {what}")).collect();
    (!given.is_empty()).then(|| {
        Diagnostic::note(format!("the format holds nodes, cells and sets; left out: {}", given.join(", ")))
    })
}
