//! The material frame of a solid.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::LinkMesh;
use pliant_mesh::property::SolidProperty;

use super::elasticity::nearest_rotation;
use super::family::{Family, FamilyKind, MidNodes};
use super::gradients::jacobian;
use super::table::{MAX_NODES, gradients};

/// Axes of the material as columns in the basic frame. A cylindrical or spherical CORDM is taken at the mean
/// of the corners, so the material is constant within an element.
pub(super) fn material_axes(
    mesh: &LinkMesh,
    property: &SolidProperty,
    family: &Family,
    x: &[[f64; 3]; MAX_NODES],
) -> Matrix3<f64> {
    match property.material_frame {
        Some(frame) => {
            let corners = &x[..family.corners.len()];
            let mean = corners.iter().map(|p| Vector3::from(*p)).sum::<Vector3<f64>>() / corners.len() as f64;
            mesh.coordinates[frame.index()].triad_at(mean)
        }
        None => element_axes(family, x),
    }
}

/// The element frame (CORDM = −1): the rotation nearest to R, S, T. For CTETRA these join the middles of
/// opposite edges (G1–G2 to G3–G4, G1–G3 to G2–G4, G1–G4 to G2–G3); for CHEXA they are its ξ, η, ζ lines
/// through the centre. CPENTA: x from the middle of G1–G4 to that of G2–G5, z normal to the middle triangle.
/// CPYRAM: as CHEXA.
fn element_axes(family: &Family, x: &[[f64; 3]; MAX_NODES]) -> Matrix3<f64> {
    let p = |i: usize| Vector3::from(x[i]);
    match family.kind {
        FamilyKind::Tetra => {
            let between = |[a, b]: [usize; 2], [c, d]: [usize; 2]| (p(c) + p(d) - p(a) - p(b)) * 0.5;
            nearest_rotation([between([0, 1], [2, 3]), between([0, 2], [1, 3]), between([0, 3], [1, 2])])
        }
        FamilyKind::Penta => {
            let middle = |i: usize| (p(i) + p(i + 3)) * 0.5;
            let x_axis = (middle(1) - middle(0)).normalize();
            let z_axis = (middle(1) - middle(0)).cross(&(middle(2) - middle(0))).normalize();
            Matrix3::from_columns(&[x_axis, z_axis.cross(&x_axis), z_axis])
        }
        FamilyKind::Hexa | FamilyKind::Pyramid => {
            let count = family.corners.len();
            let J = jacobian(&gradients(family, MidNodes::default(), family.centre()), &x[..count]);
            nearest_rotation(J.map(Vector3::from))
        }
    }
}
