//! What is needed to draw a link: its elements as cells over the grids that its shapes move.

use pliant_mesh::element::{RodSection, ShellShape, SolidShape};
use pliant_mesh::{ElementId, LinkMesh, NodeIndex, PropertyIndex, RigidKind};
use pliant_reduce::NodalShapes;

/// The cells of a link, with the cell types and node orders of VTK.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Number of the GRID of each row of the shapes.
    pub grids: Vec<u32>,
    /// VTK cell type of each cell.
    pub cell_types: Vec<u8>,
    /// Where the rows of each cell begin in `connectivity`, and where those of the last one end.
    pub offsets: Vec<u32>,
    /// Rows of the shapes.
    pub connectivity: Vec<u32>,
    /// Number of the element of each cell. Those of a spider share one.
    pub elements: Vec<u32>,
    /// Number of the property of each cell; 0 where it has none.
    pub properties: Vec<u32>,
}

/// VTK's numbers.
mod vtk {
    pub(super) const LINE: u8 = 3;
    pub(super) const TRIANGLE: u8 = 5;
    pub(super) const QUAD: u8 = 9;
    pub(super) const TETRA: u8 = 10;
    pub(super) const HEXAHEDRON: u8 = 12;
    pub(super) const WEDGE: u8 = 13;
    pub(super) const PYRAMID: u8 = 14;
    pub(super) const QUADRATIC_TRIANGLE: u8 = 22;
    pub(super) const QUADRATIC_QUAD: u8 = 23;
    pub(super) const QUADRATIC_TETRA: u8 = 24;
    pub(super) const QUADRATIC_HEXAHEDRON: u8 = 25;
    pub(super) const QUADRATIC_WEDGE: u8 = 26;
    pub(super) const QUADRATIC_PYRAMID: u8 = 27;
}

impl Drawing {
    /// The drawing of a mesh over the grids of its shapes: structural elements, and rigid ones as spiders of
    /// lines.
    pub fn of(mesh: &LinkMesh, shapes: &NodalShapes) -> Self {
        let mut row_of_node = vec![u32::MAX; mesh.nodes.len()];
        for (row, node) in shapes.nodes.iter().enumerate() {
            row_of_node[node.index()] = NodeIndex::from(row).0;
        }
        let grids = shapes.nodes.iter().map(|node| mesh.node(*node).id.0).collect();
        let mut drawing = Self { grids, offsets: vec![0], ..Self::default() };
        let mut cell =
            |kind: u8, element: ElementId, property: Option<PropertyIndex>, nodes: &[NodeIndex]| {
                drawing.cell_types.push(kind);
                drawing.elements.push(element.0);
                drawing.properties.push(property.map_or(0, |at| mesh.properties[at.index()].id.0));
                drawing.connectivity.extend(nodes.iter().map(|node| row_of_node[node.index()]));
                drawing.offsets.push(NodeIndex::from(drawing.connectivity.len()).0);
            };
        for rod in &mesh.rods {
            let property = match &rod.section {
                RodSection::Property(property) => Some(*property),
                RodSection::Own(..) => None,
            };
            cell(vtk::LINE, rod.id, property, &rod.nodes);
        }
        for bar in &mesh.bars {
            cell(vtk::LINE, bar.id, Some(bar.property), &bar.nodes);
        }
        for bush in &mesh.bushes {
            if let (a, Some(b)) = bush.nodes {
                cell(vtk::LINE, bush.id, Some(bush.property), &[a, b]);
            }
        }
        for rod in &mesh.viscous_rods {
            cell(vtk::LINE, rod.id, Some(rod.property), &rod.nodes);
        }
        for line in &mesh.plot_elements {
            cell(vtk::LINE, line.id, None, &line.nodes);
        }
        for panel in &mesh.shear_panels {
            cell(vtk::QUAD, panel.id, Some(panel.property), &panel.nodes);
        }
        for shell in &mesh.shells {
            let (kind, nodes) = shell_cell(shell.shape, mesh.nodes_of_shell(shell));
            cell(kind, shell.id, Some(shell.property), &nodes);
        }
        for solid in &mesh.solids {
            let (kind, nodes) = solid_cell(solid.shape, mesh.nodes_of_solid(solid));
            cell(kind, solid.id, Some(solid.property), &nodes);
        }
        for rigid in &mesh.rigids {
            for pair in spider(&rigid.kind) {
                cell(vtk::LINE, rigid.id, None, &pair);
            }
        }
        drawing
    }

    /// Sticks from one point to the others, for a link that is no more than its interfaces.
    pub(crate) fn sticks(points: u32) -> Self {
        let count = points.saturating_sub(1) as usize;
        Self {
            grids: (0..points).collect(),
            cell_types: vec![vtk::LINE; count],
            offsets: (0..).step_by(2).take(count + 1).collect(),
            connectivity: (1..points).flat_map(|point| [0, point]).collect(),
            elements: vec![0; count],
            properties: vec![0; count],
        }
    }

    /// True when every index lies inside what it points into, for `rows` rows of shapes.
    pub(crate) fn is_sound(&self, rows: usize) -> bool {
        let end = self.offsets.last().map_or(0, |end| *end as usize);
        self.grids.len() == rows
            && self.elements.len() == self.cell_types.len()
            && self.properties.len() == self.cell_types.len()
            && self.offsets.len() == if self.offsets.is_empty() { 0 } else { self.cell_types.len() + 1 }
            && self.offsets.is_sorted()
            && end == self.connectivity.len()
            && self.connectivity.iter().all(|row| (*row as usize) < rows)
    }
}

fn shell_cell(shape: ShellShape, nodes: &[NodeIndex]) -> (u8, Vec<NodeIndex>) {
    let quadratic = match shape {
        ShellShape::Tria6 => Some(vtk::QUADRATIC_TRIANGLE),
        ShellShape::Quad8 => Some(vtk::QUADRATIC_QUAD),
        _ => None,
    };
    match quadratic {
        Some(kind) if nodes.iter().all(|node| node.is_some()) => (kind, nodes.to_vec()),
        _ => {
            let kind = if shape.corner_count() == 3 { vtk::TRIANGLE } else { vtk::QUAD };
            (kind, nodes[..shape.corner_count()].to_vec())
        }
    }
}

/// An element that leaves out mid-side nodes is drawn by its corners.
fn solid_cell(shape: SolidShape, nodes: &[NodeIndex]) -> (u8, Vec<NodeIndex>) {
    let corners = shape.corner_count();
    let complete = nodes.iter().all(|node| node.is_some());
    if !complete || nodes.len() == corners {
        let kind = match corners {
            4 => vtk::TETRA,
            5 => vtk::PYRAMID,
            6 => vtk::WEDGE,
            _ => vtk::HEXAHEDRON,
        };
        return (kind, nodes[..corners].to_vec());
    }
    // Nastran numbers bottom, upright, top edges; VTK bottom, top, upright ones.
    let upright_last = |edges: usize| {
        let (bottom, rest) = nodes.split_at(corners + edges);
        let (upright, top) = rest.split_at(edges);
        [bottom, top, upright].concat()
    };
    match shape {
        SolidShape::Hexa20 => (vtk::QUADRATIC_HEXAHEDRON, upright_last(4)),
        SolidShape::Penta15 => (vtk::QUADRATIC_WEDGE, upright_last(3)),
        SolidShape::Pyramid13 => (vtk::QUADRATIC_PYRAMID, nodes.to_vec()),
        _ => (vtk::QUADRATIC_TETRA, nodes.to_vec()),
    }
}

fn spider(kind: &RigidKind) -> Vec<[NodeIndex; 2]> {
    match kind {
        RigidKind::Rbe2 { independent, dependents, .. } => {
            dependents.iter().map(|node| [*independent, *node]).collect()
        }
        RigidKind::Rbe3 { reference, groups, .. } => {
            groups.iter().flat_map(|group| &group.nodes).map(|node| [*reference, *node]).collect()
        }
        RigidKind::Rbe1 { independents, dependents } => {
            let Some((first, _)) = independents.first() else { return Vec::new() };
            let others = independents[1..].iter().chain(dependents);
            others.map(|(node, _)| [*first, *node]).filter(|[a, b]| a != b).collect()
        }
        RigidKind::Rbar { nodes, .. } | RigidKind::Rrod { nodes, .. } => vec![*nodes],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_edges_of_a_hexahedron_come_last() {
        let nodes: Vec<NodeIndex> = (1..=20).map(NodeIndex).collect();
        let (kind, order) = solid_cell(SolidShape::Hexa20, &nodes);
        let order: Vec<u32> = order.iter().map(|node| node.0).collect();
        assert_eq!(kind, 25);
        // vtkQuadraticHexahedron: mid-edges (0,1)…(3,0), (4,5)…(7,4), (0,4)…(3,7); CHEXA has the last two
        // groups the other way round.
        let expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 13, 14, 15, 16];
        assert_eq!(order, expected);
        let mut partial = nodes;
        partial[12] = NodeIndex::NONE;
        assert_eq!(solid_cell(SolidShape::Hexa20, &partial).0, 12, "by its corners");
    }
}
