//! Volume of a mesh, curved sides included.

use nalgebra::Vector3;

use crate::msh::{Cell, Mesh, opposite, sorted};

/// Points and weights on the unit triangle, exact to degree 5 (J. Radon, 1948; seven points).
fn rule() -> [([f64; 3], f64); 7] {
    let root = 15f64.sqrt();
    let (a, b) = ((6.0 - root) / 21.0, (6.0 + root) / 21.0);
    let (wa, wb) = ((155.0 - root) / 1200.0, (155.0 + root) / 1200.0);
    let third = 1.0 / 3.0;
    [
        ([third; 3], 9.0 / 40.0),
        ([1.0 - 2.0 * a, a, a], wa),
        ([a, 1.0 - 2.0 * a, a], wa),
        ([a, a, 1.0 - 2.0 * a], wa),
        ([1.0 - 2.0 * b, b, b], wb),
        ([b, 1.0 - 2.0 * b, b], wb),
        ([b, b, 1.0 - 2.0 * b], wb),
    ]
}

/// `⅓∮ x·n dA` over a triangle, with the normal that its corners turn about; exact, for x·n has degree 4.
fn flux(mesh: &Mesh, triangle: &Cell<3>) -> f64 {
    let corners = triangle.corners.map(|node| mesh.at(node));
    let [a, b, c] = corners;
    let between = |k: usize, p: Vector3<f64>, q: Vector3<f64>| {
        triangle.middles.get(k).map_or((p + q) * 0.5, |node| mesh.at(*node))
    };
    let middles = [between(0, a, b), between(1, b, c), between(2, c, a)];
    let of_point = |([l1, l2, l3], weight): ([f64; 3], f64)| {
        let quadratic = |l: f64| l * (2.0 * l - 1.0);
        let x = a * quadratic(l1)
            + b * quadratic(l2)
            + c * quadratic(l3)
            + (middles[0] * (l1 * l2) + middles[1] * (l2 * l3) + middles[2] * (l3 * l1)) * 4.0;
        // Derivatives along l2 and l3, l1 = 1 − l2 − l3.
        let d1 = a * (4.0 * l1 - 1.0) + (middles[0] * l2 + middles[2] * l3) * 4.0;
        let d2 = b * (4.0 * l2 - 1.0) + (middles[0] * l1 + middles[1] * l3) * 4.0;
        let d3 = c * (4.0 * l3 - 1.0) + (middles[1] * l2 + middles[2] * l1) * 4.0;
        x.dot(&(d2 - d1).cross(&(d3 - d1))) * weight
    };
    rule().into_iter().map(of_point).sum::<f64>() / 6.0
}

/// Volume that the surface of the mesh encloses.
pub(crate) fn volume(mesh: &Mesh) -> f64 {
    let sides = mesh.sides();
    let mut sum = 0.0;
    for triangle in &mesh.triangles {
        let Some([tetrahedron]) = sides.get(&sorted(triangle.corners)).map(Vec::as_slice) else { continue };
        let [a, b, c] = triangle.corners.map(|node| mesh.at(node));
        let inner = opposite(&mesh.tetrahedra[*tetrahedron].corners, &triangle.corners);
        let outward = (b - a).cross(&(c - a)).dot(&(mesh.at(inner) - a)) < 0.0;
        sum += if outward { flux(mesh, triangle) } else { -flux(mesh, triangle) };
    }
    sum
}
