//! CHEXA, 8 to 20 nodes, on the cube [−1, 1]³.
//!
//! Internal modes of the 8-node element: the incompatible displacements 1 − ξ², 1 − η², 1 − ζ² of Wilson with
//! the correction of Taylor, Beresford and Wilson (1976), nine in all, against shear and Poisson locking in
//! bending; and three volumetric strains ηζ, ζξ, ξη that free the ξηζ hourglass displacements of an
//! incompressible material (the twelfth-parameter enhancement of Andelfinger and Ramm, 1993, restricted to
//! the volume so that no hourglass mode loses its shear energy).

use super::family::{Family, FamilyKind, ShapeValue};
use super::quadrature::cube;

pub(super) static HEXA: Family = Family {
    kind: FamilyKind::Hexa,
    corners: &[
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
    ],
    edges: &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 5], [2, 6], [3, 7], [4, 5], [5, 6], [6, 7], [7, 4]],
    faces: &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
    linear: |corner, point| product(std::array::from_fn(|k| factor(HEXA.corners[corner][k], point[k]))),
    edge: |edge, point| {
        let middle = HEXA.reference_position(edge + 8);
        product(std::array::from_fn(|k| factor(middle[k], point[k])))
    },
    internal: |[x, y, z]| vec![[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
    axial_modes: 0,
    last_mode_relief: 1.0,
    volumetric: |[x, y, z]| vec![y * z, z * x, x * y],
    linear_rule: || cube(2),
    quadratic_rule: || cube(3),
    reduced_rule: || cube(2),
    linear_mass_rule: || cube(3),
    quadratic_mass_rule: || cube(3),
};

/// One-dimensional factor and its derivative: ½(1 ± x) towards an end, 1 − x² in the middle.
fn factor(corner: f64, x: f64) -> (f64, f64) {
    if corner == 0.0 { (1.0 - x * x, -2.0 * x) } else { (0.5 * (1.0 + corner * x), 0.5 * corner) }
}

fn product(f: [(f64, f64); 3]) -> ShapeValue {
    ShapeValue {
        value: f[0].0 * f[1].0 * f[2].0,
        gradient: [f[0].1 * f[1].0 * f[2].0, f[0].0 * f[1].1 * f[2].0, f[0].0 * f[1].0 * f[2].1],
    }
}

#[cfg(test)]
mod tests {
    use super::super::family::tests::{check_faces, check_shape};
    use super::*;

    #[test]
    fn shape_functions_and_faces() {
        check_shape(&HEXA, &[[0.1, 0.2, -0.3], [0.0, 0.0, 0.0], [-0.7, 0.6, 0.9]]);
        check_faces(&HEXA);
    }
}
