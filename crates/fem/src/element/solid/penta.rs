//! CPENTA, 6 to 15 nodes: triangle (barycentric coordinates ξ of G2 and η of G3) times ζ ∈ [−1, 1].
//!
//! Internal modes of the 6-node element, nine in all:
//! - displacements 1 − ζ², against shear locking of bending along the prism;
//! - displacements L₁L₂ + L₂L₃ + L₃L₁, which let the section contract and bulge as bending asks: the bubble
//!   that NX's element has;
//! - warping along the prism's axis by the other two quadratics, and a shear strain like that of a twist,
//!   which relieve torsion: what is left is the torsion constant of a solid triangle, 0.9 A³/Σl²
//!   (Saint-Venant's A⁴/40I_p).
//!
//! In the plane of the triangles the element stays the constant-strain triangle: no internal mode can change
//! that. One layer of thin wedges in plate bending locks; use hexahedra, 15-node wedges or shells there.

use super::family::{Family, FamilyKind, ShapeValue};
use super::quadrature::wedge;

/// Quadratic warping leaves 4/3 A³/Σl² of a triangle's torsion constant, a solid triangle has about 0.9
/// A³/Σl².
const TORSION_RELIEF: f64 = 1.0 - 0.9 / (4.0 / 3.0);

pub(super) static PENTA: Family = Family {
    kind: FamilyKind::Penta,
    corners: &[
        [0.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
    ],
    edges: &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 4], [2, 5], [3, 4], [4, 5], [5, 3]],
    faces: &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
    linear: |corner, point| {
        let (l, gradient) = area_coordinate(corner % 3, point);
        let (f, derivative) = end(corner, point[2]);
        ShapeValue { value: l * f, gradient: [gradient[0] * f, gradient[1] * f, l * derivative] }
    },
    edge: |edge, point| {
        let [i, j] = PENTA.edges[edge];
        let (a, da) = area_coordinate(i % 3, point);
        if i % 3 == j % 3 {
            let z = point[2];
            let f = 1.0 - z * z;
            return ShapeValue { value: a * f, gradient: [da[0] * f, da[1] * f, -2.0 * a * z] };
        }
        let (b, db) = area_coordinate(j % 3, point);
        let (f, derivative) = end(i, point[2]);
        let across = |k: usize| 4.0 * (a * db[k] + b * da[k]) * f;
        ShapeValue { value: 4.0 * a * b * f, gradient: [across(0), across(1), 4.0 * a * b * derivative] }
    },
    internal: |point| {
        let across = |i: usize, j: usize| {
            let ((a, da), (b, db)) = (area_coordinate(i, point), area_coordinate(j, point));
            [a * db[0] + b * da[0], a * db[1] + b * da[1], 0.0]
        };
        let [first, second, third] = [across(0, 1), across(1, 2), across(2, 0)];
        let sum = std::array::from_fn(|k| first[k] + second[k] + third[k]);
        let difference = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k] - b[k]);
        let twist = [1.0 / 3.0 - point[1], point[0] - 1.0 / 3.0, 0.0];
        vec![[0.0, 0.0, point[2]], sum, difference(first, second), difference(second, third), twist]
    },
    axial_modes: 3,
    last_mode_relief: TORSION_RELIEF,
    volumetric: |_| Vec::new(),
    linear_rule: || wedge(3, 2),
    quadratic_rule: || wedge(7, 3),
    reduced_rule: || wedge(3, 2),
    linear_mass_rule: || wedge(7, 3),
    quadratic_mass_rule: || wedge(7, 3),
};

fn area_coordinate(i: usize, [x, y, _]: [f64; 3]) -> (f64, [f64; 2]) {
    match i {
        0 => (1.0 - x - y, [-1.0, -1.0]),
        1 => (x, [1.0, 0.0]),
        _ => (y, [0.0, 1.0]),
    }
}

/// ½(1 ± ζ) of the triangle that a corner belongs to.
fn end(corner: usize, z: f64) -> (f64, f64) {
    let sign = if corner < 3 { -1.0 } else { 1.0 };
    (0.5 * (1.0 + sign * z), 0.5 * sign)
}

#[cfg(test)]
mod tests {
    use super::super::family::tests::{check_faces, check_shape};
    use super::*;

    #[test]
    fn shape_functions_and_faces() {
        check_shape(&PENTA, &[[0.1, 0.2, -0.3], [0.3, 0.3, 0.0], [0.05, 0.6, 0.9]]);
        check_faces(&PENTA);
    }
}
