//! How much a link leans on the constant-strain tetrahedron.

use nalgebra::Vector3;
use pliant_diag::Diagnostic;
use pliant_mesh::LinkMesh;
use pliant_mesh::element::{Solid, SolidShape};
use rayon::prelude::*;

use crate::element::{solid_edges, solid_volume};

/// A share of 4-node tetrahedra below this part of the solid volume is a filler that bends little.
const NEGLIGIBLE: f64 = 0.05;

/// The 4-node tetrahedra of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tetra4Share {
    /// How many there are. 10-node ones with no mid-side node count.
    pub count: usize,
    /// Their part of the volume of all solids, 0 to 1.
    pub volume_share: f64,
    /// Shortest side of the box around them over their mean edge: about how many lie across the thinnest
    /// part.
    pub layers: f64,
}

/// Solids whose volumes are summed by one thread at a time: fixed, so that the sum has the same bits for any
/// number of threads.
const CHUNK: usize = 4096;

/// Counts them; `None` when there is none, which is found without any geometry.
pub(crate) fn tetra4_share(mesh: &LinkMesh) -> Option<Tetra4Share> {
    let is_tetra4 = |solid: &Solid| {
        matches!(solid.shape, SolidShape::Tetra4 | SolidShape::Tetra10)
            && mesh.nodes_of_solid(solid)[4..].iter().all(|mid| !mid.is_some())
    };
    if !mesh.solids.iter().any(is_tetra4) {
        return None;
    }
    let parts: Vec<Part> = mesh
        .solids
        .par_chunks(CHUNK)
        .map(|solids| {
            let mut part = Part::default();
            for solid in solids {
                part.take(mesh, solid, is_tetra4(solid));
            }
            part
        })
        .collect();
    let mut all = Part::default();
    parts.iter().for_each(|part| all.add(part));
    (all.total > 0.0).then(|| {
        let thinnest = (0..3).map(|k| all.high[k] - all.low[k]).fold(f64::INFINITY, f64::min);
        Tetra4Share {
            count: all.count,
            volume_share: all.volume / all.total,
            layers: thinnest * all.edge_count / all.edge_sum,
        }
    })
}

/// What is summed.
struct Part {
    count: usize,
    volume: f64,
    /// Of all solids.
    total: f64,
    edge_sum: f64,
    edge_count: f64,
    low: Vector3<f64>,
    high: Vector3<f64>,
}

impl Default for Part {
    fn default() -> Self {
        let far = Vector3::repeat(f64::INFINITY);
        Self { count: 0, volume: 0.0, total: 0.0, edge_sum: 0.0, edge_count: 0.0, low: far, high: -far }
    }
}

impl Part {
    fn take(&mut self, mesh: &LinkMesh, solid: &Solid, is_tetra4: bool) {
        let volume = solid_volume(mesh, solid).abs();
        self.total += volume;
        if !is_tetra4 {
            return;
        }
        self.count += 1;
        self.volume += volume;
        let nodes = mesh.nodes_of_solid(solid);
        let position = |corner: usize| mesh.node(nodes[corner]).position;
        for [i, j] in solid_edges(solid.shape) {
            self.edge_sum += (position(*j) - position(*i)).norm();
            self.edge_count += 1.0;
        }
        for corner in 0..4 {
            self.low = self.low.inf(&position(corner));
            self.high = self.high.sup(&position(corner));
        }
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.volume += other.volume;
        self.total += other.total;
        self.edge_sum += other.edge_sum;
        self.edge_count += other.edge_count;
        self.low = self.low.inf(&other.low);
        self.high = self.high.sup(&other.high);
    }
}

/// A warning when 4-node tetrahedra carry a part of the link that can bend: they cannot follow a bending
/// strain, so the link comes out too stiff.
pub(crate) fn tetra4_warning(mesh: &LinkMesh) -> Option<Diagnostic> {
    let share = tetra4_share(mesh)?;
    if share.volume_share < NEGLIGIBLE {
        return None;
    }
    let message = format!(
        "{} CTETRA elements with 4 nodes make up {:.0} % of the solid volume; their strain is constant, so in bending the link \
         is too stiff (its thinnest side is about {:.0} elements thick)",
        share.count,
        100.0 * share.volume_share,
        share.layers.max(1.0),
    );
    let first = mesh.solids.iter().find(|s| s.shape == SolidShape::Tetra4).or(mesh.solids.first());
    Some(
        Diagnostic::warning(message)
            .at(first.and_then(|s| s.source.0))
            .hint("mesh with 10-node tetrahedra: four nodes need many layers across a bent wall to come within a few per cent"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_diag::Origin;
    use pliant_mesh::{Components, CoordIndex, ElementId, GridId, Node, NodeIndex, NodeKind, PropertyIndex};

    /// A unit cube as one hexahedron, beside it a tetrahedron of volume `size`³/6.
    fn mixed(size: f64) -> LinkMesh {
        let mut mesh = LinkMesh::default();
        let mut push = |x: f64, y: f64, z: f64| {
            mesh.nodes.push(Node {
                id: GridId(mesh.nodes.len() as u32 + 1),
                kind: NodeKind::Grid,
                position: Vector3::new(x, y, z),
                displacement_frame: CoordIndex::BASIC,
                permanent_spc: Components::NONE,
                source: Origin::default(),
            });
        };
        for z in [0.0, 1.0] {
            for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                push(x, y, z);
            }
        }
        for (x, y, z) in [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)] {
            push(5.0 + size * x, size * y, size * z);
        }
        for (id, shape, first_node) in [(1, SolidShape::Hexa8, 0), (2, SolidShape::Tetra4, 8)] {
            let source = Origin::default();
            mesh.solids.push(Solid {
                id: ElementId(id),
                shape,
                property: PropertyIndex(0),
                first_node,
                source,
            });
        }
        mesh.solid_nodes = (0..12).map(NodeIndex::from).collect();
        mesh
    }

    #[test]
    fn the_share_is_by_volume() {
        let share = tetra4_share(&mixed(1.0)).unwrap();
        assert_eq!(share.count, 1);
        assert!((share.volume_share - 1.0 / 7.0).abs() < 1e-14, "{share:?}");
        let warning = tetra4_warning(&mixed(1.0)).expect("a seventh is worth a word");
        assert!(warning.message.contains("14 %"), "{}", warning.message);
        assert!(tetra4_warning(&mixed(0.1)).is_none(), "a filler is not");
        let mut none = mixed(1.0);
        none.solids.pop();
        assert_eq!(tetra4_share(&none), None);
    }
}
