//! CTETRA, 4 and 10 nodes: ξ, η, ζ are the barycentric coordinates of G2, G3, G4.
//!
//! K of the 4-node element is the constant-strain one, as Nastran's; 10 nodes: 4-point rule, exact for
//! straight edges.

use super::family::{Family, FamilyKind, ShapeValue};
use super::quadrature::tetrahedron;

pub(super) static TETRA: Family = Family {
    kind: FamilyKind::Tetra,
    corners: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    edges: &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
    faces: &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
    linear,
    edge: |edge, point| {
        let [i, j] = TETRA.edges[edge];
        let (a, b) = (linear(i, point), linear(j, point));
        ShapeValue {
            value: 4.0 * a.value * b.value,
            gradient: std::array::from_fn(|k| 4.0 * (a.value * b.gradient[k] + b.value * a.gradient[k])),
        }
    },
    // Constant strain is orthogonal to every zero-mean internal strain: none would change the 4-node element.
    internal: |_| Vec::new(),
    axial_modes: 0,
    last_mode_relief: 1.0,
    volumetric: |_| Vec::new(),
    linear_rule: || tetrahedron(1),
    quadratic_rule: || tetrahedron(4),
    reduced_rule: || tetrahedron(4),
    linear_mass_rule: || tetrahedron(4),
    quadratic_mass_rule: || tetrahedron(14),
};

fn linear(corner: usize, [x, y, z]: [f64; 3]) -> ShapeValue {
    match corner {
        0 => ShapeValue { value: 1.0 - x - y - z, gradient: [-1.0; 3] },
        _ => {
            let mut gradient = [0.0; 3];
            gradient[corner - 1] = 1.0;
            ShapeValue { value: [x, y, z][corner - 1], gradient }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::family::tests::{check_faces, check_shape};
    use super::*;

    #[test]
    fn shape_functions_and_faces() {
        check_shape(&TETRA, &[[0.1, 0.2, 0.3], [0.25, 0.25, 0.25], [0.05, 0.6, 0.1]]);
        check_faces(&TETRA);
    }
}
