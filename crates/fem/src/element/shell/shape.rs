//! Shape functions and integration points of flat triangles and quadrilaterals.

use nalgebra::{Matrix2, Vector2};

/// 1/√3.
pub(super) const G: f64 = 0.577_350_269_189_625_8;

/// 2×2 Gauss points, all of weight 1.
pub(super) const GAUSS_2: [(f64, f64); 4] = [(-G, -G), (G, -G), (G, G), (-G, G)];

/// Natural coordinates of the corners of a quadrilateral.
pub(super) const NATURAL_CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

/// 3×3 Gauss points with their weights.
pub(super) fn gauss_3() -> Vec<(f64, f64, f64)> {
    let line = [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    line.iter().flat_map(|(eta, v)| line.iter().map(move |(xi, w)| (*xi, *eta, w * v))).collect()
}

/// Three interior points of a triangle, exact for quadratic functions; area coordinates λ₂, λ₃ and weight
/// (the sum is ½).
pub(super) const TRIANGLE_3: [(f64, f64, f64); 3] =
    [(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0), (2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0), (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0)];

/// Six points, exact for quartics (D. A. Dunavant, International Journal for Numerical Methods in Engineering
/// 21 (1985) 1129–1148); the sum of the weights is ½.
pub(super) const TRIANGLE_6: [(f64, f64, f64); 6] = {
    const A: f64 = 0.445_948_490_915_965;
    const B: f64 = 0.091_576_213_509_771;
    const W: f64 = 0.5 * 0.223_381_589_678_011;
    const V: f64 = 0.5 * 0.109_951_743_655_322;
    [
        (A, A, W),
        (1.0 - 2.0 * A, A, W),
        (A, 1.0 - 2.0 * A, W),
        (B, B, V),
        (1.0 - 2.0 * B, B, V),
        (B, 1.0 - 2.0 * B, V),
    ]
};

/// Corner functions, mid-side functions and their gradients at a point of a flat element.
pub(super) struct ShapePoint {
    /// Linear or bilinear functions of the corners.
    pub(super) N: Vec<f64>,
    /// ∂N/∂(x, y).
    pub(super) gradients: Vec<Vector2<f64>>,
    /// Quadratic functions of the sides, 1 at the middle of side i → i+1 and 0 on the others.
    pub(super) P: Vec<f64>,
    /// ∂P/∂(x, y).
    pub(super) side_gradients: Vec<Vector2<f64>>,
    /// Rows ∂(x, y)/∂ξ and ∂(x, y)/∂η.
    pub(super) jacobian: Matrix2<f64>,
    /// Its determinant.
    pub(super) determinant: f64,
}

impl ShapePoint {
    /// The point itself in an element with corners `p`.
    pub(super) fn at(&self, p: &[Vector2<f64>]) -> Vector2<f64> {
        self.N.iter().zip(p).map(|(n, c)| c * *n).sum()
    }
}

fn point(p: &[Vector2<f64>], N: Vec<f64>, dN: &[[f64; 2]], P: Vec<f64>, dP: &[[f64; 2]]) -> ShapePoint {
    let mut J = Matrix2::zeros();
    for (x, d) in p.iter().zip(dN) {
        J += Vector2::from(*d) * x.transpose();
    }
    // A bad shape is refused before it comes here; a zero determinant then shows as such to that check.
    let inverse = J.try_inverse().unwrap_or_default();
    ShapePoint {
        N,
        gradients: dN.iter().map(|d| inverse * Vector2::from(*d)).collect(),
        P,
        side_gradients: dP.iter().map(|d| inverse * Vector2::from(*d)).collect(),
        jacobian: J,
        determinant: J.determinant(),
    }
}

/// Quadrilateral at natural coordinates ξ, η in −1..1; corners counter-clockwise from (−1, −1).
pub(super) fn quad(p: &[Vector2<f64>], xi: f64, eta: f64) -> ShapePoint {
    let N = NATURAL_CORNERS.iter().map(|(a, b)| 0.25 * (1.0 + a * xi) * (1.0 + b * eta)).collect();
    let dN = NATURAL_CORNERS.map(|(a, b)| [0.25 * a * (1.0 + b * eta), 0.25 * b * (1.0 + a * xi)]);
    let (u, v) = (1.0 - xi * xi, 1.0 - eta * eta);
    let P = vec![0.5 * u * (1.0 - eta), 0.5 * v * (1.0 + xi), 0.5 * u * (1.0 + eta), 0.5 * v * (1.0 - xi)];
    let dP = [
        [-xi * (1.0 - eta), -0.5 * u],
        [0.5 * v, -eta * (1.0 + xi)],
        [-xi * (1.0 + eta), 0.5 * u],
        [-0.5 * v, -eta * (1.0 - xi)],
    ];
    point(p, N, &dN, P, &dP)
}

/// Triangle at area coordinates λ₂ = ξ, λ₃ = η.
pub(super) fn triangle(p: &[Vector2<f64>], xi: f64, eta: f64) -> ShapePoint {
    let zeta = 1.0 - xi - eta;
    let dN = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
    let P = vec![4.0 * zeta * xi, 4.0 * xi * eta, 4.0 * eta * zeta];
    let dP = [[4.0 * (zeta - xi), -4.0 * xi], [4.0 * eta, 4.0 * xi], [-4.0 * eta, 4.0 * (zeta - eta)]];
    point(p, vec![zeta, xi, eta], &dN, P, &dP)
}

/// Either of them, by the number of corners.
pub(super) fn flat(p: &[Vector2<f64>], xi: f64, eta: f64) -> ShapePoint {
    if p.len() == 4 { quad(p, xi, eta) } else { triangle(p, xi, eta) }
}

/// Natural coordinates of the centre.
pub(super) fn centre(corners: usize) -> (f64, f64) {
    if corners == 4 { (0.0, 0.0) } else { (1.0 / 3.0, 1.0 / 3.0) }
}

/// Points for stiffness: 2×2 for a quadrilateral, 3 for a triangle.
pub(super) fn stiffness_points(corners: usize) -> Vec<(f64, f64, f64)> {
    if corners == 4 { GAUSS_2.map(|(a, b)| (a, b, 1.0)).to_vec() } else { TRIANGLE_3.to_vec() }
}

/// Weights of the values at the [`stiffness_points`] for the linear or bilinear function through them, at
/// each corner. Those of the quadrilateral are its corner functions, with the points in place of the corners:
/// N_i(√3ξ, √3η).
pub(super) fn corner_weights(corners: usize) -> Vec<Vec<f64>> {
    if corners == 4 {
        let at = |(xi, eta): (f64, f64)| {
            let of = |(a, b): (f64, f64)| 0.25 * (1.0 + a * xi / G) * (1.0 + b * eta / G);
            NATURAL_CORNERS.map(of).to_vec()
        };
        return NATURAL_CORNERS.map(at).to_vec();
    }
    // The points have the area coordinates 2/3, 1/6, 1/6, the first nearest to the first corner.
    (0..3).map(|corner| (0..3).map(|k| if k == corner { 5.0 / 3.0 } else { -1.0 / 3.0 }).collect()).collect()
}

/// Points for mass: 3×3 for a quadrilateral, 6 for a triangle.
pub(super) fn mass_points(corners: usize) -> Vec<(f64, f64, f64)> {
    if corners == 4 { gauss_3() } else { TRIANGLE_6.to_vec() }
}

/// Eight-node functions and ∂N/∂(ξ, η): corners, then the middle of each side.
pub(super) fn quad_8(xi: f64, eta: f64) -> (Vec<f64>, Vec<[f64; 2]>) {
    let (mut N, mut dN) = (vec![0.0; 8], vec![[0.0; 2]; 8]);
    for (i, (a, b)) in NATURAL_CORNERS.into_iter().enumerate() {
        let (x, y) = (a * xi, b * eta);
        N[i] = 0.25 * (1.0 + x) * (1.0 + y) * (x + y - 1.0);
        dN[i] = [0.25 * a * (1.0 + y) * (2.0 * x + y), 0.25 * b * (1.0 + x) * (x + 2.0 * y)];
    }
    let (u, v) = (1.0 - xi * xi, 1.0 - eta * eta);
    for (i, b) in [(4, -1.0), (6, 1.0)] {
        N[i] = 0.5 * u * (1.0 + b * eta);
        dN[i] = [-xi * (1.0 + b * eta), 0.5 * b * u];
    }
    for (i, a) in [(5, 1.0), (7, -1.0)] {
        N[i] = 0.5 * v * (1.0 + a * xi);
        dN[i] = [0.5 * a * v, -eta * (1.0 + a * xi)];
    }
    (N, dN)
}

/// Six-node functions and ∂N/∂(λ₂, λ₃): corners, then the middle of each side.
pub(super) fn triangle_6(xi: f64, eta: f64) -> (Vec<f64>, Vec<[f64; 2]>) {
    let zeta = 1.0 - xi - eta;
    let N = vec![
        zeta * (2.0 * zeta - 1.0),
        xi * (2.0 * xi - 1.0),
        eta * (2.0 * eta - 1.0),
        4.0 * zeta * xi,
        4.0 * xi * eta,
        4.0 * eta * zeta,
    ];
    let corner = 1.0 - 4.0 * zeta;
    let dN = vec![
        [corner, corner],
        [4.0 * xi - 1.0, 0.0],
        [0.0, 4.0 * eta - 1.0],
        [4.0 * (zeta - xi), -4.0 * xi],
        [4.0 * eta, 4.0 * xi],
        [-4.0 * eta, 4.0 * (zeta - eta)],
    ];
    (N, dN)
}
