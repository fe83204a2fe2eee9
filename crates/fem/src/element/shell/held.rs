//! Membranes without drilling rotations, for elements all of whose grids have that rotation held.
//!
//! The triangle is the constant-strain one, as Nastran's CTRIA3. The quadrilateral is the five-parameter hybrid of T. H. H. Pian
//! and K. Sumihara, "Rational approach for assumed stress finite elements", International Journal for Numerical
//! Methods in Engineering 20 (1984) 1685–1695: constant stress plus one bending stress along each natural axis, so it
//! bends exactly when rectangular and does not lock when incompressible.
//!
//! The rotation about the normal gets Nastran's weak stiffness: an energy ½·10⁻⁶·K6ROT·A₃₃·(θz − ω)² per area, with ω the rotation of the
//! membrane field (MSC Nastran Quick Reference Guide, PARAM K6ROT).

use nalgebra::{DMatrix, Matrix2, Matrix3, SMatrix, Vector2};

use super::membrane::Membrane;
use super::shape::{GAUSS_2, quad};

/// Strain rows [εx εy γxy] and the rotation row ½(v,x − u,y) − θz from shape function gradients.
fn rows(N: &[f64], gradients: &[Vector2<f64>]) -> (DMatrix<f64>, DMatrix<f64>) {
    let count = gradients.len();
    let mut B = DMatrix::zeros(3, 3 * count);
    let mut spin = DMatrix::zeros(1, 3 * count);
    for (i, g) in gradients.iter().enumerate() {
        B[(0, 3 * i)] = g.x;
        B[(1, 3 * i + 1)] = g.y;
        B[(2, 3 * i)] = g.y;
        B[(2, 3 * i + 1)] = g.x;
        spin[(0, 3 * i)] = -0.5 * g.y;
        spin[(0, 3 * i + 1)] = 0.5 * g.x;
        spin[(0, 3 * i + 2)] = -N[i];
    }
    (B, spin)
}

/// Constant-strain triangle with corners `p`; `drilling` is 10⁻⁶·K6ROT·A₃₃.
pub(super) fn constant_strain(p: &[Vector2<f64>], A: &Matrix3<f64>, drilling: f64) -> Membrane {
    let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
    let gradients: Vec<_> = (0..3)
        .map(|i| {
            let side = p[(i + 2) % 3] - p[(i + 1) % 3];
            Vector2::new(-side.y, side.x) / (2.0 * area)
        })
        .collect();
    let mut K = DMatrix::zeros(9, 9);
    let mut L = DMatrix::zeros(9, 3);
    // Mid-side points integrate the quadratic penalty exactly.
    for N in [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]] {
        let (B, spin) = rows(&N, &gradients);
        K += (B.transpose() * A * &B + spin.transpose() * &spin * drilling) * (area / 3.0);
        L += B.transpose() * (area / 3.0);
    }
    Membrane::constant(K, L, A, area)
}

/// Pian and Sumihara's quadrilateral with corners `p`; `drilling` is 10⁻⁶·K6ROT·A₃₃.
pub(super) fn hybrid_quadrilateral(p: &[Vector2<f64>], A: &Matrix3<f64>, drilling: f64) -> Membrane {
    let compliance = A.try_inverse().expect("invariant: a membrane material is positive definite");
    let centre = quad(p, 0.0, 0.0);
    // Stress of the natural axes at the centre, turned to x and y; the mean of ξ and η over the element is
    // taken off so that bending and constant stress do not mix.
    let J: Matrix2<f64> = centre.jacobian;
    let (mut mean, mut area) = (Vector2::zeros(), 0.0);
    for (xi, eta) in GAUSS_2 {
        let point = quad(p, xi, eta);
        mean += Vector2::new(xi, eta) * point.determinant;
        area += point.determinant;
    }
    mean /= area;
    let (a, b) = (J.row(0).into_owned(), J.row(1).into_owned());
    let mut H = SMatrix::<f64, 5, 5>::zeros();
    let mut G = DMatrix::zeros(5, 12);
    let mut K = DMatrix::zeros(12, 12);
    let mut L = DMatrix::zeros(12, 3);
    let fields = |xi: f64, eta: f64| {
        let (s, t) = (eta - mean.y, xi - mean.x);
        let mut P = SMatrix::<f64, 3, 5>::zeros();
        P.fixed_view_mut::<3, 3>(0, 0).fill_with_identity();
        for (row, value) in [a.x * a.x, a.y * a.y, a.x * a.y].into_iter().enumerate() {
            P[(row, 3)] = value * s;
        }
        for (row, value) in [b.x * b.x, b.y * b.y, b.x * b.y].into_iter().enumerate() {
            P[(row, 4)] = value * t;
        }
        P
    };
    for (xi, eta) in GAUSS_2 {
        let point = quad(p, xi, eta);
        let P = fields(xi, eta);
        let (B, spin) = rows(&point.N, &point.gradients);
        H += P.transpose() * compliance * P * point.determinant;
        G += P.transpose() * &B * point.determinant;
        K += spin.transpose() * &spin * (drilling * point.determinant);
        L += B.transpose() * point.determinant;
    }
    let inverse = H.try_inverse().expect("invariant: the compliance is positive definite");
    let beta = inverse * &G;
    K += G.transpose() * &beta;
    let forces = GAUSS_2.map(|(xi, eta)| fields(xi, eta) * &beta);
    Membrane { K, L, forces: forces.to_vec() }
}
