//! From the grids that a PLOAD4 names to the corners of a face.

use nalgebra::Vector3;
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, SolidShape};
use pliant_mesh::{LinkMesh, NodeIndex, PressureFace};

use crate::element::{FacePressure, solid_faces};

/// The pressure on the corners of the face that a load names: on a solid P1 acts at G1 and the others follow
/// by the right-hand rule about the outward normal, on a shell they follow its own corners (MSC Nastran Quick
/// Reference Guide, PLOAD4, remarks 3 and 4).
///
/// # Errors
/// The grids do not name one face of the element.
pub(super) fn face_pressure(
    mesh: &LinkMesh,
    element: ElementRef,
    face: PressureFace,
    pressures: [f64; 4],
    direction: Option<Vector3<f64>>,
) -> Result<FacePressure, Box<Diagnostic>> {
    match element {
        ElementRef::Shell(i) => {
            let shell = &mesh.shells[i as usize];
            let count = shell.shape.corner_count();
            let corners = mesh.nodes_of_shell(shell)[..count].to_vec();
            Ok(FacePressure { corners, pressures: pressures[..count].to_vec(), direction })
        }
        ElementRef::Solid(i) => {
            let solid = &mesh.solids[i as usize];
            let nodes = mesh.nodes_of_solid(solid);
            let corners = solid_face(solid.shape, nodes, face)?;
            let pressures = pressures[..corners.len()].to_vec();
            Ok(FacePressure { corners, pressures, direction })
        }
        _ => Err(Diagnostic::boxed("takes no pressure")),
    }
}

/// Corners of the face, starting at the grid the load names first.
fn solid_face(
    shape: SolidShape,
    nodes: &[NodeIndex],
    face: PressureFace,
) -> Result<Vec<NodeIndex>, Box<Diagnostic>> {
    let slot = |node: NodeIndex| {
        nodes[..shape.corner_count()]
            .iter()
            .position(|n| *n == node)
            .ok_or_else(|| Diagnostic::boxed("the grids of the pressure are not corners of this element"))
    };
    let (first, chosen): (usize, Vec<&&[usize]>) = match face {
        PressureFace::Diagonal(a, b) => {
            let (a, b) = (slot(a)?, slot(b)?);
            let opposite = |f: &[usize]| {
                f.len() == 4 && f.iter().position(|i| *i == a).is_some_and(|k| f[(k + 2) % 4] == b)
            };
            // A triangular face of a pyramid has no diagonal: it is named by its side on the base.
            let pyramid = matches!(shape, SolidShape::Pyramid5 | SolidShape::Pyramid13);
            let side = |f: &[usize]| pyramid && f.len() == 3 && f.contains(&a) && f.contains(&b);
            (a, solid_faces(shape).iter().filter(|f| opposite(f) || side(f)).collect())
        }
        PressureFace::Corner(a, opposite) => {
            let a = slot(a)?;
            let opposite = opposite.map(slot).transpose()?;
            let triangle =
                |f: &[usize]| f.len() == 3 && f.contains(&a) && opposite.is_none_or(|o| !f.contains(&o));
            (a, solid_faces(shape).iter().filter(|f| triangle(f)).collect())
        }
        PressureFace::Shell => (0, Vec::new()),
    };
    let [corners] = chosen[..] else {
        return Err(Diagnostic::boxed("the grids of the pressure do not name one face of this element"));
    };
    let start = corners.iter().position(|i| *i == first).expect("invariant: the face holds its first grid");
    Ok((0..corners.len()).map(|k| nodes[corners[(start + k) % corners.len()]]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every face turns outward: its area vector points away from the centroid of a reference shape, and the
    /// area vectors of a closed surface add up to zero.
    #[test]
    fn faces_are_closed_and_outward() {
        let p = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
        let cases = [
            (SolidShape::Tetra4, vec![p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(0., 0., 1.)]),
            (
                SolidShape::Pyramid5,
                vec![p(0., 0., 0.), p(1., 0., 0.), p(1., 1., 0.), p(0., 1., 0.), p(0.5, 0.5, 1.)],
            ),
            (
                SolidShape::Penta6,
                vec![
                    p(0., 0., 0.),
                    p(1., 0., 0.),
                    p(0., 1., 0.),
                    p(0., 0., 1.),
                    p(1., 0., 1.),
                    p(0., 1., 1.),
                ],
            ),
            (
                SolidShape::Hexa8,
                (0..8)
                    .map(|i| {
                        let (x, y) = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)][i % 4];
                        p(x, y, (i / 4) as f64)
                    })
                    .collect(),
            ),
        ];
        for (shape, points) in cases {
            let centroid: Vector3<f64> = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
            let mut total = Vector3::zeros();
            for face in solid_faces(shape) {
                let at = |k: usize| points[face[k % face.len()]];
                let area: Vector3<f64> =
                    (1..face.len() - 1).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0))) * 0.5).sum();
                assert!(area.dot(&(at(0) - centroid)) > 0.0, "{shape:?} {face:?}");
                total += area;
            }
            assert!(total.norm() < 1e-15, "{shape:?}");
        }
        let nodes: Vec<NodeIndex> = (10..18).map(NodeIndex).collect();
        let top = solid_face(SolidShape::Hexa8, &nodes, PressureFace::Diagonal(NodeIndex(16), NodeIndex(14)));
        assert_eq!(top.unwrap(), [16, 17, 14, 15].map(NodeIndex));
        let base =
            solid_face(SolidShape::Tetra4, &nodes, PressureFace::Corner(NodeIndex(11), Some(NodeIndex(13))));
        assert_eq!(base.unwrap(), [11, 10, 12].map(NodeIndex));
        let slope =
            solid_face(SolidShape::Pyramid5, &nodes, PressureFace::Diagonal(NodeIndex(11), NodeIndex(12)));
        assert_eq!(slope.unwrap(), [11, 12, 14].map(NodeIndex));
        let edge =
            solid_face(SolidShape::Hexa8, &nodes, PressureFace::Diagonal(NodeIndex(10), NodeIndex(11)));
        assert!(edge.is_err());
    }
}
