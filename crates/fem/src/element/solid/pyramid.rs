//! CPYRAM, 5 to 13 nodes: base [−1, 1]² at ζ = 0, apex at ζ = 1.
//!
//! The shape functions are rational (Bedrosian, 1992): polynomials in a = ξ/(1−ζ), b = η/(1−ζ) and ζ, so that
//! each face matches its tetrahedral, wedge or hexahedral neighbour. They have no gradient at the apex; no
//! rule has a point there. Internal modes of the 5-node element: the incompatible displacements ξ², η², ζ².

use super::family::{Family, FamilyKind, ShapeValue};
use super::quadrature::pyramid;

pub(super) static PYRAMID: Family = Family {
    kind: FamilyKind::Pyramid,
    corners: &[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    edges: &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]],
    faces: &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
    linear: |corner, point| {
        if corner == 4 {
            return ShapeValue { value: point[2], gradient: [0.0, 0.0, 1.0] };
        }
        let [i, j, _] = PYRAMID.corners[corner];
        let (a, b, s) = collapsed(point);
        let (f, g) = (1.0 + i * a, 1.0 + j * b);
        from_collapsed(point, 0.25 * s * f * g, [0.25 * s * i * g, 0.25 * s * f * j, -0.25 * f * g])
    },
    edge: |edge, point| {
        let (a, b, s) = collapsed(point);
        let z = 1.0 - s;
        let [i, j] = PYRAMID.edges[edge];
        if j == 4 {
            let [i, j, _] = PYRAMID.corners[i];
            let (f, g) = (1.0 + i * a, 1.0 + j * b);
            let gradient = [z * s * i * g, z * s * f * j, (s - z) * f * g];
            return from_collapsed(point, z * s * f * g, gradient);
        }
        let [x, y, _] = PYRAMID.reference_position(edge + 5);
        // ½ s² (1 − t²)(1 ± u) with t along the edge and u across it.
        let (t, u, sign) = if x == 0.0 { (a, b, y) } else { (b, a, x) };
        let (f, g) = (1.0 - t * t, 1.0 + sign * u);
        let along = -s * s * t * g;
        let across = 0.5 * s * s * f * sign;
        let gradient = if x == 0.0 { [along, across, -s * f * g] } else { [across, along, -s * f * g] };
        from_collapsed(point, 0.5 * s * s * f * g, gradient)
    },
    internal: |[x, y, z]| vec![[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
    axial_modes: 0,
    last_mode_relief: 1.0,
    volumetric: |_| Vec::new(),
    linear_rule: || pyramid(2),
    quadratic_rule: || pyramid(3),
    reduced_rule: || pyramid(2),
    linear_mass_rule: || pyramid(3),
    quadratic_mass_rule: || pyramid(3),
};

/// (a, b, s) of a point; at the apex itself, where a and b are undefined, they are 0.
fn collapsed([x, y, z]: [f64; 3]) -> (f64, f64, f64) {
    let s = 1.0 - z;
    if s == 0.0 { (0.0, 0.0, 0.0) } else { (x / s, y / s, s) }
}

/// From derivatives by (a, b, ζ) to those by (ξ, η, ζ): ∂a/∂ξ = 1/s, ∂a/∂ζ = a/s.
fn from_collapsed(point: [f64; 3], value: f64, [da, db, dz]: [f64; 3]) -> ShapeValue {
    let (a, b, s) = collapsed(point);
    if s == 0.0 {
        return ShapeValue { value, gradient: [0.0; 3] };
    }
    ShapeValue { value, gradient: [da / s, db / s, dz + (a * da + b * db) / s] }
}

#[cfg(test)]
mod tests {
    use super::super::family::tests::{check_faces, check_shape};
    use super::*;

    #[test]
    fn shape_functions_and_faces() {
        check_shape(&PYRAMID, &[[0.1, 0.2, 0.3], [0.0, 0.0, 0.25], [-0.3, 0.1, 0.6]]);
        check_faces(&PYRAMID);
    }
}
