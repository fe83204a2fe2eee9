//! Pressure on a face of a solid.

use nalgebra::{DVector, Vector3};

use super::quadrature::{line, triangle};
use super::{ABSENT, SolidElement};
use crate::element::FacePressure;

/// Consistent loads f_i = ∫ N_i p d dA of a pressure that varies linearly between the corners of the face,
/// with d the given direction or else the inward normal. `None` when no face has these corners.
pub(super) fn pressure_load(element: &SolidElement, load: &FacePressure) -> Option<DVector<f64>> {
    let family = element.family;
    let node_of = |slot: usize| element.nodes[slot];
    let face = family.faces.iter().find(|face| {
        face.len() == load.corners.len() && face.iter().all(|c| load.corners.contains(&node_of(*c)))
    })?;
    let count = face.len();
    let pressure_at = |corner: usize| {
        let slot = load.corners.iter().position(|n| *n == node_of(corner))?;
        load.pressures.get(slot).copied()
    };
    let pressures: Vec<f64> = face.iter().map(|c| pressure_at(*c)).collect::<Option<_>>()?;
    // The mid-side node between corner k of the face and the next, if there is one.
    let mids: Vec<Option<usize>> = (0..count)
        .map(|k| {
            let (i, j) = (face[k], face[(k + 1) % count]);
            let edge = family.edges.iter().position(|e| *e == [i, j] || *e == [j, i])?;
            element.mids.has(edge).then_some(family.corners.len() + edge)
        })
        .collect();
    let direction = load.direction.and_then(|d| d.try_normalize(0.0));
    let positions = element.positions();
    let rows = element.rows();
    let mut f = DVector::zeros(element.dofs.len());
    for (s, t, weight) in face_rule(count) {
        let corner = corner_functions(count, s, t);
        let pressure: f64 = corner.iter().zip(&pressures).map(|(n, p)| n[0] * p).sum();
        let mut functions: Vec<(usize, [f64; 3])> =
            face.iter().copied().zip(corner.iter().copied()).collect();
        for (k, mid) in mids.iter().enumerate() {
            let Some(slot) = mid else { continue };
            let next = (k + 1) % count;
            let function = mid_function(count, &corner, k, s, t);
            for end in [k, next] {
                for (corner, mid) in functions[end].1.iter_mut().zip(function) {
                    *corner -= 0.5 * mid;
                }
            }
            functions.push((*slot, function));
        }
        let tangent = |c: usize| -> Vector3<f64> {
            functions.iter().map(|(slot, n)| Vector3::from(positions[*slot]) * n[c]).sum()
        };
        let outward = tangent(1).cross(&tangent(2));
        let force = match direction {
            Some(d) => d * outward.norm(),
            None => -outward,
        } * (pressure * weight);
        for (slot, n) in &functions {
            assert!(rows[*slot] != ABSENT, "invariant: corners and mid-side nodes in use have rows");
            for c in 0..3 {
                f[rows[*slot] + c] += n[0] * force[c];
            }
        }
    }
    Some(f)
}

/// (s, t, weight) on the triangle of area ½ or the square [−1, 1]².
fn face_rule(corners: usize) -> Vec<(f64, f64, f64)> {
    if corners == 3 {
        return triangle(7);
    }
    let line = line(3);
    line.iter().flat_map(|(t, wt)| line.iter().map(move |(s, ws)| (*s, *t, ws * wt))).collect()
}

/// N, ∂N/∂s, ∂N/∂t of the corners of a face.
fn corner_functions(corners: usize, s: f64, t: f64) -> Vec<[f64; 3]> {
    if corners == 3 {
        return vec![[1.0 - s - t, -1.0, -1.0], [s, 1.0, 0.0], [t, 0.0, 1.0]];
    }
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .iter()
        .map(|[a, b]| {
            [0.25 * (1.0 + a * s) * (1.0 + b * t), 0.25 * a * (1.0 + b * t), 0.25 * b * (1.0 + a * s)]
        })
        .collect()
}

/// N, ∂N/∂s, ∂N/∂t of the mid-side node after corner k.
fn mid_function(corners: usize, corner: &[[f64; 3]], k: usize, s: f64, t: f64) -> [f64; 3] {
    if corners == 3 {
        let (a, b) = (corner[k], corner[(k + 1) % 3]);
        return [4.0 * a[0] * b[0], 4.0 * (a[0] * b[1] + b[0] * a[1]), 4.0 * (a[0] * b[2] + b[0] * a[2])];
    }
    let sign = if k == 0 || k == 3 { -1.0 } else { 1.0 };
    let bubble = |along: f64, across: f64| {
        let g = 1.0 + sign * across;
        (0.5 * (1.0 - along * along) * g, -along * g, 0.5 * (1.0 - along * along) * sign)
    };
    if k.is_multiple_of(2) {
        let (n, along, across) = bubble(s, t);
        [n, along, across]
    } else {
        let (n, along, across) = bubble(t, s);
        [n, across, along]
    }
}
