//! PLOAD: pressure on the surface of three or four grids.

use nalgebra::Vector3;
use pliant_mesh::{LinkMesh, NodeIndex};

/// Forces on the grids. A triangle gives a third of pressure × area to each corner. A quadrilateral is
/// covered twice, by the two ways to cut it into triangles, each with half the pressure.
pub(super) fn pressure_on_grids(
    mesh: &LinkMesh,
    pressure: f64,
    nodes: [NodeIndex; 4],
) -> Vec<(NodeIndex, Vector3<f64>)> {
    let triangle = |i: usize, j: usize, k: usize, pressure: f64| {
        let [a, b, c] = [i, j, k].map(|n| mesh.node(nodes[n]).position);
        let force = (b - a).cross(&(c - a)) * (0.5 * pressure / 3.0);
        [i, j, k].map(|n| (nodes[n], force))
    };
    if !nodes[3].is_some() {
        return triangle(0, 1, 2, pressure).to_vec();
    }
    let half = 0.5 * pressure;
    [(0, 1, 2), (0, 2, 3), (0, 1, 3), (1, 2, 3)]
        .into_iter()
        .flat_map(|(i, j, k)| triangle(i, j, k, half))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_diag::Origin;
    use pliant_mesh::{Components, CoordIndex, GridId, Node, NodeKind};

    /// A unit square in the x–y plane: a quarter of the pressure on each corner along +z; the total force of
    /// any planar quadrilateral is pressure × area.
    #[test]
    fn a_square_shares_equally() {
        let mut mesh = LinkMesh::default();
        for (i, (x, y)) in
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (3.0, 2.0)].into_iter().enumerate()
        {
            mesh.nodes.push(Node {
                id: GridId(i as u32 + 1),
                kind: NodeKind::Grid,
                position: Vector3::new(x, y, 0.0),
                displacement_frame: CoordIndex::BASIC,
                permanent_spc: Components::NONE,
                source: Origin::default(),
            });
        }
        let mut sums = [Vector3::zeros(); 4];
        for (node, force) in pressure_on_grids(&mesh, 8.0, [0, 1, 2, 3].map(NodeIndex)) {
            sums[node.index()] += force;
        }
        assert!(sums.iter().all(|s: &Vector3<f64>| (s - Vector3::new(0., 0., 2.)).norm() < 1e-15));
        // Shoelace area of (0,0) (1,0) (3,2) (0,1) is ½(0 + 2 + 3 + 0) = 2.5.
        let total: Vector3<f64> =
            pressure_on_grids(&mesh, 8.0, [0, 1, 4, 3].map(NodeIndex)).iter().map(|(_, f)| f).sum();
        assert!((total - Vector3::new(0., 0., 20.)).norm() < 1e-14);
        let half = pressure_on_grids(&mesh, 6.0, [NodeIndex(0), NodeIndex(1), NodeIndex(2), NodeIndex::NONE]);
        assert!(half.iter().all(|(_, f)| (f - Vector3::new(0., 0., 1.)).norm() < 1e-15));
    }
}
